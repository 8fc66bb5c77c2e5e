//! The connected parts of masks.

use atelier_retouch::Plane;

/// The part with most evidence, and its share of the total.
pub(super) fn compact(evidence: &Plane) -> (Plane, f32) {
    let firm = evidence.box_mean(1);
    let (w, h) = (firm.width, firm.height);
    let parts = parts(&firm, 0.6);
    let weight = |part: &Vec<usize>| part.iter().map(|i| firm.data[*i]).sum::<f32>();
    let all: f32 = parts.iter().map(weight).sum();
    let mut mask = Plane::new(w, h);
    let Some(most) = parts.iter().max_by(|a, b| weight(a).total_cmp(&weight(b))) else {
        return (mask, 0.0);
    };
    let least = 0.3 * weight(most);
    let mut share = 0.0;
    for part in parts.iter().filter(|part| weight(part) >= least) {
        share += weight(part);
        for i in part {
            mask.data[*i] = 1.0;
        }
    }
    (mask, share / all.max(1e-6))
}

/// The connected parts above a value.
fn parts(plane: &Plane, above: f32) -> Vec<Vec<usize>> {
    let inside: Vec<bool> = plane.data.iter().map(|value| *value > above).collect();
    components(&inside, plane.width, plane.height)
}

/// A mask without the parts that are much smaller than its largest: bystanders are not the subject.
pub(super) fn main_part(mask: &Plane) -> Plane {
    let parts = parts(mask, 0.5);
    let least = parts.iter().map(Vec::len).max().map_or(0, |most| most / 4);
    let mut kept = Plane::new(mask.width, mask.height);
    for part in parts.iter().filter(|part| part.len() >= least) {
        for i in part {
            kept.data[*i] = mask.data[*i];
        }
    }
    kept
}

/// The connected parts of what is inside.
fn components(inside: &[bool], width: usize, height: usize) -> Vec<Vec<usize>> {
    let mut seen = vec![false; inside.len()];
    let mut parts = Vec::new();
    for start in 0..inside.len() {
        if seen[start] || !inside[start] {
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
                if !seen[j] && inside[j] {
                    seen[j] = true;
                    part.push(j);
                }
            }
        }
        parts.push(part);
    }
    parts
}
