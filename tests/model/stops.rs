//! Swept solids: where they stop, held against what that must mean.
//!
//! Games of this kind make no pass of the push-out, so that all that it reports are stops, and every
//! collider lies at the end of a straight way. How the crate finds that way is its own affair. The
//! twin knows what it must be: no deeper into a wall than is allowed, no farther than the collider
//! was going, and short of that only where a solid is in the way.

use std::collections::BTreeMap;

use bevy::math::DVec2;
use bevy::prelude::*;
use bevy_nudge::prelude::*;

use crate::game::{Record, Seen};
use crate::geometry::{Body, separation};
use crate::relation::{relate, slop};
use crate::sweep::{Moved, Stood, is_swept};

/// Whether all pushes of a step are stops.
pub(crate) fn are_stops(settings: &CollisionSettings) -> bool {
    settings.resolution.passes == 0
}

/// A collider that takes part in a step, with the way that it came.
pub(crate) struct Mover<'a> {
    pub(crate) entity: Entity,
    pub(crate) seen: &'a Seen,
    /// Where it was going, with its way.
    pub(crate) going: Moved<'a>,
    /// Where it is, with the way that it made: the same unless it stopped.
    pub(crate) made: Moved<'a>,
    pub(crate) is_stopped: bool,
}

impl<'a> Mover<'a> {
    pub(crate) fn new(
        entity: Entity,
        seen: &'a Seen,
        stood: Option<&Stood>,
        going: &'a Body,
        stopped: Option<&'a Body>,
    ) -> Self {
        Self {
            entity,
            seen,
            going: Moved::new(going, seen, stood),
            made: Moved::new(stopped.unwrap_or(going), seen, stood),
            is_stopped: stopped.is_some(),
        }
    }

    pub(crate) fn stood(&self) -> Stood {
        Stood::new(self.made.body, self.seen)
    }

    /// Whether one of two that both move stops on the way: it then is not straight, as the other
    /// sees it.
    pub(crate) fn bends_way_to(&self, other: &Self) -> bool {
        let moves = |mover: &Self| mover.going.way != Some(DVec2::ZERO);
        (self.is_stopped && moves(other)) || (other.is_stopped && moves(self))
    }

    /// Whether one of two may have stopped at the other.
    pub(crate) fn is_stopped_by(&self, other: &Self, settings: &CollisionSettings) -> bool {
        (self.is_stopped && is_in_the_way(self, other, settings))
            || (other.is_stopped && is_in_the_way(other, self, settings))
    }

    pub(crate) fn mass(&self) -> Option<f32> {
        self.seen.solid.map(|solid| solid.mass).filter(|&mass| mass > 0.0)
    }

    fn is_wall(&self) -> bool {
        self.mass().is_some_and(|mass| self.seen.is_static || mass.is_infinite())
    }

    fn can_stop(&self) -> bool {
        is_swept(self.seen) && self.mass().is_some_and(f32::is_finite)
    }
}

/// How deep two may lie in each other where one stopped, or passed over the other's edge.
fn allowed_depth(a: &Body, b: &Body, settings: &CollisionSettings) -> f64 {
    let allowed = f64::from(settings.resolution.allowed_overlap);
    let tolerance = slop(settings) + 16.0 * f64::from(f32::EPSILON) * (a.extent() + b.extent());
    allowed.max(1.25 * tolerance)
}

/// Checks the way of each swept solid.
pub(crate) fn check_stops(
    record: &Record,
    movers: &BTreeMap<Entity, Mover>,
    may_pair: impl Fn([&Seen; 2]) -> bool,
) -> Result<(), String> {
    let settings = &record.before.settings;
    let stops: BTreeMap<Entity, Vec2> = record.pushes.iter().copied().collect();
    if !settings.resolution.enabled {
        demand!(stops.is_empty(), "stopped with push-out off");
        return Ok(());
    }
    for mover in movers.values() {
        let stop = stops.get(&mover.entity);
        let others = || {
            let meets = |other: &&Mover| {
                other.entity != mover.entity
                    && other.mass().is_some()
                    && may_pair([mover.seen, other.seen])
            };
            movers.values().filter(meets)
        };
        if !mover.can_stop() {
            demand!(stop.is_none(), "{} cannot stop and did", mover.entity);
            continue;
        }
        let (Some(going), Some(made)) = (mover.going.way, mover.made.way) else { continue };
        if let Some(stop) = stop {
            let rounding = mover.made.rounding + 1e-6 * going.length();
            demand!(
                made.length() <= going.length() + rounding,
                "{} was stopped by {stop} and went {made} instead of {going}",
                mover.entity
            );
            demand!(
                others().any(|other| is_in_the_way(mover, other, settings)),
                "{} was stopped by {stop}, with nothing in its way {going}",
                mover.entity
            );
        }
        for wall in others().filter(|other| other.made.way == Some(DVec2::ZERO)) {
            check_depth(mover, wall, made, settings)?;
        }
    }
    Ok(())
}

/// Whether it cannot be told that a mover passes clear of another.
fn is_in_the_way(mover: &Mover, other: &Mover, settings: &CollisionSettings) -> bool {
    // One that stopped, or turned aside, may have been elsewhere on the way.
    let others = other.going.way.filter(|_| !other.is_stopped);
    let (Some(going), Some(others)) = (mover.going.way, others) else { return true };
    let swept = mover.going.at(0.0).swept(going - others);
    relate(&other.going.at(0.0), &swept, settings).touch != Some(false)
}

/// Nowhere on its way does a mover lie deeper in what stands still than is allowed.
fn check_depth(
    mover: &Mover,
    wall: &Mover,
    made: DVec2,
    settings: &CollisionSettings,
) -> Result<(), String> {
    let (start, still) = (mover.made.at(0.0), wall.made.body);
    let relation = relate(still, &start, settings);
    // Against what can be pushed, and was met before, push-out itself has to help.
    if !wall.is_wall() && relation.touch != Some(false) {
        return Ok(());
    }
    let allowed = allowed_depth(&start, still, settings);
    let error = mover.made.rounding
        + wall.made.rounding
        + 1e-6 * (start.extent() + still.extent() + made.length());
    if relation.separation < -allowed - error {
        return Ok(());
    }
    let deepest = -separation(still, &start.swept(made));
    demand!(
        deepest <= allowed + error,
        "{} goes {made} and on its way lies {deepest} deep in {}, of which {allowed} is allowed\n  {start:?}\n  {still:?}",
        mover.entity,
        wall.entity
    );
    Ok(())
}
