//! Speech: text to spoken words with their times, and voices that sing.
//!
//! English comes from flite's statistical models as pitch, spectra and voicing. Our own vocoder turns these into
//! sound, so that one model speaks in many voices, and sings. A separate program speaks the other languages. Its sound
//! is analysed into the same parameters, so that the voices are the same in every language.

mod english;
mod helper;
mod language;
mod sing;
mod speak;
mod spell;
mod text;
pub(crate) mod vocoder;
mod voice;

pub use helper::{HelperError, PROGRAM as HELPER};
pub use language::{LANGUAGES, language_of};
pub use sing::{Gender, Line, LyricSyllable, LyricWord, Note, SingError, Singer, sing, syllables};
pub use speak::{Reading, SpeakError, Speech, WordTime, speak};
pub use spell::{Script, Sound, Spelling, TextWord, spell};
pub use text::Normalization;
pub use vocoder::RATE;
pub use voice::Voice;
