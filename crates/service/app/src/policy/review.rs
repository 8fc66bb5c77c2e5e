//! Reviews: jobs that wait for a person's decision, and refusals that a person overturns.

use std::collections::HashMap;

use atelier_domain::{Failure, FailureCode, Generation, State};
use atelier_store::{
    APPROVED, Decision, DecisionFilter, Ended, OVERTURNED, REFUSED, Review, ReviewHold, Said, Verdict,
};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    deciding::{count, not_applied},
    view::DecisionView,
};
use crate::{Admin, App, Error, Operator, Result, System, audit};

/// The longest note, in characters.
const MAX_NOTE: usize = 500;
/// The most decisions about one job.
const OF_ONE_JOB: u32 = 20;

/// A review of a job, as its owner sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ReviewView {
    /// `waiting`: the job waits for a person's decision. `overturned`: it was refused, and the operator later marked
    /// the refusal as a mistake.
    #[schema(example = "waiting")]
    pub state: &'static str,
    /// The start of this state: RFC 3339, UTC, milliseconds.
    pub since: String,
    /// Only while the job waits: when the service decides if nobody has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// The operator's note.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Filters for decisions.
#[derive(Debug, Clone, Default)]
pub struct Decisions<'a> {
    pub account: Option<&'a str>,
    pub rule: Option<&'a str>,
    /// Such as `refused`.
    pub decision: Option<&'a str>,
    /// Such as `overturned`.
    pub verdict: Option<&'a str>,
    /// Only those that wait for a person.
    pub waiting: bool,
    /// Only decisions older than the one of this id.
    pub before: Option<&'a str>,
}

/// A job that waits, with what its reviewer must see.
#[derive(Debug, Clone)]
pub struct ReviewJob {
    pub view: DecisionView,
    /// Its parameters, with links that work; empty if it is gone.
    pub params: Map<String, Value>,
}

impl System {
    /// Whether a person has approved a job. If nobody has decided, its review begins here.
    pub(super) async fn person_allows(
        &self,
        generation: &Generation,
        (rule, stage, part): (&str, &str, &str),
    ) -> Result<(), Failure> {
        let store = self.app.store();
        let unread = |error: atelier_store::StoreError| {
            tracing::warn!(id = %generation.id, %error, "the review of a job could not be read or begun");
            not_applied()
        };
        let known = store.decisions(of_job(generation), None, OF_ONE_JOB).await;
        if known.map_err(unread)?.iter().any(is_approved) {
            return Ok(());
        }
        let reviewing = self.policy().reviewing();
        let mut decision = self.decision(generation, (rule, stage), "review");
        let now = decision.at;
        decision.review = Some(Review {
            part: part.to_owned(),
            until: now.plus(reviewing.wait),
            approves: reviewing.approves,
            settled_at: None,
        });
        let hold = ReviewHold {
            decision,
            epoch: generation.epoch,
            now,
        };
        if store.hold_for_review(&hold).await.map_err(unread)? {
            count(rule, "review");
            self.app.hints().changed(generation.id);
            tracing::info!(id = %generation.id, rule, "a job waits for a review");
        }
        let message = "the job waits for a review";
        Err(Failure::fail(FailureCode::ContentPolicyViolation, message))
    }

    /// Carries out decisions about waiting jobs, and decides about those whose time is up. Returns the number of jobs.
    pub(crate) async fn settle_reviews(&self) -> Result<u32> {
        self.app.settle_reviews().await
    }
}

impl App {
    pub(crate) async fn settle_reviews(&self) -> Result<u32> {
        const BATCH: u32 = 100;
        let mut found = 0;
        for due in self.store().reviews_due(self.now(), BATCH).await? {
            let decided = match due.said {
                Some(_) => Some(due),
                None => self.time_is_up(&due).await?,
            };
            if let Some(decided) = decided {
                self.carry_out(&decided).await?;
                found += 1;
            }
        }
        Ok(found)
    }

    /// Decides about a job whose time is up. `None` if a person decided just now.
    async fn time_is_up(&self, due: &Decision) -> Result<Option<Decision>> {
        let approves = due.review.as_ref().is_some_and(|review| review.approves);
        let verdict = if approves { APPROVED } else { REFUSED };
        let by = atelier_domain::Actor::Service;
        let record = audit::record(
            self.now(),
            &by,
            "policy.review",
            Some(due.account),
            due.generation,
        );
        let record = audit::with(
            record,
            &[("verdict", verdict.into()), ("rule", due.rule.as_str().into())],
        );
        let verdict = Verdict {
            id: due.id,
            verdict,
            now: self.now(),
            note: String::new(),
            record,
        };
        Ok(self.store().decide_review(&verdict).await?)
    }

