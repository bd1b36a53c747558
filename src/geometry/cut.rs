//! Cutting a solid with dents and holes into convex pieces.
//!
//! Every decision is taken without rounding, so that the pieces tile the solid and neighbours
//! share the very same corners.

use core::fmt;

use bevy::math::Vec2;
use spade::{
    ConstrainedDelaunayTriangulation, Intersection, LineIntersectionIterator, Point2,
    Triangulation as _,
};

use super::canonical::{Image, begin_at_the_first, by_x_then_y};
use super::concave::{ConcaveError, Ring, RingPlace};
use super::orientation::{is_on_segment, orientation};

type Triangulation = ConstrainedDelaunayTriangulation<Point2<f64>>;

/// The outline of a solid and of its holes.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Rings {
    pub(super) outline: Vec<Vec2>,
    pub(super) holes: Vec<Vec<Vec2>>,
}

/// A solid cut into convex pieces, with the rings it was cut from.
#[derive(Default)]
pub(super) struct Cut {
    given: Rings,
    solid: Rings,
    /// The corners of all pieces, one piece after the other.
    corners: Vec<Vec2>,
    /// For each corner, whether the edge that starts there is shared with another piece.
    seams: Vec<bool>,
    /// Where each piece ends in these lists.
    ends: Vec<usize>,
}

/// One convex piece, counter-clockwise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    pub(super) corners: &'a [Vec2],
    /// For each corner, whether the edge that starts there is shared with another piece.
    pub(super) seams: &'a [bool],
}

impl Cut {
    /// Cuts the solid with these rings.
    ///
    /// # Errors
    /// Names the first fault found.
    ///
    /// # Cost
    /// About O(n log n) for n vertices of ordinary outlines, O(n²) at worst.
    ///
    /// # Method
    /// A constrained Delaunay triangulation, by the `spade` crate; then inner edges that no corner
    /// needs are left out (Hertel and Mehlhorn, 1983), longest first, which leaves at most four
    /// times as many pieces as the fewest possible.
    ///
    /// The cut of a mirrored outline is the mirrored cut, unless the outline is symmetric itself.
    pub(super) fn new(given: Rings) -> Result<Self, ConcaveError> {
        let mut rings = vec![clean(Ring::Outline, &given.outline)?];
        for (hole, ring) in given.holes.iter().enumerate() {
            rings.push(clean(Ring::Hole(hole), ring)?);
        }
        let (image, seen) = canonical(&rings);
        // What is wrong is said of the rings as they were given.
        let (image, mesh) = match Mesh::of_rings(&seen) {
            Ok(mesh) => (image, mesh),
            Err(_) => (Image::ITSELF, Mesh::of_rings(&rings)?),
        };
        let mut points = rings.iter().zip(0..).map(|(ring, index)| {
            let mut points: Vec<Vec2> = ring.iter().map(|corner| corner.point).collect();
            if is_clockwise(&points) != (index > 0) {
                points.reverse();
            }
            points
        });
        let outline = points.next().unwrap_or_default();
        let solid = Rings { outline, holes: points.collect() };
        let mut cut = Self { given, solid, ..Self::default() };
        mesh.write_pieces(image, &mut cut);
        Ok(cut)
    }

    /// Whether it was made from exactly these rings.
    pub(super) fn is_made_from(&self, outline: &[Vec2], holes: &[Vec<Vec2>]) -> bool {
        !self.ends.is_empty() && self.given.outline == outline && self.given.holes == holes
    }

    /// The outline counter-clockwise, the holes clockwise, without repeated and collinear points.
    pub(super) fn solid(&self) -> &Rings {
        &self.solid
    }

    /// Calls these the rings it was made from, which makes no difference to the cut.
    pub(super) fn normalize(&mut self) -> &Rings {
        self.given = self.solid.clone();
        &self.given
    }

    pub(super) fn piece_count(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn pieces(&self) -> impl ExactSizeIterator<Item = Piece<'_>> {
        (0..self.ends.len()).map(|piece| {
            let start = if piece == 0 { 0 } else { self.ends[piece - 1] };
            let range = start..self.ends[piece];
            Piece { corners: &self.corners[range.clone()], seams: &self.seams[range] }
        })
    }
}

