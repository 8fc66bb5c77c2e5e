//! The camera's moves, as prompts call them.

use super::words::Words;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Move {
    PanLeft,
    PanRight,
    TiltUp,
    TiltDown,
    ZoomIn,
    ZoomOut,
    DollyIn,
    DollyOut,
    TruckLeft,
    TruckRight,
    CraneUp,
    CraneDown,
    OrbitLeft,
    OrbitRight,
    /// Forward through the air.
    Fly,
    /// Along with the main subject.
    Follow,
}

impl Move {
    /// The name that metadata uses.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::PanLeft => "PanLeft",
            Self::PanRight => "PanRight",
            Self::TiltUp => "TiltUp",
            Self::TiltDown => "TiltDown",
            Self::ZoomIn => "ZoomIn",
            Self::ZoomOut => "ZoomOut",
            Self::DollyIn => "DollyIn",
            Self::DollyOut => "DollyOut",
            Self::TruckLeft => "TruckLeft",
            Self::TruckRight => "TruckRight",
            Self::CraneUp => "CraneUp",
            Self::CraneDown => "CraneDown",
            Self::OrbitLeft => "OrbitLeft",
            Self::OrbitRight => "OrbitRight",
            Self::Fly => "Fly",
            Self::Follow => "Follow",
        }
    }
}

/// The movement of the camera in one shot.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Camera {
    pub(crate) moves: Vec<Move>,
    pub(crate) hand: bool,
    /// The prompt says that it stands still.
    pub(crate) still: bool,
    pub(crate) lapse: bool,
    /// 1 is the usual speed.
    pub(crate) speed: f32,
}

impl Default for Camera {
    fn default() -> Self {
        Self {
            moves: Vec::new(),
            hand: false,
            still: false,
            lapse: false,
            speed: 1.0,
        }
    }
}

impl Camera {
    /// A move by its name in a model's field, such as `Pan Left`.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let moves = match name.to_lowercase().as_str() {
            "static" => {
                return Some(Self {
                    still: true,
                    ..Self::default()
                });
            }
            "pan left" => Move::PanLeft,
            "pan right" => Move::PanRight,
            "pan up" => Move::TiltUp,
            "pan down" => Move::TiltDown,
            "zoom in" => Move::ZoomIn,
            "zoom out" => Move::ZoomOut,
            _ => return None,
        };
        Some(Self {
            moves: vec![moves],
            ..Self::default()
        })
    }
}

/// Phrases, longest first. `*` is any word for a direction, which decides.
const PHRASES: &[(&str, &str)] = &[
    ("panning|pans|pan", "pan"),
    ("tilting|tilts|tilt", "tilt"),
    ("zooming|zooms|zoom", "zoom"),
    ("dollying|dollies|dolly", "dolly"),
    ("trucking|trucks", "truck"),
    ("pushing|pushes|push", "push"),
    ("pulling|pulls|pull", "pull"),
    ("craning|cranes|crane", "crane"),
    ("orbiting|orbits|orbit", "orbit"),
    ("circling|circles|arcs|arcing", "circle"),
    ("tracking|tracks", "track"),
    ("rising|rises|ascends|ascending", "rise"),
    ("descends|descending|lowers", "sink"),
    ("flies|flying|glides|gliding|soars|soaring", "fly"),
    ("follows|following", "follow"),
    ("moves|moving|slides|sliding", "move"),
];

const ADVERBS: &[&str] = &[
    "slowly",
    "slow",
    "gently",
    "gentle",
    "smoothly",
    "smooth",
    "quickly",
    "quick",
    "fast",
    "rapidly",
    "rapid",
    "steadily",
    "subtle",
    "subtly",
    "to",
    "the",
    "a",
    "shot",
    "and",
    "cinematic",
    "dramatic",
    "steady",
];

/// Takes the camera's moves out of the words.
pub(super) fn take(words: &mut Words) -> Camera {
    let mut camera = Camera::default();
    for phrase in ["time lapse", "timelapse", "hyperlapse", "hyper lapse"] {
        camera.lapse |= words.take(phrase);
    }
    for phrase in [
        "handheld camera",
        "handheld footage",
        "hand held camera",
        "handheld shot",
        "handheld",
        "hand held",
        "shaky camera",
        "shaky cam",
    ] {
        camera.hand |= words.take(phrase);
    }
    for phrase in [
        "static camera",
        "static shot",
        "camera is static",
        "camera remains static",
        "camera static",
        "fixed camera",
        "locked off shot",
        "locked off",
        "still camera",
        "tripod shot",
        "on a tripod",
        "no camera movement",
        "camera stays still",
        "static",
    ] {
        camera.still |= words.take(phrase);
    }
    for (phrase, moves) in [
        ("drone shot", Move::Fly),
        ("drone footage", Move::Fly),
        ("drone view", Move::Fly),
        ("fly over", Move::Fly),
        ("flyover", Move::Fly),
        ("fly through", Move::Fly),
        ("fpv", Move::Fly),
        ("tracking shot", Move::Follow),
        ("dolly zoom", Move::DollyIn),
    ] {
        if words.take(phrase) {
            camera.moves.push(moves);
            if phrase == "dolly zoom" {
                camera.moves.push(Move::ZoomOut);
            }
        }
    }
    let mut at = 0;
    while at < words.all().len() {
        match phrase(words.all(), at) {
            Some(found) => {
                camera.speed = found.speed.unwrap_or(camera.speed);
                if !camera.moves.contains(&found.moves) {
                    camera.moves.push(found.moves);
                }
                words.cut(found.from, found.to - found.from);
                at = found.from;
            }
            None => at += 1,
        }
    }
    camera.still &= camera.moves.is_empty();
    camera
}

