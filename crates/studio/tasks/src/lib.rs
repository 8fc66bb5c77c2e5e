//! The embedded engines as a whole: the table of all tasks, collected from their crates.
//!
//! This library knows nothing of jobs, accounts or HTTP. A [`Request`] goes in; files and a [`Response`] come out.
//! Everything is deterministic: the same request with the same seed gives the same bytes.

use std::sync::LazyLock;

use atelier_protocol::{Error, Request, Response, Task};

mod mask;
mod sounds;
mod splice;
mod thumbnail;
mod watermark;

pub use atelier_audio::use_soundfont;
pub use watermark::MARKING;

/// All tasks, grouped by crate.
static TASKS: LazyLock<Vec<Task>> = LazyLock::new(|| {
    let own: &[Task] = &[
        ("thumbnail", thumbnail::run),
        ("mask", mask::run),
        ("dubbing", dubbing),
    ];
    [
        own,
        atelier_picture::TASKS,
        atelier_retouch::TASKS,
        atelier_motion::TASKS,
        atelier_audio::TASKS,
    ]
    .concat()
});

/// The names of all tasks.
pub fn names() -> impl Iterator<Item = &'static str> {
    TASKS.iter().map(|(name, _)| *name)
}

/// Runs one request to its end. `progress` is told how much is done, from 0 to 1.
pub fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    if request.task == atelier_motion::mjpeg::TASK {
        return atelier_motion::mjpeg::run(request, progress);
    }
    if MARKING.iter().any(|(name, _)| *name == request.task) {
        return atelier_protocol::run(MARKING, request, progress);
    }
    atelier_protocol::run(&TASKS, request, progress)
}

/// Runs `dubbing`, which accepts a recording or a film.
fn dubbing(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    if request.inputs_of("video_url").next().is_some() {
        atelier_motion::dubbed(request, progress)
    } else {
        atelier_audio::dubbing::run(request, progress)
    }
}
