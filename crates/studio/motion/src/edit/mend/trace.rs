//! The places where the hidden parts are visible: each missing pixel is followed from frame to frame along the motion
//! of the surroundings, until a frame shows it (after Xu et al. 2019, "Deep flow-guided video inpainting", with flow by
//! Lucas and Kanade, extended into the hole by a pyramid).

use atelier_film::I420;
use rayon::prelude::*;

use super::super::affine::affine;
use super::masks::dilated;
use atelier_retouch::flow::Flow;
use atelier_retouch::{Plane, diffuse};

/// The mean difference of lightness that indicates a cut.
const CUT: f32 = 34.0;
/// Pixels around a hole in which motion is not trusted, and within which the surroundings are.
const ABOUT: usize = 6;
const NEAR: usize = 64;
/// The smoothing of local motion, in pixels of the small frames.
const SMOOTH: f32 = 5.0;
/// Frames that are prepared together.
const AT_ONCE: usize = 8;
/// An age that is never reached: painted pixels come after all visible ones.
const PAINTED: u16 = 10_000;

/// The sight of a missing pixel: a frame, the place in it, and the number of frames it was followed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Seen {
    pub(super) frame: u32,
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) age: u16,
}

/// Whether an age is that of what was painted.
pub(super) fn is_painted(age: u16) -> bool {
    age >= PAINTED
}

/// The weight of an age: what is near in time is most similar.
pub(super) fn weight(age: u16) -> f32 {
    let age = f32::from(age % PAINTED) + 1.0;
    1.0 / (age * age)
}

/// The motion from each frame to its neighbours, within a shot.
#[derive(Debug)]
pub(super) struct Motion {
    /// From a frame to the next one, and from the next one back.
    steps: Vec<Option<(Flow, Flow)>>,
    /// How much smaller the flows are than the frames.
    scale: f32,
}

impl Motion {
    pub(super) fn of(frames: &[I420], holes: &[Vec<bool>], progress: &mut dyn FnMut(f32)) -> Self {
        let mut steps = Vec::new();
        let mut last: Option<Small> = None;
        // A few frames are prepared at a time: all of them would take more memory than the flows themselves.
        for (frames_now, holes_now) in frames.chunks(AT_ONCE).zip(holes.chunks(AT_ONCE)) {
            let small = frames_now.par_iter().zip(holes_now);
            let small: Vec<Small> = small.map(|(frame, hole)| Small::new(frame, hole)).collect();
            for b in small {
                if let Some(a) = last {
                    let cut = a.luma.zip(&b.luma, |a, b| (a - b).abs()).mean() > CUT;
                    steps.push((!cut).then(|| rayon::join(|| a.motion(&b), || b.motion(&a))));
                    progress((steps.len() + 1) as f32 / frames.len() as f32);
                }
                last = Some(b);
            }
        }
        Self { steps, scale: 2.0 }
    }

    /// The motion from a frame to the one before or after it.
    fn from(&self, frame: usize, to: usize) -> Option<&Flow> {
        let step = self.steps.get(frame.min(to))?.as_ref()?;
        Some(if to > frame { &step.0 } else { &step.1 })
    }

    /// Returns the position of a frame's pixel in the other one.
    fn follow(&self, flow: &Flow, x: f32, y: f32) -> (f32, f32) {
        let (u, v) = ((x + 0.5) / self.scale - 0.5, (y + 0.5) / self.scale - 0.5);
        (
            x + self.scale * flow.across.bilinear(u, v),
            y + self.scale * flow.down.bilinear(u, v),
        )
    }
}

/// A frame at half its size, as motion is found in it.
struct Small {
    luma: Plane,
    /// One where the frame is visible, and one near its hole.
    known: Plane,
    near: Plane,
}

impl Small {
    fn new(frame: &I420, hole: &[bool]) -> Self {
        let (width, w, h) = (frame.width, frame.width / 2, frame.height / 2);
        let luma = frame.planes().y;
        let wide = dilated(hole, width, ABOUT);
        let known = Plane::from_fn(w, h, |x, y| {
            let at = 2 * y * width + 2 * x;
            let any = wide[at] || wide[at + 1] || wide[at + width] || wide[at + width + 1];
            f32::from(u8::from(!any))
        });
        let plane = Plane::from_fn(w, h, |x, y| {
            let at = 2 * y * width + 2 * x;
            let sum = [at, at + 1, at + width, at + width + 1].map(|at| f32::from(luma[at]));
            0.25 * sum.iter().sum::<f32>()
        });
        // Motion in the hole must not count.
        let zero = Plane::new(w, h);
        let [luma, ..] = diffuse::fill(&[plane, zero.clone(), zero], &known);
        let about = dilated(hole, width, NEAR);
        let near = Plane::from_fn(w, h, |x, y| f32::from(u8::from(about[2 * y * width + 2 * x])));
        Self { luma, known, near }
    }

