//! Bad input costs one warning that names the entity, and nothing else changes.

mod common;

use std::sync::{LazyLock, Mutex};

use bevy::prelude::*;
use bevy_nudge::CollisionStats;
use bevy_nudge::geometry::{self, Aabb, Shape};
use bevy_nudge::prelude::*;
use common::*;

static WARNINGS: LazyLock<Mutex<Vec<String>>> = LazyLock::new(|| {
    struct Collect;
    impl log::Log for Collect {
        fn enabled(&self, _: &log::Metadata<'_>) -> bool {
            true
        }
        fn log(&self, record: &log::Record<'_>) {
            if record.level() == log::Level::Warn {
                WARNINGS.lock().unwrap().push(record.args().to_string());
            }
        }
        fn flush(&self) {}
    }
    log::set_boxed_logger(Box::new(Collect)).expect("the only logger");
    log::set_max_level(log::LevelFilter::Warn);
    Mutex::default()
});

/// The warnings about colliders of this name. Tests run side by side, so each uses its own names.
fn warnings_about(name: &str) -> Vec<String> {
    let quoted = format!("\"{name}\"");
    WARNINGS.lock().unwrap().iter().filter(|line| line.contains(&quoted)).cloned().collect()
}

/// 20 sound colliders in a row, each touching the next.
fn sound_row(app: &mut App) {
    for i in 0..20 {
        spawn(app, (Collider::circle(5.0), at(9.0 * i as f32, 0.0)));
    }
}

#[test]
fn one_bad_collider_is_left_out_warned_of_once_and_comes_back() {
    LazyLock::force(&WARNINGS);
    type Spoil = fn(&mut Transform, &mut Collider);
    let cases: [(&str, &str, Spoil); 9] = [
        ("bad position", "not finite", |t, _| t.translation.x = f32::NAN),
        ("bad infinity", "not finite", |t, _| t.translation.y = f32::INFINITY),
        ("bad scale", "singular", |t, _| t.scale.x = 0.0),
        ("bad rotation", "not finite", |t, _| {
            t.rotation = Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0);
        }),
        ("bad radius", "radius -5", |_, c| *c = Collider::circle(-5.0)),
        ("bad NaN radius", "radius NaN", |_, c| *c = Collider::circle(f32::NAN)),
        ("bad box", "inside out", |_, c| *c = Collider::aabb(-1.0, 10.0)),
        ("bad corner", "not finite", |_, c| *c = Collider::aabb_from_corners(Vec2::NAN, Vec2::ONE)),
        ("bad size", "range", |t, _| t.scale = Vec3::splat(1e38)),
    ];
    for (name, fault, spoil) in cases {
        let mut app = app();
        sound_row(&mut app);
        let bad = spawn(&mut app, (Collider::circle(5.0), at(20.0, 3.0), Name::new(name)));
        let healthy = step(&mut app);
        assert_eq!(healthy.iter().filter(|event| event.is_started()).count(), 19 + 2, "{name}");

        let (transform, collider) = (
            *app.world().get::<Transform>(bad).unwrap(),
            app.world().get::<Collider>(bad).unwrap().clone(),
        );
        let (mut spoilt_transform, mut spoilt_collider) = (transform, collider.clone());
        spoil(&mut spoilt_transform, &mut spoilt_collider);
        app.world_mut().entity_mut(bad).insert((spoilt_transform, spoilt_collider));
        let events = step(&mut app);
        let ended: Vec<_> = events.iter().filter(|event| event.is_ended()).collect();
        assert_eq!(ended.len(), 2, "{name}");
        assert!(ended.iter().all(|event| event.involves(bad)), "{name}");
        assert!(
            ended.iter().all(|event| event.end_reason() == Some(EndReason::BecameInvalid)),
            "{name}"
        );
        assert_eq!(events.iter().filter(|event| event.is_persisted()).count(), 19, "{name}");
        assert_eq!(app.world().resource::<CollisionStats>().invalid_colliders, 1, "{name}");
        for _ in 0..5 {
            assert_eq!(phases(&step(&mut app)), ["stay"; 19], "{name}");
        }
        let warnings = warnings_about(name);
        assert_eq!(warnings.len(), 1, "{name}: {warnings:?}");
        assert!(warnings[0].contains(fault), "{name}: {warnings:?}");
        assert!(warnings[0].contains(&bad.to_string()), "{name}: {warnings:?}");

        app.world_mut().entity_mut(bad).insert((transform, collider));
        let events = step(&mut app);
        assert_eq!(events.iter().filter(|event| event.is_started()).count(), 2, "{name}");
        assert_eq!(app.world().resource::<CollisionStats>().invalid_colliders, 0, "{name}");
    }
}

