//! The sound of a film: the sounds of its scenes and of visible events; a bed of music if the prompt asks for it;
//! or the track that references provide.

use atelier_film::Sound;
use atelier_sound::dsp::resample::resample;
use atelier_sound::file::Audio;
use atelier_sound::music::{Order as Piece, compose, perform};
use serde_json::{Value, json};

use super::guests::Guests;
use super::{Film, Order, SAMPLES_A_SECOND};
use atelier_protocol::Error;

/// The sound prompt of a film without a field for it.
const WORDS: [&str; 7] = [
    "music",
    "soundtrack",
    "sound of",
    "sounds of",
    "with sound",
    "audio",
    "soundscape",
];
/// The level of music beside the sounds of a scene.
const MUSIC: f32 = 0.5;

/// The sounds of one shot.
#[derive(Debug, Clone)]
pub(crate) struct Heard {
    pub(crate) seconds: f32,
    /// The things that the scene shows at first and in the end.
    pub(crate) before: Vec<String>,
    pub(crate) after: Vec<String>,
    /// The times of lightning, in seconds.
    pub(crate) thunder: Vec<f32>,
    pub(crate) seed: u64,
}

impl Heard {
    /// Returns the statements of the words of a whole film about sound.
    pub(crate) fn of_words(order: &Order) -> Self {
        let facts = vec![order.prompt.clone()];
        Self {
            seconds: order.seconds() as f32,
            before: facts.clone(),
            after: facts,
            thunder: Vec::new(),
            seed: order.seed,
        }
    }
}

/// The origin of the sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Track {
    None,
    Scene,
    Given,
}

impl Track {
    pub(crate) fn of(order: &Order, guests: &Guests) -> Self {
        let prompt = order.prompt.to_lowercase();
        let asked = order
            .sound
            .unwrap_or_else(|| WORDS.iter().any(|word| prompt.contains(word)));
        if !guests.track.is_empty() {
            Self::Given
        } else if asked {
            Self::Scene
        } else {
            Self::None
        }
    }

    /// The sound format of the film.
    pub(crate) fn setting(self) -> Option<Sound> {
        (self != Self::None).then_some(Sound::Stereo {
            rate: SAMPLES_A_SECOND,
        })
    }

    /// Writes the sound, and returns its description.
    pub(crate) fn write(
        self,
        order: &Order,
        guests: &Guests,
        shots: &[Heard],
        film: &mut Film<'_>,
    ) -> Result<Value, Error> {
        let samples = (order.seconds() * f64::from(SAMPLES_A_SECOND)).round() as usize;
        match self {
            Self::None => Ok(Value::Null),
            Self::Given => {
                let mut track = guests.track.clone();
                track.resize(samples * 2, 0.0);
                fade(&mut track);
                film.samples(&track)?;
                Ok(json!({ "from": "reference audio" }))
            }
            Self::Scene => {
                let mut track = Vec::with_capacity(samples * 2);
                let mut names: Vec<String> = Vec::new();
                for shot in shots {
                    let (mut part, understood) = scene(shot);
                    fade(&mut part);
                    track.extend(part);
                    names.extend(understood);
                }
                names.sort();
                names.dedup();
                track.resize(samples * 2, 0.0);
                let music = has_music(&order.prompt);
                if music {
                    mix(&mut track, &bed(order)?);
                }
                film.samples(&track)?;
                Ok(json!({ "from": "the scene", "sounds": names, "music": music }))
            }
        }
    }
}

/// A prompt's music, without vocals.
fn bed(order: &Order) -> Result<Audio, Error> {
    let mut piece = Piece::new(&order.prompt, order.seed);
    piece.instrumental = true;
    piece.seconds = Some(order.seconds().max(5.0));
    let piece = compose(&piece);
    perform(
        &piece.score,
        &piece.production,
        &atelier_audio::settings(),
        &mut |_| {},
    )
    .map_err(|error| Error::Failed(error.to_string()))
}

