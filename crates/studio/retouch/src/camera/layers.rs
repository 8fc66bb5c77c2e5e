//! A picture in two layers, and what each shows where a ray meets it.

use super::view::Ray;
use crate::color::byte;
use crate::cutout::matte::Matte;
use crate::decode::Picture;
use crate::inpaint::fill::fill_on;
use crate::shrink::shrunk;
use crate::{Plane, depth, diffuse};

/// How deep the relief is, in longer sides of the picture.
const RELIEF: f32 = 0.32;

/// The longer side of the picture of what is behind the subject.
const CANVAS: usize = 1400;

/// How far a subject that touches the lower border continues below it, as a share of the height, and how far one
/// that touches a side continues beyond it, as a share of the width.
const BELOW: f32 = 0.3;
const BESIDE: f32 = 0.35;

/// The largest number of pixels on which patches are matched to fill the canvas.
const MATCHED: usize = 90_000;

/// The layers.
#[derive(Debug)]
pub(super) struct Layers {
    /// Depth behind the middle plane, in pixels of the picture, and the scale from its coordinates to the planes'.
    behind: Plane,
    subject: Option<Subject>,
    scale: (f32, f32),
    /// The picture's.
    size: (f32, f32),
    canvas: Canvas,
}

#[derive(Debug)]
struct Subject {
    depth: Plane,
    matte: Matte,
    /// The places where the subject can be.
    about: Plane,
}

/// The background, with hidden parts filled in. Outside the picture it is assumed to be like its mirror image: at
/// the sides the whole picture's, so that sky stays beside sky and ground beside ground; above and below only that
/// of the strip that resembles the border, so that nothing is upside down in the sky.
#[derive(Debug)]
struct Canvas {
    picture: Picture,
    /// How high the strips at the upper and the lower border are, in pixels of the picture.
    strips: (f32, f32),
    scale: (f32, f32),
    /// One where the canvas shows more than the picture.
    filled: Plane,
}

impl Layers {
    pub(super) fn of(
        picture: &Picture,
        given: Option<&Plane>,
        seed: u32,
        progress: &mut dyn FnMut(f32),
    ) -> Self {
        let guess = depth::guess_beside(picture, given);
        progress(0.25);
        let (w, h) = (guess.near.width, guess.near.height);
        let relief = RELIEF * picture.width.max(picture.height) as f32;
        let long = w.max(h) as f32;
        // The camera moves around the centre of the picture.
        let middle = guess.near.bilinear(0.5 * w as f32, 0.6 * h as f32);
        let behind = guess
            .ground
            .blurred(0.03 * long)
            .map(|near| (middle - near) * relief);
        let subject = (guess.subject.max() > 0.5).then(|| {
            let inside = guess
                .subject
                .blurred(0.004 * long)
                .map(|v| f32::from(u8::from(v > 0.9)));
            let depth = guess.near.map(|near| (middle - near) * relief);
            let depth = if inside.max() > 0.0 {
                let [depth, ..] = diffuse::fill(&[depth.clone(), depth.clone(), depth], &inside);
                depth.blurred(0.012 * long)
            } else {
                depth
            };
            let about = guess
                .subject
                .box_mean((0.035 * long) as usize + 1)
                .map(|v| f32::from(u8::from(v > 0.0)));
            Subject {
                depth,
                matte: Matte::new(picture, &guess.subject),
                about,
            }
        });
        progress(0.4);
        let hidden = guess.subject.box_mean((0.018 * long) as usize + 1);
        let canvas = Canvas::of(picture, &hidden, seed);
        let scale = (w as f32 / picture.width as f32, h as f32 / picture.height as f32);
        let size = (picture.width as f32, picture.height as f32);
        Self {
            behind,
            subject,
            scale,
            size,
            canvas,
        }
    }

    /// Returns the point where a ray meets the background.
    pub(super) fn meets_behind(&self, ray: &Ray) -> (f32, f32) {
        ray.meets(|x, y| self.bilinear(&self.behind, x, self.canvas.down(y, self.size.1)))
    }

    /// Returns the point where a ray meets the subject, or would meet it if it were wide enough.
    pub(super) fn meets_subject(&self, ray: &Ray) -> Option<(f32, f32)> {
        let subject = self.subject.as_ref()?;
        Some(ray.meets(|x, y| self.bilinear(&subject.depth, x, y)))
    }

