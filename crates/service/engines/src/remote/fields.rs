//! A job as templates see it: its parameters, its files, and values derived from them.

use std::{collections::HashMap, path::PathBuf};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::{
    size,
    source::{As, Shape, Source},
    template::plain,
};
use crate::{Input, Job};

/// The member that stands for a local file in a filled form.
pub(crate) const FILE: &str = "$file";

/// The addresses of uploaded files, by their local paths.
pub(crate) type Uploaded = HashMap<PathBuf, String>;

/// The fields of a job. Beside its parameters there are `$job` (our id of the request), `$target` (the route's name
/// of the model), `$seed` (the parameter `seed`, or else the job's own, below 2^31), `$width` and `$height` in
/// pixels, and `$callback` (where the provider can report progress).
#[derive(Debug)]
pub(crate) struct Fields<'a> {
    pub job: &'a Job,
    /// Our id of the request.
    pub request: &'a str,
    pub callback: Option<&'a str>,
    pub uploaded: Uploaded,
}

impl Fields<'_> {
    fn seed(&self) -> Value {
        let own = || Value::from(self.job.seed & 0x7fff_ffff);
        self.job
            .params
            .get("seed")
            .filter(|seed| !seed.is_null())
            .cloned()
            .unwrap_or_else(own)
    }

    /// All single values by name, for paths and headers.
    pub(crate) fn texts(&self) -> HashMap<String, String> {
        let derived = ["$job", "$target", "$seed", "$width", "$height"];
        let names = derived.into_iter().map(str::to_owned).chain(self.names());
        let text = |name: String| {
            Some((
                name.trim_start_matches('$').to_owned(),
                plain(&self.field(&name)?)?,
            ))
        };
        names.filter_map(text).collect()
    }

    fn encoded(&self, input: &Input, form: As) -> Option<Value> {
        let base64 = || {
            std::fs::read(&input.path)
                .ok()
                .map(|bytes| STANDARD.encode(bytes))
        };
        match form {
            As::Value => None,
            As::Data => Some(format!("data:{};base64,{}", input.facts.media_type.mime(), base64()?).into()),
            As::Base64 => Some(base64()?.into()),
            As::File => Some(json!({FILE: input.path, "type": input.facts.media_type.mime()})),
            As::Upload => self.uploaded.get(&input.path).cloned().map(Value::String),
        }
    }
}

impl Source for Fields<'_> {
    fn field(&self, name: &str) -> Option<Value> {
        match name {
            "$job" => Some(self.request.into()),
            "$target" => Some(
                self.job
                    .options
                    .target
                    .as_deref()
                    .unwrap_or(&self.job.model)
                    .into(),
            ),
            "$seed" => Some(self.seed()),
            "$width" => size::requested(&self.job.params).map(|(width, _)| width.into()),
            "$height" => size::requested(&self.job.params).map(|(_, height)| height.into()),
            "$callback" => self.callback.map(Value::from),
            name => self
                .job
                .params
                .get(name)
                .filter(|value| !value.is_null())
                .cloned(),
        }
    }

    fn names(&self) -> Vec<String> {
        let has_value = |(name, value): (&String, &Value)| (!value.is_null()).then(|| name.clone());
        self.job.params.iter().filter_map(has_value).collect()
    }

    fn file(&self, name: &str, index: usize, form: As) -> Option<Value> {
        let input = self
            .job
            .inputs
            .iter()
            .filter(|input| input.parameter == name)
            .nth(index)?;
        self.encoded(input, form)
    }

    fn is_chosen(&self, name: &str) -> bool {
        let asked = self.job.asked.iter().find(|asked| asked.is(name));
        asked.is_none_or(|asked| asked.is_chosen)
    }

    fn shape(&self) -> Option<Shape> {
        let params = &self.job.params;
        let asked = size::requested(params).map(|(width, height)| Shape::Exact(width, height));
        asked
            .or_else(|| size::ratio(params).map(Shape::Ratio))
            .or_else(|| {
                let pictures = ["image_urls", "image_url", "reference_image_urls"];
                let of = |name: &str| self.job.inputs.iter().find(|input| input.parameter == name);
                let facts = &pictures.iter().find_map(|name| of(name))?.facts;
                let (width, height) = (facts.width?, facts.height?);
                (width > 0 && height > 0).then(|| Shape::Ratio(f64::from(width) / f64::from(height)))
            })
    }
}
