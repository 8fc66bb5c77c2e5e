//! The pen: things are drawn once, in their own coordinates (x to the right, y up, standing on the origin). The
//! painter is told where they stand, how large they are and which light they are in.

use tiny_skia::{Path, PathBuilder, Transform};

pub use super::paths::Point;
use super::paths::{closed_curve, open_curve, open_line, polygon, stroked, tapered};
use crate::chance::{Rng, cells, fbm, smooth, value};
use crate::light::Light;
use atelier_retouch::rgb::{Rgb, WHITE};

/// The orientation of a shape in space, which decides how it takes the light.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Form {
    /// Faces the viewer.
    Flat,
    /// Round in both directions: a ball.
    Ball,
    /// Round about an upright axis: towers, trunks.
    Post,
    /// Round about a horizontal axis: hulls, limbs.
    Beam,
    /// A wall that faces right (1), left (-1) or between.
    Side(f32),
    /// Faces up.
    Top,
    /// A ball of many small ones: leaves, smoke.
    Puff,
}

/// The material of a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Grain {
    Plain,
    Rough,
    Wood,
    Brick,
    Stone,
    Fur,
    Leaf,
    Shiny,
    Cloth,
}

#[derive(Debug, Clone, Copy)]
pub struct Paint {
    pub color: Rgb,
    /// The colour at the foot, if the shape has a gradient.
    foot: Option<Rgb>,
    form: Form,
    grain: Grain,
    /// How much of the colour is emitted rather than reflected.
    glow: f32,
    alpha: f32,
}

impl Paint {
    pub fn new(color: Rgb) -> Self {
        Self {
            color,
            foot: None,
            form: Form::Flat,
            grain: Grain::Plain,
            glow: 0.0,
            alpha: 1.0,
        }
    }

    pub fn hex(value: u32) -> Self {
        Self::new(Rgb::hex(value))
    }

    pub fn form(self, form: Form) -> Self {
        Self { form, ..self }
    }

    pub fn ball(self) -> Self {
        self.form(Form::Ball)
    }

    pub fn post(self) -> Self {
        self.form(Form::Post)
    }

    pub fn beam(self) -> Self {
        self.form(Form::Beam)
    }

    pub fn grain(self, grain: Grain) -> Self {
        Self { grain, ..self }
    }

    pub fn glow(self, glow: f32) -> Self {
        Self { glow, ..self }
    }

    pub fn alpha(self, alpha: f32) -> Self {
        Self { alpha, ..self }
    }

    pub fn to(self, foot: Rgb) -> Self {
        Self {
            foot: Some(foot),
            ..self
        }
    }

    pub fn shade(self, k: f32) -> Self {
        Self {
            color: self.color.scale(k),
            ..self
        }
    }

    /// Whether it is fully opaque.
    pub fn covers(&self) -> bool {
        self.alpha >= 1.0
    }

    /// Whether it hides what is behind it, unlike smoke and glass.
    pub fn solid(&self) -> bool {
        self.alpha > 0.65
    }

