//! The colours of the hidden parts: sampled where they are visible, painted once where they are not, and adjusted
//! to the frame's light at the edge of the hole.

use std::collections::BTreeMap;

use atelier_film::{I420, color};
use rayon::prelude::*;

use super::masks::dilated;
use super::trace::{Motion, Seen, follow, is_painted, weight};
use atelier_protocol::Error;
use atelier_retouch::decode::Picture;
use atelier_retouch::inpaint::fill;
use atelier_retouch::{Plane, diffuse};

/// The most frames that are painted; what is still missing is interpolated from its neighbours.
const PAINTED: usize = 8;
/// Pixels around a hole in which the light of the fill is compared with the frame's.
const RING: usize = 3;
/// The largest adjustment of light, of 255.
const FITTED: f32 = 26.0;

/// Luma and both chromas.
type Color = [f32; 3];

/// The known data of a hidden pixel, kept small because there are many.
#[derive(Debug, Clone, Copy)]
struct Known {
    color: [u8; 3],
    age: u16,
}

impl Known {
    const NOTHING: Self = Self {
        color: [0; 3],
        age: u16::MAX,
    };

    fn new(color: Color, seen: Seen) -> Self {
        Self {
            color: color.map(|v| v.round() as u8),
            age: seen.age,
        }
    }

    fn is_known(self) -> bool {
        self.age != u16::MAX
    }

    fn color(self) -> Option<Color> {
        self.is_known().then(|| self.color.map(f32::from))
    }
}

/// The fills of all holes of a film.
#[derive(Debug)]
pub(super) struct Paint {
    width: usize,
    holes: Vec<Vec<bool>>,
    /// For each frame the colour of each pixel of its widened hole, row by row; none if nothing is known.
    colors: Vec<Vec<Known>>,
    /// The hole and its ring, as places in the frame.
    places: Vec<Vec<u32>>,
    seen: (usize, usize),
}

impl Paint {
    pub(super) fn new(
        frames: &[I420],
        holes: Vec<Vec<bool>>,
        seed: u64,
        progress: &mut dyn FnMut(f32),
    ) -> Result<Self, Error> {
        let width = frames[0].width;
        let wide: Vec<Vec<bool>> = holes.iter().map(|hole| dilated(hole, width, RING)).collect();
        let places: Vec<Vec<u32>> = wide
            .iter()
            .map(|hole| (0..hole.len() as u32).filter(|at| hole[*at as usize]).collect())
            .collect();
        let motion = Motion::of(frames, &wide, &mut |done| progress(0.7 * done));
        let mut keys: BTreeMap<usize, I420> = BTreeMap::new();
        let mut paint = Self {
            width,
            holes,
            colors: Vec::new(),
            places,
            seen: (0, 0),
        };
        let mut turn = 0;
        loop {
            paint.colors = paint.gathered(&motion, frames, &wide, &keys);
            let missing = |number: usize| {
                paint.colors[number]
                    .iter()
                    .filter(|color| !color.is_known())
                    .count()
            };
            let counts: Vec<usize> = (0..frames.len()).map(missing).collect();
            if turn == 0 {
                let all: usize = paint.places.iter().map(Vec::len).sum();
                paint.seen = (all - counts.iter().sum::<usize>(), all);
            }
            // The middle one of those that lack most: paint from there is propagated the shortest way.
            let most = counts.iter().copied().max().unwrap_or(0);
            let lacking: Vec<usize> = (0..counts.len())
                .filter(|number| counts[*number] * 10 >= most * 9 && !keys.contains_key(number))
                .collect();
            if most == 0 || turn == PAINTED || lacking.is_empty() {
                break;
            }
            let number = lacking[lacking.len() / 2];
            let painted = paint.painted(number, &frames[number], seed)?;
            keys.insert(number, painted);
            turn += 1;
            progress(0.7 + 0.3 * turn as f32 / PAINTED as f32);
        }
        Ok(paint)
    }

    /// The share of the hidden parts that other frames show.
    pub(super) fn seen_elsewhere(&self) -> f64 {
        (100.0 * self.seen.0 as f64 / self.seen.1.max(1) as f64).round() / 100.0
    }

