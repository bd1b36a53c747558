//! What a game writes for itself: a hash map from cells to entities, filled anew in every step.

use bevy::platform::collections::{HashMap, HashSet};
use bevy::prelude::*;

use super::{AppContestant, Contestant, Mover, Phase, Touch, app, spawn, touching_pairs};
use crate::plain::{Form, overlap};
use crate::scenes::Scene;

pub fn start(scene: &Scene, threads: usize) -> Box<dyn Contestant> {
    let mut app = app(threads);
    app.insert_resource(Cells { size: scene.cell, entities: HashMap::default() })
        .add_message::<Touch>()
        .add_systems(FixedPostUpdate, collide);
    spawn(app.world_mut(), scene, |body| Form::new(body.outline), |body| Form::new(body.outline));
    Box::new(AppContestant::new(app, touching_pairs))
}

#[derive(Resource)]
struct Cells {
    size: f32,
    entities: HashMap<(i32, i32), Vec<Entity>>,
}

fn collide(
    mut cells: ResMut<Cells>,
    colliders: Query<(Entity, &Transform, &Form, Has<Mover>)>,
    mut seen: Local<HashSet<(Entity, Entity)>>,
    mut touches: MessageWriter<Touch>,
) {
    let size = cells.size;
    for list in cells.entities.values_mut() {
        list.clear();
    }
    for (entity, transform, form, _) in &colliders {
        let [min, max] = form.bounds(transform.translation.truncate());
        let (first, last) = ((min / size).floor().as_ivec2(), (max / size).floor().as_ivec2());
        for y in first.y..=last.y {
            for x in first.x..=last.x {
                cells.entities.entry((x, y)).or_default().push(entity);
            }
        }
    }
    seen.clear();
    for list in cells.entities.values() {
        for (i, &a) in list.iter().enumerate() {
            let Ok((_, transform_a, form_a, a_moves)) = colliders.get(a) else { continue };
            for &b in &list[i + 1..] {
                let Ok((_, transform_b, form_b, b_moves)) = colliders.get(b) else { continue };
                let between = (transform_b.translation - transform_a.translation).truncate();
                // A pair may share several cells.
                if (a_moves || b_moves)
                    && overlap(form_a, form_b, between)
                    && seen.insert((a.min(b), a.max(b)))
                {
                    touches.write(Touch { a, b, phase: Phase::Touching });
                }
            }
        }
    }
}
