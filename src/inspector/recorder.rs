//! Puts the colliders of a step together, block by block.

use core::ops::Range;
use std::sync::Arc;

use bevy::prelude::*;

use crate::CollisionLayers;
use crate::geometry::PlacedShape;

use super::recorded_colliders::{
    Block, ColliderFlags, ColliderTraits, RecordedColliders, Roll, Shapes, TableTraits,
};

/// The most colliders of a block. Where one of them changes, the block is copied whole.
pub(super) const BLOCK: usize = 64;

/// How many blocks of the step before may be gone for the ones behind them to be shared still.
const LOOK_AHEAD: usize = 4;

/// What else is seen of a collider beside its shape.
#[derive(Clone, Copy)]
pub(super) struct SeenTraits<'a> {
    pub(super) name: Option<&'a str>,
    pub(super) kind: &'static str,
    pub(super) layers: CollisionLayers,
    pub(super) flags: ColliderFlags,
}

impl<'a> From<&'a ColliderTraits> for SeenTraits<'a> {
    fn from(traits: &'a ColliderTraits) -> Self {
        let ColliderTraits { name, kind, layers, flags } = traits;
        Self { name: name.as_deref(), kind, layers: *layers, flags: *flags }
    }
}

impl SeenTraits<'_> {
    fn are(&self, traits: &ColliderTraits) -> bool {
        let ColliderTraits { name, kind, layers, flags } = traits;
        (self.name, self.kind) == (name.as_deref(), *kind)
            && (self.layers, self.flags) == (*layers, *flags)
    }

    fn keep(&self) -> ColliderTraits {
        let Self { name, kind, layers, flags } = *self;
        ColliderTraits { name: name.map(str::to_owned), kind, layers, flags }
    }
}

/// Colliders to record, one after the other.
pub(super) trait Neighbours<'a> {
    fn entities(&self) -> &[Entity];

    fn shape(&self, place: usize) -> Option<&'a PlacedShape>;

    fn traits(&self, place: usize) -> SeenTraits<'a>;

    /// The table of the ECS that these are from; none if they are from none or several.
    fn table(&self) -> Option<TableTraits> {
        None
    }

    /// Whether the traits of these are known to be those of the step before, if the same entities
    /// were in the same table then. False where it is not known.
    fn are_traits_unchanged(&self, _places: Range<usize>) -> bool {
        false
    }
}

