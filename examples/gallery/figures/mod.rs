//! The figures, each in a file of its own.

mod broad_phase;
mod circle_and_box;
mod concave_u;
mod point_tests;
mod push_out;
mod separating_axes;
mod touching;
mod tunnelling;
mod two_boxes;
mod two_circles;

use crate::figure::Figure;

/// A line of the menu.
pub(crate) struct Entry {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// What the menu calls it.
    pub(crate) title: &'static str,
    /// The figure at its start.
    pub(crate) make: fn() -> Box<dyn Figure>,
}

/// All figures, in the order of the menu.
pub(crate) const ALL: &[Entry] = &[
    entry::<two_boxes::TwoBoxes>("two_boxes", "Two boxes"),
    entry::<two_circles::TwoCircles>("two_circles", "Two circles"),
    entry::<circle_and_box::CircleAndBox>("circle_and_box", "Circle and box"),
    entry::<separating_axes::SeparatingAxes>("separating_axes", "Separating axes"),
    entry::<concave_u::ConcaveU>("concave_u", "Concave U"),
    entry::<point_tests::PointTests>("point_tests", "Point tests"),
    entry::<touching::Touching>("touching", "Touching"),
    entry::<broad_phase::BroadPhase>("broad_phase", "Broad phase"),
    entry::<tunnelling::Tunnelling>("tunnelling", "Tunnelling"),
    entry::<push_out::PushOut>("push_out", "Push-out"),
];

const fn entry<F: Figure + Default>(name: &'static str, title: &'static str) -> Entry {
    Entry { name, title, make: || Box::new(F::default()) }
}
