//! The geometry of a camera that moves around a picture: which place of the picture a pixel of the new view shows,
//! if it lies at a given depth.

/// The focal length, in longer sides of the picture: the angle of a common camera.
const LENS: f32 = 1.1;

/// A move of the camera around the centre of the picture, in degrees, and its zoom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Move {
    /// To the right, −60 to 60.
    pub azimuth: f32,
    /// Upwards, −30 to 30.
    pub elevation: f32,
    /// Clockwise, −45 to 45.
    pub roll: f32,
    /// 0.5 to 2.
    pub zoom: f32,
}

impl Move {
    /// Whether the camera does not move.
    pub fn is_none(&self) -> bool {
        self.azimuth == 0.0 && self.elevation == 0.0 && self.roll == 0.0 && (self.zoom - 1.0).abs() < 1e-6
    }
}

/// A moved camera over a picture of one size.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    middle: (f32, f32),
    /// The focal length, and the distance of the centre of the picture, in pixels.
    lens: f32,
    zoom: f32,
    /// From the view's axes to the picture's.
    turn: [[f32; 3]; 3],
}

impl View {
    pub(super) fn new(width: usize, height: usize, camera: Move) -> Self {
        let (sa, ca) = camera.azimuth.to_radians().sin_cos();
        let (se, ce) = camera.elevation.to_radians().sin_cos();
        let (sr, cr) = camera.roll.to_radians().sin_cos();
        // The camera first rolls, then is lifted, then moves around.
        let roll = [[cr, -sr, 0.0], [sr, cr, 0.0], [0.0, 0.0, 1.0]];
        let lift = [[1.0, 0.0, 0.0], [0.0, ce, -se], [0.0, se, ce]];
        let round = [[ca, 0.0, -sa], [0.0, 1.0, 0.0], [sa, 0.0, ca]];
        Self {
            middle: (0.5 * width as f32, 0.5 * height as f32),
            lens: LENS * width.max(height) as f32,
            zoom: camera.zoom,
            turn: product(&round, &product(&lift, &roll)),
        }
    }

    /// The ray of a pixel of the view: its origin and direction, in the picture's axes (right, down and away), with
    /// the origin at the centre of the picture.
    pub(super) fn ray(&self, x: f32, y: f32) -> Ray {
        let across = (x + 0.5 - self.middle.0) / (self.lens * self.zoom);
        let down = (y + 0.5 - self.middle.1) / (self.lens * self.zoom);
        Ray {
            from: applied(&self.turn, [0.0, 0.0, -self.lens]),
            towards: applied(&self.turn, [across, down, 1.0]),
            lens: self.lens,
            middle: self.middle,
        }
    }
}

/// A ray through the picture's relief.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ray {
    from: [f32; 3],
    towards: [f32; 3],
    lens: f32,
    middle: (f32, f32),
}

impl Ray {
    /// The place of the picture that the ray meets if it lies `away` pixels behind the middle plane.
    pub(super) fn at(&self, away: f32) -> (f32, f32) {
        let along = (away - self.from[2]) / self.towards[2].max(1e-3);
        let scale = self.lens / (self.lens + away).max(1.0);
        (
            self.middle.0 + (self.from[0] + along * self.towards[0]) * scale - 0.5,
            self.middle.1 + (self.from[1] + along * self.towards[1]) * scale - 0.5,
        )
    }

    /// The place of the picture that the ray meets, if its depth varies.
    pub(super) fn meets(&self, away: impl Fn(f32, f32) -> f32) -> (f32, f32) {
        let mut depth = 0.0;
        let mut place = self.at(depth);
        for _ in 0..5 {
            // Half a step: a relief that leans towards the ray would otherwise be overshot again and again.
            depth += 0.7 * (away(place.0, place.1) - depth);
            place = self.at(depth);
        }
        place
    }
}

fn product(a: &[[f32; 3]; 3], b: &[[f32; 3]; 3]) -> [[f32; 3]; 3] {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}

fn applied(a: &[[f32; 3]; 3], v: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|i| (0..3).map(|k| a[i][k] * v[k]).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    const STILL: Move = Move {
        azimuth: 0.0,
        elevation: 0.0,
        roll: 0.0,
        zoom: 1.0,
    };

    #[test]
    fn a_still_camera_sees_every_place_where_it_is() {
        let view = View::new(640, 480, STILL);
        for (x, y) in [(0.0, 0.0), (100.0, 400.0), (639.0, 479.0)] {
            for away in [-80.0, 0.0, 120.0] {
                let (u, v) = view.ray(x, y).at(away);
                assert!((u - x).abs() < 0.01 && (v - y).abs() < 0.01, "{u} {v}");
            }
        }
    }

    #[test]
    fn zoom_and_roll_are_what_their_names_say() {
        let twice = View::new(400, 400, Move { zoom: 2.0, ..STILL });
        let (u, v) = twice.ray(299.5, 199.5).at(0.0);
        assert!((u - 249.5).abs() < 0.01 && (v - 199.5).abs() < 0.01);
        // A camera rolled clockwise by a right angle sees at its right what was below.
        let rolled = View::new(400, 400, Move { roll: 90.0, ..STILL });
        let (u, v) = rolled.ray(299.5, 199.5).at(0.0);
        assert!((u - 199.5).abs() < 0.01 && (v - 299.5).abs() < 0.01, "{u} {v}");
    }

    #[test]
    fn going_right_foreshortens_by_the_cosine_and_moves_near_things_left() {
        let view = View::new(
            1000,
            800,
            Move {
                azimuth: 30.0,
                ..STILL
            },
        );
        let (a, b) = (view.ray(498.5, 399.5).at(0.0).0, view.ray(500.5, 399.5).at(0.0).0);
        assert!(
            ((b - a) / 2.0 - 1.0 / 30.0_f32.to_radians().cos()).abs() < 0.01,
            "{}",
            (b - a) / 2.0
        );
        // Seen from the right, what stands before the middle covers what is to the left of it.
        let near = view.ray(499.5, 399.5).at(-100.0).0;
        assert!(near > 499.5, "{near}");
        // The right side is nearer to the camera than the left, so less of it fills the frame.
        let (left, right) = (view.ray(0.0, 399.5).at(0.0).0, view.ray(999.0, 399.5).at(0.0).0);
        assert!(499.5 - left > right - 499.5, "{left} {right}");
    }
}
