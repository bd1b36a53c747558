//! The colliders of the world as columns: slices of whole tables of the ECS.

use core::ops::Range;

use bevy::ecs::change_detection::{ContiguousRef, Tick};
use bevy::prelude::*;

use crate::collider_table::{Composition, Role};
use crate::components::{
    Collider, ColliderDisabled, ColliderRow, CollisionLayers, Solid, StaticCollider, Swept,
};

/// What the step reads of a collider.
pub(super) type ColliderData = (
    Entity,
    &'static mut ColliderRow,
    Ref<'static, Collider>,
    Option<Ref<'static, Transform>>,
    Option<&'static ChildOf>,
    Option<Ref<'static, CollisionLayers>>,
    Option<Ref<'static, Solid>>,
    Has<StaticCollider>,
    Option<Ref<'static, Swept>>,
);

pub(super) type Colliders<'w, 's> = Query<'w, 's, ColliderData, Without<ColliderDisabled>>;

/// A collider as it is met.
pub(super) struct Met<'a> {
    pub(super) entity: Entity,
    /// Its row in the collider table, or a wrong number.
    pub(super) row: &'a mut ColliderRow,
    pub(super) collider: &'a Collider,
    pub(super) is_collider_changed: bool,
    pub(super) transform: Option<&'a Transform>,
    pub(super) is_transform_changed: bool,
    pub(super) parent: Option<&'a ChildOf>,
    pub(super) role: Role,
    pub(super) solid: Option<&'a Solid>,
    pub(super) is_swept_changed: bool,
}

/// What is done with each collider.
pub(super) trait Visitor {
    /// Tells of many movers without a parent whose rows follow one another, as
    /// [`pass`](Self::pass) tells of one. `missed` takes those that have to be met after all. False
    /// if none could be taken this way.
    fn pass_run<'t>(
        &mut self,
        _first_row: u32,
        _entities: &[Entity],
        _composition: Composition,
        _transform: &(impl Fn(usize) -> Option<&'t Transform> + Sync),
        _missed: &mut Vec<u32>,
    ) -> bool {
        false
    }

    /// Tells of a collider without a parent of which nothing has changed since it was last met but,
    /// maybe, its transform, which is handed over then. False if it has to be met after all.
    fn pass(
        &mut self,
        _entity: Entity,
        _row: u32,
        _composition: Composition,
        _transform: Option<&Transform>,
    ) -> bool {
        false
    }

    fn meet(&mut self, met: Met);
}

/// Visits all colliders, table by table and each from end to end.
pub(super) fn for_each_collider(colliders: &mut Colliders, visit: impl FnMut(Met)) {
    struct Each<F>(F);
    impl<F: FnMut(Met)> Visitor for Each<F> {
        fn meet(&mut self, met: Met) {
            (self.0)(met);
        }
    }
    for_each_changed_collider(colliders, None, &mut Each(visit));
}

