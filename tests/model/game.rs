//! Plays a script in an app, and hands each step with all that came of it to the twin.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::message::MessageCursor;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_nudge::prelude::*;
use bevy_nudge::{CollisionStats, ContactPair};

use crate::generate::Script;
use crate::op::{At, Op, apply, react};
use crate::twin::{Tally, Twin};

/// Which entity is in which slot, and all entities there ever were.
#[derive(Resource, Default)]
pub(crate) struct Slots {
    pub(crate) entities: Vec<Entity>,
    all: BTreeSet<Entity>,
}

impl Slots {
    pub(crate) fn set(&mut self, slot: usize, entity: Entity) {
        self.entities[slot] = entity;
        self.all.insert(entity);
    }
}

/// What handlers are going to do.
#[derive(Resource, Default)]
pub(crate) struct Reactions {
    lists: [VecDeque<Op>; 4],
}

impl Reactions {
    pub(crate) fn list(&mut self, at: At) -> &mut VecDeque<Op> {
        &mut self.lists[at as usize]
    }
}

/// What observers heard, and who could hear after what they did.
#[derive(Resource, Default)]
pub(crate) struct Log(Vec<LogLine>);

#[derive(Clone, Debug)]
pub(crate) enum LogLine {
    Heard { entity: Entity, other: Entity, is_start: bool, event: CollisionEvent },
    Listeners(BTreeSet<Entity>),
}

impl Log {
    pub(crate) fn push_listeners(&mut self, listeners: BTreeSet<Entity>) {
        self.0.push(LogLine::Listeners(listeners));
    }
}

/// All of one entity that the step may read.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) collider: Option<Collider>,
    pub(crate) transform: Option<Transform>,
    pub(crate) parent: Option<Entity>,
    pub(crate) layers: Option<CollisionLayers>,
    pub(crate) solid: Option<Solid>,
    pub(crate) is_static: bool,
    pub(crate) is_disabled: bool,
    pub(crate) listens: bool,
    /// When `Swept` was inserted last, if it is there.
    pub(crate) swept: Option<u32>,
    /// When the collider was added.
    pub(crate) collider_added: Option<u32>,
}

/// The world when a step begins.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub(crate) entities: BTreeMap<Entity, Seen>,
    pub(crate) settings: CollisionSettings,
}

/// One run of the schedule: what was before it and what came of it.
pub(crate) struct Record {
    pub(crate) before: Snapshot,
    pub(crate) events: Vec<CollisionEvent>,
    pub(crate) contacts: Vec<ContactPair>,
    pub(crate) stats: CollisionStats,
    pub(crate) log: Vec<LogLine>,
    /// Transforms after the push-out and before any handler.
    pub(crate) pushed: BTreeMap<Entity, Transform>,
    pub(crate) pushes: Vec<(Entity, Vec2)>,
    /// What is wrong with the lookups in `Contacts`.
    pub(crate) lookup_fault: Option<String>,
}

#[derive(Resource, Default)]
struct Recorder {
    before: Option<Snapshot>,
    pushed: BTreeMap<Entity, Transform>,
    cursor: MessageCursor<CollisionEvent>,
    records: Vec<Record>,
}

/// What three readers of different schedules got.
#[derive(Resource, Default)]
struct Readers([Vec<CollisionEvent>; 3]);

fn reader<const NUMBER: usize>(
    mut events: MessageReader<CollisionEvent>,
    mut readers: ResMut<Readers>,
) {
    readers.0[NUMBER].extend(events.read().copied());
}

/// A handler that reads messages.
fn handle(
    at: At,
) -> impl FnMut(Commands<'_, '_>, MessageReader<'_, '_, CollisionEvent>) + Send + Sync + 'static {
    move |mut commands: Commands, mut events: MessageReader<CollisionEvent>| {
        for &event in events.read().filter(|event| !event.is_persisted()) {
            commands.queue(move |world: &mut World| react(world, at, &event));
        }
    }
}

