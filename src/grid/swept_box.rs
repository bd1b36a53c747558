//! Boxes in double precision: at rest, and on a straight way.

use bevy::math::{DVec2, bounding::Aabb2d};

/// What computing a time or a place may lose, relative to its size: some units in the last place
/// of double precision. All visits are too generous by it.
const SLACK: f64 = 1e-14;

/// A box in double precision, which can grow by any margin without losing it to rounding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WideBox {
    pub(crate) min: DVec2,
    pub(crate) max: DVec2,
}

impl WideBox {
    /// A box grown by a margin on each side, and by what rounding may take.
    pub(crate) fn new(bounds: Aabb2d, margin: f64) -> Self {
        let (min, max) = (bounds.min.as_dvec2(), bounds.max.as_dvec2());
        let min_margin = DVec2::splat(margin) + SLACK * min.abs();
        let max_margin = DVec2::splat(margin) + SLACK * max.abs();
        Self { min: min - min_margin, max: max + max_margin }
    }

    /// The longer side.
    pub(crate) fn size(&self) -> f64 {
        (self.max - self.min).max_element()
    }

    /// Squared distance to another box; 0 if they meet.
    pub(crate) fn distance_squared(&self, other: &Aabb2d) -> f64 {
        let x = self.gap(0, [f64::from(other.min.x), f64::from(other.max.x)]);
        let y = self.gap(1, [f64::from(other.min.y), f64::from(other.max.y)]);
        x * x + y * y
    }

    /// The distance beyond which no point of another box lies.
    pub(crate) fn farthest(&self, other: &Aabb2d) -> f64 {
        let reach = (other.max.as_dvec2() - self.min).max(self.max - other.min.as_dvec2());
        reach.length() * (1.0 + SLACK)
    }

    /// Distance to an interval along one axis; 0 if they meet.
    pub(super) fn gap(&self, axis: usize, [low, high]: [f64; 2]) -> f64 {
        (low - self.max[axis]).max(self.min[axis] - high).max(0.0)
    }
}

/// A box that moves along a straight way: at the time `t` it has moved by `t * direction`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweptBox {
    start: WideBox,
    direction: DVec2,
    /// One by the direction: multiplying takes a fifth of the time of dividing.
    inverse: DVec2,
    /// The last moment. May be infinite before [`clipped`](Self::clipped).
    end: f64,
}

impl SweptBox {
    /// `direction` has to be finite; without one the box rests.
    pub(crate) fn new(start: WideBox, direction: DVec2, end: f64) -> Self {
        let is_at_rest = direction == DVec2::ZERO;
        let end = if is_at_rest { 0.0 } else { end };
        Self { start, direction, inverse: direction.recip(), end }
    }

    /// The same way of a box that is larger by a margin.
    pub(crate) fn grown(mut self, margin: f64) -> Self {
        self.start.min -= margin;
        self.start.max += margin;
        self
    }

    /// The longer side of the box.
    pub(crate) fn size(&self) -> f64 {
        self.start.size()
    }

    /// The last moment.
    pub(crate) fn end(&self) -> f64 {
        self.end
    }

    /// How far it moves in a unit of time along the axis along which it moves faster.
    pub(crate) fn speed(&self) -> f64 {
        self.direction.abs().max_element()
    }

    /// The same way without its part behind a box, and when it meets the box; none if it never
    /// does. Its end is finite.
    pub(crate) fn clipped(&self, bounds: &Aabb2d) -> Option<(f64, Self)> {
        let [enter, exit] = self.crossing_of(bounds)?;
        Some((enter, Self { end: self.end.min(exit * (1.0 + SLACK)), ..*self }))
    }

    /// When it first meets a box at rest.
    pub(super) fn meets(&self, bounds: &Aabb2d) -> Option<f64> {
        self.crossing_of(bounds).map(|[enter, _]| enter)
    }

    fn crossing_of(&self, bounds: &Aabb2d) -> Option<[f64; 2]> {
        let (min, max) = (bounds.min.as_dvec2(), bounds.max.as_dvec2());
        let during = self.crossing(0, [min.x, max.x], [0.0, self.end])?;
        self.crossing(1, [min.y, max.y], during)
    }

    /// During which part of a time it meets an interval along one axis. A little longer than it
    /// truly does.
    pub(super) fn crossing(
        &self,
        axis: usize,
        interval: [f64; 2],
        [from, to]: [f64; 2],
    ) -> Option<[f64; 2]> {
        let [enter, exit] = self.line_crossing(axis, interval);
        let (enter, exit) = (enter.max(from), exit.min(to));
        (enter <= exit + SLACK * exit.abs())
            .then(|| [enter * (1.0 - SLACK), exit.max(enter) * (1.0 + SLACK)])
    }

    /// Before which time it surely does not meet an interval along one axis, unless it rests along
    /// that axis.
    pub(super) fn earliest(&self, axis: usize, interval: [f64; 2]) -> f64 {
        let [enter, _] = self.line_crossing(axis, interval);
        enter - SLACK * enter.max(0.0)
    }

    /// When it would meet an interval along one axis, if it had always moved and always did.
    fn line_crossing(&self, axis: usize, [low, high]: [f64; 2]) -> [f64; 2] {
        let (speed, inverse) = (self.direction[axis], self.inverse[axis]);
        let (to_low, to_high) = (low - self.start.max[axis], high - self.start.min[axis]);
        if speed > 0.0 {
            [to_low * inverse, to_high * inverse]
        } else if speed < 0.0 {
            [to_high * inverse, to_low * inverse]
        } else if to_low <= 0.0 && to_high >= 0.0 {
            [f64::NEG_INFINITY, f64::INFINITY]
        } else {
            [f64::NEG_INFINITY, f64::NEG_INFINITY]
        }
    }

    /// The interval that it covers along one axis from one time to another.
    pub(super) fn reach(&self, axis: usize, [from, to]: [f64; 2]) -> [f64; 2] {
        let [from_low, from_high] = self.place(axis, from);
        let [to_low, to_high] = self.place(axis, to);
        [from_low.min(to_low), from_high.max(to_high)]
    }

    fn place(&self, axis: usize, time: f64) -> [f64; 2] {
        let speed = self.direction[axis];
        // An endless time would make NaN of no speed.
        let way = if speed == 0.0 { 0.0 } else { speed * time };
        let slack = SLACK * way.abs();
        [self.start.min[axis] + way - slack, self.start.max[axis] + way + slack]
    }

    /// Whether it moves down along one axis.
    pub(super) fn is_backward(&self, axis: usize) -> bool {
        self.direction[axis] < 0.0
    }
}
