//! Solids with dents and holes: outlines that are cut into convex pieces once.

use core::fmt;
use std::sync::Arc;

use bevy::math::Vec2;
use bevy::reflect::{Reflect, std_traits::ReflectDefault};
use thiserror::Error;

use super::cut::{Cut, Rings};

/// One of the closed lines that bound a solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ring {
    /// The outer one.
    Outline,
    /// A hole, counted from 0.
    Hole(usize),
}

impl fmt::Display for Ring {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outline => formatter.write_str("the outline"),
            Self::Hole(hole) => write!(formatter, "hole {hole}"),
        }
    }
}

/// A vertex of a ring, or the edge that starts there, counted from 0 in the given list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RingPlace {
    /// Which ring.
    pub ring: Ring,
    /// Which of its points.
    pub index: usize,
}

impl fmt::Display for RingPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "vertex {} of {}", self.index, self.ring)
    }
}

/// Why outlines bound no solid.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ConcaveError {
    /// A coordinate is NaN or infinite.
    #[error("{vertex} at {point} is not finite")]
    NonFinite {
        /// Which vertex.
        vertex: RingPlace,
        /// Where it is.
        point: Vec2,
    },
    /// Fewer than three different points.
    #[error("{distinct} different points are too few for {ring}: it needs 3")]
    TooFewVertices {
        /// Which ring.
        ring: Ring,
        /// How many different points there are.
        distinct: usize,
    },
    /// All points lie on one line.
    #[error("{ring} encloses no area")]
    NoArea {
        /// Which ring.
        ring: Ring,
    },
    /// Two edges cross, of one ring or of two.
    #[error("the edge that starts at {edge} crosses the one that starts at {other_edge}")]
    Crossing {
        /// One edge.
        edge: RingPlace,
        /// The other.
        other_edge: RingPlace,
    },
    /// A vertex lies on an edge it does not belong to: the outline touches itself or another.
    #[error("{vertex} lies on the edge that starts at {edge}")]
    Touching {
        /// The vertex.
        vertex: RingPlace,
        /// The edge.
        edge: RingPlace,
    },
    /// Two vertices lie at one point without following each other: the outline touches itself or
    /// another.
    #[error("{vertex} and {other_vertex} are at the same point")]
    SharedPoint {
        /// One vertex.
        vertex: RingPlace,
        /// The other.
        other_vertex: RingPlace,
    },
    /// A hole lies outside the outline, or around it.
    #[error("hole {hole} does not lie inside the outline")]
    HoleOutside {
        /// Which hole.
        hole: usize,
    },
    /// A hole lies inside another.
    #[error("hole {hole} lies inside hole {other}")]
    HoleInHole {
        /// The inner one.
        hole: usize,
        /// The outer one.
        other: usize,
    },
    /// The outline is sound, but the cut failed. Never seen; please report the outline.
    #[error("the solid could not be cut into convex pieces; please report this outline")]
    NotCut,
}

/// A polygon that may have dents and holes, in the local space of its entity, with which it turns.
///
/// Its outline must be simple: it neither crosses nor touches itself. Holes lie inside it, apart
/// from it and from each other. The solid is cut into convex pieces once, at construction, and the
/// pieces tile it exactly: they use its own corners and no others.
///
/// ```
/// use bevy::math::Vec2;
/// use bevy_nudge::geometry::{ConcavePolygon, ConcaveError};
///
/// let notched = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 2.0), (0.0, 4.0)].map(Vec2::from);
/// let polygon = ConcavePolygon::new(notched)?;
/// assert_eq!(polygon.piece_count(), 2);
///
/// let bow_tie = [(0.0, 0.0), (2.0, 2.0), (2.0, 0.0), (0.0, 2.0)].map(Vec2::from);
/// assert!(matches!(ConcavePolygon::new(bow_tie), Err(ConcaveError::Crossing { .. })));
/// # Ok::<(), ConcaveError>(())
/// ```
///
/// # Reflection
/// `outline` and `holes` are reflected, the pieces are not: scene files list the outline alone,
/// and after an edit the pieces are cut anew where they are needed. In a scene file either winding
/// will do, as in the constructors.
#[derive(Clone, Debug, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub struct ConcavePolygon {
    outline: Vec<Vec2>,
    holes: Vec<Vec<Vec2>>,
    /// May be of other rings than the above, after an edit by reflection.
    #[reflect(ignore)]
    cut: Arc<Cut>,
}

impl PartialEq for ConcavePolygon {
    /// Compares the outline and the holes.
    fn eq(&self, other: &Self) -> bool {
        self.outline == other.outline && self.holes == other.holes
    }
}

impl Default for ConcavePolygon {
    /// An L: a square of side 1 around the entity, without its upper right quarter.
    fn default() -> Self {
        let corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.0), (0.0, 0.0), (0.0, 0.5), (-0.5, 0.5)];
        let outline = corners.map(Vec2::from).to_vec();
        let cut = Cut::new(Rings { outline: outline.clone(), holes: Vec::new() });
        Self { outline, holes: Vec::new(), cut: Arc::new(cut.unwrap_or_default()) }
    }
}

