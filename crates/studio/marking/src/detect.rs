//! Reads marks.
//!
//! The rate of false positives follows from the method, whatever the picture is. Without a mark, the phases of the
//! key have nothing to do with the picture. The score of one try is `Σ a cos θ / √(Σ a² / 2)`, over waves of sizes
//! `a` in the picture whose angles `θ` are then independent and uniform. As the mean of `exp(λ cos θ)` is at most
//! `exp(λ² / 4)`, a score passes `t` with a probability of at most `exp(-t² / 2)` (Chernoff's bound). There are at
//! most [`TRIES`] tries of 16,384 positions each, so one of them passes [`THRESHOLD`] with a probability of at most
//! 0.0036. The decoded word is then random, because the angles of the symbols are independent of those of the fixed
//! waves, and its check bits agree in one case of 65,536. Together that is less than 1 in 10 million.

use atelier_fft::{Complex, forward, real_forward};

use crate::{
    Id, Key, SMALLEST, Shape,
    code::decode,
    filter::Plane,
    spectrum::Spectrum,
    waves::{HIGHEST, TILE, Use, Wave, waves},
};

/// The least score of the fixed waves.
pub const THRESHOLD: f32 = 6.1;
/// The most pixels a side that are looked at, in the middle.
const SIDE: usize = 1_536;
/// The scales that are tried, as the picture's size to that of the marked one.
const SCALES: (f32, f32) = (0.4, 1.3);
/// The scales that are tried in full.
const CANDIDATES: usize = 8;
/// The tries of a picture: two scales that are usual, the candidates, and the refinement of the best.
const TRIES: usize = 2 + CANDIDATES + 2 * ROUNDS * STEPS.len();
/// The least score that is refined.
const PROMISING: f32 = 4.5;
const ROUNDS: usize = 2;
const STEPS: [f32; 4] = [-0.4, -0.2, 0.2, 0.4];

/// A mark that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    pub id: Id,
    pub score: f32,
    /// The picture's size to that of the marked one.
    pub scale: f32,
}

/// All that a reader learns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// The best score of the fixed waves.
    pub score: f32,
    pub scale: f32,
    /// Only if the score reaches the threshold and the check bits agree.
    pub id: Option<Id>,
}

/// The mark of a picture, if it has one of this key.
///
/// # Panics
///
/// If the pixels do not fill the shape.
pub fn detect(pixels: &[u8], shape: Shape, key: &Key) -> Option<Found> {
    let reading = read(pixels, shape, key)?;
    let id = reading.id?;
    Some(Found {
        id,
        score: reading.score,
        scale: reading.scale,
    })
}

/// The same with the score of pictures that have none; `None` if the picture is too small.
///
/// # Panics
///
/// If the pixels do not fill the shape.
pub fn read(pixels: &[u8], shape: Shape, key: &Key) -> Option<Reading> {
    let mut frames = Frames::new(shape);
    frames.add(pixels);
    frames.read(key)
}

/// Pictures that carry the same mark at the same place, such as the frames of a film. Their content differs, and the
/// mark does not, so it stands out of their sum.
#[derive(Debug, Clone)]
pub struct Frames {
    shape: Shape,
    sum: Option<Plane>,
}

impl Frames {
    pub fn new(shape: Shape) -> Self {
        Self { shape, sum: None }
    }

    /// Adds a picture.
    ///
    /// # Panics
    ///
    /// If the pixels do not fill the shape.
    pub fn add(&mut self, pixels: &[u8]) {
        self.add_weighted(pixels, 1.0);
    }

    /// The same for a picture that counts as so many.
    ///
    /// # Panics
    ///
    /// If the pixels do not fill the shape.
    pub fn add_weighted(&mut self, pixels: &[u8], weight: f32) {
        assert_eq!(pixels.len(), self.shape.bytes(), "pixels of another shape");
        if self.is_too_small() {
            return;
        }
        let plane = Plane::brightness(pixels, self.shape)
            .middle(SIDE, 1)
            .whitened(3, 4);
        self.sum = Some(match self.sum.take() {
            Some(sum) => sum.map2(&plane, |sum, value| sum + weight * value),
            None => plane.map(|value| weight * value),
        });
    }

    /// The mark of all the pictures; `None` if they are too small, or if there are none.
    pub fn read(&self, key: &Key) -> Option<Reading> {
        self.sum.as_ref().map(|plane| search(plane, key))
    }

    fn is_too_small(&self) -> bool {
        (self.shape.width.min(self.shape.height) as f32) < SMALLEST as f32 * SCALES.0
    }
}

fn search(plane: &Plane, key: &Key) -> Reading {
    let waves = waves(key);
    let longest = plane.width.max(plane.height) as f32;
    let step = 0.35 / (longest * HIGHEST as f32 / TILE as f32);
    let mut tries: Vec<f32> = vec![1.0, 0.5];
    tries.extend(candidates(plane, &waves, step));
    let mut looks = 0;
    let mut look = |scale: (f32, f32)| {
        looks += 1;
        let spectrum = Spectrum::at(plane, &waves, scale);
        let (score, shift) = spectrum.position(&waves);
        (score, scale, shift, spectrum)
    };
    let mut best = look((1.0, 1.0));
    for scale in tries.into_iter().skip(1) {
        let found = look((scale, scale));
        if found.0 > best.0 {
            best = found;
        }
    }
    for _ in 0..ROUNDS {
        if best.0 < PROMISING {
            break;
        }
        let (x, y) = best.1;
        for part in STEPS.map(|part| (part * step).exp()) {
            for scale in [(x * part, y), (x, y * part)] {
                let found = look(scale);
                if found.0 > best.0 {
                    best = found;
                }
            }
        }
    }
    debug_assert!(looks <= TRIES, "the rate of false positives counts {TRIES} tries");
    let (score, scale, shift, spectrum) = best;
    let id = if score >= THRESHOLD {
        decode(&spectrum.symbols(&waves, shift), key)
    } else {
        None
    };
    Reading {
        score,
        scale: (scale.0 * scale.1).sqrt(),
        id,
    }
}

