//! English through flite: takes text, returns frames for the vocoder and the times of the phones.

use std::sync::OnceLock;

use atelier_flite::{Segment, Speaker, Syllable, Utterance};

use super::vocoder::{Frame, mel::MelTable};

/// A piece of English speech, before a voice is applied.
#[derive(Debug)]
pub(crate) struct Phrase {
    pub(crate) words: Vec<atelier_flite::Word>,
    pub(crate) syllables: Vec<Syllable>,
    pub(crate) segments: Vec<Segment>,
    pub(crate) frames: Vec<Frame>,
}

/// Has a speaker say a text in printable ASCII. A `stretch` above 1 is slower.
pub(crate) fn phrase(speaker: Speaker, text: &str, stretch: f32) -> Result<Phrase, atelier_flite::Error> {
    let facts = atelier_flite::facts(speaker)?;
    let Utterance {
        words,
        syllables,
        segments,
        frames,
    } = atelier_flite::analyse(speaker, text, stretch)?;
    let frame = |frame: &atelier_flite::Frame| Frame {
        f0: if frame.voiced { frame.f0 } else { 0.0 },
        envelope: table().envelope(&frame.mel_cepstrum, facts.beta),
        strengths: frame.strengths.map(|strength| strength.clamp(0.0, 1.0)),
    };
    Ok(Phrase {
        words,
        syllables,
        segments,
        frames: frames.iter().map(frame).collect(),
    })
}

/// The median pitch of a speaker in Hz.
pub(crate) fn mean_pitch(speaker: Speaker) -> Result<f32, atelier_flite::Error> {
    Ok(atelier_flite::facts(speaker)?.f0_mean)
}

/// All three speakers share one warping, so one table is enough.
fn table() -> &'static MelTable {
    static TABLE: OnceLock<MelTable> = OnceLock::new();
    TABLE.get_or_init(|| MelTable::new(0.42, 16_000))
}

/// Whether a phone is the nucleus of a syllable.
pub(crate) fn is_vowel(phone: &str) -> bool {
    matches!(
        phone,
        "aa" | "ae"
            | "ah"
            | "ao"
            | "aw"
            | "ax"
            | "axr"
            | "ay"
            | "eh"
            | "er"
            | "ey"
            | "ih"
            | "iy"
            | "ow"
            | "oy"
            | "uh"
            | "uw"
    )
}

/// Whether a vowel is a diphthong.
pub(crate) fn is_diphthong(phone: &str) -> bool {
    matches!(phone, "aw" | "ay" | "ey" | "ow" | "oy")
}

/// Whether a phone is a sibilant.
pub(crate) fn is_sibilant(phone: &str) -> bool {
    matches!(phone, "s" | "z" | "sh" | "zh" | "ch" | "jh")
}
