//! Every question of `CollisionQuery` answers what brute force over all colliders does.

mod common;

use std::cell::Cell;
use std::fmt::Debug;

use bevy::ecs::system::SystemState;
use bevy::math::{Affine2, bounding::Aabb2d};
use bevy::prelude::*;
use bevy_nudge::geometry::{
    Aabb, Compound, CompoundPart, ConcavePolygon, ConvexPolygon, PlacedShape, Ray, Relation, Shape,
    StartInside, Touch, TouchRule, cast_ray, contact, contains_point, overlaps, project_point,
    separation, sweep,
};
use bevy_nudge::prelude::*;
use common::*;

/// Asks with the system parameter, as a system would.
fn ask<T>(app: &mut App, question: impl FnOnce(&CollisionQuery) -> T) -> T {
    let mut state = SystemState::<CollisionQuery>::new(app.world_mut());
    question(&state.get(app.world()).expect("the resources of the plugin"))
}

/// Shapes on a raster, so that many touch exactly; a few tiny and a few huge ones.
fn random_shape(random: &mut impl FnMut() -> f32, i: usize) -> Shape {
    let size = match i % 24 {
        0 => 60.0,
        1 => 1e-3,
        _ => 1.0 + (4.0 * random()).floor(),
    };
    match i % 7 {
        0 => Collider::circle(size).shape,
        1 => Collider::aabb(2.0 * size, size).shape,
        2 => ConvexPolygon::regular(3 + (5.0 * random()) as usize, size).expect("sound").into(),
        3 => ConvexPolygon::capsule(Vec2::ZERO, Vec2::new(size, size), 0.5 * size)
            .expect("sound")
            .into(),
        4 => {
            ConvexPolygon::segment(Vec2::ZERO, Vec2::new(2.0 * size, -size)).expect("sound").into()
        }
        5 => {
            let corner = |(x, y)| Vec2::new(x, y) * size;
            let corners = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)];
            ConcavePolygon::new(corners.map(corner)).expect("sound").into()
        }
        _ => {
            let part = |x: f32| CompoundPart::at(Collider::circle(size).shape, Vec2::new(x, 0.0));
            Compound::new([part(-2.0 * size), part(0.0), part(3.0 * size)]).expect("sound").into()
        }
    }
}

struct Setup {
    rule: TouchRule,
    tolerance: f32,
    cell_size: CellSize,
    around: Vec2,
}

impl Setup {
    fn all() -> Vec<Self> {
        let mut setups = Vec::new();
        let cell_sizes =
            [CellSize::Auto, CellSize::Fixed(0.5), CellSize::Fixed(9.0), CellSize::Fixed(5e3)];
        let places = [Vec2::ZERO, Vec2::new(-1e5, 3e4), Vec2::new(4e6, 4e6)];
        for (i, cell_size) in cell_sizes.into_iter().enumerate() {
            for (j, around) in places.into_iter().enumerate() {
                let rule =
                    if (i + j) % 2 == 0 { TouchRule::Inclusive } else { TouchRule::Exclusive };
                let tolerance = if i == j { 0.25 } else { 0.0 };
                setups.push(Self { rule, tolerance, cell_size, around });
            }
        }
        setups
    }

    fn touch(&self) -> Touch {
        Touch { rule: self.rule, slop: self.tolerance }
    }

    /// A world after two steps with push-out, between which a third of it has moved.
    fn app(&self, random: &mut impl FnMut() -> f32) -> App {
        let mut app = solid_app();
        settings(&mut app).touch_rule = self.rule;
        settings(&mut app).touch_tolerance = self.tolerance;
        settings(&mut app).cell_size = self.cell_size;
        for i in 0..120 {
            let place = self.place(random, 60.0);
            let transform = at(place.x, place.y)
                .with_rotation(Quat::from_rotation_z(if i % 2 == 0 { 0.0 } else { random() }));
            let entity = spawn(&mut app, (Collider::new(random_shape(random, i)), transform));
            let mut entity = app.world_mut().entity_mut(entity);
            if random() < 0.4 {
                entity.insert(StaticCollider);
            }
            if random() < 0.5 {
                entity.insert(Solid::default());
            }
            if random() < 0.2 {
                entity.insert(Swept);
            }
            if random() < 0.5 {
                let bits = |random: &mut dyn FnMut() -> f32| (16.0 * random()) as u32;
                entity.insert(CollisionLayers::new(bits(random), bits(random)));
            }
        }
        step(&mut app);
        let mut transforms = app.world_mut().query_filtered::<&mut Transform, With<Collider>>();
        for mut transform in transforms.iter_mut(app.world_mut()).step_by(3) {
            let way = Vec2::new(random() - 0.5, random() - 0.5) * 40.0;
            transform.translation += way.round().extend(0.0);
        }
        step(&mut app);
        app
    }