    async fn carry_out(&self, decided: &Decision) -> Result<()> {
        let (Some(said), Some(review)) = (&decided.said, &decided.review) else {
            return Ok(());
        };
        let job = self
            .store()
            .generation(decided.account, decided.generation)
            .await?;
        let Some(job) = job.filter(|job| job.state == State::Queued) else {
            // The job has ended, or it runs: there is no review to end.
            self.store()
                .release_review(decided.generation, "", self.now())
                .await?;
            return Ok(());
        };
        if said.verdict == APPROVED {
            let lane = self.lane_for_new_job(&job.model);
            let lane = lane.or_else(|| job.served_by.clone()).unwrap_or_default();
            if self.store().release_review(job.id, &lane, self.now()).await? {
                self.hints().work(&lane);
                self.hints().changed(job.id);
            }
            return Ok(());
        }
        let failure = Failure::fail(
            FailureCode::ContentPolicyViolation,
            refusal(decided, review, said),
        );
        match self.end(&job, failure, Some(job.epoch), None).await? {
            Ended::Ended | Ended::NotProcessing | Ended::NotFound => Ok(()),
        }
    }

    /// The review of a job, as its owner sees it.
    pub async fn review_view(&self, generation: &Generation) -> Result<Option<ReviewView>> {
        // A review begins in an attempt, so a job without attempts has none.
        let may_wait = generation.state == State::Queued && generation.epoch > 0;
        let code = generation.failure.as_ref().map(|failure| failure.code);
        if !may_wait && code != Some(FailureCode::ContentPolicyViolation) {
            return Ok(None);
        }
        let found = self
            .store()
            .decisions(of_job(generation), None, OF_ONE_JOB)
            .await?;
        Ok(found.iter().find_map(view))
    }

    /// The waiting jobs with their texts and inputs, the most urgent first.
    pub async fn review_jobs(&self, by: &Operator, limit: u32) -> Result<Vec<ReviewJob>> {
        let waiting = Decisions {
            waiting: true,
            ..Decisions::default()
        };
        let mut jobs = Vec::new();
        for (one, account) in self.admin(by).found(waiting, limit).await? {
            let job = self.store().generation(one.account, one.generation).await?;
            let params = match &job {
                Some(job) => self.shown_params(job, &self.links_of(job.account).await?),
                None => Map::new(),
            };
            let view = DecisionView::new(one, account);
            jobs.push(ReviewJob { view, params });
        }
        Ok(jobs)
    }

    /// Decides about a waiting job, and carries the decision out.
    pub async fn decide_review(&self, by: &Operator, id: Uuid, approve: bool, note: &str) -> Result<()> {
        let decided = self.admin(by).decide(id, approve, note).await?;
        if let Err(error) = self.carry_out(&decided).await {
            tracing::warn!(id = %decided.generation, %error, "the decision about a review will be carried out later");
        }
        Ok(())
    }
}

impl Admin {
    /// Decisions of the content policy, newest first; waiting jobs, the most urgent first.
    pub async fn policy_decisions(&self, asked: Decisions<'_>, limit: u32) -> Result<Vec<DecisionView>> {
        let found = self.found(asked, limit).await?.into_iter();
        Ok(found
            .map(|(decision, account)| DecisionView::new(decision, account))
            .collect())
    }

    /// The decisions, each with the name of its account.
    async fn found(&self, asked: Decisions<'_>, limit: u32) -> Result<Vec<(Decision, Option<String>)>> {
        let account = match asked.account {
            Some(name) => Some(self.account(name).await?.id),
            None => None,
        };
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let filter = DecisionFilter {
            account,
            rule: owned(asked.rule),
            decision: owned(asked.decision),
            verdict: owned(asked.verdict),
            waiting: asked.waiting,
            ..DecisionFilter::default()
        };
        let before = asked.before.and_then(|id| id.parse().ok());
        let found = self.store.decisions(filter, before, limit).await?;
        let names = self.store.accounts().await?.into_iter();
        let names: HashMap<_, _> = names.map(|account| (account.id, account.name)).collect();
        let named = |one: Decision| {
            let name = names.get(&one.account).cloned();
            (one, name)
        };
        Ok(found.into_iter().map(named).collect())
    }

    /// Decides about a waiting job. A running service carries the decision out within seconds.
    pub async fn decide_review(&self, id: Uuid, approve: bool, note: &str) -> Result<DecisionView> {
        Ok(DecisionView::new(self.decide(id, approve, note).await?, None))
    }

