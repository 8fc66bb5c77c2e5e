//! `background-removal`: the subject alone, with a real matte at hair and edges, on transparency or on a colour.

use rayon::prelude::*;
use serde_json::Map;

use self::matte::Matte;
use crate::color::{byte, luma};
use crate::decode::Picture;
use crate::encode::SourceType;
use crate::shrink::{lab, shrunk};
use crate::{MASK, Plane, close, open, params, seen};
use atelier_protocol::{Error, Request, Response};

mod background;
mod closed_form;
mod cut;
pub(super) mod matte;
mod mixture;
mod saliency;
mod segment;
mod superpixels;

pub use cut::Grid;
pub use mixture::Mixture;
pub use segment::{components, segment};
pub use superpixels::Feature;

/// The longer side at which the subject is looked for.
const SIDE: usize = 300;

/// The weight of sharpness against colour: subjects are in focus, and backgrounds often are not.
const CRISPNESS: f32 = 12.0;

/// A small picture as lightness and two axes of colour.
#[derive(Debug)]
pub struct Small {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) lab: [Plane; 3],
    /// How much lightness differs between neighbours, in a picture twice as large.
    pub(super) detail: Plane,
    /// Colour, and the sharpness around each pixel.
    features: Vec<superpixels::Feature>,
}

impl Small {
    pub fn of(picture: &Picture) -> Self {
        let lab = lab(&shrunk(picture, SIDE));
        let [r, g, b] = shrunk(picture, 2 * SIDE);
        let light = Plane::from_fn(r.width, r.height, |x, y| luma(r.at(x, y), g.at(x, y), b.at(x, y)));
        let detail = Plane::from_fn(r.width, r.height, |x, y| {
            let at = |dx: isize, dy: isize| light.clamped(x as isize + dx, y as isize + dy);
            (4.0 * at(0, 0) - at(1, 0) - at(-1, 0) - at(0, 1) - at(0, -1)).abs()
        });
        let (width, height) = (lab[0].width, lab[0].height);
        let detail = detail.resized(width, height);
        let crisp = detail
            .blurred(0.012 * width.max(height) as f32)
            .map(|v| CRISPNESS * (v + 0.7).ln());
        let features = (0..width * height)
            .map(|i| [lab[0].data[i], lab[1].data[i], lab[2].data[i], crisp.data[i]])
            .collect();
        Self {
            width,
            height,
            lab,
            detail,
            features,
        }
    }

    /// The colour and sharpness of each pixel.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }
}

/// The weight of the smooth paths in the likelihood; the patches have the rest.
const PATHS: f32 = 0.55;

/// How likely each pixel is the subject, 0 to 1, by two methods that fail in different places.
fn likely(small: &Small) -> Plane {
    let by_paths = saliency::saliency(small);
    let by_patches = background::standing_out(small);
    by_paths.zip(&by_patches, |a, b| PATHS * a + (1.0 - PATHS) * b)
}

/// What is shown behind the subject.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Background {
    Transparent,
    /// Red, green and blue, 0 to 1.
    Color([f32; 3]),
}

/// The task.
pub fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let background = match params::choice(request, "background", &["transparent", "white", "black", "color"])?
    {
        "white" => Background::Color([1.0; 3]),
        "black" => Background::Color([0.0; 3]),
        "color" => Background::Color(params::color(request, "color", [1.0; 3])?),
        _ => Background::Transparent,
    };
    let feather = params::number(request, "feather", 0.0, 0.0, 20.0)?;
    let picture = open(request)?;
    progress(0.1);
    let found = match seen(request, MASK)? {
        Some(mask) => (mask.max() > 0.5).then(|| cut_out(&picture, &mask, background, feather, progress)),
        None => remove_background(&picture, background, feather, progress),
    };
    let Some((cut, share)) = found else {
        return Err(Error::InvalidInput(
            "no subject stands out from the background of this picture; use one whose subject differs from its \
             background"
                .into(),
        ));
    };
    drop(picture);
    progress(0.9);
    let mut notes = Map::new();
    notes.insert(
        "subject_share".into(),
        ((f64::from(share) * 1000.0).round() / 1000.0).into(),
    );
    close(request, &cut, SourceType::AlgorithmicallyEnhanced, notes)
}

/// The subject on another background, and the share of the picture that it covers; nothing if none is found.
pub fn remove_background(
    picture: &Picture,
    background: Background,
    feather: f32,
    progress: &mut dyn FnMut(f32),
) -> Option<(Picture, f32)> {
    let small = Small::of(picture);
    let mask = segment(&small)?;
    Some(cut_out(picture, &mask, background, feather, progress))
}

