//! Collision geometry, usable without an app: shapes in, contacts out.
//!
//! # Conventions
//!
//! - x to the right, y up, angles counter-clockwise; lengths in world units, `f32`.
//! - Shapes are closed: their boundary belongs to them.
//! - A [`Shape`] lies in the local space of its entity. [`PlacedShape`] is the same shape in the
//!   world, and all functions take placed shapes.
//! - Of a pair, A is the first argument and B the second. The **normal** is a unit vector from A
//!   towards B. The **depth** is never negative. The **minimum translation vector** (MTV) is
//!   `depth * normal`: the shortest move of B that leaves the two only touching.
//! - The **separation** is signed: the distance when apart, minus the depth when overlapping.
//! - A concave or compound shape is the union of its convex pieces: one solid, whatever the cut.
//!   What lies on a seam between two pieces lies inside it.
//! - [`Touch`] decides when a pair touches and whether that is a contact, for every function here.
//!
//! # Questions
//!
//! | Question | Function |
//! |---|---|
//! | do two shapes meet, where, and how do they part | [`contact`], [`overlaps`] |
//! | how far apart, and which points are nearest | [`separation`] |
//! | is a point inside, and where is the boundary | [`contains_point`], [`locate_point`], [`project_point`] |
//! | where does a ray or segment hit | [`cast_ray`] |
//! | when does a moving shape arrive | [`sweep`] |
//! | why do two convex shapes meet | [`visit_axes`] |
//! | is a point inside any closed line, crossing itself or not | [`locate_in_outline`], [`winding_number`], [`crossing_count`] |
//! | what becomes of a velocity | [`slide`], [`slide_all`], [`bounce`] |
//!
//! # What "exact" means
//!
//! The shape is what placing it gave: an `f32` origin in the world and `f32` vertices (or corners,
//! or a radius) relative to it. Tests are computed from these numbers in double precision and
//! rounded once at the end; the only single precision numbers in between are the unit normals of
//! polygon edges.
//!
//! - *Whether* two placed shapes overlap, touch or are apart is decided rightly everywhere outside
//!   the tolerance band of [`Touch`]: `4 * f32::EPSILON` times the sizes of the two, plus the
//!   game's own slop.
//! - *How deep* and *how far* is right to `2 * f32::EPSILON` times the sizes of the two, plus the
//!   rounding of the result itself; choosing among tied axes can add as much again.
//! - Points are right to that bound plus the rounding of a world coordinate.
//! - Of two shapes of which one is a million million times the size of the other, or which are so much
//!   longer than wide, or have parts so far from each other, normals and points are finite numbers, and
//!   no more than that.
//!
//! Results are the same on every machine: only `+ - * /` and square roots are used, which IEEE 754
//! fixes.
//!
//! # Memory
//!
//! The functions here allocate nothing, once a thread has seen shapes of so many vertices and pieces:
//! short lists use the memory of those before. Only those that answer with a list make one.

mod approach;
mod boundary;
mod canonical;
mod circles;
mod collide;
mod compound;
mod concave;
mod contact;
mod contact_point;
mod convex;
mod cut;
mod distance;
mod explain;
mod half_planes;
mod orientation;
mod outline;
mod pieces;
mod placed;
mod point;
mod polygon;
mod ray;
mod response;
mod sat;
mod scratch;
mod shape;
mod support;
mod sweep;
mod touch;
mod union;
mod way_out;

pub(crate) use circles::{CirclePairs, LANES, contact_of_circles};
pub use collide::{contact, overlaps};
pub(crate) use collide::{contact_of_convex, may_touch};
pub use compound::{Compound, CompoundError, CompoundPart};
pub use concave::{ConcaveError, ConcavePolygon, Ring, RingPlace};
pub use contact::{Contact, ContactStatus, Separation};
pub use distance::separation;
pub use explain::{ExplainedAxis, Explanation, explain};
pub(crate) use half_planes::{HalfPlane, nearest_in_half_planes};
pub use outline::{
    FillRule, OutlineProjection, crossing_count, is_left_of_all_edges, locate_in_outline,
    project_on_outline, ray_crossings, signed_distance_to_outline, winding_number,
};
pub(crate) use placed::Disc;
pub use placed::{Edge, FormCore, FormError, PlacedForm, PlacedShape, PlacementError};
pub use point::{PointLocation, PointProjection, contains_point, locate_point, project_point};
pub use polygon::{ConvexPolygon, PolygonError};
pub use ray::{Ray, RayError, RayHit, StartInside, cast_ray};
pub use response::{bounce, slide, slide_all};
pub use sat::{AxisListener, AxisSource, Interval, SeparatingAxis, visit_axes};
pub use shape::{Aabb, Circle, Shape, ShapeError};
pub(crate) use sweep::{
    FirstTouch, SweptPair, TwoPieces, piece_by_piece, sweep_between, thickness_along, two_pieces,
    way_into,
};
pub use sweep::{Impact, sweep};
pub use touch::{Relation, Touch, TouchRule};
