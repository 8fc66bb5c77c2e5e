//! The content check, if a request asks for one: bare skin in the shape of a body.
//!
//! A classical method and no more: skin by its colour (Chai and Ngan 1999; Kovač, Peer and Solina 2003), its
//! smoothness (Fleck, Forsyth and Bregler 1996), and the share and form of its regions (Ap-apid 2005). A region
//! across the frame is scenery (sand, an evening sky), a single oval is a face.

use atelier_film::Picture;

use atelier_protocol::{Error, Request};

/// The longer side at which frames are examined.
const SIDE: usize = 160;
/// A film is refused after this many hits.
const TIMES: u32 = 2;

/// Examines a frame now and then while a film is made.
#[derive(Debug)]
pub(super) struct Check {
    size: (usize, usize),
    /// Frames from one look to the next, and how many have passed.
    every: u64,
    frames: u64,
    found: u32,
    needed: u32,
}

impl Check {
    /// The check that a request asks for. `rate` is in frames a second.
    pub(super) fn asked(request: &Request, size: (u32, u32), rate: f64, frames: u64) -> Option<Self> {
        let asked = request.params.get("enable_safety_checker")?.as_bool()?;
        let every = (rate / 2.0).round().max(1.0) as u64;
        asked.then(|| Self {
            size: (size.0 as usize, size.1 as usize),
            every,
            frames: 0,
            found: 0,
            // A film with one look is refused for one hit.
            needed: TIMES.min(frames.div_ceil(every).max(1) as u32),
        })
    }

    /// Takes the next frame; an error if the film shows something forbidden.
    pub(super) fn see(&mut self, picture: &Picture<'_>) -> Result<(), Error> {
        let looks = self.frames.is_multiple_of(self.every);
        self.frames += 1;
        if looks && Small::of(picture, self.size).shows_a_bare_body() {
            self.found += 1;
        }
        if self.found < self.needed {
            return Ok(());
        }
        Err(Error::ContentPolicy(
            "the safety checker, which `enable_safety_checker` has turned on, found bare skin in the shape of a \
                body".into(),
        ))
    }
}

/// A frame, reduced.
struct Small {
    width: usize,
    height: usize,
    rgb: Vec<[f32; 3]>,
}

impl Small {
    fn of(picture: &Picture<'_>, (width, height): (usize, usize)) -> Self {
        let step = (width.max(height) as f32 / SIDE as f32).max(1.0);
        let (w, h) = (
            ((width as f32 / step) as usize).max(1),
            ((height as f32 / step) as usize).max(1),
        );
        // The mean of nine places in each cell, so that grain does not count as texture.
        let place = |cell: usize, k: usize, of: usize| {
            (((cell as f32 + (k as f32 + 0.5) / 3.0) * step) as usize).min(of - 1)
        };
        let mut rgb = Vec::with_capacity(w * h);
        for y in 0..h {
            for x in 0..w {
                let mut sum = [0.0; 3];
                for k in 0..9 {
                    let (u, v) = (place(x, k % 3, width), place(y, k / 3, height));
                    for (sum, value) in sum.iter_mut().zip(color(picture, width, u, v)) {
                        *sum += value / 9.0;
                    }
                }
                rgb.push(sum);
            }
        }
        Self {
            width: w,
            height: h,
            rgb,
        }
    }

    /// Skin by its colour and its smoothness.
    fn skin(&self) -> Vec<bool> {
        let luma = |i: usize| luma(self.rgb[i]);
        (0..self.rgb.len())
            .map(|i| {
                let (x, y) = (i % self.width, i / self.width);
                let right = if x + 1 < self.width { i + 1 } else { i };
                let below = if y + 1 < self.height { i + self.width } else { i };
                let slope = (luma(right) - luma(i)).abs().max((luma(below) - luma(i)).abs());
                slope < 22.0 && is_skin(self.rgb[i])
            })
            .collect()
    }

