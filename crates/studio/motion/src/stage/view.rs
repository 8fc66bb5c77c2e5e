//! The camera's view at one moment, as a map from the frame's pixels to the scene's.
//!
//! Depth is given as `near`: 0 at the horizon and beyond, 1 on ground at the frame's lower edge. It is proportional
//! to one over the distance, so all moves below are those of a real camera.

/// A map of one axis: the scene's pixel `scale × pixel + offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Axis {
    pub(crate) scale: f32,
    pub(crate) offset: f32,
}

impl Axis {
    pub(crate) fn at(self, pixel: f32) -> f32 {
        self.scale * pixel + self.offset
    }

    /// The frame's pixel that shows a place in the scene.
    pub(crate) fn back(self, place: f32) -> f32 {
        (place - self.offset) / self.scale
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct View {
    /// The frame, in pixels.
    pub(crate) width: f32,
    pub(crate) height: f32,
    /// The scene's pixels for each of the frame's: less is closer.
    pub(crate) scale: f32,
    /// The scene's place in the centre of the frame, for infinite distance.
    pub(crate) middle: (f32, f32),
    /// How far the camera has moved to the left and up, in the scene's pixels at the frame's lower edge: near things
    /// move right and down by this much.
    pub(crate) truck: (f32, f32),
    /// How far it has moved forward, as a share of the distance to the ground at the frame's lower edge.
    pub(crate) forward: f32,
    /// The vanishing point of forward motion, in the scene's pixels.
    pub(crate) vanish: (f32, f32),
    /// From the horizon down to the frame's lower edge, in the scene's pixels.
    pub(crate) span: f32,
}

impl View {
    fn flat(&self) -> (Axis, Axis) {
        let axis = |size: f32, middle: f32| Axis {
            scale: self.scale,
            offset: (0.5 - 0.5 * size) * self.scale + middle,
        };
        (axis(self.width, self.middle.0), axis(self.height, self.middle.1))
    }

    fn closeness(&self, near: f32) -> f32 {
        (1.0 - near * self.forward).max(0.2)
    }

    /// The map for upright things at one depth.
    pub(crate) fn upright(&self, near: f32) -> (Axis, Axis) {
        let (x, y) = self.flat();
        let m = self.closeness(near);
        let axis = |flat: Axis, vanish: f32, truck: f32| Axis {
            scale: flat.scale * m,
            offset: (flat.offset - vanish) * m + vanish - truck * near,
        };
        (
            axis(x, self.vanish.0, self.truck.0),
            axis(y, self.vanish.1, self.truck.1),
        )
    }

    /// Returns the part of the ground that a row of the frame shows: its nearness, the row of the scene, and the map
    /// across.
    pub(crate) fn ground(&self, row: f32) -> (f32, f32, Axis) {
        let (_, y) = self.flat();
        let q = (y.at(row) - self.vanish.1) / self.span;
        let near = q / (1.0 + self.truck.1 / self.span + q * self.forward).max(0.05);
        (
            near,
            self.vanish.1 + self.span * near,
            self.upright(near.max(0.0)).0,
        )
    }

    /// The frame's row of the horizon.
    pub(crate) fn horizon(&self) -> f32 {
        self.flat().1.back(self.vanish.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEW: View = View {
        width: 160.0,
        height: 90.0,
        scale: 0.9,
        middle: (83.0, 44.0),
        truck: (7.0, -3.0),
        forward: 0.2,
        vanish: (80.0, 50.0),
        span: 40.0,
    };

    #[test]
    fn what_stands_on_the_ground_stays_on_it_wherever_the_camera_goes() {
        for near in [0.1, 0.5, 0.9_f32] {
            let foot = VIEW.vanish.1 + VIEW.span * near;
            let row = VIEW.upright(near).1.back(foot);
            let (found, place, _) = VIEW.ground(row);
            assert!((found - near).abs() < 1e-4, "{near}: {found}");
            assert!((place - foot).abs() < 1e-2, "{foot}: {place}");
        }
    }

    #[test]
    fn what_is_near_moves_more_than_what_is_far() {
        let still = View {
            truck: (0.0, 0.0),
            ..VIEW
        };
        let moved = |near: f32| VIEW.upright(near).0.back(80.0) - still.upright(near).0.back(80.0);
        assert!(moved(0.0).abs() < 1e-3);
        assert!(moved(0.9) > 2.0 * moved(0.4) && moved(0.4) > 0.0);
    }
}
