//! The changes of an entry's settings to the requests of the profiles `sd-server` and `sd-server-video`: a template
//! that is laid over that of the profile.

use atelier_weights::Entry;
use serde_json::{Map, Value, json};

/// The native size of pictures, and what sides are multiples of, if the entry does not say.
const SIDE: u64 = 1024;
const STEP: u64 = 16;
/// The same for films.
const FILM: &str = "832x480";
const FRAMES_STEP: u64 = 4;
const FRAMES_A_SECOND: u64 = 16;
/// The program takes no more steps.
const MOST_STEPS: u64 = 100;
/// The most references that a request sends.
const REFERENCES: usize = 10;

/// The settings of an entry.
struct Settings<'a>(&'a Entry);

impl Settings<'_> {
    fn get(&self, name: &str) -> Option<Value> {
        let value = self.0.settings.get(name)?;
        serde_json::to_value(value).ok()
    }

    fn number(&self, name: &str) -> Option<f64> {
        self.get(name)?.as_f64()
    }

    fn whole(&self, name: &str) -> Option<u64> {
        self.get(name)?.as_u64()
    }

    fn is(&self, name: &str) -> bool {
        self.get(name) == Some(Value::Bool(true))
    }

    /// Distilled weights follow the prompt without guidance, so they heed no negative prompt.
    fn is_distilled(&self) -> bool {
        self.number("cfg_scale") == Some(1.0)
    }
}

fn dropped() -> Value {
    json!({ "drop": true })
}

/// The template for an entry's pictures, or for its films.
pub(super) fn body(entry: &Entry, is_film: bool) -> Value {
    let settings = Settings(entry);
    let mut body = Map::new();
    let mut put = |name: &str, value: Value| body.insert(name.to_owned(), value);
    put("sample_params", sampling(&settings));
    if settings.is_distilled() {
        put("negative_prompt", dropped());
    }
    let loras = entry.files.iter().filter(|file| file.role == "lora");
    let loras: Vec<_> = loras
        .map(|file| json!({ "path": file.name, "multiplier": settings.number("lora_scale").unwrap_or(1.0) }))
        .collect();
    if !loras.is_empty() {
        put("lora", json!(loras));
    }
    let sizes = settings.get("sizes").unwrap_or_else(|| json!([]));
    let native = if is_film {
        let first = sizes.get(0).and_then(Value::as_str);
        first.unwrap_or(FILM).to_owned()
    } else {
        let side = |name: &str| settings.whole(name).unwrap_or(SIDE);
        format!("{}x{}", side("width"), side("height"))
    };
    let step = settings.whole("multiple_of").unwrap_or(STEP);
    for side in ["width", "height"] {
        let mut fit = json!({ "side": side, "native": native, "step": step, "sizes": sizes });
        if let Some(most) = settings.number("max_pixels") {
            fit["most"] = json!(most);
        }
        put(side, json!({ "fit": fit }));
    }
    if is_film {
        film(&settings, &mut body);
    } else if settings.is("references") {
        references(&mut body);
    }
    Value::Object(body)
}

fn sampling(settings: &Settings<'_>) -> Value {
    let mut sampling = Map::new();
    let mut steps = json!({ "from": "steps", "most": settings.whole("max_steps").unwrap_or(MOST_STEPS) });
    if let Some(native) = settings.get("steps") {
        steps["native"] = native;
    }
    if let Some(sigmas) = settings.get("sigmas") {
        // There are as many steps as pairs of them.
        sampling.insert("custom_sigmas".to_owned(), sigmas);
        steps = dropped();
    }
    sampling.insert("sample_steps".to_owned(), steps);
    for name in ["sample_method", "scheduler", "flow_shift"] {
        if let Some(value) = settings.get(name) {
            sampling.insert(name.to_owned(), value);
        }
    }
    if settings.is("strength_as_noise") {
        let noise = "strength_as_noise_level=true,force_first_sigma=true";
        sampling.insert("extra_sample_args".to_owned(), json!(noise));
    }
    let asked = |native: Value| json!({ "from": ["guidance", "guidance_scale"], "native": native });
    let mut guidance = Map::new();
    if settings.is_distilled() {
        guidance.insert("txt_cfg".to_owned(), json!(1.0));
    } else if let Some(scale) = settings.get("cfg_scale") {
        guidance.insert("txt_cfg".to_owned(), asked(scale));
    }
    if let Some(scale) = settings.get("distilled_guidance") {
        guidance.insert("distilled_guidance".to_owned(), asked(scale));
    }
    if !guidance.is_empty() {
        sampling.insert("guidance".to_owned(), Value::Object(guidance));
    }
    Value::Object(sampling)
}

