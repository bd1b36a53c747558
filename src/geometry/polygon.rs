//! Convex polygons: checked once, counter-clockwise ever after.

use bevy::math::{DVec2, Vec2};
use bevy::reflect::{Reflect, std_traits::ReflectDefault};
use thiserror::Error;

/// Why a list of points is no convex polygon. Vertices are counted from 0 in the given list.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PolygonError {
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} at {point} is not finite")]
    NonFinite {
        /// Which vertex.
        vertex: usize,
        /// Where it is.
        point: Vec2,
    },
    /// Fewer than three different points, or fewer than two for a segment.
    #[error("{distinct} different points are too few: a polygon needs 3, a segment 2")]
    TooFewVertices {
        /// How many different points there are.
        distinct: usize,
    },
    /// All points lie on one line, or closer together than single precision can tell apart.
    #[error("the points enclose no area; for a line use a segment")]
    NoArea,
    /// The outline turns inward.
    #[error("the outline turns inward at vertex {vertex} at {point}: the polygon is concave")]
    Concave {
        /// Which vertex.
        vertex: usize,
        /// Where it is.
        point: Vec2,
    },
    /// Two edges of the outline cross, or it winds around more than once.
    #[error(
        "the outline crosses itself: the edge that starts at vertex {edge} meets the one that starts at vertex {other_edge}"
    )]
    SelfCrossing {
        /// First vertex of one edge.
        edge: usize,
        /// First vertex of the other.
        other_edge: usize,
    },
    /// The stored vertices are not as a constructor leaves them: clockwise, repeated or collinear.
    /// Only an edit by reflection or a hand-written scene file can do this.
    #[error("the vertices must be listed counter-clockwise, without repeated or collinear ones")]
    NotNormalized,
    /// The radius of a rounded polygon is negative or not finite.
    #[error("the radius {0} is not a finite number of at least 0")]
    Radius(f32),
}

/// A convex polygon in the local space of its entity, with which it turns.
///
/// Its vertices run counter-clockwise, without repeated and collinear ones. Two vertices make a
/// segment. A [`radius`](Self::with_radius) rounds it: a rounded segment is a capsule.
///
/// ```
/// use bevy::math::Vec2;
/// use bevy_nudge::geometry::{ConvexPolygon, PolygonError};
///
/// // Either winding is taken.
/// let clockwise = [Vec2::ZERO, Vec2::new(0.0, 1.0), Vec2::new(2.0, 0.0)];
/// let triangle = ConvexPolygon::new(clockwise)?;
/// assert_eq!(triangle.vertices().len(), 3);
///
/// let dented = [(0.0, 0.0), (4.0, 0.0), (1.0, 1.0), (0.0, 4.0)].map(Vec2::from);
/// assert!(matches!(ConvexPolygon::new(dented), Err(PolygonError::Concave { vertex: 2, .. })));
/// # Ok::<(), PolygonError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub struct ConvexPolygon {
    vertices: Vec<Vec2>,
    /// How far the shape reaches beyond the polygon of the vertices.
    radius: f32,
}

impl Default for ConvexPolygon {
    /// A square of side 1 around the entity.
    fn default() -> Self {
        Self { vertices: corners_of(Vec2::splat(0.5)).to_vec(), radius: 0.0 }
    }
}

/// Polygons that fit into a square of this side count as having no area: squares of such lengths
/// are no longer normal numbers in single precision.
const SMALLEST_SIZE: f32 = 1e-18;

