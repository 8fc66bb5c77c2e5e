//! Printed, cut and set: woodblock, halftone, pixels, flat vector, layered paper.

use super::desk::{Desk, byte, part};
use super::{edge, map, sample_small, small};
use crate::image::chance::{Coarse, fbm, hash, smooth, value};
use crate::image::color::{Rgb, WHITE};
use crate::image::draw::Canvas;

/// The few colours a picture is made of, by k-means on a small copy; dark to light.
pub(super) fn palette(canvas: &Canvas, count: usize) -> Vec<Rgb> {
    let tiny = small(canvas, 0.016);
    let pixels: Vec<Rgb> = tiny
        .pixels
        .iter()
        .map(|p| Rgb::from_bytes([p[0], p[1], p[2]]))
        .collect();
    // Seeds far apart from each other: small bright things get a colour of their own.
    let mut means = vec![pixels[pixels.len() / 2]];
    while means.len() < count {
        let far = pixels
            .iter()
            .copied()
            .max_by(|a, b| nearest(&means, *a).1.total_cmp(&nearest(&means, *b).1));
        means.extend(far);
    }
    for _ in 0..10 {
        let mut sums = vec![(Rgb(0.0, 0.0, 0.0), 0.0_f32); count];
        for p in &pixels {
            let sum = &mut sums[nearest(&means, *p).0];
            *sum = (sum.0.plus(*p), sum.1 + 1.0);
        }
        for (mean, (sum, n)) in means.iter_mut().zip(sums) {
            if n > 0.0 {
                *mean = sum.scale(1.0 / n);
            }
        }
    }
    means.sort_by(|a, b| a.luma().total_cmp(&b.luma()));
    means
}

fn nearest(of: &[Rgb], color: Rgb) -> (usize, f32) {
    of.iter()
        .enumerate()
        .map(|(i, c)| (i, c.distance(color)))
        .fold((0, f32::MAX), |a, b| if b.1 < a.1 { b } else { a })
}

/// Areas of few plain colours, as a designer would lay them, in place of a photograph's tones.
pub(super) fn flattened(canvas: &Canvas, like: &Canvas) -> Canvas {
    let inks = palette(like, 14);
    let soft = small(canvas, 0.005);
    map(canvas, |x, y| {
        let seen = sample_small(&soft, canvas, x as f32 + 0.5, y as f32 + 0.5);
        // Two inks meet in a soft edge a few pixels wide.
        let (i, d) = nearest(&inks, seen);
        let others: Vec<Rgb> = inks.iter().copied().filter(|ink| *ink != inks[i]).collect();
        let (j, e) = nearest(&others, seen);
        let between = smooth(0.75, 1.0, d / e.max(1e-6)) * 0.5;
        inks[i].mix(others[j], between)
    })
}

/// What the block and the paper do at a place, whatever is cut there.
#[derive(Clone, Copy)]
struct Block {
    /// How far the knife strays, in pixels.
    cut: f32,
    grain: u8,
    fiber: u8,
    /// The printed part of the sheet, and the line around it.
    inside: u8,
    rule: u8,
}

