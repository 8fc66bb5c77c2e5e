//! Pictures made from pictures: what was asked for changes, and nothing else.

use std::path::{Path, PathBuf};

use super::{Rendered, file, render, render_from};
use atelier_retouch::decode::Picture;
use atelier_retouch::encode::{Provenance, SourceType, write_png};
use atelier_retouch::measure::{luma_of, ssim};
use atelier_retouch::samples;

fn picture(rendered: &Rendered) -> Picture {
    let mut out = Picture::filled(rendered.width, rendered.height, [0, 0, 0, 255]);
    for (to, from) in out.rgba.chunks_exact_mut(4).zip(rendered.rgb.chunks_exact(3)) {
        to[..3].copy_from_slice(from);
    }
    out
}

/// Structure similarity of lightness.
fn alike(a: &Picture, b: &Picture) -> f32 {
    ssim(&luma_of(a), &luma_of(b))
}

fn write(folder: &Path, name: &str, picture: &Picture) -> PathBuf {
    let path = folder.join(name);
    let provenance = Provenance {
        tool: "test",
        source: SourceType::Composite,
    };
    write_png(&path, picture, provenance).expect("written");
    path
}

fn edits(picture: &Rendered) -> String {
    picture
        .metadata
        .get("edits")
        .map(ToString::to_string)
        .unwrap_or_default()
}

/// Mean difference of two pictures where a mask is, and where it is not, 0 to 255.
fn differences(a: &Picture, b: &Picture, mask: impl Fn(usize, usize) -> bool) -> (f32, f32) {
    let (mut sums, mut counts) = ([0.0_f32; 2], [1e-6_f32; 2]);
    for y in 0..a.height {
        for x in 0..a.width {
            let (p, q) = (a.pixel(x, y), b.pixel(x, y));
            let side = usize::from(!mask(x, y));
            sums[side] += (0..3).map(|c| f32::from(p[c].abs_diff(q[c]))).sum::<f32>() / 3.0;
            counts[side] += 1.0;
        }
    }
    (sums[0] / counts[0], sums[1] / counts[1])
}

#[test]
fn a_subject_is_cut_out_of_a_reference_and_put_into_the_scene() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, _) = samples::subject(240, 240, 1);
    let (two, _) = samples::subject(240, 240, 2);
    let paths = [
        write(folder.path(), "1.png", &one),
        write(folder.path(), "2.png", &two),
    ];
    let words = "the cat from the first picture and the thing from the second picture on a beach";
    let made = render_from(words, &paths, 3, 0, 200, 150).expect("a picture");
    assert!(
        edits(&made).contains("cut out of reference 1: cat"),
        "{}",
        edits(&made)
    );
    assert!(
        edits(&made).contains("cut out of reference 2: thing"),
        "{}",
        edits(&made)
    );
    let places: Vec<[f64; 4]> = made.metadata["placed"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|p| p["name"] == "cat" || p["name"] == "thing")
        .map(|p| std::array::from_fn(|i| p["box"][i].as_f64().expect("a number")))
        .collect();
    assert_eq!(places.len(), 2);
    for place in &places {
        assert!(
            place[0] > -0.02 && place[2] < 1.02 && place[1] > 0.0 && place[3] < 1.02,
            "{place:?}"
        );
    }
    // The pixels come from the reference: another one gives another picture there, and only there.
    let other = [paths[1].clone(), paths[1].clone()];
    let other = render_from(words, &other, 3, 0, 200, 150).expect("a picture");
    let inside = |x: usize, y: usize| {
        let (u, v) = (x as f64 / 200.0, y as f64 / 150.0);
        places
            .iter()
            .any(|p| (p[0] - 0.2..p[2] + 0.2).contains(&u) && (p[1]..p[3] + 0.12).contains(&v))
    };
    let (within, without) = differences(&picture(&made), &picture(&other), inside);
    assert!(within > 2.0 * without, "{within} {without}");
}

#[test]
fn a_background_is_changed_and_the_subject_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("1.png");
    let reference = render("a red car on a beach at noon, photo", 4, 0, 240, 180);
    file::write(&path, &reference, "", false).expect("written");
    let car: [f64; 4] = std::array::from_fn(|i| {
        reference.metadata["placed"][0]["box"][i]
            .as_f64()
            .expect("a number")
    });
    let (wide, high) = (car[2] - car[0], car[3] - car[1]);
    let body = |x: usize, y: usize| {
        let (u, v) = (x as f64 / 240.0, y as f64 / 180.0);
        (car[0] + 0.25 * wide..car[2] - 0.25 * wide).contains(&u)
            && (car[1] + 0.4 * high..car[3] - 0.2 * high).contains(&v)
    };
    let red = |p: &Rendered| {
        p.rgb
            .chunks_exact(3)
            .filter(|p| p[0] > 100 && p[1] < 70 && p[2] < 70)
            .count()
    };
    for words in ["put it in a forest", "replace the background with a meadow"] {
        let made = render_from(words, std::slice::from_ref(&path), 3, 0, 240, 180).expect("a picture");
        assert!(
            edits(&made).contains("another background"),
            "{words}: {}",
            edits(&made)
        );
        let (within, without) = differences(&picture(&made), &picture(&reference), body);
        assert!(within < without, "{words}: {within} within, {without} around");
        assert!(
            2 * red(&made) > red(&reference),
            "{words}: {} of {} red",
            red(&made),
            red(&reference)
        );
    }
}

