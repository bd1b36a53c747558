//! What two colliders meet on their way, of which at least one is swept.
//!
//! A pair is a contact if it is one where the two arrive. Or else if B, together with all the places
//! through which it came as seen from A, is one with A: then it has met A on its way. What already
//! lay against the other before it moved, and was no contact, counts alike; what was one and is no
//! more has moved apart.

use bevy::math::{DMat2, DVec2};
use bevy::prelude::*;
use bevy_nudge::ContactPair;
use bevy_nudge::geometry::ContactStatus;
use bevy_nudge::prelude::*;

use crate::game::Seen;
use crate::geometry::{Body, separation};
use crate::relation::{Relation, relate, slop};

/// How a collider took part in the last step.
pub(crate) struct Stood {
    pose: (DMat2, DVec2),
    rounding: f64,
    seen: Seen,
}

impl Stood {
    pub(crate) fn new(body: &Body, seen: &Seen) -> Self {
        Self { pose: body.pose, rounding: body.rounding, seen: seen.clone() }
    }
}

/// A collider with the straight way that it came.
pub(crate) struct Moved<'a> {
    pub(crate) body: &'a Body,
    /// None if it has changed its form or turned: then no rule says what its way was.
    pub(crate) way: Option<DVec2>,
    pub(crate) rounding: f64,
}

impl<'a> Moved<'a> {
    pub(crate) fn new(body: &'a Body, seen: &Seen, before: Option<&Stood>) -> Self {
        let still = Self { body, way: Some(DVec2::ZERO), rounding: body.rounding };
        let Some(before) = before.filter(|_| !seen.is_static) else { return still };
        if seen.swept.is_some() && seen.swept != before.seen.swept {
            return still;
        }
        let is_same = seen.collider == before.seen.collider
            && seen.collider_added == before.seen.collider_added
            && body.pose.0 == before.pose.0;
        let way = is_same.then(|| body.pose.1 - before.pose.1);
        Self { body, way, rounding: body.rounding + before.rounding }
    }

    /// Where it was after a part of its way.
    pub(crate) fn at(&self, part: f64) -> Body {
        let way = self.way.unwrap_or_default();
        Body { rounding: self.rounding, ..self.body.moved(-way * (1.0 - part)) }
    }
}

pub(crate) fn is_swept(seen: &Seen) -> bool {
    seen.swept.is_some() && !seen.is_static
}

fn counts(relation: &Relation, settings: &CollisionSettings) -> Option<bool> {
    match settings.touch_rule {
        TouchRule::Inclusive => relation.touch,
        TouchRule::Exclusive => relation.overlap,
    }
}

/// Whether a swept pair is a contact; none if that cannot be told.
pub(crate) fn is_contact(
    [a, b]: [&Moved; 2],
    arrives: Option<bool>,
    was_contact: bool,
    settings: &CollisionSettings,
) -> Option<bool> {
    if arrives == Some(true) {
        return arrives;
    }
    let way = b.way? - a.way?;
    if way == DVec2::ZERO {
        return arrives;
    }
    let (start_a, start_b) = (a.at(0.0), b.at(0.0));
    let starts_apart = relate(&start_a, &start_b, settings).touch.map(|touch| !touch);
    let on_way = counts(&relate(&start_a, &start_b.swept(way), settings), settings);
    if on_way == Some(false) {
        return arrives;
    }
    match (starts_apart?, was_contact) {
        (false, true) => arrives,
        _ => arrives.and(on_way),
    }
}

/// What push-out has to do with a pair.
#[derive(Clone, Copy)]
pub(crate) struct Stopping {
    /// Whether one of the two did not arrive where it was going.
    pub(crate) is_stopped: bool,
    /// Whether they are solids that stop at each other.
    pub(crate) may_pass_over: bool,
}