/// Puts the colliders of a step together. What is as it was in the step before is shared with it.
pub(super) struct Recorder<'a> {
    /// The blocks of the step before that are not behind.
    former: &'a [Block],
    /// Blocks that nobody needs any more, for their memory.
    spare: std::vec::IntoIter<Block>,
    done: RecordedColliders,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(former: Option<&'a RecordedColliders>, spare: RecordedColliders) -> Self {
        let former = former.map_or(&[][..], |former| &former.blocks);
        let mut done = RecordedColliders::default();
        done.blocks.reserve(former.len());
        Self { former, spare: spare.blocks.into_iter(), done }
    }

    /// Adds colliders. Those that come in the same order in each step are shared best.
    pub(super) fn add<'n>(&mut self, neighbours: &impl Neighbours<'n>) {
        let len = neighbours.entities().len();
        for start in (0..len).step_by(BLOCK) {
            self.add_block(neighbours, start..len.min(start + BLOCK));
        }
    }

    /// All that were added.
    pub(super) fn finish(self) -> RecordedColliders {
        self.done
    }

    fn add_block<'n>(&mut self, neighbours: &impl Neighbours<'n>, places: Range<usize>) {
        let former = self.take_former(neighbours.entities()[places.start]);
        let spare = self.spare.next().map(|Block { roll, shapes }| (roll, shapes)).unzip();
        let has_roll = |block: &&Block| is_roll(&block.roll, neighbours, places.clone());
        let roll = match former.filter(has_roll) {
            Some(block) => {
                self.done.shared_bytes += block.roll.bytes;
                Arc::clone(&block.roll)
            }
            None => self.new_roll(spare.0, neighbours, places.clone()),
        };
        let has_shapes = |block: &&Block| {
            let shapes = block.shapes.list.iter().map(Option::as_ref);
            shapes.eq(places.clone().map(|place| neighbours.shape(place)))
        };
        let shapes = match former.filter(has_shapes) {
            Some(block) => {
                self.done.shared_bytes += block.shapes.bytes;
                Arc::clone(&block.shapes)
            }
            None => self.new_shapes(spare.1, neighbours, places.clone()),
        };
        self.done.all_bytes += roll.bytes + shapes.bytes;
        self.done.blocks.push(Block { roll, shapes });
        self.done.len += places.len();
    }

    /// The block of the step before that begins with this entity.
    fn take_former(&mut self, first: Entity) -> Option<&'a Block> {
        let begins = |block: &Block| block.roll.entities.first() == Some(&first);
        let place = self.former.iter().take(LOOK_AHEAD).position(begins)?;
        let found = &self.former[place];
        self.former = &self.former[place + 1..];
        Some(found)
    }

    fn new_roll<'n>(
        &mut self,
        spare: Option<Arc<Roll>>,
        neighbours: &impl Neighbours<'n>,
        places: Range<usize>,
    ) -> Arc<Roll> {
        let mut roll = spare.and_then(Arc::into_inner).unwrap_or_default();
        roll.entities.clear();
        roll.entities.extend_from_slice(&neighbours.entities()[places.clone()]);
        roll.traits.clear();
        roll.traits.extend(places.map(|place| neighbours.traits(place).keep()));
        roll.table = neighbours.table();
        let names = roll.traits.iter().filter_map(|traits| traits.name.as_ref());
        roll.bytes = COUNTS
            + size_of::<Roll>()
            + roll.entities.capacity() * size_of::<Entity>()
            + roll.traits.capacity() * size_of::<ColliderTraits>()
            + names.map(String::capacity).sum::<usize>();
        Arc::new(roll)
    }

    fn new_shapes<'n>(
        &mut self,
        spare: Option<Arc<Shapes>>,
        neighbours: &impl Neighbours<'n>,
        places: Range<usize>,
    ) -> Arc<Shapes> {
        let mut shapes = spare.and_then(Arc::into_inner).unwrap_or_default();
        shapes.list.clear();
        shapes.list.extend(places.map(|place| neighbours.shape(place).cloned()));
        let held = |shape: &PlacedShape| shape.memory_size() - size_of::<PlacedShape>();
        shapes.bytes = COUNTS
            + size_of::<Shapes>()
            + shapes.list.capacity() * size_of::<Option<PlacedShape>>()
            + shapes.list.iter().flatten().map(held).sum::<usize>();
        Arc::new(shapes)
    }
}

/// What an `Arc` keeps beside what it holds.
const COUNTS: usize = 2 * size_of::<usize>();

/// Whether a block of the step before says of these what is true.
fn is_roll<'n>(roll: &Roll, neighbours: &impl Neighbours<'n>, places: Range<usize>) -> bool {
    let is_same_table = roll.table.is_some() && roll.table == neighbours.table();
    let are_same = || places.clone().zip(&roll.traits).all(|(i, t)| neighbours.traits(i).are(t));
    roll.entities == neighbours.entities()[places.clone()]
        && ((is_same_table && neighbours.are_traits_unchanged(places.clone())) || are_same())
}

/// Colliders that are told of one by one.
#[derive(Default)]
pub(super) struct Listed<'a> {
    entities: Vec<Entity>,
    rest: Vec<(Option<&'a PlacedShape>, SeenTraits<'a>)>,
}

impl<'a> Listed<'a> {
    pub(super) fn push(
        &mut self,
        entity: Entity,
        shape: Option<&'a PlacedShape>,
        traits: SeenTraits<'a>,
    ) {
        self.entities.push(entity);
        self.rest.push((shape, traits));
    }
}

