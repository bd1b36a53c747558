//! Questions about the colliders of the running world.

mod cast;
mod filter;
mod nearest;

use bevy::ecs::system::SystemParam;
use bevy::math::{Affine2, bounding::Aabb2d};
use bevy::prelude::*;

use crate::collider_table::ColliderTable;
use crate::collision_grid::CollisionGrid;
use crate::components::ColliderRow;
use crate::geometry::{Aabb, Contact, PlacedShape, contact, contains_point, overlaps};
use crate::grid::GridCell;
use crate::settings::CollisionSettings;
pub use filter::CollisionFilter;

/// Asks about the colliders as the last step saw them.
///
/// The answers are about the placements of the last step, after its push-out: what moved since
/// then is where it was, what was spawned since then is not there yet, and what was despawned since
/// then is still found. Run a system after
/// [`CollisionSystems::Publish`](crate::CollisionSystems::Publish) for this frame's places.
///
/// | Question | All | First |
/// |---|---|---|
/// | what holds this point | [`at_point`](Self::at_point), [`at_point_filtered`](Self::at_point_filtered) | [`first_at_point`](Self::first_at_point) |
/// | what meets this shape | [`overlapping`](Self::overlapping), [`for_each_overlapping`](Self::for_each_overlapping) | [`first_overlapping`](Self::first_overlapping) |
/// | what meets this box | [`in_box`](Self::in_box), [`for_each_in_bounds`](Self::for_each_in_bounds) | |
/// | what lies on this ray or segment | [`cast_ray_all`](Self::cast_ray_all) | [`cast_ray`](Self::cast_ray) |
/// | what a moving shape meets | [`cast_shape_all`](Self::cast_shape_all) | [`cast_shape`](Self::cast_shape) |
/// | what is nearest to this point | [`within`](Self::within), [`nearest`](Self::nearest) | `nearest` with a count of 1 |
/// | what is nearest to this shape | [`nearest_to_shape`](Self::nearest_to_shape) | the same with 1 |
///
/// All of them
/// - answer in a fixed order: by distance or time where there is one, then by entity;
/// - decide what touches by the touching rule of the settings, as they are now;
/// - take a [`CollisionFilter`], whose layers, exclusions and predicate are looked at before a
///   shape is tested;
/// - find nothing, and never panic, if what they are given is not finite.
///
/// # Cost
/// Follows the occupied cells of the grid near the question, not the number of colliders: a box or
/// a ray jumps from one row of occupied cells to the next, so that a long way through nothing is
/// nearly free. To ask about the first hit does not allocate beyond what the test of a shape does;
/// all others fill one list.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_nudge::geometry::Ray;
/// use bevy_nudge::prelude::*;
///
/// fn look_ahead(player: Single<(Entity, &Transform)>, colliders: CollisionQuery) {
///     let (player, transform) = *player;
///     let eye = transform.translation.truncate();
///     let others = CollisionFilter::new().excluding(player);
///     let Ok(ray) = Ray::new(eye, Vec2::X) else { return };
///     if let Some((entity, hit)) = colliders.cast_ray(&ray.with_length(300.0), &others) {
///         println!("{entity} is {} ahead", hit.distance);
///     }
///     // May the player's own shape go 20 to the right?
///     if let Some(shape) = colliders.get(player)
///         && let Some((wall, impact)) = colliders.cast_shape(shape, Vec2::X * 20.0, &others)
///     {
///         println!("{wall} stops it after {}", 20.0 * impact.time);
///     }
///     for (entity, place) in colliders.nearest(eye, 3, &others) {
///         println!("{entity} is {} away", place.signed_distance);
///     }
/// }
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// # app.add_systems(Update, look_ahead);
/// # app.world_mut().spawn((Collider::circle(4.0), Transform::default()));
/// # app.update();
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
        self.table.active().map(|row| (self.table.row(row).entity, self.table.shape(row)))
    }

    /// The shape of an entity in world space, as the last step left it; none if it took no part.
    #[must_use]
    pub fn get(&self, entity: Entity) -> Option<&PlacedShape> {
        let hint = self.rows.get(entity).ok()?.0;
        let row = self.table.row_of(entity, hint)?;
        let row = row as u32;
        self.table.row(row).is_active().then(|| self.table.shape(row))
    }

    /// The entities whose colliders hold a point of the world, in ascending order. Whether the
    /// boundary belongs to a collider is decided by the touching rule of the settings.
    ///
    /// # Cost
    /// Follows the number of colliders near the point. One list.
    #[must_use]
    pub fn at_point(&self, point: Vec2) -> Vec<Entity> {
        self.at_point_filtered(point, &CollisionFilter::default())
    }

    /// As [`at_point`](Self::at_point), of the colliders that pass a filter.
    #[must_use]
    pub fn at_point_filtered(&self, point: Vec2, filter: &CollisionFilter) -> Vec<Entity> {
        let mut found = Vec::new();
        self.for_each_at_point(point, filter, |entity| found.push(entity));
        found.sort_unstable();
        found
    }

    /// The lowest entity whose collider holds a point. Makes no list.
    #[must_use]
    pub fn first_at_point(&self, point: Vec2, filter: &CollisionFilter) -> Option<Entity> {
        let mut first: Option<Entity> = None;
        self.for_each_at_point(point, filter, |entity| {
            first = Some(first.map_or(entity, |first| first.min(entity)));
        });
        first
    }

    fn for_each_at_point(
        &self,
        point: Vec2,
        filter: &CollisionFilter,
        mut found: impl FnMut(Entity),
    ) {
        let touch = self.settings.touch();
        self.for_each_near(&PlacedShape::point(point), filter, |entity, shape| {
            if contains_point(shape, point, touch) {
                found(entity);
            }
        });
    }

    /// The colliders that a shape meets, each with its contact, in ascending order of entities.
    /// The normal points from the shape that asks to the collider: A is the shape, B the collider.
    ///
    /// # Cost
    /// Follows the number of colliders near the shape. One list.
    #[must_use]
    pub fn overlapping(
        &self,
        shape: &PlacedShape,
        filter: &CollisionFilter,
    ) -> Vec<(Entity, Contact)> {
        let mut found = Vec::new();
        self.for_each_overlapping(shape, filter, |entity, contact| found.push((entity, contact)));
        found.sort_unstable_by_key(|(entity, _)| *entity);
        found
    }

    /// As [`overlapping`](Self::overlapping), in no particular order and without a list.
    pub fn for_each_overlapping(
        &self,
        shape: &PlacedShape,
        filter: &CollisionFilter,
        mut found: impl FnMut(Entity, Contact),
    ) {
        let touch = self.settings.touch();
        self.for_each_near(shape, filter, |entity, other| {
            if let Some(contact) = contact(shape, other, touch) {
                found(entity, contact);
            }
        });
    }

    /// The lowest entity whose collider a shape meets, with its contact; see
    /// [`overlapping`](Self::overlapping). Makes no list.
    #[must_use]
    pub fn first_overlapping(
        &self,
        shape: &PlacedShape,
        filter: &CollisionFilter,
    ) -> Option<(Entity, Contact)> {
        let touch = self.settings.touch();
        let mut first: Option<(Entity, Contact)> = None;
        self.for_each_near(shape, filter, |entity, other| {
            if first.is_none_or(|(first, _)| entity < first)
                && let Some(contact) = contact(shape, other, touch)
            {
                first = Some((entity, contact));
            }
        });
        first
    }

    /// The entities whose shapes meet a box of the world, in ascending order: what a selection
    /// rectangle means. Its corners may come in any order.
    ///
    /// # Cost
    /// Follows the occupied cells that the box covers, and the colliders in them. One list.
    #[must_use]
    pub fn in_box(&self, bounds: Aabb2d, filter: &CollisionFilter) -> Vec<Entity> {
        let mut found = Vec::new();
        let Some(placed) = placed_box(bounds) else { return found };
        let touch = self.settings.touch();
        let [low, high] = [bounds.min.min(bounds.max), bounds.min.max(bounds.max)]
            .map(|corner| corner.as_dvec2());
        let rounding = ROUNDING * low.abs().max(high.abs()).max_element();
        self.grid.visit_box(placed.touch_bounds(&touch), |row| {
            let stands = self.table.row(row);
            if !stands.is_active() || !filter.admits(stands) {
                return;
            }
            // Most are wholly inside: then nobody has to look at their shape.
            let disc = stands.disc();
            let sizes = f64::from(placed.extent()) + f64::from(disc.extent);
            let reach = f64::from(disc.extent) + touch.tolerance(sizes) + rounding;
            let center = disc.origin.as_dvec2();
            let is_inside = (center - reach).cmpgt(low).all() && (center + reach).cmplt(high).all();
            if is_inside || overlaps(self.table.shape(row), &placed, touch) {
                found.push(stands.entity);
            }
        });
        found.sort_unstable();
        found
    }

    /// Visits the colliders whose bounds meet a box, in no particular order, without testing
    /// shapes: all whose shapes meet it, and some that only come near. For what is drawn or
    /// simulated only near the screen. Makes no list.
    pub fn for_each_in_bounds(
        &self,
        bounds: Aabb2d,
        filter: &CollisionFilter,
        mut found: impl FnMut(Entity, &PlacedShape),
    ) {
        if !bounds.min.is_finite() || !bounds.max.is_finite() {
            return;
        }
        let bounds = Aabb2d { min: bounds.min.min(bounds.max), max: bounds.min.max(bounds.max) };
        self.grid.visit_box(bounds, |row| {
            let own = self.table.bounds(row as usize);
            let meets = own.min.cmple(bounds.max).all() && own.max.cmpge(bounds.min).all();
            if let Some((entity, shape)) = self.candidate(row, filter).filter(|_| meets) {
                found(entity, shape);
            }
        });
    }

    /// The cells of the broad phase that hold colliders, moving ones first.
    ///
    /// A collider lies in the cell of the lower left corner of its bounds. Large colliders lie in
    /// larger cells, which may overlap the smaller ones.
    pub fn cells(&self) -> impl Iterator<Item = GridCell> {
        self.grid.grids().into_iter().flat_map(|(grid, _)| grid.cells())
    }

    /// Visits the colliders that pass the filter and may touch a shape.
    fn for_each_near(
        &self,
        shape: &PlacedShape,
        filter: &CollisionFilter,
        mut found: impl FnMut(Entity, &PlacedShape),
    ) {
        if !shape.origin().is_finite() {
            return;
        }
        self.grid.visit_box(shape.touch_bounds(&self.settings.touch()), |row| {
            if let Some((entity, shape)) = self.candidate(row, filter) {
                found(entity, shape);
            }
        });
    }

    /// What stands in a row of the grid, if it still does and passes the filter.
    fn candidate(&self, row: u32, filter: &CollisionFilter) -> Option<(Entity, &PlacedShape)> {
        let stands = self.table.row(row);
        (stands.is_active() && filter.admits(stands))
            .then(|| (stands.entity, self.table.shape(row)))
    }
}

/// By how much of its coordinates a corner in the world may be rounded, with room to spare.
const ROUNDING: f64 = 8.0 * f32::EPSILON as f64;

/// A box as a shape, as far as shapes may reach; none if it is not finite.
fn placed_box(bounds: Aabb2d) -> Option<PlacedShape> {
    if !bounds.min.is_finite() || !bounds.max.is_finite() {
        return None;
    }
    let farthest = Vec2::splat(PlacedShape::FARTHEST);
    let [a, b] = [bounds.min, bounds.max].map(|corner| corner.clamp(-farthest, farthest));
    PlacedShape::new(&Aabb::from_corners(a, b).ok()?.into(), Affine2::IDENTITY).ok()
}
