//! What a velocity becomes at a contact.

use bevy::math::Vec2;

use super::half_planes::{HalfPlane, nearest_in_half_planes};

/// Removes the part of a velocity that points into a surface, so that the rest slides along it.
///
/// `normal` is the unit normal of the surface, pointing away from it, such as
/// [`CollisionEvent::normal_for`](crate::CollisionEvent::normal_for) gives for the moving entity.
/// A velocity that leaves the surface stays as it is.
///
/// ```
/// use bevy::math::Vec2;
/// use bevy_nudge::geometry::slide;
/// let floor = Vec2::Y;
/// assert_eq!(slide(Vec2::new(3.0, -2.0), floor), Vec2::new(3.0, 0.0));
/// assert_eq!(slide(Vec2::new(3.0, 2.0), floor), Vec2::new(3.0, 2.0));
/// ```
#[must_use]
pub fn slide(velocity: Vec2, normal: Vec2) -> Vec2 {
    velocity - normal * velocity.dot(normal).min(0.0)
}

/// Slides a velocity along several surfaces at once: the velocity nearest to it that points into
/// none of them. In a corner that is 0.
///
/// The order of the normals does not matter.
///
/// ```
/// use bevy::math::Vec2;
/// use bevy_nudge::geometry::slide_all;
/// let corner = [Vec2::Y, Vec2::X];
/// assert_eq!(slide_all(Vec2::new(-3.0, -2.0), &corner), Vec2::ZERO);
/// assert_eq!(slide_all(Vec2::new(3.0, -2.0), &corner), Vec2::new(3.0, 0.0));
/// ```
#[must_use]
pub fn slide_all(velocity: Vec2, normals: &[Vec2]) -> Vec2 {
    let half_planes =
        normals.iter().map(|normal| HalfPlane { normal: normal.as_dvec2(), height: 0.0 });
    // Normals are rounded, and so are sums of them with a velocity that already slides.
    let rounding = 1e-6 * f64::from(velocity.length());
    nearest_in_half_planes(velocity.as_dvec2(), half_planes, rounding)
        .map_or(Vec2::ZERO, |slid| slid.as_vec2())
}

/// Reflects a velocity off a surface with unit normal `normal`, keeping the share `restitution`
/// (0 to 1) of its speed into the surface. A velocity that leaves the surface stays as it is.
///
/// ```
/// use bevy::math::Vec2;
/// use bevy_nudge::geometry::bounce;
/// assert_eq!(bounce(Vec2::new(3.0, -2.0), Vec2::Y, 1.0), Vec2::new(3.0, 2.0));
/// assert_eq!(bounce(Vec2::new(3.0, -2.0), Vec2::Y, 0.5), Vec2::new(3.0, 1.0));
/// ```
#[must_use]
pub fn bounce(velocity: Vec2, normal: Vec2, restitution: f32) -> Vec2 {
    velocity - normal * (velocity.dot(normal).min(0.0) * (1.0 + restitution))
}