impl ConvexPolygon {
    /// The polygon with these vertices, in either winding.
    ///
    /// Repeated and collinear vertices are dropped. A vertex that lies inside the line of its
    /// neighbours by no more than rounding counts as collinear.
    ///
    /// # Errors
    /// Names the rule that the points break, and the vertex where they do: not finite, too few,
    /// no area, concave, or self-crossing.
    ///
    /// # Cost
    /// O(n), times the number of collinear vertices dropped; O(n²) for points that are refused.
    ///
    /// # Method
    /// The turn at each vertex has to be to the left, and all turns together one full circle: the
    /// second condition refuses a pentagram, which satisfies the first.
    pub fn new(points: impl IntoIterator<Item = Vec2>) -> Result<Self, PolygonError> {
        // 1. Finite, and no point twice in a row.
        let mut corners: Vec<(usize, Vec2)> = Vec::new();
        for (vertex, point) in points.into_iter().enumerate() {
            if !point.is_finite() {
                return Err(PolygonError::NonFinite { vertex, point });
            }
            if corners.last().is_none_or(|&(_, last)| last != point) {
                corners.push((vertex, point));
            }
        }
        while corners.len() > 1 && corners[0].1 == corners[corners.len() - 1].1 {
            corners.pop();
        }
        if corners.len() < 3 {
            return Err(PolygonError::TooFewVertices { distinct: corners.len() });
        }

        // 2. Counter-clockwise.
        let (min, max) = bounds_of(corners.iter().map(|&(_, point)| point));
        let area = doubled_area(&corners);
        if (max - min).max_element() < SMALLEST_SIZE {
            return Err(PolygonError::NoArea);
        }
        if area == 0.0 {
            return Err(find_crossing(&corners).unwrap_or(PolygonError::NoArea));
        }
        if area < 0.0 {
            corners.reverse();
        }

        // 3. Left turns only, once around.
        drop_collinear(&mut corners, f64::from((max - min).max_element()));
        if corners.len() < 3 {
            return Err(PolygonError::NoArea);
        }
        if let Some(&(vertex, point)) =
            turns(&corners).find(|(_, turn)| *turn <= 0.0).map(|(c, _)| c)
        {
            return Err(find_crossing(&corners).unwrap_or(PolygonError::Concave { vertex, point }));
        }
        if revolutions(&corners) != 1 {
            let wound = PolygonError::SelfCrossing { edge: corners[0].0, other_edge: corners[1].0 };
            return Err(find_crossing(&corners).unwrap_or(wound));
        }
        Ok(Self { vertices: corners.into_iter().map(|(_, point)| point).collect(), radius: 0.0 })
    }

    /// A rectangle of this full width and height around the entity. Unlike an
    /// [`Aabb`](super::Aabb) it turns with its entity.
    ///
    /// # Errors
    /// A non-finite or zero size. The sign of a size does not matter.
    pub fn rectangle(size: Vec2) -> Result<Self, PolygonError> {
        Self::new(corners_of(size * 0.5))
    }

    /// The triangle with these corners, in either winding.
    ///
    /// # Errors
    /// As [`ConvexPolygon::new`].
    pub fn triangle(a: Vec2, b: Vec2, c: Vec2) -> Result<Self, PolygonError> {
        Self::new([a, b, c])
    }

    /// The segment from `a` to `b`: a polygon without area.
    ///
    /// # Errors
    /// A non-finite end, or both ends at the same point (a circle of radius 0 is a point).
    pub fn segment(a: Vec2, b: Vec2) -> Result<Self, PolygonError> {
        let segment = Self { vertices: vec![a, b], radius: 0.0 };
        segment.validate().map(|()| segment)
    }

    /// The capsule around the segment from `a` to `b`: all points within `radius` of it.
    ///
    /// # Errors
    /// As [`segment`](Self::segment), and a negative or non-finite radius.
    pub fn capsule(a: Vec2, b: Vec2, radius: f32) -> Result<Self, PolygonError> {
        Self::segment(a, b)?.with_radius(radius)
    }

    /// The same polygon with a radius: all points within that distance of it, in world units when
    /// the entity is not scaled. Its sides move out by the radius and its corners become arcs. In
    /// place of the radius it had. Under an unequal scale the radius grows by the larger axis.
    ///
    /// # Errors
    /// A negative or non-finite radius.
    ///
    /// ```
    /// use bevy::math::Vec2;
    /// use bevy_nudge::geometry::ConvexPolygon;
    ///
    /// // 6 wide and 4 high, with corners of radius 1.
    /// let button = ConvexPolygon::rectangle(Vec2::new(4.0, 2.0))?.with_radius(1.0)?;
    /// assert_eq!(button.radius(), 1.0);
    /// # Ok::<(), bevy_nudge::geometry::PolygonError>(())
    /// ```
    pub fn with_radius(self, radius: f32) -> Result<Self, PolygonError> {
        check_radius(radius)?;
        Ok(Self { radius, ..self })
    }

