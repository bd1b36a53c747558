//! Points against any closed outline, convex or not, simple or crossing itself.
//!
//! An outline here is a list of points joined in order, the last to the first; either winding will
//! do. Edges with a point that is not finite are left out, and an outline without edges is empty:
//! everything is outside it and infinitely far away. Lengths are in the units of the points.

use bevy::math::{DVec2, Vec2};
use bevy::reflect::{Reflect, std_traits::ReflectDefault};

use super::orientation::orientation;
use super::point::PointLocation;
use super::touch::Touch;

/// Which regions of an outline that crosses itself are inside. For simple outlines all rules agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub enum FillRule {
    /// Inside is where a ray crosses the outline an odd number of times: the middle of a
    /// pentagram is outside.
    #[default]
    EvenOdd,
    /// Inside is where the outline winds around at least once, in either direction: the middle of
    /// a pentagram is inside.
    NonZero,
}

impl FillRule {
    /// Whether a point off the outline is inside, from both counts.
    fn is_inside(self, crossings: usize, winding: i32) -> bool {
        match self {
            Self::EvenOdd => crossings % 2 == 1,
            Self::NonZero => winding != 0,
        }
    }
}

/// The place of an outline nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, PartialEq, Debug)]
pub struct OutlineProjection {
    /// The nearest point on the outline; of several, that on the first edge.
    pub nearest: Vec2,
    /// How far away it is. A distance beyond the range of `f32` is the largest `f32`.
    pub distance: f32,
    /// The edge it lies on, by the index of its first point.
    pub edge: usize,
}

/// How often a ray from `point` to the right crosses the outline.
///
/// An edge holds its lower end and not its upper one (the half-open rule): a ray through a corner
/// counts it once where the outline passes from one side of the ray to the other, and twice or not
/// at all where it turns back. Edges along the ray do not count. Meant for points off the outline;
/// an edge through the point itself does not count.
///
/// # Cost
/// O(n) for n points.
///
/// # Method
/// Shimrat, *Algorithm 112: Position of point relative to polygon* (1962), with exact sides.
#[must_use]
pub fn crossing_count(outline: &[Vec2], point: Vec2) -> usize {
    crossings(outline, point).count()
}

/// How often the outline winds around `point`, counter-clockwise positive.
///
/// On the outline itself it is that of one of the sides; see [`locate_in_outline`].
///
/// # Cost
/// O(n) for n points.
///
/// # Method
/// The crossings of [`crossing_count`], upward minus downward (Sunday, 2001): no angles.
#[must_use]
pub fn winding_number(outline: &[Vec2], point: Vec2) -> i32 {
    crossings(outline, point).map(|crossing| crossing.direction).sum()
}

/// Where a ray from `point` to the right crosses the outline, from left to right: as many points
/// as [`crossing_count`] says.
///
/// # Cost
/// O(n log n) for n points; allocates the list.
#[must_use]
pub fn ray_crossings(outline: &[Vec2], point: Vec2) -> Vec<Vec2> {
    let mut found: Vec<Vec2> = crossings(outline, point)
        .map(|Crossing { lower, upper, .. }| {
            let (from, to) = (lower.as_dvec2(), upper.as_dvec2());
            let x = from.x + (to.x - from.x) * ((f64::from(point.y) - from.y) / (to.y - from.y));
            // Rounding must not carry it off its edge, nor behind the ray's start.
            let x = (x as f32).clamp(lower.x.min(upper.x), lower.x.max(upper.x));
            Vec2::new(x.max(point.x), point.y)
        })
        .collect();
    found.sort_by(|p, q| p.x.total_cmp(&q.x));
    found
}

/// The place of the outline nearest to `point`; `None` for an empty outline or a point that is
/// not finite.
///
/// # Cost
/// O(n) for n points.
#[must_use]
pub fn project_on_outline(outline: &[Vec2], point: Vec2) -> Option<OutlineProjection> {
    let nearest = nearest_on_outline(outline, point)?;
    Some(OutlineProjection {
        nearest: (point.as_dvec2() + nearest.offset).as_vec2(),
        distance: nearest.distance(),
        edge: nearest.edge,
    })
}

