//! The account area at `/account` and the documentation at `/docs`. The server renders the pages, which work without
//! scripts where that is reasonable. Pages reach data only through use cases of `atelier-app`, with the signed-in
//! account as their scope. A handler turns a form into a use case and its result into a page.

mod assets;
mod chart;
mod cookie;
mod csrf;
mod docs;
mod error;
mod form;
mod frame;
mod gzip;
mod headers;
mod moment;
mod once;
mod origin;
mod pages;
mod posted_only;
mod reference;
mod routes;
mod samples;
mod script;
mod session;
mod state;
mod text;
mod theme;
mod zip;

pub use routes::router;
pub use state::Options;
