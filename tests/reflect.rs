//! Every public component and resource can be seen, edited and saved by tools.

mod common;

use bevy::ecs::reflect::{AppTypeRegistry, ReflectComponent, ReflectResource};
use bevy::prelude::*;
use bevy::reflect::std_traits::ReflectDefault;
use bevy::reflect::{GetPath, PartialReflect};
use bevy_nudge::geometry::{self, CompoundPart, ConcavePolygon};
use bevy_nudge::prelude::*;
use common::*;

/// Ten wide and ten high, walls 2 thick, open at the top.
const U: [(f32, f32); 8] = [
    (-5.0, -5.0),
    (5.0, -5.0),
    (5.0, 5.0),
    (3.0, 5.0),
    (3.0, -3.0),
    (-3.0, -3.0),
    (-3.0, 5.0),
    (-5.0, 5.0),
];

#[test]
fn all_components_are_registered_with_what_tools_need() {
    let app = app();
    let registry = app.world().resource::<AppTypeRegistry>().read();
    for path in [
        "bevy_nudge::Collider",
        "bevy_nudge::CollisionLayers",
        "bevy_nudge::StaticCollider",
        "bevy_nudge::Solid",
        "bevy_nudge::ColliderDisabled",
        "bevy_nudge::CollisionEventsEnabled",
        "bevy_nudge::Swept",
    ] {
        let registration = registry.get_with_type_path(path).unwrap_or_else(|| panic!("{path}"));
        assert!(registration.data::<ReflectComponent>().is_some(), "{path}");
        assert!(registration.data::<ReflectDefault>().is_some(), "{path}");
    }
    let settings = registry.get_with_type_path("bevy_nudge::CollisionSettings").expect("settings");
    assert!(
        settings.data::<ReflectResource>().is_some() && settings.data::<ReflectDefault>().is_some()
    );
}

#[test]
fn an_edit_by_reflection_acts_in_the_next_step() {
    let mut app = app();
    let a = spawn(&mut app, Collider::circle(10.0));
    spawn(&mut app, (Collider::circle(1.0), at(12.5, 0.0)));
    assert!(step(&mut app).is_empty());
    let mut collider = app.world_mut().get_mut::<Collider>(a).unwrap();
    *collider.as_mut().path_mut::<f32>("shape.0.radius").unwrap() = 12.0;
    assert_eq!(phases(&step(&mut app)), ["start"]);
}

#[test]
fn a_collider_survives_being_taken_apart_and_put_together() {
    let colliders = [
        Collider::circle_at(Vec2::ONE, 3.0),
        Collider::aabb(3.0, 4.0),
        Collider::regular_polygon(7, 2.0).unwrap(),
        Collider::segment(Vec2::ZERO, Vec2::ONE).unwrap(),
        Collider::capsule(Vec2::ZERO, Vec2::ONE, 0.5).unwrap(),
        Collider::rounded_rectangle(8.0, 4.0, 1.0).unwrap(),
        Collider::concave(U.map(Vec2::from)).unwrap(),
        Collider::compound([
            CompoundPart::at(geometry::Circle::default(), Vec2::Y),
            CompoundPart::at(ConcavePolygon::default(), Vec2::X).turned(0.3),
        ])
        .unwrap(),
    ];
    for collider in colliders {
        let dynamic = collider.to_dynamic();
        let rebuilt = <Collider as bevy::reflect::FromReflect>::from_reflect(dynamic.as_ref());
        assert_eq!(rebuilt.as_ref(), Some(&collider));
    }
}

