//! Names of layers, for the panel.

use bevy::prelude::*;

use crate::CollisionLayers;

/// What the 32 layers are called in the panel.
///
/// A game that wants names inserts this resource. Layers without a name are called by their number.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_nudge::inspector::LayerNames;
///
/// App::new().insert_resource(LayerNames::new(["player", "wall", "coin"]));
/// ```
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct LayerNames {
    names: [Option<String>; 32],
}

impl LayerNames {
    /// Names for the layers from the lowest bit on. More than 32 names are cut off.
    #[must_use]
    pub fn new<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        let mut all = Self::default();
        for (place, name) in all.names.iter_mut().zip(names) {
            *place = Some(name.into());
        }
        all
    }

    /// Names the layers whose bits are in `layers`, one mostly.
    #[must_use]
    pub fn with(mut self, layers: u32, name: impl Into<String>) -> Self {
        let name = name.into();
        for (bit, place) in self.names.iter_mut().enumerate() {
            if layers & (1 << bit) != 0 {
                *place = Some(name.clone());
            }
        }
        self
    }

    /// The name of a layer, 0 to 31, or its number.
    #[must_use]
    pub fn name(&self, layer: usize) -> String {
        self.names.get(layer).cloned().flatten().unwrap_or_else(|| layer.to_string())
    }

    /// Which layers have names, as bits.
    #[must_use]
    pub fn named(&self) -> u32 {
        (0..32).filter(|&layer| self.names[layer].is_some()).fold(0, |mask, bit| mask | 1 << bit)
    }

    /// The layers of a mask in words, for example `player, wall`.
    #[must_use]
    pub fn describe(&self, mask: u32) -> String {
        match mask {
            0 => "none".to_owned(),
            u32::MAX => "all".to_owned(),
            _ if mask.count_ones() > 16 => {
                format!("all but {}", self.describe(!mask))
            }
            _ => {
                let layers = (0..32).filter(|bit| mask & (1 << bit) != 0);
                layers.map(|bit| self.name(bit)).collect::<Vec<_>>().join(", ")
            }
        }
    }

    /// What colliders with these layers are called: by what they are members of.
    #[must_use]
    pub fn group(&self, layers: CollisionLayers) -> String {
        self.describe(layers.memberships)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_called_by_name_or_number() {
        let names = LayerNames::new(["player", "wall"]).with(1 << 5, "coin");
        assert_eq!(names.describe(0b11), "player, wall");
        assert_eq!(names.describe(1 << 5 | 1 << 7), "coin, 7");
        assert_eq!(names.describe(0), "none");
        assert_eq!(names.describe(u32::MAX), "all");
        assert_eq!(names.describe(!0b10), "all but wall");
        assert_eq!(names.named(), 0b10_0011);
    }
}
