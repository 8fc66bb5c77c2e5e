//! Attacks on marks, as a table, and the scores of pictures without a mark.
//!
//! `cargo run --release --package atelier-marking --example marks -- FILE…` marks every picture and prints which
//! attacks the mark survives.
//!
//! - `--unmarked 10000` instead reads so many random parts of the pictures and prints the highest score. A second
//!   number chooses other parts.
//! - `--write DIR` also writes the marked pictures, to look at; `--read` reads pictures as they are.
//! - `--likeness` instead prints how far copies look from their pictures, and pictures from each other.
//! - `--frames DIR` writes the pictures with one mark, as frames for a film; `--film` reads pictures as frames.
#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use std::{error::Error, io::Cursor, path::Path, time::Instant};

use atelier_marking::{Frames, Id, Key, Likeness, Shape, THRESHOLD, embed, read};
use image::{DynamicImage, GenericImageView as _, ImageFormat, RgbImage, imageops::FilterType};

const KEY: Key = Key([0x5a; 32]);
/// The id of frames.
const FRAMES: u64 = 0x0123_4567_89ab;
/// Larger pictures are made smaller first.
const LARGEST: u32 = 1_600;

type Attack = (&'static str, fn(&RgbImage) -> RgbImage);

const ATTACKS: [Attack; 11] = [
    ("none", RgbImage::clone),
    ("JPEG 70", |picture| jpeg(picture, 70)),
    ("JPEG 50", |picture| jpeg(picture, 50)),
    ("half", |picture| scaled(picture, 0.5)),
    ("half, JPEG 70", |picture| jpeg(&scaled(picture, 0.5), 70)),
    ("crop 80 %", |picture| cropped(picture, 0.8)),
    ("crop, JPEG 70", |picture| jpeg(&cropped(picture, 0.8), 70)),
    ("crop, half, JPEG 70", |picture| {
        jpeg(&scaled(&cropped(picture, 0.8), 0.5), 70)
    }),
    ("brighter", |picture| curve(picture, 1.2, 10.0)),
    ("darker", |picture| curve(picture, 0.7, 0.0)),
    ("0.9, JPEG 80", |picture| jpeg(&scaled(picture, 0.9), 80)),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    match files.first().map(String::as_str) {
        Some("--unmarked") => {
            let count = files.get(1).ok_or("a count is missing")?.parse()?;
            match files.get(2).and_then(|seed| seed.parse().ok()) {
                Some(seed) => unmarked(&files[3..], count, seed),
                None => unmarked(&files[2..], count, 0),
            }
        }
        Some("--frames") => {
            let folder = files.get(1).ok_or("a folder is missing")?;
            for file in &files[2..] {
                let mut picture = image::open(file)?.to_rgb8();
                let shape = shape(&picture);
                let id = Id::new(FRAMES).ok_or("the id is too large")?;
                println!("{file}: {:?}", embed(&mut picture, shape, id, &KEY));
                let name = Path::new(file).file_name().ok_or("a file is missing")?;
                picture.save(Path::new(folder).join(name))?;
            }
            Ok(())
        }
        Some("--likeness") => likeness(&files[1..]),
        Some("--film") => film(&files[1..]),
        Some("--write") => {
            let folder = files.get(1).ok_or("a folder is missing")?.clone();
            attacks(&files.split_off(2), Some(Path::new(&folder)))
        }
        Some("--read") => {
            for file in &files[1..] {
                let picture = image::open(file)?.to_rgb8();
                println!("{file}: {:?}", read(&picture, shape(&picture), &KEY));
            }
            Ok(())
        }
        _ => attacks(&files, None),
    }
}

fn attacks(files: &[String], folder: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let mut survived = [0; ATTACKS.len()];
    let mut marked = 0;
    for (number, file) in files.iter().enumerate() {
        let mut picture = opened(file)?;
        let id = Id::new(FRAMES ^ number as u64).ok_or("too many files")?;
        let (shape, started) = (shape(&picture), Instant::now());
        let result = embed(&mut picture, shape, id, &KEY);
        let took = started.elapsed().as_millis();
        let name = Path::new(file)
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let size = format!("{} × {}", shape.width, shape.height);
        let Ok(result) = result else {
            println!("{name}\t{size}\tno room for a mark\t{took} ms");
            continue;
        };
        marked += 1;
        let mut scores = Vec::new();
        for (at, (_, attack)) in ATTACKS.iter().enumerate() {
            let attacked = attack(&picture);
            let reading = read(&attacked, self::shape(&attacked), &KEY);
            let is_right = reading.is_some_and(|reading| reading.id == Some(id));
            survived[at] += usize::from(is_right);
            let score = reading.map_or(0.0, |reading| reading.score);
            scores.push(format!("{score:.1}{}", if is_right { "" } else { " ✗" }));
        }
        println!(
            "{name}\t{size}\t{:.1} dB\t{took} ms\t{}",
            result.psnr,
            scores.join("\t")
        );
        if let Some(folder) = folder {
            picture.save(folder.join(format!("{name}.png")))?;
        }
    }
    println!(
        "\n{marked} of {} pictures have a mark. It was read after:",
        files.len()
    );
    for ((name, _), survived) in ATTACKS.iter().zip(survived) {
        println!("{name}: {survived} of {marked}");
    }
    Ok(())
}

fn film(files: &[String]) -> Result<(), Box<dyn Error>> {
    let first = image::open(files.first().ok_or("a frame is missing")?)?.to_rgb8();
    let mut frames = Frames::new(shape(&first));
    for file in files {
        frames.add(&image::open(file)?.to_rgb8());
    }
    println!("{} frames: {:?}", files.len(), frames.read(&KEY));
    Ok(())
}

/// How far attacked copies look from their pictures, and the pictures and their parts from each other.
fn likeness(files: &[String]) -> Result<(), Box<dyn Error>> {
    let pictures = files
        .iter()
        .map(|file| opened(file))
        .collect::<Result<Vec<_>, _>>()?;
    let of = |picture: &RgbImage| Likeness::of(picture, shape(picture));
    let known: Vec<_> = pictures.iter().map(of).collect();
    println!(
        "{} of {} show enough",
        known.iter().flatten().count(),
        known.len()
    );
    for (name, attack) in ATTACKS {
        let mut distances: Vec<u32> = pictures
            .iter()
            .zip(&known)
            .filter_map(|(picture, known)| Some(known.as_ref()?.distance(&of(&attack(picture))?)))
            .collect();
        distances.sort_unstable();
        let middle = distances.get(distances.len() / 2).copied().unwrap_or_default();
        println!(
            "{name}: half at most {middle}, all at most {:?}",
            distances.last()
        );
    }
    let mut random = Random(7);
    let parts = (0..3_000).map(|_| {
        let number = random.below(pictures.len() as u32) as usize;
        (number, of(&random.part(&pictures[number])))
    });
    let whole = known.iter().copied().enumerate();
    let all: Vec<_> = whole
        .chain(parts)
        .filter_map(|(number, likeness)| Some((number, likeness?)))
        .collect();
    let mut counts = [0_u64; 257];
    for (at, (number, one)) in all.iter().enumerate() {
        for (other_number, other) in &all[..at] {
            if number != other_number {
                counts[one.distance(other) as usize] += 1;
            }
        }
    }
    let pairs: u64 = counts.iter().sum();
    let nearest = counts.iter().position(|count| *count > 0);
    println!("{pairs} pairs of different pictures: the nearest differ in {nearest:?} bits");
    for limit in [24, 32, 40, 48, 56, 64] {
        let below: u64 = counts[..=limit].iter().sum();
        println!("at most {limit}: {below}");
    }
    Ok(())
}

/// Reads random parts of the pictures in random sizes, turned round and mirrored.
fn unmarked(files: &[String], count: usize, seed: u64) -> Result<(), Box<dyn Error>> {
    let pictures = files
        .iter()
        .map(|file| opened(file))
        .collect::<Result<Vec<_>, _>>()?;
    let threads = std::thread::available_parallelism()?.get();
    let highest = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|thread| {
                let pictures = &pictures;
                scope.spawn(move || {
                    let mut random = Random((seed << 8) + thread as u64 + 1);
                    let mut found = (0.0_f32, 0_usize, 0_usize);
                    for _ in 0..count / threads {
                        let picture = random.below(pictures.len() as u32) as usize;
                        let part = random.part(&pictures[picture]);
                        let mut key = [0; 32];
                        key[..8].copy_from_slice(&random.next().to_be_bytes());
                        if let Some(reading) = read(&part, shape(&part), &Key(key)) {
                            let passes = usize::from(reading.score >= THRESHOLD);
                            let is_found = usize::from(reading.id.is_some());
                            found = (found.0.max(reading.score), found.1 + passes, found.2 + is_found);
                        }
                    }
                    found
                })
            })
            .collect();
        workers
            .into_iter()
            .filter_map(|worker| worker.join().ok())
            .fold((0.0_f32, 0, 0), |all, one| {
                (all.0.max(one.0), all.1 + one.1, all.2 + one.2)
            })
    });
    let (score, passes, found) = highest;
    println!(
        "{count} parts without a mark: highest score {score:.2}, {passes} of them at {THRESHOLD} or more, {found} ids"
    );
    Ok(())
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, limit: u32) -> u32 {
        (self.next() % u64::from(limit.max(1))) as u32
    }

    fn part(&mut self, picture: &RgbImage) -> RgbImage {
        let (width, height) = (picture.width(), picture.height());
        let side = |random: &mut Self, length: u32| (200 + random.below(300)).min(length);
        let (wide, high) = (side(self, width), side(self, height));
        let (left, top) = (self.below(width - wide + 1), self.below(height - high + 1));
        let part = picture.view(left, top, wide, high).to_image();
        match self.below(4) {
            0 => image::imageops::flip_horizontal(&part),
            1 => image::imageops::rotate90(&part),
            2 => image::imageops::rotate180(&part),
            _ => part,
        }
    }
}

