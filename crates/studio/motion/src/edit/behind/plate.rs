//! The clean plate: for each frame the colours that other frames show at the same place of the background, and how
//! far the frame's own colours are from them.

use rayon::prelude::*;

use super::ground::Ground;
use atelier_retouch::Plane;

/// The largest number of frames to compare with.
const ASKED: usize = 11;
/// Pixels from one traced place to the next.
const MESH: usize = 8;

/// A frame's pixels in the small size, rows from the top.
pub(super) type Pixels = Vec<[u8; 3]>;

/// Consecutive frames, and the background's motion from each to the next.
pub(super) struct Row<'a> {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) frames: &'a [Pixels],
    pub(super) grounds: &'a [Ground],
}

impl Row<'_> {
    /// The evidence for each pixel of a frame being foreground: above zero where its colour differs from what is
    /// visible there at other times, below where it is the same, zero where other frames do not tell. `masks` are the
    /// assumed places of the subject.
    pub(super) fn unlike(&self, frame: usize, masks: Option<&[Plane]>) -> Plane {
        let (w, h) = (self.width, self.height);
        let asked = self.asked(frame);
        let mesh = (w.div_ceil(MESH) + 1, h.div_ceil(MESH) + 1);
        let ways = self.ways(frame, &asked, mesh);
        let mut plate: Vec<Option<([f32; 3], f32)>> = vec![None; w * h];
        plate.par_chunks_mut(w).enumerate().for_each(|(y, row)| {
            let mut seen: [Vec<f32>; 3] = std::array::from_fn(|_| Vec::with_capacity(ASKED));
            for (x, out) in row.iter_mut().enumerate() {
                seen.iter_mut().for_each(Vec::clear);
                for (other, way) in asked.iter().zip(&ways) {
                    let (u, v) = meshed(way, mesh.0, x, y);
                    if u < 0.0 || v < 0.0 || u > w as f32 - 1.0 || v > h as f32 - 1.0 {
                        continue;
                    }
                    if masks.is_some_and(|masks| masks[*other].bilinear(u, v) > 0.2) {
                        continue;
                    }
                    let color = self.color(*other, u, v);
                    for (seen, value) in seen.iter_mut().zip(color) {
                        seen.push(value);
                    }
                }
                if seen[0].len() >= 3 {
                    let middle: [f32; 3] = std::array::from_fn(|c| median(&mut seen[c]));
                    let spread: f32 = (0..3)
                        .map(|c| {
                            for value in &mut seen[c] {
                                *value = (*value - middle[c]).abs();
                            }
                            median(&mut seen[c])
                        })
                        .fold(0.0, f32::max);
                    *out = Some((middle, spread));
                }
            }
        });
        let own = &self.frames[frame];
        Plane::from_fn(w, h, |x, y| {
            let color = own[y * w + x].map(f32::from);
            let mut least = f32::MAX;
            // Edges of the background are never exactly where they are expected.
            for v in y.saturating_sub(1)..(y + 2).min(h) {
                for u in x.saturating_sub(1)..(x + 2).min(w) {
                    let Some((middle, spread)) = plate[v * w + u] else {
                        return 0.0;
                    };
                    let far = (0..3).map(|c| (color[c] - middle[c]).powi(2)).sum::<f32>();
                    let far = far.min(shaded(color, middle));
                    least = least.min(far / (6.0 + 1.6 * spread).powi(2));
                }
            }
            (0.5 * least - 1.0).clamp(-1.0, 4.0)
        })
    }

    fn asked(&self, frame: usize) -> Vec<usize> {
        let count = self.frames.len();
        let step = (count as f32 / ASKED as f32).max(1.0);
        let mut asked: Vec<usize> = (0..ASKED.min(count))
            .map(|k| ((k as f32 + 0.5) * step) as usize)
            .collect();
        asked.retain(|other| *other != frame && *other < count);
        asked
    }

    /// Returns the positions of the places of a mesh over the frame in each of the other frames.
    fn ways(&self, frame: usize, asked: &[usize], mesh: (usize, usize)) -> Vec<Vec<(f32, f32)>> {
        let mut ways = vec![Vec::new(); asked.len()];
        let start: Vec<(f32, f32)> = (0..mesh.0 * mesh.1)
            .map(|i| ((i % mesh.0 * MESH) as f32, (i / mesh.0 * MESH) as f32))
            .collect();
        let mut places = start.clone();
        for other in frame + 1..self.frames.len() {
            for place in &mut places {
                *place = self.grounds[other - 1].forth(*place);
            }
            if let Some(k) = asked.iter().position(|asked| *asked == other) {
                ways[k].clone_from(&places);
            }
        }
        places = start;
        for other in (0..frame).rev() {
            for place in &mut places {
                *place = self.grounds[other].back(*place);
            }
            if let Some(k) = asked.iter().position(|asked| *asked == other) {
                ways[k].clone_from(&places);
            }
        }
        ways
    }

    fn color(&self, frame: usize, x: f32, y: f32) -> [f32; 3] {
        let (x0, y0) = (x as usize, y as usize);
        let (x1, y1) = ((x0 + 1).min(self.width - 1), (y0 + 1).min(self.height - 1));
        let (u, v) = (x - x0 as f32, y - y0 as f32);
        let pixels = &self.frames[frame];
        let at = |x: usize, y: usize, c: usize| f32::from(pixels[y * self.width + x][c]);
        std::array::from_fn(|c| {
            let top = at(x0, y0, c) + (at(x1, y0, c) - at(x0, y0, c)) * u;
            let bottom = at(x0, y1, c) + (at(x1, y1, c) - at(x0, y1, c)) * u;
            top + (bottom - top) * v
        })
    }
}

/// The squared distance of a colour from another one in shadow: darker, with the same tint.
fn shaded(color: [f32; 3], lit: [f32; 3]) -> f32 {
    let dot = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    let k = dot(color, lit) / dot(lit, lit).max(1.0);
    if !(0.45..1.0).contains(&k) {
        return f32::MAX;
    }
    // Dim light says little about tint.
    (0..3).map(|c| (color[c] - k * lit[c]).powi(2)).sum::<f32>() / (k * k) * 1.5
        + (30.0 * (1.0 - k)).powi(2) * 0.3
}

/// A place between the places of a mesh.
fn meshed(way: &[(f32, f32)], across: usize, x: usize, y: usize) -> (f32, f32) {
    let at = x / MESH + y / MESH * across;
    let (u, v) = ((x % MESH) as f32 / MESH as f32, (y % MESH) as f32 / MESH as f32);
    let mix = |a: (f32, f32), b: (f32, f32), k: f32| (a.0 + (b.0 - a.0) * k, a.1 + (b.1 - a.1) * k);
    mix(
        mix(way[at], way[at + 1], u),
        mix(way[at + across], way[at + across + 1], u),
        v,
    )
}

fn median(values: &mut [f32]) -> f32 {
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f32::total_cmp).1
}
