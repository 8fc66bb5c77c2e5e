//! Attacks on marks of sounds, as a table, and the scores of sounds without a mark. The program ffmpeg must be
//! installed.
//!
//! `cargo run --release --package atelier-marking --example sounds -- FILE…` marks every WAV file of 16 bits and
//! prints which attacks the mark survives.
//!
//! - `--unmarked 2000` instead reads so many random parts of 10 s with random keys and prints the highest score. A
//!   second number chooses other parts.
//! - `--write DIR` also writes the marked sounds, to listen to.
#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use std::{
    error::Error,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use atelier_fft::{Complex, real_forward};
use atelier_marking::{
    Id, Key,
    sound::{THRESHOLD, embed, read},
};
use hound::{SampleFormat, WavReader, WavSpec, WavWriter};

const KEY: Key = Key([0x5a; 32]);
type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A name, the place of a part in seconds (its start and length), the level of noise below the sound in dB, the
/// arguments of ffmpeg, and the format that it writes.
struct Attack(
    &'static str,
    Option<(f32, f32)>,
    Option<f32>,
    &'static [&'static str],
    &'static str,
);

const MP3: &[&str] = &["-ar", "44100", "-b:a", "96k"];
const ATTACKS: &[Attack] = &[
    Attack("none", None, None, &[], "wav"),
    Attack("MP3 96", None, None, MP3, "mp3"),
    Attack("MP3 64", None, None, &["-ar", "44100", "-b:a", "64k"], "mp3"),
    Attack("AAC 64", None, None, &["-b:a", "64k"], "m4a"),
    Attack("Opus 32", None, None, &["-c:a", "libopus", "-b:a", "32k"], "ogg"),
    Attack("48 kHz", None, None, &["-ar", "48000"], "wav"),
    Attack("44.1 kHz", None, None, &["-ar", "44100"], "wav"),
    Attack("24 kHz", None, None, &["-ar", "24000"], "wav"),
    Attack("22.05 kHz", None, None, &["-ar", "22050"], "wav"),
    Attack("16 kHz", None, None, &["-ar", "16000"], "wav"),
    Attack("8 kHz", None, None, &["-ar", "8000"], "wav"),
    Attack("level ÷ 4", None, None, &["-af", "volume=0.25"], "wav"),
    Attack("level × 2", None, None, &["-af", "volume=2"], "wav"),
    Attack("mono", None, None, &["-ac", "1"], "wav"),
    Attack("noise 30 dB", None, Some(30.0), &[], "wav"),
    Attack("noise 20 dB", None, Some(20.0), &[], "wav"),
    Attack("10 s", Some((1.37, 10.0)), None, &[], "wav"),
    Attack("10 s, MP3 96", Some((1.37, 10.0)), None, MP3, "mp3"),
    Attack("6 s, MP3 96", Some((0.71, 6.0)), None, MP3, "mp3"),
    Attack("5 s, MP3 96", Some((0.71, 5.0)), None, MP3, "mp3"),
    Attack("4 s, MP3 96", Some((0.71, 4.0)), None, MP3, "mp3"),
    Attack("3 s, MP3 96", Some((0.71, 3.0)), None, MP3, "mp3"),
    Attack(
        "6 s, 22.05 kHz, MP3 48",
        Some((0.71, 6.0)),
        None,
        &["-ar", "22050", "-b:a", "48k"],
        "mp3",
    ),
];

#[derive(Debug, Clone)]
struct Sound {
    rate: u32,
    channels: Vec<Vec<f32>>,
}

fn main() -> Result<()> {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    match files.first().map(String::as_str) {
        Some("--unmarked") => {
            let count = files.get(1).ok_or("a count is missing")?.parse()?;
            match files.get(2).and_then(|seed| seed.parse().ok()) {
                Some(seed) => unmarked(&files[3..], count, seed),
                None => unmarked(&files[2..], count, 0),
            }
        }
        Some("--write") => {
            let folder = files.get(1).ok_or("a folder is missing")?.clone();
            attacks(&files.split_off(2), Some(Path::new(&folder)))
        }
        _ => attacks(&files, None),
    }
}