/// Tells whether a point lies inside an outline, on it, or outside, under a fill rule.
///
/// The boundary is decided first and by distance, with the tolerance of [`Touch`] for half the
/// larger side of the outline's bounding box; only then are crossings counted. A crossing count
/// alone puts some boundary points inside and others outside.
///
/// # Cost
/// O(n) for n points.
#[must_use]
pub fn locate_in_outline(
    outline: &[Vec2],
    point: Vec2,
    fill: FillRule,
    touch: impl Into<Touch>,
) -> PointLocation {
    let Some(nearest) = nearest_on_outline(outline, point) else {
        return PointLocation::Outside;
    };
    let tolerance = touch.into().tolerance(extent_of(outline));
    if nearest.squared <= tolerance * tolerance {
        PointLocation::Boundary
    } else if is_filled(outline, point, fill) {
        PointLocation::Inside
    } else {
        PointLocation::Outside
    }
}

/// The distance from `point` to the outline, negative inside, under a fill rule. Infinite for an
/// empty outline or a point that is not finite.
///
/// It is always the distance to the nearest drawn edge: inside a self-crossing outline that may be
/// one with filled space on both sides.
///
/// # Cost
/// O(n) for n points.
#[must_use]
pub fn signed_distance_to_outline(outline: &[Vec2], point: Vec2, fill: FillRule) -> f32 {
    let Some(nearest) = nearest_on_outline(outline, point) else {
        return f32::INFINITY;
    };
    let distance = nearest.distance();
    if distance > 0.0 && is_filled(outline, point, fill) { -distance } else { distance }
}

/// What the half-plane test of convex polygons says of `point`: whether it is on the inner side of
/// every edge, or on it.
///
/// **Wrong for dented outlines**: there it misses all that lies behind the line of some edge. It is
/// here to be shown beside the tests that are right. The inner side is the left of each edge, or
/// the right in an outline with negative area.
///
/// # Cost
/// O(n) for n points.
#[must_use]
pub fn is_left_of_all_edges(outline: &[Vec2], point: Vec2) -> bool {
    let winding = if doubled_area(outline) < 0.0 { -1.0 } else { 1.0 };
    outline.len() > 2
        && point.is_finite()
        && edges(outline).all(|(_, from, to)| winding * orientation(from, to, point) >= 0.0)
}

/// A crossing of an edge with the ray to the right.
struct Crossing {
    lower: Vec2,
    upper: Vec2,
    /// 1 where the edge goes up, -1 where it goes down.
    direction: i32,
}

fn crossings(outline: &[Vec2], point: Vec2) -> impl Iterator<Item = Crossing> {
    edges(outline).filter_map(move |(_, from, to)| {
        let direction = match (from.y <= point.y, to.y <= point.y) {
            (true, false) => 1,
            (false, true) => -1,
            (true, true) | (false, false) => return None,
        };
        let (lower, upper) = if direction > 0 { (from, to) } else { (to, from) };
        // A comparison that NaN fails. Points left of the edge have it to their right.
        (orientation(lower, upper, point) > 0.0).then_some(Crossing { lower, upper, direction })
    })
}

fn is_filled(outline: &[Vec2], point: Vec2, fill: FillRule) -> bool {
    let (mut count, mut winding) = (0, 0);
    for crossing in crossings(outline, point) {
        count += 1;
        winding += crossing.direction;
    }
    fill.is_inside(count, winding)
}

/// The edges as index, start and end; without those that are not finite.
fn edges(outline: &[Vec2]) -> impl Iterator<Item = (usize, Vec2, Vec2)> {
    let ends = outline.iter().skip(1).chain(outline.first());
    outline
        .iter()
        .zip(ends)
        .enumerate()
        .map(|(edge, (&from, &to))| (edge, from, to))
        .filter(|(_, from, to)| from.is_finite() && to.is_finite())
}

struct Nearest {
    /// From the point to the outline.
    offset: DVec2,
    squared: f64,
    edge: usize,
}

impl Nearest {
    fn distance(&self) -> f32 {
        (self.squared.sqrt() as f32).min(f32::MAX)
    }
}

