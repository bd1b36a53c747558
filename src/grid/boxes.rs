//! What a grid is built from.

use bevy::math::bounding::Aabb2d;

use super::entry::{Corners, Entry, Groups};

/// A list of boxes to be sorted.
#[derive(Debug)]
pub(crate) struct Boxes {
    pub(super) list: Vec<Entry>,
    /// The smallest box that holds all of them.
    content: Corners,
}

impl Default for Boxes {
    fn default() -> Self {
        Self { list: Vec::new(), content: Corners::NOWHERE }
    }
}

impl Boxes {
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.content = Corners::NOWHERE;
    }

    #[inline]
    pub(crate) fn push(&mut self, item: u32, corners: Corners, groups: Groups) {
        self.content = Corners(self.content.0.min(corners.0));
        self.list.push(Entry::new(item, corners, groups));
    }

    /// The item and corners of one.
    pub(crate) fn get(&self, index: usize) -> (u32, Corners) {
        (self.list[index].item, self.list[index].corners())
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
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
