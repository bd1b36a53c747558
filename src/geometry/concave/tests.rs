use std::collections::HashSet;

use bevy::math::DVec2;
use bevy::reflect::{FromReflect, GetPath, PartialReflect, structs::Struct};
use proptest::prelude::*;

use super::super::orientation::orientation;
use super::super::outline::crossing_count;
use super::*;

fn points(list: &[(f32, f32)]) -> Vec<Vec2> {
    list.iter().map(|&point| Vec2::from(point)).collect()
}

fn outline_at(index: usize) -> RingPlace {
    RingPlace { ring: Ring::Outline, index }
}

fn hole_at(hole: usize, index: usize) -> RingPlace {
    RingPlace { ring: Ring::Hole(hole), index }
}

fn square(half: f32, center: (f32, f32)) -> Vec<Vec2> {
    let corners = [(-half, -half), (half, -half), (half, half), (-half, half)];
    corners.iter().map(|&corner| Vec2::from(corner) + Vec2::from(center)).collect()
}

fn doubled_area(ring: &[Vec2]) -> f64 {
    let origin = ring[0].as_dvec2();
    ring.windows(2).map(|e| (e[0].as_dvec2() - origin).perp_dot(e[1].as_dvec2() - origin)).sum()
}

fn edges(ring: &[Vec2]) -> impl Iterator<Item = (Vec2, Vec2)> {
    (0..ring.len()).map(|i| (ring[i], ring[(i + 1) % ring.len()]))
}

fn bits((from, to): (Vec2, Vec2)) -> [u32; 4] {
    // Adding 0 makes -0 the same as 0.
    [from.x, from.y, to.x, to.y].map(|x| (x + 0.0).to_bits())
}

/// What a cut promises: convex pieces with area, which tile the solid and share their corners.
fn check(polygon: &ConcavePolygon, samples: u32) -> Result<(), String> {
    let rings = || polygon.holes().iter().chain([&polygon.outline]);
    let ring_edges: HashSet<_> = rings().flat_map(|ring| edges(ring)).map(bits).collect();
    if doubled_area(polygon.outline()) <= 0.0 {
        return Err("the outline runs clockwise".into());
    }
    if polygon.holes().iter().any(|hole| doubled_area(hole) >= 0.0) {
        return Err("a hole runs counter-clockwise".into());
    }

    let mut border = HashSet::new();
    let mut seams = HashSet::new();
    for piece in polygon.cut().map_err(|error| error.to_string())?.pieces() {
        let n = piece.corners.len();
        let area = doubled_area(piece.corners);
        let turns = (0..n).map(|i| {
            let [a, b, c] = [i, (i + 1) % n, (i + 2) % n].map(|i| piece.corners[i]);
            orientation(a, b, c)
        });
        if turns.clone().any(|turn| turn < 0.0) || turns.filter(|&turn| turn > 0.0).count() < 3 {
            return Err(format!("not convex or without area: {piece:?}"));
        }
        // Once around: the edges point up in one unbroken run.
        let up: Vec<bool> = edges(piece.corners).map(|(a, b)| (a.y, a.x) < (b.y, b.x)).collect();
        if area < 0.0 || (0..n).filter(|&i| !up[i] && up[(i + 1) % n]).count() != 1 {
            return Err(format!("winds more than once: {piece:?}"));
        }
        for (edge, &is_seam) in edges(piece.corners).zip(piece.seams) {
            if !(if is_seam { &mut seams } else { &mut border }).insert(bits(edge)) {
                return Err(format!("two pieces share the edge {edge:?}"));
            }
        }
    }
    if border != ring_edges {
        return Err("the border of the pieces is not that of the solid".into());
    }
    if seams.iter().any(|&[a, b, c, d]| !seams.contains(&[c, d, a, b])) {
        return Err("a seam has only one side".into());
    }
    if polygon.seams().count() * 2 != seams.len() {
        return Err("seams are not listed once".into());
    }

    let areas: f64 = polygon.pieces().map(doubled_area).sum();
    let expected: f64 = rings().map(|ring| doubled_area(ring)).sum();
    let gross: f64 = rings().map(|ring| doubled_area(ring).abs()).sum();
    if (areas - expected).abs() > 1e-9 * gross {
        return Err(format!("the pieces have the area {areas}, the solid {expected}"));
    }

    let mut random = 12_345_u32;
    let mut next = || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(random >> 8) / f64::from(1 << 24)
    };
    let all = polygon.outline().iter().map(|point| point.as_dvec2());
    let (min, max) = all.fold((DVec2::MAX, DVec2::MIN), |(min, max), p| (min.min(p), max.max(p)));
    for _ in 0..samples {
        let point = (min + (max - min) * DVec2::new(next(), next())).as_vec2();
        let crossings: usize = rings().map(|ring| crossing_count(ring, point)).sum();
        let sides = |piece: &[Vec2]| {
            edges(piece).map(|(a, b)| orientation(a, b, point)).fold(f64::MAX, f64::min)
        };
        let deepest = polygon.pieces().map(sides).fold(f64::MIN, f64::max);
        if deepest != 0.0 && (deepest > 0.0) != (crossings % 2 == 1) {
            return Err(format!("{point} crosses {crossings} edges; in pieces {deepest}"));
        }
    }
    Ok(())
}

