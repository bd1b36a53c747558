//! How far the last step pushed each entity.

use core::ops::Range;

use bevy::prelude::*;

/// What push-out did in the last step. Present when [`ResolutionPlugin`](crate::ResolutionPlugin)
/// is added.
///
/// In ascending order of the entity; entities that were not pushed are not listed.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_nudge::prelude::*;
/// use bevy_nudge::geometry::slide_all;
///
/// #[derive(Component)]
/// struct Velocity(Vec2);
///
/// fn stop_at_walls(pushes: Res<Pushes>, mut movers: Query<&mut Velocity>) {
///     for push in pushes.iter() {
///         if let Ok(mut velocity) = movers.get_mut(push.entity) {
///             velocity.0 = slide_all(velocity.0, push.normals);
///         }
///     }
/// }
/// ```
#[derive(Resource, Debug, Default)]
pub struct Pushes {
    // INVARIANT: sorted by entity, without repetitions; the ranges lie in `normals`.
    records: Vec<PushRecord>,
    normals: Vec<Vec2>,
}

#[derive(Clone, Debug)]
struct PushRecord {
    entity: Entity,
    translation: Vec2,
    normals: Range<u32>,
}

/// How far one entity was pushed in the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Push<'a> {
    /// The entity that was pushed.
    pub entity: Entity,
    /// How far, in world space and world units.
    pub translation: Vec2,
    /// Unit normals of the contacts that pushed it, each pointing towards the entity, in world
    /// space; about equal ones are listed once.
    pub normals: &'a [Vec2],
}

impl Pushes {
    /// All entities that were pushed.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Push<'_>> {
        self.records.iter().map(|record| self.read(record))
    }

    /// How far one entity was pushed; none if it was not.
    ///
    /// # Cost
    /// O(log n) for n pushed entities.
    #[must_use]
    pub fn of(&self, entity: Entity) -> Option<Push<'_>> {
        let index = self.records.binary_search_by_key(&entity, |record| record.entity).ok()?;
        Some(self.read(&self.records[index]))
    }

    fn read(&self, record: &PushRecord) -> Push<'_> {
        Push {
            entity: record.entity,
            translation: record.translation,
            normals: &self.normals[record.normals.start as usize..record.normals.end as usize],
        }
    }

    pub(crate) fn clear(&mut self) {
        self.records.clear();
        self.normals.clear();
    }

    /// Adds the push of one entity. Call [`sort`](Self::sort) after the last.
    pub(crate) fn add(
        &mut self,
        entity: Entity,
        translation: Vec2,
        normals: impl IntoIterator<Item = Vec2>,
    ) {
        let start = self.normals.len();
        for normal in normals {
            let is_listed =
                self.normals[start..].iter().any(|listed| listed.distance_squared(normal) < 1e-6);
            if !is_listed {
                self.normals.push(normal);
            }
        }
        let normals = start as u32..self.normals.len() as u32;
        self.records.push(PushRecord { entity, translation, normals });
    }

    pub(crate) fn sort(&mut self) {
        self.records.sort_unstable_by_key(|record| record.entity);
    }
}
