//! What the panel says of an axis and of a verdict.

use crate::geometry::{AxisSource, ExplainedAxis, Explanation, Relation};

use super::columns::eight_digits;
use super::step_record::StepRecord;
use super::verdict::{Side, Test, Verdict};

/// Where an axis comes from.
pub(super) fn source(source: AxisSource) -> String {
    match source {
        AxisSource::EdgeOfA(edge) => format!("edge {edge} of A"),
        AxisSource::EdgeOfB(edge) => format!("edge {edge} of B"),
        AxisSource::CornerOfA(corner) => format!("clamped point, corner {corner} of A"),
        AxisSource::CornerOfB(corner) => format!("clamped point, corner {corner} of B"),
        AxisSource::LineOfCenters => "line of centres".to_owned(),
        AxisSource::NearestCorners => "nearest corners".to_owned(),
    }
}

/// What an axis shows, with its number.
pub(super) fn finding(axis: &ExplainedAxis) -> String {
    let size = eight_digits(axis.gap.abs() as f32);
    match axis.relation {
        Relation::Separated => format!("gap {size}"),
        Relation::Touching => "touching".to_owned(),
        Relation::Overlapping => format!("way out {size}"),
    }
}

/// The verdict in a few words.
pub(super) fn headline(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Missing(_) => "No pair: one is not there.".to_owned(),
        Verdict::Disabled(_) => "No contact: one is disabled.".to_owned(),
        Verdict::LeftOut(_) => "No contact: one is left out.".to_owned(),
        Verdict::Layers { .. } => "No contact: their layers do not match.".to_owned(),
        Verdict::BothStatic => "No contact: both are static.".to_owned(),
        Verdict::BoundsApart { .. } => "No contact: their bounds are apart.".to_owned(),
        Verdict::Tested(Test { contact: Some(pair), .. }) => {
            let depth = eight_digits(pair.contact.depth);
            format!("In contact: {}, depth {depth}.", super::columns::status(pair.contact.status))
        }
        Verdict::Tested(Test { contact: None, .. }) => {
            "No contact: the test parts them.".to_owned()
        }
    }
}

/// Which stage decided, and why, in whole sentences.
pub(super) fn reason(verdict: &Verdict, record: &StepRecord) -> String {
    let name = |side: &Side| match side {
        Side::A => "A",
        Side::B => "B",
    };
    match verdict {
        Verdict::Missing(side) => {
            format!("Stage sync: {} has no collider, or is gone.", name(side))
        }
        Verdict::Disabled(side) => {
            format!("Stage sync: {} is disabled, so it takes part in nothing.", name(side))
        }
        Verdict::LeftOut(side) => format!(
            "Stage sync: the shape or the transform of {} is unsound, or it came after the step had \
             begun. The log names the fault.",
            name(side)
        ),
        Verdict::Layers { a_filters_b, b_filters_a } => {
            let side = |holds: &bool, of: &str, other: &str| {
                let verb = if *holds { "hold" } else { "do not hold" };
                format!("{of}'s filters {verb} a layer of {other}")
            };
            format!(
                "Stage broad phase: {}, and {}. Both must.",
                side(a_filters_b, "A", "B"),
                side(b_filters_a, "B", "A"),
            )
        }
        Verdict::BothStatic => "Stage broad phase: two static colliders never pair.".to_owned(),
        Verdict::BoundsApart { gap } => {
            let along = |axis: &str, gap: f32| {
                (gap > 0.0).then(|| format!("{} in {axis}", eight_digits(gap)))
            };
            let gaps: Vec<_> =
                [along("x", gap.x), along("y", gap.y)].into_iter().flatten().collect();
            format!(
                "Stage broad phase: the boxes around them are apart by {}, so the pair was never \
                 tested.",
                gaps.join(" and ")
            )
        }
        Verdict::Tested(test) => of_test(test, record),
    }
}

fn of_test(test: &Test, record: &StepRecord) -> String {
    let mut text = String::from("Stage narrow phase: ");
    let Some(first) = test.pieces.first() else { return text };
    match &test.contact {
        Some(pair) if pair.time_of_impact.is_some() => {
            text += &format!(
                "a fast mover met the other on its way, after {} of the step; the contact is the one \
                 at that moment. The axes below are of where both arrived.",
                eight_digits(pair.time_of_impact.unwrap_or_default())
            );
        }
        Some(_) if test.count > 1 => {
            text += "some of their pieces meet. The way out is the shortest \
             out of all pieces together; the axes below are of one pair of pieces, the deepest first.";
        }
        None if test.count > 1 => {
            text += "each pair of pieces has an axis that parts it. The nearest \
             pair is shown first.";
        }
        _ => text += &of_convex(&first.explanation),
    }
    if record.is_after_push {
        text += " This step was over before the panel was shown: the shapes are where its push-out \
                 left them.";
    }
    text
}

/// Why two convex shapes are in contact or apart.
fn of_convex(why: &Explanation) -> String {
    let axis = why.deciding_axis();
    let name = source(axis.source);
    let size = eight_digits(axis.gap.abs() as f32);
    if why.contact.is_none() {
        let untested = why.axes.iter().filter(|axis| !axis.is_tested).count();
        let rest = match untested {
            0 => String::new(),
            1 => " The axis after it was not tested.".to_owned(),
            _ => format!(" The {untested} axes after it were not tested."),
        };
        return if axis.relation == Relation::Touching {
            format!("they only touch on the axis of {name}, and touching does not count.{rest}")
        } else {
            format!("the axis of {name} shows a gap of {size}, and one gap is enough.{rest}")
        };
    }
    let touching = why.axes.iter().find(|axis| axis.relation == Relation::Touching);
    if let Some(axis) = touching {
        let name = source(axis.source);
        // Only by the inclusive rule is that a contact.
        return format!(
            "no axis shows a gap; on that of {name} they just touch, and touching counts."
        );
    }
    let tie = 2.0 * why.tolerance.max(f64::from(f32::EPSILON));
    // Parallel edges of both shapes give the same axis twice, which is no tie.
    let is_tie = |other: &ExplainedAxis| {
        (other.gap - axis.gap).abs() <= tie && other.normal.dot(axis.normal) < 0.9999
    };
    let tied = if why.axes.iter().any(is_tie) {
        " Others are as short; of these the one with the smallest angle is taken."
    } else {
        ""
    };
    format!(
        "the shadows overlap on every axis. The shortest way out is {size}, along the axis of {name}: \
         that is depth and normal.{tied}"
    )
}