    fn place(&self, random: &mut impl FnMut() -> f32, reach: f32) -> Vec2 {
        self.around + ((Vec2::new(random(), random()) - 0.5) * 2.0 * reach).round()
    }
}

/// A filter, and the same said once more in plain code.
struct Asked<'a> {
    filter: CollisionFilter<'a>,
    passes: Box<dyn Fn(Entity) -> bool + 'a>,
}

fn asked<'a>(
    app: &'a App,
    kind: usize,
    even: &'a dyn Fn(Entity) -> bool,
    all: &'a [Entity],
) -> Asked<'a> {
    let world = app.world();
    let layers = |entity| world.get::<CollisionLayers>(entity).copied().unwrap_or_default();
    let is_solid = |entity| world.get::<Solid>(entity).is_some();
    let filter = CollisionFilter::new();
    match kind % 7 {
        0 => Asked { filter, passes: Box::new(|_| true) },
        1 => Asked {
            filter: filter.as_layers(CollisionLayers::new(3, 6)),
            passes: Box::new(move |e| layers(e).interacts_with(CollisionLayers::new(3, 6))),
        },
        2 => Asked {
            filter: filter.in_layers(5),
            passes: Box::new(move |e| layers(e).memberships & 5 != 0),
        },
        3 => Asked { filter: filter.solids_only(), passes: Box::new(is_solid) },
        4 => Asked { filter: filter.sensors_only(), passes: Box::new(move |e| !is_solid(e)) },
        5 => Asked {
            filter: filter.excluding_all(all[..40].iter().copied()).excluding(all[50]),
            passes: Box::new(move |e| !all[..40].contains(&e) && e != all[50]),
        },
        _ => Asked {
            filter: filter.matching(even).solids_only().excluding(all[3]),
            passes: Box::new(move |e| even(e) && is_solid(e) && e != all[3]),
        },
    }
}

/// All colliders that pass, tested one by one, in the order of the answers.
fn brute_force<T>(
    query: &CollisionQuery,
    passes: &dyn Fn(Entity) -> bool,
    test: impl Fn(&PlacedShape) -> Option<T>,
    order: impl Fn(&T) -> f32,
) -> Vec<(Entity, T)> {
    let all = query.iter().filter(|(entity, _)| passes(*entity));
    let mut found: Vec<_> =
        all.filter_map(|(entity, shape)| Some((entity, test(shape)?))).collect();
    found.sort_by(|(a, x), (b, y)| order(x).partial_cmp(&order(y)).expect("no NaN").then(a.cmp(b)));
    found
}

/// Asks many questions of one kind in all kinds of worlds. Each tells how many answers it had.
fn in_all_worlds(
    seed: u64,
    question: impl Fn(&CollisionQuery, &Asked, &Setup, &mut dyn FnMut() -> f32, &str) -> usize,
) {
    let mut random = noise(seed);
    let mut answers = 0;
    for (i, setup) in Setup::all().into_iter().enumerate() {
        let mut app = setup.app(&mut random);
        let mut state = SystemState::<CollisionQuery>::new(app.world_mut());
        let app = &app;
        let even = |entity: Entity| entity.to_bits().is_multiple_of(2);
        let query = state.get(app.world()).expect("the resources of the plugin");
        let mut all: Vec<Entity> = query.iter().map(|(entity, _)| entity).collect();
        all.sort_unstable();
        assert_eq!(all.len(), 120);
        for kind in 0..42 {
            let asked = asked(app, kind, &even, &all);
            let name = format!("world {i}, question {kind}");
            answers += question(&query, &asked, &setup, &mut random, &name);
        }
    }
    assert!(answers > 400, "only {answers} answers");
}

fn same<T: PartialEq + Debug>(found: &[T], expected: &[T], name: &str) {
    assert!(found == expected, "{name}:\n found   {found:?}\n expected {expected:?}");
}

#[test]
fn points() {
    in_all_worlds(1, |query, asked, setup, mut random, name| {
        let point = setup.place(&mut random, 40.0);
        let touch = setup.touch();
        let test = |shape: &PlacedShape| contains_point(shape, point, touch).then_some(());
        let expected = brute_force(query, &asked.passes, test, |()| 0.0);
        let expected: Vec<Entity> = expected.into_iter().map(|(entity, ())| entity).collect();
        same(&query.at_point_filtered(point, &asked.filter), &expected, name);
        assert_eq!(query.first_at_point(point, &asked.filter), expected.first().copied(), "{name}");
        expected.len()
    });
}

