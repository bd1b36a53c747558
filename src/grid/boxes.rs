//! What a grid is built from.

use bevy::math::bounding::Aabb2d;

use super::entry::{Corners, Entry, Groups};

/// A list of boxes to be sorted.
#[derive(Debug)]
pub(crate) struct Boxes {
    list: Vec<Entry>,
    /// How many of the list are boxes. The others are from before: to write over them costs less than
    /// to make room anew.
    used: usize,
    /// The smallest box that holds all of them.
    content: Corners,
}

impl Default for Boxes {
    fn default() -> Self {
        Self { list: Vec::new(), used: 0, content: Corners::NOWHERE }
    }
}

impl Boxes {
    pub(crate) fn clear(&mut self) {
        self.used = 0;
        self.content = Corners::NOWHERE;
    }

    #[inline]
    pub(crate) fn push(&mut self, item: u32, corners: Corners, groups: Groups) {
        self.content = Corners(self.content.0.min(corners.0));
        let entry = Entry::new(item, corners, groups);
        match self.list.get_mut(self.used) {
            Some(place) => *place = entry,
            None => self.list.push(entry),
        }
        self.used += 1;
    }

    /// Makes room for so many more, which have to be written, and
    /// [included](Self::include) then.
    pub(crate) fn grow(&mut self, count: usize) -> &mut [Entry] {
        let start = self.used;
        self.used += count;
        self.list.resize(self.used.max(self.list.len()), Entry::GAP);
        &mut self.list[start..self.used]
    }

    /// Tells of the smallest box that holds what was written.
    pub(crate) fn include(&mut self, content: Corners) {
        self.content = Corners(self.content.0.min(content.0));
    }

    /// Takes one out. The last one takes its place.
    pub(crate) fn swap_remove(&mut self, index: usize) {
        self.used -= 1;
        self.list.swap(index, self.used);
    }

    /// The item and corners of one.
    pub(crate) fn get(&self, index: usize) -> (u32, Corners) {
        (self.list[index].item, self.list[index].corners())
    }

    pub(crate) fn len(&self) -> usize {
        self.used
    }

    pub(super) fn list(&self) -> &[Entry] {
        &self.list[..self.used]
    }

    /// The smallest box that holds all of them; inside out if there are none.
    pub(super) fn content(&self) -> Aabb2d {
        self.content.bounds()
    }
}

#[cfg(test)]
impl FromIterator<(u32, Aabb2d)> for Boxes {
    /// Boxes that may all pair.
    fn from_iter<I: IntoIterator<Item = (u32, Aabb2d)>>(boxes: I) -> Self {
        let mut all = Self::default();
        boxes
            .into_iter()
            .for_each(|(item, bounds)| all.push(item, Corners::new(&bounds), Groups(1, 1)));
        all
    }
}

/// How large the smallest cells are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CellChoice {
    /// So many world units, if that is a positive finite number; else as for `Fitting`.
    Fixed(f32),
    /// Most boxes just fit.
    Fitting,
    /// As they were, since the boxes have the sizes that they had.
    AsBefore,
}