    /// The colour and coverage at a point, for a shape with these bounds.
    pub fn shader(
        self,
        path: &Path,
        place: Place,
        light: &Light,
        seed: u32,
    ) -> impl Fn(f32, f32) -> (Rgb, f32) + Send + Sync + 'static {
        let b = path.bounds();
        let (cx, cy) = (
            f32::midpoint(b.left(), b.right()),
            f32::midpoint(b.top(), b.bottom()),
        );
        let (rx, ry) = ((b.width() * 0.5).max(1e-4), (b.height() * 0.5).max(1e-4));
        let light = light.clone();
        let fine = 1.0 / (place.size.max(1e-4) * place.stuff);
        let octaves = 3 + light.extra;
        move |x, y| {
            let (u, v) = ((x - cx) / rx, (y - cy) / ry);
            let mut color = self.color;
            if let Some(foot) = self.foot {
                color = color.mix(foot, smooth(-1.0, 1.0, v));
            }
            if self.glow >= 1.0 {
                return (light.far(color, place.depth * 0.5), self.alpha);
            }
            let (lx, ly) = ((x - place.x) * fine, (y - place.y) * fine);
            let (tone, bump, shine) = if light.flat {
                (1.0, 0.0, 0.0)
            } else {
                self.surface(lx, ly, u, octaves, seed)
            };
            let n = self.normal(u, v, bump);
            let l = light.toward;
            let mut facing = (n.0 * l.0 + n.1 * l.1 + n.2 * l.2)
                .mul_add(0.62, 0.3)
                .clamp(0.0, 1.0);
            if light.flat {
                facing = if facing > 0.42 { 0.72 } else { 0.38 };
            }
            let mut out = light.lit(color.scale(tone), facing);
            if shine > 0.0 {
                let gleam = smooth(0.72, 0.98, facing) * shine;
                out = out.mix(
                    light.sun.mix(WHITE, 0.5).times(light.ambient.plus(light.key)),
                    gleam,
                );
            }
            out = out.mix(color, self.glow);
            (light.far(out, place.depth), self.alpha)
        }
    }

    #[inline]
    fn normal(self, u: f32, v: f32, bump: f32) -> (f32, f32, f32) {
        let round = |t: f32| (1.0 - t * t).max(0.02).sqrt();
        let (x, y, z) = match self.form {
            Form::Flat => (0.0, -0.15, 0.9),
            Form::Ball | Form::Puff => {
                let r = (u * u + v * v).min(0.98);
                (u, v, (1.0 - r).sqrt())
            }
            Form::Post => (u.clamp(-1.0, 1.0), -0.1, round(u)),
            Form::Beam => (0.0, v.clamp(-1.0, 1.0), round(v)),
            Form::Side(turn) => (turn * 0.85, -0.1, 0.5),
            Form::Top => (0.0, -0.95, 0.3),
        };
        (x + bump, y + bump * 0.7, z)
    }

    /// The tone (a factor), bump (a tilt) and shine of the material.
    #[inline]
    fn surface(self, x: f32, y: f32, u: f32, octaves: u32, seed: u32) -> (f32, f32, f32) {
        match self.grain {
            Grain::Plain => (
                1.0 + 0.10 * (fbm(x * 6.0, y * 6.0, octaves, seed) - 0.5),
                0.0,
                0.0,
            ),
            Grain::Rough => {
                let n = fbm(x * 14.0, y * 14.0, octaves + 1, seed) - 0.5;
                (1.0 + 0.35 * n, n * 0.5, 0.0)
            }
            Grain::Wood => {
                let n = fbm(x * 30.0, y * 3.0, octaves, seed) - 0.5;
                (1.0 + 0.5 * n, 0.0, 0.0)
            }
            Grain::Brick => {
                let row = (y * 26.0).floor();
                let (fx, fy) = ((x * 11.0 + row * 0.5).fract().abs(), (y * 26.0).fract().abs());
                let joint = fx < 0.07 || fy < 0.13;
                let each = value((x * 11.0 + row * 0.5).floor(), row, seed);
                (if joint { 1.16 } else { 0.82 + 0.3 * each }, 0.0, 0.0)
            }
            Grain::Stone => {
                let (near, next, id) = cells(x * 12.0, y * 16.0, seed);
                let edge = smooth(0.0, 0.1, next - near);
                (
                    0.72 + 0.28 * edge + 0.18 * ((id & 255) as f32 / 255.0 - 0.5),
                    (1.0 - edge) * -0.2,
                    0.0,
                )
            }
            Grain::Fur => {
                let n = fbm(x * 26.0 + y * 8.0, y * 9.0, octaves, seed) - 0.5;
                (1.0 + 0.42 * n, n * 0.35, 0.0)
            }
            Grain::Leaf => {
                let n = fbm(x * 15.0, y * 15.0, octaves + 1, seed) - 0.5;
                let m = value(x * 40.0, y * 40.0, seed ^ 7) - 0.5;
                (1.0 + 0.55 * n + 0.3 * m, n * 1.7 + m * 0.5, 0.0)
            }
            Grain::Shiny => (1.0, 0.0, 0.75),
            Grain::Cloth => {
                let n = fbm(u * 5.0, y * 3.0, octaves, seed) - 0.5;
                (1.0 + 0.25 * n, n * 0.9, 0.0)
            }
        }
    }
}

/// The position of a thing in the picture.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub x: f32,
    pub y: f32,
    /// Units of the picture per unit of the drawing.
    pub size: f32,
    /// 1 or -1: mirrored.
    pub flip: f32,
    pub depth: f32,
    /// The scale of the grain relative to the drawing: 1 as drawn.
    pub stuff: f32,
    /// Rotation about its foot in radians, from its own right to its top.
    pub turn: f32,
}

