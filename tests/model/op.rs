//! What can happen in a random game. Each operation prints as the Rust that makes it.

use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy_nudge::geometry::{Compound, CompoundPart, ConcavePolygon, ConvexPolygon, Shape};
use bevy_nudge::prelude::*;

use crate::game::{Log, Reactions, Slots};

/// The shape of a collider. Some of them are unsound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Form {
    /// Offset from the entity and radius.
    Circle(f32, f32, f32),
    /// Offset from the entity, width, height.
    Aabb(f32, f32, f32, f32),
    Rectangle(f32, f32),
    /// A right angle at the entity, with legs of these lengths.
    Triangle(f32, f32),
    /// Sides and radius.
    Regular(usize, f32),
    /// From the entity to this point.
    Segment(f32, f32),
    /// A rounded segment from the entity to this point.
    Capsule(f32, f32, f32),
    /// A rounded rectangle: width, height, radius.
    Rounded(f32, f32, f32),
    /// A concave outline: an L along both axes, with legs of this length and half as thick.
    Ell(f32),
    /// A concave outline: a square with a square hole half as wide.
    Ring(f32),
    /// A compound: an upright box at the entity, another shape at this offset.
    Pair(f32, f32, f32),
}

impl Form {
    fn collider(self) -> Collider {
        let sound = "the generator makes sound polygons";
        match self {
            Self::Circle(x, y, radius) => Collider::circle_at(Vec2::new(x, y), radius),
            Self::Aabb(x, y, width, height) => Collider::aabb_at(Vec2::new(x, y), width, height),
            Self::Rectangle(width, height) => Collider::rectangle(width, height).expect(sound),
            Self::Triangle(x, y) => {
                let corners = [Vec2::ZERO, Vec2::new(x, 0.0), Vec2::new(0.0, y)];
                Collider::polygon(corners).expect(sound)
            }
            Self::Regular(sides, radius) => Collider::regular_polygon(sides, radius).expect(sound),
            Self::Segment(x, y) => Collider::segment(Vec2::ZERO, Vec2::new(x, y)).expect(sound),
            Self::Capsule(x, y, radius) => {
                let capsule = ConvexPolygon::capsule(Vec2::ZERO, Vec2::new(x, y), radius);
                Collider::new(capsule.expect(sound))
            }
            Self::Ell(size) => {
                let corners = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)];
                let outline = corners.map(|(x, y)| Vec2::new(x as f32, y as f32) * 0.5 * size);
                Collider::new(ConcavePolygon::new(outline).expect(sound))
            }
            Self::Ring(size) => {
                let square = |half: f32| {
                    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                        .map(|corner| Vec2::from(corner) * half)
                };
                let ring = ConcavePolygon::with_holes(square(0.5 * size), [square(0.25 * size)]);
                Collider::new(ring.expect(sound))
            }
            Self::Pair(x, y, size) => {
                let parts = [
                    CompoundPart::from(Self::Aabb(0.0, 0.0, size, 1.0).collider().shape),
                    CompoundPart::at(
                        Self::Circle(0.0, 0.0, 0.5 * size).collider().shape,
                        Vec2::new(x, y),
                    ),
                ];
                Collider::new(Compound::new(parts).expect(sound))
            }
            Self::Rounded(width, height, radius) => {
                let core = ConvexPolygon::rectangle(Vec2::new(width, height)).expect(sound);
                Collider::new(core.with_radius(radius).expect(sound))
            }
        }
    }
}

/// Whom an operation is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Who {
    /// The entity in a slot of the game.
    Nr(usize),
    /// In a handler: the side A of the event.
    SideA,
    /// In a handler: the side B of the event.
    SideB,
}

/// Rotations, some of which single precision knows exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Turn {
    None,
    Quarter,
    Half,
    /// Half a turn about the y axis: how some games flip a sprite.
    Flip,
    Angle(f32),
}

impl Turn {
    fn rotation(self) -> Quat {
        match self {
            Self::None => Quat::IDENTITY,
            Self::Quarter => Quat::from_rotation_z(std::f32::consts::FRAC_PI_2),
            Self::Half => Quat::from_xyzw(0.0, 0.0, 1.0, 0.0),
            Self::Flip => Quat::from_xyzw(0.0, 1.0, 0.0, 0.0),
            Self::Angle(angle) => Quat::from_rotation_z(angle),
        }
    }
}

/// What makes a transform unsound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fault {
    NanPlace,
    InfinitePlace,
    NanRotation,
    InfiniteScale,
    NanScale,
    HugePlace,
}

