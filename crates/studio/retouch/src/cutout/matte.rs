//! How much of each pixel the subject covers, including hair and soft edges, and the subject's own colours there
//! without the background's.

use rayon::prelude::*;

use super::closed_form;
use crate::chance::smooth;
use crate::decode::Picture;
use crate::guided::{self, Linear};
use crate::shrink::shrunk;
use crate::{Plane, diffuse};

/// The longer side at which the edge is computed.
const SIDE: usize = 1000;

/// The minimum width of the edge on each side of the cut, as a share of the longer side.
const NEAR: f32 = 0.006;

/// How far hair may stand out, and how far gaps may reach in.
const OUTSIDE: f32 = 0.035;
const INSIDE: f32 = 0.018;

/// The weight of the prior against the picture's own lines, where colours are clear.
const TRUST: f32 = 0.05;

/// A subject's edge, which can be evaluated at any place of the picture.
#[derive(Debug, Clone)]
pub(crate) struct Matte {
    /// Places of the picture to places of the planes.
    scale: (f32, f32),
    cover: Linear,
    /// The place where the edge is evaluated: zero outside the subject, one inside, unknown in between.
    certain: Plane,
    /// The colours of the subject and of the background, each extended under the other.
    subject: [Plane; 3],
    behind: [Plane; 3],
}

impl Matte {
    /// From a mask of any size.
    pub(crate) fn new(picture: &Picture, mask: &Plane) -> Self {
        let rgb = shrunk(picture, SIDE);
        let (w, h) = (rgb[0].width, rgb[0].height);
        let long = w.max(h) as f32;
        // A smoothed mask tells on which side of the cut a place is.
        let cut = mask.resized(w, h).blurred(0.0025 * long);
        let sides = cut.map(|v| f32::from(u8::from(v > 0.5)));
        let wide = band(&sides, INSIDE * long, OUTSIDE * long);
        // Thin parts have no certain pixels; those off the cut represent them.
        let narrow = band(&sides, NEAR * long, NEAR * long);
        let sure = |side: f32| {
            wide.zip(&narrow, |wide, narrow| {
                if (wide - side).abs() < 0.01 {
                    1.0
                } else if (narrow - side).abs() < 0.01 {
                    0.1
                } else {
                    0.0
                }
            })
        };
        let (subject, behind) = (diffuse::fill(&rgb, &sure(1.0)), diffuse::fill(&rgb, &sure(0.0)));
        let (guess, plain) = first_guess(&rgb, &wide, &cut, &subject, &behind);
        let certain = unknown(&sides, &wide, &narrow, &guess, &plain);
        let start = Plane::from_fn(w, h, |x, y| match certain.at(x, y) {
            side if (side - 0.5).abs() > 0.25 => side,
            _ => guess.at(x, y),
        });
        let open: Vec<bool> = certain.data.iter().map(|v| (v - 0.5).abs() < 0.25).collect();
        let cover = closed_form::matte(
            &rgb,
            &closed_form::Guess {
                cover: &start,
                trust: &plain.map(|v| TRUST * v),
                unknown: &open,
            },
        );
        // A function of colour with a small reach brings the matte to the picture's own size.
        let ones = cover.map(|_| 1.0);
        let cover = guided::fit(&rgb, &cover, &ones, ((0.002 * long) as usize).max(1), 4.0);
        let scale = (w as f32 / picture.width as f32, h as f32 / picture.height as f32);
        Self {
            scale,
            cover,
            certain,
            subject,
            behind,
        }
    }

    /// How much of a pixel the subject covers, 0 to 1.
    pub(crate) fn cover(&self, x: usize, y: usize, color: [f32; 3]) -> f32 {
        let (u, v) = self.place(x, y);
        let certain = self.certain.bilinear(u, v);
        if certain <= 0.0 || certain >= 1.0 {
            return certain;
        }
        let cover = smooth_ends(self.cover.at(u, v, color));
        // The edge fades softly towards where everything is certain.
        let (low, high) = (smooth(0.0, 0.4, certain), smooth(1.0, 0.6, certain));
        (cover * low)
            .max(1.0 - (1.0 - cover * low) * high)
            .clamp(0.0, 1.0)
    }