/// What a mask of any size shows, with a matte at its edge, and the share of the picture that it covers.
fn cut_out(
    picture: &Picture,
    mask: &Plane,
    background: Background,
    feather: f32,
    progress: &mut dyn FnMut(f32),
) -> (Picture, f32) {
    progress(0.4);
    let matte = Matte::new(picture, mask);
    progress(0.65);
    let cover = matte.plane(picture);
    let soft = if feather > 0.0 {
        cover.blurred(0.5 * feather)
    } else {
        cover
    };
    let share = soft.mean();
    let mut out = picture.clone();
    out.rgba
        .par_chunks_mut(4 * picture.width)
        .enumerate()
        .for_each(|(y, row)| {
            for (x, pixel) in row.chunks_exact_mut(4).enumerate() {
                // Transparent parts of the picture stay transparent.
                let cover = soft.at(x, y) * f32::from(pixel[3]) / 255.0;
                let color = [pixel[0], pixel[1], pixel[2]].map(f32::from);
                let own = matte.own_color(x, y, color, soft.at(x, y));
                match background {
                    Background::Transparent if cover <= 0.0 => pixel.fill(0),
                    Background::Transparent => {
                        for c in 0..3 {
                            pixel[c] = byte(own[c]);
                        }
                        pixel[3] = byte(255.0 * cover);
                    }
                    Background::Color(behind) => {
                        for c in 0..3 {
                            pixel[c] = byte(own[c] * cover + 255.0 * behind[c] * (1.0 - cover));
                        }
                        pixel[3] = 255;
                    }
                }
            }
        });
    (out, share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::subject;

    fn cover_of(picture: &Picture) -> Plane {
        let (cut, _) =
            remove_background(picture, Background::Transparent, 0.0, &mut |_| {}).expect("a subject");
        Plane::from_fn(cut.width, cut.height, |x, y| {
            f32::from(cut.pixel(x, y)[3]) / 255.0
        })
    }

    fn overlap(a: &Plane, b: &Plane) -> f32 {
        let both = a.zip(b, |a, b| f32::from(u8::from(a > 0.5 && b > 0.5))).mean();
        let any = a.zip(b, |a, b| f32::from(u8::from(a > 0.5 || b > 0.5))).mean();
        both / any
    }

    #[test]
    fn the_subject_is_found() {
        // A coat with the background's colours is more than colour models can separate.
        let found: Vec<f32> = (0..8)
            .map(|seed| {
                let (picture, truth) = subject(320, 320, seed);
                overlap(&cover_of(&picture), &truth)
            })
            .collect();
        println!("{found:?}");
        assert!(
            found.iter().filter(|overlap| **overlap > 0.9).count() >= 7,
            "{found:?}"
        );
    }

    #[test]
    fn the_matte_is_truer_at_the_edge_than_the_cut_it_came_from() {
        let (mut ours, mut naive) = (0.0, 0.0);
        for seed in 0..8 {
            let (picture, truth) = subject(320, 320, seed);
            let cover = cover_of(&picture);
            let cut = segment(&Small::of(&picture))
                .expect("a subject")
                .resized(320, 320);
            let (mut a, mut b, mut count) = (0.0, 0.0, 0.0);
            for i in 0..truth.data.len() {
                if truth.data[i] > 0.02 && truth.data[i] < 0.98 {
                    a += (cover.data[i] - truth.data[i]).abs();
                    b += (cut.data[i].round() - truth.data[i]).abs();
                    count += 1.0;
                }
            }
            println!("{seed}: {:.3} against {:.3}", a / count, b / count);
            ours += a / count / 8.0;
            naive += b / count / 8.0;
        }
        assert!(ours < 0.75 * naive, "{ours} against {naive}");
    }

    #[test]
    fn no_fringe_of_the_old_background_comes_along() {
        let (mut ours, mut naive) = (0.0_f64, 0.0_f64);
        for seed in 0..6 {
            let (picture, truth) = subject(320, 320, seed);
            let (cut, _) = remove_background(&picture, Background::Color([0.1, 0.9, 0.2]), 0.0, &mut |_| {})
                .expect("a subject");
            let cover = cover_of(&picture);
            // The same matte with the picture's own colours, as a naive method would do.
            for i in 0..truth.data.len() {
                let t = truth.data[i];
                if t > 0.05 && t < 0.95 {
                    let green = [25.5, 229.5, 51.0];
                    let [x, y] = [i % 320, i / 320];
                    for (c, green) in green.into_iter().enumerate() {
                        // What is not green must be the subject's: compare with its certain neighbours.
                        let plain =
                            f32::from(picture.pixel(x, y)[c]) * cover.data[i] + green * (1.0 - cover.data[i]);
                        let pure = f32::from(cut.pixel(x, y)[c]);
                        let aim = aim(&picture, &truth, x, y, c) * t + green * (1.0 - t);
                        ours += f64::from((pure - aim).powi(2));
                        naive += f64::from((plain - aim).powi(2));
                    }
                }
            }
        }
        println!("{ours} against {naive}");
        assert!(ours < naive, "{ours} against {naive}");
    }

    /// The mean colour of the pixels nearby that are wholly the subject's.
    fn aim(picture: &Picture, truth: &Plane, x: usize, y: usize, c: usize) -> f32 {
        let (mut sum, mut count) = (0.0, 0.0);
        for v in y.saturating_sub(6)..(y + 7).min(320) {
            for u in x.saturating_sub(6)..(x + 7).min(320) {
                if truth.at(u, v) > 0.98 {
                    sum += f32::from(picture.pixel(u, v)[c]);
                    count += 1.0;
                }
            }
        }
        if count > 0.0 {
            sum / count
        } else {
            f32::from(picture.pixel(x, y)[c])
        }
    }

    #[test]
    fn a_colour_fills_what_was_behind() {
        let (picture, truth) = subject(240, 240, 2);
        let (cut, _) = remove_background(&picture, Background::Color([0.0, 0.0, 1.0]), 0.0, &mut |_| {})
            .expect("a subject");
        assert!(cut.is_opaque());
        assert_eq!(cut.pixel(3, 3), [0, 0, 255, 255]);
        assert!(truth.at(120, 200) > 0.99);
        assert_eq!(cut.pixel(120, 200), picture.pixel(120, 200));
    }

    #[test]
    fn one_flat_colour_has_no_subject() {
        let flat = Picture::filled(120, 90, [90, 120, 60, 255]);
        assert!(remove_background(&flat, Background::Transparent, 0.0, &mut |_| {}).is_none());
    }
}