/// As [`for_each_collider`], without the static colliders of which nothing at all has changed.
/// Returns how many colliders there are, these included.
pub(super) fn for_each_changed_collider(
    colliders: &mut Colliders,
    mut still: Option<&mut StillTables>,
    visitor: &mut impl Visitor,
) -> usize {
    let mut met = 0;
    let Ok(tables) = colliders.contiguous_iter_mut() else {
        // A game hides entities by a component of its own that is not kept in tables.
        for (entity, mut row, collider, transform, parent, layers, solid, is_static, swept) in
            colliders
        {
            met += 1;
            visitor.meet(Met {
                entity,
                row: row.bypass_change_detection(),
                is_collider_changed: collider.is_changed(),
                is_transform_changed: transform.as_ref().is_none_or(Ref::is_changed),
                is_swept_changed: swept.as_ref().is_some_and(Ref::is_changed),
                role: role(
                    layers.as_deref(),
                    solid.as_deref(),
                    Composition::of([
                        (Composition::STATIC, is_static),
                        (Composition::SWEPT, swept.is_some()),
                        (Composition::SOLID, solid.is_some()),
                        (Composition::LAYERS, layers.is_some()),
                        (Composition::PARENT, parent.is_some()),
                        (Composition::TRANSFORM, transform.is_some()),
                    ]),
                ),
                collider: collider.into_inner(),
                transform: transform.map(Ref::into_inner),
                parent,
                solid: solid.map(Ref::into_inner),
            });
        }
        if let Some(still) = still {
            still.forget();
        }
        return met;
    };
    let mut count = 0;
    for (i, table) in tables.enumerate() {
        count = i + 1;
        let (entities, mut rows, colliders, transforms, parents, layers, solids, is_static, swept) =
            table;
        let composition = Composition::of([
            (Composition::STATIC, is_static),
            (Composition::SWEPT, swept.is_some()),
            (Composition::SOLID, solids.is_some()),
            (Composition::LAYERS, layers.is_some()),
            (Composition::PARENT, parents.is_some()),
            (Composition::TRANSFORM, transforms.is_some()),
        ]);
        let columns = Columns {
            composition,
            entities,
            colliders: Column::of(colliders),
            transforms: transforms.map(Column::of),
            parents,
            layers: layers.map(Column::of),
            solids: solids.map(Column::of),
            swept: swept.map(Column::of),
        };
        met += entities.len();
        match &mut still {
            Some(still) => still.visit(i, &columns, rows.bypass_change_detection(), visitor),
            None => columns.visit(rows.bypass_change_detection(), visitor, &mut Vec::new()),
        }
    }
    // Tables are told apart by their number, and what is empty has none: another one may have this
    // number next time.
    if let Some(still) = still {
        still.forget_from(count);
    }
    met
}

/// One table of the ECS. All lists have the same length.
struct Columns<'a> {
    composition: Composition,
    entities: &'a [Entity],
    colliders: Column<'a, Collider>,
    transforms: Option<Column<'a, Transform>>,
    parents: Option<&'a [ChildOf]>,
    layers: Option<Column<'a, CollisionLayers>>,
    solids: Option<Column<'a, Solid>>,
    swept: Option<Column<'a, Swept>>,
}

/// The components of one kind, and when each was changed.
struct Column<'a, T> {
    values: &'a [T],
    changed: &'a [Tick],
    last_run: Tick,
    this_run: Tick,
}

impl<'a, T> Column<'a, T> {
    fn of(column: ContiguousRef<'a, T>) -> Self {
        Self {
            changed: column.changed_ticks_slice(),
            last_run: column.last_run_tick(),
            this_run: column.this_run_tick(),
            values: column.into_inner(),
        }
    }

    #[inline]
    fn is_changed(&self, i: usize) -> bool {
        self.changed[i].is_newer_than(self.last_run, self.this_run)
    }

    /// Whether any in a range is. Without stopping, so that several are looked at at once.
    fn is_any_changed(&self, range: Range<usize>) -> bool {
        let is_newer = |tick: &Tick| tick.is_newer_than(self.last_run, self.this_run);
        self.changed[range].iter().fold(false, |any, tick| any | is_newer(tick))
    }
}

