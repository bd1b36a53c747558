//! The colours of the figures: those of the page of pictures and of the playground.

use bevy_egui::egui::Color32;

pub(crate) const COLOR_A: Color32 = Color32::from_rgb(115, 184, 255);
pub(crate) const COLOR_B: Color32 = Color32::from_rgb(255, 184, 82);
pub(crate) const COLOR_C: Color32 = Color32::from_rgb(184, 168, 255);
pub(crate) const TEXT: Color32 = Color32::from_rgb(235, 237, 245);
pub(crate) const DIM: Color32 = Color32::from_rgb(148, 156, 173);
/// The shortest way out, where it takes B.
pub(crate) const MTV: Color32 = Color32::from_rgb(255, 89, 242);
/// What two shadows, or two shapes, share.
pub(crate) const SHARED: Color32 = Color32::from_rgb(255, 97, 64);
/// Distances and whatever parts two shapes.
pub(crate) const ANSWER: Color32 = Color32::from_rgb(115, 242, 128);
/// Tests that give a wrong answer.
pub(crate) const WRONG: Color32 = Color32::from_rgb(255, 107, 92);
pub(crate) const CONTACT_POINT: Color32 = Color32::WHITE;