    /// The colours of all missing pixels as far as they are visible, from both directions.
    fn gathered(
        &self,
        motion: &Motion,
        frames: &[I420],
        wide: &[Vec<bool>],
        keys: &BTreeMap<usize, I420>,
    ) -> Vec<Vec<Known>> {
        let painted: Vec<bool> = (0..frames.len())
            .map(|number| keys.contains_key(&number))
            .collect();
        let sample = |seen: &Seen| {
            let number = seen.frame as usize;
            let frame = if is_painted(seen.age) {
                keys.get(&number)
            } else {
                frames.get(number)
            };
            frame.map_or(Known::NOTHING, |frame| {
                Known::new(sampled(frame, seen.x, seen.y), *seen)
            })
        };
        let mut first: Vec<Vec<Known>> = vec![Vec::new(); frames.len()];
        follow(motion, wide, self.width, &painted, false, &mut |number, seen| {
            first[number] = self.places[number]
                .par_iter()
                .map(|at| seen[*at as usize].as_ref().map_or(Known::NOTHING, &sample))
                .collect();
        });
        let mut colors: Vec<Vec<Known>> = vec![Vec::new(); frames.len()];
        follow(motion, wide, self.width, &painted, true, &mut |number, seen| {
            let first = &first[number];
            colors[number] = self.places[number]
                .par_iter()
                .zip(first)
                .map(|(at, one)| {
                    let two = seen[*at as usize].as_ref().map_or(Known::NOTHING, &sample);
                    joined(*one, two)
                })
                .collect();
        });
        colors
    }

    /// A frame with its whole hole painted: parts visible elsewhere as they are, the rest as `inpaint` does it.
    fn painted(&self, number: usize, frame: &I420, seed: u64) -> Result<I420, Error> {
        let mut known = frame.clone();
        let mut missing = vec![false; frame.width * frame.height];
        for (at, color) in self.places[number].iter().zip(&self.colors[number]) {
            match color.color() {
                Some(color) => put(&mut known, *at as usize, color),
                None => missing[*at as usize] = true,
            }
        }
        let mut picture = Picture::filled(frame.width, frame.height, [0, 0, 0, 255]);
        color::to_rgb::<4>(&known, &mut picture.rgba);
        for alpha in picture.rgba.iter_mut().skip(3).step_by(4) {
            *alpha = 255;
        }
        if !fill(&mut picture, &missing, (seed ^ (seed >> 32)) as u32, &mut |_| {}) {
            return Err(Error::InvalidInput(
                "the mask leaves too little of the video to fill from; use a smaller mask".into(),
            ));
        }
        color::from_rgb::<4>(&picture.rgba, &mut known);
        Ok(known)
    }

    /// A frame with its hole filled.
    pub(super) fn frame(&self, number: usize, frame: &I420) -> I420 {
        let (width, height) = (frame.width, frame.height);
        let (places, colors, hole) = (&self.places[number], &self.colors[number], &self.holes[number]);
        if places.is_empty() {
            return frame.clone();
        }
        // The difference at the ring between the frame and the fill, at half the size.
        let (w, h) = (width / 2, height / 2);
        let mut differs: [Plane; 3] = std::array::from_fn(|_| Plane::new(w, h));
        let mut weight = Plane::new(w, h);
        for (at, color) in places.iter().zip(colors) {
            let at = *at as usize;
            let Some(color) = color.color().filter(|_| !hole[at]) else {
                continue;
            };
            let own = pixel(frame, at);
            let small = at / width / 2 * w + at % width / 2;
            for c in 0..3 {
                differs[c].data[small] += (own[c] - color[c]).clamp(-FITTED, FITTED);
            }
            weight.data[small] += 1.0;
        }
        for plane in &mut differs {
            for (sum, count) in plane.data.iter_mut().zip(&weight.data) {
                *sum /= count.max(1.0);
            }
        }
        let anything = weight.max() > 0.0;
        let weight = weight.map(|count| count.min(1.0));
        let fitted = anything.then(|| diffuse::fill(&differs, &weight));
        // Unknown pixels are interpolated from their surroundings.
        let lacks = colors.iter().any(|color| !color.is_known());
        let between = lacks.then(|| self.between(number, frame));
        let mut mended = frame.clone();
        for (at, color) in places.iter().zip(colors) {
            let at = *at as usize;
            if !hole[at] {
                continue;
            }
            let (x, y) = (at % width, at / width);
            let (u, v) = (0.5 * x as f32 - 0.25, 0.5 * y as f32 - 0.25);
            let color = match (color.color(), &between) {
                (Some(color), _) => {
                    let by = |c: usize| fitted.as_ref().map_or(0.0, |fitted| fitted[c].bilinear(u, v));
                    [color[0] + by(0), color[1] + by(1), color[2] + by(2)]
                }
                (None, Some(between)) => [0, 1, 2].map(|c| between[c].bilinear(u, v)),
                (None, None) => continue,
            };
            put(&mut mended, at, color);
        }
        mended
    }

