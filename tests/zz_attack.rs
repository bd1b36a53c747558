mod common;
use bevy::prelude::*;
use bevy_nudge::prelude::*;
use bevy_nudge::*;
use common::*;
use std::time::Instant;

fn wall(app: &mut App, x: f32, y: f32, w: f32, h: f32) -> Entity {
    spawn(app, (Collider::aabb(w, h), Solid::default(), StaticCollider, at(x, y)))
}

#[test]
fn a01_thin_faller_on_seam() {
    for (hw, hh, depth, x) in [
        (6.0f32, 6.0f32, 7.0f32, 16.0f32),
        (1.0, 6.0, 2.5, 16.0),
        (1.0, 6.0, 2.5, 16.3),
        (1.0, 6.0, 1.5, 16.0),
        (6.0, 6.0, 6.5, 15.0),
        (4.0, 8.0, 6.0, 16.5),
    ] {
        for poly in 0..3 {
            let mut app = solid_app();
            for i in -3..6 {
                wall(&mut app, 8.0 + 16.0 * i as f32, 8.0, 16.0, 16.0);
            }
            let c = match poly {
                0 => Collider::aabb(2.0 * hw, 2.0 * hh),
                1 => Collider::rectangle(2.0 * hw, 2.0 * hh).unwrap(),
                _ => Collider::circle(hw),
            };
            let hh = if poly == 2 { hw } else { hh };
            let y = 16.0 + hh - depth;
            let m = spawn(&mut app, (c, Solid::default(), at(x, y)));
            let mut log = vec![];
            for _ in 0..6 {
                step(&mut app);
                log.push(position(&app, m));
            }
            println!(
                "a01 hw{hw} hh{hh} depth{depth} x{x} kind{poly}: want ({x},{}) got {:?}",
                16.0 + hh,
                log
            );
        }
    }
}

#[test]
fn a02_squeezed_jitter() {
    for x in [1.0f32, 0.0, 0.3, -2.0] {
        let mut app = solid_app();
        wall(&mut app, -15.0, 0.0, 20.0, 100.0);
        wall(&mut app, 15.0, 0.0, 20.0, 100.0);
        let m = spawn(&mut app, (Collider::circle(8.0), Solid::default(), at(x, 0.0)));
        let mut log = vec![];
        for _ in 0..8 {
            step(&mut app);
            log.push(position(&app, m).x);
        }
        println!("a02 x{x}: {log:?}");
        let mut app = solid_app();
        wall(&mut app, -15.0, 0.0, 20.0, 100.0);
        wall(&mut app, 15.0, 0.0, 20.0, 100.0);
        let m = spawn(&mut app, (Collider::aabb(16.0, 16.0), Solid::default(), at(x, 0.0)));
        let mut log = vec![];
        for _ in 0..8 {
            step(&mut app);
            log.push(position(&app, m).x);
        }
        println!("a02 box x{x}: {log:?}");
    }
}

#[test]
fn a03_concentric_flip() {
    let mut app = app();
    let p = spawn(&mut app, at(0.0, 0.0));
    let big = spawn(&mut app, (Collider::circle(8.0), ChildOf(p)));
    let small = spawn(&mut app, (Collider::circle(5.0), ChildOf(p)));
    for _ in 0..10 {
        spawn(&mut app, (Collider::circle(8.0), at(900.0, 900.0)));
    }
    let mut flips = vec![];
    let mut last = Vec2::ZERO;
    for i in 0..60 {
        place(&mut app, p, i as f32 * 1.0, 0.0);
        step(&mut app);
        let n = contacts(&app).between(big, small).unwrap().contact.normal;
        if n != last {
            flips.push((i, n));
            last = n;
        }
    }
    println!("a03 normal changes {flips:?}");
    // static lower
    let mut app = common::app();
    let a = spawn(&mut app, (Collider::circle(5.0), StaticCollider));
    let b = spawn(&mut app, Collider::circle(5.0));
    step(&mut app);
    println!(
        "a03 static/mover {} {:?}",
        a < b,
        contacts(&app).between(a, b).unwrap().contact.normal
    );
}

#[test]
fn a04_denormal_mass() {
    for m in [1e-40f32, 1e-38, 1e-30, 1e30, f32::MAX, f32::MIN_POSITIVE] {
        let mut app = solid_app();
        let a = spawn(&mut app, (Collider::circle(10.0), Solid::new(m)));
        let b = spawn(&mut app, (Collider::circle(10.0), Solid::new(1.0), at(16.0, 0.0)));
        let c = spawn(&mut app, (Collider::circle(10.0), Solid::new(1.0), at(29.0, 0.0)));
        for _ in 0..5 {
            step(&mut app);
        }
        let q: Vec<_> = app.world().resource::<Pushes>().iter().map(|p| p.translation).collect();
        println!(
            "a04 mass {m:e}: {} {} {} pushes {q:?}",
            position(&app, a),
            position(&app, b),
            position(&app, c)
        );
    }
}

