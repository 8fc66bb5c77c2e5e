//! Fills missing parts from coarse to fine: at each size patches search for similar ones and vote for new colours
//! in turn (Wexler, Shechtman and Irani 2007, "Space-time completion of video"; the search is PatchMatch, Barnes et
//! al. 2009). At full size pixels are copied from where the matches point, and the difference at the seam is spread
//! over the fill (as in Pérez, Gangnet and Blake 2003, "Poisson image editing").

#![expect(
    clippy::needless_range_loop,
    reason = "channels are counted across several arrays at once"
)]

use rayon::prelude::*;

use super::level::{Level, Match, REACH};
use crate::color::byte;
use crate::decode::Picture;
use crate::{Plane, diffuse};

/// The largest number of pixels on which patches are matched; larger pieces are matched at half their size, or a
/// quarter.
const MOST: usize = 1_200_000;

/// The largest extent of a hole on the smallest level.
const SMALLEST_HOLE: usize = 14;

/// A rectangle of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Area {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

/// Fills the missing pixels; true if there was enough of the picture to fill from. `progress` goes from 0 to 1.
pub fn fill(picture: &mut Picture, missing: &[bool], seed: u32, progress: &mut dyn FnMut(f32)) -> bool {
    fill_on(picture, missing, seed, MOST, progress)
}

/// The same, matching on at most this many pixels.
pub(crate) fn fill_on(
    picture: &mut Picture,
    missing: &[bool],
    seed: u32,
    most: usize,
    progress: &mut dyn FnMut(f32),
) -> bool {
    let Some((area, extent)) = surroundings(picture, missing) else {
        return true;
    };
    let mut shrink = 1;
    while area.width * area.height / (shrink * shrink) > most {
        shrink *= 2;
    }
    let mut levels = vec![level(picture, missing, area, shrink)];
    let mut hole = extent / shrink;
    while hole > SMALLEST_HOLE {
        let last = &levels[levels.len() - 1];
        if last.width.min(last.height) < 12 * REACH {
            break;
        }
        let next = halved(last);
        if !next.has_sources() {
            break;
        }
        hole /= 2;
        levels.push(next);
    }
    if !levels[levels.len() - 1].has_sources() {
        return false;
    }
    let count = levels.len();
    let mut matches: Vec<Match> = Vec::new();
    for n in (0..count).rev() {
        let (finer, coarser) = levels.split_at_mut(n + 1);
        let level = &mut finer[n];
        let salt = seed ^ (n as u32).wrapping_mul(0x9e37_79b9);
        if let Some(coarse) = coarser.first() {
            // The source positions are carried over, not the colours, whose grain the small level lacks.
            matches = level.refined(coarse, &matches, salt);
            level.vote(&matches, true);
            level.measured(&mut matches);
        } else {
            level.peel();
            matches = level.random(salt);
            for turn in 0..8 {
                matches = level.bettered(&matches, salt ^ (turn + 1000), 1 << (turn % 4));
            }
        }
        // Most is settled on the small levels, where it is cheap.
        let rounds = if n + 1 == count { 12 } else { (2 + 2 * n).min(8) } as u32;
        for round in 0..rounds {
            for turn in 0..2 {
                matches = level.bettered(&matches, salt ^ (round * 7 + turn), if turn == 0 { 4 } else { 1 });
            }
            let change = level.vote(&matches, round + 1 == rounds);
            level.measured(&mut matches);
            if change < 2.0 {
                break;
            }
        }
        progress((count - n) as f32 / count as f32 * 0.9);
    }
    matches = levels[0].bettered(&matches, seed ^ 0xf1a1, 1);
    copy(picture, missing, area, shrink, &levels[0], &matches);
    progress(1.0);
    true
}

/// The missing part with enough around it to copy from, and its greatest extent; nothing if nothing is missing.
fn surroundings(picture: &Picture, missing: &[bool]) -> Option<(Area, usize)> {
    let (mut left, mut right, mut top, mut bottom) = (usize::MAX, 0, usize::MAX, 0);
    for (y, row) in missing.chunks_exact(picture.width).enumerate() {
        if let (Some(first), Some(last)) = (row.iter().position(|m| *m), row.iter().rposition(|m| *m)) {
            left = left.min(first);
            right = right.max(last);
            top = top.min(y);
            bottom = y;
        }
    }
    if left == usize::MAX {
        return None;
    }
    let (w, h) = (right - left + 1, bottom - top + 1);
    let margin = (w.max(h) * 9 / 10).max(72);
    let (l, t) = (left.saturating_sub(margin), top.saturating_sub(margin));
    let (r, b) = (
        (right + 1 + margin).min(picture.width),
        (bottom + 1 + margin).min(picture.height),
    );
    // Several small holes far apart are each small: the widest run in a row says more than the whole extent.
    let widest = missing
        .chunks_exact(picture.width)
        .map(longest_run)
        .max()
        .unwrap_or(0);
    Some((
        Area {
            left: l,
            top: t,
            width: r - l,
            height: b - t,
        },
        widest.min(h.max(1)).max(1),
    ))
}

fn longest_run(row: &[bool]) -> usize {
    row.split(|missing| !missing)
        .map(<[bool]>::len)
        .max()
        .unwrap_or(0)
}

