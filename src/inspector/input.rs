//! Whom the input of a frame belongs to: the panel or the game.
//!
//! egui knows what it wants only after it has drawn, at the end of a frame. A game reads its input
//! before that, so egui's own answer is a frame old: the first click on a panel falls through. So
//! ownership is decided here, in `PreUpdate`, from the events that egui is about to get and from
//! where egui's areas and the panel are. The panel's place is computed, not remembered, so it is
//! right in the panel's first frame too.

use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::system::SystemParam;
use bevy::platform::collections::HashSet;
use bevy::prelude::*;
use bevy_egui::input::{EguiInputEvent, WindowToEguiContextMap};
use bevy_egui::{EguiContext, EguiInput, EguiZoomFactor, PrimaryEguiContext, egui};

use super::CollisionInspector;
use super::pointer::{PointerTracker, SceneClick, Side};

/// Run condition: whether the mouse or touch pointer belongs to the game in this frame.
///
/// - It does not while the pointer is over the panel or another egui window, or while a popup of
///   egui is open.
/// - A press decides for the whole drag. Pressed on the panel, it stays the panel's when dragged
///   out, until all buttons are up, the frame of the release included. Pressed in the scene, it
///   stays the game's when dragged over the panel, so that the game sees its release.
/// - The wheel belongs to whoever has the pointer.
///
/// Right from [`InspectorSystems::Input`](super::InspectorSystems::Input) in `PreUpdate` to the
/// end of the frame. Always true without [`CollisionInspectorPlugin`](super::CollisionInspectorPlugin)
/// or without egui.
#[must_use]
pub fn pointer_is_free(owner: Option<Res<InputOwner>>) -> bool {
    owner.is_none_or(|owner| !owner.panel_has_pointer)
}

/// Run condition: whether the keyboard belongs to the game in this frame.
///
/// It does not
/// - while a text field or number of the panel, or of another egui window, is being edited, or a
///   popup of egui is open;
/// - in the frame of a press on the panel, which may begin an edit;
/// - as long as a key that was pressed while typing is held, the frame of its release included;
/// - while a button or another widget has egui's focus, in frames in which a key is down that
///   works it: Tab, Enter, Space, Escape, an arrow, Page Up or Down, Home or End. Other keys are
///   still the game's.
///
/// Right from [`InspectorSystems::Input`](super::InspectorSystems::Input) in `PreUpdate` to the
/// end of the frame. Always true without [`CollisionInspectorPlugin`](super::CollisionInspectorPlugin)
/// or without egui.
#[must_use]
pub fn keyboard_is_free(owner: Option<Res<InputOwner>>) -> bool {
    owner.is_none_or(|owner| !owner.panel_has_keyboard)
}

/// Whom this frame's input belongs to. Read it through [`pointer_is_free`] and
/// [`keyboard_is_free`].
#[derive(Resource, Debug, Default)]
pub struct InputOwner {
    panel_has_pointer: bool,
    panel_has_keyboard: bool,
    pointer: PointerTracker,
    /// The last known place of the pointer in each egui context, in points.
    positions: EntityHashMap<egui::Pos2>,
    /// Keys that were pressed while the panel had the keyboard and are not yet up.
    typed_keys: HashSet<KeyCode>,
}

impl InputOwner {
    /// Where the game's part of the window has been clicked in this frame.
    pub(super) fn scene_click(&self) -> Option<SceneClick> {
        self.pointer.click()
    }
}

/// Finds out whom this frame's input belongs to.
pub(super) fn find_input_owner(
    mut owner: ResMut<InputOwner>,
    mut inspector: ResMut<CollisionInspector>,
    events: Option<MessageReader<EguiInputEvent>>,
    mut contexts: Contexts,
    keyboard: Option<Res<ButtonInput<KeyCode>>>,
) {
    let Some(mut events) = events else { return };
    let owner = &mut *owner;
    // Noted anew by each draw, so that a body that is no longer drawn takes nothing.
    let body = inspector.bypass_change_detection().body.take();
    let places = Places { body, inspector: &inspector };

    owner.pointer.begin_frame();
    for EguiInputEvent { context, event } in events.read() {
        match *event {
            egui::Event::PointerMoved(position) => {
                owner.positions.insert(*context, position);
            }
            egui::Event::PointerGone => {
                owner.positions.remove(context);
            }
            egui::Event::PointerButton { pos: position, button, pressed, .. } => {
                let at = SceneClick { context: *context, position };
                owner.positions.insert(*context, position);
                if pressed {
                    let is_over_panel = contexts.is_over_egui(*context, position, &places);
                    let side = if is_over_panel { Side::Panel } else { Side::Game };
                    owner.pointer.press(button, at, side);
                } else {
                    owner.pointer.release(button, at);
                }
            }
            _ => {}
        }
    }
    let is_over_panel = contexts.any_pointer_over_egui(&owner.positions, &places);
    owner.panel_has_pointer = owner.pointer.owner(is_over_panel) == Side::Panel;

    let is_typing = contexts.any_is_typing();
    let mut has_key = false;
    if let Some(keyboard) = keyboard {
        if is_typing {
            owner.typed_keys.extend(keyboard.get_just_pressed());
        }
        // A short tap comes and goes within one frame.
        let works_widget = contexts.any_has_focus()
            && (keyboard.any_pressed(WIDGET_KEYS) || keyboard.any_just_pressed(WIDGET_KEYS));
        has_key = works_widget || !owner.typed_keys.is_empty();
        owner.typed_keys.retain(|key| keyboard.pressed(*key));
    }
    owner.panel_has_keyboard = is_typing || has_key || owner.pointer.is_panel_pressed();
}

