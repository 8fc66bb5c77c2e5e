//! Computed pictures, rich in edges, textures and lettering: the tools are tested on them, the upscaler was trained
//! on them, and contact sheets show them.

#![expect(
    clippy::needless_range_loop,
    reason = "channels are counted across several arrays at once"
)]

use tiny_skia::{Color, FillRule, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};

use crate::chance::{Rng, smooth};
use crate::decode::Picture;
use noise::fbm;

mod noise;
mod page;
mod portrait;
mod scenes;
mod subject;

pub use portrait::{canvas, portrait, portrait_mask};
pub use scenes::{SCENES, Scene, scene};
pub use subject::subject;

/// How much finer a picture is painted than it is shown.
const FINER: usize = 2;

/// Overlapping leaves of all sizes, as in the dead leaves model of natural pictures (Lee, Mumford and Huang 2001):
/// its edges and textures have the statistics of photographs, so filters can be learned from it (Achddou, Gousseau
/// and Ladjal 2021).
pub fn dead_leaves(width: usize, height: usize, seed: u64) -> Picture {
    let mut rng = Rng::new(seed);
    let mut easel = Easel::new(width, height, [0.5, 0.5, 0.5]);
    let palette: Vec<[f32; 3]> = (0..6).map(|_| color_of(&mut rng)).collect();
    let smallest = rng.range(1.2, 5.0);
    let largest = rng.range(0.15, 0.5) * width.min(height) as f32;
    for _ in 0..(width * height / 60).clamp(60, 1600) {
        // Radii with a density of r to the -3rd make the picture look alike at every distance.
        let u = rng.unit();
        let inverse = (1.0 - u) / (smallest * smallest) + u / (largest * largest);
        let r = 1.0 / inverse.sqrt();
        let (x, y) = (rng.range(0.0, width as f32), rng.range(0.0, height as f32));
        let base = rng.pick(&palette);
        let shade = rng.near(0.0, 0.25);
        let c = base.map(|v| (v + shade).clamp(0.0, 1.0));
        let path = match rng.below(4) {
            0 => PathBuilder::from_circle(x, y, r),
            1 => polygon(x, y, r, 3 + rng.below(3), &mut rng),
            2 => blade(x, y, r, &mut rng),
            _ => polygon(x, y, r, 7 + rng.below(6), &mut rng),
        };
        if let Some(path) = path {
            easel.fill(&path, c);
        }
    }
    let texture = rng.range(0.0, 0.16);
    let grain = rng.range(0.05, 0.5);
    let noise = rng.seed();
    easel.shade(|x, y, c| {
        // Each patch of like colour gets a texture of its own, by its colour.
        let own = noise ^ ((c[0] * 31.0) as u32) ^ (((c[1] * 31.0) as u32) << 8);
        let amount = texture * (1.0 + ((own % 7) as f32 - 3.0) / 3.0);
        let n = fbm(x * grain, y * grain, 4, own) - 0.5;
        c.map(|v| v + 2.0 * amount * n)
    });
    easel.finish()
}

fn color_of(rng: &mut Rng) -> [f32; 3] {
    let (hue, saturation, value) = (rng.unit(), 0.7 * rng.unit() * rng.unit(), rng.range(0.08, 0.95));
    [0.0, 1.0 / 3.0, 2.0 / 3.0].map(|shift| {
        let wave = 0.5 + 0.5 * (std::f32::consts::TAU * (hue + shift)).cos();
        value * (1.0 - saturation * wave)
    })
}

fn polygon(x: f32, y: f32, r: f32, corners: usize, rng: &mut Rng) -> Option<Path> {
    let turn = rng.range(0.0, std::f32::consts::TAU);
    let mut path = PathBuilder::new();
    for i in 0..corners {
        let a = turn + std::f32::consts::TAU * i as f32 / corners as f32;
        let r = r * rng.range(0.6, 1.2);
        let (px, py) = (x + r * a.cos(), y + r * a.sin());
        if i == 0 {
            path.move_to(px, py);
        } else {
            path.line_to(px, py);
        }
    }
    path.close();
    path.finish()
}