    /// The motion from here to another frame.
    fn motion(&self, to: &Self) -> Flow {
        carried(&Flow::between(&self.luma, &to.luma, 3), &self.known, &self.near)
    }
}

/// The flow with that of the surroundings in the hole: the nearby global motion, with its remainder extended
/// smoothly, so that neighbours come from neighbours.
fn carried(flow: &Flow, known: &Plane, near: &Plane) -> Flow {
    let (w, h) = (known.width, known.height);
    let mut weight = known.zip(near, |known, near| known * near);
    let mut whole = [[0.0; 3]; 2];
    for _ in 0..3 {
        whole = affine(flow, &weight);
        // Other motion is independent.
        let (across, down) = (sum(&flow.across, whole[0], -1.0), sum(&flow.down, whole[1], -1.0));
        weight = Plane::from_fn(w, h, |x, y| {
            let away = across.at(x, y).hypot(down.at(x, y));
            known.at(x, y) * near.at(x, y) / (1.0 + away * away)
        });
    }
    let believed = weight.map(|k| f32::from(u8::from(k > 0.3)));
    let rest = [
        sum(&flow.across, whole[0], -1.0),
        sum(&flow.down, whole[1], -1.0),
        Plane::new(w, h),
    ];
    let [across, down, _] = diffuse::fill(&rest, &believed);
    Flow {
        across: sum(&across.blurred(SMOOTH), whole[0], 1.0),
        down: sum(&down.blurred(SMOOTH), whole[1], 1.0),
    }
}

/// A plane plus a multiple of an affine one.
fn sum(plane: &Plane, row: [f32; 3], times: f32) -> Plane {
    Plane::from_fn(plane.width, plane.height, |x, y| {
        plane.at(x, y) + times * (row[0] * x as f32 + row[1] * y as f32 + row[2])
    })
}

/// Follows the missing pixels of all frames in one direction. `painted` tells for each frame whether its missing
/// pixels were painted. Reports frame by frame, one place for each pixel.
pub(super) fn follow(
    motion: &Motion,
    holes: &[Vec<bool>],
    width: usize,
    painted: &[bool],
    backward: bool,
    tell: &mut dyn FnMut(usize, &[Option<Seen>]),
) {
    let count = holes.len();
    let height = holes[0].len() / width;
    let mut before: Vec<Option<Seen>> = vec![None; width * height];
    for turn in 0..count {
        let number = if backward { count - 1 - turn } else { turn };
        let other = if backward {
            number + 1
        } else {
            number.wrapping_sub(1)
        };
        let flow = (other < count).then(|| motion.from(number, other)).flatten();
        let hole = &holes[number];
        let mut now: Vec<Option<Seen>> = vec![None; width * height];
        now.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, seen) in row.iter_mut().enumerate() {
                if !hole[y * width + x] {
                    continue;
                }
                if let Some(flow) = flow {
                    let (u, v) = motion.follow(flow, x as f32, y as f32);
                    *seen = found(&before, &holes[other], (width, height), other, u, v);
                }
                let own = Seen {
                    frame: number as u32,
                    x: x as f32,
                    y: y as f32,
                    age: PAINTED,
                };
                if painted[number] && seen.is_none_or(|seen| is_painted(seen.age)) {
                    *seen = Some(own);
                }
            }
        });
        tell(number, &now);
        before = now;
    }
}

/// Returns the sight of a place in the other frame.
fn found(
    before: &[Option<Seen>],
    hole: &[bool],
    (width, height): (usize, usize),
    frame: usize,
    u: f32,
    v: f32,
) -> Option<Seen> {
    if u < 0.0 || v < 0.0 || u > (width - 1) as f32 || v > (height - 1) as f32 {
        return None;
    }
    let (left, top) = (u as usize, v as usize);
    let (right, bottom) = ((left + 1).min(width - 1), (top + 1).min(height - 1));
    let corners = [(left, top), (right, top), (left, bottom), (right, bottom)];
    if corners.iter().all(|(x, y)| !hole[y * width + x]) {
        return Some(Seen {
            frame: frame as u32,
            x: u,
            y: v,
            age: 1,
        });
    }
    let (x, y) = (u.round() as usize, v.round() as usize);
    let at = y.min(height - 1) * width + x.min(width - 1);
    let seen = before[at]?;
    Some(Seen {
        x: (seen.x + u - x as f32).clamp(0.0, (width - 1) as f32),
        y: (seen.y + v - y as f32).clamp(0.0, (height - 1) as f32),
        age: seen.age.saturating_add(1),
        ..seen
    })
}
