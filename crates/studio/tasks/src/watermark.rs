//! Writes a hidden mark into a picture, film or sound, reads it, and says what a picture looks like. No model names
//! these tasks: the service asks for them.

mod about;
mod film;
mod pixels;

use std::fs;

use atelier_marking::{self as marking, Key, Likeness, Origin, embed};
use atelier_protocol::{Error, Input, Request, Response, Task};
use atelier_retouch::decode;
use pixels::{Format, Pixels};
use serde_json::{Map, Value, json};

use crate::{
    sounds,
    splice::{Around, Unfit},
};

/// The tasks.
pub const MARKING: &[Task] = &[
    ("watermark", write),
    ("watermark-reading", read),
    ("likeness", likeness),
];

const UNSUPPORTED: &str = "unsupported";

/// Writes the id of the generation `id` into the picture, film or sound `file`, under the key `key`. The metadata's
/// `watermark` says `written`, or why nothing was written: `too_plain`, `unsupported` or `signed`. Only what was
/// written has a file.
fn write(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let (key, uuid) = (Key(bytes(request, "key")?), bytes(request, "id")?);
    let input = input(request)?;
    let out = request.out.join("watermarked");
    let done = if is_film(input) {
        match Origin::of(uuid).seal(&key) {
            Some(id) => film::marked(&input.path, &out, (id, &key), progress)?,
            None => Err(UNSUPPORTED),
        }
    } else {
        let file = fs::read(&input.path)?;
        let marked = if is_sound(input) {
            sounds::marked(&input.path, &file, uuid, &key, &out)
        } else {
            marked(&file, uuid, &key)
        };
        match marked {
            Ok(marked) => Ok(fs::write(&out, marked)?),
            Err(why) => Err(why),
        }
    };
    let (files, said) = match done {
        Ok(()) => (vec![out], "written"),
        Err(why) => (Vec::new(), why),
    };
    Ok(Response {
        files,
        metadata: Map::from_iter([("watermark".to_owned(), said.into())]),
    })
}

fn marked(file: &[u8], uuid: [u8; 16], key: &Key) -> Result<Vec<u8>, &'static str> {
    let around = Around::of(file).map_err(|unfit| match unfit {
        Unfit::Unsupported => UNSUPPORTED,
        Unfit::Signed => "signed",
    })?;
    let format = Format::of(file).ok_or(UNSUPPORTED)?;
    let mut picture = Pixels::of(file).ok_or(UNSUPPORTED)?;
    let id = Origin::of(uuid).seal(key).ok_or(UNSUPPORTED)?;
    embed(&mut picture.values, picture.shape, id, key).map_err(|_| "too_plain")?;
    let fresh = picture.written(format).ok_or(UNSUPPORTED)?;
    around.with_pixels_of(&fresh).ok_or(UNSUPPORTED)
}

/// Reads the mark of the picture, film or sound `file` under the key `key`. The metadata's `found` has `milliseconds`,
/// `tail` and `score`, or is null.
fn read(request: &Request, _: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let key = Key(bytes(request, "key")?);
    let input = input(request)?;
    let seen = if is_sound(input) {
        sounds::read(&input.path, &key)?.map(|found| (found.id, found.score))
    } else {
        let of_pixels = if is_film(input) {
            film::read(&input.path, &key)?
        } else {
            read_picture(input, &key)?
        };
        of_pixels.and_then(|seen| Some((seen.id?, seen.score)))
    };
    let found = seen.map(|(id, score)| {
        let origin = Origin::open(id, &key);
        json!({ "milliseconds": origin.milliseconds, "tail": origin.tail, "score": score })
    });
    Ok(Response {
        files: Vec::new(),
        metadata: Map::from_iter([("found".to_owned(), found.into())]),
    })
}

fn read_picture(input: &Input, key: &Key) -> Result<Option<marking::Reading>, Error> {
    // As they are stored: what turns a picture upright would turn its mark.
    let picture = match Pixels::of(&fs::read(&input.path)?) {
        Some(picture) => picture,
        None => Pixels::from(decode::read(&input.path)?),
    };
    Ok(marking::read(&picture.values, picture.shape, key))
}

/// Says what the picture `file` looks like: the metadata's `likeness` has 64 hexadecimal digits, or is null if it
/// shows next to nothing.
fn likeness(request: &Request, _: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let picture = Pixels::from(decode::read(&input(request)?.path)?);
    let digits = |Likeness(bytes): Likeness| {
        let digit = |four: u8| char::from_digit(u32::from(four), 16);
        let both = bytes
            .into_iter()
            .flat_map(|byte| [digit(byte >> 4), digit(byte & 0xf)]);
        both.flatten().collect::<String>()
    };
    let found = Likeness::of(&picture.values, picture.shape).map(digits);
    Ok(Response {
        files: Vec::new(),
        metadata: Map::from_iter([("likeness".to_owned(), found.into())]),
    })
}

fn input(request: &Request) -> Result<&Input, Error> {
    let missing = || Error::InvalidInput("`file` is missing".to_owned());
    request.inputs_of("file").next().ok_or_else(missing)
}

fn is_sound(input: &Input) -> bool {
    input.media_type.starts_with("audio/")
}

fn is_film(input: &Input) -> bool {
    input.media_type.starts_with("video/")
}

/// A parameter in hexadecimal digits.
fn bytes<const N: usize>(request: &Request, name: &str) -> Result<[u8; N], Error> {
    let wrong = || Error::Failed(format!("`{name}` must be {} hexadecimal digits", 2 * N));
    let text = request
        .params
        .get(name)
        .and_then(Value::as_str)
        .ok_or_else(wrong)?;
    if text.len() != 2 * N || !text.is_ascii() {
        return Err(wrong());
    }
    let mut bytes = [0; N];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).map_err(|_| wrong())?;
    }
    Ok(bytes)
}
