//! Random games: operations on a coarse lattice, so that exact touches are frequent and near
//! misses are not.

use bevy_nudge::prelude::{CellSize, TouchRule};

use crate::op::{At, Fault, Form, Op, Turn, Who};

/// A small generator of random numbers: xorshift64* (Vigna, 2016).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        // Spreads small seeds over all bits; a state of 0 would stay 0.
        Self((seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15)) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number in `0..n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A place on the lattice: whole numbers, sometimes halves.
    fn place(&mut self, half_size: usize) -> f32 {
        let whole = self.below(2 * half_size + 1) as f32 - half_size as f32;
        if self.one_in(4) { whole + 0.5 } else { whole }
    }
}

/// A game: whether with push-out, and what happens.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    pub(crate) has_push_out: bool,
    /// Without passes of the push-out, so that swept solids stop and nothing else is moved.
    pub(crate) only_stops: bool,
    pub(crate) ops: Vec<Op>,
}

/// The game of a seed, of so many frames with steps.
pub(crate) fn script(seed: u64, steps: usize) -> Script {
    let mut random = Random::new(seed);
    let mut make = Maker {
        slots: 6 + random.below(15),
        half_size: random.pick(&[4, 6, 8]),
        has_push_out: random.one_in(3),
        // Games without strange angles have no rounding, so that every touch is decided.
        is_exact: random.one_in(2),
        has_handlers: !random.one_in(3),
        has_swept: false,
        only_stops: false,
        random,
    };
    // A push after a stop hides where that was.
    make.has_swept = make.random.one_in(2);
    make.only_stops = make.has_push_out && make.has_swept;
    let mut ops: Vec<Op> = (0..make.slots).map(|slot| make.spawn(slot)).collect();
    for slot in 0..make.slots {
        let who = Who::Nr(slot);
        if make.random.one_in(2) {
            ops.push(Op::Listen(who, true));
        }
        if make.random.one_in(4) {
            ops.push(Op::Static(who, true));
        }
        if make.has_push_out && !make.random.one_in(3) {
            ops.push(Op::Solid(who, Some(1.0)));
        }
        if make.has_swept && make.random.one_in(if make.only_stops { 2 } else { 3 }) {
            ops.push(Op::Swept(who, true));
        }
    }
    let pace = 1 + make.random.below(5);
    let mut frames = 0;
    while frames < steps {
        for _ in 0..make.random.below(2 * pace) {
            let op = make.any();
            ops.push(op);
        }
        let count = make.random.pick(&[1, 1, 1, 1, 1, 1, 0, 2, 3]);
        ops.push(Op::Frame(count));
        frames += usize::from(count > 0);
    }
    Script { has_push_out: make.has_push_out, only_stops: make.only_stops, ops }
}

#[expect(clippy::struct_excessive_bools, reason = "what a game has or has not, each by itself")]
struct Maker {
    slots: usize,
    half_size: usize,
    has_push_out: bool,
    is_exact: bool,
    has_handlers: bool,
    has_swept: bool,
    only_stops: bool,
    random: Random,
}

impl Maker {
    fn who(&mut self) -> Who {
        Who::Nr(self.random.below(self.slots))
    }

    fn at(&mut self) -> (f32, f32) {
        (self.random.place(self.half_size), self.random.place(self.half_size))
    }

    fn spawn(&mut self, slot: usize) -> Op {
        let (x, y) = self.at();
        let form = (!self.random.one_in(12)).then(|| self.form());
        Op::Spawn(slot, form, x, y)
    }

    fn form(&mut self) -> Form {
        let sizes = [0.5, 1.0, 1.0, 2.0, 2.0, 3.0, 4.0, 6.0];
        let offsets = [0.0, 0.0, 0.0, 1.0, -2.0];
        let random = &mut self.random;
        let (width, height) = (random.pick(&sizes), random.pick(&sizes));
        let (x, y) = (random.pick(&offsets), random.pick(&offsets));
        match random.below(30) {
            0..=5 => Form::Circle(x, y, random.pick(&[0.0, 0.5, 1.0, 1.0, 1.5, 2.5, 5.0])),
            6..=11 => Form::Aabb(x, y, width, height),
            12..=14 => Form::Rectangle(width, height),
            15..=17 => Form::Triangle(width, -height),
            18 => Form::Segment(width, x),
            19 => Form::Segment(0.0, height),
            20 => Form::Capsule(width, y, 0.5),
            21 => Form::Rounded(width, height, 0.5),
            22 => Form::Aabb(x, y, width, 0.0),
            23 if !self.is_exact => Form::Regular(3 + random.below(6), width),
            24 => Form::Circle(x, y, random.pick(&[-1.0, f32::NAN, f32::INFINITY])),
            25 => Form::Aabb(x, y, random.pick(&[-1.0, f32::NAN]), height),
            26 => Form::Ell(random.pick(&[2.0, 4.0, 6.0])),
            27 => Form::Ring(random.pick(&[4.0, 8.0])),
            28 | 29 => Form::Pair(width, y, random.pick(&[1.0, 2.0])),
            _ => Form::Circle(0.0, 0.0, 1.0),
        }
    }

    fn turn(&mut self) -> Turn {
        if self.is_exact {
            return self.random.pick(&[Turn::None, Turn::Half, Turn::Flip]);
        }
        match self.random.below(6) {
            0 => Turn::None,
            1 => Turn::Half,
            2 => Turn::Flip,
            3 => Turn::Quarter,
            _ => Turn::Angle(self.random.below(63) as f32 * 0.1),
        }
    }

    fn scale(&mut self) -> (f32, f32) {
        let alike = [1.0, 1.0, 2.0, 0.5, -1.0];
        let apart = [(2.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (0.5, 2.0), (-2.0, 0.5)];
        let flat = [(0.0, 1.0), (1.0, 0.0), (0.0, 0.0)];
        match self.random.below(8) {
            0..=3 => {
                let scale = self.random.pick(&alike);
                (scale, scale)
            }
            4..=6 => self.random.pick(&apart),
            _ => self.random.pick(&flat),
        }
    }

    fn any(&mut self) -> Op {
        if self.has_handlers && self.random.one_in(4) {
            let at = self.random.pick(&[At::Reader, At::UpdateReader, At::Start, At::End]);
            let op = self.about_the_event();
            return Op::Handle(at, Box::new(op));
        }
        self.direct()
    }

    /// What a handler does: often to one of the two it heard of.
    fn about_the_event(&mut self) -> Op {
        let side = self.random.pick(&[Who::SideA, Who::SideB]);
        let mut op = self.direct();
        if self.random.one_in(3) {
            return op;
        }
        match &mut op {
            Op::Despawn(who)
            | Op::Insert(who, _)
            | Op::Edit(who, _)
            | Op::Reverse(who)
            | Op::Uncollide(who)
            | Op::UncollideWithRequires(who)
            | Op::ColliderDisabled(who, _)
            | Op::Disabled(who, _)
            | Op::Listen(who, _)
            | Op::Static(who, _)
            | Op::Swept(who, _)
            | Op::Solid(who, _)
            | Op::Layers(who, _)
            | Op::Parent(who, _)
            | Op::Unparent(who)
            | Op::Move(who, ..)
            | Op::Teleport(who, ..)
            | Op::Turn(who, _)
            | Op::Scale(who, ..)
            | Op::Spoil(who, _)
            | Op::Mend(who, ..)
            | Op::Clone(who, _)
            | Op::RemoveTransform(who) => *who = side,
            _ => {}
        }
        op
    }

    fn direct(&mut self) -> Op {
        let who = self.who();
        let slot = self.random.below(self.slots);
        let (x, y) = self.at();
        if self.has_push_out && self.random.one_in(6) {
            return Op::Solid(who, Some(1.0));
        }
        if self.has_swept && self.random.one_in(if self.only_stops { 2 } else { 5 }) {
            // Farther than most things are wide.
            let by = [-12.0, -6.0, -3.5, -1.0, 0.0, 0.0, 1.0, 2.5, 6.0, 12.0];
            return match self.random.below(4) {
                0 => Op::Swept(who, !self.random.one_in(3)),
                _ => Op::Move(who, self.random.pick(&by), self.random.pick(&by)),
            };
        }
        // On is as likely as off, so that what is switched off comes back.
        let is_on = self.random.one_in(2);
        match self.random.below(100) {
            0..=6 => self.spawn(slot),
            7..=9 => Op::Reborn(slot, self.form(), x, y),
            10 => Op::Clone(who, slot),
            11..=14 => Op::Despawn(who),
            15..=18 => Op::Insert(who, self.form()),
            19..=21 => Op::Edit(who, self.form()),
            22 => Op::Reverse(who),
            23..=24 => Op::Uncollide(who),
            25 => Op::UncollideWithRequires(who),
            26..=29 => Op::ColliderDisabled(who, is_on),
            30..=33 => Op::Disabled(who, is_on),
            34..=37 => Op::Listen(who, is_on),
            38..=41 => Op::Static(who, is_on),
            42..=44 => {
                let masses = [Some(1.0), Some(3.0), Some(f32::INFINITY), Some(-1.0), None, None];
                Op::Solid(who, self.random.pick(&masses))
            }
            45..=48 => {
                let layers = [None, Some((1, 1)), Some((2, 3)), Some((3, 2)), Some((0, 0))];
                Op::Layers(who, self.random.pick(&layers))
            }
            49..=52 => Op::Parent(who, slot),
            53..=54 => Op::Unparent(who),
            55..=70 => {
                let by = [-2.0, -1.0, -1.0, 0.0, 0.0, 0.5, 1.0, 1.0, 2.0];
                Op::Move(who, self.random.pick(&by), self.random.pick(&by))
            }
            71..=75 => Op::Teleport(who, x, y),
            76..=79 => Op::Turn(who, self.turn()),
            80..=83 => {
                let (x, y) = self.scale();
                Op::Scale(who, x, y)
            }
            84..=85 => {
                let faults = [
                    Fault::NanPlace,
                    Fault::InfinitePlace,
                    Fault::NanRotation,
                    Fault::InfiniteScale,
                    Fault::NanScale,
                    Fault::HugePlace,
                ];
                Op::Spoil(who, self.random.pick(&faults))
            }
            86..=90 => Op::Mend(who, x, y),
            91 => Op::RemoveTransform(who),
            92..=93 => {
                Op::TouchRule(self.random.pick(&[TouchRule::Inclusive, TouchRule::Exclusive]))
            }
            94 => Op::Tolerance(self.random.pick(&[0.0, 0.0, 0.25, f32::NAN, -1.0])),
            95 => Op::Persisted(!self.random.one_in(3)),
            96 => {
                let sizes = [CellSize::Auto, CellSize::Fixed(1.0), CellSize::Fixed(50.0)];
                Op::Cells(self.random.pick(&sizes))
            }
            97 if self.has_push_out => Op::PushOut(is_on),
            98 if is_on => Op::Pause,
            98 => Op::SingleStep,
            _ => Op::Resume,
        }
    }
}
