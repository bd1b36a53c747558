//! The contact panel: every contact in a table, live counts, times and settings, drawn with egui.
//!
//! One line in a game: add [`CollisionInspectorPlugin`] after `DefaultPlugins`. F1 hides and shows
//! the panel. It shows
//!
//! - every contact with both entities by name, shapes, status, depth, normal, MTV, point, age and,
//!   of fast movers, time of impact; a click on a column head sorts, a text filters by name;
//! - the selected pair or collider, also lit up in the scene. A row selects its pair, a click on a
//!   collider in the scene selects it and leaves only its contacts in the table. Of a pair that is
//!   apart it shows the nearest points, of a collider the nearest other one that it may meet;
//! - why the selected pair is in contact or not: the stage of the step that let it go, or every axis
//!   of the test with the shadows of both shapes to scale, also drawn in the scene. Click one
//!   collider and Shift+click another to select any two;
//! - the last steps, in bounded memory: a timeline of starts and ends, and the way back to each of
//!   them while the game stands still. They can be saved and played elsewhere, see [`Recording`];
//! - contacts, candidates and step time over the last seconds, how full the grid is, and who may
//!   meet whom by the names of [`LayerNames`];
//! - shape, layers and flags of the selected collider, to edit. The panel itself only reads: what
//!   the user changes goes through one system in `Last` and counts from the next step;
//! - how many colliders and contacts there are, what the step did to find these (colliders read and
//!   sorted, bounds compared, candidates), and the time of each stage;
//! - the settings of the step, live;
//! - pause, single step and resume. Pausing also holds `Time<Virtual>`, so that a game that moves
//!   by Bevy's clock stands still, and a single step lets it move for one fixed timestep.
//!
//! The panel can stand in a window of the game's own, see [`contact_panel`].
//!
//! # Input
//! What is done on the panel should not also happen in the game. Give the systems that read the
//! mouse or the keyboard a condition:
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_nudge::inspector::{keyboard_is_free, pointer_is_free};
//!
//! fn shoot() {}
//! fn walk() {}
//!
//! App::new().add_systems(
//!     Update,
//!     (shoot.run_if(pointer_is_free), walk.run_if(keyboard_is_free)),
//! );
//! ```
//!
//! The input itself is left alone: nothing is cleared or marked as handled for others. The rules
//! are at [`pointer_is_free`] and [`keyboard_is_free`].
//!
//! # Cost
//! Hidden: nothing that can be measured. Shown: a copy of each step, which follows the number of
//! contacts and of the colliders that moved, and the drawing of the page. The list looks at the pairs of
//! all contacts and lays out only the rows in view. With 10,000 contacts and as many colliders, all of
//! them moving, the copy takes 0.5 to 0.9 ms and 1.1 MiB a step, the list 0.7 to 1.0 ms and the other
//! pages 0.3 to 0.9 ms a frame (release build, one core of a virtual AMD EPYC; the ignored test
//! `tests/inspector/cost.rs` prints these numbers).
//!
//! # Schedules
//! | when | what |
//! |---|---|
//! | `First`, after the clocks | a single step moves `Time<Virtual>` on |
//! | that of the step, after its stages | each step is copied, while the panel is shown |
//! | `PreUpdate`, set [`InspectorSystems::Input`] | the toggle key, the run conditions, clicks in the scene |
//! | `PostUpdate`, after `CollisionSystems::Publish` | the selection is looked up and lit up |
//! | `EguiPrimaryContextPass` | the panel |
//! | `Last` | `Time<Virtual>` is held or let go, edits are carried out |

mod axis_gizmos;
mod axis_view;
mod axis_words;
mod capture;
mod cell;
mod clock;
mod columns;
mod counts;
mod detail;
mod edit_form;
mod edits;
mod entity_list;
mod focus;
mod history;
mod input;
mod layer_matrix;
mod layer_names;
mod layout_file;
mod list_keys;
mod number_field;
mod panel;
mod player;
mod plots;
mod pointer;
mod recorded_colliders;
mod recorder;
mod recording;
mod recording_lines;
mod report;
mod rows;
mod samples;
mod save_form;
mod scene;
mod seen_table;
mod settings_form;
mod shape_draft;
mod side_panel;
mod stage_means;
mod step_record;
mod table;
mod tabs;
mod timeline;
mod verdict;

use std::path::PathBuf;

