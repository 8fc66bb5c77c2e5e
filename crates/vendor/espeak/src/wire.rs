//! Requests and answers.
//!
//! A request is UTF-8 text in lines: language (ISO 639-1), words a minute, pitch (0 to 99), range of pitch (0 to 99),
//! and the text to speak, which may have several lines. The language may have a region: `en-us`, `pt-br`.
//!
//! If the first line is `phones`, the second is the language and the rest is the text. The answer then has no samples,
//! and its phones have their stress before them and their tone after them, in digits (51 falls).
//!
//! An answer begins with a byte:
//!
//! - 1: the rest is an error message.
//! - 0: sample rate, number of samples, the samples (16 bits), number of events, the events.
//!
//! An event is its kind (one byte: 1 a word begins, 2 a phone begins), its sample, its place and length in the text in
//! Unicode scalar values, and its name (the phone in IPA, after one byte with its length). All other numbers are
//! little-endian with 32 bits.

/// The most bytes of a request.
pub(crate) const LONGEST: usize = 64 << 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Request<'a> {
    pub(crate) language: &'a str,
    pub(crate) want: Want,
    pub(crate) text: &'a str,
}

/// What a text becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Want {
    Sound {
        words_per_minute: i32,
        pitch: i32,
        range: i32,
    },
    Phones,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Spoken {
    pub(crate) rate: u32,
    pub(crate) samples: Vec<i16>,
    pub(crate) events: Vec<Event>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) kind: Kind,
    pub(crate) sample: u32,
    pub(crate) place: u32,
    pub(crate) length: u32,
    pub(crate) name: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Word = 1,
    Phone = 2,
}

impl<'a> Request<'a> {
    pub(crate) fn parse(bytes: &'a [u8]) -> Result<Self, &'static str> {
        let text = std::str::from_utf8(bytes).map_err(|_| "the request must be UTF-8")?;
        let request = match text.strip_prefix("phones\n") {
            Some(rest) => Self::phones(rest)?,
            None => Self::sound(text)?,
        };
        if request.text.contains('\0') {
            return Err("the text must not contain a NUL character");
        }
        Ok(request)
    }

    fn phones(text: &'a str) -> Result<Self, &'static str> {
        let (language, text) = text
            .split_once('\n')
            .ok_or("a request for phones must have three lines: phones, language, text")?;
        Ok(Self {
            language,
            want: Want::Phones,
            text,
        })
    }

    fn sound(text: &'a str) -> Result<Self, &'static str> {
        let mut parts = text.splitn(5, '\n');
        let mut next = || {
            parts
                .next()
                .ok_or("the request must have five lines: language, words a minute, pitch, range, text")
        };
        let number = |text: &str, from: i32, to: i32| {
            let number = text
                .parse::<i32>()
                .map_err(|_| "words a minute, pitch and range of the request must be whole numbers")?;
            Ok::<_, &str>(number.clamp(from, to))
        };
        Ok(Self {
            language: next()?,
            want: Want::Sound {
                words_per_minute: number(next()?, 80, 400)?,
                pitch: number(next()?, 0, 99)?,
                range: number(next()?, 0, 99)?,
            },
            text: next()?,
        })
    }
}

pub(crate) fn answer(spoken: Result<&Spoken, &str>) -> Vec<u8> {
    let spoken = match spoken {
        Ok(spoken) => spoken,
        Err(reason) => return [&[1], reason.as_bytes()].concat(),
    };
    let mut bytes = Vec::with_capacity(2 * spoken.samples.len() + 32 * spoken.events.len() + 16);
    bytes.push(0);
    let put = |bytes: &mut Vec<u8>, number: u32| bytes.extend(number.to_le_bytes());
    put(&mut bytes, spoken.rate);
    put(&mut bytes, spoken.samples.len() as u32);
    bytes.extend(spoken.samples.iter().flat_map(|sample| sample.to_le_bytes()));
    put(&mut bytes, spoken.events.len() as u32);
    for event in &spoken.events {
        bytes.push(event.kind as u8);
        put(&mut bytes, event.sample);
        put(&mut bytes, event.place);
        put(&mut bytes, event.length);
        bytes.push(event.name.len() as u8);
        bytes.extend(&event.name);
    }
    bytes
}
