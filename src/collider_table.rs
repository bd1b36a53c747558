//! All colliders of the step, as parallel arrays in world space.

use bevy::math::{Affine2, DVec2, bounding::Aabb2d};
use bevy::prelude::*;

use crate::components::CollisionLayers;
use crate::events::{EndReason, Participant};
use crate::geometry::PlacedShape;

/// One row per collider. A row keeps its number as long as its collider exists, so that the
/// stages can point at colliders with small numbers. Row numbers do not leave the pipeline.
///
/// A row whose collider has left stays readable until the next sync, because the events of this
/// step still speak of it.
#[derive(Resource, Debug, Default)]
pub(crate) struct ColliderTable {
    // INVARIANT: all lists have the same length.
    pub(crate) entities: Vec<Entity>,
    pub(crate) states: Vec<RowState>,
    pub(crate) shapes: Vec<PlacedShape>,
    /// Bounds of the shape, grown by the touching tolerance.
    pub(crate) bounds: Vec<Aabb2d>,
    pub(crate) roles: Vec<Role>,
    /// The roles of the last step in which the collider was met: what an ended contact tells of.
    pub(crate) former_roles: Vec<Role>,
    pub(crate) sources: Vec<Source>,
    /// Where the reference point of each shape was when the last step was done. Only kept up to
    /// date while there are swept colliders.
    previous: Vec<Vec2>,
    /// Whether `previous` is up to date.
    is_sweeping: bool,
    free: Vec<u32>,
    /// Rows that left in this step.
    left: Vec<u32>,
    /// Whether a static collider appeared, changed or left in this step.
    pub(crate) statics_changed: bool,
}

/// Whether a row takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowState {
    /// It does.
    Active,
    /// Its shape or transform is unsound.
    Invalid,
    /// Its collider left in this step.
    Left(EndReason),
    /// It waits for a collider.
    Free,
}

/// What a collider may meet and push.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Role {
    pub(crate) layers: CollisionLayers,
    pub(crate) is_static: bool,
    pub(crate) is_swept: bool,
    /// Inverse mass of a solid, 0 for an immovable one; none for a sensor.
    pub(crate) inverse_mass: Option<f32>,
}

impl Role {
    /// Whether two colliders in these roles can be in contact at all.
    pub(crate) fn pairs_with(&self, other: &Self) -> bool {
        self.layers.interacts_with(other.layers) && !(self.is_static && other.is_static)
    }
}

/// What the row was placed from, to notice changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    pub(crate) pose: Affine2,
    pub(crate) has_parent: bool,
    /// The step in which the collider was last met.
    pub(crate) stamp: u64,
    /// Faults that have been warned of, one bit each.
    pub(crate) warned: u32,
}

impl ColliderTable {
    pub(crate) fn len(&self) -> usize {
        self.entities.len()
    }

    /// The row of an entity, if the hint that the entity carries is right.
    pub(crate) fn row_of(&self, entity: Entity, hint: u32) -> Option<usize> {
        let row = hint as usize;
        let is_used = matches!(self.states.get(row)?, RowState::Active | RowState::Invalid);
        (is_used && self.entities[row] == entity).then_some(row)
    }

    /// Takes a free row for a collider. It counts as invalid until it is placed.
    pub(crate) fn insert(&mut self, entity: Entity, role: Role) -> usize {
        let source = Source { pose: Affine2::NAN, has_parent: false, stamp: 0, warned: 0 };
        if let Some(row) = self.free.pop() {
            let row = row as usize;
            self.entities[row] = entity;
            self.states[row] = RowState::Invalid;
            self.roles[row] = role;
            self.former_roles[row] = role;
            self.sources[row] = source;
            return row;
        }
        self.entities.push(entity);
        self.states.push(RowState::Invalid);
        self.shapes.push(PlacedShape::point(Vec2::ZERO));
        self.bounds.push(Aabb2d { min: Vec2::ZERO, max: Vec2::ZERO });
        self.roles.push(role);
        self.former_roles.push(role);
        self.sources.push(source);
        self.previous.push(Vec2::ZERO);
        self.entities.len() - 1
    }