impl Columns<'_> {
    /// The hot loop of Sync: whole lists from end to end.
    fn visit(&self, rows: &mut [ColliderRow], visitor: &mut impl Visitor, missed: &mut Vec<u32>) {
        let mut start = 0;
        while start < rows.len() {
            let run = start..self.end_of_run(rows, start);
            if !run.is_empty() && self.visit_run(run.clone(), rows[start].0, visitor, missed) {
                for i in missed.iter().map(|&i| start + i as usize) {
                    visitor.meet(self.met(i, &mut rows[i]));
                }
                start = run.end;
            } else {
                let block = start..rows.len().min(start + BLOCK);
                start = block.end;
                self.visit_block(block, rows, visitor);
            }
        }
    }

    /// Where movers end that need no more than a look at their transforms and whose rows follow one
    /// another.
    fn end_of_run(&self, rows: &[ColliderRow], start: usize) -> usize {
        let mut end = start;
        if !self.composition.is_free() || self.composition.is_static() {
            return end;
        }
        while end < rows.len() {
            let block = end..rows.len().min(end + BLOCK);
            let first = rows[start].0.wrapping_add((end - start) as u32);
            let follows = |(i, row): (u32, &ColliderRow)| row.0 == first.wrapping_add(i);
            let follow = (0..).zip(&rows[block.clone()]).fold(true, |all, row| all & follows(row));
            if !follow || self.is_any_remade(block.clone()) {
                break;
            }
            end = block.end;
        }
        end
    }

    fn visit_run(
        &self,
        run: Range<usize>,
        first_row: u32,
        visitor: &mut impl Visitor,
        missed: &mut Vec<u32>,
    ) -> bool {
        let start = run.start;
        let transform = |i: usize| self.changed_transform(start + i);
        visitor.pass_run(first_row, &self.entities[run], self.composition, &transform, missed)
    }

    fn visit_block(
        &self,
        block: Range<usize>,
        rows: &mut [ColliderRow],
        visitor: &mut impl Visitor,
    ) {
        let may_pass = self.composition.is_free();
        let is_any_remade = may_pass && self.is_any_remade(block.clone());
        for i in block {
            let (entity, transform) = (self.entities[i], self.changed_transform(i));
            let passes = may_pass
                && !(is_any_remade && self.is_any_remade(i..i + 1))
                && visitor.pass(entity, rows[i].0, self.composition, transform);
            if !passes {
                visitor.meet(self.met(i, &mut rows[i]));
            }
        }
    }

    #[inline]
    fn changed_transform(&self, i: usize) -> Option<&Transform> {
        let transforms = self.transforms.as_ref()?;
        transforms.is_changed(i).then(|| &transforms.values[i])
    }

    #[inline]
    fn met<'a>(&'a self, i: usize, row: &'a mut ColliderRow) -> Met<'a> {
        let layers = self.layers.as_ref().map(|layers| &layers.values[i]);
        let solid = self.solids.as_ref().map(|solids| &solids.values[i]);
        let transforms = self.transforms.as_ref();
        Met {
            entity: self.entities[i],
            row,
            collider: &self.colliders.values[i],
            is_collider_changed: self.colliders.is_changed(i),
            transform: transforms.map(|transforms| &transforms.values[i]),
            is_transform_changed: transforms.is_none_or(|transforms| transforms.is_changed(i)),
            parent: self.parents.map(|parents| &parents[i]),
            role: role(layers, solid, self.composition),
            solid,
            is_swept_changed: self.swept.as_ref().is_some_and(|swept| swept.is_changed(i)),
        }
    }

    /// Whether anything of any collider in a range is changed.
    fn is_any_changed(&self, range: Range<usize>) -> bool {
        self.transforms.as_ref().is_none_or(|column| column.is_any_changed(range.clone()))
            || self.is_any_remade(range)
    }

    /// Whether anything but the place of any collider in a range is changed.
    fn is_any_remade(&self, range: Range<usize>) -> bool {
        self.colliders.is_any_changed(range.clone())
            || self.layers.as_ref().is_some_and(|column| column.is_any_changed(range.clone()))
            || self.solids.as_ref().is_some_and(|column| column.is_any_changed(range.clone()))
            || self.swept.as_ref().is_some_and(|column| column.is_any_changed(range))
    }
}

/// Colliders whose changes are looked for together.
const BLOCK: usize = 1024;

/// Remembers the tables of static colliders, to leave out what has not changed: a level of a hundred
/// thousand tiles then costs a look at when its components were changed, and a comparison of two
/// lists.
#[derive(Debug, Default)]
pub(super) struct StillTables {
    tables: Vec<StillTable>,
    /// Those that are no longer where they were in their table: most have left.
    displaced: Vec<Still>,
    /// Of a run those that have to be met one by one.
    missed: Vec<u32>,
}