#[test]
fn a_known_thing_is_taken_out_and_the_rest_is_untouched() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("1.png");
    let reference = render("a red car on a beach at noon, flat vector", 4, 0, 240, 180);
    file::write(&path, &reference, "", false).expect("written");
    let made = render_from("remove the car", std::slice::from_ref(&path), 1, 0, 240, 180).expect("a picture");
    assert!(edits(&made).contains("removed: car"), "{}", edits(&made));
    let car: [f64; 4] = std::array::from_fn(|i| {
        reference.metadata["placed"][0]["box"][i]
            .as_f64()
            .expect("a number")
    });
    let inside = |x: usize, y: usize| {
        let (u, v) = (x as f64 / 240.0, y as f64 / 180.0);
        (car[0] - 0.04..car[2] + 0.04).contains(&u) && (car[1] - 0.04..car[3] + 0.08).contains(&v)
    };
    let (within, without) = differences(&picture(&made), &picture(&reference), inside);
    assert!(within > 8.0 && without < 1.5, "{within} within, {without} around");
    let red = |p: &Rendered| {
        p.rgb
            .chunks_exact(3)
            .filter(|p| p[0] > 150 && p[1] < 80 && p[2] < 80)
            .count()
    };
    assert!(
        red(&made) * 8 < red(&reference),
        "{} of {} red pixels",
        red(&made),
        red(&reference)
    );
}

#[test]
fn what_is_not_there_cannot_be_removed_and_that_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write(
        folder.path(),
        "1.png",
        &Picture::filled(160, 120, [200, 205, 210, 255]),
    );
    let made = render_from("remove the bus", std::slice::from_ref(&path), 1, 0, 160, 120).expect("a picture");
    let note = made.metadata["not_done"].to_string();
    assert!(note.contains("no bus could be made out"), "{note}");
    assert!(!edits(&made).contains("removed"), "{}", edits(&made));
}

#[test]
fn a_style_is_taken_from_the_second_reference_and_the_forms_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = render("a house by a lake below mountains at noon, photo", 4, 0, 200, 150);
    let second = render("the sea at sunset, oil painting", 4, 0, 200, 150);
    let paths = [folder.path().join("1.png"), folder.path().join("2.png")];
    file::write(&paths[0], &first, "", false).expect("written");
    file::write(&paths[1], &second, "", false).expect("written");
    let made = render_from("in the style of the second picture", &paths, 1, 0, 200, 150).expect("a picture");
    let (first, second, made) = (picture(&first), picture(&second), picture(&made));
    let similar = alike(&first, &made);
    assert!(similar > 0.45, "structure similarity {similar}");
    let mean = |p: &Picture| {
        let n = (p.width * p.height) as f32;
        std::array::from_fn::<f32, 3, _>(|c| p.rgba.chunks_exact(4).map(|q| f32::from(q[c])).sum::<f32>() / n)
    };
    let far = |a: [f32; 3], b: [f32; 3]| (0..3).map(|c| (a[c] - b[c]).abs()).sum::<f32>();
    let (a, b, m) = (mean(&first), mean(&second), mean(&made));
    assert!(far(m, b) < 0.6 * far(a, b), "{a:?} to {b:?}: {m:?}");
    // The other's brushwork is transferred: plain areas get detail.
    let detail = |p: &Picture| {
        let l = luma_of(p);
        let soft = l.blurred(1.0);
        l.zip(&soft, |a, b| (a - b).abs()).mean()
    };
    let plain = render(
        "a house by a lake below mountains at noon, flat vector",
        4,
        0,
        200,
        150,
    );
    file::write(&paths[0], &plain, "", false).expect("written");
    let grained =
        render_from("in the style of the second picture", &paths, 1, 0, 200, 150).expect("a picture");
    let (before, after) = (detail(&picture(&plain)), detail(&picture(&grained)));
    assert!(
        after > before + 0.3,
        "{before} to {after}, of {}",
        detail(&second)
    );
}

#[test]
fn edits_keep_the_structure_of_the_reference() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("1.png");
    let reference = render("a house by a lake in summer, photo", 4, 0, 200, 150);
    file::write(&path, &reference, "", false).expect("written");
    let own = picture(&reference);
    for (words, least) in [
        ("make it night", 0.3),
        ("in autumn", 0.7),
        ("sepia", 0.75),
        ("oil painting", 0.35),
    ] {
        let made = render_from(words, std::slice::from_ref(&path), 1, 0, 200, 150).expect("a picture");
        let similar = alike(&own, &picture(&made));
        assert!(similar > least, "{words}: {similar}");
    }
}
