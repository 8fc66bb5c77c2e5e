//! How far things probably are, from one picture: low things are near and high things far, haze means distance (He,
//! Sun and Tang 2009, "Single image haze removal using dark channel prior"), and a subject that stands out is
//! nearer than its background and bulges towards the viewer. It is a guess, good enough for light and small moves,
//! not a measurement.

use super::cutout;
use super::shrink::shrunk;
use super::{Plane, guided};
use crate::chance::smooth;
use crate::decode::Picture;

/// The longer side at which depth is estimated.
const SIDE: usize = 480;

/// An estimate of nearness.
#[derive(Debug, Clone)]
pub struct Depth {
    /// 0 (far) to 1 (near).
    pub near: Plane,
    /// The same without the subject.
    pub ground: Plane,
    /// The place of the subject, 0 to 1; all zero if none stands out.
    pub subject: Plane,
    /// The small picture, 0 to 255.
    pub rgb: [Plane; 3],
}

/// Estimates the depth.
pub fn guess(picture: &Picture) -> Depth {
    guess_beside(picture, None)
}

/// The same, with the nearness from `given` if a model estimated it.
pub fn guess_beside(picture: &Picture, given: Option<&Plane>) -> Depth {
    let rgb = shrunk(picture, SIDE);
    let (w, h) = (rgb[0].width, rgb[0].height);
    let mask = cutout::find(picture).map(|mask| mask.resized(w, h));
    let ground = Plane::from_fn(w, h, |_, y| {
        let t = y as f32 / h as f32;
        0.08 + 0.5 * smooth(0.15, 1.05, t)
    });
    let haze = haze(&rgb);
    let mut near = ground.zip(&haze, |g, haze| (g * (1.0 - 0.35 * haze)).clamp(0.0, 1.0));
    let behind = near.clone();
    let subject = match &mask {
        None => Plane::new(w, h),
        Some(mask) => {
            let round = swell(mask);
            // The subject stands where it touches the ground: as near as its lowest part.
            let foot = (0..h)
                .rev()
                .find(|y| mask.row(*y).iter().any(|v| *v > 0.5))
                .unwrap_or(h - 1);
            let stand = ground.at(w / 2, foot).max(0.4);
            near = Plane::from_fn(w, h, |x, y| {
                let own = (stand + 0.12 + 0.25 * round.at(x, y)).min(1.0);
                let m = mask.at(x, y);
                near.at(x, y) * (1.0 - m) + own.max(near.at(x, y)) * m
            });
            mask.clone()
        }
    };
    let near = given.map_or(near, |given| given.resized(w, h));
    // Depth changes where colour does.
    let ones = near.map(|_| 1.0);
    let fit = guided::fit(&rgb, &near, &ones, (w.max(h) / 60).max(2), 60.0);
    let near = Plane::from_fn(w, h, |x, y| {
        fit.at(x as f32, y as f32, std::array::from_fn(|c| rgb[c].at(x, y)))
            .clamp(0.0, 1.0)
    });
    Depth {
        near,
        ground: behind,
        subject,
        rgb,
    }
}

/// How much haze lies over each part, 0 to 1: its darkest channel, relative to the brightest such part.
fn haze(rgb: &[Plane; 3]) -> Plane {
    let (w, h) = (rgb[0].width, rgb[0].height);
    let dark = Plane::from_fn(w, h, |x, y| {
        rgb[0].at(x, y).min(rgb[1].at(x, y)).min(rgb[2].at(x, y))
    });
    let reach = (w.max(h) / 40).max(2);
    let across = Plane::from_fn(w, h, |x, y| {
        (x.saturating_sub(reach)..=(x + reach).min(w - 1))
            .map(|u| dark.at(u, y))
            .fold(f32::MAX, f32::min)
    });
    let least = Plane::from_fn(w, h, |x, y| {
        (y.saturating_sub(reach)..=(y + reach).min(h - 1))
            .map(|v| across.at(x, v))
            .fold(f32::MAX, f32::min)
    });
    let most = least.max().max(60.0);
    least.map(|v| v / most)
}

/// A round form from an outline: 0 at its rim, 1 where it is thickest (a sum of blurs that stay inside).
pub fn swell(mask: &Plane) -> Plane {
    let long = mask.width.max(mask.height) as f32;
    let mut sum = Plane::new(mask.width, mask.height);
    for share in [0.012, 0.03, 0.07] {
        let blur = mask.blurred(share * long);
        sum = sum.zip(&blur.zip(mask, |b, m| ((b - 0.5) * 2.0).max(0.0) * m), |a, b| {
            a + b
        });
    }
    let most = sum.max().max(1e-6);
    sum.map(|v| (v / most).max(0.0).sqrt())
}