fn attacks(files: &[String], folder: Option<&Path>) -> Result<()> {
    let work = std::env::temp_dir().join(format!("marks-{}", std::process::id()));
    std::fs::create_dir_all(&work)?;
    let (mut survived, mut marked, mut distances) = (vec![0; ATTACKS.len()], 0, Vec::new());
    let (mut seconds, mut writing, mut reading) = (0.0, 0.0, 0.0);
    for (number, file) in files.iter().enumerate() {
        let before = opened(Path::new(file))?;
        let mut after = before.clone();
        let id = Id::new(0x0123_4567_89ab ^ number as u64).ok_or("too many files")?;
        let started = Instant::now();
        let embedded = embed(&mut after.channels, after.rate, id, &KEY);
        writing += started.elapsed().as_secs_f64();
        let long = before.channels[0].len() as f64 / f64::from(before.rate);
        seconds += long;
        let name = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
        let Ok(embedded) = embedded else {
            println!("{name}\t{long:.1} s\tno room for a mark");
            continue;
        };
        marked += 1;
        let distance = distance(&before, &after);
        distances.push(distance);
        let mut scores = Vec::new();
        for (survived, attack) in survived.iter_mut().zip(ATTACKS) {
            let attacked = attacked(&after, attack, &work)?;
            let started = Instant::now();
            let found = read(&attacked.channels, attacked.rate, &KEY);
            if attack.0 == "none" {
                reading += started.elapsed().as_secs_f64();
            }
            let is_right = found.id == Some(id);
            *survived += usize::from(is_right);
            scores.push(format!("{:.1}{}", found.score, if is_right { "" } else { " ✗" }));
        }
        let strength = embedded.strength;
        println!(
            "{name}\t{long:.1} s\t{strength} dB\t{distance:.2} dB\t{}",
            scores.join("\t")
        );
        if let Some(folder) = folder {
            saved(&after, &folder.join(format!("{name}.wav")))?;
        }
    }
    std::fs::remove_dir_all(&work)?;
    let mean = distances.iter().sum::<f64>() / f64::from(marked);
    println!(
        "\n{marked} of {} sounds have a mark; log-spectral distance {mean:.2} dB.",
        files.len()
    );
    println!(
        "{:.1} ms a second of sound to write, {:.1} to read",
        writing / seconds * 1e3,
        reading / seconds * 1e3
    );
    for (Attack(name, ..), survived) in ATTACKS.iter().zip(survived) {
        println!("{name}: {survived} of {marked}");
    }
    Ok(())
}

fn attacked(sound: &Sound, attack: &Attack, work: &Path) -> Result<Sound> {
    let Attack(_, part, noise, arguments, extension) = attack;
    let mut sound = sound.clone();
    let at = |seconds: f32| (seconds * sound.rate as f32) as usize;
    for channel in &mut sound.channels {
        if let Some((start, length)) = part {
            let start = at(*start).min(channel.len().saturating_sub(at(*length)));
            *channel = channel[start..(start + at(*length)).min(channel.len())].to_vec();
        }
        if let Some(below) = noise {
            let level = (channel.iter().map(|x| x * x).sum::<f32>() / channel.len() as f32).sqrt();
            let size = level * 10_f32.powf(-below / 20.0) * 3_f32.sqrt();
            let mut random = Random(7);
            for sample in channel {
                *sample += size * (2.0 * random.unit() - 1.0);
            }
        }
    }
    let place = |name: &str| -> PathBuf { work.join(name) };
    let (first, second, third) = (place("a.wav"), place(&format!("b.{extension}")), place("c.wav"));
    saved(&sound, &first)?;
    for (from, to, arguments) in [
        (&first, &second, *arguments),
        (&second, &third, &["-c:a", "pcm_s16le"]),
    ] {
        let mut ffmpeg = Command::new("ffmpeg");
        ffmpeg
            .args(["-v", "error", "-y", "-i"])
            .arg(from)
            .args(arguments)
            .arg(to);
        if !ffmpeg.status()?.success() {
            return Err("ffmpeg failed".into());
        }
    }
    opened(&third)
}