    /// A regular polygon with `sides` sides around the entity, its corners at distance `radius`,
    /// the first of them straight up.
    ///
    /// # Errors
    /// Fewer than three sides, a non-finite or zero radius. Of very many sides, corners that single
    /// precision cannot tell apart or sees on one line are dropped.
    pub fn regular(sides: usize, radius: f32) -> Result<Self, PolygonError> {
        if sides < 3 {
            return Err(PolygonError::TooFewVertices { distinct: sides });
        }
        let step = core::f64::consts::TAU / sides as f64;
        Self::new((0..sides).map(|side| {
            let angle = side as f64 * step;
            let (sin, cos) = bevy_sin_cos(angle);
            (DVec2::new(-sin, cos) * f64::from(radius)).as_vec2()
        }))
    }

    /// The convex hull of these points: the smallest convex polygon that holds them all.
    ///
    /// # Errors
    /// A non-finite point, or fewer than three points that are not on one line.
    ///
    /// # Cost
    /// O(n log n).
    ///
    /// # Method
    /// Andrew's monotone chain (1979).
    pub fn hull(points: impl IntoIterator<Item = Vec2>) -> Result<Self, PolygonError> {
        let mut points: Vec<Vec2> = points.into_iter().collect();
        if let Some(vertex) = points.iter().position(|point| !point.is_finite()) {
            return Err(PolygonError::NonFinite { vertex, point: points[vertex] });
        }
        points.sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
        points.dedup();
        let mut hull = half_hull(points.iter().copied());
        hull.pop();
        let mut upper = half_hull(points.iter().rev().copied());
        upper.pop();
        hull.append(&mut upper);
        Self::new(hull)
    }

    /// The vertices, counter-clockwise.
    #[must_use]
    pub fn vertices(&self) -> &[Vec2] {
        &self.vertices
    }

    /// How far the shape reaches beyond the polygon of its vertices; 0 unless it is rounded.
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.radius
    }

    pub(super) fn validate(&self) -> Result<(), PolygonError> {
        check_radius(self.radius)?;
        if let [a, b] = self.vertices[..] {
            return match [a, b].iter().position(|point| !point.is_finite()) {
                Some(vertex) => {
                    Err(PolygonError::NonFinite { vertex, point: self.vertices[vertex] })
                }
                None if a == b => Err(PolygonError::TooFewVertices { distinct: 1 }),
                None => Ok(()),
            };
        }
        let checked = Self::new(self.vertices.iter().copied())?;
        if checked.vertices.len() != self.vertices.len() || signed_area(&self.vertices) < 0.0 {
            return Err(PolygonError::NotNormalized);
        }
        Ok(())
    }
}

fn check_radius(radius: f32) -> Result<(), PolygonError> {
    if radius.is_finite() && radius >= 0.0 { Ok(()) } else { Err(PolygonError::Radius(radius)) }
}

#[expect(clippy::disallowed_methods, reason = "runs once, at construction, not in the step")]
fn bevy_sin_cos(angle: f64) -> (f64, f64) {
    angle.sin_cos()
}

fn corners_of(half_size: Vec2) -> [Vec2; 4] {
    let Vec2 { x, y } = half_size;
    [Vec2::new(-x, -y), Vec2::new(x, -y), Vec2::new(x, y), Vec2::new(-x, y)]
}

fn bounds_of(points: impl Iterator<Item = Vec2>) -> (Vec2, Vec2) {
    points.fold((Vec2::MAX, Vec2::MIN), |(min, max), point| (min.min(point), max.max(point)))
}

fn signed_area(vertices: &[Vec2]) -> f64 {
    let origin = vertices[0].as_dvec2();
    vertices
        .windows(2)
        .map(|pair| (pair[0].as_dvec2() - origin).perp_dot(pair[1].as_dvec2() - origin))
        .sum()
}

fn doubled_area(corners: &[(usize, Vec2)]) -> f64 {
    let origin = corners[0].1.as_dvec2();
    corners
        .windows(2)
        .map(|pair| (pair[0].1.as_dvec2() - origin).perp_dot(pair[1].1.as_dvec2() - origin))
        .sum()
}

/// Twice the area of the triangle `a`, `b`, `c`: positive for a turn to the left at `b`.
fn turn(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    let b = b.as_dvec2();
    (b - a.as_dvec2()).perp_dot(c.as_dvec2() - b)
}

fn turns(corners: &[(usize, Vec2)]) -> impl Iterator<Item = (&(usize, Vec2), f64)> {
    let n = corners.len();
    (0..n).map(move |i| {
        let (before, after) = (corners[(i + n - 1) % n].1, corners[(i + 1) % n].1);
        (&corners[i], turn(before, corners[i].1, after))
    })
}

