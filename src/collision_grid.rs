//! The grids of the last step.

use bevy::math::bounding::Aabb2d;
use bevy::prelude::*;

use crate::grid::{SettledGrid, SweptBox, UniformGrid, Visitor, WideBox};

/// Moving and static colliders lie in grids of their own, so that static pairs cannot form and
/// the static grid is built anew only when a static collider changes.
///
/// Written by the broad phase, read by queries. The items of both grids are rows of the collider
/// table.
#[derive(Resource, Debug, Default)]
pub(crate) struct CollisionGrid {
    pub(crate) movers: UniformGrid,
    pub(crate) statics: SettledGrid,
    /// The farthest that push-out has moved a collider since the grids were built. It never moves
    /// static ones.
    pub(crate) moved_since: f32,
}

/// How many of the smallest cells the first part of a cast is long, and the first ring of a search
/// is wide. A part costs a few binary searches and saves walking past the first hit. Neither is
/// smaller than the box that asks, which would be looked through again for each.
const FIRST_PART: f64 = 4.0;

impl CollisionGrid {
    /// Visits the rows whose bounds may meet a box: all that do, and perhaps some that do not.
    pub(crate) fn visit_box(&self, bounds: Aabb2d, mut visit: impl FnMut(u32)) {
        // The sums may round towards the inside.
        let down = |x: f32| (x - self.moved_since).next_down().max(f32::MIN);
        let up = |x: f32| (x + self.moved_since).next_up().min(f32::MAX);
        let grown = Aabb2d { min: bounds.min.map(down), max: bounds.max.map(up) };
        self.movers.visit_box(grown, &mut visit);
        self.statics.visit_box(bounds, &mut visit);
    }

    /// Visits once each the rows whose bounds a moving box may meet, about in the order in which it
    /// meets them, as far as the visitor wants.
    ///
    /// # Method
    /// The way is walked in parts, each twice as long as the one before, so that neither the order
    /// of the rows nor that of the sizes of cells leads far beyond the first hit, and a long empty
    /// way takes few parts.
    pub(crate) fn visit_swept(&self, swept: &SweptBox, visitor: &mut impl Visitor) {
        let ways = self.grids().map(|(grid, margin)| {
            grid.content().and_then(|content| swept.grown(margin).clipped(&content))
        });
        let reached = ways.iter().flatten();
        let first = reached.clone().fold(f64::INFINITY, |first, (enter, _)| first.min(*enter));
        let last = reached.fold(0.0_f64, |last, (_, way)| last.max(way.end()));
        if first == f64::INFINITY {
            return;
        }
        // Without any speed the first part is endless.
        let mut part = self.first_part(swept.size()) / swept.speed();
        let mut from = -1.0;
        loop {
            let to = first + part;
            let is_last = to >= last;
            for ((grid, _), way) in self.grids().into_iter().zip(&ways) {
                if let Some((_, way)) = way {
                    grid.visit_swept(way, from, if is_last { f64::INFINITY } else { to }, visitor);
                }
            }
            if is_last || to >= visitor.limit() {
                return;
            }
            from = to;
            part *= 2.0;
        }
    }

    /// Visits once each the rows whose bounds lie no farther from a box than a distance, about in
    /// the order of their distance, as far as the visitor wants.
    ///
    /// # Method
    /// Rings around the box, each twice as wide as all before, from where the nearest collider may
    /// be; the last as wide as the visitor still wants.
    pub(crate) fn visit_outward(&self, center: Aabb2d, farthest: f64, visitor: &mut impl Visitor) {
        let searched = self.grids().map(|(grid, margin)| {
            let center = WideBox::new(center, margin);
            grid.content().map(|content| {
                (center, center.distance_squared(&content).sqrt(), center.farthest(&content))
            })
        });
        let found = searched.iter().flatten();
        let first = found.clone().fold(f64::INFINITY, |first, (_, near, _)| first.min(*near));
        let last = found.fold(0.0_f64, |last, (_, _, far)| last.max(*far));
        if first == f64::INFINITY {
            return;
        }
        let mut width = self.first_part(WideBox::new(center, 0.0).size());
        let mut inner = -1.0;
        loop {
            let outer = (first + width).min(farthest);
            for ((grid, _), center) in self.grids().into_iter().zip(&searched) {
                if let Some((center, ..)) = center {
                    grid.visit_ring(center, inner, outer, visitor);
                }
            }
            if outer >= last || outer >= farthest || outer >= visitor.limit() {
                return;
            }
            inner = outer;
            width *= 2.0;
        }
    }