    fn between(&self, number: usize, frame: &I420) -> [Plane; 3] {
        let (w, h) = (frame.width / 2, frame.height / 2);
        let mut known = Plane::new(w, h).map(|_| 1.0);
        for at in &self.places[number] {
            let at = *at as usize;
            known.data[at / frame.width / 2 * w + at % frame.width / 2] = 0.0;
        }
        let planes: [Plane; 3] = std::array::from_fn(|c| {
            Plane::from_fn(w, h, |x, y| pixel(frame, 2 * y * frame.width + 2 * x)[c])
        });
        diffuse::fill(&planes, &known)
    }
}

/// Combines two directions: visible goes before painted, near before far.
fn joined(one: Known, two: Known) -> Known {
    if !two.is_known() || (one.is_known() && !is_painted(one.age) && is_painted(two.age)) {
        return one;
    }
    if !one.is_known() || (!is_painted(two.age) && is_painted(one.age)) {
        return two;
    }
    let k = weight(two.age) / (weight(one.age) + weight(two.age));
    Known {
        color: std::array::from_fn(|c| {
            let (a, b) = (f32::from(one.color[c]), f32::from(two.color[c]));
            (a + (b - a) * k).round() as u8
        }),
        age: one.age.min(two.age),
    }
}

fn pixel(frame: &I420, at: usize) -> Color {
    let planes = frame.planes();
    let (x, y) = (at % frame.width, at / frame.width);
    let chroma = y / 2 * (frame.width / 2) + x / 2;
    [planes.y[at], planes.u[chroma], planes.v[chroma]].map(f32::from)
}

/// Sets a pixel; its chroma is shared with its neighbours.
fn put(frame: &mut I420, at: usize, color: Color) {
    let size = frame.width * frame.height;
    let (x, y) = (at % frame.width, at / frame.width);
    let chroma = y / 2 * (frame.width / 2) + x / 2;
    let byte = |v: f32| v.round().clamp(16.0, 240.0) as u8;
    frame.data[at] = byte(color[0]).min(235);
    frame.data[size + chroma] = byte(color[1]);
    frame.data[size + size / 4 + chroma] = byte(color[2]);
}

/// The interpolated colour at a place.
fn sampled(frame: &I420, x: f32, y: f32) -> Color {
    let planes = frame.planes();
    let (w, h) = (frame.width, frame.height);
    let between = |plane: &[u8], w: usize, h: usize, x: f32, y: f32| {
        let (x, y) = (x.clamp(0.0, (w - 1) as f32), y.clamp(0.0, (h - 1) as f32));
        let (left, top) = (x as usize, y as usize);
        let (right, bottom) = ((left + 1).min(w - 1), (top + 1).min(h - 1));
        let (u, v) = (x - left as f32, y - top as f32);
        let at = |x: usize, y: usize| f32::from(plane[y * w + x]);
        let above = at(left, top) + (at(right, top) - at(left, top)) * u;
        let below = at(left, bottom) + (at(right, bottom) - at(left, bottom)) * u;
        above + (below - above) * v
    };
    let (cx, cy) = (0.5 * x - 0.25, 0.5 * y - 0.25);
    [
        between(planes.y, w, h, x, y),
        between(planes.u, w / 2, h / 2, cx, cy),
        between(planes.v, w / 2, h / 2, cx, cy),
    ]
}
