//! Printed, cut and set: woodblock, halftone, pixels, flat vector, layered paper.

use rayon::prelude::*;

use super::desk::{Desk, byte, part, whole};
use super::fields::{Enlarged, outlines, together};
use super::{map, sample_small, small};
use crate::chance::{Coarse, fbm, hash, smooth, value};
use atelier_retouch::canvas::Canvas;
use atelier_retouch::rgb::{Rgb, WHITE};

/// The few colours of a picture, by k-means on a small copy; dark to light.
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
            .max_by(|a, b| nearest_of(&means, *a).1.total_cmp(&nearest_of(&means, *b).1));
        means.extend(far);
    }
    for _ in 0..10 {
        let mut sums = vec![(Rgb(0.0, 0.0, 0.0), 0.0_f32); count];
        for p in &pixels {
            let sum = &mut sums[nearest_of(&means, *p).0];
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

fn nearest_of(of: &[Rgb], color: Rgb) -> (usize, f32) {
    of.iter()
        .enumerate()
        .map(|(i, c)| (i, c.distance(color)))
        .fold((0, f32::MAX), |a, b| if b.1 < a.1 { b } else { a })
}

/// Some inks, and a table of the nearest one to a colour, because every pixel asks.
struct Inks {
    colors: Vec<Rgb>,
    nearest: Vec<u8>,
}

impl Inks {
    /// Steps of each channel in the table.
    const STEPS: usize = 64;

    fn new(colors: Vec<Rgb>) -> Self {
        let steps = Self::STEPS;
        let nearest = (0..steps * steps * steps)
            .into_par_iter()
            .with_min_len(steps * steps);
        let nearest = nearest.map(|i| {
            let channel = |i: usize| ((i % steps) as f32 + 0.5) / steps as f32;
            let color = Rgb(channel(i), channel(i / steps), channel(i / steps / steps));
            nearest_of(&colors, color).0 as u8
        });
        Self {
            nearest: nearest.collect(),
            colors,
        }
    }

    /// The number of the ink nearest to a colour.
    #[inline]
    fn nearest(&self, [r, g, b]: [u8; 3]) -> usize {
        let [r, g, b] = [r, g, b].map(|v| usize::from(v >> 2));
        usize::from(self.nearest[(b * Self::STEPS + g) * Self::STEPS + r])
    }
}

/// The picture, softened over so many units, in bytes.
fn softened(canvas: &Canvas, cell: f32) -> Vec<[u8; 3]> {
    let soft = Enlarged::new(&small(canvas, cell), canvas.frame, |c| {
        [c.0, c.1, c.2, 0.0].map(|v| 255.0 * v)
    });
    let mut out = vec![[0; 3]; canvas.pixels.len()];
    out.par_chunks_mut(canvas.frame.width)
        .enumerate()
        .for_each(|(y, row)| {
            for (pixel, [r, g, b, _]) in row.iter_mut().zip(soft.row(y)) {
                *pixel = [whole(r), whole(g), whole(b)];
            }
        });
    out
}

/// Areas of a few plain colours, as a designer would use, instead of a photograph's tones.
pub(super) fn flattened(canvas: &Canvas, like: &Canvas) -> Canvas {
    let inks = palette(like, 14);
    let soft = small(canvas, 0.005);
    map(canvas, |x, y| {
        let seen = sample_small(&soft, canvas, x as f32 + 0.5, y as f32 + 0.5);
        // Two inks meet in a soft edge a few pixels wide.
        let (i, d) = nearest_of(&inks, seen);
        let others: Vec<Rgb> = inks.iter().copied().filter(|ink| *ink != inks[i]).collect();
        let (j, e) = nearest_of(&others, seen);
        let between = smooth(0.75, 1.0, d / e.max(1e-6)) * 0.5;
        inks[i].mix(others[j], between)
    })
}

/// The effects of the block and the paper at a place, whatever is cut there.
#[derive(Clone, Copy)]
struct Block {
    /// How far the knife strays, in pixels.
    cut: i8,
    grain: u8,
    fiber: u8,
    /// The printed part of the sheet, and the line around it.
    inside: u8,
    rule: u8,
}

pub(super) fn woodblock(canvas: &Canvas, like: &Canvas, seed: u32, desk: &Desk) -> Canvas {
    let frame = canvas.frame;
    let unit = 1.0 / frame.px;
    let inks = desk.chosen(|| {
        let inks = palette(like, 9);
        Inks::new(
            inks.into_iter()
                .map(|c| c.saturate(1.15).mix(Rgb::hex(0xee_e0_c0), 0.16))
                .collect(),
        )
    });
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
                cut: cut.floor() as i8,
                grain: byte(fbm(u * 7.0, bent, 3, seed)),
                fiber: byte(value(u * 340.0, v * 340.0, seed ^ 5)),
                inside: byte(smooth(0.0225, 0.0235, m)),
                rule: byte(smooth(0.0225, 0.0235, m) * smooth(0.0265, 0.0255, m)),
            }
        }
    });
    let reach = (frame.px * 0.0016).round().max(1.0) as usize;
    let lines = outlines(canvas, reach, |other, change| {
        smooth(0.2, 0.4, other).max(smooth(0.2, 0.34, change) * 0.8)
    });
    let soft = softened(canvas, 0.004);
    together(
        canvas,
        |x, y| {
            let block = sheet.at(x, y);
            let across = x
                .saturating_add_signed(isize::from(block.cut))
                .min(frame.width - 1);
            let down = y
                .saturating_add_signed(isize::from(block.cut))
                .min(frame.height - 1);
            let place = down * frame.width + across;
            let seen = soft[place];
            let ink = inks.colors[inks.nearest(seen)];
            // A hand-wiped gradient if a tone is between two inks.
            let seen = Rgb::from_bytes(seen);
            let [r, g, b] = ink
                .mix(seen, smooth(0.0, 0.02, ink.distance(seen)) * 0.4)
                .to_bytes();
            [
                r,
                g,
                b,
                lines[place],
                block.grain,
                block.fiber,
                block.inside,
                block.rule,
            ]
        },
        |[r, g, b, line, grain, fiber, inside, rule]| {
            let key = Rgb::hex(0x1e_26_3c);
            let wood = 0.93 + 0.14 * grain;
            let paper = Rgb::hex(0xf2_e8_d0);
            let printed = Rgb(r, g, b)
                .scale(wood)
                .mix(paper, 0.07 * fiber + 0.05 * smooth(0.62, 0.8, grain))
                .mix(key, line * 0.88);
            paper
                .scale(0.97 + 0.05 * fiber)
                .mix(printed, inside)
                .mix(key, rule * 0.85)
        },
    )
}

