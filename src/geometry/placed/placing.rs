//! Scale, mirroring, shear: a local shape becomes a placed one.

use bevy::math::{Affine2, DVec2, Mat2, Vec2};

use super::{Outline, Pieces, PlacedShape, PlacementError, bounds_of};
use crate::geometry::compound::Compound;
use crate::geometry::concave::ConcavePolygon;
use crate::geometry::convex::is_upper;
use crate::geometry::polygon::ConvexPolygon;
use crate::geometry::scratch::ScratchList;
use crate::geometry::shape::{Aabb, Circle, Shape, ShapeError};

impl PlacedShape {
    /// Places a shape that is known to be sound, and keeps the buffers of the one it replaces.
    pub(crate) fn place(&mut self, shape: &Shape, pose: Affine2) -> Result<(), PlacementError> {
        if !pose.is_finite() {
            return Err(PlacementError::NonFinitePose);
        }
        let (x_axis, y_axis) = (pose.matrix2.x_axis.as_dvec2(), pose.matrix2.y_axis.as_dvec2());
        let area = x_axis.perp_dot(y_axis);
        // Compared in squares: no square root, and none of them overflows in double precision.
        if area * area <= 1e-14 * x_axis.length_squared() * y_axis.length_squared() {
            return Err(PlacementError::SingularPose);
        }
        self.stretched_radius = false;
        self.radius = 0.0;
        match shape {
            Shape::Circle(circle) => self.place_circle(circle, pose),
            Shape::Aabb(aabb) => self.place_aabb(aabb, pose),
            Shape::ConvexPolygon(polygon) => self.place_polygon(polygon, pose),
            Shape::Concave(polygon) => self.place_concave(polygon, pose)?,
            Shape::Compound(compound) => self.place_compound(compound, pose)?,
        }
        self.check_range()
    }

    fn place_circle(&mut self, circle: &Circle, pose: Affine2) {
        self.place_radius(circle.radius, pose);
        self.origin = pose.transform_point2(circle.center);
        self.extent = self.radius;
        self.outline = Outline::Point;
    }

    /// The radius of a circle or rounded polygon under the larger axis of the map.
    fn place_radius(&mut self, radius: f32, pose: Affine2) {
        // Most colliders are not turned or scaled at all.
        let is_plain = pose.matrix2 == Mat2::IDENTITY || radius == 0.0;
        let (larger, smaller) = if is_plain { (1.0, 1.0) } else { semi_axes(pose) };
        self.radius = (larger * f64::from(radius)) as f32;
        // Rotations come as rounded quaternions, so the axes of a turned circle differ a little.
        self.stretched_radius = radius > 0.0 && smaller < larger * (1.0 - 1e-3);
    }

    fn place_aabb(&mut self, aabb: &Aabb, pose: Affine2) {
        let center = aabb.center();
        // In double precision, where the squares of small and large scales stay in range.
        let (x_axis, y_axis) = (pose.matrix2.x_axis.as_dvec2(), pose.matrix2.y_axis.as_dvec2());
        let scale = DVec2::new(x_axis.length(), y_axis.length());
        let corner = |corner: Vec2| ((corner - center).as_dvec2() * scale).as_vec2();
        let (min, max) = (corner(aabb.min), corner(aabb.max));
        self.origin = pose.transform_point2(center);
        self.extent = max.max(-min).max_element();
        self.outline = Outline::Aabb { min, max };
    }

    fn place_polygon(&mut self, polygon: &ConvexPolygon, pose: Affine2) {
        let center = center_of(polygon.vertices());
        self.place_vertices(polygon.vertices(), center, pose.matrix2, 0.0);
        self.place_radius(polygon.radius(), pose);
        self.extent += self.radius;
        self.origin = pose.transform_point2(center);
    }

