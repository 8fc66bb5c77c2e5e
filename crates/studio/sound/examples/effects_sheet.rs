//! Renders every sound of the soundscapes, and some sentences, to look at and listen to: `effects_sheet DIR [NAME]`.
//! Writes a sound file and a picture for each and prints measurements.

#![expect(clippy::print_stdout, reason = "it prints measurements")]

mod common;

use std::{error::Error, fs, path::PathBuf, time::Instant};

use atelier_sound::{
    file::{Audio, Format, Tags, encode, loudness},
    scape::{Scape, Sound, Source, from_words, render},
};

const RATE: u32 = 44_100;
const SECONDS: f32 = 8.0;
const SENTENCES: [&str; 10] = [
    "a thunderstorm at night, heavy rain and distant thunder",
    "footsteps on gravel, then a door creaks and slams",
    "a car passing from left to right",
    "a busy cafe with clinking glasses",
    "waves on a beach with seagulls",
    "forest in the morning, birds and a stream",
    "forest at night",
    "a dog barks twice, then a siren approaching",
    "water dripping in a cave",
    "an explosion followed by falling glass",
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(args.next().unwrap_or_else(|| "sheets".to_owned()));
    let only = args.next().unwrap_or_default();
    fs::create_dir_all(&folder)?;
    println!("sound                    LUFS  peak  centroid  took");
    for sound in Sound::ALL {
        if sound.name().contains(&only) {
            let mut scape = Scape::new(SECONDS, 3);
            scape.sources.push(Source::new(*sound));
            show(&folder, sound.name(), &scape)?;
        }
    }
    for sentence in SENTENCES {
        if sentence.contains(&only) {
            let heard = from_words(sentence, 10.0, 5);
            show(&folder, &format!("_{sentence}"), &heard.scape)?;
            println!("    {:?}, unknown {:?}", heard.understood, heard.unknown);
        }
    }
    Ok(())
}

fn show(folder: &std::path::Path, name: &str, scape: &Scape) -> Result<(), Box<dyn Error>> {
    let began = Instant::now();
    let audio = render(scape, RATE);
    let took = began.elapsed().as_secs_f64();
    let file = name.replace([' ', ','], "_");
    let format = Format::compressed(192);
    let path = folder.join(format!("{file}.{}", format.extension()));
    encode(&path, &audio, format, &Tags::generated(Some(name.to_owned())))?;
    common::picture(&folder.join(format!("{file}.png")), &audio)?;
    println!(
        "{name:24} {:5.1} {:5.1} {:8.0} {took:6.2}",
        loudness::integrated(&audio),
        20.0 * audio.peak().max(1e-6).log10(),
        centroid(&audio),
    );
    Ok(())
}

/// The frequency in Hz that halves the energy of the first difference: a quick estimate of the spectral centroid.
fn centroid(audio: &Audio) -> f32 {
    let mono = audio.downmix();
    let whole: f32 = mono.iter().map(|x| x * x).sum();
    let change: f32 = mono.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
    (change / whole.max(1e-12)).sqrt() * RATE as f32 / std::f32::consts::TAU
}