#[test]
fn an_edited_outline_is_cut_anew() {
    let mut app = app();
    let u = spawn(&mut app, Collider::concave(U.map(Vec2::from)).unwrap());
    let ball = spawn(&mut app, (Collider::circle(1.0), at(0.0, 2.0)));
    assert!(step(&mut app).is_empty(), "the ball is in the notch");
    // The bottom of the notch is raised into the ball.
    let mut collider = app.world_mut().get_mut::<Collider>(u).unwrap();
    for corner in [4, 5] {
        let path = format!("shape.0.outline[{corner}].y");
        *collider.as_mut().path_mut::<f32>(path.as_str()).unwrap() = 1.5;
    }
    let events = step(&mut app);
    assert_eq!(phases(&events), ["start"]);
    assert_eq!(events[0].mtv_for(ball), Some(Vec2::new(0.0, 0.5)));
    // An outline that crosses itself is kept out, and comes back when it is mended.
    let mut collider = app.world_mut().get_mut::<Collider>(u).unwrap();
    *collider.as_mut().path_mut::<f32>("shape.0.outline[3].x").unwrap() = -20.0;
    assert_eq!(phases(&step(&mut app)), ["end BecameInvalid"]);
    let mut collider = app.world_mut().get_mut::<Collider>(u).unwrap();
    *collider.as_mut().path_mut::<f32>("shape.0.outline[3].x").unwrap() = 3.0;
    assert_eq!(phases(&step(&mut app)), ["start"]);
}

mod saved {
    use bevy::ecs::world::EntityRef;
    use bevy::reflect::TypeRegistry;
    use bevy::reflect::serde::{ReflectDeserializer, ReflectSerializer};
    use bevy_nudge::{CollisionStats, ResolutionSettings};
    use serde::de::DeserializeSeed;

    use super::*;

    /// Everything that a scene of this crate holds: its components, their places and families.
    const SAVED: [&str; 8] = [
        "bevy_nudge::Collider",
        "bevy_nudge::CollisionLayers",
        "bevy_nudge::StaticCollider",
        "bevy_nudge::Solid",
        "bevy_nudge::ColliderDisabled",
        "bevy_nudge::CollisionEventsEnabled",
        "bevy_nudge::Swept",
        "bevy_transform::components::transform::Transform",
    ];

    fn write(value: &dyn PartialReflect, registry: &TypeRegistry) -> String {
        ron::ser::to_string(&ReflectSerializer::new(value, registry)).expect("it can be written")
    }

    fn read(text: &str, registry: &TypeRegistry) -> Box<dyn PartialReflect> {
        let mut deserializer = ron::Deserializer::from_str(text).expect("RON");
        ReflectDeserializer::new(registry).deserialize(&mut deserializer).expect(text)
    }

    /// The components of an entity, each as text.
    fn save(entity: EntityRef, registry: &TypeRegistry) -> Vec<String> {
        let components = SAVED.iter().filter_map(|path| {
            let data = registry.get_with_type_path(path)?.data::<ReflectComponent>()?;
            Some(write(data.reflect(entity)?.as_partial_reflect(), registry))
        });
        components.collect()
    }

    fn load(world: &mut World, texts: &[String]) -> Entity {
        let registry = world.resource::<AppTypeRegistry>().clone();
        let registry = registry.read();
        let mut entity = world.spawn_empty();
        for text in texts {
            let value = read(text, &registry);
            let path = value.get_represented_type_info().expect("a known type").type_path();
            let data = registry.get_with_type_path(path).and_then(|r| r.data::<ReflectComponent>());
            data.expect(path).insert(&mut entity, value.as_ref(), &registry);
        }
        entity.id()
    }

    /// Solid and sensor, static and swept, of all shapes, overlapping each other.
    fn spawn_all_kinds(app: &mut App) -> Vec<Entity> {
        let shapes = [
            Collider::circle_at(Vec2::ONE, 3.0),
            Collider::aabb(3.0, 4.0),
            Collider::regular_polygon(7, 2.0).unwrap(),
            Collider::segment(Vec2::ZERO, Vec2::ONE).unwrap(),
            Collider::capsule(Vec2::ZERO, Vec2::ONE, 0.5).unwrap(),
            Collider::concave(U.map(Vec2::from)).unwrap(),
            Collider::compound([
                CompoundPart::at(geometry::Circle::default(), Vec2::Y),
                CompoundPart::at(ConcavePolygon::default(), Vec2::X).turned(0.3),
            ])
            .unwrap(),
        ];
        let mut entities = Vec::new();
        for (i, shape) in shapes.into_iter().cycle().take(21).enumerate() {
            let place = at(1.5 * i as f32, (i % 3) as f32)
                .with_rotation(Quat::from_rotation_z(i as f32))
                .with_scale(Vec3::new(1.0 + 0.1 * i as f32, 1.0, 1.0));
            let entity = spawn(app, (shape, place));
            let mut entity = app.world_mut().entity_mut(entity);
            match i % 6 {
                0 => _ = entity.insert((StaticCollider, Solid::default())),
                1 => _ = entity.insert((Solid::new(2.5), Swept)),
                2 => _ = entity.insert(CollisionLayers::new(5, 7)),
                3 => _ = entity.insert(CollisionEventsEnabled),
                4 => _ = entity.insert(ColliderDisabled),
                _ => {}
            }
            entities.push(entity.id());
        }
        entities
    }

