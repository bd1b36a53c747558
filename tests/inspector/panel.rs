//! The panel on a screen of its own, with a hand for the mouse and an eye for its texts.

use std::time::{Duration, Instant};

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_nudge::CollisionStats;
use bevy_nudge::inspector::{
    CollisionInspector, CollisionInspectorPlugin, ContactPanelData, Selection, contact_panel, egui,
};
use bevy_nudge::prelude::*;

/// An app with the panel drawn into a screen of its own.
pub(crate) struct Panel {
    pub(crate) app: App,
    context: egui::Context,
    pub(crate) screen: egui::Vec2,
    time: f64,
    pub(crate) texts: Vec<(String, egui::Rect)>,
    /// Those of them that end in an ellipsis because their place is too narrow.
    pub(crate) cut: Vec<String>,
}

impl Panel {
    pub(crate) fn new(spawn: impl FnOnce(&mut World)) -> Self {
        let app = app(spawn);
        let screen = egui::vec2(1200.0, 800.0);
        let mut panel = Self {
            app,
            context: egui::Context::default(),
            screen,
            time: 0.0,
            texts: Vec::new(),
            cut: Vec::new(),
        };
        panel.draw(Vec::new());
        panel
    }

    /// Draws the panel with these events, and again, so that what they changed is shown.
    pub(crate) fn draw(&mut self, events: Vec<egui::Event>) {
        for events in [events, Vec::new(), Vec::new()] {
            let (output, _) = self.pass(events);
            self.texts.clear();
            self.cut.clear();
            for clipped in output.shapes {
                self.collect_texts(&clipped.shape, clipped.clip_rect);
            }
        }
    }

    fn collect_texts(&mut self, shape: &egui::Shape, clip: egui::Rect) {
        match shape {
            egui::Shape::Vec(shapes) => {
                for shape in shapes {
                    self.collect_texts(shape, clip);
                }
            }
            egui::Shape::Text(text) => {
                let rect = text.galley.rect.translate(text.pos.to_vec2());
                if clip.intersects(rect) {
                    let words = text.galley.text().to_owned();
                    if text.galley.elided {
                        self.cut.push(words.clone());
                    }
                    self.texts.push((words, rect));
                }
            }
            _ => {}
        }
    }

    /// How long it takes to draw the panel once, and to make triangles of it.
    pub(crate) fn time_of_one_pass(&mut self) -> Duration {
        let (output, layout) = self.pass(Vec::new());
        let start = Instant::now();
        let triangles = self.context.tessellate(output.shapes, 1.0);
        assert!(!triangles.is_empty());
        layout + start.elapsed()
    }

