//! Stabilising still parts: noise of the camera and the codec is averaged over time where nothing moves, so that a
//! style, which makes strokes of small differences, does not flicker.

use atelier_film::I420;
use rayon::prelude::*;

/// Differences up to the first are noise, and from the second on movement.
const NOISE: f32 = 4.0;
const MOVES: f32 = 13.0;
/// The weight of a new value if it differs only by noise.
const SLOW: f32 = 0.14;

/// The film so far.
#[derive(Debug)]
pub(super) struct Still {
    /// Values times 256.
    seen: Vec<u16>,
    /// The weight of a difference, times 256.
    follow: [i32; 256],
}

impl Still {
    pub(super) fn new() -> Self {
        let follow = std::array::from_fn(|d| {
            let t = ((d as f32 - NOISE) / (MOVES - NOISE)).clamp(0.0, 1.0);
            ((SLOW + (1.0 - SLOW) * t * t * (3.0 - 2.0 * t)) * 256.0).round() as i32
        });
        Self {
            seen: Vec::new(),
            follow,
        }
    }

    /// Removes the noise of the next frame.
    pub(super) fn hold(&mut self, frame: &mut I420) {
        if self.seen.len() != frame.data.len() {
            self.seen = frame.data.iter().map(|v| u16::from(*v) << 8).collect();
            return;
        }
        let follow = &self.follow;
        self.seen
            .par_chunks_mut(1 << 14)
            .zip(frame.data.par_chunks_mut(1 << 14))
            .for_each(|(seen, values)| {
                for (seen, value) in seen.iter_mut().zip(values) {
                    let old = i32::from(*seen);
                    let difference = (i32::from(*value) << 8) - old;
                    let k = follow[(difference.unsigned_abs() as usize >> 8).min(255)];
                    let new = old + ((difference * k) >> 8);
                    *seen = new as u16;
                    *value = ((new + 128) >> 8).min(255) as u8;
                }
            });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_averaged_and_movement_is_followed_at_once() {
        let mut still = Still::new();
        let mut spread = 0;
        for n in 0..40_u32 {
            let mut frame = I420::new(16, 16);
            let noise = n.wrapping_mul(2_654_435_761) >> 30;
            frame.data[..256].fill(100 + noise as u8);
            if n >= 30 {
                frame.data[7] = 220;
            }
            still.hold(&mut frame);
            if n > 10 {
                spread = spread.max(frame.data[0].abs_diff(101));
            }
            if n >= 30 {
                assert!(frame.data[7] >= 218, "{}", frame.data[7]);
            }
        }
        assert!(spread <= 1, "{spread}");
    }
}
