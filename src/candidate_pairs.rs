//! What the broad phase hands to the narrow phase.

use bevy::prelude::*;

/// Pairs of rows of the collider table whose bounds meet and whose layers match, each once, in
/// ascending order of the pair of entities, the lower entity first.
#[derive(Resource, Debug, Default)]
pub(crate) struct CandidatePairs {
    pub(crate) pairs: Vec<[u32; 2]>,
}