#[test]
fn points_segments_and_flat_z_are_sound() {
    LazyLock::force(&WARNINGS);
    let mut app = app();
    spawn(&mut app, (Collider::circle(0.0), Name::new("fine point")));
    spawn(&mut app, (Collider::aabb(0.0, 10.0), Name::new("fine segment")));
    let flat = Transform::from_scale(Vec3::new(1.0, 1.0, 0.0));
    spawn(&mut app, (Collider::circle(5.0), flat, Name::new("fine flat")));
    let slanted = Collider::segment(Vec2::splat(-3.0), Vec2::splat(3.0)).unwrap();
    spawn(&mut app, (slanted, Name::new("fine slanted")));
    assert_eq!(phases(&step(&mut app)).len(), 6);
    for name in ["fine point", "fine segment", "fine flat", "fine slanted"] {
        assert!(warnings_about(name).is_empty(), "{:?}", warnings_about(name));
    }
}

#[test]
fn an_unsound_edit_by_reflection_is_kept_out() {
    LazyLock::force(&WARNINGS);
    let mut app = app();
    let a =
        spawn(&mut app, (Collider::regular_polygon(5, 5.0).unwrap(), Name::new("edited polygon")));
    spawn(&mut app, (Collider::circle(5.0), at(6.0, 0.0)));
    assert_eq!(phases(&step(&mut app)), ["start"]);
    {
        let mut collider = app.world_mut().get_mut::<Collider>(a).unwrap();
        let Shape::ConvexPolygon(polygon) = &mut collider.shape else { panic!("a polygon") };
        let vertices: &mut dyn bevy::reflect::PartialReflect =
            bevy::reflect::structs::Struct::field_mut(polygon, "vertices").unwrap();
        vertices.apply(&vec![Vec2::ZERO, Vec2::X, Vec2::ONE]);
        // `apply` writes over the first three of five vertices, which dents the outline.
    }
    assert_eq!(phases(&step(&mut app)), ["end BecameInvalid"]);
    step(&mut app);
    assert_eq!(warnings_about("edited polygon").len(), 1, "{:?}", warnings_about("edited polygon"));
    // A sound edit acts in the next step.
    app.world_mut().entity_mut(a).insert(Collider::new(Aabb::default()));
    let mut collider = app.world_mut().get_mut::<Collider>(a).unwrap();
    bevy::reflect::GetPath::path_mut::<f32>(collider.as_mut(), "shape.0.max.x")
        .map(|x| *x = 2.0)
        .unwrap();
    assert_eq!(phases(&step(&mut app)), ["start"]);
}

#[test]
fn warnings_come_for_circles_that_stretch_and_masses_that_make_no_sense() {
    LazyLock::force(&WARNINGS);
    let mut app = solid_app();
    let stretched = Transform::from_scale(Vec3::new(2.0, 1.0, 1.0));
    spawn(&mut app, (Collider::circle(1.0), stretched, Name::new("stretched")));
    spawn(&mut app, (Collider::circle(1.0), Solid::new(0.0), Name::new("weightless")));
    for _ in 0..3 {
        step(&mut app);
    }
    assert_eq!(warnings_about("stretched").len(), 1);
    assert_eq!(warnings_about("weightless").len(), 1);
    // A turned circle under an equal scale is none of them.
    for i in 0..100 {
        let turned =
            Transform::from_rotation(Quat::from_rotation_z(i as f32)).with_scale(Vec3::splat(3.0));
        spawn(&mut app, (Collider::circle(1.0), turned, Name::new("turned")));
    }
    step(&mut app);
    assert!(warnings_about("turned").is_empty());
}

