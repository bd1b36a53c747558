//! All colliders of the step, as parallel arrays in world space.

mod row;
mod run;

use bevy::math::{Affine2, DVec2, Mat2, bounding::Aabb2d};
use bevy::prelude::*;

use crate::entity_order::EntityOrder;
use crate::events::{EndReason, Participant};
use crate::geometry::{PlacedShape, PlacementError, Shape, Touch};
use crate::grid::{Boxes, Corners, Groups};
pub(crate) use row::{Composition, Role, Row, RowState};

/// One row per collider. A row keeps its number as long as its collider exists, so that the
/// stages can point at colliders with small numbers. Row numbers do not leave the pipeline.
///
/// A row whose collider has left stays readable until the next sync, because the events of this
/// step still speak of it.
#[derive(Resource, Debug, Default)]
pub(crate) struct ColliderTable {
    // INVARIANT: all lists have the same length.
    rows: Vec<Row>,
    shapes: Vec<PlacedShape>,
    /// Bounds of the shape relative to its origin, grown by the touching tolerance. What only moves
    /// keeps them.
    reaches: Vec<Corners>,
    /// Inverse masses of solids.
    inverse_masses: Vec<Option<f32>>,
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
    /// What carrying a run came to, part by part.
    carried: Vec<run::Carried>,
    /// Whether the bounds of a mover changed in size, or one came or left, in this step.
    pub(crate) sizes_changed: bool,
    counts: Counts,
}

/// How many rows take part, and as what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) active: usize,
    /// Of these the static ones.
    pub(crate) statics: usize,
    /// Of these the swept ones.
    pub(crate) swept: usize,
}

/// What the row was placed from, to notice changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    /// The turn and scale of the pose; NaN if it has to be placed anew.
    pub(crate) matrix: Mat2,
    /// What these make of the shape's reference point: the translation comes on top.
    carried: Vec2,
    /// Whether it was met when the colliders were last counted.
    pub(crate) is_met: bool,
    /// Faults that have been warned of, one bit each.
    pub(crate) warned: u16,
}

impl Source {
    /// Where a pose puts the reference point, if nothing but its translation is new and the place is
    /// within range.
    #[inline]
    fn carry(&self, pose: Affine2) -> Option<Vec2> {
        let origin = self.carried + pose.translation;
        let is_near = |x: f32| x.abs() <= PlacedShape::FARTHEST;
        // NaN fails too.
        let is_carried = self.matrix == pose.matrix2 && is_near(origin.x) && is_near(origin.y);
        is_carried.then_some(origin)
    }
}

impl ColliderTable {
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    #[inline]
    pub(crate) fn row(&self, row: u32) -> &Row {
        &self.rows[row as usize]
    }

    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// All shapes in the world, by row.
    pub(crate) fn shapes(&self) -> &[PlacedShape] {
        &self.shapes
    }

    #[inline]
    pub(crate) fn shape(&self, row: u32) -> &PlacedShape {
        &self.shapes[row as usize]
    }

    /// Inverse mass of a solid, 0 for an immovable one; none for a sensor.
    pub(crate) fn inverse_mass(&self, row: u32) -> Option<f32> {
        self.inverse_masses[row as usize]
    }

    fn role(&self, row: usize) -> Role {
        let Row { layers, composition, .. } = self.rows[row];
        Role { layers, composition, inverse_mass: self.inverse_masses[row] }
    }

    /// The row of an entity, if the hint that the entity carries is right.
    #[inline]
    pub(crate) fn row_of(&self, entity: Entity, hint: u32) -> Option<usize> {
        let row = self.rows.get(hint as usize)?;
        (row.is_used() && row.entity == entity).then_some(hint as usize)
    }

    /// Takes a free row for a collider. It counts as invalid until it is placed.
    pub(crate) fn insert(&mut self, entity: Entity, role: Role) -> usize {
        let source = Source { matrix: Mat2::NAN, carried: Vec2::ZERO, is_met: true, warned: 0 };
        self.sizes_changed = true;
        let row = if let Some(row) = self.free.pop() {
            let row = row as usize;
            self.rows[row] = Row::new(entity);
            self.sources[row] = source;
            row
        } else {
            self.rows.push(Row::new(entity));
            self.shapes.push(PlacedShape::point(Vec2::ZERO));
            self.reaches.push(Corners(Vec4::ZERO));
            self.inverse_masses.push(None);
            self.sources.push(source);
            self.rows.len() - 1
        };
        self.order.take(row as u32);
        self.write_role(row, role);
        row
    }

    fn write_role(&mut self, row: usize, role: Role) {
        let Role { layers, composition, inverse_mass } = role;
        self.inverse_masses[row] = inverse_mass;
        self.change(row, |row| {
            (row.layers, row.composition) = (layers, composition);
            row.is_sensor = inverse_mass.is_none();
        });
    }

