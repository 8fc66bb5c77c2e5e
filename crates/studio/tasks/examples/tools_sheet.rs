//! Renders the results of the picture tools into a folder: before and after, side by side, on generated pictures.
//!
//! `cargo run --release --example tools_sheet -- FOLDER [PICTURE…]`. If pictures are named, those are edited.

use std::path::Path;

use atelier_protocol::{Input, Request};
use atelier_retouch::camera::{Move, seen_from};
use atelier_retouch::cutout::{Background, remove_background};
use atelier_retouch::decode::{self, Picture};
use atelier_retouch::encode::{Provenance, SourceType, write_png};
use atelier_retouch::enhancer::{Wish, enhance};
use atelier_retouch::inpaint::fill;
use atelier_retouch::relight::{Direction, Light, relight};
use atelier_retouch::samples::{SCENES, Scene, scene, subject};
use atelier_retouch::upscale::{Kind, enlarge};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some((folder, pictures)) = args.split_first() else {
        return Err("usage: tools_sheet FOLDER [PICTURE…]".into());
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
    upscale_sheet(folder, &given)?;
    enhancer_sheet(folder, &given)?;
    words_sheet(folder, &given)?;
    Ok(())
}

/// The given pictures, or else generated ones.
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

/// The centre of each picture with its pixels repeated, and enlarged by the tool.
fn upscale_sheet(folder: &Path, given: &[Picture]) -> Result<(), Box<dyn std::error::Error>> {
    let made = || SCENES.iter().map(|kind| scene(*kind, 96, 96, 3)).collect();
    let mut shown = Vec::new();
    for picture in or_made(given, made) {
        let middle = cropped(&picture, 96);
        let mut repeated = Picture::filled(4 * middle.width, 4 * middle.height, [0; 4]);
        for (i, pixel) in repeated.rgba.chunks_exact_mut(4).enumerate() {
            let (x, y) = (i % (4 * middle.width), i / (4 * middle.width));
            pixel.copy_from_slice(&middle.pixel(x / 4, y / 4));
        }
        let kind = Kind::of(&picture);
        shown.extend([repeated, enlarge(&middle, 4, kind)]);
    }
    save(&folder.join("upscale.png"), &sheet(&shown, 6))
}

/// The centre of a picture, with sides of at most `side` pixels.
fn cropped(picture: &Picture, side: usize) -> Picture {
    let (w, h) = (picture.width.min(side), picture.height.min(side));
    let (left, top) = ((picture.width - w) / 2, (picture.height - h) / 2);
    let mut out = Picture::filled(w, h, [0; 4]);
    for (i, pixel) in out.rgba.chunks_exact_mut(4).enumerate() {
        pixel.copy_from_slice(&picture.pixel(left + i % w, top + i / w));
    }
    out
}

/// Pictures as given, or dull, dark and grainy ones; enhanced by half, and fully.
fn enhancer_sheet(folder: &Path, given: &[Picture]) -> Result<(), Box<dyn std::error::Error>> {
    let made = || {
        let kinds = [Scene::Mountains, Scene::StillLife, Scene::Towers, Scene::Leaves];
        kinds
            .iter()
            .map(|kind| dulled(&scene(*kind, 320, 320, 3)))
            .collect()
    };
    let mut shown = Vec::new();
    for picture in or_made(given, made) {
        shown.push(picture.clone());
        for strength in [0.5, 1.0] {
            let mut better = picture.clone();
            let wish = Wish {
                strength,
                denoise: true,
                sharpen: true,
                color: true,
            };
            enhance(&mut better, wish, &mut |_| {});
            shown.push(better);
        }
    }
    save(&folder.join("enhancer.png"), &sheet(&shown, 6))
}

/// A picture as a poor camera sees it: dim, yellowish, grainy.
fn dulled(picture: &Picture) -> Picture {
    let mut out = picture.clone();
    let mut state = 7_u32;
    for pixel in out.rgba.chunks_exact_mut(4) {
        for (channel, gain) in [0.72, 0.64, 0.5].into_iter().enumerate() {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let grain = (state >> 24) as f32 / 255.0 - 0.5;
            pixel[channel] = (f32::from(pixel[channel]) * gain + 22.0 + 24.0 * grain).clamp(0.0, 255.0) as u8;
        }
    }
    out
}

/// Pictures with a hole, and with the subject of a prompt drawn into it.
fn words_sheet(folder: &Path, given: &[Picture]) -> Result<(), Box<dyn std::error::Error>> {
    let made = || {
        let kinds = [Scene::Mountains, Scene::Grass, Scene::StillLife];
        kinds.iter().map(|kind| scene(*kind, 384, 320, 3)).collect()
    };
    let prompts = ["a red sailboat", "a horse", "a tree", "an apple"];
    let mut shown = Vec::new();
    for (picture, prompt) in or_made(given, made).iter().zip(prompts.iter().cycle()) {
        let mut mask = Picture::filled(picture.width, picture.height, [0, 0, 0, 255]);
        for y in picture.height / 2..picture.height * 19 / 20 {
            let row = y * picture.width;
            mask.rgba[4 * (row + picture.width / 8)..4 * (row + picture.width / 2)].fill(255);
        }
        let (before, hole) = (folder.join("words-before.png"), folder.join("words-mask.png"));
        save(&before, picture)?;
        save(&hole, &mask)?;
        let input = |parameter: &str, path: &Path| Input {
            parameter: parameter.into(),
            path: path.into(),
            media_type: "image/png".into(),
            seconds: None,
        };
        let request = Request {
            task: "inpaint".into(),
            params: [("prompt".to_owned(), (*prompt).into())].into_iter().collect(),
            inputs: vec![input("image_urls", &before), input("mask_url", &hole)],
            seed: 1,
            out: folder.to_path_buf(),
        };
        let made = atelier_tasks::run(&request, &mut |_| {})?;
        shown.push(picture.clone());
        shown.push(decode::read(&made.files[0])?);
        for path in [&before, &hole, &made.files[0]] {
            std::fs::remove_file(path)?;
        }
    }
    save(&folder.join("inpaint-words.png"), &sheet(&shown, 4))
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
                // Transparent pixels show a chequerboard, as in image editors.
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
