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
