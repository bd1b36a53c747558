//! What an expert writes without an engine: rows in a flat grid, sorted into cells by counting.
//!
//! A collider lies in the cell of the lower left corner of its bounds, and is no wider than a cell,
//! so that a pair is at most one cell apart and half of the neighbours is enough. Wider ones are in
//! a list of their own and look for pairs in all the cells they cover. What never moves is sorted
//! once. The pairs are sorted and compared with those of the step before.

use bevy::prelude::*;

use super::{AppContestant, Contestant, Mover, Phase, Touch, app, spawn, touching_pairs};
use crate::plain::{Form, overlap};
use crate::scenes::Scene;

pub fn start(scene: &Scene, threads: usize) -> Box<dyn Contestant> {
    let mut app = app(threads);
    app.insert_resource(Collision { cell: scene.cell * 0.5, ..default() })
        .add_message::<Touch>()
        .add_systems(FixedPostUpdate, collide);
    spawn(app.world_mut(), scene, |body| Form::new(body.outline), |body| Form::new(body.outline));
    Box::new(AppContestant::new(app, touching_pairs))
}

/// What the pair test needs of a collider, in the order of the cells.
#[derive(Clone, Copy)]
struct Row {
    min: Vec2,
    max: Vec2,
    place: Vec2,
    /// Radius of a circle; of another shape it is not a number above 0.
    radius: f32,
    entity: Entity,
}

impl Row {
    fn new(entity: Entity, place: Vec2, form: &Form) -> Self {
        let [min, max] = form.bounds(place);
        Self { min, max, place, radius: form.radius(), entity }
    }

    fn meets(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }
}

#[derive(Resource, Default)]
struct Collision {
    cell: f32,
    movers: Grid,
    statics: Grid,
    gathered: Vec<Row>,
    pairs: Vec<(Entity, Entity)>,
    before: Vec<(Entity, Entity)>,
}

fn collide(
    mut collision: ResMut<Collision>,
    movers: Query<(Entity, &Transform, &Form), With<Mover>>,
    statics: Query<(Entity, &Transform, &Form), Without<Mover>>,
    new_statics: Query<(), (Without<Mover>, Or<(Changed<Transform>, Changed<Form>)>)>,
    forms: Query<&Form>,
    mut touches: MessageWriter<Touch>,
) {
    let Collision { cell, movers: grid, statics: fixed, gathered, pairs, before } = &mut *collision;
    let row = |(entity, transform, form): (Entity, &Transform, &Form)| {
        Row::new(entity, transform.translation.truncate(), form)
    };
    if !new_statics.is_empty() {
        gathered.clear();
        gathered.extend(statics.iter().map(row));
        fixed.build(gathered, *cell);
    }
    gathered.clear();
    gathered.extend(movers.iter().map(row));
    grid.build(gathered, *cell);

    std::mem::swap(pairs, before);
    pairs.clear();
    let mut test = |a: &Row, b: &Row| {
        let touching = if a.radius > 0.0 && b.radius > 0.0 {
            let reach = a.radius + b.radius;
            a.place.distance_squared(b.place) <= reach * reach
        } else {
            a.meets(b)
                && forms
                    .get_many([a.entity, b.entity])
                    .is_ok_and(|[form_a, form_b]| overlap(form_a, form_b, b.place - a.place))
        };
        if touching {
            pairs.push((a.entity.min(b.entity), a.entity.max(b.entity)));
        }
    };
    grid.each_pair(&mut test);
    if !fixed.is_empty() {
        for row in grid.rows() {
            fixed.each_near(row, &mut test);
        }
    }

    pairs.sort_unstable();
    let mut old = before.iter().peekable();
    for &(a, b) in pairs.iter() {
        while let Some(&(a, b)) = old.next_if(|pair| **pair < (a, b)) {
            touches.write(Touch { a, b, phase: Phase::Ended });
        }
        let stays = old.next_if_eq(&&(a, b)).is_some();
        let phase = if stays { Phase::Touching } else { Phase::Started };
        touches.write(Touch { a, b, phase });
    }
    for &(a, b) in old {
        touches.write(Touch { a, b, phase: Phase::Ended });
    }
}