impl fmt::Debug for Cut {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Cut").field("pieces", &self.ends.len()).finish_non_exhaustive()
    }
}

/// A vertex of a ring, with its place in the list that was given.
#[derive(Clone, Copy)]
struct Corner {
    point: Vec2,
    place: RingPlace,
}

/// The corners of a ring, without points repeated in a row and points between their neighbours.
fn clean(ring: Ring, points: &[Vec2]) -> Result<Vec<Corner>, ConcaveError> {
    let mut corners: Vec<Corner> = Vec::with_capacity(points.len());
    for (index, &point) in points.iter().enumerate() {
        let place = RingPlace { ring, index };
        if !point.is_finite() {
            return Err(ConcaveError::NonFinite { vertex: place, point });
        }
        if corners.last().is_none_or(|last| last.point != point) {
            corners.push(Corner { point, place });
        }
    }
    while corners.len() > 1 && corners[0].point == corners[corners.len() - 1].point {
        corners.pop();
    }
    let n = corners.len();
    if n < 3 {
        return Err(ConcaveError::TooFewVertices { ring, distinct: n });
    }
    let around = |i: usize| (corners[(i + n - 1) % n], corners[i], corners[(i + 1) % n]);
    let is_collinear = |i: usize| {
        let (a, b, c) = around(i);
        orientation(a.point, b.point, c.point) == 0.0
    };
    if (0..n).all(is_collinear) {
        return Err(ConcaveError::NoArea { ring });
    }
    let mut kept = Vec::with_capacity(n);
    for i in 0..n {
        let (before, here, after) = around(i);
        if !is_collinear(i) {
            kept.push(here);
        } else if before.point == after.point {
            return Err(ConcaveError::SharedPoint {
                vertex: before.place,
                other_vertex: after.place,
            });
        } else if is_on_segment(before.point, after.point, here.point) {
            // The outline turns back on itself.
            return Err(ConcaveError::Touching { vertex: after.place, edge: before.place });
        } else if is_on_segment(after.point, before.point, here.point) {
            return Err(ConcaveError::Touching { vertex: before.place, edge: here.place });
        }
    }
    if kept.len() < 3 {
        return Err(ConcaveError::NoArea { ring });
    }
    Ok(kept)
}

/// The winding of a simple ring without collinear corners.
fn is_clockwise(points: &[Vec2]) -> bool {
    let n = points.len();
    // At the lowest of the leftmost corners the solid lies on the inner side of the turn.
    let lowest = (0..n).min_by(|&i, &j| by_x_then_y(points[i], points[j])).unwrap_or(0);
    orientation(points[(lowest + n - 1) % n], points[lowest], points[(lowest + 1) % n]) < 0.0
}

/// The rings as seen from where all their mirror images look the same.
fn canonical(rings: &[Vec<Corner>]) -> (Image, Vec<Vec<Corner>>) {
    let mut image = Image::ITSELF;
    let seen = rings.iter().enumerate().map(|(i, ring)| {
        let mut ring = ring.clone();
        let points: Vec<Vec2> = ring.iter().map(|corner| corner.point).collect();
        if is_clockwise(&points) {
            ring.reverse();
        }
        if i == 0 {
            let points: Vec<Vec2> = ring.iter().map(|corner| corner.point).collect();
            image = Image::canonical(&points);
        }
        ring.iter_mut().for_each(|corner| corner.point = image.of(corner.point));
        if image.is_mirror() {
            ring.reverse();
        }
        begin_at_the_first(&mut ring, |corner| corner.point);
        ring
    });
    let seen = seen.collect();
    (image, seen)
}

