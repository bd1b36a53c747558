//! What the examples with a window share.

pub(crate) mod bar;
pub(crate) mod canvas;
pub(crate) mod display;
pub(crate) mod dragging;
pub(crate) mod finish;
pub(crate) mod options;
pub(crate) mod paint;
pub(crate) mod runner;
pub(crate) mod scenes;
pub(crate) mod selecting;
pub(crate) mod view;
