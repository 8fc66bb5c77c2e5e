//! English text to phones, times and spectra, by flite 2.2 (Black and Lenzo, Carnegie Mellon University) and its
//! Clustergen voices (Black 2006). This crate returns what flite predicts before flite turns it into sound: pitch,
//! mel-cepstrum and voicing every 5 ms. A vocoder can then speak or sing it at any pitch, tempo and vocal tract.
//!
//! ```
//! let spoken = atelier_flite::analyse(atelier_flite::Speaker::Slt, "hello world", 1.0).unwrap();
//! assert_eq!(spoken.words.len(), 2);
//! ```

use std::{
    ffi::{CStr, CString, c_char, c_int},
    ptr, slice,
    sync::{Mutex, PoisonError},
};

mod ffi;

/// Mel-cepstral coefficients of a frame, including the zeroth.
pub const COEFFICIENTS: usize = ffi::COEFFICIENTS;
/// Bands of a frame's voicing: 0–1, 1–2, 2–4, 4–6 and 6–8 kHz.
pub const BANDS: usize = ffi::BANDS;

/// The speaker of the recordings (CMU ARCTIC) that a voice was trained on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Speaker {
    /// A woman, United States.
    Slt,
    /// A man, United States.
    Rms,
    /// A man, Scotland.
    Awb,
}

impl Speaker {
    pub const ALL: [Self; 3] = [Self::Slt, Self::Rms, Self::Awb];

    const fn data(self) -> &'static [u8] {
        match self {
            Self::Slt => include_bytes!("../voices/slt.flitevox"),
            Self::Rms => include_bytes!("../voices/rms.flitevox"),
            Self::Awb => include_bytes!("../voices/awb.flitevox"),
        }
    }
}

/// The parameters of a voice's training.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facts {
    /// The sample rate of the recordings, in Hz.
    pub sample_rate: u32,
    /// Seconds from one frame to the next.
    pub frame_shift: f32,
    pub f0_mean: f32,
    pub f0_deviation: f32,
    /// The all-pass constant that warps the mel-cepstrum's frequencies.
    pub alpha: f32,
    /// How much flite's own synthesis sharpens this speaker's formants.
    pub beta: f32,
}

/// One spoken word. `token` is the index of its token, a piece of the text between white space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub name: String,
    pub token: Option<usize>,
}

/// A syllable of `Utterance::words[word]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Syllable {
    pub word: usize,
    pub stressed: bool,
}

/// One phone, named as in the CMU dictionary in lower case (`pau` is a pause), with its times in seconds. `structure`
/// leaves the times 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    pub name: String,
    pub syllable: Option<usize>,
    pub start: f32,
    pub end: f32,
}

/// The sound at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// Hz. The contour continues through unvoiced frames.
    pub f0: f32,
    pub voiced: bool,
    /// The log spectrum's cosine series on the warped frequency scale, natural logarithm of amplitude.
    pub mel_cepstrum: [f32; COEFFICIENTS],
    /// How periodic each band is, 0 to 1.
    pub strengths: [f32; BANDS],
}

/// The analysis of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Utterance {
    pub words: Vec<Word>,
    pub syllables: Vec<Syllable>,
    pub segments: Vec<Segment>,
    /// Empty in the result of `structure`.
    pub frames: Vec<Frame>,
}

/// Why flite could not analyse a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("the text must be printable ASCII")]
    NotAscii,
    #[error("cannot load flite's voice {0:?}")]
    Voice(Speaker),
    #[error("flite cannot analyse the text")]
    Analysis,
}

/// Returns the words, phones and frames of a text in printable ASCII. `stretch` multiplies the speaker's own durations.
pub fn analyse(speaker: Speaker, text: &str, stretch: f32) -> Result<Utterance, Error> {
    with_voice(speaker, |voice| voice.analyse(text, stretch, true))
}

/// Returns the words and phones of a text in printable ASCII, without times or frames: a hundred times faster.
pub fn structure(text: &str) -> Result<Utterance, Error> {
    with_voice(Speaker::Slt, |voice| voice.analyse(text, 1.0, false))
}

