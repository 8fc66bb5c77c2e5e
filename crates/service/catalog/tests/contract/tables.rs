//! The parameter tables of the contract: for each field, valid and invalid values.

use serde_json::{Value, json};

use crate::{FILE, model, urls};

fn letters(count: usize) -> Value {
    Value::from("é".repeat(count))
}

/// A model, a field, its valid values and its invalid ones.
pub(crate) type Row = (&'static str, &'static str, Vec<Value>, Vec<Value>);

const SEED_MAX: i64 = 9_007_199_254_740_991;

fn options(model: &'static str, name: &'static str, options: &[&str]) -> Row {
    let fitting: Vec<Value> = options.iter().map(|&option| Value::from(option)).collect();
    let first = options[0];
    (
        model,
        name,
        fitting,
        vec![
            json!(format!("{first} ")),
            json!("other"),
            json!(1),
            json!(true),
            json!([first]),
        ],
    )
}

fn boolean(model: &'static str, name: &'static str) -> Row {
    (
        model,
        name,
        vec![json!(true), json!(false)],
        vec![json!("true"), json!(1), json!(0), json!({})],
    )
}

fn number(model: &'static str, name: &'static str, min: f64, max: f64) -> Row {
    let fitting = vec![json!(min), json!(max), json!(f64::midpoint(min, max))];
    (
        model,
        name,
        fitting,
        vec![
            json!(min - 0.001),
            json!(max + 0.001),
            json!(min.to_string()),
            json!(true),
        ],
    )
}

fn integer(model: &'static str, name: &'static str, min: i64, max: i64) -> Row {
    let wrong = vec![
        json!(min - 1),
        json!(max + 1),
        json!(min as f64 + 0.5),
        json!(min.to_string()),
        json!([min]),
    ];
    (model, name, vec![json!(min), json!(max)], wrong)
}

fn text(model: &'static str, name: &'static str, min: usize, max: usize) -> Row {
    (
        model,
        name,
        vec![letters(min), letters(max)],
        vec![letters(max + 1), json!(1), json!(["a"])],
    )
}

/// A text without bounds in the contract.
fn free_text(model: &'static str, name: &'static str) -> Row {
    (
        model,
        name,
        vec![json!("a"), letters(30_000)],
        vec![json!(1), json!(false), json!({})],
    )
}

fn list(model: &'static str, name: &'static str, min: usize, max: usize) -> Row {
    let mut wrong = vec![
        urls(max + 1),
        json!(FILE),
        json!([1]),
        json!(["no url"]),
        json!([null]),
    ];
    let mut fitting = vec![urls(1), urls(max)];
    if min == 0 {
        fitting.push(json!([]));
    } else {
        wrong.push(json!([]));
    }
    (model, name, fitting, wrong)
}

fn url(model: &'static str, name: &'static str) -> Row {
    let longest = format!("https://a.example/{}", "x".repeat(2_048 - 18));
    assert_eq!(longest.len(), 2_048);
    let wrong = vec![
        json!(format!("{longest}x")),
        json!("/a.mp4"),
        json!("ftp://a/b"),
        json!("file:///a"),
        json!([FILE]),
    ];
    (
        model,
        name,
        vec![json!(FILE), json!("http://a/b?c#d"), json!(longest)],
        wrong,
    )
}

pub(crate) fn rows() -> Vec<Row> {
    [images(), music(), speech(), videos(), fast_videos(), tools()].concat()
}

fn images() -> Vec<Row> {
    vec![
        free_text("image-gen-4", "prompt"),
        options("image-gen-4", "resolution", &["1K", "2K", "4K"]),
        options(
            "image-gen-4",
            "size",
            &["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"],
        ),
        integer("image-gen-4", "n", 1, 15),
        list("image-gen-4", "image_urls", 0, 10),
    ]
}

fn music() -> Vec<Row> {
    vec![
        text("music-gen", "prompt", 1, 500),
        boolean("music-gen", "make_instrumental"),
        options("music-gen", "vocal_gender", &["auto", "male", "female"]),
        options(
            "music-gen",
            "model_version",
            &["v5_5", "v5", "v4_5plus", "v4_5all", "v4_5", "v4"],
        ),
        number("music-gen", "style_weight", 0.0, 1.0),
        number("music-gen", "weirdness_constraint", 0.0, 1.0),
        number("music-gen", "audio_weight", 0.0, 1.0),
        free_text("music-gen", "style"),
        free_text("music-gen", "title"),
        free_text("music-gen", "negative_tags"),
        url("music-replace-section", "audio_url"),
        (
            "music-replace-section",
            "start_seconds",
            vec![json!(0), json!(0.5), json!(9.999)],
            vec![json!(-0.001), json!("5"), json!(true)],
        ),
        text("music-replace-section", "prompt", 1, 5_000),
        free_text("music-replace-section", "style"),
    ]
}

