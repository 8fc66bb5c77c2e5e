//! Which colours are the subject's, learnt from frames all over the film: a patch of sand that was taken for a part of the
//! subject in one frame has a colour that is background nearly everywhere.

use crate::image::draw::Canvas;
use crate::tools::Plane;

/// Steps of each channel.
const STEPS: usize = 16;
/// A colour that is the subject's less often than this, where it is seen, is the background's.
const OWN: f32 = 0.25;
/// Where so much of a subject has colours of the background, colours say nothing about it.
const MOST: f32 = 0.75;

/// For each colour, how often it is the subject's.
#[derive(Debug)]
pub(super) struct Colors(Vec<f32>);

impl Colors {
    /// From frames and where the subject is in each; nothing where too few show one.
    pub(super) fn learn(shown: &[(Canvas, Plane)]) -> Option<Self> {
        if shown.len() < 3 {
            return None;
        }
        let mut counts = vec![(0.0_f32, 0.0_f32); STEPS * STEPS * STEPS];
        for (canvas, mask) in shown {
            for (pixel, inside) in canvas.pixels.iter().zip(&mask.data) {
                let count = &mut counts[place(*pixel)];
                count.0 += inside;
                count.1 += 1.0;
            }
        }
        // Colours next to each other are the same thing in other light.
        let own = (0..counts.len())
            .map(|i| {
                let (r, g, b) = (i / STEPS / STEPS, i / STEPS % STEPS, i % STEPS);
                let near = |v: usize| v.saturating_sub(1)..=(v + 1).min(STEPS - 1);
                let mut sum = (0.0, 0.0);
                for x in near(r) {
                    for y in near(g) {
                        for z in near(b) {
                            let (inside, all) = counts[(x * STEPS + y) * STEPS + z];
                            let weight = if (x, y, z) == (r, g, b) { 4.0 } else { 1.0 };
                            sum = (sum.0 + weight * inside, sum.1 + weight * all);
                        }
                    }
                }
                // What was never seen may be anybody's.
                (sum.0 + 0.5) / (sum.1 + 1.0)
            })
            .collect();
        Some(Self(own))
    }

    /// A mask without what has colours of the background and hangs together with it.
    pub(super) fn pruned(&self, mask: Plane, canvas: &Canvas) -> Plane {
        let (w, h) = (mask.width, mask.height);
        let inside: Vec<bool> = mask.data.iter().map(|m| *m > 0.5).collect();
        let all = inside.iter().filter(|is| **is).count();
        let mut left = inside.clone();
        let mut open: Vec<usize> = (0..w * h).filter(|i| !inside[*i]).collect();
        let mut gone = 0;
        while let Some(i) = open.pop() {
            let (x, y) = (i % w, i / w);
            let near = [
                (x > 0).then(|| i - 1),
                (x + 1 < w).then(|| i + 1),
                (y > 0).then(|| i - w),
                (y + 1 < h).then(|| i + w),
            ];
            for next in near.into_iter().flatten() {
                if left[next] && self.0[place(canvas.pixels[next])] < OWN {
                    left[next] = false;
                    gone += 1;
                    open.push(next);
                }
            }
        }
        if gone as f32 > MOST * all as f32 {
            return mask;
        }
        let mut pruned = mask;
        for (value, (was, is)) in pruned.data.iter_mut().zip(inside.into_iter().zip(left)) {
            if was && !is {
                *value = 0.0;
            }
        }
        pruned
    }
}

fn place([r, g, b, _]: [u8; 4]) -> usize {
    let step = |v: u8| usize::from(v) * STEPS / 256;
    (step(r) * STEPS + step(g)) * STEPS + step(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::draw::Frame;

    const RED: [u8; 4] = [200, 30, 30, 0];
    const SAND: [u8; 4] = [210, 180, 120, 0];

    /// A red square on sand, with a sandy button that does not touch the outside.
    fn frame(left: usize) -> Canvas {
        let mut canvas = Canvas::new(Frame::new(40, 24));
        for (i, pixel) in canvas.pixels.iter_mut().enumerate() {
            let (x, y) = (i % 40, i / 40);
            let button = x == left + 5 && y == 11;
            let red = (left..left + 10).contains(&x) && (6..16).contains(&y) && !button;
            *pixel = if red { RED } else { SAND };
        }
        canvas
    }

    fn mask(columns: std::ops::Range<usize>) -> Plane {
        Plane::from_fn(40, 24, |x, y| {
            f32::from(u8::from(columns.contains(&x) && (6..16).contains(&y)))
        })
    }

    #[test]
    fn sand_that_was_taken_along_is_left_and_what_the_subject_encloses_stays() {
        let shown = [
            (frame(4), mask(4..14)),
            (frame(12), mask(12..22)),
            (frame(20), mask(20..38)),
        ];
        let colors = Colors::learn(&shown).unwrap();
        let pruned = colors.pruned(mask(20..38), &frame(20));
        assert_eq!(pruned.data, mask(20..30).data);
        assert!(Colors::learn(&shown[..2]).is_none());
    }

    #[test]
    fn a_subject_in_the_colours_of_its_background_is_left_alone() {
        let sand = || Canvas {
            pixels: vec![SAND; 40 * 24],
            ..frame(0)
        };
        let shown = [
            (sand(), mask(4..14)),
            (sand(), mask(12..22)),
            (sand(), mask(20..30)),
        ];
        let colors = Colors::learn(&shown).unwrap();
        assert_eq!(colors.pruned(mask(4..14), &sand()).data, mask(4..14).data);
    }
}
