//! Lists of boxes: all overlapping pairs, through the whole step.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use crate::read::number;
use crate::run;

#[test]
fn grid_vectors() {
    run("grid", |case, faults| {
        let boxes = case["boxes"].as_array().expect("a list of boxes");
        for (rule, key) in
            [(TouchRule::Inclusive, "inclusive"), (TouchRule::Exclusive, "exclusive")]
        {
            for cell_size in [CellSize::Auto, CellSize::Fixed(1.0), CellSize::Fixed(50.0)] {
                let mut app = App::new();
                app.add_plugins((MinimalPlugins, CollisionPlugin::in_schedule(Update)));
                let mut settings = app.world_mut().resource_mut::<CollisionSettings>();
                settings.touch_rule = rule;
                settings.cell_size = cell_size;
                let entities: Vec<Entity> = boxes
                    .iter()
                    .map(|corners| {
                        let corner = |i: usize| number(&corners[i]) as f32;
                        let collider = Collider::aabb_from_corners(
                            Vec2::new(corner(0), corner(1)),
                            Vec2::new(corner(2), corner(3)),
                        );
                        app.world_mut().spawn(collider).id()
                    })
                    .collect();
                app.update();
                let index = |entity| entities.iter().position(|&e| e == entity).expect("a box");
                let contacts = app.world().resource::<Contacts>().iter();
                let mut found: Vec<(usize, usize)> = contacts
                    .map(|pair| (index(pair.a), index(pair.b)))
                    .map(|(i, j)| (i.min(j), i.max(j)))
                    .collect();
                found.sort_unstable();
                let expected = case["expect"][key].as_array().expect("a list of pairs").iter();
                let expected: Vec<(usize, usize)> = expected
                    .map(|pair| (number(&pair[0]) as usize, number(&pair[1]) as usize))
                    .collect();
                faults.ask(format!("{rule:?}, {cell_size:?}"));
                faults.check(found == expected, || {
                    let missing = expected.iter().filter(|pair| !found.contains(pair)).count();
                    let extra = found.iter().filter(|pair| !expected.contains(pair)).count();
                    format!("{missing} missing, {extra} extra of {}", expected.len())
                });
            }
        }
    });
}
