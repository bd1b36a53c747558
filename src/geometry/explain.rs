//! Why two convex shapes are in contact or apart: every axis, as the engine saw it.

use core::ops::ControlFlow;

use bevy::math::Vec2;

use super::collide::{comes_first, contact, contact_watched, extents};
use super::contact::Contact;
use super::placed::PlacedShape;
use super::sat::{AxisSource, Interval, Measure, offset, project, reversed, visit_measures};
use super::touch::{Relation, Touch, TouchBand};

/// One candidate axis of a pair, with what it shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExplainedAxis {
    /// Where the axis comes from.
    pub source: AxisSource,
    /// The unit direction of the axis, from A to B.
    pub normal: Vec2,
    /// The gap between the shadows: positive when they are apart, minus the way out in this
    /// direction when they overlap. World units.
    pub gap: f64,
    /// The shadows of A and B, relative to A's [`origin`](PlacedShape::origin).
    pub projections: [Interval; 2],
    /// What this axis alone says of the pair.
    pub relation: Relation,
    /// Whether the engine looked at it: it stops at the first axis that parts the shapes.
    pub is_tested: bool,
}

/// Why two convex shapes are in contact or apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// All candidate axes in the order in which the engine looks at them.
    pub axes: Vec<ExplainedAxis>,
    /// Which of them decided: the one that parts the shapes, or that of the least overlap.
    pub deciding: usize,
    /// The contact, exactly as [`contact`](super::contact) gives it.
    pub contact: Option<Contact>,
    /// From what distance on to either side of zero a gap counts as none, in world units.
    pub tolerance: f64,
}

impl Explanation {
    /// The axis that decided.
    #[must_use]
    pub fn deciding_axis(&self) -> &ExplainedAxis {
        &self.axes[self.deciding]
    }
}

/// Runs the test of [`contact`](super::contact) and tells what it saw on its way.
///
/// Everything is told from the side of `a`, as by [`contact`](super::contact), whichever of the two
/// the engine puts first. None if one of the shapes is not convex: a concave or compound shape has
/// no axes of its own, its [`pieces`](PlacedShape::pieces) can be asked about instead.
///
/// # Cost
/// Twice that of [`contact`](super::contact), the projections, and a list.
///
/// ```
/// use bevy::math::{Affine2, Vec2};
/// use bevy_nudge::geometry::{Aabb, PlacedShape, Shape, TouchRule, explain};
///
/// let square = Shape::from(Aabb::default());
/// let a = PlacedShape::new(&square, Affine2::IDENTITY)?;
/// let b = PlacedShape::new(&square, Affine2::from_translation(Vec2::new(0.75, 0.5)))?;
/// let why = explain(&a, &b, TouchRule::Inclusive).expect("both are convex");
/// assert_eq!(why.deciding_axis().normal, Vec2::X);
/// assert_eq!(why.deciding_axis().gap, -0.25);
/// assert_eq!(why.contact.unwrap().depth, 0.25);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn explain(a: &PlacedShape, b: &PlacedShape, touch: impl Into<Touch>) -> Option<Explanation> {
    if !(a.is_convex() && b.is_convex()) {
        return None;
    }
    let touch = touch.into();
    let is_swapped = comes_first(b, a);
    let teller = Teller { a, b, is_swapped, band: touch.band(extents(a, b)) };
    let mut axes = Vec::new();
    let mut deciding = 0;
    let (first, second) = if is_swapped { (b, a) } else { (a, b) };
    let contact = if a.radius().is_some() && b.radius().is_some() {
        // The engine takes their only axis without a loop.
        visit_measures(first, second, offset(first, second), &mut |source, measure| {
            axes.push(teller.tell(source, measure, true));
            ControlFlow::Continue(())
        });
        contact(a, b, touch)
    } else {
        // What the engine does, told while it does it.
        contact_watched(a, b, touch, &mut |source, measure, leads| {
            if leads {
                deciding = axes.len();
            }
            axes.push(teller.tell(source, measure, true));
        })
    };
    // What it would have seen if it had not stopped.
    let mut index = 0;
    visit_measures(first, second, offset(first, second), &mut |source, measure| {
        if index == axes.len() {
            axes.push(teller.tell(source, measure, false));
        }
        index += 1;
        ControlFlow::Continue(())
    });
    let tolerance = touch.tolerance(extents(a, b));
    Some(Explanation { axes, deciding, contact, tolerance })
}

/// Tells of an axis from the side of A.
struct Teller<'s> {
    a: &'s PlacedShape,
    b: &'s PlacedShape,
    /// Whether the engine has B before A.
    is_swapped: bool,
    band: TouchBand,
}

