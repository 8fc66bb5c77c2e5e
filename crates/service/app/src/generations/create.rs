//! Accepts a generation: the catalog maps names, validates and prices; the store holds the credits and queues the
//! job, all or nothing.
//!
//! A repeated idempotency key is answered before anything is validated: the first answer stands, whatever has become
//! of the model and the inputs since.

use std::time::Duration;

use atelier_catalog::{Checked, InputUrl, Model, Problem};
use atelier_domain::{FileFacts, FileName, Generation, GenerationId, NewGeneration, RateState, Scope};
use atelier_store::{Accept, Accepted, Idempotency};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::{App, Caller, Error, Result};

/// The body of a request, parsed as JSON and not validated yet.
#[derive(Debug)]
pub struct CreateGeneration {
    pub fields: Map<String, Value>,
    /// The hash of the body's bytes, which tells a repeated idempotency key from a reused one.
    pub body_hash: [u8; 32],
    pub idempotency_key: Option<String>,
}

impl CreateGeneration {
    pub fn new(fields: Map<String, Value>, body: &[u8], idempotency_key: Option<String>) -> Self {
        Self {
            fields,
            body_hash: Sha256::digest(body).into(),
            idempotency_key,
        }
    }
}

/// An accepted generation, and the state of the limit after it.
#[derive(Debug)]
pub struct CreatedGeneration {
    pub generation: Generation,
    pub rate: RateState,
    /// The same request came before, and this is its job.
    pub replayed: bool,
}

impl App {
    pub async fn create_generation(
        &self,
        caller: &Caller,
        request: CreateGeneration,
    ) -> Result<CreatedGeneration> {
        let account = caller.may_make(Scope::Generate)?.id;
        let CreateGeneration {
            mut fields,
            body_hash,
            idempotency_key,
        } = request;
        let idempotency = match idempotency_key {
            Some(key) => Some(self.checked_key(key, body_hash)?),
            None => None,
        };
        if let Some(key) = &idempotency
            && let Some(earlier) = self.store().earlier_use(account, key).await?
        {
            return self.answered(caller, earlier, None);
        }
        let model = self.asked_model(&mut fields)?;
        caller.may_use(&model.slug)?;
        self.policy_lets(caller, account, model).await?;
        let mut problems = Vec::new();
        let webhook_url = self.asked_webhook(&mut fields, &mut problems);
        let params = asked_params(&mut fields, &mut problems);
        let mut checked = match model.check(&fields, &params) {
            Ok(checked) if problems.is_empty() => checked,
            Ok(_) => return Err(Error::problems(problems)),
            Err(more) => {
                problems.extend(more);
                return Err(Error::problems(problems));
            }
        };
        let facts = self.known_facts(caller, &checked, &mut problems).await?;
        problems.extend(model.check_files(&checked.params, &checked.inputs, &facts));
        if !problems.is_empty() {
            return Err(Error::problems(problems));
        }

        let inputs = checked.inputs.iter();
        let files = inputs
            .filter_map(|input| self.stored_file(&input.url)?.ok())
            .collect();
        let now = self.now();
        for input in &checked.inputs {
            if let Some(value) = checked.params.get_mut(&input.parameter) {
                self.without_signatures(value);
            }
        }
        let generation = Generation::queued(NewGeneration {
            id: GenerationId(self.entropy().uuid(now)),
            account,
            model: model.slug.clone(),
            kind: model.output,
            hold: model.estimate(&checked.params, &checked.inputs, &facts),
            params: checked.params,
            webhook_url,
            created_at: now,
            deadline: now.plus(Duration::from_secs(model.limits.max_processing_seconds)),
        });
        self.accept(caller, generation, files, idempotency).await
    }

    async fn accept(
        &self,
        caller: &Caller,
        generation: Generation,
        files: Vec<FileName>,
        idempotency: Option<Idempotency>,
    ) -> Result<CreatedGeneration> {
        // The model was found among those that an engine serves.
        let lane = self.lane_for_new_job(&generation.model).unwrap_or_default();
        let accept = Accept {
            generation: generation.clone(),
            lane: lane.clone(),
            idempotency,
            files,
            default_per_minute: self.settings().generations_per_minute,
            key: caller.key_use(),
        };
        let accepted = self.store().accept(accept).await?;
        if matches!(accepted, Accepted::Accepted(_)) {
            self.hints().work(&lane);
        }
        self.answered(caller, accepted, Some(generation))
    }