fn make_app(has_push_out: bool) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, CollisionPlugin::default()))
        .init_resource::<Slots>()
        .init_resource::<Reactions>()
        .init_resource::<Log>()
        .init_resource::<Recorder>()
        .init_resource::<Readers>()
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(0));
    app.add_observer(|on: On<CollisionStarted>, mut commands: Commands, mut log: ResMut<Log>| {
        let event = on.event().event;
        log.0.push(LogLine::Heard { entity: on.entity, other: on.other, is_start: true, event });
        commands.queue(move |world: &mut World| react(world, At::Start, &event));
    });
    app.add_observer(|on: On<CollisionEnded>, mut commands: Commands, mut log: ResMut<Log>| {
        let event = on.event().event;
        log.0.push(LogLine::Heard { entity: on.entity, other: on.other, is_start: false, event });
        commands.queue(move |world: &mut World| react(world, At::End, &event));
    });
    app.add_systems(
        FixedPostUpdate,
        (
            take_snapshot.before(CollisionSystems::Sync),
            note_pushed.after(CollisionSystems::Resolve).before(CollisionSystems::Publish),
            (record, handle(At::Reader), reader::<0>).chain().after(CollisionSystems::Publish),
        ),
    );
    app.add_systems(FixedUpdate, reader::<1>);
    app.add_systems(Update, (handle(At::UpdateReader), reader::<2>).chain());
    if has_push_out {
        app.add_plugins(ResolutionPlugin);
    }
    app.update();
    app
}

pub(crate) fn listeners(world: &World) -> BTreeSet<Entity> {
    let slots = world.resource::<Slots>();
    let listens = |entity: &Entity| world.get::<CollisionEventsEnabled>(*entity).is_some();
    slots.all.iter().copied().filter(listens).collect()
}

fn take_snapshot(world: &mut World) {
    let entities = world.resource::<Slots>().all.iter().filter_map(|&entity| {
        let there = world.get_entity(entity).ok()?;
        let seen = Seen {
            collider: there.get::<Collider>().cloned(),
            transform: there.get::<Transform>().copied(),
            parent: there.get::<ChildOf>().map(ChildOf::parent),
            layers: there.get::<CollisionLayers>().copied(),
            solid: there.get::<Solid>().copied(),
            is_static: there.contains::<StaticCollider>(),
            is_disabled: there.contains::<ColliderDisabled>() || there.contains::<Disabled>(),
            listens: there.contains::<CollisionEventsEnabled>(),
            swept: there.get_ref::<Swept>().map(|swept| swept.last_changed().get()),
            collider_added: there.get_ref::<Collider>().map(|collider| collider.added().get()),
        };
        Some((entity, seen))
    });
    let before = Snapshot {
        entities: entities.collect(),
        settings: world.resource::<CollisionSettings>().clone(),
    };
    let mut slots = world.resource_mut::<Slots>();
    slots.all.retain(|entity| before.entities.contains_key(entity));
    world.resource_mut::<Recorder>().before = Some(before);
    // What handlers did since the last step is in the snapshot.
    world.resource_mut::<Log>().0.clear();
}

fn note_pushed(world: &mut World) {
    let slots = world.resource::<Slots>();
    let transform = |&entity: &Entity| Some((entity, *world.get::<Transform>(entity)?));
    let pushed = slots.all.iter().filter_map(transform).collect();
    world.resource_mut::<Recorder>().pushed = pushed;
}

fn record(world: &mut World) {
    let stats = world.resource::<CollisionStats>().clone();
    let contacts = world.resource::<Contacts>();
    let record = Record {
        before: world.resource::<Recorder>().before.clone().expect("a snapshot before each step"),
        events: Vec::new(),
        contacts: contacts.as_slice().to_vec(),
        log: std::mem::take(&mut world.resource_mut::<Log>().0),
        pushed: world.resource::<Recorder>().pushed.clone(),
        pushes: world.get_resource::<Pushes>().map_or(Vec::new(), |pushes| {
            pushes.iter().map(|push| (push.entity, push.translation)).collect()
        }),
        // Not in each step: the lookups keep something from one to the next.
        lookup_fault: (!stats.steps.is_multiple_of(3)).then(|| lookup_fault(world)).flatten(),
        stats,
    };
    world.resource_scope(|world, mut recorder: Mut<Recorder>| {
        let recorder = &mut *recorder;
        let messages = world.resource::<Messages<CollisionEvent>>();
        let events = recorder.cursor.read(messages).copied().collect();
        recorder.records.push(Record { events, ..record });
    });
}