fn speech() -> Vec<Row> {
    let voices: Vec<String> = model("tts-v3")
        .parameter("voice")
        .unwrap()
        .options
        .as_ref()
        .unwrap()
        .iter()
        .map(|voice| voice.as_str().unwrap().to_owned())
        .collect();
    let voices: Vec<&str> = voices.iter().map(String::as_str).collect();
    vec![
        text("tts-v3", "text", 1, 5_000),
        options("tts-v3", "voice", &voices),
        number("tts-v3", "stability", 0.0, 1.0),
        (
            "tts-v3",
            "language_code",
            vec![json!("en"), json!("ZH")],
            vec![json!("xx"), json!("eng"), json!("en-US"), json!(1)],
        ),
        options("tts-v3", "apply_text_normalization", &["auto", "on", "off"]),
        boolean("tts-v3", "timestamps"),
    ]
}

fn videos() -> Vec<Row> {
    vec![
        text("video-gen-1-0", "prompt", 1, 5_000),
        list("video-gen-1-0", "image_urls", 0, 1),
        list("video-gen-1-0", "reference_image_urls", 1, 9),
        url("video-gen-1-0", "video_url"),
        options("video-gen-1-0", "resolution", &["720p", "1080p"]),
        integer("video-gen-1-0", "duration", 3, 15),
        options(
            "video-gen-1-0",
            "aspect_ratio",
            &["16:9", "9:16", "1:1", "4:3", "3:4"],
        ),
        boolean("video-gen-1-0", "enable_safety_checker"),
        integer("video-gen-1-0", "seed", 0, 2_147_483_647),
        url("video-edit-1-0", "video_url"),
        text("video-edit-1-0", "prompt", 1, 5_000),
        list("video-edit-1-0", "image_urls", 0, 1),
        list("video-edit-1-0", "reference_image_urls", 1, 9),
        options("video-edit-1-0", "resolution", &["720p", "1080p"]),
        options(
            "video-edit-1-0",
            "aspect_ratio",
            &["16:9", "9:16", "1:1", "4:3", "3:4"],
        ),
        number("video-edit-1-0", "duration", 3.0, 15.0),
        integer("video-edit-1-0", "seed", 0, SEED_MAX),
        boolean("video-edit-1-0", "enable_safety_checker"),
    ]
}

fn tools() -> Vec<Row> {
    let mut rows = vec![
        (
            "upscale",
            "factor",
            vec![json!(2), json!(4), json!(4.0)],
            vec![json!(3), json!("2"), json!(2.5)],
        ),
        options("upscale", "mode", &["auto", "photo", "art"]),
        number("enhancer", "strength", 0.0, 1.0),
        boolean("enhancer", "denoise"),
        boolean("enhancer", "sharpen"),
        boolean("enhancer", "color"),
        options(
            "background-removal",
            "background",
            &["transparent", "white", "black", "color"],
        ),
        (
            "background-removal",
            "color",
            vec![json!("#0a0"), json!("00AA00")],
            vec![json!("green"), json!("#00"), json!(0)],
        ),
        number("background-removal", "feather", 0.0, 20.0),
        url("inpaint", "mask_url"),
        integer("inpaint", "seed", 0, SEED_MAX),
        options(
            "relight",
            "direction",
            &["left", "right", "top", "bottom", "front", "back"],
        ),
        number("relight", "intensity", 0.0, 2.0),
        ("relight", "color", vec![json!("#ffd9a0")], vec![json!("warm")]),
        number("relight", "ambient", 0.0, 1.0),
        number("camera-angle", "azimuth", -60.0, 60.0),
        number("camera-angle", "elevation", -30.0, 30.0),
        number("camera-angle", "roll", -45.0, 45.0),
        number("camera-angle", "zoom", 0.5, 2.0),
    ];
    for tool in [
        "upscale",
        "enhancer",
        "background-removal",
        "inpaint",
        "relight",
        "camera-angle",
    ] {
        rows.push(list(tool, "image_urls", 1, 1));
        rows.push(text(tool, "prompt", 1, 5_000));
    }
    rows
}

fn fast_videos() -> Vec<Row> {
    let mut rows = Vec::new();
    for fast in ["video-fast-2", "video-mini-2"] {
        rows.extend([
            text(fast, "prompt", 3, 20_000),
            (fast, "prompt", vec![json!("abc")], vec![json!("ab"), json!("a")]),
            list(fast, "image_urls", 0, 2),
            list(fast, "reference_image_urls", 0, 9),
            list(fast, "reference_video_urls", 0, 3),
            integer(fast, "duration", 4, 15),
            options(fast, "resolution", &["480p", "720p"]),
            options(
                fast,
                "aspect_ratio",
                &["1:1", "21:9", "4:3", "3:4", "16:9", "9:16"],
            ),
            boolean(fast, "generate_audio"),
            integer(fast, "seed", 0, SEED_MAX),
        ]);
    }
    rows
}