    fn shows_a_bare_body(&self) -> bool {
        let skin = self.skin();
        let all = self.rgb.len() as f32;
        let total = skin.iter().filter(|is| **is).count() as f32;
        // Less than this is hands and faces.
        if total < 0.15 * all {
            return false;
        }
        let regions = regions(&skin, self.width);
        let Some(largest) = regions.iter().max_by_key(|region| region.size) else {
            return false;
        };
        // In many pieces it is wood, sand or leaves.
        if (largest.size as f32) < 0.6 * total || (largest.size as f32) < 0.1 * all {
            return false;
        }
        !largest.is_scenery(self.width, self.height)
            && largest.is_body(self.height)
            && largest.shades(&self.rgb)
            && largest.stands_out(&self.rgb)
            && largest.is_outlined(&self.rgb, self.width)
    }
}

/// A pixel's colour.
fn color(picture: &Picture<'_>, width: usize, x: usize, y: usize) -> [f32; 3] {
    let of = |bytes: &[u8], step: usize| {
        let at = (y * width + x) * step;
        [0, 1, 2].map(|c| f32::from(bytes.get(at + c).copied().unwrap_or(0)))
    };
    match picture {
        Picture::Rgb(bytes) => of(bytes, 3),
        Picture::Rgbx(bytes) => of(bytes, 4),
        Picture::I420(planes) => {
            let at = |plane: &[u8], i: usize| f32::from(plane.get(i).copied().unwrap_or(128));
            let half = y / 2 * width.div_ceil(2) + x / 2;
            let luma = 1.164 * (at(planes.y, y * width + x) - 16.0);
            let (u, v) = (at(planes.u, half) - 128.0, at(planes.v, half) - 128.0);
            [luma + 1.793 * v, luma - 0.213 * u - 0.533 * v, luma + 2.112 * u]
                .map(|value| value.clamp(0.0, 255.0))
        }
    }
}

fn luma([r, g, b]: [f32; 3]) -> f32 {
    0.299 * r + 0.587 * g + 0.114 * b
}

/// Blue and red differences, centred at 128.
fn chroma([r, g, b]: [f32; 3]) -> (f32, f32) {
    let luma = luma([r, g, b]);
    (128.0 + 0.564 * (b - luma), 128.0 + 0.713 * (r - luma))
}

/// By chroma, which is nearly independent of how dark skin is, and by the order and the distance of the channels.
fn is_skin([r, g, b]: [f32; 3]) -> bool {
    let luma = luma([r, g, b]);
    let (cb, cr) = chroma([r, g, b]);
    let spread = r.max(g).max(b) - r.min(g).min(b);
    luma > 40.0
        && (77.0..=127.0).contains(&cb)
        && (136.0..=173.0).contains(&cr)
        && r > g
        && g >= b * 0.9
        && spread > 15.0
        && spread < 0.66 * r
}

/// A connected region of skin.
struct Region {
    size: usize,
    pixels: Vec<usize>,
    /// Left, top, right, bottom, inclusive.
    bounds: [usize; 4],
    /// How many of its pixels lie on each border of the frame: left, top, right, bottom.
    borders: [usize; 4],
}

fn regions(skin: &[bool], width: usize) -> Vec<Region> {
    let height = skin.len() / width;
    let mut left = skin.to_vec();
    let mut regions = Vec::new();
    for start in 0..skin.len() {
        if !left[start] {
            continue;
        }
        left[start] = false;
        let mut region = Region {
            size: 0,
            pixels: vec![start],
            bounds: [width, height, 0, 0],
            borders: [0; 4],
        };
        while let Some(&i) = region.pixels.get(region.size) {
            region.size += 1;
            let (x, y) = (i % width, i / width);
            let [l, t, r, b] = region.bounds;
            region.bounds = [l.min(x), t.min(y), r.max(x), b.max(y)];
            let on = [x == 0, y == 0, x + 1 == width, y + 1 == height];
            for (count, on) in region.borders.iter_mut().zip(on) {
                *count += usize::from(on);
            }
            let next = [
                (!on[0]).then(|| i - 1),
                (!on[1]).then(|| i - width),
                (!on[2]).then(|| i + 1),
                (!on[3]).then(|| i + width),
            ];
            for i in next.into_iter().flatten() {
                if std::mem::take(&mut left[i]) {
                    region.pixels.push(i);
                }
            }
        }
        regions.push(region);
    }
    regions
}

