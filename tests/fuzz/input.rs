//! Words, and the values that are made of them.

use bevy::math::{Affine2, Mat2, Vec2};
use bevy_nudge::geometry::{
    Aabb, Circle, Compound, CompoundPart, ConcavePolygon, ConvexPolygon, Shape,
};

/// SplitMix64 (Steele, Lea and Flood, 2014).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

/// Numbers at which something changes.
const EDGES: [f32; 24] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    10.0,
    1e-3,
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    f32::EPSILON,
    1e-45,
    1e-30,
    1e-20,
    1e10,
    1e20,
    1e30,
    1e37,
    -1e37,
    16_777_216.0,
];

/// A word of which most are the bits of small numbers, for these lead farthest.
pub(crate) fn any_word(random: &mut Random) -> u32 {
    match random.below(8) {
        0 => random.next() as u32,
        1 => EDGES[random.below(EDGES.len())].to_bits(),
        2 => random.below(64) as u32,
        3 | 4 => (random.below(17) as f32 - 8.0).to_bits(),
        5 => ((random.below(65) as f32 - 32.0) * 0.25).to_bits(),
        _ => {
            let unit = random.next() as u32 as f32 / u32::MAX as f32;
            (20.0 * unit - 10.0).to_bits()
        }
    }
}

/// Reads words one after the other; zeros when there are no more.
pub(crate) struct Input<'a> {
    words: &'a [u32],
}

impl<'a> Input<'a> {
    pub(crate) fn new(words: &'a [u32]) -> Self {
        Self { words }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(crate) fn word(&mut self) -> u32 {
        let Some((&first, rest)) = self.words.split_first() else { return 0 };
        self.words = rest;
        first
    }

    /// A small choice.
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        let word = self.word();
        // All bits count, so that a flip of any of them chooses anew.
        (word ^ (word >> 16) ^ (word >> 24)) % n
    }

    pub(crate) fn number(&mut self) -> f32 {
        f32::from_bits(self.word())
    }

    pub(crate) fn point(&mut self) -> Vec2 {
        Vec2::new(self.number(), self.number())
    }

    pub(crate) fn points(&mut self, most: u32) -> Vec<Vec2> {
        let count = self.below(most + 1);
        (0..count).map(|_| self.point()).collect()
    }

    pub(crate) fn pose(&mut self) -> Affine2 {
        let place = self.point();
        match self.below(4) {
            0 => Affine2::from_translation(place),
            1 => Affine2::from_angle_translation(self.number() % 7.0, place),
            2 => {
                let turn = Mat2::from_angle(self.number() % 7.0);
                Affine2::from_mat2_translation(turn * Mat2::from_diagonal(self.point()), place)
            }
            _ => {
                let matrix = Mat2::from_cols(self.point(), self.point());
                Affine2::from_mat2_translation(matrix, place)
            }
        }
    }

    /// Any shape, sound or not; none where its constructor refuses it.
    pub(crate) fn shape(&mut self) -> Option<Shape> {
        if self.below(8) == 7 {
            let parts = 1 + self.below(4);
            let parts: Option<Vec<CompoundPart>> = (0..parts)
                .map(|_| {
                    let (shape, offset) = (self.simple_shape()?, self.point());
                    Some(CompoundPart::at(shape, offset).turned(self.number()))
                })
                .collect();
            return Compound::new(parts?).ok().map(Into::into);
        }
        self.simple_shape()
    }

    fn simple_shape(&mut self) -> Option<Shape> {
        let polygon = match self.below(9) {
            0 => return Some(Circle { center: self.point(), radius: self.number() }.into()),
            1 => return Some(Aabb { min: self.point(), max: self.point() }.into()),
            2 => return Aabb::from_corners(self.point(), self.point()).ok().map(Into::into),
            3 => ConvexPolygon::new(self.points(8)),
            4 => ConvexPolygon::hull(self.points(12)),
            5 => ConvexPolygon::regular(self.below(20) as usize, self.number()),
            6 => ConvexPolygon::segment(self.point(), self.point()),
            7 => ConvexPolygon::capsule(self.point(), self.point(), self.number()),
            _ => return ConcavePolygon::new(self.points(10)).ok().map(Into::into),
        };
        let polygon = polygon.ok()?;
        match self.below(4) {
            0 => polygon.with_radius(self.number()).ok().map(Into::into),
            _ => Some(polygon.into()),
        }
    }
}
