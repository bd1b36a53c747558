//! Contacts of circles, of many pairs at once.
//!
//! Circles have a single axis, the line of centres: no choice and no loop. They are by far the most
//! frequent pair, so that what they cost is worth most.

use bevy::math::{DVec2, Vec2};

use super::contact::{Contact, ContactStatus};
use super::placed::Disc;
use super::touch::{Touch, TouchRule};

/// The line of centres of two circles, and where on it they meet.
#[derive(Clone, Copy)]
struct LineOfCentres {
    /// From the first centre to the second.
    normal: DVec2,
    depth: f64,
    /// The middle of what they share on the line, from the first centre.
    point: DVec2,
    is_overlapping: bool,
    is_touching: bool,
}

impl LineOfCentres {
    /// Of circles whose second lies at `offset` from the first.
    ///
    /// Without branches: a loop over many pairs is then computed several pairs at a time, and whether
    /// two neighbours touch is no better to predict than a coin.
    #[inline(always)]
    fn new(offset: DVec2, [first, second]: [f64; 2], touch: &Tolerance) -> Self {
        let reach = first + second;
        let tolerance = touch.of(reach);
        let squared = offset.length_squared();
        let length = squared.sqrt();
        // Centres at one place: +x by convention.
        let has_direction = (length > 0.0) & (length < f64::INFINITY);
        let inverse = 1.0 / length;
        let normal = DVec2 {
            x: if has_direction { offset.x * inverse } else { 1.0 },
            y: if has_direction { offset.y * inverse } else { 0.0 },
        };
        let distance = normal.dot(offset);
        let start = larger(-first, distance - second);
        let end = -larger(-first, -(distance + second));
        let (outer, inner) = (reach + tolerance, reach - tolerance);
        let is_overlapping = (inner > 0.0) & (squared < inner * inner);
        Self {
            normal,
            depth: reach - length,
            point: normal * (0.5 * (start + end)),
            is_overlapping,
            is_touching: !is_overlapping & (squared <= outer * outer),
        }
    }

    #[inline(always)]
    fn is_contact(&self, rule: TouchRule) -> bool {
        self.is_overlapping | (self.is_touching & (rule == TouchRule::Inclusive))
    }
}

/// As `f64::max` of numbers that are none of them NaN, in one instruction.
#[inline(always)]
fn larger(one: f64, other: f64) -> f64 {
    if one > other { one } else { other }
}

/// A [`Touch`] worked out as far as it can be without a pair.
#[derive(Clone, Copy)]
struct Tolerance {
    slop: f64,
}

impl Tolerance {
    fn new(touch: Touch) -> Self {
        Self { slop: touch.tolerance(0.0) }
    }

    #[inline(always)]
    fn of(self, extents: f64) -> f64 {
        Touch::RELATIVE * extents + self.slop
    }
}

/// How many pairs [`CirclePairs`] holds.
pub(crate) const LANES: usize = 64;

/// Pairs of circles whose contacts are computed together: a list for each number, so that one
/// instruction computes several pairs.
pub(crate) struct CirclePairs {
    from: [[f32; LANES]; 2],
    offset: [[f64; LANES]; 2],
    radii: [[f32; LANES]; 2],
    /// -1 for a pair of which B is computed from, else 1.
    sign: [f32; LANES],
    normal: [[f32; LANES]; 2],
    point: [[f32; LANES]; 2],
    depth: [f32; LANES],
    is_touching: [bool; LANES],
    is_contact: [bool; LANES],
}

impl CirclePairs {
    pub(crate) fn new() -> Self {
        Self {
            from: [[0.0; LANES]; 2],
            offset: [[0.0; LANES]; 2],
            radii: [[0.0; LANES]; 2],
            sign: [1.0; LANES],
            normal: [[0.0; LANES]; 2],
            point: [[0.0; LANES]; 2],
            depth: [0.0; LANES],
            is_touching: [false; LANES],
            is_contact: [false; LANES],
        }
    }

    /// Enters a pair. The index must be below [`LANES`].
    #[inline]
    pub(crate) fn set(&mut self, i: usize, a: &Disc, b: &Disc) {
        let is_later = comes_later(a, b);
        let (first, second) = if is_later { (b, a) } else { (a, b) };
        let offset = second.origin.as_dvec2() - first.origin.as_dvec2();
        (self.from[0][i], self.from[1][i]) = first.origin.into();
        (self.offset[0][i], self.offset[1][i]) = offset.into();
        (self.radii[0][i], self.radii[1][i]) = (first.extent, second.extent);
        self.sign[i] = if is_later { -1.0 } else { 1.0 };
    }

