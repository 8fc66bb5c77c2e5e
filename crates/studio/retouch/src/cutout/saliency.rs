//! Where a picture's subject probably is: what no smooth path connects to the border, and what differs in colour
//! from it (Zhang et al. 2015, "Minimum barrier salient object detection at 80 FPS"), with the centre a little more
//! likely than the rim.

use super::Small;
use super::mixture::Mixture;
use super::superpixels::Feature;
use crate::Plane;

/// How often the picture is swept, forward and backward in turn.
const SWEEPS: usize = 4;

/// Likelihood of being the subject, 0 to 1.
pub(super) fn saliency(small: &Small) -> Plane {
    let (w, h) = (small.width, small.height);
    let mut sum = Plane::new(w, h);
    for channel in &small.lab {
        let distance = barrier(channel);
        for (sum, d) in sum.data.iter_mut().zip(&distance.data) {
            *sum += d;
        }
    }
    let rare = backgroundness(small);
    let crisp = crispness(small);
    let joined = normalized(&sum)
        .zip(&normalized(&rare), |a, b| a + b)
        .zip(&crisp, |a, b| a + 0.7 * b);
    let (cx, cy) = (0.5 * w as f32, 0.5 * h as f32);
    let joined = Plane::from_fn(w, h, |x, y| {
        let (u, v) = ((x as f32 - cx) / cx, (y as f32 - cy) / cy);
        joined.at(x, y) * (0.45 + 0.55 * (-1.2 * (u * u + 0.6 * v.min(0.0) * v.min(0.0))).exp())
    });
    let found = normalized(&joined.blurred(0.008 * w.max(h) as f32));
    let hull = hull(&found);
    normalized(&found.zip(&hull, |a, b| a + 0.4 * b))
}

/// Subjects are compact: an oval with the centre and spread of the find, 1 in its centre and less outwards.
fn hull(found: &Plane) -> Plane {
    let floor = 1.2 * found.mean();
    let weigh = |v: f32| (v - floor).max(0.0);
    let (mut total, mut mx, mut my) = (1e-6_f32, 0.0, 0.0);
    for (i, v) in found.data.iter().enumerate() {
        total += weigh(*v);
        mx += weigh(*v) * (i % found.width) as f32;
        my += weigh(*v) * (i / found.width) as f32;
    }
    (mx, my) = (mx / total, my / total);
    let (mut xx, mut xy, mut yy) = (1.0, 0.0, 1.0);
    for (i, v) in found.data.iter().enumerate() {
        let (x, y) = ((i % found.width) as f32 - mx, (i / found.width) as f32 - my);
        xx += weigh(*v) * x * x / total;
        xy += weigh(*v) * x * y / total;
        yy += weigh(*v) * y * y / total;
    }
    let determinant = (xx * yy - xy * xy).max(1e-3);
    Plane::from_fn(found.width, found.height, |x, y| {
        let (x, y) = (x as f32 - mx, y as f32 - my);
        let distance = (yy * x * x - 2.0 * xy * x * y + xx * y * y) / determinant;
        (-0.25 * distance).exp()
    })
}

/// Subjects are in focus: how much more fine detail there is than at most of the border, 0 to 1.
fn crispness(small: &Small) -> Plane {
    let (w, h) = (small.width, small.height);
    let energy = small
        .detail
        .map(|v| v.max(0.05).ln())
        .blurred(0.018 * w.max(h) as f32);
    let mut rim: Vec<f32> = (0..h)
        .flat_map(|y| [energy.at(0, y), energy.at(w - 1, y)])
        .collect();
    rim.extend((0..w).map(|x| energy.at(x, 0)));
    rim.sort_by(f32::total_cmp);
    let usual = rim[rim.len() * 3 / 4];
    energy.map(|v| ((v - usual - 0.25) / 1.5).clamp(0.0, 1.0))
}

/// For each pixel, the least difference between the highest and the lowest value on any path to the border.
fn barrier(channel: &Plane) -> Plane {
    let (w, h) = (channel.width, channel.height);
    let mut distance = Plane::from_fn(w, h, |x, y| {
        // Subjects often stand on the lower border; the ground beside them reaches the others.
        if x == 0 || y == 0 || x + 1 == w {
            0.0
        } else {
            f32::MAX
        }
    });
    let mut high = channel.clone();
    let mut low = channel.clone();
    for sweep in 0..SWEEPS {
        for k in 0..w * h {
            let i = if sweep % 2 == 0 { k } else { w * h - 1 - k };
            let (x, y) = (i % w, i / w);
            if x == 0 || y == 0 || x + 1 == w {
                continue;
            }
            let before = if sweep % 2 == 0 {
                [i - 1, i - w]
            } else {
                [i + 1, i + w]
            };
            for j in before.into_iter().filter(|j| *j < w * h) {
                let (top, bottom) = (
                    high.data[j].max(channel.data[i]),
                    low.data[j].min(channel.data[i]),
                );
                if top - bottom < distance.data[i] {
                    (distance.data[i], high.data[i], low.data[i]) = (top - bottom, top, bottom);
                }
            }
        }
    }
    distance
}

/// How different a pixel's colours are from those of the border, except the lower border, where subjects stand.
fn backgroundness(small: &Small) -> Plane {
    let (w, h) = (small.width, small.height);
    let depth = (w.min(h) / 14).max(1);
    let border: Vec<Feature> = (0..w * h)
        .filter(|i| {
            let (x, y) = (i % w, i / w);
            y < depth || (x < depth || x + depth >= w)
        })
        .map(|i| small.features[i])
        .collect();
    let Some(mixture) = Mixture::fit(&border) else {
        return Plane::new(w, h);
    };
    let usual = {
        let mut costs: Vec<f32> = border.iter().map(|color| mixture.cost(color)).collect();
        costs.sort_by(f32::total_cmp);
        costs[costs.len() * 9 / 10]
    };
    Plane::from_fn(w, h, |x, y| {
        (mixture.cost(&small.features[y * w + x]) - usual).clamp(0.0, 14.0)
    })
}

fn normalized(plane: &Plane) -> Plane {
    let (low, high) = (plane.min(), plane.max());
    let scale = if high - low > 1e-6 {
        1.0 / (high - low)
    } else {
        0.0
    };
    plane.map(|v| (v - low) * scale)
}
