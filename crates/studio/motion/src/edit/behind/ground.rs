//! The motion of a film's background: the smooth motion of most of a frame, whatever stands in front of it.

use atelier_retouch::Plane;
use atelier_retouch::flow::Flow;

/// The number of coefficients for the motion of one axis.
const TERMS: usize = 8;
/// Rounds in which outliers get less and less weight.
const ROUNDS: usize = 8;
/// The sampling step, across and down.
const STEP: usize = 2;

/// A motion as a polynomial of the place: the effect of a camera's rotation and path on a background that recedes
/// into the distance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ground {
    half: (f32, f32),
    across: [f32; TERMS],
    down: [f32; TERMS],
}

impl Ground {
    /// The motion of most of a flow where the picture has texture, outside a mask.
    pub(super) fn of(flow: &Flow, texture: &Plane, without: Option<&Plane>) -> Self {
        let (w, h) = (texture.width, texture.height);
        let mut ground = Self {
            half: (0.5 * w as f32, 0.5 * h as f32),
            across: [0.0; TERMS],
            down: [0.0; TERMS],
        };
        let mut left = f32::MAX;
        for round in 0..ROUNDS {
            let mut all = Vec::with_capacity(w * h / STEP / STEP + 1);
            let mut sums = [[0.0_f64; TERMS + 2]; TERMS];
            for y in (0..h).step_by(STEP) {
                for x in (0..w).step_by(STEP) {
                    let free = without.map_or(1.0, |mask| 1.0 - mask.at(x, y));
                    let said = texture.at(x, y) * free;
                    if said < 0.02 {
                        continue;
                    }
                    let (u, v) = (flow.across.at(x, y), flow.down.at(x, y));
                    let (p, q) = ground.at(x as f32, y as f32);
                    let off = (u - p).hypot(v - q);
                    all.push(off);
                    let trust = if round == 0 {
                        1.0
                    } else {
                        (1.0 + (off / left).powi(2)).powi(-2)
                    };
                    let terms = ground.terms(x as f32, y as f32);
                    let k = f64::from(said * trust);
                    for (i, row) in sums.iter_mut().enumerate() {
                        let t = k * f64::from(terms[i]);
                        for (sum, term) in row.iter_mut().zip(terms) {
                            *sum += t * f64::from(term);
                        }
                        row[TERMS] += t * f64::from(u);
                        row[TERMS + 1] += t * f64::from(v);
                    }
                }
            }
            if all.len() < 4 * TERMS {
                return ground;
            }
            let middle = all.len() / 2;
            let (_, median, _) = all.select_nth_unstable_by(middle, f32::total_cmp);
            left = 1.5 * *median + 0.15;
            // Curved motion needs more evidence than straight motion.
            let weight = sums[0][0].max(1.0);
            for (i, row) in sums.iter_mut().enumerate() {
                row[i] += weight * if i < 3 { 1e-6 } else { 2e-3 };
            }
            let solved = solve(sums);
            ground.across = std::array::from_fn(|i| solved[i][0] as f32);
            ground.down = std::array::from_fn(|i| solved[i][1] as f32);
        }
        ground
    }

    fn terms(&self, x: f32, y: f32) -> [f32; TERMS] {
        let (x, y) = (
            ((x - self.half.0) / self.half.0).clamp(-1.3, 1.3),
            ((y - self.half.1) / self.half.1).clamp(-1.3, 1.3),
        );
        [1.0, x, y, x * x, x * y, y * y, y * y * y, x * y * y]
    }

    /// The offset of a place.
    pub(super) fn at(&self, x: f32, y: f32) -> (f32, f32) {
        let terms = self.terms(x, y);
        let sum = |of: &[f32; TERMS]| of.iter().zip(terms).map(|(k, term)| k * term).sum::<f32>();
        (sum(&self.across), sum(&self.down))
    }

    /// Returns the position to which a place of the frame before has moved.
    pub(super) fn forth(&self, (x, y): (f32, f32)) -> (f32, f32) {
        let (u, v) = self.at(x, y);
        (x + u, y + v)
    }

    /// Returns the position from which a place of the frame after came.
    pub(super) fn back(&self, (x, y): (f32, f32)) -> (f32, f32) {
        let mut place = (x, y);
        for _ in 0..4 {
            let (u, v) = self.at(place.0, place.1);
            place = (x - u, y - v);
        }
        place
    }
}

/// Solves equations by elimination, for two right sides at once.
fn solve(mut m: [[f64; TERMS + 2]; TERMS]) -> [[f64; 2]; TERMS] {
    for i in 0..TERMS {
        let pivot = (i..TERMS)
            .max_by(|a, b| m[*a][i].abs().total_cmp(&m[*b][i].abs()))
            .unwrap_or(i);
        m.swap(i, pivot);
        if m[i][i].abs() < 1e-12 {
            continue;
        }
        let row = m[i];
        for (j, other) in m.iter_mut().enumerate() {
            if j != i {
                let k = other[i] / row[i];
                for (value, own) in other.iter_mut().zip(row) {
                    *value -= k * own;
                }
            }
        }
    }
    std::array::from_fn(|i| {
        let k = if m[i][i].abs() < 1e-12 { 0.0 } else { 1.0 / m[i][i] };
        [m[i][TERMS] * k, m[i][TERMS + 1] * k]
    })
}
