//! From OpenAI's fields to those of a model. The catalog says what the names stand for.

use std::{collections::BTreeSet, iter};

use atelier_app::{App, Error};
use atelier_catalog::{Model, ModelType, Parameter, Role, did_you_mean};
use axum::http::StatusCode;
use serde_json::{Map, Value};

use super::{
    error::NO_MODEL,
    form::{Form, not_allowed},
};
use crate::error::ApiError;

/// Finds the model of a name: a slug, or one of OpenAI's names. Among those that stand in for a name, a model with
/// trained weights or an engine of the operator comes before drafts.
pub(super) fn model<'a>(app: &'a App, name: &str) -> Result<&'a Model, ApiError> {
    if let Some(model) = app.find_served(name) {
        return Ok(model);
    }
    let named =
        |model: &&Model| model.openai.names.iter().any(|known| known == name) && app.is_served(&model.slug);
    let mut stand_ins: Vec<&Model> = app.catalog().iter().filter(named).collect();
    stand_ins.sort_by_key(|model| app.is_draft(&model.slug));
    stand_ins
        .first()
        .copied()
        .ok_or_else(|| ApiError::with_code(StatusCode::NOT_FOUND, NO_MODEL, no_model(app, name)))
}

/// The message for a name that no served model has. It names similar ones.
fn no_model(app: &App, name: &str) -> String {
    let name: String = name.chars().take(100).collect();
    let served = app.catalog().iter().filter(|model| app.is_served(&model.slug));
    // Several models may stand in for a name.
    let names: BTreeSet<_> = served
        .flat_map(|model| iter::once(&model.slug).chain(&model.openai.names))
        .collect();
    let hint = did_you_mean(&name, names.into_iter().map(String::as_str));
    format!("the model `{name}` does not exist{hint} GET /v1/models lists all")
}

/// The field for the type of the file, if what serves the model follows it.
pub(super) fn file_type(app: &App, model: &Model) -> Option<&'static str> {
    (!app.is_embedded(&model.slug)).then_some("output_format")
}

/// A request for a job, in the model's own fields.
#[derive(Debug)]
pub(super) struct Request<'a> {
    pub(super) model: &'a Model,
    fields: Map<String, Value>,
    /// OpenAI's names of fields that are called differently.
    renamed: Vec<(String, &'static str)>,
}

