//! Sound for a film: the task `video-to-audio`. It watches the picture for cuts, motion and colours. Sounds that the
//! prompt names are heard when something moves.

mod watch;

use atelier_film::{Limits, Reader};
use atelier_sound::scape::{Curve, Event, Heard, Sound, Source, from_facts, from_words, render};
use serde_json::{Value, json};

use super::{
    effects::{LOUDNESS, RATE, heard, seconds, told, without_effect, write},
    seed, text,
};
use atelier_protocol::{Error, Input, Request, Response};
use watch::{Watched, watch};

/// Default and maximum duration, in seconds.
const SECONDS: f64 = 8.0;
const LONGEST: f64 = 120.0;

/// Makes the sound of a film or, without a film, a sound from words. The parameters are those of the model
/// `mmaudio-large`. The sound has the requested duration, but is never longer than the film.
pub fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let seconds = seconds(request, SECONDS, LONGEST)?;
    let prompt = text(request, "prompt");
    let film = request.inputs_of("video_url").next();
    if prompt.is_empty() && film.is_none() {
        return Err(Error::InvalidInput(
            "`video_url` and `prompt` are both missing; give a film, or describe a sound".to_owned(),
        ));
    }
    let mut seen = None;
    let heard = match film {
        None => heard(request, prompt, seconds),
        Some(input) => {
            let watched = look(input, seconds, &mut |done| progress(0.7 * done))?;
            let heard = listen(&watched, prompt, seed(request)).without(text(request, "negative_prompt"));
            seen = Some(watched);
            heard
        }
    };
    progress(0.75);
    let audio = render(&heard.scape, RATE);
    let mut metadata = told(&heard);
    if let Some(watched) = &seen {
        let times = |list: &[f32]| -> Value {
            list.iter()
                .map(|at| (100.0 * f64::from(*at)).round() / 100.0)
                .collect::<Vec<f64>>()
                .into()
        };
        metadata.insert("cuts".to_owned(), times(&watched.cuts));
        metadata.insert(
            "movements".to_owned(),
            times(&watched.peaks.iter().map(|peak| peak.0).collect::<Vec<f32>>()),
        );
        metadata.insert("seen".to_owned(), json!(watched.facts));
    }
    metadata.insert(
        "without_effect".to_owned(),
        json!(without_effect(
            request,
            &["prompt", "negative_prompt", "duration", "seed"]
        )),
    );
    write(request, &audio, prompt, metadata, &mut |done| {
        progress(0.9 + 0.1 * done);
    })
}

fn look(input: &Input, seconds: f64, progress: &mut dyn FnMut(f32)) -> Result<Watched, Error> {
    let limits = Limits::measured(input.seconds);
    let mut film = Reader::open(&input.path, &limits).map_err(refused)?;
    watch(&mut film, seconds, progress).map_err(refused)
}

/// Builds the scape of a watched film.
fn listen(watched: &Watched, prompt: &str, seed: u64) -> Heard {
    let mut heard = if prompt.is_empty() {
        from_facts(&watched.facts, watched.seconds, seed)
    } else {
        from_words(prompt, watched.seconds, seed)
    };
    heard.scape.loudness = LOUDNESS;
    // Named events happen when something moves.
    let named = std::mem::take(&mut heard.scape.events);
    let mut at: Vec<(f32, f32, f32)> = watched.peaks.iter().copied().take(named.len()).collect();
    at.sort_by(|a, b| a.0.total_cmp(&b.0));
    // In the order of the prompt. Events without a movement keep their time.
    for (index, event) in named.into_iter().enumerate() {
        heard.scape.events.push(match at.get(index) {
            Some((time, strength, pan)) => Event {
                at: *time,
                strength: event.strength * (0.6 + 0.4 * strength),
                pan: *pan,
                ..event
            },
            None => event,
        });
    }
    // Continuous sounds are louder where there is more motion.
    for source in &mut heard.scape.sources {
        if source.sound.is_bed() {
            let points: Vec<(f32, f32)> = watched
                .motion
                .iter()
                .map(|(time, motion)| (*time, source.gain.at(*time) * (0.75 + 0.5 * motion)))
                .collect();
            if !points.is_empty() {
                source.gain = Curve::points(&points);
            }
        }
    }
    if prompt.is_empty() {
        // Without a prompt, cuts and movements get sounds of their own.
        for cut in &watched.cuts {
            heard
                .scape
                .events
                .push(Event::new(cut - 0.3, Sound::Whoosh).strength(0.5));
        }
        for (time, strength, pan) in &watched.peaks {
            if *strength > 0.5 {
                heard.scape.events.push(
                    Event::new(time - 0.35, Sound::Whoosh)
                        .strength(0.6 * strength)
                        .pan(*pan),
                );
            }
        }
    }
    if heard.scape.sources.is_empty() {
        heard.scape.sources.push(Source::new(Sound::Air));
    }
    heard
}

