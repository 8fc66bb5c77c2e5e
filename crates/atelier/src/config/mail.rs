//! The table `mail`: the server that takes the service's mail.

use atelier_outbound::smtp::SmtpServer;
use figment::value::Value;

use super::{
    layers::Layers,
    read::{Read, Refused, any, optional_text, read},
};

/// Reads the server; `None` without one.
pub(super) fn mail(layers: &mut Layers) -> Option<SmtpServer> {
    let from = read(layers, "mail.from", optional_text);
    let from = from.as_deref().unwrap_or_default();
    let require_tls = read(layers, "mail.require_tls", any);
    read(layers, "mail.url", |value: &Value| -> Read<Option<SmtpServer>> {
        let server = optional_text(value)?.map(|url| SmtpServer::new(&url, from, require_tls));
        server.transpose().map_err(Refused::Because)
    })
}
