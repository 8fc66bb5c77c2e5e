//! Decides about jobs, and tells their owners.

use atelier_catalog::Model;
use atelier_domain::{Account, AccountId, Asset, Failure, FailureCode, Generation, GenerationId, Output};
use atelier_store::Decision;
use serde_json::{Map, Value, json};

use super::{Action, Subject, Violation, check::Verdict};
use crate::{App, Caller, Error, Result, System};

/// The wait before another attempt if the account could not be read.
const AGAIN: std::time::Duration = std::time::Duration::from_secs(5);

impl System {
    /// Whether the policy allows a job. A job that requires a review leaves the queue. Its worker then no longer holds
    /// it, so the failure that the worker records has no effect.
    pub async fn policy_allows(&self, generation: &Generation) -> Result<(), Failure> {
        let account = if self.policy().depends_on_account() {
            let account = self.app.store().account(generation.account).await;
            account.map_err(|error| {
                tracing::warn!(id = %generation.id, %error, "the account of a job could not be read");
                not_applied()
            })?
        } else {
            None
        };
        if self.policy().has_words() {
            match self.words_allow(account.clone(), generation).await? {
                Ok(()) => {}
                Err((parameter, found)) if found.action == Action::Review => {
                    let about = (&*found.rule, "prompt", &*parameter);
                    self.person_allows(generation, about).await?;
                }
                Err((parameter, found)) => {
                    self.note(generation, &found.rule, "prompt", "refused").await;
                    let message = found.message(&parameter);
                    return Err(Failure::fail(FailureCode::ContentPolicyViolation, message));
                }
            }
        }
        self.own_check_allows(account.as_ref().map(Subject::of), generation, None)
            .await?;
        count("", "allowed");
        Ok(())
    }

    /// Applies the rules about words. Thousands of terms and a long text would block other tasks, so another thread
    /// compares them.
    async fn words_allow(
        &self,
        account: Option<Account>,
        generation: &Generation,
    ) -> Result<Result<(), (String, Violation)>, Failure> {
        if self.policy().checks_quickly(&generation.params) {
            let subject = account.as_ref().map(Subject::of);
            return Ok(self.policy().check(subject, &generation.params));
        }
        let (app, params) = (self.app.clone(), generation.params.clone());
        let compared = tokio::task::spawn_blocking(move || {
            app.policy().check(account.as_ref().map(Subject::of), &params)
        });
        compared.await.map_err(|error| {
            tracing::error!(id = %generation.id, %error, "the words of a job could not be compared");
            not_applied()
        })
    }
}

/// The failure of an attempt without a decision.
pub(super) fn not_applied() -> Failure {
    let message = "the content policy could not be applied";
    Failure::retry(FailureCode::GenerationFailed, message, AGAIN)
}

impl System {
    /// Whether the operator's own check sees the results of jobs. Until then, nobody may see anything of them.
    pub fn checks_results(&self) -> bool {
        let check = self.policy().own_check();
        check.is_some_and(|(check, _)| check.asks_after)
    }

    /// Whether the operator's own check allows a job's result, if it checks results. The files are stored, but their
    /// links are not published yet.
    pub async fn result_is_checked(&self, generation: &Generation, output: &Output) -> Result<(), Failure> {
        if !self.checks_results() {
            return Ok(());
        }
        let unread = |error: Error| {
            tracing::warn!(id = %generation.id, %error, "the result of a job could not be checked");
            not_applied().resuming()
        };
        let account = self.app.store().account(generation.account).await;
        let account = account.map_err(|error| unread(error.into()))?;
        let links = self.app.links_of(generation.account).await.map_err(unread)?;
        let asset = |asset: &Asset| json!({ "url": links.url(&asset.file), "type": asset.kind.as_str() });
        let mut result = Map::new();
        result.insert("assets".to_owned(), output.assets.iter().map(asset).collect());
        self.own_check_allows(account.as_ref().map(Subject::of), generation, Some(result))
            .await
            .map_err(|failure| {
                if failure.is_retryable() {
                    failure.resuming()
                } else {
                    failure
                }
            })
    }