/// Asks for the contacts of each entity and of each pair.
fn lookup_fault(world: &World) -> Option<String> {
    let contacts = world.resource::<Contacts>();
    let all = contacts.as_slice();
    if contacts.len() != all.len() || contacts.is_empty() != all.is_empty() {
        return Some("`len` is not the length of the list".into());
    }
    for &entity in &world.resource::<Slots>().all {
        let as_b = all.iter().filter(|pair| pair.b == entity);
        let expected: Vec<_> = as_b.chain(all.iter().filter(|pair| pair.a == entity)).collect();
        let got: Vec<_> = contacts.of(entity).collect();
        if got != expected {
            return Some(format!("`of({entity})` is {got:?}\n  and should be {expected:?}"));
        }
        for &other in &world.resource::<Slots>().all {
            let joins = |pair: &&ContactPair| pair.other(entity) == Some(other);
            if contacts.between(entity, other) != all.iter().find(joins) {
                return Some(format!("`between({entity}, {other})` differs from the list"));
            }
        }
    }
    None
}

/// Plays a script. What it compared, or what was wrong first.
pub(crate) fn play(script: &Script) -> Result<Tally, String> {
    let mut app = make_app(script.has_push_out);
    if script.only_stops {
        app.world_mut().resource_mut::<CollisionSettings>().resolution.passes = 0;
    }
    let slots = script.ops.iter().map(slots_of).max().unwrap_or(0);
    app.world_mut().resource_mut::<Slots>().entities = vec![Entity::PLACEHOLDER; slots];
    let mut twin = Twin::default();
    for (line, op) in script.ops.iter().enumerate() {
        if let Op::Frame(steps) = op {
            frame(&mut app, &mut twin, *steps).map_err(|fault| format!("line {line}: {fault}"))?;
        } else {
            apply(app.world_mut(), op, None);
        }
    }
    end(&mut app, &mut twin).map_err(|fault| format!("at the end: {fault}"))?;
    Ok(twin.tally)
}

fn frame(app: &mut App, twin: &mut Twin, steps: u32) -> Result<(), String> {
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(steps));
    app.update();
    let records = std::mem::take(&mut app.world_mut().resource_mut::<Recorder>().records);
    if records.len() != steps as usize {
        return Err(format!("{} runs of the schedule, not {steps}", records.len()));
    }
    for (i, record) in records.iter().enumerate() {
        twin.check(record).map_err(|fault| format!("step {} of {steps}: {fault}", i + 1))?;
    }
    Ok(())
}

/// Everything ends, and all readers have read the same.
fn end(app: &mut App, twin: &mut Twin) -> Result<(), String> {
    apply(app.world_mut(), &Op::Resume, None);
    *app.world_mut().resource_mut::<Reactions>() = Reactions::default();
    let all: Vec<Entity> = app.world().resource::<Slots>().all.iter().copied().collect();
    for entity in all {
        if app.world().get_entity(entity).is_ok() {
            app.world_mut().despawn(entity);
        }
    }
    frame(app, twin, 1)?;
    if !app.world().resource::<Contacts>().is_empty() {
        return Err("contacts are left when all is despawned".into());
    }
    // Two more, so that each reader gets its turn.
    frame(app, twin, 1)?;
    frame(app, twin, 1)?;
    let [first, others @ ..] = &app.world().resource::<Readers>().0;
    for (i, other) in others.iter().enumerate() {
        if first != other {
            let (n, m) = (first.len(), other.len());
            return Err(format!("reader {} got {m} events, not the {n} of reader 0", i + 1));
        }
    }
    Ok(())
}

fn slots_of(op: &Op) -> usize {
    match op {
        Op::Handle(_, op) => slots_of(op),
        Op::Spawn(slot, ..) | Op::Reborn(slot, ..) => slot + 1,
        // 20 is the most that the generator uses.
        _ => 20,
    }
}
