//! The position of the face in each frame of a film: located in every other frame, smoothed over time.

use atelier_film::{I420, Rate};

use super::super::canvas_of_frame;
use atelier_protocol::Error;
use atelier_retouch::canvas::Frame;
use atelier_retouch::faces::Face;

/// Frames from one look to the next if faces are found, and if heads have to be cut out.
const EVERY: usize = 2;
const RARELY: usize = 12;
/// The share of looks that must find a face.
const ENOUGH: f32 = 0.25;
/// Looks without a face before a whole frame is searched again.
const LOST: usize = 3;
/// The smoothing of positions, in seconds.
const SMOOTH: f32 = 0.11;

/// The faces that were found, and how.
pub(super) struct Track {
    pub(super) faces: Vec<Face>,
    pub(super) is_person: bool,
}

/// Follows the face through consecutive frames.
pub(super) fn follow(
    frames: impl Iterator<Item = Result<I420, atelier_film::Error>>,
    rate: Rate,
    parameter: &str,
) -> Result<Track, Error> {
    let mut found: Vec<(usize, Face)> = Vec::new();
    let mut heads: Vec<(usize, Face)> = Vec::new();
    let (mut last, mut lost, mut looks, mut count) = (None::<Face>, 0, 0, 0);
    for (number, frame) in frames.enumerate() {
        let frame = frame.map_err(crate::refused)?;
        count = number + 1;
        if !number.is_multiple_of(EVERY) {
            continue;
        }
        looks += 1;
        let canvas = canvas_of_frame(&frame, Frame::new(frame.width, frame.height));
        // While nothing is found, the whole frame is not searched every time.
        if last.is_none() && found.is_empty() && looks > LOST && !looks.is_multiple_of(LOST) {
            continue;
        }
        if let Some(face) = Face::in_picture(&canvas, last) {
            found.push((number, face));
            (last, lost) = (Some(face), 0);
        } else {
            lost += 1;
            if lost >= LOST {
                last = None;
            }
        }
        if found.is_empty() && (number / EVERY).is_multiple_of(RARELY / EVERY) {
            heads.extend(Face::of_subject(&canvas).map(|head| (number, head)));
        }
    }
    let is_person = found.len() as f32 >= ENOUGH * looks as f32 && !found.is_empty();
    let seen = if is_person { found } else { heads };
    if seen.is_empty() {
        return Err(Error::InvalidInput(format!(
            "no face was found in `{parameter}`; a face that looks at the camera is required"
        )));
    }
    Ok(Track {
        faces: smoothed(&seen, count, rate),
        is_person,
    })
}

/// The face at every frame: interpolated between looks, then smoothed by a Gaussian.
fn smoothed(seen: &[(usize, Face)], count: usize, rate: Rate) -> Vec<Face> {
    let between: Vec<Face> = (0..count)
        .map(|number| {
            let next = seen.partition_point(|(at, _)| *at < number);
            match (next.checked_sub(1).and_then(|at| seen.get(at)), seen.get(next)) {
                (Some((a, one)), Some((b, two))) => {
                    one.mixed(*two, (number - a) as f32 / (b - a).max(1) as f32)
                }
                (Some((_, one)), None) | (None, Some((_, one))) => *one,
                (None, None) => seen[0].1,
            }
        })
        .collect();
    let sigma = SMOOTH / rate.time_of(1) as f32;
    let reach = (2.5 * sigma).ceil() as usize;
    (0..count)
        .map(|number| {
            let (mut mean, mut weight) = (between[number], 1.0);
            for at in number.saturating_sub(reach)..(number + reach + 1).min(count) {
                let away = (at as f32 - number as f32) / sigma.max(0.1);
                let k = (-0.5 * away * away).exp();
                if at != number {
                    weight += k;
                    mean = mean.mixed(between[at], k / weight);
                }
            }
            mean
        })
        .collect()
}
