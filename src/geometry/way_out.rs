//! The shortest way out of a union of convex parts.
//!
//! A concave shape is the union of its pieces, and what it forbids to another shape is the union
//! of the Minkowski differences of all pairs of pieces. The shortest push-out is the way from the
//! origin to the nearest point of the boundary of that union. Such a point lies
//!
//! 1. on an edge, straight below the point, or on an arc, in line with its centre; or
//! 2. in a dent of the union, where the boundaries of two parts cross.
//!
//! These places are tried one after the other, from the nearest on, and the first that no part
//! covers is it. With many parts most edges lie deep inside some other part, where no such place
//! can be: they are dropped first.

use bevy::math::DVec2;

use super::boundary::{Element, ElementOf, elements_of, straight_ways};
use super::collide::{are_almost_parallel, has_smaller_angle};
use super::scratch::{ScratchList, stored};
use super::union::Union;

/// Up to so many parts it is quicker to try all places than to find out which are covered.
const FEW_PARTS: usize = 12;

/// Distance, place in the list, part, and piece of the boundary.
type Near = (f64, usize, usize, Element);

stored!(Near);

impl Union {
    /// The shortest translation of a covered point to the boundary. Of equally short ones the one
    /// whose undirected axis has the smallest angle.
    pub(super) fn exit_from(&self, point: DVec2) -> DVec2 {
        let way = if self.parts.len() <= FEW_PARTS {
            self.exit_over(point, &self.all_elements())
        } else {
            let near = |limit| self.exit_over(point, &self.exposed_elements(point, limit));
            near(self.sure_exit(point)).or_else(|| near(f64::INFINITY))
        };
        way.unwrap_or_else(|| self.way_out_of_bounds(point))
    }

    /// The shortest way to one of these pieces of the boundaries, or to where two of them cross.
    fn exit_over(&self, point: DVec2, elements: &[ElementOf]) -> Option<DVec2> {
        let mut ways = straight_ways(point, elements);
        let straight = self.shortest_free(point, &mut ways);
        if self.parts.len() == 1 {
            return straight;
        }
        let reach = straight.map_or(f64::INFINITY, DVec2::length);
        let mut crossings = self.crossings_within(point, reach + self.tolerance, elements);
        // Both together, since a crossing may tie with a straight way.
        crossings.extend(straight);
        self.shortest_free(point, &mut crossings).or(straight)
    }

    fn all_elements(&self) -> ScratchList<[ElementOf; 16]> {
        let elements_of = |(i, part)| elements_of(part).map(move |element| (i, element));
        self.parts.iter().enumerate().flat_map(elements_of).collect()
    }

    /// The boundaries of all parts, as far as they are no farther from `point` than the nearest
    /// place that no part covers, without what another part surely covers. With hundreds of parts
    /// little is left.
    fn exposed_elements(&self, point: DVec2, mut limit: f64) -> ScratchList<[ElementOf; 16]> {
        let mut near: ScratchList<[Near; 16]> = ScratchList::new();
        for (i, (part, element)) in self.all_elements().drain().enumerate() {
            let distance = element.distance(point);
            if distance <= limit + self.tolerance {
                near.push((distance, i, part, element));
            }
        }
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut coverers: ScratchList<[usize; 16]> = (0..self.parts.len()).collect();
        let mut exposed = ScratchList::new();
        for (distance, _, part, mut element) in near.drain() {
            if distance > limit + self.tolerance {
                break;
            }
            element.clip_to_disc(point, limit + self.tolerance);
            self.hide_covered(part, &mut element, &mut coverers);
            if element.is_hidden() {
                continue;
            }
            let place = element.nearest_place(point, self.tolerance);
            let distance = place.distance(point);
            if distance < limit && !self.covers(place) {
                limit = distance;
            }
            exposed.push((part, element));
        }
        exposed
    }

