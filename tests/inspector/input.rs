//! Whose a click is: the panel's or the game's. Driven with window events in a headless app with
//! `bevy_egui`, and asked in every schedule in which a game reads its input.

use bevy::camera::RenderTargetInfo;
use bevy::ecs::schedule::SystemSet;
use bevy::image::ImagePlugin;
use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::input::mouse::{MouseButtonInput, MouseScrollUnit, MouseWheel};
use bevy::input::{ButtonState, InputPlugin};
use bevy::prelude::*;
use bevy::shader::Shader;
use bevy::time::TimeUpdateStrategy;
use bevy::window::{CursorMoved, PrimaryWindow, WindowEvent, WindowPlugin};
use bevy_egui::{EguiPlugin, EguiPrimaryContextPass, PrimaryEguiContext};
use bevy_nudge::inspector::{
    CollisionInspector, CollisionInspectorPlugin, InspectorSystems, Selection, egui,
    keyboard_is_free, pointer_is_free,
};
use bevy_nudge::prelude::*;

const SIZE: UVec2 = UVec2::new(1280, 800);
const PANEL: Vec2 = Vec2::new(1100.0, 600.0);
const SCENE: Vec2 = Vec2::new(300.0, 300.0);

/// In which of the schedules the game got the pointer and the keys, in the last frame.
#[derive(Resource, Default, Debug, PartialEq)]
struct Got {
    pointer: Vec<&'static str>,
    keyboard: Vec<&'static str>,
}

const EVERYWHERE: [&str; 3] = ["PreUpdate", "FixedUpdate", "Update"];

fn game(app: &mut App) {
    #[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
    struct Ask;
    let ask = |schedule: &'static str| {
        (
            (move |mut got: ResMut<Got>| got.pointer.push(schedule)).run_if(pointer_is_free),
            (move |mut got: ResMut<Got>| got.keyboard.push(schedule)).run_if(keyboard_is_free),
        )
            .in_set(Ask)
    };
    app.init_resource::<Got>()
        .add_systems(First, |mut got: ResMut<Got>| *got = Got::default())
        .configure_sets(PreUpdate, Ask.after(InspectorSystems::Input))
        .add_systems(PreUpdate, ask("PreUpdate"))
        .add_systems(FixedUpdate, ask("FixedUpdate"))
        .add_systems(Update, ask("Update"));
}

struct Desk {
    app: App,
    window: Entity,
}

impl Desk {
    fn new() -> Self {
        let mut app = App::new();
        app.add_plugins((
            MinimalPlugins,
            AssetPlugin::default(),
            InputPlugin,
            TransformPlugin,
            ImagePlugin::default(),
        ));
        let window = Window { resolution: SIZE.into(), ..default() };
        app.add_plugins(WindowPlugin { primary_window: Some(window), ..default() })
            .init_asset::<Shader>()
            .add_plugins(EguiPlugin::default())
            .add_plugins((CollisionPlugin::default(), CollisionInspectorPlugin))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
            .add_plugins(game);
        app.finish();
        app.cleanup();
        let mut camera = Camera::default();
        camera.computed.target_info =
            Some(RenderTargetInfo { physical_size: SIZE, scale_factor: 1.0 });
        // As the renderer would: one world unit is a pixel, y up, the origin in the middle.
        camera.computed.clip_from_view =
            Mat4::orthographic_rh(-640.0, 640.0, -400.0, 400.0, 1000.0, -1000.0);
        app.world_mut().spawn((Camera2d, camera));
        let window = app
            .world_mut()
            .query_filtered::<Entity, With<PrimaryWindow>>()
            .single(app.world())
            .expect("one window");
        // Time begins to run in the second frame; no panel has been drawn after the first.
        Self { app, window }
    }

    /// A desk whose panel has been drawn a few times.
    fn settled() -> Self {
        let mut desk = Self::new();
        for _ in 0..3 {
            desk.frame();
        }
        desk
    }

    fn frame(&mut self) -> Got {
        self.app.update();
        std::mem::take(&mut *self.app.world_mut().resource_mut::<Got>())
    }

    fn pointer_is_free(&mut self) -> bool {
        let got = self.frame().pointer;
        assert!(got.is_empty() || got == EVERYWHERE, "schedules disagree: {got:?}");
        !got.is_empty()
    }

    fn keyboard_is_free(&mut self) -> bool {
        let got = self.frame().keyboard;
        assert!(got.is_empty() || got == EVERYWHERE, "schedules disagree: {got:?}");
        !got.is_empty()
    }