/// A triangulation of the corners that keeps every edge of the rings.
fn triangulate(corners: &[Corner], next: &[usize]) -> Result<Triangulation, ConcaveError> {
    // A power of two, which lifts the smallest f32 into the range of spade's exact predicates.
    const LIFT: f64 = (1_u128 << 64) as f64;
    let mut triangulation = Triangulation::new();
    let mut handles = Vec::with_capacity(corners.len());
    for corner in corners {
        let point = corner.point.as_dvec2() * LIFT;
        let handle = triangulation
            .insert(Point2::new(point.x, point.y))
            .map_err(|_| ConcaveError::NotCut)?;
        if let Some(first) = corners[..handles.len()].get(handle.index()) {
            let (vertex, other_vertex) = (first.place, corner.place);
            return Err(ConcaveError::SharedPoint { vertex, other_vertex });
        }
        handles.push(handle);
    }
    for (start, &end) in next.iter().enumerate() {
        let (from, to) = (handles[start], handles[end]);
        for hit in LineIntersectionIterator::new_from_handles(&triangulation, from, to) {
            match hit {
                Intersection::VertexIntersection(vertex) => {
                    let vertex = vertex.index();
                    if vertex != start && vertex != end {
                        let (vertex, edge) = (corners[vertex].place, corners[start].place);
                        return Err(ConcaveError::Touching { vertex, edge });
                    }
                }
                Intersection::EdgeIntersection(other) if other.is_constraint_edge() => {
                    let other = ring_edge([other.from().index(), other.to().index()], next);
                    let (edge, other_edge) = (corners[other].place, corners[start].place);
                    return Err(ConcaveError::Crossing { edge, other_edge });
                }
                Intersection::EdgeIntersection(_) | Intersection::EdgeOverlap(_) => {}
            }
        }
        if triangulation.try_add_constraint(from, to).len() != 1 {
            return Err(ConcaveError::NotCut);
        }
    }
    Ok(triangulation)
}

/// The first corner of the ring's edge between two corners.
fn ring_edge([a, b]: [usize; 2], next: &[usize]) -> usize {
    if next[a] == b { a } else { b }
}

/// Where a triangle lies.
#[derive(Clone, Copy, PartialEq)]
enum Region {
    Outside,
    Solid,
    Hole(usize),
}

impl Region {
    /// What lies behind an edge of `ring`.
    fn behind(self, ring: Ring) -> Result<Self, ConcaveError> {
        match (self, ring) {
            (Self::Outside, Ring::Outline) => Ok(Self::Solid),
            (Self::Solid, Ring::Outline) => Ok(Self::Outside),
            (Self::Solid, Ring::Hole(hole)) => Ok(Self::Hole(hole)),
            (Self::Hole(hole), Ring::Hole(other)) if hole == other => Ok(Self::Solid),
            (Self::Hole(other), Ring::Hole(hole)) => Err(ConcaveError::HoleInHole { hole, other }),
            (Self::Outside, Ring::Hole(hole)) | (Self::Hole(hole), Ring::Outline) => {
                Err(ConcaveError::HoleOutside { hole })
            }
        }
    }
}

/// Directed edges, each with the piece to its left.
struct Mesh {
    corners: Vec<Corner>,
    /// Index of the corner each starts at.
    from: Vec<usize>,
    /// The edges after and before it around its piece, and the same edge the other way.
    next: Vec<usize>,
    previous: Vec<usize>,
    twin: Vec<usize>,
    /// Whether it belongs to a ring.
    is_border: Vec<bool>,
    /// Whether a piece of the solid lies to its left.
    is_solid: Vec<bool>,
}

impl Mesh {
    /// The pieces of the solid with these rings.
    fn of_rings(rings: &[Vec<Corner>]) -> Result<Self, ConcaveError> {
        let corners = rings.concat();
        // Index of the corner after each.
        let mut next: Vec<usize> = (1..=corners.len()).collect();
        let mut start = 0;
        for ring in rings {
            next[start + ring.len() - 1] = start;
            start += ring.len();
        }
        let triangulation = triangulate(&corners, &next)?;
        let mut mesh = Self::new(&triangulation, corners, &next)?;
        let triangles = mesh.is_solid.iter().filter(|&&is_solid| is_solid).count() / 3;
        if triangles + 2 != mesh.corners.len() + 2 * (rings.len() - 1) {
            return Err(ConcaveError::NotCut);
        }
        mesh.merge();
        Ok(mesh)
    }