    /// Changes as what a row counts.
    fn change(&mut self, row: usize, change: impl FnOnce(&mut Row)) {
        let before = self.rows[row].is_active().then_some(self.rows[row].composition);
        change(&mut self.rows[row]);
        let now = self.rows[row].is_active().then_some(self.rows[row].composition);
        let Counts { active, statics, swept } = &mut self.counts;
        let is_there = |row: Option<Composition>, is: fn(Composition) -> bool| {
            usize::from(row.is_some_and(is))
        };
        for (count, is) in [
            (active, (|_| true) as fn(Composition) -> bool),
            (statics, Composition::is_static),
            (swept, Composition::is_swept),
        ] {
            *count = *count + is_there(now, is) - is_there(before, is);
        }
    }

    /// How many rows take part, and as what.
    pub(crate) fn counts(&self) -> Counts {
        self.counts
    }

    /// Marks a row's collider as gone.
    pub(crate) fn leave(&mut self, row: usize, reason: EndReason) {
        self.set_state(row, RowState::Left(reason));
        self.left.push(row as u32);
        if self.rows[row].is_static() {
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
            self.previous.extend(self.rows.iter().map(Row::origin));
        }
        for row in self.left.drain(..) {
            self.rows[row as usize].state = RowState::Free;
            self.free.push(row);
        }
    }

    pub(crate) fn set_state(&mut self, row: usize, state: RowState) {
        self.sizes_changed |= self.rows[row].state != state;
        self.change(row, |row| row.state = state);
    }

    /// Gives a row a new role, if it has changed.
    #[inline]
    pub(crate) fn set_role(&mut self, row: usize, role: Role) {
        let old = self.role(row);
        if old != role {
            self.write_role(row, role);
            self.former_roles.push((row as u32, old));
            self.sizes_changed = true;
            if old.composition.is_static() || role.composition.is_static() {
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
        self.rows[row].set_disc(placed);
        self.reaches[row] = Corners::new(&placed.touch_reach(touch));
        self.sizes_changed = true;
        let source = &mut self.sources[row];
        source.matrix = pose.matrix2;
        source.carried = pose.matrix2 * shape.reference_point();
        Ok(())
    }

    /// Whether a row is that of an entity with these components, and takes part.
    #[inline]
    pub(crate) fn is_steady(&self, row: u32, entity: Entity, composition: Composition) -> bool {
        self.rows.get(row as usize).is_some_and(|row| row.is_steady(entity, composition))
    }

    /// Moves a row's shape to where its pose puts it, if nothing but the translation has changed:
    /// what nearly all movers do in nearly all steps.
    #[inline]
    pub(crate) fn carry(&mut self, row: usize, pose: Affine2) -> bool {
        let Some(origin) = self.sources[row].carry(pose) else { return false };
        if origin != self.rows[row].origin() {
            self.shapes[row].move_to(origin);
            self.rows[row].move_to(origin);
            if self.rows[row].is_static() {
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
        self.rows[row].corners(self.reaches[row])
    }

    /// The layers of a row, as a grid takes them.
    #[inline]
    pub(crate) fn groups(&self, row: usize) -> Groups {
        self.rows[row].groups()
    }

    /// The places of the rows in the order of their entities.
    pub(crate) fn entity_order(&mut self) -> &EntityOrder {
        self.order.refresh(self.rows.len(), |row| self.rows[row as usize].entity);
        &self.order
    }

    /// How many rows are taken.
    pub(crate) fn used(&self) -> usize {
        self.len() - self.free.len() - self.left.len()
    }

    /// The rows that take part.
    pub(crate) fn active(&self) -> impl Iterator<Item = u32> + Clone {
        (0..).zip(&self.rows).filter_map(|(i, row)| row.is_active().then_some(i))
    }

    /// What an ended event says of a row: as it was when the contact still was.
    pub(crate) fn former_participant(&self, row: u32) -> Participant {
        let participant = self.row(row).participant();
        match self.former_roles.binary_search_by_key(&row, |(row, _)| *row) {
            Err(_) => participant,
            Ok(i) => {
                let role = &self.former_roles[i].1;
                let is_sensor = role.inverse_mass.is_none();
                Participant { layers: role.layers, is_sensor, ..participant }
            }
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
            self.previous[row] = self.rows[row].origin();
        }
    }

    /// How far a row has moved in this step. Always 0 for static colliders.
    pub(crate) fn displacement(&self, row: usize) -> DVec2 {
        if self.is_sweeping && !self.rows[row].is_static() {
            self.rows[row].origin().as_dvec2() - self.previous[row].as_dvec2()
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
        let (min, max) = if self.rows[row].is_swept() && !self.rows[row].is_sensor {
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
        let origin = self.rows[row].origin() + translation;
        self.rows[row].move_to(origin);
        self.shapes[row].move_to(origin);
    }

    /// Takes a row's shape out of the table, to be tried at other places;
    /// [`put_back`](Self::put_back) brings it back.
    pub(crate) fn take_shape(&mut self, row: u32) -> PlacedShape {
        let nothing = PlacedShape::point(Vec2::ZERO);
        core::mem::replace(&mut self.shapes[row as usize], nothing)
    }

    pub(crate) fn put_back(&mut self, row: u32, mut shape: PlacedShape) {
        shape.move_to(self.row(row).origin());
        self.shapes[row as usize] = shape;
    }
}