    /// Contacts by index of the entities, with depth and normal.
    fn said(app: &App, entities: &[Entity]) -> Vec<(usize, usize, u32, Vec2)> {
        let index = |entity| entities.iter().position(|&other| other == entity).unwrap();
        let mut said: Vec<_> = contacts(app)
            .iter()
            .map(|pair| {
                let (a, b) = (index(pair.a), index(pair.b));
                let contact = if a < b { pair.contact } else { pair.contact.flipped() };
                (a.min(b), a.max(b), contact.depth.to_bits(), contact.normal)
            })
            .collect();
        said.sort_by_key(|&(a, b, ..)| (a, b));
        said
    }

    #[test]
    fn every_component_comes_back_from_a_file_as_it_was() {
        let mut app = solid_app();
        let entities = spawn_all_kinds(&mut app);
        let registry = app.world().resource::<AppTypeRegistry>().clone();
        let save_all = |app: &App, entities: &[Entity]| -> Vec<Vec<String>> {
            let registry = registry.read();
            entities.iter().map(|&entity| save(app.world().entity(entity), &registry)).collect()
        };
        let files = save_all(&app, &entities);
        for path in SAVED {
            let is_there = files.iter().flatten().any(|text| text.contains(path));
            assert!(is_there, "{path} is in no file");
        }
        step(&mut app);
        let expected = said(&app, &entities);
        assert!(expected.len() > 20, "only {} contacts", expected.len());

        let mut app = solid_app();
        let loaded: Vec<Entity> = files.iter().map(|texts| load(app.world_mut(), texts)).collect();
        assert_eq!(save_all(&app, &loaded), files);
        step(&mut app);
        assert_eq!(said(&app, &loaded), expected);
    }

    /// No public component or resource that can be saved is forgotten here.
    #[test]
    fn all_that_can_be_saved_is_known() {
        let app = solid_app();
        let registry = app.world().resource::<AppTypeRegistry>().read();
        let mut own: Vec<&str> = registry
            .iter_with_data::<ReflectComponent>()
            .map(|(registration, _)| registration.type_info().type_path())
            .filter(|path| path.starts_with("bevy_nudge::"))
            .collect();
        own.sort_unstable();
        let mut known: Vec<&str> = SAVED[..7].to_vec();
        known.push("bevy_nudge::CollisionSettings");
        known.sort_unstable();
        assert_eq!(own, known);
    }

    #[test]
    fn the_settings_come_back_from_a_file_and_act_in_the_next_step() {
        let mut app = app();
        spawn(&mut app, Collider::circle(1.0));
        spawn(&mut app, (Collider::circle(1.0), at(2.5, 0.0)));
        assert!(step(&mut app).is_empty());
        let resolution = ResolutionSettings { enabled: false, passes: 7, allowed_overlap: 0.25 };
        let mut changed = CollisionSettings {
            touch_rule: TouchRule::Inclusive,
            touch_tolerance: 0.75,
            cell_size: CellSize::Fixed(3.5),
            persisted_events: false,
            resolution,
            ..default()
        };
        changed.stepping.single_step();
        let registry = app.world().resource::<AppTypeRegistry>().clone();
        let registry = registry.read();
        let text = write(&changed, &registry);
        let value = read(&text, &registry);
        let read_back = <CollisionSettings as bevy::reflect::FromReflect>::from_reflect(&*value);
        assert_eq!(read_back.as_ref(), Some(&changed));
        settings(&mut app).apply(value.as_ref());
        // Paused, with one step to take: the tolerance is wide enough for a contact.
        assert_eq!(phases(&step(&mut app)), ["start"]);
        assert!(step(&mut app).is_empty());
    }