/// Returns the parameters of the speaker's voice.
pub fn facts(speaker: Speaker) -> Result<Facts, Error> {
    with_voice(speaker, |voice| Ok(voice.facts()))
}

/// The loaded voices. flite shares tables between voices without locks, so only one thread may use it at a time.
static VOICES: Mutex<[Option<Voice>; 3]> = Mutex::new([None, None, None]);

fn with_voice<T>(speaker: Speaker, use_it: impl FnOnce(&mut Voice) -> Result<T, Error>) -> Result<T, Error> {
    let mut voices = VOICES.lock().unwrap_or_else(PoisonError::into_inner);
    let slot = &mut voices[speaker as usize];
    let voice = match slot {
        Some(voice) => voice,
        None => slot.insert(Voice::load(speaker)?),
    };
    use_it(voice)
}

/// A loaded voice; never freed, as it lives in a static.
struct Voice(ptr::NonNull<ffi::Voice>);

#[expect(
    unsafe_code,
    reason = "the pointer belongs to flite and is used only under the lock of VOICES"
)]
// SAFETY: flite is not bound to a thread, and the lock admits one thread at a time.
unsafe impl Send for Voice {}

#[expect(unsafe_code, reason = "calls C functions with pointers that outlive the call")]
impl Voice {
    fn load(speaker: Speaker) -> Result<Self, Error> {
        let data = speaker.data();
        // SAFETY: the bytes are static and `size` is their number.
        let voice = unsafe { ffi::af_voice_load(data.as_ptr(), data.len()) };
        ptr::NonNull::new(voice).map(Self).ok_or(Error::Voice(speaker))
    }

    fn facts(&self) -> Facts {
        let mut facts = ffi::Facts::default();
        // SAFETY: the voice was loaded, and the C side fills `facts`.
        unsafe { ffi::af_voice_facts(self.0.as_ptr(), &raw mut facts) };
        Facts {
            sample_rate: facts.sample_rate.cast_unsigned(),
            frame_shift: facts.frame_shift,
            f0_mean: facts.f0_mean,
            f0_deviation: facts.f0_deviation,
            alpha: facts.alpha,
            beta: facts.beta,
        }
    }

    fn analyse(&mut self, text: &str, stretch: f32, frames: bool) -> Result<Utterance, Error> {
        if !text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return Err(Error::NotAscii);
        }
        let text = CString::new(text).map_err(|_| Error::NotAscii)?;
        let mut out = ffi::Utterance {
            words: ptr::null_mut(),
            num_words: 0,
            syllables: ptr::null_mut(),
            num_syllables: 0,
            segments: ptr::null_mut(),
            num_segments: 0,
            frames: ptr::null_mut(),
            num_frames: 0,
        };
        // SAFETY: the voice was loaded, the text is NUL-terminated and outlives the call, the C side fills `out`.
        let status = unsafe {
            ffi::af_analyse(
                self.0.as_ptr(),
                text.as_ptr(),
                stretch,
                c_int::from(frames),
                &raw mut out,
            )
        };
        if status != 0 {
            return Err(Error::Analysis);
        }
        // SAFETY: each array has as many entries as the C side says, or is null with a count of 0.
        let utterance = unsafe { copy(&out) };
        // SAFETY: `out` is released once and not used afterwards.
        unsafe { ffi::af_release(&raw mut out) };
        Ok(utterance)
    }
}