fn nearest_on_outline(outline: &[Vec2], point: Vec2) -> Option<Nearest> {
    if !point.is_finite() {
        return None;
    }
    let point = point.as_dvec2();
    let mut best: Option<Nearest> = None;
    for (edge, from, to) in edges(outline) {
        // Seen from the point: differences of single precision numbers are (nearly) exact.
        let (from, to) = (from.as_dvec2() - point, to.as_dvec2() - point);
        let along = to - from;
        let (before, length_squared) = (-from.dot(along), along.length_squared());
        let (offset, squared) = if before <= 0.0 {
            (from, from.length_squared())
        } else if before >= length_squared {
            (to, to.length_squared())
        } else {
            // The area keeps small distances exact where the foot itself is rounded.
            let area = from.perp_dot(to);
            (from + along * (before / length_squared), area * area / length_squared)
        };
        if best.as_ref().is_none_or(|best| squared < best.squared) {
            best = Some(Nearest { offset, squared, edge });
        }
    }
    best
}

/// Half the larger side of the bounding box.
fn extent_of(outline: &[Vec2]) -> f64 {
    let (min, max) = edges(outline)
        .fold((Vec2::MAX, Vec2::MIN), |(min, max), (_, from, _)| (min.min(from), max.max(from)));
    (max.as_dvec2() - min.as_dvec2()).max_element().max(0.0) * 0.5
}

