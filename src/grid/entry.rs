//! Boxes as the grid keeps them.

use bevy::math::{Vec2, Vec4, Vec4Swizzles, bounding::Aabb2d};

/// The corners of a box: the lower one, and the upper one negated. Two boxes meet if four numbers are
/// no larger than four others, which is one comparison; growing a box lowers all four.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Corners(pub(crate) Vec4);

impl Corners {
    /// A box inside out: it meets nothing, and holds nothing.
    pub(crate) const NOWHERE: Self = Self(Vec4::INFINITY);

    #[inline]
    pub(crate) fn new(bounds: &Aabb2d) -> Self {
        let Aabb2d { min, max } = bounds;
        Self(Vec4::new(min.x, min.y, -max.x, -max.y))
    }

    #[inline]
    pub(crate) fn bounds(self) -> Aabb2d {
        Aabb2d { min: self.0.xy(), max: -self.0.zw() }
    }
}

/// A box as the grid keeps it: small, since walking the grid is reading these from end to end. Two
/// share a line of the cache, and none lies across two.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Entry {
    corners: Corners,
    pub(super) item: u32,
    groups: Groups,
    /// The column of the lower left corner, counted from the first column of the level.
    pub(super) column: u32,
}

/// What a box may pair with: each one's second word has to hold a bit of the other's first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Groups(pub(crate) u32, pub(crate) u32);

impl Entry {
    /// The place of a box that was taken out.
    pub(super) const GAP: Self =
        Self { corners: Corners::NOWHERE, item: 0, groups: Groups(0, 0), column: 0 };

    #[inline]
    pub(crate) fn new(item: u32, corners: Corners, groups: Groups) -> Self {
        Self { corners, item, groups, column: 0 }
    }

    #[inline]
    pub(super) fn in_column(self, column: u32) -> Self {
        Self { column, ..self }
    }

    #[inline]
    pub(super) fn bounds(&self) -> Aabb2d {
        self.corners.bounds()
    }

    #[inline]
    pub(super) fn corners(&self) -> Corners {
        self.corners
    }

    /// Makes a gap of it: a box inside out, which meets nothing.
    pub(super) fn take_out(&mut self) {
        self.corners = Corners::NOWHERE;
    }

    #[inline]
    pub(super) fn is_gap(&self) -> bool {
        self.corners == Corners::NOWHERE
    }

    #[inline]
    pub(super) fn min(&self) -> Vec2 {
        self.corners.0.xy()
    }

    /// The longer side.
    #[inline]
    pub(super) fn size(&self) -> f64 {
        let [left, bottom, minus_right, minus_top] = self.corners.0.to_array();
        let width = -f64::from(minus_right) - f64::from(left);
        let height = -f64::from(minus_top) - f64::from(bottom);
        width.max(height)
    }

    /// Whether two boxes share a point and may pair. Without branches: most neighbours fail, at no
    /// predictable comparison.
    #[inline]
    pub(super) fn pairs_with(&self, probe: &Probe) -> bool {
        let (Groups(members, filters), Groups(others, wanted)) = (self.groups, probe.groups);
        self.meets(probe) & (members & wanted != 0) & (filters & others != 0)
    }

    /// Whether two boxes share a point.
    #[inline]
    pub(super) fn meets(&self, probe: &Probe) -> bool {
        self.corners.0.cmple(probe.limits).all()
    }
}

/// A box that others are compared with.
pub(super) struct Probe {
    /// What the corners of a box that meets it do not exceed.
    limits: Vec4,
    groups: Groups,
}

impl Probe {
    #[inline]
    pub(super) fn of(entry: &Entry) -> Self {
        Self { limits: -entry.corners.0.zwxy(), groups: entry.groups }
    }
}
