//! The columns of the contact table: titles, widths, values and how they are sorted.

use core::cmp::Ordering;

use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;

use crate::geometry::ContactStatus;
use crate::{Collider, CollisionLayers, Solid, StaticCollider, Swept};

use super::layer_names::LayerNames;
use super::recorded_colliders::ColliderTraits;
use super::rows::Row;
use super::step_record::{RecordedContact, StepRecord};

/// A column of the contact table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// The name of the lower entity.
    A,
    /// The name of the higher entity.
    B,
    /// Touching or overlapping.
    Status,
    /// Penetration depth.
    Depth,
    /// Age in steps.
    Age,
    /// Time of impact of a fast mover.
    Impact,
    /// The kinds of both shapes.
    Shapes,
    /// The normal, x.
    NormalX,
    /// The normal, y.
    NormalY,
    /// The MTV, x.
    MtvX,
    /// The MTV, y.
    MtvY,
    /// The contact point, x.
    PointX,
    /// The contact point, y.
    PointY,
}

/// Which end of a column comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SortOrder {
    /// The smallest number or the first letter first.
    Ascending,
    /// The largest number or the last letter first.
    Descending,
}

impl Column {
    /// All columns, in the order in which they stand in the table.
    pub const ALL: [Self; 13] = [
        Self::A,
        Self::B,
        Self::Status,
        Self::Depth,
        Self::Age,
        Self::Impact,
        Self::Shapes,
        Self::NormalX,
        Self::NormalY,
        Self::MtvX,
        Self::MtvY,
        Self::PointX,
        Self::PointY,
    ];

