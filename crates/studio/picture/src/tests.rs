//! The promises of a prompt, measured in small pictures, so that all of this takes seconds.

use serde_json::Map;

use super::color::Rgb;
use super::style::Style;
use super::{Rendered, render, subjects};

pub(super) const SIDE: usize = 176;

pub(super) fn draw(prompt: &str) -> Rendered {
    render(prompt, 7, 0, SIDE, SIDE)
}

pub(super) fn pixels(picture: &Rendered) -> impl Iterator<Item = Rgb> + '_ {
    picture
        .rgb
        .chunks_exact(3)
        .map(|p| Rgb::from_bytes([p[0], p[1], p[2]]))
}

pub(super) fn brightness(picture: &Rendered) -> f32 {
    pixels(picture).map(Rgb::luma).sum::<f32>() / (picture.width * picture.height) as f32
}

/// The share of pixels for which something holds.
pub(super) fn share(picture: &Rendered, holds: impl Fn(Rgb) -> bool) -> f32 {
    pixels(picture).filter(|c| holds(*c)).count() as f32 / (picture.width * picture.height) as f32
}

pub(super) fn placed(picture: &Rendered, name: &str) -> usize {
    let all = picture.metadata["placed"].as_array().expect("a list");
    all.iter().filter(|thing| thing["name"] == name).count()
}

/// Mean difference of two pictures, 0 to 1.
pub(super) fn difference(a: &Rendered, b: &Rendered) -> f32 {
    let sum: f32 = a
        .rgb
        .iter()
        .zip(&b.rgb)
        .map(|(a, b)| f32::from(a.abs_diff(*b)))
        .sum();
    sum / a.rgb.len() as f32 / 255.0
}

#[test]
fn the_same_request_gives_the_same_bytes_on_any_number_of_threads() {
    let many = draw("a village by a lake at dusk, oil painting");
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("a pool");
    let one = pool.install(|| draw("a village by a lake at dusk, oil painting"));
    assert_eq!(many.rgb, one.rgb);
}

#[test]
fn variations_and_seeds_differ_in_composition() {
    let prompt = "a sailboat on the sea at sunset, flat vector";
    let first = render(prompt, 7, 0, SIDE, SIDE);
    for (seed, variation) in [(7, 1), (7, 2), (8, 0)] {
        let other = render(prompt, seed, variation, SIDE, SIDE);
        assert!(
            difference(&first, &other) > 0.02,
            "seed {seed}, variation {variation}"
        );
        assert_ne!(first.metadata["placed"], other.metadata["placed"]);
    }
}

#[test]
fn a_larger_picture_is_the_same_composition() {
    let small = render("a castle on a hill, flat vector", 3, 0, 128, 128);
    let large = render("a castle on a hill, flat vector", 3, 0, 256, 256);
    let halved: Vec<u8> = (0..128 * 128)
        .flat_map(|i| {
            let (x, y) = (i % 128, i / 128);
            std::array::from_fn::<u8, 3, _>(|c| {
                let at =
                    |dx: usize, dy: usize| u32::from(large.rgb[((2 * y + dy) * 256 + 2 * x + dx) * 3 + c]);
                ((at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1)) / 4) as u8
            })
        })
        .collect();
    let halved = Rendered {
        width: 128,
        height: 128,
        rgb: halved,
        metadata: Map::new(),
    };
    assert!(
        difference(&small, &halved) < 0.02,
        "{}",
        difference(&small, &halved)
    );
}

#[test]
fn night_is_darker_than_noon_and_sunset_is_warmer() {
    for place in ["a meadow", "a city", "a lake below mountains"] {
        let (noon, night) = (
            draw(&format!("{place} at noon, photo")),
            draw(&format!("{place} at night, photo")),
        );
        assert!(
            brightness(&night) < 0.6 * brightness(&noon),
            "{place}: {} {}",
            brightness(&night),
            brightness(&noon)
        );
        let warmth = |p: &Rendered| pixels(p).map(|c| c.0 - c.2).sum::<f32>() / (SIDE * SIDE) as f32;
        let sunset = draw(&format!("{place} at sunset, photo"));
        assert!(
            warmth(&sunset) > warmth(&noon) + 0.05,
            "{place}: {} {}",
            warmth(&sunset),
            warmth(&noon)
        );
    }
}

