//! Drawing with lines: pencil, charcoal, pen and ink, the blueprint, and lines of light.

use std::f32::consts::FRAC_1_SQRT_2;

use rayon::prelude::*;

use super::desk::{Curve, Desk, byte, part};
use super::fields::{Enlarged, lights, outlines, together};
use super::{map, sample_small, small};
use crate::chance::{Coarse, fbm, smooth, value};
use atelier_retouch::canvas::{Canvas, Frame};
use atelier_retouch::rgb::{Rgb, WHITE};

/// The range of light that a picture has, from its darkest parts to its lightest.
struct Tones {
    low: f32,
    span: f32,
}

impl Tones {
    fn of(canvas: &Canvas) -> Self {
        let mut all: Vec<f32> = small(canvas, 0.02)
            .pixels
            .iter()
            .map(|p| Rgb::from_bytes([p[0], p[1], p[2]]).luma())
            .collect();
        all.sort_by(f32::total_cmp);
        let (low, high) = (all[all.len() / 25], all[all.len() * 24 / 25]);
        Self {
            low,
            span: (high - low).max(0.12),
        }
    }

    /// How light a pixel is, stretched to that range.
    fn at(&self, luma: f32) -> f32 {
        ((luma - self.low) / self.span).clamp(0.0, 1.0)
    }
}

/// A hand that draws parallel lines, never quite straight.
struct Hand {
    waver: Coarse,
    seed: u32,
}

impl Hand {
    fn new(canvas: &Canvas, seed: u32) -> Self {
        let frame = canvas.frame;
        let waver = Coarse::new(frame.w, frame.h, 60.0, |u, v| {
            (fbm(u * 6.0, v * 6.0, 2, seed) - 0.5) * 0.018
        });
        Self { waver, seed }
    }

    /// Lines at an angle (its cosine and sine), `pitch` units apart.
    fn lines(&self, (u, v): (f32, f32), (cos, sin): (f32, f32), pitch: f32) -> Hatch {
        let t = (u * cos + v * sin + self.waver.at(u, v)) / pitch;
        let along = u * sin - v * cos;
        let row = t.floor();
        let broken = value(along * 13.0, row * 7.7 + cos * 31.0, self.seed ^ 2);
        Hatch {
            off: byte(2.0 * ((t - row) - 0.5).abs()),
            strong: byte(0.55 + 0.45 * broken),
        }
    }
}

/// A position among parallel lines: the distance from the centre of the nearest, and its strength there.
#[derive(Clone, Copy)]
struct Hatch {
    off: u8,
    strong: u8,
}

impl Hatch {
    /// 1 on a line of such a thickness, 0 between two.
    fn drawn(self, thick: f32) -> f32 {
        smooth(0.5 * thick + 0.16, 0.5 * thick - 0.06, 0.5 * part(self.off)) * part(self.strong)
    }
}

/// The darkness of lines at a place, by the light there and the distance from their centre: a table, because every
/// hatch asks for it at every pixel.
struct Hatching(Vec<u8>);

impl Hatching {
    const STEPS: usize = 128;

    fn new(dark: impl Fn(f32, Hatch) -> f32) -> Self {
        let at = |i: usize| (i % Self::STEPS) as f32 / (Self::STEPS - 1) as f32;
        let table = (0..Self::STEPS * Self::STEPS).map(|i| {
            let off = byte(at(i));
            byte(dark(at(i / Self::STEPS), Hatch { off, strong: 255 }))
        });
        Self(table.collect())
    }

    #[inline]
    fn dark(&self, light: u8, hatch: Hatch) -> u8 {
        let dark = self.0[usize::from(light >> 1) * Self::STEPS + usize::from(hatch.off >> 1)];
        ((u32::from(dark) * u32::from(hatch.strong) * 257 + 32_768) >> 16) as u8
    }
}

/// Outlines as dark strokes of varying pressure.
#[inline]
fn contour(other: f32, change: f32, gain: f32) -> f32 {
    (other * 1.7).max(smooth(0.07, 0.34, change) * gain).min(1.0)
}