pub(super) fn halftone(canvas: &Canvas, like: &Canvas, seed: u32, desk: &Desk) -> Canvas {
    const PITCH: f32 = 0.0105;
    let frame = canvas.frame;
    let unit = 1.0 / frame.px;
    let chosen = desk.chosen(|| Dots::new(palette(like, 7)));
    let Dots { base, light, dark } = &*chosen;
    let soft = softened(canvas, 0.005);
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
    let lines = outlines(canvas, reach, |other, change| {
        smooth(0.15, 0.35, other).max(smooth(0.24, 0.36, change))
    });
    let aa = 0.8 / (PITCH * frame.px);
    let lumas: Vec<f32> = base.colors.iter().map(|c| c.luma()).collect();
    together(
        canvas,
        |x, y| {
            let ((off, paper), place) = (sheet.at(x, y), y * frame.width + x);
            let seen = soft[place];
            let i = base.nearest(seen);
            // Dots turn one ink into the next darker one.
            let tone = ((lumas[i] - Rgb::from_bytes(seen).luma()) * 2.6 + 0.34).clamp(0.0, 0.85);
            let [[r, g, b], [s, t, u]] = [light[i], dark[i]];
            [r, g, b, s, t, u, byte(tone), off, lines[place], paper]
        },
        |[r, g, b, s, t, u, tone, off, line, paper]| {
            let size = tone.sqrt() * 0.58;
            let paper = 0.98 + 0.04 * (paper - 0.5);
            Rgb(r, g, b)
                .mix(Rgb(s, t, u), smooth(size + aa, size - aa, off))
                .mix(Rgb::hex(0x14_12_1c), line * 0.96)
                .scale(paper)
        },
    )
}

/// The inks of a halftone: for the picture's colours nearest to each, a light one and one for its dots.
struct Dots {
    base: Inks,
    light: Vec<[u8; 3]>,
    dark: Vec<[u8; 3]>,
}

