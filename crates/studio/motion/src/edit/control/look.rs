//! The appearance of the words: a painting of their scene, and the colours of what they name, from its shadows to
//! its lights.

use crate::texture::fitted;
use atelier_picture::moving::scene;
use atelier_picture::prompt::Prompt;
use atelier_picture::render;
use atelier_protocol::Error;
use atelier_protocol::Request;
use atelier_retouch::Plane;
use atelier_retouch::canvas::{Canvas, Frame};
use atelier_retouch::cutout::{Background, remove_background};
use atelier_retouch::decode;
use atelier_retouch::rgb::{Rgb, ramp};

/// Steps from the darkest colour to the lightest.
const STEPS: usize = 7;
/// How much of the scene's grain is visible on the figure.
const GRAIN: f32 = 0.35;
/// The direction of the light: from the left, above, and the viewer.
const LIGHT: [f32; 3] = [-0.48, -0.58, 0.66];

/// A scene and the colours of a figure.
pub(super) struct Painted {
    scene: Canvas,
    colors: Vec<Rgb>,
    ink: Rgb,
    grain: Plane,
}

impl Painted {
    pub(super) fn new(request: &Request, words: &str, seed: u64, frame: Frame) -> Result<Self, Error> {
        let given = request.inputs_of("image_urls").next();
        let (scene, figure) = if let Some(input) = given {
            let picture =
                decode::read(&input.path).map_err(|error| super::super::given::named("image_urls", error))?;
            let canvas = fitted(&picture, frame);
            let whole = atelier_retouch::canvas::picture(&canvas);
            let cut = remove_background(&whole, Background::Transparent, 0.0, &mut |_| {});
            let figure = match cut {
                Some((cut, _)) => {
                    let seen = cut.rgba.chunks_exact(4).filter(|p| p[3] > 128);
                    seen.map(|p| Rgb::from_bytes([p[0], p[1], p[2]])).collect()
                }
                None => all(&canvas),
            };
            (canvas, figure)
        } else {
            let prompt = Prompt::read(words);
            let mut empty = prompt.clone();
            // The control provides the figure.
            empty.mentions.clear();
            empty.quotes.clear();
            let drawn = render(words, seed, 0, frame.width, frame.height);
            let mut canvas = Canvas::new(frame);
            for (to, from) in canvas.pixels.iter_mut().zip(drawn.rgb.chunks_exact(3)) {
                *to = [from[0], from[1], from[2], 1];
            }
            let figure = boxed(&canvas, &drawn.metadata).unwrap_or_else(|| all(&canvas));
            (scene(&empty, seed, frame), figure)
        };
        let light = Plane::from_fn(frame.width, frame.height, |x, y| scene.at(x, y).luma());
        let grain = light.zip(&light.blurred(3.0), |a, b| a - b);
        let colors = sorted(figure);
        let darkest = colors.first().copied().unwrap_or(Rgb(0.1, 0.1, 0.1));
        Ok(Self {
            ink: darkest.scale(0.45),
            scene,
            colors,
            grain,
        })
    }

