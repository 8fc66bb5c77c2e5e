//! Moving parts of a picture: drifting clouds, rippling water, leaves in the wind. They are detected by colour and
//! place.

use std::f32::consts::TAU;

use atelier_picture::chance::smooth;
use atelier_retouch::Plane;
use atelier_retouch::depth::Depth;

/// The moving parts of a picture, each 0 to 1, at the size of its depth estimate.
#[derive(Debug)]
pub(super) struct Life {
    sky: Plane,
    water: Plane,
    leaves: Plane,
    /// The present ones, in words.
    pub(super) told: Vec<&'static str>,
    /// The speed of everything; 1 is usual.
    pub(super) speed: f32,
}

/// Parts smaller than this are left alone.
const LEAST: f32 = 0.03;

impl Life {
    /// Detects them. `wet` says that the words mention water, `windy` wind.
    pub(super) fn of(depth: &Depth, wet: bool, windy: bool) -> Self {
        let rgb = &depth.rgb;
        let (w, h) = (rgb[0].width, rgb[0].height);
        let light = Plane::from_fn(w, h, |x, y| {
            0.3 * rgb[0].at(x, y) + 0.59 * rgb[1].at(x, y) + 0.11 * rgb[2].at(x, y)
        });
        let rough = Plane::from_fn(w, h, |x, y| {
            let (x, y) = (x as isize, y as isize);
            let across = light.clamped(x + 1, y) - light.clamped(x - 1, y);
            let down = light.clamped(x, y + 1) - light.clamped(x, y - 1);
            across.hypot(down)
        })
        .box_mean(1);
        // The sky reaches down from the upper border as far as there is nothing sharp.
        let mut sky = Plane::new(w, h);
        for x in 0..w {
            for y in 0..h * 7 / 10 {
                let warm = rgb[0].at(x, y) - rgb[2].at(x, y);
                let dim = light.at(x, y) < 45.0 && y > h / 3;
                // Warm and dim is a wall; warm and bright an evening sky.
                let wall = warm > 12.0 && light.at(x, y) < 120.0;
                if rough.at(x, y) > 22.0 || depth.subject.at(x, y) > 0.35 || warm > 120.0 || dim || wall {
                    break;
                }
                sky.data[y * w + x] = 1.0;
            }
        }
        let sky = sky.box_mean(w / 60 + 1);
        let water = Plane::from_fn(w, h, |x, y| {
            let [r, g, b] = [0, 1, 2].map(|c| rgb[c].at(x, y));
            let blue = b - r.max(g - 14.0);
            let least = if wet { -14.0 } else { 6.0 };
            let low = smooth(0.3, 0.45, y as f32 / h as f32);
            smooth(least, least + 16.0, blue) * low * (1.0 - sky.at(x, y)) * (1.0 - depth.subject.at(x, y))
        })
        .box_mean(w / 70 + 1);
        let leaves = Plane::from_fn(w, h, |x, y| {
            let [r, g, b] = [0, 1, 2].map(|c| rgb[c].at(x, y));
            smooth(3.0, 22.0, g - r.max(b)) * (1.0 - sky.at(x, y)) * (1.0 - depth.subject.at(x, y))
        })
        .box_mean(w / 90 + 1);
        let mut told = Vec::new();
        let mut kept = |part: Plane, is: bool, name: &'static str| {
            if is && part.mean() > LEAST {
                told.push(name);
                part
            } else {
                Plane::new(w, h)
            }
        };
        let sky = kept(sky, true, "the sky drifts");
        let water = kept(water, true, "water ripples");
        // Green parts sway a little without wind, too.
        let sways = windy || leaves.mean() > 0.12;
        let leaves = kept(leaves, sways, "leaves and grass sway");
        Self {
            sky,
            water,
            leaves,
            told,
            speed: 1.0,
        }
    }

    /// The displacement of a place of the small picture at a time, as a share of the frame's width.
    pub(super) fn shift(&self, x: f32, y: f32, time: f32) -> [f32; 2] {
        let (sky, water, leaves) = (
            self.sky.bilinear(x, y),
            self.water.bilinear(x, y),
            self.leaves.bilinear(x, y),
        );
        let w = self.sky.width as f32;
        let (u, v) = (x / w, y / w);
        // At the beginning everything is where the picture has it.
        let begin = smooth(0.0, 0.7, time);
        let t = time * self.speed;
        let mut shift = [0.0_f32; 2];
        // Clouds higher up are nearer.
        shift[0] += sky * 0.0042 * t * (1.0 - v).max(0.3);
        let wave = (TAU * (v * 34.0 - 0.42 * t) + 2.0 * (u * 23.0 + 0.9 * t).sin()).sin();
        let second = (TAU * (u * 9.0 + v * 19.0 + 0.3 * t)).sin();
        shift[0] += begin * water * 0.0016 * (wave + 0.7 * second);
        shift[1] += begin * water * 0.0011 * second;
        let sway = (TAU * (0.42 * t + 3.1 * u) + 9.0 * v).sin() + 0.5 * (TAU * (0.9 * t - 7.0 * u)).sin();
        shift[0] += begin * leaves * 0.0011 * sway;
        shift
    }
}
