//! `background-removal`: the subject alone, with a real matte at hair and edges, on transparency or on a colour. A
//! trained network finds the subject ([`find`]); the matte at its edge is computed from the picture's own pixels.

use rayon::prelude::*;
use serde_json::Map;

use self::matte::Matte;
use crate::color::byte;
use crate::decode::Picture;
use crate::encode::{SourceType, Weights};
use crate::{MASK, Plane, close_with, open, params, seen};
use atelier_protocol::{Error, Request, Response};

mod closed_form;
mod find;
pub(super) mod matte;

pub use find::find;

/// The network in the program.
pub const BUILT_IN: Weights<'static> = Weights {
    title: "U-2-Net small",
    license: Some("Apache-2.0"),
};

/// The background that is shown behind the subject.
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
    let (found, weights) = match seen(request, MASK)? {
        Some(mask) => (
            (mask.max() > 0.5).then(|| cut_out(&picture, &mask, background, feather, progress)),
            Weights::of(request),
        ),
        None => (
            remove_background(&picture, background, feather, progress),
            Some(BUILT_IN),
        ),
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
    close_with(request, &cut, SourceType::AlgorithmicallyEnhanced, notes, weights)
}

/// The subject on another background, and the share of the picture that it covers; nothing if none is found.
pub fn remove_background(
    picture: &Picture,
    background: Background,
    feather: f32,
    progress: &mut dyn FnMut(f32),
) -> Option<(Picture, f32)> {
    let mask = find(picture)?;
    Some(cut_out(picture, &mask, background, feather, progress))
}

/// Returns the pixels that a mask of any size shows, with a matte at its edge, and the share of the picture that it
/// covers.
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
    use std::sync::LazyLock;

    use super::*;
    use crate::samples::subject;

    fn cover_of(picture: &Picture) -> Plane {
        cover_of_found(picture, &find(picture).expect("a subject"))
    }

    fn cover_of_found(picture: &Picture, found: &Plane) -> Plane {
        let (cut, _) = cut_out(picture, found, Background::Transparent, 0.0, &mut |_| {});
        Plane::from_fn(cut.width, cut.height, |x, y| {
            f32::from(cut.pixel(x, y)[3]) / 255.0
        })
    }

    /// A drawing with its true mask and what was found of it. Several tests look at them: a search takes a second.
    struct Drawing {
        picture: Picture,
        truth: Plane,
        cut: Plane,
        cover: Plane,
    }

    static DRAWINGS: LazyLock<Vec<Drawing>> = LazyLock::new(|| {
        (0..4)
            .map(|seed| {
                let (picture, truth) = subject(320, 320, seed);
                let found = find(&picture).expect("a subject");
                let cover = cover_of_found(&picture, &found);
                let cut = found.resized(320, 320);
                Drawing {
                    picture,
                    truth,
                    cut,
                    cover,
                }
            })
            .collect()
    });

    fn overlap(a: &Plane, b: &Plane) -> f32 {
        let both = a.zip(b, |a, b| f32::from(u8::from(a > 0.5 && b > 0.5))).mean();
        let any = a.zip(b, |a, b| f32::from(u8::from(a > 0.5 || b > 0.5))).mean();
        both / any
    }

    #[test]
    fn the_subject_of_a_photograph_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let picture = crate::decode::read(&crate::samples::portrait(folder.path())).unwrap();
        let found = overlap(&cover_of(&picture), &crate::samples::portrait_mask());
        assert!(found > 0.97, "{found}");
    }

    #[test]
    fn several_threads_of_a_pool_may_search_at_the_same_time() {
        let (picture, _) = subject(96, 96, 1);
        let found: Vec<Option<Plane>> = (0..2).into_par_iter().map(|_| find(&picture)).collect();
        assert!(found.iter().all(|plane| plane == &found[0]));
    }

    #[test]
    fn the_subject_of_a_drawing_is_found() {
        let found: Vec<f32> = DRAWINGS
            .iter()
            .map(|drawing| overlap(&drawing.cover, &drawing.truth))
            .collect();
        println!("{found:?}");
        assert!(found.iter().all(|overlap| *overlap > 0.9), "{found:?}");
    }

    #[test]
    fn the_matte_is_truer_at_the_edge_than_the_cut_it_came_from() {
        let (mut ours, mut naive) = (0.0, 0.0);
        for (seed, drawing) in DRAWINGS.iter().enumerate() {
            let (truth, cut, cover) = (&drawing.truth, &drawing.cut, &drawing.cover);
            let (mut a, mut b, mut count) = (0.0, 0.0, 0.0);
            for i in 0..truth.data.len() {
                if truth.data[i] > 0.02 && truth.data[i] < 0.98 {
                    a += (cover.data[i] - truth.data[i]).abs();
                    b += (cut.data[i].round() - truth.data[i]).abs();
                    count += 1.0;
                }
            }
            println!("{seed}: {:.3} against {:.3}", a / count, b / count);
            ours += a / count / 4.0;
            naive += b / count / 4.0;
        }
        assert!(ours < 0.75 * naive, "{ours} against {naive}");
    }

    #[test]
    fn no_fringe_of_the_old_background_comes_along() {
        let (mut ours, mut naive) = (0.0_f64, 0.0_f64);
        let drawing = &DRAWINGS[0];
        let (picture, truth, cover) = (&drawing.picture, &drawing.truth, &drawing.cover);
        let (cut, _) = remove_background(picture, Background::Color([0.1, 0.9, 0.2]), 0.0, &mut |_| {})
            .expect("a subject");
        // The same matte with the picture's own colours, as a naive method would do.
        for i in 0..truth.data.len() {
            let t = truth.data[i];
            if t > 0.05 && t < 0.95 {
                let green = [25.5, 229.5, 51.0];
                let [x, y] = [i % 320, i / 320];
                for (c, green) in green.into_iter().enumerate() {
                    // The part that is not green must be the subject's: compare with its certain neighbours.
                    let plain =
                        f32::from(picture.pixel(x, y)[c]) * cover.data[i] + green * (1.0 - cover.data[i]);
                    let pure = f32::from(cut.pixel(x, y)[c]);
                    let aim = aim(picture, truth, x, y, c) * t + green * (1.0 - t);
                    ours += f64::from((pure - aim).powi(2));
                    naive += f64::from((plain - aim).powi(2));
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
