//! `layers`: a picture as a background and the things in front of it, each on a transparent layer of the picture's
//! size. Stacked in order, they are the picture again.

use rayon::prelude::*;
use serde_json::{Map, json};

use super::cutout::{Background, remove_background};
use super::inpaint::fill;
use crate::decode::Picture;
use crate::encode::{Provenance, SourceType, write_png};
use crate::{Plane, metadata, open, params};
use atelier_protocol::{Error, Request, Response};

/// The smallest and the largest share of the picture that a thing covers.
const LEAST: f32 = 0.004;
const MOST: f32 = 0.6;
/// The alpha from which a pixel belongs to a thing, of 255.
const SOLID: u8 = 20;
/// Pixels around a thing that are filled too, per 1,000 of the longer side, so that its edge does not stay behind.
const MARGIN: usize = 6;

/// One thing that was found.
struct Thing {
    picture: Picture,
    share: f32,
}

/// The task. The files are in stacking order, the background first.
pub fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let wanted = params::number(request, "layers", 4.0, 1.0, 16.0)? as usize;
    let side = match params::choice(request, "resolution", &["640", "1024"])? {
        "1024" => 1_024.0,
        _ => 640.0,
    };
    let seed = request
        .params
        .get("seed")
        .and_then(serde_json::Value::as_u64)
        .unwrap_or(request.seed);
    let mut picture = sized(&open(request)?, side);
    progress(0.05);
    let mut things = Vec::new();
    while things.len() + 1 < wanted {
        let found = next(&picture, wanted - 1 - things.len());
        if found.is_empty() {
            break;
        }
        let missing = covered(&found, &picture);
        let share = missing.iter().filter(|missing| **missing).count() as f32 / missing.len() as f32;
        let done = things.len() as f32 / wanted as f32;
        // A thing that is nearly all of the picture leaves nothing to fill from.
        if share > MOST
            || !fill(
                &mut picture,
                &missing,
                (seed ^ (seed >> 32)) as u32,
                &mut |part| {
                    progress(0.05 + 0.85 * (done + part / wanted as f32));
                },
            )
        {
            break;
        }
        // Things found later lie farther back: the most salient was found first.
        things.splice(0..0, found);
    }
    let shares: Vec<f32> = std::iter::once(1.0)
        .chain(things.iter().map(|thing| thing.share))
        .collect();
    let mut files = Vec::new();
    for (index, layer) in std::iter::once(&picture)
        .chain(things.iter().map(|thing| &thing.picture))
        .enumerate()
    {
        let path = request.out.join(format!("layer-{index}.png"));
        let provenance = Provenance {
            tool: &request.task,
            source: SourceType::Composite,
        };
        write_png(&path, layer, provenance)?;
        files.push(path);
    }
    progress(1.0);
    let mut notes = Map::new();
    let rounded = |share: &f32| (f64::from(*share) * 1_000.0).round() / 1_000.0;
    notes.insert("layers".into(), json!(files.len()));
    notes.insert(
        "shares".into(),
        json!(shares.iter().map(rounded).collect::<Vec<f64>>()),
    );
    if files.len() < wanted {
        notes.insert(
            "not_done".into(),
            json!([format!(
                "only {} of {wanted} layers: nothing more stands out",
                files.len()
            )]),
        );
    }
    Ok(Response {
        files,
        metadata: metadata(picture.width, picture.height, notes),
    })
}

/// At about this many pixels a side, never larger than it is.
fn sized(picture: &Picture, side: f32) -> Picture {
    let area = (picture.width * picture.height) as f32;
    let scale = side / area.sqrt();
    if scale >= 1.0 {
        return picture.clone();
    }
    let part = |length: usize| ((length as f32 * scale).round() as usize).max(1);
    let (width, height) = (part(picture.width), part(picture.height));
    let channels: Vec<Plane> = (0..4)
        .map(|c| {
            Plane::from_fn(picture.width, picture.height, |x, y| {
                f32::from(picture.pixel(x, y)[c])
            })
            .resized(width, height)
        })
        .collect();
    let mut small = Picture::filled(width, height, [0; 4]);
    small.icc.clone_from(&picture.icc);
    for (index, pixel) in small.rgba.chunks_exact_mut(4).enumerate() {
        for (value, channel) in pixel.iter_mut().zip(&channels) {
            *value = channel.data[index].round().clamp(0.0, 255.0) as u8;
        }
    }
    small
}

/// The salient parts of the picture, as pieces that do not touch, the largest last, at most this many.
fn next(picture: &Picture, most: usize) -> Vec<Thing> {
    let Some((cut, _)) = remove_background(picture, Background::Transparent, 0.0, &mut |_| {}) else {
        return Vec::new();
    };
    let mut pieces = pieces(&cut);
    let area = (cut.width * cut.height) as f32;
    pieces.retain(|piece| piece.len() as f32 > LEAST * area);
    pieces.sort_by_key(|piece| std::cmp::Reverse(piece.len()));
    if pieces.is_empty() || pieces.iter().map(Vec::len).sum::<usize>() as f32 > MOST * area {
        return Vec::new();
    }
    // More pieces than layers: the smallest share one.
    while pieces.len() > most {
        let last = pieces.pop().unwrap_or_default();
        if let Some(piece) = pieces.last_mut() {
            piece.extend(last);
        }
    }
    pieces
        .into_iter()
        .rev()
        .map(|piece| {
            let mut layer = Picture::filled(cut.width, cut.height, [0; 4]);
            layer.icc.clone_from(&cut.icc);
            let share = piece.len() as f32 / area;
            for index in piece {
                layer.rgba[4 * index..4 * index + 4].copy_from_slice(&cut.rgba[4 * index..4 * index + 4]);
            }
            Thing {
                picture: layer,
                share,
            }
        })
        .collect()
}

