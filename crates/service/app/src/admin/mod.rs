//! Administration: what operators see and change, on the pages and at the command line.

mod licence;
pub mod overview;
mod plans;
pub mod programs;
pub mod report;
pub mod switch;
pub mod takedown;
pub mod weights;

use std::sync::Arc;

use atelier_domain::{Actor, Clock, Entropy, Role, Timestamp};
use atelier_outbound::Guard;
use atelier_store::Store;

use crate::{App, Error, Result, System, people::SignedIn};

/// The proof that the signed-in user is an operator.
#[derive(Debug, Clone)]
pub struct Operator(SignedIn);

impl Operator {
    pub const fn signed_in(&self) -> &SignedIn {
        &self.0
    }

    pub fn login(&self) -> &str {
        &self.0.user.login
    }

    pub fn actor(&self) -> Actor {
        self.0.actor()
    }
}

/// The changes that operators may make, in the name of one of them or of the command line. Shares the services of
/// [`App`].
#[derive(Debug, Clone)]
pub struct Admin {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) guard: Guard,
    pub(crate) by: Actor,
}

impl Admin {
    /// Administration of this store; `by` is named in the record of changes.
    pub fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        guard: Guard,
        by: Actor,
    ) -> Self {
        Self {
            store,
            clock,
            entropy,
            guard,
            by,
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Checks every invariant of queue, ledger and outbox on one snapshot.
    pub async fn audit(&self) -> Result<atelier_store::Audit> {
        Ok(self.store.audit().await?)
    }
}

impl App {
    /// Only operators get in; for everybody else, administration does not exist.
    pub fn operator(&self, signed_in: &SignedIn) -> Result<Operator> {
        if signed_in.user.role == Role::Operator {
            Ok(Operator(signed_in.clone()))
        } else {
            Err(Error::NotFound("there is nothing here".to_owned()))
        }
    }

    /// Administration in the operator's name.
    pub fn admin(&self, operator: &Operator) -> Admin {
        self.acting(operator.actor())
    }
}

impl System {
    /// Administration in the name of the service itself or of the command line.
    pub fn admin(&self, by: Actor) -> Admin {
        self.app.acting(by)
    }
}