fn has_music(prompt: &str) -> bool {
    let prompt = prompt.to_lowercase();
    let asked = ["music", "soundtrack", "song", "melody", "orchestra"];
    asked.iter().any(|word| prompt.contains(word))
        && !prompt.contains("no music")
        && !prompt.contains("without music")
}

/// The sounds of one shot: those of its start fade into those of its end; thunder follows its lightning.
fn scene(shot: &Heard) -> (Vec<f32>, Vec<String>) {
    use atelier_sound::scape::{Curve, Event, Sound, from_facts, render};
    let hear = |facts: &[String]| {
        let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
        from_facts(&facts, shot.seconds, shot.seed)
    };
    let mut heard = hear(&shot.before);
    if shot.after != shot.before {
        let later = hear(&shot.after);
        let ramp = |gain: &Curve, from: f32, to: f32| {
            let level = gain.at(0.0);
            Curve::points(&[
                (0.2 * shot.seconds, level * from),
                (0.8 * shot.seconds, level * to),
            ])
        };
        let stays = |sound: Sound, all: &[atelier_sound::scape::Source]| {
            all.iter().any(|source| source.sound == sound)
        };
        for source in &mut heard.scape.sources {
            if !stays(source.sound, &later.scape.sources) {
                source.gain = ramp(&source.gain, 1.0, 0.0);
            }
        }
        let first = heard.scape.sources.clone();
        for mut source in later.scape.sources {
            if !stays(source.sound, &first) {
                source.gain = ramp(&source.gain, 0.0, 1.0);
                heard.scape.sources.push(source);
            }
        }
        heard.understood.extend(later.understood);
    }
    if !shot.thunder.is_empty() {
        // Visible lightning is audible, and there is no other thunder.
        heard.scape.events.retain(|event| event.sound != Sound::Thunder);
        heard
            .scape
            .sources
            .retain(|source| source.sound != Sound::Thunder);
        // Lightning half a second away.
        for stroke in &shot.thunder {
            heard.scape.events.push(Event::new(stroke + 0.5, Sound::Thunder));
        }
    }
    let audio = render(&heard.scape, SAMPLES_A_SECOND);
    (interleaved(&audio), heard.understood)
}

fn interleaved(audio: &Audio) -> Vec<f32> {
    let channel = |number: usize| audio.channels.get(number).or(audio.channels.first());
    let (Some(left), Some(right)) = (channel(0), channel(1)) else {
        return Vec::new();
    };
    left.iter()
        .zip(right)
        .flat_map(|(left, right)| [*left, *right])
        .collect()
}

/// Mixes music under a track, with soft fades, without clipping.
fn mix(track: &mut [f32], music: &Audio) {
    let at_rate = Audio {
        rate: SAMPLES_A_SECOND,
        channels: music
            .channels
            .iter()
            .map(|channel| resample(channel, music.rate, SAMPLES_A_SECOND))
            .collect(),
    };
    let mut bed = interleaved(&at_rate);
    bed.resize(track.len(), 0.0);
    let frames = track.len() / 2;
    let soft = SAMPLES_A_SECOND as usize;
    for (number, (out, sample)) in track.iter_mut().zip(bed).enumerate() {
        let frame = number / 2;
        let edge = frame.min(frames - frame).min(soft) as f32 / soft as f32;
        *out += MUSIC * edge * sample;
    }
    let peak = track.iter().fold(0.0_f32, |peak, x| peak.max(x.abs()));
    if peak > 0.95 {
        for x in track.iter_mut() {
            *x *= 0.95 / peak;
        }
    }
}

/// No click where a track begins or ends.
fn fade(track: &mut [f32]) {
    let soft = SAMPLES_A_SECOND as usize / 50;
    let frames = track.len() / 2;
    for (number, x) in track.iter_mut().enumerate() {
        let edge = (number / 2).min(frames.saturating_sub(number / 2 + 1));
        if edge < soft {
            *x *= edge as f32 / soft as f32;
        }
    }
}
