//! Runs a scene and takes down the bits of all contacts and events.

use std::collections::HashMap;

use bevy::app::TaskPoolPlugin;
use bevy::prelude::*;
use bevy_nudge::geometry::Contact;
use bevy_nudge::prelude::*;
use bevy_nudge::{CollisionStats, EndedBy};

use crate::common::spawn;
use crate::scenes::{Plan, Scene};

pub(crate) const STEPS: u32 = 300;

/// In which order what is spawned together is spawned: the place in the scene of the `i`th of so
/// many.
pub(crate) enum Order {
    As(fn(usize, usize) -> usize),
    /// With other entities in between, so that the numbers of entities are others too.
    AmongOthers(fn(usize, usize) -> usize),
}

/// All that was said in a run.
#[derive(Debug, PartialEq)]
pub(crate) struct Said {
    hash: u64,
    /// The contacts and the events of each step.
    steps: Vec<Vec<Line>>,
    contacts: usize,
    events: usize,
    /// By place in the scene.
    places: Vec<(u32, [u32; 3])>,
}

impl Said {
    pub(crate) fn summary(&self, name: &str) -> String {
        format!(
            "{name}: hash {:016x}, {} contacts, {} events",
            self.hash, self.contacts, self.events
        )
    }

    pub(crate) fn assert_same(&self, expected: &Self, case: &str) {
        // The first line that differs says more than two hashes.
        for (step, (said, expected)) in self.steps.iter().zip(&expected.steps).enumerate() {
            let lines = said.len().max(expected.len());
            let first = (0..lines).find(|&i| said.get(i) != expected.get(i));
            assert!(
                first.is_none(),
                "{case}: step {step}: {:?}, expected {:?}",
                first.map(|i| said.get(i)),
                first.map(|i| expected.get(i))
            );
        }
        assert!(self == expected, "{case}: differs at the end");
    }

    pub(crate) fn assert_worth_it(&self, scene: &Scene) {
        println!("{}", self.summary(scene.name));
        assert!(self.contacts > scene.least_contacts, "{}: {} contacts", scene.name, self.contacts);
        assert!(self.events > self.contacts, "{}: {} events", scene.name, self.events);
    }
}

/// The number of each entity in its scene, whatever the order of spawning.
#[derive(Resource, Default)]
pub(crate) struct Numbers {
    pub(crate) of: HashMap<Entity, u32>,
    pub(crate) entities: HashMap<u32, Entity>,
}

/// Spawns a batch of planned entities in some order.
pub(crate) fn spawn_batch(app: &mut App, plans: Vec<Plan>, order: &Order) {
    let count = plans.len();
    let (place, has_others) = match order {
        Order::As(place) => (place, false),
        Order::AmongOthers(place) => (place, true),
    };
    for i in 0..count {
        if has_others {
            (0..i % 3).for_each(|_| _ = spawn(app, Transform::default()));
        }
        let plan = &plans[place(i, count)];
        let entity = spawn(app, (plan.collider.clone(), plan.transform));
        (plan.dress)(&mut app.world_mut().entity_mut(entity));
        let mut numbers = app.world_mut().resource_mut::<Numbers>();
        numbers.of.insert(entity, plan.number);
        let before = numbers.entities.insert(plan.number, entity);
        assert!(before.is_none(), "two entities of number {}", plan.number);
    }
    for plan in &plans {
        if let Some(parent) = plan.parent {
            let numbers = app.world().resource::<Numbers>();
            let (child, parent) = (numbers.entities[&plan.number], numbers.entities[&parent]);
            app.world_mut().entity_mut(child).insert(ChildOf(parent));
        }
    }
}

/// FNV-1a (Fowler, Noll and Vo), a word at a time.
struct Hash(u64);

impl Hash {
    fn add(&mut self, words: impl IntoIterator<Item = u32>) {
        for word in words {
            self.0 = (self.0 ^ u64::from(word)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

type Line = [u32; 11];

/// What is said of a pair, from the side of the lower number. `what` is added for either side.
fn line(numbers: &Numbers, sides: [Entity; 2], contact: Contact, what: [u32; 3]) -> Line {
    let [a, b] = sides.map(|entity| numbers.of[&entity]);
    let contact = if a < b { contact } else { contact.flipped() };
    // A zero may have either sign after a flip.
    let bits = |x: f32| (x + 0.0).to_bits();
    let Contact { normal, depth, point, status } = contact;
    let [kind, by, time] = what;
    let by = if a > b && (by == 1 || by == 2) { 3 - by } else { by };
    [
        a.min(b),
        a.max(b),
        kind,
        by,
        time,
        status as u32,
        bits(normal.x),
        bits(normal.y),
        bits(depth),
        bits(point.x),
        bits(point.y),
    ]
}

fn event_line(numbers: &Numbers, event: &CollisionEvent) -> Line {
    let (kind, by) = match event.phase {
        CollisionPhase::Started => (0, 0),
        CollisionPhase::Persisted => (1, 0),
        CollisionPhase::Ended { reason, by } => {
            let side = match by {
                EndedBy::Pair => 0,
                EndedBy::A => 1,
                EndedBy::B => 2,
                EndedBy::Both => 3,
            };
            (2 + reason as u32, side)
        }
    };
    let time = event.time_of_impact.map_or(u32::MAX, f32::to_bits);
    line(numbers, event.entities(), event.contact, [kind, by, time])
}

pub(crate) fn run(scene: &Scene, order: &Order) -> Said {
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin::default(),
        CollisionPlugin::in_schedule(Update),
        ResolutionPlugin,
    ));
    app.init_resource::<Numbers>();
    spawn_batch(&mut app, (scene.plans)(), order);
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    let (mut steps, mut contacts_met, mut events_met) = (Vec::new(), 0, 0);
    for step in 0..STEPS {
        (scene.drive)(&mut app, step, order);
        app.world_mut().resource_mut::<Messages<CollisionEvent>>().update();
        app.update();
        let numbers = app.world().resource::<Numbers>();
        let contacts = app.world().resource::<Contacts>();
        let mut lines: Vec<Line> = contacts
            .iter()
            .map(|pair| {
                let time = pair.time_of_impact.map_or(u32::MAX, f32::to_bits);
                line(numbers, [pair.a, pair.b], pair.contact, [pair.age, 0, time])
            })
            .collect();
        contacts_met += lines.len();
        let messages = app.world().resource::<Messages<CollisionEvent>>();
        let events = messages.iter_current_update_messages();
        let mut said: Vec<Line> = events.map(|event| event_line(numbers, event)).collect();
        events_met += said.len();
        lines.sort_unstable();
        said.sort_unstable();
        lines.append(&mut said);
        hash.add(lines.iter().flatten().copied());
        steps.push(lines);
        assert_eq!(app.world().resource::<CollisionStats>().steps, u64::from(step) + 1);
    }
    let numbers = app.world().resource::<Numbers>();
    let mut places: Vec<(u32, [u32; 3])> = numbers
        .entities
        .iter()
        .filter_map(|(&number, &entity)| {
            let transform = app.world().get::<Transform>(entity)?;
            Some((number, transform.translation.to_array().map(f32::to_bits)))
        })
        .collect();
    places.sort_unstable();
    hash.add(places.iter().flat_map(|&(number, [x, y, _])| [number, x, y]));
    Said { hash: hash.0, steps, contacts: contacts_met, events: events_met, places }
}
