//! Removes a known thing from a picture. It is found by the colours that it usually has, by how rare those are in
//! the picture, by where such things usually are, and by saliency. The inpainter fills the hole.

use crate::chance::Rng;
use crate::draw::Pen;
use crate::light::{Light, Season, Time, Weather};
use crate::subjects::{Home, Look, Subject};
use atelier_retouch::canvas::Canvas;
use atelier_retouch::canvas::picture_within;
use atelier_retouch::cutout::{Background, remove_background};
use atelier_retouch::decode::Picture;
use atelier_retouch::inpaint;
use atelier_retouch::rgb::Rgb;

/// The longer side at which the thing is looked for.
const SIDE: usize = 320;

/// Holes with more pixels than this are filled at half the size.
const MOST_FILLED: usize = 4_500_000;

/// Removes a subject; returns the share of the picture that it covered, or nothing if it was not found.
pub(super) fn remove(canvas: &mut Canvas, subject: &Subject, seed: u32) -> Option<f32> {
    let small = picture_within(canvas, SIDE);
    let found = find(&small, subject)?;
    let (w, h) = (small.width, small.height);
    // Its rim and the shadow at its foot are removed too.
    let grow = (w.max(h) / 60).max(2);
    let found = grown(&found, w, h, grow, 2 * grow);
    let share = found.iter().filter(|hole| **hole).count() as f32 / found.len() as f32;
    let side = canvas.frame.width.max(canvas.frame.height);
    let large = canvas.pixels.len() > MOST_FILLED;
    let mut full = picture_within(canvas, if large { side / 2 } else { side });
    let hole_at =
        |x: usize, y: usize, width: usize, height: usize| found[(y * h / height) * w + x * w / width];
    let missing: Vec<bool> = (0..full.width * full.height)
        .map(|i| hole_at(i % full.width, i / full.width, full.width, full.height))
        .collect();
    if !inpaint::fill(&mut full, &missing, seed, &mut |_| {}) {
        return None;
    }
    let (width, height) = (canvas.frame.width, canvas.frame.height);
    for (i, pixel) in canvas.pixels.iter_mut().enumerate() {
        let (x, y) = (i % width, i / width);
        if hole_at(x, y, width, height) {
            let [r, g, b, _] = full.pixel(x * full.width / width, y * full.height / height);
            *pixel = [r, g, b, pixel[3]];
        }
    }
    Some(share)
}

/// The colours that it is usually drawn in, with their shares.
fn palette(subject: &Subject) -> Vec<([f32; 3], f32)> {
    let mut rng = Rng::new(1);
    let light = Light::new(Time::Day, Weather::Clear, Season::Summer, &mut rng);
    let mut pen = Pen::new(rng.fork("palette"));
    (subject.draw)(
        &mut pen,
        &Look {
            light: &light,
            color: None,
        },
    );
    let all: Vec<([f32; 3], f32)> = pen
        .shapes
        .iter()
        .filter(|(_, paint)| paint.solid())
        .map(|(path, paint)| (tone(paint.color), path.bounds().width() * path.bounds().height()))
        .collect();
    let sum: f32 = all.iter().map(|(_, area)| area).sum();
    all.into_iter()
        .map(|(color, area)| (color, area / sum.max(1e-6)))
        .collect()
}

/// Lightness changes most with the light, so it counts half.
fn tone(c: Rgb) -> [f32; 3] {
    [0.5 * c.luma(), c.0 - c.1, 0.5 * (c.0 + c.1) - c.2]
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|c| (a[c] - b[c]).powi(2)).sum()
}

