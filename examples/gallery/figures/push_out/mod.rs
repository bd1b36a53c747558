//! Push-out: boxes and circles of different mass part, one thing bounces off walls and another
//! slides along them.

mod movers;

use std::collections::VecDeque;

use bevy::prelude::*;
use bevy_egui::egui::{self, Color32, FontId, Stroke};
use bevy_nudge::CollisionStats;
use bevy_nudge::geometry::{Aabb, Circle, ConvexPolygon};
use bevy_nudge::prelude::*;

use crate::figure::{Body, Facts, Figure, InFigure, LOW, Line, show_lines};
use crate::palette::{ANSWER, COLOR_A, COLOR_B, DIM, MTV, SHARED, TEXT};
use crate::shared::canvas::Canvas;
use crate::shared::dragging::{OutOfReach, Pointer};
use crate::wording::number;

use movers::{Bouncer, Heap, Slider};

pub(crate) struct PushOut {
    passes: u32,
    bounciness: f32,
    is_slow: bool,
    stands_still: bool,
    /// Whether all are to be put on one heap.
    wants_heap: bool,
    /// Seconds since the last step in slow motion.
    seconds: f32,
    steps: u64,
    walls: Vec<Entity>,
    bouncer: Bouncer,
    slider: Slider,
    /// Pushes of each body, added up over the last steps.
    recent: [Vec2; MASSES.len()],
    /// The deepest overlap left after each of the last steps.
    left: VecDeque<f32>,
    heap: Heap,
}

/// Mass of each body, in their order.
const MASSES: [f32; 9] = [1.0, 1.0, 4.0, 4.0, 16.0, f32::INFINITY, f32::INFINITY, 1.0, 1.0];
const BOUNCER: usize = 7;
const SLIDER: usize = 8;
const FRAME: Rect = Rect { min: Vec2::ZERO, max: Vec2::new(720.0, 420.0) };
/// World units per second.
const SLIDER_SPEED: f32 = 90.0;
/// Steps that the plot shows.
const PLOTTED: usize = 180;
/// Seconds between steps in slow motion.
const SLOW_BEAT: f32 = 0.25;
/// What is dragged into a wall is pushed much farther.
const LONGEST_ARROW: f32 = 60.0;
/// Seconds of a step.
const STEP: f32 = 1.0 / 60.0;

impl Default for PushOut {
    fn default() -> Self {
        Self {
            passes: 4,
            bounciness: 1.0,
            is_slow: false,
            stands_still: false,
            wants_heap: false,
            seconds: 0.0,
            steps: 0,
            walls: Vec::new(),
            bouncer: Bouncer { velocity: Vec2::new(150.0, 110.0), last: None },
            slider: Slider::default(),
            recent: [Vec2::ZERO; MASSES.len()],
            left: VecDeque::new(),
            heap: Heap::None,
        }
    }
}

