//! Points against shapes.

use bevy::math::Vec2;
use bevy::reflect::Reflect;

use super::placed::PlacedShape;
use super::touch::Touch;

/// How a point lies to a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Reflect)]
#[reflect(Clone, PartialEq, Debug)]
pub enum PointLocation {
    /// Inside, farther from the boundary than the tolerance.
    Inside,
    /// On the boundary, within the tolerance.
    Boundary,
    /// Outside.
    Outside,
}

/// The places of a shape nearest to a point, all in world space.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, PartialEq, Debug)]
pub struct PointProjection {
    /// Distance to the boundary, negative inside.
    pub signed_distance: f32,
    /// The nearest point of the solid shape: the point itself unless it lies outside.
    pub nearest: Vec2,
    /// The nearest point of the boundary.
    pub on_boundary: Vec2,
    /// Outward unit normal at the nearest point of the boundary.
    pub normal: Vec2,
}

/// Tells whether a point lies inside, on the boundary or outside.
#[must_use]
pub fn locate_point(shape: &PlacedShape, point: Vec2, touch: impl Into<Touch>) -> PointLocation {
    let (_, _, _) = (shape, point, touch.into());
    PointLocation::Outside
}

/// Whether a point belongs to a shape; on the boundary as the touching rule says.
#[must_use]
pub fn contains_point(shape: &PlacedShape, point: Vec2, touch: impl Into<Touch>) -> bool {
    let (_, _, _) = (shape, point, touch.into());
    false
}

/// Finds the places of a shape nearest to a point.
#[must_use]
pub fn project_point(shape: &PlacedShape, point: Vec2) -> PointProjection {
    let _ = (shape, point);
    PointProjection { signed_distance: 0.0, nearest: point, on_boundary: point, normal: Vec2::X }
}
