//! What moves by itself in the figure, and how long a heap lasts.

use bevy::prelude::*;
use bevy_nudge::geometry::{bounce, slide_all};

use crate::figure::Line;
use crate::palette::ANSWER;
use crate::wording::{direction, vector};

/// How long the last heap lasted.
#[derive(Clone, Copy, Default)]
pub(super) enum Heap {
    #[default]
    None,
    Parting {
        steps: u32,
    },
    Parted {
        steps: u32,
        passes: u32,
    },
}

impl Heap {
    /// Another step has been taken, and left this overlap.
    pub(super) fn step(&mut self, left: f32, allowed: f32, passes: u32) {
        if let Self::Parting { steps } = self {
            *steps += 1;
            if left <= 2.0 * allowed {
                *self = Self::Parted { steps: *steps, passes };
            }
        }
    }

    pub(super) fn words(self) -> String {
        match self {
            Self::None => String::new(),
            Self::Parting { steps } => format!(". The heap has taken {steps} steps so far"),
            Self::Parted { steps, passes } => {
                let plural = if passes == 1 { "" } else { "es" };
                format!(
                    ". The last heap took {steps} steps with {passes} pass{plural} each at most"
                )
            }
        }
    }
}

/// What bounces, and its last bounce.
pub(super) struct Bouncer {
    pub(super) velocity: Vec2,
    pub(super) last: Option<(Vec2, Vec2)>,
}

/// What slides: where it wants to go, and what is in its way.
#[derive(Default)]
pub(super) struct Slider {
    pub(super) wish: Vec2,
    pub(super) normals: Vec<Vec2>,
}

impl Slider {
    pub(super) fn velocity(&self) -> Vec2 {
        slide_all(self.wish, &self.normals)
    }
}

impl Bouncer {
    pub(super) fn bounce(&mut self, normals: &[Vec2], bounciness: f32) {
        for &normal in normals {
            if self.velocity.dot(normal) < 0.0 {
                self.last = Some((self.velocity, normal));
                self.velocity = bounce(self.velocity, normal, bounciness);
            }
        }
    }

    pub(super) fn sentence(&self) -> Line {
        let words = match self.last {
            None => "Bounce: nothing met yet".to_owned(),
            Some((before, normal)) => format!(
                "Bounce: with {} it met a normal {}, now it has {}",
                vector(before),
                direction(normal),
                vector(self.velocity)
            ),
        };
        Line::new(ANSWER, words)
    }
}

impl Slider {
    pub(super) fn sentence(&self) -> Line {
        let wish = vector(self.wish);
        let words = match &self.normals[..] {
            [] => format!("Slide: it wants {wish} and nothing is in its way"),
            normals => {
                let normals: Vec<String> = normals.iter().copied().map(direction).collect();
                let velocity = vector(self.velocity());
                format!(
                    "Slide: it wants {wish}, pushed along {}: it goes {velocity}",
                    normals.join(", ")
                )
            }
        };
        Line::new(ANSWER, words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bounce_keeps_its_speed_and_is_told() {
        let velocity = Vec2::new(150.0, -110.0);
        let mut bouncer = Bouncer { velocity, last: None };
        bouncer.bounce(&[Vec2::Y], 1.0);
        assert_eq!(bouncer.velocity, Vec2::new(150.0, 110.0));
        bouncer.bounce(&[Vec2::Y], 1.0);
        assert_eq!(bouncer.velocity, Vec2::new(150.0, 110.0), "it leaves the wall already");
        assert_eq!(
            bouncer.sentence().words,
            "Bounce: with (150, -110) it met a normal (0, 1), now it has (150, 110)"
        );
    }

    #[test]
    fn a_heap_is_counted_until_it_has_parted() {
        let mut heap = Heap::Parting { steps: 0 };
        for left in [9.0, 0.5, 0.015, 0.0] {
            heap.step(left, 0.01, 2);
        }
        assert_eq!(heap.words(), ". The last heap took 3 steps with 2 passes each at most");
    }

    #[test]
    fn a_slide_loses_what_points_into_the_wall() {
        let slider = Slider { wish: Vec2::new(60.0, -80.0), normals: vec![Vec2::Y] };
        assert_eq!(slider.velocity(), Vec2::new(60.0, 0.0));
        assert_eq!(
            slider.sentence().words,
            "Slide: it wants (60, -80), pushed along (0, 1): it goes (60, 0)"
        );
    }
}
