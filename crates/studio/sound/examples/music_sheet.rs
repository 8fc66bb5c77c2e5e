//! Renders one piece per genre, to look at and listen to: `music_sheet DIR [SECONDS] [GENRE]`. Writes a sound file and
//! a picture for each and prints measurements.

#![expect(clippy::print_stdout, reason = "it prints measurements")]

mod common;

use std::{error::Error, fs, path::PathBuf, time::Instant};

use atelier_sound::{
    dsp::filter::Biquad,
    file::{Audio, Format, Tags, encode, loudness},
    music::{Order, Settings, analysis, compose, genre, perform, theory},
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(args.next().unwrap_or_else(|| "sheets".to_owned()));
    let seconds: f64 = args.next().and_then(|text| text.parse().ok()).unwrap_or(0.0);
    let only = args.next();
    fs::create_dir_all(&folder)?;
    println!(
        "genre                bpm  heard key             heard           LUFS crest  \
         low   mid  high  side  onsets  s    took"
    );
    for (index, genre) in genre::all().enumerate() {
        if only
            .as_ref()
            .is_some_and(|name| !genre.name.contains(name.as_str()))
        {
            continue;
        }
        let mut order = Order::new(&format!("{} about a lighthouse", genre.name), 7 + index as u64);
        order.instrumental = index % 3 != 0;
        order.seconds = (seconds > 0.0).then_some(seconds);
        let began = Instant::now();
        let piece = compose(&order);
        let audio = perform(&piece.score, &piece.production, &Settings::default(), &mut |_| {})?;
        let took = began.elapsed().as_secs_f64();
        let name = genre.name.replace(' ', "_");
        let format = Format::compressed(192);
        encode(
            &folder.join(format!("{name}.{}", format.extension())),
            &audio,
            format,
            &Tags::generated(Some(piece.title.clone())),
        )?;
        common::picture(&folder.join(format!("{name}.png")), &audio)?;
        tell(genre.name, &piece.score, &audio, took);
    }
    Ok(())
}

fn tell(name: &str, score: &atelier_sound::music::Score, audio: &Audio, took: f64) {
    let mono = audio.downmix();
    let heard = analysis::pulse(&mono, audio.rate);
    let key = analysis::key(&mono, audio.rate).map_or_else(String::new, theory::Key::name);
    let power =
        |samples: &[f32]| samples.iter().map(|x| f64::from(x * x)).sum::<f64>() / samples.len() as f64;
    let db = |power: f64| 10.0 * power.max(1e-12).log10();
    let whole = power(&mono);
    let band = |low: f32, high: f32| {
        let mut copy = mono.clone();
        for _ in 0..2 {
            if low > 0.0 {
                Biquad::highpass(44_100.0, low, 0.7).run(&mut copy);
            }
            if high < 20_000.0 {
                Biquad::lowpass(44_100.0, high, 0.7).run(&mut copy);
            }
        }
        db(power(&copy)) - db(whole)
    };
    let side: Vec<f32> = audio.channels[0]
        .iter()
        .zip(&audio.channels[1])
        .map(|(l, r)| 0.5 * (l - r))
        .collect();
    let onsets = analysis::onsets(&mono, audio.rate);
    let peaks = onsets
        .windows(3)
        .filter(|w| w[1] > w[0] && w[1] >= w[2] && w[1] > 4.0)
        .count() as f64
        / audio.seconds();
    println!(
        "{name:20} {:4.0} {:5.1} {:15} {key:15} {:5.1} {:5.1} \
         {:5.1} {:5.1} {:5.1} {:5.1} {peaks:5.1} {:5.0} {took:5.1}",
        score.bpm,
        heard.map_or(0.0, |pulse| pulse.bpm),
        score.key.name(),
        loudness::integrated(audio),
        20.0 * f64::from(audio.peak()).log10() - db(whole),
        band(0.0, 150.0),
        band(300.0, 2_500.0),
        band(5_000.0, 20_000.0),
        db(power(&side)) - db(whole),
        audio.seconds(),
    );
}
