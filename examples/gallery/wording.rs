//! How numbers are written under the figures.

use bevy::math::Vec2;
use bevy_nudge::geometry::Interval;

/// A number with at most one decimal, or with four if it would vanish; never a negative zero.
pub(crate) fn number(value: impl Into<f64>) -> String {
    let value = value.into();
    let tenths = (value * 10.0).round() + 0.0;
    if tenths == 0.0 && value.abs() >= 5e-5 {
        return format!("{value:.4}");
    }
    if tenths % 10.0 == 0.0 {
        format!("{}", tenths / 10.0)
    } else {
        format!("{:.1}", tenths / 10.0)
    }
}

/// A point or a vector: "(3, -1.5)".
pub(crate) fn vector(value: Vec2) -> String {
    format!("({}, {})", number(value.x), number(value.y))
}

/// A unit vector: "(0.6, -0.81)".
pub(crate) fn direction(normal: Vec2) -> String {
    // Adding zero makes a zero of either sign a plain one.
    let hundredths = |value: f32| (value * 100.0).round() / 100.0 + 0.0;
    format!("({}, {})", hundredths(normal.x), hundredths(normal.y))
}

/// An interval: "[130, 320]".
pub(crate) fn interval(interval: Interval) -> String {
    format!("[{}, {}]", number(interval.min), number(interval.max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_more_decimals_than_they_need() {
        for (value, expected) in [
            (130.0, "130"),
            (0.04, "0.0400"),
            (-1e-6, "0"),
            (1.25, "1.3"),
            (-7.5, "-7.5"),
            (9.96, "10"),
        ] {
            assert_eq!(number(value), expected, "{value}");
        }
        assert_eq!(vector(Vec2::new(-0.0, 2.5)), "(0, 2.5)");
        assert_eq!(direction(Vec2::new(-1e-8, 0.6)), "(0, 0.6)");
        assert_eq!(interval(Interval { min: -1.0, max: 320.0 }), "[-1, 320]");
    }
}