/// The keys by which egui moves the focus and works a focused widget that takes no text.
const WIDGET_KEYS: [KeyCode; 13] = [
    KeyCode::Tab,
    KeyCode::Enter,
    KeyCode::NumpadEnter,
    KeyCode::Space,
    KeyCode::Escape,
    KeyCode::ArrowUp,
    KeyCode::ArrowDown,
    KeyCode::ArrowLeft,
    KeyCode::ArrowRight,
    KeyCode::PageUp,
    KeyCode::PageDown,
    KeyCode::Home,
    KeyCode::End,
];

/// What the panel takes of the screen, in points.
struct Places<'a> {
    /// The panel body, wherever it was drawn in the last frame.
    body: Option<egui::Rect>,
    /// Knows where the side panel stands.
    inspector: &'a CollisionInspector,
}

/// The egui contexts of the app, with what is needed to ask about a place in them.
#[derive(SystemParam)]
pub(super) struct Contexts<'w, 's> {
    contexts: Query<
        'w,
        's,
        (
            Entity,
            &'static mut EguiContext,
            &'static EguiInput,
            &'static EguiZoomFactor,
            Has<PrimaryEguiContext>,
        ),
    >,
    map: Option<Res<'w, WindowToEguiContextMap>>,
    windows: Query<'w, 's, &'static Window>,
}

impl Contexts<'_, '_> {
    /// Whether a place of a context is covered by egui.
    fn is_over_egui(&mut self, entity: Entity, position: egui::Pos2, places: &Places) -> bool {
        let Ok((_, mut context, input, zoom, is_primary)) = self.contexts.get_mut(entity) else {
            return false;
        };
        let screen = input.screen_rect.or_else(|| {
            // Before the camera knows its size.
            let window = window_of(entity, self.map.as_deref(), &self.windows)?;
            let size = egui::vec2(window.width(), window.height()) / zoom.zoom_factor;
            Some(egui::Rect::from_min_size(egui::Pos2::ZERO, size))
        });
        let screen = screen.filter(|_| is_primary);
        let side_panel = screen.and_then(|screen| places.inspector.side_panel_rect(screen));
        let context = context.get_mut();
        [side_panel, places.body].into_iter().flatten().any(|rect| rect.contains(position))
            || context.layer_id_at(position).is_some_and(|layer| layer.order != BACKGROUND)
            || context.any_popup_open()
    }

    /// Whether the pointer rests on egui in any context.
    fn any_pointer_over_egui(
        &mut self,
        positions: &EntityHashMap<egui::Pos2>,
        places: &Places,
    ) -> bool {
        let entities: Vec<Entity> = self.contexts.iter().map(|context| context.0).collect();
        entities.into_iter().any(|entity| {
            let position = positions.get(&entity).copied().or_else(|| {
                // No event yet: the window may know.
                let cursor =
                    window_of(entity, self.map.as_deref(), &self.windows)?.cursor_position()?;
                let zoom = self.contexts.get(entity).ok()?.3.zoom_factor;
                Some(egui::pos2(cursor.x, cursor.y) / zoom)
            });
            position.is_some_and(|position| self.is_over_egui(entity, position, places))
        })
    }

    /// Whether text is being edited or a popup is open in any context.
    fn any_is_typing(&mut self) -> bool {
        self.contexts.iter_mut().any(|(_, mut context, ..)| {
            let context = context.get_mut();
            context.text_edit_focused() || context.any_popup_open()
        })
    }

    /// Whether any widget of any context has the focus.
    fn any_has_focus(&mut self) -> bool {
        let mut contexts = self.contexts.iter_mut();
        contexts.any(|(_, mut context, ..)| context.get_mut().egui_wants_keyboard_input())
    }
}

/// The layer of the whole screen. Everything else egui draws lies above it.
const BACKGROUND: egui::Order = egui::Order::Background;

fn window_of<'a>(
    context: Entity,
    map: Option<&WindowToEguiContextMap>,
    windows: &'a Query<&Window>,
) -> Option<&'a Window> {
    windows.get(*map?.context_to_window.get(&context)?).ok()
}
