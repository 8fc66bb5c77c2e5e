//! Plays a General MIDI SoundFont that the operator has configured.

use std::{fs::File, io::BufReader, path::Path, sync::Arc};

use rustysynth::{SoundFont, Synthesizer, SynthesizerSettings};

use crate::music::{
    score::{Part, Production, Score},
    synth::{RATE, Stereo},
};

/// The MIDI channel of drums.
const DRUMS: i32 = 9;
/// The MIDI message for a program change.
const PROGRAM: i32 = 0xc0;

/// Why a SoundFont cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FontError {
    #[error("the SoundFont {path} cannot be opened: {error}")]
    Open { path: String, error: std::io::Error },
    #[error("the SoundFont {path} cannot be used: {reason}; it must be an uncompressed SF2 file")]
    Unusable { path: String, reason: String },
}

/// A loaded SoundFont.
pub(super) struct Font {
    path: String,
    font: Arc<SoundFont>,
}

/// A key going down or up, at a sample.
struct Event {
    at: usize,
    key: i32,
    /// 0 releases the key.
    velocity: i32,
}

impl Font {
    pub(super) fn open(path: &Path) -> Result<Self, FontError> {
        let shown = path.display().to_string();
        let file = File::open(path).map_err(|error| FontError::Open {
            path: shown.clone(),
            error,
        })?;
        let font = SoundFont::new(&mut BufReader::new(file)).map_err(|error| FontError::Unusable {
            path: shown.clone(),
            reason: error.to_string(),
        })?;
        Ok(Self {
            path: shown,
            font: Arc::new(font),
        })
    }

    /// Plays a pitched part.
    pub(super) fn part(
        &self,
        score: &Score,
        production: &Production,
        part: &Part,
        frames: usize,
    ) -> Result<Stereo, FontError> {
        let sample = |beat: f64| (score.time(production.swung(beat)) * f64::from(RATE)) as usize;
        let mut events = Vec::new();
        for note in &part.notes {
            events.push(Event {
                at: sample(note.beat),
                key: note.pitch,
                velocity: velocity(note.velocity),
            });
            events.push(Event {
                at: sample(note.beat + note.beats),
                key: note.pitch,
                velocity: 0,
            });
        }
        self.play(0, i32::from(part.instrument.facts().program), events, frames)
    }

    pub(super) fn drums(
        &self,
        score: &Score,
        production: &Production,
        frames: usize,
    ) -> Result<Stereo, FontError> {
        let sample = |beat: f64| (score.time(production.swung(beat)) * f64::from(RATE)) as usize;
        let events = score
            .hits
            .iter()
            .map(|hit| Event {
                at: sample(hit.beat),
                key: i32::from(hit.piece.key()),
                velocity: velocity(hit.velocity),
            })
            .collect();
        let mut sound = self.play(DRUMS, 0, events, frames)?;
        // Matches the level of the synthesised drums.
        sound.iter_mut().flatten().for_each(|x| *x *= 2.0);
        Ok(sound)
    }

    fn play(
        &self,
        channel: i32,
        program: i32,
        mut events: Vec<Event>,
        frames: usize,
    ) -> Result<Stereo, FontError> {
        let mut settings = SynthesizerSettings::new(RATE as i32);
        // The mix has its own room.
        settings.enable_reverb_and_chorus = false;
        let mut synthesizer =
            Synthesizer::new(&self.font, &settings).map_err(|error| FontError::Unusable {
                path: self.path.clone(),
                reason: error.to_string(),
            })?;
        synthesizer.process_midi_message(channel, PROGRAM, program, 0);
        // If one note ends where another begins, the key goes up first.
        events.sort_by_key(|event| (event.at, event.velocity));
        let mut sound = [vec![0.0; frames], vec![0.0; frames]];
        let mut done = 0;
        for event in events {
            let until = event.at.min(frames);
            let [left, right] = &mut sound;
            synthesizer.render(&mut left[done..until], &mut right[done..until]);
            done = until;
            if event.velocity > 0 {
                synthesizer.note_on(channel, event.key, event.velocity);
            } else {
                synthesizer.note_off(channel, event.key);
            }
        }
        let [left, right] = &mut sound;
        synthesizer.render(&mut left[done..], &mut right[done..]);
        Ok(sound)
    }
}

fn velocity(level: f32) -> i32 {
    (127.0 * level) as i32
}
