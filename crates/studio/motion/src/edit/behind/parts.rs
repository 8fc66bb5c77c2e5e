//! The connected parts of masks.

use atelier_retouch::Plane;
use atelier_retouch::cutout::components;

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
    components(&inside, plane.width, plane.height, true)
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
