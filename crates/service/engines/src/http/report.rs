//! The report of what a request to weights leaves out or changes of its job. Clients find it in the metadata.

use std::{cell::RefCell, collections::BTreeMap};

use serde_json::{Map, Value, json};

use super::profile::Profile;
use crate::{
    Asked, Job, Weights,
    remote::{As, Fields, Shape, Source, Taken, Template, plain},
};

/// The fields that a derived field is made of.
const DERIVED: [(&str, &[&str]); 4] = [
    ("$seed", &["seed"]),
    ("$width", &SIZES),
    ("$height", &SIZES),
    ("$target", &[]),
];
const SIZES: [&str; 5] = ["width", "height", "size", "aspect_ratio", "resolution"];
/// Fields that the service itself heeds.
const HEEDED: [&str; 1] = ["enable_safety_checker"];

/// The members of the metadata that name the weights.
pub(super) fn weights(weights: &Weights) -> [(String, Value); 2] {
    let members = [("weights", &weights.title), ("weights_license", &weights.license)];
    members.map(|(member, value)| (member.to_owned(), json!(value)))
}

/// The members of the metadata: `without_effect` lists fields that the request does not use, `not_done` says what was
/// asked for and is sent otherwise. Both are left out if they are empty.
pub(super) fn report(job: &Job, template: &Template) -> Map<String, Value> {
    let Some(taken) = template.taken() else {
        return Map::new();
    };
    let dry = Dry {
        fields: Fields {
            job,
            request: "",
            callback: None,
            uploaded: std::collections::HashMap::new(),
        },
        changed: RefCell::default(),
    };
    template.fill(&dry);
    let mut not_done: Vec<String> = dry.changed.into_inner().into_values().collect();
    let mut without_effect = Vec::new();
    for asked in job.asked.iter().filter(|asked| asked.is_chosen) {
        if HEEDED.contains(&asked.name.as_str()) {
            continue;
        }
        if !taken.iter().any(|taken| is_taken(asked, taken)) {
            without_effect.push(asked.name.clone());
            continue;
        }
        let has_name = |name: &str| asked.is(name);
        let files = job
            .inputs
            .iter()
            .filter(|input| has_name(&input.parameter))
            .count();
        let sent = sent_files(asked, &taken);
        if let Some(sent) = sent.filter(|sent| *sent < files) {
            not_done.push(format!("`{}`: {sent} of {files} files are used", asked.name));
        }
    }
    let members = [("without_effect", without_effect), ("not_done", not_done)];
    let members = members.into_iter().filter(|(_, names)| !names.is_empty());
    members
        .map(|(member, names)| (member.to_owned(), json!(names)))
        .collect()
}

/// The fields of a model that requests by a profile, with `body` laid over its template, do not use.
pub fn left_out(profile: &Profile, body: Option<&Value>, fields: &[Asked]) -> Result<Vec<String>, String> {
    let Some(template) = &profile.submit.body else {
        return Ok(Vec::new());
    };
    let over = body.map(|body| serde_json::from_value::<Template>(body.clone()));
    let over = over.transpose().map_err(|error| error.to_string())?;
    let template = over.map_or_else(|| template.clone(), |over| template.overlaid(&over));
    let Some(taken) = template.taken() else {
        return Ok(Vec::new());
    };
    let heeds = |asked: &Asked| {
        HEEDED.contains(&asked.name.as_str()) || taken.iter().any(|taken| is_taken(asked, taken))
    };
    let left = fields.iter().filter(|asked| !heeds(asked));
    Ok(left.map(|asked| asked.name.clone()).collect())
}

fn is_taken(asked: &Asked, taken: &Taken<'_>) -> bool {
    let of = |name: &str| match DERIVED.iter().find(|(derived, _)| *derived == name) {
        Some((_, sources)) => sources.iter().any(|source| asked.is(source)),
        None => asked.is(name),
    };
    match taken {
        Taken::Field(name) | Taken::Files(name) | Taken::FileAt(name, _) => of(name),
        Taken::Size => SIZES.iter().any(|name| asked.is(name)),
    }
}

/// How many files of a field are sent at most; `None`: all of them, or it has none.
fn sent_files(asked: &Asked, taken: &[Taken<'_>]) -> Option<usize> {
    let mut places = Vec::new();
    for taken in taken {
        match taken {
            Taken::Files(name) if asked.is(name) => return None,
            Taken::FileAt(name, at) if asked.is(name) && !places.contains(at) => places.push(*at),
            _ => {}
        }
    }
    (!places.is_empty()).then_some(places.len())
}

/// A job whose files are not read, and the notes about it by field.
#[derive(Debug)]
struct Dry<'a> {
    fields: Fields<'a>,
    changed: RefCell<BTreeMap<String, String>>,
}