impl<'a> Neighbours<'a> for Listed<'a> {
    fn entities(&self) -> &[Entity] {
        &self.entities
    }

    fn shape(&self, place: usize) -> Option<&'a PlacedShape> {
        self.rest[place].0
    }

    fn traits(&self, place: usize) -> SeenTraits<'a> {
        self.rest[place].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of points, each at its number.
    struct Row {
        entities: Vec<Entity>,
        shapes: Vec<PlacedShape>,
        /// How many are in the first table.
        movers: usize,
    }

    impl Row {
        fn new(count: u16) -> Self {
            let mut world = World::new();
            let numbers = 0..count;
            Self {
                entities: numbers.clone().map(|_| world.spawn_empty().id()).collect(),
                shapes: numbers.map(|n| PlacedShape::point(Vec2::splat(f32::from(n)))).collect(),
                movers: 0,
            }
        }

        fn record(
            &self,
            former: Option<&RecordedColliders>,
            spare: RecordedColliders,
        ) -> RecordedColliders {
            let traits = ColliderTraits::default();
            let mut recorder = Recorder::new(former, spare);
            let mut listed = Listed::default();
            for (place, (entity, shape)) in self.entities.iter().zip(&self.shapes).enumerate() {
                // As in the ECS: those that are static are in another table.
                if place == self.movers {
                    recorder.add(&core::mem::take(&mut listed));
                }
                listed.push(*entity, Some(shape), (&traits).into());
            }
            recorder.add(&listed);
            recorder.finish()
        }

        #[track_caller]
        fn assert_is(&self, colliders: &RecordedColliders) {
            assert_eq!(colliders.len(), self.entities.len());
            let shapes: Vec<_> = colliders.iter().filter_map(|collider| collider.shape).collect();
            assert_eq!(shapes, self.shapes.iter().collect::<Vec<_>>());
            for (entity, shape) in self.entities.iter().zip(&self.shapes) {
                let found = colliders.get(*entity).expect("there");
                assert_eq!((found.entity, found.shape), (*entity, Some(shape)));
            }
        }

        fn remove(&mut self, places: core::ops::Range<usize>) {
            self.entities.drain(places.clone());
            self.shapes.drain(places.clone());
            self.movers = self.movers.saturating_sub(places.len());
        }

        fn move_all(&mut self, to: f32) {
            self.shapes.fill(PlacedShape::point(Vec2::splat(to)));
        }
    }

    /// How many blocks of a step have both parts in common with another.
    fn shared_blocks(one: &RecordedColliders, other: &RecordedColliders) -> usize {
        let is_shared = |block: &&Block| {
            other.blocks.iter().any(|other| {
                Arc::ptr_eq(&block.roll, &other.roll) && Arc::ptr_eq(&block.shapes, &other.shapes)
            })
        };
        one.blocks.iter().filter(is_shared).count()
    }

    #[test]
    fn colliders_are_found_in_whatever_order_they_stand() {
        let mut row = Row::new(200);
        row.entities.reverse();
        row.entities.swap(3, 90);
        let stranger = row.entities[199];
        row.remove(199..200);
        let colliders = row.record(None, RecordedColliders::default());
        let before = colliders.own_bytes();
        row.assert_is(&colliders);
        assert!(colliders.get(stranger).is_none());
        assert_eq!(
            colliders.own_bytes(),
            before,
            "what the search needs is counted from the start"
        );
    }

    #[test]
    fn only_the_block_that_changed_takes_memory_again() {
        let mut row = Row::new(640);
        let first = row.record(None, RecordedColliders::default());
        assert_eq!((first.blocks.len(), first.shared_bytes()), (10, 0));
        let same = row.record(Some(&first), RecordedColliders::default());
        assert_eq!(shared_blocks(&same, &first), 10);
        assert_eq!((same.shared_bytes(), same.all_bytes()), (first.all_bytes(), first.all_bytes()));
        row.shapes[100] = PlacedShape::point(Vec2::NEG_ONE);
        let moved = row.record(Some(&same), RecordedColliders::default());
        let one = moved.all_bytes() - moved.shared_bytes();
        row.assert_is(&moved);
        assert_eq!(shared_blocks(&moved, &first), 9);
        let shapes = BLOCK * size_of::<Option<PlacedShape>>();
        assert!((shapes..shapes + 100).contains(&one), "the shapes, not the traits: {one}");
    }

    #[test]
    fn memory_of_a_step_that_nobody_needs_is_used_again_and_no_other() {
        let mut row = Row::new(100);
        let kept = row.record(None, RecordedColliders::default());
        let before = row.shapes.clone();
        row.move_all(-1.0);
        let spare = row.record(Some(&kept), RecordedColliders::default());
        let memory = spare.blocks[0].shapes.list.as_ptr();
        row.move_all(-2.0);
        // Its traits are those of the step that is kept.
        let last = row.record(Some(&kept), spare);
        assert_eq!(last.blocks[0].shapes.list.as_ptr(), memory);
        row.assert_is(&last);
        row.shapes = before;
        row.assert_is(&kept);
    }

    #[test]
    fn static_colliders_stay_shared_while_movers_come_and_go() {
        let mut row = Row::new(640);
        row.movers = 100;
        let first = row.record(None, RecordedColliders::default());
        // 64 and 36 movers, and 540 static ones.
        assert_eq!(first.blocks.len(), 2 + 9);
        row.remove(50..51);
        let second = row.record(Some(&first), RecordedColliders::default());
        row.assert_is(&second);
        assert_eq!(shared_blocks(&second, &first), 9);
        // So many that a block is gone.
        row.remove(0..60);
        let third = row.record(Some(&second), RecordedColliders::default());
        row.assert_is(&third);
        assert_eq!((third.blocks.len(), shared_blocks(&third, &second)), (1 + 9, 9));
        // A static one goes, and the last takes its place, as in a table of the ECS.
        row.entities.swap_remove(200);
        row.shapes.swap_remove(200);
        let fourth = row.record(Some(&third), RecordedColliders::default());
        row.assert_is(&fourth);
        assert_eq!(shared_blocks(&fourth, &third), 10 - 2);
    }

    #[test]
    fn what_is_told_of_a_table_is_believed_only_of_that_table() {
        struct Told {
            entities: [Entity; 2],
            name: &'static str,
            table: TableTraits,
            is_unchanged: bool,
        }
        impl Neighbours<'static> for Told {
            fn entities(&self) -> &[Entity] {
                &self.entities
            }
            fn shape(&self, _: usize) -> Option<&'static PlacedShape> {
                None
            }
            fn traits(&self, _: usize) -> SeenTraits<'static> {
                let none = ColliderTraits::default();
                let (kind, layers, flags) = (none.kind, none.layers, self.table.flags);
                SeenTraits { name: Some(self.name), kind, layers, flags }
            }
            fn table(&self) -> Option<TableTraits> {
                Some(self.table)
            }
            fn are_traits_unchanged(&self, _: Range<usize>) -> bool {
                self.is_unchanged
            }
        }
        let record = |told: &Told, former: Option<&RecordedColliders>| {
            let mut recorder = Recorder::new(former, RecordedColliders::default());
            recorder.add(told);
            recorder.finish()
        };
        let name = |colliders: &RecordedColliders| {
            colliders.iter().next().and_then(|first| first.traits.name.clone()).expect("a name")
        };
        let flags = ColliderFlags::default();
        let table = TableTraits { flags, has_layers: true, has_name: true };
        let mut world = World::new();
        let entities = [(); 2].map(|()| world.spawn_empty().id());
        let mut told = Told { entities, name: "old", table, is_unchanged: false };
        let first = record(&told, None);
        told.name = "new";
        assert_eq!(name(&record(&told, Some(&first))), "new", "compared");
        told.is_unchanged = true;
        assert_eq!(name(&record(&told, Some(&first))), "old", "believed");
        told.table.flags.is_solid = true;
        assert_eq!(name(&record(&told, Some(&first))), "new", "of another table");
        told.table = table;
        told.entities.swap(0, 1);
        assert_eq!(name(&record(&told, Some(&first))), "new", "of other entities");
    }
}
