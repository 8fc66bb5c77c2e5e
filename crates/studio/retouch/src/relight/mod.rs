//! `relight`: another light on the same things. The form is estimated from the picture (`depth`), the original
//! light is roughly divided out and replaced by the requested one, with the shadows that the form casts.

use rayon::prelude::*;
use serde_json::Map;

use crate::chance::smooth;
use crate::color::{byte, encoded, linear, linear_of, luma};
use crate::decode::Picture;
use crate::depth::{self, Depth};
use crate::encode::SourceType;
use crate::words::Words;
use crate::{DEPTH, Plane, close, guided, open, params, seen};
use atelier_protocol::{Error, Request, Response};

mod words;

/// The direction of the light.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Left,
    Right,
    Top,
    Bottom,
    Front,
    Back,
}

impl Direction {
    /// The direction to the light: right, down, and towards the viewer.
    fn vector(self) -> [f32; 3] {
        let v: [f32; 3] = match self {
            Self::Left => [-0.86, -0.2, 0.47],
            Self::Right => [0.86, -0.2, 0.47],
            Self::Top => [0.0, -0.88, 0.47],
            Self::Bottom => [0.0, 0.88, 0.47],
            Self::Front => [0.0, -0.1, 0.99],
            Self::Back => [0.0, -0.35, -0.94],
        };
        let length = v.iter().map(|c| c * c).sum::<f32>().sqrt();
        v.map(|c| c / length)
    }
}

/// The light asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Light {
    pub direction: Direction,
    /// 0 to 2.
    pub intensity: f32,
    /// As shown, 0 to 1.
    pub color: [f32; 3],
    /// How much of the original light stays, 0 to 1.
    pub ambient: f32,
}

/// The task.
pub fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let words = ["left", "right", "top", "bottom", "front", "back"];
    let direction = match params::choice(request, "direction", &words)? {
        "right" => Direction::Right,
        "top" => Direction::Top,
        "bottom" => Direction::Bottom,
        "front" => Direction::Front,
        "back" => Direction::Back,
        _ => Direction::Left,
    };
    let default = Light {
        direction: Direction::Left,
        intensity: 1.0,
        color: [1.0; 3],
        ambient: 0.5,
    };
    let mut light = Light {
        direction,
        intensity: params::number(request, "intensity", default.intensity, 0.0, 2.0)?,
        color: params::color(request, "color", default.color)?,
        ambient: params::number(request, "ambient", default.ambient, 0.0, 1.0)?,
    };
    let mut notes = Map::new();
    if let Some(prompt) = params::text(request, "prompt") {
        let mut said = Words::of(prompt);
        light = words::hear(&mut said, light, default);
        said.tell(&mut notes);
    }
    let mut picture = open(request)?;
    progress(0.1);
    let given = seen(request, DEPTH)?;
    relight_by(&mut picture, given.as_ref(), light, progress);
    progress(0.9);
    close(request, &picture, SourceType::AlgorithmicallyEnhanced, notes)
}

/// Relights in place. Without a new light and with all of the old one nothing changes.
pub fn relight(picture: &mut Picture, light: Light, progress: &mut dyn FnMut(f32)) {
    relight_by(picture, None, light, progress);
}

/// The same with the depth that a model estimated.
fn relight_by(picture: &mut Picture, given: Option<&Plane>, light: Light, progress: &mut dyn FnMut(f32)) {
    if light.intensity <= 0.0 && light.ambient >= 1.0 {
        return;
    }
    let depth = depth::guess_beside(picture, given);
    progress(0.4);
    shine(picture, &depth, light);
}

/// Relights a picture of which the depth is known.
fn shine(picture: &mut Picture, depth: &Depth, light: Light) {
    let gain = Form::of(depth).lit(depth, light);
    let tint = light.color.map(linear_of);
    let even = luma(tint[0], tint[1], tint[2]).max(0.05);
    // A coloured light is as bright as a white one of its intensity, as far as possible.
    let tint = tint.map(|c| (c / even).min(3.0));
    let scale = (
        gain.width as f32 / picture.width as f32,
        gain.height as f32 / picture.height as f32,
    );
    let guide = guided::fit(
        &depth.rgb,
        &gain,
        &gain.map(|_| 1.0),
        (gain.width.max(gain.height) / 80).max(2),
        300.0,
    );
    let source_width = picture.width;
    picture
        .rgba
        .par_chunks_mut(4 * source_width)
        .enumerate()
        .for_each(|(y, row)| {
            let v = (y as f32 + 0.5) * scale.1 - 0.5;
            for (x, pixel) in row.chunks_exact_mut(4).enumerate() {
                let u = (x as f32 + 0.5) * scale.0 - 0.5;
                let color = [pixel[0], pixel[1], pixel[2]].map(f32::from);
                // The light follows edges of the large picture that the small one cannot show.
                let directed = guide.at(u, v, color).max(0.0);
                let old = light.ambient;
                for c in 0..3 {
                    let was = linear(pixel[c]);
                    let now = was * (old + directed * tint[c]);
                    pixel[c] = byte(encoded(rolled(now)));
                }
            }
        });
}