    /// Marks a row's collider as gone.
    pub(crate) fn leave(&mut self, row: usize, reason: EndReason) {
        self.states[row] = RowState::Left(reason);
        self.left.push(row as u32);
        self.statics_changed |= self.roles[row].is_static;
    }

    /// Frees the rows that left in the step before.
    pub(crate) fn free_left(&mut self) {
        for row in self.left.drain(..) {
            self.states[row as usize] = RowState::Free;
            self.free.push(row);
        }
    }

    /// How many rows are taken.
    pub(crate) fn used(&self) -> usize {
        self.len() - self.free.len() - self.left.len()
    }

    /// The rows that take part.
    pub(crate) fn active(&self) -> impl Iterator<Item = usize> + Clone {
        (0..self.len()).filter(|&row| self.states[row] == RowState::Active)
    }

    /// What an event says of a row.
    pub(crate) fn participant(&self, row: u32) -> Participant {
        self.participant_as(row, &self.roles)
    }

    /// What an ended event says of a row: as it was when the contact still was. A collider that
    /// left was not met in this step and keeps its last role.
    pub(crate) fn former_participant(&self, row: u32) -> Participant {
        let has_left = matches!(self.states[row as usize], RowState::Left(_));
        self.participant_as(row, if has_left { &self.roles } else { &self.former_roles })
    }

    fn participant_as(&self, row: u32, roles: &[Role]) -> Participant {
        let row = row as usize;
        Participant {
            entity: self.entities[row],
            layers: roles[row].layers,
            is_sensor: roles[row].inverse_mass.is_none(),
        }
    }

    /// Remembers where everything is before the step moves it, if anything is swept.
    pub(crate) fn remember_places(&mut self, is_sweeping: bool) {
        self.is_sweeping = is_sweeping;
        if is_sweeping {
            self.previous.clear();
            self.previous.extend(self.shapes.iter().map(PlacedShape::origin));
        }
    }

    /// Lets a row count as not having moved in this step.
    pub(crate) fn forget_motion(&mut self, row: usize) {
        self.previous[row] = self.shapes[row].origin();
    }

    /// How far a row has moved in this step. Always 0 for static colliders.
    pub(crate) fn displacement(&self, row: usize) -> DVec2 {
        if self.is_sweeping && !self.roles[row].is_static {
            self.shapes[row].origin().as_dvec2() - self.previous[row].as_dvec2()
        } else {
            DVec2::ZERO
        }
    }

    /// The bounds of everything that a row may have met on its way in this step. While nothing is
    /// swept, and for static colliders, those of the row.
    pub(crate) fn motion_bounds(&self, row: usize) -> Aabb2d {
        let bounds = self.bounds[row];
        let displacement = self.displacement(row);
        if displacement == DVec2::ZERO {
            return bounds;
        }
        let way = displacement.as_vec2();
        let role = &self.roles[row];
        let (min, max) = if role.is_swept && role.inverse_mass.is_some() {
            // Its way may turn aside where it slides along a wall.
            let reach = way.length();
            (bounds.min - way - reach, bounds.max - way + reach)
        } else {
            (bounds.min.min(bounds.min - way), bounds.max.max(bounds.max - way))
        };
        let down = |x: f32| x.next_down().max(f32::MIN);
        let up = |x: f32| x.next_up().min(f32::MAX);
        Aabb2d { min: min.map(down), max: max.map(up) }
    }

    /// Moves a row's shape in the world: the one way in which push-out changes the table.
    pub(crate) fn translate(&mut self, row: usize, translation: Vec2) {
        let origin = self.shapes[row].origin();
        self.shapes[row].move_to(origin + translation);
        // The shape no longer stands where its pose put it. A mover that walks back to that very
        // pose has to be placed anew.
        self.sources[row].pose = Affine2::NAN;
        let bounds = &mut self.bounds[row];
        let down = |x: f32| x.next_down().max(f32::MIN);
        let up = |x: f32| x.next_up().min(f32::MAX);
        bounds.min = (bounds.min + translation).map(down);
        bounds.max = (bounds.max + translation).map(up);
    }
}