impl<'a> Request<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
        let fields = Map::from_iter([("model".to_owned(), Value::from(model.slug.as_str()))]);
        Self {
            model,
            fields,
            renamed: Vec::new(),
        }
    }

    fn set(&mut self, parameter: &Parameter, theirs: &'static str, value: Value) {
        if parameter.name != theirs {
            self.renamed.push((parameter.name.clone(), theirs));
        }
        self.fields.insert(parameter.name.clone(), value);
    }

    /// Sets the parameter with this role. Refuses the field if the model has none.
    pub(super) fn set_role(&mut self, role: Role, theirs: &'static str, value: Value) -> Result<(), Error> {
        let parameter = self.model.meaning(role).ok_or_else(|| self.unsupported(theirs))?;
        self.set(parameter, theirs, value);
        Ok(())
    }

    pub(super) fn unsupported(&self, theirs: &str) -> Error {
        Error::parameter(
            theirs,
            format!("`{theirs}` is not supported by {}", self.model.slug),
        )
    }

    /// The prompt, or the text to speak.
    pub(super) fn words(&mut self, form: &mut Form, theirs: &'static str) -> Result<(), Error> {
        match form.text(theirs)? {
            Some(words) => self.set_role(Role::Text, theirs, words.into()),
            None => match self.model.meaning(Role::Text) {
                Some(parameter) if parameter.required => Err(Error::parameter(
                    theirs,
                    format!("`{theirs}` is required by {}", self.model.slug),
                )),
                _ => Ok(()),
            },
        }
    }

    /// The number of results. Models without such a field make one.
    pub(super) fn count(&mut self, form: &mut Form) -> Result<(), Error> {
        match form.number("n")? {
            None => Ok(()),
            Some(one) if one == 1 && self.model.meaning(Role::Count).is_none() => Ok(()),
            Some(count) => self.set_role(Role::Count, "n", count),
        }
    }

    pub(super) fn size(&mut self, form: &mut Form) -> Result<(), Error> {
        let Some(size) = form.text("size")?.filter(|size| size != "auto") else {
            return Ok(());
        };
        let Some(fields) = self.model.openai_size(&size) else {
            let mut allowed = vec!["auto".to_owned()];
            allowed.extend(self.model.openai_sizes());
            return Err(not_allowed("size", &size, &allowed));
        };
        self.set_all("size", fields);
        Ok(())
    }

    pub(super) fn quality(&mut self, form: &mut Form) -> Result<(), Error> {
        let Some(quality) = form.text("quality")?.filter(|quality| quality != "auto") else {
            return Ok(());
        };
        if let Some(fields) = self.model.openai.qualities.get(&quality) {
            self.set_all("quality", fields.clone());
            return Ok(());
        }
        let own = self.model.parameter("quality");
        let options = options(own);
        // DALL·E 3 has other words for them.
        let same = match quality.as_str() {
            "standard" => "medium",
            "hd" => "high",
            other => other,
        };
        if let Some(own) = own.filter(|_| options.iter().any(|option| option == same)) {
            self.set(own, "quality", same.into());
            return Ok(());
        }
        if quality == "standard" {
            return Ok(());
        }
        let mut allowed = vec!["auto".to_owned(), "standard".to_owned()];
        allowed.extend(self.model.openai.qualities.keys().cloned());
        allowed.extend(options);
        allowed.sort_unstable();
        allowed.dedup();
        Err(not_allowed("quality", &quality, &allowed))
    }

    /// A choice that the model may have under this name. Without it, only `default` is allowed.
    pub(super) fn choice(
        &mut self,
        form: &mut Form,
        theirs: &'static str,
        own: Option<&str>,
        default: &[&str],
    ) -> Result<(), Error> {
        let Some(value) = form.text(theirs)? else {
            return Ok(());
        };
        let parameter = own.and_then(|own| self.model.parameter(own));
        let mut allowed = options(parameter);
        if let Some(parameter) = parameter.filter(|_| allowed.contains(&value)) {
            self.set(parameter, theirs, value.into());
            return Ok(());
        }
        if allowed.is_empty() || default.contains(&"auto") {
            allowed.extend(default.iter().map(|&name| name.to_owned()));
        }
        if allowed.contains(&value) {
            return Ok(());
        }
        Err(not_allowed(theirs, &value, &allowed))
    }

    /// The voice, by its own name or one of OpenAI's. A model without voices speaks in the one that it has.
    pub(super) fn voice(&mut self, form: &mut Form) -> Result<(), Error> {
        let (Some(voice), Some(parameter)) = (form.text("voice")?, self.model.meaning(Role::Voice)) else {
            return Ok(());
        };
        let voice = self.model.openai.voices.get(&voice).cloned().unwrap_or(voice);
        self.set(parameter, "voice", voice.into());
        Ok(())
    }

    /// A speed other than 1 requires a model with that field.
    pub(super) fn speed(&mut self, form: &mut Form) -> Result<(), Error> {
        let Some(speed) = form.number("speed")? else {
            return Ok(());
        };
        match self.model.parameter("speed") {
            Some(parameter) => self.set(parameter, "speed", speed),
            None if speed.as_f64() == Some(1.0) => {}
            None => return Err(self.unsupported("speed")),
        }
        Ok(())
    }

    /// The pictures to edit, or the first frame of a video.
    pub(super) fn pictures(&mut self, theirs: &'static str, urls: Vec<String>) -> Result<(), Error> {
        let roles = [Role::Images, Role::Frames, Role::References];
        let parameter = roles.iter().find_map(|role| self.model.meaning(*role));
        let parameter = parameter.ok_or_else(|| self.unsupported(theirs))?;
        self.set(parameter, theirs, urls.into());
        Ok(())
    }

    fn set_all(&mut self, theirs: &'static str, fields: Map<String, Value>) {
        for (name, value) in fields {
            if name != theirs {
                self.renamed.push((name.clone(), theirs));
            }
            self.fields.insert(name, value);
        }
    }

    /// The complete body: what was translated, and what the request says in the model's own fields.
    pub(super) fn finish(mut self, form: &mut Form) -> Finished {
        for (name, value) in form.rest() {
            self.fields.entry(name).or_insert(value);
        }
        Finished {
            fields: self.fields,
            renamed: self.renamed,
        }
    }
}

fn options(parameter: Option<&Parameter>) -> Vec<String> {
    let options = parameter
        .and_then(|parameter| parameter.options.as_deref())
        .unwrap_or_default();
    options
        .iter()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

/// A translated request.
#[derive(Debug)]
pub(super) struct Finished {
    fields: Map<String, Value>,
    renamed: Vec<(String, &'static str)>,
}

impl Finished {
    /// An error of the use case, about the fields as the request named them.
    pub(super) fn in_their_words(renamed: &[(String, &'static str)], error: Error) -> Error {
        let Error::InvalidRequest { mut details, message } = error else {
            return error;
        };
        if details.is_empty() {
            return Error::InvalidRequest { details, message };
        }
        for problem in &mut details {
            if let Some((own, theirs)) = renamed.iter().find(|(own, _)| *own == problem.parameter) {
                problem.message = problem
                    .message
                    .replace(&format!("`{own}`"), &format!("`{theirs}`"));
                (*theirs).clone_into(&mut problem.parameter);
            }
        }
        Error::problems(details)
    }

    pub(super) fn into_parts(self) -> (Map<String, Value>, Vec<(String, &'static str)>) {
        (self.fields, self.renamed)
    }
}

/// Refuses a model that makes something else.
pub(super) fn check_kind(model: &Model, wanted: &[ModelType], path: &str) -> Result<(), Error> {
    if wanted.contains(&model.model_type) {
        return Ok(());
    }
    let message = format!(
        "the model `{}` is of the type {} and cannot be used at {path}",
        model.slug,
        model.model_type.as_str()
    );
    Err(Error::parameter("model", message))
}
