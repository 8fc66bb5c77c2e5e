//! The engine: a request in, sound and events out.

use std::ffi::CString;

use crate::{
    ffi, files,
    japanese::Kana,
    wire::{Request, Spoken, Want},
};

#[derive(Debug)]
pub(crate) struct Engine {
    rate: u32,
}

impl Engine {
    /// Starts eSpeak NG, or returns nothing if it cannot read its data. Start it once only.
    pub(crate) fn start() -> Option<Self> {
        ffi::start().map(|rate| Self { rate })
    }

    /// Speaks or spells a text, or returns the reason why it cannot.
    pub(crate) fn answer(&mut self, request: &Request<'_>) -> Result<Spoken, String> {
        let voice = files::voice(request.language)
            .and_then(|voice| CString::new(voice).ok())
            .ok_or_else(|| {
                format!(
                    "unknown language {:?}; --languages lists the known ones",
                    request.language
                )
            })?;
        let kana = (request.language == "ja").then(|| Kana::of(request.text));
        let text = kana.as_ref().map_or(request.text, |kana| &kana.text);
        let done = match request.want {
            Want::Sound {
                words_per_minute,
                pitch,
                range,
            } => ffi::speak(&voice, &c_text(text)?, words_per_minute, pitch, range),
            // eSpeak NG reads ahead of a clause.
            Want::Phones => ffi::spell(&voice, &c_text(&format!("{text}   "))?),
        };
        let mut spoken = done.map_err(|code| match code {
            1 => format!("cannot read the data of the language {:?}", request.language),
            _ => "eSpeak NG could not speak the text".to_owned(),
        })?;
        if let Some(kana) = kana {
            // eSpeak NG counts places from 1.
            for event in &mut spoken.events {
                event.place = kana.place(event.place.saturating_sub(1)) + 1;
            }
        }
        spoken.rate = self.rate;
        Ok(spoken)
    }
}

fn c_text(text: &str) -> Result<CString, String> {
    CString::new(text).map_err(|error| error.to_string())
}
