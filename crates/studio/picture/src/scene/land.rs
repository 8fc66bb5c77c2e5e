//! Land: ranges of mountains, hills, meadows, forests' edges, dunes, cliffs.

use super::light::Light;
use super::{BLEED, Easel};
use crate::chance::{Coarse, Rng, fbm, ridged, smooth, value};
use crate::draw::pen::{Place, polygon};
use crate::draw::{Op, Pen};
use crate::layers::LayerKind;
use crate::subjects::{self, Look};
use atelier_retouch::rgb::Rgb;

/// The material of a range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Rock {
    Alpine,
    Wooded,
    Dune,
    Mesa,
    Volcano,
    /// A ridge, highest around the given horizontal position.
    Cliff(f32),
}

/// A range of mountains that stands on `base` and is `height` high, in units.
#[expect(
    clippy::too_many_lines,
    reason = "one surface: its outline, its colours, its light"
)]
pub(super) fn range(easel: &mut Easel, rock: Rock, base: f32, height: f32, depth: f32) {
    let frame = easel.frame;
    let seed = easel.rng.seed();
    let light = easel.light.clone();
    let id = Some(easel.id());
    easel.layer(LayerKind::Far, 0.8 + 0.2 * depth);
    let across = frame.w + 2.0 * BLEED;
    let steps = (across * frame.px / 3.0) as usize + 2;
    let ridge = Ridge::new(easel, rock, seed);
    let mut outline = vec![(frame.w + BLEED, base + 0.3), (-BLEED, base + 0.3)];
    outline.extend((0..=steps).map(|i| {
        let x = -BLEED + across * i as f32 / steps as f32;
        (x, base - height * ridge.height(x))
    }));
    let Some(path) = polygon(&outline) else { return };
    let face = Face {
        rock,
        color: rock.color(&light),
        snow: rock.snow_line(&light),
        seed,
        light,
    };
    easel.add(Op::solid(path, id, move |x, y| {
        let up = ((base - y) / height).clamp(0.0, 1.0);
        let lit = face.lit(x, y, up);
        // Mist gathers at the foot.
        let mist = (1.0 - up).powi(2) * 0.42 * depth;
        face.light.far(lit, depth).mix(face.light.haze, mist)
    }));
}

impl Rock {
    fn color(self, light: &Light) -> Rgb {
        match self {
            Self::Alpine => Rgb::hex(0x7a_74_72),
            Self::Wooded => light
                .grass()
                .mix(Rgb::hex(0x3c_60_40), if light.snowy() { 0.25 } else { 0.62 }),
            Self::Dune => Rgb::hex(0xe0_b4_74),
            Self::Mesa => Rgb::hex(0xb8_6a_44),
            Self::Volcano => Rgb::hex(0x5c_50_50),
            Self::Cliff(_) => Rgb::hex(0x74_6c_62),
        }
    }

    /// The height from which on snow lies, as a share of the range's; beyond 1 there is none.
    fn snow_line(self, light: &Light) -> f32 {
        match self {
            Self::Alpine if light.snowy() => 0.15,
            Self::Wooded if light.snowy() => 0.1,
            Self::Cliff(_) if light.snowy() => 0.7,
            Self::Alpine => 0.5,
            Self::Volcano => 0.9,
            _ => 9.0,
        }
    }
}

/// The skyline of a range.
struct Ridge {
    rock: Rock,
    seed: u32,
    octaves: u32,
    peak: f32,
    /// Position, height and half the width.
    summits: Vec<(f32, f32, f32)>,
}

impl Ridge {
    fn new(easel: &mut Easel, rock: Rock, seed: u32) -> Self {
        let width = easel.frame.w;
        let peak = easel.rng.range(0.25, 0.75) * width;
        // Alps: one summit dominates, others follow at its sides.
        let mut summits = vec![(peak, 1.0, easel.rng.range(0.4, 0.55))];
        for i in 0..7 {
            let x = width * (i as f32 + easel.rng.range(0.1, 0.9)) / 7.0;
            let near = 1.0 - ((x - peak).abs() / width).min(1.0);
            summits.push((
                x,
                easel.rng.range(0.34, 0.6) + 0.28 * near,
                easel.rng.range(0.22, 0.4),
            ));
        }
        Self {
            rock,
            seed,
            octaves: 6 + easel.light.extra,
            peak,
            summits,
        }
    }