struct Found {
    moves: Move,
    from: usize,
    to: usize,
    speed: Option<f32>,
}

/// A move named at a place, with the words around it.
fn phrase(words: &[String], at: usize) -> Option<Found> {
    let (_, verb) = PHRASES
        .iter()
        .find(|(forms, _)| forms.split('|').any(|form| form == words[at]))?;
    // Words before it: "the camera slowly", "slow".
    let mut from = at;
    let mut camera = false;
    let mut speed = None;
    let mut pace = |word: &str| match word {
        "slowly" | "slow" | "gently" | "gentle" | "subtle" | "subtly" => speed = Some(0.6),
        "quickly" | "quick" | "fast" | "rapidly" | "rapid" => speed = Some(1.6),
        _ => {}
    };
    while from > 0 && at - from < 5 {
        let word = words[from - 1].as_str();
        if word == "camera" || word == "drone" {
            camera = true;
        } else if !ADVERBS.contains(&word) || word == "to" {
            break;
        }
        pace(word);
        from -= 1;
    }
    // "the" alone does not belong to it.
    if !camera {
        while from < at && matches!(words[from].as_str(), "the" | "and") {
            from += 1;
        }
    }
    // Words after it: a direction within the next words.
    let mut to = at + 1;
    let mut way = "";
    let mut shot = false;
    while to < words.len() && to - at < 6 {
        let word = words[to].as_str();
        match word {
            "left" | "right" | "up" | "down" | "in" | "out" | "back" | "forward" | "forwards"
            | "backward" | "backwards" | "upward" | "upwards" | "downward" | "downwards" | "away"
            | "around" | "closer" | "toward" | "towards" | "into" | "over" | "across" | "through"
            | "along" | "above" | "inward" | "rising" | "ascending" | "descending" | "leftward"
            | "rightward" | "sideways" => {
                way = word;
                to += 1;
                break;
            }
            "shot" | "move" | "movement" => {
                shot = true;
                pace(word);
                to += 1;
            }
            _ if ADVERBS.contains(&word) => {
                pace(word);
                to += 1;
            }
            _ => break,
        }
    }
    // "To the horse": these words belong to what follows.
    if way.is_empty() {
        to = at + 1;
        while words
            .get(to)
            .is_some_and(|w| matches!(w.as_str(), "shot" | "move" | "movement"))
        {
            shot = true;
            to += 1;
        }
    }
    if matches!(
        way,
        "over" | "across" | "through" | "along" | "above" | "around" | "toward" | "towards" | "into"
    ) {
        // The next thing is part of the scene, with its "over".
        if !matches!(way, "around" | "toward" | "towards" | "into") {
            to -= 1;
        }
    }
    let moves = direction(verb, way, camera, shot)?;
    Some(Found {
        moves,
        from,
        to,
        speed,
    })
}

fn direction(verb: &str, way: &str, camera: bool, shot: bool) -> Option<Move> {
    let up = matches!(
        way,
        "up" | "upward" | "upwards" | "rising" | "ascending" | "above" | "over"
    );
    let down = matches!(way, "down" | "downward" | "downwards" | "descending");
    let left = matches!(way, "left" | "leftward");
    let right = matches!(way, "right" | "rightward");
    let out = matches!(way, "out" | "back" | "backward" | "backwards" | "away");
    let into = matches!(
        way,
        "in" | "forward" | "forwards" | "closer" | "toward" | "towards" | "into" | "inward"
    );
    let said = camera || shot;
    Some(match verb {
        "pan" if left => Move::PanLeft,
        "pan" if up => Move::TiltUp,
        "pan" | "tilt" if down => Move::TiltDown,
        // A pan is also a cooking vessel.
        "pan" if right || said || matches!(way, "across" | "over" | "along") => Move::PanRight,
        "tilt" if up || said => Move::TiltUp,
        "zoom" if out => Move::ZoomOut,
        "zoom" => Move::ZoomIn,
        "dolly" if out => Move::DollyOut,
        "dolly" if left => Move::TruckLeft,
        "dolly" if right => Move::TruckRight,
        "dolly" => Move::DollyIn,
        "push" if into && (camera || way == "in" || way == "inward") => Move::DollyIn,
        "pull" if out && (camera || way == "back" || way == "out") => Move::DollyOut,
        "truck" | "track" | "move" if left && (said || verb != "move") => Move::TruckLeft,
        "truck" | "track" | "move" if right && (said || verb != "move") => Move::TruckRight,
        "track" | "follow" if said => Move::Follow,
        "move" if camera && out => Move::DollyOut,
        "move" if camera && (into || matches!(way, "through" | "along")) => Move::DollyIn,
        "move" | "rise" if camera && up => Move::CraneUp,
        "move" if camera && down => Move::CraneDown,
        "rise" if camera => Move::CraneUp,
        "sink" if camera => Move::CraneDown,
        "crane" if down && (said || way == "down") => Move::CraneDown,
        "crane" if (up && way != "over") || said => Move::CraneUp,
        "orbit" | "circle" if left && (camera || verb == "orbit") => Move::OrbitLeft,
        "orbit" => Move::OrbitRight,
        "circle" if camera => Move::OrbitRight,
        "fly" if camera => Move::Fly,
        _ => return None,
    })
}
