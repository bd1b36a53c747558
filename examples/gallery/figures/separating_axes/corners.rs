//! The corners of B, which can be dragged: each is a small collider of its own that meets nothing.

use bevy::prelude::*;
use bevy_nudge::geometry::{ConvexPolygon, PolygonError};
use bevy_nudge::prelude::*;

use crate::figure::{InFigure, set_shape};
use crate::shared::selecting::Selectable;

/// World units around a corner in which the mouse takes it.
const REACH: f32 = 8.0;
const SIZE: f32 = 95.0;

pub(super) struct Corners {
    /// Relative to B, counter-clockwise at the start.
    vertices: Vec<Vec2>,
    /// What the mouse and the keys move, and where it was put last. Empty until spawned.
    handles: Vec<(Entity, Vec2)>,
    /// Why the last move of a corner was refused.
    refusal: Option<PolygonError>,
}

impl Default for Corners {
    fn default() -> Self {
        Self::regular(5)
    }
}

impl Corners {
    /// How many corners there are to choose from.
    pub(super) const COUNTS: std::ops::RangeInclusive<usize> = 3..=8;

    /// A regular polygon, but of four corners a rectangle.
    pub(super) fn regular(count: usize) -> Self {
        let vertices = if count == 4 {
            [(-1.0, -0.6), (1.0, -0.6), (1.0, 0.6), (-1.0, 0.6)]
                .map(|corner| Vec2::from(corner) * SIZE)
                .to_vec()
        } else {
            let step = std::f32::consts::TAU / count as f32;
            (0..count).map(|i| Vec2::from_angle(step * (i as f32 + 0.25)) * SIZE).collect()
        };
        Self { vertices, handles: Vec::new(), refusal: None }
    }

    pub(super) fn count(&self) -> usize {
        self.vertices.len()
    }

    pub(super) fn vertices(&self) -> &[Vec2] {
        &self.vertices
    }

    pub(super) fn refusal(&self) -> Option<&PolygonError> {
        self.refusal.as_ref()
    }

    /// Takes over what was moved, and puts the handles where the corners are.
    pub(super) fn update(&mut self, world: &mut World, [a, b]: [Entity; 2]) {
        let Some(pose) = world.get::<Transform>(b).map(Transform::compute_affine) else { return };
        let place = |vertex: Vec2| pose.transform_point3(vertex.extend(0.0)).truncate();
        if self.handles.is_empty() {
            self.spawn_handles(world, [a, b], place);
        }
        let to_local = pose.inverse();
        let mut moved = None;
        for (index, &(handle, put)) in self.handles.iter().enumerate() {
            let now = world.get::<Transform>(handle).map(|at| at.translation.truncate());
            if let Some(now) = now.filter(|&now| now != put) {
                let local = to_local.transform_point3(now.extend(0.0)).truncate();
                moved = Some((index, local));
            }
        }
        if let Some((index, local)) = moved {
            let mut vertices = self.vertices.clone();
            vertices[index] = local;
            match ConvexPolygon::new(vertices.iter().copied()) {
                Ok(_) => (self.vertices, self.refusal) = (vertices, None),
                Err(error) => self.refusal = Some(error),
            }
        }
        if let Ok(polygon) = ConvexPolygon::new(self.vertices.iter().copied()) {
            set_shape(world, b, polygon);
        }
        for ((handle, put), &vertex) in self.handles.iter_mut().zip(&self.vertices) {
            *put = place(vertex);
            if let Some(mut transform) = world.get_mut::<Transform>(*handle) {
                transform.translation = put.extend(transform.translation.z);
            }
        }
    }

    fn spawn_handles(
        &mut self,
        world: &mut World,
        bodies: [Entity; 2],
        place: impl Fn(Vec2) -> Vec2,
    ) {
        let old: Vec<Entity> = world.query_filtered::<Entity, With<Handle>>().iter(world).collect();
        old.into_iter().for_each(|handle| {
            world.despawn(handle);
        });
        for (index, &vertex) in self.vertices.iter().enumerate() {
            let put = place(vertex);
            let handle = world.spawn((
                InFigure,
                Handle,
                Name::new(format!("corner {} of B", index + 1)),
                Collider::circle(REACH),
                CollisionLayers::NONE,
                // Above the shapes.
                Transform::from_translation(put.extend(1.0)),
            ));
            self.handles.push((handle.id(), put));
        }
        let handles = self.handles.iter().map(|(handle, _)| *handle);
        world.resource_mut::<Selectable>().reset(bodies.into_iter().chain(handles));
    }
}

/// Marks what moves a corner.
#[derive(Component)]
struct Handle;

#[cfg(test)]
mod tests {
    use super::*;

    fn app() -> (App, Corners, [Entity; 2]) {
        let mut app = App::new();
        app.init_resource::<Selectable>();
        let corners = Corners::regular(4);
        let polygon = ConvexPolygon::new(corners.vertices.clone()).expect("a rectangle");
        // Turned by a quarter and moved.
        let pose = Transform::from_xyz(10.0, 20.0, 0.0)
            .with_rotation(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2));
        let b = app.world_mut().spawn((Collider::new(polygon), pose)).id();
        let a = app.world_mut().spawn_empty().id();
        (app, corners, [a, b])
    }

    #[test]
    fn a_dragged_corner_reshapes_the_polygon_in_its_own_space() {
        let (mut app, mut corners, bodies) = app();
        corners.update(app.world_mut(), bodies);
        // The lower left corner of the rectangle is the lower right one of the turned one.
        let (handle, put) = corners.handles[0];
        assert!(put.distance(Vec2::new(10.0 + 57.0, 20.0 - 95.0)) < 1e-3, "{put}");
        app.world_mut().get_mut::<Transform>(handle).expect("a handle").translation.y -= 30.0;
        corners.update(app.world_mut(), bodies);
        assert!(corners.vertices[0].distance(Vec2::new(-125.0, -57.0)) < 1e-3, "farther out");
        assert_eq!(corners.refusal(), None);
    }

    #[test]
    fn a_corner_that_would_dent_the_polygon_goes_back() {
        let (mut app, mut corners, bodies) = app();
        corners.update(app.world_mut(), bodies);
        let (before, (handle, put)) = (corners.vertices.clone(), corners.handles[0]);
        let inside = put + Vec2::new(-100.0, 150.0);
        app.world_mut().get_mut::<Transform>(handle).expect("a handle").translation =
            inside.extend(1.0);
        corners.update(app.world_mut(), bodies);
        assert!(matches!(corners.refusal(), Some(PolygonError::Concave { .. })));
        assert_eq!(corners.vertices, before);
        let back = app.world().get::<Transform>(handle).expect("a handle").translation;
        assert_eq!(back, put.extend(1.0));
    }
}
