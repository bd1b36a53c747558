//! The components a game puts on its entities.

use bevy::prelude::*;

use crate::geometry::{
    Aabb, Circle as CircleShape, Compound, CompoundError, CompoundPart, ConcaveError,
    ConcavePolygon, ConvexPolygon as Polygon, PolygonError, Shape,
};

/// Gives an entity a shape that collides.
///
/// The shape lies in the entity's local space and follows its whole chain of parents. The step
/// reads it, and a change counts from the next step. Replacing the shape during a contact keeps
/// the contact.
///
/// The constructors here never fail, so that they read well in a `spawn`. A size that makes no
/// sense (negative, NaN) leaves the entity out of every collision, with one warning that names
/// it, until it is mended. [`geometry`](crate::geometry) has constructors that return errors.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_nudge::prelude::*;
///
/// fn spawn(mut commands: Commands) {
///     commands.spawn((Collider::circle(12.0), Transform::from_xyz(0.0, 40.0, 0.0)));
///     commands.spawn((Collider::aabb(200.0, 16.0), StaticCollider));
///     commands.spawn(Collider::from(Circle::new(3.0)));
/// }
/// ```
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[type_path = "bevy_nudge"]
#[require(Transform, CollisionLayers, ColliderRow)]
pub struct Collider {
    /// The shape in local space.
    pub shape: Shape,
}

impl Collider {
    /// Any shape.
    #[must_use]
    pub fn new(shape: impl Into<Shape>) -> Self {
        Self { shape: shape.into() }
    }

    /// A circle around the entity.
    #[must_use]
    pub fn circle(radius: f32) -> Self {
        Self::circle_at(Vec2::ZERO, radius)
    }

    /// A circle around a point of the entity's local space.
    #[must_use]
    pub fn circle_at(center: Vec2, radius: f32) -> Self {
        Self::new(CircleShape { center, radius })
    }

    /// A box of this full width and height around the entity. It stays parallel to the world
    /// axes however the entity turns; see [`rectangle`](Self::rectangle) for one that turns.
    #[must_use]
    pub fn aabb(width: f32, height: f32) -> Self {
        Self::aabb_at(Vec2::ZERO, width, height)
    }

    /// A box of this full width and height around a point of the entity's local space.
    #[must_use]
    pub fn aabb_at(center: Vec2, width: f32, height: f32) -> Self {
        let half_size = Vec2::new(width, height) * 0.5;
        Self::new(Aabb { min: center - half_size, max: center + half_size })
    }

    /// A box spanned by two opposite corners in the entity's local space, in any order.
    #[must_use]
    pub fn aabb_from_corners(corner: Vec2, opposite: Vec2) -> Self {
        // A NaN in a corner must stay, to be found and named by the step.
        Self::new(
            Aabb::from_corners(corner, opposite).unwrap_or(Aabb { min: corner, max: opposite }),
        )
    }

    /// A rectangle of this full width and height around the entity, which turns with it.
    ///
    /// # Errors
    /// A non-finite or zero size.
    pub fn rectangle(width: f32, height: f32) -> Result<Self, PolygonError> {
        Ok(Self::new(Polygon::rectangle(Vec2::new(width, height))?))
    }

    /// A convex polygon with these vertices, in either winding.
    ///
    /// # Errors
    /// As [`ConvexPolygon::new`](crate::geometry::ConvexPolygon::new).
    pub fn polygon(vertices: impl IntoIterator<Item = Vec2>) -> Result<Self, PolygonError> {
        Ok(Self::new(Polygon::new(vertices)?))
    }

    /// A regular polygon around the entity, its corners at distance `radius`, one of them up.
    ///
    /// # Errors
    /// As [`ConvexPolygon::regular`](crate::geometry::ConvexPolygon::regular).
    pub fn regular_polygon(sides: usize, radius: f32) -> Result<Self, PolygonError> {
        Ok(Self::new(Polygon::regular(sides, radius)?))
    }

    /// The segment between two points of the entity's local space.
    ///
    /// # Errors
    /// A non-finite end, or both ends at one point.
    pub fn segment(a: Vec2, b: Vec2) -> Result<Self, PolygonError> {
        Ok(Self::new(Polygon::segment(a, b)?))
    }

