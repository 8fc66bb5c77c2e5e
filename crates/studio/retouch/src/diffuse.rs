//! Extends known values into the unknown by a pyramid: summed down with their weights, and interpolated up again
//! where nothing is known (push and pull, Gortler et al. 1996, "The lumigraph").

use super::Plane;

/// Fills every plane where `weight` is below one from where it is not; some weight must be above zero.
pub fn fill(planes: &[Plane; 3], weight: &Plane) -> [Plane; 3] {
    let (w, h) = (weight.width, weight.height);
    if w <= 2 && h <= 2 {
        let total: f32 = weight.data.iter().sum::<f32>().max(1e-6);
        return std::array::from_fn(|c| {
            let sum: f32 = planes[c].data.iter().zip(&weight.data).map(|(v, k)| v * k).sum();
            planes[c].map(|_| sum / total)
        });
    }
    let (half_w, half_h) = (w.div_ceil(2), h.div_ceil(2));
    // Weighted sums of four, and how much weight they have, up to one.
    let gather = |value: &(dyn Fn(usize, usize) -> f32 + Sync)| {
        Plane::from_fn(half_w, half_h, |x, y| {
            let mut sum = 0.0;
            for (u, v) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let (u, v) = (2 * x + u, 2 * y + v);
                if u < w && v < h {
                    sum += value(u, v);
                }
            }
            sum
        })
    };
    let sums = gather(&|x, y| weight.at(x, y));
    let small: [Plane; 3] = std::array::from_fn(|c| {
        gather(&|x, y| weight.at(x, y) * planes[c].at(x, y))
            .zip(&sums, |v, k| if k > 0.0 { v / k } else { 0.0 })
    });
    let filled = fill(&small, &sums.map(|k| k.min(1.0)));
    std::array::from_fn(|c| {
        Plane::from_fn(w, h, |x, y| {
            let k = weight.at(x, y).clamp(0.0, 1.0);
            let below = filled[c].bilinear(0.5 * x as f32 - 0.25, 0.5 * y as f32 - 0.25);
            k * planes[c].at(x, y) + (1.0 - k) * below
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_stay_and_the_unknown_lie_between_them() {
        let plane = Plane::from_fn(37, 21, |x, _| if x < 5 { 10.0 } else { 90.0 });
        let weight = Plane::from_fn(37, 21, |x, _| f32::from(u8::from(!(5..32).contains(&x))));
        let out = fill(&[plane.clone(), plane.clone(), plane], &weight);
        assert!((out[0].at(2, 10) - 10.0).abs() < 1e-6);
        assert!((out[1].at(35, 3) - 90.0).abs() < 1e-6);
        let row = out[2].row(10);
        assert!(row[5..32].iter().all(|v| (10.0..=90.0).contains(v)));
        assert!(row[8] < row[28], "{} and {}", row[8], row[28]);
    }
}