/// Returns the pixel at which a shaking hand draws: the offset in pixels to the right and below.
#[inline]
fn shaken(frame: Frame, (x, y): (usize, usize), (right, below): (i8, i8)) -> usize {
    let x = x.saturating_add_signed(isize::from(right)).min(frame.width - 1);
    let y = y.saturating_add_signed(isize::from(below)).min(frame.height - 1);
    y * frame.width + x
}

/// The effects of the paper and the hand at a place, whatever is drawn there.
#[derive(Clone, Copy)]
struct Drawn<const HATCHES: usize> {
    /// How far the hand shakes or smears, in pixels.
    shake: i8,
    tooth: u8,
    pressure: u8,
    hatches: [Hatch; HATCHES],
}

pub(super) fn pencil(canvas: &Canvas, like: &Canvas, seed: u32, desk: &Desk) -> Canvas {
    const HATCHES: [(f32, (f32, f32), f32); 4] = [
        (0.86, (0.8, 0.6), 0.0052),
        (0.62, (0.92, 0.38), 0.0045),
        (0.4, (0.3, 0.95), 0.0048),
        (0.2, (0.99, 0.1), 0.0036),
    ];
    let frame = canvas.frame;
    let unit = 1.0 / frame.px;
    let sheet = desk.sheet(frame, || {
        let hand = Hand::new(canvas, seed);
        let tremor = Coarse::new(frame.w, frame.h, 480.0, |u, v| {
            fbm(u * 40.0, v * 40.0, 2, seed ^ 3) - 0.5
        });
        let weight = Coarse::new(frame.w, frame.h, 144.0, |u, v| {
            0.55 + 0.45 * fbm(u * 12.0, v * 12.0, 2, seed ^ 8)
        });
        move |x, y| {
            let (u, v) = (x as f32 * unit, y as f32 * unit);
            let tooth = 0.5 * value(u * 380.0, v * 380.0, seed) + 0.5 * value(u * 760.0, v * 760.0, seed ^ 1);
            Drawn {
                shake: (tremor.at(u, v) * 0.0022 * frame.px).round() as i8,
                tooth: byte(tooth),
                pressure: byte(weight.at(u, v)),
                hatches: HATCHES.map(|(_, angle, pitch)| hand.lines((u, v), angle, pitch)),
            }
        }
    });
    let tones = desk.chosen(|| Tones::of(like));
    // Pencil leaves more of the paper bare than a photograph has white.
    let curve = Curve::new(|light| light.powf(0.62));
    let lights = lights(canvas, 0.003, |luma| curve.at(tones.at(luma)));
    let reach = (frame.px * 0.0009).round().max(1.0) as usize;
    let lines = outlines(canvas, reach, |other, change| contour(other, change, 0.7));
    let hatching = HATCHES.map(|(level, ..)| {
        Hatching::new(move |light, hatch| {
            let k = smooth(level, level - 0.4, light);
            hatch.drawn(0.2 + 0.75 * k) * k * 0.72
        })
    });
    together(
        canvas,
        |x, y| {
            let drawn = sheet.at(x, y);
            let place = shaken(frame, (x, y), (drawn.shake, drawn.shake));
            let mut dark = 0;
            for (hatching, hatch) in hatching.iter().zip(drawn.hatches) {
                dark = dark.max(hatching.dark(lights[place], hatch));
            }
            [lights[place], dark, lines[place], drawn.pressure, drawn.tooth]
        },
        |[light, dark, line, pressure, tooth]| {
            let dark = dark.max((1.0 - light) * 0.42);
            let dark = (dark + line * 0.74 * pressure).min(0.97) * (0.45 + 0.75 * tooth);
            Rgb::hex(0xf7_f3_e9)
                .scale(0.985 + 0.02 * tooth)
                .mix(Rgb::hex(0x2c_2b_30), dark.min(0.94))
        },
    )
}

