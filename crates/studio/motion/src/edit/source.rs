//! The source: its frames in the order and at the times of the edit, fitted to the edit's size, decoded ahead on a
//! separate thread.

use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use atelier_film::{Error, I420, Rate, Reader};

use super::fit::Fit;

/// The bytes of frames kept while a stretch is reversed.
const TURNED: usize = 128 << 20;
/// Frames that wait for the edit.
const AHEAD: usize = 2;

/// The moments of the source that are shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Timeline {
    /// The start of the used part of the source, in seconds.
    pub(super) from: f64,
    /// Seconds of the source in a second of the edit.
    pub(super) speed: f64,
    pub(super) reverse: bool,
    pub(super) rate: Rate,
    pub(super) frames: u64,
}

impl Timeline {
    /// The source time of a frame, in forward order.
    fn moment(&self, frame: u64) -> f64 {
        self.from + self.rate.time_of(frame) * self.speed
    }

    /// Seconds that the edit lasts.
    pub(super) fn seconds(&self) -> f64 {
        self.rate.time_of(self.frames)
    }
}

/// Frames in the order of the edit. Ends early when the receiver is dropped; an error is the last thing sent.
pub(super) fn frames(mut film: Reader, timeline: Timeline, fit: Fit) -> Receiver<Result<I420, Error>> {
    let (send, receive) = sync_channel(AHEAD);
    thread::spawn(move || {
        let mut show = |frame: I420| send.send(Ok(frame)).is_ok();
        let done = if timeline.reverse {
            backward(&mut film, &timeline, &fit, &mut show)
        } else {
            forward(&mut film, &timeline, &fit, &mut show)
        };
        if let Err(error) = done {
            // The receiver may be gone.
            let _ = send.send(Err(error));
        }
    });
    receive
}

fn forward(
    film: &mut Reader,
    timeline: &Timeline,
    fit: &Fit,
    show: &mut dyn FnMut(I420) -> bool,
) -> Result<(), Error> {
    go_to(film, timeline.from)?;
    let mut last = None;
    for n in 0..timeline.frames {
        if let Some(frame) = film.at(timeline.moment(n))? {
            last = Some(fit.apply(frame));
        }
        // Rounding may ask for a frame after the last.
        let Some(frame) = &last else {
            return Err(Error::Damaged("it has no frame that can be decoded".into()));
        };
        if !show(frame.clone()) {
            return Ok(());
        }
    }
    Ok(())
}

fn backward(
    film: &mut Reader,
    timeline: &Timeline,
    fit: &Fit,
    show: &mut dyn FnMut(I420) -> bool,
) -> Result<(), Error> {
    let bytes = fit.width * fit.height * 3 / 2;
    let stretch = (TURNED / bytes).clamp(4, 96) as u64;
    let mut end = timeline.frames;
    while end > 0 {
        let start = end.saturating_sub(stretch);
        go_to(film, timeline.moment(start))?;
        let mut turned: Vec<I420> = Vec::new();
        for n in start..end {
            match film.at(timeline.moment(n))? {
                Some(frame) => turned.push(fit.apply(frame)),
                None => turned.extend(turned.last().cloned()),
            }
        }
        for frame in turned.into_iter().rev() {
            if !show(frame) {
                return Ok(());
            }
        }
        end = start;
    }
    Ok(())
}

/// Seeks to the frame that is shown at a time.
fn go_to(film: &mut Reader, time: f64) -> Result<(), Error> {
    let shown = |frame: u64| film.time_of(frame).is_some_and(|at| at <= time + 1e-4);
    let (mut low, mut high) = (0, film.facts().frames);
    while low + 1 < high {
        let middle = u64::midpoint(low, high);
        if shown(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    film.seek(low)
}

/// A few fitted frames from all over the used part.
pub(super) fn keys(
    film: &mut Reader,
    timeline: &Timeline,
    fit: &Fit,
    count: u64,
) -> Result<Vec<I420>, Error> {
    let count = count.min(timeline.frames);
    let numbers = (0..count).map(|k| (2 * k + 1) * timeline.frames / (2 * count));
    let mut keys = Vec::new();
    each(film, timeline, fit, numbers, |_, key| keys.push(key))?;
    Ok(keys)
}

/// Frames of the used part by their ascending numbers, in forward order.
pub(super) fn each(
    film: &mut Reader,
    timeline: &Timeline,
    fit: &Fit,
    numbers: impl Iterator<Item = u64>,
    mut see: impl FnMut(u64, I420),
) -> Result<(), Error> {
    for number in numbers {
        if let Some(picture) = film.at(timeline.moment(number))? {
            see(number, fit.apply(picture));
        }
    }
    film.restart()
}