    /// What stands at the head of the column.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::Status => "Status",
            Self::Depth => "Depth",
            Self::Age => "Age",
            Self::Impact => "Impact",
            Self::Shapes => "Shapes",
            Self::NormalX => "Normal x",
            Self::NormalY => "Normal y",
            Self::MtvX => "MTV x",
            Self::MtvY => "MTV y",
            Self::PointX => "Point x",
            Self::PointY => "Point y",
        }
    }

    pub(super) fn explanation(self) -> &'static str {
        match self {
            Self::A => "The first of the two entities, in a fixed but arbitrary order",
            Self::B => "The second of the two entities, in a fixed but arbitrary order",
            Self::Status => "Touching (depth 0) or overlapping",
            Self::Depth => "How far they overlap along the normal, in world units",
            Self::Age => "For how many steps they have been in contact, 0 in the first",
            Self::Impact => {
                "When in the step a fast mover came into contact, 0 to 1; empty for all others"
            }
            Self::Shapes => "The kind of A's shape and of B's",
            Self::NormalX | Self::NormalY => "Unit vector from A towards B",
            Self::MtvX | Self::MtvY => "The shortest move of B that ends the overlap",
            Self::PointX | Self::PointY => "A point in both shapes, in world space",
        }
    }

    /// In points, where both names are this wide. Numbers have eight digits of the monospace font.
    pub(super) fn width(self, name: f32) -> f32 {
        match self {
            Self::A | Self::B => name,
            Self::Status => 74.0,
            Self::Age => 46.0,
            Self::Impact => 62.0,
            Self::Shapes => 140.0,
            Self::Depth
            | Self::NormalX
            | Self::NormalY
            | Self::MtvX
            | Self::MtvY
            | Self::PointX
            | Self::PointY => 72.0,
        }
    }

    pub(super) fn is_number(self) -> bool {
        !matches!(self, Self::A | Self::B | Self::Status | Self::Shapes)
    }

    /// What stands in the cell.
    pub(super) fn text(self, row: Row, names: &Names) -> String {
        let Row { contact: pair, ended } = row;
        let former = |side: usize| ended.and_then(|ended| ended.traits[side].as_ref());
        match self {
            Self::A => names.last_label(pair.a, former(0)),
            Self::B => names.last_label(pair.b, former(1)),
            Self::Age if ended.is_some() => String::new(),
            Self::Status if ended.is_some() => "ended".to_owned(),
            Self::Status => status(pair.contact.status).to_owned(),
            Self::Age => pair.age.to_string(),
            Self::Shapes => {
                let kind = |entity, side| {
                    let former = former(side).map(|traits| traits.kind);
                    names.shape(entity).or(former).unwrap_or("none")
                };
                format!("{} and {}", kind(pair.a, 0), kind(pair.b, 1))
            }
            Self::Impact => pair.time_of_impact.map(eight_digits).unwrap_or_default(),
            number => eight_digits(number.number(pair)),
        }
    }

    fn number(self, pair: &RecordedContact) -> f32 {
        let contact = &pair.contact;
        match self {
            Self::NormalX => contact.normal.x,
            Self::NormalY => contact.normal.y,
            Self::MtvX => contact.mtv().x,
            Self::MtvY => contact.mtv().y,
            Self::PointX => contact.point.x,
            Self::PointY => contact.point.y,
            Self::Age => pair.age as f32,
            // Behind all times, which go up to 1.
            Self::Impact => pair.time_of_impact.unwrap_or(2.0),
            // Touching pairs have depth 0, so this sorts the status too.
            Self::Depth | Self::Status | Self::A | Self::B | Self::Shapes => contact.depth,
        }
    }

    /// Sorts the places of rows. Equal values keep the order in which they stood.
    pub(super) fn sort<'c>(
        self,
        order: SortOrder,
        rows: &mut Vec<u32>,
        row: &dyn Fn(u32) -> Row<'c>,
        names: &Names,
    ) {
        let directed = |ordering: Ordering| match order {
            SortOrder::Ascending => ordering,
            SortOrder::Descending => ordering.reverse(),
        };
        let pair = |place: &u32| row(*place).contact;
        match self {
            Self::A | Self::B | Self::Shapes => {
                let key = |place: &u32| self.text(row(*place), names).to_lowercase();
                let mut keyed: Vec<(String, u32)> =
                    rows.iter().map(|row| (key(row), *row)).collect();
                keyed.sort_by(|a, b| directed(a.0.cmp(&b.0)));
                rows.clear();
                rows.extend(keyed.into_iter().map(|(_, row)| row));
            }
            Self::Age => rows.sort_by(|a, b| directed(pair(a).age.cmp(&pair(b).age))),
            Self::Status => {
                let key = |row: &u32| pair(row).contact.status == ContactStatus::Overlapping;
                rows.sort_by(|a, b| directed(key(a).cmp(&key(b))));
            }
            number => rows.sort_by(|a, b| {
                directed(number.number(pair(a)).total_cmp(&number.number(pair(b))))
            }),
        }
    }
}

/// What a click on the head of a column makes of the sorting: ascending, descending, none.
pub(super) fn sort_after_click(
    sort: Option<(Column, SortOrder)>,
    clicked: Column,
) -> Option<(Column, SortOrder)> {
    match sort {
        Some((column, SortOrder::Ascending)) if column == clicked => {
            Some((clicked, SortOrder::Descending))
        }
        Some((column, SortOrder::Descending)) if column == clicked => None,
        _ => Some((clicked, SortOrder::Ascending)),
    }
}

pub(super) fn status(status: ContactStatus) -> &'static str {
    match status {
        ContactStatus::Touching => "touching",
        ContactStatus::Overlapping => "overlapping",
    }
}

/// For example "1 contact".
pub(super) fn count_contacts(count: usize) -> String {
    if count == 1 { "1 contact".to_owned() } else { format!("{count} contacts") }
}

/// A number in at most eight characters, always as wide as its neighbours of like size.
pub(super) fn eight_digits(value: f32) -> String {
    // Rounding may give "-0.000".
    let value = value + 0.0;
    match value.abs() {
        0.0 => "0.000".to_owned(),
        size if size < 0.000_5 => format!("{value:.1e}"),
        size if size < 999.999_5 => format!("{value:.3}"),
        size if size < 99_999.95 => format!("{value:.1}"),
        size if size < 999_999.5 => format!("{value:.0}"),
        _ => format!("{value:.1e}"),
    }
}

