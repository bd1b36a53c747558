//! All colliders of the step, as parallel arrays in world space.

use bevy::math::{Affine2, DVec2, Mat2, bounding::Aabb2d};
use bevy::prelude::*;

use crate::components::CollisionLayers;
use crate::entity_order::EntityOrder;
use crate::events::{EndReason, Participant};
use crate::geometry::{PlacedShape, PlacementError, Shape, Touch};
use crate::grid::{Boxes, Corners, Groups};

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
    /// Bounds of the shape relative to its origin, grown by the touching tolerance. What only moves
    /// keeps them.
    reaches: Vec<Corners>,
    pub(crate) roles: Vec<Role>,
    pub(crate) sources: Vec<Source>,
    /// The rows whose role has changed in this step, each with the role before: what an ended
    /// contact tells of.
    former_roles: Vec<(u32, Role)>,
    order: EntityOrder,
    /// Where the reference point of each shape was when the last step was done. Only kept up to
    /// date while there are swept colliders.
    previous: Vec<Vec2>,
    /// Whether `previous` is up to date.
    is_sweeping: bool,
    free: Vec<u32>,
    /// Rows that left in this step.
    left: Vec<u32>,
    /// The rows of static colliders that appeared, changed or left in this step.
    pub(crate) changed_statics: Vec<u32>,
    /// The movers that take part in this step, with the bounds of their motion.
    pub(crate) movers: Boxes,
    /// Whether the bounds of a mover changed in size, or one came or left, in this step.
    pub(crate) sizes_changed: bool,
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
    /// The turn and scale of the pose; NaN if it has to be placed anew.
    pub(crate) matrix: Mat2,
    /// What these make of the shape's reference point: the translation comes on top.
    carried: Vec2,
    pub(crate) has_parent: bool,
    /// Whether it was met when the colliders were last counted.
    pub(crate) is_met: bool,
    /// Faults that have been warned of, one bit each.
    pub(crate) warned: u16,
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
        let source = Source {
            matrix: Mat2::NAN,
            carried: Vec2::ZERO,
            has_parent: false,
            is_met: true,
            warned: 0,
        };
        self.order.forget();
        self.sizes_changed = true;
        if let Some(row) = self.free.pop() {
            let row = row as usize;
            self.entities[row] = entity;
            self.states[row] = RowState::Invalid;
            self.roles[row] = role;
            self.sources[row] = source;
            return row;
        }
        self.entities.push(entity);
        self.states.push(RowState::Invalid);
        self.shapes.push(PlacedShape::point(Vec2::ZERO));
        self.reaches.push(Corners(Vec4::ZERO));
        self.roles.push(role);
        self.sources.push(source);
        self.entities.len() - 1
    }

    /// Marks a row's collider as gone.
    pub(crate) fn leave(&mut self, row: usize, reason: EndReason) {
        self.set_state(row, RowState::Left(reason));
        self.left.push(row as u32);
        if self.roles[row].is_static {
            self.changed_statics.push(row as u32);
        }
    }

    /// Forgets what only the step before wanted to know, and frees the rows that left in it.
    ///
    /// If anything is swept, remembers where everything is before the step moves it.
    pub(crate) fn start_step(&mut self, is_sweeping: bool) {
        self.former_roles.clear();
        self.movers.clear();
        self.changed_statics.clear();
        self.sizes_changed = is_sweeping || self.is_sweeping;
        self.is_sweeping = is_sweeping;
        self.previous.clear();
        if is_sweeping {
            self.previous.extend(self.shapes.iter().map(PlacedShape::origin));
        }
        for row in self.left.drain(..) {
            self.states[row as usize] = RowState::Free;
            self.free.push(row);
        }
    }

    pub(crate) fn set_state(&mut self, row: usize, state: RowState) {
        self.sizes_changed |= self.states[row] != state;
        self.states[row] = state;
    }

    /// Gives a row a new role, if it has changed.
    #[inline]
    pub(crate) fn set_role(&mut self, row: usize, role: Role) {
        let old = self.roles[row];
        if old != role {
            self.roles[row] = role;
            self.former_roles.push((row as u32, old));
            self.sizes_changed = true;
            if old.is_static || role.is_static {
                self.changed_statics.push(row as u32);
            }
        }
    }

    /// Makes ready for [`former_participant`](Self::former_participant).
    pub(crate) fn finish_roles(&mut self) {
        self.former_roles.sort_unstable_by_key(|(row, _)| *row);
    }

    /// Places a row's shape.
    ///
    /// # Errors
    /// The shape has no place under this pose. It stays as it was, or broken: the row is invalid.
    pub(crate) fn place(
        &mut self,
        row: usize,
        shape: &Shape,
        pose: Affine2,
        touch: &Touch,
    ) -> Result<(), PlacementError> {
        let placed = &mut self.shapes[row];
        placed.place(shape, pose)?;
        self.reaches[row] = Corners::new(&placed.touch_reach(touch));
        self.sizes_changed = true;
        let source = &mut self.sources[row];
        source.matrix = pose.matrix2;
        source.carried = pose.matrix2 * shape.reference_point();
        Ok(())
    }

    /// Moves a row's shape to where its pose puts it, if nothing but the translation has changed:
    /// what nearly all movers do in nearly all steps.
    #[inline]
    pub(crate) fn carry(&mut self, row: usize, pose: Affine2) -> bool {
        let source = &self.sources[row];
        if source.matrix != pose.matrix2 {
            return false;
        }
        let origin = source.carried + pose.translation;
        let shape = &mut self.shapes[row];
        // NaN fails too.
        if !(origin.x.abs() <= PlacedShape::FARTHEST && origin.y.abs() <= PlacedShape::FARTHEST) {
            return false;
        }
        if origin != shape.origin() {
            shape.move_to(origin);
            if self.roles[row].is_static {
                self.changed_statics.push(row as u32);
            }
        }
        true
    }

    /// Bounds of a row's shape, grown by the touching tolerance.
    #[inline]
    pub(crate) fn bounds(&self, row: usize) -> Aabb2d {
        self.corners(row).bounds()
    }

    #[inline]
    fn corners(&self, row: usize) -> Corners {
        let Vec2 { x, y } = self.shapes[row].origin();
        let corners = Vec4::new(x, y, -x, -y) + self.reaches[row].0;
        // The sum may have rounded towards the inside.
        Corners(corners - corners.abs() * f32::EPSILON)
    }

    /// The layers of a row, as a grid takes them.
    #[inline]
    pub(crate) fn groups(&self, row: usize) -> Groups {
        let layers = &self.roles[row].layers;
        Groups(layers.memberships, layers.filters)
    }

    /// The places of the rows in the order of their entities.
    pub(crate) fn entity_order(&mut self) -> &EntityOrder {
        self.order.refresh(&self.entities);
        &self.order
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
        self.participant_as(row, &self.roles[row as usize])
    }

    /// What an ended event says of a row: as it was when the contact still was.
    pub(crate) fn former_participant(&self, row: u32) -> Participant {
        let former = self.former_roles.binary_search_by_key(&row, |(row, _)| *row);
        let role = former.map_or(&self.roles[row as usize], |i| &self.former_roles[i].1);
        self.participant_as(row, role)
    }

    #[inline]
    fn participant_as(&self, row: u32, role: &Role) -> Participant {
        Participant {
            entity: self.entities[row as usize],
            layers: role.layers,
            is_sensor: role.inverse_mass.is_none(),
        }
    }

    /// Lets a mover take part in this step.
    #[inline]
    pub(crate) fn enter_mover(&mut self, row: usize) {
        let corners = if self.is_sweeping {
            Corners::new(&self.motion_bounds(row))
        } else {
            self.corners(row)
        };
        self.movers.push(row as u32, corners, self.groups(row));
    }

    /// Lets a row count as not having moved in this step.
    pub(crate) fn forget_motion(&mut self, row: usize) {
        if self.is_sweeping {
            // Rows that are new in this step stand at the end.
            self.previous.resize(self.shapes.len(), Vec2::ZERO);
            self.previous[row] = self.shapes[row].origin();
        }
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
    #[cold]
    pub(crate) fn motion_bounds(&self, row: usize) -> Aabb2d {
        let bounds = self.bounds(row);
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
    }
}