    /// Computes the first so many pairs.
    pub(crate) fn compute(&mut self, count: usize, touch: Touch) {
        let tolerance = Tolerance::new(touch);
        for i in 0..count.min(LANES) {
            let offset = DVec2::new(self.offset[0][i], self.offset[1][i]);
            let radii = [f64::from(self.radii[0][i]), f64::from(self.radii[1][i])];
            let line = LineOfCentres::new(offset, radii, &tolerance);
            self.normal[0][i] = line.normal.x as f32 * self.sign[i];
            self.normal[1][i] = line.normal.y as f32 * self.sign[i];
            self.point[0][i] = (f64::from(self.from[0][i]) + line.point.x) as f32;
            self.point[1][i] = (f64::from(self.from[1][i]) + line.point.y) as f32;
            self.depth[i] = if line.is_touching { 0.0 } else { line.depth as f32 };
            self.is_touching[i] = line.is_touching;
            self.is_contact[i] = line.is_contact(touch.rule);
        }
    }

    /// Whether a pair is a contact.
    #[inline]
    pub(crate) fn is_contact(&self, i: usize) -> bool {
        self.is_contact[i]
    }

    /// The contact of a pair that is one.
    #[inline]
    pub(crate) fn contact(&self, i: usize) -> Contact {
        let status =
            if self.is_touching[i] { ContactStatus::Touching } else { ContactStatus::Overlapping };
        Contact {
            normal: Vec2::new(self.normal[0][i], self.normal[1][i]),
            depth: self.depth[i],
            point: Vec2::new(self.point[0][i], self.point[1][i]),
            status,
        }
    }
}

/// Whether a pair is computed with `b` first: both orders of a pair then run the very same
/// computation. All but the point is the same either way, with the other sign.
#[inline]
fn comes_later(a: &Disc, b: &Disc) -> bool {
    (b.origin.x < a.origin.x) | ((b.origin.x <= a.origin.x) & (b.origin.y < a.origin.y))
}

/// The contact of one pair of circles.
#[inline]
pub(crate) fn contact_of_circles(a: &Disc, b: &Disc, touch: Touch) -> Option<Contact> {
    let is_later = comes_later(a, b);
    let (first, second) = if is_later { (b, a) } else { (a, b) };
    let from = first.origin.as_dvec2();
    let radii = [f64::from(first.extent), f64::from(second.extent)];
    let offset = second.origin.as_dvec2() - from;
    let line = LineOfCentres::new(offset, radii, &Tolerance::new(touch));
    if !line.is_contact(touch.rule) {
        return None;
    }
    let towards_b = line.normal.as_vec2();
    let (depth, status) = if line.is_touching {
        (0.0, ContactStatus::Touching)
    } else {
        (line.depth as f32, ContactStatus::Overlapping)
    };
    Some(Contact {
        normal: if is_later { -towards_b } else { towards_b },
        depth,
        point: (from + line.point).as_vec2(),
        status,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Circle, PlacedShape, explain, overlaps};
    use bevy::math::Affine2;

    fn circle(radius: f32, x: f32, y: f32) -> PlacedShape {
        let circle = Circle::new(Vec2::ZERO, radius).expect("a circle").into();
        PlacedShape::new(&circle, Affine2::from_translation(Vec2::new(x, y))).expect("a place")
    }

    #[test]
    fn many_pairs_at_once_are_what_each_is_alone() {
        let mut circles = vec![
            circle(2.0, 0.0, 0.0),
            circle(1.0, 3.0, 0.0),
            circle(1.0, -3.0, -0.0),
            circle(0.0, 0.0, 0.0),
            circle(0.0, 2.0, 0.0),
            circle(1e37, 1e37, -1e37),
            circle(1e37, -1e37, 1e37),
            circle(1e-30, 1e-30, 0.0),
        ];
        let mut state = 3_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        };
        circles.extend((0..56).map(|i| {
            // Half of them on whole numbers, so that some only touch.
            let [r, x, y] = [random(), random() * 12.0 - 6.0, random() * 12.0 - 6.0];
            if i % 2 == 0 { circle(r, x, y) } else { circle(r.ceil(), x.round(), y.round()) }
        }));
        let mut touching = 0;
        for rule in [TouchRule::Inclusive, TouchRule::Exclusive] {
            for slop in [0.0, 0.125] {
                let touch = Touch { rule, slop };
                for a in &circles {
                    let mut pairs = CirclePairs::new();
                    for (i, b) in circles.iter().enumerate() {
                        pairs.set(i, &a.disc(), &b.disc());
                    }
                    pairs.compute(circles.len(), touch);
                    for (i, b) in circles.iter().enumerate() {
                        let alone = contact_of_circles(&a.disc(), &b.disc(), touch);
                        let together = pairs.is_contact(i).then(|| pairs.contact(i));
                        assert_eq!(together, alone, "{a:?} and {b:?}");
                        assert_eq!(alone.is_some(), overlaps(a, b, touch), "{a:?} and {b:?}");
                        assert_eq!(
                            alone,
                            explain(a, b, touch).and_then(|why| why.contact),
                            "{a:?} and {b:?}"
                        );
                        touching +=
                            usize::from(alone.is_some_and(|c| c.status == ContactStatus::Touching));
                    }
                }
            }
        }
        assert!(touching > 20, "{touching} that only touch");
    }
}