    /// All grids, each with how far its boxes may have moved.
    pub(crate) fn grids(&self) -> [(&UniformGrid, f64); 3] {
        let [settled, recent] = self.statics.grids();
        [(&self.movers, f64::from(self.moved_since)), (settled, 0.0), (recent, 0.0)]
    }

    fn first_part(&self, size: f64) -> f64 {
        let cells = self.grids().map(|(grid, _)| grid.smallest_used_cell());
        let cell = cells.into_iter().fold(f64::INFINITY, f64::min);
        (FIRST_PART * cell).max(size)
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec2;

    use super::*;
    use crate::grid::{CellChoice, Corners, Groups};

    /// Finds the first box or the nearest one, and counts the work of it.
    struct First<'a> {
        boxes: &'a [Aabb2d],
        measure: &'a dyn Fn(&Aabb2d) -> Option<f64>,
        best: f64,
        item: Option<u32>,
        work: usize,
    }

    impl Visitor for First<'_> {
        fn visit(&mut self, item: u32) {
            if let Some(measure) = (self.measure)(&self.boxes[item as usize])
                && measure < self.best
            {
                (self.best, self.item) = (measure, Some(item));
            }
        }

        fn limit(&self) -> f64 {
            self.best
        }

        fn note_work(&mut self) {
            self.work += 1;
        }
    }

    /// Every third box is a static one.
    fn grids(boxes: &[Aabb2d]) -> CollisionGrid {
        let mut grid = CollisionGrid::default();
        let all = (0..).zip(boxes.iter().copied());
        let movers = all.clone().filter(|(i, _)| i % 3 != 0).collect();
        let statics = all.filter(|(i, _)| i % 3 == 0);
        grid.movers.build(&movers, CellChoice::Fitting);
        let statics = statics.map(|(i, bounds)| (i, Corners::new(&bounds), Groups(1, 1)));
        grid.statics.build(statics, CellChoice::Fitting);
        grid
    }

    fn square(x: f32, y: f32, side: f32) -> Aabb2d {
        Aabb2d { min: Vec2::new(x, y), max: Vec2::new(x + side, y + side) }
    }

    fn line(from: Vec2, direction: Vec2) -> SweptBox {
        let start = WideBox::new(Aabb2d { min: from, max: from }, 0.0);
        SweptBox::new(start, direction.as_dvec2().normalize(), f64::INFINITY)
    }

    /// Item and work of the first hit of an endless ray, with the bounds as the shapes.
    fn cast(boxes: &[Aabb2d], from: Vec2, direction: Vec2) -> (Option<u32>, usize) {
        let (grid, way) = (grids(boxes), line(from, direction));
        let measure = |bounds: &Aabb2d| way.clipped(bounds).map(|(enter, _)| enter);
        let mut first =
            First { boxes, measure: &measure, best: f64::INFINITY, item: None, work: 0 };
        grid.visit_swept(&way, &mut first);
        (first.item, first.work)
    }

    fn nearest(boxes: &[Aabb2d], point: Vec2) -> (Option<u32>, usize) {
        let grid = grids(boxes);
        let center = WideBox::new(Aabb2d { min: point, max: point }, 0.0);
        let measure = |bounds: &Aabb2d| Some(center.distance_squared(bounds).sqrt());
        let mut first =
            First { boxes, measure: &measure, best: f64::INFINITY, item: None, work: 0 };
        grid.visit_outward(Aabb2d { min: point, max: point }, f64::INFINITY, &mut first);
        (first.item, first.work)
    }

    #[test]
    fn a_ray_costs_what_lies_before_its_first_hit() {
        // A field of boxes with a gap of rows that the ray runs in, and one box in its way.
        let field = |side: i32| {
            let mut boxes = vec![square(40.0, 0.25, 0.5)];
            for x in -side..side {
                boxes.extend((2..side).map(|y| square(x as f32, y as f32, 0.5)));
                boxes.extend((2..side).map(|y| square(x as f32, -y as f32, 0.5)));
            }
            boxes
        };
        for direction in [Vec2::X, Vec2::new(1.0, 0.001)] {
            let (small, few) = cast(&field(64), Vec2::new(0.0, 0.5), direction);
            let (large, many) = cast(&field(256), Vec2::new(0.0, 0.5), direction);
            assert_eq!((small, large), (Some(0), Some(0)));
            assert!(many <= few + few / 4 + 8, "{few} for 16,000 boxes, {many} for 260,000");
        }
        // Into the thick of it: the first box is near, whatever lies behind.
        for direction in [Vec2::Y, Vec2::NEG_Y, Vec2::new(0.3, 1.0), Vec2::new(-3.0, -1.0)] {
            let (item, work) = cast(&field(256), Vec2::new(0.25, 0.5), direction);
            assert!(item.is_some() && work < 400, "{work} for {direction}");
        }
    }

    #[test]
    fn empty_space_is_jumped_over() {
        let boxes = [square(1e7, 1e7, 1.0), square(-1e7, 3e6, 1.0), square(5.0, -1e7, 1.0)];
        for (item, target) in boxes.iter().enumerate() {
            let middle = target.min + 0.5;
            let (found, work) = cast(&boxes, Vec2::new(0.25, 0.25), middle - 0.25);
            assert_eq!(found, Some(item as u32));
            assert!(work < 100, "ray: {work}");
            let (found, work) = nearest(&boxes, middle * 3.0);
            assert_eq!(found, Some(item as u32));
            assert!(work < 100, "nearest: {work}");
        }
        let (_, work) = nearest(&boxes, Vec2::ZERO);
        assert!(work < 100, "from the middle: {work}");
        let mut found = 0;
        grids(&boxes).visit_box(Aabb2d { min: Vec2::MIN, max: Vec2::MAX }, |_| found += 1);
        assert_eq!(found, 3);
    }

    #[test]
    fn the_nearest_costs_its_surroundings() {
        let field = |side: i32| {
            let mut boxes = Vec::new();
            for x in -side..side {
                boxes.extend((-side..side).map(|y| square(x as f32, y as f32, 0.5)));
            }
            boxes
        };
        for point in [Vec2::new(0.8, 0.9), Vec2::new(-5.3, 7.7), Vec2::new(31.9, 0.0)] {
            let (_, few) = nearest(&field(32), point);
            let (_, many) = nearest(&field(128), point);
            assert!(few < 300 && many <= few + few / 2 + 8, "{few}, then {many} around {point}");
        }
    }

    #[test]
    fn what_was_pushed_is_looked_for_where_it_was() {
        let boxes = [square(0.0, 0.0, 1.0), square(10.0, 0.0, 1.0)];
        let mut grid = grids(&boxes);
        grid.moved_since = 2.5;
        let mut seen = Vec::new();
        grid.visit_box(square(13.0, 0.0, 0.0), |item| seen.push(item));
        assert_eq!(seen, [1]);
        let way = line(Vec2::new(13.0, -5.0), Vec2::Y);
        let measure = |_: &Aabb2d| Some(0.0);
        let mut first =
            First { boxes: &boxes, measure: &measure, best: f64::INFINITY, item: None, work: 0 };
        grid.visit_swept(&way, &mut first);
        assert_eq!(first.item, Some(1), "only the static box is where it was");
        let still = SweptBox::new(WideBox::new(square(13.4, 0.0, 0.0), 0.0), DVec2::ZERO, 1.0);
        let mut first =
            First { boxes: &boxes, measure: &measure, best: f64::INFINITY, item: None, work: 0 };
        grid.visit_swept(&still, &mut first);
        assert_eq!(first.item, Some(1), "a box at rest");
    }
}
