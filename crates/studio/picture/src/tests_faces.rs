//! Faces as the picture engine draws them, found by the tools that look for faces.

use atelier_retouch::canvas::{Canvas, Frame};
use atelier_retouch::faces::Face;

use crate::render;

fn portrait() -> Canvas {
    let drawn = render("a portrait of a woman", 1, 0, 384, 384);
    let mut canvas = Canvas::new(Frame::new(384, 384));
    for (to, from) in canvas.pixels.iter_mut().zip(drawn.rgb.chunks_exact(3)) {
        *to = [from[0], from[1], from[2], 1];
    }
    canvas
}

#[test]
fn a_drawn_head_in_profile_has_its_mouth_at_the_lips() {
    let canvas = portrait();
    let head = Face::of_subject(&canvas).expect("a head");
    // Lips are the one red thing above the shoulders.
    let p = canvas.at(head.mouth.x as usize, head.mouth.y as usize);
    assert!(p.0 - 0.5 * (p.1 + p.2) > 0.2, "{head:?} is {p:?}");
    assert!(head.mouth.y < 0.7 * 384.0, "{head:?}");
}

#[test]
fn a_mouth_has_room_as_far_as_its_head_reaches() {
    // The nose points to the right: the mouth is near that edge.
    let canvas = portrait();
    let Face { mouth, side, .. } = Face::of_subject(&canvas).expect("a head");
    let (left, right) = mouth.room;
    assert!(
        left.min(right) < mouth.half && left.max(right) > 0.2 * side,
        "{mouth:?}"
    );
}