    fn point_at(&mut self, position: Vec2) {
        let moved = CursorMoved { window: self.window, position, delta: None };
        self.app.world_mut().write_message(moved.clone());
        self.app.world_mut().write_message(WindowEvent::CursorMoved(moved));
    }

    fn button(&mut self, state: ButtonState) {
        let input = MouseButtonInput { button: MouseButton::Left, state, window: self.window };
        self.app.world_mut().write_message(input);
        self.app.world_mut().write_message(WindowEvent::MouseButtonInput(input));
    }

    fn press(&mut self) {
        self.button(ButtonState::Pressed);
    }

    fn release(&mut self) {
        self.button(ButtonState::Released);
    }

    fn key(&mut self, key_code: KeyCode, text: &str, state: ButtonState) {
        self.app.world_mut().write_message(KeyboardInput {
            key_code,
            logical_key: Key::Character(text.into()),
            state,
            text: Some(text.into()),
            repeat: false,
            window: self.window,
        });
    }

    fn inspector(&mut self) -> Mut<'_, CollisionInspector> {
        self.app.world_mut().resource_mut()
    }
}

#[test]
fn clicks_and_the_wheel_belong_to_what_is_under_the_pointer() {
    let mut desk = Desk::settled();
    for (place, is_free) in [(SCENE, true), (PANEL, false), (SCENE, true)] {
        desk.point_at(place);
        desk.press();
        assert_eq!(desk.pointer_is_free(), is_free, "press at {place}");
        desk.release();
        assert_eq!(desk.pointer_is_free(), is_free, "release at {place}");
        let wheel = MouseWheel {
            unit: MouseScrollUnit::Line,
            x: 0.0,
            y: 1.0,
            window: desk.window,
            phase: bevy::input::touch::TouchPhase::Moved,
        };
        desk.app.world_mut().write_message(wheel);
        assert_eq!(desk.pointer_is_free(), is_free, "wheel at {place}");
    }
}

#[test]
fn the_whole_click_in_one_frame_belongs_to_one_side() {
    for (place, is_free) in [(SCENE, true), (PANEL, false)] {
        let mut desk = Desk::settled();
        desk.point_at(place);
        desk.press();
        desk.release();
        assert_eq!(desk.pointer_is_free(), is_free, "{place}");
    }
}

#[test]
fn a_press_on_the_panel_dragged_out_stays_the_panels() {
    let mut desk = Desk::settled();
    desk.point_at(PANEL);
    desk.press();
    assert!(!desk.pointer_is_free());
    desk.point_at(SCENE);
    assert!(!desk.pointer_is_free(), "dragged out");
    assert!(!desk.pointer_is_free(), "held still");
    desk.release();
    assert!(!desk.pointer_is_free(), "the release");
    assert!(desk.pointer_is_free(), "afterwards");
}

#[test]
fn a_drag_from_the_scene_goes_on_over_the_panel() {
    let mut desk = Desk::settled();
    desk.point_at(SCENE);
    desk.press();
    assert!(desk.pointer_is_free());
    desk.point_at(PANEL);
    assert!(desk.pointer_is_free(), "the game keeps its drag");
    desk.release();
    assert!(desk.pointer_is_free(), "and sees its end");
    assert!(!desk.pointer_is_free(), "then the pointer is over the panel");
    assert_eq!(desk.inspector().selection, Selection::None);
}

#[test]
fn the_first_frame_of_the_panel_takes_its_clicks() {
    // The very first frame of the app, in which no fixed step runs.
    let mut desk = Desk::new();
    desk.point_at(PANEL);
    desk.press();
    assert_eq!(desk.frame().pointer, [""; 0]);

    // A panel that is opened by its key in the frame of the click.
    let mut desk = Desk::settled();
    desk.inspector().open = false;
    desk.frame();
    desk.point_at(PANEL);
    assert!(desk.pointer_is_free(), "no panel, no claim");
    desk.key(KeyCode::F1, "", ButtonState::Pressed);
    desk.press();
    assert!(!desk.pointer_is_free());
    assert!(desk.inspector().open);
}

#[test]
fn a_window_of_the_game_is_egui_too() {
    let mut desk = Desk::new();
    desk.app.add_systems(
        EguiPrimaryContextPass,
        |mut contexts: bevy_egui::EguiContexts| -> Result {
            egui::Window::new("game")
                .fixed_rect(egui::Rect::from_min_size(
                    egui::pos2(200.0, 200.0),
                    egui::vec2(200.0, 200.0),
                ))
                .show(contexts.ctx_mut()?, |ui| ui.label("hello"));
            Ok(())
        },
    );
    for _ in 0..3 {
        desk.frame();
    }
    desk.point_at(Vec2::new(220.0, 215.0));
    desk.press();
    assert!(!desk.pointer_is_free());
}

