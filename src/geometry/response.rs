//! What a velocity becomes at a contact.

use bevy::math::Vec2;

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
/// # Cost
/// O(n²) for n normals.
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
    // In the plane the answer is the velocity itself, its projection on one surface, or 0.
    let rounding = -1e-6 * velocity.length();
    let is_free = |candidate: Vec2| normals.iter().all(|normal| candidate.dot(*normal) >= rounding);
    if is_free(velocity) {
        return velocity;
    }
    normals
        .iter()
        .map(|&normal| slide(velocity, normal))
        .filter(|&candidate| is_free(candidate))
        .min_by(|p, q| p.distance_squared(velocity).total_cmp(&q.distance_squared(velocity)))
        .unwrap_or(Vec2::ZERO)
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
