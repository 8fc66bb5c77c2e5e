//! The C side, as declared in `shim/shim.h`.

use std::ffi::{c_char, c_float, c_int, c_uchar};

pub(crate) const COEFFICIENTS: usize = 25;
pub(crate) const BANDS: usize = 5;

#[repr(C)]
pub(crate) struct Segment {
    pub(crate) name: [c_char; 8],
    pub(crate) syllable: c_int,
    pub(crate) start: c_float,
    pub(crate) end: c_float,
}

#[repr(C)]
pub(crate) struct Syllable {
    pub(crate) word: c_int,
    pub(crate) stress: c_int,
}

#[repr(C)]
pub(crate) struct Word {
    pub(crate) name: [c_char; 40],
    pub(crate) token: c_int,
}

#[repr(C)]
pub(crate) struct Frame {
    pub(crate) f0: c_float,
    pub(crate) voiced: c_float,
    pub(crate) mel_cepstrum: [c_float; COEFFICIENTS],
    pub(crate) strengths: [c_float; BANDS],
}

#[repr(C)]
pub(crate) struct Utterance {
    pub(crate) words: *mut Word,
    pub(crate) num_words: c_int,
    pub(crate) syllables: *mut Syllable,
    pub(crate) num_syllables: c_int,
    pub(crate) segments: *mut Segment,
    pub(crate) num_segments: c_int,
    pub(crate) frames: *mut Frame,
    pub(crate) num_frames: c_int,
}

#[repr(C)]
#[derive(Default)]
pub(crate) struct Facts {
    pub(crate) sample_rate: c_int,
    pub(crate) frame_shift: c_float,
    pub(crate) f0_mean: c_float,
    pub(crate) f0_deviation: c_float,
    pub(crate) alpha: c_float,
    pub(crate) beta: c_float,
    pub(crate) gain: c_float,
    pub(crate) coefficients: c_int,
    pub(crate) bands: c_int,
}

/// A voice; opaque.
#[repr(C)]
pub(crate) struct Voice {
    _private: [u8; 0],
}

#[expect(unsafe_code, reason = "declares the functions of the shim, which are C")]
unsafe extern "C" {
    pub(crate) fn af_voice_load(data: *const c_uchar, size: usize) -> *mut Voice;
    pub(crate) fn af_voice_facts(voice: *const Voice, facts: *mut Facts);
    pub(crate) fn af_analyse(
        voice: *mut Voice,
        text: *const c_char,
        stretch: c_float,
        frames: c_int,
        out: *mut Utterance,
    ) -> c_int;
    pub(crate) fn af_release(utterance: *mut Utterance);
}
