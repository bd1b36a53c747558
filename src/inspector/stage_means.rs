//! Times of the stages, averaged so that they can be read.

use core::time::Duration;

use crate::{CollisionStats, StageTimes};

/// For how long times are averaged before the shown numbers change, in seconds.
const WINDOW: f64 = 0.5;

/// Mean times of the stages over the last half second of steps.
#[derive(Debug, Default)]
pub(super) struct StageMeans {
    sum: StageTimes,
    count: u32,
    last_step: u64,
    window_start: f64,
    shown: StageTimes,
}

impl StageMeans {
    /// Takes the times of the last step in, once each, and returns the means to show.
    ///
    /// `now` is any clock in seconds that never goes back.
    pub(super) fn update(&mut self, stats: &CollisionStats, now: f64) -> StageTimes {
        if stats.steps == self.last_step {
            return self.shown;
        }
        self.last_step = stats.steps;
        let times = &stats.times;
        self.sum = StageTimes {
            sync: self.sum.sync + times.sync,
            broad_phase: self.sum.broad_phase + times.broad_phase,
            narrow_phase: self.sum.narrow_phase + times.narrow_phase,
            resolve: self.sum.resolve + times.resolve,
            publish: self.sum.publish + times.publish,
        };
        self.count += 1;
        if now - self.window_start >= WINDOW || self.shown.total() == Duration::ZERO {
            let mean = |sum: Duration| sum / self.count;
            self.shown = StageTimes {
                sync: mean(self.sum.sync),
                broad_phase: mean(self.sum.broad_phase),
                narrow_phase: mean(self.sum.narrow_phase),
                resolve: mean(self.sum.resolve),
                publish: mean(self.sum.publish),
            };
            self.sum = StageTimes::default();
            self.count = 0;
            self.window_start = now;
        }
        self.shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stats(steps: u64, sync_micros: u64) -> CollisionStats {
        let sync = Duration::from_micros(sync_micros);
        CollisionStats {
            steps,
            times: StageTimes { sync, ..Default::default() },
            ..Default::default()
        }
    }

    #[test]
    fn shown_times_are_the_mean_of_half_a_second() {
        let mut means = StageMeans::default();
        let first = means.update(&stats(1, 100), 0.0);
        assert_eq!(first.sync, Duration::from_micros(100), "the first step is shown at once");
        assert_eq!(means.update(&stats(2, 300), 0.2), first, "then numbers stand still");
        assert_eq!(means.update(&stats(2, 300), 0.9), first, "no step, nothing new");
        let next = means.update(&stats(3, 500), 1.0);
        assert_eq!(next.sync, Duration::from_micros(400), "the mean of steps 2 and 3");
    }
}