    /// Makes the outline that of these vertices under a linear map, relative to `center`. Corners
    /// that stick out or in by no more than `flat` world units are left out.
    fn place_vertices(&mut self, vertices: &[Vec2], center: Vec2, matrix: Mat2, flat: f32) {
        let mut corners = match &mut self.outline {
            Outline::Polygon(corners) => core::mem::take(corners),
            _ => Vec::new(),
        };
        corners.clear();
        let place = |&vertex: &Vec2| matrix * (vertex - center);
        match vertices {
            // Rectangle of no width: see `Outline::Polygon`.
            [a, b] => corners.extend([a, b, b, a].map(place)),
            vertices if matrix.determinant() < 0.0 => {
                corners.extend(vertices.iter().rev().map(place));
            }
            vertices => corners.extend(vertices.iter().map(place)),
        }
        if flat > 0.0 {
            drop_flat_corners(&mut corners, f64::from(flat));
        }
        self.extent = extent_of(&corners);
        if vertices.len() > 2 && !is_convex(&corners) {
            take_hull(&mut corners);
        }
        push_normals(&mut corners, vertices.len() == 2);
        if vertices.len() > 2 {
            flatten(&mut corners);
        }
        if corners.iter().any(|corner| !corner.is_finite()) {
            self.extent = f32::NAN;
        }
        self.outline = Outline::Polygon(corners);
    }

    /// The pieces to be placed anew, with their buffers.
    fn take_pieces(&mut self) -> Box<Pieces> {
        // A box of nothing would be an allocation too.
        match core::mem::replace(&mut self.outline, Outline::Point) {
            Outline::Pieces(pieces) => pieces,
            _ => Box::default(),
        }
    }

    fn place_concave(&mut self, polygon: &ConcavePolygon, pose: Affine2) -> Result<(), ShapeError> {
        let mut pieces = self.take_pieces();
        if !pieces.cut.is_made_from(polygon.outline(), polygon.holes()) {
            pieces.cut = polygon.cut()?;
        }
        // The pieces share the origin of the whole, so that their common corners stay common.
        let center = center_of(polygon.outline());
        let solid = pieces.cut.solid();
        let rings = core::iter::once(&solid.outline).chain(&solid.holes);
        for (i, ring) in rings.clone().enumerate() {
            let placed = ring.iter().map(|&v| pose.matrix2 * (v - center));
            write_ring(&mut pieces.rings, i, placed);
        }
        pieces.rings.truncate(rings.count());
        self.extent = extent_of(&pieces.rings[0]);
        // Pieces list corners of their neighbours amid their sides. Placing rounds these into or out
        // of the line, and the normals of such short sides would point anywhere.
        let flat = 2.0 * f32::EPSILON * self.extent;
        pieces.list.resize(pieces.cut.piece_count(), Self::point(Vec2::ZERO));
        for (placed, piece) in pieces.list.iter_mut().zip(pieces.cut.pieces()) {
            placed.place_vertices(piece.corners, center, pose.matrix2, flat);
            placed.origin = Vec2::ZERO;
            // It may have been a round part of a compound.
            placed.radius = 0.0;
        }
        // A piece that rounding has closed to a point has no normals, and holds nothing that its
        // neighbours do not.
        if pieces.list.iter().any(|piece| !piece.is_closed()) {
            pieces.list.retain(|piece| !piece.is_closed());
        }
        for piece in &pieces.list {
            self.extent = larger_or_nan(self.extent, piece.extent);
        }
        self.origin = pose.transform_point2(center);
        self.outline = Outline::Pieces(pieces);
        Ok(())
    }

    fn place_compound(&mut self, compound: &Compound, pose: Affine2) -> Result<(), PlacementError> {
        let mut taken = self.take_pieces();
        let pieces = &mut *taken;
        let (mut list, mut rings) = (0, 0);
        self.extent = 0.0;
        let linear = Affine2::from_mat2(pose.matrix2);
        pieces.parts.resize(compound.parts().len(), Self::point(Vec2::ZERO));
        for (whole, part) in pieces.parts.iter_mut().zip(compound.parts()) {
            whole.place(&part.shape, linear * part.pose())?;
            let place = whole.origin;
            let reach = place.abs().max_element() + whole.extent;
            self.extent = larger_or_nan(self.extent, reach);
            self.stretched_radius |= whole.stretched_radius;
            let own = match &whole.outline {
                Outline::Pieces(own) => {
                    for ring in &own.rings {
                        write_ring(&mut pieces.rings, rings, ring.iter().map(|v| v + place));
                        rings += 1;
                    }
                    &own.list[..]
                }
                _ => {
                    if let Some(polygon) = whole.as_polygon().filter(|_| whole.radius == 0.0) {
                        let corners = polygon.vertices().iter().map(|v| v + place);
                        write_ring(&mut pieces.rings, rings, corners);
                        rings += 1;
                    }
                    core::slice::from_ref(&*whole)
                }
            };
            let is_nested = !whole.is_convex();
            for piece in own {
                if list == pieces.list.len() {
                    pieces.list.push(Self::point(Vec2::ZERO));
                }
                pieces.list[list].copy_convex(piece);
                if is_nested {
                    pieces.list[list].origin += place;
                }
                list += 1;
            }
        }
        pieces.list.truncate(list);
        pieces.rings.truncate(rings);
        self.origin = pose.translation;
        self.outline = Outline::Pieces(taken);
        Ok(())
    }

