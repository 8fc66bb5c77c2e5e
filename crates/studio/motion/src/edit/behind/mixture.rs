//! The colours of a subject and of its surroundings, and their sharpness, each as a mixture of Gaussians with full
//! covariance (as in GrabCut: Rother, Kolmogorov and Blake 2004).

use super::features::Feature;

/// Gaussians of one mixture.
const PARTS: usize = 6;

/// Numbers in a feature.
const DIMENSIONS: usize = 4;

/// A mixture.
#[derive(Debug, Clone)]
pub(super) struct Mixture {
    parts: Vec<Part>,
}

#[derive(Debug, Clone)]
struct Part {
    mean: Feature,
    /// The inverse of the covariance's lower triangular root (Cholesky), rows one after the other.
    whitening: [[f32; DIMENSIONS]; DIMENSIONS],
    /// The logarithm of the weight over the root of the covariance's determinant.
    level: f32,
}

impl Mixture {
    /// Fits a mixture to colours; nothing if there are too few.
    pub(super) fn fit(features: &[Feature]) -> Option<Self> {
        if features.len() < 2 * PARTS {
            return None;
        }
        let mut owners = split(features);
        let mut mixture = Self::of(features, &owners);
        for _ in 0..3 {
            for (owner, feature) in owners.iter_mut().zip(features) {
                *owner = (0..mixture.parts.len())
                    .max_by(|a, b| {
                        mixture.parts[*a]
                            .log(feature)
                            .total_cmp(&mixture.parts[*b].log(feature))
                    })
                    .unwrap_or(0);
            }
            mixture = Self::of(features, &owners);
        }
        Some(mixture)
    }

    /// The negative logarithm of how likely a colour is.
    pub(super) fn cost(&self, feature: &Feature) -> f32 {
        let mut logs = [f32::MIN; PARTS];
        for (log, part) in logs.iter_mut().zip(&self.parts) {
            *log = part.log(feature);
        }
        let most = logs.iter().copied().fold(f32::MIN, f32::max);
        -(most + logs.iter().map(|log| (log - most).exp()).sum::<f32>().ln())
    }

    fn of(features: &[Feature], owners: &[usize]) -> Self {
        let parts = (0..PARTS).filter_map(|k| {
            let own: Vec<&Feature> = features
                .iter()
                .zip(owners)
                .filter(|(_, owner)| **owner == k)
                .map(|(feature, _)| feature)
                .collect();
            Part::of(&own, own.len() as f32 / features.len() as f32)
        });
        Self {
            parts: parts.collect(),
        }
    }
}

impl Part {
    fn of(features: &[&Feature], weight: f32) -> Option<Self> {
        if features.len() < 2 {
            return None;
        }
        let (mean, mut covariance) = moments(features);
        for (d, row) in covariance.iter_mut().enumerate() {
            // A little white noise keeps flat colours from being infinitely certain.
            row[d] += 4.0;
        }
        let root = cholesky(&covariance);
        let determinant: f32 = (0..DIMENSIONS).map(|d| root[d][d]).product();
        Some(Self {
            mean,
            whitening: inverse(&root),
            level: (weight / determinant).ln(),
        })
    }

    fn log(&self, feature: &Feature) -> f32 {
        let away: Feature = std::array::from_fn(|d| feature[d] - self.mean[d]);
        let mut sum = 0.0;
        for (d, row) in self.whitening.iter().enumerate() {
            let v: f32 = (0..=d).map(|k| row[k] * away[k]).sum();
            sum += v * v;
        }
        self.level - 0.5 * sum
    }
}

type Matrix = [[f32; DIMENSIONS]; DIMENSIONS];

fn moments(features: &[&Feature]) -> (Feature, Matrix) {
    let count = features.len() as f32;
    let mean: Feature = std::array::from_fn(|d| features.iter().map(|f| f[d]).sum::<f32>() / count);
    let mut covariance = Matrix::default();
    for feature in features {
        for a in 0..DIMENSIONS {
            for b in 0..=a {
                covariance[a][b] += (feature[a] - mean[a]) * (feature[b] - mean[b]) / count;
            }
        }
    }
    for a in 0..DIMENSIONS {
        for b in a + 1..DIMENSIONS {
            covariance[a][b] = covariance[b][a];
        }
    }
    (mean, covariance)
}

/// The lower triangle whose square is the matrix.
fn cholesky(matrix: &Matrix) -> Matrix {
    let mut root = Matrix::default();
    for a in 0..DIMENSIONS {
        for b in 0..=a {
            let sum: f32 = (0..b).map(|k| root[a][k] * root[b][k]).sum();
            root[a][b] = if a == b {
                (matrix[a][a] - sum).max(1e-3).sqrt()
            } else {
                (matrix[a][b] - sum) / root[b][b]
            };
        }
    }
    root
}

/// The inverse of a lower triangle.
fn inverse(root: &Matrix) -> Matrix {
    let mut out = Matrix::default();
    for column in 0..DIMENSIONS {
        for row in column..DIMENSIONS {
            let sum: f32 = (column..row).map(|k| root[row][k] * out[k][column]).sum();
            out[row][column] = (f32::from(u8::from(row == column)) - sum) / root[row][row];
        }
    }
    out
}

/// Groups colours by cutting the widest group in two, again and again (Orchard and Bouman 1991).
fn split(features: &[Feature]) -> Vec<usize> {
    let mut owners = vec![0; features.len()];
    let mut groups = vec![widest(features, &owners, 0)];
    for next in 1..PARTS {
        let Some((group, widest_of)) = groups
            .iter()
            .enumerate()
            .filter_map(|(k, group)| group.map(|group| (k, group)))
            .max_by(|a, b| a.1.spread.total_cmp(&b.1.spread))
        else {
            break;
        };
        for (owner, feature) in owners.iter_mut().zip(features) {
            let along: f32 = (0..DIMENSIONS)
                .map(|d| widest_of.axis[d] * (feature[d] - widest_of.mean[d]))
                .sum();
            if *owner == group && along > 0.0 {
                *owner = next;
            }
        }
        groups[group] = widest(features, &owners, group);
        groups.push(widest(features, &owners, next));
    }
    owners
}

/// The direction in which a group is widest, its mean, and its total spread.
#[derive(Debug, Clone, Copy)]
struct Widest {
    axis: Feature,
    mean: Feature,
    spread: f32,
}

fn widest(features: &[Feature], owners: &[usize], group: usize) -> Option<Widest> {
    let own: Vec<&Feature> = features
        .iter()
        .zip(owners)
        .filter(|(_, owner)| **owner == group)
        .map(|(feature, _)| feature)
        .collect();
    if own.len() < 4 {
        return None;
    }
    let (mean, covariance) = moments(&own);
    let mut axis: Feature = [0.55, 0.5, 0.48, 0.46];
    let mut length = 0.0;
    for _ in 0..12 {
        let next: Feature =
            std::array::from_fn(|a| (0..DIMENSIONS).map(|b| covariance[a][b] * axis[b]).sum());
        length = next.iter().map(|v| v * v).sum::<f32>().sqrt();
        if length < 1e-6 {
            return None;
        }
        axis = next.map(|v| v / length);
    }
    Some(Widest {
        axis,
        mean,
        spread: length * own.len() as f32,
    })
}