use bevy::asset::AssetEventSystems;
use bevy::ecs::message::MessageCursor;
use bevy::input::InputSystems;
use bevy::prelude::*;
use bevy::render::RenderApp;
use bevy::time::TimeSystems;
use bevy_egui::{EguiPlugin, EguiPostUpdateSet, EguiPreUpdateSet, EguiPrimaryContextPass};

use crate::geometry::ExplainedAxis;
use crate::{CollisionEvent, CollisionSettings, CollisionSystems, Contacts};

pub use bevy_egui::egui;
pub use columns::{Column, SortOrder};
pub use edits::Edit;
pub use history::History;
pub use input::{InputOwner, keyboard_is_free, pointer_is_free};
pub use layer_names::LayerNames;
pub use panel::{ContactPanelData, contact_panel};
pub use recorded_colliders::{ColliderFlags, ColliderTraits, RecordedCollider, RecordedColliders};
pub use recording::{Recording, RecordingError};
pub use report::report;
pub use scene::InspectorGizmos;
pub use step_record::{RecordedContact, RecordedEvent, StepRecord};
pub use tabs::Tab;
pub use verdict::{PairOfPieces, Side, Test, Verdict, judge};

use axis_view::Why;
use capture::{Copying, Drawing};
use clock::ClockHold;
use edit_form::EditForm;
use entity_list::EntityList;
use player::Player;
use rows::Rows;
use samples::{GridView, Samples};
use save_form::SaveForm;
use scene::Watched;
use stage_means::StageMeans;

/// Adds the contact panel, at the right edge of the window with the primary egui context.
///
/// Add it after `DefaultPlugins`, and after `EguiPlugin` if the game adds that itself; otherwise
/// this plugin adds it. Without a renderer there is no egui: the panel then stays away, with one
/// line in the log, and everything else in the game works as before.
#[derive(Clone, Copy, Debug, Default)]
pub struct CollisionInspectorPlugin;

impl Plugin for CollisionInspectorPlugin {
    fn build(&self, app: &mut App) {
        // egui's plugin needs the renderer's assets.
        if !app.is_plugin_added::<EguiPlugin>() && app.get_sub_app(RenderApp).is_some() {
            app.add_plugins(EguiPlugin::default());
        }
        app.init_resource::<CollisionInspector>().init_resource::<InputOwner>();
        let steps = resource_exists::<Contacts>;
        app.add_systems(First, capture::note_drawing)
            .add_systems(First, clock::advance_single_step.after(TimeSystems).run_if(steps))
            .add_systems(Startup, layout_file::restore_layout)
            .add_systems(
                Last,
                (
                    clock::hold_or_release.run_if(steps),
                    edits::apply_edits,
                    layout_file::keep_layout,
                )
                    .chain(),
            )
            .configure_sets(
                PreUpdate,
                InspectorSystems::Input
                    .after(InputSystems)
                    .after(EguiPreUpdateSet::ProcessInput)
                    .before(EguiPreUpdateSet::BeginPass),
            )
            .add_systems(
                PreUpdate,
                (
                    player::play_steps,
                    side_panel::toggle_panel,
                    input::find_input_owner,
                    scene::select_clicked_collider.run_if(steps),
                )
                    .chain()
                    .in_set(InspectorSystems::Input),
            )
            // The panel shows the step of its own frame, also of one in `PostUpdate`.
            .configure_sets(PostUpdate, EguiPostUpdateSet::EndPass.after(CollisionSystems::Publish))
            // Else glyphs that are new in a frame would reach the screen in the next.
            .configure_sets(
                PostUpdate,
                EguiPostUpdateSet::PostProcessOutput.before(AssetEventSystems),
            )
            .add_systems(
                PostUpdate,
                (
                    capture::catch_up.run_if(capture::is_watched),
                    scene::watch_selection,
                    samples::watch_grid.run_if(capture::is_watched.and_then(plots_are_open)),
                )
                    .chain()
                    .after(CollisionSystems::Publish)
                    .before(EguiPostUpdateSet::EndPass)
                    .run_if(steps),
            )
            .add_systems(EguiPrimaryContextPass, side_panel::draw_side_panel.run_if(steps));
        scene::add_highlights(app);
    }

    fn finish(&self, app: &mut App) {
        // The game may have added the step after this plugin.
        capture::add_capture(app);
        scene::add_highlights(app);
        if !app.is_plugin_added::<EguiPlugin>() {
            log::info!(
                "no contact panel: it needs egui, and egui a renderer. Add \
                 CollisionInspectorPlugin after DefaultPlugins in an app that renders"
            );
        }
        if !app.world().contains_resource::<CollisionSettings>() {
            log::warn!("no contact panel: it has nothing to show. Add CollisionPlugin");
        }
    }
}

