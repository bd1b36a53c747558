//! The selected contacts as text, for a bug report.

use core::fmt::Write;

use bevy::prelude::{Entity, Vec2};

use crate::geometry::TouchRule;

use super::axis_words;
use super::columns::status;
use super::step_record::{RecordedContact, StepRecord};
use super::verdict::{Test, Verdict, judge};
use super::{LayerNames, Selection};

/// More contacts than this are counted, not listed.
const MOST_CONTACTS: usize = 200;

/// What is known of the selection in a step: of a pair all that the test saw, of a collider its
/// contacts, of nothing all contacts. Plain text, in which numbers have all their digits; a zero has
/// no sign.
#[must_use]
pub fn report(record: &StepRecord, selection: Selection, layer_names: &LayerNames) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write_report(&mut text, record, selection, layer_names);
    text
}

fn write_report(
    text: &mut String,
    record: &StepRecord,
    selection: Selection,
    layer_names: &LayerNames,
) -> core::fmt::Result {
    let rule = match record.touch.rule {
        TouchRule::Inclusive => "touching counts",
        TouchRule::Exclusive => "touching does not count",
    };
    let (version, step, slop) = (env!("CARGO_PKG_VERSION"), record.step, record.touch.slop);
    writeln!(text, "bevy_nudge {version}, step {step}, {rule}, tolerance {slop}")?;
    if record.is_after_push {
        writeln!(text, "shapes are where the push-out of the step left them")?;
    }
    match selection {
        Selection::Pair(a, b) => {
            write_collider(text, record, "A", a, layer_names)?;
            write_collider(text, record, "B", b, layer_names)?;
            write_verdict(text, record, a, b)
        }
        Selection::Collider(entity) => {
            write_collider(text, record, "collider", entity, layer_names)?;
            let own = record.contacts.iter().filter(|pair| pair.involves(entity));
            write_contacts(text, record, own)
        }
        Selection::None => write_contacts(text, record, record.contacts.iter()),
    }
}

/// The name of an entity and its number.
fn name(record: &StepRecord, entity: Entity) -> String {
    match record.collider(entity).and_then(|collider| collider.traits.name.as_ref()) {
        Some(name) => format!("{name} ({entity})"),
        None => entity.to_string(),
    }
}

fn write_collider(
    text: &mut String,
    record: &StepRecord,
    title: &str,
    entity: Entity,
    layer_names: &LayerNames,
) -> core::fmt::Result {
    write!(text, "{title}: {}", name(record, entity))?;
    let Some(collider) = record.collider(entity) else { return writeln!(text, ", not there") };
    let traits = &collider.traits;
    let flags = traits.flags;
    write!(text, ", {}", traits.kind)?;
    for (is_so, mark) in [
        (flags.is_static, "static"),
        (flags.is_solid, "solid"),
        (flags.is_swept, "swept"),
        (flags.is_disabled, "disabled"),
    ] {
        if is_so {
            write!(text, ", {mark}")?;
        }
    }
    let layers = traits.layers;
    let (member_of, meets) =
        (layer_names.describe(layers.memberships), layer_names.describe(layers.filters));
    writeln!(text, ", member of {member_of}, meets {meets}")?;
    match collider.shape {
        Some(shape) => writeln!(text, "  {:?}", shape.form()),
        None => writeln!(text, "  takes no part"),
    }
}

fn write_verdict(
    text: &mut String,
    record: &StepRecord,
    a: Entity,
    b: Entity,
) -> core::fmt::Result {
    let verdict = judge(record, a, b);
    writeln!(text, "{}", axis_words::headline(&verdict))?;
    writeln!(text, "{}", axis_words::reason(&verdict, record))?;
    let Verdict::Tested(Test { contact, pieces, .. }) = verdict else { return Ok(()) };
    if let Some(pair) = contact {
        write_contact(text, &pair)?;
    }
    for pair in pieces {
        if pair.places != [0, 0] || !text.contains("axes:") {
            let [a, b] = pair.places;
            writeln!(text, "axes: piece {a} of A, piece {b} of B")?;
        }
        let deciding = pair.explanation.deciding;
        for (index, axis) in pair.explanation.axes.iter().enumerate() {
            let [on_a, on_b] = axis.projections;
            let note = match (index == deciding, axis.is_tested) {
                (true, _) => ", decides",
                (false, true) => "",
                (false, false) => ", not tested",
            };
            writeln!(
                text,
                "  {}, normal {}: A {} to {}, B {} to {}, gap {}{note}",
                axis_words::source(axis.source),
                axis.normal + Vec2::ZERO,
                on_a.min + 0.0,
                on_a.max + 0.0,
                on_b.min + 0.0,
                on_b.max + 0.0,
                axis.gap + 0.0
            )?;
        }
    }
    Ok(())
}

fn write_contact(text: &mut String, pair: &RecordedContact) -> core::fmt::Result {
    let contact = &pair.contact;
    write!(
        text,
        "{}, depth {}, normal {}, MTV {}, point {}, age {}",
        status(contact.status),
        contact.depth,
        contact.normal + Vec2::ZERO,
        contact.mtv() + Vec2::ZERO,
        contact.point + Vec2::ZERO,
        pair.age
    )?;
    match pair.time_of_impact {
        Some(time) => writeln!(text, ", time of impact {time}"),
        None => writeln!(text),
    }
}

fn write_contacts<'a>(
    text: &mut String,
    record: &StepRecord,
    contacts: impl Iterator<Item = &'a RecordedContact> + Clone,
) -> core::fmt::Result {
    let count = contacts.clone().count();
    writeln!(text, "{}", super::columns::count_contacts(count))?;
    for pair in contacts.take(MOST_CONTACTS) {
        write!(text, "{} and {}: ", name(record, pair.a), name(record, pair.b))?;
        write_contact(text, pair)?;
    }
    if count > MOST_CONTACTS {
        writeln!(text, "and {} more", count - MOST_CONTACTS)?;
    }
    Ok(())
}