/// Where a handler runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum At {
    /// A message reader after the step.
    Reader,
    /// A message reader in `Update`.
    UpdateReader,
    /// An observer of `CollisionStarted`.
    Start,
    /// An observer of `CollisionEnded`.
    End,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Op {
    /// Despawns what is in the slot and spawns there, with a transform at a place.
    Spawn(usize, Option<Form>, f32, f32),
    /// The same on the freed index.
    Reborn(usize, Form, f32, f32),
    /// Spawns a clone into a slot.
    Clone(Who, usize),
    Despawn(Who),
    /// Inserts a collider, over the old one if there is one.
    Insert(Who, Form),
    /// Changes the shape in place.
    Edit(Who, Form),
    /// Turns the list of vertices around, as reflection could: makes a polygon unsound.
    Reverse(Who),
    Uncollide(Who),
    UncollideWithRequires(Who),
    ColliderDisabled(Who, bool),
    Disabled(Who, bool),
    Listen(Who, bool),
    Static(Who, bool),
    /// Inserting it anew makes a teleport of the motion.
    Swept(Who, bool),
    Solid(Who, Option<f32>),
    Layers(Who, Option<(u32, u32)>),
    /// Makes the first a child of the slot, unless that closed a circle.
    Parent(Who, usize),
    Unparent(Who),
    Move(Who, f32, f32),
    Teleport(Who, f32, f32),
    Turn(Who, Turn),
    Scale(Who, f32, f32),
    Spoil(Who, Fault),
    /// A new transform at a place.
    Mend(Who, f32, f32),
    RemoveTransform(Who),
    TouchRule(TouchRule),
    Tolerance(f32),
    Persisted(bool),
    Cells(CellSize),
    PushOut(bool),
    Pause,
    Resume,
    SingleStep,
    /// Does something in the next handler of the kind that hears a start or an end.
    Handle(At, Box<Op>),
    /// A frame with so many steps.
    Frame(u32),
}

/// Does an operation to the world. In a handler with the event it heard.
pub(crate) fn apply(world: &mut World, op: &Op, event: Option<&CollisionEvent>) {
    let resolve = |world: &World, who: Who| -> Option<Entity> {
        let entity = match who {
            Who::Nr(slot) => world.resource::<Slots>().entities[slot],
            Who::SideA => event?.a.entity,
            Who::SideB => event?.b.entity,
        };
        world.get_entity(entity).is_ok().then_some(entity)
    };
    match op {
        Op::Spawn(slot, form, x, y) => {
            despawn(world, world.resource::<Slots>().entities[*slot]);
            let entity = world.spawn(Transform::from_xyz(*x, *y, 0.0)).id();
            if let Some(form) = form {
                world.entity_mut(entity).insert(form.collider());
            }
            world.resource_mut::<Slots>().set(*slot, entity);
        }
        Op::Reborn(slot, form, x, y) => {
            let old = world.resource::<Slots>().entities[*slot];
            if world.get_entity(old).is_err() {
                return;
            }
            let Some(next) = world.despawn_no_free(old) else { return };
            let bundle = (form.collider(), Transform::from_xyz(*x, *y, 0.0));
            world.spawn_empty_at(next).expect("a freed index").insert(bundle);
            world.resource_mut::<Slots>().set(*slot, next);
        }
        Op::Clone(who, slot) => {
            let Some(entity) = resolve(world, *who) else { return };
            let clone = world.entity_mut(entity).clone_and_spawn();
            world.resource_mut::<Slots>().set(*slot, clone);
        }
        Op::Handle(at, op) => {
            world.resource_mut::<Reactions>().list(*at).push_back(op.as_ref().clone());
        }
        Op::TouchRule(rule) => settings(world).touch_rule = *rule,
        Op::Tolerance(tolerance) => settings(world).touch_tolerance = *tolerance,
        Op::Persisted(is_on) => settings(world).persisted_events = *is_on,
        Op::Cells(size) => settings(world).cell_size = *size,
        Op::PushOut(is_on) => settings(world).resolution.enabled = *is_on,
        Op::Pause => settings(world).stepping.pause(),
        Op::Resume => settings(world).stepping.resume(),
        Op::SingleStep => settings(world).stepping.single_step(),
        Op::Frame(_) => {}
        Op::Despawn(who)
        | Op::Insert(who, _)
        | Op::Edit(who, _)
        | Op::Reverse(who)
        | Op::Uncollide(who)
        | Op::UncollideWithRequires(who)
        | Op::ColliderDisabled(who, _)
        | Op::Disabled(who, _)
        | Op::Listen(who, _)
        | Op::Static(who, _)
        | Op::Swept(who, _)
        | Op::Solid(who, _)
        | Op::Layers(who, _)
        | Op::Parent(who, _)
        | Op::Unparent(who)
        | Op::Move(who, ..)
        | Op::Teleport(who, ..)
        | Op::Turn(who, _)
        | Op::Scale(who, ..)
        | Op::Spoil(who, _)
        | Op::Mend(who, ..)
        | Op::RemoveTransform(who) => {
            if let Some(entity) = resolve(world, *who) {
                apply_to(world, entity, op);
            }
        }
    }
}

