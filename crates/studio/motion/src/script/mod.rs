//! The script: what a prompt says beyond a still picture. It is cut into shots; each has camera moves, actions of
//! the things in it, and changes of light, weather and season. The words understood here are removed from those from
//! which the scene is composed: a crane shot shows no bird.

mod camera;
mod change;
mod words;

pub(crate) use camera::{Camera, Move};
pub(crate) use change::Look;

use words::{Words, tokens};

/// Further shots are left out.
const MOST_SHOTS: usize = 6;

/// One shot.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shot {
    /// The remaining words, for the scene.
    pub(crate) scene: String,
    pub(crate) camera: Camera,
    pub(crate) doing: Doing,
    /// The states of light and weather that it goes through; the first may be empty.
    pub(crate) looks: Vec<Look>,
}

/// The statements of the prompt about movement.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Doing {
    /// People and animals walk.
    pub(crate) moves: bool,
    pub(crate) runs: bool,
    pub(crate) rests: bool,
    /// 1 is the usual speed.
    pub(crate) pace: f32,
    /// Nearer (1) or away (-1).
    pub(crate) approach: f32,
    /// To the right (1) or to the left (-1), if the prompt says.
    pub(crate) toward_side: Option<f32>,
}

impl Default for Doing {
    fn default() -> Self {
        Self {
            moves: false,
            runs: false,
            rests: false,
            pace: 1.0,
            approach: 0.0,
            toward_side: None,
        }
    }
}

/// Parses a prompt. There is at least one shot.
pub(crate) fn read(prompt: &str) -> Vec<Shot> {
    let mut shots: Vec<Shot> = Vec::new();
    for part in words::shots(&tokens(prompt)) {
        let mut words = Words::new(part);
        let camera = camera::take(&mut words);
        let looks = change::take(&mut words);
        let doing = doing(&mut words);
        let scene = words.text();
        shots.push(Shot {
            scene,
            camera,
            doing,
            looks,
        });
    }
    shots.truncate(MOST_SHOTS);
    shots
}

const GOES: &[&str] = &[
    "walk",
    "walks",
    "walking",
    "run",
    "runs",
    "running",
    "gallop",
    "gallops",
    "galloping",
    "trot",
    "trots",
    "trotting",
    "hike",
    "hikes",
    "hiking",
    "stroll",
    "strolls",
    "strolling",
    "wander",
    "wanders",
    "wandering",
    "march",
    "marches",
    "marching",
    "jog",
    "jogs",
    "jogging",
    "race",
    "races",
    "racing",
    "travel",
    "travels",
    "travelling",
    "traveling",
    "chase",
    "chases",
    "chasing",
    "cross",
    "crosses",
    "crossing",
    "dance",
    "dances",
    "dancing",
    "play",
    "plays",
    "playing",
    "leave",
    "leaves",
    "leaving",
    "come",
    "comes",
    "coming",
    "go",
    "goes",
    "going",
    "move",
    "moves",
    "moving",
    "roam",
    "roams",
    "roaming",
    "prowls",
    "prowling",
    "sneaks",
    "sneaking",
    "leads",
    "rides",
    "riding",
    "passes",
    "passing",
];
const FAST: &[&str] = &[
    "run",
    "runs",
    "running",
    "gallop",
    "gallops",
    "galloping",
    "race",
    "races",
    "racing",
    "jog",
    "jogs",
    "jogging",
    "chase",
    "chases",
    "chasing",
    "sprint",
    "sprints",
    "sprinting",
    "rushes",
    "rushing",
];
const RESTS: &[&str] = &[
    "parked",
    "standing",
    "stands",
    "sleeping",
    "sleeps",
    "sitting",
    "sits",
    "stationary",
    "anchored",
    "moored",
    "sleep",
    "sit",
    "stand",
    "lie",
    "lies",
    "lying",
    "look",
    "looks",
    "looking",
    "watch",
    "watches",
    "watching",
    "rest",
    "resting",
    "rests",
    "waiting",
    "waits",
    "idle",
    "motionless",
    "docked",
];