#[test]
fn a_thing_has_the_colour_that_was_asked() {
    let hue_near = |hue: f32| {
        move |c: Rgb| {
            let (h, s, l) = c.hsl();
            s > 0.45 && (0.15..0.85).contains(&l) && ((h - hue + 540.0) % 360.0 - 180.0).abs() < 22.0
        }
    };
    for (name, hue) in [
        ("red", 2.0),
        ("green", 125.0),
        ("blue", 218.0),
        ("yellow", 50.0),
        ("purple", 279.0),
    ] {
        let asked = draw(&format!("a {name} car on a road, flat vector"));
        let other = draw(&format!(
            "a {} car on a road, flat vector",
            if name == "red" { "blue" } else { "red" }
        ));
        let (a, b) = (share(&asked, hue_near(hue)), share(&other, hue_near(hue)));
        assert!(a > b + 0.008, "{name}: {a} against {b}");
    }
}

#[test]
fn as_many_are_drawn_as_were_asked() {
    for (prompt, name, count) in [
        ("three boats on a lake", "boat", 3),
        ("five birds over the sea", "bird", 5),
        ("two horses in a meadow", "horse", 2),
        ("a dozen apples on a table", "apple", 12),
        ("a bowl of oranges on a table and one candle", "candle", 1),
    ] {
        assert_eq!(placed(&draw(prompt), name), count, "{prompt}");
    }
}

#[test]
fn what_was_refused_is_not_there() {
    let picture = draw("a lake with a house and no boats, no people");
    assert_eq!((placed(&picture, "boat"), placed(&picture, "person")), (0, 0));
    assert_eq!(placed(&picture, "house"), 1);
}

#[test]
fn things_stand_within_the_picture() {
    for prompt in [
        "a tall lighthouse on a cliff",
        "a huge castle",
        "three giraffes in the savanna",
        "a giant whale under the sea",
    ] {
        for (w, h) in [(160, 160), (112, 200), (230, 98)] {
            let picture = render(prompt, 5, 0, w, h);
            for thing in picture.metadata["placed"].as_array().expect("a list") {
                let at: Vec<f64> = thing["box"]
                    .as_array()
                    .expect("a box")
                    .iter()
                    .filter_map(serde_json::Value::as_f64)
                    .collect();
                let middle = (f64::midpoint(at[0], at[2]), f64::midpoint(at[1], at[3]));
                assert!(
                    (0.0..1.0).contains(&middle.0) && (0.0..1.0).contains(&middle.1),
                    "{prompt} {w}×{h}: {thing}"
                );
                assert!(at[1] > -0.02, "{prompt} {w}×{h}: {thing}");
            }
        }
    }
}

#[test]
fn quoted_words_are_set_in_the_picture() {
    let picture = draw("poster that says \"OPEN AIR\"");
    assert_eq!(placed(&picture, "text: OPEN AIR"), 1);
    let text = &picture.metadata["placed"][0]["box"];
    assert!(
        text[2].as_f64().expect("right") - text[0].as_f64().expect("left") > 0.4,
        "{text}"
    );
}

