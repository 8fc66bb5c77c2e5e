//! Moving pictures: the task `video`, and what all video tasks share. [`Order`] is the request, [`Film`] takes
//! frames and sound.

pub(crate) mod edit;
mod film;
mod finish;
pub(crate) mod frames;
mod guests;
pub mod mjpeg;
mod order;
mod path;
mod safety;
mod script;
mod size;
mod sound;
mod stage;
#[cfg(test)]
mod tests;
mod text;
mod texture;

use rayon::prelude::*;

use atelier_protocol::{Error, Request, Response, Task};
use stage::card::Pixel;

pub use edit::dubbed::run as dubbed;
pub use film::{About, Film, Form, SAMPLES_A_SECOND, refused};
pub use order::Order;
pub use size::dimensions;

/// The tasks that this crate serves.
pub const TASKS: &[Task] = &[
    ("video", run),
    ("video-edit", run),
    ("motion-transfer", edit::puppet::run),
    ("control-to-video", edit::control::run),
    ("lip-sync", edit::speaking::run),
    ("video-inpaint", edit::mend::run),
    ("video-upscale", edit::enlarge::run),
    ("audio-to-video", frames::heard::run),
];

/// Makes a video, by the inputs of the request.
pub fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    if edit::is_asked(request) {
        edit::run(request, progress)
    } else if frames::is_asked(request) {
        frames::run(request, progress)
    } else {
        text::run(request, progress)
    }
}

/// Mixes a frame with another with the weight `part`, 0 to 1.
fn blend(pixels: &mut [Pixel], other: &[Pixel], part: f32) {
    let t = (part.clamp(0.0, 1.0) * 256.0) as u32;
    pixels
        .par_iter_mut()
        .zip(other.par_iter())
        .for_each(|(pixel, other)| {
            let id = if t > 128 { other[3] } else { pixel[3] };
            let mixed = stage::card::lerp(u32::from_le_bytes(*pixel), u32::from_le_bytes(*other), t);
            *pixel = mixed.to_le_bytes();
            pixel[3] = id;
        });
}

/// Runs a request by this crate's tasks.
#[cfg(test)]
fn run_task(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    atelier_protocol::run(TASKS, request, progress)
}
