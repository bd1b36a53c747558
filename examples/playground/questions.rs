//! Asks about the place of the mouse: one question at a time, drawn and answered in words.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use bevy_nudge::debug_draw::{AnswerStyle, draw_ray, draw_separation, draw_shape_cast};
use bevy_nudge::geometry::{
    PlacedShape, PointLocation, Ray, Shape, is_left_of_all_edges, locate_point, project_point,
    ray_crossings,
};
use bevy_nudge::inspector::pointer_is_free;
use bevy_nudge::prelude::*;

use crate::overlay::OverlaySystems;
use crate::shared::bar::{Choice, to_egui};
use crate::shared::dragging::{DraggingSystems, Pointer, Stack};
use crate::shared::paint::{left_of_all_edges, scene_painter};
use crate::shared::view::View;

pub(crate) struct QuestionsPlugin;

impl Plugin for QuestionsPlugin {
    fn build(&self, app: &mut App) {
        let line = GizmoLineConfig { width: 3.0, ..default() };
        app.insert_gizmo_config(AnswerGizmos, GizmoConfig { line, ..default() })
            .insert_resource(Choice { title: "Ask", options: QUESTIONS, chosen: None })
            .init_resource::<Answer>()
            .init_resource::<Muzzle>()
            .add_systems(Update, place_muzzle.run_if(pointer_is_free).after(DraggingSystems))
            .add_systems(
                PostUpdate,
                (
                    forget_answer,
                    ask_about_point.run_if(is_asked(0)).run_if(pointer_is_free),
                    ask_ray.run_if(is_asked(1)).run_if(pointer_is_free),
                    cast_shape.run_if(is_asked(2)).run_if(pointer_is_free),
                    ask_nearest.run_if(is_asked(3)),
                )
                    .chain()
                    .after(CollisionSystems::Publish)
                    .before(bevy_egui::EguiPostUpdateSet::EndPass),
            )
            .add_systems(EguiPrimaryContextPass, shade_convex_test.in_set(OverlaySystems));
    }
}

const QUESTIONS: &[(KeyCode, &str)] = &[
    (KeyCode::Digit1, "1  point"),
    (KeyCode::Digit2, "2  ray"),
    (KeyCode::Digit3, "3  cast"),
    (KeyCode::Digit4, "4  nearest"),
];

fn is_asked(question: usize) -> impl Fn(Res<Choice>) -> bool + Clone {
    move |choice| choice.chosen == Some(question)
}

/// The gizmos of questions and answers.
#[derive(Default, Reflect, GizmoConfigGroup)]
pub(crate) struct AnswerGizmos;

/// What was found out in this frame.
#[derive(Resource, Default)]
pub(crate) struct Answer {
    /// In words.
    pub(crate) lines: Vec<(String, Color)>,
    /// What the convex test takes for the inside, in world space.
    convex_inside: Vec<Vec2>,
}

const RIGHT_COLOR: Color = Color::srgb(0.45, 0.95, 0.5);
const WRONG_COLOR: Color = Color::srgb(1.0, 0.42, 0.36);
const PLAIN_COLOR: Color = Color::srgb(0.92, 0.93, 0.96);

impl Answer {
    fn say(&mut self, color: Color, line: String) {
        self.lines.push((line, color));
    }
}

fn forget_answer(mut answer: ResMut<Answer>) {
    *answer = Answer::default();
}

/// Where rays and bullets start: where the scene was last clicked beside the shapes.
#[derive(Resource, Default)]
pub(crate) struct Muzzle(Option<Vec2>);

impl Muzzle {
    /// In the world. At first at the left edge of the scene.
    pub(crate) fn place(&self, view: &View) -> Option<Vec2> {
        let scene = view.scene()?;
        let at_first = scene.min + scene.size() * Vec2::new(0.015, 0.6);
        self.0.filter(|place| scene.contains(*place)).or(Some(at_first))
    }
}

fn place_muzzle(
    buttons: Res<ButtonInput<MouseButton>>,
    pointer: Res<Pointer>,
    mut muzzle: ResMut<Muzzle>,
) {
    if buttons.just_pressed(MouseButton::Left) && pointer.hovered.is_none() {
        muzzle.0 = pointer.position.or(muzzle.0);
    }
}

