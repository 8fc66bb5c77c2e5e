//! The operators' view of a decision.

use atelier_domain::{GenerationId, Timestamp};
use atelier_store::Decision;
use uuid::Uuid;

/// A decision, and the name of its account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionView {
    pub id: Uuid,
    pub at: Timestamp,
    pub rule: String,
    /// The stage that was checked, such as `prompt`.
    pub stage: String,
    /// Such as `refused`.
    pub decision: String,
    /// `None` if it was erased.
    pub account: Option<String>,
    pub model: String,
    pub generation: GenerationId,
    /// Set if the generation waits until a person decides, or has waited.
    pub review: Option<Wait>,
    /// The verdict of a person, or of the deadline, such as `approved`.
    pub verdict: Option<String>,
    /// The note of whoever said it; it may be empty.
    pub note: Option<String>,
}

/// The wait of a generation for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wait {
    /// The parameter that the rule was about; empty: the whole generation.
    pub part: String,
    /// When the service decides if nobody has.
    pub until: Timestamp,
    /// Whether the generation runs if nobody has decided by then.
    pub approves: bool,
    /// Whether it has stopped waiting.
    pub is_over: bool,
}

impl DecisionView {
    pub(super) fn new(decision: Decision, account: Option<String>) -> Self {
        let (verdict, note) = decision.said.map(|said| (said.verdict, said.note)).unzip();
        Self {
            id: decision.id,
            at: decision.at,
            rule: decision.rule,
            stage: decision.stage,
            decision: decision.decision,
            account,
            model: decision.model,
            generation: decision.generation,
            review: decision.review.map(|review| Wait {
                part: review.part,
                until: review.until,
                approves: review.approves,
                is_over: review.settled_at.is_some(),
            }),
            verdict,
            note,
        }
    }

    /// The outcome: `waiting`, a person's decision, or the decision itself.
    pub fn outcome(&self) -> &str {
        match (&self.verdict, &self.review) {
            (Some(verdict), _) => verdict,
            (None, Some(_)) => "waiting",
            (None, None) => &self.decision,
        }
    }

    /// Whether it is about a job. A refused upload or request has none.
    pub fn has_job(&self) -> bool {
        self.generation.0 != self.id
    }
}