impl Region {
    /// Whether it lies across the frame, or along most of one of its borders, as ground and sky do.
    fn is_scenery(&self, width: usize, height: usize) -> bool {
        let [left, top, right, bottom] = self.borders;
        let across = left > 0 && right > 0;
        let long = |count: usize, of: usize| count * 5 > of * 3;
        across || long(top, width) || long(bottom, width) || long(left, height) || long(right, height)
    }

    /// Whether it is as tall and as wide as a body; a filled upright oval is a face.
    fn is_body(&self, height: usize) -> bool {
        let [left, top, right, bottom] = self.bounds;
        let (w, h) = ((right - left + 1) as f32, (bottom - top + 1) as f32);
        let fills = self.size as f32 / (w * h);
        let oval = (0.55..=1.15).contains(&(w / h)) && (0.6..=0.88).contains(&fills);
        h > 0.45 * height as f32 && (0.2..=2.2).contains(&(w / h)) && fills > 0.2 && !oval
    }

    /// Whether it is shaded like something round: one flat colour is paint, and all shades of a colour are a sky.
    fn shades(&self, rgb: &[[f32; 3]]) -> bool {
        let count = self.size.max(1) as f32;
        let red = |i: &usize| rgb[*i][0];
        let mean = self.pixels.iter().map(red).sum::<f32>() / count;
        let spread = (self.pixels.iter().map(|i| (red(i) - mean).powi(2)).sum::<f32>() / count).sqrt();
        (4.0..=52.0).contains(&spread)
    }

    /// Whether its hue differs from its surroundings: in the light of a low sun everything has the colour of skin.
    fn stands_out(&self, rgb: &[[f32; 3]]) -> bool {
        let sum = |sum: (f32, f32), color: &[f32; 3]| {
            let (cb, cr) = chroma(*color);
            (sum.0 + cb, sum.1 + cr)
        };
        let all = rgb.iter().fold((0.0, 0.0), sum);
        let own = self.pixels.iter().map(|i| &rgb[*i]).fold((0.0, 0.0), sum);
        let (count, rest) = (self.size as f32, (rgb.len() - self.size).max(1) as f32);
        let apart = |own: f32, all: f32| own / count - (all - own) / rest;
        apart(own.0, all.0).hypot(apart(own.1, all.1)) > 16.0
    }

    /// Whether edges separate it from its surroundings: the skin-coloured side of an orange blends into the rest.
    fn is_outlined(&self, rgb: &[[f32; 3]], width: usize) -> bool {
        let height = rgb.len() / width;
        let mut own = vec![false; rgb.len()];
        for i in &self.pixels {
            own[*i] = true;
        }
        let (mut open, mut all) = (0, 0);
        for i in &self.pixels {
            let (x, y) = ((i % width) as isize, (i / width) as isize);
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                let at = |steps: isize| {
                    let (u, v) = (x + steps * dx, y + steps * dy);
                    let inside = u >= 0 && v >= 0 && u < width as isize && v < height as isize;
                    inside.then(|| v as usize * width + u as usize)
                };
                let (Some(next), Some(beyond)) = (at(1), at(3)) else {
                    continue;
                };
                if own[next] {
                    continue;
                }
                let step: f32 = (0..3).map(|c| (rgb[beyond][c] - rgb[*i][c]).abs()).sum();
                all += 1;
                open += usize::from(step < 45.0);
            }
        }
        // On the photographs tried, about half at most for skin; nine tenths for fruit.
        open * 4 < all * 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: (usize, usize) = (160, 120);

