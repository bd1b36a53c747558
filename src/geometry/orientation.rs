//! Which way three points turn, without any rounding.

use bevy::math::Vec2;

/// Positive when `a`, `b`, `c` turn to the left, negative to the right, zero on one line.
///
/// The sign is exact for all finite points. The value is twice the area of the triangle, rounded,
/// except where rounding could have changed the sign: there only the sign is meant. NaN for
/// points that are not finite.
///
/// # Method
/// Shewchuk, *Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates*
/// (1997): the plain formula with a bound of its error, and an expansion where that cannot decide.
/// Products of two `f32` are exact in `f64` and cannot overflow, so six products hold everything.
#[inline]
pub(super) fn orientation(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    let (from, to, point) = (a.as_dvec2(), b.as_dvec2(), c.as_dvec2());
    let left = (to.x - from.x) * (point.y - from.y);
    let right = (to.y - from.y) * (point.x - from.x);
    let doubled_area = left - right;
    // Two differences, a product and the last difference, each rounded to half a unit.
    let rounding = 2.0 * f64::EPSILON * (left.abs() + right.abs());
    if doubled_area.abs() > rounding {
        return doubled_area;
    }
    exact_sum([
        from.x * to.y,
        -from.y * to.x,
        to.x * point.y,
        -to.y * point.x,
        point.x * from.y,
        -point.y * from.x,
    ])
}

/// A number with the exact sign of the sum.
fn exact_sum(terms: [f64; 6]) -> f64 {
    // Parts that do not overlap, in ascending order: the last that is not zero has the sign.
    let mut parts = [0.0; 6];
    for (count, term) in terms.into_iter().enumerate() {
        let mut carry = term;
        for part in &mut parts[..count] {
            (carry, *part) = two_sum(carry, *part);
        }
        parts[count] = carry;
    }
    parts.into_iter().rev().find(|&part| part != 0.0).unwrap_or(0.0)
}

/// The rounded sum and what the rounding lost (Knuth).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_in_sum = sum - a;
    let a_in_sum = sum - b_in_sum;
    (sum, (a - a_in_sum) + (b - b_in_sum))
}

/// Whether `b` lies on the line through `a` and `c` and between them, ends included.
pub(super) fn is_on_segment(a: Vec2, b: Vec2, c: Vec2) -> bool {
    let lowest = a.min(c);
    let highest = a.max(c);
    lowest.cmple(b).all() && b.cmple(highest).all() && orientation(a, b, c) == 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_is_exact_where_plain_arithmetic_fails() {
        // Kettner et al. (2008): points near a line, one unit in the last place apart. The true
        // answer is known in integers: multiples of 2^-24 around 0.5, against a slope of 1.
        let (b, c) = (Vec2::splat(12.0), Vec2::splat(24.0));
        for i in 0..64_u16 {
            for j in 0..64_u16 {
                let unit = f32::EPSILON / 2.0;
                let a = Vec2::new(0.5 + f32::from(i) * unit, 0.5 + f32::from(j) * unit);
                // Above the diagonal is to the left of the way up.
                let expected = f64::from(j) - f64::from(i);
                for value in [orientation(a, b, c), orientation(b, c, a), -orientation(c, b, a)] {
                    assert_eq!(value.partial_cmp(&0.0), expected.partial_cmp(&0.0), "{a}");
                }
            }
        }
    }

    #[test]
    fn coordinates_of_very_unequal_size_are_told_apart() {
        // Adding 2^-140 to 2^100 is lost in double precision; the side is not.
        let tiny = f32::from_bits(1 << 9);
        let (a, b) = (Vec2::new(-1e30, -1e30), Vec2::new(1e30, 1e30));
        assert!(is_on_segment(a, Vec2::ZERO, b));
        assert!(orientation(a, b, Vec2::new(0.0, tiny)) > 0.0);
        assert!(orientation(a, b, Vec2::new(tiny, 0.0)) < 0.0);
        assert!(is_on_segment(a, Vec2::splat(tiny), b));
        assert!(!is_on_segment(a, Vec2::new(tiny, 0.0), b));
    }
}