fn blade(x: f32, y: f32, r: f32, rng: &mut Rng) -> Option<Path> {
    let a = rng.range(0.0, std::f32::consts::TAU);
    let (dx, dy) = (r * a.cos(), r * a.sin());
    let wide = rng.range(0.1, 0.5);
    let mut path = PathBuilder::new();
    path.move_to(x - dx, y - dy);
    path.quad_to(x - dy * wide, y + dx * wide, x + dx, y + dy);
    path.quad_to(x + dy * wide, y - dx * wide, x - dx, y - dy);
    path.close();
    path.finish()
}

/// A canvas that is painted finer than it is shown, in floats after the shapes.
struct Easel {
    width: usize,
    height: usize,
    pixmap: Pixmap,
    shaded: Option<Vec<[f32; 3]>>,
}

impl Easel {
    fn new(width: usize, height: usize, background: [f32; 3]) -> Self {
        let mut pixmap = Pixmap::new((width * FINER) as u32, (height * FINER) as u32)
            .expect("sample pictures have a size");
        pixmap.fill(rgb(background));
        Self {
            width,
            height,
            pixmap,
            shaded: None,
        }
    }

    fn fill(&mut self, path: &Path, c: [f32; 3]) {
        self.fill_through(path, c, 1.0);
    }

    fn fill_through(&mut self, path: &Path, c: [f32; 3], alpha: f32) {
        let mut paint = Paint {
            anti_alias: true,
            ..Paint::default()
        };
        paint.set_color(Color::from_rgba(unit(c[0]), unit(c[1]), unit(c[2]), alpha).expect("within 0 and 1"));
        self.pixmap
            .fill_path(path, &paint, FillRule::Winding, scale(), None);
    }

    fn stroke(&mut self, path: &Path, c: [f32; 3], width: f32) {
        let mut paint = Paint {
            anti_alias: true,
            ..Paint::default()
        };
        paint.set_color(rgb(c));
        let stroke = Stroke {
            width,
            line_cap: tiny_skia::LineCap::Round,
            ..Stroke::default()
        };
        self.pixmap.stroke_path(path, &paint, &stroke, scale(), None);
    }

    fn rect(&mut self, x: f32, y: f32, w: f32, h: f32, c: [f32; 3]) {
        if let Some(rect) = Rect::from_xywh(x, y, w, h) {
            self.fill(&PathBuilder::from_rect(rect), c);
        }
    }

    /// Changes every pixel by its place, in the shown picture's units, and its colour.
    fn shade(&mut self, f: impl Fn(f32, f32, [f32; 3]) -> [f32; 3]) {
        let w = self.width * FINER;
        let step = 1.0 / FINER as f32;
        let colors = self.shaded.take().unwrap_or_else(|| {
            let byte = |v: u8| f32::from(v) / 255.0;
            self.pixmap
                .pixels()
                .iter()
                .map(|p| [byte(p.red()), byte(p.green()), byte(p.blue())])
                .collect()
        });
        let shaded = colors
            .into_iter()
            .enumerate()
            .map(|(i, c)| f((i % w) as f32 * step, (i / w) as f32 * step, c))
            .collect();
        self.shaded = Some(shaded);
    }

    fn finish(mut self) -> Picture {
        self.shade(|_, _, c| c);
        let fine = self.shaded.take().unwrap_or_default();
        let mut picture = Picture::filled(self.width, self.height, [0, 0, 0, 255]);
        for y in 0..self.height {
            for x in 0..self.width {
                for channel in 0..3 {
                    let mut sum = 0.0;
                    for v in 0..FINER {
                        for u in 0..FINER {
                            sum += fine[(y * FINER + v) * self.width * FINER + x * FINER + u][channel];
                        }
                    }
                    let mean = sum / (FINER * FINER) as f32;
                    picture.rgba[4 * (y * self.width + x) + channel] =
                        (255.0 * mean.clamp(0.0, 1.0) + 0.5) as u8;
                }
            }
        }
        picture
    }
}

fn scale() -> Transform {
    Transform::from_scale(FINER as f32, FINER as f32)
}

fn unit(v: f32) -> f32 {
    v.clamp(0.0, 1.0)
}

fn rgb(c: [f32; 3]) -> Color {
    Color::from_rgba(unit(c[0]), unit(c[1]), unit(c[2]), 1.0).expect("within 0 and 1")
}

fn mix(a: [f32; 3], b: [f32; 3], t: f32) -> [f32; 3] {
    let t = smooth(0.0, 1.0, t);
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * t)
}
