//! The lines of a recording, as they stand in the file.

use bevy::math::Vec2;
use bevy::prelude::Entity;
use serde::{Deserialize, Serialize};

use crate::geometry::{
    Contact, ContactStatus, FormCore, PlacedForm, PlacedShape, Touch, TouchRule,
};
use crate::{CollisionLayers, EndReason};

use super::recorded_colliders::{
    ColliderFlags, ColliderTraits, RecordedCollider, RecordedColliders,
};
use super::step_record::{RecordedContact, RecordedEvent, StepRecord};

#[derive(Serialize, Deserialize)]
pub(super) struct FirstLine {
    pub(super) format: String,
    pub(super) version: u32,
    pub(super) steps: usize,
}

#[derive(Serialize, Deserialize)]
pub(super) struct EndLine {
    pub(super) end: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StepLine {
    pub(super) step: u64,
    touching_counts: bool,
    tolerance: f32,
    candidates: usize,
    active: usize,
    ms: f32,
    #[serde(default, skip_serializing_if = "is_false")]
    after_push: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) set: Vec<ColliderLine>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) gone: Vec<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    contacts: Vec<ContactLine>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    events: Vec<EventLine>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ColliderLine {
    id: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    kind: String,
    member_of: u32,
    meets: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    marks: Vec<Mark>,
    shape: Option<ShapeLine>,
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Mark {
    Static,
    Solid,
    Swept,
    Disabled,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ShapeLine {
    at: [f32; 2],
    extent: f32,
    #[serde(default, skip_serializing_if = "is_zero")]
    radius: f32,
    #[serde(default, skip_serializing_if = "is_false")]
    stretched: bool,
    core: CoreLine,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum CoreLine {
    Point,
    Box { min: [f32; 2], max: [f32; 2] },
    Polygon(Vec<[f32; 2]>),
    Pieces { pieces: Vec<ShapeLine>, rings: Vec<Vec<[f32; 2]>> },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ContactLine {
    a: u64,
    b: u64,
    normal: [f32; 2],
    depth: f32,
    point: [f32; 2],
    touching: bool,
    age: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    impact: Option<f32>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EventLine {
    a: u64,
    b: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ended: Option<End>,
}

/// [`EndReason`] by name. The compiler sees to it that none is missing here.
#[derive(Serialize, Deserialize)]
#[serde(remote = "EndReason", rename_all = "snake_case")]
enum EndName {
    MovedApart,
    Despawned,
    ColliderRemoved,
    Disabled,
    LayersChanged,
    BothStatic,
    BecameInvalid,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct End(#[serde(with = "EndName")] EndReason);

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_false(value: &bool) -> bool {
    !value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_zero(value: &f32) -> bool {
    *value == 0.0
}

/// The entity of a number in the file.
pub(super) fn entity_of(id: u64) -> Result<Entity, String> {
    Entity::try_from_bits(id).ok_or_else(|| format!("{id} is no entity"))
}

/// Of a pair, the lower one first.
fn pair_of(a: u64, b: u64) -> Result<(Entity, Entity), String> {
    let (a, b) = (entity_of(a)?, entity_of(b)?);
    if a < b { Ok((a, b)) } else { Err("of a pair the lower entity comes first".to_owned()) }
}

impl StepLine {
    /// The line of a step, without its colliders.
    pub(super) fn of(record: &StepRecord) -> Self {
        let Touch { rule, slop } = record.touch;
        Self {
            step: record.step,
            touching_counts: rule == TouchRule::Inclusive,
            // An unsound tolerance counts as none.
            tolerance: if slop.is_finite() { slop.max(0.0) } else { 0.0 },
            candidates: record.candidates,
            active: record.active_colliders,
            ms: record.milliseconds,
            after_push: record.is_after_push,
            set: Vec::new(),
            gone: Vec::new(),
            contacts: record.contacts.iter().map(ContactLine::of).collect(),
            events: record
                .events
                .iter()
                .map(|event| EventLine {
                    a: event.a.to_bits(),
                    b: event.b.to_bits(),
                    ended: event.end.map(End),
                })
                .collect(),
        }
    }

    pub(super) fn read(&self, colliders: RecordedColliders) -> Result<StepRecord, String> {
        let rule = if self.touching_counts { TouchRule::Inclusive } else { TouchRule::Exclusive };
        let contacts =
            self.contacts.iter().map(ContactLine::read).collect::<Result<Vec<_>, _>>()?;
        if !contacts.is_sorted_by(|one, other| (one.a, one.b) < (other.a, other.b)) {
            return Err("the contacts are not sorted by their pair".to_owned());
        }
        if !(self.tolerance >= 0.0 && self.tolerance.is_finite()) {
            return Err(format!("the tolerance {} is below 0 or too large", self.tolerance));
        }
        if !(self.ms >= 0.0 && self.ms.is_finite()) {
            return Err(format!("the time of {} milliseconds is below 0 or too large", self.ms));
        }
        let event = |event: &EventLine| {
            let (a, b) = pair_of(event.a, event.b)?;
            Ok::<_, String>(RecordedEvent { a, b, end: event.ended.map(|End(reason)| reason) })
        };
        Ok(StepRecord {
            step: self.step,
            touch: Touch { rule, slop: self.tolerance },
            colliders,
            contacts,
            events: self.events.iter().map(event).collect::<Result<_, _>>()?,
            candidates: self.candidates,
            active_colliders: self.active,
            milliseconds: self.ms,
            is_after_push: self.after_push,
            ..StepRecord::default()
        })
    }
}

impl ContactLine {
    fn of(pair: &RecordedContact) -> Self {
        let RecordedContact { a, b, contact, age, time_of_impact } = *pair;
        Self {
            a: a.to_bits(),
            b: b.to_bits(),
            normal: contact.normal.to_array(),
            depth: contact.depth,
            point: contact.point.to_array(),
            touching: contact.status == ContactStatus::Touching,
            age,
            impact: time_of_impact,
        }
    }

    fn read(&self) -> Result<RecordedContact, String> {
        let (a, b) = pair_of(self.a, self.b)?;
        let status =
            if self.touching { ContactStatus::Touching } else { ContactStatus::Overlapping };
        let (normal, point) = (Vec2::from(self.normal), Vec2::from(self.point));
        if !(self.depth >= 0.0 && self.depth.is_finite() && normal.is_finite() && point.is_finite())
        {
            return Err("a contact has a depth below 0, or a number that is too large".to_owned());
        }
        if self.impact.is_some_and(|impact| !(0.0..=1.0).contains(&impact)) {
            return Err("a time of impact is not from 0 to 1".to_owned());
        }
        let contact = Contact { normal, depth: self.depth, point, status };
        Ok(RecordedContact { a, b, contact, age: self.age, time_of_impact: self.impact })
    }
}

/// The kinds of shapes, as [`Shape::name`](crate::geometry::Shape::name) says them.
const KINDS: [&str; 5] = ["circle", "box", "polygon", "concave", "compound"];

impl ColliderLine {
    pub(super) fn of(collider: RecordedCollider) -> Self {
        let ColliderTraits { name, kind, layers, flags } = collider.traits;
        let marks = [
            (flags.is_static, Mark::Static),
            (flags.is_solid, Mark::Solid),
            (flags.is_swept, Mark::Swept),
            (flags.is_disabled, Mark::Disabled),
        ];
        Self {
            id: collider.entity.to_bits(),
            name: name.clone(),
            kind: (*kind).to_owned(),
            member_of: layers.memberships,
            meets: layers.filters,
            marks: marks.into_iter().filter_map(|(is_so, mark)| is_so.then_some(mark)).collect(),
            shape: collider.shape.map(|shape| ShapeLine::of(&shape.form())),
        }
    }

    /// The collider: its entity, its shape if it took part, and what else is known of it.
    pub(super) fn read(&self) -> Result<(Entity, Option<PlacedShape>, ColliderTraits), String> {
        let has = |mark| self.marks.contains(&mark);
        let shape = self
            .shape
            .as_ref()
            .map(|shape| PlacedShape::from_form(&shape.read()).map_err(|error| error.to_string()));
        let kind = KINDS.into_iter().find(|kind| *kind == self.kind);
        let traits = ColliderTraits {
            name: self.name.clone(),
            kind: kind.ok_or_else(|| format!("there is no kind of shape {:?}", self.kind))?,
            layers: CollisionLayers::new(self.member_of, self.meets),
            flags: ColliderFlags {
                is_static: has(Mark::Static),
                is_solid: has(Mark::Solid),
                is_swept: has(Mark::Swept),
                is_disabled: has(Mark::Disabled),
            },
        };
        Ok((entity_of(self.id)?, shape.transpose()?, traits))
    }
}

impl ShapeLine {
    fn of(form: &PlacedForm) -> Self {
        let points = |points: &[Vec2]| points.iter().map(Vec2::to_array).collect();
        let core = match &form.core {
            FormCore::Point => CoreLine::Point,
            FormCore::Box { min, max } => {
                CoreLine::Box { min: min.to_array(), max: max.to_array() }
            }
            FormCore::Polygon(vertices) => CoreLine::Polygon(points(vertices)),
            FormCore::Pieces { pieces, rings } => CoreLine::Pieces {
                pieces: pieces.iter().map(Self::of).collect(),
                rings: rings.iter().map(|ring| points(ring)).collect(),
            },
        };
        Self {
            at: form.origin.to_array(),
            extent: form.extent,
            radius: form.radius,
            stretched: form.has_stretched_radius,
            core,
        }
    }

    fn read(&self) -> PlacedForm {
        let points = |points: &[[f32; 2]]| points.iter().map(|&p| Vec2::from(p)).collect();
        let core = match &self.core {
            CoreLine::Point => FormCore::Point,
            CoreLine::Box { min, max } => FormCore::Box { min: (*min).into(), max: (*max).into() },
            CoreLine::Polygon(vertices) => FormCore::Polygon(points(vertices)),
            CoreLine::Pieces { pieces, rings } => FormCore::Pieces {
                pieces: pieces.iter().map(Self::read).collect(),
                rings: rings.iter().map(|ring| points(ring)).collect(),
            },
        };
        PlacedForm {
            origin: self.at.into(),
            extent: self.extent,
            radius: self.radius,
            has_stretched_radius: self.stretched,
            core,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{
        Aabb, Circle, Compound, CompoundPart, ConcavePolygon, ConvexPolygon, Shape,
    };

    #[test]
    fn every_kind_of_shape_is_known() {
        let circle = Circle { center: Vec2::ZERO, radius: 1.0 };
        let corners = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 1.0)].map(Vec2::from);
        let part = CompoundPart { shape: circle.into(), offset: Vec2::ZERO, rotation: 0.0 };
        let shapes: [Shape; KINDS.len()] = [
            circle.into(),
            Aabb { min: Vec2::ZERO, max: Vec2::ONE }.into(),
            ConvexPolygon::segment(Vec2::ZERO, Vec2::ONE).expect("two points").into(),
            ConcavePolygon::new(corners).expect("simple").into(),
            Compound::new([part]).expect("one part").into(),
        ];
        assert_eq!(shapes.map(|shape| shape.name()), KINDS);
    }

    /// The names that `docs/recording.md` gives.
    #[test]
    fn every_end_has_its_documented_name_and_comes_back() {
        for (reason, name) in [
            (EndReason::MovedApart, "moved_apart"),
            (EndReason::Despawned, "despawned"),
            (EndReason::ColliderRemoved, "collider_removed"),
            (EndReason::Disabled, "disabled"),
            (EndReason::LayersChanged, "layers_changed"),
            (EndReason::BothStatic, "both_static"),
            (EndReason::BecameInvalid, "became_invalid"),
        ] {
            let line = EventLine { a: 1, b: 2, ended: Some(End(reason)) };
            let text = serde_json::to_string(&line).expect("written");
            assert_eq!(text, format!("{{\"a\":1,\"b\":2,\"ended\":\"{name}\"}}"));
            let read: EventLine = serde_json::from_str(&text).expect("read");
            assert_eq!(read.ended.map(|End(reason)| reason), Some(reason));
        }
    }
}
