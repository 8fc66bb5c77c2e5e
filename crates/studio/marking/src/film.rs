//! Writes the same mark into all frames of a film.

use crate::{
    Embedded, Id, Key, SMALLEST, Shape, TooPlain,
    embed::{Pattern, RESERVE, checked, psnr},
    filter::Plane,
    gain::Blocks,
};

/// Black and white in the brightness of a film.
const BLACK: f32 = 16.0;
const WHITE: f32 = 235.0;
/// The least ratio of a frame to the mark's noise, in dB, and how much more than its gain the mark may become: more
/// than in pictures, because films are compressed more, and because the mark of one frame is seen for an instant.
const LEAST: f32 = 40.0;
const STRONGER: f32 = 1.5;
/// One of so many frames is read, to check whether the mark survives.
const CHECKED: u64 = 12;

/// Marks the frames of a film, one after another.
#[derive(Debug, Clone)]
pub struct Marker {
    pattern: Pattern,
    shape: Shape,
    frames: u64,
    squares: u64,
    sum: Option<Plane>,
}

impl Marker {
    /// For frames of this size.
    pub fn new(width: usize, height: usize, id: Id, key: &Key) -> Result<Self, TooPlain> {
        if width.min(height) < SMALLEST {
            return Err(TooPlain);
        }
        Ok(Self {
            pattern: Pattern::of(id, key),
            shape: Shape {
                width,
                height,
                channels: 1,
            },
            frames: 0,
            squares: 0,
            sum: None,
        })
    }

    /// Writes the mark into the brightness of the next frame, 16 (black) to 235 (white).
    ///
    /// # Panics
    ///
    /// If the values do not fill the size.
    pub fn mark(&mut self, light: &mut [u8]) {
        assert_eq!(light.len(), self.shape.bytes(), "a frame of another size");
        let gain = Blocks::of(light, self.shape).gain(BLACK..=WHITE);
        self.squares += self.pattern.add(light, self.shape, &gain, (LEAST, STRONGER));
        if self.frames.is_multiple_of(CHECKED) {
            let seen = checked(&Blocks::of(light, self.shape).light);
            self.sum = Some(match self.sum.take() {
                Some(sum) => sum.map2(&seen, |sum, value| sum + value),
                None => seen,
            });
        }
        self.frames += 1;
    }

    /// How good the film is, and how clearly the mark is read from it; or that it is too plain, and must be discarded.
    pub fn finish(self) -> Result<Embedded, TooPlain> {
        let (fixed, symbols) = self.pattern.fit(&self.sum.ok_or(TooPlain)?);
        if fixed < RESERVE.0 || symbols < RESERVE.1 {
            return Err(TooPlain);
        }
        Ok(Embedded {
            psnr: psnr(self.squares, self.frames * self.shape.bytes() as u64),
            score: fixed,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Frames;

    const KEY: Key = Key([9; 32]);

    /// A picture of grain on hills, which moves by two pixels a frame.
    fn frame(width: usize, height: usize, number: usize) -> Vec<u8> {
        let mut state = 1_u32;
        let mut grain = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as f32 * 0.1
        };
        let noise: Vec<f32> = (0..2 * width * height).map(|_| grain()).collect();
        let value = |x: usize, y: usize| {
            let hill = (x as f32 * 0.05).sin() * (y as f32 * 0.04).cos();
            (120.0 + 50.0 * hill + noise[2 * width * y + x]) as u8
        };
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x + 2 * number, y)));
        places.map(|(x, y)| value(x, y)).collect()
    }

    #[test]
    fn frames_of_a_film_carry_the_same_mark_at_the_same_place() {
        let (width, height) = (320, 240);
        let id = Id::new(21).unwrap();
        let mut marker = Marker::new(width, height, id, &KEY).unwrap();
        let shape = Shape {
            width,
            height,
            channels: 1,
        };
        let mut frames = Frames::new(shape);
        for number in 0..13 {
            let mut light = frame(width, height, number);
            marker.mark(&mut light);
            frames.add_weighted(&light, if number == 0 { 8.0 } else { 1.0 });
        }
        let embedded = marker.finish().unwrap();
        assert!(embedded.psnr > 39.9, "{embedded:?}");
        assert_eq!(frames.read(&KEY).and_then(|reading| reading.id), Some(id));
    }

    #[test]
    fn a_film_that_cannot_hide_a_mark_says_so() {
        let id = Id::new(22).unwrap();
        assert!(Marker::new(320, 199, id, &KEY).is_err());
        for level in [16, 235] {
            let mut marker = Marker::new(320, 240, id, &KEY).unwrap();
            let mut light = vec![level; 320 * 240];
            marker.mark(&mut light);
            assert!(light.iter().all(|value| *value == level));
            assert_eq!(marker.finish(), Err(TooPlain));
        }
        assert_eq!(Marker::new(320, 240, id, &KEY).unwrap().finish(), Err(TooPlain));
    }
}