/// Drops vertices between their neighbours that do not stick out, when they lie on the line
/// between them up to the rounding of their coordinates.
fn drop_collinear(corners: &mut Vec<(usize, Vec2)>, size: f64) {
    let rounding = 4.0 * f64::from(f32::EPSILON) * size;
    let mut i = 0;
    let mut kept_in_a_row = 0;
    while corners.len() > 2 && kept_in_a_row < corners.len() {
        let n = corners.len();
        i %= n;
        let (before, here, after) =
            (corners[(i + n - 1) % n].1, corners[i].1, corners[(i + 1) % n].1);
        let turn = turn(before, here, after);
        let (incoming, outgoing) = ((here - before).as_dvec2(), (after - here).as_dvec2());
        let base = (after - before).as_dvec2().length();
        if turn <= 0.0 && -turn <= rounding * base && incoming.dot(outgoing) > 0.0 {
            corners.remove(i);
            // The vertex before has a new neighbour.
            i = (i + n - 1) % n;
            i = i.min(corners.len() - 1);
            kept_in_a_row = 0;
        } else {
            kept_in_a_row += 1;
            i += 1;
        }
    }
}

/// How often the directions of the edges, all of which turn left, go around.
fn revolutions(corners: &[(usize, Vec2)]) -> usize {
    let n = corners.len();
    let points_up = |i: usize| {
        let edge = corners[(i + 1) % n].1.as_dvec2() - corners[i % n].1.as_dvec2();
        edge.y > 0.0 || (edge.y == 0.0 && edge.x > 0.0)
    };
    (0..n).filter(|&i| !points_up(i) && points_up(i + 1)).count()
}

/// Looks for two edges that cross, to name them. Only called for outlines that are refused.
fn find_crossing(corners: &[(usize, Vec2)]) -> Option<PolygonError> {
    let n = corners.len();
    let edge = |i: usize| (corners[i].1, corners[(i + 1) % n].1);
    for i in 0..n {
        for j in i + 2..n {
            if i == 0 && j == n - 1 {
                continue;
            }
            let ((a, b), (c, d)) = (edge(i), edge(j));
            let apart = |p: f64, q: f64| (p > 0.0) == (q > 0.0) || p == 0.0 || q == 0.0;
            let sides = |a: Vec2, b: Vec2, p: Vec2| turn(a, b, p);
            if !apart(sides(a, b, c), sides(a, b, d)) && !apart(sides(c, d, a), sides(c, d, b)) {
                let (edge, other_edge) = (corners[i].0, corners[j].0);
                return Some(PolygonError::SelfCrossing { edge, other_edge });
            }
        }
    }
    None
}