impl Figure for PushOut {
    fn explanation(&self) -> &'static str {
        "Solids that overlap are pushed apart, the light one farther: each by the share of the \
         other's mass. Walls and infinite masses do not yield. All contacts of a thing are \
         solved together, in passes; a heap in a corner needs several, or as many steps. A velocity bounces off the \
         normals that pushed, or slides: it loses the part that points into them. Drag one into \
         another; heap them up."
    }

    fn frame(&self) -> Rect {
        FRAME
    }

    fn bodies(&self) -> Result<Vec<Body>> {
        let circle = |radius| Circle::new(Vec2::ZERO, radius);
        let aabb = |side| Aabb::from_size(Vec2::ZERO, Vec2::splat(side));
        let block = ConvexPolygon::rectangle(Vec2::new(150.0, 40.0))?;
        Ok(vec![
            Body::new("light circle", circle(26.0)?, Vec2::new(130.0, 320.0)),
            Body::new("light box", aabb(48.0)?, Vec2::new(220.0, 330.0)),
            Body::new("middling circle", circle(34.0)?, Vec2::new(330.0, 325.0)),
            Body::new("middling box", aabb(62.0)?, Vec2::new(130.0, 215.0)),
            Body::new("heavy box", aabb(84.0)?, Vec2::new(250.0, 215.0)),
            Body::new("pin", circle(20.0)?, Vec2::new(400.0, 215.0)),
            Body::new("slanted block", block, Vec2::new(560.0, 130.0)).turned(25.0),
            Body::new("bouncer", circle(13.0)?, Vec2::new(520.0, 300.0)),
            Body::new("slider", circle(13.0)?, Vec2::new(150.0, 80.0)),
        ])
    }

    fn open(&mut self, world: &mut World, bodies: &[Entity]) {
        for (&body, mass) in bodies.iter().zip(MASSES) {
            world.entity_mut(body).insert(Solid::new(mass));
        }
        for bounds in walls() {
            let (center, size) = (bounds.center(), bounds.size());
            let place = Transform::from_translation(center.extend(0.0));
            let wall = (Collider::aabb(size.x, size.y), Solid::default(), StaticCollider, place);
            let name = Name::new("Wall");
            self.walls.push(world.spawn((InFigure, OutOfReach, name, wall)).id());
        }
    }

    fn update(&mut self, world: &mut World, bodies: &[Entity]) {
        let mut settings = world.resource_mut::<CollisionSettings>();
        settings.resolution.enabled = true;
        settings.resolution.passes = self.passes;
        let is_due = if self.is_slow {
            self.seconds += world.resource::<Time>().delta_secs();
            self.seconds >= SLOW_BEAT
        } else {
            true
        };
        self.note_last_step(world, bodies);
        if std::mem::take(&mut self.wants_heap) {
            heap_up(world, bodies);
            self.heap = Heap::Parting { steps: 0 };
        }
        if is_due && !self.stands_still {
            self.walk(world, bodies);
        }
        let mut settings = world.resource_mut::<CollisionSettings>();
        if !self.is_slow {
            settings.stepping.resume();
        } else if is_due {
            self.seconds = 0.0;
            settings.stepping.single_step();
        }
    }

    fn switches(&mut self) -> Vec<(&'static str, &mut bool)> {
        vec![
            ("slow motion, 4 steps a second", &mut self.is_slow),
            ("bouncer and slider stand still", &mut self.stands_still),
        ]
    }

    fn press(&mut self, key: KeyCode) {
        self.wants_heap |= key == KeyCode::Space;
    }

    fn controls(&mut self, ui: &mut egui::Ui) {
        ui.spacing_mut().slider_width -= 12.0;
        ui.add(egui::Slider::new(&mut self.passes, 1..=16).text("passes"));
        ui.add(egui::Slider::new(&mut self.bounciness, 0.0..=1.0).fixed_decimals(1).text("bounce"));
        self.wants_heap |= ui.button("Space  Heap them up").clicked();
    }

    fn draw(&self, facts: &Facts, canvas: &Canvas) {
        for wall in self.walls.iter().filter_map(|&wall| facts.colliders.get(wall)) {
            canvas.shape(wall, DIM);
        }
        for (body, mass) in MASSES.into_iter().enumerate() {
            let Some(shape) = facts.shape(body) else { continue };
            let (color, words) = match body {
                BOUNCER => (ANSWER, "bounces".to_owned()),
                SLIDER => (ANSWER, "slides".to_owned()),
                _ if mass.is_infinite() => (DIM, "m = ∞".to_owned()),
                _ => (if mass > 2.0 { COLOR_B } else { COLOR_A }, format!("m = {mass}")),
            };
            canvas.shape(shape, color);
            let below = if shape.extent() < 15.0 { Vec2::NEG_Y * 22.0 } else { Vec2::ZERO };
            canvas.label(shape.origin() + below, color, &words);
            let push = self.recent[body].clamp_length_max(LONGEST_ARROW);
            canvas.arrow(shape.origin(), shape.origin() + push, 3.0, MTV);
        }
        if let Some(bouncer) = facts.shape(BOUNCER) {
            let tip = bouncer.origin() + self.bouncer.velocity * 0.3;
            canvas.arrow(bouncer.origin(), tip, 2.0, ANSWER);
        }
        if let Some(slider) = facts.shape(SLIDER) {
            let from = slider.origin();
            canvas.arrow(from, from + self.slider.wish * 0.5, 1.5, DIM);
            canvas.arrow(from, from + self.slider.velocity() * 0.5, 2.5, ANSWER);
        }
    }

    fn numbers(&self, facts: &Facts) -> Vec<Line> {
        let left = self.left.back().copied().unwrap_or(0.0);
        let allowed = facts.settings.resolution.allowed_overlap;
        let color = if left > 2.0 * allowed { SHARED } else { TEXT };
        let words = format!(
            "Deepest overlap left after the last step: {left:.2} (allowed {allowed}){}",
            self.heap.words()
        );
        vec![Line::new(color, words), self.bouncer.sentence(), self.slider.sentence()]
    }

    fn below(&mut self, ui: &mut egui::Ui, facts: &Facts) {
        show_lines(ui, &self.numbers(facts));
        self.plot(ui);
    }
}