pub(super) fn woodblock(canvas: &Canvas, like: &Canvas, seed: u32, desk: &Desk) -> Canvas {
    let frame = canvas.frame;
    let unit = 1.0 / frame.px;
    let inks: Vec<Rgb> = palette(like, 9)
        .into_iter()
        .map(|c| c.saturate(1.15).mix(Rgb::hex(0xee_e0_c0), 0.16))
        .collect();
    let soft = small(canvas, 0.004);
    let sheet = desk.sheet(frame, || {
        let knife = Coarse::new(frame.w, frame.h, 360.0, |u, v| {
            fbm(u * 30.0, v * 30.0, 2, seed ^ 2) - 0.5
        });
        let bend = Coarse::new(frame.w, frame.h, 144.0, |u, v| {
            2.4 * fbm(u * 3.0, v * 6.0, 3, seed ^ 4)
        });
        move |x, y| {
            let (u, v) = (x as f32 * unit, y as f32 * unit);
            let cut = knife.at(u, v) * 0.005 * frame.px;
            let bent = v * 170.0 + bend.at(u, v);
            let m = u.min(frame.w - u).min(v.min(frame.h - v)) + cut * unit * 0.3;
            Block {
                cut,
                grain: byte(fbm(u * 7.0, bent, 3, seed)),
                fiber: byte(value(u * 340.0, v * 340.0, seed ^ 5)),
                inside: byte(smooth(0.0225, 0.0235, m)),
                rule: byte(smooth(0.0225, 0.0235, m) * smooth(0.0265, 0.0255, m)),
            }
        }
    });
    let reach = (frame.px * 0.0016).round().max(1.0) as usize;
    let key = Rgb::hex(0x1e_26_3c);
    map(canvas, |x, y| {
        let block = sheet.at(x, y);
        let (cut, grain, fiber) = (block.cut, part(block.grain), part(block.fiber));
        let (sx, sy) = (
            (x as f32 + cut).clamp(0.0, frame.width as f32 - 1.0),
            (y as f32 + cut).clamp(0.0, frame.height as f32 - 1.0),
        );
        let seen = sample_small(&soft, canvas, sx, sy);
        let (first, d) = nearest(&inks, seen);
        let ink = inks[first];
        // Hand-wiped gradation where a tone is between two inks.
        let ink = ink.mix(seen, smooth(0.0, 0.02, d) * 0.4);
        let wood = 0.93 + 0.14 * grain;
        let (other, change) = edge(canvas, sx as usize, sy as usize, reach);
        let line = smooth(0.2, 0.4, other).max(smooth(0.2, 0.34, change) * 0.8);
        let paper = Rgb::hex(0xf2_e8_d0);
        let c = ink
            .scale(wood)
            .mix(paper, 0.07 * fiber + 0.05 * smooth(0.62, 0.8, grain));
        let c = c.mix(key, line * 0.88);
        paper
            .scale(0.97 + 0.05 * fiber)
            .mix(c, part(block.inside))
            .mix(key, part(block.rule) * 0.85)
    })
}

pub(super) fn halftone(canvas: &Canvas, like: &Canvas, seed: u32, desk: &Desk) -> Canvas {
    const PITCH: f32 = 0.0105;
    let frame = canvas.frame;
    let unit = 1.0 / frame.px;
    let inks: Vec<Rgb> = palette(like, 7)
        .into_iter()
        .map(|c| {
            let (h, s, l) = c.hsl();
            Rgb::from_hsl(
                (h / 15.0).round() * 15.0,
                if s > 0.12 { (s * 1.7).min(0.95) } else { s },
                (l * 1.12 + 0.06).min(0.96),
            )
        })
        .collect();
    let base = palette(like, 7);
    let soft = small(canvas, 0.005);
    let darker: Vec<Rgb> = inks
        .iter()
        .map(|c| c.shift(-8.0, -0.16).saturate(1.2).clamp())
        .collect();
    // How far a place is from the middle of its dot, and the paper.
    let sheet = desk.sheet(frame, || {
        move |x, y| {
            let (u, v) = (x as f32 * unit, y as f32 * unit);
            let (a, b) = (
                (u * 0.9659 + v * 0.2588) / PITCH,
                (v * 0.9659 - u * 0.2588) / PITCH,
            );
            let (dx, dy) = (a - a.floor() - 0.5, b - b.floor() - 0.5);
            (byte(dx.hypot(dy)), byte(value(u * 200.0, v * 200.0, seed)))
        }
    });
    let reach = (frame.px * 0.0021).round().max(1.0) as usize;
    let aa = 0.8 / (PITCH * frame.px);
    map(canvas, |x, y| {
        let (off, paper) = sheet.at(x, y);
        let seen = sample_small(&soft, canvas, x as f32 + 0.5, y as f32 + 0.5);
        let (i, _) = nearest(&base, seen);
        // Dots turn one ink into the next darker one.
        let tone = ((base[i].luma() - seen.luma()) * 2.6 + 0.34).clamp(0.0, 0.85);
        let size = tone.sqrt() * 0.58;
        let c = inks[i].mix(darker[i], smooth(size + aa, size - aa, part(off)));
        let (other, change) = edge(canvas, x, y, reach);
        let line = smooth(0.15, 0.35, other).max(smooth(0.24, 0.36, change));
        let paper = 0.98 + 0.04 * (part(paper) - 0.5);
        c.mix(Rgb::hex(0x14_12_1c), line * 0.96).scale(paper)
    })
}

/// Thresholds of an ordered dither, after Bayer (1973).
const BAYER: [[f32; 4]; 4] = [
    [0.0, 8.0, 2.0, 10.0],
    [12.0, 4.0, 14.0, 6.0],
    [3.0, 11.0, 1.0, 9.0],
    [15.0, 7.0, 13.0, 5.0],
];

