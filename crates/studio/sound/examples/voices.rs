//! Reads a text in every voice into WAV files, each with a picture, and prints the speed:
//! `voices FOLDER [TEXT [LANGUAGE HELPER]]`.

mod common;

use std::{path::PathBuf, time::Instant};

use atelier_sound::{
    file::{Audio, Depth, Format, Tags, encode, loudness},
    speech::{Normalization, RATE, Reading, Voice, speak},
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(
        args.next()
            .ok_or("usage: voices FOLDER [TEXT [LANGUAGE HELPER]]")?,
    );
    let text = args
        .next()
        .unwrap_or_else(|| "The quick brown fox jumps over the lazy dog.".to_owned());
    let language = args.next().unwrap_or_else(|| "en".to_owned());
    let helper = PathBuf::from(args.next().unwrap_or_default());
    std::fs::create_dir_all(&folder)?;
    for voice in &Voice::ALL {
        let begin = Instant::now();
        let reading = Reading {
            text: &text,
            voice,
            stability: 0.5,
            normalization: Normalization::Auto,
            language: &language,
            helper: &helper,
            seed: 1,
        };
        let speech = speak(&reading, &|_| {})?;
        let mut audio = Audio::mono(RATE, speech.samples);
        loudness::normalise(&mut audio, -16.0, -1.0);
        let quick = audio.seconds() / begin.elapsed().as_secs_f64();
        let path = folder.join(format!("{}.wav", voice.name));
        encode(&path, &audio, Format::Wav(Depth::Bits16), &Tags::generated(None))?;
        common::picture(&folder.join(format!("{}.png", voice.name)), &audio)?;
        #[expect(clippy::print_stdout, reason = "it prints measurements")]
        {
            println!(
                "{:9} {:5.1} s, {quick:4.0} times real time",
                voice.name,
                audio.seconds()
            );
        }
    }
    Ok(())
}
