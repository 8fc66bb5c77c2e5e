//! Which pixels are the subject: a first guess by saliency, then alternating colour models of subject and
//! surroundings and the cheapest cut between them (GrabCut: Rother, Kolmogorov and Blake 2004).

use rayon::prelude::*;

use super::Small;
use super::cut::Grid;
use super::mixture::Mixture;
use super::superpixels::Feature;
use crate::Plane;

/// Rounds of models and cuts.
const ROUNDS: usize = 4;

/// The cost of separating equal neighbours.
const SMOOTHNESS: f32 = 36.0;

/// The largest evidence of colour and sharpness for a pixel, and the largest of saliency.
const SURE: f32 = 5.0;
const PRIOR: f32 = 10.0;

/// A cut with a smaller share along edges separates nothing.
const LEAST_EDGE: f32 = 0.1;

/// One where the subject is, zero elsewhere; nothing if no subject stands out.
pub fn segment(small: &Small) -> Option<Plane> {
    let likely = super::likely(small);
    let tried = candidates(small, &likely);
    tried
        .into_iter()
        .filter(|found| found.edge > LEAST_EDGE)
        .max_by(|a, b| a.score().total_cmp(&b.score()))
        .map(|found| found.mask)
}

/// A candidate cut, and the evidence for it.
#[derive(Debug, Clone)]
struct Candidate {
    mask: Plane,
    /// The share of the cut that runs along edges, 0 to 1.
    edge: f32,
    /// How well the mask covers the likely region: intersection over union.
    agreement: f32,
    /// How different the two sides' models are, 0 to 1.
    apart: f32,
}

impl Candidate {
    fn score(&self) -> f32 {
        0.5 * self.edge + self.agreement + 0.3 * self.apart
    }
}

/// Cuts from several seeds: with more and less of what is likely, and with a bias for the middle.
fn candidates(small: &Small, likely: &Plane) -> Vec<Candidate> {
    let central = central(likely);
    let tries = [
        (likely, 0.65),
        (likely, 1.0),
        (likely, 1.4),
        (&central, 0.8),
        (&central, 1.1),
    ];
    tries
        .into_par_iter()
        .map(|(seeds, factor)| {
            let base = (1.5 * seeds.mean()).clamp(0.15, 0.6);
            refine(small, seeds, (factor * base).min(0.8), likely)
        })
        .collect::<Vec<_>>()
        .into_iter()
        .flatten()
        .collect()
}

/// The same with a bias for the middle, for subjects that fill the picture.
fn central(likely: &Plane) -> Plane {
    let (w, h) = (likely.width as f32, likely.height as f32);
    Plane::from_fn(likely.width, likely.height, |x, y| {
        let (u, v) = (2.0 * x as f32 / w - 1.0, 2.0 * y as f32 / h - 1.0);
        let middle = (-(u * u / 0.3 + (v - 0.15) * (v - 0.15) / 0.6)).exp();
        0.6 * likely.at(x, y) + 0.4 * middle
    })
}

/// Alternates models and cuts, from the seeds above a threshold.
fn refine(small: &Small, seeds: &Plane, threshold: f32, salient: &Plane) -> Option<Candidate> {
    let count = small.width * small.height;
    let mut inside: Vec<bool> = seeds.data.iter().map(|v| *v > threshold).collect();
    let beta = steepness(small);
    let closeness = |i: usize, j: usize| (-beta * difference(&small.features[i], &small.features[j])).exp();
    let mut apart = 0.0;
    for _ in 0..ROUNDS {
        let by_color = evidence(small, &inside)?;
        let terminal = (0..count)
            .map(|i| {
                let (x, y) = (i % small.width, i / small.width);
                // A subject may rest on the lower rim; the other rims are seldom part of it.
                let rim = x == 0 || y == 0 || x + 1 == small.width;
                let over = seeds.data[i] - threshold;
                let likely = over / if over > 0.0 { 1.0 - threshold } else { threshold };
                by_color[i] + PRIOR * likely - if rim { 6.0 } else { 0.0 }
            })
            .collect();
        let link = |i: usize, j: usize| {
            let straight = i.abs_diff(j) == 1 || i.abs_diff(j) == small.width;
            let length = if straight { 1.0 } else { 0.707 };
            length * SMOOTHNESS * (0.04 + 0.96 * closeness(i, j))
        };
        let next = Grid::new(small.width, small.height, terminal, link).cut();
        let same = next == inside;
        inside = next;
        let agreeing = by_color
            .iter()
            .zip(&inside)
            .map(|(v, own)| if *own { *v } else { -v });
        apart = agreeing.sum::<f32>() / count as f32 / SURE;
        if same {
            break;
        }
    }
    whole(&mut inside, small.width, small.height);
    let share = inside.iter().filter(|own| **own).count() as f32 / count as f32;
    if !(0.004..0.97).contains(&share) {
        return None;
    }
    let (mut cut, mut length) = (0.0, 1e-6);
    for i in (0..count - small.width).filter(|i| (i + 1) % small.width != 0) {
        for j in [i + 1, i + small.width] {
            if inside[i] != inside[j] {
                cut += 1.0 - closeness(i, j);
                length += 1.0;
            }
        }
    }
    let mask = Plane::from_fn(small.width, small.height, |x, y| {
        f32::from(u8::from(inside[y * small.width + x]))
    });
    let both = mask.zip(salient, f32::min).mean();
    let either = mask.zip(salient, f32::max).mean();
    Some(Candidate {
        mask,
        edge: cut / length,
        agreement: both / either.max(1e-6),
        apart,
    })
}