    /// One pass of egui over the panel, and how long that took.
    fn pass(&mut self, events: Vec<egui::Event>) -> (egui::FullOutput, Duration) {
        self.time += 0.1;
        let input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, self.screen)),
            time: Some(self.time),
            focused: true,
            events,
            ..Default::default()
        };
        let context = self.context.clone();
        let draw = move |mut data: ContactPanelData| {
            let start = Instant::now();
            let output = context.run_ui(input.clone(), |ui| contact_panel(ui, &mut data));
            (output, start.elapsed())
        };
        let (mut output, duration) =
            self.app.world_mut().run_system_once(draw).expect("all resources");
        // Nothing is rendered here.
        output.textures_delta.clear();
        (output, duration)
    }

    /// One frame of the game and one of the panel.
    pub(crate) fn step(&mut self) {
        self.app.update();
        self.draw(Vec::new());
    }

    pub(crate) fn find(&self, text: &str) -> Option<egui::Rect> {
        self.texts.iter().find(|(found, _)| found == text).map(|(_, rect)| *rect)
    }

    /// Whether some text on the panel contains this one.
    #[track_caller]
    pub(crate) fn assert_says(&self, text: &str) {
        let all = self.all_texts().join("\n");
        assert!(all.contains(text), "no {text:?} in\n{all}");
    }

    #[track_caller]
    pub(crate) fn place(&self, text: &str) -> egui::Rect {
        self.find(text).unwrap_or_else(|| panic!("no text {text:?} in {:?}", self.all_texts()))
    }

    #[track_caller]
    pub(crate) fn click(&mut self, text: &str) {
        self.click_at(self.place(text).center());
    }

    /// Presses and releases a key.
    pub(crate) fn key(&mut self, key: egui::Key, modifiers: egui::Modifiers) {
        let event = |pressed| egui::Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers,
        };
        self.draw(vec![egui::Event::ModifiersChanged(modifiers), event(true)]);
        self.draw(vec![event(false), egui::Event::ModifiersChanged(egui::Modifiers::NONE)]);
    }

    pub(crate) fn click_at(&mut self, pos: egui::Pos2) {
        self.draw(vec![egui::Event::PointerMoved(pos)]);
        let button = |pressed| egui::Event::PointerButton {
            pos,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        };
        self.draw(vec![button(true)]);
        self.draw(vec![button(false)]);
    }

    /// Where the widget is that has the keyboard.
    pub(crate) fn focused(&self) -> Option<egui::Rect> {
        let focused = self.context.memory(|memory| memory.focused())?;
        self.context.read_response(focused).map(|response| response.rect)
    }

    pub(crate) fn all_texts(&self) -> Vec<&str> {
        self.texts.iter().map(|(text, _)| text.as_str()).collect()
    }

    /// The texts of the table that start with `prefix`, from top to bottom.
    pub(crate) fn column(&self, prefix: &str) -> Vec<&str> {
        let mut cells: Vec<_> =
            self.texts.iter().filter(|(text, _)| text.starts_with(prefix)).collect();
        cells.sort_by(|a, b| a.1.top().total_cmp(&b.1.top()));
        cells.into_iter().map(|(text, _)| text.as_str()).collect()
    }

    pub(crate) fn inspector(&mut self) -> Mut<'_, CollisionInspector> {
        self.app.world_mut().resource_mut()
    }

    /// Selects the pair of two names.
    pub(crate) fn select_pair(&mut self, one: &str, other: &str) {
        let (one, other) = (self.entity(one), self.entity(other));
        self.inspector().selection = Selection::Pair(one.min(other), one.max(other));
        self.draw(Vec::new());
    }

    pub(crate) fn settings(&self) -> &CollisionSettings {
        self.app.world().resource()
    }

    pub(crate) fn steps(&self) -> u64 {
        self.app.world().resource::<CollisionStats>().steps
    }

    pub(crate) fn clock_is_paused(&self) -> bool {
        self.app.world().resource::<Time<Virtual>>().is_paused()
    }

    pub(crate) fn entity(&mut self, name: &str) -> Entity {
        entity(self.app.world_mut(), name)
    }
}

/// A game with the panel, two frames after it was spawned: the first step is taken.
pub(crate) fn app(spawn: impl FnOnce(&mut World)) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .add_plugins((CollisionPlugin::default(), ResolutionPlugin))
        .add_plugins(CollisionInspectorPlugin)
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    spawn(app.world_mut());
    app.update();
    app.update();
    app
}

pub(crate) fn entity(world: &mut World, name: &str) -> Entity {
    let mut names = world.query::<(Entity, &Name)>();
    let mut found = names.iter(world).filter(|(_, found)| found.as_str() == name);
    found.next().unwrap_or_else(|| panic!("no entity {name}")).0
}

/// Three pairs that overlap by 2, 6 and 4, far apart from each other; two of the walls static.
pub(crate) fn three_pairs(world: &mut World) {
    for (name, y, depth) in [("ant", 0.0, 2.0), ("Bee", 100.0, 6.0), ("cat", 200.0, 4.0)] {
        let circle = Transform::from_xyz(0.0, y, 0.0);
        world.spawn((Name::new(name), Collider::circle(10.0), circle));
        let wall = Transform::from_xyz(20.0 - depth, y, 0.0);
        let wall = (Name::new(format!("wall {name}")), Collider::aabb(20.0, 20.0), wall);
        if name == "ant" {
            world.spawn(wall);
        } else {
            world.spawn((wall, StaticCollider));
        }
    }
}
