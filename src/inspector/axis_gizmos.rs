//! The axis in sight, drawn in the scene: the shadows of both shapes, the lines that cast them, and
//! the side that the axis belongs to.

use bevy::prelude::*;

use crate::geometry::{AxisSource, ExplainedAxis, Interval, PlacedShape, Relation, separation};

use super::scene::{COLOR_A, COLOR_B, InspectorGizmos};

/// Draws an axis of two convex shapes beside them.
pub(super) fn draw_axis(
    gizmos: &mut Gizmos<InspectorGizmos>,
    [a, b]: [&PlacedShape; 2],
    axis: &ExplainedAxis,
) {
    let normal = axis.normal;
    let side = normal.perp();
    let base = a.origin();
    let outlines = [a, b].map(|shape| shape.outlines(64));
    let size = a.extent().max(b.extent());
    let size = if size > 0.0 { size } else { 1.0 };
    // The bars stand on the side of the lower end, clear of both shapes.
    let points = || outlines.iter().flatten().flatten();
    let lowest = points().map(|point| side.dot(point - base)).fold(f32::MAX, f32::min);
    let height = lowest - 0.2 * size;
    let at = |along: f64, height: f32| base + normal * along as f32 + side * height;

    let thickness = 0.05 * size;
    let rows = [
        (COLOR_A, axis.projections[0], height),
        (COLOR_B, axis.projections[1], height - 2.0 * thickness),
    ];
    for ((color, Interval { min, max }, height), outline) in rows.into_iter().zip(&outlines) {
        let bar = [
            at(min, height),
            at(max, height),
            at(max, height - thickness),
            at(min, height - thickness),
        ];
        gizmos.lineloop_2d(bar, color);
        gizmos.line_2d(at(min, height - 0.5 * thickness), at(max, height - 0.5 * thickness), color);
        // From the shape down to both ends of its shadow.
        let along = |point: &&Vec2| normal.dot(**point - base);
        let casting = || outline.iter().flatten();
        let ends = [
            casting().min_by(|p, q| along(p).total_cmp(&along(q))),
            casting().max_by(|p, q| along(p).total_cmp(&along(q))),
        ];
        for (end, place) in ends.into_iter().zip([min, max]) {
            if let Some(end) = end {
                gizmos.line_2d(*end, at(place, height), color.with_alpha(0.35));
            }
        }
    }
    let color = match axis.relation {
        Relation::Separated => Color::srgb(0.51, 0.88, 0.55),
        Relation::Touching => Color::srgb(1.0, 0.85, 0.2),
        Relation::Overlapping => Color::srgb(1.0, 0.47, 0.35),
    };
    let (from, to) = (axis.projections[0].max, axis.projections[1].min);
    for end in [from, to] {
        gizmos.line_2d(at(end, height + thickness), at(end, height - 4.0 * thickness), color);
    }
    gizmos.line_2d(at(from, height - 1.5 * thickness), at(to, height - 1.5 * thickness), color);
    if let Some(edge) = source_edge([a, b], axis.source) {
        gizmos.line_2d(edge.0, edge.1, Color::WHITE);
    }
}

/// The edge, or the line between two points, from which an axis comes.
fn source_edge([a, b]: [&PlacedShape; 2], source: AxisSource) -> Option<(Vec2, Vec2)> {
    let edge =
        |shape: &PlacedShape, index| shape.edges().nth(index).map(|edge| (edge.start, edge.end));
    let corner = |shape: &PlacedShape, index| {
        let edge = shape.edges().nth(index)?;
        Some(edge.start - edge.normal * shape.rounding())
    };
    match source {
        AxisSource::EdgeOfA(index) => edge(a, index),
        AxisSource::EdgeOfB(index) => edge(b, index),
        AxisSource::CornerOfA(index) => Some((corner(a, index)?, b.origin())),
        AxisSource::CornerOfB(index) => Some((a.origin(), corner(b, index)?)),
        AxisSource::LineOfCenters => Some((a.origin(), b.origin())),
        AxisSource::NearestCorners => {
            let apart = separation(a, b);
            Some((apart.point_a, apart.point_b))
        }
    }
}