fn mark_style(view: &View) -> AnswerStyle {
    // A normal is as long on the screen whatever the size of the scene.
    AnswerStyle { mark_size: view.length(28.0), ..default() }
}

/// The crossing count and the convex test, side by side, with the exact answer.
fn ask_about_point(
    mut gizmos: Gizmos<AnswerGizmos>,
    mut answer: ResMut<Answer>,
    view: Res<View>,
    pointer: Res<Pointer>,
    settings: Res<CollisionSettings>,
    query: CollisionQuery,
    colliders: Query<(NameOrEntity, &Collider)>,
) {
    let Some(at) = pointer.position else { return };
    let nearest = || query.nearest(at, 1, &CollisionFilter::new()).pop().map(|found| found.0);
    let Some(entity) = pointer.target().or_else(nearest) else { return };
    let (Some(shape), Ok((name, collider))) = (query.get(entity), colliders.get(entity)) else {
        return;
    };
    let location = locate_point(shape, at, settings.touch_rule);
    let distance = project_point(shape, at).signed_distance.abs();
    let words = match location {
        PointLocation::Inside => format!("inside, {distance:.1} from the boundary"),
        PointLocation::Boundary => "on the boundary".to_owned(),
        PointLocation::Outside => format!("outside, {distance:.1} away"),
    };
    answer.say(PLAIN_COLOR, format!("{name}: {words}"));

    let is_outline = match collider.shape {
        Shape::Circle(_) | Shape::Compound(_) => false,
        Shape::Aabb(_) | Shape::ConvexPolygon(_) | Shape::Concave(_) => shape.rounding() == 0.0,
    };
    if !is_outline {
        answer.say(PLAIN_COLOR, "it has no single outline of corners to count".to_owned());
        return;
    }
    let rings = shape.outlines(64);
    let crossings: Vec<Vec2> = rings.iter().flat_map(|ring| ray_crossings(ring, at)).collect();
    draw_crossings(&mut gizmos, &view, at, &crossings);
    let count = crossings.len();
    let odd = if count % 2 == 1 { "odd: inside" } else { "even: outside" };
    say_result(&mut answer, &format!("crossing count {count}, {odd}"), count % 2 == 1, location);
    let is_left = is_left_of_all_edges(&rings[0], at);
    let side = if is_left { "inside" } else { "outside" };
    say_result(&mut answer, &format!("convex test: {side}"), is_left, location);
    answer.convex_inside = left_of_all_edges(&rings[0]);
    if answer.convex_inside.is_empty() {
        answer.say(PLAIN_COLOR, "the convex test finds no point of it inside".to_owned());
    }
}

/// A test beside the exact answer. On the boundary either is right.
fn say_result(answer: &mut Answer, words: &str, is_inside: bool, exact: PointLocation) {
    let is_right =
        exact == PointLocation::Boundary || is_inside == (exact == PointLocation::Inside);
    let (verdict, color) = if is_right { ("", RIGHT_COLOR) } else { ("  WRONG", WRONG_COLOR) };
    answer.say(color, format!("{words}{verdict}"));
}

/// The ray to the right of the mouse, with a dot where it crosses the outline.
fn draw_crossings(gizmos: &mut Gizmos<AnswerGizmos>, view: &View, at: Vec2, crossings: &[Vec2]) {
    let style = mark_style(view);
    let end = view.scene().map_or(at.x, |scene| scene.max.x).max(at.x);
    if let Ok(ray) = Ray::segment(at, Vec2::new(end, at.y)) {
        draw_ray(gizmos, &ray, None, &style);
    }
    for crossing in crossings {
        for radius in [2.0, 4.0, 6.0] {
            gizmos.circle_2d(*crossing, view.length(radius), style.answer_color).resolution(16);
        }
    }
}

