//! The pixels of each frame that are replaced: from a mask, or the salient subject.

use atelier_film::I420;

use super::super::canvas_of_frame;
use super::super::given::named;
use super::super::plan;
use super::super::source::Timeline;
use atelier_protocol::{Error, Request};
use atelier_retouch::Plane;
use atelier_retouch::canvas::Frame;
use atelier_retouch::canvas::picture;
use atelier_retouch::cutout;
use atelier_retouch::flow::{Flow, lightness};

/// The largest share of a frame that can be replaced.
const MOST: f32 = 0.7;
/// The largest share of an unmarked subject.
const SUBJECT: f32 = 0.45;
/// The luma from which on a mask counts as white: half of the range.
const WHITE: u8 = 126;
/// Pixels around a mask that are replaced with it, because edges are soft.
const EDGE: usize = 2;
/// The longer side at which a subject is tracked, and how often it is located again.
const SIDE: usize = 320;
const EVERY: usize = 16;

/// The pixels of each frame to replace, and a description of their source.
pub(super) fn of(
    request: &Request,
    frames: &[I420],
    timeline: Timeline,
) -> Result<(Vec<Vec<bool>>, &'static str), Error> {
    let (width, height) = (frames[0].width, frames[0].height);
    let shape = width as f64 / height as f64;
    let mask = plan::mask_of(request, (width, height), shape, timeline, false);
    let Some(mut mask) = mask.map_err(|error| named("mask_url", error))? else {
        return Ok((subject(frames)?, "the subject that stands out"));
    };
    let mut masks = Vec::with_capacity(frames.len());
    let mut widest = 0.0_f32;
    for _ in frames {
        let frame = mask.next().map_err(|error| named("mask_url", error))?;
        let white: Vec<bool> = frame.planes().y.iter().map(|v| *v >= WHITE).collect();
        let wide = dilated(&white, width, EDGE);
        widest = widest.max(share(&white));
        masks.push(wide);
    }
    if widest <= 0.0 {
        return Err(Error::InvalidInput(
            "`mask_url` has no white pixels; paint the thing to remove white".into(),
        ));
    }
    if widest > MOST {
        return Err(Error::InvalidInput(format!(
            "`mask_url` is white over {:.0} % of a frame; up to {:.0} % can be replaced",
            100.0 * widest,
            100.0 * MOST
        )));
    }
    Ok((masks, "mask_url"))
}

fn share(white: &[bool]) -> f32 {
    white.iter().filter(|white| **white).count() as f32 / white.len().max(1) as f32
}

/// The subject of the film, located in some frames and tracked between them.
fn subject(frames: &[I420]) -> Result<Vec<Vec<bool>>, Error> {
    let none = || {
        Error::InvalidInput(
            "`mask_url` is missing, and no single thing stands out from the background of the video; add a mask of \
             what to remove"
                .into(),
        )
    };
    let (width, height) = (frames[0].width, frames[0].height);
    let k = (SIDE as f32 / width.max(height) as f32).min(1.0);
    let side = |length: usize| ((length as f32 * k).round() as usize).max(8);
    let mut before: Option<(Plane, Plane)> = None;
    let mut found = Vec::with_capacity(frames.len());
    for (number, frame) in frames.iter().enumerate() {
        let small = canvas_of_frame(frame, Frame::new(width, height)).reduced(side(width), side(height));
        let now = lightness(&small);
        let followed = before
            .as_ref()
            .map(|(seen, mask)| Flow::between(&now, seen, 3).fetch(mask));
        let fresh = number
            .is_multiple_of(EVERY)
            .then(|| cutout::find(&picture(&small)));
        let fresh = fresh.flatten().map(|mask| mask.resized(now.width, now.height));
        let mask = match (followed, fresh) {
            (Some(followed), Some(fresh)) => followed.zip(&fresh, |a, b| 0.6 * a + 0.4 * b),
            (Some(mask), None) | (None, Some(mask)) => mask,
            (None, None) => return Err(none()),
        };
        let large = mask.resized(width, height);
        let white: Vec<bool> = large.data.iter().map(|v| *v > 0.4).collect();
        if !(0.0005..SUBJECT).contains(&share(&white)) {
            return Err(none());
        }
        found.push(dilated(&white, width, 3 * EDGE));
        before = Some((now, mask));
    }
    Ok(found)
}

/// Returns the white pixels, and this many pixels around them.
pub(in crate::edit) fn dilated(white: &[bool], width: usize, reach: usize) -> Vec<bool> {
    let spread = |from: &[bool], to: &mut [bool], length: usize| {
        let mut last = None;
        for at in (0..length).chain((0..length).rev()) {
            if from[at] {
                last = Some(at);
            }
            to[at] |= last.is_some_and(|last: usize| last.abs_diff(at) <= reach);
        }
    };
    let height = white.len() / width;
    let mut rows = vec![false; white.len()];
    for (from, to) in white.chunks_exact(width).zip(rows.chunks_exact_mut(width)) {
        spread(from, to, width);
    }
    let mut wide = vec![false; white.len()];
    let (mut column, mut out) = (vec![false; height], vec![false; height]);
    for x in 0..width {
        for y in 0..height {
            column[y] = rows[y * width + x];
        }
        out.fill(false);
        spread(&column, &mut out, height);
        for y in 0..height {
            wide[y * width + x] = out[y];
        }
    }
    wide
}
