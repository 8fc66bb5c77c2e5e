//! The log: one line per event on standard error, as text or as JSON.

use std::io;

use tracing_subscriber::{
    Layer as _, filter::Targets, fmt, layer::SubscriberExt as _, util::SubscriberInitExt as _,
};

use crate::config::LogFormat;

/// Starts the log of this process, unless there is one already.
pub(crate) fn start(level: &str, format: LogFormat) {
    let filter: Targets = level
        .parse()
        .unwrap_or_else(|_| Targets::new().with_default(tracing::Level::INFO));
    let lines = fmt::layer().with_writer(io::stderr);
    let layer = match format {
        LogFormat::Text => lines
            .with_ansi(io::IsTerminal::is_terminal(&io::stderr()))
            .boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    if tracing_subscriber::registry()
        .with(layer.with_filter(filter))
        .try_init()
        .is_err()
    {
        tracing::debug!("a log is already installed");
    }
}