#[test]
fn settings_that_make_no_sense_change_nothing() {
    let mut app = solid_app();
    sound_row(&mut app);
    let mut settings = settings(&mut app);
    settings.cell_size = CellSize::Fixed(f32::NAN);
    settings.touch_tolerance = f32::NAN;
    settings.resolution.allowed_overlap = f32::NEG_INFINITY;
    assert_eq!(phases(&step(&mut app)), ["start"; 19]);
}

/// Each fault of an entity is told of once, however often it comes back.
#[test]
fn every_fault_of_an_entity_gets_one_warning_of_its_own() {
    LazyLock::force(&WARNINGS);
    let mut app = app();
    let entity = spawn(&mut app, (Collider::circle(1.0), Name::new("many faults")));
    for _ in 0..3 {
        for (transform, collider) in [
            (at(f32::NAN, 0.0), Collider::circle(1.0)),
            (Transform::from_scale(Vec3::ZERO), Collider::circle(1.0)),
            (at(0.0, 0.0), Collider::circle(-1.0)),
            (at(3e38, 0.0), Collider::circle(1.0)),
            (at(0.0, 0.0), Collider::circle(1.0)),
        ] {
            app.world_mut().entity_mut(entity).insert((transform, collider));
            step(&mut app);
        }
    }
    let warnings = warnings_about("many faults");
    assert_eq!(warnings.len(), 4, "{warnings:#?}");
    assert_eq!(app.world().resource::<CollisionStats>().invalid_colliders, 0);
}

/// Faults that lie beside the collider: no transform at all, unsound ancestors, ancestors in a circle.
#[test]
fn a_collider_without_a_sound_place_waits_for_one() {
    LazyLock::force(&WARNINGS);
    let mut app = app();
    let probe = spawn(&mut app, Collider::circle(1.0));
    let bad = spawn(&mut app, (Collider::circle(1.0), Name::new("bad place")));
    assert_eq!(phases(&step(&mut app)), ["start"]);
    let parent = spawn(&mut app, at(f32::INFINITY, 0.0));
    type Change = fn(&mut World, Entity, Entity);
    let changes: [(&str, Change, Change); 3] = [
        (
            "no `Transform`",
            |world, entity, _| _ = world.entity_mut(entity).remove::<Transform>(),
            |world, entity, _| _ = world.entity_mut(entity).insert(Transform::default()),
        ),
        (
            "not finite",
            |world, entity, parent| _ = world.entity_mut(entity).insert(ChildOf(parent)),
            |world, _, parent| _ = world.entity_mut(parent).insert(Transform::default()),
        ),
        (
            "a circle",
            |world, entity, parent| {
                // Bevy's hooks do not look for circles.
                world.entity_mut(parent).insert(ChildOf(entity));
            },
            |world, _, parent| _ = world.entity_mut(parent).remove::<ChildOf>(),
        ),
    ];
    for (fault, spoil, mend) in changes {
        spoil(app.world_mut(), bad, parent);
        assert_eq!(phases(&step(&mut app)), ["end BecameInvalid"], "{fault}");
        assert_eq!(app.world().resource::<CollisionStats>().invalid_colliders, 1, "{fault}");
        assert!(step(&mut app).is_empty(), "{fault}");
        let warnings = warnings_about("bad place");
        assert!(warnings.last().is_some_and(|line| line.contains(fault)), "{fault}: {warnings:#?}");
        mend(app.world_mut(), bad, parent);
        assert_eq!(phases(&step(&mut app)), ["start"], "{fault}");
    }
    assert_eq!(warnings_about("bad place").len(), 3);
    assert!(contacts(&app).between(bad, probe).is_some());
}