/// Connected pixels, as lists of their places.
fn pieces(cut: &Picture) -> Vec<Vec<usize>> {
    let (width, height) = (cut.width, cut.height);
    let mut open: Vec<bool> = cut.rgba.chunks_exact(4).map(|pixel| pixel[3] > SOLID).collect();
    let mut pieces = Vec::new();
    for start in 0..open.len() {
        if !open[start] {
            continue;
        }
        open[start] = false;
        let mut piece = vec![start];
        let mut at = 0;
        while at < piece.len() {
            let (x, y) = (piece[at] % width, piece[at] / width);
            at += 1;
            for (u, v) in [
                (x.wrapping_sub(1), y),
                (x + 1, y),
                (x, y.wrapping_sub(1)),
                (x, y + 1),
            ] {
                if u < width && v < height && open[v * width + u] {
                    open[v * width + u] = false;
                    piece.push(v * width + u);
                }
            }
        }
        pieces.push(piece);
    }
    pieces
}

/// The pixels that things cover, and a margin around them.
fn covered(things: &[Thing], picture: &Picture) -> Vec<bool> {
    let (width, height) = (picture.width, picture.height);
    let reach = (width.max(height) * MARGIN / 1_000).max(2);
    let solid: Vec<bool> = (0..width * height)
        .into_par_iter()
        .map(|index| things.iter().any(|thing| thing.picture.rgba[4 * index + 3] > 0))
        .collect();
    // First along rows, then along columns.
    let spread =
        |from: &[bool], step: usize, place: &(dyn Fn(usize) -> (usize, usize) + Sync)| -> Vec<bool> {
            (0..from.len())
                .into_par_iter()
                .map(|index| {
                    let (at, length) = place(index);
                    let first = index - at.min(reach) * step;
                    let count = at.min(reach) + reach.min(length - 1 - at) + 1;
                    (0..count).any(|away| from[first + away * step])
                })
                .collect()
        };
    let wide = spread(&solid, 1, &|index| (index % width, width));
    spread(&wide, width, &|index| (index / width, height))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::Value;

    use super::*;
    use crate::decode;
    use crate::samples::subject;
    use atelier_protocol::Input;

    fn made(folder: &Path, picture: &Picture, params: &Value) -> Response {
        let path = folder.join("in.png");
        let provenance = Provenance {
            tool: "test",
            source: SourceType::Composite,
        };
        write_png(&path, picture, provenance).unwrap();
        let request = Request {
            task: "layers".into(),
            params: params.as_object().cloned().unwrap_or_default(),
            inputs: vec![Input {
                parameter: "image_urls".into(),
                path,
                media_type: "image/png".into(),
                seconds: None,
            }],
            seed: 1,
            out: folder.to_owned(),
        };
        run(&request, &mut |_| {}).unwrap()
    }

    /// Layers one over the other.
    fn together(layers: &[Picture]) -> Picture {
        let mut out = layers[0].clone();
        for layer in &layers[1..] {
            for (to, over) in out.rgba.chunks_exact_mut(4).zip(layer.rgba.chunks_exact(4)) {
                let alpha = f32::from(over[3]) / 255.0;
                for c in 0..3 {
                    to[c] = (f32::from(over[c]) * alpha + f32::from(to[c]) * (1.0 - alpha)).round() as u8;
                }
            }
        }
        out
    }

    #[test]
    fn the_layers_over_each_other_are_the_picture_and_the_background_lacks_the_subject() {
        let folder = tempfile::tempdir().unwrap();
        let (picture, truth) = subject(224, 192, 2);
        let response = made(folder.path(), &picture, &json!({ "layers": 2 }));
        let layers: Vec<Picture> = response
            .files
            .iter()
            .map(|path| decode::read(path).unwrap())
            .collect();
        assert_eq!((layers.len(), response.metadata["layers"].as_u64()), (2, Some(2)));
        assert!(layers[0].is_opaque() && !layers[1].is_opaque());
        let whole = together(&layers);
        let error: f64 = whole
            .rgba
            .iter()
            .zip(&picture.rgba)
            .map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2))
            .sum();
        let psnr = 10.0 * (255.0_f64.powi(2) / (error / whole.rgba.len() as f64)).log10();
        assert!(psnr > 30.0, "{psnr} dB");
        let changed: f32 = (0..truth.data.len())
            .filter(|index| truth.data[*index] > 0.9)
            .map(|index| {
                let (a, b) = (&layers[0].rgba[4 * index..], &picture.rgba[4 * index..]);
                f32::from((0..3).any(|c| a[c].abs_diff(b[c]) > 12))
            })
            .sum();
        assert!(changed > 0.7 * truth.data.iter().filter(|t| **t > 0.9).count() as f32);
    }

    #[test]
    fn one_layer_is_the_picture_and_too_many_are_told_of() {
        let folder = tempfile::tempdir().unwrap();
        let (picture, _) = subject(160, 128, 3);
        let response = made(folder.path(), &picture, &json!({ "layers": 1 }));
        assert_eq!(response.files.len(), 1);
        assert_eq!(decode::read(&response.files[0]).unwrap().rgba, picture.rgba);
        let response = made(
            folder.path(),
            &Picture::filled(96, 64, [90, 120, 40, 255]),
            &json!({ "layers": 6 }),
        );
        assert!(response.files.len() < 6);
        assert!(
            response.metadata["not_done"][0]
                .as_str()
                .unwrap()
                .contains("of 6 layers")
        );
    }
}
