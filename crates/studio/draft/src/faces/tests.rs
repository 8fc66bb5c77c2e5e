use super::*;
use crate::image::draw::Frame;

/// A portrait of Eileen Collins by NASA, in the public domain.
const PORTRAIT: &[u8] = include_bytes!("portrait.jpg");

pub(crate) fn portrait(folder: &std::path::Path) -> std::path::PathBuf {
    let path = folder.join("portrait.jpg");
    std::fs::write(&path, PORTRAIT).unwrap();
    path
}

pub(crate) fn canvas(path: &std::path::Path) -> Canvas {
    let picture = crate::decode::read(path).unwrap();
    let mut canvas = Canvas::new(Frame::new(picture.width, picture.height));
    for (to, from) in canvas.pixels.iter_mut().zip(picture.rgba.chunks_exact(4)) {
        *to = [from[0], from[1], from[2], 1];
    }
    canvas
}

#[test]
fn a_face_and_its_mouth_are_found_at_any_size_and_place() {
    let folder = tempfile::tempdir().unwrap();
    let picture = canvas(&portrait(folder.path()));
    let face = Face::in_picture(&picture, None).expect("a face");
    // As seen by eye.
    let (x, y) = (face.mouth.x, face.mouth.y);
    assert!(
        (x - MOUTH_AT.0).abs() < 6.0 && (y - MOUTH_AT.1).abs() < 5.0,
        "{face:?}"
    );
    let small = Face::in_picture(&picture.reduced(128, 128), None).expect("a small face");
    assert!((2.0 * small.mouth.y - y).abs() < 8.0, "{small:?}");
    // In the corner of a larger picture, and looked for near where it was.
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

#[test]
fn a_drawn_head_in_profile_has_its_mouth_at_the_lips() {
    let drawn = crate::image::render("a portrait of a woman", 1, 0, 384, 384);
    let mut canvas = Canvas::new(Frame::new(384, 384));
    for (to, from) in canvas.pixels.iter_mut().zip(drawn.rgb.chunks_exact(3)) {
        *to = [from[0], from[1], from[2], 1];
    }
    let head = Face::of_subject(&canvas).expect("a head");
    // Lips are the one red thing above the shoulders.
    let p = canvas.at(head.mouth.x as usize, head.mouth.y as usize);
    assert!(p.0 - 0.5 * (p.1 + p.2) > 0.2, "{head:?} is {p:?}");
    assert!(head.mouth.y < 0.7 * 384.0, "{head:?}");
}

#[test]
fn a_mouth_has_room_as_far_as_its_head_reaches() {
    // The nose points to the right: the mouth is near that edge.
    let drawn = crate::image::render("a portrait of a woman", 1, 0, 384, 384);
    let mut canvas = Canvas::new(Frame::new(384, 384));
    for (to, from) in canvas.pixels.iter_mut().zip(drawn.rgb.chunks_exact(3)) {
        *to = [from[0], from[1], from[2], 1];
    }
    let Face { mouth, side, .. } = Face::of_subject(&canvas).expect("a head");
    let (left, right) = mouth.room;
    assert!(
        left.min(right) < mouth.half && left.max(right) > 0.2 * side,
        "{mouth:?}"
    );
}
