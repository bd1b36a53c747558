//! Splits work over the compute pool and joins the results in order.
//!
//! DETERMINISM: parts are cut by numbers alone and joined in their order, so the number of threads
//! and who was first change nothing.

use core::ops::Range;

use bevy::tasks::ComputeTaskPool;

/// Into how many parts to cut work of this length: 1 if it is too little to share.
pub(crate) fn parts(len: usize, smallest_part: usize) -> usize {
    let threads = ComputeTaskPool::try_get().map_or(1, |pool| pool.thread_num());
    if threads > 1 { (len / smallest_part).clamp(1, threads) } else { 1 }
}

/// Lets `work` write each part of a list, in parallel when there is enough to do. It is told where
/// its part starts.
pub(crate) fn for_each_part<T: Send>(
    list: &mut [T],
    smallest_part: usize,
    work: impl Fn(usize, &mut [T]) + Sync,
) {
    let parts = parts(list.len(), smallest_part);
    if parts == 1 {
        return work(0, list);
    }
    let (size, work) = (list.len().div_ceil(parts), &work);
    ComputeTaskPool::get().scope(|scope| {
        for (part, list) in list.chunks_mut(size).enumerate() {
            scope.spawn(async move { work(part * size, list) });
        }
    });
}

/// Lists that tasks fill, kept from step to step so that a steady step allocates nothing for them.
#[derive(Debug)]
pub(crate) struct ChunkBuffers<T> {
    chunks: Vec<Vec<T>>,
}

impl<T> Default for ChunkBuffers<T> {
    fn default() -> Self {
        Self { chunks: Vec::new() }
    }
}

impl<T: Copy + Send + Sync> ChunkBuffers<T> {
    /// Lets `fill` append results for each part of `0..len`, in parallel when there is enough to
    /// do, and puts them all into `out` in order, behind the first `keep` that stand there.
    pub(crate) fn collect_into(
        &mut self,
        out: &mut Vec<T>,
        keep: usize,
        len: usize,
        smallest_part: usize,
        fill: impl Fn(Range<usize>, &mut Vec<T>) + Sync,
    ) {
        let threads = parts(len, smallest_part);
        // A few parts per thread even out parts that take longer than others.
        let parts = (len / smallest_part).clamp(1, threads * 4);
        if threads == 1 {
            out.truncate(keep);
            fill(0..len, out);
            return;
        }
        if self.chunks.len() < parts {
            self.chunks.resize_with(parts, Vec::new);
        }
        let (fill, chunks) = (&fill, &mut self.chunks[..parts]);
        ComputeTaskPool::get().scope(|scope| {
            for (part, chunk) in chunks.iter_mut().enumerate() {
                chunk.clear();
                let range = len * part / parts..len * (part + 1) / parts;
                scope.spawn(async move { fill(range, chunk) });
            }
        });
        let Some(&filler) = chunks.iter().find_map(|chunk| chunk.first()) else {
            return out.truncate(keep);
        };
        // What stood there is written over, so that only what is more costs a pass of its own.
        out.resize(keep + chunks.iter().map(Vec::len).sum::<usize>(), filler);
        let mut rest = &mut out[keep..];
        ComputeTaskPool::get().scope(|scope| {
            for chunk in chunks.iter() {
                let to = rest.split_off_mut(..chunk.len()).unwrap_or_default();
                scope.spawn(async move { to.copy_from_slice(chunk) });
            }
        });
    }
}
