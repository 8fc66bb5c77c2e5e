//! Reads a provider's answers as its profile says: where the request stands, how far it is, what went wrong.

use atelier_domain::{Failure, FailureCode};
use serde_json::Value;

use std::time::Duration;

use super::profile::{Answer, Errors, Profile, Progress, States};

/// How long the next attempt waits at least where the provider does not say.
const PAUSE: Duration = Duration::from_secs(2);
/// The longest error text of a provider that is passed on.
const MAX_ERROR: usize = 500;

/// Where a request stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum State {
    Waiting,
    Done,
    /// With the provider's own words, where it has any.
    Failed(Option<String>),
    Cancelled,
}

impl Profile {
    /// Where the request stands. Without a `state` in the profile, an answer is the end. A state that the profile does not
    /// name is taken for waiting: the deadline bounds it.
    pub(super) fn state(&self, answer: &Value) -> State {
        let Answer { state, states, .. } = &self.answer;
        let Some(state) = state.iter().find_map(|at| answer.pointer(at)) else {
            // Where success has a code of its own, a text beside it is no error.
            let error = self.error(answer).filter(|_| self.errors.success.is_empty());
            return match (self.answer.state.is_empty(), error) {
                (_, Some(error)) => State::Failed(Some(error)),
                (true, None) => State::Done,
                (false, None) => State::Waiting,
            };
        };
        let text = super::template::plain(state).unwrap_or_default();
        let is = |names: &[String]| names.iter().any(|name| name.eq_ignore_ascii_case(&text));
        let States {
            done,
            failed,
            cancelled,
            ..
        } = states;
        if is(done) {
            State::Done
        } else if is(failed) {
            State::Failed(self.error(answer))
        } else if is(cancelled) {
            State::Cancelled
        } else {
            State::Waiting
        }
    }

    pub(super) fn error(&self, answer: &Value) -> Option<String> {
        let found = self
            .answer
            .error
            .iter()
            .find_map(|at| answer.pointer(at).filter(|value| !value.is_null()))?;
        let text = found.as_str().map_or_else(|| found.to_string(), str::to_owned);
        (!text.is_empty()).then(|| text.chars().take(MAX_ERROR).collect())
    }

    /// How much is done, 0 to 1.
    pub(super) fn progress(&self, answer: &Value) -> Option<f64> {
        let Progress { at, of, pattern } = self.answer.progress.as_ref()?;
        let value = answer.pointer(at)?;
        let Some(pattern) = pattern else {
            return Some(value.as_f64()? / of);
        };
        // The profile was read with this pattern, so it is one.
        let pattern = regex::Regex::new(pattern).ok()?;
        let last = pattern.captures_iter(value.as_str()?).last()?;
        let number = |group: usize| last.get(group)?.as_str().parse::<f64>().ok();
        Some(number(1)? / number(2).unwrap_or(*of))
    }

    /// The failure that stands inside of an answer with a good status, where the profile knows such.
    pub(super) fn hidden_failure(&self, answer: &Value) -> Option<Failure> {
        let wrong = self
            .errors
            .success
            .iter()
            .find(|(at, good)| answer.pointer(at).is_some_and(|value| !good.contains(value)))?;
        let status = answer
            .pointer(wrong.0)
            .and_then(Value::as_u64)
            .and_then(|code| u16::try_from(code).ok());
        Some(self.refusal(status.unwrap_or(500), self.error(answer), None))
    }

    /// What a refusal with this status means for the job.
    pub(super) fn refusal(
        &self,
        status: u16,
        said: Option<String>,
        retry_after: Option<Duration>,
    ) -> Failure {
        let Errors {
            busy,
            invalid,
            policy,
            ..
        } = &self.errors;
        let is_policy = |text: &String| is_policy(policy, text);
        if let Some(said) = said.as_ref().filter(|text| is_policy(text)) {
            return Failure::fail(
                FailureCode::ContentPolicyViolation,
                format!("the provider refuses: {said}"),
            );
        }
        if status == 429 {
            let message = "the provider takes no more requests at the moment";
            return Failure::retry(FailureCode::RateLimited, message, retry_after.unwrap_or(PAUSE));
        }
        if busy.contains(&status) {
            let message = "the engine is busy with other work";
            return Failure::retry(
                FailureCode::GenerationFailed,
                message,
                retry_after.unwrap_or(PAUSE),
            );
        }
        if invalid.contains(&status) {
            let said = said.unwrap_or_else(|| format!("status {status}"));
            return Failure::invalid_input(format!("the engine refuses the request: {said}"));
        }
        // Keys that do not work, models that are not there, broken gateways: nothing that the client could mend, and
        // something that another engine may not suffer from.
        let message = format!("the engine cannot serve this at the moment (status {status})");
        Failure::retry(
            FailureCode::GenerationFailed,
            message,
            retry_after.unwrap_or(PAUSE),
        )
    }

    /// What a request that failed at the provider means for the job.
    pub(super) fn failed(&self, said: Option<String>) -> Failure {
        if let Some(reason) = said.as_ref().and_then(|said| self.errors.reason_of_refusal(said)) {
            return Failure::invalid_input(format!("the engine refuses the request: {reason}"));
        }
        match said {
            Some(said) if is_policy(&self.errors.policy, &said) => Failure::fail(
                FailureCode::ContentPolicyViolation,
                format!("the provider refuses: {said}"),
            ),
            Some(said) => Failure::retry(
                FailureCode::GenerationFailed,
                format!("the engine failed: {said}"),
                PAUSE,
            ),
            None => Failure::retry(FailureCode::GenerationFailed, "the engine failed", PAUSE),
        }
    }
}