/// Around the figure.
fn walls() -> [Rect; 4] {
    const THICK: f32 = 16.0;
    let Rect { min, max } = FRAME;
    [
        Rect::from_corners(min, Vec2::new(max.x, min.y + THICK)),
        Rect::from_corners(Vec2::new(min.x, max.y - THICK), max),
        Rect::from_corners(min, Vec2::new(min.x + THICK, max.y)),
        Rect::from_corners(Vec2::new(max.x - THICK, min.y), max),
    ]
}

/// Puts all that can be moved on one another in a corner: what is pressed against walls needs several
/// passes, and in the open one is enough.
fn heap_up(world: &mut World, bodies: &[Entity]) {
    let movable = bodies.iter().zip(MASSES).filter(|(_, mass)| mass.is_finite());
    for (index, (&body, _)) in movable.enumerate() {
        if let Some(mut transform) = world.get_mut::<Transform>(body) {
            let aside = Vec2::from_angle(index as f32 * 2.4) * 14.0;
            let place = FRAME.max - Vec2::splat(30.0) + aside;
            transform.translation = place.extend(0.0);
        }
    }
}

/// The deepest overlap of solids that could be pushed apart, where the last step left them.
fn deepest_overlap(
    colliders: CollisionQuery,
    movers: Query<Entity, (With<Solid>, Without<StaticCollider>)>,
) -> f32 {
    let shapes = movers.iter().filter_map(|mover| Some((mover, colliders.get(mover)?)));
    let depths = shapes.flat_map(|(mover, shape)| {
        let others = CollisionFilter::new().excluding(mover);
        colliders.overlapping(shape, &others).into_iter().map(|(_, contact)| contact.depth)
    });
    depths.fold(0.0, f32::max)
}

impl PushOut {
    /// After a new step: what was pushed, what bounced, what overlap is left.
    fn note_last_step(&mut self, world: &mut World, bodies: &[Entity]) {
        let steps = world.resource::<CollisionStats>().steps;
        if steps == self.steps {
            return;
        }
        self.steps = steps;
        for (recent, &body) in self.recent.iter_mut().zip(bodies) {
            let push = world.resource::<Pushes>().of(body);
            *recent = *recent * 0.93 + push.map_or(Vec2::ZERO, |push| push.translation);
        }
        let normals = |body: usize| {
            let push = world.resource::<Pushes>().of(bodies[body]);
            push.map_or_else(Vec::new, |push| push.normals.to_vec())
        };
        self.bouncer.bounce(&normals(BOUNCER), self.bounciness);
        self.slider.normals = normals(SLIDER);
        let left = world.run_system_cached(deepest_overlap).unwrap_or(0.0);
        let allowed = world.resource::<CollisionSettings>().resolution.allowed_overlap;
        self.heap.step(left, allowed, self.passes);
        self.left.push_back(left);
        if self.left.len() > PLOTTED {
            self.left.pop_front();
        }
    }

    fn walk(&mut self, world: &mut World, bodies: &[Entity]) {
        let angle = self.steps as f32 * 0.006;
        self.slider.wish = Vec2::from_angle(angle) * SLIDER_SPEED;
        let held = world.resource::<Pointer>().grabbed;
        for (body, velocity) in [(BOUNCER, self.bouncer.velocity), (SLIDER, self.slider.velocity())]
        {
            let is_held = held == Some(bodies[body]);
            if let Some(mut transform) = world.get_mut::<Transform>(bodies[body])
                && !is_held
            {
                transform.translation += (velocity * STEP).extend(0.0);
            }
        }
    }

