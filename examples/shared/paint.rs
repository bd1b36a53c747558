//! Paints placed shapes with egui: filled, outlined, moved.

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_nudge::geometry::PlacedShape;

use super::view::View;

/// Sides of a painted circle.
const SIDES: usize = 64;

/// A painter behind the bar and the panel, for the part of the screen that they leave free.
pub(crate) fn scene_painter(context: &egui::Context, view: &View) -> egui::Painter {
    let painter = context.layer_painter(egui::LayerId::background());
    painter.with_clip_rect(view.free.unwrap_or(egui::Rect::NOTHING))
}

/// The closed outlines of a shape on the screen.
pub(crate) fn outlines(
    shape: &PlacedShape,
    to_screen: impl Fn(Vec2) -> egui::Pos2,
) -> Vec<Vec<egui::Pos2>> {
    let outlines = shape.outlines(SIDES).into_iter();
    outlines.map(|outline| outline.into_iter().map(&to_screen).collect()).collect()
}

/// Fills a shape, holes left out. Where parts of a compound overlap the colour lies twice.
pub(crate) fn fill(
    painter: &egui::Painter,
    shape: &PlacedShape,
    color: egui::Color32,
    to_screen: impl Fn(Vec2) -> egui::Pos2,
) {
    let mut mesh = egui::Mesh::default();
    // As triangles: filled one by one, pieces would show a soft edge at each seam.
    for corners in shape.pieces().flat_map(|piece| outlines(&piece, &to_screen)) {
        let first = mesh.vertices.len() as u32;
        corners.iter().for_each(|&corner| mesh.colored_vertex(corner, color));
        for next in 1..(corners.len() as u32).saturating_sub(1) {
            mesh.add_triangle(first, first + next, first + next + 1);
        }
    }
    painter.add(egui::Shape::mesh(mesh));
}

/// Draws the outlines of a shape as dashed lines.
pub(crate) fn dashed(
    painter: &egui::Painter,
    shape: &PlacedShape,
    stroke: egui::Stroke,
    to_screen: impl Fn(Vec2) -> egui::Pos2,
) {
    for outline in outlines(shape, to_screen) {
        let ends = outline.iter().zip(outline.iter().cycle().skip(1));
        let mut lines: Vec<Vec<egui::Pos2>> = Vec::new();
        for [start, end] in ends.filter_map(|(&start, &end)| seen(painter, [start, end])) {
            // Dashes go on around corners.
            match lines.last_mut() {
                Some(line) if line.last() == Some(&start) => line.push(end),
                _ => lines.push(vec![start, end]),
            }
        }
        for line in lines {
            painter.extend(egui::Shape::dashed_line(&line, stroke, 7.0, 5.0));
        }
    }
}

/// The part of a line that is in the scene: a shape may be so large that its whole outline would be
/// more dashes than there is memory for.
fn seen(painter: &egui::Painter, [start, end]: [egui::Pos2; 2]) -> Option<[egui::Pos2; 2]> {
    let scene = painter.clip_rect().expand(20.0);
    let way = end - start;
    let (mut from, mut to) = (0.0_f32, 1.0_f32);
    for (start, way, low, high) in
        [(start.x, way.x, scene.min.x, scene.max.x), (start.y, way.y, scene.min.y, scene.max.y)]
    {
        if way == 0.0 && (low..=high).contains(&start) {
            continue;
        }
        let (one, other) = ((low - start) / way, (high - start) / way);
        from = from.max(one.min(other));
        to = to.min(one.max(other));
    }
    // NaN is in no scene.
    (from <= to).then(|| {
        let end = if to < 1.0 { start + way * to } else { end };
        [start + way * from, end]
    })
}

/// A box of words with this corner at a place, or as near to it as the scene has room. Returns where
/// it is.
pub(crate) fn text_box(
    painter: &egui::Painter,
    corner: egui::Align2,
    place: egui::Pos2,
    size: f32,
    lines: impl IntoIterator<Item = (String, egui::Color32)>,
) -> egui::Rect {
    let scene = painter.clip_rect().shrink(4.0);
    let font = egui::FontId::proportional(size);
    let width = scene.width() - 12.0;
    let galleys: Vec<_> = lines
        .into_iter()
        .map(|(line, color)| (painter.layout(line, font.clone(), color, width), color))
        .collect();
    let text_size = galleys.iter().fold(egui::Vec2::ZERO, |sum, (galley, _)| {
        egui::vec2(sum.x.max(galley.size().x), sum.y + galley.size().y)
    });
    let rect = corner.anchor_size(place, text_size + egui::vec2(12.0, 6.0));
    let low = (scene.min - rect.min).max(egui::Vec2::ZERO);
    let high = (scene.max - rect.max).min(egui::Vec2::ZERO);
    let rect = rect.translate(low + high);
    painter.rect_filled(rect, 4.0, BOX_COLOR);
    let mut at = rect.min + egui::vec2(6.0, 3.0);
    for (galley, color) in galleys {
        let height = galley.size().y;
        painter.galley(at, galley, color);
        at.y += height;
    }
    rect
}

const BOX_COLOR: egui::Color32 = egui::Color32::from_rgba_premultiplied(20, 23, 30, 242);

/// The part of the plane that the convex test takes for the inside of a counter-clockwise outline:
/// what lies to the left of all its edges. Less than a dented polygon, and empty for a U.
pub(crate) fn left_of_all_edges(outline: &[Vec2]) -> Vec<Vec2> {
    // Starting from a box, not from the outline: that one may be dented.
    let (min, max) =
        outline.iter().fold((Vec2::MAX, Vec2::MIN), |(min, max), &v| (min.min(v), max.max(v)));
    cut(vec![min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)], outline)
}

/// What two convex shapes share, as the corners of a polygon; none if they are apart.
pub(crate) fn overlap_region(a: &PlacedShape, b: &PlacedShape) -> Vec<Vec2> {
    let outline = |shape: &PlacedShape| shape.outlines(4 * SIDES).swap_remove(0);
    cut(outline(a), &outline(b))
}

/// A polygon cut by the line of each edge of a counter-clockwise outline in turn (Sutherland and
/// Hodgman, 1974).
fn cut(polygon: Vec<Vec2>, outline: &[Vec2]) -> Vec<Vec2> {
    let mut kept = polygon;
    for (i, &start) in outline.iter().enumerate() {
        let edge = outline[(i + 1) % outline.len()] - start;
        let side = |point: Vec2| edge.perp_dot(point - start);
        let corners = std::mem::take(&mut kept);
        for (j, &from) in corners.iter().enumerate() {
            let to = corners[(j + 1) % corners.len()];
            let (a, b) = (side(from), side(to));
            if a >= 0.0 {
                kept.push(from);
            }
            if (a >= 0.0) != (b >= 0.0) {
                kept.push(from.lerp(to, a / (a - b)));
            }
        }
    }
    kept
}
