//! Questions about the colliders of the running world.

use bevy::ecs::system::SystemParam;
use bevy::math::bounding::Aabb2d;
use bevy::prelude::*;

use crate::collider_table::{ColliderTable, RowState};
use crate::collision_grid::CollisionGrid;
use crate::components::ColliderRow;
use crate::geometry::{PlacedShape, overlaps};
use crate::grid::GridCell;
use crate::settings::CollisionSettings;

/// Asks about the colliders as the last step saw them.
///
/// The answers are about the placements of the last step, after its push-out: what moved since
/// then is where it was, and what was spawned since then is not there yet. Run a system after
/// [`CollisionSystems::Publish`](crate::CollisionSystems::Publish) for this frame's places.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_nudge::prelude::*;
///
/// fn under_the_origin(colliders: CollisionQuery) {
///     for entity in colliders.at_point(Vec2::ZERO) {
///         println!("{entity} covers the origin");
///     }
/// }
/// ```
#[derive(SystemParam)]
pub struct CollisionQuery<'w, 's> {
    table: Res<'w, ColliderTable>,
    grid: Res<'w, CollisionGrid>,
    settings: Res<'w, CollisionSettings>,
    rows: Query<'w, 's, &'static ColliderRow>,
}

impl CollisionQuery<'_, '_> {
    /// All colliders that take part, with their shapes in world space, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (Entity, &PlacedShape)> {
        self.table.active().map(|row| (self.table.entities[row], &self.table.shapes[row]))
    }

    /// The shape of an entity in world space, as the last step tested it; none if it took no
    /// part.
    #[must_use]
    pub fn get(&self, entity: Entity) -> Option<&PlacedShape> {
        let hint = self.rows.get(entity).ok()?.0;
        let row = self.table.row_of(entity, hint)?;
        (self.table.states[row] == RowState::Active).then(|| &self.table.shapes[row])
    }

    /// The entities whose colliders hold a point of the world, in ascending order. Whether the
    /// boundary belongs to a collider is decided by the touching rule of the settings.
    ///
    /// # Cost
    /// Follows the number of colliders near the point.
    #[must_use]
    pub fn at_point(&self, point: Vec2) -> Vec<Entity> {
        if !point.is_finite() {
            return Vec::new();
        }
        let (touch, placed) = (self.settings.touch(), PlacedShape::point(point));
        let mut found = Vec::new();
        self.grid.visit_box(Aabb2d { min: point, max: point }, |row| {
            if overlaps(&self.table.shapes[row as usize], &placed, touch) {
                found.push(self.table.entities[row as usize]);
            }
        });
        found.sort_unstable();
        found
    }

    /// The cells of the broad phase that hold colliders, moving ones first.
    ///
    /// A collider lies in the cell of the lower left corner of its bounds. Large colliders lie in
    /// larger cells, which may overlap the smaller ones.
    pub fn cells(&self) -> impl Iterator<Item = GridCell> {
        self.grid.movers.cells().chain(self.grid.statics.cells())
    }
}