/// # Safety
///
/// Each pointer of `out` is null with a count of 0, or points to as many entries as its count says.
#[expect(unsafe_code, reason = "reads arrays that C allocated")]
unsafe fn copy(out: &ffi::Utterance) -> Utterance {
    // SAFETY: as the caller promises.
    let (words, syllables, segments, frames) = unsafe {
        (
            entries(out.words, out.num_words),
            entries(out.syllables, out.num_syllables),
            entries(out.segments, out.num_segments),
            entries(out.frames, out.num_frames),
        )
    };
    let word = |word: &ffi::Word| Word {
        name: name(&word.name),
        token: usize::try_from(word.token).ok(),
    };
    let syllable = |syllable: &ffi::Syllable| Syllable {
        word: usize::try_from(syllable.word).unwrap_or_default(),
        stressed: syllable.stress != 0,
    };
    let segment = |segment: &ffi::Segment| Segment {
        name: name(&segment.name),
        syllable: usize::try_from(segment.syllable).ok(),
        start: segment.start,
        end: segment.end,
    };
    let frame = |frame: &ffi::Frame| Frame {
        f0: frame.f0,
        voiced: frame.voiced > 0.5,
        mel_cepstrum: frame.mel_cepstrum,
        strengths: frame.strengths,
    };
    Utterance {
        words: words.iter().map(word).collect(),
        syllables: syllables.iter().map(syllable).collect(),
        segments: segments.iter().map(segment).collect(),
        frames: frames.iter().map(frame).collect(),
    }
}

/// # Safety
///
/// `first` is null with a `count` of 0, or points to `count` entries that live as long as `'a`.
#[expect(unsafe_code, reason = "reads an array that C allocated")]
unsafe fn entries<'a, T>(first: *const T, count: c_int) -> &'a [T] {
    let count = usize::try_from(count).unwrap_or_default();
    if first.is_null() || count == 0 {
        return &[];
    }
    // SAFETY: as the caller promises.
    unsafe { slice::from_raw_parts(first, count) }
}

/// The text of a C array, up to its NUL.
fn name(array: &[c_char]) -> String {
    let bytes: Vec<u8> = array.iter().flat_map(|letter| letter.to_ne_bytes()).collect();
    CStr::from_bytes_until_nul(&bytes)
        .map(|text| text.to_string_lossy().into_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_speaker_speaks_the_words_with_ascending_times() {
        for speaker in Speaker::ALL {
            let facts = facts(speaker).unwrap();
            println!("{speaker:?} {facts:?}");
            let said = analyse(speaker, "the quick brown fox, jumps over a lazy dog", 1.0).unwrap();
            let names: Vec<&str> = said.words.iter().map(|word| word.name.as_str()).collect();
            assert_eq!(
                names,
                [
                    "the", "quick", "brown", "fox", "jumps", "over", "a", "lazy", "dog"
                ]
            );
            let tokens: Vec<_> = said.words.iter().map(|word| word.token).collect();
            assert_eq!(tokens, (0..9).map(Some).collect::<Vec<_>>());
            let gap = |pair: &[Segment]| (pair[1].start - pair[0].end).abs();
            assert!(said.segments.windows(2).all(|pair| gap(pair) < 1e-6));
            let seconds = said.frames.len() as f32 * facts.frame_shift;
            let end = said.segments.last().unwrap().end;
            assert!((seconds - end).abs() < 0.02, "{seconds} {end}");
            assert!((1.5..5.0).contains(&seconds), "{seconds}");
            let voiced = said.frames.iter().filter(|frame| frame.voiced).count();
            assert!(voiced * 3 > said.frames.len());
        }
    }

    #[test]
    fn a_word_has_its_syllables_with_their_stress() {
        let word = structure("banana").unwrap();
        let stresses: Vec<bool> = word.syllables.iter().map(|syllable| syllable.stressed).collect();
        assert_eq!(stresses, [false, true, false]);
        let phones: Vec<&str> = word
            .segments
            .iter()
            .map(|segment| segment.name.as_str())
            .collect();
        assert_eq!(phones, ["pau", "b", "ax", "n", "ae", "n", "ax", "pau"]);
        assert!(word.frames.is_empty());
    }

    #[test]
    fn text_that_is_not_ascii_is_refused() {
        assert_eq!(structure("caf\u{e9}"), Err(Error::NotAscii));
        assert_eq!(structure("a\0b"), Err(Error::NotAscii));
        assert!(structure("").unwrap().words.is_empty());
    }
}