fn opened(path: &Path) -> Result<Sound> {
    let mut reader = WavReader::open(path)?;
    let spec = reader.spec();
    let mut channels = vec![Vec::new(); usize::from(spec.channels)];
    for (at, sample) in reader.samples::<i16>().enumerate() {
        channels[at % usize::from(spec.channels)].push(f32::from(sample?) / 32_768.0);
    }
    Ok(Sound {
        rate: spec.sample_rate,
        channels,
    })
}

fn saved(sound: &Sound, path: &Path) -> Result<()> {
    let spec = WavSpec {
        channels: sound.channels.len() as u16,
        sample_rate: sound.rate,
        bits_per_sample: 16,
        sample_format: SampleFormat::Int,
    };
    let mut writer = WavWriter::create(path, spec)?;
    for at in 0..sound.channels[0].len() {
        for channel in &sound.channels {
            writer.write_sample((channel[at] * 32_768.0).round() as i16)?;
        }
    }
    Ok(writer.finalize()?)
}

/// The mean over all frames of 32 ms that are not silent of the root mean square of the differences between two
/// spectra from 300 to 6,000 Hz, in dB.
fn distance(before: &Sound, after: &Sound) -> f64 {
    let length = (before.rate as usize * 32 / 1_000) / 2 * 2;
    let transform = real_forward(length);
    let spectra = |sound: &Sound| -> Vec<Vec<f64>> {
        let frames = sound.channels[0].chunks_exact(length);
        let powers = frames.map(|frame| {
            let window = |at: usize| 0.5 - 0.5 * (std::f32::consts::TAU * at as f32 / length as f32).cos();
            let mut frame: Vec<f32> = frame.iter().enumerate().map(|(at, x)| x * window(at)).collect();
            let mut bins = transform.make_output_vec();
            transform
                .process(&mut frame, &mut bins)
                .expect("the lengths are those of the plan");
            let hertz = |hertz: usize| hertz * length / before.rate as usize;
            let top = hertz(6_000).min(bins.len());
            bins[hertz(300)..top]
                .iter()
                .map(Complex::norm_sqr)
                .map(f64::from)
                .collect()
        });
        powers.collect()
    };
    let (before, after) = (spectra(before), spectra(after));
    let loudest = before.iter().flatten().copied().fold(0.0, f64::max);
    let mean = |frame: &[f64]| frame.iter().sum::<f64>() / frame.len() as f64;
    let most = before.iter().map(|frame| mean(frame)).fold(0.0, f64::max);
    let heard = before
        .iter()
        .zip(&after)
        .filter(|(frame, _)| mean(frame) > most * 1e-4);
    let distances: Vec<f64> = heard
        .map(|(before, after)| {
            let floor = loudest * 1e-6;
            let decibels = |(a, b): (&f64, &f64)| 10.0 * ((a + floor) / (b + floor)).log10();
            let squares = before.iter().zip(after).map(decibels).map(|x| x * x);
            (squares.sum::<f64>() / before.len() as f64).sqrt()
        })
        .collect();
    mean(&distances)
}

fn unmarked(files: &[String], count: usize, seed: u64) -> Result<()> {
    let sounds = files
        .iter()
        .map(|file| opened(Path::new(file)))
        .collect::<Result<Vec<_>>>()?;
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (mut scores, mut ids) = (Vec::with_capacity(count), 0);
    for _ in 0..count {
        let sound = &sounds[(random.unit() * sounds.len() as f32) as usize % sounds.len()];
        let whole = sound.channels[0].len();
        let length = whole.min(10 * sound.rate as usize);
        let start = (random.unit() * (whole - length) as f32) as usize;
        let part: Vec<Vec<f32>> = sound
            .channels
            .iter()
            .map(|channel| channel[start..][..length].to_vec())
            .collect();
        let key = Key(std::array::from_fn(|_| (random.unit() * 256.0) as u8));
        let found = read(&part, sound.rate, &key);
        ids += usize::from(found.id.is_some());
        scores.push(found.score);
    }
    scores.sort_by(f32::total_cmp);
    let above = scores.iter().filter(|score| **score >= THRESHOLD).count();
    println!(
        "{count} parts: highest {:?}, {above} reach {THRESHOLD}, {ids} gave an id",
        scores.last()
    );
    Ok(())
}

/// Xorshift (Marsaglia 2003).
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }
}