pub(super) fn pixel(canvas: &Canvas, like: &Canvas) -> Canvas {
    let frame = canvas.frame;
    // More pixels of art at higher resolutions, but pixels they stay.
    let cells = 150.0 * (1.0 + 0.3 * frame.extra() as f32);
    let size = (frame.px / cells).round().max(1.0) as usize;
    let (w, h) = (frame.width.div_ceil(size), frame.height.div_ceil(size));
    let tiny = canvas.reduced(w, h);
    let inks: Vec<Rgb> = palette(like, 26)
        .into_iter()
        .map(|c| c.saturate(1.22).contrast(1.08).clamp())
        .collect();
    let art = map(&tiny, |x, y| {
        let seen = tiny.at(x, y).saturate(1.22).contrast(1.08);
        let t = (BAYER[y % 4][x % 4] / 16.0 - 0.47) * 0.05;
        let mut c = inks[nearest(&inks, seen.plus(Rgb(t, t, t))).0];
        let id = tiny.id(x as i32, y as i32);
        // An outline on the shadow side, as sprites have.
        let below = tiny.id(x as i32, y as i32 + 1);
        let right = tiny.id(x as i32 + 1, y as i32);
        if id > below.max(right) && id.abs_diff(below.min(right)) > 0 && id > 6 {
            c = c.scale(0.62);
        }
        c
    });
    map(canvas, |x, y| {
        art.at((x / size).min(w - 1), (y / size).min(h - 1))
    })
}

pub(super) fn vector(canvas: &Canvas, seed: u32, desk: &Desk) -> Canvas {
    let unit = 1.0 / canvas.frame.px;
    let h = canvas.frame.h;
    // A breath of grain toward the foot, as screen prints have.
    let sheet = desk.sheet(canvas.frame, || {
        move |x, y| {
            let (u, v) = (x as f32 * unit, y as f32 * unit);
            let grain = (hash(x as i32, y as i32, seed) & 255) as f32 / 255.0 - 0.5;
            grain * 0.018 * smooth(0.2, 1.0, v / h + 0.1 * fbm(u * 2.0, v * 2.0, 2, seed))
        }
    });
    map(canvas, |x, y| {
        let grain = sheet.at(x, y);
        canvas
            .at(x, y)
            .saturate(1.22)
            .contrast(1.04)
            .plus(Rgb(grain, grain, grain))
    })
}

pub(super) fn papercut(canvas: &Canvas, like: &Canvas, seed: u32, desk: &Desk) -> Canvas {
    let frame = canvas.frame;
    let unit = 1.0 / frame.px;
    let inks = palette(like, 12);
    let soft = small(canvas, 0.003);
    // Things painted later lie higher: their number is their height.
    let reach = |k: f32| (frame.px * k).round().max(1.0) as i32;
    let near = reach(0.0012);
    let sheet = desk.sheet(frame, || {
        move |x, y| byte(fbm(x as f32 * unit * 46.0, y as f32 * unit * 60.0, 3, seed ^ 3))
    });
    let steps: Vec<i32> = [0.002, 0.004, 0.0065, 0.009, 0.012]
        .into_iter()
        .map(reach)
        .collect();
    map(canvas, |x, y| {
        let (u, v) = (x as f32 * unit, y as f32 * unit);
        let seen = sample_small(&soft, canvas, x as f32 + 0.5, y as f32 + 0.5).mix(canvas.at(x, y), 0.7);
        let own = inks[nearest(&inks, seen).0].mix(seen, 0.45).saturate(1.15);
        let (ix, iy) = (x as i32, y as i32);
        let id = canvas.id(ix, iy);
        let mut shade = 0.0;
        for (i, d) in steps.iter().enumerate() {
            let above = canvas.id(ix - d * 3 / 5, iy - d);
            if above > id && id > 0 {
                shade += 0.1 - 0.012 * i as f32;
            }
        }
        let rim = canvas.id(ix - near, iy - near) < id;
        // Each piece is cut from a sheet of its own.
        let fiber = 0.55 * value(u * 240.0, v * 240.0, seed ^ u32::from(id)) + 0.45 * part(sheet.at(x, y));
        let mut c = own.scale(0.965 + 0.075 * fiber).scale(1.0 - shade);
        if rim {
            c = c.mix(WHITE, 0.3);
        }
        c
    })
}