fn doing(words: &mut Words) -> Doing {
    let mut doing = Doing {
        moves: words.has(GOES) || words.has(FAST),
        runs: words.has(FAST),
        rests: words.has(RESTS) && !words.has(GOES),
        ..Doing::default()
    };
    if words.take("slow motion") || words.take("slow mo") || words.take("slowmo") {
        doing.pace = 0.4;
    } else if words.has(&["slowly", "gently", "calmly", "leisurely"]) {
        doing.pace = 0.65;
    } else if words.has(&["fast", "quickly", "rapidly", "speeding", "speeds", "swiftly"]) {
        doing.pace = 1.6;
    }
    for (phrase, approach) in [
        ("toward the camera", 1.0),
        ("towards the camera", 1.0),
        ("toward the viewer", 1.0),
        ("towards the viewer", 1.0),
        ("toward us", 1.0),
        ("towards us", 1.0),
        ("approaches", 1.0),
        ("approaching", 1.0),
        ("away from the camera", -1.0),
        ("into the distance", -1.0),
        ("toward the horizon", -1.0),
        ("towards the horizon", -1.0),
        ("walks away", -1.0),
        ("drives away", -1.0),
        ("sails away", -1.0),
        ("runs away", -1.0),
    ] {
        if words.take(phrase) {
            doing.approach = approach;
            doing.moves = true;
        }
    }
    for (phrase, side) in [
        ("from left to right", 1.0),
        ("left to right", 1.0),
        ("from right to left", -1.0),
        ("right to left", -1.0),
        ("to the right", 1.0),
        ("to the left", -1.0),
        ("rightward", 1.0),
        ("leftward", -1.0),
    ] {
        // "A horse to the left of a barn" says where it stands.
        if !words.follows(phrase, "of") && words.take(phrase) {
            doing.toward_side = Some(side);
        }
    }
    doing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_camera_is_understood_and_taken_out_of_the_scene() {
        for (prompt, moves, scene) in [
            (
                "a lake at dawn, slow pan left",
                vec![Move::PanLeft],
                "a lake at dawn",
            ),
            (
                "the camera pans slowly to the right over a city",
                vec![Move::PanRight],
                "over a city",
            ),
            (
                "crane shot rising over a forest",
                vec![Move::CraneUp],
                "over a forest",
            ),
            ("a cat, zoom in", vec![Move::ZoomIn], "a cat"),
            ("dolly out from a house", vec![Move::DollyOut], "from a house"),
            (
                "tilt up from the street to a tower",
                vec![Move::TiltUp],
                "from the street to a tower",
            ),
            (
                "orbit around a statue of a horse",
                vec![Move::OrbitRight],
                "a statue of a horse",
            ),
            ("static shot of a barn", vec![], "a barn"),
            ("a crane in a meadow", vec![], "a crane in a meadow"),
            (
                "camera pushes in on a lighthouse",
                vec![Move::DollyIn],
                "a lighthouse",
            ),
        ] {
            let shots = read(prompt);
            assert_eq!(shots.len(), 1, "{prompt}");
            assert_eq!(shots[0].camera.moves, moves, "{prompt}");
            assert_eq!(shots[0].scene, scene, "{prompt}");
        }
        assert!(read("static shot of a barn")[0].camera.still);
        assert!(read("handheld footage of a street")[0].camera.hand);
        assert!(read("time-lapse of clouds over hills")[0].camera.lapse);
    }

    #[test]
    fn shots_are_cut_where_the_prompt_says_so() {
        let scenes = |prompt: &str| {
            read(prompt)
                .into_iter()
                .map(|shot| shot.scene)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            scenes("Shot 1: a boat on a lake. Shot 2: a castle on a hill, zoom in"),
            ["a boat on a lake", "a castle on a hill"]
        );
        assert_eq!(
            scenes("a beach at noon, cut to a forest in fog"),
            ["a beach at noon", "a forest in fog"]
        );
        assert_eq!(
            scenes("a fox in a forest, then a mountain lake"),
            ["a fox in a forest", "a mountain lake"]
        );
        assert_eq!(scenes("a field, then it starts to rain").len(), 1);
    }

    #[test]
    fn light_and_weather_change_when_it_is_said() {
        let looks = |prompt: &str| {
            read(prompt)[0]
                .looks
                .iter()
                .map(|look| {
                    format!("{:?} {:?} {:?}", look.time, look.weather, look.season).replace("None", "-")
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(
            looks("a city from day to night"),
            [
                "Some(Day) - -",
                "Some(Sunset) - -",
                "Some(Dusk) - -",
                "Some(Night) - -"
            ]
        );
        assert_eq!(
            looks("a field as it starts to rain"),
            ["- Some(Cloudy) -", "- Some(Rain) -"]
        );
        assert_eq!(
            looks("summer turns to autumn in a park"),
            ["- - Some(Summer)", "- - Some(Autumn)"]
        );
        assert!(looks("a boat sails from the harbor to the island").is_empty());
        assert_eq!(looks("the sun sets over the sea").len(), 3);
    }

    #[test]
    fn hostile_text_is_read_without_harm() {
        for text in [
            "then ".repeat(9_000),
            "from to ".repeat(4_000),
            "\"".repeat(301),
            "🎬 pan ".repeat(999),
            String::new(),
        ] {
            assert!(!read(&text).is_empty());
        }
    }
}
