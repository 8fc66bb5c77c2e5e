//! The colours of a subject and of what is around it, each as a mixture of Gaussians with full covariance
//! (as in GrabCut: Rother, Kolmogorov and Blake 2004).

/// Gaussians of one mixture.
const PARTS: usize = 5;

type Color = [f32; 3];

/// A mixture.
#[derive(Debug, Clone)]
pub(super) struct Mixture {
    parts: Vec<Part>,
}

#[derive(Debug, Clone)]
struct Part {
    mean: Color,
    /// The inverse of the covariance: xx, xy, xz, yy, yz, zz.
    inverse: [f32; 6],
    /// The logarithm of the weight over the root of the covariance's determinant.
    level: f32,
}

impl Mixture {
    /// Fits a mixture to colours; nothing where there are too few to say anything.
    pub(super) fn fit(colors: &[Color]) -> Option<Self> {
        if colors.len() < 2 * PARTS {
            return None;
        }
        let mut owners = split(colors);
        let mut mixture = Self::of(colors, &owners);
        for _ in 0..3 {
            for (owner, color) in owners.iter_mut().zip(colors) {
                *owner = (0..mixture.parts.len())
                    .max_by(|a, b| {
                        mixture.parts[*a]
                            .log(color)
                            .total_cmp(&mixture.parts[*b].log(color))
                    })
                    .unwrap_or(0);
            }
            mixture = Self::of(colors, &owners);
        }
        Some(mixture)
    }

    /// The negative logarithm of how likely a colour is.
    pub(super) fn cost(&self, color: &Color) -> f32 {
        let logs: Vec<f32> = self.parts.iter().map(|part| part.log(color)).collect();
        let most = logs.iter().copied().fold(f32::MIN, f32::max);
        -(most + logs.iter().map(|log| (log - most).exp()).sum::<f32>().ln())
    }

    fn of(colors: &[Color], owners: &[usize]) -> Self {
        let parts = (0..PARTS).filter_map(|k| {
            let own: Vec<&Color> = colors
                .iter()
                .zip(owners)
                .filter(|(_, owner)| **owner == k)
                .map(|(color, _)| color)
                .collect();
            Part::of(&own, own.len() as f32 / colors.len() as f32)
        });
        Self {
            parts: parts.collect(),
        }
    }
}

impl Part {
    fn of(colors: &[&Color], weight: f32) -> Option<Self> {
        if colors.len() < 2 {
            return None;
        }
        let count = colors.len() as f32;
        let mean: Color = std::array::from_fn(|c| colors.iter().map(|color| color[c]).sum::<f32>() / count);
        let moment = |a: usize, b: usize| {
            // A little of white noise keeps flat colours from being infinitely sure.
            colors
                .iter()
                .map(|color| (color[a] - mean[a]) * (color[b] - mean[b]))
                .sum::<f32>()
                / count
                + if a == b { 4.0 } else { 0.0 }
        };
        let [xx, xy, xz] = [moment(0, 0), moment(0, 1), moment(0, 2)];
        let [yy, yz, zz] = [moment(1, 1), moment(1, 2), moment(2, 2)];
        let determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
        let determinant = determinant.max(1e-3);
        let inverse = [
            yy * zz - yz * yz,
            xz * yz - xy * zz,
            xy * yz - xz * yy,
            xx * zz - xz * xz,
            xy * xz - xx * yz,
            xx * yy - xy * xy,
        ]
        .map(|v| v / determinant);
        Some(Self {
            mean,
            inverse,
            level: (weight / determinant.sqrt()).ln(),
        })
    }

    fn log(&self, color: &Color) -> f32 {
        let [x, y, z]: Color = std::array::from_fn(|c| color[c] - self.mean[c]);
        let [xx, xy, xz, yy, yz, zz] = self.inverse;
        let distance = xx * x * x + yy * y * y + zz * z * z + 2.0 * (xy * x * y + xz * x * z + yz * y * z);
        self.level - 0.5 * distance
    }
}

/// Groups colours by cutting the widest group in two, again and again (Orchard and Bouman 1991).
fn split(colors: &[Color]) -> Vec<usize> {
    let mut owners = vec![0; colors.len()];
    for next in 1..PARTS {
        let Some((group, axis, mean)) = (0..next)
            .filter_map(|k| widest(colors, &owners, k).map(|(axis, mean, spread)| (k, axis, mean, spread)))
            .max_by(|a, b| a.3.total_cmp(&b.3))
            .map(|(k, axis, mean, _)| (k, axis, mean))
        else {
            break;
        };
        for (owner, color) in owners.iter_mut().zip(colors) {
            let along: f32 = (0..3).map(|c| axis[c] * (color[c] - mean[c])).sum();
            if *owner == group && along > 0.0 {
                *owner = next;
            }
        }
    }
    owners
}

/// The direction in which a group is widest, its middle, and how wide it is in all.
fn widest(colors: &[Color], owners: &[usize], group: usize) -> Option<(Color, Color, f32)> {
    let own: Vec<&Color> = colors
        .iter()
        .zip(owners)
        .filter(|(_, owner)| **owner == group)
        .map(|(color, _)| color)
        .collect();
    if own.len() < 4 {
        return None;
    }
    let count = own.len() as f32;
    let mean: Color = std::array::from_fn(|c| own.iter().map(|color| color[c]).sum::<f32>() / count);
    let mut covariance = [[0.0_f32; 3]; 3];
    for color in &own {
        for a in 0..3 {
            for b in 0..3 {
                covariance[a][b] += (color[a] - mean[a]) * (color[b] - mean[b]);
            }
        }
    }
    let mut axis = [0.6, 0.57, 0.56];
    let mut length = 0.0;
    for _ in 0..12 {
        let next: Color = std::array::from_fn(|a| (0..3).map(|b| covariance[a][b] * axis[b]).sum());
        length = next.iter().map(|v| v * v).sum::<f32>().sqrt();
        if length < 1e-6 {
            return None;
        }
        axis = next.map(|v| v / length);
    }
    Some((axis, mean, length))
}
