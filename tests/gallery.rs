//! The figures of the example `gallery`: their tests stand beside them.
#![allow(dead_code, reason = "the tests draw nothing and open no window")]

#[path = "../examples/gallery/command_line.rs"]
mod command_line;
#[path = "../examples/gallery/figure.rs"]
mod figure;
#[path = "../examples/gallery/figures/mod.rs"]
mod figures;
#[path = "../examples/gallery/keys.rs"]
mod keys;
#[path = "../examples/gallery/layout.rs"]
mod layout;
#[path = "../examples/gallery/marks.rs"]
mod marks;
#[path = "../examples/gallery/menu.rs"]
mod menu;
#[path = "../examples/gallery/open_figure.rs"]
mod open_figure;
#[path = "../examples/gallery/palette.rs"]
mod palette;
#[path = "../examples/shared/mod.rs"]
mod shared;
#[path = "../examples/gallery/wording.rs"]
mod wording;