    /// Red, green, blue and alpha, 0 to 255, where a ray meets the two layers.
    pub(super) fn seen(&self, picture: &Picture, behind: (f32, f32), front: Option<(f32, f32)>) -> [f32; 4] {
        let (w, h) = self.size;
        let back = || {
            self.canvas
                .shown(picture, mirrored(behind.0, w), self.canvas.down(behind.1, h))
        };
        let (Some(subject), Some((x, y))) = (&self.subject, front) else {
            return back();
        };
        if x < -BESIDE * w || y < -0.5 || x > (1.0 + BESIDE) * w || y > (1.0 + BELOW) * h {
            return back();
        }
        let y = mirrored(y, h);
        let beside = x < -0.5 || x > w - 0.5;
        // Only what touches the side continues beyond it.
        if beside && self.bilinear(&subject.about, x.clamp(0.0, w - 1.0), y) <= 0.0 {
            return back();
        }
        let x = mirrored(x, w);
        if self.bilinear(&subject.about, x, y) <= 0.0 {
            return back();
        }
        let front = sampled(picture, x, y);
        let (px, py) = (x.round().max(0.0) as usize, y.round().max(0.0) as usize);
        let color = [front[0], front[1], front[2]];
        let cover = subject.matte.cover(px, py, color) * front[3] / 255.0;
        if cover >= 1.0 {
            return front;
        }
        let back = back();
        if cover <= 0.0 {
            return back;
        }
        let own = subject.matte.own_color(px, py, color, cover);
        let mix = |c: usize| own[c] * cover + back[c] * (1.0 - cover);
        [mix(0), mix(1), mix(2), 255.0 * cover + back[3] * (1.0 - cover)]
    }

    /// A small plane's value at a place of the picture.
    fn bilinear(&self, plane: &Plane, x: f32, y: f32) -> f32 {
        let (w, h) = self.size;
        plane.bilinear(
            (mirrored(x, w) + 0.5) * self.scale.0 - 0.5,
            (mirrored(y, h) + 0.5) * self.scale.1 - 0.5,
        )
    }
}

impl Canvas {
    fn of(picture: &Picture, hidden: &Plane, seed: u32) -> Self {
        let [r, g, b] = shrunk(picture, CANVAS);
        let (width, height) = (r.width, r.height);
        let mut canvas = Picture::filled(width, height, [0, 0, 0, 255]);
        for (i, pixel) in canvas.rgba.chunks_exact_mut(4).enumerate() {
            for (value, plane) in pixel.iter_mut().zip([&r, &g, &b]) {
                *value = byte(plane.data[i]);
            }
        }
        let hidden = hidden.resized(width, height);
        let missing: Vec<bool> = hidden.data.iter().map(|v| *v > 0.001).collect();
        // A picture that is all subject has nothing to fill from, and is continued as it is.
        fill_on(&mut canvas, &missing, seed, MATCHED, &mut |_| {});
        let filled = Plane::from_fn(width, height, |x, y| f32::from(u8::from(missing[y * width + x])));
        let soft = filled.box_mean(2).zip(&filled, f32::max);
        let scale = (
            width as f32 / picture.width as f32,
            height as f32 / picture.height as f32,
        );
        let strips = strips(&canvas);
        Self {
            strips: (strips.0 / scale.1, strips.1 / scale.1),
            picture: canvas,
            scale,
            filled: soft,
        }
    }

    /// The row that represents one above or below the picture.
    fn down(&self, y: f32, height: f32) -> f32 {
        let (above, below) = (-0.5 - y, y - (height - 0.5));
        if above > 0.0 {
            folded(above, self.strips.0) - 0.5
        } else if below > 0.0 {
            height - 0.5 - folded(below, self.strips.1)
        } else {
            y
        }
    }

    fn shown(&self, picture: &Picture, x: f32, y: f32) -> [f32; 4] {
        let (u, v) = ((x + 0.5) * self.scale.0 - 0.5, (y + 0.5) * self.scale.1 - 0.5);
        let filled = self.filled.bilinear(u, v);
        if filled <= 0.0 {
            return sampled(picture, x, y);
        }
        let made = sampled(&self.picture, u, v);
        if filled >= 1.0 {
            return made;
        }
        let own = sampled(picture, x, y);
        std::array::from_fn(|c| own[c] + filled * (made[c] - own[c]))
    }
}

/// How far a picture resembles its upper and its lower border, in pixels.
fn strips(picture: &Picture) -> (f32, f32) {
    let planes = shrunk(picture, 64);
    let (width, height) = (planes[0].width, planes[0].height);
    let like = |row: &dyn Fn(usize) -> usize| {
        let differ = |x: usize, y: usize, from: &[f32; 3]| {
            let sum: f32 = planes.iter().zip(from).map(|(p, f)| (p.at(x, y) - f).abs()).sum();
            sum / 3.0
        };
        let count = width as f32;
        let border = row(0);
        let mean: [f32; 3] =
            std::array::from_fn(|c| (0..width).map(|x| planes[c].at(x, border)).sum::<f32>() / count);
        // Pixels that change along the border may change away from it.
        let varied = (0..width).map(|x| differ(x, border, &mean)).sum::<f32>() / count;
        let most = 24.0_f32.max(2.5 * varied);
        let alike = (1..height).take_while(|y| {
            let other = (0..width).filter(|x| {
                let from = std::array::from_fn(|c| planes[c].at(*x, border));
                differ(*x, row(*y), &from) > most
            });
            (other.count() as f32) < 0.05 * count
        });
        ((alike.count() as f32) / height as f32).max(0.06) * picture.height as f32
    };
    (like(&|y| y), like(&|y| height - 1 - y))
}