fn apply_to(world: &mut World, entity: Entity, op: &Op) {
    let target = &mut world.entity_mut(entity);
    match op {
        Op::Despawn(_) => despawn(world, entity),
        Op::Insert(_, form) => _ = target.insert(form.collider()),
        Op::Edit(_, form) => {
            if let Some(mut collider) = target.get_mut::<Collider>() {
                collider.shape = form.collider().shape;
            }
        }
        Op::Reverse(_) => {
            if let Some(mut collider) = target.get_mut::<Collider>()
                && let Shape::ConvexPolygon(polygon) = &mut collider.shape
            {
                let vertices = bevy::reflect::structs::Struct::field_mut(polygon, "vertices")
                    .and_then(|vertices| vertices.try_downcast_mut::<Vec<Vec2>>())
                    .expect("a list of points");
                vertices.reverse();
            }
        }
        Op::Uncollide(_) => _ = target.remove::<Collider>(),
        Op::UncollideWithRequires(_) => _ = target.remove_with_requires::<Collider>(),
        Op::ColliderDisabled(_, is_on) => switch::<ColliderDisabled>(target, *is_on),
        Op::Disabled(_, is_on) => switch::<Disabled>(target, *is_on),
        Op::Listen(_, is_on) => switch::<CollisionEventsEnabled>(target, *is_on),
        Op::Static(_, is_on) => switch::<StaticCollider>(target, *is_on),
        Op::Swept(_, is_on) => switch::<Swept>(target, *is_on),
        Op::Solid(_, Some(mass)) => _ = target.insert(Solid::new(*mass)),
        Op::Solid(_, None) => _ = target.remove::<Solid>(),
        Op::Layers(_, Some((memberships, filters))) => {
            target.insert(CollisionLayers::new(*memberships, *filters));
        }
        Op::Layers(_, None) => _ = target.remove::<CollisionLayers>(),
        Op::Parent(_, slot) => {
            let parent = world.resource::<Slots>().entities[*slot];
            let parent_of = |&entity: &Entity| world.get::<ChildOf>(entity).map(ChildOf::parent);
            let is_circle = std::iter::successors(Some(parent), parent_of).any(|e| e == entity);
            if world.get_entity(parent).is_ok() && !is_circle {
                world.entity_mut(entity).insert(ChildOf(parent));
            }
        }
        Op::Unparent(_) => _ = target.remove::<ChildOf>(),
        Op::Mend(_, x, y) => _ = target.insert(Transform::from_xyz(*x, *y, 0.0)),
        Op::RemoveTransform(_) => _ = target.remove::<Transform>(),
        _ => {
            if let Some(mut transform) = target.get_mut::<Transform>() {
                transform_by(&mut transform, op);
            }
        }
    }
}

fn transform_by(transform: &mut Transform, op: &Op) {
    match op {
        Op::Move(_, x, y) => transform.translation += Vec3::new(*x, *y, 0.0),
        Op::Teleport(_, x, y) => transform.translation = Vec3::new(*x, *y, 0.0),
        Op::Turn(_, turn) => transform.rotation = turn.rotation(),
        Op::Scale(_, x, y) => transform.scale = Vec3::new(*x, *y, 1.0),
        Op::Spoil(_, fault) => match fault {
            Fault::NanPlace => transform.translation.x = f32::NAN,
            Fault::InfinitePlace => transform.translation.y = f32::INFINITY,
            Fault::NanRotation => transform.rotation = Quat::from_xyzw(0.0, 0.0, f32::NAN, 1.0),
            Fault::InfiniteScale => transform.scale.x = f32::NEG_INFINITY,
            Fault::NanScale => transform.scale.y = f32::NAN,
            Fault::HugePlace => transform.translation.x = 3e38,
        },
        _ => unreachable!("{op:?} is no change of a transform"),
    }
}

fn despawn(world: &mut World, entity: Entity) {
    if world.get_entity(entity).is_ok() {
        world.despawn(entity);
    }
}

fn switch<C: Component + Default>(target: &mut EntityWorldMut, is_on: bool) {
    if is_on {
        target.insert(C::default());
    } else {
        target.remove::<C>();
    }
}

fn settings(world: &mut World) -> Mut<'_, CollisionSettings> {
    world.resource_mut::<CollisionSettings>()
}

/// Does the next reaction of a kind, and notes who listens after it.
pub(crate) fn react(world: &mut World, at: At, event: &CollisionEvent) {
    let Some(op) = world.resource_mut::<Reactions>().list(at).pop_front() else { return };
    apply(world, &op, Some(event));
    let listeners = crate::game::listeners(world);
    world.resource_mut::<Log>().push_listeners(listeners);
}