    /// The overlap left after each of the last steps.
    fn plot(&self, ui: &mut egui::Ui) {
        let height = if ui.ctx().viewport_rect().height() < LOW { 44.0 } else { 64.0 };
        let (_, rect) = ui.allocate_space(egui::vec2(ui.available_width(), height));
        let painter = ui.painter_at(rect);
        painter.rect_filled(rect, 2.0, Color32::from_rgb(18, 20, 26));
        let most = self.left.iter().copied().fold(0.1, f32::max);
        let width = rect.width() / PLOTTED as f32;
        for (step, &left) in self.left.iter().enumerate() {
            let mut bar = rect;
            bar.min.x = rect.left() + step as f32 * width;
            bar.set_width((width - 0.5).max(1.0));
            // The words above them stay free.
            bar.min.y = rect.bottom() - (rect.height() - 20.0) * (left / most);
            painter.rect_filled(bar, 0.0, SHARED);
        }
        let corner = rect.left_top() + egui::vec2(6.0, 3.0);
        let words = format!("overlap left after each of the last steps; at most {}", number(most));
        let short = format!("overlap left; at most {}", number(most));
        let layout = |words| painter.layout_no_wrap(words, FontId::proportional(12.0), DIM);
        let long = layout(words);
        let has_room = long.size().x < rect.width() - 12.0;
        painter.galley(corner, if has_room { long } else { layout(short) }, DIM);
        painter.rect_stroke(rect, 2.0, Stroke::new(1.0, DIM), egui::StrokeKind::Inside);
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::Affine2;
    use bevy_nudge::geometry::{PlacedShape, Shape, contact};

    use super::*;

    fn start() -> Vec<PlacedShape> {
        let figure = PushOut::default();
        let mut shapes: Vec<PlacedShape> = Vec::new();
        for body in figure.bodies().expect("bodies") {
            let pose = Affine2::from_angle_translation(body.degrees.to_radians(), body.place);
            shapes.push(PlacedShape::new(&body.shape, pose).expect("placed"));
        }
        for wall in walls() {
            let wall = Shape::from(Aabb { min: wall.min, max: wall.max });
            shapes.push(PlacedShape::new(&wall, Affine2::IDENTITY).expect("placed"));
        }
        shapes
    }

    /// In how many steps the heap parts with so many passes.
    fn steps_of_the_heap(passes: u32) -> u32 {
        let mut app = App::new();
        let plugins = (MinimalPlugins, CollisionPlugin::default(), ResolutionPlugin);
        app.add_plugins(plugins);
        app.insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
        app.world_mut().resource_mut::<CollisionSettings>().resolution.passes = passes;
        let spawn = |(body, mass): (Body, f32)| {
            let pose = Transform::from_translation(body.place.extend(0.0))
                .with_rotation(Quat::from_rotation_z(body.degrees.to_radians()));
            app.world_mut().spawn((Collider::new(body.shape), Solid::new(mass), pose)).id()
        };
        let bodies = PushOut::default().bodies().expect("bodies").into_iter().zip(MASSES);
        let bodies: Vec<Entity> = bodies.map(spawn).collect();
        for bounds in walls() {
            let (center, size) = (bounds.center(), bounds.size());
            let place = Transform::from_translation(center.extend(0.0));
            let wall = (Collider::aabb(size.x, size.y), Solid::default(), StaticCollider, place);
            app.world_mut().spawn(wall);
        }
        app.update();
        heap_up(app.world_mut(), &bodies);
        for step in 1..500 {
            app.update();
            let left = app.world_mut().run_system_cached(deepest_overlap).expect("a depth");
            if left <= 2.0 * app.world().resource::<CollisionSettings>().resolution.allowed_overlap
            {
                return step;
            }
        }
        500
    }

    #[test]
    fn more_passes_part_the_heap_in_fewer_steps() {
        let steps = [1, 2, 4, 8, 16].map(steps_of_the_heap);
        assert!(steps.is_sorted_by(|more, fewer| more >= fewer), "{steps:?}");
        assert!(steps[0] >= 4 * steps[4] && steps[4] >= 1, "{steps:?}");
    }

    #[test]
    fn at_the_start_nothing_overlaps_but_the_corners_of_the_walls() {
        let shapes = start();
        for (i, a) in shapes[..MASSES.len()].iter().enumerate() {
            for (j, b) in shapes.iter().enumerate().skip(i + 1) {
                assert_eq!(contact(a, b, TouchRule::Inclusive), None, "{i} and {j}");
            }
        }
    }
}
