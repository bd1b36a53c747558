//! Whether and how two shapes meet.

use core::ops::ControlFlow;

use bevy::math::DVec2;

use super::circles::contact_of_circles;
use super::contact::{Contact, ContactStatus};
use super::contact_point::point_of_contact;
use super::pieces;
use super::placed::{Disc, Outline, PlacedShape};
use super::sat::{AxisSource, Measure, offset, visit_measures};
use super::touch::{Relation, Touch, TouchBand};

/// Finds where `a` and `b` touch or overlap, and how to part them.
///
/// World space, world units. The normal points from `a` to `b`; moving `b` by
/// [`Contact::mtv`] leaves the two touching. Shapes that only touch are a contact of depth 0
/// under [`TouchRule::Inclusive`](super::TouchRule::Inclusive) and none under
/// [`TouchRule::Exclusive`](super::TouchRule::Exclusive). Of equally short ways out the one whose
/// undirected axis has the smallest angle is taken; concentric circles part along +x.
///
/// `contact(b, a)` is `contact(a, b)` [flipped](Contact::flipped), to the bit, unless the centres
/// coincide.
///
/// # Cost
/// O(m n) for m and n vertices that overlap, mostly O(n) for shapes that are apart; no
/// allocation. Shapes of several pieces: see the method.
///
/// # Method
/// Convex shapes: the largest gap over the candidate axes of [`visit_axes`](super::visit_axes); its negative is the
/// depth. Concave and compound shapes: the shortest way from the origin to the boundary of the
/// union of the Minkowski differences of all pairs of pieces near enough to matter. With k such
/// pairs and n edges in all O(n² k) at worst, mostly little more than O(n k): what other pieces
/// cover is dropped first.
///
/// ```
/// use bevy::math::{Affine2, Vec2};
/// use bevy_nudge::geometry::{Aabb, PlacedShape, TouchRule, contact};
///
/// let wall = Aabb::from_corners(Vec2::ZERO, Vec2::new(4.0, 3.0))?;
/// let crate_box = Aabb::from_corners(Vec2::new(3.5, 1.0), Vec2::new(7.0, 6.0))?;
/// let wall = PlacedShape::new(&wall.into(), Affine2::IDENTITY)?;
/// let crate_box = PlacedShape::new(&crate_box.into(), Affine2::IDENTITY)?;
///
/// let contact = contact(&wall, &crate_box, TouchRule::Inclusive).unwrap();
/// assert_eq!(contact.mtv(), Vec2::new(0.5, 0.0));
/// assert_eq!(contact.point, Vec2::new(3.75, 2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn contact(a: &PlacedShape, b: &PlacedShape, touch: impl Into<Touch>) -> Option<Contact> {
    let touch = touch.into();
    if let [a, b] = [a.disc(), b.disc()]
        && a.is_circle()
        && b.is_circle()
    {
        return contact_of_circles(&a, &b, touch);
    }
    if !may_touch(&a.disc(), &b.disc(), &touch) {
        return None;
    }
    contact_watched(a, b, touch, &mut unwatched).filter(|_| bounds_meet(a, b, &touch))
}

fn unwatched(_: AxisSource, _: Measure, _: bool) {}

/// As [`contact`] of two shapes that are known to be convex.
#[inline]
pub(crate) fn contact_of_convex(a: &PlacedShape, b: &PlacedShape, touch: Touch) -> Option<Contact> {
    if comes_first(b, a) {
        convex_contact_in_order(b, a, touch, &mut unwatched).map(Contact::flipped)
    } else {
        convex_contact_in_order(a, b, touch, &mut unwatched)
    }
}

/// As [`contact`] of two shapes that are not both circles, and shows each axis that it looks at to
/// `watch`, in the order of the engine, with whether it now is the one that decides.
#[inline]
pub(super) fn contact_watched(
    a: &PlacedShape,
    b: &PlacedShape,
    touch: Touch,
    watch: &mut impl FnMut(AxisSource, Measure, bool),
) -> Option<Contact> {
    if comes_first(b, a) {
        contact_in_order(b, a, touch, watch).map(Contact::flipped)
    } else {
        contact_in_order(a, b, touch, watch)
    }
}

