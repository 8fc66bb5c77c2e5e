//! The subject of a shot: what moves against the background and what differs from the background at other times,
//! otherwise what a trained network finds in single frames; then the cheapest cut of each frame between the colours of
//! both, which are those of the whole shot (after GrabCut: Rother, Kolmogorov and Blake 2004).

use rayon::prelude::*;

use super::ground::Ground;
use super::parts::compact;
use super::plate::{Pixels, Row};
use atelier_retouch::Plane;
use atelier_retouch::cutout;
use atelier_retouch::decode::Picture;
use atelier_retouch::flow::Flow;

/// Frames, at most, in which a network locates the subject.
const LOOKS: usize = 5;
/// How much more likely it is that the area between moving edges moves too.
const FILLED: f32 = 0.25;
/// A subject with less evidence is discarded.
const LEAST: f32 = 0.6;

/// A shot at the size in which its subject is located.
pub(super) struct Shot<'a> {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) frames: &'a [Pixels],
    grounds: Vec<Ground>,
    /// The flow to the next frame and to the one before; one less than frames.
    forth: Vec<Flow>,
    back: Vec<Flow>,
    texture: Vec<Plane>,
}

impl<'a> Shot<'a> {
    pub(super) fn new(width: usize, height: usize, frames: &'a [Pixels]) -> Self {
        let light: Vec<Plane> = frames
            .par_iter()
            .map(|pixels| lightness(width, height, pixels))
            .collect();
        let texture: Vec<Plane> = light.par_iter().map(textured).collect();
        let pairs: Vec<(Flow, Flow)> = (1..frames.len())
            .into_par_iter()
            .map(|n| {
                (
                    Flow::between(&light[n - 1], &light[n], 3),
                    Flow::between(&light[n], &light[n - 1], 3),
                )
            })
            .collect();
        let (forth, back): (Vec<Flow>, Vec<Flow>) = pairs.into_iter().unzip();
        let grounds = forth
            .par_iter()
            .zip(&texture)
            .map(|(flow, texture)| Ground::of(flow, texture, None))
            .collect();
        Self {
            width,
            height,
            frames,
            grounds,
            forth,
            back,
            texture,
        }
    }

    /// The subject's coverage in each frame; empty if nothing stands out from the background.
    pub(super) fn subject(&mut self) -> Vec<Plane> {
        let moving = self.moving(None);
        // A subject that moves slowly or stays in the centre moves only at its edges, so the area between them is
        // tried as well.
        let reach = 0.04 * self.width.max(self.height) as f32;
        let filled = moving.seeds.as_ref().map(|seeds| {
            seeds
                .par_iter()
                .map(|seed| {
                    let around = seed.blurred(reach);
                    let most = 0.45 * around.max().max(1e-3);
                    seed.zip(&around, |seed, around| {
                        f32::from(u8::from(seed > 0.5 || around > most))
                    })
                })
                .collect()
        });
        let tried = [filled, moving.seeds.clone(), self.standing()];
        let best = tried
            .into_iter()
            .zip([FILLED, 0.0, 0.0])
            .filter_map(|(seeds, more)| {
                let seeds = seeds?;
                let tried: Vec<usize> = (0..self.frames.len())
                    .step_by((self.frames.len() / 12).max(1))
                    .collect();
                let cut = self.cut(&tried, &seeds, &moving.evidence, 0.0)?;
                let score = more + cut.iter().map(|cut| cut.score).sum::<f32>() / cut.len() as f32;
                Some((score, seeds))
            })
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let Some((score, seeds)) = best else {
            return Vec::new();
        };
        if score < LEAST {
            return Vec::new();
        }
        let every: Vec<usize> = (0..self.frames.len()).collect();
        let Some(cuts) = self.cut(&every, &seeds, &moving.evidence, 0.0) else {
            return Vec::new();
        };
        let masks = self.steady(&cuts.into_iter().map(|cut| cut.mask).collect::<Vec<_>>());
        let grounds = (0..self.forth.len())
            .into_par_iter()
            .map(|n| Ground::of(&self.forth[n], &self.texture[n], Some(&masks[n])))
            .collect();
        self.grounds = grounds;
        let again = self.moving(Some(&masks));
        let Some(cuts) = self.cut(&every, &masks, &again.evidence, 1.0) else {
            return masks;
        };
        self.steady(&cuts.into_iter().map(|cut| cut.mask).collect::<Vec<_>>())
    }

    /// Returns the parts that move against the background, and the evidence for it.
    fn moving(&self, masks: Option<&[Plane]>) -> Moving {
        let row = Row {
            width: self.width,
            height: self.height,
            frames: self.frames,
            grounds: &self.grounds,
        };
        let raw: Vec<Plane> = (0..self.frames.len())
            .into_par_iter()
            .map(|n| {
                let unlike = row.unlike(n, masks);
                let residual = self.residual(n);
                // Flow spreads over the edges of things; where the background is visible, it belongs to something
                // beside it.
                unlike
                    .zip(&residual, |a, b| {
                        if a < 0.0 {
                            a + b * (1.0 + a).max(0.0)
                        } else {
                            a + b
                        }
                    })
                    .box_mean(1)
            })
            .collect();
        // Weather, leaves and waves are elsewhere in the next frame.
        let evidence = self.steady(&self.steady(&raw));
        let mut held = 0.0;
        let mut seeds = Vec::new();
        for plane in &evidence {
            let (mask, share) = compact(plane);
            let size = mask.mean();
            if share > 0.5 && size > 0.002 && size < 0.5 {
                held += 1.0;
            }
            seeds.push(mask);
        }
        let found = held > 0.6 * self.frames.len() as f32;
        Moving {
            evidence,
            seeds: found.then_some(seeds),
        }
    }

