//! Where an entity is in the world at this moment.

use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::system::SystemParam;
use bevy::math::{Affine2, Affine3A};
use bevy::prelude::*;

/// Reads the transforms of an entity's ancestors. They need not be colliders, and may be disabled.
#[derive(SystemParam)]
pub(crate) struct Ancestors<'w, 's> {
    links: Query<
        'w,
        's,
        (Option<&'static Transform>, Option<&'static ChildOf>),
        Or<(With<Disabled>, Without<Disabled>)>,
    >,
}

/// The longest chain of parents. A longer one is most likely a circle.
const MOST_ANCESTORS: usize = 1000;

impl Ancestors<'_, '_> {
    /// The pose in the world of an entity with this transform and parent: the affine maps from the
    /// root down to it, multiplied in the same order as by Bevy's own propagation, then without
    /// the third dimension. None if the chain of parents is a circle or longer than 1000.
    pub(crate) fn pose(&self, transform: &Transform, parent: Option<&ChildOf>) -> Option<Affine2> {
        match parent {
            None => Some(own_pose(transform)),
            Some(parent) => {
                let own = transform.compute_affine();
                Some(flatten(self.world_of(parent.parent(), MOST_ANCESTORS)? * own))
            }
        }
    }

    /// The pose in the world of an entity's parent; the identity if it has none.
    pub(crate) fn parent_pose(&self, entity: Entity) -> Affine2 {
        let world = self.parent(entity).and_then(|parent| self.world_of(parent, MOST_ANCESTORS));
        world.map_or(Affine2::IDENTITY, flatten)
    }

    /// The ancestors of an entity, the nearest first.
    pub(crate) fn of(&self, entity: Entity) -> impl Iterator<Item = Entity> {
        core::iter::successors(self.parent(entity), |&entity| self.parent(entity))
            .take(MOST_ANCESTORS)
    }

    fn parent(&self, entity: Entity) -> Option<Entity> {
        let (_, parent) = self.links.get(entity).ok()?;
        parent.map(ChildOf::parent)
    }

    fn world_of(&self, entity: Entity, levels_left: usize) -> Option<Affine3A> {
        let Ok((transform, parent)) = self.links.get(entity) else {
            return Some(Affine3A::IDENTITY);
        };
        let own = transform.map_or(Affine3A::IDENTITY, Transform::compute_affine);
        match parent {
            None => Some(own),
            Some(parent) => {
                Some(self.world_of(parent.parent(), levels_left.checked_sub(1)?)? * own)
            }
        }
    }
}

/// The pose in the world of an entity without a parent.
#[inline]
pub(crate) fn own_pose(transform: &Transform) -> Affine2 {
    // Most colliders are neither turned nor scaled.
    if transform.rotation == Quat::IDENTITY && transform.scale == Vec3::ONE {
        Affine2::from_translation(transform.translation.truncate())
    } else {
        flatten(transform.compute_affine())
    }
}

/// The x and y part of a map in space. A scale of 0 along z does not matter.
fn flatten(world: Affine3A) -> Affine2 {
    let matrix = world.matrix3;
    Affine2::from_cols(
        Vec3::from(matrix.x_axis).truncate(),
        Vec3::from(matrix.y_axis).truncate(),
        Vec3::from(world.translation).truncate(),
    )
}
