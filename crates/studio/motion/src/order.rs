//! The fields of a request for a video, whatever its model calls them.

use atelier_film::Rate;
use serde_json::Value;

use super::size;
use atelier_protocol::{Error, Request};

/// Fields that films of words and of pictures use; others of a request change nothing.
pub(super) const HEARD: [&str; 22] = [
    "prompt",
    "negative_prompt",
    "duration",
    "num_frames",
    "fps",
    "resolution",
    "aspect_ratio",
    "size",
    "width",
    "height",
    "seed",
    "generate_audio",
    "audio_setting",
    "camera_motion",
    "camera_speed",
    "audio_url",
    "motion_bucket_id",
    "enable_safety_checker",
    "image_urls",
    "reference_image_urls",
    "reference_video_urls",
    "reference_audio_urls",
];

/// The default length of a video, in seconds.
const SECONDS: f64 = 5.0;
const LONGEST: f64 = 120.0;
const RATE: Rate = Rate::whole(24);

/// A video to make.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    pub prompt: String,
    /// The things that must not be visible; empty if nothing is excluded.
    pub negative: String,
    pub width: u32,
    pub height: u32,
    pub rate: Rate,
    pub frames: u64,
    pub seed: u64,
    /// Whether a sound track is wanted, if the request says.
    pub sound: Option<bool>,
}

impl Order {
    /// Reads the common fields. `shape` is the ratio of an input picture or video: the default ratio.
    pub fn read(request: &Request, shape: Option<f64>) -> Result<Self, Error> {
        let text = |name: &str| {
            let value = request.params.get(name).and_then(Value::as_str);
            value.unwrap_or_default().trim().to_owned()
        };
        let (width, height) = size::asked(&request.params, shape)?;
        let rate = match number(request, "fps", (1.0, 60.0))? {
            // Whole numbers, and broadcast rates such as 23.976, to a thousandth.
            Some(fps) if fps.fract() > 0.0 => Rate {
                frames: (fps * 1_000.0).round() as u32,
                seconds: 1_000,
            },
            Some(fps) => Rate::whole(fps as u32),
            None => RATE,
        };
        let per_second = f64::from(rate.frames) / f64::from(rate.seconds);
        let counted = number(request, "num_frames", (1.0, LONGEST * 60.0))?;
        let seconds = number(request, "duration", (0.1, LONGEST))?;
        let frames = match (seconds, counted) {
            (None, Some(frames)) => frames,
            (seconds, _) => seconds.unwrap_or(SECONDS) * per_second,
        };
        Ok(Self {
            prompt: text("prompt"),
            negative: text("negative_prompt"),
            width,
            height,
            rate,
            frames: (frames.round() as u64).max(1),
            seed: request
                .params
                .get("seed")
                .and_then(Value::as_u64)
                .unwrap_or(request.seed),
            sound: request.params.get("generate_audio").and_then(Value::as_bool),
        })
    }

    pub fn seconds(&self) -> f64 {
        self.rate.time_of(self.frames)
    }
}

/// A number within bounds, as a number or as text.
pub(super) fn number(request: &Request, name: &str, (from, to): (f64, f64)) -> Result<Option<f64>, Error> {
    let value = match request.params.get(name) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) => text.trim().trim_end_matches('s').parse().ok(),
        Some(other) => other.as_f64(),
    };
    match value {
        Some(value) if (from..=to).contains(&value) => Ok(Some(value)),
        _ => Err(Error::InvalidInput(format!(
            "`{name}` must be a number from {from} to {to} (got {})",
            request.params[name]
        ))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn order(params: &Value) -> Result<Order, Error> {
        let request = Request {
            task: "video".into(),
            params: params.as_object().unwrap().clone(),
            inputs: Vec::new(),
            seed: 9,
            out: "out".into(),
        };
        Order::read(&request, None)
    }

    #[test]
    fn a_length_is_seconds_or_a_number_of_frames() {
        let frames = |params: Value| order(&params).unwrap().frames;
        assert_eq!(frames(json!({})), 120);
        assert_eq!(frames(json!({ "duration": 4 })), 96);
        assert_eq!(frames(json!({ "duration": "8s" })), 192);
        assert_eq!(frames(json!({ "duration": 10, "fps": 50 })), 500);
        assert_eq!(frames(json!({ "num_frames": 25, "fps": 7 })), 25);
        let film = order(&json!({ "duration": 10, "fps": 23.976 })).unwrap();
        assert_eq!(
            (film.rate.frames, film.rate.seconds, film.frames),
            (23_976, 1_000, 240)
        );
        assert!((film.seconds() - 10.0).abs() < 0.05);
    }

    #[test]
    fn a_seed_in_the_request_goes_before_the_one_beside_it() {
        assert_eq!(order(&json!({})).unwrap().seed, 9);
        assert_eq!(order(&json!({ "seed": 4 })).unwrap().seed, 4);
        assert_eq!(
            order(&json!({ "generate_audio": true })).unwrap().sound,
            Some(true)
        );
    }

    #[test]
    fn numbers_out_of_bounds_are_named() {
        for (params, name) in [
            (json!({ "duration": 0 }), "duration"),
            (json!({ "duration": "long" }), "duration"),
            (json!({ "duration": 4_000 }), "duration"),
            (json!({ "fps": 500 }), "fps"),
            (json!({ "num_frames": -1 }), "num_frames"),
        ] {
            let error = order(&params).unwrap_err();
            assert!(
                matches!(&error, Error::InvalidInput(message) if message.contains(name)),
                "{params}: {error}"
            );
        }
    }
}