    /// The subject's own colour in a pixel with this coverage.
    pub(crate) fn own_color(&self, x: usize, y: usize, color: [f32; 3], cover: f32) -> [f32; 3] {
        if cover >= 0.995 {
            return color;
        }
        let (u, v) = self.place(x, y);
        std::array::from_fn(|c| {
            let (near, behind) = (self.subject[c].bilinear(u, v), self.behind[c].bilinear(u, v));
            let unmixed = ((color[c] - (1.0 - cover) * behind) / cover.max(0.05)).clamp(0.0, 255.0);
            // The less of the subject a pixel shows, the less it says about it.
            let trust = cover * cover.sqrt();
            near + trust * (unmixed - near)
        })
    }

    /// The cover of every pixel.
    pub(crate) fn plane(&self, picture: &Picture) -> Plane {
        let mut out = Plane::new(picture.width, picture.height);
        out.data
            .par_chunks_mut(picture.width)
            .enumerate()
            .for_each(|(y, row)| {
                for (x, value) in row.iter_mut().enumerate() {
                    let [r, g, b, _] = picture.pixel(x, y).map(f32::from);
                    *value = self.cover(x, y, [r, g, b]);
                }
            });
        out
    }

    fn place(&self, x: usize, y: usize) -> (f32, f32) {
        (
            (x as f32 + 0.5) * self.scale.0 - 0.5,
            (y as f32 + 0.5) * self.scale.1 - 0.5,
        )
    }
}

/// Almost nothing becomes nothing and almost all becomes all: linear functions leave a haze.
fn smooth_ends(cover: f32) -> f32 {
    ((cover - 0.04) / 0.92).clamp(0.0, 1.0)
}

/// Zero outside, one inside, a half around the cut, this many pixels inwards and outwards.
fn band(sides: &Plane, inwards: f32, outwards: f32) -> Plane {
    let mean = |reach: f32| sides.box_mean((reach.round() as usize).max(1)).box_mean(1);
    mean(inwards).zip(&mean(outwards), |inner, outer| {
        if inner > 0.999 {
            1.0
        } else if outer < 0.001 {
            0.0
        } else {
            0.5
        }
    })
}

/// The pixels to evaluate: those along the cut, and farther ones whose colours clearly contradict it.
fn unknown(sides: &Plane, wide: &Plane, narrow: &Plane, guess: &Plane, plain: &Plane) -> Plane {
    let (w, h) = (sides.width, sides.height);
    let contrary = Plane::from_fn(w, h, |x, y| {
        let off = (guess.at(x, y) - sides.at(x, y)).abs();
        let open = (wide.at(x, y) - 0.5).abs() < 0.25;
        f32::from(u8::from(open && off * plain.at(x, y) > 0.3))
    });
    // Single specks are grain, not hair: hair has neighbours.
    let hair = contrary.box_mean(2);
    Plane::from_fn(w, h, |x, y| {
        let open = (wide.at(x, y) - 0.5).abs() < 0.25;
        if (narrow.at(x, y) - 0.5).abs() < 0.25 || (open && hair.at(x, y) > 0.2) {
            0.5
        } else {
            sides.at(x, y)
        }
    })
}

/// For unknown pixels, how far each colour lies on the way from background to subject, and how clearly.
fn first_guess(
    rgb: &[Plane; 3],
    wide: &Plane,
    cut: &Plane,
    subject: &[Plane; 3],
    behind: &[Plane; 3],
) -> (Plane, Plane) {
    let (w, h) = (wide.width, wide.height);
    let both = |x: usize, y: usize| {
        let sure = wide.at(x, y);
        if (sure - 0.5).abs() > 0.25 {
            return (sure, 1.0);
        }
        let (mut along, mut length, mut off) = (0.0, 0.0, 0.0);
        for c in 0..3 {
            let way = subject[c].at(x, y) - behind[c].at(x, y);
            along += way * (rgb[c].at(x, y) - behind[c].at(x, y));
            length += way * way;
        }
        let cover = (along / (length + 60.0)).clamp(0.0, 1.0);
        for c in 0..3 {
            let mixed = behind[c].at(x, y) + cover * (subject[c].at(x, y) - behind[c].at(x, y));
            off += (rgb[c].at(x, y) - mixed).powi(2);
        }
        // If the colours of both sides are alike, or none explains the pixel, the cut decides.
        let plain = length / (length + 900.0 + 2.0 * off);
        (plain * cover + (1.0 - plain) * cut.at(x, y), plain)
    };
    (
        Plane::from_fn(w, h, |x, y| both(x, y).0),
        Plane::from_fn(w, h, |x, y| both(x, y).1),
    )
}
