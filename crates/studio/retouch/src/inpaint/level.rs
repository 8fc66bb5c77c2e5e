//! One size of the picture being filled: its colours, what is missing, and for every patch around the missing part
//! the most similar patch elsewhere.

#![expect(
    clippy::needless_range_loop,
    reason = "channels are counted across several arrays at once"
)]

use rayon::prelude::*;

use crate::chance::hash;

/// Half the side of a patch, less a half: patches are 7 × 7.
pub(super) const REACH: usize = 3;

/// The position of the most similar patch, and its distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Match {
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) distance: f32,
}

/// A level of the pyramid.
#[derive(Debug, Clone)]
pub(super) struct Level {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Red, green and blue of each pixel in turn.
    pub(super) rgb: Vec<f32>,
    pub(super) missing: Vec<bool>,
    /// The middles of patches in which nothing is missing.
    whole: Vec<bool>,
    /// The same, listed.
    sources: Vec<u32>,
    /// The pixels whose patches touch the missing part, row by row, and where each stands in this list.
    pub(super) targets: Vec<u32>,
    place: Vec<u32>,
    /// The confidence in the surroundings of a missing pixel: less with every step from the known.
    trust: Vec<f32>,
}

const NOWHERE: u32 = u32::MAX;

impl Level {
    pub(super) fn new(width: usize, height: usize, rgb: Vec<f32>, missing: Vec<bool>) -> Self {
        let touched = dilated(&missing, width, height, REACH);
        let inner = |i: usize| {
            let (x, y) = (i % width, i / width);
            x >= REACH && y >= REACH && x + REACH < width && y + REACH < height
        };
        let whole: Vec<bool> = (0..width * height).map(|i| inner(i) && !touched[i]).collect();
        let sources = (0..width * height)
            .filter(|i| whole[*i])
            .map(|i| i as u32)
            .collect();
        let targets: Vec<u32> = (0..width * height)
            .filter(|i| touched[*i] && inner(*i))
            .map(|i| i as u32)
            .collect();
        let mut place = vec![NOWHERE; width * height];
        for (n, i) in targets.iter().enumerate() {
            place[*i as usize] = n as u32;
        }
        let trust = depths(&missing, width, height)
            .iter()
            .map(|d| 0.88_f32.powi((*d).min(60) as i32))
            .collect();
        Self {
            width,
            height,
            rgb,
            missing,
            whole,
            sources,
            targets,
            place,
            trust,
        }
    }

    /// Whether there is anything to copy from.
    pub(super) fn has_sources(&self) -> bool {
        !self.sources.is_empty()
    }

    /// A random match for every target.
    pub(super) fn random(&self, seed: u32) -> Vec<Match> {
        self.targets
            .par_iter()
            .map(|i| {
                let pick = hash(*i as i32, 77, seed) as usize % self.sources.len();
                self.matched(*i as usize, self.sources[pick] as usize, f32::MAX)
            })
            .collect()
    }

    /// The matches of a level half as large, carried over.
    pub(super) fn refined(&self, coarse: &Self, matches: &[Match], seed: u32) -> Vec<Match> {
        self.targets
            .par_iter()
            .map(|i| {
                let i = *i as usize;
                let (x, y) = (i % self.width, i / self.width);
                let (cx, cy) = ((x / 2).min(coarse.width - 1), (y / 2).min(coarse.height - 1));
                let n = coarse.place[cy * coarse.width + cx];
                let guess = (n != NOWHERE).then(|| {
                    let found = matches[n as usize];
                    (2 * found.x as usize + x % 2, 2 * found.y as usize + y % 2)
                });
                match guess {
                    Some((u, v)) if u < self.width && v < self.height && self.whole[v * self.width + u] => {
                        self.matched(i, v * self.width + u, f32::MAX)
                    }
                    _ => {
                        let pick = hash(i as i32, 78, seed) as usize % self.sources.len();
                        self.matched(i, self.sources[pick] as usize, f32::MAX)
                    }
                }
            })
            .collect()
    }