/// A static collider and its row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Still {
    pub(super) entity: Entity,
    pub(super) row: u32,
}

#[derive(Debug, Default)]
struct StillTable {
    /// An entity that comes or goes without a change of its own components, because it was hidden
    /// or shown or lost a component, changes this list.
    entities: Vec<Entity>,
    // INVARIANT: as long as the list of entities.
    rows: Vec<u32>,
    composition: Composition,
}

impl StillTables {
    /// The next step looks at everything.
    pub(super) fn forget(&mut self) {
        self.forget_from(0);
    }

    fn forget_from(&mut self, table: usize) {
        for table in self.tables.iter().skip(table) {
            self.displaced.extend(table.from(0));
        }
        self.tables.truncate(table);
    }

    /// Hands over those that may have left in this step. Each of them was met where it is now, if it
    /// still is anywhere.
    pub(super) fn take_displaced(&mut self) -> impl Iterator<Item = Still> {
        self.displaced.drain(..)
    }

    fn visit(
        &mut self,
        table: usize,
        columns: &Columns,
        rows: &mut [ColliderRow],
        visitor: &mut impl Visitor,
    ) {
        if self.tables.len() <= table {
            self.tables.resize_with(table + 1, StillTable::default);
        }
        let Self { tables, displaced, missed } = self;
        let known = &mut tables[table];
        // What has a parent moves with it.
        let Columns { composition, .. } = *columns;
        let is_still = composition.is_static() && !composition.has_parent();
        if !is_still || known.composition != composition || known.entities.is_empty() {
            displaced.extend(known.from(0));
            columns.visit(rows, visitor, missed);
            *known = StillTable { composition, ..StillTable::default() };
            if is_still {
                known.entities.extend_from_slice(columns.entities);
                known.rows.extend(rows.iter().map(|row| row.0));
            }
            return;
        }
        let len = rows.len();
        displaced.extend(known.from(len));
        known.entities.resize(len, Entity::PLACEHOLDER);
        known.rows.resize(len, u32::MAX);
        for start in (0..len).step_by(BLOCK) {
            let block = start..len.min(start + BLOCK);
            let is_same = known.entities[block.clone()] == columns.entities[block.clone()];
            if is_same && !columns.is_any_changed(block.clone()) {
                continue;
            }
            for i in block {
                let before = Still { entity: known.entities[i], row: known.rows[i] };
                if before.entity == columns.entities[i] && !columns.is_any_changed(i..i + 1) {
                    continue;
                }
                visitor.meet(columns.met(i, &mut rows[i]));
                // Taken off and put on again, it has another row.
                if before.entity != columns.entities[i] || before.row != rows[i].0 {
                    let is_any = before.entity != Entity::PLACEHOLDER;
                    displaced.extend(is_any.then_some(before));
                    (known.entities[i], known.rows[i]) = (columns.entities[i], rows[i].0);
                }
            }
        }
    }
}

impl StillTable {
    fn from(&self, start: usize) -> impl Iterator<Item = Still> {
        let stills = self.entities.iter().zip(&self.rows).skip(start);
        stills.map(|(&entity, &row)| Still { entity, row })
    }
}

/// What a collider with these components may meet and push.
fn role(layers: Option<&CollisionLayers>, solid: Option<&Solid>, composition: Composition) -> Role {
    let is_static = composition.is_static();
    Role {
        layers: layers.copied().unwrap_or_default(),
        composition,
        inverse_mass: solid.and_then(|solid| inverse_mass(solid, is_static)),
    }
}

/// Inverse mass of a solid; none for a mass that makes no sense.
fn inverse_mass(solid: &Solid, is_static: bool) -> Option<f32> {
    let mass = solid.mass;
    // The inverse of the smallest masses is infinite, and infinities become NaN where they meet.
    (mass > 0.0).then_some(if is_static { 0.0 } else { (1.0 / mass).min(1e30) })
}