    /// Takes from a piece of the boundary of a part what lies deep inside others. `coverers` lists
    /// all parts, in any order; what covers one edge wholly is likely to cover the next one too.
    fn hide_covered(&self, part: usize, element: &mut Element, coverers: &mut [usize]) {
        let Some((min, max)) = element.bounds() else { return };
        let inset = 2.0 * self.tolerance;
        for i in 0..coverers.len() {
            let other = coverers[i];
            let (other_min, other_max) = self.bounds[other];
            if other == part || !(min.cmplt(other_max) & max.cmpgt(other_min)).all() {
                continue;
            }
            element.hide_inside(&self.parts[other], inset);
            if element.is_hidden() {
                coverers[..=i].rotate_right(1);
                return;
            }
        }
    }

    /// No more than the length of the shortest way out, rounding aside, and mostly not much more.
    fn sure_exit(&self, point: DVec2) -> f64 {
        const DIAGONAL: f64 = core::f64::consts::FRAC_1_SQRT_2;
        let directions =
            [DVec2::X, DVec2::new(DIAGONAL, DIAGONAL), DVec2::Y, DVec2::new(-DIAGONAL, DIAGONAL)];
        let exits = directions.into_iter().flat_map(|direction| [direction, -direction]);
        let free = exits.filter_map(|direction| {
            let at = self.first_exit(point, direction)?.at;
            (!self.covers(point + direction * at)).then_some(at)
        });
        free.fold(self.way_out_of_bounds(point).length(), f64::min)
    }

    /// Always a way, only perhaps not the shortest: for when rounding has hidden all others.
    fn way_out_of_bounds(&self, point: DVec2) -> DVec2 {
        let (min, max) = self
            .bounds
            .iter()
            .fold((point, point), |(min, max), bounds| (min.min(bounds.0), max.max(bounds.1)));
        let ways = [
            DVec2::X * (max.x - point.x),
            DVec2::Y * (max.y - point.y),
            DVec2::X * (min.x - point.x),
            DVec2::Y * (min.y - point.y),
        ];
        ways.into_iter().fold(ways[0], |best, way| {
            if way.length_squared() < best.length_squared() { way } else { best }
        })
    }

    fn shortest_free(&self, point: DVec2, ways: &mut [DVec2]) -> Option<DVec2> {
        ways.sort_unstable_by(|a, b| {
            let by_length = a.length_squared().total_cmp(&b.length_squared());
            by_length.then(a.x.total_cmp(&b.x)).then(a.y.total_cmp(&b.y))
        });
        let mut chosen: Option<DVec2> = None;
        let mut limit = f64::INFINITY;
        for &way in ways.iter() {
            if way.length() > limit {
                break;
            }
            let is_better = chosen.is_none_or(|chosen| {
                !are_almost_parallel(way, chosen) && has_smaller_angle(way, chosen)
            });
            if is_better && !self.covers(point + way) {
                if chosen.is_none() {
                    limit = way.length() + 0.5 * self.tolerance;
                }
                chosen = Some(way);
            }
        }
        chosen
    }