/// Returns its most likely pixels, as one connected part of the picture.
fn find(small: &Picture, subject: &Subject) -> Option<Vec<bool>> {
    let (w, h) = (small.width, small.height);
    let tones: Vec<[f32; 3]> = small
        .rgba
        .chunks_exact(4)
        .map(|p| tone(Rgb::from_bytes([p[0], p[1], p[2]])))
        .collect();
    let palette = palette(subject);
    let rare = rarity(&tones);
    let like: Vec<f32> = tones
        .iter()
        .map(|t| {
            palette
                .iter()
                .map(|(color, share)| (-distance(*t, *color) / 0.012).exp() * (0.5 + share.sqrt()))
                .fold(0.0, f32::max)
                .min(1.0)
        })
        .collect();
    let place = |y: usize| {
        let v = y as f32 / h as f32;
        match subject.home {
            Home::Air | Home::Heaven | Home::Space => 1.0 - 0.8 * v,
            Home::Water | Home::Deep => 0.3 + 0.7 * (2.0 * v).min(1.0),
            Home::Ground | Home::Table => 0.35 + 0.65 * (2.2 * v).min(1.0),
        }
    };
    let score: Vec<f32> = (0..w * h)
        .map(|i| like[i] * (0.25 + 0.75 * rare[i]) * place(i / w))
        .collect();
    let score = blurred(&score, w, h, (w.max(h) / 90).max(1));
    let most = score.iter().copied().fold(0.0, f32::max);
    if most < 0.12 {
        return None;
    }
    let by_color = parts(
        &score
            .iter()
            .map(|s| *s > (0.45 * most).max(0.1))
            .collect::<Vec<_>>(),
        w,
        h,
    );
    let salient = remove_background(small, Background::Transparent, 0.0, &mut |_| {})
        .map(|(cut, _)| cut.rgba.chunks_exact(4).map(|p| p[3] > 127).collect::<Vec<_>>())
        .map_or_else(Vec::new, |mask| parts(&mask, w, h));
    let total = (w * h) as f32;
    let fits = |part: &[usize]| (0.002..0.45).contains(&(part.len() as f32 / total));
    let worth = |part: &[usize]| {
        let mean = part.iter().map(|i| score[*i]).sum::<f32>() / part.len() as f32;
        let rim = part
            .iter()
            .filter(|i| *i % w == 0 || *i % w == w - 1 || *i / w == 0)
            .count() as f32;
        mean * (part.len() as f32 / total).powf(0.35) / (1.0 + rim / (part.len() as f32).sqrt())
    };
    let best = |all: &[Vec<usize>], least: f32| {
        all.iter()
            .filter(|part| fits(part))
            .map(|part| (worth(part), part.clone()))
            .filter(|(worth, _)| *worth > least)
            .max_by(|a, b| a.0.total_cmp(&b.0))
    };
    let colored = best(&by_color, 0.012);
    let outstanding = best(&salient, 0.008);
    let part = match (colored, outstanding) {
        // A salient region with its colours gives a better outline.
        (Some((_, colored)), Some((_, outstanding))) => {
            let common = colored
                .iter()
                .filter(|i| outstanding.binary_search(i).is_ok())
                .count();
            if common * 3 > colored.len() {
                outstanding.into_iter().chain(colored).collect()
            } else {
                colored
            }
        }
        (Some((_, part)), None) | (None, Some((_, part))) => part,
        (None, None) => return None,
    };
    let mut mask = vec![false; w * h];
    for i in part {
        mask[i] = true;
    }
    Some(mask)
}

/// How rare its colour is, 0 to 1.
fn rarity(tones: &[[f32; 3]]) -> Vec<f32> {
    let bin = |t: &[f32; 3]| {
        let part = |v: f32| ((v * 9.0 + 9.0) as usize).min(18);
        (part(2.0 * t[0]) * 19 + part(t[1])) * 19 + part(t[2])
    };
    let mut counts = vec![0_u32; 19 * 19 * 19];
    for tone in tones {
        counts[bin(tone)] += 1;
    }
    let all = tones.len() as f32;
    tones
        .iter()
        .map(|tone| 1.0 - (10.0 * counts[bin(tone)] as f32 / all).min(1.0))
        .collect()
}

fn blurred(values: &[f32], w: usize, h: usize, reach: usize) -> Vec<f32> {
    let pass = |values: &[f32], step: usize, length: usize, of: usize| {
        let mut out = vec![0.0; values.len()];
        for (i, to) in out.iter_mut().enumerate() {
            let at = (i / step) % length;
            let (from, until) = (at.saturating_sub(reach), (at + reach).min(length - 1));
            let start = i - at * step;
            *to = (from..=until).map(|k| values[start + k * step]).sum::<f32>() / (until - from + 1) as f32;
        }
        debug_assert_eq!(values.len() % of, 0);
        out
    };
    pass(&pass(values, 1, w, w), w, h, w)
}

/// The connected parts of a mask, each as sorted pixel indices.
fn parts(mask: &[bool], w: usize, h: usize) -> Vec<Vec<usize>> {
    let mut seen = vec![false; mask.len()];
    let mut out = Vec::new();
    for start in 0..mask.len() {
        if !mask[start] || seen[start] {
            continue;
        }
        let (mut part, mut open) = (Vec::new(), vec![start]);
        seen[start] = true;
        while let Some(i) = open.pop() {
            part.push(i);
            let (x, y) = (i % w, i / w);
            let near = [
                (x > 0).then(|| i - 1),
                (x + 1 < w).then(|| i + 1),
                (y > 0).then(|| i - w),
                (y + 1 < h).then(|| i + w),
            ];
            for next in near.into_iter().flatten() {
                if mask[next] && !seen[next] {
                    seen[next] = true;
                    open.push(next);
                }
            }
        }
        part.sort_unstable();
        out.push(part);
    }
    out
}

/// Grows a mask by this many pixels, and further downwards.
fn grown(mask: &[bool], w: usize, h: usize, by: usize, down: usize) -> Vec<bool> {
    let mut out = mask.to_vec();
    for (i, _) in mask.iter().enumerate().filter(|(_, set)| **set) {
        let (x, y) = (i % w, i / w);
        for row in y.saturating_sub(by)..=(y + down).min(h - 1) {
            for column in x.saturating_sub(by)..=(x + by).min(w - 1) {
                out[row * w + column] = true;
            }
        }
    }
    out
}
