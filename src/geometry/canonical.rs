//! Outlines seen from where all their mirror images look the same.
//!
//! Where four corners of an outline lie on one circle, either diagonal will do for a cut, and the
//! order of the corners decides. The mirror image of the outline must be cut into the mirrored
//! pieces, or else distances differ by a rounding, and what comes of them.

use core::cmp::Ordering;

use bevy::math::Vec2;

/// A map of the plane onto itself that flips and swaps axes, and so rounds nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Image {
    /// Whether it swaps x and y, before the signs.
    swaps: bool,
    signs: Vec2,
}

impl Image {
    pub(super) const ITSELF: Self = Self { swaps: false, signs: Vec2::ONE };

    fn all() -> impl Iterator<Item = Self> {
        [false, true].into_iter().flat_map(|swaps| {
            [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)]
                .map(|signs| Self { swaps, signs: signs.into() })
        })
    }

    pub(super) fn of(self, point: Vec2) -> Vec2 {
        self.signs * if self.swaps { Vec2::new(point.y, point.x) } else { point }
    }

    pub(super) fn back(self, point: Vec2) -> Vec2 {
        let Vec2 { x, y } = self.signs * point;
        if self.swaps { Vec2::new(y, x) } else { Vec2::new(x, y) }
    }

    /// Whether it turns left into right.
    pub(super) fn is_mirror(self) -> bool {
        self.swaps != (self.signs.x * self.signs.y < 0.0)
    }

    /// The image in which a ring, given counter-clockwise, comes first of all of them. Images of a
    /// ring that is symmetric itself may be the same, and it is one of these.
    pub(super) fn canonical(ring: &[Vec2]) -> Self {
        let seen = Self::all().map(|image| {
            let mut points: Vec<Vec2> = ring.iter().map(|&point| image.of(point)).collect();
            if image.is_mirror() {
                points.reverse();
            }
            begin_at_the_first(&mut points, |&point| point);
            (image, points)
        });
        let first = seen.reduce(|one, other| if is_before(&other.1, &one.1) { other } else { one });
        first.map_or(Self::ITSELF, |(image, _)| image)
    }
}

/// Turns a ring so that it begins at its lowest corner by x, then y.
pub(super) fn begin_at_the_first<T>(ring: &mut [T], point: impl Fn(&T) -> Vec2) {
    let first = (0..ring.len()).min_by(|&i, &j| by_x_then_y(point(&ring[i]), point(&ring[j])));
    ring.rotate_left(first.unwrap_or(0));
}

pub(super) fn by_x_then_y(a: Vec2, b: Vec2) -> Ordering {
    // Finite numbers always compare.
    (a.x, a.y).partial_cmp(&(b.x, b.y)).unwrap_or(Ordering::Equal)
}

fn is_before(one: &[Vec2], other: &[Vec2]) -> bool {
    let order = one.iter().zip(other).map(|(&a, &b)| by_x_then_y(a, b));
    order.into_iter().find(|order| order.is_ne()).is_some_and(Ordering::is_lt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_image_of_a_ring_looks_the_same_from_its_own() {
        let ring = [(0.0, 0.0), (5.0, 1.0), (4.0, 4.0), (2.0, 2.0), (-1.0, 3.0)].map(Vec2::from);
        let look = |ring: &[Vec2]| {
            let image = Image::canonical(ring);
            let mut seen: Vec<Vec2> = ring.iter().map(|&point| image.of(point)).collect();
            if image.is_mirror() {
                seen.reverse();
            }
            begin_at_the_first(&mut seen, |&point| point);
            seen
        };
        let expected = look(&ring);
        for image in Image::all() {
            let mut other: Vec<Vec2> = ring.iter().map(|&point| image.of(point)).collect();
            assert!(ring.iter().zip(&other).all(|(&point, &seen)| image.back(seen) == point));
            if image.is_mirror() {
                other.reverse();
            }
            other.rotate_left(2);
            assert_eq!(look(&other), expected, "{image:?}");
        }
    }
}