impl Dots {
    fn new(base: Vec<Rgb>) -> Self {
        let light = base.iter().map(|c| {
            let (h, s, l) = c.hsl();
            Rgb::from_hsl(
                (h / 15.0).round() * 15.0,
                if s > 0.12 { (s * 1.7).min(0.95) } else { s },
                (l * 1.12 + 0.06).min(0.96),
            )
        });
        let light: Vec<Rgb> = light.collect();
        let dark = light.iter().map(|c| c.shift(-8.0, -0.16).saturate(1.2));
        Self {
            dark: dark.map(Rgb::to_bytes).collect(),
            light: light.iter().map(|c| c.to_bytes()).collect(),
            base: Inks::new(base),
        }
    }
}

/// Thresholds of an ordered dither, after Bayer (1973).
const BAYER: [[f32; 4]; 4] = [
    [0.0, 8.0, 2.0, 10.0],
    [12.0, 4.0, 14.0, 6.0],
    [3.0, 11.0, 1.0, 9.0],
    [15.0, 7.0, 13.0, 5.0],
];

pub(super) fn pixel(canvas: &Canvas, like: &Canvas, desk: &Desk) -> Canvas {
    let frame = canvas.frame;
    // More art pixels at higher resolutions, but still visible pixels.
    let cells = 150.0 * (1.0 + 0.3 * frame.extra() as f32);
    let size = (frame.px / cells).round().max(1.0) as usize;
    let (w, h) = (frame.width.div_ceil(size), frame.height.div_ceil(size));
    let tiny = canvas.reduced(w, h);
    let inks = desk.chosen(|| -> Vec<Rgb> {
        let inks = palette(like, 26).into_iter();
        inks.map(|c| c.saturate(1.22).contrast(1.08).clamp()).collect()
    });
    let art = map(&tiny, |x, y| {
        let seen = tiny.at(x, y).saturate(1.22).contrast(1.08);
        let t = (BAYER[y % 4][x % 4] / 16.0 - 0.47) * 0.05;
        let mut c = inks[nearest_of(&inks, seen.plus(Rgb(t, t, t))).0];
        let id = tiny.id(x as i32, y as i32);
        // An outline on the shadow side, as sprites have.
        let below = tiny.id(x as i32, y as i32 + 1);
        let right = tiny.id(x as i32 + 1, y as i32);
        if id > below.max(right) && id.abs_diff(below.min(right)) > 0 && id > 6 {
            c = c.scale(0.62);
        }
        c
    });
    let mut out = Canvas::new(frame);
    out.pixels
        .par_chunks_mut(frame.width)
        .enumerate()
        .for_each(|(y, row)| {
            let art = &art.pixels[y / size * w..][..w];
            for (cell, art) in row.chunks_mut(size).zip(art) {
                cell.fill(*art);
            }
        });
    out
}

pub(super) fn vector(canvas: &Canvas, seed: u32, desk: &Desk) -> Canvas {
    let unit = 1.0 / canvas.frame.px;
    let h = canvas.frame.h;
    // A breath of grain toward the foot, as screen prints have.
    let sheet = desk.sheet(canvas.frame, || {
        move |x, y| {
            let (u, v) = (x as f32 * unit, y as f32 * unit);
            let grain = (hash(x as i32, y as i32, seed) & 255) as f32 / 255.0 - 0.5;
            byte(0.5 + grain * smooth(0.2, 1.0, v / h + 0.1 * fbm(u * 2.0, v * 2.0, 2, seed)))
        }
    });
    together(
        canvas,
        |x, y| {
            let [r, g, b, _] = canvas.pixels[y * canvas.frame.width + x];
            [r, g, b, sheet.at(x, y)]
        },
        |[r, g, b, grain]| {
            let grain = (grain - 0.5) * 0.018;
            Rgb(r, g, b)
                .saturate(1.22)
                .contrast(1.04)
                .plus(Rgb(grain, grain, grain))
        },
    )
}

pub(super) fn papercut(canvas: &Canvas, like: &Canvas, seed: u32, desk: &Desk) -> Canvas {
    let frame = canvas.frame;
    let unit = 1.0 / frame.px;
    let inks = desk.chosen(|| Inks::new(palette(like, 12)));
    let soft = softened(canvas, 0.003);
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
        let seen = Rgb::from_bytes(soft[y * frame.width + x]).mix(canvas.at(x, y), 0.7);
        let ink = inks.colors[inks.nearest(seen.to_bytes())];
        let own = ink.mix(seen, 0.45).saturate(1.15);
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
