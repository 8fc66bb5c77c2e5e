//! Draws what a prompt names into the hole. The picture engine composes it; the parts in the hole are taken out of
//! the scene with their shadow and reflection, fitted into the mask, and given the light, the colour and the grain
//! of their surroundings (colours as in Reinhard et al. 2001, "Color transfer between images").

use serde_json::{Map, Value, json};

use crate::draw::LayerKind;
use crate::layers::{Layer, Layered};
use atelier_retouch::chance::speck;
use atelier_retouch::color::{byte, luma};
use atelier_retouch::decode::Picture;

/// The side of the frame in which a subject is composed before it is placed.
const SMALL: usize = 384;

/// The largest frame that is drawn; anything larger is scaled up.
const LARGEST: usize = 2200;

/// Surroundings darker than this (luma, 0 to 255) count as night.
const DARK: f32 = 46.0;

/// Words for times of day: a prompt that has one is followed.
const HOURS: [&str; 9] = [
    "dawn", "sunrise", "morning", "noon", "day", "golden", "sunset", "dusk", "night",
];

/// The share of a subject that must lie within the mask.
const WITHIN: f32 = 0.985;

/// Draws what the prompt names into the hole of a picture that is already filled, and returns what was understood.
pub(super) fn draw(picture: &mut Picture, missing: &[bool], prompt: &str, seed: u64) -> Map<String, Value> {
    let around = Around::of(picture, missing);
    let words = around.hour(prompt);
    let small = Layered::new(&words, seed, 0, SMALL, SMALL);
    let mut notes = Map::new();
    // The metadata describes the prompt without the time of day that was added to it.
    let mut said = Layered::new(prompt, seed, 0, SMALL, SMALL).metadata();
    for name in ["understood", "unknown"] {
        notes.insert(name.into(), said.remove(name).unwrap_or_else(|| json!([])));
    }
    let layers = parts(&small);
    let Some(fit) = Fit::of(&layers, missing, picture.width) else {
        notes.insert("drawn".into(), json!([]));
        return notes;
    };
    let names: Vec<&str> = layers
        .iter()
        .filter(|layer| layer.kind == LayerKind::Subject)
        .filter_map(|layer| layer.name.as_deref())
        .collect();
    notes.insert("drawn".into(), json!(names));
    let side = ((SMALL as f32 * fit.scale).round() as usize).clamp(SMALL / 8, LARGEST);
    let scene = Layered::new(&words, seed, 0, side, side);
    let tone = around.tone(&scene);
    let sheet = Sheet::of(&parts(&scene), side);
    let mirrored = around.slope * scene.light().toward[0] < 0.0;
    let scale = side as f32 / (SMALL as f32 * fit.scale);
    for (i, pixel) in picture.rgba.chunks_exact_mut(4).enumerate() {
        if !missing[i] {
            continue;
        }
        let (x, y) = (i % picture.width, i / picture.width);
        let across = (x as f32 + 0.5 - fit.left) * scale;
        let across = if mirrored {
            fit.mirror * scale - across
        } else {
            across
        };
        let [r, g, b, alpha] = sheet.at(across, (y as f32 + 0.5 - fit.top) * scale);
        if alpha <= 0.0 {
            continue;
        }
        let grain = around.grain * (speck(x as i32, y as i32, seed as u32) - 0.5) * 3.46;
        for (c, own) in [r, g, b].into_iter().enumerate() {
            let lit = tone.lit(c, own / alpha) + grain;
            pixel[c] = byte(lit * alpha + f32::from(pixel[c]) * (1.0 - alpha));
        }
        pixel[3] = pixel[3].max(byte(255.0 * alpha));
    }
    notes
}

/// The layers of things, without those of their scene.
fn parts(scene: &Layered) -> Vec<Layer> {
    let wanted = [LayerKind::Shadow, LayerKind::Reflection, LayerKind::Subject];
    let mut layers = scene.layers(0, 0.0);
    layers.retain(|layer| wanted.contains(&layer.kind) && layer.width > 0);
    layers
}

/// The appearance of the picture around the hole.
struct Around {
    /// The mean colour, and the spread of lightness.
    mean: [f32; 3],
    spread: f32,
    /// The standard deviation of the grain.
    grain: f32,
    /// How much lighter the right half of the picture is than the left.
    slope: f32,
}