    /// A picture of one colour, with what `paint` adds to it.
    fn frame(paint: impl Fn(f32, f32) -> Option<[u8; 3]>) -> Vec<u8> {
        let pixel = |i: usize| {
            let (x, y) = ((i % SIZE.0) as f32, (i / SIZE.0) as f32);
            paint(x, y).unwrap_or([40, 84, 120])
        };
        (0..SIZE.0 * SIZE.1).flat_map(pixel).collect()
    }

    /// Skin in the light from the left.
    fn skin(across: f32) -> [u8; 3] {
        [
            232.0 - 70.0 * across,
            178.0 - 62.0 * across,
            150.0 - 58.0 * across,
        ]
        .map(|v| v as u8)
    }

    /// The distance from limbs and a trunk, which are thick lines; 1 is their outline.
    fn off(x: f32, y: f32) -> f32 {
        let limbs = [
            ((70.0, 30.0), (90.0, 75.0), 17.0),
            ((70.0, 35.0), (30.0, 70.0), 8.0),
            ((82.0, 30.0), (125.0, 52.0), 8.0),
            ((85.0, 75.0), (60.0, 116.0), 10.0),
            ((95.0, 75.0), (130.0, 112.0), 10.0),
        ];
        limbs
            .into_iter()
            .map(|((ax, ay), (bx, by), thick)| {
                let (dx, dy) = (bx - ax, by - ay);
                let t = (((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
                (x - ax - t * dx).hypot(y - ay - t * dy) / thick
            })
            .fold(f32::MAX, f32::min)
    }

    fn body(x: f32, y: f32) -> Option<[u8; 3]> {
        let off = off(x, y);
        (off < 1.0).then(|| skin(off * off))
    }

    fn refused(rgb: &[u8]) -> bool {
        Small::of(&Picture::Rgb(rgb), SIZE).shows_a_bare_body()
    }

    #[test]
    fn a_bare_body_is_seen_in_light_and_dark_skin() {
        assert!(refused(&frame(body)));
        let dark = frame(|x, y| Some(body(x, y)?.map(|v| (f32::from(v) * 0.58) as u8)));
        assert!(refused(&dark));
    }

    #[test]
    fn faces_sand_evening_skies_fruit_warm_light_and_flat_paint_pass() {
        let face = frame(|x, y| {
            let r = ((x - 80.0) / 38.0).hypot((y - 60.0) / 48.0);
            (r < 1.0).then(|| skin(r * r))
        });
        let sand = frame(|_, y| (y > 60.0).then(|| skin((y - 60.0) / 60.0)));
        let sky = frame(|x, y| (y < 70.0).then(|| skin((x / 160.0 + y / 70.0) * 0.5)));
        let paint = frame(|x, y| body(x, y).map(|_| [224, 172, 140]));
        // A region without an outline is a side of something larger.
        let fruit = frame(|x, y| {
            let t = ((off(x, y) - 0.7) / 1.6).clamp(0.0, 1.0);
            let [r, g, b] = skin(0.6 * t).map(f32::from);
            Some([r + (214.0 - r) * t, g + (108.0 - g) * t, b * (1.0 - t)].map(|v| v as u8))
        });
        let warm = frame(|x, y| Some(body(x, y).unwrap_or([166, 112, 92])));
        for (name, picture) in [
            ("face", face),
            ("sand", sand),
            ("sky", sky),
            ("paint", paint),
            ("fruit", fruit),
            ("warm", warm),
        ] {
            assert!(!refused(&picture), "{name}");
        }
    }

    #[test]
    fn what_one_frame_shows_is_no_film_and_what_two_show_is() {
        let mut check = Check {
            size: SIZE,
            every: 2,
            frames: 0,
            found: 0,
            needed: TIMES,
        };
        let (bare, other) = (frame(body), frame(|_, _| None));
        for rgb in [&bare, &other, &other, &bare] {
            check.see(&Picture::Rgb(rgb)).unwrap();
        }
        let error = check.see(&Picture::Rgb(&bare)).unwrap_err();
        assert!(matches!(error, Error::ContentPolicy(_)), "{error}");
    }
}