    /// How much the motion of each pixel differs from the background's.
    fn residual(&self, n: usize) -> Plane {
        let off = |ground: &Ground, flow: &Flow, way: f32| {
            Plane::from_fn(self.width, self.height, |x, y| {
                let (p, q) = ground.at(x as f32, y as f32);
                let (u, v) = (flow.across.at(x, y), flow.down.at(x, y));
                let speed = p.hypot(q);
                (u - way * p).hypot(v - way * q) / (0.4 + 0.15 * speed)
            })
        };
        let ahead = (n < self.forth.len()).then(|| off(&self.grounds[n], &self.forth[n], 1.0));
        let behind = (n > 0).then(|| off(&self.grounds[n - 1], &self.back[n - 1], -1.0));
        let both = match (ahead, behind) {
            (Some(a), Some(b)) => a.zip(&b, f32::min),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => return Plane::new(self.width, self.height),
        };
        both.zip(&self.texture[n], |r, t| {
            (0.5 * r * r - 0.7).clamp(-0.6, 2.0) * t.sqrt().min(1.0)
        })
    }

    /// The subject as a trained network finds it in single frames, propagated to those between.
    fn standing(&self) -> Option<Vec<Plane>> {
        let count = self.frames.len();
        let looks: Vec<usize> = (0..count).step_by(count.div_ceil(LOOKS)).collect();
        let found: Vec<Option<Plane>> = looks
            .par_iter()
            .map(|n| {
                let found = cutout::find(&self.picture(*n))?;
                let found = found.resized(self.width, self.height);
                Some(found.map(|sure| f32::from(u8::from(sure > 0.5))))
            })
            .collect();
        if found.iter().flatten().count() * 2 < looks.len() {
            return None;
        }
        let mut seeds: Vec<Option<Plane>> = vec![None; count];
        for (n, mask) in looks.iter().zip(found) {
            seeds[*n] = mask;
        }
        for n in 1..count {
            if seeds[n].is_none() {
                seeds[n] = seeds[n - 1].as_ref().map(|mask| self.back[n - 1].fetch(mask));
            }
        }
        for n in (0..count - 1).rev() {
            let from = seeds[n + 1].as_ref().map(|mask| self.forth[n].fetch(mask));
            seeds[n] = match (seeds[n].take(), from) {
                (Some(a), Some(b)) => Some(a.zip(&b, |a, b| 0.5 * (a + b))),
                (a, b) => a.or(b),
            };
        }
        seeds.into_iter().collect()
    }

    /// Each plane combined with its neighbours in time.
    fn steady(&self, planes: &[Plane]) -> Vec<Plane> {
        (0..planes.len())
            .into_par_iter()
            .map(|n| {
                let mut sum = planes[n].map(|v| 2.0 * v);
                let mut weight = 2.0;
                if n > 0 {
                    sum = sum.zip(&self.back[n - 1].fetch(&planes[n - 1]), |a, b| a + b);
                    weight += 1.0;
                }
                if n + 1 < planes.len() {
                    sum = sum.zip(&self.forth[n].fetch(&planes[n + 1]), |a, b| a + b);
                    weight += 1.0;
                }
                sum.map(|v| v / weight)
            })
            .collect()
    }

    fn picture(&self, n: usize) -> Picture {
        let rgba = self.frames[n]
            .iter()
            .flat_map(|[r, g, b]| [*r, *g, *b, 255])
            .collect();
        Picture {
            width: self.width,
            height: self.height,
            rgba,
            icc: None,
        }
    }
}

/// The parts that move against the background.
struct Moving {
    /// For each frame, the evidence for each pixel being foreground.
    evidence: Vec<Plane>,
    /// The part that is connected throughout the shot.
    seeds: Option<Vec<Plane>>,
}

fn lightness(width: usize, height: usize, pixels: &Pixels) -> Plane {
    Plane::from_fn(width, height, |x, y| {
        let [r, g, b] = pixels[y * width + x].map(f32::from);
        0.2126 * r + 0.7152 * g + 0.0722 * b
    })
}

/// The amount of texture around each pixel, 0 to 1.
fn textured(light: &Plane) -> Plane {
    let slope = Plane::from_fn(light.width, light.height, |x, y| {
        let (x, y) = (x as isize, y as isize);
        let across = light.clamped(x + 1, y) - light.clamped(x - 1, y);
        let down = light.clamped(x, y + 1) - light.clamped(x, y - 1);
        0.25 * (across * across + down * down)
    });
    slope.box_mean(3).map(|v| v / (v + 20.0))
}