    /// Improves every match by its neighbours' and by random ones nearby (PatchMatch: Barnes et al. 2009). All are
    /// improved at once from the old ones, so the result does not depend on threads.
    pub(super) fn bettered(&self, matches: &[Match], seed: u32, jump: usize) -> Vec<Match> {
        let longest = self.width.max(self.height);
        (0..self.targets.len())
            .into_par_iter()
            .map(|n| {
                let i = self.targets[n] as usize;
                let (x, y) = (i % self.width, i / self.width);
                let mut best = matches[n];
                let consider = |best: &mut Match, u: isize, v: isize| {
                    if u < 0 || v < 0 || u >= self.width as isize || v >= self.height as isize {
                        return;
                    }
                    let j = v as usize * self.width + u as usize;
                    if self.whole[j] && (best.x, best.y) != (u as u32, v as u32) {
                        let found = self.matched(i, j, best.distance);
                        if found.distance < best.distance {
                            *best = found;
                        }
                    }
                };
                for far in [1, jump as isize] {
                    for (dx, dy) in [(far, 0), (-far, 0), (0, far), (0, -far)] {
                        let (px, py) = (x as isize + dx, y as isize + dy);
                        if px < 0 || py < 0 || px >= self.width as isize || py >= self.height as isize {
                            continue;
                        }
                        let m = self.place[py as usize * self.width + px as usize];
                        if m != NOWHERE {
                            let near = matches[m as usize];
                            consider(&mut best, near.x as isize - dx, near.y as isize - dy);
                        }
                    }
                    if jump <= 1 {
                        break;
                    }
                }
                let mut window = longest as f32;
                let mut turn = 0;
                while window >= 1.0 {
                    let h = hash(i as i32, turn, seed);
                    let dx = ((h & 0xffff) as f32 / 32_768.0 - 1.0) * window;
                    let dy = ((h >> 16) as f32 / 32_768.0 - 1.0) * window;
                    let (u, v) = (best.x as isize + dx as isize, best.y as isize + dy as isize);
                    consider(&mut best, u, v);
                    window *= 0.4;
                    turn += 1;
                }
                best
            })
            .collect()
    }

    /// Computes the distances again, after the colours changed.
    pub(super) fn measured(&self, matches: &mut [Match]) {
        matches.par_iter_mut().zip(&self.targets).for_each(|(found, i)| {
            let j = found.y as usize * self.width + found.x as usize;
            *found = self.matched(*i as usize, j, f32::MAX);
        });
    }

    /// New colours of the missing pixels: the weighted vote of all patches over a pixel (Wexler, Shechtman and Irani
    /// 2007). Returns the greatest change.
    pub(super) fn vote(&mut self, matches: &[Match], sharp: bool) -> f32 {
        let mut distances: Vec<f32> = matches.iter().map(|found| found.distance).collect();
        let at = distances.len() * 3 / 4;
        let usual = if distances.is_empty() {
            1.0
        } else {
            *distances.select_nth_unstable_by(at, f32::total_cmp).1
        };
        let scale = 1.0 / (2.0 * usual.max(1.0));
        let colors: Vec<(usize, [f32; 3])> = self
            .targets
            .par_iter()
            .filter(|i| self.missing[**i as usize])
            .map(|i| (*i as usize, self.voted(*i as usize, matches, scale, sharp)))
            .collect();
        let mut change = 0.0_f32;
        for (i, color) in colors {
            for c in 0..3 {
                change = change.max((self.rgb[3 * i + c] - color[c]).abs());
                self.rgb[3 * i + c] = color[c];
            }
        }
        change
    }

    fn voted(&self, i: usize, matches: &[Match], scale: f32, sharp: bool) -> [f32; 3] {
        let (x, y) = (i % self.width, i / self.width);
        let mut sums = [0.0; 4];
        // The last vote has a small neighbourhood, so that grain is not averaged away.
        let reach = if sharp { 0 } else { REACH };
        for v in y - reach.min(y)..=(y + reach).min(self.height - 1) {
            for u in x - reach.min(x)..=(x + reach).min(self.width - 1) {
                let n = self.place[v * self.width + u];
                if n == NOWHERE {
                    continue;
                }
                let found = matches[n as usize];
                let weight = self.trust[v * self.width + u] * (-found.distance * scale).exp() + 1e-9;
                let (sx, sy) = (found.x as usize + x - u, found.y as usize + y - v);
                let at = 3 * (sy * self.width + sx);
                for c in 0..3 {
                    sums[c] += weight * self.rgb[at + c];
                }
                sums[3] += weight;
            }
        }
        if sums[3] <= 0.0 {
            let at = 3 * i;
            return [self.rgb[at], self.rgb[at + 1], self.rgb[at + 2]];
        }
        [sums[0] / sums[3], sums[1] / sums[3], sums[2] / sums[3]]
    }

