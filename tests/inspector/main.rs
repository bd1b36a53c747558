//! The contact panel, driven like a user drives it: with pointer, key and text events, over a real
//! `App`. What it shows is read from the texts egui was told to paint.
#![cfg(feature = "inspector")]

mod cost;
mod editing;
mod highlight;
mod history;
mod input;
mod kit;
mod overviews;
mod panel;
mod recording;
mod room;
mod stepping;
mod table;
mod why;