impl Errors {
    /// What a failed request says is wrong with what it asks; `None` where it failed for another reason.
    fn reason_of_refusal<'a>(&self, said: &'a str) -> Option<&'a str> {
        let after = |mark: &String| said.split_once(mark.as_str()).map(|(_, reason)| reason.trim());
        self.refused.iter().find_map(after)
    }
}

fn is_policy(words: &[String], text: &str) -> bool {
    let text = text.to_lowercase();
    words.iter().any(|word| text.contains(&word.to_lowercase()))
}

/// All values that a pointer names, in order; a part `*` stands for every item of a list.
pub(super) fn find<'a>(answer: &'a Value, pointer: &str) -> Vec<&'a Value> {
    let Some((before, after)) = pointer.split_once("/*") else {
        return answer
            .pointer(pointer)
            .into_iter()
            .filter(|value| !value.is_null())
            .collect();
    };
    let Some(Value::Array(items)) = answer.pointer(before) else {
        return Vec::new();
    };
    items.iter().flat_map(|item| find(item, after)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn profile(answer: &str) -> Profile {
        let text = format!("about = ''\nsubmit = {{path = '/'}}\noutputs = {{at = '/o'}}\n{answer}");
        Profile::parse("test", &text).unwrap()
    }

    #[test]
    fn the_state_is_read_where_the_profile_says() {
        let profile = profile(
            "answer = {state = '/status', error = ['/error/message', '/error'], states = {waiting = ['queued'], done = ['ok'], failed = ['bad'], cancelled = ['off']}}",
        );
        assert_eq!(profile.state(&json!({"status": "queued"})), State::Waiting);
        assert_eq!(profile.state(&json!({"status": "unheard of"})), State::Waiting);
        assert_eq!(profile.state(&json!({"status": "OK"})), State::Done);
        assert_eq!(profile.state(&json!({"status": "off"})), State::Cancelled);
        assert_eq!(
            profile.state(&json!({"status": "bad", "error": null})),
            State::Failed(None)
        );
        assert_eq!(
            profile.state(&json!({"status": "bad", "error": {"message": "no memory"}})),
            State::Failed(Some("no memory".to_owned()))
        );
        assert_eq!(
            profile.state(&json!({"error": "gone"})),
            State::Failed(Some("gone".to_owned()))
        );
    }

    #[test]
    fn an_answer_without_states_is_the_end() {
        assert_eq!(profile("").state(&json!({"o": 1})), State::Done);
    }

    #[test]
    fn progress_is_a_number_or_the_last_match_in_a_text() {
        assert_eq!(
            profile("answer = {progress = {at = '/p', of = 100}}").progress(&json!({"p": 25})),
            Some(0.25)
        );
        let log = profile("answer = {progress = {at = '/logs', pattern = '(\\d+)/(\\d+)'}}");
        assert_eq!(log.progress(&json!({"logs": "step 1/8\nstep 2/8"})), Some(0.25));
        assert_eq!(log.progress(&json!({"logs": "loading"})), None);
        let percent = profile("answer = {progress = {at = '/logs', of = 100, pattern = '(\\d+)%'}}");
        assert_eq!(percent.progress(&json!({"logs": " 10%|#\r 50%|###"})), Some(0.5));
    }

    #[test]
    fn refusals_become_failures_by_what_they_say() {
        let profile = profile("errors = {busy = [409], policy = ['NSFW'], success = {'/code' = [0, 200]}}");
        let code = |status, said: Option<&str>| profile.refusal(status, said.map(str::to_owned), None);
        assert_eq!(
            code(400, Some("looks nsfw to me")).code,
            FailureCode::ContentPolicyViolation
        );
        assert_eq!(code(422, Some("bad size")).code, FailureCode::InvalidInput);
        assert!(!code(422, Some("bad size")).is_retryable());
        assert_eq!(code(429, None).code, FailureCode::RateLimited);
        for status in [401, 402, 404, 409, 429, 500, 503] {
            assert!(code(status, None).is_retryable(), "{status}");
        }
        assert_eq!(
            profile
                .refusal(429, None, Some(Duration::from_secs(9)))
                .retry_after,
            Some(Duration::from_secs(9))
        );
        assert_eq!(profile.hidden_failure(&json!({"code": 200})), None);
        assert_eq!(
            profile.hidden_failure(&json!({"code": 429})).unwrap().code,
            FailureCode::RateLimited
        );
        assert_eq!(profile.hidden_failure(&json!({"other": 1})), None);
    }

    #[test]
    fn a_failure_that_is_marked_as_a_refusal_is_the_clients_and_another_is_tried_again() {
        let profile = profile("errors = {refused = ['BadRequest: ']}");
        let refused = profile.failed(Some("it failed: BadRequest: `size` is too large\n".to_owned()));
        assert_eq!(refused.code, FailureCode::InvalidInput);
        assert!(!refused.is_retryable());
        assert_eq!(
            refused.message,
            "the engine refuses the request: `size` is too large"
        );
        let broken = profile.failed(Some("it failed: out of memory".to_owned()));
        assert_eq!(broken.code, FailureCode::GenerationFailed);
        assert!(broken.is_retryable());
    }

    #[test]
    fn a_star_in_a_pointer_stands_for_every_item() {
        let answer = json!({"images": [{"url": "a"}, {"url": "b"}, {}], "one": "c", "none": null});
        assert_eq!(find(&answer, "/images/*/url"), [&json!("a"), &json!("b")]);
        assert_eq!(find(&answer, "/one"), [&json!("c")]);
        assert!(find(&answer, "/none").is_empty() && find(&answer, "/one/*").is_empty());
        assert_eq!(find(&json!(["x", "y"]), "/*"), [&json!("x"), &json!("y")]);
    }
}
