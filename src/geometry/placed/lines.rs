//! Placed shapes as lines, for drawing and for panels.

use bevy::math::Vec2;

use super::{Edge, Outline, PlacedShape};

impl PlacedShape {
    /// The straight sides of a box or polygon, counter-clockwise; none for a circle. A segment has
    /// four, two of them of no length, at its ends. Those of a rounded polygon lie apart, with an
    /// arc from the end of each to the start of the next. A concave or compound shape has those of
    /// its [`pieces`](Self::pieces) only.
    pub fn edges(&self) -> impl Iterator<Item = Edge> {
        let polygon = self.as_polygon();
        let count = polygon.as_ref().map_or(0, |polygon| polygon.vertices().len());
        (0..count).filter_map(move |i| {
            let polygon = polygon.as_ref()?;
            let end = (i + 1) % count;
            let normal = polygon.normals()[i];
            let side = self.origin + normal * self.radius;
            Some(Edge {
                start: side + polygon.vertices()[i],
                end: side + polygon.vertices()[end],
                normal,
            })
        })
    }

    /// The convex pieces in world space, whose union is the shape; of a convex shape itself.
    ///
    /// Each is a copy with a rounded place of its own: for looking at, while tests of the whole
    /// use the pieces where they exactly are.
    pub fn pieces(&self) -> impl Iterator<Item = Self> {
        self.parts().map(|(part, offset)| {
            let origin = (self.origin.as_dvec2() + offset).as_vec2();
            Self { origin, ..part.clone() }
        })
    }

    /// The closed lines that bound the shape, in world space, each as its points in order. Arcs
    /// come as lines with `sides` of them to a full circle.
    ///
    /// Of a concave shape these are the outline and the holes, without the seams between pieces;
    /// of a compound those of all parts.
    #[must_use]
    pub fn outlines(&self, sides: usize) -> Vec<Vec<Vec2>> {
        let Outline::Pieces(pieces) = &self.outline else { return vec![self.ring(sides)] };
        let rings = pieces.rings.iter().map(|ring| ring.iter().map(|v| self.origin + v).collect());
        let round = self.pieces().filter(|piece| piece.radius > 0.0).map(|piece| piece.ring(sides));
        rings.chain(round).collect()
    }

    /// The one outline of a convex shape.
    fn ring(&self, sides: usize) -> Vec<Vec2> {
        let arc = |center: Vec2, from: Vec2, to: Vec2| {
            let angle = from.angle_to(to).rem_euclid(core::f32::consts::TAU);
            let count = (angle / core::f32::consts::TAU * sides as f32).ceil().max(1.0) as usize;
            (0..=count).map(move |i| {
                let turn = Vec2::from_angle(angle * i as f32 / count as f32);
                center + turn.rotate(from) * self.radius
            })
        };
        let Some(polygon) = self.as_polygon() else {
            let step = core::f32::consts::TAU / sides.max(3) as f32;
            let points = (0..sides.max(3)).map(|i| Vec2::from_angle(step * i as f32));
            return points.map(|point| self.origin + point * self.radius).collect();
        };
        if self.radius == 0.0 {
            return polygon.vertices().iter().map(|v| self.origin + v).collect();
        }
        let (vertices, normals) = (polygon.vertices(), polygon.normals());
        let n = vertices.len();
        let corners =
            (0..n).map(|i| (self.origin + vertices[i], normals[(i + n - 1) % n], normals[i]));
        corners.flat_map(|(corner, before, after)| arc(corner, before, after)).collect()
    }
}