/// The scales at which a picture has the most power where the waves are, and the least where they are not.
fn candidates(plane: &Plane, waves: &[Wave], step: f32) -> Vec<f32> {
    let power = Power::of(plane);
    let empty = waves.iter().filter(|wave| wave.used == Use::Empty).count() as f32;
    let against = (waves.len() as f32 - empty) / empty;
    let count = ((SCALES.1 / SCALES.0).ln() / step) as usize + 1;
    let mut ranked: Vec<(f32, usize)> = (0..count)
        .map(|number| {
            let scale = SCALES.0 * (number as f32 * step).exp();
            let score: f32 = waves
                .iter()
                .map(|wave| {
                    let power = power.near(wave, scale);
                    if wave.used == Use::Empty {
                        -against * power
                    } else {
                        power
                    }
                })
                .sum();
            (score, number)
        })
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut chosen: Vec<usize> = Vec::new();
    for (_, number) in ranked {
        if chosen.iter().all(|other| other.abs_diff(number) > 2) {
            chosen.push(number);
        }
        if chosen.len() == CANDIDATES {
            break;
        }
    }
    chosen
        .iter()
        .map(|&number| SCALES.0 * (number as f32 * step).exp())
        .collect()
}

/// The power of a picture at each frequency, relative to that of its neighbours at the same distance.
struct Power {
    side: usize,
    values: Vec<f32>,
}

/// How many columns are transformed at a time, because a row of the memory holds their values side by side.
const TOGETHER: usize = 16;

impl Power {
    fn of(plane: &Plane) -> Self {
        let side = (plane.width.max(plane.height) * 4 / 3).next_power_of_two();
        let bins = side / 2 + 1;
        let across = real_forward(side);
        let mut spectrum = vec![Complex::new(0.0, 0.0); bins * side];
        let mut row = vec![0.0; side];
        for (y, values) in plane.values.chunks_exact(plane.width).enumerate() {
            row.fill(0.0);
            row[..plane.width].copy_from_slice(values);
            across
                .process(&mut row, &mut spectrum[bins * y..][..bins])
                .expect("the lengths are those of the plan");
        }
        let down = forward(side);
        let mut values = vec![0.0_f32; bins * side];
        let mut scratch = vec![Complex::new(0.0, 0.0); down.get_inplace_scratch_len()];
        let mut columns = vec![Complex::new(0.0, 0.0); TOGETHER * side];
        for first in (0..bins).step_by(TOGETHER) {
            let wide = TOGETHER.min(bins - first);
            columns.fill(Complex::new(0.0, 0.0));
            for y in 0..plane.height {
                for x in 0..wide {
                    columns[side * x + y] = spectrum[bins * y + first + x];
                }
            }
            for column in columns.chunks_exact_mut(side).take(wide) {
                down.process_with_scratch(column, &mut scratch);
            }
            for y in 0..side {
                for x in 0..wide {
                    values[bins * y + first + x] = columns[side * x + y].norm_sqr();
                }
            }
        }
        let mut power = Self { side, values };
        power.even_out();
        power
    }

    /// Divides by the mean of each ring, and cuts off what stands out.
    fn even_out(&mut self) {
        let (side, bins) = (self.side, self.side / 2 + 1);
        let ring = |x: usize, y: usize| {
            let y = y.min(side - y) as f32;
            ((x as f32).hypot(y) * 256.0 / side as f32) as usize
        };
        let mut sums = vec![(0.0_f64, 0_u32); 256];
        for (y, row) in self.values.chunks_exact(bins).enumerate() {
            for (x, value) in row.iter().enumerate() {
                let sum = &mut sums[ring(x, y)];
                *sum = (sum.0 + f64::from(*value), sum.1 + 1);
            }
        }
        for (y, row) in self.values.chunks_exact_mut(bins).enumerate() {
            for (x, value) in row.iter_mut().enumerate() {
                let (sum, count) = sums[ring(x, y)];
                *value = (*value * count as f32 / sum.max(1e-9) as f32).min(6.0);
            }
        }
    }

    /// The largest of the four values around a wave's frequency at a scale; 0 beyond the highest of the picture.
    fn near(&self, wave: &Wave, scale: f32) -> f32 {
        let (side, bins) = (self.side as i32, self.side / 2 + 1);
        let at = |cycles: i32| cycles as f32 / (TILE as f32 * scale) * self.side as f32;
        let (x, y) = (at(wave.x).floor() as i32, at(wave.y).floor() as i32);
        if x + 1 >= bins as i32 || y.abs() + 1 >= side / 2 {
            return 0.0;
        }
        let mut most = 0.0_f32;
        for (x, y) in [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)] {
            most = most.max(self.values[bins * y.rem_euclid(side) as usize + x as usize]);
        }
        most
    }
}
