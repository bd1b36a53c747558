//! How far a polygon reaches along a direction: the inner loop of every polygon test.

use bevy::math::{DVec2, Vec2};

/// Corners that are kept in double precision; longer lists are read as they are.
const KEPT: usize = 16;
/// Corners that are looked at together. Four independent minima let the compiler use vector
/// instructions and hide their latency; one running minimum would be a chain.
const LANES: usize = 4;

/// The corners of a polygon, prepared for many directions.
pub(super) struct Corners<'s> {
    all: &'s [Vec2],
    // INVARIANT: the first corners up to a multiple of `LANES`, the last one repeated; unused where
    // there are more than `KEPT`.
    x: [f64; KEPT],
    y: [f64; KEPT],
}

impl<'s> Corners<'s> {
    #[inline]
    pub(super) fn new(all: &'s [Vec2]) -> Self {
        let (mut x, mut y) = ([0.0; KEPT], [0.0; KEPT]);
        if let Some(last) = all.last().filter(|_| all.len() <= KEPT) {
            let filled = all.len().next_multiple_of(LANES);
            for i in 0..filled {
                let corner = all.get(i).unwrap_or(last);
                (x[i], y[i]) = (f64::from(corner.x), f64::from(corner.y));
            }
        }
        Self { all, x, y }
    }

    /// The smallest coordinate along a direction.
    #[inline]
    pub(super) fn lowest(&self, direction: DVec2) -> f64 {
        let mut low = [f64::MAX; LANES];
        let mut take = |lane: usize, height: f64| {
            if height < low[lane] {
                low[lane] = height;
            }
        };
        if self.all.len() <= KEPT {
            let (x, y) = (self.x.chunks_exact(LANES), self.y.chunks_exact(LANES));
            for (x, y) in x.zip(y).take(self.all.len().div_ceil(LANES)) {
                for lane in 0..LANES {
                    take(lane, direction.x * x[lane] + direction.y * y[lane]);
                }
            }
        } else {
            let chunks = self.all.chunks_exact(LANES);
            for (lane, corner) in chunks.remainder().iter().enumerate() {
                take(lane, direction.dot(corner.as_dvec2()));
            }
            for chunk in chunks {
                for (lane, corner) in chunk.iter().enumerate() {
                    take(lane, direction.dot(corner.as_dvec2()));
                }
            }
        }
        low.into_iter().fold(f64::MAX, f64::min)
    }
}

/// The smallest coordinate of the corners along a direction.
#[inline]
pub(super) fn lowest(corners: &[Vec2], direction: DVec2) -> f64 {
    // Not `f64::min`, which asks for NaN in every turn.
    corners
        .iter()
        .map(|corner| direction.dot(corner.as_dvec2()))
        .fold(f64::MAX, |low, height| if height < low { height } else { low })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_corners_has_the_same_lowest_one_either_way() {
        for n in 1..40 {
            let corner = |i: usize| Vec2::from_angle(i as f32 * 0.7) * (1.0 + i as f32);
            let corners: Vec<Vec2> = (0..n).map(corner).collect();
            let prepared = Corners::new(&corners);
            for i in 0..20 {
                let direction = Vec2::from_angle(i as f32 * 0.31).as_dvec2();
                let expected = lowest(&corners, direction);
                assert_eq!(prepared.lowest(direction).to_bits(), expected.to_bits(), "{n} corners");
            }
        }
    }
}
