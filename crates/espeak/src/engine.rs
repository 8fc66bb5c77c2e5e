//! eSpeak NG, started.

use std::ffi::CString;

use crate::{
    ffi, files,
    wire::{Request, Spoken},
};

#[derive(Debug)]
pub(crate) struct Engine {
    rate: u32,
}

impl Engine {
    /// Nothing where the data cannot be read. There can be only one.
    pub(crate) fn start() -> Option<Self> {
        ffi::start().map(|rate| Self { rate })
    }

    /// Says a text, or says why not.
    pub(crate) fn speak(&mut self, request: &Request<'_>) -> Result<Spoken, String> {
        let voice = files::voice(request.language)
            .and_then(|voice| CString::new(voice).ok())
            .ok_or_else(|| format!("there is no language {:?}", request.language))?;
        let text = CString::new(request.text).map_err(|error| error.to_string())?;
        let spoken = ffi::speak(
            &voice,
            &text,
            request.words_per_minute,
            request.pitch,
            request.range,
        );
        let mut spoken = spoken.map_err(|code| match code {
            1 => format!("the data of {:?} cannot be read", request.language),
            _ => "eSpeak NG gave the text up".to_owned(),
        })?;
        spoken.rate = self.rate;
        Ok(spoken)
    }
}
