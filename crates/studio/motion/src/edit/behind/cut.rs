//! The cheapest cut of a frame between a subject and its background, and the evidence for it.

use rayon::prelude::*;

use super::features::{Feature, features};
use super::grid::Grid;
use super::mixture::Mixture;
use super::parts::main_part;
use super::subject::Shot;
use atelier_retouch::Plane;

/// The largest evidence of colour for a pixel.
const SURE: f32 = 4.0;
/// The cost of separating equal neighbours.
const SMOOTHNESS: f32 = 10.0;

impl Shot<'_> {
    /// Cuts frames between the colours inside the seeds and outside them.
    pub(super) fn cut(
        &self,
        of: &[usize],
        seeds: &[Plane],
        evidence: &[Plane],
        near: f32,
    ) -> Option<Vec<Cut>> {
        let (w, h) = (self.width, self.height);
        let reach = (0.06 * w.max(h) as f32).max(2.0);
        let (own, other) = self.colors(seeds, near < 0.5)?;
        let cuts = of
            .par_iter()
            .map(|n| {
                let features = features(w, h, &self.frames[*n]);
                let around = seeds[*n].blurred(reach);
                let most = around.max().max(1e-3);
                let color: Vec<f32> = features
                    .iter()
                    .map(|feature| (other.cost(feature) - own.cost(feature)).clamp(-SURE, SURE))
                    .collect();
                let terminal = (0..w * h)
                    .map(|i| {
                        let close = around.data[i] / most;
                        let far = 1.0 - (close / 0.25).min(1.0);
                        let prior = near * 3.0 * (seeds[*n].data[i] - 0.5);
                        // A subject that always covers its own background looks like background between its moving
                        // edges.
                        let hidden = ((close - 0.3) / 0.3).clamp(0.0, 1.0);
                        let said = evidence[*n].data[i];
                        let said = if said < 0.0 {
                            said * (1.0 - hidden * (1.0 - near))
                        } else {
                            said
                        };
                        color[i] + 1.6 * said + prior - 4.0 * far - 0.3
                    })
                    .collect();
                let beta = steepness(&features, w);
                let alike = |i: usize, j: usize| (-beta * difference(&features[i], &features[j])).exp();
                let link = |i: usize, j: usize| {
                    let straight = i.abs_diff(j) == 1 || i.abs_diff(j) == w;
                    (if straight { 1.0 } else { 0.707 }) * SMOOTHNESS * (0.04 + 0.96 * alike(i, j))
                };
                let inside = Grid::new(w, h, terminal, link).cut();
                let mask = main_part(&Plane::from_fn(w, h, |x, y| {
                    f32::from(u8::from(inside[y * w + x]))
                }));
                let score = score(&mask, &color, &evidence[*n], alike);
                Cut { mask, score }
            })
            .collect();
        Some(cuts)
    }

    /// The colours of what the seeds cover, and of their surroundings, throughout the shot.
    fn colors(&self, seeds: &[Plane], first: bool) -> Option<(Mixture, Mixture)> {
        let (w, h) = (self.width, self.height);
        let reach = (0.06 * w.max(h) as f32).max(2.0);
        let step = (self.frames.len() / 16).max(1);
        let looks: Vec<usize> = (0..self.frames.len()).step_by(step).collect();
        // How often each colour belongs to the subject.
        let mut counts = vec![(0.5_f32, 1.0_f32); 4096];
        let place = |[r, g, b]: [u8; 3]| {
            (usize::from(r >> 4) << 8) | (usize::from(g >> 4) << 4) | usize::from(b >> 4)
        };
        for n in &looks {
            for (pixel, inside) in self.frames[*n].iter().zip(&seeds[*n].data) {
                let count = &mut counts[place(*pixel)];
                count.0 += inside;
                count.1 += 1.0;
            }
        }
        let thin = looks.iter().map(|n| seeds[*n].mean()).sum::<f32>() < 0.008 * looks.len() as f32;
        let samples: Vec<(Vec<Feature>, Vec<Feature>, Vec<Feature>)> = looks
            .par_iter()
            .map(|n| {
                let around = seeds[*n].blurred(reach);
                // More of the subject may be between its moving edges.
                let hidden = if first { 0.3 * around.max() } else { f32::MAX };
                let core = if thin {
                    seeds[*n].clone()
                } else {
                    seeds[*n].box_mean(1)
                };
                let (mut own, mut other, mut any) = (Vec::new(), Vec::new(), Vec::new());
                for (i, feature) in features(w, h, &self.frames[*n]).iter().enumerate() {
                    let (inside, all) = counts[place(self.frames[*n][i])];
                    let usual = inside / all;
                    let here = core.data[i] > if thin { 0.5 } else { 0.8 };
                    if here && i % 2 == 0 {
                        any.push(*feature);
                    }
                    if here && usual > 0.35 && i % 2 == 0 {
                        own.push(*feature);
                    } else if ((core.data[i] < 0.2 && around.data[i] < hidden) || (here && usual < 0.2))
                        && (i % 29 == 0 || (around.data[i] > 0.03 && i % 5 == 0))
                    {
                        other.push(*feature);
                    }
                }
                (own, other, any)
            })
            .collect();
        let (mut own, mut other, mut any) = (Vec::new(), Vec::new(), Vec::new());
        for (a, b, c) in samples {
            own.extend(a);
            other.extend(b);
            any.extend(c);
        }
        // A subject that has only colours of its background.
        if own.len() * 8 < any.len() || own.len() < 100 {
            own = any;
        }
        Some((Mixture::fit(&thinned(own))?, Mixture::fit(&thinned(other))?))
    }
}