pub(super) fn charcoal(canvas: &Canvas, like: &Canvas, seed: u32, desk: &Desk) -> Canvas {
    let frame = canvas.frame;
    let unit = 1.0 / frame.px;
    let sheet = desk.sheet(frame, || {
        let hand = Hand::new(canvas, seed);
        move |x, y| {
            let (u, v) = (x as f32 * unit, y as f32 * unit);
            let tooth = 0.45 * value(u * 230.0, v * 230.0, seed ^ 1)
                + 0.35 * value(u * 470.0, v * 470.0, seed ^ 2)
                + 0.2 * fbm(u * 60.0, v * 60.0, 3, seed ^ 4);
            Drawn {
                shake: ((fbm(u * 11.0, v * 11.0, 3, seed) - 0.5) * 0.012 * frame.px).round() as i8,
                tooth: byte(tooth),
                pressure: byte(0.6 + 0.4 * value(u * 26.0, v * 26.0, seed ^ 6)),
                hatches: [hand.lines((u, v), (FRAC_1_SQRT_2, FRAC_1_SQRT_2), 0.012)],
            }
        }
    });
    let tones = desk.chosen(|| Tones::of(like));
    let lights = lights(canvas, 0.006, |luma| tones.at(luma));
    let reach = (frame.px * 0.0022).round().max(1.0) as usize;
    let lines = outlines(canvas, reach, |other, change| contour(other, change, 0.6));
    together(
        canvas,
        |x, y| {
            let drawn = sheet.at(x, y);
            let smear = (drawn.shake, (f32::from(drawn.shake) * 0.6) as i8);
            let light = lights[shaken(frame, (x, y), smear)];
            let line = lines[y * frame.width + x];
            [
                light,
                line,
                drawn.pressure,
                byte(drawn.hatches[0].drawn(0.9)),
                drawn.tooth,
            ]
        },
        |[light, line, pressure, drag, tooth]| {
            let mass = smooth(0.92, 0.06, light);
            let dark = (mass * (0.78 + 0.2 * drag) + line * pressure * 0.5).min(1.0);
            let grain = smooth(tooth - 0.24, tooth + 0.2, dark * 1.12);
            Rgb::hex(0xec_e6_da)
                .scale(0.97 + 0.05 * tooth)
                .mix(Rgb::hex(0x1c_1a_1c), grain * (0.35 + 0.62 * dark))
        },
    )
}

pub(super) fn ink(canvas: &Canvas, like: &Canvas, seed: u32, desk: &Desk) -> Canvas {
    const HATCHES: [(f32, (f32, f32), f32); 3] = [
        (0.55, (0.8, 0.6), 0.0068),
        (0.32, (-0.64, 0.77), 0.0068),
        (0.17, (0.1, 0.99), 0.0056),
    ];
    let frame = canvas.frame;
    let unit = 1.0 / frame.px;
    // The paper's tooth, the weight of the pen, and the variation of the wash under it.
    let sheet = desk.sheet(frame, || {
        let hand = Hand::new(canvas, seed);
        move |x, y| {
            let (u, v) = (x as f32 * unit, y as f32 * unit);
            let drawn = Drawn {
                shake: ((fbm(u * 26.0, v * 26.0, 2, seed ^ 3) - 0.5) * 0.003 * frame.px).floor() as i8,
                tooth: byte(value(u * 300.0, v * 300.0, seed)),
                pressure: byte(fbm(u * 9.0, v * 9.0, 2, seed ^ 8)),
                hatches: HATCHES.map(|(_, angle, pitch)| hand.lines((u, v), angle, pitch)),
            };
            (drawn, byte(0.2 + 0.14 * fbm(u * 7.0, v * 7.0, 4, seed ^ 6)))
        }
    });
    let tones = desk.chosen(|| Tones::of(like));
    let lights = lights(canvas, 0.004, |luma| tones.at(luma));
    let lines = [0.0011, 0.0021].map(|reach| {
        let reach = (frame.px * reach).round().max(1.0) as usize;
        outlines(canvas, reach, |other, change| {
            smooth(0.2, 0.5, contour(other, change, 0.85))
        })
    });
    let hatching = HATCHES.map(|(level, ..)| {
        Hatching::new(move |light, hatch| {
            let k = smooth(level + 0.06, level - 0.26, light);
            if k <= 0.02 {
                return 0.0;
            }
            hatch.drawn(0.14 + 0.6 * k)
        })
    });
    together(
        canvas,
        |x, y| {
            let (drawn, wet) = sheet.at(x, y);
            let place = shaken(frame, (x, y), (drawn.shake, drawn.shake));
            let mut dark = 0;
            for (hatching, hatch) in hatching.iter().zip(drawn.hatches) {
                dark = dark.max(hatching.dark(lights[place], hatch));
            }
            let line = lines[usize::from(drawn.pressure > 127)][place];
            [lights[place], dark, line, wet, drawn.tooth]
        },
        |[light, dark, line, wet, tooth]| {
            // A diluted wash under the pen, and black where there is no light.
            let wash = smooth(0.75, 0.15, light) * wet;
            let black = if light < 0.09 { 1.0 } else { 0.0 };
            let dark = smooth(0.35, 0.6, dark).max(black);
            Rgb::hex(0xf8_f3_e6)
                .scale(0.985 + 0.03 * tooth)
                .mix(Rgb::hex(0x4c_50_60), wash)
                .mix(Rgb::hex(0x16_15_1a), dark.max(line) * 0.96)
        },
    )
}

