//! The interface to `shim/speak.c`. A process can have only one eSpeak NG, which runs on one thread; its samples and
//! events are collected in a thread-local value.

use std::{
    cell::RefCell,
    ffi::{CStr, CString, c_char, c_int, c_uchar},
    slice,
};

use crate::{
    files,
    wire::{Event, Kind, Spoken},
};

/// The most samples of one text: ten minutes. Speech stops there.
const LONGEST: usize = 22_050 * 600;

/// eSpeak NG's numbers for kinds of events.
const WORD: c_int = 1;
const PHONEME: c_int = 7;

thread_local! {
    static HEARD: RefCell<Spoken> = RefCell::default();
}

#[expect(unsafe_code, reason = "declares functions of the C side")]
unsafe extern "C" {
    fn atelier_espeak_start() -> c_int;
    fn atelier_espeak_speak(
        voice: *const c_char,
        text: *const c_char,
        rate: c_int,
        pitch: c_int,
        range: c_int,
    ) -> c_int;
    fn atelier_espeak_spell(voice: *const c_char, text: *const c_char) -> c_int;
}

/// Starts eSpeak NG and returns its sample rate.
pub(crate) fn start() -> Option<u32> {
    #[expect(
        unsafe_code,
        reason = "takes no arguments and may be called at any time on this thread"
    )]
    let rate = unsafe { atelier_espeak_start() };
    u32::try_from(rate).ok().filter(|rate| *rate > 0)
}

/// Speaks a text; call `start` first. The result has no sample rate yet.
pub(crate) fn speak(
    voice: &CStr,
    text: &CString,
    rate: i32,
    pitch: i32,
    range: i32,
) -> Result<Spoken, c_int> {
    HEARD.take();
    #[expect(unsafe_code, reason = "both texts are NUL-terminated and outlive the call")]
    let result = unsafe { atelier_espeak_speak(voice.as_ptr(), text.as_ptr(), rate, pitch, range) };
    let heard = HEARD.take();
    if result == 0 { Ok(heard) } else { Err(result) }
}

/// The words and phones of a text, without sound; call `start` first.
pub(crate) fn spell(voice: &CStr, text: &CString) -> Result<Spoken, c_int> {
    HEARD.take();
    #[expect(unsafe_code, reason = "both texts are NUL-terminated and outlive the call")]
    let result = unsafe { atelier_espeak_spell(voice.as_ptr(), text.as_ptr()) };
    let heard = HEARD.take();
    if result == 0 { Ok(heard) } else { Err(result) }
}

/// Returns a file of the data: a pointer to its first byte and, in `length`, its size.
#[expect(unsafe_code, reason = "called by the C side")]
#[unsafe(no_mangle)]
extern "C" fn atelier_espeak_file(name: *const c_char, length: *mut usize) -> *const c_uchar {
    // SAFETY: the C side passes a NUL-terminated text and the address of a number.
    unsafe {
        let Some(data) = CStr::from_ptr(name).to_str().ok().and_then(files::find) else {
            return std::ptr::null();
        };
        *length = data.len();
        data.as_ptr()
    }
}

/// Collects samples. A result other than 0 ends the speech.
#[expect(unsafe_code, reason = "called by the C side")]
#[unsafe(no_mangle)]
extern "C" fn atelier_espeak_samples(samples: *const i16, count: c_int) -> c_int {
    let count = usize::try_from(count).unwrap_or(0);
    // SAFETY: the C side passes as many samples as it says.
    let samples = unsafe { slice::from_raw_parts(samples, count) };
    HEARD.with_borrow_mut(|heard| {
        heard.samples.extend_from_slice(samples);
        c_int::from(heard.samples.len() > LONGEST)
    })
}

#[expect(unsafe_code, reason = "called by the C side")]
#[unsafe(no_mangle)]
extern "C" fn atelier_espeak_event(
    kind: c_int,
    place: c_int,
    length: c_int,
    sample: c_int,
    name: *const c_char,
    name_length: c_int,
) {
    let kind = match kind {
        WORD => Kind::Word,
        PHONEME => Kind::Phone,
        _ => return,
    };
    let number = |number: c_int| u32::try_from(number).unwrap_or(0);
    // SAFETY: the C side passes as many bytes as it says, at most 200.
    let name = unsafe { slice::from_raw_parts(name.cast::<u8>(), number(name_length) as usize) };
    let event = Event {
        kind,
        sample: number(sample),
        place: number(place),
        length: number(length),
        name: name.to_vec(),
    };
    HEARD.with_borrow_mut(|heard| heard.events.push(event));
}