#[test]
fn a05_solid_child_of_solid_parent() {
    let mut app = solid_app();
    wall(&mut app, 0.0, -50.0, 1000.0, 100.0);
    // both 1 deep in the floor
    let parent = spawn(&mut app, (Collider::aabb(10.0, 10.0), Solid::default(), at(0.0, 4.0)));
    let child = spawn(
        &mut app,
        (Collider::aabb(10.0, 10.0), Solid::default(), ChildOf(parent), at(30.0, 0.0)),
    );
    let mut log = vec![];
    for _ in 0..6 {
        step(&mut app);
        log.push((position(&app, parent), position(&app, child)));
    }
    println!("a05 parent/child in floor: {log:?}");
    // overlapping parent and child
    let mut app = solid_app();
    let parent = spawn(&mut app, (Collider::circle(10.0), Solid::default(), at(0.0, 4.0)));
    let child =
        spawn(&mut app, (Collider::circle(10.0), Solid::default(), ChildOf(parent), at(15.0, 0.0)));
    let mut log = vec![];
    for _ in 0..10 {
        step(&mut app);
        log.push((position(&app, parent).x, position(&app, child).x));
    }
    println!("a05 overlapping parent/child: {log:?}");
}

#[test]
fn a06_exclusive_rest_on_big_floor() {
    for w in [1000.0f32, 40000.0, 100000.0, 1e6] {
        for rule in [TouchRule::Exclusive, TouchRule::Inclusive] {
            let mut app = solid_app();
            settings(&mut app).touch_rule = rule;
            wall(&mut app, 0.0, -50.0, w, 100.0);
            let m = spawn(&mut app, (Collider::aabb(10.0, 10.0), Solid::default(), at(0.0, 4.0)));
            let mut ph = vec![];
            for _ in 0..4 {
                ph.extend(phases(&step(&mut app)));
            }
            println!("a06 width {w} {rule:?}: {ph:?} {}", position(&app, m));
        }
    }
    // exclusive with tolerance
    for tol in [0.0f32, 0.05, 0.5] {
        for rule in [TouchRule::Exclusive, TouchRule::Inclusive] {
            let mut app = solid_app();
            settings(&mut app).touch_rule = rule;
            settings(&mut app).touch_tolerance = tol;
            wall(&mut app, 0.0, -50.0, 1000.0, 100.0);
            let m = spawn(&mut app, (Collider::aabb(10.0, 10.0), Solid::default(), at(0.0, 4.6)));
            let mut ph = vec![];
            for _ in 0..4 {
                ph.extend(phases(&step(&mut app)));
            }
            println!("a06 tol {tol} {rule:?}: {ph:?} {}", position(&app, m));
            // something elsewhere overlaps
            spawn(&mut app, (Collider::aabb(10.0, 10.0), Solid::default(), at(200.0, 0.0)));
            step(&mut app);
            println!("   with another pair far away: {}", position(&app, m));
        }
    }
}

#[test]
fn a07_huge_sensor_n2() {
    for huge in [0.0f32, 1e6, 1e12, 1e15, f32::MAX] {
        let mut app = app();
        let mut r = noise(3);
        for _ in 0..10000 {
            spawn(&mut app, (Collider::circle(4.0), at(r() * 4000.0, r() * 4000.0)));
        }
        if huge > 0.0 {
            spawn(&mut app, Collider::aabb(huge, huge));
        }
        for _ in 0..3 {
            step(&mut app);
        }
        let s = app.world().resource::<CollisionStats>();
        println!(
            "a07 huge {huge:e}: broad {:?} narrow {:?} cand {} cell {}",
            s.times.broad_phase, s.times.narrow_phase, s.candidates, s.cell_size
        );
    }
}

#[test]
fn a08_infinite_mass_walls() {
    for fixed in [true, false] {
        let mut app = solid_app();
        for i in 0..40 {
            for j in 0..40 {
                let e = spawn(
                    &mut app,
                    (
                        Collider::aabb(4.0, 4.0),
                        Solid::new(f32::INFINITY),
                        at(i as f32 * 20.0, j as f32 * 20.0),
                    ),
                );
                if fixed {
                    app.world_mut().entity_mut(e).insert(StaticCollider);
                }
            }
        }
        for i in 0..40 {
            for j in 0..40 {
                spawn(
                    &mut app,
                    (
                        Collider::circle(4.0),
                        Solid::default(),
                        at(i as f32 * 20.0 + 5.0, j as f32 * 20.0),
                    ),
                );
            }
        }
        step(&mut app);
        let s = app.world().resource::<CollisionStats>();
        println!("a08 static {fixed}: {:?}", s.times);
    }
}

