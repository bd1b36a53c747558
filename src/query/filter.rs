//! Which colliders a question is about.

use bevy::prelude::*;
use smallvec::SmallVec;

use crate::collider_table::Row;
use crate::components::CollisionLayers;

/// Which colliders a question of [`CollisionQuery`](crate::CollisionQuery) is about. The default
/// is all of them.
///
/// Each method narrows it further: a collider has to pass all. What does not pass is not tested
/// at all.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_nudge::prelude::*;
///
/// const WALL: u32 = 1 << 1;
///
/// fn sees(player: Entity, colliders: &CollisionQuery, open_doors: &Query<&Transform>) {
///     let filter = CollisionFilter::new().in_layers(WALL).solids_only().excluding(player);
///     println!("{:?}", colliders.nearest(Vec2::ZERO, 1, &filter));
///
///     let is_closed = |entity| !open_doors.contains(entity);
///     let filter = filter.matching(&is_closed);
///     println!("{:?}", colliders.nearest(Vec2::ZERO, 1, &filter));
/// }
/// ```
#[derive(Clone, Default)]
pub struct CollisionFilter<'a> {
    asker: Option<CollisionLayers>,
    memberships: Option<u32>,
    kind: Kind,
    excluded: SmallVec<[Entity; 4]>,
    predicate: Option<&'a dyn Fn(Entity) -> bool>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Kind {
    #[default]
    Any,
    Solid,
    Sensor,
}

impl<'a> CollisionFilter<'a> {
    /// All colliders.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Only what a collider with these layers would pair with: each side's filters hold a layer
    /// of the other, as in [`CollisionLayers::interacts_with`]. Give it the layers of a bullet to
    /// ask what the bullet can hit.
    #[must_use]
    pub fn as_layers(self, layers: CollisionLayers) -> Self {
        Self { asker: Some(layers), ..self }
    }

    /// Only members of one of these layers, one bit each, whatever they themselves want to meet.
    #[must_use]
    pub fn in_layers(self, memberships: u32) -> Self {
        Self { memberships: Some(memberships), ..self }
    }

    /// Not this entity; may be called for several.
    #[must_use]
    pub fn excluding(mut self, entity: Entity) -> Self {
        self.excluded.push(entity);
        self
    }

    /// None of these entities. Each collider near the question is compared with all of them: for
    /// more than a handful use [`matching`](Self::matching) with a set.
    #[must_use]
    pub fn excluding_all(mut self, entities: impl IntoIterator<Item = Entity>) -> Self {
        self.excluded.extend(entities);
        self
    }

    /// Only colliders that push and are pushed: those with a [`Solid`](crate::Solid) of a sound
    /// mass. Takes the place of [`sensors_only`](Self::sensors_only).
    #[must_use]
    pub fn solids_only(self) -> Self {
        Self { kind: Kind::Solid, ..self }
    }

    /// Only colliders without [`Solid`](crate::Solid). Takes the place of
    /// [`solids_only`](Self::solids_only).
    #[must_use]
    pub fn sensors_only(self) -> Self {
        Self { kind: Kind::Sensor, ..self }
    }

    /// Only entities for which this answers true. Asked last, once for each collider near the
    /// question; a second predicate takes the place of the first.
    #[must_use]
    pub fn matching(self, predicate: &'a dyn Fn(Entity) -> bool) -> Self {
        Self { predicate: Some(predicate), ..self }
    }

    /// Whether a collider passes.
    pub(super) fn admits(&self, row: &Row) -> bool {
        let &Row { entity, layers, is_sensor, .. } = row;
        self.asker.is_none_or(|asker| asker.interacts_with(layers))
            && self.memberships.is_none_or(|mask| mask & layers.memberships != 0)
            && (self.kind == Kind::Any || (self.kind == Kind::Sensor) == is_sensor)
            && !self.excluded.contains(&entity)
            && self.predicate.is_none_or(|predicate| predicate(entity))
    }
}

impl core::fmt::Debug for CollisionFilter<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("CollisionFilter")
            .field("asker", &self.asker)
            .field("memberships", &self.memberships)
            .field("kind", &self.kind)
            .field("excluded", &self.excluded)
            .field("has_predicate", &self.predicate.is_some())
            .finish()
    }
}