/// The evidence of colour and sharpness for each pixel: above zero for the subject.
fn evidence(small: &Small, inside: &[bool]) -> Option<Vec<f32>> {
    let of = |side: bool| -> Vec<Feature> {
        let own = small.features.iter().zip(inside).filter(|(_, own)| **own == side);
        own.map(|(feature, _)| *feature).collect()
    };
    let (subject, around) = (Mixture::fit(&of(true))?, Mixture::fit(&of(false))?);
    let one = |feature: &Feature| (around.cost(feature) - subject.cost(feature)).clamp(-SURE, SURE);
    Some(small.features.iter().map(one).collect())
}

/// How much two colours differ, squared.
fn difference(a: &Feature, b: &Feature) -> f32 {
    (0..3).map(|c| (a[c] - b[c]).powi(2)).sum()
}

/// One over twice the mean difference of neighbours, which scales what counts as an edge.
fn steepness(small: &Small) -> f32 {
    let (mut sum, mut count) = (0.0_f64, 0.0);
    for i in 0..small.features.len() - 1 {
        if (i + 1) % small.width != 0 {
            sum += f64::from(difference(&small.features[i], &small.features[i + 1]));
            count += 1.0;
        }
    }
    (1.0 / (2.0 * sum / f64::max(count, 1.0)).max(1.0)) as f32
}

/// Removes specks beside the subject, and closes small holes in it.
fn whole(inside: &mut [bool], width: usize, height: usize) {
    let parts = components(inside, width, height, true);
    let largest = parts.iter().map(Vec::len).max().unwrap_or(0);
    for part in parts.iter().filter(|part| part.len() * 7 < largest) {
        for i in part {
            inside[*i] = false;
        }
    }
    for hole in components(inside, width, height, false) {
        let at_rim = hole.iter().any(|i| {
            let (x, y) = (i % width, i / width);
            x == 0 || y == 0 || x + 1 == width || y + 1 == height
        });
        if !at_rim && hole.len() * 12 < largest {
            for i in hole {
                inside[i] = true;
            }
        }
    }
}

/// The connected parts of one side.
pub fn components(inside: &[bool], width: usize, height: usize, side: bool) -> Vec<Vec<usize>> {
    let mut seen = vec![false; inside.len()];
    let mut parts = Vec::new();
    for start in 0..inside.len() {
        if seen[start] || inside[start] != side {
            continue;
        }
        seen[start] = true;
        let mut part = vec![start];
        let mut next = 0;
        while next < part.len() {
            let i = part[next];
            next += 1;
            let (x, y) = (i % width, i / width);
            let around = [
                (x > 0).then(|| i - 1),
                (x + 1 < width).then(|| i + 1),
                (y > 0).then(|| i - width),
                (y + 1 < height).then(|| i + width),
            ];
            for j in around.into_iter().flatten() {
                if !seen[j] && inside[j] == side {
                    seen[j] = true;
                    part.push(j);
                }
            }
        }
        parts.push(part);
    }
    parts
}