/// Light above what can be shown runs into white softly.
fn rolled(light: f32) -> f32 {
    const KNEE: f32 = 0.7;
    if light <= KNEE {
        light
    } else {
        1.0 - (1.0 - KNEE) * (-(light - KNEE) / (1.0 - KNEE)).exp()
    }
}

/// Estimated surfaces: height towards the viewer and the directions they face.
struct Form {
    /// In pixels of the small picture.
    height: Plane,
    /// Right and down.
    slopes: [Plane; 2],
}

impl Form {
    fn of(depth: &Depth) -> Self {
        let (w, h) = (depth.near.width, depth.near.height);
        let long = w.max(h) as f32;
        // Large form from depth; small form from shading, where bright parts are assumed to be raised.
        let light = Plane::from_fn(w, h, |x, y| {
            luma(
                depth.rgb[0].at(x, y),
                depth.rgb[1].at(x, y),
                depth.rgb[2].at(x, y),
            ) / 255.0
        });
        let coarse = light.blurred(0.03 * long);
        let relief = light
            .blurred(0.8)
            .zip(&coarse, |fine, coarse| (fine - coarse).clamp(-0.3, 0.3));
        let swollen = depth::swell(&depth.subject);
        let height = Plane::from_fn(w, h, |x, y| {
            long * (0.16 * depth.near.at(x, y) + 0.12 * swollen.at(x, y)) + 0.018 * long * relief.at(x, y)
        })
        .blurred(0.004 * long);
        let slope = |dx: isize, dy: isize| {
            Plane::from_fn(w, h, |x, y| {
                let (x, y) = (x as isize, y as isize);
                0.5 * (height.clamped(x + dx, y + dy) - height.clamped(x - dx, y - dy))
            })
        };
        let slopes = [slope(1, 0), slope(0, 1)];
        Self { height, slopes }
    }

    /// How much of the new light each place gets.
    fn lit(&self, depth: &Depth, light: Light) -> Plane {
        let (w, h) = (self.height.width, self.height.height);
        let towards = light.direction.vector();
        let shadow = self.shadows(towards);
        let flat = towards[2].max(0.0);
        Plane::from_fn(w, h, |x, y| {
            let (sx, sy) = (self.slopes[0].at(x, y), self.slopes[1].at(x, y));
            let length = (sx * sx + sy * sy + 1.0).sqrt();
            let facing = (-sx * towards[0] - sy * towards[1] + towards[2]) / length;
            // Skin, cloth and leaves let light around their edges (half Lambert).
            let wrapped = ((facing + 0.35) / 1.35).max(0.0);
            // A lamp is near: its light falls off across the picture.
            let (u, v) = (x as f32 / w as f32 - 0.5, y as f32 / h as f32 - 0.5);
            let along = u * towards[0] + v * towards[1];
            let falloff = (1.1 * along).exp();
            let base = match light.direction {
                Direction::Back => self.rim(depth, x, y),
                Direction::Front => {
                    let away = (u * u + v * v).sqrt();
                    (0.35 + 0.65 * depth.near.at(x, y)) * (1.15 - 0.7 * away) * (0.5 + 0.7 * wrapped)
                }
                _ => (0.25 + wrapped / (0.4 + flat)) * falloff * 0.62,
            };
            light.intensity * base * (1.0 - 0.75 * shadow.at(x, y))
        })
    }

    /// Light from behind: the sky's own, and a bright rim around the subject.
    fn rim(&self, depth: &Depth, x: usize, y: usize) -> f32 {
        let (sx, sy) = (self.slopes[0].at(x, y), self.slopes[1].at(x, y));
        let steep = (sx * sx + sy * sy).sqrt();
        let subject = depth.subject.at(x, y);
        let edge = smooth(0.35, 1.6, steep) * subject;
        let behind = (1.0 - subject) * (0.9 - 0.6 * depth.near.at(x, y));
        behind + 1.6 * edge
    }