fn plots_are_open(inspector: Res<CollisionInspector>) -> bool {
    inspector.tab == Tab::Plots
}

/// The sets of [`CollisionInspectorPlugin`] that others may want to be ordered by.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InspectorSystems {
    /// In `PreUpdate`, after the input systems of Bevy and `bevy_egui`: decides whom the input of this
    /// frame belongs to. [`pointer_is_free`] and [`keyboard_is_free`] are right from here to the
    /// end of the frame, so also in `FixedUpdate` and `Update`. Systems in `PreUpdate` with these
    /// conditions have to run after it.
    Input,
}

/// What is selected in the panel and lit up in the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// Nothing.
    #[default]
    None,
    /// A pair of colliders, the lower entity first.
    Pair(Entity, Entity),
    /// A collider. The table shows only its contacts.
    Collider(Entity),
}

impl Selection {
    /// The selected entities.
    pub fn entities(self) -> impl Iterator<Item = Entity> {
        let (a, b) = match self {
            Self::None => (None, None),
            Self::Pair(a, b) => (Some(a), Some(b)),
            Self::Collider(entity) => (Some(entity), None),
        };
        a.into_iter().chain(b)
    }
}

/// The state of the contact panel. A game may read and write it at any time.
#[derive(Resource, Debug)]
pub struct CollisionInspector {
    /// Whether the side panel is shown. Default: yes. Set it to `false` in a game that draws
    /// [`contact_panel`] in a window of its own.
    pub open: bool,
    /// The key that hides and shows the side panel. Default: F1.
    pub toggle_key: Option<KeyCode>,
    /// The key that gives the keyboard to the panel, and back to the game. Default: F2. In the panel
    /// Tab goes on, Shift+Tab back, Enter and Space press, arrows walk through lists, Escape leaves.
    pub focus_key: Option<KeyCode>,
    /// Width of the side panel in egui points. Default 420. Dragging its edge changes it.
    pub width: f32,
    /// A file that keeps what is open (the panel, its page and width, whether steps are kept) from
    /// one run of the game to the next. Default: none, then it is remembered while the game runs.
    /// Set it before the app starts.
    pub layout_file: Option<PathBuf>,
    /// What is selected.
    pub selection: Selection,
    /// Only contacts in which a name contains this text are shown, in upper or lower case.
    pub filter: String,
    /// The column by which the table is sorted. `None`: in the order in which contacts appeared.
    pub sort: Option<(Column, SortOrder)>,
    /// The page that is open. Default: the list of contacts.
    pub tab: Tab,
    /// The steps of the past, and which of them is looked at.
    pub history: History,
    clock: ClockHold,
    rows: Rows,
    stage_means: StageMeans,
    watched: Watched,
    /// Of a pair that was selected one after the other, the first.
    first_selected: Option<Entity>,
    why: Why,
    entities: EntityList,
    edit_form: EditForm,
    /// What the user changed in this frame.
    edits: Vec<Edit>,
    player: Player,
    save_form: SaveForm,
    /// Whether the history is that of a file: then no steps are copied.
    is_replay: bool,
    samples: Samples,
    grid: GridView,
    copying: Copying,
    /// Which events have been copied.
    messages: MessageCursor<CollisionEvent>,
    drawing: Drawing,
    /// What the focus key asked for and the panel has not yet done.
    focus_request: bool,
    /// Where the panel body was drawn in the last frame.
    body: Option<egui::Rect>,
}

impl Default for CollisionInspector {
    fn default() -> Self {
        Self {
            open: true,
            toggle_key: Some(KeyCode::F1),
            focus_key: Some(KeyCode::F2),
            width: side_panel::DEFAULT_WIDTH,
            layout_file: None,
            selection: Selection::None,
            filter: String::new(),
            sort: None,
            tab: Tab::default(),
            history: History::default(),
            clock: ClockHold::default(),
            rows: Rows::default(),
            stage_means: StageMeans::default(),
            watched: Watched::default(),
            first_selected: None,
            why: Why::default(),
            entities: EntityList::default(),
            edit_form: EditForm::default(),
            edits: Vec::new(),
            player: Player::default(),
            save_form: SaveForm::default(),
            is_replay: false,
            samples: Samples::default(),
            grid: GridView::default(),
            copying: Copying::default(),
            messages: MessageCursor::default(),
            drawing: Drawing::default(),
            focus_request: false,
            body: None,
        }
    }
}

