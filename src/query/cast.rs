//! Rays and moving shapes against the colliders.

use core::cmp::Ordering;

use bevy::prelude::*;

use super::CollisionQuery;
use super::filter::CollisionFilter;
use crate::geometry::{self, Impact, PlacedShape, Ray, RayHit, sweep};
use crate::grid::{SweptBox, Visitor, WideBox};

impl CollisionQuery<'_, '_> {
    /// The first collider on a ray or segment, and where: the one with the lowest distance, of
    /// equal ones the lowest entity.
    ///
    /// Distances are in world units from the ray's origin. What a ray finds that starts inside a
    /// collider is chosen by [`Ray::with_start_inside`].
    ///
    /// # Cost
    /// Follows the occupied cells along the ray, up to about twice the distance of the hit, however
    /// long the ray is. Allocates nothing but what [`cast_ray`](geometry::cast_ray) does for a shape.
    #[must_use]
    pub fn cast_ray(&self, ray: &Ray, filter: &CollisionFilter) -> Option<(Entity, RayHit)> {
        let touch = self.settings.touch();
        let test = |shape: &PlacedShape| geometry::cast_ray(shape, ray, touch);
        self.first_on_way(self.way_of_ray(ray)?, filter, test, |hit| hit.distance)
    }

    /// All colliders on a ray or segment, by distance, then by entity.
    ///
    /// # Cost
    /// Follows the occupied cells along the whole ray. One list.
    #[must_use]
    pub fn cast_ray_all(&self, ray: &Ray, filter: &CollisionFilter) -> Vec<(Entity, RayHit)> {
        let touch = self.settings.touch();
        let test = |shape: &PlacedShape| geometry::cast_ray(shape, ray, touch);
        let Some(way) = self.way_of_ray(ray) else { return Vec::new() };
        self.all_on_way(way, filter, test, |hit| hit.distance)
    }

    /// The first collider that a shape meets while it moves by `displacement`, and when: the one
    /// with the lowest time, of equal ones the lowest entity.
    ///
    /// The time is the part of the displacement, 0 to 1; the normal points from the collider
    /// towards the moving shape. What the shape meets at its start has the time 0 and says so, see
    /// [`Impact::start`]; a collider that casts itself wants to be
    /// [excluded](CollisionFilter::excluding).
    ///
    /// # Cost
    /// Follows the occupied cells that the bounds of the moving shape cover, up to about twice the
    /// way to the impact. Allocates nothing but what [`sweep`] does for a shape.
    #[must_use]
    pub fn cast_shape(
        &self,
        shape: &PlacedShape,
        displacement: Vec2,
        filter: &CollisionFilter,
    ) -> Option<(Entity, Impact)> {
        let touch = self.settings.touch();
        let test = |other: &PlacedShape| sweep(other, shape, displacement, touch);
        let way = self.way_of_shape(shape, displacement)?;
        self.first_on_way(way, filter, test, |impact| impact.time)
    }

    /// All colliders that a shape meets while it moves by `displacement`, as if none stopped it,
    /// by time, then by entity. See [`cast_shape`](Self::cast_shape).
    ///
    /// # Cost
    /// Follows the occupied cells that the bounds of the moving shape cover. One list.
    #[must_use]
    pub fn cast_shape_all(
        &self,
        shape: &PlacedShape,
        displacement: Vec2,
        filter: &CollisionFilter,
    ) -> Vec<(Entity, Impact)> {
        let touch = self.settings.touch();
        let test = |other: &PlacedShape| sweep(other, shape, displacement, touch);
        let Some(way) = self.way_of_shape(shape, displacement) else { return Vec::new() };
        self.all_on_way(way, filter, test, |impact| impact.time)
    }

    /// Time is distance along the ray.
    fn way_of_ray(&self, ray: &Ray) -> Option<SweptBox> {
        let (direction, length) = ray.direction_and_length();
        if !ray.origin().is_finite() || !direction.is_finite() || length.is_nan() {
            return None;
        }
        let start = PlacedShape::point(ray.origin()).touch_bounds(&self.settings.touch());
        Some(SweptBox::new(WideBox::new(start, 0.0), direction, length))
    }

    /// Time is the part of the displacement.
    fn way_of_shape(&self, shape: &PlacedShape, displacement: Vec2) -> Option<SweptBox> {
        if !shape.origin().is_finite() || !displacement.is_finite() {
            return None;
        }
        let start = shape.touch_bounds(&self.settings.touch());
        Some(SweptBox::new(WideBox::new(start, 0.0), displacement.as_dvec2(), 1.0))
    }

    fn first_on_way<T>(
        &self,
        way: SweptBox,
        filter: &CollisionFilter,
        test: impl Fn(&PlacedShape) -> Option<T>,
        order: impl Fn(&T) -> f32,
    ) -> Option<(Entity, T)> {
        let mut first = First { query: self, filter, test, order, best: None };
        self.grid.visit_swept(&way, &mut first);
        first.best
    }

    fn all_on_way<T>(
        &self,
        way: SweptBox,
        filter: &CollisionFilter,
        test: impl Fn(&PlacedShape) -> Option<T>,
        order: impl Fn(&T) -> f32,
    ) -> Vec<(Entity, T)> {
        let mut all = All { query: self, filter, test, found: Vec::new() };
        self.grid.visit_swept(&way, &mut all);
        let mut found = all.found;
        found.sort_unstable_by(|(a, hit_a), (b, hit_b)| {
            compare(order(hit_a), order(hit_b)).then(a.cmp(b))
        });
        found
    }
}

/// Keeps all hits.
struct All<'a, T, Test> {
    query: &'a CollisionQuery<'a, 'a>,
    filter: &'a CollisionFilter<'a>,
    test: Test,
    found: Vec<(Entity, T)>,
}

impl<T, Test: Fn(&PlacedShape) -> Option<T>> Visitor for All<'_, T, Test> {
    fn visit(&mut self, row: u32) {
        if let Some((entity, shape)) = self.query.candidate(row, self.filter) {
            self.found.extend((self.test)(shape).map(|hit| (entity, hit)));
        }
    }
}

/// Keeps the first hit.
struct First<'a, T, Test, Order> {
    query: &'a CollisionQuery<'a, 'a>,
    filter: &'a CollisionFilter<'a>,
    test: Test,
    order: Order,
    best: Option<(Entity, T)>,
}

impl<T, Test, Order> Visitor for First<'_, T, Test, Order>
where
    Test: Fn(&PlacedShape) -> Option<T>,
    Order: Fn(&T) -> f32,
{
    fn visit(&mut self, row: u32) {
        let Some((entity, shape)) = self.query.candidate(row, self.filter) else { return };
        let Some(hit) = (self.test)(shape) else { return };
        let is_better = self.best.as_ref().is_none_or(|(best_entity, best)| {
            let order = compare((self.order)(&hit), (self.order)(best));
            order.then(entity.cmp(best_entity)).is_lt()
        });
        if is_better {
            self.best = Some((entity, hit));
        }
    }

    /// The next number above the best: what only rounds to the same one may win by its entity.
    fn limit(&self) -> f64 {
        self.best.as_ref().map_or(f64::INFINITY, |(_, hit)| (self.order)(hit).next_up().into())
    }
}

/// Without the sign of a zero, which would come before the order of entities.
fn compare(a: f32, b: f32) -> Ordering {
    (a + 0.0).total_cmp(&(b + 0.0))
}