    /// How deep each place lies in shadow: soft, because the lamp has a size (marching towards the light over the
    /// heights).
    fn shadows(&self, towards: [f32; 3]) -> Plane {
        let (w, h) = (self.height.width, self.height.height);
        let flat = (towards[0] * towards[0] + towards[1] * towards[1]).sqrt();
        if flat < 0.2 || towards[2] <= 0.0 {
            return Plane::new(w, h);
        }
        let (dx, dy) = (towards[0] / flat, towards[1] / flat);
        let rise = towards[2] / flat;
        let reach = 0.28 * w.max(h) as f32;
        Plane::from_fn(w, h, |x, y| {
            let own = self.height.at(x, y);
            let mut dark = 0.0_f32;
            let mut far = 3.0;
            while far < reach {
                let (u, v) = (x as f32 + dx * far, y as f32 + dy * far);
                if u < 0.0 || v < 0.0 || u > w as f32 - 1.0 || v > h as f32 - 1.0 {
                    break;
                }
                let above = self.height.bilinear(u, v) - own - rise * far;
                // The farther the edge that casts it, the softer the shadow.
                dark = dark.max(smooth(-0.10, 0.25, above / far) * smooth(reach, 0.3 * reach, far));
                far *= 1.12;
            }
            dark
        })
        .blurred(0.008 * w.max(h) as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::luma_of;
    use crate::samples::{Scene, scene, subject};

    const PLAIN: Light = Light {
        direction: Direction::Left,
        intensity: 1.0,
        color: [1.0; 3],
        ambient: 0.35,
    };

    fn relit(picture: &Picture, light: Light) -> Picture {
        let mut out = picture.clone();
        relight(&mut out, light, &mut |_| {});
        out
    }

    #[test]
    fn without_new_light_and_with_all_the_old_nothing_changes() {
        let picture = subject(160, 160, 1).0;
        assert_eq!(
            relit(
                &picture,
                Light {
                    intensity: 0.0,
                    ambient: 1.0,
                    ..PLAIN
                }
            ),
            picture
        );
    }

    /// How bright the halves are, side by side: left over right, and top over bottom, before and after.
    fn shift(picture: &Picture, depth: &Depth, direction: Direction) -> (f32, f32) {
        let mut after = picture.clone();
        shine(&mut after, depth, Light { direction, ..PLAIN });
        let (before, after) = (luma_of(picture), luma_of(&after));
        let (w, h) = (before.width, before.height);
        let mean = |p: &Plane, f: &dyn Fn(usize, usize) -> bool| {
            let picked: Vec<f32> = (0..w * h)
                .filter(|i| f(i % w, i / w))
                .map(|i| p.data[i])
                .collect();
            picked.iter().sum::<f32>() / picked.len() as f32
        };
        let ratio = |p: &Plane| {
            (
                mean(p, &|x, _| x < w / 2) / mean(p, &|x, _| x >= w / 2),
                mean(p, &|_, y| y < h / 2) / mean(p, &|_, y| y >= h / 2),
            )
        };
        let ((a, b), (c, d)) = (ratio(&before), ratio(&after));
        (c / a, d / b)
    }

    #[test]
    fn brightness_follows_the_direction() {
        for picture in [subject(160, 160, 2).0, scene(Scene::StillLife, 160, 160, 3)] {
            let depth = depth::guess_beside(&picture, None);
            let (left, _) = shift(&picture, &depth, Direction::Left);
            let (right, _) = shift(&picture, &depth, Direction::Right);
            let (_, top) = shift(&picture, &depth, Direction::Top);
            let (_, bottom) = shift(&picture, &depth, Direction::Bottom);
            println!("{left} {right} {top} {bottom}");
            assert!(left > 1.12 && right < 0.9, "left {left}, right {right}");
            assert!(top > 1.08 && bottom < 0.92, "top {top}, bottom {bottom}");
        }
    }

    #[test]
    fn a_subject_is_brighter_on_the_side_of_the_light() {
        let (picture, mask) = subject(240, 240, 4);
        for (direction, sign) in [(Direction::Left, 1.0), (Direction::Right, -1.0)] {
            let after = luma_of(&relit(&picture, Light { direction, ..PLAIN }));
            let before = luma_of(&picture);
            let gain = |from: usize, to: usize| {
                let (mut a, mut b) = (0.0, 0.0);
                for y in 150..230 {
                    for x in from..to {
                        if mask.at(x, y) > 0.99 {
                            a += after.at(x, y);
                            b += before.at(x, y);
                        }
                    }
                }
                a / b
            };
            let (left, right) = (gain(40, 110), gain(130, 200));
            assert!(sign * (left / right - 1.0) > 0.15, "{left} left, {right} right");
        }
    }

    #[test]
    fn the_colour_of_the_light_is_seen() {
        let picture = Picture::filled(80, 60, [128, 128, 128, 255]);
        let warm = relit(
            &picture,
            Light {
                color: [1.0, 0.6, 0.3],
                direction: Direction::Front,
                ..PLAIN
            },
        );
        let [r, g, b, _] = warm.pixel(40, 30);
        assert!(r > g && g > b, "{r} {g} {b}");
    }

    #[test]
    fn more_intensity_is_brighter_and_less_ambient_darker() {
        let picture = subject(120, 120, 6).0;
        let depth = depth::guess_beside(&picture, None);
        let mean = |intensity: f32, ambient: f32| {
            let light = Light {
                intensity,
                ambient,
                ..PLAIN
            };
            let mut after = picture.clone();
            shine(&mut after, &depth, light);
            luma_of(&after).mean()
        };
        assert!(mean(0.5, 0.4) < mean(1.0, 0.4) && mean(1.0, 0.4) < mean(2.0, 0.4));
        assert!(mean(1.0, 0.1) < mean(1.0, 0.6));
    }
}
