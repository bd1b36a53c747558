//! The colliders nearest to a place.

use core::cmp::Ordering;
use std::collections::BinaryHeap;

use bevy::math::bounding::Aabb2d;
use bevy::prelude::*;

use super::CollisionQuery;
use super::filter::CollisionFilter;
use crate::geometry::{PlacedShape, PointProjection, Separation, project_point, separation};
use crate::grid::Visitor;

impl CollisionQuery<'_, '_> {
    /// The `count` colliders nearest to a point, by distance, then by entity, each with its
    /// nearest places; fewer if there are no more.
    ///
    /// Distances are signed: a collider that holds the point has minus the distance to its
    /// boundary, and the one that holds it deepest comes first. Take
    /// [`nearest`](PointProjection::nearest) for the place to walk to, and
    /// [`nearest_to_shape`](Self::nearest_to_shape) to measure from a shape.
    ///
    /// # Cost
    /// Follows the occupied cells up to about twice the distance of the last one found, and a
    /// logarithm of `count` for each. One list.
    #[must_use]
    pub fn nearest(
        &self,
        point: Vec2,
        count: usize,
        filter: &CollisionFilter,
    ) -> Vec<(Entity, PointProjection)> {
        self.nearest_within(point, count, f64::INFINITY, filter)
    }

    /// All colliders no farther from a point than `distance` world units, by distance, then by
    /// entity; those that hold the point come first. See [`nearest`](Self::nearest).
    ///
    /// # Cost
    /// Follows the occupied cells within the distance. One list.
    #[must_use]
    pub fn within(
        &self,
        point: Vec2,
        distance: f32,
        filter: &CollisionFilter,
    ) -> Vec<(Entity, PointProjection)> {
        self.nearest_within(point, usize::MAX, distance.into(), filter)
    }

    /// The `count` colliders nearest to a shape, by distance, then by entity, each with the
    /// [`separation`]: A is the shape that asks and B the collider.
    ///
    /// Distances are signed: what overlaps the shape has minus its depth, and the deepest comes
    /// first.
    ///
    /// # Cost
    /// As [`nearest`](Self::nearest).
    #[must_use]
    pub fn nearest_to_shape(
        &self,
        shape: &PlacedShape,
        count: usize,
        filter: &CollisionFilter,
    ) -> Vec<(Entity, Separation)> {
        if !shape.origin().is_finite() {
            return Vec::new();
        }
        let test = |other: &PlacedShape| separation(shape, other);
        self.outward(shape.bounds(), count, f64::INFINITY, filter, test, |found| found.distance)
    }

    fn nearest_within(
        &self,
        point: Vec2,
        count: usize,
        farthest: f64,
        filter: &CollisionFilter,
    ) -> Vec<(Entity, PointProjection)> {
        if !point.is_finite() {
            return Vec::new();
        }
        let test = |other: &PlacedShape| project_point(other, point);
        let place = Aabb2d { min: point, max: point };
        self.outward(place, count, farthest, filter, test, |found| found.signed_distance)
    }

    fn outward<T>(
        &self,
        center: Aabb2d,
        count: usize,
        farthest: f64,
        filter: &CollisionFilter,
        test: impl Fn(&PlacedShape) -> T,
        distance: impl Fn(&T) -> f32,
    ) -> Vec<(Entity, T)> {
        if count == 0 || farthest.is_nan() || farthest < 0.0 {
            return Vec::new();
        }
        let found = BinaryHeap::new();
        let mut nearest = Nearest { query: self, filter, test, distance, count, farthest, found };
        self.grid.visit_outward(center, farthest, &mut nearest);
        let sorted = nearest.found.into_sorted_vec();
        sorted.into_iter().map(|found| (found.entity, found.answer)).collect()
    }
}

/// Keeps the nearest, the farthest of them at hand.
struct Nearest<'a, T, Test, Distance> {
    query: &'a CollisionQuery<'a, 'a>,
    filter: &'a CollisionFilter<'a>,
    test: Test,
    distance: Distance,
    count: usize,
    farthest: f64,
    found: BinaryHeap<Found<T>>,
}

impl<T, Test, Distance> Visitor for Nearest<'_, T, Test, Distance>
where
    Test: Fn(&PlacedShape) -> T,
    Distance: Fn(&T) -> f32,
{
    fn visit(&mut self, row: u32) {
        let Some((entity, shape)) = self.query.candidate(row, self.filter) else { return };
        let answer = (self.test)(shape);
        // Without the sign of a zero, which would come before the order of entities.
        let found = Found { distance: (self.distance)(&answer) + 0.0, entity, answer };
        if f64::from(found.distance) > self.farthest {
            return;
        }
        if self.found.len() < self.count {
            self.found.push(found);
        } else if let Some(mut last) = self.found.peek_mut()
            && found < *last
        {
            *last = found;
        }
    }

    /// The next number above the worst of them: what only rounds to the same one may win by its
    /// entity. Not below 0, for bounds that hold the place tell nothing of the depth.
    fn limit(&self) -> f64 {
        let is_full = self.found.len() >= self.count;
        let worst = self.found.peek().filter(|_| is_full);
        worst.map_or(f64::INFINITY, |worst| worst.distance.max(0.0).next_up().into())
    }
}

/// Ordered by distance, then by entity.
struct Found<T> {
    distance: f32,
    entity: Entity,
    answer: T,
}

impl<T> Ord for Found<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.distance.total_cmp(&other.distance).then(self.entity.cmp(&other.entity))
    }
}

impl<T> PartialOrd for Found<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> PartialEq for Found<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T> Eq for Found<T> {}