    /// The height above the foot at a position across, as a share of the range's.
    fn height(&self, x: f32) -> f32 {
        let (seed, octaves, peak) = (self.seed, self.octaves, self.peak);
        let (rough, wide) = match self.rock {
            Rock::Alpine => (2.1, 0.7),
            Rock::Wooded => (1.5, 0.9),
            Rock::Dune => (1.2, 0.9),
            Rock::Mesa | Rock::Cliff(_) => (2.4, 0.9),
            Rock::Volcano => (3.0, 0.34),
        };
        let around = (-((x - peak) / wide).powi(2)).exp();
        let n = match self.rock {
            Rock::Alpine => {
                let bent = x + 0.05 * (fbm(x * 5.0, 2.0, 3, seed ^ 1) - 0.5);
                let tent = self
                    .summits
                    .iter()
                    .map(|(at, high, wide)| high * (1.0 - (bent - at).abs() / wide).max(0.0))
                    .fold(0.12, f32::max);
                tent * 0.86 + 0.2 * (ridged(x * 7.0 + 11.0, 3.7, octaves, seed) - 0.3)
            }
            Rock::Wooded => {
                0.12 + 1.25 * (fbm(x * 2.3 + 3.0, 0.3, 3, seed) - 0.2).max(0.0)
                    + 0.05 * fbm(x * 40.0, 0.3, octaves - 2, seed ^ 2)
            }
            Rock::Dune => fbm(x * rough + 3.0, 0.3, 2, seed),
            Rock::Mesa => {
                let step = smooth(0.46, 0.5, fbm(x * rough, 0.5, 3, seed));
                0.15 + 0.75 * step + 0.06 * fbm(x * 20.0, 0.2, 4, seed)
            }
            Rock::Volcano => {
                let cone = (1.0 - ((x - peak).abs() - 0.05).max(0.0) / 0.42)
                    .max(0.0)
                    .powf(1.35);
                0.08 * fbm(x * 9.0, 0.1, octaves, seed) + 0.92 * cone
            }
            Rock::Cliff(at) => {
                let wall = smooth(
                    0.42,
                    0.16,
                    (x - at).abs() + 0.1 * (fbm(x * 5.0, 0.7, 3, seed) - 0.5),
                );
                0.3 + 0.54 * wall + 0.06 * fbm(x * 24.0, 0.2, 4, seed)
            }
        };
        let lift = if matches!(self.rock, Rock::Volcano | Rock::Alpine | Rock::Cliff(_)) {
            1.0
        } else {
            0.34 + 0.66 * around
        };
        n * lift
    }
}

/// The surface of a range.
struct Face {
    rock: Rock,
    color: Rgb,
    snow: f32,
    seed: u32,
    light: Light,
}

impl Face {
    /// The colour at a place, `up` the slope from 0 to 1, in the scene's light.
    fn lit(&self, x: f32, y: f32, up: f32) -> Rgb {
        let (rock, seed, light) = (self.rock, self.seed, &self.light);
        let f = if rock == Rock::Dune { 2.2 } else { 5.0 };
        let relief = |x: f32, y: f32| ridged(x * f + 0.6 * y, y * f * 0.72, 4 + light.extra, seed ^ 0x77);
        let (a, b) = if light.flat {
            (0.0, 0.0)
        } else {
            (
                relief(x, y),
                relief(x + 0.006 * light.toward.0.signum(), y - 0.004),
            )
        };
        let slope = (a - b) * if rock == Rock::Dune { 3.0 } else { 7.0 };
        let mut facing = (0.5 + slope + 0.12 * up).clamp(0.0, 1.0);
        if light.flat {
            // Two planes: one faces the light, one does not.
            let lean = fbm(x * 6.0, y * 6.0 * 0.5, 3, seed ^ 3);
            facing = if lean > 0.5 { 0.72 } else { 0.42 };
        }
        let mut base_color = self.color.scale(0.85 + 0.3 * a);
        if rock == Rock::Mesa {
            let strata = value(0.3, y * 60.0 + 2.0 * value(x * 6.0, y * 3.0, seed), seed ^ 9);
            base_color = base_color.mix(Rgb::hex(0xe0_a4_70), strata * 0.6);
        }
        if rock == Rock::Wooded && !light.flat {
            let trees = value(x * 160.0, y * 130.0, seed ^ 2);
            facing = (facing + (trees - 0.5) * 0.5).clamp(0.0, 1.0);
        }
        let line = self.snow + 0.34 * (fbm(x * 9.0, y * 9.0, 4, seed ^ 5) - 0.5) - slope * 0.6;
        let white = smooth(line, line + 0.08, up);
        base_color = base_color.mix(Rgb::hex(0xf4_f6_fb), white * 0.95);
        light.lit(base_color, facing)
    }
}