/// Tints what the convex test takes for the inside.
fn shade_convex_test(mut contexts: EguiContexts, view: Res<View>, answer: Res<Answer>) -> Result {
    if answer.convex_inside.len() >= 3 {
        let painter = scene_painter(contexts.ctx_mut()?, &view);
        let corners = answer.convex_inside.iter().map(|corner| view.to_screen(*corner)).collect();
        let color = to_egui(RIGHT_COLOR);
        let (fill, stroke) = (color.gamma_multiply(0.25), egui::Stroke::new(1.0, color));
        painter.add(egui::Shape::convex_polygon(corners, fill, stroke));
    }
    Ok(())
}

/// A ray from the muzzle through the mouse.
fn ask_ray(
    mut gizmos: Gizmos<AnswerGizmos>,
    mut answer: ResMut<Answer>,
    view: Res<View>,
    pointer: Res<Pointer>,
    muzzle: Res<Muzzle>,
    query: CollisionQuery,
    names: Query<NameOrEntity>,
) {
    let (Some(from), Some(to)) = (muzzle.place(&view), pointer.position) else { return };
    let Ok(ray) = Ray::new(from, to - from) else { return };
    let hit = query.cast_ray(&ray, &CollisionFilter::new());
    draw_ray(&mut gizmos, &ray, hit.as_ref().map(|(_, hit)| hit), &mark_style(&view));
    let line = match hit.and_then(|(entity, hit)| Some((names.get(entity).ok()?, hit))) {
        Some((name, hit)) if hit.starts_inside => format!("the ray starts inside {name}"),
        Some((name, hit)) => format!(
            "the ray hits {name} after {:.1}, normal ({:.2}, {:.2})",
            hit.distance,
            hit.normal.x + 0.0,
            hit.normal.y + 0.0
        ),
        None => "the ray hits nothing".to_owned(),
    };
    answer.say(PLAIN_COLOR, line);
}

/// The shape that was held last, and who it is.
fn subject<'a>(stack: &Stack, query: &'a CollisionQuery) -> Option<(Entity, &'a PlacedShape)> {
    let entity = stack.top()?;
    Some((entity, query.get(entity)?))
}

/// The shape that was held last, moved to the mouse.
fn cast_shape(
    mut gizmos: Gizmos<AnswerGizmos>,
    mut answer: ResMut<Answer>,
    view: Res<View>,
    pointer: Res<Pointer>,
    stack: Res<Stack>,
    query: CollisionQuery,
    names: Query<NameOrEntity>,
) {
    let (Some(to), Some((entity, shape))) = (pointer.position, subject(&stack, &query)) else {
        return;
    };
    let Ok(own_name) = names.get(entity) else { return };
    if pointer.grabbed == Some(entity) {
        answer.say(PLAIN_COLOR, format!("let go of {own_name}: it is cast to the mouse"));
        return;
    }
    let way = to - shape.origin();
    let others = CollisionFilter::new().excluding(entity);
    let met = query.cast_shape(shape, way, &others);
    let impact = met.as_ref().map(|(_, impact)| impact);
    draw_shape_cast(&mut gizmos, shape, way, impact, &mark_style(&view));
    let line = match met.and_then(|(other, impact)| Some((names.get(other).ok()?, impact))) {
        Some((other, impact)) => {
            format!("{own_name} meets {other} after {:.3} of the way", impact.time)
        }
        None => format!("{own_name} gets to the mouse"),
    };
    answer.say(PLAIN_COLOR, line);
}

/// The nearest neighbour of the shape that was held last.
fn ask_nearest(
    mut gizmos: Gizmos<AnswerGizmos>,
    mut answer: ResMut<Answer>,
    view: Res<View>,
    stack: Res<Stack>,
    query: CollisionQuery,
    names: Query<NameOrEntity>,
) {
    let Some((entity, shape)) = subject(&stack, &query) else { return };
    let others = CollisionFilter::new().excluding(entity);
    let Some((other, apart)) = query.nearest_to_shape(shape, 1, &others).pop() else { return };
    draw_separation(&mut gizmos, &apart, &mark_style(&view));
    if let Ok([own_name, name]) = names.get_many([entity, other]) {
        let line = if apart.distance < 0.0 {
            format!("{own_name} is {:.2} deep in {name}", -apart.distance)
        } else {
            format!("{own_name} is {:.2} away from {name}", apart.distance)
        };
        answer.say(PLAIN_COLOR, line);
    }
}
