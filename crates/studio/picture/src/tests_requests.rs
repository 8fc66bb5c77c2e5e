//! Requests: shapes, hostile prompts, variations, references.

use std::path::PathBuf;

use serde_json::{Map, json};

use super::color::Rgb;
use super::tests::{brightness, difference, pixels, placed};
use super::{Rendered, render, render_from};
use atelier_protocol::{Error, Input, Request};

fn request(params: &serde_json::Value, out: &std::path::Path) -> Request {
    let params: Map<_, _> = params.as_object().cloned().expect("an object");
    Request {
        task: "image".into(),
        params,
        inputs: Vec::new(),
        seed: 11,
        out: out.to_owned(),
    }
}

#[test]
fn every_shape_is_composed_for_itself() {
    for shape in ["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] {
        let (w, h) = super::dimensions(shape, "1K").expect("a size");
        let (w, h) = (w / 8, h / 8);
        let picture = render("a lighthouse on a cliff and two boats, flat vector", 5, 0, w, h);
        assert_eq!(picture.rgb.len(), w * h * 3);
        assert_eq!(
            (placed(&picture, "lighthouse"), placed(&picture, "boat")),
            (1, 2),
            "{shape}"
        );
        for thing in picture.metadata["placed"].as_array().expect("a list") {
            let at = |i: usize| thing["box"][i].as_f64().expect("a number");
            assert!(at(0) > -0.06 && at(2) < 1.06 && at(1) > -0.02, "{shape}: {thing}");
        }
    }
}

#[test]
fn hostile_prompts_are_drawn_without_harm() {
    let long = "boat mountain red ".repeat(1200);
    for prompt in [
        "",
        " ",
        "\u{0}\u{7}\u{1b}[31m",
        "🦊🏔️🌅",
        "عربة حمراء على الجبل",
        long.as_str(),
        "\"\"\"",
        "\"\u{202e}evil\"",
        "999999999 boats",
    ] {
        assert_eq!(render(prompt, 1, 0, 64, 64).rgb.len(), 64 * 64 * 3);
    }
}

#[test]
fn a_request_writes_its_variations_with_a_note_of_their_origin() {
    let out = tempfile::tempdir().expect("a folder");
    let mut steps = Vec::new();
    let request = request(
        &json!({ "prompt": "a blue flumber & <a tree>", "resolution": "1K", "size": "21:9", "n": 2 }),
        out.path(),
    );
    let response = crate::run(&request, &mut |done| steps.push(done)).expect("pictures");
    assert_eq!(response.files.len(), 2);
    assert!(steps.is_sorted() && steps.last() == Some(&1.0), "{steps:?}");
    assert_eq!(response.metadata["unknown"], json!(["flumber"]));
    assert_eq!(response.metadata["understood"], json!(["blue", "tree"]));
    let file = std::fs::File::open(&response.files[1]).expect("a file");
    let reader = png::Decoder::new(std::io::BufReader::new(file))
        .read_info()
        .expect("a PNG");
    let info = reader.info();
    assert_eq!((info.width % 16, info.height % 16), (0, 0));
    assert!(info.srgb.is_some());
    let note = info
        .utf8_text
        .iter()
        .find(|t| t.keyword == "XML:com.adobe.xmp")
        .expect("XMP")
        .get_text()
        .expect("text");
    assert!(
        note.contains("digitalsourcetype/algorithmicMedia") && note.contains(atelier_protocol::ENGINE),
        "{note}"
    );
    assert!(note.contains("flumber &amp; &lt;a tree&gt;"), "{note}");
}

#[test]
fn a_reference_is_edited_and_stays_recognisable() {
    let out = tempfile::tempdir().expect("a folder");
    let path = out.path().join("reference.png");
    let reference = render("a house by a lake in summer, photo", 4, 0, 200, 150);
    super::file::write(&path, &reference, "", false).expect("written");
    let edited =
        |words: &str| render_from(words, std::slice::from_ref(&path), 1, 0, 200, 150).expect("edited");
    // Correlation of lightness: the forms stay where they were.
    let alike = |a: &Rendered, b: &Rendered| {
        let l = |p: &Rendered| pixels(p).map(Rgb::luma).collect::<Vec<_>>();
        let (a, b) = (l(a), l(b));
        let mean = |v: &[f32]| v.iter().sum::<f32>() / v.len() as f32;
        let (ma, mb) = (mean(&a), mean(&b));
        let dot = |f: fn(f32, f32) -> f32| a.iter().zip(&b).map(|(x, y)| f(x - ma, y - mb)).sum::<f32>();
        dot(|x, y| x * y) / (dot(|x, _| x * x) * dot(|_, y| y * y)).sqrt()
    };
    for words in [
        "make it night",
        "sunset",
        "watercolor",
        "oil painting",
        "in autumn",
        "add a hot air balloon",
        "sepia",
    ] {
        let picture = edited(words);
        assert!(
            alike(&reference, &picture) > 0.55,
            "{words}: {}",
            alike(&reference, &picture)
        );
        assert!(
            difference(&reference, &picture) > 0.003,
            "{words}: {}",
            difference(&reference, &picture)
        );
    }
    assert!(brightness(&edited("make it night")) < 0.6 * brightness(&reference));
    assert_eq!(placed(&edited("add a hot air balloon"), "hot air balloon"), 1);
    assert!(
        difference(&reference, &edited("")) < 0.01,
        "nothing asked, nothing changed"
    );
}

#[test]
fn a_second_reference_lends_its_colours() {
    let out = tempfile::tempdir().expect("a folder");
    let mut paths = Vec::<PathBuf>::new();
    for (i, words) in ["a meadow at noon, photo", "the sea at sunset, photo"]
        .into_iter()
        .enumerate()
    {
        paths.push(out.path().join(format!("{i}.png")));
        super::file::write(&paths[i], &render(words, 4, 0, 128, 128), "", false).expect("written");
    }
    let warmth = |p: &Rendered| pixels(p).map(|c| c.0 - c.2).sum::<f32>() / (128.0 * 128.0);
    let alone = render_from("", &paths[..1], 1, 0, 128, 128).expect("a picture");
    let both = render_from("in the style of the second", &paths, 1, 0, 128, 128).expect("a picture");
    assert!(
        warmth(&both) > warmth(&alone) + 0.1,
        "{} {}",
        warmth(&both),
        warmth(&alone)
    );
}

#[test]
fn a_reference_that_is_not_a_picture_is_invalid_input() {
    let out = tempfile::tempdir().expect("a folder");
    let path = out.path().join("reference.png");
    std::fs::write(&path, b"not a picture").expect("written");
    let mut request = request(
        &json!({ "prompt": "make it night", "resolution": "1K" }),
        out.path(),
    );
    request.inputs.push(Input {
        parameter: "image_urls".into(),
        path,
        media_type: "image/png".into(),
        seconds: None,
    });
    assert!(matches!(
        crate::run(&request, &mut |_| {}),
        Err(Error::InvalidInput(_))
    ));
}
