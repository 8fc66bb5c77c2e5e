//! Renders what the picture tools do into a folder: before and after, side by side, on pictures made by rule.
//!
//! `cargo run --release --example tools_sheet -- FOLDER [PICTURE…]`: with pictures named, those are edited.

use std::path::Path;

use atelier_draft::decode::{self, Picture};
use atelier_draft::encode::{Provenance, SourceType, write_png};
use atelier_draft::tools::camera::{Move, seen_from};
use atelier_draft::tools::cutout::{Background, remove_background};
use atelier_draft::tools::inpaint::fill;
use atelier_draft::tools::relight::{Direction, Light, relight};
use atelier_draft::tools::samples::{SCENES, Scene, scene, subject};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some((folder, pictures)) = args.split_first() else {
        return Err("a folder is needed".into());
    };
    let folder = Path::new(folder);
    std::fs::create_dir_all(folder)?;
    let given: Vec<Picture> = pictures
        .iter()
        .map(|path| decode::read(Path::new(path)))
        .collect::<Result<_, _>>()?;
    samples_sheet(folder)?;
    cutout_sheet(folder, &given)?;
    inpaint_sheet(folder, &given)?;
    relight_sheet(folder, &given)?;
    camera_sheet(folder, &given)?;
    Ok(())
}

/// Those given, or else those made by rule.
fn or_made(given: &[Picture], made: impl FnOnce() -> Vec<Picture>) -> Vec<Picture> {
    if given.is_empty() { made() } else { given.to_vec() }
}

fn samples_sheet(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let mut all: Vec<Picture> = SCENES.iter().map(|kind| scene(*kind, 256, 256, 1)).collect();
    all.extend((0..4).map(|seed| subject(256, 256, seed).0));
    save(&folder.join("samples.png"), &sheet(&all, 4))
}

fn cutout_sheet(folder: &Path, given: &[Picture]) -> Result<(), Box<dyn std::error::Error>> {
    let mut shown = Vec::new();
    for picture in or_made(given, || (0..6).map(|seed| subject(384, 384, seed).0).collect()) {
        for background in [Background::Transparent, Background::Color([0.1, 0.55, 0.25])] {
            let cut = remove_background(&picture, background, 0.0, &mut |_| {});
            shown.push(cut.map_or_else(|| Picture::filled(64, 64, [0, 0, 0, 0]), |(cut, _)| cut));
        }
        shown.insert(shown.len() - 2, picture);
    }
    save(&folder.join("background-removal.png"), &sheet(&shown, 6))
}

fn inpaint_sheet(folder: &Path, given: &[Picture]) -> Result<(), Box<dyn std::error::Error>> {
    let mut shown = Vec::new();
    let made = || SCENES.iter().map(|kind| scene(*kind, 320, 240, 3)).collect();
    for picture in or_made(given, made) {
        let (w, h) = (picture.width as f32, picture.height as f32);
        let missing: Vec<bool> = (0..picture.width * picture.height)
            .map(|i| {
                let (x, y) = (
                    (i % picture.width) as f32 / w - 0.5,
                    (i / picture.width) as f32 / h - 0.55,
                );
                x * x * 60.0 + y * y * 30.0 < 1.0
            })
            .collect();
        let mut holed = picture.clone();
        for (pixel, missing) in holed.rgba.chunks_exact_mut(4).zip(&missing) {
            if *missing {
                pixel.copy_from_slice(&[255, 255, 255, 255]);
            }
        }
        let mut done = holed.clone();
        fill(&mut done, &missing, 1, &mut |_| {});
        shown.extend([holed, done]);
    }
    save(&folder.join("inpaint.png"), &sheet(&shown, 6))
}

