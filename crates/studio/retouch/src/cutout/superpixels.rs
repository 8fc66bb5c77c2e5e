//! A small picture in patches of similar colour that follow its edges (SLIC: Achanta et al. 2012, "SLIC superpixels
//! compared to state-of-the-art superpixel methods").

use super::Small;

/// Pixels that one patch has on average.
const PIXELS: usize = 260;

/// The weight of distance against difference of colour.
const COMPACTNESS: f32 = 14.0;

/// Rounds of assigning pixels and moving centres.
const TURNS: usize = 6;

/// The features of a pixel and of a patch: lightness, two axes of colour, and sharpness.
pub type Feature = [f32; 4];

/// The patches of a picture.
#[derive(Debug)]
pub(super) struct Superpixels {
    /// Which patch each pixel belongs to.
    pub(super) owner: Vec<usize>,
    pub(super) patches: Vec<Patch>,
    /// Which patches touch, each pair once.
    pub(super) touching: Vec<(usize, usize)>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Patch {
    pub(super) mean: Feature,
    /// The middle, 0 to 1 of the longer side.
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) size: f32,
    /// Pixels on the left, right and upper border, and on the lower.
    pub(super) rim: f32,
    pub(super) foot: f32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Middle {
    feature: Feature,
    x: f32,
    y: f32,
}

impl Superpixels {
    pub(super) fn of(small: &Small) -> Self {
        let (w, h) = (small.width, small.height);
        let step = (PIXELS as f32).sqrt();
        let columns = ((w as f32 / step).round() as usize).max(1);
        let rows = ((h as f32 / step).round() as usize).max(1);
        let mut middles: Vec<Middle> = (0..rows * columns)
            .map(|k| {
                let x = ((k % columns) as f32 + 0.5) * w as f32 / columns as f32;
                let y = ((k / columns) as f32 + 0.5) * h as f32 / rows as f32;
                let i = (y as usize).min(h - 1) * w + (x as usize).min(w - 1);
                Middle {
                    feature: small.features[i],
                    x,
                    y,
                }
            })
            .collect();
        let mut owner = vec![0; w * h];
        for _ in 0..TURNS {
            assign(small, &middles, (columns, rows), &mut owner);
            middles = middles_of(small, &owner, &middles);
        }
        let owner = connected(&owner, w, h);
        Self::joined(small, owner)
    }

    fn joined(small: &Small, owner: Vec<usize>) -> Self {
        let (w, h) = (small.width, small.height);
        let count = owner.iter().max().map_or(0, |most| most + 1);
        let mut patches = vec![Patch::default(); count];
        let long = w.max(h) as f32;
        let mut touching = Vec::new();
        for (i, k) in owner.iter().enumerate() {
            let (x, y) = (i % w, i / w);
            let patch = &mut patches[*k];
            for (sum, v) in patch.mean.iter_mut().zip(small.features[i]) {
                *sum += v;
            }
            patch.x += x as f32 / long;
            patch.y += y as f32 / long;
            patch.size += 1.0;
            if x == 0 || y == 0 || x + 1 == w {
                patch.rim += 1.0;
            }
            if y + 1 == h {
                patch.foot += 1.0;
            }
            let mut touch = |j: usize| {
                if owner[j] != *k {
                    touching.push((owner[j].min(*k), owner[j].max(*k)));
                }
            };
            if x + 1 < w {
                touch(i + 1);
            }
            if y + 1 < h {
                touch(i + w);
            }
        }
        for patch in &mut patches {
            patch.mean = patch.mean.map(|v| v / patch.size);
            patch.x /= patch.size;
            patch.y /= patch.size;
        }
        touching.sort_unstable();
        touching.dedup();
        Self {
            owner,
            patches,
            touching,
        }
    }
}

/// Each pixel to the nearest of the nine centres around it.
fn assign(small: &Small, middles: &[Middle], (columns, rows): (usize, usize), owner: &mut [usize]) {
    let (w, h) = (small.width, small.height);
    let place = COMPACTNESS * COMPACTNESS / PIXELS as f32;
    for (i, own) in owner.iter_mut().enumerate() {
        let (x, y) = (i % w, i / w);
        let (column, row) = (x * columns / w, y * rows / h);
        let mut least = f32::MAX;
        for v in row.saturating_sub(1)..(row + 2).min(rows) {
            for u in column.saturating_sub(1)..(column + 2).min(columns) {
                let middle = &middles[v * columns + u];
                let apart = (x as f32 - middle.x).powi(2) + (y as f32 - middle.y).powi(2);
                let d = distance(&small.features[i], &middle.feature) + place * apart;
                if d < least {
                    (least, *own) = (d, v * columns + u);
                }
            }
        }
    }
}

/// The squared difference of two features.
pub(super) fn distance(a: &Feature, b: &Feature) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

fn middles_of(small: &Small, owner: &[usize], before: &[Middle]) -> Vec<Middle> {
    let mut sums = vec![(Middle::default(), 0.0_f32); before.len()];
    for (i, k) in owner.iter().enumerate() {
        let (sum, count) = &mut sums[*k];
        for (sum, v) in sum.feature.iter_mut().zip(small.features[i]) {
            *sum += v;
        }
        sum.x += (i % small.width) as f32;
        sum.y += (i / small.width) as f32;
        *count += 1.0;
    }
    sums.iter()
        .zip(before)
        .map(|((sum, count), before)| {
            if *count == 0.0 {
                return *before;
            }
            Middle {
                feature: sum.feature.map(|v| v / count),
                x: sum.x / count,
                y: sum.y / count,
            }
        })
        .collect()
}

/// The connected parts of the patches, renumbered; tiny parts join the part before them.
fn connected(owner: &[usize], w: usize, h: usize) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let mut out = vec![NONE; owner.len()];
    let mut next = 0;
    for start in 0..owner.len() {
        if out[start] != NONE {
            continue;
        }
        let beside = if start % w > 0 {
            out[start - 1]
        } else if start >= w {
            out[start - w]
        } else {
            NONE
        };
        out[start] = next;
        let mut part = vec![start];
        let mut at = 0;
        while at < part.len() {
            let i = part[at];
            at += 1;
            let (x, y) = (i % w, i / w);
            let around = [
                (x > 0).then(|| i - 1),
                (x + 1 < w).then(|| i + 1),
                (y > 0).then(|| i - w),
                (y + 1 < h).then(|| i + w),
            ];
            for j in around.into_iter().flatten() {
                if out[j] == NONE && owner[j] == owner[start] {
                    out[j] = next;
                    part.push(j);
                }
            }
        }
        if part.len() < PIXELS / 5 && beside != NONE {
            for i in part {
                out[i] = beside;
            }
        } else {
            next += 1;
        }
    }
    out
}
