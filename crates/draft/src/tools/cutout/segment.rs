//! Which pixels are the subject: a first guess by saliency, then colour models of subject and surroundings and
//! the cheapest cut between them, turn by turn (GrabCut: Rother, Kolmogorov and Blake 2004).

use super::Small;
use super::cut::Grid;
use super::mixture::Mixture;
use super::saliency::saliency;
use crate::tools::Plane;

/// Rounds of models and cuts.
const ROUNDS: usize = 3;

/// What parting equal neighbours costs.
const SMOOTHNESS: f32 = 24.0;

/// One where the subject is, zero elsewhere; nothing where no subject stands out.
pub(in crate::tools) fn segment(small: &Small) -> Option<Plane> {
    let likely = saliency(small);
    let mean = likely.mean();
    [(1.7 * mean).clamp(0.2, 0.6), (1.2 * mean).clamp(0.1, 0.45)]
        .into_iter()
        .find_map(|threshold| refine(small, &likely, threshold))
}

fn refine(small: &Small, likely: &Plane, threshold: f32) -> Option<Plane> {
    let count = small.width * small.height;
    let colors: Vec<[f32; 3]> = (0..count)
        .map(|i| std::array::from_fn(|c| small.lab[c].data[i]))
        .collect();
    let mut inside: Vec<bool> = likely.data.iter().map(|v| *v > threshold).collect();
    let beta = steepness(small, &colors);
    for _ in 0..ROUNDS {
        let of = |side: bool| -> Vec<[f32; 3]> {
            colors
                .iter()
                .zip(&inside)
                .filter(|(_, own)| **own == side)
                .map(|(color, _)| *color)
                .collect()
        };
        let (Some(subject), Some(around)) = (Mixture::fit(&of(true)), Mixture::fit(&of(false))) else {
            return None;
        };
        let terminal: Vec<f32> = (0..count)
            .map(|i| {
                let by_color = (around.cost(&colors[i]) - subject.cost(&colors[i])).clamp(-7.0, 7.0);
                let (x, y) = (i % small.width, i / small.width);
                // A subject may rest on the lower rim; the other rims are seldom part of it.
                let rim = x == 0 || y == 0 || x + 1 == small.width;
                by_color + 12.0 * (likely.data[i] - threshold) - if rim { 6.0 } else { 0.0 }
            })
            .collect();
        let link = |i: usize, j: usize| {
            let d: f32 = (0..3).map(|c| (colors[i][c] - colors[j][c]).powi(2)).sum();
            let far = if i.abs_diff(j) == 1 || i.abs_diff(j) == small.width {
                1.0
            } else {
                0.707
            };
            far * SMOOTHNESS * (0.04 + 0.96 * (-beta * d).exp())
        };
        let next = Grid::new(small.width, small.height, terminal, link).cut();
        let same = next == inside;
        inside = next;
        if same {
            break;
        }
    }
    whole(&mut inside, small.width, small.height);
    let share = inside.iter().filter(|own| **own).count() as f32 / count as f32;
    (0.004..0.97).contains(&share).then(|| {
        Plane::from_fn(small.width, small.height, |x, y| {
            f32::from(u8::from(inside[y * small.width + x]))
        })
    })
}

/// One over twice the mean difference of neighbours, by which contrast counts as an edge.
fn steepness(small: &Small, colors: &[[f32; 3]]) -> f32 {
    let (mut sum, mut count) = (0.0_f64, 0.0);
    for i in 0..colors.len() - 1 {
        if (i + 1) % small.width != 0 {
            sum += f64::from(
                (0..3)
                    .map(|c| (colors[i][c] - colors[i + 1][c]).powi(2))
                    .sum::<f32>(),
            );
            count += 1.0;
        }
    }
    (1.0 / (2.0 * sum / f64::max(count, 1.0)).max(1.0)) as f32
}

/// Leaves out specks beside the subject, and closes small holes in it.
fn whole(inside: &mut [bool], width: usize, height: usize) {
    let parts = components(inside, width, height, true);
    let largest = parts.iter().map(Vec::len).max().unwrap_or(0);
    for part in parts.iter().filter(|part| part.len() * 7 < largest) {
        for i in part {
            inside[*i] = false;
        }
    }
    for hole in components(inside, width, height, false) {
        let at_rim = hole.iter().any(|i| {
            let (x, y) = (i % width, i / width);
            x == 0 || y == 0 || x + 1 == width || y + 1 == height
        });
        if !at_rim && hole.len() * 12 < largest {
            for i in hole {
                inside[i] = true;
            }
        }
    }
}

/// The connected parts of one side.
fn components(inside: &[bool], width: usize, height: usize, side: bool) -> Vec<Vec<usize>> {
    let mut seen = vec![false; inside.len()];
    let mut parts = Vec::new();
    for start in 0..inside.len() {
        if seen[start] || inside[start] != side {
            continue;
        }
        seen[start] = true;
        let mut part = vec![start];
        let mut next = 0;
        while next < part.len() {
            let i = part[next];
            next += 1;
            let (x, y) = (i % width, i / width);
            let around = [
                (x > 0).then(|| i - 1),
                (x + 1 < width).then(|| i + 1),
                (y > 0).then(|| i - width),
                (y + 1 < height).then(|| i + width),
            ];
            for j in around.into_iter().flatten() {
                if !seen[j] && inside[j] == side {
                    seen[j] = true;
                    part.push(j);
                }
            }
        }
        parts.push(part);
    }
    parts
}