/// An area at one over `shrink` of its size.
fn level(picture: &Picture, missing: &[bool], area: Area, shrink: usize) -> Level {
    let (width, height) = (area.width.div_ceil(shrink), area.height.div_ceil(shrink));
    let mut rgb = vec![0.0; 3 * width * height];
    let mut hole = vec![false; width * height];
    for y in 0..height {
        for x in 0..width {
            let (mut sums, mut count) = ([0.0; 3], 0.0);
            for v in y * shrink..((y + 1) * shrink).min(area.height) {
                for u in x * shrink..((x + 1) * shrink).min(area.width) {
                    let i = (area.top + v) * picture.width + area.left + u;
                    if missing[i] {
                        hole[y * width + x] = true;
                    } else {
                        for c in 0..3 {
                            sums[c] += f32::from(picture.rgba[4 * i + c]);
                        }
                        count += 1.0;
                    }
                }
            }
            for c in 0..3 {
                rgb[3 * (y * width + x) + c] = if count > 0.0 { sums[c] / count } else { 0.0 };
            }
        }
    }
    Level::new(width, height, rgb, hole)
}

fn halved(level: &Level) -> Level {
    let (width, height) = (level.width.div_ceil(2), level.height.div_ceil(2));
    let mut rgb = vec![0.0; 3 * width * height];
    let mut hole = vec![false; width * height];
    for y in 0..height {
        for x in 0..width {
            let (mut sums, mut count, mut lost) = ([0.0; 3], 0.0, 0);
            for (u, v) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let (u, v) = (
                    (2 * x + u).min(level.width - 1),
                    (2 * y + v).min(level.height - 1),
                );
                let i = v * level.width + u;
                if level.missing[i] {
                    lost += 1;
                } else {
                    for c in 0..3 {
                        sums[c] += level.rgb[3 * i + c];
                    }
                    count += 1.0;
                }
            }
            hole[y * width + x] = lost > 1;
            for c in 0..3 {
                rgb[3 * (y * width + x) + c] = if count > 0.0 { sums[c] / count } else { 0.0 };
            }
        }
    }
    Level::new(width, height, rgb, hole)
}

/// Fills at full size from where the matches point.
fn copy(
    picture: &mut Picture,
    missing: &[bool],
    area: Area,
    shrink: usize,
    level: &Level,
    matches: &[Match],
) {
    let seam = seam(level, matches);
    let source = picture.clone();
    let width = picture.width;
    picture
        .rgba
        .par_chunks_mut(4 * width)
        .enumerate()
        .skip(area.top)
        .take(area.height)
        .for_each(|(y, row)| {
            for x in area.left..area.left + area.width {
                if !missing[y * width + x] {
                    continue;
                }
                let (u, v) = (x - area.left, y - area.top);
                let Some(color) = copied(&source, missing, area, shrink, level, matches, (u, v)) else {
                    continue;
                };
                let (sx, sy) = (
                    (u as f32 + 0.5) / shrink as f32 - 0.5,
                    (v as f32 + 0.5) / shrink as f32 - 0.5,
                );
                for c in 0..3 {
                    row[4 * x + c] = byte(color[c] + seam[c].bilinear(sx, sy));
                }
                row[4 * x + 3] = byte(color[3]);
            }
        });
}

/// Returns the pixels that the matches around a place copy to it, weighted by distance.
fn copied(
    source: &Picture,
    missing: &[bool],
    area: Area,
    shrink: usize,
    level: &Level,
    matches: &[Match],
    (u, v): (usize, usize),
) -> Option<[f32; 4]> {
    let (fx, fy) = (
        (u as f32 + 0.5) / shrink as f32 - 0.5,
        (v as f32 + 0.5) / shrink as f32 - 0.5,
    );
    let mut sums = [0.0; 5];
    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let lx = ((fx.floor() as isize + dx).max(0) as usize).min(level.width - 1);
        let ly = ((fy.floor() as isize + dy).max(0) as usize).min(level.height - 1);
        let weight = (1.0 - (fx - lx as f32).abs()).max(0.0) * (1.0 - (fy - ly as f32).abs()).max(0.0) + 1e-4;
        let Some(found) = level.match_at(matches, lx, ly) else {
            continue;
        };
        let x = area.left as isize + u as isize + (found.x as isize - lx as isize) * shrink as isize;
        let y = area.top as isize + v as isize + (found.y as isize - ly as isize) * shrink as isize;
        if x < 0 || y < 0 || x >= source.width as isize || y >= source.height as isize {
            continue;
        }
        let i = y as usize * source.width + x as usize;
        if missing[i] {
            continue;
        }
        for c in 0..4 {
            sums[c] += weight * f32::from(source.rgba[4 * i + c]);
        }
        sums[4] += weight;
    }
    (sums[4] > 0.0).then(|| [0, 1, 2, 3].map(|c| sums[c] / sums[4]))
}

/// The correction that makes the fill meet its surroundings: the difference at the seam, spread inwards.
fn seam(level: &Level, matches: &[Match]) -> [Plane; 3] {
    let (w, h) = (level.width, level.height);
    let mut differences: [Plane; 3] = std::array::from_fn(|_| Plane::new(w, h));
    let mut weight = Plane::new(w, h);
    for i in 0..w * h {
        if level.missing[i] {
            continue;
        }
        match level.match_at(matches, i % w, i / w) {
            Some(found) => {
                let j = found.y as usize * w + found.x as usize;
                for (c, plane) in differences.iter_mut().enumerate() {
                    // A small difference is one of light; a large one is a different object, not a seam.
                    let d = level.rgb[3 * i + c] - level.rgb[3 * j + c];
                    plane.data[i] = d * (-(d * d) / 500.0).exp();
                }
                weight.data[i] = 1.0;
            }
            None => weight.data[i] = 0.0,
        }
    }
    if weight.max() <= 0.0 {
        return differences;
    }
    // The grain of single pixels is not a seam.
    let total = weight.box_mean(1).map(|v| v.max(1e-6));
    let smooth: [Plane; 3] = std::array::from_fn(|c| {
        differences[c]
            .zip(&weight, |d, k| d * k)
            .box_mean(1)
            .zip(&total, |d, k| d / k)
    });
    diffuse::fill(&smooth, &weight)
}
