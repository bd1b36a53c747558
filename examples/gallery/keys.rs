//! The keys of the gallery itself.

use bevy::prelude::*;
use bevy_nudge::inspector::keyboard_is_free;

use crate::figures::ALL;
use crate::menu::Menu;
use crate::open_figure::OpenFigure;
use crate::shared::selecting::SelectingSystems;

pub(crate) struct KeysPlugin;

impl Plugin for KeysPlugin {
    fn build(&self, app: &mut App) {
        let systems = (ask_for_figure, work_figure, fold_menu);
        app.add_systems(Update, systems.before(SelectingSystems).run_if(keyboard_is_free));
    }
}

fn ask_for_figure(keys: Res<ButtonInput<KeyCode>>, mut open: ResMut<OpenFigure>) {
    let index = open.index;
    let asked = [
        (KeyCode::KeyR, index),
        (KeyCode::PageDown, (index + 1) % ALL.len()),
        (KeyCode::PageUp, (index + ALL.len() - 1) % ALL.len()),
    ];
    if let Some((_, figure)) = asked.into_iter().find(|(key, _)| keys.just_pressed(*key)) {
        open.request = Some(figure);
    }
}

fn fold_menu(keys: Res<ButtonInput<KeyCode>>, mut menu: ResMut<Menu>) {
    menu.is_unfolded ^= keys.just_pressed(KeyCode::KeyM);
}

const DIGITS: [KeyCode; 9] = [
    KeyCode::Digit1,
    KeyCode::Digit2,
    KeyCode::Digit3,
    KeyCode::Digit4,
    KeyCode::Digit5,
    KeyCode::Digit6,
    KeyCode::Digit7,
    KeyCode::Digit8,
    KeyCode::Digit9,
];

fn work_figure(keys: Res<ButtonInput<KeyCode>>, mut open: ResMut<OpenFigure>) {
    for ((_, switch), key) in open.figure.switches().into_iter().zip(DIGITS) {
        *switch ^= keys.just_pressed(key);
    }
    keys.get_just_pressed().for_each(|&key| open.figure.press(key));
}