/// A place beyond the border, as its mirror image within.
fn mirrored(at: f32, length: f32) -> f32 {
    if at >= -0.5 && at < length - 0.5 {
        return at;
    }
    folded((at + 0.5).abs(), length) - 0.5
}

/// Reflects a coordinate between 0 and a length.
fn folded(at: f32, length: f32) -> f32 {
    let turn = at.rem_euclid(2.0 * length);
    if turn < length { turn } else { 2.0 * length - turn }
}

/// Interpolates the sixteen nearest pixels (cubic, Keys 1981), within the range of the nearest four; beyond the
/// border it repeats the border.
fn sampled(picture: &Picture, x: f32, y: f32) -> [f32; 4] {
    let (w, h) = (picture.width as isize, picture.height as isize);
    let x = x.clamp(0.0, (w - 1) as f32);
    let y = y.clamp(0.0, (h - 1) as f32);
    let (x0, y0) = (x as isize, y as isize);
    let (wx, wy) = (weights(x - x0 as f32), weights(y - y0 as f32));
    let mut sums = [0.0_f32; 4];
    let (mut low, mut high) = ([255.0_f32; 4], [0.0_f32; 4]);
    let inside = x0 >= 1 && y0 >= 1 && x0 + 2 < w && y0 + 2 < h;
    for (j, wy) in wy.iter().enumerate() {
        let row = (y0 + j as isize - 1).clamp(0, h - 1) * w;
        let mut pixels = [[0.0_f32; 4]; 4];
        if inside {
            let at = 4 * (row + x0 - 1) as usize;
            for (pixel, bytes) in pixels.iter_mut().zip(picture.rgba[at..at + 16].chunks_exact(4)) {
                *pixel = std::array::from_fn(|c| f32::from(bytes[c]));
            }
        } else {
            for (i, pixel) in pixels.iter_mut().enumerate() {
                let at = 4 * (row + (x0 + i as isize - 1).clamp(0, w - 1)) as usize;
                *pixel = std::array::from_fn(|c| f32::from(picture.rgba[at + c]));
            }
        }
        for c in 0..4 {
            sums[c] += wy
                * (wx[0] * pixels[0][c] + wx[1] * pixels[1][c] + wx[2] * pixels[2][c] + wx[3] * pixels[3][c]);
        }
        if j == 1 || j == 2 {
            for c in 0..4 {
                low[c] = low[c].min(pixels[1][c]).min(pixels[2][c]);
                high[c] = high[c].max(pixels[1][c]).max(pixels[2][c]);
            }
        }
    }
    std::array::from_fn(|c| {
        let slack = 0.1 * (high[c] - low[c]);
        sums[c].clamp(low[c] - slack, high[c] + slack).clamp(0.0, 255.0)
    })
}

fn weights(t: f32) -> [f32; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [
        -0.5 * t + t2 - 0.5 * t3,
        1.0 - 2.5 * t2 + 1.5 * t3,
        0.5 * t + 2.0 * t2 - 1.5 * t3,
        -0.5 * t2 + 0.5 * t3,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sky above, ground below, and a tower before both.
    fn tower() -> Picture {
        let mut picture = Picture::filled(100, 100, [120, 160, 220, 255]);
        for (i, p) in picture.rgba.chunks_exact_mut(4).enumerate() {
            let (x, y) = (i % 100, i / 100);
            if y >= 70 {
                p[..3].copy_from_slice(&[70, 110, 50]);
            }
            if (40..55).contains(&x) && (20..80).contains(&y) {
                p[..3].copy_from_slice(&[150, 60, 40]);
            }
        }
        picture
    }

    #[test]
    fn the_strip_at_a_border_ends_where_something_else_begins() {
        let (above, below) = strips(&tower());
        assert!((15.0..=20.0).contains(&above), "{above}");
        assert!((15.0..=20.0).contains(&below), "{below}");
    }

    #[test]
    fn a_plain_picture_is_like_its_border_throughout() {
        let (above, below) = strips(&Picture::filled(100, 80, [9, 9, 9, 255]));
        assert!(above > 75.0 && below > 75.0, "{above} {below}");
    }

    #[test]
    fn places_beyond_the_border_are_folded_back() {
        for (at, length, to) in [
            (-1.5, 10.0, 0.5),
            (9.5, 10.0, 9.5),
            (10.5, 10.0, 8.5),
            (3.0, 10.0, 3.0),
        ] {
            assert!((mirrored(at, length) - to).abs() < 1e-4, "{at}");
        }
        for (at, to) in [(0.0, 0.0), (3.0, 3.0), (5.0, 3.0), (8.0, 0.0), (9.0, 1.0)] {
            assert!((folded(at, 4.0) - to).abs() < 1e-4, "{at}");
        }
    }
}