fn shape(picture: &RgbImage) -> Shape {
    Shape {
        width: picture.width() as usize,
        height: picture.height() as usize,
        channels: 3,
    }
}

fn opened(file: &str) -> Result<RgbImage, image::ImageError> {
    let picture = image::open(file)?;
    let longest = picture.width().max(picture.height());
    Ok(if longest > LARGEST {
        picture.resize(LARGEST, LARGEST, FilterType::Triangle).to_rgb8()
    } else {
        picture.to_rgb8()
    })
}

fn jpeg(picture: &RgbImage, quality: u8) -> RgbImage {
    let mut file = Cursor::new(Vec::new());
    let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut file, quality);
    let written = picture.write_with_encoder(encoder);
    written.expect("a picture in memory can be written");
    let read = image::load_from_memory_with_format(file.get_ref(), ImageFormat::Jpeg);
    read.expect("it was just written").to_rgb8()
}

fn scaled(picture: &RgbImage, factor: f32) -> RgbImage {
    let length = |length: u32| (length as f32 * factor).round() as u32;
    DynamicImage::from(picture.clone())
        .resize_exact(
            length(picture.width()),
            length(picture.height()),
            FilterType::Triangle,
        )
        .to_rgb8()
}

/// A part that begins where no tile does.
fn cropped(picture: &RgbImage, share: f32) -> RgbImage {
    let length = |length: u32| (length as f32 * share) as u32;
    let (width, height) = (length(picture.width()), length(picture.height()));
    let (left, top) = (
        (picture.width() - width) * 3 / 7,
        (picture.height() - height) * 5 / 8,
    );
    picture.view(left, top, width, height).to_image()
}

fn curve(picture: &RgbImage, factor: f32, more: f32) -> RgbImage {
    let mut changed = picture.clone();
    for value in changed.iter_mut() {
        *value = (f32::from(*value) * factor + more).clamp(0.0, 255.0) as u8;
    }
    changed
}