#[derive(Default)]
struct Grid {
    origin: Vec2,
    cell: f32,
    columns: i32,
    lines: i32,
    /// Where the rows of each cell start; one more at the end.
    starts: Vec<u32>,
    sorted: Vec<Row>,
    cells: Vec<u32>,
    wide: Vec<Row>,
}

impl Grid {
    fn is_empty(&self) -> bool {
        self.sorted.is_empty() && self.wide.is_empty()
    }

    fn rows(&self) -> impl Iterator<Item = &Row> {
        self.sorted.iter().chain(&self.wide)
    }

    fn build(&mut self, rows: &mut Vec<Row>, cell: f32) {
        self.wide.clear();
        self.sorted.clear();
        let wide = &mut self.wide;
        rows.retain(|row| {
            let is_wide = (row.max - row.min).max_element() > cell * 1.001;
            if is_wide {
                wide.push(*row);
            }
            !is_wide
        });
        let Some(first) = rows.first().copied() else { return };
        let (min, max) = rows
            .iter()
            .fold((first.min, first.min), |(min, max), row| (min.min(row.min), max.max(row.min)));
        // Not many more cells than rows.
        let area =
            f64::from((max.x - min.x) / cell + 1.0) * f64::from((max.y - min.y) / cell + 1.0);
        let most = rows.len() as f64 * 4.0 + 64.0;
        // Rounding far from the origin may widen a row.
        self.cell = cell * 1.001 * (area / most).sqrt().max(1.0) as f32;
        self.origin = min;
        let size = ((max - min) / self.cell).as_ivec2() + 1;
        (self.columns, self.lines) = (size.x, size.y);
        self.starts.clear();
        self.starts.resize((size.x * size.y) as usize + 1, 0);
        self.cells.clear();
        for row in rows.iter() {
            let at = self.at(row.min);
            let cell = (at.y * self.columns + at.x) as u32;
            self.cells.push(cell);
            self.starts[cell as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.sorted.resize(rows.len(), first);
        for (row, cell) in rows.iter().zip(&self.cells).rev() {
            let start = &mut self.starts[*cell as usize];
            *start -= 1;
            self.sorted[*start as usize] = *row;
        }
    }

    fn at(&self, place: Vec2) -> IVec2 {
        ((place - self.origin) / self.cell).as_ivec2()
    }

    /// The rows of some cells side by side.
    fn span(&self, line: i32, first: i32, last: i32) -> &[Row] {
        let (first, last) = (first.max(0), last.min(self.columns - 1));
        if line < 0 || line >= self.lines || first > last {
            return &[];
        }
        let start = self.starts[(line * self.columns + first) as usize] as usize;
        let end = self.starts[(line * self.columns + last) as usize + 1] as usize;
        &self.sorted[start..end]
    }

    fn each_pair(&self, test: &mut impl FnMut(&Row, &Row)) {
        for line in 0..self.lines {
            for column in 0..self.columns {
                let rest = self.span(line, column, column + 1);
                let above = self.span(line + 1, column - 1, column + 1);
                for (i, row) in self.span(line, column, column).iter().enumerate() {
                    for other in rest[i + 1..].iter().chain(above) {
                        test(row, other);
                    }
                }
            }
        }
        for (i, row) in self.wide.iter().enumerate() {
            self.each_small_near(row, test);
            for other in &self.wide[i + 1..] {
                test(row, other);
            }
        }
    }

    fn each_near(&self, row: &Row, test: &mut impl FnMut(&Row, &Row)) {
        self.each_small_near(row, test);
        for other in &self.wide {
            test(row, other);
        }
    }

    fn each_small_near(&self, row: &Row, test: &mut impl FnMut(&Row, &Row)) {
        if self.sorted.is_empty() {
            return;
        }
        // One cell lower: those that lie there may reach over.
        let (first, last) = (self.at(row.min - self.cell) - 1, self.at(row.max));
        for line in first.y.max(0)..=last.y.min(self.lines - 1) {
            for other in self.span(line, first.x, last.x) {
                if row.meets(other) {
                    test(row, other);
                }
            }
        }
    }
}
