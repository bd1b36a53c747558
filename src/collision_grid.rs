//! The grids of the last step.

use bevy::math::bounding::Aabb2d;
use bevy::prelude::*;

use crate::grid::UniformGrid;

/// Moving and static colliders lie in grids of their own, so that static pairs cannot form and
/// the static grid is built anew only when a static collider changes.
///
/// Written by the broad phase, read by queries. The items of both grids are rows of the collider
/// table.
#[derive(Resource, Debug, Default)]
pub(crate) struct CollisionGrid {
    pub(crate) movers: UniformGrid,
    pub(crate) statics: UniformGrid,
    /// The farthest that push-out has moved a collider since the grids were built.
    pub(crate) moved_since: f32,
}

impl CollisionGrid {
    /// Visits the rows whose bounds may meet a box: all that do, and perhaps some that do not.
    pub(crate) fn visit_box(&self, bounds: Aabb2d, mut visit: impl FnMut(u32)) {
        let grown =
            Aabb2d { min: bounds.min - self.moved_since, max: bounds.max + self.moved_since };
        self.movers.visit_box(grown, &mut visit);
        self.statics.visit_box(grown, &mut visit);
    }
}