/// Models that edit by instruction see the pictures beside the prompt, and start from noise.
fn references(body: &mut Map<String, Value>) {
    for name in ["init_image", "mask_image", "strength"] {
        body.insert(name.to_owned(), dropped());
    }
    let of =
        |name: &'static str| (0..REFERENCES).map(move |at| json!({ "from": name, "as": "base64", "at": at }));
    let pictures: Vec<_> = of("image_urls").chain(of("reference_image_urls")).collect();
    body.insert("ref_images".to_owned(), json!(pictures));
}

/// How long so many frames last.
pub(crate) fn seconds(entry: &Entry, frames: f64) -> f64 {
    let fps = Settings(entry).whole("fps").unwrap_or(FRAMES_A_SECOND);
    (frames - 1.0).max(0.0) / fps as f64
}

fn film(settings: &Settings<'_>, body: &mut Map<String, Value>) {
    let fps = settings.whole("fps").unwrap_or(FRAMES_A_SECOND);
    let step = settings.whole("frames_step").unwrap_or(FRAMES_STEP);
    let mut frames = json!({ "from": "duration", "times": fps, "step": step, "plus": 1 });
    if let Some(most) = settings.get("max_frames") {
        frames["most"] = most;
    }
    body.insert("video_frames".to_owned(), frames);
    body.insert("fps".to_owned(), json!(fps));
    if let Some(strength) = settings.get("strength") {
        body.insert("strength".to_owned(), strength);
    }
    for (setting, name) in [("first_frame", "init_image"), ("last_frame", "end_image")] {
        if !settings.is(setting) {
            body.insert(name.to_owned(), dropped());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str) -> Entry {
        let index = atelier_weights::Index::builtin().unwrap();
        index.get(name).unwrap().clone()
    }

    #[test]
    fn distilled_weights_take_no_guidance_and_no_negative_prompt_and_heed_strength_in_one_step() {
        let turbo = body(&entry("sd-turbo"), false);
        assert_eq!(turbo["negative_prompt"], dropped());
        assert_eq!(turbo["sample_params"]["guidance"], json!({ "txt_cfg": 1.0 }));
        let steps = &turbo["sample_params"]["sample_steps"];
        assert_eq!(*steps, json!({ "from": "steps", "native": 1, "most": 4 }));
        let noise = "strength_as_noise_level=true,force_first_sigma=true";
        assert_eq!(turbo["sample_params"]["extra_sample_args"], json!(noise));
        let large = body(&entry("sdxl-base-1.0-q4"), false);
        assert!(
            large["sample_params"].get("extra_sample_args").is_none(),
            "{large}"
        );
        assert!(large.get("negative_prompt").is_none(), "{large}");
        let guidance = json!({ "from": ["guidance", "guidance_scale"], "native": 7.0 });
        assert_eq!(large["sample_params"]["guidance"]["txt_cfg"], guidance);
    }

    #[test]
    fn pictures_are_references_for_weights_that_edit_by_instruction() {
        let edit = body(&entry("qwen-image-edit-2511-q4"), false);
        assert_eq!((&edit["init_image"], &edit["strength"]), (&dropped(), &dropped()));
        let pictures = edit["ref_images"].as_array().unwrap();
        assert_eq!(pictures.len(), 20);
        assert_eq!(
            pictures[1],
            json!({ "from": "image_urls", "as": "base64", "at": 1 })
        );
    }

    #[test]
    fn films_have_the_frames_and_the_sizes_of_their_weights() {
        let words = body(&entry("wan-2.1-t2v-1.3b"), true);
        let frames = json!({ "from": "duration", "times": 16, "step": 4, "plus": 1, "most": 81 });
        assert_eq!((&words["video_frames"], &words["fps"]), (&frames, &json!(16)));
        assert_eq!(words["init_image"], dropped(), "it draws from words alone");
        assert_eq!(words["width"]["fit"]["sizes"], json!(["832x480"]));
        let sound = body(&entry("ltx-2.3-distilled-q4"), true);
        assert_eq!(
            (
                &sound["width"]["fit"]["step"],
                &sound["strength"],
                &sound["sample_params"]["sample_steps"]
            ),
            (&json!(32), &json!(1.0), &dropped())
        );
        let sigmas = sound["sample_params"]["custom_sigmas"].as_array().unwrap();
        assert_eq!((sigmas.len(), &sigmas[8]), (9, &json!(0.0)), "eight steps");
        assert!(
            sound.get("init_image").is_none() && sound.get("end_image").is_none(),
            "{sound}"
        );
        let picture = body(&entry("wan-2.2-ti2v-5b-q4"), true);
        assert!(picture.get("init_image").is_none(), "{picture}");
        assert_eq!(picture["end_image"], dropped());
    }
}
