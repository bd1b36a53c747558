//! Splits work over the compute pool and joins the results in order.

use core::ops::Range;

use bevy::tasks::ComputeTaskPool;

/// Lists that tasks fill, kept from step to step so that a steady step allocates nothing for them.
#[derive(Debug)]
pub(super) struct ChunkBuffers<T> {
    chunks: Vec<Vec<T>>,
}

impl<T> Default for ChunkBuffers<T> {
    fn default() -> Self {
        Self { chunks: Vec::new() }
    }
}

impl<T: Copy + Send> ChunkBuffers<T> {
    /// Lets `fill` append results for each part of `0..len`, in parallel when there is enough to
    /// do, and appends them all to `out`.
    ///
    /// DETERMINISM: the parts are joined in their order, so the number of threads and who was
    /// first change nothing.
    pub(super) fn collect_into(
        &mut self,
        out: &mut Vec<T>,
        len: usize,
        smallest_part: usize,
        fill: impl Fn(Range<usize>, &mut Vec<T>) + Sync,
    ) {
        let threads = ComputeTaskPool::try_get().map_or(1, |pool| pool.thread_num());
        // A few parts per thread even out parts that take longer than others.
        let parts = if threads > 1 { (len / smallest_part).clamp(1, threads * 4) } else { 1 };
        if parts == 1 {
            fill(0..len, out);
            return;
        }
        if self.chunks.len() < parts {
            self.chunks.resize_with(parts, Vec::new);
        }
        let fill = &fill;
        ComputeTaskPool::get().scope(|scope| {
            for (part, chunk) in self.chunks[..parts].iter_mut().enumerate() {
                chunk.clear();
                let range = len * part / parts..len * (part + 1) / parts;
                scope.spawn(async move { fill(range, chunk) });
            }
        });
        for chunk in &self.chunks[..parts] {
            out.extend_from_slice(chunk);
        }
    }
}
