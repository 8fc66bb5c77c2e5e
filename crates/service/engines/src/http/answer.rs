//! Reads a provider's answers as its profile says: the state of a request, its progress and its errors.

use atelier_domain::{Failure, FailureCode};
use serde_json::Value;

use std::time::Duration;

use super::profile::{Answer, Errors, Partial, Profile, Progress, States};
use crate::{Context, PartialImage, remote::plain};

/// The delay before the next attempt if the provider names none.
const DELAY: Duration = Duration::from_secs(2);
/// The longest error text of a provider that is passed on, in characters.
const MAX_ERROR: usize = 500;

/// The state of a request.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum State {
    Waiting,
    Done,
    /// With the provider's error text, if there is one.
    Failed(Option<String>),
    Cancelled,
}

impl Profile {
    /// The state of the request. If the profile has no `state`, every answer is final. A state that the profile does
    /// not list counts as waiting, until the job's deadline.
    pub(super) fn state(&self, answer: &Value) -> State {
        let Answer { state, states, .. } = &self.answer;
        let Some(state) = state.iter().find_map(|at| answer.pointer(at)) else {
            // If success has its own code, a text beside it is not an error.
            let error = self.error(answer).filter(|_| self.errors.success.is_empty());
            return match (self.answer.state.is_empty(), error) {
                (_, Some(error)) => State::Failed(Some(error)),
                (true, None) => State::Done,
                (false, None) => State::Waiting,
            };
        };
        let text = plain(state).unwrap_or_default();
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

    /// How much is done, from 0 to 1.
    fn progress(&self, answer: &Value) -> Option<f64> {
        let Progress { at, of, pattern } = self.answer.progress.as_ref()?;
        let value = answer.pointer(at)?;
        let Some(pattern) = pattern else {
            return Some(value.as_f64()? / of);
        };
        // Reading the profile has checked this pattern.
        let pattern = regex::Regex::new(pattern).ok()?;
        let last = pattern.captures_iter(value.as_str()?).last()?;
        let number = |group: usize| last.get(group)?.as_str().parse::<f64>().ok();
        Some(number(1)? / number(2).unwrap_or(*of))
    }

    /// A picture of the unfinished result.
    fn partial_image(&self, answer: &Value) -> Option<PartialImage> {
        let Partial { at, pattern } = self.answer.partial_image.as_ref()?;
        let text = answer.pointer(at)?.as_str()?;
        let Some(pattern) = pattern else {
            return PartialImage::parse(text);
        };
        // Reading the profile has checked this pattern.
        let pattern = regex::Regex::new(pattern).ok()?;
        let last = pattern.captures_iter(text).last()?;
        PartialImage::parse(last.get(1)?.as_str())
    }

    /// Passes on how far the request is.
    pub(super) fn report(&self, answer: &Value, context: &Context) {
        if let Some(done) = self.progress(answer) {
            context.progress(done);
        }
        if context.wants_partial_images()
            && let Some(image) = self.partial_image(answer)
        {
            context.partial_image(image);
        }
    }

    /// The failure inside an answer with a success status, if the profile knows such failures.
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

    /// The failure that a refusal with this status means for the job.
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
                format!("the provider rejected the content: {said}"),
            );
        }
        if status == 429 {
            let message = "the provider's rate limit is reached";
            return Failure::retry(FailureCode::RateLimited, message, retry_after.unwrap_or(DELAY));
        }
        if busy.contains(&status) {
            let message = "the engine is busy";
            return Failure::retry(
                FailureCode::GenerationFailed,
                message,
                retry_after.unwrap_or(DELAY),
            );
        }
        if invalid.contains(&status) {
            let said = said.unwrap_or_else(|| format!("status {status}"));
            return Failure::invalid_input(format!("the engine rejected the request: {said}"));
        }
        // A wrong key, a missing model or a broken gateway: the client cannot fix it, but another engine may work.
        let message = format!("the engine cannot serve this request at the moment (status {status})");
        Failure::retry(
            FailureCode::GenerationFailed,
            message,
            retry_after.unwrap_or(DELAY),
        )
    }

    /// The failure that a failed request at the provider means for the job.
    pub(super) fn failed(&self, said: Option<String>) -> Failure {
        if let Some(reason) = said.as_ref().and_then(|said| self.errors.reason_of_refusal(said)) {
            return Failure::invalid_input(format!("the engine rejected the request: {reason}"));
        }
        match said {
            Some(said) if is_policy(&self.errors.policy, &said) => Failure::fail(
                FailureCode::ContentPolicyViolation,
                format!("the provider rejected the content: {said}"),
            ),
            Some(said) => Failure::retry(
                FailureCode::GenerationFailed,
                format!("the engine failed: {said}"),
                DELAY,
            ),
            None => Failure::retry(FailureCode::GenerationFailed, "the engine failed", DELAY),
        }
    }
}

