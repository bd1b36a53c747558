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

impl Ancestors<'_, '_> {
    /// The pose in the world of an entity with this transform and parent: the affine maps from the
    /// root down to it, multiplied in the same order as by Bevy's own propagation, then without
    /// the third dimension.
    pub(crate) fn pose(&self, transform: &Transform, parent: Option<&ChildOf>) -> Affine2 {
        let own = transform.compute_affine();
        let world = parent.map_or(own, |parent| self.world_of(parent.parent()) * own);
        flatten(world)
    }

    /// The pose in the world of an entity's parent; the identity if it has none.
    pub(crate) fn parent_pose(&self, entity: Entity) -> Affine2 {
        let parent = self.links.get(entity).ok().and_then(|(_, parent)| parent);
        parent.map_or(Affine2::IDENTITY, |parent| flatten(self.world_of(parent.parent())))
    }

    fn world_of(&self, entity: Entity) -> Affine3A {
        let Ok((transform, parent)) = self.links.get(entity) else { return Affine3A::IDENTITY };
        let own = transform.map_or(Affine3A::IDENTITY, Transform::compute_affine);
        parent.map_or(own, |parent| self.world_of(parent.parent()) * own)
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
