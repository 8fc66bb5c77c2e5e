//! Ranges: mountains, wooded hills, dunes, mesas and cliffs far behind the scene.

use super::{BLEED, Easel};
use crate::chance::{fbm, ridged, smooth, value};
use crate::draw::paths::polygon;
use crate::draw::{LayerKind, Op};
use crate::light::Light;
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