    async fn decide(&self, id: Uuid, approve: bool, note: &str) -> Result<Decision> {
        let word = if approve { APPROVED } else { REFUSED };
        let one = self.decision(id).await?;
        let verdict = self.verdict(&one, word, "policy.review", note)?;
        let decided = self.store.decide_review(&verdict).await?;
        decided.ok_or_else(|| {
            let job = one.generation;
            Error::Conflict(format!("the job `{job}` no longer waits for a review"))
        })
    }

    /// Marks a refusal as a mistake. The job stays failed; its owner sees the note.
    pub async fn overturn_decision(&self, id: Uuid, note: &str) -> Result<DecisionView> {
        let one = self.decision(id).await?;
        let verdict = self.verdict(&one, OVERTURNED, "policy.overturn", note)?;
        let overturned = self.store.overturn_decision(&verdict).await?;
        let overturned = overturned.map(|decision| DecisionView::new(decision, None));
        overturned.ok_or_else(|| {
            Error::Conflict("only a refusal that is not overturned yet can be overturned".to_owned())
        })
    }

    /// The decision of this id, or the newest one about the job of this id.
    pub async fn decision_about(&self, id: &str) -> Result<Uuid> {
        let missing = || {
            Error::NotFound(format!(
                "there is no decision with the id `{id}`, and none about a job with this id"
            ))
        };
        let id: Uuid = id.trim().parse().map_err(|_| missing())?;
        if self.decision(id).await.is_ok() {
            return Ok(id);
        }
        let of_job = DecisionFilter {
            generation: Some(atelier_domain::GenerationId(id)),
            ..DecisionFilter::default()
        };
        let found = self.store.decisions(of_job, None, OF_ONE_JOB).await?;
        let waits = |one: &&Decision| one.said.is_none();
        let first = found.iter().find(waits).or(found.first());
        first.map(|one| one.id).ok_or_else(missing)
    }

    async fn decision(&self, id: Uuid) -> Result<Decision> {
        let filter = DecisionFilter {
            id: Some(id),
            ..DecisionFilter::default()
        };
        let found = self.store.decisions(filter, None, 1).await?.pop();
        found.ok_or_else(|| Error::NotFound(format!("there is no decision with the id `{id}`")))
    }

    fn verdict(
        &self,
        one: &Decision,
        verdict: &'static str,
        action: &'static str,
        note: &str,
    ) -> Result<Verdict> {
        let note = note.trim();
        if note.chars().count() > MAX_NOTE {
            let message = format!("the note can have at most {MAX_NOTE} characters");
            return Err(Error::parameter("note", message));
        }
        let now = self.now();
        let record = audit::record(now, &self.by, action, Some(one.account), one.generation);
        let details = [
            ("verdict", verdict.into()),
            ("rule", one.rule.as_str().into()),
            ("note", note.into()),
        ];
        Ok(Verdict {
            id: one.id,
            verdict,
            now,
            note: note.to_owned(),
            record: audit::with(record, &details),
        })
    }
}

fn of_job(generation: &Generation) -> DecisionFilter {
    DecisionFilter {
        generation: Some(generation.id),
        ..DecisionFilter::default()
    }
}

fn is_approved(one: &Decision) -> bool {
    let said = one.said.as_ref();
    one.review.is_some() && said.is_some_and(|said| said.verdict == APPROVED)
}

/// The message for the owner of a refused job.
fn refusal(decided: &Decision, review: &Review, said: &Said) -> String {
    let part = match review.part.as_str() {
        "" => "this job".to_owned(),
        part => format!("`{part}`"),
    };
    let note = match said.note.as_str() {
        "" => String::new(),
        note => format!(": {note}"),
    };
    format!(
        "{part} was reviewed and is not allowed by this service's content policy (rule `{}`){note}",
        decided.rule
    )
}

fn view(one: &Decision) -> Option<ReviewView> {
    let note = |said: &Said| Some(said.note.clone()).filter(|note| !note.is_empty());
    match (&one.said, &one.review) {
        (Some(said), _) if said.verdict == OVERTURNED => Some(ReviewView {
            state: "overturned",
            since: said.at.rfc3339(),
            until: None,
            note: note(said),
        }),
        // A decided job still waits until the decision is carried out.
        (said, Some(review))
            if review.settled_at.is_none() && said.as_ref().is_none_or(|said| said.verdict != OVERTURNED) =>
        {
            Some(ReviewView {
                state: "waiting",
                since: one.at.rfc3339(),
                until: Some(review.until.rfc3339()),
                note: None,
            })
        }
        _ => None,
    }
}
