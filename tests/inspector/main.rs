//! The contact panel, driven like a user drives it: with pointer, key and text events, over a real
//! `App`. What it shows is read from the texts egui was told to paint.
#![cfg(feature = "inspector")]

mod highlight;
mod input;
mod panel;
mod stepping;
mod table;
mod why;
