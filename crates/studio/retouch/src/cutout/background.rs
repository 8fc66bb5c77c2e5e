//! How likely each patch is background, by how much of its region lies along the border, and the contrast to such
//! patches (Zhu et al. 2014, "Saliency optimization from robust background detection").

use super::Small;
use super::superpixels::{Superpixels, distance};
use crate::Plane;

/// How much the lower border counts: subjects often stand on it.
const FOOT: f32 = 0.25;

/// The weight of being background against that of contrast.
const BACKGROUND: f32 = 5.0;

/// How far, as a share of the longer side, patches are compared.
const SPREAD: f32 = 0.4;

/// Likelihood of being the subject, 0 to 1.
pub(super) fn standing_out(small: &Small) -> Plane {
    let parts = Superpixels::of(small);
    let count = parts.patches.len();
    let apart: Vec<f32> = (0..count * count)
        .map(|k| distance(&parts.patches[k / count].mean, &parts.patches[k % count].mean).sqrt())
        .collect();
    let scale = Scale::of(&parts, &apart);
    let background = background(&parts, &apart, &scale);
    let contrast = contrast(&parts, &apart, &background);
    let likely = settled(&parts, &apart, &scale, &background, &contrast);
    Plane::from_fn(small.width, small.height, |x, y| {
        likely[parts.owner[y * small.width + x]]
    })
}

/// What counts as a small and as a large difference in this picture.
struct Scale {
    /// Steps up to here cost nothing.
    slack: f32,
    reach: f32,
    neighbour: f32,
}

impl Scale {
    fn of(parts: &Superpixels, apart: &[f32]) -> Self {
        let count = parts.patches.len();
        let mut least = vec![f32::MAX; count];
        for (a, b) in &parts.touching {
            let d = apart[a * count + b];
            least[*a] = least[*a].min(d);
            least[*b] = least[*b].min(d);
        }
        let least: Vec<f32> = least.into_iter().filter(|d| *d < f32::MAX).collect();
        let mean = least.iter().sum::<f32>() / least.len().max(1) as f32;
        let mut all = apart.to_vec();
        all.sort_by(f32::total_cmp);
        let top = &all[all.len() * 99 / 100..];
        let most = top.iter().sum::<f32>() / top.len().max(1) as f32;
        Self {
            slack: mean,
            reach: 10.0_f32.min(3.0 * mean).min(most / 10.0).max(5.0),
            neighbour: 20.0_f32.min(3.0 * mean).min(0.2 * most).max(1.0),
        }
    }
}

/// How likely each patch is background, 0 to 1: the border's share of the region that grows from it.
fn background(parts: &Superpixels, apart: &[f32], scale: &Scale) -> Vec<f32> {
    let count = parts.patches.len();
    let mut ways = vec![Vec::new(); count];
    let rim: Vec<usize> = (0..count).filter(|k| parts.patches[*k].rim > 0.0).collect();
    let mut link = |a: usize, b: usize| {
        let d = (apart[a * count + b] - scale.slack).max(0.0);
        ways[a].push((b, d));
        ways[b].push((a, d));
    };
    for (a, b) in &parts.touching {
        link(*a, *b);
    }
    for (n, a) in rim.iter().enumerate() {
        for b in &rim[n + 1..] {
            link(*a, *b);
        }
    }
    (0..count)
        .map(|k| {
            let (mut area, mut length) = (0.0, 0.0);
            for (patch, way) in parts.patches.iter().zip(shortest(&ways, k)) {
                let near = (-way * way / (2.0 * scale.reach * scale.reach)).exp();
                area += near;
                if patch.rim > 0.0 {
                    length += near;
                } else if patch.foot > 0.0 {
                    length += FOOT * near;
                }
            }
            let connectivity = length / area.sqrt();
            1.0 - (-connectivity * connectivity / 2.0).exp()
        })
        .collect()
}

/// The shortest ways from one patch to all (Dijkstra 1959; there are few patches, so no heap is needed).
fn shortest(ways: &[Vec<(usize, f32)>], start: usize) -> Vec<f32> {
    let mut least = vec![f32::MAX; ways.len()];
    let mut done = vec![false; ways.len()];
    least[start] = 0.0;
    loop {
        let next = (0..ways.len())
            .filter(|k| !done[*k] && least[*k] < f32::MAX)
            .min_by(|a, b| least[*a].total_cmp(&least[*b]));
        let Some(k) = next else { return least };
        done[k] = true;
        for (j, d) in &ways[k] {
            least[*j] = least[*j].min(least[k] + d);
        }
    }
}

/// How much each patch differs from background patches, weighted by distance; 0 to 1.
fn contrast(parts: &Superpixels, apart: &[f32], background: &[f32]) -> Vec<f32> {
    let count = parts.patches.len();
    let raw: Vec<f32> = (0..count)
        .map(|k| {
            let own = &parts.patches[k];
            (0..count)
                .map(|j| {
                    let other = &parts.patches[j];
                    let away = (own.x - other.x).powi(2) + (own.y - other.y).powi(2);
                    apart[k * count + j] * background[j] * (-away / (2.0 * SPREAD * SPREAD)).exp()
                })
                .sum()
        })
        .collect();
    let most = raw.iter().copied().fold(1e-6, f32::max);
    let least = raw.iter().copied().fold(f32::MAX, f32::min);
    raw.iter()
        .map(|v| (v - least) / (most - least).max(1e-6))
        .collect()
}

/// The likelihoods that agree best with the background, with the contrast, and with similar neighbours: the
/// solution of a linear system.
fn settled(
    parts: &Superpixels,
    apart: &[f32],
    scale: &Scale,
    background: &[f32],
    contrast: &[f32],
) -> Vec<f32> {
    let count = parts.patches.len();
    let mut rows = vec![vec![0.0_f32; count + 1]; count];
    let mean = contrast.iter().sum::<f32>() / count as f32;
    for k in 0..count {
        let stands = if contrast[k] < 0.6 * mean {
            0.0
        } else {
            contrast[k]
        };
        rows[k][k] = BACKGROUND * background[k] + stands + 1e-4;
        rows[k][count] = stands;
    }
    for (a, b) in &parts.touching {
        let d = apart[a * count + b] / scale.neighbour;
        let tie = (-0.5 * d * d).exp() + 0.1;
        rows[*a][*a] += tie;
        rows[*b][*b] += tie;
        rows[*a][*b] -= tie;
        rows[*b][*a] -= tie;
    }
    solved(rows)
}

/// Gauss's elimination of a diagonally dominant system, right sides last in each row.
fn solved(mut rows: Vec<Vec<f32>>) -> Vec<f32> {
    let count = rows.len();
    for k in 0..count {
        let (upper, lower) = rows.split_at_mut(k + 1);
        let pivot = &upper[k];
        for row in lower {
            let factor = row[k] / pivot[k];
            if factor != 0.0 {
                for (v, p) in row[k..].iter_mut().zip(&pivot[k..]) {
                    *v -= factor * p;
                }
            }
        }
    }
    let mut out = vec![0.0; count];
    for k in (0..count).rev() {
        let sum: f32 = (k + 1..count).map(|j| rows[k][j] * out[j]).sum();
        out[k] = ((rows[k][count] - sum) / rows[k][k]).clamp(0.0, 1.0);
    }
    out
}
