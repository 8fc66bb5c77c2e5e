//! The operator's desk: what concerns the whole service. Every use case asks for an [`Operator`].

pub mod accounts;
pub mod overview;
pub mod switch;
pub mod takedown;

use atelier_domain::{Actor, Role};

use crate::{App, Error, Result, people::SignedIn};

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

impl App {
    /// The desk is there for operators only; for everybody else there is nothing.
    pub fn operator(&self, signed_in: &SignedIn) -> Result<Operator> {
        if signed_in.user.role == Role::Operator {
            Ok(Operator(signed_in.clone()))
        } else {
            Err(Error::NotFound("there is nothing here".to_owned()))
        }
    }
}
