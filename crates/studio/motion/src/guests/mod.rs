//! The contributions of references to a film: pictures give their subjects, videos their camera, colours and cuts,
//! sounds the track and its beat.

mod cite;
mod footage;

use std::sync::Arc;

use atelier_sound::dsp::resample::resample;
use atelier_sound::file::decode_measured;
use atelier_sound::music::analysis::pulse;
use serde_json::{Value, json};

use super::SAMPLES_A_SECOND;
use atelier_picture::edit::Reference;
use atelier_picture::scene::Sprite;
use atelier_protocol::{Error, Input, Request};

pub(crate) use footage::{Footage, Palette};

/// Pictures with this name in a request appear in the film.
const PICTURES: &str = "reference_image_urls";
const VIDEOS: &str = "reference_video_urls";
const SOUNDS: [&str; 2] = ["reference_audio_urls", "audio_url"];
/// A beat clearer than this is used.
const CLEAR: f64 = 0.12;

/// Everything that references contribute.
#[derive(Default)]
pub(crate) struct Guests {
    /// The prompt, with every reference in the words that scenes understand.
    pub(crate) prompt: String,
    /// The cut-out of each picture.
    pub(crate) sprites: Vec<Option<Arc<Sprite>>>,
    pub(crate) footage: Option<Footage>,
    /// Left and right, interleaved.
    pub(crate) track: Vec<f32>,
    /// Seconds.
    pub(crate) beats: Vec<f32>,
    /// The references that could not be used, and why.
    pub(crate) notes: Vec<String>,
    pub(crate) given: usize,
}

impl Guests {
    pub(crate) fn read(
        request: &Request,
        prompt: &str,
        progress: &mut dyn FnMut(f32),
    ) -> Result<Self, Error> {
        let pictures: Vec<&Input> = request.inputs_of(PICTURES).collect();
        let videos: Vec<&Input> = request.inputs_of(VIDEOS).collect();
        let sounds: Vec<&Input> = SOUNDS.iter().flat_map(|name| request.inputs_of(name)).collect();
        let cited = cite::cite(prompt, pictures.len());
        let mut guests = Self {
            prompt: cited.prompt,
            given: pictures.len() + videos.len() + sounds.len(),
            ..Self::default()
        };
        for (number, picture) in pictures.iter().enumerate() {
            let reference = Reference::read(&picture.path)?;
            let sprite = cited
                .named
                .contains(&number)
                .then(|| reference.sprite())
                .flatten();
            if sprite.is_none() && cited.named.contains(&number) {
                guests.notes.push(format!(
                    "no subject stands out in reference picture {}",
                    number + 1
                ));
            }
            guests.sprites.push(sprite);
            progress(0.04 * (number + 1) as f32 / pictures.len() as f32);
        }
        for number in cited.missing {
            guests
                .notes
                .push(format!("there is no reference picture {number}"));
        }
        for video in videos {
            let footage = Footage::read(&video.path, video.seconds)?;
            match &mut guests.footage {
                None => guests.footage = Some(footage),
                Some(first) => first.append(&footage),
            }
        }
        for sound in sounds {
            guests.hear(sound)?;
        }
        Ok(guests)
    }

    /// Returns the report of how they were used.
    pub(crate) fn told(&self) -> Value {
        let found = self.sprites.iter().filter(|sprite| sprite.is_some()).count();
        let footage = self.footage.as_ref().map(|footage| {
            let (right, down, closer) = footage.travel();
            let rounded = |value: f32| (f64::from(value) * 1000.0).round() / 1000.0;
            json!({
                "camera": [rounded(right), rounded(down), rounded(closer)],
                "cuts": footage.cuts,
            })
        });
        json!({
            "given": self.given,
            "cut_out": found,
            "video": footage,
            "beats": self.beats.len(),
            "track": !self.track.is_empty(),
        })
    }

    /// Sounds follow each other.
    fn hear(&mut self, sound: &Input) -> Result<(), Error> {
        let audio = decode_measured(&sound.path, sound.seconds)
            .map_err(|error| Error::InvalidInput(format!("`{}`: {error}", sound.parameter)))?;
        let before = self.track.len() as f32 / 2.0 / SAMPLES_A_SECOND as f32;
        if let Some(pulse) = pulse(&audio.downmix(), audio.rate).filter(|pulse| pulse.clarity > CLEAR) {
            self.beats
                .extend(pulse.beats.iter().map(|beat| before + *beat as f32));
        }
        let channel = |number: usize| {
            let samples = audio.channels.get(number).or(audio.channels.first());
            resample(
                samples.map_or(&[][..], Vec::as_slice),
                audio.rate,
                SAMPLES_A_SECOND,
            )
        };
        for (left, right) in channel(0).into_iter().zip(channel(1)) {
            self.track.extend([left, right]);
        }
        Ok(())
    }
}