fn cut(outline: &[Vec2]) -> ConcavePolygon {
    let polygon = ConcavePolygon::new(outline.iter().copied()).expect("a simple outline");
    check(&polygon, 500).unwrap();
    polygon
}

fn u_shape() -> Vec<Vec2> {
    points(&[
        (40.0, 40.0),
        (340.0, 40.0),
        (340.0, 240.0),
        (240.0, 240.0),
        (240.0, 140.0),
        (140.0, 140.0),
        (140.0, 240.0),
        (40.0, 240.0),
    ])
}

fn comb(teeth: u16) -> Vec<Vec2> {
    let mut outline = points(&[(0.0, 0.0)]);
    outline.push(Vec2::new(f32::from(teeth) * 2.0 - 1.0, 0.0));
    for tooth in (0..teeth).rev() {
        let x = f32::from(tooth) * 2.0;
        outline.extend(points(&[(x + 1.0, 1.0), (x + 1.0, 5.0), (x, 5.0), (x, 1.0)]));
    }
    outline
}

fn spiral(turns: u16) -> Vec<Vec2> {
    // Square rings outwards, and the same a little thinner back.
    let corner = |i: u16, shift: f32| {
        let reach = f32::from(i / 4) + shift;
        Vec2::from(
            [(reach, -reach), (reach, reach), (-reach, reach), (-reach, -reach - 1.0)]
                [usize::from(i % 4)],
        )
    };
    let ways = 4 * turns;
    (0..ways).map(|i| corner(i, 1.5)).chain((0..ways).rev().map(|i| corner(i, 1.0))).collect()
}

fn star(radii: &[f32], size: f32) -> Vec<Vec2> {
    let step = core::f32::consts::TAU / radii.len() as f32;
    (0..radii.len()).map(|i| Vec2::from_angle(i as f32 * step) * radii[i] * size).collect()
}

#[test]
fn known_shapes_are_cut_into_few_pieces() {
    let l_shape = ConcavePolygon::default();
    check(&l_shape, 500).unwrap();
    for (name, outline, at_most) in [
        ("L", l_shape.outline().to_vec(), 2),
        ("U", u_shape(), 3),
        ("comb", comb(10), 20),
        ("spiral", spiral(3), 24),
        ("square", square(1.0, (3.0, 4.0)), 1),
        ("star", star(&[2.0, 1.0].repeat(5), 10.0), 6),
    ] {
        let polygon = cut(&outline);
        assert!(polygon.piece_count() <= at_most, "{name}: {} pieces", polygon.piece_count());
        let mut reversed = outline.clone();
        reversed.reverse();
        let mirrored = cut(&reversed);
        assert_eq!(mirrored.piece_count(), polygon.piece_count(), "{name} the other way round");
    }
}