    /// Whether it is a polygon of which all corners are at one place.
    fn is_closed(&self) -> bool {
        let Outline::Polygon(corners) = &self.outline else { return false };
        let vertices = &corners[..corners.len() / 2];
        vertices.iter().all(|corner| *corner == vertices[0])
    }

    /// Becomes a copy of a convex shape, in its own buffers.
    fn copy_convex(&mut self, other: &Self) {
        let outline = match (&mut self.outline, &other.outline) {
            (Outline::Polygon(own), Outline::Polygon(corners)) => {
                let mut own = core::mem::take(own);
                own.clear();
                own.extend_from_slice(corners);
                Outline::Polygon(own)
            }
            (_, outline) => outline.clone(),
        };
        *self = Self { outline, ..*other };
    }
}

impl Shape {
    /// The local point whose place in the world is the origin of the placed shape.
    pub(crate) fn reference_point(&self) -> Vec2 {
        match self {
            Self::Circle(circle) => circle.center,
            Self::Aabb(aabb) => aabb.center(),
            Self::ConvexPolygon(polygon) => center_of(polygon.vertices()),
            Self::Concave(polygon) => center_of(polygon.outline()),
            Self::Compound(_) => Vec2::ZERO,
        }
    }
}

/// Whether the corners of a ring, counter-clockwise, still turn to the left all the way, once around.
/// Some may be at one place.
fn is_convex(corners: &[Vec2]) -> bool {
    let Some(&last) = corners.iter().rev().find(|corner| **corner != corners[0]) else {
        return true;
    };
    let mut before = corners[0].as_dvec2() - last.as_dvec2();
    let mut changes = 0;
    for (i, corner) in corners.iter().enumerate() {
        let next = corners.get(i + 1).unwrap_or(&corners[0]);
        if next == corner {
            continue;
        }
        let edge = next.as_dvec2() - corner.as_dvec2();
        if before.perp_dot(edge) < 0.0 {
            return false;
        }
        changes += u32::from(is_upper(before) != is_upper(edge));
        before = edge;
    }
    changes == 2
}

/// Makes a polygon convex again that rounding has dented: a short side between far corners may turn
/// to any direction, and its line then cuts off what lies beyond it.
///
/// Andrew's monotone chain (1979).
fn take_hull(corners: &mut Vec<Vec2>) {
    let mut sorted: ScratchList<[Vec2; 16]> = corners.iter().copied().collect();
    sorted.sort_unstable_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
    sorted.dedup();
    if sorted.len() < 3 {
        return;
    }
    let turns_left = |hull: &[Vec2], next: Vec2| match hull {
        [.., a, b] => {
            let b = b.as_dvec2();
            (b - a.as_dvec2()).perp_dot(next.as_dvec2() - b) > 0.0
        }
        _ => true,
    };
    corners.clear();
    for &corner in sorted.iter() {
        while !turns_left(corners, corner) {
            corners.pop();
        }
        corners.push(corner);
    }
    let lower = corners.len() - 1;
    for &corner in sorted.iter().rev().skip(1) {
        while !turns_left(&corners[lower..], corner) {
            corners.pop();
        }
        corners.push(corner);
    }
    corners.pop();
}