impl CollisionInspector {
    /// A panel that stays hidden until its key is pressed.
    ///
    /// ```
    /// use bevy::prelude::*;
    /// use bevy_nudge::inspector::CollisionInspector;
    ///
    /// App::new().insert_resource(CollisionInspector::closed());
    /// ```
    #[must_use]
    pub fn closed() -> Self {
        Self { open: false, ..Self::default() }
    }

    /// Where the side panel stands on a screen, if it is open. All in egui points.
    #[must_use]
    pub fn side_panel_rect(&self, screen: egui::Rect) -> Option<egui::Rect> {
        self.open.then(|| side_panel::panel_rect(screen, self.width))
    }

    /// Whether the panel is open and going to be drawn, or its body was drawn somewhere in the last
    /// frame.
    fn is_shown(&self) -> bool {
        self.drawing.was_drawn || (self.open && self.drawing.is_expected())
    }

    /// Selects a collider together with the first one that is selected already; alone if there is
    /// none, or if it is that one.
    pub fn select_second(&mut self, entity: Entity) {
        let first = match self.selection {
            Selection::None => entity,
            Selection::Collider(first) => first,
            // Which of the two was first is not kept when a row selects them.
            Selection::Pair(a, b) => {
                self.first_selected.filter(|f| [a, b].contains(f)).unwrap_or(a)
            }
        };
        self.first_selected = Some(first);
        self.selection = if first == entity {
            Selection::Collider(entity)
        } else {
            Selection::Pair(first.min(entity), first.max(entity))
        };
    }

    /// The axis of the selected pair that is drawn in the scene while the page [`Tab::Why`] is open:
    /// the one that decided, or another that the user chose. None for a pair that was not tested.
    #[must_use]
    pub fn axis_in_sight(&self) -> Option<&ExplainedAxis> {
        let (_, why, axis) = self.why.in_sight()?;
        why.axes.get(axis)
    }

    /// Looks at a step of the past while the game stands still: pauses, and lets `go` choose the
    /// step. [`resume`](Self::resume) and [`single_step`](Self::single_step) lead back to the
    /// present.
    ///
    /// ```
    /// use bevy::prelude::*;
    /// use bevy_nudge::inspector::CollisionInspector;
    /// use bevy_nudge::prelude::*;
    ///
    /// fn rewind(mut inspector: ResMut<CollisionInspector>, mut settings: ResMut<CollisionSettings>) {
    ///     inspector.look_back(&mut settings, |history| history.move_by(-1));
    /// }
    /// ```
    pub fn look_back(&mut self, settings: &mut CollisionSettings, go: impl FnOnce(&mut History)) {
        self.pause(settings);
        go(&mut self.history);
    }

    /// Shows a recording in place of the steps of this app, from its first step on. Nothing of this
    /// app is copied any more.
    ///
    /// The app needs the plugins of the step all the same, and no colliders: the example `replay`
    /// is such an app.
    pub fn replay(&mut self, recording: Recording) {
        self.is_replay = true;
        self.tab = Tab::History;
        self.selection = Selection::None;
        self.why = Why::default();
        self.rows = Rows::default();
        self.entities = EntityList::default();
        self.edit_form = EditForm::default();
        self.samples = Samples::default();
        let steps = recording.into_steps();
        for record in &steps {
            self.samples.take_past(record);
        }
        self.history = History::of(steps);
    }

    /// Stops the collision step and holds `Time<Virtual>`, as the button does.
    pub fn pause(&mut self, settings: &mut CollisionSettings) {
        settings.stepping.pause();
        self.clock.wanted = true;
    }

    /// Takes one collision step and moves the clocks on by one fixed timestep, as the button
    /// does. Pauses first if the step is running.
    pub fn single_step(&mut self, settings: &mut CollisionSettings) {
        self.history.view_last();
        settings.stepping.single_step();
        self.clock.wanted = true;
        self.clock.steps += 1;
    }

    /// Lets the collision step run again, and `Time<Virtual>` if the panel has paused it.
    pub fn resume(&mut self, settings: &mut CollisionSettings) {
        self.history.view_last();
        settings.stepping.resume();
        self.clock.wanted = false;
    }
}
