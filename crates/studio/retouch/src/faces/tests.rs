use super::*;
use crate::canvas::Frame;
use crate::samples::{canvas, portrait};

#[test]
fn a_face_and_its_mouth_are_found_at_any_size_and_place() {
    let folder = tempfile::tempdir().unwrap();
    let picture = canvas(&portrait(folder.path()));
    let face = Face::in_picture(&picture, None).expect("a face");
    // Positions found by eye.
    let (x, y) = (face.mouth.x, face.mouth.y);
    assert!(
        (x - MOUTH_AT.0).abs() < 6.0 && (y - MOUTH_AT.1).abs() < 5.0,
        "{face:?}"
    );
    let small = Face::in_picture(&picture.reduced(128, 128), None).expect("a small face");
    assert!((2.0 * small.mouth.y - y).abs() < 8.0, "{small:?}");
    // In the corner of a larger picture, and searched near its position.
    let mut large = Canvas::new(Frame::new(480, 300));
    for (at, pixel) in large.pixels.iter_mut().enumerate() {
        let (u, v) = (at % 480, at / 480);
        *pixel = if u >= 224 && v >= 44 {
            picture.pixels[(v - 44) * 256 + u - 224]
        } else {
            [90, 110, 120, 1]
        };
    }
    for about in [None, Face::in_picture(&large, None)] {
        let moved = Face::in_picture(&large, about).expect("a face in a corner");
        let away = (moved.mouth.x - 224.0 - x).hypot(moved.mouth.y - 44.0 - y);
        assert!(away < 9.0, "{moved:?}");
    }
}

const MOUTH_AT: (f32, f32) = (123.0, 110.0);

/// The portrait turned about its centre, to the right on top.
fn turned(picture: &Canvas, degrees: f32) -> Canvas {
    let mut out = Canvas::new(picture.frame);
    for (at, pixel) in out.pixels.iter_mut().enumerate() {
        let (x, y) = place(((at % 256) as f32 + 0.5, (at / 256) as f32 + 0.5), -degrees);
        let [r, g, b] = picture.sample(x, y).to_bytes();
        *pixel = [r, g, b, 1];
    }
    out
}

/// Returns the position of a place of the portrait when it is turned.
fn place((x, y): (f32, f32), degrees: f32) -> (f32, f32) {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (x, y) = (x - 128.0, y - 128.0);
    (128.0 + x * cos - y * sin, 128.0 + x * sin + y * cos)
}

#[test]
fn a_face_that_is_turned_or_dark_is_found_with_its_mouth() {
    let folder = tempfile::tempdir().unwrap();
    let picture = canvas(&portrait(folder.path()));
    for degrees in [-30.0, -15.0, 15.0, 30.0] {
        let face = Face::in_picture(&turned(&picture, degrees), None).expect("a face");
        let (x, y) = place(MOUTH_AT, degrees);
        let away = (face.mouth.x - x).hypot(face.mouth.y - y);
        assert!(away < 9.0, "{degrees}: {face:?} instead of {x}, {y}");
    }
    let mut dark = picture;
    for pixel in dark.pixels.as_flattened_mut() {
        *pixel /= 4;
    }
    let face = Face::in_picture(&dark, None).expect("a face");
    let away = (face.mouth.x - MOUTH_AT.0).hypot(face.mouth.y - MOUTH_AT.1);
    assert!(away < 8.0, "{face:?}");
}

#[test]
fn the_largest_of_two_faces_counts() {
    let folder = tempfile::tempdir().unwrap();
    let picture = canvas(&portrait(folder.path()));
    let small = picture.reduced(160, 160);
    let mut both = Canvas::new(Frame::new(416, 256));
    for (at, pixel) in both.pixels.iter_mut().enumerate() {
        let (x, y) = (at % 416, at / 416);
        *pixel = match x.checked_sub(160) {
            Some(x) => picture.pixels[256 * y + x],
            None => small.pixels[160 * (y % 160) + x],
        };
    }
    let face = Face::in_picture(&both, None).expect("a face");
    let away = (face.mouth.x - 160.0 - MOUTH_AT.0).hypot(face.mouth.y - MOUTH_AT.1);
    assert!(away < 8.0, "{face:?}");
}

#[test]
fn what_shows_no_face_has_none() {
    let plain = Canvas::new(Frame::new(200, 150));
    assert!(Face::in_picture(&plain, None).is_none());
    let mut noise = plain.clone();
    for (at, pixel) in noise.pixels.iter_mut().enumerate() {
        let value = ((at as u32).wrapping_mul(2_654_435_761) >> 24) as u8;
        *pixel = [value, value, value, 1];
    }
    assert!(Face::in_picture(&noise, None).is_none());
}
