//! People: invitations, signing in, sessions, and what users may change about themselves and others.

pub mod invite;
pub mod join;
pub mod mail;
pub mod members;
pub mod oidc;
pub mod passwords;
pub mod reset;
pub mod session;
pub mod sign_in;
mod throttle;
pub(crate) mod totp;
pub mod two_step;
pub mod users;

pub use session::{Browser, NewSession, SignedIn};
pub(crate) use throttle::{Guesses, network};
pub use two_step::Entry;
