//! Draws what a game asked of space and what it was told: rays, moving shapes, distances.

use bevy::prelude::*;

use crate::geometry::{Impact, PlacedShape, Ray, RayHit, Separation};

use super::CIRCLE_RESOLUTION;

/// How a question and its answer are drawn.
///
/// The colours are bright, for a dark background.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnswerStyle {
    /// What was asked: the ray, the shape at its start, the way. Default: a pale violet.
    pub question_color: Color,
    /// What was found: the hit and its normal, the shape at its impact, the distance. Default:
    /// green.
    pub answer_color: Color,
    /// Length of a normal in world units; other marks are a part of it. Default: 24.
    pub mark_size: f32,
}

impl Default for AnswerStyle {
    fn default() -> Self {
        Self {
            question_color: Color::srgb(0.72, 0.66, 1.0),
            answer_color: Color::srgb(0.45, 0.95, 0.5),
            mark_size: 24.0,
        }
    }
}

/// How long a ray without end is drawn that hits nothing, in world units.
const LONGEST_LINE: f32 = 1e6;

/// Draws a ray from its origin to its hit, with a cross at the hit and the normal there as an
/// arrow; without a hit to its end, or 1,000,000 world units far if it has none.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_nudge::debug_draw::{AnswerStyle, CollisionGizmos, draw_ray};
/// use bevy_nudge::geometry::Ray;
/// use bevy_nudge::prelude::*;
///
/// fn look(colliders: CollisionQuery, mut gizmos: Gizmos<CollisionGizmos>) {
///     let Ok(ray) = Ray::new(Vec2::ZERO, Vec2::X) else { return };
///     let hit = colliders.cast_ray(&ray, &CollisionFilter::new()).map(|(_, hit)| hit);
///     draw_ray(&mut gizmos, &ray, hit.as_ref(), &AnswerStyle::default());
/// }
/// ```
pub fn draw_ray<Group: GizmoConfigGroup>(
    gizmos: &mut Gizmos<Group>,
    ray: &Ray,
    hit: Option<&RayHit>,
    style: &AnswerStyle,
) {
    let end = hit.map_or_else(|| ray.at(ray.length().min(LONGEST_LINE)), |hit| hit.point);
    draw_point(gizmos, ray.origin(), style.question_color, style);
    gizmos.line_2d(ray.origin(), end, style.question_color);
    if let Some(hit) = hit {
        draw_hit(gizmos, hit.point, hit.normal, style);
    }
}

/// Draws a shape that was moved by `displacement`, as [`sweep`](crate::geometry::sweep) and
/// [`CollisionQuery::cast_shape`](crate::CollisionQuery::cast_shape) see it: its outline at the
/// start and at the impact, the lines that bound the way between, the point of impact and the
/// normal there. Without an impact the way goes on to its end.
pub fn draw_shape_cast<Group: GizmoConfigGroup>(
    gizmos: &mut Gizmos<Group>,
    shape: &PlacedShape,
    displacement: Vec2,
    impact: Option<&Impact>,
    style: &AnswerStyle,
) {
    let displacement = if displacement.is_finite() { displacement } else { Vec2::ZERO };
    let way = displacement * impact.map_or(1.0, |impact| impact.time);
    let end_color = if impact.is_some() { style.answer_color } else { style.question_color };
    let outlines = shape.outlines(CIRCLE_RESOLUTION);
    for outline in &outlines {
        gizmos.lineloop_2d(outline.iter().copied(), style.question_color);
        gizmos.lineloop_2d(outline.iter().map(|point| point + way), end_color);
    }
    // The outermost points to either side of the way.
    let side = |point: &Vec2| displacement.perp_dot(point - shape.origin());
    let points = || outlines.iter().flatten().copied();
    let ends = [
        points().min_by(|a, b| side(a).total_cmp(&side(b))),
        points().max_by(|a, b| side(a).total_cmp(&side(b))),
    ];
    for start in ends.into_iter().flatten() {
        gizmos.line_2d(start, start + way, style.question_color);
    }
    if let Some(impact) = impact {
        draw_hit(gizmos, impact.point, impact.normal, style);
    }
}

/// Draws the distance of two shapes that are apart: their nearest points and the line between. Of
/// shapes that overlap, the deepest points and the depth.
pub fn draw_separation<Group: GizmoConfigGroup>(
    gizmos: &mut Gizmos<Group>,
    separation: &Separation,
    style: &AnswerStyle,
) {
    gizmos.line_2d(separation.point_a, separation.point_b, style.answer_color);
    for point in [separation.point_a, separation.point_b] {
        draw_point(gizmos, point, style.answer_color, style);
    }
}

/// A cross at a hit, and its normal.
fn draw_hit<Group: GizmoConfigGroup>(
    gizmos: &mut Gizmos<Group>,
    point: Vec2,
    normal: Vec2,
    style: &AnswerStyle,
) {
    draw_cross(gizmos, point, normal * (style.mark_size * 0.3), style.answer_color);
    let tip = point + normal * style.mark_size;
    gizmos.arrow_2d(point, tip, style.answer_color).with_tip_length(style.mark_size * 0.3);
}

fn draw_point<Group: GizmoConfigGroup>(
    gizmos: &mut Gizmos<Group>,
    point: Vec2,
    color: Color,
    style: &AnswerStyle,
) {
    gizmos.circle_2d(point, style.mark_size * 0.15, color).resolution(16);
}

/// Two lines through a point, both at 45 degrees to `arm`, so that no arrow along it hides one.
pub(super) fn draw_cross<Group: GizmoConfigGroup>(
    gizmos: &mut Gizmos<Group>,
    point: Vec2,
    arm: Vec2,
    color: Color,
) {
    let arm = (arm + arm.perp()) * core::f32::consts::FRAC_1_SQRT_2;
    for arm in [arm, arm.perp()] {
        gizmos.line_2d(point - arm, point + arm, color);
    }
}