/// Whether `a` and `b` are a contact: true exactly when [`contact`] is some.
///
/// World space. Touching counts as the rule says.
///
/// # Cost
/// As [`contact`] for the axes, but takes no square root and computes no point.
#[must_use]
pub fn overlaps(a: &PlacedShape, b: &PlacedShape, touch: impl Into<Touch>) -> bool {
    let touch = touch.into();
    if !may_touch(&a.disc(), &b.disc(), &touch) {
        return false;
    }
    let extents = extents(a, b);
    let (first, second) = if comes_first(b, a) { (b, a) } else { (a, b) };
    if !(a.is_convex() && b.is_convex()) {
        return pieces::overlaps(first, second, &touch) && bounds_meet(a, b, &touch);
    }
    let band = touch.band(extents);
    let mut in_contact = true;
    visit_measures(first, second, offset(first, second), &mut |_, measure| {
        in_contact = band.counts(measure.relation(&band));
        if in_contact { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    in_contact && bounds_meet(a, b, &touch)
}

/// Whether a pair is computed with `a` before `b`: circles before boxes before polygons before
/// shapes of several pieces, and within a kind by place.
///
/// Both orders of a pair then run the very same computation, so that ties and rounding cannot
/// depend on which argument came first.
pub(super) fn comes_first(a: &PlacedShape, b: &PlacedShape) -> bool {
    let rank = |shape: &PlacedShape| match shape.outline() {
        Outline::Point => 0,
        Outline::Aabb { .. } => 1,
        Outline::Polygon { .. } => 2,
        Outline::Pieces { .. } => 3,
    };
    let (place_a, place_b) = (a.origin(), b.origin());
    let by_place = || (place_a.x, place_a.y) < (place_b.x, place_b.y);
    rank(a) < rank(b) || (rank(a) == rank(b) && by_place())
}

#[inline]
fn contact_in_order(
    a: &PlacedShape,
    b: &PlacedShape,
    touch: Touch,
    watch: &mut impl FnMut(AxisSource, Measure, bool),
) -> Option<Contact> {
    if !(a.is_convex() && b.is_convex()) {
        return pieces::contact(a, b, &touch);
    }
    convex_contact_in_order(a, b, touch, watch)
}

#[inline]
fn convex_contact_in_order(
    a: &PlacedShape,
    b: &PlacedShape,
    touch: Touch,
    watch: &mut impl FnMut(AxisSource, Measure, bool),
) -> Option<Contact> {
    let offset = offset(a, b);
    let mut deepest = DeepestAxis::new(a, b, Some(touch));
    visit_measures(a, b, offset, &mut |source, measure| {
        let before = deepest.chosen;
        let flow = deepest.take(measure);
        watch(source, measure, deepest.is_parted || deepest.chosen != before);
        flow
    });
    let (normal, gap) = deepest.chosen.filter(|_| !deepest.is_parted)?;
    let (depth, status) = if deepest.only_touches {
        (0.0, ContactStatus::Touching)
    } else {
        (-gap, ContactStatus::Overlapping)
    };
    let point = a.origin().as_dvec2() + point_of_contact(a, b, offset, normal);
    Some(Contact { normal: normal.as_vec2(), depth: depth as f32, point: point.as_vec2(), status })
}

/// The normal and gap of the axis of least overlap, or of the largest gap for shapes that are
/// apart.
pub(super) fn deepest_axis(a: &PlacedShape, b: &PlacedShape, offset: DVec2) -> (DVec2, f64) {
    let mut deepest = DeepestAxis::new(a, b, None);
    visit_measures(a, b, offset, &mut |_, measure| deepest.take(measure));
    // Every pair has an axis; the fallback is never read.
    deepest.chosen.unwrap_or((DVec2::X, 0.0))
}

/// Whether two shapes may be a contact, by the discs around them: false only if they surely are
/// not. Cheap, and without branches that depend on the shapes.
#[inline]
pub(crate) fn may_touch(a: &Disc, b: &Disc, touch: &Touch) -> bool {
    let extents = f64::from(a.extent) + f64::from(b.extent);
    // The corners of the square around a shape are the farthest that it can reach.
    let corner = if a.is_circle & b.is_circle { 1.0 } else { core::f64::consts::SQRT_2 };
    let reach = (extents * corner + touch.tolerance(extents)) * (1.0 + 1e-9);
    (b.origin.as_dvec2() - a.origin.as_dvec2()).length_squared() <= reach * reach
}

/// Whether the bounds of two shapes that their axes do not part meet, as those of all pairs do that
/// the step tests.
///
/// Of a sliver all normals may lie across it, and then no axis parts it from what lies far away on
/// its line. The axes of boxes and circles part their bounds too.
fn bounds_meet(a: &PlacedShape, b: &PlacedShape, touch: &Touch) -> bool {
    let is_plain =
        |shape: &PlacedShape| matches!(shape.outline(), Outline::Point | Outline::Aabb { .. });
    (is_plain(a) && is_plain(b)) || a.bounds_meet(b, touch)
}

pub(super) fn extents(a: &PlacedShape, b: &PlacedShape) -> f64 {
    f64::from(a.extent()) + f64::from(b.extent())
}

/// The listener of the hot path: keeps the axis with the largest gap, and stops at the first that
/// parts the shapes under the touching rule.
struct DeepestAxis {
    band: Option<TouchBand>,
    /// Gaps that are equal on paper differ by the rounding of the two unit normals, about half a
    /// unit in the last place each.
    rounding: f64,
    /// Normal and gap.
    chosen: Option<(DVec2, f64)>,
    largest_gap: f64,
    is_parted: bool,
    only_touches: bool,
}

impl DeepestAxis {
    #[inline]
    fn new(a: &PlacedShape, b: &PlacedShape, touch: Option<Touch>) -> Self {
        let extents = extents(a, b);
        Self {
            band: touch.map(|touch| touch.band(extents)),
            rounding: 2.0 * f64::from(f32::EPSILON) * extents,
            chosen: None,
            largest_gap: f64::MIN,
            is_parted: false,
            only_touches: false,
        }
    }

    /// Whether an axis goes before the chosen one: a larger gap, or about the same gap and a
    /// smaller angle, for ties are decided by geometry. Axes in almost the same direction, such as
    /// those of an edge and of its end, are no tie: there the larger gap is the right one.
    #[inline]
    fn is_better(&self, normal: DVec2, gap: f64) -> bool {
        let Some((chosen_normal, chosen_gap)) = self.chosen else { return true };
        if gap > chosen_gap + self.rounding {
            return true;
        }
        if gap < self.largest_gap - self.rounding {
            return false;
        }
        if are_almost_parallel(normal, chosen_normal) {
            gap > chosen_gap
        } else {
            has_smaller_angle(normal, chosen_normal)
        }
    }

    #[inline]
    fn take(&mut self, measure: Measure) -> ControlFlow<()> {
        if let Some(band) = &self.band {
            let relation = measure.relation(band);
            if !band.counts(relation) {
                self.is_parted = true;
                return ControlFlow::Break(());
            }
            self.only_touches |= relation == Relation::Touching;
        }
        let (normal, gap) = measure.resolve();
        if self.is_better(normal, gap) {
            self.chosen = Some((normal, gap));
        }
        self.largest_gap = self.largest_gap.max(gap);
        ControlFlow::Continue(())
    }
}

/// Whether two directions are so near to each other that the shorter of two about equal ways along
/// them is taken, and not the one with the smaller angle: less than one degree.
pub(super) fn are_almost_parallel(one: DVec2, other: DVec2) -> bool {
    let along = one.dot(other);
    along > 0.0 && along * along > 0.9998 * one.length_squared() * other.length_squared()
}

/// Whether the undirected axis along `one` has a smaller angle to +x than that along `other`. Of
/// the two directions of one axis, the one up (or to +x) goes first.
pub(super) fn has_smaller_angle(one: DVec2, other: DVec2) -> bool {
    // Directions this near to horizontal count as horizontal: otherwise the rounding of a normal
    // would decide between an angle of 0 and one of half a turn.
    const HORIZONTAL: f64 = 1e-6;
    let is_up = |v: DVec2| v.y > HORIZONTAL || (v.y >= -HORIZONTAL && v.x > 0.0);
    let up = |v: DVec2| if is_up(v) { v } else { -v };
    let turn = up(one).perp_dot(up(other));
    if turn.abs() > HORIZONTAL { turn > 0.0 } else { is_up(one) && !is_up(other) }
}
