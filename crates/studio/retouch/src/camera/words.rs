//! The move that a prompt asks for. Words apply to fields that were left at their default; they never overrule a
//! field that was set.

use super::Move;
use crate::words::Words;

/// The size of a move without degrees.
const SIDEWAYS: f32 = 25.0;
const UPWARDS: f32 = 15.0;

#[derive(Debug, Clone, Copy)]
enum Way {
    Left,
    Right,
    Above,
    Below,
}

const WAYS: [(&str, Way); 19] = [
    ("left", Way::Left),
    ("from the left", Way::Left),
    ("right", Way::Right),
    ("from the right", Way::Right),
    ("above", Way::Above),
    ("from above", Way::Above),
    ("high angle", Way::Above),
    ("higher", Way::Above),
    ("high", Way::Above),
    ("up", Way::Above),
    ("top", Way::Above),
    ("bird's eye", Way::Above),
    ("below", Way::Below),
    ("from below", Way::Below),
    ("low angle", Way::Below),
    ("lower", Way::Below),
    ("low", Way::Below),
    ("down", Way::Below),
    ("worm's eye", Way::Below),
];

const ZOOMS: [(&str, f32); 12] = [
    ("close up", 1.5),
    ("closeup", 1.5),
    ("closer", 1.3),
    ("close", 1.3),
    ("nearer", 1.3),
    ("zoom in", 1.4),
    ("farther", 0.8),
    ("further", 0.8),
    ("further away", 0.75),
    ("wide", 0.75),
    ("wider", 0.8),
    ("zoom out", 0.7),
];

const ROLLS: [(&str, f32); 5] = [
    ("dutch angle", 15.0),
    ("dutch", 15.0),
    ("tilted", 10.0),
    ("rolled", 10.0),
    ("canted", 12.0),
];

/// The move of the fields and the words together.
pub(super) fn hear(words: &mut Words, given: Move) -> Move {
    let mut camera = given;
    if let Some(zoom) = words.take(&ZOOMS)
        && (given.zoom - 1.0).abs() < 1e-6
    {
        camera.zoom = zoom;
    }
    if let Some(roll) = words.take(&ROLLS)
        && given.roll == 0.0
    {
        camera.roll = roll;
    }
    let degrees = words.degrees();
    // "From above and to the left" names two ways.
    for _ in 0..2 {
        let Some(way) = words.take(&WAYS) else { break };
        let (sideways, upwards) = match way {
            Way::Left => (-1.0, 0.0),
            Way::Right => (1.0, 0.0),
            Way::Above => (0.0, 1.0),
            Way::Below => (0.0, -1.0),
        };
        if sideways != 0.0 && given.azimuth == 0.0 {
            camera.azimuth = sideways * degrees.unwrap_or(SIDEWAYS).clamp(0.0, 60.0);
        }
        if upwards != 0.0 && given.elevation == 0.0 {
            camera.elevation = upwards * degrees.unwrap_or(UPWARDS).clamp(0.0, 30.0);
        }
    }
    camera
}

#[cfg(test)]
mod tests {
    use super::*;

    const STILL: Move = Move {
        azimuth: 0.0,
        elevation: 0.0,
        roll: 0.0,
        zoom: 1.0,
    };

    #[test]
    fn words_move_the_camera_where_the_fields_leave_it() {
        let moved = hear(&mut Words::of("a closer look, 40 degrees from the left"), STILL);
        assert_eq!((moved.azimuth, moved.elevation, moved.zoom), (-40.0, 0.0, 1.3));
        let moved = hear(&mut Words::of("low angle from the right"), STILL);
        assert_eq!((moved.azimuth, moved.elevation), (SIDEWAYS, -UPWARDS));
        let set = Move {
            azimuth: 10.0,
            ..STILL
        };
        assert_eq!(hear(&mut Words::of("from the left"), set), set);
        assert_eq!(hear(&mut Words::of("as it is"), STILL), STILL);
    }
}