    /// The capsule around the segment between two points of the entity's local space: everything
    /// within `radius` of it.
    ///
    /// # Errors
    /// As [`segment`](Self::segment), and a negative or non-finite radius.
    pub fn capsule(a: Vec2, b: Vec2, radius: f32) -> Result<Self, PolygonError> {
        Ok(Self::new(Polygon::capsule(a, b, radius)?))
    }

    /// A rectangle around the entity that turns with it, with round corners. The full width and
    /// height include them.
    ///
    /// # Errors
    /// A non-finite or negative size or radius, or a radius of half the shorter side or more: that
    /// is a [`capsule`](Self::capsule) or a [`circle`](Self::circle).
    pub fn rounded_rectangle(width: f32, height: f32, radius: f32) -> Result<Self, PolygonError> {
        let core = Vec2::new(width, height) - 2.0 * radius;
        if core.min_element() <= 0.0 {
            return Err(PolygonError::Radius(radius));
        }
        Ok(Self::new(Polygon::rectangle(core)?.with_radius(radius)?))
    }

    /// A polygon that may have dents, in either winding. It is one collider with one contact,
    /// whatever the convex pieces it is cut into.
    ///
    /// # Errors
    /// As [`ConcavePolygon::new`](crate::geometry::ConcavePolygon::new): an outline that crosses or
    /// touches itself, above all.
    pub fn concave(outline: impl IntoIterator<Item = Vec2>) -> Result<Self, ConcaveError> {
        Ok(Self::new(ConcavePolygon::new(outline)?))
    }

    /// Several shapes that act as one collider.
    ///
    /// # Errors
    /// As [`Compound::new`](crate::geometry::Compound::new).
    ///
    /// ```
    /// use bevy_nudge::geometry::{Circle, CompoundPart, ConvexPolygon};
    /// use bevy_nudge::prelude::*;
    /// # use bevy::math::Vec2;
    /// let handle = ConvexPolygon::rectangle(Vec2::new(4.0, 0.5))?;
    /// let head = Circle::new(Vec2::ZERO, 1.0)?;
    /// let hammer =
    ///     Collider::compound([handle.into(), CompoundPart::at(head, Vec2::new(2.0, 0.0))])?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compound(parts: impl IntoIterator<Item = CompoundPart>) -> Result<Self, CompoundError> {
        Ok(Self::new(Compound::new(parts)?))
    }
}

impl<S: Into<Shape>> From<S> for Collider {
    fn from(shape: S) -> Self {
        Self::new(shape)
    }
}

/// Which colliders may meet.
///
/// Two colliders pair when **each** one's filters hold a layer that the other is a member of.
/// Every [`Collider`] has this component; by default it is a member of all layers and meets all.
///
/// | A filters B's layer | B filters A's layer | pair |
/// |---|---|---|
/// | yes | yes | yes |
/// | yes | no | no |
/// | no | yes | no |
/// | no | no | no |
///
/// ```
/// use bevy_nudge::CollisionLayers;
/// const PLAYER: u32 = 1 << 0;
/// const WALL: u32 = 1 << 1;
/// let player = CollisionLayers::new(PLAYER, WALL);
/// let wall = CollisionLayers::new(WALL, u32::MAX);
/// assert!(player.interacts_with(wall));
/// assert!(!player.interacts_with(player));
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash, Reflect)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[type_path = "bevy_nudge"]
pub struct CollisionLayers {
    /// The layers this collider is a member of, one bit each.
    pub memberships: u32,
    /// The layers this collider wants to meet, one bit each.
    pub filters: u32,
}

impl Default for CollisionLayers {
    fn default() -> Self {
        Self::ALL
    }
}

impl CollisionLayers {
    /// Member of all layers, meets all layers.
    pub const ALL: Self = Self { memberships: u32::MAX, filters: u32::MAX };
    /// Member of no layer, meets nothing.
    pub const NONE: Self = Self { memberships: 0, filters: 0 };

    /// A member of the layers `memberships` that meets the layers `filters`.
    #[must_use]
    pub const fn new(memberships: u32, filters: u32) -> Self {
        Self { memberships, filters }
    }

    /// Whether colliders with these layers pair.
    #[must_use]
    #[inline]
    pub const fn interacts_with(self, other: Self) -> bool {
        self.filters & other.memberships != 0 && other.filters & self.memberships != 0
    }
}

/// Marks a collider that does not move by itself, such as a wall or a tile.
///
/// Two static colliders never pair and are never tested against each other, and push-out never
/// moves them. A game may still move one; that costs more than moving another collider.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[type_path = "bevy_nudge"]
pub struct StaticCollider;