    /// As when an editor writes the file anew: all of the old scene goes and all of the new one
    /// comes, in one frame or with a frame in between, in places that were used before.
    #[test]
    fn a_scene_that_is_loaded_again_leaves_nothing_of_the_old_one() {
        let mut app = solid_app();
        let mut entities = spawn_all_kinds(&mut app);
        let registry = app.world().resource::<AppTypeRegistry>().clone();
        let files: Vec<Vec<String>> = {
            let registry = registry.read();
            entities.iter().map(|&entity| save(app.world().entity(entity), &registry)).collect()
        };
        let mut events = step(&mut app);
        let expected = said(&app, &entities);
        for round in 0..6 {
            for &entity in &entities {
                app.world_mut().despawn(entity);
            }
            if round % 2 == 1 {
                events.extend(step(&mut app));
                assert!(contacts(&app).is_empty());
                assert_eq!(app.world().resource::<CollisionStats>().colliders, 0);
            }
            entities = files.iter().map(|texts| load(app.world_mut(), texts)).collect();
            let new = step(&mut app);
            for event in &new {
                let is_new = event.entities().iter().all(|entity| entities.contains(entity));
                assert_eq!(event.is_ended(), !is_new, "{event:?}");
                assert!(is_new || event.end_reason() == Some(EndReason::Despawned), "{event:?}");
            }
            events.extend(new);
            assert_eq!(said(&app, &entities), expected, "round {round}");
            let stats = app.world().resource::<CollisionStats>();
            assert_eq!(stats.colliders, entities.len() - 3, "three are disabled");
        }
        let count = |is: fn(&CollisionEvent) -> bool| events.iter().filter(|e| is(e)).count();
        let open = contacts(&app).len();
        assert_eq!(count(CollisionEvent::is_started), count(CollisionEvent::is_ended) + open);
    }

    /// Each number of each component, written by its path as an editor does.
    #[test]
    fn an_edit_of_any_component_acts_in_the_next_step() {
        fn set<T: bevy::reflect::Reflect>(
            target: &mut dyn bevy::reflect::Reflect,
            path: &str,
            value: T,
        ) {
            *target.path_mut::<T>(path).unwrap_or_else(|error| panic!("{path}: {error}")) = value;
        }
        let mut app = solid_app();
        let a = spawn(&mut app, (Collider::aabb(2.0, 2.0), Solid::default()));
        let b = spawn(&mut app, (Collider::circle(1.0), at(3.0, 0.0), Solid::new(1e9)));
        assert!(step(&mut app).is_empty());
        let world = app.world_mut();
        set(world.get_mut::<Collider>(a).unwrap().as_mut(), "shape.0.max.x", 2.5_f32);
        assert_eq!(phases(&step(&mut app)), ["start"]);
        // Pushed by what is much heavier.
        assert!((position(&app, a).x + 0.5).abs() < 0.02, "{}", position(&app, a));
        set(app.world_mut().get_mut::<Solid>(b).unwrap().as_mut(), "mass", 1e-9_f32);
        set(app.world_mut().get_mut::<Transform>(b).unwrap().as_mut(), "translation.x", 2.0_f32);
        let before = position(&app, a);
        assert_eq!(phases(&step(&mut app)), ["stay"]);
        assert!(position(&app, a).distance(before) < 1e-3 && position(&app, b).x > 2.9);
        let layers = &mut app.world_mut().get_mut::<CollisionLayers>(a).unwrap();
        set(layers.as_mut(), "filters", 0_u32);
        assert_eq!(phases(&step(&mut app)), ["end LayersChanged"]);
    }
}