/// The printed form that a blueprint is drawn on.
#[derive(Clone, Copy)]
struct Blank {
    ground: [u8; 3],
    hatch: u8,
    /// The coverage of the sheet's rules.
    rule: u8,
    /// Whether it is the title block, where nothing is drawn.
    title: bool,
}

pub(super) fn blueprint(canvas: &Canvas, like: &Canvas, seed: u32, desk: &Desk) -> Canvas {
    let frame = canvas.frame;
    let sheet = desk.sheet(frame, || {
        let hand = Hand::new(canvas, seed);
        move |x, y| blank(frame, &hand, x, y)
    });
    let tones = desk.chosen(|| Tones::of(like));
    let fine = (frame.px * 0.0009).round().max(1.0) as usize;
    let lines = outlines(canvas, fine, |other, change| {
        smooth(0.2, 0.5, contour(other, change, 0.8))
    });
    let lights = lights(canvas, 0.004, |luma| tones.at(luma));
    together(
        canvas,
        |x, y| {
            let (blank, place) = (sheet.at(x, y), y * frame.width + x);
            let [r, g, b] = blank.ground;
            let (hatch, line) = if blank.title {
                (0, 0)
            } else {
                (blank.hatch, lines[place])
            };
            [r, g, b, hatch, lights[place], line, blank.rule]
        },
        |[r, g, b, hatch, light, line, rule]| {
            let white = Rgb::hex(0xee_f6_ff);
            let shade = hatch * smooth(0.42, 0.1, light);
            Rgb(r, g, b)
                .mix(Rgb::hex(0xb8_d8_f8), shade * 0.4)
                .mix(white, line * 0.92)
                .mix(white, rule * 0.9)
        },
    )
}