#[test]
fn a09_disabled_listener() {
    use bevy::ecs::entity_disabling::Disabled;
    #[derive(Resource, Default)]
    struct Log(Vec<String>);
    for kind in 0..2 {
        let mut app = app();
        app.init_resource::<Log>();
        app.add_observer(|e: On<CollisionEnded>, mut l: ResMut<Log>| {
            l.0.push(format!("end {:?}", e.entity))
        });
        let a = spawn(&mut app, (Collider::circle(5.0), CollisionEventsEnabled));
        let b = spawn(&mut app, (Collider::circle(5.0), CollisionEventsEnabled, at(3.0, 0.0)));
        step(&mut app);
        if kind == 0 {
            app.world_mut().entity_mut(b).insert(ColliderDisabled);
        } else {
            app.world_mut().entity_mut(b).insert(Disabled);
        }
        println!(
            "a09 kind {kind} a={a:?} b={b:?} {:?} {:?}",
            phases(&step(&mut app)),
            app.world().resource::<Log>().0
        );
    }
}

#[test]
fn a10_extreme_shapes() {
    use bevy::math::Affine2;
    use bevy_nudge::geometry::*;
    let big = f32::MAX;
    let shapes: Vec<Shape> = [big, 3e38, 1e30, 1e-30, 1e-40, 0.0]
        .into_iter()
        .flat_map(|s| {
            let mut v: Vec<Shape> = vec![geometry::Circle { center: Vec2::ZERO, radius: s }.into()];
            if let Ok(a) = Aabb::from_corners(Vec2::splat(-s), Vec2::splat(s)) {
                v.push(a.into());
            }
            if let Ok(a) = ConvexPolygon::new([
                Vec2::new(-s, -s),
                Vec2::new(s, -s),
                Vec2::new(s, s),
                Vec2::new(-s, s),
            ]) {
                v.push(a.into());
            }
            if let Ok(a) =
                ConvexPolygon::new([Vec2::new(-s, -s), Vec2::new(s, -s), Vec2::new(0.0, s)])
            {
                v.push(a.into());
            }
            if let Ok(a) = ConvexPolygon::segment(Vec2::new(-s, -s * 0.3), Vec2::new(s, s)) {
                v.push(a.into());
            }
            v
        })
        .collect();
    let places = [
        Vec2::ZERO,
        Vec2::splat(big),
        Vec2::new(-big, big),
        Vec2::new(1e20, 0.0),
        Vec2::new(1e-40, 1e-40),
        Vec2::splat(-3e38),
    ];
    let mut bad = std::collections::BTreeMap::<String, (usize, String)>::new();
    for sa in &shapes {
        for sb in &shapes {
            for pa in places {
                for pb in places {
                    let (Ok(a), Ok(b)) = (
                        PlacedShape::new(sa, Affine2::from_translation(pa)),
                        PlacedShape::new(sb, Affine2::from_translation(pb)),
                    ) else {
                        continue;
                    };
                    let mut note = |k: &str, d: String| {
                        let e = bad.entry(k.into()).or_insert((0, d));
                        e.0 += 1;
                    };
                    for rule in [TouchRule::Inclusive, TouchRule::Exclusive] {
                        let c = contact(&a, &b, rule);
                        let d = contact(&b, &a, rule);
                        if c.is_some() != overlaps(&a, &b, rule) {
                            note("overlaps!=contact", format!("{sa:?} {pa} {sb:?} {pb}"));
                        }
                        if c.is_some() != d.is_some() {
                            note("order some", format!("{sa:?} {pa} {sb:?} {pb}"));
                        }
                        if let Some(c) = c {
                            if !c.depth.is_finite() {
                                note("depth inf/nan", format!("{sa:?} {pa} {sb:?} {pb} {c:?}"));
                            }
                            if !c.normal.is_finite() || (c.normal.length() - 1.0).abs() > 1e-3 {
                                note("normal", format!("{sa:?} {pa} {sb:?} {pb} {c:?}"));
                            }
                            if !c.point.is_finite() {
                                note("point", format!("{sa:?} {pa} {sb:?} {pb} {c:?}"));
                            }
                            if !c.mtv().is_finite() {
                                note("mtv", format!("{sa:?} {pa} {sb:?} {pb} {c:?}"));
                            }
                        }
                    }
                    let s = separation(&a, &b);
                    if !s.distance.is_finite() {
                        note("sep distance", format!("{sa:?} {pa} {sb:?} {pb} {s:?}"));
                    }
                    if !s.normal.is_finite() || (s.normal.length() - 1.0).abs() > 1e-3 {
                        note("sep normal", format!("{sa:?} {pa} {sb:?} {pb} {s:?}"));
                    }
                    if s.point_a.is_nan() || s.point_b.is_nan() {
                        note("sep point nan", format!("{sa:?} {pa} {sb:?} {pb} {s:?}"));
                    }
                }
            }
        }
    }
    for (k, v) in bad {
        println!("a10 {k}: {} e.g. {}", v.0, v.1);
    }
}