impl Source for Dry<'_> {
    fn field(&self, name: &str) -> Option<Value> {
        self.fields.field(name)
    }

    fn names(&self) -> Vec<String> {
        self.fields.names()
    }

    fn file(&self, name: &str, index: usize, _form: As) -> Option<Value> {
        let of_field = |input: &&crate::Input| input.parameter == name;
        let mut files = self.fields.job.inputs.iter().filter(of_field);
        files.nth(index).map(|_| Value::Bool(true))
    }

    fn is_chosen(&self, name: &str) -> bool {
        self.fields.is_chosen(name)
    }

    fn shape(&self) -> Option<Shape> {
        self.fields.shape()
    }

    fn changed(&self, name: &str, asked: &Value, sent: &Value) {
        let text = |value: &Value| plain(value).unwrap_or_else(|| value.to_string());
        let note = format!("`{name}`: {} instead of {}", text(sent), text(asked));
        self.changed.borrow_mut().insert(name.to_owned(), note);
    }
}

#[cfg(test)]
mod tests {
    use atelier_domain::MediaKind;

    use super::*;
    use crate::testing::{Case, PNG, case};

    fn asking(params: Value, chosen: &[&str]) -> Case {
        let mut case = case(MediaKind::Image, "sd", params);
        let names: Vec<String> = case.job.params.keys().cloned().collect();
        case.job.asked = names
            .into_iter()
            .map(|name| Asked {
                is_chosen: chosen.contains(&name.as_str()),
                standard: name.clone(),
                name,
            })
            .collect();
        case
    }

    fn template() -> Template {
        let template = json!({
            "prompt": { "from": "prompt" }, "seed": { "from": "$seed" },
            "steps": { "from": "steps", "default": 1, "most": 4 },
            "width": { "fit": { "side": "width", "native": "512x512" } },
            "frames": { "from": "duration", "times": 16, "step": 4, "plus": 1, "most": 81 },
            "init_image": { "from": "image_urls", "as": "base64", "at": 0 },
        });
        serde_json::from_value(template).unwrap()
    }

    #[test]
    fn what_weights_cannot_follow_is_named_with_what_they_do_instead() {
        let params = json!({
            "prompt": "a fox", "seed": 7, "steps": 30, "size": "2048x2048", "duration": 15, "guidance": 4,
            "audio_setting": "auto", "enable_safety_checker": true, "image_urls": ["a", "b"],
        });
        let chosen = [
            "prompt",
            "seed",
            "steps",
            "size",
            "duration",
            "guidance",
            "enable_safety_checker",
            "image_urls",
        ];
        let case = asking(params, &chosen)
            .with_input("image_urls", PNG)
            .with_input("image_urls", PNG);
        let expected = json!({
            "without_effect": ["guidance"],
            "not_done": [
                "`duration`: 5 instead of 15",
                "`size`: 512x512 instead of 2048x2048",
                "`steps`: 4 instead of 30",
                "`image_urls`: 1 of 2 files are used",
            ],
        });
        assert_eq!(Value::Object(report(&case.job, &template())), expected);
    }

    #[test]
    fn a_request_that_is_followed_has_no_report() {
        let params = json!({ "prompt": "a fox", "steps": 4, "size": "512x256", "duration": 5 });
        let case = asking(params, &["prompt", "steps", "size", "duration"]);
        assert_eq!(report(&case.job, &template()), Map::new());
    }

    #[test]
    fn the_fields_that_a_profile_leaves_out_are_known_without_a_job() {
        let profile = Profile::shipped("sd-server").unwrap().unwrap();
        let fields = [
            "prompt",
            "size",
            "seed",
            "n",
            "mask_url",
            "voice",
            "enable_safety_checker",
        ];
        let fields = fields.map(|name| Asked {
            name: name.to_owned(),
            standard: name.to_owned(),
            is_chosen: true,
        });
        assert_eq!(left_out(&profile, None, &fields), Ok(vec!["voice".to_owned()]));
        let without = json!({ "mask_image": { "drop": true } });
        let left = left_out(&profile, Some(&without), &fields).unwrap();
        assert_eq!(left, ["mask_url", "voice"]);
    }

    #[test]
    fn a_template_that_takes_all_fields_leaves_none_out() {
        let case = asking(json!({ "prompt": "a fox", "odd": 1 }), &["prompt", "odd"]);
        let template: Template = serde_json::from_value(json!({ "input": { "*": {} } })).unwrap();
        assert_eq!(report(&case.job, &template), Map::new());
    }
}
