//! The choice of the cell size.

use super::level::FILL;

/// Boxes counted by the binary exponent of their size.
#[derive(Debug)]
pub(super) struct SizeHistogram {
    /// Count and largest size for each exponent of an `f32`.
    buckets: [(u32, f64); 256],
}

impl Default for SizeHistogram {
    fn default() -> Self {
        Self { buckets: [(0, 0.0); 256] }
    }
}

impl SizeHistogram {
    /// A cell size that most boxes just fit into.
    ///
    /// "Most" are those up to twice as large as the smallest quarter: few huge boxes must not
    /// make the cells huge for everyone, and they have levels of their own.
    pub(super) fn fitting_cell(&mut self, sizes: impl Iterator<Item = f64>) -> f64 {
        self.buckets = [(0, 0.0); 256];
        let mut count = 0;
        for size in sizes {
            let exponent = ((size as f32).to_bits() >> 23) & 0xff;
            let bucket = &mut self.buckets[exponent as usize];
            *bucket = (bucket.0 + 1, bucket.1.max(size));
            count += 1;
        }
        let mut seen = 0;
        let quarter = self.buckets.iter().position(|bucket| {
            seen += bucket.0;
            seen > count / 4
        });
        let quarter = quarter.unwrap_or(0);
        let fitting = self.buckets[quarter..(quarter + 2).min(256)]
            .iter()
            .fold(0.0_f64, |fit, bucket| fit.max(bucket.1));
        // Points have no size at all; any cell serves when nothing has one.
        // A little more, or rounding would leave the largest of them out.
        if fitting > 0.0 { fitting / FILL * (1.0 + 1e-12) } else { 1.0 }
    }
}