impl Errors {
    /// Why a failed request's input was rejected; `None` if it failed for another reason.
    fn reason_of_refusal<'a>(&self, said: &'a str) -> Option<&'a str> {
        let after = |mark: &String| said.split_once(mark.as_str()).map(|(_, reason)| reason.trim());
        self.refused.iter().find_map(after)
    }
}

fn is_policy(words: &[String], text: &str) -> bool {
    let text = text.to_lowercase();
    words.iter().any(|word| text.contains(&word.to_lowercase()))
}

/// All values that a pointer finds, in order. `*` in a pointer stands for every item of a list.
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
    use crate::testing::PNG;

    fn profile(answer: &str) -> Profile {
        let text = format!("about = ''\nsubmit = {{path = '/'}}\noutputs = {{at = '/o'}}\n{answer}");
        Profile::parse("test", &text).unwrap()
    }

    #[test]
    fn the_reasons_of_stable_diffusion_cpps_server_are_read_in_each_form() {
        for name in ["sd-server", "sd-server-video"] {
            let profile = Profile::shipped(name).unwrap().unwrap();
            let reason = |answer| profile.error(&answer).unwrap();
            assert_eq!(
                reason(json!({"error": {"code": "generation_failed", "message": "no memory"}})),
                "no memory"
            );
            assert_eq!(
                reason(json!({"error": "server_error", "message": "cannot read"})),
                "cannot read"
            );
            assert_eq!(reason(json!({"error": "job queue is full"})), "job queue is full");
        }
    }

    #[test]
    fn the_state_is_read_from_the_place_in_the_profile() {
        let profile = profile(
            "answer = {state = '/status', error = ['/error/message', '/error'], states = {waiting = ['queued'], \
             done = ['ok'], failed = ['bad'], cancelled = ['off']}}",
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
    fn an_answer_without_states_is_final() {
        assert_eq!(profile("").state(&json!({"o": 1})), State::Done);
    }

    #[test]
    fn a_partial_image_is_a_text_or_the_last_match_in_one() {
        let image = PartialImage::new(PNG);
        let url = image.as_ref().unwrap().data_url();
        let plain = profile("answer = {partial_image = {at = '/preview'}}");
        assert_eq!(plain.partial_image(&json!({"preview": url})), image);
        for none in [
            json!({}),
            json!({"preview": null}),
            json!({"preview": "https://example.com/a.png"}),
        ] {
            assert_eq!(plain.partial_image(&none), None);
        }
        let log = profile("answer = {partial_image = {at = '/logs', pattern = 'preview (\\S+)'}}");
        let logs = format!("step 1/8\npreview data:image/png;base64,AAAA\nstep 2/8\npreview {url}\nstep 3/8");
        assert_eq!(log.partial_image(&json!({"logs": logs})), image);
        assert_eq!(log.partial_image(&json!({"logs": "step 1/8"})), None);
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
    fn refusals_become_failures_by_status_and_text() {
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
    fn a_failure_marked_as_rejected_input_is_final_and_another_is_retried() {
        let profile = profile("errors = {refused = ['BadRequest: ']}");
        let refused = profile.failed(Some("it failed: BadRequest: `size` is too large\n".to_owned()));
        assert_eq!(refused.code, FailureCode::InvalidInput);
        assert!(!refused.is_retryable());
        assert_eq!(
            refused.message,
            "the engine rejected the request: `size` is too large"
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