#[test]
fn left_out_colliders_are_counted_in_the_diagnostics() {
    use bevy::diagnostic::{DiagnosticsPlugin, DiagnosticsStore};
    let mut app = app();
    app.add_plugins(DiagnosticsPlugin);
    let mended = spawn(&mut app, Collider::circle(-1.0));
    spawn(&mut app, (Collider::circle(1.0), at(f32::NAN, 0.0)));
    let counted = |app: &mut App| {
        step(app);
        let store = app.world().resource::<DiagnosticsStore>();
        store.get(&bevy_nudge::diagnostics::INVALID_COLLIDERS).and_then(|counter| counter.value())
    };
    assert_eq!(counted(&mut app), Some(2.0));
    app.world_mut().entity_mut(mended).insert(Collider::circle(1.0));
    assert_eq!(counted(&mut app), Some(1.0));
}

/// An editor may write anything into any number of any component and resource.
#[test]
fn any_number_written_by_reflection_is_survived() {
    use bevy::reflect::{GetPath, Reflect};
    LazyLock::force(&WARNINGS);
    let shapes: [(&str, Collider); 6] = [
        ("shape.0.radius", Collider::circle(2.0)),
        ("shape.0.max.x", Collider::aabb(4.0, 4.0)),
        ("shape.0.vertices[1].y", Collider::rectangle(4.0, 4.0).unwrap()),
        ("shape.0.radius", Collider::capsule(Vec2::ZERO, Vec2::X, 1.0).unwrap()),
        (
            "shape.0.outline[3].x",
            Collider::concave([(0.0, 0.0), (4.0, 0.0), (1.0, 1.0), (0.0, 4.0)].map(Vec2::from))
                .unwrap(),
        ),
        (
            "shape.0.parts[0].offset.x",
            Collider::compound([geometry::CompoundPart::at(geometry::Circle::default(), Vec2::Y)])
                .unwrap(),
        ),
    ];
    fn write(target: &mut dyn Reflect, path: &str, value: f32) {
        *target.path_mut::<f32>(path).unwrap_or_else(|error| panic!("{path}: {error}")) = value;
    }
    let values = [f32::NAN, f32::INFINITY, -1.0, 0.0, 1e38, 1e-40, f32::MIN];
    let mut app = solid_app();
    sound_row(&mut app);
    let edited: Vec<Entity> = shapes
        .iter()
        .map(|(_, collider)| spawn(&mut app, (collider.clone(), Solid::default(), at(-20.0, 0.0))))
        .collect();
    step(&mut app);
    for value in values {
        for (&entity, (path, sound)) in edited.iter().zip(&shapes) {
            let mut entity = app.world_mut().entity_mut(entity);
            *entity.get_mut::<Collider>().unwrap() = sound.clone();
            write(entity.get_mut::<Collider>().unwrap().as_mut(), path, value);
            write(entity.get_mut::<Solid>().unwrap().as_mut(), "mass", value);
        }
        for path in ["touch_tolerance", "resolution.allowed_overlap"] {
            write(settings(&mut app).as_mut(), path, value);
        }
        settings(&mut app).cell_size = CellSize::Fixed(value);
        for _ in 0..3 {
            for event in step(&mut app) {
                assert!(event.contact.point.is_finite() && event.depth().is_finite(), "{value}");
            }
        }
        for &entity in &edited {
            assert!(position(&app, entity).is_finite(), "{value}");
        }
    }
    // Sound again, all of them are back.
    settings(&mut app).set_if_neq(CollisionSettings::default());
    for (&entity, (_, sound)) in edited.iter().zip(&shapes) {
        let bundle = (sound.clone(), Solid::default(), at(-20.0, 0.0));
        app.world_mut().entity_mut(entity).insert(bundle);
    }
    step(&mut app);
    assert_eq!(app.world().resource::<CollisionStats>().invalid_colliders, 0);
}