#[test]
fn repeated_and_collinear_points_do_not_change_the_solid() {
    let mut outline = u_shape();
    outline.insert(1, Vec2::new(100.0, 40.0));
    outline.insert(2, Vec2::new(100.0, 40.0));
    outline.insert(3, Vec2::new(200.0, 40.0));
    outline.push(Vec2::new(40.0, 50.0));
    outline.push(Vec2::new(40.0, 40.0));
    assert_eq!(cut(&outline).outline(), cut(&u_shape()).outline());
    // Points on a slanted side are on it only up to rounding: they stay, and the cut holds.
    let (a, b) = (Vec2::new(0.1, 0.3), Vec2::new(7.3, 2.9));
    let slanted = (0..=20).map(|i| a.lerp(b, i as f32 / 20.0)).chain([Vec2::new(3.0, 9.0)]);
    cut(&slanted.collect::<Vec<_>>());
}

#[test]
fn holes_are_left_out() {
    let holes = [square(1.0, (-2.0, 0.0)), square(1.0, (2.0, 0.5))];
    let polygon = ConcavePolygon::with_holes(square(5.0, (0.0, 0.0)), holes.clone()).unwrap();
    check(&polygon, 2000).unwrap();
    assert_eq!(polygon.holes().len(), 2);
    let frame = ConcavePolygon::with_holes(square(2.0, (0.0, 0.0)), [square(1.0, (0.0, 0.0))]);
    let frame = frame.unwrap();
    check(&frame, 500).unwrap();
    assert_eq!(frame.piece_count(), 4);
    let mut reversed = holes;
    reversed[1].reverse();
    let same = ConcavePolygon::with_holes(square(5.0, (0.0, 0.0)), reversed).unwrap();
    assert_eq!(same.piece_count(), polygon.piece_count());
}

#[test]
fn each_fault_of_an_outline_is_named() {
    let ring = Ring::Outline;
    let at = outline_at;
    let cases: [(&str, &[(f32, f32)], ConcaveError); 10] = [
        ("nothing", &[], ConcaveError::TooFewVertices { ring, distinct: 0 }),
        (
            "two points",
            &[(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)],
            ConcaveError::TooFewVertices { ring, distinct: 2 },
        ),
        (
            "infinite",
            &[(0.0, 0.0), (1.0, f32::INFINITY), (0.0, 1.0)],
            ConcaveError::NonFinite { vertex: at(1), point: Vec2::new(1.0, f32::INFINITY) },
        ),
        (
            "on one line",
            &[(0.0, 0.0), (10.0, 10.0), (5.0, 5.0), (3.0, 3.0)],
            ConcaveError::NoArea { ring },
        ),
        (
            "bow tie",
            &[(0.0, 0.0), (2.0, 2.0), (2.0, 0.0), (0.0, 2.0)],
            ConcaveError::Crossing { edge: at(0), other_edge: at(2) },
        ),
        (
            "a tip on the far side",
            &[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 0.0), (0.0, 4.0)],
            ConcaveError::Touching { vertex: at(3), edge: at(0) },
        ),
        (
            "a tip on a corner",
            &[(0.0, 0.0), (2.0, 0.0), (4.0, 0.5), (4.0, 4.0), (2.0, 0.0), (0.0, 4.0)],
            ConcaveError::SharedPoint { vertex: at(1), other_vertex: at(4) },
        ),
        (
            "a spike outwards",
            &[(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (2.0, 5.0), (2.0, 3.0), (0.0, 3.0)],
            ConcaveError::Touching { vertex: at(4), edge: at(2) },
        ),
        (
            "a spike and back",
            &[(0.0, 0.0), (2.0, 0.0), (3.0, -1.0), (2.0, 0.0), (2.0, 2.0)],
            ConcaveError::SharedPoint { vertex: at(1), other_vertex: at(3) },
        ),
        (
            "twice around",
            &[(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 0.0), (2.0, 0.0), (2.0, 2.0)],
            ConcaveError::SharedPoint { vertex: at(0), other_vertex: at(3) },
        ),
    ];
    for (name, list, expected) in cases {
        assert_eq!(ConcavePolygon::new(points(list)), Err(expected), "{name}");
    }
    let nan = ConcavePolygon::new([Vec2::ZERO, Vec2::X, Vec2::NAN]);
    assert!(matches!(nan, Err(ConcaveError::NonFinite { .. })));
    let pentagram = (0..5).map(|i| Vec2::from_angle(i as f32 * 0.8 * core::f32::consts::PI));
    let error = ConcavePolygon::new(pentagram).unwrap_err();
    assert!(matches!(error, ConcaveError::Crossing { .. }), "{error}");
}