/// Makes a collider push others and be pushed. Without it a collider is a sensor: it reports its
/// contacts and nothing moves.
///
/// Read by [`ResolutionPlugin`](crate::ResolutionPlugin). Two solids share the push by their
/// inverse masses:
///
/// | A | B | A moves | B moves |
/// |---|---|---|---|
/// | mass 1 | mass 1 | half | half |
/// | mass 1 | mass 3 | three quarters | a quarter |
/// | mass 1 | infinite mass | all | nothing |
/// | mass 1 | [`StaticCollider`] | all | nothing |
/// | infinite or static | infinite or static | nothing | nothing |
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[type_path = "bevy_nudge"]
pub struct Solid {
    /// Mass, in any unit that is the same for all; only ratios count. Infinity makes the collider
    /// immovable. A mass that is not above 0 gets one warning and pushes nothing.
    pub mass: f32,
}

impl Default for Solid {
    fn default() -> Self {
        Self { mass: 1.0 }
    }
}

impl Solid {
    /// A solid of this mass.
    #[must_use]
    pub const fn new(mass: f32) -> Self {
        Self { mass }
    }
}

/// Makes the step look at the whole way of a fast collider, not only at where it arrives.
///
/// Without it a bullet that is before a thin wall in one step and behind it in the next never
/// meets it. With it the collider is moved in a straight line from where the last step left it to
/// where it is now. A pair counts from the first moment of contact on that way, and its events
/// carry the [`time_of_impact`](crate::CollisionEvent::time_of_impact) and the contact at that
/// moment. A wall that is crossed gives one started event and, in the next step, one ended event.
///
/// - All movers of the pair are taken to move evenly during the step, swept or not. Static
///   colliders stay where they are now. Turning and changing size count at the end of the way.
/// - Between two [`Solid`]s, with [`ResolutionPlugin`](crate::ResolutionPlugin), a swept collider
///   stops at the impact, less deep in the other than the allowed overlap, and far less than half of what
///   is thin. One that already lies against something immovable slides along it. What lies behind the impact
///   is not met, and what comes later finds it where it stopped.
/// - It is not carried along: a wall that moves itself goes on, and can pass what has stopped at it. What it
///   already touches and can be pushed does not stop it.
/// - A swept sensor, or one that meets a sensor, goes on, and meets everything on its way.
/// - To teleport it without meeting what lies between, insert `Swept` anew: it then is only looked
///   at where it arrives.
///
/// It costs a test of every candidate on the way, so put it on bullets, not on everything.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_nudge::prelude::*;
///
/// fn shoot(mut commands: Commands) {
///     commands.spawn((Collider::circle(1.0), Swept, Transform::from_xyz(0.0, 8.0, 0.0)));
/// }
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[type_path = "bevy_nudge"]
pub struct Swept;

/// Takes a collider out of everything while it is present. Its contacts end with the reason
/// [`Disabled`](crate::EndReason::Disabled). Bevy's `Disabled` on the entity does the same.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[type_path = "bevy_nudge"]
pub struct ColliderDisabled;

/// Opts an entity in to the observer events [`CollisionStarted`](crate::CollisionStarted) and
/// [`CollisionEnded`](crate::CollisionEnded).
///
/// It may be added and removed at any time; removing it acts at once. It does not start anything
/// anew: an entity that opts in during a contact hears its end, not its start. The
/// buffered [`CollisionEvent`](crate::CollisionEvent)s come with and without it.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[type_path = "bevy_nudge"]
pub struct CollisionEventsEnabled;

/// Where the collider stands in the table of the pipeline. A hint: a clone of an entity carries
/// the row of the original, so the table is asked whether the row is really this entity's.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ColliderRow(pub(crate) u32);

impl Default for ColliderRow {
    fn default() -> Self {
        Self(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_need_both_sides_to_agree() {
        let both = CollisionLayers::new(1, 2);
        let answers = CollisionLayers::new(2, 1);
        let deaf = CollisionLayers::new(2, 0);
        assert!(both.interacts_with(answers) && answers.interacts_with(both));
        assert!(!both.interacts_with(deaf) && !deaf.interacts_with(both));
        assert!(!CollisionLayers::NONE.interacts_with(CollisionLayers::ALL));
    }
}