fn relight_sheet(folder: &Path, given: &[Picture]) -> Result<(), Box<dyn std::error::Error>> {
    let mut shown = Vec::new();
    let made = || {
        vec![
            subject(320, 320, 2).0,
            scene(Scene::StillLife, 320, 320, 3),
            scene(Scene::Mountains, 320, 320, 3),
            scene(Scene::Pebbles, 320, 320, 3),
        ]
    };
    for picture in or_made(given, made) {
        shown.push(picture.clone());
        for (direction, color) in [
            (Direction::Left, [1.0, 1.0, 1.0]),
            (Direction::Right, [1.0, 0.75, 0.45]),
            (Direction::Top, [1.0, 1.0, 1.0]),
            (Direction::Bottom, [1.0, 0.5, 0.35]),
            (Direction::Front, [1.0, 1.0, 1.0]),
            (Direction::Back, [0.6, 0.75, 1.0]),
        ] {
            let mut lit = picture.clone();
            relight(
                &mut lit,
                Light {
                    direction,
                    intensity: 1.0,
                    color,
                    ambient: 0.35,
                },
                &mut |_| {},
            );
            shown.push(lit);
        }
    }
    save(&folder.join("relight.png"), &sheet(&shown, 7))
}

fn camera_sheet(folder: &Path, given: &[Picture]) -> Result<(), Box<dyn std::error::Error>> {
    let still = Move {
        azimuth: 0.0,
        elevation: 0.0,
        roll: 0.0,
        zoom: 1.0,
    };
    let mut shown = Vec::new();
    let made = || {
        vec![
            subject(320, 320, 2).0,
            scene(Scene::StillLife, 320, 320, 3),
            scene(Scene::Mountains, 320, 320, 3),
            scene(Scene::Towers, 320, 320, 3),
        ]
    };
    for picture in or_made(given, made) {
        shown.push(picture.clone());
        for camera in [
            Move {
                azimuth: -25.0,
                ..still
            },
            Move {
                azimuth: 25.0,
                ..still
            },
            Move {
                azimuth: 50.0,
                ..still
            },
            Move {
                elevation: 20.0,
                ..still
            },
            Move {
                azimuth: 12.0,
                elevation: -12.0,
                zoom: 1.25,
                ..still
            },
            Move {
                roll: 20.0,
                zoom: 0.8,
                ..still
            },
        ] {
            shown.push(seen_from(&picture, camera, 1, &mut |_| {}));
        }
    }
    save(&folder.join("camera-angle.png"), &sheet(&shown, 7))
}

/// Pictures in columns, each at its own size in cells of the largest.
fn sheet(pictures: &[Picture], columns: usize) -> Picture {
    let gap = 8;
    let w = pictures.iter().map(|p| p.width).max().unwrap_or(1) + gap;
    let h = pictures.iter().map(|p| p.height).max().unwrap_or(1) + gap;
    let mut out = Picture::filled(
        w * columns + gap,
        h * pictures.len().div_ceil(columns) + gap,
        [236, 236, 232, 255],
    );
    for (i, picture) in pictures.iter().enumerate() {
        let (left, top) = (gap + (i % columns) * w, gap + (i / columns) * h);
        for y in 0..picture.height {
            for x in 0..picture.width {
                let [r, g, b, a] = picture.pixel(x, y);
                // Where nothing covers, the chequers that picture programs show.
                let behind = if (x / 12 + y / 12) % 2 == 0 { 255.0 } else { 200.0 };
                let over = |v: u8| {
                    let a = f32::from(a) / 255.0;
                    (f32::from(v) * a + behind * (1.0 - a) + 0.5) as u8
                };
                let at = 4 * ((top + y) * out.width + left + x);
                out.rgba[at..at + 4].copy_from_slice(&[over(r), over(g), over(b), 255]);
            }
        }
    }
    out
}

fn save(path: &Path, picture: &Picture) -> Result<(), Box<dyn std::error::Error>> {
    Ok(write_png(
        path,
        picture,
        Provenance {
            tool: "sheet",
            source: SourceType::Composite,
        },
    )?)
}
