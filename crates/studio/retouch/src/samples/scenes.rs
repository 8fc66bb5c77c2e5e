//! The scenes: each a common kind of picture, and one with a subject whose outline is known.

use tiny_skia::PathBuilder;

use super::noise::{fbm, ridged};
use super::page::page;
use super::{Easel, dead_leaves, mix};
use crate::chance::{Rng, cells, smooth, speck};
use crate::decode::Picture;

/// A kind of picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scene {
    Leaves,
    Mountains,
    Bricks,
    Page,
    Grass,
    Rings,
    Weave,
    Towers,
    Pebbles,
    Twigs,
    StillLife,
    Cartoon,
}

/// Every kind.
pub const SCENES: [Scene; 12] = [
    Scene::Leaves,
    Scene::Mountains,
    Scene::Bricks,
    Scene::Page,
    Scene::Grass,
    Scene::Rings,
    Scene::Weave,
    Scene::Towers,
    Scene::Pebbles,
    Scene::Twigs,
    Scene::StillLife,
    Scene::Cartoon,
];

/// A picture of a kind; the seed varies it.
pub fn scene(kind: Scene, width: usize, height: usize, seed: u64) -> Picture {
    let mut rng = Rng::new(seed);
    match kind {
        Scene::Leaves => dead_leaves(width, height, seed ^ 0x5eed),
        Scene::Mountains => mountains(width, height, &mut rng),
        Scene::Bricks => bricks(width, height, &mut rng),
        Scene::Page => page(width, height, &mut rng),
        Scene::Grass => grass(width, height, &mut rng),
        Scene::Rings => rings(width, height, &mut rng),
        Scene::Weave => weave(width, height, &mut rng),
        Scene::Towers => towers(width, height, &mut rng),
        Scene::Pebbles => pebbles(width, height, &mut rng),
        Scene::Twigs => twigs(width, height, &mut rng),
        Scene::StillLife => still_life(width, height, &mut rng),
        Scene::Cartoon => cartoon(width, height, &mut rng),
    }
}

fn mountains(width: usize, height: usize, rng: &mut Rng) -> Picture {
    let (w, h) = (width as f32, height as f32);
    let mut easel = Easel::new(width, height, [0.0; 3]);
    let seed = rng.seed();
    let line = |x: f32, layer: f32| {
        h * (0.32 + 0.2 * layer) - h * 0.22 * ridged(x / w * 3.0 + 7.0 * layer, layer, 6, seed)
    };
    easel.shade(|x, y, _| {
        let clouds = smooth(0.45, 0.8, fbm(x / w * 4.0, y / h * 9.0, 5, seed ^ 1));
        let mut c = mix([0.25, 0.45, 0.75], [0.85, 0.86, 0.85], y / (0.6 * h));
        c = mix(c, [0.97, 0.96, 0.95], clouds * 0.8);
        for layer in 0..3 {
            let l = layer as f32;
            let edge = line(x, l);
            if y > edge {
                let rock = fbm(x / w * 40.0, y / h * 40.0, 5, seed ^ (5 + layer));
                let lit = ridged(x / w * 14.0, y / h * 14.0, 4, seed ^ (9 + layer));
                let far = [0.45, 0.52, 0.64];
                let near = [0.12 + 0.2 * rock, 0.2 + 0.2 * rock * lit, 0.1 + 0.1 * rock];
                c = mix(far, near, (l + 1.0) / 3.2);
                c = c.map(|v| v * (0.65 + 0.6 * lit));
            }
        }
        c
    });
    easel.finish()
}

fn bricks(width: usize, height: usize, rng: &mut Rng) -> Picture {
    let mut easel = Easel::new(width, height, [0.0; 3]);
    let (bw, bh, seed) = (rng.range(26.0, 34.0), rng.range(11.0, 14.0), rng.seed());
    easel.shade(|x, y, _| {
        let row = (y / bh).floor();
        let x = x + if row as i32 % 2 == 0 { 0.0 } else { bw * 0.5 };
        let column = (x / bw).floor();
        let (u, v) = (x - column * bw, y - row * bh);
        let inside = smooth(0.8, 2.0, u.min(bw - u).min(v).min(bh - v));
        let tone = speck(column as i32, row as i32, seed);
        let grain = fbm(x * 0.35, y * 0.35, 4, seed ^ 3) - 0.5;
        let brick = [
            0.5 + 0.25 * tone + 0.3 * grain,
            0.24 + 0.1 * tone + 0.2 * grain,
            0.17 + 0.16 * grain,
        ];
        let mortar = [0.72 + 0.3 * grain; 3];
        mix(mortar, brick, inside)
    });
    easel.finish()
}

pub(super) fn strand(
    easel: &mut Easel,
    from: (f32, f32),
    bend: (f32, f32),
    to: (f32, f32),
    c: [f32; 3],
    width: f32,
) {
    let mut path = PathBuilder::new();
    path.move_to(from.0, from.1);
    path.quad_to(bend.0, bend.1, to.0, to.1);
    if let Some(path) = path.finish() {
        easel.stroke(&path, c, width);
    }
}