#[test]
fn words_in_the_picture_can_be_read_by_a_machine() {
    let Some(tesseract) = atelier_found::program("tesseract") else {
        return;
    };
    let out = tempfile::tempdir().expect("a folder");
    let side = 560;
    let picture = render("poster that says \"HELLO WORLD\"", 1, 0, side, side);
    let text = &picture.metadata["placed"][0]["box"];
    let at = |i: usize, pad: f64| (text[i].as_f64().expect("a number") * side as f64 + pad) as usize;
    let (left, top, right, bottom) = (at(0, -40.0), at(1, -40.0), at(2, 40.0), at(3, 40.0));
    // The pale letters as black on white, as a scanner would deliver them.
    let mut page = atelier_retouch::decode::Picture::filled(right - left, bottom - top, [255; 4]);
    for (i, pixel) in page.rgba.chunks_exact_mut(4).enumerate() {
        let (x, y) = (left + i % (right - left), top + i / (right - left));
        let from = &picture.rgb[(y * side + x) * 3..][..3];
        if Rgb::from_bytes([from[0], from[1], from[2]]).luma() > 0.922 {
            pixel[..3].fill(0);
        }
    }
    let path = out.path().join("poster.png");
    let provenance = atelier_retouch::encode::Provenance {
        tool: "test",
        source: atelier_retouch::encode::SourceType::Algorithmic,
    };
    atelier_retouch::encode::write_png(&path, &page, provenance).expect("written");
    let read = std::process::Command::new(&tesseract)
        .arg(&path)
        .args(["-", "--psm", "6"])
        .output()
        .expect("tesseract runs");
    let text = String::from_utf8_lossy(&read.stdout).to_uppercase();
    assert!(text.contains("HELLO") && text.contains("WORLD"), "{text}");
}

#[test]
fn every_style_is_a_picture_of_its_own() {
    let words = [
        "photo",
        "watercolor",
        "oil painting",
        "gouache",
        "pencil drawing",
        "charcoal drawing",
        "ink drawing",
        "woodblock print",
        "pixel art",
        "low poly",
        "flat vector",
        "isometric",
        "stained glass",
        "neon",
        "halftone",
        "film noir",
        "papercut",
        "blueprint",
        "pointillism",
        "soft pastel",
    ];
    assert_eq!(words.len(), Style::ALL.len());
    let pictures: Vec<Rendered> = words
        .iter()
        .map(|style| draw(&format!("a house by a lake below mountains, {style}")))
        .collect();
    for (i, a) in pictures.iter().enumerate() {
        assert_eq!(a.metadata["style"], Style::ALL[i].name());
        for (j, b) in pictures.iter().enumerate().skip(i + 1) {
            assert!(
                difference(a, b) > 0.018,
                "{} and {}: {}",
                words[i],
                words[j],
                difference(a, b)
            );
        }
    }
    let grey = |p: &Rendered| share(p, |c| c.hsl().1 < 0.12 || c.luma() > 0.9);
    assert!(grey(&pictures[15]) > 0.95, "noir is black and white");
    assert!(share(&pictures[17], |c| c.2 > c.0) > 0.9, "a blueprint is blue");
    assert!(
        brightness(&pictures[13]) < brightness(&pictures[0]),
        "neon glows in the dark"
    );
}

#[test]
fn every_subject_can_be_drawn_and_there_are_more_than_a_hundred() {
    let all: Vec<_> = subjects::all().collect();
    assert!(all.len() >= 100, "{}", all.len());
    for subject in all {
        let picture = render(
            &format!(
                "one {}, flat vector",
                subject.words.split('|').next_back().expect("a name")
            ),
            2,
            0,
            96,
            96,
        );
        assert!(
            placed(&picture, subject.name()) >= 1,
            "{}: {}",
            subject.name(),
            picture.metadata["placed"]
        );
    }
}

#[test]
fn an_unknown_thing_becomes_an_abstract_picture() {
    let picture = draw("quxotl of the flumbering");
    assert_eq!(picture.metadata["setting"], "abstract");
    let spread = pixels(&picture)
        .map(Rgb::luma)
        .fold((1.0_f32, 0.0_f32), |a, l| (a.0.min(l), a.1.max(l)));
    assert!(spread.1 - spread.0 > 0.2, "{spread:?}");
}