    /// From a point to the places within `reach` where the boundaries of two parts cross.
    fn crossings_within(
        &self,
        point: DVec2,
        reach: f64,
        elements: &[ElementOf],
    ) -> ScratchList<[DVec2; 16]> {
        let is_near = |&i: &usize| elements[i].1.distance(point) <= reach;
        let near: ScratchList<[usize; 16]> = (0..elements.len()).filter(is_near).collect();
        let mut ways = ScratchList::new();
        for (i, &one) in near.iter().enumerate() {
            let (part, one) = &elements[one];
            for &other in &near[i + 1..] {
                let (other_part, other) = &elements[other];
                if part != other_part {
                    one.crossings(other, self.tolerance, |place| {
                        if place.distance_squared(point) <= reach * reach {
                            ways.push(place - point);
                        }
                    });
                }
            }
        }
        ways
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::{Affine2, Vec2};

    use super::super::convex::Convex;
    use super::super::union::Seams;
    use super::super::{Circle, ConcavePolygon, PlacedShape, Shape};
    use super::*;

    /// What `b`, around the origin, must leave to part from `a`.
    fn forbidden(a: &PlacedShape, b: &PlacedShape, seams: Seams) -> Union {
        let differences = a.parts().flat_map(|(part, place)| {
            let part = Convex::of(part, place);
            b.parts().map(move |(other, place)| {
                Convex::minkowski_difference(&part, &Convex::of(other, place))
            })
        });
        Union::new(differences, 1e-6, seams)
    }

    fn placed(shape: impl Into<Shape>, pose: Affine2) -> PlacedShape {
        PlacedShape::new(&shape.into(), pose).expect("sound and finite")
    }

    fn star(corners: usize) -> ConcavePolygon {
        let corner = |i: usize| {
            let radius = if i.is_multiple_of(2) { 2.0 } else { 0.7 + 0.03 * i as f32 };
            Vec2::from_angle(i as f32 / corners as f32 * core::f32::consts::TAU) * radius
        };
        ConcavePolygon::new((0..corners).map(corner)).expect("a star is simple")
    }

    fn u() -> ConcavePolygon {
        let outline = [
            (-2.0, -2.0),
            (2.0, -2.0),
            (2.0, 2.0),
            (1.0, 2.0),
            (1.0, -1.0),
            (-1.0, -1.0),
            (-1.0, 2.0),
            (-2.0, 2.0),
        ];
        ConcavePolygon::new(outline.map(Vec2::from)).expect("a U is simple")
    }

    #[test]
    fn what_other_parts_cover_holds_no_way_out() {
        let circle = Circle { center: Vec2::ZERO, radius: 1.0 };
        let pose = Affine2::from_angle(0.2);
        let pairs = [
            (placed(u(), pose), placed(circle, Affine2::IDENTITY)),
            (placed(u(), pose), placed(star(14), Affine2::IDENTITY)),
            (placed(star(18), pose), placed(circle, Affine2::IDENTITY)),
        ];
        for (pair, (a, b)) in pairs.iter().enumerate() {
            for seams in [Seams::Inside, Seams::Slots] {
                let union = forbidden(a, b, seams);
                let mut covered = 0;
                for i in 0..400 {
                    let place = DVec2::new(f64::from(i % 20) - 9.7, f64::from(i / 20) - 9.6) * 0.3;
                    if !union.covers(place) {
                        continue;
                    }
                    covered += 1;
                    let all = union.exit_over(place, &union.all_elements());
                    let limit = union.sure_exit(place);
                    for limit in [limit, f64::INFINITY] {
                        let exposed = union.exit_over(place, &union.exposed_elements(place, limit));
                        let lengths = [all, exposed].map(|way| way.expect("a way").length());
                        let name = format!("pair {pair} at {place}: {lengths:?}");
                        assert!((lengths[0] - lengths[1]).abs() < 1e-9, "{name}");
                    }
                }
                assert!(covered > 50, "pair {pair}: only {covered}");
            }
        }
    }

    /// At the mouth of the slot the circle only touches both arms.
    #[test]
    fn a_circle_as_wide_as_a_slot_leaves_by_its_mouth() {
        let circle = placed(Circle { center: Vec2::ZERO, radius: 1.0 }, Affine2::IDENTITY);
        for (turn, room) in [(0.0, 0.0), (0.2, 0.0), (0.0, 1e-7), (0.0, -1e-7)] {
            let a = placed(
                u(),
                Affine2::from_angle(turn) * Affine2::from_scale(Vec2::splat(1.0 + room)),
            );
            let union = forbidden(&a, &circle, Seams::Inside);
            let turned = |place: DVec2| DVec2::from_angle(f64::from(turn)).rotate(place);
            let way = union.exit_from(turned(DVec2::new(-0.9, 1.2)));
            let expected = turned(DVec2::new(0.9, 0.8));
            assert!(
                way.distance(expected) < 0.02,
                "turned by {turn}, {room} wider: {way} for {expected}"
            );
        }
    }
}