impl Around {
    fn of(picture: &Picture, missing: &[bool]) -> Self {
        let (w, h) = (picture.width, picture.height);
        let area = bounds(missing, w).unwrap_or((0, 0, w, h));
        let reach = (area.2 - area.0).max(area.3 - area.1) / 2 + 8;
        let (left, right) = (area.0.saturating_sub(reach), (area.2 + reach).min(w));
        let (top, bottom) = (area.1.saturating_sub(reach), (area.3 + reach).min(h));
        let light = |x: usize, y: usize| {
            let [r, g, b, _] = picture.pixel(x, y).map(f32::from);
            luma(r, g, b)
        };
        let (mut sums, mut lights, mut squares, mut count) = ([0.0_f64; 3], 0.0, 0.0, 0.0_f64);
        let mut steps: Vec<f32> = Vec::new();
        let mut halves = [(0.0_f64, 1.0_f64); 2];
        let stride = ((right - left) * (bottom - top) / 200_000).max(1);
        for y in top..bottom {
            for x in (left + y % stride..right).step_by(stride) {
                if missing[y * w + x] {
                    continue;
                }
                for (sum, v) in sums.iter_mut().zip(picture.pixel(x, y)) {
                    *sum += f64::from(v);
                }
                let v = light(x, y);
                lights += f64::from(v);
                squares += f64::from(v * v);
                count += 1.0;
                if x + 2 < w && !missing[y * w + x + 2] {
                    steps.push((light(x, y) - 2.0 * light(x + 1, y) + light(x + 2, y)).abs());
                }
                let half = &mut halves[usize::from(2 * x > w)];
                *half = (half.0 + f64::from(v), half.1 + 1.0);
            }
        }
        let count = count.max(1.0);
        steps.sort_by(f32::total_cmp);
        // The calmest places have little but grain, whatever texture the others have. A second difference has 2.45
        // times the grain's deviation, and a tenth of all normal deviates are below 0.126 of theirs.
        let quiet = steps.get(steps.len() / 10).copied().unwrap_or(0.0);
        let mean_light = lights / count;
        Self {
            mean: sums.map(|sum| (sum / count) as f32),
            spread: (squares / count - mean_light * mean_light).max(1.0).sqrt() as f32,
            grain: (quiet / 0.308).min(6.0),
            slope: ((halves[1].0 / halves[1].1 - halves[0].0 / halves[0].1) / mean_light.max(1.0)) as f32,
        }
    }

    /// The prompt, with the time of day that the picture seems to have if the prompt names none and it is dark.
    fn hour(&self, prompt: &str) -> String {
        let [r, g, b] = self.mean;
        let lower = prompt.to_lowercase();
        let named = HOURS.iter().any(|hour| lower.contains(hour));
        if luma(r, g, b) < DARK && !named {
            format!("{prompt}, at night")
        } else {
            prompt.to_owned()
        }
    }

    /// How the scene's light is mapped to that of the picture.
    fn tone(&self, scene: &Layered) -> Tone {
        let light = scene.light();
        // Things drawn in this light have roughly its haze's tint and a middle lightness.
        let haze = luma(light.haze[0], light.haze[1], light.haze[2]).max(0.05);
        let own = luma(self.mean[0], self.mean[1], self.mean[2]).max(8.0);
        let gain = (own / (255.0 * haze * 0.72)).powf(0.55).clamp(0.45, 1.3);
        let tint = std::array::from_fn(|c| {
            let picture = self.mean[c].max(4.0) / own;
            let scene = light.haze[c].max(0.02) / haze;
            gain * (picture / scene).powf(0.45).clamp(0.7, 1.4)
        });
        Tone {
            tint,
            contrast: (self.spread / 48.0).powf(0.3).clamp(0.75, 1.1),
            middle: own,
        }
    }
}

/// A change of light.
struct Tone {
    tint: [f32; 3],
    contrast: f32,
    middle: f32,
}

impl Tone {
    fn lit(&self, channel: usize, value: f32) -> f32 {
        let tinted = value * self.tint[channel];
        self.middle + (tinted - self.middle) * self.contrast
    }
}

/// The bounding box of the true values: left, top, right, bottom.
fn bounds(mask: &[bool], width: usize) -> Option<(usize, usize, usize, usize)> {
    let mut area = (usize::MAX, usize::MAX, 0, 0);
    for (y, row) in mask.chunks_exact(width).enumerate() {
        if let (Some(first), Some(last)) = (row.iter().position(|v| *v), row.iter().rposition(|v| *v)) {
            area = (area.0.min(first), area.1.min(y), area.2.max(last + 1), y + 1);
        }
    }
    (area.0 != usize::MAX).then_some(area)
}

/// The position of the small frame in the picture.
struct Fit {
    /// The picture's pixels per pixel of the small frame.
    scale: f32,
    /// The frame's corner, in the picture's pixels.
    left: f32,
    top: f32,
    /// The sum of the left and right edges of the subject in the frame, for mirroring it about its own centre.
    mirror: f32,
}