/// What the panel reads of an entity itself.
pub(super) type NamesQuery<'w, 's> = Query<
    'w,
    's,
    (
        Option<&'static Name>,
        Option<&'static Collider>,
        Option<&'static CollisionLayers>,
        (Has<StaticCollider>, Option<&'static Solid>, Has<Swept>),
    ),
    Or<(With<Disabled>, Without<Disabled>)>,
>;

/// Names and shapes of entities, and names of layers, as the panel shows them.
pub(super) struct Names<'a, 'w, 's> {
    pub(super) query: &'a NamesQuery<'w, 's>,
    /// The step of the past that is looked at: it knows how things were then, and of entities that
    /// are gone.
    pub(super) past: Option<&'a StepRecord>,
    pub(super) layers: &'a LayerNames,
}

impl Names<'_, '_, '_> {
    /// The name of an entity, or its id if it has none. If it is gone, that of the former traits.
    pub(super) fn last_label(&self, entity: Entity, former: Option<&ColliderTraits>) -> String {
        let is_known = |past: &StepRecord| past.collider(entity).is_some();
        match former {
            Some(former) if !self.past.is_some_and(is_known) && !self.query.contains(entity) => {
                former.name.clone().unwrap_or_else(|| entity.to_string())
            }
            _ => self.label(entity),
        }
    }

    /// The name of an entity, or its id if it has none.
    pub(super) fn label(&self, entity: Entity) -> String {
        if let Some(past) = self.past
            && let Some(collider) = past.collider(entity)
        {
            return collider.traits.name.clone().unwrap_or_else(|| entity.to_string());
        }
        match self.query.get(entity) {
            Ok((Some(name), ..)) => name.as_str().to_owned(),
            Ok((None, ..)) => entity.to_string(),
            Err(_) => format!("{entity} (gone)"),
        }
    }

    /// The name of an entity with its id, since many may have the same name.
    pub(super) fn label_with_id(&self, entity: Entity) -> String {
        let label = self.label(entity);
        let id = entity.to_string();
        if label.starts_with(&id) { label } else { format!("{label} {id}") }
    }

    /// The kind of an entity's shape.
    pub(super) fn shape(&self, entity: Entity) -> Option<&str> {
        if let Some(past) = self.past {
            return Some(past.collider(entity)?.traits.kind);
        }
        Some(self.query.get(entity).ok()?.1?.shape.name())
    }

    /// Whether an entity is looked at on its whole way.
    pub(super) fn is_swept(&self, entity: Entity) -> bool {
        if let Some(past) = self.past {
            return past.collider(entity).is_some_and(|c| c.traits.flags.is_swept);
        }
        self.query.get(entity).is_ok_and(|(_, _, _, (.., is_swept))| is_swept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fit_into_eight_characters() {
        for (value, expected) in [
            (0.0, "0.000"),
            (-0.0, "0.000"),
            (0.000_01, "1.0e-5"),
            (-0.000_7, "-0.001"),
            (12.345_6, "12.346"),
            (-999.999, "-999.999"),
            (999.999_9, "1000.0"),
            (-12_345.67, "-12345.7"),
            (123_456.7, "123457"),
            (-1.25e9, "-1.2e9"),
            (f32::MAX, "3.4e38"),
            (f32::MIN_POSITIVE, "1.2e-38"),
        ] {
            let text = eight_digits(value);
            assert_eq!(text, expected, "{value}");
            assert!(text.len() <= 8, "{value}: {text}");
        }
    }

    #[test]
    fn clicks_on_a_head_go_through_both_orders_and_none() {
        let mut sort = None;
        for expected in [
            Some((Column::Depth, SortOrder::Ascending)),
            Some((Column::Depth, SortOrder::Descending)),
            None,
        ] {
            sort = sort_after_click(sort, Column::Depth);
            assert_eq!(sort, expected);
        }
        sort = sort_after_click(Some((Column::Depth, SortOrder::Descending)), Column::Age);
        assert_eq!(sort, Some((Column::Age, SortOrder::Ascending)));
    }
}
