//! The operator's own check: a signed HTTP call about each job before it runs, with a deadline, and a decision for when
//! there is no answer.

use std::{fmt, time::Duration};

use atelier_domain::{DeliveryId, Generation, SigningSecrets, Timestamp};
use atelier_outbound::{Guard, Outbound, Timeouts, exchange};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use url::Url;
use uuid::Uuid;

use super::{Subject, Who, quoted};
use crate::webhooks::sign;

/// The longest answer.
const MAX_BYTES: usize = 16 << 10;
/// The most characters of a reason.
const MAX_REASON: usize = 200;

/// The address of the check, and its deadline.
#[derive(Debug, Clone)]
pub(crate) struct Check {
    /// The rule that its decisions name.
    pub(crate) name: String,
    pub(super) url: Url,
    pub(super) deadline: Duration,
    /// Whether jobs run if there is no answer.
    pub(crate) is_open: bool,
    /// Whether it is asked about results too.
    pub(crate) asks_after: bool,
    pub(super) who: Who,
}

/// A check with its client and its signing key.
#[derive(Clone)]
pub(crate) struct Asking {
    secrets: SigningSecrets,
    http: Outbound,
}

impl fmt::Debug for Asking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asking").finish_non_exhaustive()
    }
}

/// The body of a call.
#[derive(Serialize)]
struct Question<'a> {
    r#type: &'static str,
    created_at: String,
    generation: String,
    account: &'a str,
    plan: Option<&'a str>,
    model: &'a str,
    params: &'a Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Map<String, Value>>,
}

/// The body of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Allowed,
    /// Refused, with a reason for the job's owner if there is one.
    Refused(Option<String>),
    /// A person must decide.
    Review,
    /// There was no valid answer in time.
    Away(String),
}

#[derive(Deserialize)]
struct Answer {
    decision: String,
    #[serde(default)]
    reason: Option<String>,
}

impl Check {
    /// Whether it checks jobs of this account.
    pub(crate) fn is_about(&self, subject: Option<Subject<'_>>) -> bool {
        self.who.includes(subject)
    }

    /// Prepares to sign with this secret. Operators choose the address, so it may be a private one.
    pub(super) fn asking(&self, secret: &str) -> Result<Asking, String> {
        let guard = Guard { allow_private: true };
        let timeouts = Timeouts {
            connect: self.deadline,
            read: self.deadline,
            total: self.deadline,
        };
        let http = Outbound::new(guard, timeouts).map_err(|error| error.to_string())?;
        Ok(Asking {
            secrets: SigningSecrets::new(secret.to_owned()),
            http,
        })
    }
}

impl Asking {
    /// Asks about a job, or about its result if there is one. `id` names this question.
    pub(crate) async fn ask(
        &self,
        check: &Check,
        subject: Option<Subject<'_>>,
        (generation, params): (&Generation, &Map<String, Value>),
        result: Option<Map<String, Value>>,
        (id, now): (Uuid, Timestamp),
    ) -> Verdict {
        let question = Question {
            r#type: if result.is_some() {
                "policy.check_result"
            } else {
                "policy.check"
            },
            created_at: now.rfc3339(),
            generation: generation.id.to_string(),
            account: subject.map_or("", |subject| subject.account),
            plan: subject.and_then(|subject| subject.plan),
            model: &generation.model,
            params,
            result,
        };
        match self.answer(check, &question, (id, now)).await {
            Ok(answer) => answer,
            Err(why) => Verdict::Away(why),
        }
    }

    async fn answer(
        &self,
        check: &Check,
        question: &Question<'_>,
        (id, now): (Uuid, Timestamp),
    ) -> Result<Verdict, String> {
        let body = serde_json::to_vec(question).map_err(|error| error.to_string())?;
        let request = self.http.post(&check.url).map_err(|error| error.to_string())?;
        let mut request = request.header("content-type", "application/json");
        for (name, value) in sign::headers(&self.secrets, DeliveryId(id), now, &body) {
            request = request.header(name, value);
        }
        let (status, bytes) = exchange(request.body(body), MAX_BYTES)
            .await
            .map_err(|error| causes(&error))?;
        verdict(status, &bytes)
    }
}

/// An error with what caused it.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        text = format!("{text}: {next}");
        cause = next.source();
    }
    text
}

fn verdict(status: u16, bytes: &[u8]) -> Result<Verdict, String> {
    if status != 200 {
        return Err(format!("it answered with status {status}, not 200"));
    }
    let answer: Answer =
        serde_json::from_slice(bytes).map_err(|error| format!("its answer could not be read: {error}"))?;
    match answer.decision.as_str() {
        "allow" => Ok(Verdict::Allowed),
        "refuse" => {
            let reason = answer.reason.map(|reason| quoted(reason.trim(), MAX_REASON));
            Ok(Verdict::Refused(reason.filter(|reason| !reason.is_empty())))
        }
        "review" => Ok(Verdict::Review),
        other => Err(format!(
            "`decision` must be `allow`, `refuse` or `review` (got {:?})",
            quoted(other, MAX_REASON)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_decision_with_status_200_is_an_answer() {
        let refused = |reason: &str| Ok(Verdict::Refused(Some(reason.to_owned())));
        for (status, body, expected) in [
            (200, r#"{"decision":"allow","more":1}"#, Ok(Verdict::Allowed)),
            (200, r#"{"decision":"review"}"#, Ok(Verdict::Review)),
            (200, r#"{"decision":"refuse"}"#, Ok(Verdict::Refused(None))),
            (200, r#"{"decision":"refuse","reason":" no\n"}"#, refused("no")),
            (204, "", Err("it answered with status 204, not 200".to_owned())),
            (
                200,
                r#"{"decision":"perhaps"}"#,
                Err("`decision` must be `allow`, `refuse` or `review` (got \"perhaps\")".to_owned()),
            ),
        ] {
            assert_eq!(verdict(status, body.as_bytes()), expected, "{body}");
        }
        assert!(
            verdict(200, b"yes")
                .unwrap_err()
                .starts_with("its answer could not be read")
        );
    }
}