#[test]
fn shapes() {
    in_all_worlds(2, |query, asked, setup, mut random, name| {
        let place = setup.place(&mut random, 70.0);
        let kind = (24.0 * random()) as usize;
        let shape = random_shape(&mut random, kind);
        let shape = PlacedShape::new(&shape, Affine2::from_translation(place)).expect("a place");
        let test = |other: &PlacedShape| contact(&shape, other, setup.touch());
        let expected = brute_force(query, &asked.passes, test, |_| 0.0);
        same(&query.overlapping(&shape, &asked.filter), &expected, name);
        let first = query.first_overlapping(&shape, &asked.filter);
        assert_eq!(first, expected.first().copied(), "{name}");
        expected.len()
    });
}

#[test]
fn boxes() {
    in_all_worlds(3, |query, asked, setup, mut random, name| {
        let corners = [setup.place(&mut random, 70.0), setup.place(&mut random, 70.0)];
        let bounds = Aabb2d { min: corners[0], max: corners[1] };
        let aabb = Aabb::from_corners(corners[0], corners[1]).expect("finite");
        let placed = PlacedShape::new(&aabb.into(), Affine2::IDENTITY).expect("a place");
        let test = |other: &PlacedShape| overlaps(&placed, other, setup.touch()).then_some(());
        let expected = brute_force(query, &asked.passes, test, |()| 0.0);
        let expected: Vec<Entity> = expected.into_iter().map(|(entity, ())| entity).collect();
        same(&query.in_box(bounds, &asked.filter), &expected, name);
        let mut near = Vec::new();
        query.for_each_in_bounds(bounds, &asked.filter, |entity, _| near.push(entity));
        near.sort_unstable();
        let count = near.len();
        near.dedup();
        assert_eq!(near.len(), count, "{name}: each once");
        // The bounds may not know of the tolerance, which is the asker's too.
        if setup.tolerance == 0.0 {
            assert!(expected.iter().all(|entity| near.contains(entity)), "{name}");
        }
        expected.len()
    });
}

#[test]
fn rays() {
    in_all_worlds(4, |query, asked, setup, mut random, name| {
        let from = setup.place(&mut random, 90.0);
        let to = setup.place(&mut random, 90.0);
        let ray = match (7.0 * random()) as u32 {
            0 => Ray::new(from, Vec2::X),
            1 => Ray::new(from, Vec2::NEG_Y),
            2 => Ray::segment(from, to),
            3 => Ray::segment(from, from),
            4 => Ray::new(from, Vec2::new(1.0, 1e-4)),
            5 => Ray::new(from - Vec2::new(3e4, 2e4), Vec2::new(3e4, 2e4)),
            _ => Ray::new(from, to - from + 0.5).map(|ray| ray.with_length(70.0)),
        };
        let mut ray = ray.expect("a ray");
        if random() < 0.3 {
            ray = ray.with_start_inside(StartInside::FirstExit);
        }
        let test = |shape: &PlacedShape| cast_ray(shape, &ray, setup.touch());
        let expected = brute_force(query, &asked.passes, test, |hit| hit.distance);
        let name = format!("{name}, {ray:?}");
        same(&query.cast_ray_all(&ray, &asked.filter), &expected, &name);
        assert_eq!(query.cast_ray(&ray, &asked.filter), expected.first().copied(), "{name}");
        expected.len()
    });
}

#[test]
fn casts_of_shapes() {
    in_all_worlds(5, |query, asked, setup, mut random, name| {
        let place = setup.place(&mut random, 90.0);
        let kind = (24.0 * random()) as usize;
        let shape = random_shape(&mut random, kind);
        let shape = PlacedShape::new(&shape, Affine2::from_translation(place)).expect("a place");
        let displacement = match (6.0 * random()) as u32 {
            0 => Vec2::ZERO,
            1 => Vec2::new(-150.0, 0.0),
            2 => Vec2::new(0.0, 1e4),
            3 => Vec2::new(1e-3, 80.0),
            _ => setup.place(&mut random, 90.0) - place,
        };
        let test = |other: &PlacedShape| sweep(other, &shape, displacement, setup.touch());
        let expected = brute_force(query, &asked.passes, test, |impact| impact.time);
        let name = format!("{name}, {shape:?} by {displacement}");
        same(&query.cast_shape_all(&shape, displacement, &asked.filter), &expected, &name);
        let first = query.cast_shape(&shape, displacement, &asked.filter);
        assert_eq!(first, expected.first().copied(), "{name}");
        expected.len()
    });
}