    /// A frame: the scene, and in front of it the figure in its colours, lit by its relief; or footage in the scene's
    /// colours.
    pub(super) fn frame(&self, structure: &super::structure::Structure, is_footage: bool) -> Canvas {
        let relief = &structure.relief;
        let soft = relief.blurred(1.5);
        let bend = 0.09 * relief.height as f32;
        let shadow = if is_footage {
            structure.figure.clone()
        } else {
            structure.figure.blurred(0.03 * relief.height as f32)
        };
        let aside = (0.025 * relief.height as f32) as isize;
        atelier_picture::moving::painted(self.scene.frame, |x, y| {
            let (sx, sy) = (x as isize, y as isize);
            let across = 0.5 * (soft.clamped(sx + 1, sy) - soft.clamped(sx - 1, sy));
            let down = 0.5 * (soft.clamped(sx, sy + 1) - soft.clamped(sx, sy - 1));
            let normal = [-bend * across, -bend * down, 1.0];
            let long = normal.iter().map(|v| v * v).sum::<f32>().sqrt();
            let lit: f32 = normal.iter().zip(LIGHT).map(|(n, l)| n / long * l).sum();
            let own = self.scene.at(x, y);
            let line = structure.lines.at(x, y);
            let grain = GRAIN * self.grain.at(x, y);
            let color = if is_footage {
                let tone = (soft.at(x, y) + grain).clamp(0.0, 1.0);
                // The scene's hue at its place, the footage's light.
                let mapped = ramp(&self.colors, tone);
                let light = own.scale(((tone + 0.04) / (own.luma() + 0.04)).clamp(0.3, 2.2));
                mapped.mix(light.clamp(), 0.35)
            } else {
                let figure = structure.figure.at(x, y);
                let tone = (0.12 + 0.62 * lit.max(0.0) + 0.2 * soft.at(x, y) + grain).clamp(0.0, 1.0);
                let dark = 0.4 * shadow.clamped(sx - aside, sy - aside) * (1.0 - figure);
                own.scale(1.0 - dark).mix(ramp(&self.colors, tone), figure)
            };
            color.mix(self.ink, 0.62 * line).clamp()
        })
    }
}

fn all(canvas: &Canvas) -> Vec<Rgb> {
    let pixels = canvas.pixels.iter().step_by(7);
    pixels.map(|p| Rgb::from_bytes([p[0], p[1], p[2]])).collect()
}

/// The colours at the place of the first named thing.
fn boxed(canvas: &Canvas, metadata: &serde_json::Map<String, serde_json::Value>) -> Option<Vec<Rgb>> {
    let placed = metadata.get("placed")?.get(0)?;
    let side = |at: usize| Some(placed.get("box")?.get(at)?.as_f64()?.clamp(0.0, 1.0));
    let (left, top, right, bottom) = (side(0)?, side(1)?, side(2)?, side(3)?);
    let (w, h) = (canvas.frame.width as f64, canvas.frame.height as f64);
    // The centre of the box: its corners show the background.
    let (dx, dy) = (0.25 * (right - left), 0.2 * (bottom - top));
    let (x0, x1) = (((left + dx) * w) as usize, ((right - dx) * w) as usize);
    let (y0, y1) = (((top + dy) * h) as usize, ((bottom - dy) * h) as usize);
    let mut colors = Vec::new();
    for y in (y0..y1.min(canvas.frame.height)).step_by(2) {
        for x in (x0..x1.min(canvas.frame.width)).step_by(2) {
            colors.push(canvas.at(x, y));
        }
    }
    (colors.len() > 30).then_some(colors)
}

/// Colours from the darkest to the lightest, with a minimum distance between them.
fn sorted(mut colors: Vec<Rgb>) -> Vec<Rgb> {
    colors.sort_by(|a, b| a.luma().total_cmp(&b.luma()));
    if colors.is_empty() {
        colors.push(Rgb(0.5, 0.5, 0.5));
    }
    (0..STEPS)
        .map(|step| {
            let middle = (2 * step + 1) * colors.len() / (2 * STEPS);
            let reach = colors.len() / (3 * STEPS);
            let near = &colors[middle.saturating_sub(reach)..(middle + reach + 1).min(colors.len())];
            let sum = near
                .iter()
                .fold(Rgb(0.0, 0.0, 0.0), |sum, color| sum.plus(*color));
            let mean = sum.scale(1.0 / near.len() as f32);
            // Shadows are dark and lights are light, even on a single-coloured thing.
            let aim = 0.1 + 0.8 * step as f32 / (STEPS - 1) as f32;
            let k = ((aim + 0.02) / (mean.luma() + 0.02)).clamp(0.35, 2.4).powf(0.6);
            mean.scale(k).clamp()
        })
        .collect()
}
