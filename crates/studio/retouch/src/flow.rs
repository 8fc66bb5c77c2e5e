//! Optical flow: where the things of one picture are in the next, dense, from coarse to fine (Lucas and Kanade
//! 1981, with warping between steps as in Bouguet's pyramid, 2001), smoothed where the pictures have no features.

use crate::Plane;
use crate::canvas::Canvas;

/// Steps at each size.
const STEPS: usize = 3;
/// Smallest side of the coarsest size.
const COARSEST: usize = 14;
/// Damps a step where there are no features, in squared grey values.
const HOLD: f32 = 18.0;

/// For each pixel of the first picture, the offset to it in the second.
#[derive(Debug, Clone)]
pub struct Flow {
    pub across: Plane,
    pub down: Plane,
}

impl Flow {
    /// From one plane of lightness (0 to 255) to another of the same size. `reach` is how many pixels around each one
    /// must agree.
    pub fn between(a: &Plane, b: &Plane, reach: usize) -> Self {
        let mut sizes = vec![(a.width, a.height)];
        while let Some(&(w, h)) = sizes.last()
            && w.min(h) / 2 >= COARSEST
        {
            sizes.push((w.div_ceil(2), h.div_ceil(2)));
        }
        let mut pyramid = vec![(a.clone(), b.clone())];
        for (w, h) in &sizes[1..] {
            let smaller = pyramid
                .last()
                .map(|(a, b)| (halved(a, *w, *h), halved(b, *w, *h)));
            pyramid.extend(smaller);
        }
        let (w, h) = sizes[sizes.len() - 1];
        let mut flow = Self {
            across: Plane::new(w, h),
            down: Plane::new(w, h),
        };
        for (a, b) in pyramid.iter().rev() {
            flow = flow.resized(a.width, a.height);
            for _ in 0..STEPS {
                flow.step(a, b, reach);
            }
        }
        flow
    }

    /// The same for pictures of another size.
    pub fn resized(&self, width: usize, height: usize) -> Self {
        if (width, height) == (self.across.width, self.across.height) {
            return self.clone();
        }
        let (kx, ky) = (
            width as f32 / self.across.width as f32,
            height as f32 / self.across.height as f32,
        );
        let at = |plane: &Plane, k: f32| {
            Plane::from_fn(width, height, |x, y| {
                k * plane.bilinear((x as f32 + 0.5) / kx - 0.5, (y as f32 + 0.5) / ky - 0.5)
            })
        };
        Self {
            across: at(&self.across, kx),
            down: at(&self.down, ky),
        }
    }

    fn step(&mut self, a: &Plane, b: &Plane, reach: usize) {
        let warped = self.fetch(b);
        let slope = |x: usize, y: usize, dx: isize, dy: isize| {
            let (x, y) = (x as isize, y as isize);
            let of = |p: &Plane| p.clamped(x + dx, y + dy) - p.clamped(x - dx, y - dy);
            0.25 * (of(a) + of(&warped))
        };
        let ix = Plane::from_fn(a.width, a.height, |x, y| slope(x, y, 1, 0));
        let iy = Plane::from_fn(a.width, a.height, |x, y| slope(x, y, 0, 1));
        let it = warped.zip(a, |b, a| b - a);
        let mean = |p: &Plane, q: &Plane| p.zip(q, |p, q| p * q).box_mean(reach);
        let (xx, xy, yy) = (mean(&ix, &ix), mean(&ix, &iy), mean(&iy, &iy));
        let (xt, yt) = (mean(&ix, &it), mean(&iy, &it));
        for i in 0..self.across.data.len() {
            let (p, q, r) = (xx.data[i] + HOLD, xy.data[i], yy.data[i] + HOLD);
            let determinant = (p * r - q * q).max(1e-3);
            let du = (q * yt.data[i] - r * xt.data[i]) / determinant;
            let dv = (q * xt.data[i] - p * yt.data[i]) / determinant;
            self.across.data[i] += du.clamp(-1.5, 1.5);
            self.down.data[i] += dv.clamp(-1.5, 1.5);
        }
        self.across = self.across.box_mean(1);
        self.down = self.down.box_mean(1);
    }

    /// A plane of the second picture, warped to the first.
    pub fn fetch(&self, b: &Plane) -> Plane {
        Plane::from_fn(b.width, b.height, |x, y| {
            b.bilinear(x as f32 + self.across.at(x, y), y as f32 + self.down.at(x, y))
        })
    }
}

fn halved(plane: &Plane, width: usize, height: usize) -> Plane {
    Plane::from_fn(width, height, |x, y| {
        let at = |dx, dy| plane.clamped(2 * x as isize + dx, 2 * y as isize + dy);
        0.25 * (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1))
    })
}

/// How light each pixel is, 0 to 255.
pub fn lightness(canvas: &Canvas) -> Plane {
    Plane::from_fn(canvas.frame.width, canvas.frame.height, |x, y| {
        255.0 * canvas.at(x, y).luma()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shift_is_found() {
        let picture = |dx: f32, dy: f32| {
            Plane::from_fn(160, 100, |x, y| {
                let (x, y) = (x as f32 - dx, y as f32 - dy);
                128.0 + 60.0 * (x * 0.13).sin() * (y * 0.17).cos() + 40.0 * (x * 0.05 + y * 0.07).sin()
            })
        };
        for (dx, dy) in [(2.0, 1.0), (-6.0, 3.5), (11.0, 0.0)] {
            let flow = Flow::between(&picture(0.0, 0.0), &picture(dx, dy), 3);
            let mean = |plane: &Plane| {
                let inner: Vec<f32> = (20..80)
                    .flat_map(|y| (30..130).map(move |x| (x, y)))
                    .map(|(x, y)| plane.at(x, y))
                    .collect();
                inner.iter().sum::<f32>() / inner.len() as f32
            };
            let found = (mean(&flow.across), mean(&flow.down));
            assert!(
                (found.0 - dx).abs() < 0.5 && (found.1 - dy).abs() < 0.5,
                "{found:?} for {dx} {dy}"
            );
        }
    }
}