/// Open ground from a rolling top edge down to the bottom of the picture.
pub(super) fn ground(easel: &mut Easel, top: f32, roll: f32, color: Rgb, depth: f32, grain: Ground) {
    let frame = easel.frame;
    let seed = easel.rng.seed();
    let light = easel.light.clone();
    let id = Some(easel.id());
    let octaves = 4 + light.extra;
    let steps = 360;
    let across = frame.w + 2.0 * BLEED;
    let far = easel.distance(top);
    easel.spread(LayerKind::Ground, far, 0.0);
    let phase = easel.rng.range(0.0, 50.0);
    let edge = move |x: f32| top - roll * (fbm(x * 1.1 + phase, 0.5, 3, seed) - 0.5) * 2.0;
    let low = frame.h + BLEED;
    let mut outline = vec![(frame.w + BLEED, low), (-BLEED, low)];
    outline.extend((0..=steps).map(|i| {
        let x = -BLEED + across * i as f32 / steps as f32;
        (x, edge(x))
    }));
    // A hill is lit on the side that faces the light, most near its crest.
    let crests = Coarse::new(across, 0.1, 200.0, move |x, _| {
        (edge(x - BLEED + 0.02) - edge(x - BLEED - 0.02)) / 0.04
    });
    let edges = Coarse::new(across, 0.1, 200.0, move |x, _| edge(x - BLEED));
    let Some(path) = polygon(&outline) else { return };
    let h = frame.h;
    easel.add(Op::solid(path, id, move |x, y| {
        let d = ((y - top) / (h - top + 0.12)).clamp(0.0, 1.0);
        let here = depth * (1.0 - d);
        if light.flat {
            let band = value(x * 0.8 + phase, y * 6.0, seed ^ 6) > 0.55;
            return light.far(light.lit(color, if band { 0.62 } else { 0.54 }), here);
        }
        // Seen at a slant: features are wide and low, and grow towards the viewer.
        let z = 0.12 + d;
        let (u, v) = ((x - frame.w * 0.5) / z, 1.0 / z);
        let patch = fbm(u * 2.2, v * 3.4, octaves, seed);
        let fine = match grain {
            Ground::Grass => fbm(x * 210.0 / (0.4 + z), y * 62.0 / (0.4 + z), 3, seed ^ 4) - 0.5,
            Ground::Sand => 0.35 * (value(u * 7.0, v * 46.0 + 3.0 * patch, seed ^ 4) - 0.5),
            Ground::Snow => 0.3 * (fbm(u * 5.0, v * 9.0, octaves, seed ^ 4) - 0.5),
            Ground::Furrows => {
                let lane = (u * 9.0 + 0.4 * patch).fract().abs();
                0.5 * (smooth(0.1, 0.5, lane) - smooth(0.5, 0.95, lane)) - 0.15
            }
        };
        let tone = 0.9 + 0.34 * (patch - 0.5) + 0.5 * fine;
        let warm = color.shift(14.0 * (patch - 0.5), 0.0);
        let below = (y - edges.at(x + BLEED, 0.0)).max(0.0);
        let crest = (-below / (0.03 + roll * 0.7)).exp() * (roll * 9.0).min(1.0);
        let slope = (crests.at(x + BLEED, 0.0) * light.toward.0).clamp(-0.6, 0.6);
        let facing = (0.48 + (patch - 0.5) * 0.6 + fine * 0.35 - 0.12 * d + crest * (0.1 + 0.9 * slope))
            .clamp(0.0, 1.0);
        light.far(light.lit(warm.scale(tone), facing), here)
    }));
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ground {
    Grass,
    Sand,
    Snow,
    Furrows,
}

/// Tufts, blades and flowers along the lower edge, which give the ground depth.
pub(super) fn growth(easel: &mut Easel, top: f32, flowers: bool, hues: &[Rgb]) {
    let frame = easel.frame;
    let light = easel.light.clone();
    let mut rng = easel.rng.fork("growth");
    let far = easel.distance(top);
    easel.spread(LayerKind::Plants, far, 0.0);
    let count = (if flowers { 900.0 } else { 300.0 } * (frame.w + 2.0 * BLEED)) as usize;
    let id = Some(easel.id());
    let mut spots: Vec<(f32, f32)> = (0..count)
        .map(|_| {
            let t = rng.unit();
            (
                rng.range(-BLEED, frame.w + BLEED),
                top + 0.015 + (frame.h - top + 0.05) * t * t.sqrt(),
            )
        })
        .collect();
    spots.sort_by(|a, b| a.1.total_cmp(&b.1));
    let grass = light.grass();
    for (x, y) in spots {
        if easel.on_road(x, y) {
            continue;
        }
        let d = ((y - top) / (frame.h - top)).clamp(0.05, 1.2);
        let size = 0.012 + 0.062 * d * d;
        let mut pen = Pen::new(rng.fork("tuft"));
        let tone = rng.range(0.72, 1.18);
        let blade = grass.scale(tone).shift(rng.near(0.0, 10.0), 0.0);
        let blades = if flowers { 2 } else { 4 };
        for _ in 0..blades {
            let (bend, high) = (rng.near(0.0, 0.5), rng.range(0.5, 1.0));
            let paint = crate::draw::Paint::new(blade);
            pen.poly(
                &[
                    (bend * 0.2 - 0.06, 0.0),
                    (bend * 0.6, high * 0.6),
                    (bend, high),
                    (bend * 0.6 + 0.04, high * 0.55),
                    (bend * 0.2 + 0.06, 0.0),
                ],
                paint,
            );
        }
        if flowers && rng.chance(0.75) {
            let c = hues[rng.below(hues.len())].shift(rng.near(0.0, 8.0), rng.near(0.0, 0.05));
            let (px, py) = (rng.near(0.0, 0.2), rng.range(0.7, 1.1));
            let paint = crate::draw::Paint::new(c).ball();
            pen.oval(px, py, 0.2, 0.17, paint);
            pen.oval(
                px,
                py,
                0.07,
                0.06,
                crate::draw::Paint::new(c.mix(Rgb::hex(0xff_e0_70), 0.7)),
            );
        }
        let place = Place {
            depth: 0.3 * (1.0 - d).max(0.0),
            ..Place::new(x, y, size)
        };
        easel.draw(&pen, place, id);
    }
}

/// A row of trees: the edge of a forest, standing on `base`.
pub(super) fn forest(easel: &mut Easel, base: f32, height: f32, depth: f32, conifers: bool) {
    let frame = easel.frame;
    let light = easel.light.clone();
    let mut rng = easel.rng.fork("forest");
    let kind = if conifers { "pine" } else { "tree" };
    let Some(subject) = subjects::named(kind) else {
        return;
    };
    let id = Some(easel.id());
    // A few drawings serve all trees of a row; size, side and position vary them.
    let drawings: Vec<Pen> = (0..4)
        .map(|_| {
            let mut pen = Pen::new(rng.fork("tree"));
            (subject.draw)(
                &mut pen,
                &Look {
                    light: &light,
                    color: None,
                },
            );
            pen
        })
        .collect();
    let far = easel.distance(base);
    easel.layer(LayerKind::Far, far);
    let step = height * if conifers { 0.2 } else { 0.42 };
    let mut x = -BLEED;
    while x < frame.w + BLEED {
        let size = height * rng.range(0.68, 1.12) * gaps(x, &mut rng);
        let place = Place {
            flip: rng.sign(),
            depth,
            ..Place::new(x, base + rng.range(0.0, height * 0.06), size)
        };
        easel.draw(&drawings[rng.below(4)], place, id);
        x += step * rng.range(0.6, 1.3);
    }
}

fn gaps(x: f32, rng: &mut Rng) -> f32 {
    0.86 + 0.3 * (value(x * 3.0, 0.5, 77) - 0.5) + rng.near(0.0, 0.06)
}

/// A headland that enters from one side; returns its top.
pub(super) fn cliff(easel: &mut Easel, side: f32, top: f32, reach: f32, foot: f32) -> (f32, f32) {
    let frame = easel.frame;
    let seed = easel.rng.seed();
    let light = easel.light.clone();
    let steps = 90;
    let edge = |t: f32| frame.w * 0.5 + side * frame.w * 0.5 - side * reach * t;
    let mut outline = vec![(frame.w * 0.5 + side * (frame.w * 0.5 + BLEED), top)];
    // Along the top, then down the broken face to the water.
    for i in 0..=steps {
        let t = i as f32 / steps as f32;
        let y =
            top + 0.018 * (fbm(t * 5.0, 0.2, 4, seed) - 0.5) * 2.0 + 0.05 * (t - 0.62).max(0.0).powi(2) * 6.0
                - 0.02 * (1.0 - t);
        outline.push((edge(t * 0.86 - 0.06), y));
    }
    let brow = outline[steps + 1];
    for i in 1..=steps {
        let t = i as f32 / steps as f32;
        let out = 0.14 * t.powf(1.4) + 0.05 * (ridged(t * 4.0, 0.7, 5, seed) - 0.4);
        outline.push((brow.0 - side * (reach * out), brow.1 + (foot - brow.1) * t));
    }
    outline.push((frame.w * 0.5 + side * (frame.w * 0.5 + BLEED), foot));
    let near = easel.distance(foot);
    easel.layer(LayerKind::Ground, near);
    let Some(path) = polygon(&outline) else {
        return (brow.0, top);
    };
    let id = Some(easel.id());
    let grass = light.grass();
    let octaves = 5 + light.extra;
    let brink = top;
    easel.add(Op::solid(path, id, move |x, y| {
        let down = ((y - brink) / (foot - brink)).clamp(0.0, 1.0);
        let crag = ridged(x * 6.0 + 0.8 * y, y * 2.4, octaves, seed ^ 3);
        let next = ridged(
            x * 6.0 + 0.05 * light.toward.0.signum() + 0.8 * y,
            y * 2.4 - 0.03,
            octaves,
            seed ^ 3,
        );
        let strata = value(x * 1.5, y * 34.0 + 3.0 * crag, seed ^ 8);
        let mut facing = (0.42 + (crag - next) * 3.2 + 0.25 * light.toward.0 * -side).clamp(0.0, 1.0);
        let mut rock = Rgb::hex(0x8c_7c_6c)
            .mix(Rgb::hex(0xb4_9c_80), strata * 0.6)
            .scale(0.72 + 0.5 * crag);
        if light.flat {
            facing = if crag > 0.42 { 0.66 } else { 0.36 };
            rock = Rgb::hex(0x94_80_6c);
        }
        let sod = smooth(0.16, 0.06, down + 0.14 * (fbm(x * 14.0, y * 8.0, 4, seed) - 0.5));
        let blades = if light.flat {
            0.0
        } else {
            fbm(x * 90.0, y * 40.0, 3, seed ^ 4) - 0.5
        };
        let color = rock.mix(grass.scale(1.0 + 0.5 * blades), sod);
        facing = facing + (0.62 + blades * 0.3 - facing) * sod;
        let wet = smooth(0.9, 1.0, down) * 0.4;
        light.far(light.lit(color.scale(1.0 - wet), facing), 0.16)
    }));
    (edge(0.42), top + 0.012)
}