#[test]
fn nearest() {
    in_all_worlds(6, |query, asked, setup, mut random, name| {
        let reach = if random() < 0.2 { 1e5 } else { 80.0 };
        let point = setup.place(&mut random, reach);
        let test = |shape: &PlacedShape| Some(project_point(shape, point));
        let expected = brute_force(query, &asked.passes, test, |place| place.signed_distance);
        for count in [0, 1, 3, 17, 1000] {
            let some = &expected[..count.min(expected.len())];
            same(&query.nearest(point, count, &asked.filter), some, name);
        }
        let distance = (reach * random()).floor();
        let near = expected.partition_point(|(_, place)| place.signed_distance <= distance);
        same(&query.within(point, distance, &asked.filter), &expected[..near], name);

        let kind = (24.0 * random()) as usize;
        let shape = random_shape(&mut random, kind);
        let shape = PlacedShape::new(&shape, Affine2::from_translation(point)).expect("a place");
        let test = |other: &PlacedShape| Some(separation(&shape, other));
        let expected = brute_force(query, &asked.passes, test, |found| found.distance);
        let some = &expected[..4.min(expected.len())];
        same(&query.nearest_to_shape(&shape, 4, &asked.filter), some, name);
        expected.len()
    });
}

#[test]
fn the_work_does_not_grow_with_what_is_elsewhere() {
    let mut counts = Vec::new();
    for rows in [10, 60] {
        let mut app = app();
        for x in 0..60 {
            for y in 0..rows {
                let place = at(10.0 * x as f32, 10.0 * y as f32);
                let tile = (Collider::aabb(6.0, 6.0), place);
                if (x + y) % 2 == 0 {
                    spawn(&mut app, tile)
                } else {
                    spawn(&mut app, (tile, StaticCollider))
                };
            }
        }
        step(&mut app);
        counts.push(ask(&mut app, |query| {
            let shape = PlacedShape::new(
                &Collider::circle(4.0).shape,
                Affine2::from_translation(Vec2::new(100.0, 45.0)),
            );
            let shape = shape.expect("a place");
            let near = Aabb2d { min: Vec2::splat(20.0), max: Vec2::splat(50.0) };
            let along = Ray::new(Vec2::new(-500.0, 21.0), Vec2::X).expect("a ray");
            let counted = |ask: &dyn Fn(&CollisionFilter)| {
                let count = Cell::new(0);
                ask(&CollisionFilter::new().matching(&|_| {
                    count.set(count.get() + 1);
                    true
                }));
                count.get()
            };
            [
                counted(&|filter| drop(query.at_point_filtered(Vec2::splat(41.0), filter))),
                counted(&|filter| drop(query.overlapping(&shape, filter))),
                counted(&|filter| drop(query.in_box(near, filter))),
                counted(&|filter| assert!(query.cast_ray(&along, filter).is_some())),
                counted(&|filter| {
                    assert!(query.cast_shape(&shape, Vec2::Y * 20.0, filter).is_some());
                }),
                counted(&|filter| assert_eq!(query.nearest(Vec2::splat(45.0), 4, filter).len(), 4)),
                counted(&|filter| {
                    assert_eq!(query.nearest(Vec2::new(-1e4, 42.0), 1, filter).len(), 1);
                }),
            ]
        }));
    }
    assert_eq!(counts[0], counts[1]);
    assert!(counts[0].iter().all(|&count| count <= 25), "{counts:?}");
}