    /// The match of a target at a source; its distance may stay unfinished above `limit`.
    fn matched(&self, target: usize, source: usize, limit: f32) -> Match {
        let mut distance = 0.0;
        for row in 0..=2 * REACH {
            let a = 3 * (target + row * self.width - REACH * self.width - REACH);
            let b = 3 * (source + row * self.width - REACH * self.width - REACH);
            let (a, b) = (
                &self.rgb[a..a + 3 * (2 * REACH + 1)],
                &self.rgb[b..b + 3 * (2 * REACH + 1)],
            );
            distance += a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>();
            if distance > limit {
                break;
            }
        }
        Match {
            x: (source % self.width) as u32,
            y: (source / self.width) as u32,
            distance,
        }
    }

    /// Fills layer by layer from the known inwards, each pixel from the most similar patch of all, by the known part
    /// of the patch: how the smallest level begins (Newson et al. 2014).
    pub(super) fn peel(&mut self) {
        let depth = depths(&self.missing, self.width, self.height);
        let mut known: Vec<bool> = self.missing.iter().map(|missing| !missing).collect();
        let deepest = depth.iter().copied().max().unwrap_or(0);
        for layer in 1..=deepest {
            let ring: Vec<usize> = (0..depth.len()).filter(|i| depth[*i] == layer).collect();
            let colors: Vec<(usize, [f32; 3])> =
                ring.par_iter().map(|i| (*i, self.likest(*i, &known))).collect();
            for (i, color) in colors {
                self.rgb[3 * i..3 * i + 3].copy_from_slice(&color);
                known[i] = true;
            }
        }
    }

    fn likest(&self, i: usize, known: &[bool]) -> [f32; 3] {
        let (x, y) = ((i % self.width) as isize, (i / self.width) as isize);
        let reach = REACH as isize;
        let mut cells: Vec<(isize, usize)> = Vec::new();
        for dy in -reach..=reach {
            for dx in -reach..=reach {
                let (u, v) = (x + dx, y + dy);
                if u >= 0 && v >= 0 && u < self.width as isize && v < self.height as isize {
                    let j = v as usize * self.width + u as usize;
                    if known[j] {
                        cells.push((dy * self.width as isize + dx, j));
                    }
                }
            }
        }
        let mut best = (f32::MAX, i);
        for source in &self.sources {
            let mut distance = 0.0;
            for (step, j) in &cells {
                let s = (*source as isize + step) as usize;
                for c in 0..3 {
                    distance += (self.rgb[3 * s + c] - self.rgb[3 * j + c]).powi(2);
                }
                if distance >= best.0 {
                    break;
                }
            }
            if distance < best.0 {
                best = (distance, *source as usize);
            }
        }
        std::array::from_fn(|c| self.rgb[3 * best.1 + c])
    }

    /// The match of the target nearest to a place.
    pub(super) fn match_at<'a>(&self, matches: &'a [Match], x: usize, y: usize) -> Option<&'a Match> {
        let n = self.place[y * self.width + x];
        (n != NOWHERE).then(|| &matches[n as usize])
    }
}

/// How many steps each missing pixel is from a known one; 0 for the known.
fn depths(missing: &[bool], width: usize, height: usize) -> Vec<u32> {
    let mut depth: Vec<u32> = missing
        .iter()
        .map(|missing| if *missing { u32::MAX / 2 } else { 0 })
        .collect();
    for forward in [true, false] {
        for k in 0..width * height {
            let i = if forward { k } else { width * height - 1 - k };
            let (x, y) = (i % width, i / width);
            let mut least = depth[i];
            let mut look = |j: usize| least = least.min(depth[j] + 1);
            if forward {
                if x > 0 {
                    look(i - 1);
                }
                if y > 0 {
                    look(i - width);
                }
            } else {
                if x + 1 < width {
                    look(i + 1);
                }
                if y + 1 < height {
                    look(i + width);
                }
            }
            depth[i] = least;
        }
    }
    depth
}

/// True within squares about what is true.
pub(super) fn dilated(mask: &[bool], width: usize, height: usize, reach: usize) -> Vec<bool> {
    let spread = |source: &[bool], step: usize, place: &dyn Fn(usize) -> usize, length: usize| -> Vec<bool> {
        // How far the last true one lies behind, along a line, from either end.
        let mut out = source.to_vec();
        for backward in [false, true] {
            let mut far = vec![usize::MAX; source.len()];
            for k in 0..source.len() {
                let i = if backward { source.len() - 1 - k } else { k };
                let at = place(i);
                let before = if backward { at + 1 < length } else { at > 0 };
                far[i] = if source[i] {
                    0
                } else if before {
                    let j = if backward { i + step } else { i - step };
                    far[j].saturating_add(1)
                } else {
                    usize::MAX
                };
                out[i] |= far[i] <= reach;
            }
        }
        out
    };
    let across = spread(mask, 1, &|i| i % width, width);
    spread(&across, width, &|i| i / width, height)
}
