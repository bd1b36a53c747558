//! How two bodies lie to each other, and what a contact of them must be.

use bevy_nudge::geometry::{Contact, ContactStatus};
use bevy_nudge::prelude::*;

use crate::geometry::{Body, separation};

/// How two bodies lie to each other, as far as it can be told.
pub(crate) struct Relation {
    pub(crate) separation: f64,
    /// Whether they overlap by more than the tolerance; none if rounding decides.
    pub(crate) overlap: Option<bool>,
    /// Whether they overlap or touch.
    pub(crate) touch: Option<bool>,
}

pub(crate) fn slop(settings: &CollisionSettings) -> f64 {
    let slop = f64::from(settings.touch_tolerance);
    if slop.is_finite() { slop.max(0.0) } else { 0.0 }
}

pub(crate) fn relate(a: &Body, b: &Body, settings: &CollisionSettings) -> Relation {
    let slop = slop(settings);
    let ((min_a, max_a), (min_b, max_b)) = (a.bounds(), b.bounds());
    let far = (min_b - max_a).max(min_a - max_b).max_element();
    if far > slop + 0.1 {
        return Relation { separation: far, overlap: Some(false), touch: Some(false) };
    }
    let s = separation(a, b);
    // The tolerance of the crate is 4 units in the last place of the sizes; no matter how it
    // measures a size, it is within this band.
    let band = 16.0 * f64::from(f32::EPSILON) * (a.extent() + b.extent());
    let rounding = a.rounding + b.rounding + 1e-12;
    let is_below = |limit: f64, inner: f64, outer: f64| {
        if s <= limit + inner - rounding {
            Some(true)
        } else {
            (s > limit + outer + rounding).then_some(false)
        }
    };
    let touch = if s <= slop && rounding <= 1e-12 { Some(true) } else { is_below(slop, 0.0, band) };
    let is_simple = a.is_convex() && b.is_convex();
    let is_thin = a.has_thin_piece() || b.has_thin_piece();
    let overlap = if !is_simple && s > -slop - band && (is_thin || s < -band - rounding) {
        // A segment along the seam of two pieces touches both and lies deep in the whole; so does what
        // overlaps each of them by less than the tolerance.
        None
    } else if s >= -slop && rounding <= 1e-12 {
        Some(false)
    } else {
        is_below(-slop, -band, 0.0)
    };
    Relation { separation: s, overlap, touch }
}

/// Holds a contact against its definition: a tie may be decided either way.
pub(crate) fn check_values(
    a: &Body,
    b: &Body,
    relation: &Relation,
    contact: &Contact,
    settings: &CollisionSettings,
) -> Result<(), String> {
    let s = relation.separation;
    let (normal, point) = (contact.normal.as_dvec2(), contact.point.as_dvec2());
    let is_simple = a.is_convex() && b.is_convex();
    let far = a.bounds().0.abs().max_element().max(b.bounds().0.abs().max_element());
    let error = a.rounding + b.rounding + 1e-6 * (a.extent() + b.extent());
    demand!(normal.is_finite() && point.is_finite(), "not finite");
    demand!((normal.length() - 1.0).abs() < 1e-6, "the normal has no unit length");
    match contact.status {
        ContactStatus::Touching => {
            demand!(relation.overlap != Some(true), "an overlap counts as touching");
            demand!(contact.depth.to_bits() == 0, "a touching pair has a depth");
        }
        ContactStatus::Overlapping => {
            demand!(relation.overlap != Some(false), "a touching pair counts as overlapping");
            let depth = f64::from(contact.depth);
            if is_simple {
                demand!((depth + s).abs() <= error, "the depth is {depth}, not {}", -s);
            } else {
                demand!(
                    depth > slop(settings) - error,
                    "the depth of {depth} is within the tolerance"
                );
                // At least as far as the deepest two pieces need, and far enough for all.
                demand!(depth >= -s - error, "the depth of {depth} is less than {}", -s);
                let left = -separation(a, &b.moved(normal * depth));
                demand!(left <= error + 1e-7 * far, "the push leaves an overlap of {left}");
            }
        }
    }
    // B moved along the normal by minus this clears A; no direction does better than minus `s`.
    let gap = -b.reach(-normal) - a.reach(normal);
    demand!(
        !is_simple || gap >= s - error - 1e-7 * far,
        "along the normal they overlap by {}",
        -gap
    );
    for body in [a, b] {
        let away = separation(body, &Body::point(point));
        let allowed = 2.0 * error + 1e-6 * far + slop(settings);
        demand!(away <= allowed, "the point is {away} outside");
    }
    Ok(())
}
