//! The page of plots: contacts, candidates and step time over the last seconds, and the grid.

use bevy_egui::egui;
use egui_plot::{Bar, BarChart, GridMark, Line, Plot, PlotPoints};

use super::CollisionInspector;
use super::samples::{Occupancy, SECONDS, Sample, Samples};

/// A plot in points, in enough room and in little.
const PLOT_HEIGHT: f32 = 104.0;
const LEAST_PLOT_HEIGHT: f32 = 64.0;
/// What a plot takes beside itself: its title, and its part of the line below the last.
const BESIDE_PLOT: f32 = 32.0;

const CONTACTS_COLOR: egui::Color32 = egui::Color32::from_rgb(255, 140, 105);
const CANDIDATES_COLOR: egui::Color32 = egui::Color32::from_rgb(110, 200, 255);
const TIME_COLOR: egui::Color32 = egui::Color32::from_rgb(150, 230, 140);
const GRID_COLOR: egui::Color32 = egui::Color32::from_rgb(200, 170, 255);

/// Draws the page, into `room` points if these are not too few.
pub(super) fn show_plots(ui: &mut egui::Ui, inspector: &mut CollisionInspector, room: f32) {
    let height = (0.25 * room - BESIDE_PLOT).clamp(LEAST_PLOT_HEIGHT, PLOT_HEIGHT);
    let samples = &inspector.samples;
    let last = samples.iter().next_back().copied();
    let count = |count: usize| count.to_string();
    let text = |number: Option<String>| number.unwrap_or_else(|| "-".to_owned());
    let contacts = |sample: &Sample| sample.contacts as f64;
    let title = format!("Contacts {}", text(last.map(|last| count(last.contacts))));
    show_line(ui, &title, CONTACTS_COLOR, height, samples, contacts);
    let candidates = |sample: &Sample| sample.candidates as f64;
    let title = format!("Candidates {}", text(last.map(|last| count(last.candidates))));
    show_line(ui, &title, CANDIDATES_COLOR, height, samples, candidates);
    let title = text(last.map(|last| format!("{:.3}", last.milliseconds)));
    let title = format!("Step {title} ms");
    show_line(ui, &title, TIME_COLOR, height, samples, |sample| sample.milliseconds);
    if inspector.is_replay {
        ui.weak("How full the grid was is not in the file.");
        return;
    }
    show_grid(ui, &inspector.grid.occupancy, height);
    ui.checkbox(&mut inspector.grid.is_drawn, "Draw the cells in the scene")
        .on_hover_text("The more colliders a cell holds, the brighter it is");
}

/// A plot over the last seconds. The axis begins at zero, so that small changes look small, and its
/// numbers have a fixed width, so that nothing moves when they change.
fn show_line(
    ui: &mut egui::Ui,
    title: &str,
    color: egui::Color32,
    height: f32,
    samples: &Samples,
    value: impl Fn(&Sample) -> f64,
) {
    ui.colored_label(color, title);
    let now = samples.iter().next_back().map_or(0.0, |last| last.time);
    let points: Vec<[f64; 2]> =
        samples.iter().map(|sample| [sample.time - now, value(sample)]).collect();
    let highest = round_up(points.iter().map(|point| point[1]).fold(0.0, f64::max));
    let name = title.split(' ').next().unwrap_or(title).to_owned();
    let seconds =
        |mark: GridMark, _: &core::ops::RangeInclusive<f64>| format!("{:.0} s", mark.value);
    still_plot(name.clone(), height)
        // Room for the words at both ends: off the zero of the other axis, and whole.
        .default_x_bounds(-1.06 * SECONDS, 0.05 * SECONDS)
        .default_y_bounds(0.0, 1.05 * highest)
        .x_axis_formatter(seconds)
        .x_grid_spacer(|_| marks([-10.0, -8.0, -6.0, -4.0, -2.0, 0.0]))
        .y_grid_spacer(move |_| marks([0.0, 0.5 * highest, highest]))
        .show(ui, |plot| {
            plot.line(Line::new(name, PlotPoints::from(points)).color(color).width(1.5));
        });
}

/// How many cells hold how many colliders.
fn show_grid(ui: &mut egui::Ui, occupancy: &Occupancy, height: f32) {
    let cells = occupancy.count();
    let mean = occupancy.colliders as f64 / cells.max(1) as f64;
    let most = occupancy.most;
    let text = format!("Grid {cells} cells in use, {mean:.1} colliders each, at most {most}");
    ui.colored_label(GRID_COLOR, text)
        .on_hover_text("A collider lies in the cell of its lower left corner");
    let bars = occupancy.cells.iter().enumerate().map(|(class, cells)| {
        Bar::new(class as f64, *cells as f64).width(0.8).name(Occupancy::title(class))
    });
    let bars: Vec<Bar> = bars.collect();
    let highest = round_up(occupancy.cells.iter().copied().max().unwrap_or(0) as f64);
    let classes = bars.len().max(5);
    let title = |mark: GridMark, _: &core::ops::RangeInclusive<f64>| {
        let is_class = mark.value >= 0.0 && (mark.value - mark.value.round()).abs() < 1e-6;
        if is_class { Occupancy::title(mark.value as usize) } else { String::new() }
    };
    still_plot("Grid".to_owned(), height)
        .default_x_bounds(-0.6, classes as f64 - 0.4)
        .default_y_bounds(0.0, 1.05 * highest)
        .x_axis_formatter(title)
        .y_grid_spacer(move |_| marks([0.0, 0.5 * highest, highest]))
        .show(ui, |plot| plot.bar_chart(BarChart::new("cells", bars).color(GRID_COLOR)));
}

/// A plot that shows what it is given and cannot be dragged away. It follows its bounds anew in
/// each frame.
fn still_plot<'a>(name: String, height: f32) -> Plot<'a> {
    Plot::new(name)
        .height(height)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .allow_double_click_reset(false)
        .auto_bounds(false)
        .reset()
        .show_x(false)
        .y_axis_formatter(|mark, _| format!("{}", (mark.value * 1e6).round() / 1e6))
        .y_axis_min_width(38.0)
}

/// Lines across a plot, each with its number.
fn marks<const N: usize>(values: [f64; N]) -> Vec<GridMark> {
    // The step decides how strong a line is drawn, and from what size on its number is shown.
    let step_size = (values[N - 1] - values[0]) / (N - 1) as f64;
    values.map(|value| GridMark { value, step_size }).to_vec()
}

/// 1, 2 or 4 times a power of ten, so that the axis changes rarely; above 1 half of it is a whole number for
/// all counts.
fn round_up(value: f64) -> f64 {
    let mut step = 1e-3;
    loop {
        for factor in [2.0, 4.0, 10.0] {
            if value <= factor * step {
                return factor * step;
            }
        }
        step *= 10.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_round_numbers() {
        for (value, end) in
            [(0.0, 0.002), (0.3, 0.4), (1.0, 1.0), (17.0, 20.0), (9_999.0, 10_000.0)]
        {
            let found = round_up(value);
            assert!((found - end).abs() < 1e-9 * end, "{value}: {found}");
        }
    }
}