    /// The answer to what the store said; `new` is the generation that it was asked to accept.
    fn answered(
        &self,
        caller: &Caller,
        accepted: Accepted,
        new: Option<Generation>,
    ) -> Result<CreatedGeneration> {
        let needed = new.as_ref().map_or(0, |new| new.hold);
        match (accepted, new) {
            (Accepted::Accepted(rate), Some(generation)) => Ok(CreatedGeneration {
                generation,
                rate,
                replayed: false,
            }),
            (Accepted::Replayed(first), _) => Ok(CreatedGeneration {
                generation: *first,
                rate: self.generation_rate(caller)?,
                replayed: true,
            }),
            (Accepted::KeyReused, _) => Err(Error::invalid(
                "this Idempotency-Key was used with another body within the last 24 hours: use a new key for a new \
                 request",
            )),
            (Accepted::QueueFull { max }, _) => Err(Error::QueueFull { max }),
            (Accepted::FileGone(file), _) => Err(Error::invalid(format!(
                "the input {} was deleted a moment ago",
                self.media_url(&file)
            ))),
            (Accepted::Limited(limited), _) => Err(Error::RateLimited(limited)),
            (Accepted::Uncovered { available }, _) => Err(Error::InsufficientCredits { needed, available }),
            (
                Accepted::Exceeded {
                    limit,
                    allowed,
                    spent,
                },
                _,
            ) => Err(Error::CreditsExceeded {
                limit,
                needed,
                allowed,
                spent,
            }),
            (Accepted::NoAccount, _) => Err(Error::InvalidApiKey),
            (Accepted::Accepted(_), None) => Err(Error::Internal(
                "the store accepted a generation without being asked".to_owned(),
            )),
        }
    }

    fn checked_key(&self, key: String, body_hash: [u8; 32]) -> Result<Idempotency> {
        if key.is_empty() || key.len() > 255 || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::invalid(
                "`Idempotency-Key` must have 1 to 255 visible ASCII characters",
            ));
        }
        Ok(Idempotency {
            key,
            body_hash,
            valid_since: self.idempotency_horizon(),
        })
    }

    fn asked_model(&self, fields: &mut Map<String, Value>) -> Result<&Model> {
        let slug = match fields.remove("model") {
            Some(Value::String(slug)) => slug,
            None | Some(Value::Null) => {
                return Err(missing_model(
                    "`model` is required: the slug of a model or tool from GET /models",
                ));
            }
            Some(other) => {
                return Err(missing_model(&format!(
                    "`model` must be a string (got {})",
                    shown(&other)
                )));
            }
        };
        self.served_model(&slug)
    }

    fn asked_webhook(&self, fields: &mut Map<String, Value>, problems: &mut Vec<Problem>) -> Option<String> {
        let refused = |message: String| Problem {
            parameter: "webhook_url".to_owned(),
            message,
        };
        match fields.remove("webhook_url") {
            None | Some(Value::Null) => None,
            Some(Value::String(url)) => match self.guard().check_webhook_url(&url) {
                Ok(_) => Some(url),
                Err(why) => {
                    problems.push(refused(format!("`webhook_url`: {why}")));
                    None
                }
            },
            Some(other) => {
                problems.push(refused(format!(
                    "`webhook_url` must be a string (got {})",
                    shown(&other)
                )));
                None
            }
        }
    }

    /// The facts of the inputs that are stored here. A URL below `{media_url}` that names no file is a problem, and so
    /// is an address that the guard refuses without resolving its name.
    pub(super) async fn known_facts(
        &self,
        caller: &Caller,
        checked: &Checked,
        problems: &mut Vec<Problem>,
    ) -> Result<Vec<Option<FileFacts>>> {
        let mut names: Vec<(usize, FileName)> = Vec::new();
        for (index, input) in checked.inputs.iter().enumerate() {
            match self.stored_file(&input.url) {
                None => problems.extend(self.refused_address(input)),
                Some(Ok(name)) if self.may_use_file(caller, &name, &input.url).await? => {
                    names.push((index, name));
                }
                Some(_) => problems.push(no_such_file(input)),
            }
        }
        let mut facts = vec![None; checked.inputs.len()];
        if names.is_empty() {
            return Ok(facts);
        }
        let wanted: Vec<_> = names.iter().map(|(_, name)| name.clone()).collect();
        for ((index, _), known) in names.into_iter().zip(self.store().files(&wanted).await?) {
            match known {
                Some(known) => facts[index] = Some(known),
                None => problems.push(no_such_file(&checked.inputs[index])),
            }
        }
        Ok(facts)
    }

    /// Why an address cannot be an input, as far as it can be told without resolving its name.
    fn refused_address(&self, input: &InputUrl) -> Option<Problem> {
        let why = self.guard().check_input_url(&input.url).err()?;
        Some(Problem {
            parameter: input.parameter.clone(),
            message: format!("`{}`: {why}", input.parameter),
        })
    }
}

fn asked_params(fields: &mut Map<String, Value>, problems: &mut Vec<Problem>) -> Map<String, Value> {
    match fields.remove("params") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(params)) => params,
        Some(other) => {
            let message = format!("`params` must be an object (got {})", shown(&other));
            problems.push(Problem {
                parameter: "params".to_owned(),
                message,
            });
            Map::new()
        }
    }
}

fn missing_model(message: &str) -> Error {
    Error::problems(vec![Problem {
        parameter: "model".to_owned(),
        message: message.to_owned(),
    }])
}

fn no_such_file(input: &InputUrl) -> Problem {
    let message = format!("`{}`: no file is stored at {}", input.parameter, input.url);
    Problem {
        parameter: input.parameter.clone(),
        message,
    }
}

/// The beginning of a value, as a message shows it.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 60 {
        return text;
    }
    format!("{}…", text.chars().take(60).collect::<String>())
}
