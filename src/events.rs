//! What a game hears of its collisions.

use bevy::prelude::*;

use crate::components::CollisionLayers;
use crate::geometry::Contact;

/// One side of a pair, as it was when the pair was last in contact. The entity may be gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Clone, PartialEq, Debug)]
pub struct Participant {
    /// The entity with the collider.
    pub entity: Entity,
    /// Its layers.
    pub layers: CollisionLayers,
    /// Whether it is a sensor: a collider without [`Solid`](crate::Solid).
    pub is_sensor: bool,
}

/// Why a contact ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Reflect)]
#[reflect(Clone, PartialEq, Debug)]
pub enum EndReason {
    /// The shapes are no longer in contact under the touching rule.
    MovedApart,
    /// One of the entities was despawned.
    Despawned,
    /// One of the entities lost its [`Collider`](crate::Collider).
    ColliderRemoved,
    /// One of the colliders was disabled.
    Disabled,
    /// The layers of the two no longer let them meet.
    LayersChanged,
    /// Both are static colliders, which never pair.
    BothStatic,
    /// The shape or the transform of one of them became unsound: not finite, or flattened.
    BecameInvalid,
}

/// Which sides of a pair an ending came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Reflect)]
#[reflect(Clone, PartialEq, Debug)]
pub enum EndedBy {
    /// From the pair as a whole: it moved apart, or its layers do not match.
    Pair,
    /// From A.
    A,
    /// From B.
    B,
    /// From both in the same step.
    Both,
}

/// Where in its life a contact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Reflect)]
#[reflect(Clone, PartialEq, Debug)]
pub enum CollisionPhase {
    /// The first step of the contact.
    Started,
    /// Each later step.
    Persisted,
    /// The step in which the contact is gone. Comes exactly once for each start.
    Ended {
        /// Why.
        reason: EndReason,
        /// Through which side.
        by: EndedBy,
    },
}

/// A pair of colliders started, kept or ended a contact in this step.
///
/// A buffered message: read it with a `MessageReader<CollisionEvent>`, in any schedule. Each
/// reader sees each event once. Written in
/// [`CollisionSystems::Publish`](crate::CollisionSystems::Publish), in ascending order of the
/// pair of entities.
///
/// A is the lower of the two entities as Bevy orders them (`Ord` of `Entity`): a fixed but arbitrary
/// order, neither that of spawning nor that of the printed numbers. The helpers answer from one
/// entity's side, so that a game need not ask which of the two it is.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_nudge::prelude::*;
///
/// #[derive(Component)]
/// struct Player;
///
/// fn on_contact(mut events: MessageReader<CollisionEvent>, players: Query<&Player>) {
///     for event in events.read().filter(|event| event.is_started()) {
///         for entity in event.entities() {
///             if players.contains(entity) {
///                 println!("the player ran into {:?}", event.other(entity));
///             }
///         }
///     }
/// }
/// ```
#[derive(Message, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, PartialEq, Debug)]
#[type_path = "bevy_nudge"]
pub struct CollisionEvent {
    /// The side from which the normal points.
    pub a: Participant,
    /// The side towards which the normal points.
    pub b: Participant,
    /// Started, persisted, or ended with its reason.
    pub phase: CollisionPhase,
    /// The contact in this step; in an ended event the last one.
    pub contact: Contact,
    /// When in the step a [`Swept`](crate::Swept) collider came into contact: the part of the way
    /// after which the two first touched, 0 to 1. The contact is the one at that moment. None for
    /// a contact found where the colliders arrived.
    pub time_of_impact: Option<f32>,
}

impl CollisionEvent {
    /// Whether this is the first step of the contact.
    #[must_use]
    pub fn is_started(&self) -> bool {
        self.phase == CollisionPhase::Started
    }

    /// Whether this is a later step of the contact.
    #[must_use]
    pub fn is_persisted(&self) -> bool {
        self.phase == CollisionPhase::Persisted
    }

    /// Whether the contact is over.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        self.end_reason().is_some()
    }

    /// Why the contact ended, if it did.
    #[must_use]
    pub fn end_reason(&self) -> Option<EndReason> {
        match self.phase {
            CollisionPhase::Ended { reason, .. } => Some(reason),
            CollisionPhase::Started | CollisionPhase::Persisted => None,
        }
    }

    /// Both entities, A first. Either may be gone when the event is read.
    #[must_use]
    pub fn entities(&self) -> [Entity; 2] {
        [self.a.entity, self.b.entity]
    }

    /// Whether the entity is one of the two.
    #[must_use]
    pub fn involves(&self, entity: Entity) -> bool {
        self.entities().contains(&entity)
    }

    /// The entity on the other side, if `entity` is one of the two.
    #[must_use]
    pub fn other(&self, entity: Entity) -> Option<Entity> {
        match self.entities() {
            [a, b] if entity == a => Some(b),
            [a, b] if entity == b => Some(a),
            _ => None,
        }
    }

    /// How deep the two overlap, in world units.
    #[must_use]
    pub fn depth(&self) -> f32 {
        self.contact.depth
    }

    /// The shortest move of **B** that ends the overlap, see [`Contact::mtv`].
    #[must_use]
    pub fn mtv(&self) -> Vec2 {
        self.contact.mtv()
    }

    /// The shortest move of `entity` that ends the overlap, if it is one of the two.
    #[must_use]
    pub fn mtv_for(&self, entity: Entity) -> Option<Vec2> {
        self.normal_for(entity).map(|normal| normal * self.contact.depth)
    }

    /// The unit normal that points from the other side towards `entity`, if it is one of the two.
    #[must_use]
    pub fn normal_for(&self, entity: Entity) -> Option<Vec2> {
        match self.entities() {
            [_, b] if entity == b => Some(self.contact.normal),
            [a, _] if entity == a => Some(-self.contact.normal),
            _ => None,
        }
    }
}

/// A contact of `entity` started. Triggered for observers on each of the two entities that has
/// [`CollisionEventsEnabled`](crate::CollisionEventsEnabled).
///
/// Runs after all messages of the step are written. What an observer changes counts from the next
/// step.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_nudge::prelude::*;
///
/// fn spawn_coin(mut commands: Commands) {
///     commands
///         .spawn((Collider::circle(4.0), CollisionEventsEnabled))
///         .observe(|started: On<CollisionStarted>, mut commands: Commands| {
///             commands.entity(started.entity).despawn();
///         });
/// }
/// ```
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct CollisionStarted {
    /// The entity that hears of it.
    pub entity: Entity,
    /// The entity on the other side.
    pub other: Entity,
    /// The whole event.
    pub event: CollisionEvent,
}

/// A contact of `entity` ended. Triggered for observers on each of the two entities that has
/// [`CollisionEventsEnabled`](crate::CollisionEventsEnabled) and still exists: when one is
/// despawned the survivor hears it.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct CollisionEnded {
    /// The entity that hears of it.
    pub entity: Entity,
    /// The entity on the other side, which may be gone.
    pub other: Entity,
    /// The whole event, with the reason and the last contact.
    pub event: CollisionEvent,
}
