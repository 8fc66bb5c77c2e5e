//! People: how they come in, what proves who they are, and what each may do about himself and others.

pub mod invite;
pub mod join;
pub mod passwords;
pub mod session;
pub mod sign_in;
mod throttle;
pub mod users;

pub use session::{Browser, NewSession, SignedIn};
pub(crate) use throttle::Guesses;