#[test]
fn answers_are_about_the_last_step_after_its_push_out() {
    let mut app = solid_app();
    let wall = spawn(&mut app, (Collider::aabb(10.0, 10.0), Solid::default(), StaticCollider));
    let ball = spawn(&mut app, (Collider::circle(5.0), Solid::default(), at(7.0, 0.0)));
    assert!(
        ask(&mut app, |query| query.nearest(Vec2::ZERO, 9, &CollisionFilter::new())).is_empty()
    );
    step(&mut app);
    let place = position(&app, ball);
    assert!(place.x > 9.9, "pushed to {place}");
    let others = CollisionFilter::new().excluding(wall);
    let ray = Ray::new(Vec2::new(30.0, 0.0), Vec2::NEG_X).expect("a ray");
    let hit = ask(&mut app, |query| query.cast_ray(&ray, &others));
    assert_eq!(hit.map(|(entity, hit)| (entity, hit.point.x)), Some((ball, place.x + 5.0)));
    // What a game moves, spawns and despawns after the step is seen by the next.
    self::place(&mut app, ball, 500.0, 0.0);
    let late = spawn(&mut app, (Collider::circle(1.0), at(40.0, 0.0)));
    assert_eq!(ask(&mut app, |query| query.at_point(place)), [ball]);
    assert!(ask(&mut app, |query| query.at_point(Vec2::new(40.0, 0.0))).is_empty());
    step(&mut app);
    assert!(ask(&mut app, |query| query.at_point(place)).is_empty());
    assert_eq!(ask(&mut app, |query| query.at_point(Vec2::new(40.0, 0.0))), [late]);
}

#[test]
fn normals_run_as_documented() {
    let mut app = app();
    let right = spawn(&mut app, (Collider::aabb(10.0, 10.0), at(10.0, 0.0)));
    step(&mut app);
    ask(&mut app, |query| {
        let filter = CollisionFilter::new();
        let at = |x: f32| {
            let pose = Affine2::from_translation(Vec2::new(x, 0.0));
            PlacedShape::new(&Collider::circle(2.0).shape, pose).expect("a place")
        };
        let (entity, contact) = query.first_overlapping(&at(4.0), &filter).expect("a contact");
        assert_eq!((entity, contact.normal, contact.depth), (right, Vec2::X, 1.0));
        let (_, impact) = query.cast_shape(&at(-7.0), Vec2::X * 20.0, &filter).expect("an impact");
        assert_eq!((impact.time, impact.normal), (0.5, Vec2::NEG_X));
        assert_eq!(impact.start, Relation::Separated);
        let (_, separation) = query.nearest_to_shape(&at(0.0), 1, &filter)[0];
        assert_eq!((separation.distance, separation.normal), (3.0, Vec2::X));
        let (_, inside) = query.nearest(Vec2::new(6.0, 0.0), 1, &filter)[0];
        assert_eq!((inside.signed_distance, inside.nearest.x), (-1.0, 6.0));
    });
}

#[test]
fn senseless_questions_have_no_answer() {
    let mut app = app();
    spawn(&mut app, Collider::aabb(10.0, 10.0));
    spawn(&mut app, (Collider::circle(1e9), StaticCollider));
    step(&mut app);
    ask(&mut app, |query| {
        let filter = &CollisionFilter::new();
        let sound = PlacedShape::point(Vec2::ZERO);
        assert_eq!(query.in_box(Aabb2d { min: Vec2::MIN, max: Vec2::MAX }, filter).len(), 2);
        assert_eq!(query.nearest(Vec2::MAX, 5, filter).len(), 2);
        assert_eq!(query.cast_shape_all(&sound, Vec2::MAX, filter).len(), 2);
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for bad in [Vec2::new(bad, 0.0), Vec2::new(1.0, bad)] {
                let shape = PlacedShape::point(bad);
                assert!(query.at_point(bad).is_empty());
                assert!(query.first_at_point(bad, filter).is_none());
                assert!(query.overlapping(&shape, filter).is_empty());
                assert!(query.first_overlapping(&shape, filter).is_none());
                let bounds = Aabb2d { min: Vec2::ZERO, max: bad };
                assert!(query.in_box(bounds, filter).is_empty());
                query.for_each_in_bounds(bounds, filter, |_, _| panic!("{bad}"));
                let ray = Ray::from(Ray2d { origin: bad, direction: Dir2::X });
                assert!(query.cast_ray(&ray, filter).is_none());
                assert!(query.cast_ray_all(&ray, filter).is_empty());
                assert!(query.cast_shape(&shape, Vec2::X, filter).is_none());
                assert!(query.cast_shape(&sound, bad, filter).is_none());
                assert!(query.cast_shape_all(&sound, bad, filter).is_empty());
                assert!(query.nearest(bad, 3, filter).is_empty());
                assert!(query.nearest_to_shape(&shape, 3, filter).is_empty());
                assert!(query.within(bad, 1.0, filter).is_empty());
            }
        }
        assert!(query.within(Vec2::ZERO, f32::NAN, filter).is_empty());
        assert!(query.within(Vec2::ZERO, -1.0, filter).is_empty());
        assert_eq!(query.within(Vec2::ZERO, f32::INFINITY, filter).len(), 2);
    });
}
