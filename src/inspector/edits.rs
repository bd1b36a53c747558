//! The one door through which the panel changes the colliders of the game.
//!
//! The panel itself only reads. What the user changes in it is put on a list, and one system at the
//! end of the frame carries the list out, so that all of it counts from the next step and nothing
//! else of the panel can write to the game.

use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;

use crate::geometry::Shape;
use crate::{Collider, CollisionLayers, Solid, StaticCollider};

use super::CollisionInspector;

/// A change of a collider that the user made in the panel.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Gives the collider a shape.
    Shape(Entity, Shape),
    /// Gives it layers.
    Layers(Entity, CollisionLayers),
    /// Adds or removes [`StaticCollider`].
    Static(Entity, bool),
    /// Adds or removes [`Solid`], with its mass.
    Solid(Entity, Option<f32>),
}

/// Carries out what was put on the list in this frame.
pub(super) fn apply_edits(
    mut inspector: ResMut<CollisionInspector>,
    mut commands: Commands,
    mut colliders: Query<
        (&mut Collider, Option<&mut CollisionLayers>),
        Or<(With<Disabled>, Without<Disabled>)>,
    >,
) {
    for edit in inspector.bypass_change_detection().edits.drain(..) {
        match edit {
            Edit::Shape(entity, shape) => {
                // An entity may be gone, or may have lost its collider, since it was drawn.
                if let Ok((mut collider, _)) = colliders.get_mut(entity)
                    && shape.validate().is_ok()
                {
                    collider.shape = shape;
                }
            }
            Edit::Layers(entity, new) => match colliders.get_mut(entity) {
                Ok((_, Some(mut layers))) => *layers = new,
                Ok((_, None)) => {
                    commands.entity(entity).try_insert(new);
                }
                Err(_) => {}
            },
            Edit::Static(entity, is_static) => {
                let Ok(mut entity) = commands.get_entity(entity) else { continue };
                if is_static {
                    entity.try_insert(StaticCollider);
                } else {
                    entity.try_remove::<StaticCollider>();
                }
            }
            Edit::Solid(entity, mass) => {
                let Ok(mut entity) = commands.get_entity(entity) else { continue };
                match mass {
                    Some(mass) => entity.try_insert(Solid::new(mass)),
                    None => entity.try_remove::<Solid>(),
                };
            }
        }
    }
}
