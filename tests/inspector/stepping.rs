//! The buttons that stop the game and take single steps, and the settings.

use bevy::prelude::*;
use bevy_nudge::geometry::TouchRule;
use bevy_nudge::prelude::*;
use bevy_nudge::{ResolutionSettings, Stepping};

use crate::panel::{Panel, three_pairs};

#[derive(Resource, Default)]
struct Ticks {
    fixed: u32,
    moved: f32,
}

fn count_ticks(app: &mut App) {
    app.init_resource::<Ticks>()
        .add_systems(FixedUpdate, |mut ticks: ResMut<Ticks>| ticks.fixed += 1)
        .add_systems(Update, |mut ticks: ResMut<Ticks>, time: Res<Time>| {
            ticks.moved += time.delta_secs();
        });
}

#[test]
fn pause_stands_still_and_a_single_step_is_exactly_one() {
    let mut panel = Panel::new(three_pairs);
    count_ticks(&mut panel.app);
    // Half a timestep is left over, as it is in a game: steps must not depend on it.
    let half = panel.app.world().resource::<Time<Fixed>>().timestep() / 2;
    panel.app.world_mut().resource_mut::<Time<Fixed>>().accumulate_overstep(half);
    panel.step();
    panel.click("Pause");
    panel.step();
    assert!(panel.clock_is_paused());
    assert_eq!(panel.settings().stepping, Stepping { paused: true, single_steps: 0 });

    *panel.app.world_mut().resource_mut::<Ticks>() = Ticks::default();
    let paused_at = panel.steps();
    for _ in 0..5 {
        panel.step();
    }
    assert_eq!((panel.steps(), panel.app.world().resource::<Ticks>().fixed), (paused_at, 0));

    let timestep = panel.app.world().resource::<Time<Fixed>>().timestep().as_secs_f32();
    for clicks in 1u32..=3 {
        panel.click("Step");
        for _ in 0..4 {
            panel.step();
        }
        assert_eq!(panel.steps(), paused_at + u64::from(clicks), "collision steps");
        let ticks = panel.app.world().resource::<Ticks>();
        assert_eq!(ticks.fixed, clicks, "fixed steps");
        assert!((ticks.moved - timestep * clicks as f32).abs() < 1e-6, "{}", ticks.moved);
        assert!(panel.clock_is_paused());
    }

    panel.click("Resume");
    panel.step();
    assert!(!panel.clock_is_paused());
    let resumed_at = panel.steps();
    for _ in 0..3 {
        panel.step();
    }
    assert_eq!(panel.steps(), resumed_at + 3);
}

#[test]
fn step_while_running_pauses_after_one_step() {
    let mut panel = Panel::new(three_pairs);
    let before = panel.steps();
    panel.click("Step");
    for _ in 0..4 {
        panel.step();
    }
    assert_eq!(panel.steps(), before + 1);
    assert!(panel.clock_is_paused());
}

#[test]
fn a_clock_that_the_game_has_paused_stays_paused() {
    let mut panel = Panel::new(three_pairs);
    panel.app.world_mut().resource_mut::<Time<Virtual>>().pause();
    panel.step();
    panel.click("Pause");
    panel.step();
    panel.click("Resume");
    panel.step();
    assert!(panel.clock_is_paused(), "the game's own pause");
}

#[test]
fn a_game_that_resumes_by_itself_gets_its_clock_back() {
    let mut panel = Panel::new(three_pairs);
    panel.click("Pause");
    panel.step();
    panel.app.world_mut().resource_mut::<CollisionSettings>().stepping.resume();
    panel.step();
    assert!(!panel.clock_is_paused());
}

#[test]
fn settings_act_and_are_left_alone_otherwise() {
    let mut panel = Panel::new(three_pairs);
    let mut expected = CollisionSettings {
        touch_tolerance: -3.0,
        resolution: ResolutionSettings { passes: 500, ..Default::default() },
        ..Default::default()
    };
    *panel.app.world_mut().resource_mut() = expected.clone();
    panel.draw(Vec::new());
    assert_eq!(*panel.settings(), expected, "drawing changes nothing, sound or not");

    panel.click("is none");
    expected.touch_rule = TouchRule::Exclusive;
    assert_eq!(*panel.settings(), expected);
    panel.click("fixed");
    assert!(matches!(panel.settings().cell_size, CellSize::Fixed(size) if size > 0.0));
    panel.click("auto");
    assert_eq!(*panel.settings(), expected);
    panel.click("on");
    expected.resolution.enabled = false;
    assert_eq!(*panel.settings(), expected);
}
