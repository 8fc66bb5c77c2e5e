//! The singer in the mix: sung line by line, cleaned, levelled, and doubled by a second voice if requested.

use crate::{
    dsp::{
        dynamics::{Compressor, compress, deess},
        filter::Biquad,
    },
    music::{
        form::Kind,
        score::{Production, Score, Song},
        synth::{RATE, Stereo},
    },
    speech::{Gender, Line, Note, SingError, Singer, sing},
};

/// Returns the singer of a song.
pub(super) fn singer(song: &Song) -> Singer {
    let gender = if song.female { Gender::Female } else { Gender::Male };
    Singer::of(gender, song.singer as usize)
}

/// The lines of a song for the singer, with times in seconds.
pub(super) fn lines(score: &Score, production: &Production, song: &Song) -> Vec<Line> {
    song.lines
        .iter()
        .enumerate()
        .map(|(number, text)| {
            let notes = song
                .notes
                .iter()
                .filter(|sung| sung.line == number)
                .map(|sung| {
                    let start = score.time(production.swung(sung.note.beat));
                    let end = score.time(production.swung(sung.note.beat + sung.note.beats));
                    let mut note = Note::new(
                        start as f32,
                        (end - start).max(0.06) as f32,
                        sung.note.pitch as f32,
                    );
                    note.velocity = sung.note.velocity;
                    note
                })
                .collect();
            Line {
                text: text.clone(),
                notes,
            }
        })
        .filter(|line: &Line| !line.notes.is_empty())
        .collect()
}

/// The voice, and its second voice a third below in choruses.
pub(super) fn sing_song(
    score: &Score,
    production: &Production,
    song: &Song,
    frames: usize,
) -> Result<Stereo, SingError> {
    let singer = singer(song);
    let all = lines(score, production, song);
    let doubles = if song.doubled {
        second(score, production, song)
    } else {
        Vec::new()
    };
    let (lead, double) = rayon::join(
        || sing(singer, &all, score.seed),
        || {
            if doubles.is_empty() {
                Ok(Vec::new())
            } else {
                sing(singer, &doubles, score.seed ^ 1)
            }
        },
    );
    let mut lead = polish(lead?, frames, -18.0);
    let double = polish(double?, frames, -20.0);
    let mut right = lead.clone();
    // The second voice is on both sides of the first, a little late on one.
    let late = (0.014 * RATE) as usize;
    for at in 0..frames {
        lead[at] += 0.32 * double[at];
        right[at] += 0.32 * if at < late { 0.0 } else { double[at - late] };
    }
    Ok([lead, right])
}

/// Lines of choruses, with each note moved to the chord tone below.
fn second(score: &Score, production: &Production, song: &Song) -> Vec<Line> {
    let in_chorus = |beat: f64| {
        let bar = (beat / score.beats as f64) as usize;
        score.sections.iter().any(|section| {
            section.kind == Kind::Chorus && (section.bar..section.bar + section.bars).contains(&bar)
        })
    };
    let mut below = song.clone();
    below.notes.retain(|sung| in_chorus(sung.note.beat));
    for sung in &mut below.notes {
        let chord = score.chord_at(sung.note.beat);
        sung.note.pitch = (3..=8)
            .map(|off| sung.note.pitch - off)
            .find(|pitch| chord.holds(*pitch))
            .unwrap_or(sung.note.pitch);
    }
    lines(score, production, &below)
}

/// Cuts rumble, softens s, evens out the level, and brings the voice to a level in dBFS.
fn polish(mut voice: Vec<f32>, frames: usize, level: f32) -> Vec<f32> {
    voice.resize(frames, 0.0);
    if voice.iter().all(|x| *x == 0.0) {
        return voice;
    }
    Biquad::highpass(RATE, 95.0, 0.7).run(&mut voice);
    deess(&mut voice, RATE, 0.55);
    let mut copy = voice.clone();
    compress(
        &mut voice,
        &mut copy,
        RATE,
        &Compressor {
            threshold: -20.0,
            ratio: 3.0,
            attack: 0.006,
            release: 0.12,
        },
    );
    Biquad::peak(RATE, 250.0, 0.9, -2.0).run(&mut voice);
    Biquad::peak(RATE, 3_000.0, 0.8, 2.5).run(&mut voice);
    Biquad::high_shelf(RATE, 9_000.0, 2.0).run(&mut voice);
    let loud: Vec<f32> = voice
        .chunks(2_205)
        .map(|chunk| chunk.iter().map(|x| x * x).sum::<f32>() / chunk.len() as f32)
        .filter(|power| *power > 1e-5)
        .collect();
    let power = loud.iter().sum::<f32>() / loud.len().max(1) as f32;
    let gain = 10_f32.powf(level / 20.0) / power.sqrt().max(1e-4);
    for x in &mut voice {
        *x *= gain;
    }
    voice
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::music::{Order, compose};

    /// The pitch difference at a position in cents from an expected pitch, by autocorrelation within two semitones.
    fn cents_off(samples: &[f32], at: usize, hz: f32) -> Option<f32> {
        let window = samples.get(at..at + 2_400)?;
        let expected = RATE / hz;
        let alike = |lag: usize| -> f32 {
            let ahead = &samples[at + lag..(at + lag + window.len()).min(samples.len())];
            let (mut both, mut power) = (0.0, 1e-9);
            for (a, b) in window.iter().zip(ahead) {
                both += a * b;
                power += a * a + b * b;
            }
            2.0 * both / power
        };
        let (from, to) = ((expected * 0.89) as usize, (expected * 1.12) as usize + 1);
        let best = (from..=to).max_by(|a, b| alike(*a).total_cmp(&alike(*b)))?;
        let (before, here, after) = (alike(best - 1), alike(best), alike(best + 1));
        if here < 0.6 {
            return None;
        }
        let bend = 0.5 * (before - after) / (before - 2.0 * here + after).min(-1e-9);
        Some(1_200.0 * (expected / (best as f32 + bend)).log2())
    }

    #[test]
    fn the_voice_is_in_tune_with_the_score() {
        let order = Order {
            seconds: Some(14.0),
            ..Order::new("a slow folk song about morning light", 9)
        };
        let piece = compose(&order);
        let song = piece.score.song.as_ref().unwrap();
        let notes = lines(&piece.score, &piece.production, song);
        let voice = sing(singer(song), &notes, piece.score.seed).unwrap();
        let mut off = Vec::new();
        for note in notes
            .iter()
            .flat_map(|line| &line.notes)
            .filter(|note| note.duration > 0.25)
        {
            let middle = ((note.start + 0.55 * note.duration) * RATE) as usize;
            let hz = crate::music::synth::hz(note.pitch);
            off.extend(cents_off(&voice, middle, hz));
        }
        assert!(off.len() >= 8, "{} notes could be measured", off.len());
        let good = off.iter().filter(|cents| cents.abs() <= 50.0).count();
        assert!(
            good * 10 >= off.len() * 9,
            "{good} of {} notes in tune: {off:?}",
            off.len()
        );
    }
}
