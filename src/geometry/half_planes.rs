//! The nearest point that lies in all of several half planes.

use bevy::math::DVec2;

/// Points with `normal.dot(point) >= height`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HalfPlane {
    /// Unit vector into the half plane.
    pub(crate) normal: DVec2,
    /// Where its border is along the normal.
    pub(crate) height: f64,
}

impl HalfPlane {
    fn lacking(&self, point: DVec2) -> f64 {
        self.height - self.normal.dot(point)
    }
}

/// More borders than this never meet in one nearest point, but they may be tried on the way to it.
const MOST_WORKING: usize = 8;

/// The point nearest to `start` that lies in all half planes, up to `rounding` (in world units);
/// none if there is none, or if it takes too many of them.
///
/// Method: an active set. The most violated half plane joins the working set; the nearest point
/// for the working set alone is, in the plane, on one border or where two of them cross.
pub(crate) fn nearest_in_half_planes(
    start: DVec2,
    half_planes: impl Iterator<Item = HalfPlane> + Clone,
    rounding: f64,
) -> Option<DVec2> {
    let mut working = [HalfPlane { normal: DVec2::X, height: 0.0 }; MOST_WORKING];
    let mut point = start;
    for count in 0..=MOST_WORKING {
        let most_violated =
            half_planes.clone().filter(|half_plane| half_plane.lacking(point) > rounding).reduce(
                |worst, next| if next.lacking(point) > worst.lacking(point) { next } else { worst },
            );
        let Some(most_violated) = most_violated else { return Some(point) };
        *working.get_mut(count)? = most_violated;
        point = nearest_for(start, &working[..=count], rounding)?;
    }
    None
}

fn nearest_for(start: DVec2, working: &[HalfPlane], rounding: f64) -> Option<DVec2> {
    let is_inside =
        |point: &DVec2| working.iter().all(|half_plane| half_plane.lacking(*point) <= rounding);
    let on_border = working.iter().map(|p| start + p.normal * p.lacking(start).max(0.0));
    let crossings = working
        .iter()
        .enumerate()
        .flat_map(|(i, p)| working[i + 1..].iter().filter_map(move |q| crossing(p, q)));
    on_border
        .chain(crossings)
        .filter(is_inside)
        .min_by(|p, q| p.distance_squared(start).total_cmp(&q.distance_squared(start)))
}

/// Where the borders of two half planes cross.
fn crossing(p: &HalfPlane, q: &HalfPlane) -> Option<DVec2> {
    let determinant = p.normal.perp_dot(q.normal);
    // Borders this nearly parallel cross too far away to be of use.
    (determinant.abs() > 1e-6)
        .then(|| (q.normal.perp() * -p.height + p.normal.perp() * q.height) / determinant)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half_plane(x: f64, y: f64, height: f64) -> HalfPlane {
        HalfPlane { normal: DVec2::new(x, y).normalize(), height }
    }

    fn nearest(start: DVec2, list: &[HalfPlane]) -> Option<DVec2> {
        nearest_in_half_planes(start, list.iter().copied(), 1e-9)
    }

    #[test]
    fn a_free_point_stays_and_one_border_is_met_straight() {
        let floor = half_plane(0.0, 1.0, 2.0);
        assert_eq!(nearest(DVec2::new(3.0, 5.0), &[floor]), Some(DVec2::new(3.0, 5.0)));
        assert_eq!(nearest(DVec2::new(3.0, 0.0), &[floor, floor]), Some(DVec2::new(3.0, 2.0)));
    }

    #[test]
    fn a_corner_is_found_where_its_walls_cross() {
        for (degrees, expected) in [(30.0_f64, 3.863_703), (90.0, core::f64::consts::SQRT_2)] {
            let slope = DVec2::from_angle(degrees.to_radians());
            let walls =
                [half_plane(0.0, 1.0, 1.0), HalfPlane { normal: -slope.perp(), height: 1.0 }];
            let point = nearest(DVec2::new(-5.0, -1.0), &walls).expect("a corner");
            for wall in walls {
                assert!(wall.lacking(point) <= 1e-9, "{degrees}: {point}");
            }
            assert!((point.length() - expected).abs() < 1e-6, "{degrees}: {point}");
        }
    }

    #[test]
    fn walls_that_face_each_other_leave_no_room() {
        let walls = [half_plane(1.0, 0.0, 1.0), half_plane(-1.0, 0.0, 1.0)];
        assert_eq!(nearest(DVec2::ZERO, &walls), None);
    }

    #[test]
    fn many_borders_of_a_round_hole_are_met() {
        let walls: Vec<HalfPlane> = (0..100)
            .map(|i| HalfPlane { normal: DVec2::from_angle(f64::from(i) * 0.0628), height: -2.0 })
            .collect();
        let point = nearest(DVec2::new(10.0, 0.01), &walls).expect("room");
        assert!((point.length() - 2.0).abs() < 1e-3, "{point}");
    }
}
