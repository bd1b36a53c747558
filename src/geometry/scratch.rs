//! Short lists that are made and dropped all the time, without asking for memory each time.
//!
//! Contacts of concave shapes and of moving polygons need many lists of a few entries, made anew
//! for each pair. A list that outgrows its place on the stack takes its memory from a store of the
//! thread, and gives it back when it is dropped; so a steady step allocates nothing. The stores
//! hold as much as was ever in use at once.

use core::cell::RefCell;
use core::ops::{Deref, DerefMut};
use std::thread::LocalKey;

use bevy::math::{DVec2, Vec2};
use smallvec::{Array, SmallVec};

/// What lists of it are kept in a store for.
pub(super) trait Stored: Sized + 'static {
    /// Empty lists, ready to be used again.
    fn store() -> &'static LocalKey<RefCell<Vec<Vec<Self>>>>;
}

/// Makes lists of a type use their memory again.
macro_rules! stored {
    ($type:ty) => {
        impl $crate::geometry::scratch::Stored for $type {
            fn store() -> &'static std::thread::LocalKey<core::cell::RefCell<Vec<Vec<Self>>>> {
                std::thread_local! {
                    static STORE: core::cell::RefCell<Vec<Vec<$type>>> =
                        const { core::cell::RefCell::new(Vec::new()) };
                }
                &STORE
            }
        }
    };
}
pub(super) use stored;

stored!(usize);
stored!(Vec2);
stored!(DVec2);
stored!((f64, f64));
stored!((DVec2, DVec2));
stored!([u32; 2]);

const LEAST_ROOM: usize = 64;

/// A list with room for a few entries in place: `ScratchList<[T; N]>`.
pub(super) struct ScratchList<A: Array<Item: Stored>>(SmallVec<A>);

impl<A: Array<Item: Stored>> ScratchList<A> {
    pub(super) fn new() -> Self {
        Self(SmallVec::new())
    }

    pub(super) fn push(&mut self, item: A::Item) {
        if self.0.len() == self.0.capacity() && !self.0.spilled() {
            self.move_to_the_heap();
        }
        self.0.push(item);
    }

    fn move_to_the_heap(&mut self) {
        let mut list = A::Item::store().with(|store| store.borrow_mut().pop()).unwrap_or_default();
        // With less room than in place `from_vec` would not take it. Most lists never need more than
        // this, so that it does not matter which of those in the store one gets.
        list.reserve(self.0.len() + LEAST_ROOM);
        list.extend(self.0.drain(..));
        self.0 = SmallVec::from_vec(list);
    }

    pub(super) fn pop(&mut self) -> Option<A::Item> {
        self.0.pop()
    }

    pub(super) fn drain(&mut self) -> impl Iterator<Item = A::Item> {
        self.0.drain(..)
    }

    pub(super) fn retain(&mut self, is_kept: impl FnMut(&mut A::Item) -> bool) {
        self.0.retain(is_kept);
    }

    pub(super) fn dedup(&mut self)
    where
        A::Item: PartialEq,
    {
        self.0.dedup();
    }
}

impl<A: Array<Item: Stored>> Drop for ScratchList<A> {
    fn drop(&mut self) {
        if self.0.spilled() {
            let mut list = core::mem::take(&mut self.0).into_vec();
            list.clear();
            // The store may be gone already when a thread ends.
            let _ = A::Item::store().try_with(|store| store.borrow_mut().push(list));
        }
    }
}

impl<A: Array<Item: Stored>> Deref for ScratchList<A> {
    type Target = [A::Item];

    fn deref(&self) -> &[A::Item] {
        &self.0
    }
}

impl<A: Array<Item: Stored>> DerefMut for ScratchList<A> {
    fn deref_mut(&mut self) -> &mut [A::Item] {
        &mut self.0
    }
}

impl<A: Array<Item: Stored>> Extend<A::Item> for ScratchList<A> {
    fn extend<I: IntoIterator<Item = A::Item>>(&mut self, items: I) {
        items.into_iter().for_each(|item| self.push(item));
    }
}

impl<A: Array<Item: Stored>> FromIterator<A::Item> for ScratchList<A> {
    fn from_iter<I: IntoIterator<Item = A::Item>>(items: I) -> Self {
        let mut list = Self::new();
        list.extend(items);
        list
    }
}

impl<'a, A: Array<Item: Stored>> IntoIterator for &'a ScratchList<A> {
    type Item = &'a A::Item;
    type IntoIter = core::slice::Iter<'a, A::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<A: Array<Item: Stored + Clone>> Clone for ScratchList<A> {
    fn clone(&self) -> Self {
        self.iter().cloned().collect()
    }
}

impl<A: Array<Item: Stored + core::fmt::Debug>> core::fmt::Debug for ScratchList<A> {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_grows_like_any_other() {
        for len in [0, 1, 2, 3, 4, 5, 100] {
            let mut list: ScratchList<[usize; 2]> = (0..len).collect();
            let expected: Vec<usize> = (0..len).collect();
            assert_eq!(list[..], expected[..]);
            assert_eq!(list.clone()[..], expected[..]);
            list.retain(|i| *i % 2 == 0);
            assert_eq!(list.len(), len.div_ceil(2));
            assert_eq!(list.drain().last(), expected.iter().copied().rfind(|i| i % 2 == 0));
        }
    }

    #[test]
    fn memory_is_used_again() {
        let long = || (0..1000).collect::<ScratchList<[usize; 2]>>();
        let place = long().as_ptr();
        assert_eq!(long().as_ptr(), place);
        // Two at once need two of them.
        let (one, other) = (long(), long());
        assert_ne!(one.as_ptr(), other.as_ptr());
    }
}