/// Makes a segment of a polygon without any width, as rounding can make of a thin one: all its normals
/// are across, and none would part it from what lies far away along its line.
fn flatten(corners: &mut Vec<Vec2>) {
    let n = corners.len() / 2;
    let across = corners[n];
    if corners[n..].iter().any(|normal| *normal != across && *normal != -across) {
        return;
    }
    let along = |corner: &Vec2| across.perp().as_dvec2().dot(corner.as_dvec2());
    let by_place = |a: &&Vec2, b: &&Vec2| along(a).total_cmp(&along(b));
    let ends = (corners[..n].iter().min_by(by_place), corners[..n].iter().max_by(by_place));
    if let (Some(&a), Some(&b)) = ends {
        corners.clear();
        corners.extend([a, b, b, a]);
        push_normals(corners, true);
    }
}

/// Appends the outward normal of each edge, computed from the placed edge itself: normals sent
/// through the map would be wrong under an unequal scale.
///
/// An edge that rounding has closed takes the normal of the edge before it. The two ends of a
/// segment, edges of no length by design, get the directions along it.
pub(super) fn push_normals(corners: &mut Vec<Vec2>, is_segment: bool) {
    let n = corners.len();
    for i in 0..n {
        let edge = |i: usize| corners[(i + 1) % n].as_dvec2() - corners[i % n].as_dvec2();
        let normal = if edge(i) != DVec2::ZERO {
            outward(edge(i))
        } else if is_segment {
            // Along the segment, away from it.
            outward(edge(i + n - 1).perp())
        } else {
            let open = (1..n).map(|back| edge(i + n - back)).find(|&edge| edge != DVec2::ZERO);
            open.map_or(Vec2::NAN, outward)
        };
        corners.push(normal);
    }
}

/// Writes the ring at an index that is in use or the next one, in the buffer that was there.
fn write_ring(rings: &mut Vec<Vec<Vec2>>, index: usize, points: impl Iterator<Item = Vec2>) {
    if index == rings.len() {
        rings.push(Vec::new());
    }
    rings[index].clear();
    rings[index].extend(points);
}

/// The largest coordinate; NaN if there is one.
pub(super) fn extent_of(points: &[Vec2]) -> f32 {
    points.iter().fold(0.0, |extent, v| larger_or_nan(extent, v.abs().max_element()))
}

/// Drops corners that lie on the line between their neighbours, up to `flat` to either side. A
/// polygon that would vanish stays as it is.
fn drop_flat_corners(corners: &mut Vec<Vec2>, flat: f64) {
    let mut kept: ScratchList<[Vec2; 16]> = ScratchList::new();
    let last = corners[corners.len() - 1];
    for (i, &corner) in corners.iter().enumerate() {
        let before = kept.last().copied().unwrap_or(last);
        let after = corners.get(i + 1).or(kept.first()).copied().unwrap_or(corners[0]);
        let base = after.as_dvec2() - before.as_dvec2();
        let out = base.perp_dot(corner.as_dvec2() - before.as_dvec2());
        if out.abs() > flat * base.length() {
            kept.push(corner);
        }
    }
    if kept.len() >= 3 {
        corners.clear();
        corners.extend_from_slice(&kept);
    }
}

/// The larger of two numbers; NaN if one is.
fn larger_or_nan(a: f32, b: f32) -> f32 {
    // `max` would drop a NaN.
    if a.is_nan() || b.is_nan() { f32::NAN } else { a.max(b) }
}

/// The middle of the bounds of a polygon, in its local space.
fn center_of(vertices: &[Vec2]) -> Vec2 {
    let (min, max) = bounds_of(vertices);
    min * 0.5 + max * 0.5
}

/// The unit normal to the right of a counter-clockwise edge.
fn outward(edge: DVec2) -> Vec2 {
    let normal = DVec2::new(edge.y, -edge.x) / edge.length();
    normal.as_vec2()
}

/// The larger and the smaller semi-axis of the ellipse that a map makes of the unit circle.
fn semi_axes(pose: Affine2) -> (f64, f64) {
    let (x, y) = (pose.matrix2.x_axis.as_dvec2(), pose.matrix2.y_axis.as_dvec2());
    let mean = 0.5 * (x.length_squared() + y.length_squared());
    let half_difference = 0.5 * (x.length_squared() - y.length_squared());
    let radius = (half_difference * half_difference + x.dot(y) * x.dot(y)).sqrt();
    ((mean + radius).sqrt(), (mean - radius).max(0.0).sqrt())
}
