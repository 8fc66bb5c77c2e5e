//! How the performer of a video moves: where each place of the first frame has moved, followed from frame to frame
//! by optical flow and corrected against the first frame, so that it does not drift; separated into global and
//! local motion.

use super::super::affine::affine;
use atelier_retouch::canvas::Canvas;
use atelier_retouch::canvas::picture;
use atelier_retouch::cutout;
use atelier_retouch::flow::{Flow, lightness};
use atelier_retouch::{Plane, diffuse};

/// The longer side at which motion is computed.
const SIDE: usize = 224;
/// The mean difference of lightness that indicates a cut: motion across it is unknown.
const CUT: f32 = 40.0;
/// The share of the drift that is corrected in a frame, and its limit in pixels.
const HELD: f32 = 0.5;
const MOST: f32 = 3.0;
/// How much of a frame's motion is new: the rest is that of the frame before.
const NEW: f32 = 0.7;
/// How far motion is spread, in longer sides.
const SPREAD: f32 = 0.012;

/// The motion so far.
pub(super) struct Motion {
    first: Plane,
    last: Plane,
    /// The performer's place in the first frame, 0 to 1.
    performer: Plane,
    /// The displacement of each place, in pixels of the small frames.
    gone: Flow,
    smooth: Flow,
    /// How much smaller than the video's frames they are.
    pub(super) scale: f32,
}

/// Motion of one kind: the whole as an affine map, and the remainder.
#[derive(Debug, Clone)]
pub(super) struct Moved {
    whole: [[f32; 3]; 2],
    rest: Flow,
}

impl Motion {
    pub(super) fn new(first: &Canvas) -> Self {
        let small = reduced(first);
        let light = lightness(&small);
        let (w, h) = (light.width, light.height);
        let mask = cutout::find(&picture(&small)).map(|mask| mask.resized(w, h));
        let none = Flow {
            across: Plane::new(w, h),
            down: Plane::new(w, h),
        };
        Self {
            performer: mask.unwrap_or_else(|| light.map(|_| 1.0)),
            last: light.clone(),
            first: light,
            gone: none.clone(),
            smooth: none,
            scale: w as f32 / first.frame.width as f32,
        }
    }

    /// Follows the next frame.
    pub(super) fn follow(&mut self, frame: &Canvas) {
        let light = lightness(&reduced(frame));
        if self.last.zip(&light, |a, b| (a - b).abs()).mean() > CUT {
            // Another shot begins with the motion at the end of the last one.
            self.first = back(&light, &self.gone);
            self.last = light;
            return;
        }
        let step = Flow::between(&self.last, &light, 3);
        let along = |plane: &Plane, step: &Plane, gone: &Flow| {
            Plane::from_fn(plane.width, plane.height, |x, y| {
                let (u, v) = (x as f32 + gone.across.at(x, y), y as f32 + gone.down.at(x, y));
                plane.at(x, y) + step.bilinear(u, v)
            })
        };
        let gone = Flow {
            across: along(&self.gone.across, &step.across, &self.gone),
            down: along(&self.gone.down, &step.down, &self.gone),
        };
        // The picture at a displaced place should match the first frame.
        let drift = Flow::between(&self.first, &gone.fetch(&light), 4);
        let held = |plane: &Plane, drift: &Plane| plane.zip(drift, |v, d| v + HELD * d.clamp(-MOST, MOST));
        self.gone = Flow {
            across: held(&gone.across, &drift.across),
            down: held(&gone.down, &drift.down),
        };
        self.last = light;
        let seen = self.spread();
        let mixed = |old: &Plane, new: &Plane| old.zip(new, |old, new| old + NEW * (new - old));
        self.smooth = Flow {
            across: mixed(&self.smooth.across, &seen.across),
            down: mixed(&self.smooth.down, &seen.down),
        };
    }

    /// The performer's motion, extended to their surroundings.
    fn spread(&self) -> Flow {
        let (w, h) = (self.first.width, self.first.height);
        let firm = self.performer.map(|v| f32::from(u8::from(v > 0.5)));
        let zero = Plane::new(w, h);
        let [across, down, _] =
            diffuse::fill(&[self.gone.across.clone(), self.gone.down.clone(), zero], &firm);
        let sigma = SPREAD * w.max(h) as f32;
        Flow {
            across: across.blurred(sigma),
            down: down.blurred(sigma),
        }
    }

    /// Returns the motion since the first frame.
    pub(super) fn moved(&self) -> Moved {
        let (w, h) = (self.first.width as f32, self.first.height as f32);
        let whole = rigid(affine(&self.smooth, &self.performer), (0.5 * w, 0.5 * h));
        let left = |plane: &Plane, row: [f32; 3]| {
            Plane::from_fn(plane.width, plane.height, |x, y| {
                plane.at(x, y) - (row[0] * x as f32 + row[1] * y as f32 + row[2])
            })
        };
        Moved {
            rest: Flow {
                across: left(&self.smooth.across, whole[0]),
                down: left(&self.smooth.down, whole[1]),
            },
            whole,
        }
    }
}

/// The rotation and the scale in an affine map of displacements: heads and bodies are not sheared. Both are limited
/// to what a performer does; the given place moves where it moved.
fn rigid([across, down]: [[f32; 3]; 2], (x, y): (f32, f32)) -> [[f32; 3]; 2] {
    let grown = (0.5 * (across[0] + down[1])).clamp(-0.35, 0.5);
    let turned = (0.5 * (down[0] - across[1])).clamp(-0.45, 0.45);
    let went = |row: [f32; 3]| row[0] * x + row[1] * y + row[2];
    [
        [grown, -turned, went(across) - grown * x + turned * y],
        [turned, grown, went(down) - turned * x - grown * y],
    ]
}

impl Moved {
    /// The displacement of a place of the small first frame by global motion.
    pub(super) fn whole(&self, x: f32, y: f32) -> (f32, f32) {
        let of = |row: [f32; 3]| row[0] * x + row[1] * y + row[2];
        (of(self.whole[0]), of(self.whole[1]))
    }

    /// The displacement beyond that.
    pub(super) fn rest(&self, x: f32, y: f32) -> (f32, f32) {
        (self.rest.across.bilinear(x, y), self.rest.down.bilinear(x, y))
    }
}

fn reduced(canvas: &Canvas) -> Canvas {
    let (w, h) = (canvas.frame.width, canvas.frame.height);
    let k = (SIDE as f32 / w.max(h) as f32).min(1.0);
    let side = |length: usize| ((length as f32 * k).round() as usize).max(16);
    canvas.reduced(side(w), side(h))
}

/// A picture as if nothing had moved.
fn back(light: &Plane, gone: &Flow) -> Plane {
    gone.fetch(light)
}