fn blank(frame: Frame, hand: &Hand, x: usize, y: usize) -> Blank {
    let (u, v) = (x as f32 / frame.px, y as f32 / frame.px);
    let seed = hand.seed;
    let n = fbm(u * 5.0, v * 5.0, 4, seed);
    let mut c = Rgb::hex(0x17_48_8c)
        .mix(Rgb::hex(0x0f_36_72), n)
        .scale(0.96 + 0.07 * value(u * 300.0, v * 300.0, seed ^ 1));
    let grid = |pitch: f32, w: f32| {
        let d = |t: f32| ((t / pitch).fract() - 0.5).abs() * 2.0;
        let k = 1.0 - w / pitch;
        f32::from(u8::from(d(u) > k || d(v) > k))
    };
    c = c
        .mix(Rgb::hex(0x8c_b8_ec), 0.13 * grid(0.02, 0.0012))
        .mix(Rgb::hex(0xa8_cc_f4), 0.2 * grid(0.1, 0.0016));
    // The frame of the sheet and its title block.
    let m = u.min(frame.w - u).min(v.min(frame.h - v));
    let rule = (smooth(0.0012, 0.0006, (m - 0.024).abs())).max(smooth(0.0022, 0.0012, (m - 0.031).abs()));
    let (bx, by) = (frame.w - 0.031 - u, frame.h - 0.031 - v);
    let title = bx > 0.0 && by > 0.0 && bx < 0.24 && by < 0.082;
    if title {
        let ruled = [0.0272, 0.0546].iter().any(|r| (by - r).abs() < 0.0007)
            || (bx - 0.239).abs() < 0.001
            || (by - 0.081).abs() < 0.001
            || (bx - 0.12).abs() < 0.0007;
        let text = by.rem_euclid(0.0273) > 0.008
            && by.rem_euclid(0.0273) < 0.016
            && value(bx * 240.0, by.div_euclid(0.0273), seed) > 0.45
            && (bx.rem_euclid(0.12)) > 0.02
            && (bx.rem_euclid(0.12)) < 0.1;
        c = if ruled || text {
            Rgb::hex(0xee_f6_ff)
        } else {
            Rgb::hex(0x12_3e_7c)
        };
    }
    Blank {
        ground: c.to_bytes(),
        hatch: byte(
            hand.lines((u, v), (FRAC_1_SQRT_2, FRAC_1_SQRT_2), 0.006)
                .drawn(0.3),
        ),
        rule: byte(rule),
        title,
    }
}

pub(super) fn neon(canvas: &Canvas, seed: u32) -> Canvas {
    let frame = canvas.frame;
    let unit = 1.0 / frame.px;
    let reach = (frame.px * 0.0016).round().max(1.0) as usize;
    let soft = small(canvas, 0.005);
    let lines = outlines(canvas, reach, |other, change| {
        smooth(0.2, 0.6, contour(other, change, 0.7))
    });
    // Tubes: outlines in pure colours; their light spreads.
    let tubes = map(canvas, |x, y| {
        let k = part(lines[y * frame.width + x]);
        if k <= 0.0 {
            return Rgb(0.0, 0.0, 0.0);
        }
        let (u, v) = (x as f32 * unit, y as f32 * unit);
        let own = sample_small(&soft, canvas, x as f32, y as f32);
        let (hue, s, _) = own.hsl();
        let field = f32::from(canvas.id(x as i32, y as i32)) * 83.0 + fbm(u * 1.3, v * 1.3, 2, seed) * 260.0;
        let snap = |h: f32| [322.0, 186.0, 276.0, 28.0, 150.0][((h / 72.0) as usize) % 5];
        let hue = if s > 0.72 {
            snap(hue.rem_euclid(360.0))
        } else {
            snap(field.rem_euclid(360.0))
        };
        Rgb::from_hsl(hue, 1.0, 0.58).scale(k)
    });
    let near = small(&tubes, 0.006);
    let far = small(&near, 0.028);
    let farther = small(&far, 0.06);
    // All its light together. It is soft and needs few samples.
    let glow = map(&near, |x, y| {
        let (fx, fy) = (x as f32 + 0.5, y as f32 + 0.5);
        near.at(x, y)
            .scale(1.25)
            .plus(sample_small(&far, &near, fx, fy).scale(1.5))
            .plus(sample_small(&farther, &near, fx, fy).scale(1.1))
    });
    let lit = Enlarged::new(&glow, frame, |c| [c.0, c.1, c.2, 0.0]);
    let mut out = Canvas::new(frame);
    out.pixels
        .par_chunks_mut(frame.width)
        .enumerate()
        .for_each(|(y, row)| {
            for ((x, pixel), [r, g, b, _]) in row.iter_mut().enumerate().zip(lit.row(y)) {
                let night = Rgb::hex(0x0a_08_18)
                    .mix(canvas.at(x, y).times(Rgb(0.42, 0.3, 0.62)), 0.42)
                    .scale(0.8);
                let lit = night.screen(Rgb(r, g, b)).screen(tubes.at(x, y));
                let core = smooth(0.3, 0.62, tubes.at(x, y).luma()) * 0.5;
                let [r, g, b] = lit.mix(WHITE, core).to_bytes();
                *pixel = [r, g, b, canvas.pixels[y * frame.width + x][3]];
            }
        });
    out
}