/// The sender can fix a film that cannot be read, but not a disk that cannot be read.
fn refused(error: atelier_film::Error) -> Error {
    match error {
        atelier_film::Error::Io(error) => error.into(),
        error => Error::InvalidInput(format!("`video_url`: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use atelier_film::{Picture, Rate, Tags, Video, Writer};
    use atelier_sound::file::decode;

    use super::*;

    const WIDTH: usize = 128;
    const HEIGHT: usize = 72;

    /// Three seconds: a blue sky over green, a cut at 1 s, and a white ball that darts across the right half at 2 s.
    fn film(path: &Path) {
        let mut video = Video::new(WIDTH as u32, HEIGHT as u32);
        video.rate = Rate::whole(24);
        let mut writer = Writer::create(path, video, None, Tags::default()).unwrap();
        for frame in 0..72 {
            let mut pixels = Vec::with_capacity(3 * WIDTH * HEIGHT);
            for y in 0..HEIGHT {
                for x in 0..WIDTH {
                    let ball = (48..54).contains(&frame)
                        && x > 70 + 8 * (frame - 48)
                        && x < 84 + 8 * (frame - 48)
                        && (20..50).contains(&y);
                    pixels.extend(match (frame < 24, y < HEIGHT / 2) {
                        _ if ball => [250, 250, 250],
                        (true, true) => [90, 150, 235],
                        (true, false) => [60, 130, 40],
                        (false, true) => [30, 30, 40],
                        (false, false) => [70, 20, 20],
                    });
                }
            }
            writer.frame(Picture::Rgb(&pixels)).unwrap();
        }
        writer.finish().unwrap();
    }

    fn made(folder: &Path, film: &Path, params: &Value) -> Result<Response, Error> {
        let request = Request {
            task: "video-to-audio".to_owned(),
            params: params.as_object().cloned().unwrap_or_default(),
            inputs: vec![Input {
                parameter: "video_url".to_owned(),
                path: film.to_owned(),
                media_type: "video/mp4".to_owned(),
                seconds: None,
            }],
            seed: 5,
            out: folder.to_owned(),
        };
        crate::run(&request, &mut |_| {})
    }

    #[test]
    fn cuts_and_movements_are_found_and_named_sounds_are_heard_with_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("film.mp4");
        film(&path);
        let response = made(
            folder.path(),
            &path,
            &json!({ "prompt": "a gunshot", "duration": 8 }),
        )
        .unwrap();
        let told = &response.metadata;
        let cuts = told["cuts"].as_array().unwrap();
        assert_eq!(cuts.len(), 1, "{told:?}");
        assert!((cuts[0].as_f64().unwrap() - 1.0).abs() < 0.13, "{told:?}");
        let moved = told["movements"][0].as_f64().unwrap();
        assert!((1.95..2.3).contains(&moved), "{told:?}");
        let audio = decode(&response.files[0]).unwrap();
        assert!(
            (audio.seconds() - 3.0).abs() < 0.06,
            "as long as the film, and not as asked for"
        );
        let energy = |from: f64, to: f64, channel: usize| -> f32 {
            let span = (from * 44_100.0) as usize..(to * 44_100.0) as usize;
            audio.channels[channel][span].iter().map(|x| x * x).sum()
        };
        let (before, after) = (energy(0.2, moved - 0.1, 0), energy(moved, moved + 0.3, 0));
        assert!(after > 8.0 * before, "{after} after, {before} before");
        assert!(
            energy(moved, moved + 0.3, 1) > after,
            "what moves on the right is heard there"
        );
    }

    #[test]
    fn without_a_prompt_the_picture_decides_the_sounds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("film.mp4");
        film(&path);
        let response = made(folder.path(), &path, &json!({ "duration": 1 })).unwrap();
        assert_eq!(response.metadata["seen"], json!(["day", "meadow"]));
        assert!(
            response.metadata["sounds"]
                .as_array()
                .unwrap()
                .contains(&json!({ "sound": "birds" }))
        );
    }

    #[test]
    fn a_file_that_is_not_a_film_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("film.mp4");
        std::fs::write(&path, b"\0\0\0\x18ftypmp42 and then nothing of the kind").unwrap();
        let error = made(folder.path(), &path, &json!({})).unwrap_err();
        assert!(
            matches!(&error, Error::InvalidInput(message) if message.contains("video_url")),
            "{error}"
        );
    }
}