#[test]
fn each_fault_of_a_hole_is_named() {
    let outer = || square(5.0, (0.0, 0.0));
    let refused = |holes: &[Vec<Vec2>]| {
        ConcavePolygon::with_holes(outer(), holes.to_vec()).expect_err("an unsound hole")
    };
    let small = || square(1.0, (0.0, 0.0));
    assert_eq!(refused(&[square(1.0, (9.0, 0.0))]), ConcaveError::HoleOutside { hole: 0 });
    assert_eq!(refused(&[small(), square(6.0, (0.0, 0.0))]), ConcaveError::HoleOutside { hole: 1 });
    let nested = [square(2.0, (0.0, 0.0)), small()];
    assert_eq!(refused(&nested), ConcaveError::HoleInHole { hole: 1, other: 0 });
    for crossing in [square(1.0, (5.0, 0.0)), square(3.0, (3.0, 3.0))] {
        let error = refused(&[crossing]);
        assert!(matches!(error, ConcaveError::Crossing { .. }), "{error}");
    }
    let error = refused(&[small(), square(1.0, (1.5, 1.5))]);
    assert!(matches!(error, ConcaveError::Crossing { .. }), "{error}");
    let error = refused(&[square(1.0, (4.0, 0.0))]);
    assert_eq!(error, ConcaveError::Touching { vertex: hole_at(0, 1), edge: outline_at(1) });
    let error = refused(&[square(1.0, (4.0, 4.0))]);
    let (vertex, other_vertex) = (outline_at(2), hole_at(0, 2));
    assert_eq!(error, ConcaveError::SharedPoint { vertex, other_vertex });
    assert_eq!(
        error.to_string(),
        "vertex 2 of the outline and vertex 2 of hole 0 are at the same point"
    );
    let ring = Ring::Hole(0);
    assert_eq!(refused(&[vec![]]), ConcaveError::TooFewVertices { ring, distinct: 0 });
}

#[test]
fn coordinates_of_any_size_are_cut_alike() {
    let shape = star(&[2.0, 0.5].repeat(4), 1.0);
    let pieces = cut(&shape).piece_count();
    for exponent in [-126, -100, -30, 30, 100, 125] {
        let scale = f32::from_bits(((exponent + 127) as u32) << 23);
        let scaled: Vec<Vec2> = shape.iter().map(|&point| point * scale).collect();
        assert_eq!(cut(&scaled).piece_count(), pieces, "times 2^{exponent}");
    }
    // Down to the smallest number there is, which spade alone would refuse.
    let unit = f32::from_bits(1);
    cut(&[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 2.0), (0.0, 4.0)].map(|p| Vec2::from(p) * unit));
    // And from one end of the range to the other.
    cut(&points(&[
        (f32::MIN, f32::MIN),
        (f32::MAX, f32::MIN),
        (f32::MAX, f32::MAX),
        (unit, unit),
        (f32::MIN, f32::MAX),
    ]));
}

#[test]
fn a_thousand_vertices_are_cut() {
    let wavy: Vec<f32> = (0..1000_u16).map(|i| 10.0 + f32::from(i % 7) * 0.3).collect();
    for outline in [star(&wavy, 100.0), comb(250), spiral(125), star(&vec![1.0; 1000], 500.0)] {
        let polygon = ConcavePolygon::new(outline.iter().copied()).unwrap();
        check(&polygon, 200).unwrap();
    }
}

