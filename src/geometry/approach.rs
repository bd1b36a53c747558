//! Straight ways that start very far from what they may meet, or lead very far beyond it.
//!
//! Where a way of 1e30 meets a shape of 1 cannot be told in numbers of the size of the way: their last
//! places are larger than the shape. So the start is first moved along the way to where the shape is
//! near, the end to behind it, and the rest is computed there. The direction of a way is known to some
//! 16 places, so what is smaller than that part of the distance is still met by luck.

use bevy::math::DVec2;

/// How many times farther away than its size something is far: nearer, nothing is lost.
const FAR: f64 = (1_u32 << 20) as f64;

/// Whether a length is far beyond a circle of this radius.
pub(super) fn is_far(length_squared: f64, room: f64) -> bool {
    let far = FAR * room;
    // A point has no size, and is met exactly or not at all.
    room > 0.0 && length_squared > far * far
}

/// The start of a way, moved along it to where the circle around the origin is near that it may meet.
#[derive(Clone, Copy)]
pub(super) struct Approach {
    /// Where it starts now, outside of the circle.
    pub(super) base: DVec2,
    /// The length that was left out.
    pub(super) skipped: f64,
}

impl Approach {
    /// The way from `base` in a direction, a unit vector, that may meet a circle around the origin
    /// with the radius `room`. None if it is far and leads past.
    pub(super) fn new(base: DVec2, direction: DVec2, room: f64) -> Option<Self> {
        if !is_far(base.length_squared(), room) {
            return Some(Self { base, skipped: 0.0 });
        }
        let (along, across) = (-base.dot(direction), direction.perp_dot(base));
        if along < 0.0 || across.abs() > room {
            return None;
        }
        let rest = 2.0 * room;
        Some(Self { base: direction.perp() * across - direction * rest, skipped: along - rest })
    }
}

/// The part of a motion in which a shape comes near to another.
pub(super) struct NearbyWay {
    /// Where it begins, as the offset of the moving shape.
    pub(super) offset: DVec2,
    pub(super) displacement: DVec2,
    /// When, as a part of the whole motion.
    pub(super) start: f64,
    /// How much of the motion it is.
    pub(super) share: f64,
}

impl NearbyWay {
    /// Of a motion from `offset` that may meet a circle around the origin with the radius `room`.
    /// None if it is far and leads past.
    pub(super) fn new(offset: DVec2, displacement: DVec2, room: f64) -> Option<Self> {
        if !is_far(offset.length_squared().max(displacement.length_squared()), room) {
            return Some(Self { offset, displacement, start: 0.0, share: 1.0 });
        }
        let length = displacement.length();
        if length == 0.0 {
            return None;
        }
        let direction = displacement / length;
        let Approach { base, skipped } = Approach::new(offset, direction, room)?;
        let made = (length - skipped).min(base.length() + 2.0 * room);
        (made > 0.0).then(|| Self {
            offset: base,
            displacement: direction * made,
            start: skipped / length,
            share: made / length,
        })
    }

    /// A time within this part as one of the whole motion.
    pub(super) fn time(&self, part: f64) -> f64 {
        (self.start + self.share * part).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_way_stays_as_it_is_to_the_bit() {
        let (offset, displacement) = (DVec2::new(-1000.3, 0.7), DVec2::new(3000.1, 0.2));
        let way = NearbyWay::new(offset, displacement, 1.5).unwrap();
        assert_eq!((way.offset, way.displacement), (offset, displacement));
        assert_eq!(way.time(0.3).to_bits(), 0.3_f64.to_bits());
    }

    #[test]
    fn a_far_way_begins_and_ends_near_by() {
        // 4e9 along a slope of 3 to 4, past the origin at 0.5.
        let direction = DVec2::new(0.8, 0.6);
        let (offset, length) = (direction * -1e9 + direction.perp() * 0.5, 4e9);
        let way = NearbyWay::new(offset, direction * length, 2.0).unwrap();
        assert!((way.offset.length() - (16.0_f64 + 0.25).sqrt()).abs() < 1e-6, "{}", way.offset);
        assert!((way.offset.dot(direction.perp()) - 0.5).abs() < 1e-6);
        assert!(way.displacement.length() < 9.0 && way.displacement.dot(direction) > 6.0);
        // Where it is nearest to the origin, a quarter of the way.
        let middle = -way.offset.dot(direction) / way.displacement.length();
        assert!((way.time(middle) - 0.25).abs() < 1e-12);
    }

    #[test]
    fn a_far_way_that_leads_past_or_ends_before_is_none() {
        let far = DVec2::new(-1e9, 0.0);
        assert!(NearbyWay::new(far, DVec2::new(2e9, 0.0), 2.0).is_some());
        assert!(NearbyWay::new(far, DVec2::new(-2e9, 0.0), 2.0).is_none(), "it leads away");
        assert!(NearbyWay::new(far, DVec2::new(2e9, 1e8), 2.0).is_none(), "it leads past");
        assert!(NearbyWay::new(far, DVec2::new(5e8, 0.0), 2.0).is_none(), "it ends half way");
        assert!(NearbyWay::new(far, DVec2::ZERO, 2.0).is_none(), "it leads nowhere");
    }
}
