//! Global motion: the affine map nearest to a flow.

use atelier_retouch::Plane;
use atelier_retouch::flow::Flow;

/// The affine map nearest to a flow within a mask: each row of it times (column, row, one) gives the offset of the
/// column and of the row.
pub(super) fn affine(flow: &Flow, mask: &Plane) -> [[f32; 3]; 2] {
    let (cx, cy) = (0.5 * mask.width as f64, 0.5 * mask.height as f64);
    let (mut m, mut b) = ([[0.0_f64; 3]; 3], [[0.0_f64; 3]; 2]);
    for y in 0..mask.height {
        for x in 0..mask.width {
            let k = f64::from(mask.at(x, y));
            let v = [x as f64 - cx, y as f64 - cy, 1.0];
            for i in 0..3 {
                for (j, other) in v.iter().enumerate() {
                    m[i][j] += k * v[i] * other;
                }
                b[0][i] += k * v[i] * f64::from(flow.across.at(x, y));
                b[1][i] += k * v[i] * f64::from(flow.down.at(x, y));
            }
        }
    }
    // A small weight on zero motion keeps thin subjects from rotating wildly.
    let hold = 1e-3 * m[2][2].max(1.0) * cx * cy;
    m[0][0] += hold;
    m[1][1] += hold;
    m[2][2] += 1e-6;
    [solved(m, b[0]), solved(m, b[1])].map(|[p, q, r]| [p as f32, q as f32, (r - p * cx - q * cy) as f32])
}

/// Three equations by Cramer's rule.
fn solved(m: [[f64; 3]; 3], b: [f64; 3]) -> [f64; 3] {
    let determinant = |m: &[[f64; 3]; 3]| {
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    };
    let whole = determinant(&m);
    if whole.abs() < 1e-9 {
        return [0.0; 3];
    }
    std::array::from_fn(|column| {
        let mut other = m;
        for (row, value) in other.iter_mut().zip(b) {
            row[column] = value;
        }
        determinant(&other) / whole
    })
}