fn grass(width: usize, height: usize, rng: &mut Rng) -> Picture {
    let (w, h) = (width as f32, height as f32);
    let mut easel = Easel::new(width, height, [0.1, 0.16, 0.06]);
    for i in 0..(width * height / 40) {
        let depth = i as f32 / (width * height / 40) as f32;
        let (x, y) = (rng.range(0.0, w), rng.range(0.0, h * 1.2));
        let long = rng.range(8.0, 40.0);
        let lean = rng.near(0.0, 18.0);
        let light = 0.25 + 0.7 * depth * rng.unit();
        let c = [light * rng.range(0.35, 0.8), light * 0.85, light * 0.3];
        strand(
            &mut easel,
            (x, y),
            (x + lean * 0.2, y - long * 0.7),
            (x + lean, y - long),
            c,
            rng.range(0.5, 2.2),
        );
    }
    easel.finish()
}

fn rings(width: usize, height: usize, rng: &mut Rng) -> Picture {
    let (cx, cy) = (
        width as f32 * rng.range(0.3, 0.7),
        height as f32 * rng.range(0.3, 0.7),
    );
    let reach = width.max(height) as f32;
    let mut easel = Easel::new(width, height, [0.0; 3]);
    easel.shade(|x, y, _| {
        let d = (x - cx).hypot(y - cy);
        let wave = 0.5 + 0.42 * (d * d * 0.9 / reach).sin() * smooth(1.0, 0.6, d / reach);
        [wave, wave * 0.9 + 0.05, 0.85 - 0.7 * wave]
    });
    easel.finish()
}

fn weave(width: usize, height: usize, rng: &mut Rng) -> Picture {
    let (pitch, turn, seed) = (rng.range(5.0, 8.0), rng.range(0.2, 0.6), rng.seed());
    let (s, c) = turn.sin_cos();
    let mut easel = Easel::new(width, height, [0.0; 3]);
    easel.shade(|x, y, _| {
        let (u, v) = ((x * c + y * s) / pitch, (y * c - x * s) / pitch);
        let over = (u.floor() as i32 + v.floor() as i32) % 2 == 0;
        let (fu, fv) = (u - u.floor() - 0.5, v - v.floor() - 0.5);
        let round = 1.0 - 2.2 * if over { fu * fu } else { fv * fv };
        let thread = fbm(
            if over { u * 2.0 } else { u * 9.0 },
            if over { v * 9.0 } else { v * 2.0 },
            3,
            seed,
        );
        let light = (0.35 + 0.65 * round) * (0.75 + 0.5 * thread);
        let dye = smooth(0.4, 0.6, fbm(x * 0.02, y * 0.02, 2, seed ^ 8));
        mix([0.2, 0.3, 0.6], [0.8, 0.7, 0.5], dye).map(|v| v * light)
    });
    easel.finish()
}

fn towers(width: usize, height: usize, rng: &mut Rng) -> Picture {
    let (w, h) = (width as f32, height as f32);
    let mut easel = Easel::new(width, height, [0.62, 0.74, 0.88]);
    for layer in 0..3 {
        let mut x = -10.0;
        while x < w {
            let wide = rng.range(0.1, 0.24) * w;
            let top = h * (rng.range(0.08, 0.4) + 0.17 * layer as f32);
            let base = 0.62 - 0.18 * layer as f32 + rng.near(0.0, 0.08);
            let wall = [base, base * rng.range(0.9, 1.0), base * rng.range(0.82, 1.0)];
            easel.rect(x, top, wide, h, wall);
            easel.rect(x + wide * 0.72, top, wide * 0.28, h, wall.map(|v| v * 0.72));
            let (dx, dy) = (rng.range(5.0, 8.0), rng.range(7.0, 11.0));
            let mut wy = top + 5.0;
            while wy < h {
                let mut wx = x + 3.0;
                while wx + dx < x + wide * 0.7 {
                    let lit = if rng.chance(0.2) {
                        [0.95, 0.85, 0.5]
                    } else {
                        [0.15, 0.2, 0.28]
                    };
                    easel.rect(wx, wy, dx * 0.6, dy * 0.62, lit);
                    wx += dx;
                }
                wy += dy;
            }
            x += wide + rng.range(0.0, 6.0);
        }
    }
    easel.finish()
}

fn pebbles(width: usize, height: usize, rng: &mut Rng) -> Picture {
    let (size, seed) = (rng.range(13.0, 20.0), rng.seed());
    let mut easel = Easel::new(width, height, [0.0; 3]);
    easel.shade(|x, y, _| {
        let (first, second, id) = cells(x / size, y / size, seed);
        let edge = smooth(0.02, 0.22, second - first);
        let tone = 0.35 + 0.5 * (id & 255) as f32 / 255.0;
        let warm = (id >> 8 & 255) as f32 / 255.0 * 0.12;
        let grain = fbm(x * 0.5, y * 0.5, 4, seed ^ id) - 0.5;
        let round = edge * (1.05 - 0.7 * first * first);
        [tone + warm, tone, tone - warm].map(|v| (v + 0.22 * grain) * round)
    });
    easel.finish()
}

