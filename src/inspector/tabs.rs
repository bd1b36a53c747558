//! The pages of the panel.

use bevy_egui::egui;

/// A page of the panel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tab {
    /// Every contact in a table, with the selected one in full.
    #[default]
    List,
    /// Why the selected pair is in contact or not.
    Why,
    /// The steps of the past.
    History,
    /// All colliders, and the selected one to edit.
    Entities,
    /// Counts and times over the last seconds, and how full the grid is.
    Plots,
    /// Who may meet whom.
    Layers,
}

impl Tab {
    /// All pages, in the order of their buttons.
    pub const ALL: [Self; 6] =
        [Self::List, Self::Why, Self::History, Self::Entities, Self::Plots, Self::Layers];

    /// What stands on the button of the page.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::List => "List",
            Self::Why => "Why",
            Self::History => "History",
            Self::Entities => "Entities",
            Self::Plots => "Plots",
            Self::Layers => "Layers",
        }
    }

    fn explanation(self) -> &'static str {
        match self {
            Self::List => "Every contact, and the selected one in full",
            Self::Why => "Why the selected pair is in contact or not",
            Self::History => "The last steps: pause, look back, step by step",
            Self::Entities => "All colliders: select one or two, edit one",
            Self::Plots => "Counts and times over the last seconds, and the grid",
            Self::Layers => "Who may meet whom",
        }
    }
}

/// Draws a button for each page.
pub(super) fn show_tabs(ui: &mut egui::Ui, open: &mut Tab) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for tab in Tab::ALL {
            let button = ui.selectable_label(*open == tab, tab.title());
            if button.on_hover_text(tab.explanation()).clicked() {
                *open = tab;
            }
        }
    });
    ui.separator();
}