#[test]
fn keys_typed_into_a_field_stay_there_until_they_are_up() {
    let mut desk = Desk::settled();
    desk.key(KeyCode::KeyW, "w", ButtonState::Pressed);
    assert!(desk.keyboard_is_free());
    desk.key(KeyCode::KeyW, "w", ButtonState::Released);
    assert!(desk.keyboard_is_free());

    // A text field of the game's own, which has the focus from the next frame on.
    desk.app.add_systems(
        EguiPrimaryContextPass,
        |mut contexts: bevy_egui::EguiContexts, mut typed: Local<String>| -> Result {
            egui::Window::new("field").show(contexts.ctx_mut()?, |ui| {
                let field = ui.text_edit_singleline(&mut *typed);
                if typed.len() < 2 {
                    field.request_focus();
                } else {
                    field.surrender_focus();
                }
            });
            Ok(())
        },
    );
    for _ in 0..3 {
        desk.frame();
    }
    desk.key(KeyCode::KeyA, "a", ButtonState::Pressed);
    assert!(!desk.keyboard_is_free());
    desk.key(KeyCode::KeyA, "a", ButtonState::Released);
    desk.key(KeyCode::KeyW, "w", ButtonState::Pressed);
    assert!(!desk.keyboard_is_free());
    // The field has given its focus up, but W is still down from typing.
    assert!(!desk.keyboard_is_free(), "held");
    desk.key(KeyCode::KeyW, "w", ButtonState::Released);
    assert!(!desk.keyboard_is_free(), "its release");
    assert!(desk.keyboard_is_free(), "afterwards");
    desk.key(KeyCode::KeyW, "w", ButtonState::Pressed);
    assert!(desk.keyboard_is_free(), "pressed anew");
}

#[test]
fn tab_in_the_game_does_not_give_the_panel_the_keyboard() {
    let mut desk = Desk::settled();
    desk.app.world_mut().write_message(KeyboardInput {
        key_code: KeyCode::Tab,
        logical_key: Key::Tab,
        state: ButtonState::Pressed,
        text: None,
        repeat: false,
        window: desk.window,
    });
    assert!(desk.keyboard_is_free());
    assert!(desk.keyboard_is_free());
}

#[test]
fn a_focused_button_takes_only_the_keys_that_work_it() {
    let mut desk = Desk::settled();
    desk.app.add_systems(
        EguiPrimaryContextPass,
        |mut contexts: bevy_egui::EguiContexts| -> Result {
            egui::Window::new("button").show(contexts.ctx_mut()?, |ui| {
                ui.button("press").request_focus();
            });
            Ok(())
        },
    );
    for _ in 0..3 {
        desk.frame();
    }
    for (key, is_free) in [(KeyCode::KeyW, true), (KeyCode::Space, false), (KeyCode::KeyA, true)] {
        desk.key(key, "", ButtonState::Pressed);
        assert_eq!(desk.keyboard_is_free(), is_free, "{key:?}");
        desk.key(key, "", ButtonState::Released);
        desk.frame();
    }
}

#[test]
fn f2_gives_the_panel_the_keyboard_and_takes_it_back() {
    let mut desk = Desk::settled();
    let tap = |desk: &mut Desk, key_code, logical_key: Key| {
        for state in [ButtonState::Pressed, ButtonState::Released] {
            desk.app.world_mut().write_message(KeyboardInput {
                key_code,
                logical_key: logical_key.clone(),
                state,
                text: None,
                repeat: false,
                window: desk.window,
            });
            desk.frame();
        }
    };
    let is_paused = |desk: &Desk| desk.app.world().resource::<CollisionSettings>().stepping.paused;
    tap(&mut desk, KeyCode::Space, Key::Space);
    assert!(!is_paused(&desk), "the game's");
    tap(&mut desk, KeyCode::F2, Key::F2);
    tap(&mut desk, KeyCode::Space, Key::Space);
    assert!(is_paused(&desk), "the first button of the panel");
    tap(&mut desk, KeyCode::Space, Key::Space);
    assert!(!is_paused(&desk));
    tap(&mut desk, KeyCode::F2, Key::F2);
    tap(&mut desk, KeyCode::Space, Key::Space);
    assert!(!is_paused(&desk), "the game's again");
    let steps =
        |desk: &Desk| desk.app.world().resource::<CollisionSettings>().stepping.single_steps;
    tap(&mut desk, KeyCode::F2, Key::F2);
    tap(&mut desk, KeyCode::Tab, Key::Tab);
    tap(&mut desk, KeyCode::F2, Key::F2);
    tap(&mut desk, KeyCode::F2, Key::F2);
    tap(&mut desk, KeyCode::Space, Key::Space);
    assert_eq!(steps(&desk), 1, "the button Step, which had it last");
}