fn twigs(width: usize, height: usize, rng: &mut Rng) -> Picture {
    let (w, h) = (width as f32, height as f32);
    let mut easel = Easel::new(width, height, [0.0; 3]);
    let seed = rng.seed();
    easel.shade(|x, y, _| {
        let haze = fbm(x * 0.01, y * 0.01, 3, seed);
        mix(
            [0.9, 0.88, 0.8],
            [0.55, 0.68, 0.85],
            1.0 - y / h + 0.4 * (haze - 0.5),
        )
    });
    let fine = easel.shaded.take();
    if let Some(colors) = fine {
        for (pixel, c) in easel.pixmap.pixels_mut().iter_mut().zip(colors) {
            *pixel = super::rgb(c).premultiply().to_color_u8();
        }
    }
    for _ in 0..3 {
        let x = rng.range(0.1, 0.9) * w;
        branch(
            &mut easel,
            (x, h),
            -1.57 + rng.near(0.0, 0.2),
            h * 0.22,
            w * 0.03,
            7,
            rng,
        );
    }
    easel.finish()
}

fn branch(easel: &mut Easel, at: (f32, f32), angle: f32, long: f32, wide: f32, depth: u32, rng: &mut Rng) {
    let to = (at.0 + long * angle.cos(), at.1 + long * angle.sin());
    let bend = (
        (at.0 + to.0) * 0.5 + rng.near(0.0, long * 0.15),
        (at.1 + to.1) * 0.5,
    );
    let bark = rng.range(0.08, 0.22);
    strand(easel, at, bend, to, [bark * 1.2, bark, bark * 0.8], wide.max(0.5));
    if depth > 0 {
        for _ in 0..2 + usize::from(rng.chance(0.4)) {
            let turn = rng.near(0.0, 0.8);
            branch(
                easel,
                to,
                angle + turn,
                long * rng.range(0.6, 0.85),
                wide * 0.66,
                depth - 1,
                rng,
            );
        }
    }
}

fn still_life(width: usize, height: usize, rng: &mut Rng) -> Picture {
    let (w, h) = (width as f32, height as f32);
    let seed = rng.seed();
    let balls: Vec<(f32, f32, f32, [f32; 3])> = (0..4)
        .map(|i| {
            let r = h * rng.range(0.1, 0.18);
            let x = w * (0.16 + 0.22 * i as f32) + rng.near(0.0, w * 0.04);
            (
                x,
                h * 0.78 - r * 0.7,
                r,
                super::color_of(rng).map(|v| 0.3 + 0.7 * v),
            )
        })
        .collect();
    let mut easel = Easel::new(width, height, [0.0; 3]);
    easel.shade(|x, y, _| {
        let wood = fbm(x * 0.015, y * 0.3, 4, seed);
        let mut c = if y < h * 0.6 {
            mix(
                [0.55, 0.53, 0.5],
                [0.32, 0.31, 0.33],
                y / h + 0.3 * fbm(x * 0.01, y * 0.01, 3, seed ^ 2),
            )
        } else {
            [0.5 + 0.25 * wood, 0.33 + 0.2 * wood, 0.2 + 0.12 * wood]
        };
        for (bx, by, r, color) in &balls {
            let (sx, sy) = ((x - bx - r * 0.5) / (r * 1.3), (y - by - r * 0.85) / (r * 0.35));
            let shadow = smooth(1.3, 0.3, sx.hypot(sy));
            if y > h * 0.6 {
                c = c.map(|v| v * (1.0 - 0.55 * shadow));
            }
            let (nx, ny) = ((x - bx) / r, (y - by) / r);
            let d2 = nx * nx + ny * ny;
            if d2 < 1.0 {
                let nz = (1.0 - d2).sqrt();
                let diffuse = (-0.45 * nx - 0.6 * ny + 0.66 * nz).max(0.0);
                let skin = 0.9 + 0.2 * fbm(x * 0.25, y * 0.25, 3, seed ^ 7);
                c = color.map(|v| v * skin * (0.16 + 0.84 * diffuse) + 0.7 * diffuse.powi(40));
            }
        }
        c
    });
    easel.finish()
}

fn cartoon(width: usize, height: usize, rng: &mut Rng) -> Picture {
    let (w, h) = (width as f32, height as f32);
    let mut easel = Easel::new(width, height, super::color_of(rng));
    for _ in 0..26 {
        let (x, y, r) = (rng.range(0.0, w), rng.range(0.0, h), rng.range(0.05, 0.22) * h);
        let path = match rng.below(3) {
            0 => PathBuilder::from_circle(x, y, r),
            1 => super::polygon(x, y, r, 4, rng),
            _ => super::blade(x, y, r, rng),
        };
        if let Some(path) = path {
            easel.fill(&path, super::color_of(rng));
            easel.stroke(&path, [0.05, 0.05, 0.08], rng.range(1.2, 3.5));
        }
    }
    easel.finish()
}
