//! The decisions of the content policy: which rule, about which job, and never what the job asked for.

use async_trait::async_trait;
use atelier_domain::{AccountId, AuditRecord, GenerationId, Timestamp};
use uuid::Uuid;

use crate::{Result, values::Fields};

#[async_trait]
pub trait Decisions: Send + Sync + std::fmt::Debug {
    /// Writes a decision down. The same rule decides once about a generation at a stage; later rows of this kind change
    /// nothing. Durable.
    async fn note_decision(&self, decision: &Decision) -> Result<()>;
    /// Takes a running generation out of the queue until a person decides, and writes that decision down. The attempt
    /// does not count. Fenced by the epoch; false if the worker no longer holds it. Durable.
    async fn hold_for_review(&self, hold: &ReviewHold) -> Result<bool>;
    /// Writes down what a person, or the deadline, says about a generation that waits. `None` if it does not wait any
    /// more, or if somebody has decided before. The generation itself changes by [`Self::release_review`], or by its
    /// end. Durable.
    async fn decide_review(&self, verdict: &Verdict) -> Result<Option<Decision>>;
    /// Reviews to be carried out: those that were decided, and those whose time is up, the oldest first.
    async fn reviews_due(&self, now: Timestamp, limit: u32) -> Result<Vec<Decision>>;
    /// Puts an approved generation back to its place in the queue, in a lane, with the time that was left to it. False
    /// if it does not wait. Durable.
    async fn release_review(&self, id: GenerationId, lane: &str, now: Timestamp) -> Result<bool>;
    /// Marks a refusal as a mistake. `None` if it is none, or was marked before. Durable.
    async fn overturn_decision(&self, verdict: &Verdict) -> Result<Option<Decision>>;
    /// Decisions, newest first, those older than `before`.
    async fn decisions(
        &self,
        filter: DecisionFilter,
        before: Option<Uuid>,
        limit: u32,
    ) -> Result<Vec<Decision>>;
    /// How often each rule decided in a period, in the order of rules, stages and decisions.
    async fn decision_counts(&self, from: Timestamp, until: Timestamp) -> Result<Vec<DecisionCount>>;
    /// How the results of jobs that were accepted in a period are marked, as far as the jobs are still there. Reads all
    /// of them.
    async fn marks(&self, from: Timestamp, until: Timestamp) -> Result<Vec<MarkCount>>;
}

/// One decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Made at `at`, so that ids are in the order of the decisions.
    pub id: Uuid,
    pub at: Timestamp,
    pub rule: String,
    /// The stage that was checked, such as `prompt`.
    pub stage: String,
    /// Such as `refused`.
    pub decision: String,
    pub account: AccountId,
    pub model: String,
    pub generation: GenerationId,
    /// Set if the generation waits until a person decides, or has waited.
    pub review: Option<Review>,
    /// The verdict of a person, or of the deadline.
    pub said: Option<Said>,
}

/// The wait for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// The parameter that the rule was about; empty: the whole generation.
    pub part: String,
    /// When `approves` decides.
    pub until: Timestamp,
    /// Whether the generation runs if nobody has decided by then.
    pub approves: bool,
    /// When it stopped waiting.
    pub settled_at: Option<Timestamp>,
}

/// The verdict on a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// [`APPROVED`], [`REFUSED`], [`WITHDRAWN`] or [`OVERTURNED`].
    pub verdict: String,
    pub at: Timestamp,
    /// For the account; it may be empty.
    pub note: String,
}

/// The generation may run.
pub const APPROVED: &str = "approved";
/// The generation ends as refused.
pub const REFUSED: &str = "refused";
/// The generation ended while it waited.
pub const WITHDRAWN: &str = "withdrawn";
/// The refusal was a mistake.
pub const OVERTURNED: &str = "overturned";

/// The lane of generations that wait for a person. No engine has this name, so nobody claims them.
pub const REVIEW_LANE: &str = "(review)";
/// When generations in that lane are due: never. A node of an earlier version may move them to another lane.
pub(crate) const NEVER: i64 = i64::MAX;

/// A generation that is to wait for a person.
#[derive(Debug, Clone)]
pub struct ReviewHold {
    /// Of the generation, with its `review`.
    pub decision: Decision,
    pub epoch: i64,
    pub now: Timestamp,
}

impl ReviewHold {
    /// The time that is left until a deadline, and the new one: the wait does not count.
    pub(crate) fn deadlines(&self, deadline: i64) -> (i64, i64) {
        let left = deadline.saturating_sub(self.now.0).max(0);
        let until = self
            .decision
            .review
            .as_ref()
            .map_or(self.now, |review| review.until);
        (left, until.0.saturating_add(left))
    }
}

/// A verdict on the decision `id`.
#[derive(Debug, Clone)]
pub struct Verdict {
    pub id: Uuid,
    pub verdict: &'static str,
    pub now: Timestamp,
    pub note: String,
    pub record: AuditRecord,
}

/// The filter of a list of decisions; `None` leaves none out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DecisionFilter {
    pub account: Option<AccountId>,
    pub rule: Option<String>,
    pub generation: Option<GenerationId>,
    pub id: Option<Uuid>,
    /// Such as `refused`.
    pub decision: Option<String>,
    /// Such as `overturned`.
    pub verdict: Option<String>,
    /// Only those whose generations wait and about which nobody has said anything yet.
    pub waiting: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionCount {
    pub rule: String,
    pub stage: String,
    pub decision: String,
    pub count: u64,
    /// How many of them were mistakes.
    pub overturned: u64,
}

/// Jobs of one model and engine whose results carry the same marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkCount {
    pub model: String,
    pub engine: String,
    /// The outcome for the mark of each picture, as a JSON list; `None`: no picture was to be marked.
    pub watermark: Option<String>,
    /// The outcome for the signature of each file, as a JSON list; `None`: no file was to be signed.
    pub credentials: Option<String>,
    pub jobs: u64,
}

macro_rules! decision_columns {
    () => {
        "id, at, rule, stage, decision, account, model, generation, part, review_until, review_approves, settled_at, \
         verdict, verdict_at, note"
    };
}
pub(crate) use decision_columns;

/// From [`decision_columns`].
pub(crate) fn decision<R: Fields>(row: &R) -> Result<Decision, R::Error> {
    let review = match row.optional_moment(9)? {
        Some(until) => Some(Review {
            part: row.optional_string(8)?.unwrap_or_default(),
            until,
            approves: row.optional_boolean(10)?.unwrap_or(false),
            settled_at: row.optional_moment(11)?,
        }),
        None => None,
    };
    let said = match row.optional_string(12)? {
        Some(verdict) => Some(Said {
            verdict,
            at: row.moment(13)?,
            note: row.optional_string(14)?.unwrap_or_default(),
        }),
        None => None,
    };
    Ok(Decision {
        id: row.id(0)?,
        at: row.moment(1)?,
        rule: row.string(2)?,
        stage: row.string(3)?,
        decision: row.string(4)?,
        account: AccountId(row.id(5)?),
        model: row.string(6)?,
        generation: GenerationId(row.id(7)?),
        review,
        said,
    })
}