fn half_hull(points: impl Iterator<Item = Vec2>) -> Vec<Vec2> {
    let mut chain: Vec<Vec2> = Vec::new();
    for point in points {
        while let [.., a, b] = chain[..]
            && turn(a, b, point) <= 0.0
        {
            chain.pop();
        }
        chain.push(point);
    }
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points<const N: usize>(list: [(f32, f32); N]) -> [Vec2; N] {
        list.map(Vec2::from)
    }

    #[test]
    fn both_windings_give_the_same_counter_clockwise_polygon() {
        let square = points([(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)]);
        let mut reversed = square;
        reversed.reverse();
        for list in [square, reversed] {
            let polygon = ConvexPolygon::new(list).unwrap();
            assert_eq!(polygon.vertices().len(), 4);
            assert!(signed_area(polygon.vertices()) > 0.0);
        }
    }

    #[test]
    fn repeated_and_collinear_vertices_are_dropped() {
        let list = points([
            (0.0, 0.0),
            (1.0, 0.0),
            (2.0, 0.0),
            (2.0, 0.0),
            (2.0, 2.0),
            (0.0, 2.0),
            (0.0, 1.0),
            (0.0, 0.0),
        ]);
        let polygon = ConvexPolygon::new(list).unwrap();
        assert_eq!(polygon.vertices().len(), 4, "{polygon:?}");
        // On a slanted edge the rounded points may lie inside the line by a rounding.
        let (a, b) = (Vec2::new(0.1, 0.3), Vec2::new(7.3, 2.9));
        let slanted = (0..=10).map(|i| a.lerp(b, i as f32 / 10.0)).chain([Vec2::new(3.0, 9.0)]);
        let polygon = ConvexPolygon::new(slanted).unwrap();
        assert!(polygon.vertices().contains(&a) && polygon.vertices().contains(&b));
    }

    #[test]
    fn each_fault_is_named() {
        type Check = fn(&PolygonError) -> bool;
        let cases: [(&str, Vec<Vec2>, Check); 10] = [
            ("nothing", vec![], |e| matches!(e, PolygonError::TooFewVertices { distinct: 0 })),
            ("one point", points([(1.0, 1.0)]).to_vec(), |e| {
                matches!(e, PolygonError::TooFewVertices { distinct: 1 })
            }),
            ("two points", points([(1.0, 1.0), (2.0, 1.0)]).to_vec(), |e| {
                matches!(e, PolygonError::TooFewVertices { distinct: 2 })
            }),
            (
                "on one line",
                points([(0.0, 0.0), (10.0, 10.0), (5.0, 5.0), (3.0, 3.0)]).to_vec(),
                |e| *e == PolygonError::NoArea,
            ),
            ("too small", points([(0.0, 0.0), (1e-23, 0.0), (0.0, 1e-23)]).to_vec(), |e| {
                *e == PolygonError::NoArea
            }),
            (
                "bow tie",
                points([(9.58, 1.15), (15.65, 6.90), (5.36, 5.60), (11.43, 11.36)]).to_vec(),
                |e| matches!(e, PolygonError::SelfCrossing { .. }),
            ),
            (
                "even bow tie",
                points([(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)]).to_vec(),
                |e| matches!(e, PolygonError::SelfCrossing { .. }),
            ),
            (
                "pentagram",
                (0..5)
                    .map(|i| Vec2::from_angle(i as f32 * 4.0 * core::f32::consts::PI / 5.0))
                    .collect(),
                |e| matches!(e, PolygonError::SelfCrossing { .. }),
            ),
            ("dented", points([(0.0, 0.0), (4.0, 0.0), (1.0, 1.0), (0.0, 4.0)]).to_vec(), |e| {
                matches!(e, PolygonError::Concave { vertex: 2, .. })
            }),
            ("not a number", points([(0.0, 0.0), (f32::NAN, 0.0), (0.0, 1.0)]).to_vec(), |e| {
                matches!(e, PolygonError::NonFinite { vertex: 1, .. })
            }),
        ];
        for (name, list, expected) in cases {
            let error = ConvexPolygon::new(list).expect_err(name);
            assert!(expected(&error), "{name}: {error}");
        }
    }

    #[test]
    fn constructors_build_what_they_say() {
        let rectangle = ConvexPolygon::rectangle(Vec2::new(4.0, 2.0)).unwrap();
        assert!(rectangle.vertices().contains(&Vec2::new(2.0, 1.0)));
        let square = ConvexPolygon::regular(4, 1.0).unwrap();
        assert!(square.vertices()[0].distance(Vec2::Y) < 1e-6);
        assert_eq!(ConvexPolygon::regular(5, 3.0).unwrap().vertices().len(), 5);
        assert!(ConvexPolygon::regular(2, 3.0).is_err());
        assert!(ConvexPolygon::regular(5, f32::NAN).is_err());
        let hull = ConvexPolygon::hull(points([
            (0.0, 0.0),
            (1.0, 0.5),
            (2.0, 0.0),
            (1.0, 1.0),
            (1.0, 3.0),
            (1.0, 0.0),
        ]))
        .unwrap();
        assert_eq!(hull.vertices().len(), 3);
        assert!(ConvexPolygon::segment(Vec2::ZERO, Vec2::X).is_ok());
        assert!(ConvexPolygon::segment(Vec2::X, Vec2::X).is_err());
    }

    #[test]
    fn vertices_set_past_the_constructor_are_found_out() {
        let clockwise = ConvexPolygon {
            vertices: points([(0.0, 0.0), (0.0, 1.0), (1.0, 0.0)]).to_vec(),
            radius: 0.0,
        };
        assert_eq!(clockwise.validate(), Err(PolygonError::NotNormalized));
        let empty = ConvexPolygon { vertices: vec![], radius: 0.0 };
        assert!(empty.validate().is_err());
        let inside_out = ConvexPolygon { radius: -1.0, ..ConvexPolygon::default() };
        assert_eq!(inside_out.validate(), Err(PolygonError::Radius(-1.0)));
        assert!(ConvexPolygon::default().validate().is_ok());
    }
}