/// Holds the time of impact of a swept pair against its definition, and the contact at that time.
pub(crate) fn check_impact(
    [a, b]: [&Moved; 2],
    Stopping { is_stopped, may_pass_over }: Stopping,
    arrives: Option<bool>,
    found: &ContactPair,
    settings: &CollisionSettings,
) -> Result<(), String> {
    let (Some(way_a), Some(way_b)) = (a.way, b.way) else { return Ok(()) };
    let way = way_b - way_a;
    let starts_apart = relate(&a.at(0.0), &b.at(0.0), settings).touch.map(|touch| !touch);
    let Some(time) = found.time_of_impact.map(f64::from) else {
        demand!(
            way == DVec2::ZERO || starts_apart != Some(true),
            "it came from elsewhere and has no time of impact"
        );
        return Ok(());
    };
    demand!((0.0..=1.0).contains(&time), "a time of impact of {time}");
    demand!(
        !(starts_apart == Some(false) && arrives == Some(true)),
        "in contact before and after its way, with a time of impact of {time}"
    );
    let contact = &found.contact;
    let (normal, point) = (contact.normal.as_dvec2(), contact.point.as_dvec2());
    demand!((normal.length() - 1.0).abs() < 1e-6, "the normal has no unit length");
    demand!(
        contact.depth.to_bits() == 0 && contact.status == ContactStatus::Touching,
        "at its impact it overlaps"
    );
    // The time of one that stopped is that of the way that it would have made. It is looked for, but
    // where brushing past does not count that finds too early a one.
    if is_stopped && settings.touch_rule == TouchRule::Exclusive {
        return Ok(());
    }
    let is_from_start = time == 0.0 && starts_apart != Some(true);
    let time = if is_stopped && !is_from_start { first_touch([a, b], way) } else { time };
    let (body_a, body_b) = (a.at(time), b.at(time));
    let s = separation(&body_a, &body_b);
    let far = body_a.bounds().0.abs().max_element().max(body_b.bounds().0.abs().max_element());
    let error = body_a.rounding
        + body_b.rounding
        + 1e-6 * (body_a.extent() + body_b.extent() + way.length())
        + slop(settings);
    demand!(s <= error, "at its impact it is {s} away");
    for body in [&body_a, &body_b] {
        let away = separation(body, &Body::point(point));
        // The time by halving is early where they brush past each other.
        let early = if is_stopped { 1e-4 * (body_a.extent() + body_b.extent()) } else { 0.0 };
        demand!(away <= 2.0 * error + 1e-6 * far + early, "the point is {away} outside");
    }
    if is_from_start {
        return Ok(());
    }
    // What is hardly met at all is passed over, with the normal of the shortest way past it.
    let hardly = f64::from(settings.resolution.allowed_overlap) + 2.0 * error;
    let is_passed_over = may_pass_over && separation(&a.at(0.0), &b.at(0.0).swept(way)) >= -hardly;
    if is_passed_over {
        return Ok(());
    }
    demand!(s >= -error, "at its impact it is {} deep", -s);
    demand!(way.dot(normal) <= 1e-6 * way.length(), "it moves along its normal {normal}");
    if body_a.is_convex() && body_b.is_convex() {
        let gap = -body_b.reach(-normal) - body_a.reach(normal);
        demand!(gap >= -error, "along the normal they overlap by {} at the impact", -gap);
    }
    // Nothing before.
    let until = (time - 2.0 * error / way.length()).max(0.0);
    let before = relate(&a.at(0.0), &b.at(0.0).swept(way * until), settings);
    demand!(before.overlap != Some(true), "they overlap before {until}, and the impact is {time}");
    Ok(())
}

/// The part of their way after which two touch first, or are nearest if they only come near: by
/// halving.
fn first_touch([a, b]: [&Moved; 2], way: DVec2) -> f64 {
    let (start_a, start_b) = (a.at(0.0), b.at(0.0));
    let nearest = separation(&start_a, &start_b.swept(way));
    let touching = nearest.max(0.0) + 1e-9 * way.length();
    let (mut before, mut after) = (0.0, 1.0);
    for _ in 0..30 {
        let middle = 0.5 * (before + after);
        let touches = separation(&start_a, &start_b.swept(way * middle)) <= touching;
        *(if touches { &mut after } else { &mut before }) = middle;
    }
    after
}