impl Fit {
    /// The largest fit within the mask, standing on its lower edge or floating in its centre.
    fn of(layers: &[Layer], missing: &[bool], width: usize) -> Option<Self> {
        let subjects: Vec<&Layer> = layers
            .iter()
            .filter(|layer| layer.kind == LayerKind::Subject)
            .collect();
        let mut spots: Vec<(f32, f32)> = Vec::new();
        for layer in &subjects {
            for (i, pixel) in layer.rgba.iter().enumerate() {
                if pixel[3] > 127 {
                    spots.push((
                        layer.left as f32 + (i % layer.width) as f32,
                        layer.top as f32 + (i / layer.width) as f32,
                    ));
                }
            }
        }
        let low = |f: fn(&(f32, f32)) -> f32| spots.iter().map(f).fold(f32::MAX, f32::min);
        let high = |f: fn(&(f32, f32)) -> f32| spots.iter().map(f).fold(f32::MIN, f32::max) + 1.0;
        if spots.len() < 12 {
            return None;
        }
        let (x0, y0, x1, y1) = (low(|p| p.0), low(|p| p.1), high(|p| p.0), high(|p| p.1));
        let stands = subjects.iter().any(|layer| layer.contact.is_some());
        let area = bounds(missing, width)?;
        let (left, top) = (area.0 as f32, area.1 as f32);
        let (w, h) = ((area.2 - area.0) as f32, (area.3 - area.1) as f32);
        let height = missing.len() / width;
        let whole = (w / (x1 - x0)).min(h / (y1 - y0));
        let step = (spots.len() / 4000).max(1);
        for k in 0..14 {
            let scale = whole * 0.94 * 0.93_f32.powi(k);
            let middle = left + 0.5 * w - scale * 0.5 * (x0 + x1);
            let foot = if stands {
                top + h * 0.97 - scale * y1
            } else {
                top + 0.5 * h - scale * 0.5 * (y0 + y1)
            };
            // In a round mask the foot has to move up from the lowest point.
            for lift in [0.0, 0.06, 0.12, 0.2] {
                let corner = (middle, foot - lift * h);
                let inside = |spot: &(f32, f32)| {
                    let x = corner.0 + scale * (spot.0 + 0.5);
                    let y = corner.1 + scale * (spot.1 + 0.5);
                    x >= 0.0
                        && y >= 0.0
                        && (x as usize) < width
                        && (y as usize) < height
                        && missing[y as usize * width + x as usize]
                };
                let sample = spots.iter().step_by(step);
                let count = sample.len() as f32;
                if sample.filter(|spot| inside(spot)).count() as f32 >= WITHIN * count {
                    return Some(Self {
                        scale,
                        left: corner.0,
                        top: corner.1,
                        mirror: scale * (x0 + x1),
                    });
                }
            }
        }
        None
    }
}

/// Layers composed on an empty ground: premultiplied red, green and blue, and alpha, 0 to 255.
struct Sheet {
    side: usize,
    rgba: Vec<[f32; 4]>,
}

impl Sheet {
    fn of(layers: &[Layer], side: usize) -> Self {
        let mut rgba = vec![[0.0; 4]; side * side];
        for layer in layers {
            for (i, pixel) in layer.rgba.iter().enumerate() {
                let x = layer.left + (i % layer.width) as i32;
                let y = layer.top + (i / layer.width) as i32;
                if pixel[3] == 0 || x < 0 || y < 0 || x >= side as i32 || y >= side as i32 {
                    continue;
                }
                let under = &mut rgba[y as usize * side + x as usize];
                let rest = 1.0 - f32::from(pixel[3]) / 255.0;
                for (under, own) in under.iter_mut().zip(pixel) {
                    *under = f32::from(*own) + *under * rest;
                }
            }
        }
        Self { side, rgba }
    }

    /// Interpolates between the four nearest pixels; alpha from 0 to 1.
    fn at(&self, x: f32, y: f32) -> [f32; 4] {
        let (x, y) = (x - 0.5, y - 0.5);
        let (u, v) = (x.floor(), y.floor());
        let mut sums = [0.0; 4];
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let (column, row) = (u as i32 + dx, v as i32 + dy);
            if column < 0 || row < 0 || column >= self.side as i32 || row >= self.side as i32 {
                continue;
            }
            let weight = (1.0 - (x - column as f32).abs()) * (1.0 - (y - row as f32).abs());
            for (sum, own) in sums
                .iter_mut()
                .zip(self.rgba[row as usize * self.side + column as usize])
            {
                *sum += weight * own;
            }
        }
        sums[3] /= 255.0;
        sums
    }
}