impl Teller<'_> {
    fn tell(&self, source: AxisSource, measure: Measure, is_tested: bool) -> ExplainedAxis {
        let relation = measure.relation(&self.band);
        let (source, measure) =
            if self.is_swapped { (swapped(source), reversed(measure)) } else { (source, measure) };
        let (normal, gap) = measure.resolve();
        let place = offset(self.a, self.b).dot(normal);
        let b = project(self.b, normal);
        ExplainedAxis {
            source,
            normal: normal.as_vec2(),
            gap,
            projections: [
                project(self.a, normal),
                Interval { min: b.min + place, max: b.max + place },
            ],
            relation,
            is_tested,
        }
    }
}

fn swapped(source: AxisSource) -> AxisSource {
    match source {
        AxisSource::EdgeOfA(edge) => AxisSource::EdgeOfB(edge),
        AxisSource::EdgeOfB(edge) => AxisSource::EdgeOfA(edge),
        AxisSource::CornerOfA(corner) => AxisSource::CornerOfB(corner),
        AxisSource::CornerOfB(corner) => AxisSource::CornerOfA(corner),
        AxisSource::LineOfCenters | AxisSource::NearestCorners => source,
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::Affine2;

    use super::super::{Aabb, Circle, ConvexPolygon, Shape, TouchRule, contact};
    use super::*;

    fn shapes() -> Vec<Shape> {
        let triangle = [Vec2::new(-1.0, -1.0), Vec2::new(2.0, -0.5), Vec2::new(0.0, 1.5)];
        let capsule = ConvexPolygon::capsule(Vec2::NEG_X, Vec2::X, 0.5).expect("sound");
        vec![
            Circle { center: Vec2::ZERO, radius: 1.0 }.into(),
            Aabb::from_size(Vec2::ZERO, Vec2::new(2.0, 1.0)).expect("sound").into(),
            ConvexPolygon::new(triangle).expect("sound").into(),
            ConvexPolygon::regular(5, 1.0).expect("sound").into(),
            capsule.into(),
        ]
    }

    #[test]
    fn the_explanation_is_that_of_the_contact_for_every_pair_both_ways() {
        let mut contacts = 0;
        let mut partings = 0;
        for rule in [TouchRule::Inclusive, TouchRule::Exclusive] {
            for (i, one) in shapes().iter().enumerate() {
                for (j, other) in shapes().iter().enumerate() {
                    for step in 0..60_u16 {
                        let at = Vec2::from_angle(f32::from(step) * 0.7) * f32::from(step) * 0.06;
                        let a = PlacedShape::new(one, Affine2::IDENTITY).expect("placed");
                        let pose = Affine2::from_angle_translation(f32::from(step) * 0.3, at);
                        let b = PlacedShape::new(other, pose).expect("placed");
                        let case = format!("{i} {j} {step} {rule:?}");
                        let why = explain(&a, &b, rule).expect("convex");
                        assert_eq!(why.contact, contact(&a, &b, rule), "{case}");
                        let deciding = why.deciding_axis();
                        assert!(deciding.is_tested, "{case}");
                        if let Some(contact) = why.contact {
                            contacts += 1;
                            assert_eq!(deciding.normal, contact.normal, "{case}");
                            assert!(why.axes.iter().all(|axis| axis.is_tested), "{case}");
                            let way_out = deciding.gap.min(0.0).abs() as f32;
                            assert!((way_out - contact.depth).abs() < 1e-5, "{case}");
                        } else {
                            partings += 1;
                            assert!(deciding.gap > -why.tolerance, "{case}: {}", deciding.gap);
                            let tested = why.axes.iter().filter(|axis| axis.is_tested).count();
                            assert_eq!(why.deciding + 1, tested, "{case}: it stopped there");
                        }
                        for axis in &why.axes {
                            let [a, b] = axis.projections;
                            let shown = b.min - a.max;
                            assert!((shown - axis.gap).abs() < 1e-5, "{case}: {axis:?}");
                        }
                    }
                }
            }
        }
        assert!(contacts > 500 && partings > 500, "{contacts} {partings}");
    }

    #[test]
    fn sources_are_told_from_the_side_of_a() {
        let circle = Shape::from(Circle { center: Vec2::ZERO, radius: 1.0 });
        let square = Shape::from(Aabb::default());
        let at = |shape, x| {
            PlacedShape::new(shape, Affine2::from_translation(Vec2::new(x, x))).expect("placed")
        };
        let why = explain(&at(&square, 0.0), &at(&circle, 3.0), TouchRule::Inclusive);
        let sources: Vec<_> = why.expect("convex").axes.iter().map(|axis| axis.source).collect();
        let edges = (0..4).map(AxisSource::EdgeOfA).chain([AxisSource::CornerOfA(1)]);
        assert_eq!(sources, edges.collect::<Vec<_>>());
        let why = explain(&at(&circle, 3.0), &at(&square, 0.0), TouchRule::Inclusive);
        let last = *why.expect("convex").axes.last().expect("axes");
        assert_eq!(last.source, AxisSource::CornerOfB(1));
        assert!(last.normal.x < 0.0 && last.normal.y < 0.0, "from A to B: {}", last.normal);
    }
}