#[test]
fn an_edit_by_reflection_is_cut_anew() {
    let mut polygon = cut(&u_shape());
    assert!(Arc::ptr_eq(&polygon.cut().unwrap(), &polygon.cut), "nothing to cut anew");
    *polygon.path_mut::<Vec2>("outline[0]").unwrap() = Vec2::new(0.0, 0.0);
    assert_eq!(polygon.piece_count(), 0, "the stored pieces are of another outline");
    assert_eq!(polygon.validate(), Ok(()));
    let anew = polygon.cut().unwrap();
    assert!(anew.pieces().any(|piece| piece.corners.contains(&Vec2::ZERO)));
    *polygon.path_mut::<Vec2>("outline[0]").unwrap() = Vec2::new(200.0, 200.0);
    assert!(matches!(polygon.validate(), Err(ConcaveError::Crossing { .. })));
    polygon.outline.clear();
    assert!(polygon.validate().is_err() && polygon.cut().is_err());

    // As from a scene file, clockwise: the default's pieces must not pass for this outline's.
    let mut file = cut(&u_shape()).to_dynamic_struct();
    assert!(file.field_at(2).is_none(), "the pieces are not listed");
    let mut reversed = u_shape();
    reversed.reverse();
    file.insert("outline", reversed.clone());
    let read = ConcavePolygon::from_reflect(&file).unwrap();
    assert_eq!((read.outline(), read.validate()), (&reversed[..], Ok(())));
    let anew = read.cut().unwrap();
    assert_eq!(anew.piece_count(), 3);
    assert!(doubled_area(&anew.solid().outline) > 0.0 && anew.solid().holes.is_empty());
    assert_eq!(read.reflect_partial_eq(&read), Some(true));
}

proptest! {
    #[test]
    fn stars_are_tiled_exactly(
        radii in proptest::collection::vec(0.05_f32..1.0, 3..60),
        size in prop_oneof![Just(1e-20_f32), Just(1.0), Just(1e6)],
        offset in (-3.0_f32..3.0, -3.0_f32..3.0),
    ) {
        let outline = star(&radii, size).into_iter().map(|p| p + Vec2::from(offset) * size);
        // Rounding may make a thin one touch itself, or three corners collapse onto a line.
        if let Ok(polygon) = ConcavePolygon::new(outline) {
            check(&polygon, 50).map_err(TestCaseError::fail)?;
        }
    }

    #[test]
    fn outlines_on_a_small_lattice_are_cut_or_refused(
        list in proptest::collection::vec((0_u8..6, 0_u8..6), 3..9),
    ) {
        let outline: Vec<Vec2> =
            list.iter().map(|&(x, y)| Vec2::new(f32::from(x), f32::from(y))).collect();
        match ConcavePolygon::new(outline.iter().copied()) {
            Ok(polygon) => check(&polygon, 100).map_err(TestCaseError::fail)?,
            Err(error) => prop_assert!(
                !is_simple(&outline) && error != ConcaveError::NotCut,
                "{}", error
            ),
        }
    }
}

/// Whether an outline is simple, by comparing every edge with every other.
fn is_simple(outline: &[Vec2]) -> bool {
    let mut ring: Vec<Vec2> = outline.to_vec();
    ring.dedup();
    while ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    let n = ring.len();
    let side = |a: Vec2, b: Vec2, p: Vec2| {
        let area = (b - a).perp_dot(p - a);
        i8::from(area > 0.0) - i8::from(area < 0.0)
    };
    let on =
        |a: Vec2, b: Vec2, p: Vec2| (b - a).perp_dot(p - a) == 0.0 && (a - p).dot(b - p) <= 0.0;
    let edge = |i: usize| (ring[i % n], ring[(i + 1) % n]);
    n >= 3
        && (0..n).all(|i| {
            let (a, b) = edge(i);
            let bare = (0..n).all(|k| k == i || k == (i + 1) % n || !on(a, b, ring[k]));
            let free = (i + 2..n).all(|j| {
                let (c, d) = edge(j);
                side(a, b, c) * side(a, b, d) >= 0 || side(c, d, a) * side(c, d, b) >= 0
            });
            bare && free
        })
}
