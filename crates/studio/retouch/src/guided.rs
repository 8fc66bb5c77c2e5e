//! The guided filter with a guide in colour (He, Sun and Tang 2013, "Guided image filtering"): each value as a
//! linear function of the colours nearby. Its functions, kept small, can be applied to the large picture.

use super::Plane;

/// A linear function of colour for every place: three slopes and an offset.
#[derive(Debug, Clone)]
pub struct Linear {
    pub slopes: [Plane; 3],
    pub offset: Plane,
}

impl Linear {
    /// The function's value for a colour at a place of a plane `scale` times as large.
    #[inline]
    pub fn at(&self, x: f32, y: f32, color: [f32; 3]) -> f32 {
        let sum: f32 = (0..3).map(|c| self.slopes[c].bilinear(x, y) * color[c]).sum();
        sum + self.offset.bilinear(x, y)
    }
}

/// Fits `target` by colour within squares of `2 · radius + 1`, where `weight` is the confidence in each value;
/// `epsilon` regularises slopes.
pub fn fit(guide: &[Plane; 3], target: &Plane, weight: &Plane, radius: usize, epsilon: f32) -> Linear {
    let total = weight.box_mean(radius).map(|v| v.max(1e-5));
    let mean = |plane: &Plane| {
        plane
            .zip(weight, |v, k| v * k)
            .box_mean(radius)
            .zip(&total, |v, k| v / k)
    };
    let means: [Plane; 3] = std::array::from_fn(|c| mean(&guide[c]));
    let aim = mean(target);
    let pairs = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
    let moments: [Plane; 6] = std::array::from_fn(|i| {
        let (a, b) = pairs[i];
        mean(&guide[a].zip(&guide[b], |u, v| u * v))
    });
    let crosses: [Plane; 3] = std::array::from_fn(|c| mean(&guide[c].zip(target, |u, v| u * v)));
    let (w, h) = (target.width, target.height);
    let mut slopes: [Plane; 3] = std::array::from_fn(|_| Plane::new(w, h));
    let mut offset = Plane::new(w, h);
    for i in 0..w * h {
        let m: [f32; 3] = std::array::from_fn(|c| means[c].data[i]);
        let v = |k: usize| {
            let (a, b) = pairs[k];
            moments[k].data[i] - m[a] * m[b] + if a == b { epsilon } else { 0.0 }
        };
        let [xx, xy, xz, yy, yz, zz] = [v(0), v(1), v(2), v(3), v(4), v(5)];
        let c: [f32; 3] = std::array::from_fn(|c| crosses[c].data[i] - m[c] * aim.data[i]);
        let determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
        let inverse = 1.0 / determinant.max(1e-6);
        let s = [
            ((yy * zz - yz * yz) * c[0] + (xz * yz - xy * zz) * c[1] + (xy * yz - xz * yy) * c[2]) * inverse,
            ((xz * yz - xy * zz) * c[0] + (xx * zz - xz * xz) * c[1] + (xy * xz - xx * yz) * c[2]) * inverse,
            ((xy * yz - xz * yy) * c[0] + (xy * xz - xx * yz) * c[1] + (xx * yy - xy * xy) * c[2]) * inverse,
        ];
        for k in 0..3 {
            slopes[k].data[i] = s[k];
        }
        offset.data[i] = aim.data[i] - s[0] * m[0] - s[1] * m[1] - s[2] * m[2];
    }
    Linear {
        slopes: slopes.map(|plane| plane.box_mean(radius)),
        offset: offset.box_mean(radius),
    }
}