#[test]
fn a11_extreme_app() {
    let big = f32::MAX;
    let mut app = solid_app();
    let mut r = noise(9);
    let vals = [big, -big, 3e38, 1e30, 0.0, 1.0, -1.0, 1e-40, 1e-30, 5.0, 100.0];
    let mut pick = move || vals[(r() * vals.len() as f32) as usize];
    for i in 0..300 {
        let (x, y, s) = (pick(), pick(), pick());
        let c = match i % 4 {
            0 => Collider::circle(s.abs()),
            1 => Collider::aabb(s.abs(), pick().abs()),
            2 => Collider::rectangle(s.abs(), 2.0).unwrap_or_default(),
            _ => Collider::regular_polygon(3 + i % 7, s.abs()).unwrap_or_default(),
        };
        let e = spawn(
            &mut app,
            (c, Solid::new(if i % 5 == 0 { f32::INFINITY } else { 1.0 }), at(x, y)),
        );
        if i % 7 == 0 {
            app.world_mut().entity_mut(e).insert(StaticCollider);
        }
    }
    let t = Instant::now();
    let mut bad = 0;
    for _ in 0..3 {
        step(&mut app);
    }
    let mut q = app.world_mut().query::<&Transform>();
    for t in q.iter(app.world()) {
        if !t.translation.is_finite() {
            bad += 1;
        }
    }
    let nanp =
        app.world().resource::<Pushes>().iter().filter(|p| !p.translation.is_finite()).count();
    let nanc = contacts(&app)
        .iter()
        .filter(|p| {
            !p.contact.depth.is_finite()
                || !p.contact.mtv().is_finite()
                || !p.contact.point.is_finite()
        })
        .count();
    println!(
        "a11 {:?} nan transforms {bad} nonfinite pushes {nanp} nonfinite contacts {nanc} of {}",
        t.elapsed(),
        contacts(&app).len()
    );
}

#[test]
fn a12_collinear_cost() {
    for n in [2000usize, 20000, 80000] {
        let mut pts = vec![];
        for s in 0..4 {
            for i in 0..n / 4 {
                let t = i as f32 / (n / 4) as f32;
                pts.push(match s {
                    0 => Vec2::new(t, 0.),
                    1 => Vec2::new(1., t),
                    2 => Vec2::new(1. - t, 1.),
                    _ => Vec2::new(0., 1. - t),
                });
            }
        }
        let t = Instant::now();
        let p = geometry::ConvexPolygon::new(pts);
        println!("a12 {n} collinear: {:?} {:?}", t.elapsed(), p.map(|p| p.vertices().len()));
    }
    for n in [100usize, 1000, 3000, 10000, 100000] {
        let t = Instant::now();
        let p = geometry::ConvexPolygon::regular(n, 10.0);
        println!("a12 regular {n}: {:?} {:?}", p.map(|p| p.vertices().len()), t.elapsed());
    }
}

#[test]
fn a13_single_step_lost() {
    let mut app = app();
    settings(&mut app).stepping.single_step();
    step(&mut app);
    step(&mut app);
    let s0 = app.world().resource::<CollisionStats>().steps;
    settings(&mut app).stepping.resume();
    settings(&mut app).stepping.single_step();
    step(&mut app);
    println!("a13 steps {} -> {}", s0, app.world().resource::<CollisionStats>().steps);
}

#[test]
fn a14_aabb_scale_extremes() {
    use bevy::math::Affine2;
    use bevy_nudge::geometry::*;
    for s in [1e-25f32, 1e-21, 1e20, 1e25] {
        let a = PlacedShape::new(
            &Aabb::from_size(Vec2::ZERO, Vec2::splat(2.0 / s)).unwrap().into(),
            Affine2::from_scale(Vec2::splat(s)),
        );
        let b = PlacedShape::new(
            &ConvexPolygon::rectangle(Vec2::splat(2.0 / s)).map(Shape::from).unwrap_or_default(),
            Affine2::from_scale(Vec2::splat(s)),
        );
        println!("a14 {s:e} aabb {:?} poly {:?}", a.map(|a| a.extent()), b.map(|a| a.extent()));
    }
}
