//! The account area at `/account` and the documentation at `/docs`: pages drawn by the server, which work
//! without scripts where that is reasonable. No page reaches data but through a use case of `atelier-app`
//! with the signed-in account as its scope; a handler turns a form into a use case and its answer into a page.

mod assets;
mod chart;
mod cookie;
mod csrf;
mod docs;
mod error;
mod form;
mod frame;
mod headers;
mod origin;
mod pages;
mod routes;
mod session;
mod text;
mod theme;

pub use routes::{Options, router};