impl Place {
    pub fn new(x: f32, y: f32, size: f32) -> Self {
        Self {
            x,
            y,
            size,
            flip: 1.0,
            depth: 0.0,
            stuff: 1.0,
            turn: 0.0,
        }
    }

    pub fn onto(self) -> Transform {
        let (sin, cos) = self.turn.sin_cos();
        let (across, up) = (self.flip * self.size, -self.size);
        Transform::from_row(across * cos, up * sin, -across * sin, up * cos, self.x, self.y)
    }

    /// From the drawing's coordinates to the picture's.
    pub fn point(self, x: f32, y: f32) -> (f32, f32) {
        let (sin, cos) = self.turn.sin_cos();
        let (x, y) = (x * cos - y * sin, x * sin + y * cos);
        (self.x + self.flip * self.size * x, self.y - self.size * y)
    }
}

/// A lamp in a drawing: it glows in the dark.
#[derive(Debug, Clone, Copy)]
pub struct Lamp {
    pub x: f32,
    pub y: f32,
    pub reach: f32,
    pub color: Rgb,
}

/// A drawing in progress.
#[derive(Debug)]
pub struct Pen {
    pub shapes: Vec<(Path, Paint)>,
    pub lamps: Vec<Lamp>,
    pub rng: Rng,
}

impl Pen {
    pub fn new(rng: Rng) -> Self {
        Self {
            shapes: Vec::new(),
            lamps: Vec::new(),
            rng,
        }
    }

    pub fn path(&mut self, path: Option<Path>, paint: Paint) {
        self.shapes.extend(path.map(|path| (path, paint)));
    }

    pub fn poly(&mut self, points: &[Point], paint: Paint) {
        self.path(polygon(points), paint);
    }

    /// A closed curve through the points.
    pub fn blob(&mut self, points: &[Point], paint: Paint) {
        self.path(closed_curve(points), paint);
    }

    pub fn rect(&mut self, x: f32, y: f32, w: f32, h: f32, paint: Paint) {
        self.poly(&[(x, y), (x + w, y), (x + w, y + h), (x, y + h)], paint);
    }

    pub fn oval(&mut self, x: f32, y: f32, rx: f32, ry: f32, paint: Paint) {
        let rect = tiny_skia::Rect::from_ltrb(x - rx, y - ry, x + rx, y + ry);
        self.path(rect.and_then(PathBuilder::from_oval), paint);
    }

    pub fn disc(&mut self, x: f32, y: f32, r: f32, paint: Paint) {
        self.oval(x, y, r, r, paint);
    }

    /// A stroke along straight pieces.
    pub fn line(&mut self, points: &[Point], width: f32, paint: Paint) {
        self.path(stroked(open_line(points), width), paint);
    }

    /// A stroke along a curve through the points.
    pub fn curve(&mut self, points: &[Point], width: f32, paint: Paint) {
        self.path(stroked(open_curve(points), width), paint);
    }

    /// A ring.
    pub fn ring(&mut self, x: f32, y: f32, r: f32, width: f32, paint: Paint) {
        let rect = tiny_skia::Rect::from_ltrb(x - r, y - r, x + r, y + r);
        self.path(stroked(rect.and_then(PathBuilder::from_oval), width), paint);
    }

    /// A limb: a curve through the points with a changing width.
    pub fn limb(&mut self, points: &[Point], from: f32, to: f32, paint: Paint) {
        self.path(tapered(points, from, to), paint);
    }

    pub fn lamp(&mut self, x: f32, y: f32, reach: f32, color: Rgb) {
        self.lamps.push(Lamp { x, y, reach, color });
    }

    /// Adds another drawing to this one.
    pub fn stamp(&mut self, other: &Pen, x: f32, y: f32, size: f32, flip: f32) {
        let onto = Transform::from_row(size * flip, 0.0, 0.0, size, x, y);
        for (path, paint) in &other.shapes {
            self.path(path.clone().transform(onto), *paint);
        }
        for lamp in &other.lamps {
            self.lamp(
                x + flip * size * lamp.x,
                y + size * lamp.y,
                lamp.reach * size,
                lamp.color,
            );
        }
    }
}