/// A cut, and the evidence for it.
pub(super) struct Cut {
    pub(super) mask: Plane,
    pub(super) score: f32,
}

/// The quality of a cut: the share along edges, how well its colours separate, how much of the evidence it holds,
/// and how little it looks like ground or sky, which reach the frame's sides.
fn score(mask: &Plane, color: &[f32], evidence: &Plane, alike: impl Fn(usize, usize) -> f32) -> f32 {
    let (w, h) = (mask.width, mask.height);
    let (mut cut, mut length, mut size, mut rim) = (0.0, 1e-6, 0.0, 0.0);
    let (mut agreed, mut held, mut all, mut net) = (0.0, 0.0, 1.0, 0.0);
    for y in 0..h {
        for x in 0..w {
            let i = y * w + x;
            let inside = mask.data[i] > 0.5;
            let said = evidence.data[i].max(0.0);
            all += said;
            if inside {
                size += 1.0;
                agreed += color[i] / SURE;
                held += said;
                net += evidence.data[i];
                // A subject may rest on the lower rim; so does a road.
                rim += f32::from(u8::from(x == 0 || y == 0 || x + 1 == w))
                    + 0.5 * f32::from(u8::from(y + 1 == h));
            }
            for j in [(x + 1 < w).then(|| i + 1), (y + 1 < h).then(|| i + w)]
                .into_iter()
                .flatten()
            {
                if inside != (mask.data[j] > 0.5) {
                    cut += 1.0 - alike(i, j);
                    length += 1.0;
                }
            }
        }
    }
    if size < 8.0 {
        return 0.0;
    }
    cut / length + 0.6 * agreed / size + 0.8 * held / all + 0.3 * (net / size).min(1.0)
        - 2.0 * rim / (2 * h + w) as f32
}

fn thinned(features: Vec<Feature>) -> Vec<Feature> {
    let step = (features.len() / 24_000).max(1);
    features.into_iter().step_by(step).collect()
}

fn difference(a: &Feature, b: &Feature) -> f32 {
    (0..3).map(|c| (a[c] - b[c]).powi(2)).sum()
}

/// One over twice the mean difference of neighbours, which scales what counts as an edge.
fn steepness(features: &[Feature], width: usize) -> f32 {
    let sum: f64 = features
        .windows(2)
        .enumerate()
        .filter(|(i, _)| (i + 1) % width != 0)
        .map(|(_, pair)| f64::from(difference(&pair[0], &pair[1])))
        .sum();
    (1.0 / (2.0 * sum / features.len().max(1) as f64).max(1.0_f64)) as f32
}
