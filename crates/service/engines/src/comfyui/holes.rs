//! A job as the holes of a graph see it: as templates do, with sizes in pixels.

use atelier_domain::FileFacts;
use serde_json::Value;

use crate::remote::{As, Fields, Source, at_resolution, exact_size, ratio};

/// The number of pixels if a job has only a ratio. Most models were trained at this size.
const PIXELS: f64 = 1024.0 * 1024.0;

/// The fields of templates, but `$width` and `$height` are more often known, because graphs need pixels. A ratio is
/// enough, and so is a resolution with an input picture, which supplies the ratio. `$input_width` and `$input_height`
/// are the size of the job's first picture or video.
#[derive(Debug)]
pub(super) struct Holes<'a>(pub Fields<'a>);

impl Holes<'_> {
    fn size(&self) -> Option<(u64, u64)> {
        let params = &self.0.job.params;
        if let Some(exact) = exact_size(params) {
            return Some(exact);
        }
        let of_input = || {
            let (width, height) = self.input()?;
            Some(f64::from(width) / f64::from(height.max(1)))
        };
        let ratio = ratio(params).or_else(of_input);
        let resolution = params.get("resolution").and_then(Value::as_str);
        if let Some(size) = resolution.and_then(|text| at_resolution(text, ratio.unwrap_or(1.0))) {
            return Some(size);
        }
        let side = |of: f64| ((of / 16.0).round() * 16.0) as u64;
        ratio.map(|ratio| (side((PIXELS * ratio).sqrt()), side((PIXELS / ratio).sqrt())))
    }

    fn input(&self) -> Option<(u32, u32)> {
        let size = |facts: &FileFacts| facts.width.zip(facts.height);
        self.0.job.inputs.iter().find_map(|input| size(&input.facts))
    }
}

impl Source for Holes<'_> {
    fn field(&self, name: &str) -> Option<Value> {
        match name {
            "$width" => self.size().map(|(width, _)| width.into()),
            "$height" => self.size().map(|(_, height)| height.into()),
            "$input_width" => self.input().map(|(width, _)| width.into()),
            "$input_height" => self.input().map(|(_, height)| height.into()),
            name => self.0.field(name),
        }
    }

    fn names(&self) -> Vec<String> {
        self.0.names()
    }

    fn file(&self, name: &str, index: usize, form: As) -> Option<Value> {
        self.0.file(name, index, form)
    }

    fn is_chosen(&self, name: &str) -> bool {
        self.0.is_chosen(name)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use atelier_domain::{GenerationId, MediaKind, MediaType};
    use serde_json::json;

    use super::*;
    use crate::{Input, Job, RouteOptions};

    fn size(params: &Value, input: Option<(u32, u32)>) -> (Option<Value>, Option<Value>) {
        let facts = |(width, height)| FileFacts {
            media_type: MediaType::Png,
            size: 1,
            width: Some(width),
            height: Some(height),
            duration: None,
        };
        let job = Job {
            id: GenerationId(uuid::Uuid::nil()),
            attempt: 1,
            asked: Vec::new(),
            model: "m".to_owned(),
            task: "image".to_owned(),
            kind: MediaKind::Image,
            params: params.as_object().unwrap().clone(),
            inputs: input
                .map(|size| Input {
                    parameter: "image_urls".to_owned(),
                    path: "x".into(),
                    facts: facts(size),
                })
                .into_iter()
                .collect(),
            seed: 1,
            options: RouteOptions::default(),
            resume: None,
            scratch: atelier_media::Scratch::new("x", atelier_media::scratch::Quota::NONE),
        };
        let holes = Holes(Fields {
            job: &job,
            request: "r",
            callback: None,
            uploaded: HashMap::new(),
        });
        (holes.field("$width"), holes.field("$height"))
    }

    #[test]
    fn a_graph_gets_pixels_for_every_kind_of_size() {
        let table = [
            (json!({"size": "1280x720"}), Some((9, 16)), Some((1280, 720))),
            (json!({"aspect_ratio": "16:9"}), None, Some((1360, 768))),
            (
                json!({"aspect_ratio": "1:1"}),
                Some((300, 100)),
                Some((1024, 1024)),
            ),
            (
                json!({"resolution": "720p"}),
                Some((1600, 900)),
                Some((1280, 720)),
            ),
            (json!({"resolution": "720p"}), None, Some((720, 720))),
            (
                json!({"resolution": "480p", "aspect_ratio": "9:16"}),
                Some((9, 9)),
                Some((480, 854)),
            ),
            (json!({}), Some((512, 512)), Some((1024, 1024))),
            (json!({}), None, None),
        ];
        for (params, input, expected) in table {
            let expected = expected.map(|(width, height): (u32, u32)| (width.into(), height.into()));
            let (width, height) = size(&params, input);
            assert_eq!(width.zip(height), expected, "{params}");
        }
    }
}