    /// Whether the operator's own check allows a job, or its result.
    async fn own_check_allows(
        &self,
        subject: Option<Subject<'_>>,
        generation: &Generation,
        result: Option<Map<String, Value>>,
    ) -> Result<(), Failure> {
        let Some((check, asking)) = self.policy().own_check() else {
            return Ok(());
        };
        if !check.is_about(subject) {
            return Ok(());
        }
        let now = self.app.now();
        let id = self.app.entropy().uuid(now);
        let name = check.name.as_str();
        // The check may look at the files: links to private ones open them.
        let params = self.engine_params(generation).await.map_err(|error| {
            tracing::warn!(id = %generation.id, %error, "the links of a job could not be signed");
            not_applied()
        })?;
        let (stage, is_after) = match result {
            Some(_) => ("result", true),
            None => ("check", false),
        };
        let asked = asking.ask(check, subject, (generation, &params), result, (id, now));
        match asked.await {
            Verdict::Allowed => Ok(()),
            // The results of a job are not reviewed.
            Verdict::Review if !is_after => self.person_allows(generation, (name, stage, "")).await,
            refused @ (Verdict::Refused(_) | Verdict::Review) => {
                let reason = match refused {
                    Verdict::Refused(reason) => reason,
                    _ => None,
                };
                self.note(generation, name, stage, "refused").await;
                let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
                let what = if is_after { "the result" } else { "this job" };
                let message =
                    format!("this service's content policy does not allow {what} (rule `{name}`){reason}");
                Err(Failure::fail(FailureCode::ContentPolicyViolation, message))
            }
            Verdict::Away(why) if check.is_open => {
                tracing::warn!(id = %generation.id, check = name, why, "a job runs without the operator's own check");
                self.note(generation, name, stage, "unchecked").await;
                Ok(())
            }
            Verdict::Away(why) => {
                tracing::warn!(id = %generation.id, check = name, why, "the operator's own check does not answer");
                count(name, "unavailable");
                Err(not_applied())
            }
        }
    }

    /// Counts a decision and writes it down, without what it was about. It stands even if that fails.
    pub(crate) async fn note(
        &self,
        generation: &Generation,
        rule: &str,
        stage: &str,
        decision: &'static str,
    ) {
        let written = self.decision(generation, (rule, stage), decision);
        self.app.write_down(&written, decision).await;
    }

    /// A decision of a rule at a stage.
    pub(super) fn decision(
        &self,
        generation: &Generation,
        (rule, stage): (&str, &str),
        decision: &str,
    ) -> Decision {
        let at = self.app.now();
        Decision {
            id: self.app.entropy().uuid(at),
            at,
            rule: rule.to_owned(),
            stage: stage.to_owned(),
            decision: decision.to_owned(),
            account: generation.account,
            model: generation.model.clone(),
            generation: generation.id,
            review: None,
            said: None,
        }
    }
}

impl App {
    /// Whether the policy lets the caller's account use a model.
    pub(crate) async fn policy_lets(&self, caller: &Caller, account: AccountId, model: &Model) -> Result<()> {
        let Err(barred) = self.policy().may_use(caller.subject(), model) else {
            return Ok(());
        };
        self.note(account, (&barred.rule, "request"), "barred", &model.slug)
            .await;
        Err(Error::Barred(barred))
    }

    /// Counts a decision that is about no job, and writes it down. It stands even if that fails.
    pub(super) async fn note(
        &self,
        account: AccountId,
        (rule, stage): (&str, &str),
        decision: &'static str,
        model: &str,
    ) {
        let at = self.now();
        let id = self.entropy().uuid(at);
        let written = Decision {
            id,
            at,
            rule: rule.to_owned(),
            stage: stage.to_owned(),
            decision: decision.to_owned(),
            account,
            model: model.to_owned(),
            // There is no job: an id that nothing else has.
            generation: GenerationId(id),
            review: None,
            said: None,
        };
        self.write_down(&written, decision).await;
    }

    async fn write_down(&self, written: &Decision, decision: &'static str) {
        count(&written.rule, decision);
        if let Err(error) = self.store().note_decision(written).await {
            let (id, rule) = (written.generation, &written.rule);
            tracing::warn!(%id, rule, %error, "a decision could not be written down");
        }
    }
}

impl Violation {
    /// The message for the owner of a job.
    fn message(&self, parameter: &str) -> String {
        let Self { rule, words, .. } = self;
        format!(
            "`{parameter}` asks for something that this service's content policy does not allow: \"{words}\" (rule \
             `{rule}`)"
        )
    }
}

/// Counts a decision; the rule is empty if none applied.
pub(crate) fn count(rule: &str, decision: &'static str) {
    metrics::counter!("atelier_policy_decisions_total", "rule" => rule.to_owned(), "decision" => decision)
        .increment(1);
}