#[test]
fn a_click_with_shift_selects_a_second_collider() {
    let mut desk = Desk::settled();
    let place = |x| Transform::from_xyz(x, 100.0, 0.0);
    let one = desk.app.world_mut().spawn((Collider::circle(20.0), place(-340.0))).id();
    let other = desk.app.world_mut().spawn((Collider::circle(20.0), place(-240.0))).id();
    for _ in 0..3 {
        desk.frame();
    }
    let click = |desk: &mut Desk, x: f32| {
        desk.point_at(Vec2::new(x, 300.0));
        desk.press();
        desk.frame();
        desk.release();
        desk.frame();
    };
    click(&mut desk, 300.0);
    assert_eq!(desk.inspector().selection, Selection::Collider(one));
    desk.key(KeyCode::ShiftLeft, "", ButtonState::Pressed);
    click(&mut desk, 400.0);
    let pair = Selection::Pair(one.min(other), one.max(other));
    assert_eq!(desk.inspector().selection, pair);
    click(&mut desk, 600.0);
    assert_eq!(desk.inspector().selection, pair, "beside all of them it changes nothing");
    desk.key(KeyCode::ShiftLeft, "", ButtonState::Released);
    click(&mut desk, 400.0);
    assert_eq!(desk.inspector().selection, Selection::Collider(other));
}

#[test]
fn input_is_left_as_it_is_for_others() {
    let mut desk = Desk::settled();
    desk.point_at(PANEL);
    desk.press();
    desk.frame();
    assert!(
        desk.app.world().resource::<ButtonInput<MouseButton>>().just_pressed(MouseButton::Left)
    );
}

#[test]
fn a_click_on_a_collider_selects_it_and_a_click_beside_deselects() {
    let mut desk = Desk::settled();
    // Window (300, 300) is 340 left of the middle and 100 above it.
    let place = |z| Transform::from_xyz(-340.0, 100.0, z);
    let world = desk.app.world_mut();
    world.spawn((Name::new("below"), Collider::circle(20.0), place(0.0)));
    let front = world.spawn((Name::new("front"), Collider::circle(20.0), place(5.0))).id();
    world.spawn((Name::new("behind"), Collider::circle(20.0), place(-5.0)));
    desk.frame();
    desk.frame();
    let mut click = |position| {
        desk.point_at(position);
        desk.press();
        desk.frame();
        desk.release();
        desk.frame();
        desk.inspector().selection
    };
    assert_eq!(click(PANEL), Selection::None);
    assert_eq!(click(SCENE), Selection::Collider(front));
    assert_eq!(click(SCENE + Vec2::new(100.0, 0.0)), Selection::None);
}

#[test]
fn without_egui_the_game_has_all_input() {
    for with_plugin in [false, true] {
        let mut app = App::new();
        app.add_plugins(MinimalPlugins).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        if with_plugin {
            app.add_plugins((
                TransformPlugin,
                CollisionPlugin::default(),
                CollisionInspectorPlugin,
            ));
        }
        app.add_plugins(game);
        app.finish();
        app.cleanup();
        app.update();
        app.update();
        let got = app.world().resource::<Got>();
        assert_eq!((&got.pointer[..], &got.keyboard[..]), (&EVERYWHERE[..], &EVERYWHERE[..]));
    }
}

#[test]
fn the_panel_is_drawn_into_the_primary_context() {
    let mut desk = Desk::settled();
    let world = desk.app.world_mut();
    let mut contexts =
        world.query_filtered::<&mut bevy_egui::EguiContext, With<PrimaryEguiContext>>();
    let mut context = contexts.single_mut(world).expect("one context");
    let layer = context.get_mut().layer_id_at(egui::pos2(PANEL.x, PANEL.y));
    assert!(layer.is_some_and(|layer| layer.order == egui::Order::Middle), "{layer:?}");
}