    fn new(
        triangulation: &Triangulation,
        corners: Vec<Corner>,
        next_corner: &[usize],
    ) -> Result<Self, ConcaveError> {
        let edges = || triangulation.directed_edges();
        let mut mesh = Self {
            corners,
            from: edges().map(|edge| edge.from().index()).collect(),
            next: edges().map(|edge| edge.next().index()).collect(),
            previous: edges().map(|edge| edge.prev().index()).collect(),
            twin: edges().map(|edge| edge.rev().index()).collect(),
            is_border: edges().map(|edge| edge.is_constraint_edge()).collect(),
            is_solid: Vec::new(),
        };

        // From outside inwards: what lies behind an edge follows from the ring it belongs to.
        let mut regions: Vec<Option<Region>> =
            edges().map(|edge| edge.face().is_outer().then_some(Region::Outside)).collect();
        let mut open: Vec<usize> = (0..regions.len()).filter(|&e| regions[e].is_some()).collect();
        while let Some(edge) = open.pop() {
            let twin = mesh.twin[edge];
            let (Some(mut region), None) = (regions[edge], regions[twin]) else { continue };
            if mesh.is_border[edge] {
                let start = ring_edge([mesh.from[edge], mesh.from[twin]], next_corner);
                region = region.behind(mesh.corners[start].place.ring)?;
            }
            for side in [twin, mesh.next[twin], mesh.previous[twin]] {
                regions[side] = Some(region);
                open.push(side);
            }
        }
        mesh.is_solid = regions.iter().map(|region| *region == Some(Region::Solid)).collect();
        Ok(mesh)
    }

    /// Leaves out every inner edge without which both pieces beside it make one convex piece.
    fn merge(&mut self) {
        let points: Vec<Vec2> = self.corners.iter().map(|corner| corner.point).collect();
        let point = |corner: usize| points[corner];
        let mut seams: Vec<(f64, usize)> = (0..self.from.len())
            .filter(|&e| e < self.twin[e] && self.is_solid[e] && !self.is_border[e])
            .map(|e| {
                let (start, end) = (point(self.from[e]), point(self.from[self.twin[e]]));
                (start.as_dvec2().distance_squared(end.as_dvec2()), e)
            })
            .collect();
        seams.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (_, edge) in seams {
            // The corner that is left at the start of an edge, if that edge goes.
            let stays_convex = |edge: usize| {
                let (before, after) = (self.previous[edge], self.next[self.twin[edge]]);
                let end = self.from[self.next[after]];
                let corner = [self.from[before], self.from[edge], end].map(point);
                orientation(corner[0], corner[1], corner[2]) >= 0.0
            };
            let twin = self.twin[edge];
            if stays_convex(edge) && stays_convex(twin) {
                for (here, there) in [(edge, twin), (twin, edge)] {
                    let (before, after) = (self.previous[here], self.next[there]);
                    self.next[before] = after;
                    self.previous[after] = before;
                }
                self.is_solid[edge] = false;
                self.is_solid[twin] = false;
            }
        }
    }

    /// Walks around each piece, and writes it as it is in the plane that `image` shows.
    fn write_pieces(mut self, image: Image, cut: &mut Cut) {
        for first in 0..self.from.len() {
            let mut piece: Vec<(Vec2, bool)> = Vec::new();
            let mut edge = first;
            while self.is_solid[edge] {
                self.is_solid[edge] = false;
                // In a mirror the edge before a corner is the one that starts there.
                let edge_there = if image.is_mirror() { self.previous[edge] } else { edge };
                let point = self.corners[self.from[edge]].point;
                piece.push((image.back(point), !self.is_border[edge_there]));
                edge = self.next[edge];
            }
            if piece.is_empty() {
                continue;
            }
            if image.is_mirror() {
                piece.reverse();
            }
            // Begin at a corner that surely is one, not amid a straight run.
            begin_at_the_first(&mut piece, |corner| corner.0);
            let (corners, seams): (Vec<_>, Vec<_>) = piece.into_iter().unzip();
            cut.corners.extend(corners);
            cut.seams.extend(seams);
            cut.ends.push(cut.corners.len());
        }
    }
}