impl ConcavePolygon {
    /// The polygon with this outline, in either winding.
    ///
    /// Points repeated in a row and points exactly between their neighbours are dropped, which
    /// does not change the solid. A convex outline is taken too, as a single piece.
    ///
    /// # Errors
    /// Names the rule that the points break, and the vertices or edges where they do: not finite,
    /// too few, no area, crossing or touching itself.
    ///
    /// # Cost
    /// About O(n log n) for n points of ordinary outlines, O(n²) at worst.
    ///
    /// # Method
    /// A constrained Delaunay triangulation, by the `spade` crate, whose inner edges are left out
    /// where the pieces stay convex (Hertel and Mehlhorn, *Fast triangulation of simple polygons*,
    /// 1983). All signs are exact.
    pub fn new(outline: impl IntoIterator<Item = Vec2>) -> Result<Self, ConcaveError> {
        Self::from_rings(Rings { outline: outline.into_iter().collect(), holes: Vec::new() })
    }

    /// The polygon with this outline and these holes, each in either winding.
    ///
    /// # Errors
    /// As [`new`](Self::new), for each ring; rings that cross or touch each other, a hole outside
    /// the outline or inside another hole.
    ///
    /// # Cost
    /// As [`new`](Self::new), for the points of all rings together.
    pub fn with_holes(
        outline: impl IntoIterator<Item = Vec2>,
        holes: impl IntoIterator<Item = impl IntoIterator<Item = Vec2>>,
    ) -> Result<Self, ConcaveError> {
        Self::from_rings(Rings {
            outline: outline.into_iter().collect(),
            holes: holes.into_iter().map(|hole| hole.into_iter().collect()).collect(),
        })
    }

    fn from_rings(given: Rings) -> Result<Self, ConcaveError> {
        let mut cut = Cut::new(given)?;
        let Rings { outline, holes } = cut.normalize().clone();
        Ok(Self { outline, holes, cut: Arc::new(cut) })
    }

    /// The outline, counter-clockwise. After an edit by reflection, as it was edited.
    #[must_use]
    pub fn outline(&self) -> &[Vec2] {
        &self.outline
    }

    /// The holes, each clockwise. After an edit by reflection, as they were edited.
    #[must_use]
    pub fn holes(&self) -> &[Vec<Vec2>] {
        &self.holes
    }

    /// The convex pieces, each counter-clockwise.
    ///
    /// Neighbours share their corners to the bit. Where the corner of one piece lies amid the side
    /// of another, it is listed there too, so a piece may have collinear vertices; no piece is
    /// without area.
    ///
    /// After an edit by reflection there are none: the plugin cuts anew by itself, and
    /// [`new`](Self::new) or [`with_holes`](Self::with_holes) does in other code.
    pub fn pieces(&self) -> impl Iterator<Item = &[Vec2]> {
        self.current_cut().into_iter().flat_map(|cut| cut.pieces()).map(|piece| piece.corners)
    }

    /// How many convex pieces there are.
    #[must_use]
    pub fn piece_count(&self) -> usize {
        self.current_cut().map_or(0, Cut::piece_count)
    }

    /// The inner edges between pieces, each once, as start and end.
    pub fn seams(&self) -> impl Iterator<Item = (Vec2, Vec2)> {
        self.current_cut().into_iter().flat_map(|cut| cut.pieces()).flat_map(|piece| {
            let ends = piece.corners.iter().skip(1).chain(piece.corners.first());
            let edges = piece.corners.iter().zip(ends).zip(piece.seams);
            // Each seam runs both ways, once in either piece.
            edges.filter_map(|((&start, &end), &is_seam)| {
                (is_seam && (start.x, start.y) < (end.x, end.y)).then_some((start, end))
            })
        })
    }

    fn current_cut(&self) -> Option<&Cut> {
        self.cut.is_made_from(&self.outline, &self.holes).then_some(&*self.cut)
    }

    /// The cut of the outline and holes as they are now: the stored one, or a new one after an
    /// edit by reflection.
    ///
    /// # Errors
    /// As [`with_holes`](Self::with_holes).
    ///
    /// # Cost
    /// O(n) to find that the stored one is current.
    pub(super) fn cut(&self) -> Result<Arc<Cut>, ConcaveError> {
        if self.current_cut().is_some() {
            return Ok(Arc::clone(&self.cut));
        }
        let (outline, holes) = (self.outline.clone(), self.holes.clone());
        Cut::new(Rings { outline, holes }).map(Arc::new)
    }

    /// Checks what the constructors check.
    ///
    /// # Errors
    /// As [`with_holes`](Self::with_holes).
    pub(super) fn validate(&self) -> Result<(), ConcaveError> {
        self.cut().map(|_| ())
    }
}

#[cfg(test)]
mod tests;