fn doubled_area(outline: &[Vec2]) -> f64 {
    let origin = outline.first().map_or(DVec2::ZERO, |first| first.as_dvec2());
    edges(outline)
        .map(|(_, from, to)| (from.as_dvec2() - origin).perp_dot(to.as_dvec2() - origin))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points<const N: usize>(list: [(f32, f32); N]) -> [Vec2; N] {
        list.map(Vec2::from)
    }

    fn notched_pentagon() -> [Vec2; 5] {
        points([(700.0, 130.0), (880.0, 130.0), (880.0, 320.0), (790.0, 230.0), (700.0, 320.0)])
    }

    fn pentagram() -> [Vec2; 5] {
        points([
            (0.0, 64.0),
            (-37.625, -51.781_25),
            (60.875, 19.781_25),
            (-60.875, 19.781_25),
            (37.625, -51.781_25),
        ])
    }

    #[test]
    fn the_convex_test_is_wrong_in_the_arms_of_a_notched_pentagon() {
        let outline = notched_pentagon();
        let mut reversed = outline;
        reversed.reverse();
        let cases = [
            ("right arm", (850.0, 250.0), 1, PointLocation::Inside, false),
            ("left arm", (730.0, 250.0), 3, PointLocation::Inside, false),
            ("notch", (790.0, 300.0), 2, PointLocation::Outside, false),
            ("body", (790.0, 180.0), 1, PointLocation::Inside, true),
            ("above", (790.0, 400.0), 0, PointLocation::Outside, false),
        ];
        for (name, point, count, location, convex) in cases {
            let point = Vec2::from(point);
            for list in [outline, reversed] {
                assert_eq!(crossing_count(&list, point), count, "{name}");
                let found = locate_in_outline(&list, point, FillRule::EvenOdd, Touch::default());
                assert_eq!(found, location, "{name}");
                assert_eq!(is_left_of_all_edges(&list, point), convex, "{name}");
            }
            assert_eq!(winding_number(&outline, point), -winding_number(&reversed, point));
        }
        let distance =
            signed_distance_to_outline(&outline, Vec2::new(850.0, 250.0), FillRule::EvenOdd);
        assert!((distance + 28.284_271).abs() < 1e-5, "{distance}");
    }

    #[test]
    fn the_middle_of_a_pentagram_depends_on_the_rule() {
        let outline = pentagram();
        assert_eq!(winding_number(&outline, Vec2::ZERO), 2);
        assert_eq!(crossing_count(&outline, Vec2::ZERO), 2);
        for (fill, location, sign) in [
            (FillRule::EvenOdd, PointLocation::Outside, 1.0),
            (FillRule::NonZero, PointLocation::Inside, -1.0),
        ] {
            assert_eq!(locate_in_outline(&outline, Vec2::ZERO, fill, Touch::default()), location);
            let distance = signed_distance_to_outline(&outline, Vec2::ZERO, fill);
            assert!((distance - sign * 19.777_275).abs() < 1e-5, "{distance}");
        }
    }

    #[test]
    fn rays_through_corners_and_along_edges_count_by_the_half_open_rule() {
        let diamond = points([(2.0, 0.0), (0.0, 2.0), (-2.0, 0.0), (0.0, -2.0)]);
        for (x, count) in [(0.0, 1), (-3.0, 2), (3.0, 0)] {
            assert_eq!(crossing_count(&diamond, Vec2::new(x, 0.0)), count, "x {x}");
        }
        assert_eq!(crossing_count(&diamond, Vec2::new(-1.0, 2.0)) % 2, 0, "over the tip");
        assert_eq!(crossing_count(&diamond, Vec2::new(-1.0, -2.0)) % 2, 0, "under the tip");
        // A step whose tread lies on the ray.
        let step = points([(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (3.0, 1.0), (2.0, 1.0), (0.0, 2.0)]);
        assert_eq!(crossing_count(&step, Vec2::new(1.0, 1.0)) % 2, 1, "inside, before the tread");
        assert_eq!(crossing_count(&step, Vec2::new(-1.0, 1.0)) % 2, 0, "outside");
        for x in [2.0, 2.5, 3.0] {
            let location =
                locate_in_outline(&step, Vec2::new(x, 1.0), FillRule::EvenOdd, Touch::default());
            assert_eq!(location, PointLocation::Boundary, "x {x}");
        }
    }

    #[test]
    fn listed_crossings_are_those_that_are_counted() {
        let outlines: [&[Vec2]; 2] = [&notched_pentagon(), &pentagram()];
        for outline in outlines {
            for i in 0..400_u16 {
                let point =
                    Vec2::new(f32::from(i % 20) * 50.0 - 50.0, f32::from(i / 20) * 18.0 - 50.0);
                let listed = ray_crossings(outline, point);
                assert_eq!(listed.len(), crossing_count(outline, point), "{point}");
                assert!(listed.is_sorted_by(|p, q| p.x <= q.x));
                for crossing in listed {
                    assert!(crossing.x >= point.x);
                    let projection = project_on_outline(outline, crossing).unwrap();
                    assert!(projection.distance < 1e-3, "{crossing}: {projection:?}");
                }
            }
        }
    }

    #[test]
    fn the_nearest_place_names_its_edge() {
        let found = project_on_outline(&notched_pentagon(), Vec2::new(850.0, 250.0)).unwrap();
        assert_eq!((found.nearest, found.edge), (Vec2::new(830.0, 270.0), 2));
        let corner = project_on_outline(&notched_pentagon(), Vec2::new(690.0, 120.0)).unwrap();
        assert_eq!(corner.nearest, Vec2::new(700.0, 130.0));
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "infinity and whole numbers are exact")]
    fn degenerate_input_gets_sensible_answers() {
        let point = Vec2::new(3.0, 4.0);
        let touch = Touch::default();
        let fill = FillRule::NonZero;
        assert_eq!(project_on_outline(&[], point), None);
        assert_eq!(signed_distance_to_outline(&[], point, fill), f32::INFINITY);
        assert_eq!(locate_in_outline(&[], point, fill, touch), PointLocation::Outside);
        assert!(!is_left_of_all_edges(&[], point));
        // One point and a segment have a boundary and nothing inside.
        assert_eq!(signed_distance_to_outline(&[Vec2::ZERO], point, fill), 5.0);
        let segment = [Vec2::ZERO, Vec2::new(6.0, 8.0)];
        assert_eq!(locate_in_outline(&segment, point, fill, touch), PointLocation::Boundary);
        assert_eq!(winding_number(&segment, Vec2::new(0.0, 4.0)), 0);
        // Not a number: no crossing, no NaN.
        let broken = [Vec2::ZERO, Vec2::new(f32::NAN, 1.0), Vec2::X, Vec2::Y];
        for bad in [Vec2::NAN, Vec2::INFINITY] {
            assert_eq!(crossing_count(&notched_pentagon(), bad), 0);
            assert_eq!(signed_distance_to_outline(&notched_pentagon(), bad, fill), f32::INFINITY);
            assert!(!is_left_of_all_edges(&notched_pentagon(), bad));
        }
        assert_eq!(crossing_count(&notched_pentagon(), Vec2::new(0.0, f32::NAN)), 0);
        assert!(!signed_distance_to_outline(&broken, point, fill).is_nan());
        // The largest numbers there are.
        let huge = [Vec2::MIN, Vec2::new(f32::MAX, f32::MIN), Vec2::new(0.0, f32::MAX)];
        assert_eq!(locate_in_outline(&huge, Vec2::ZERO, fill, touch), PointLocation::Inside);
        assert!(signed_distance_to_outline(&huge, Vec2::MAX, fill).is_finite());
    }
}
