//! The colliders of the world as the panel sees them: one table of the ECS after the other.

use core::ops::Range;

use bevy::ecs::change_detection::{ContiguousRef, Tick};
use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;

use crate::geometry::PlacedShape;
use crate::{
    Collider, ColliderDisabled, CollisionLayers, CollisionQuery, Solid, StaticCollider, Swept,
};

use super::recorded_colliders::{ColliderFlags, TableTraits};
use super::recorder::{Listed, Neighbours, Recorder, SeenTraits};

/// What is read of each collider.
type SeenData = (
    Entity,
    Ref<'static, Collider>,
    Option<Ref<'static, CollisionLayers>>,
    Option<Ref<'static, Name>>,
    (Has<StaticCollider>, Has<Solid>, Has<Swept>),
    (Has<ColliderDisabled>, Has<Disabled>),
);

/// All colliders, those of disabled entities too.
pub(super) type SeenColliders<'w, 's> =
    Query<'w, 's, SeenData, Or<(With<Disabled>, Without<Disabled>)>>;

/// Records all colliders. What was recorded before at `since` is not read again if it has not changed.
pub(super) fn record_colliders(
    colliders: &SeenColliders,
    placed: &CollisionQuery,
    since: Option<Tick>,
    recorder: &mut Recorder,
) {
    let Ok(tables) = colliders.contiguous_iter() else {
        // A game hides entities by a component of its own that is not kept in tables.
        let mut listed = Listed::default();
        for (entity, collider, layers, name, marks, is_off) in colliders {
            let flags = flags(marks, is_off);
            let shape = placed.get(entity).filter(|_| !flags.is_disabled);
            let traits = SeenTraits {
                name: name.map(|name| name.into_inner().as_str()),
                kind: collider.shape.name(),
                layers: layers.as_deref().copied().unwrap_or_default(),
                flags,
            };
            listed.push(entity, shape, traits);
        }
        recorder.add(&listed);
        return;
    };
    for (entities, colliders, layers, names, marks, is_off) in tables {
        recorder.add(&SeenTable {
            placed,
            entities,
            colliders: Components::of(colliders),
            layers: layers.map(Components::of),
            names: names.map(Components::of),
            flags: flags(marks, is_off),
            since,
        });
    }
}

fn flags(
    (is_static, is_solid, is_swept): (bool, bool, bool),
    (is_off, is_entity_disabled): (bool, bool),
) -> ColliderFlags {
    let is_disabled = is_off || is_entity_disabled;
    ColliderFlags { is_static, is_solid, is_swept, is_disabled }
}

/// One table. All lists have the same length.
struct SeenTable<'a> {
    placed: &'a CollisionQuery<'a, 'a>,
    entities: &'a [Entity],
    colliders: Components<'a, Collider>,
    layers: Option<Components<'a, CollisionLayers>>,
    names: Option<Components<'a, Name>>,
    flags: ColliderFlags,
    since: Option<Tick>,
}

/// The components of one kind, and when each was changed.
struct Components<'a, T> {
    values: &'a [T],
    changed: &'a [Tick],
    this_run: Tick,
}

impl<'a, T> Components<'a, T> {
    fn of(column: ContiguousRef<'a, T>) -> Self {
        let (changed, this_run) = (column.changed_ticks_slice(), column.this_run_tick());
        Self { values: column.into_inner(), changed, this_run }
    }

    /// Whether none of a range has changed. Without stopping, so that several are looked at at once.
    fn is_unchanged(&self, since: Tick, range: Range<usize>) -> bool {
        let is_newer = |tick: &Tick| tick.is_newer_than(since, self.this_run);
        !self.changed[range].iter().fold(false, |any, tick| any | is_newer(tick))
    }
}

impl<'a> Neighbours<'a> for SeenTable<'a> {
    fn entities(&self) -> &[Entity] {
        self.entities
    }

    fn shape(&self, place: usize) -> Option<&'a PlacedShape> {
        let shape = self.placed.get(self.entities[place]);
        shape.filter(|_| !self.flags.is_disabled)
    }

    fn traits(&self, place: usize) -> SeenTraits<'a> {
        let layers = self.layers.as_ref().map(|layers| layers.values[place]);
        SeenTraits {
            name: self.names.as_ref().map(|names| names.values[place].as_str()),
            kind: self.colliders.values[place].shape.name(),
            layers: layers.unwrap_or_default(),
            flags: self.flags,
        }
    }

    fn table(&self) -> Option<TableTraits> {
        Some(TableTraits {
            flags: self.flags,
            has_layers: self.layers.is_some(),
            has_name: self.names.is_some(),
        })
    }

    fn are_traits_unchanged(&self, places: Range<usize>) -> bool {
        self.since.is_some_and(|since| {
            let (layers, names) = (self.layers.as_ref(), self.names.as_ref());
            self.colliders.is_unchanged(since, places.clone())
                && layers.is_none_or(|layers| layers.is_unchanged(since, places.clone()))
                && names.is_none_or(|names| names.is_unchanged(since, places))
        })
    }
}
