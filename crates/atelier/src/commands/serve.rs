//! `atelier serve` and `atelier worker`: run until a signal stops them.

use std::io;

use serde_json::json;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::Session;
use crate::{
    failure::Failure,
    logging,
    output::{print, say},
    service::{Parts, Role, Service},
};

pub(super) fn run(session: &Session, role: Role) -> Result<(), Failure> {
    logging::start(&session.config.log_level, session.config.log_format);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut signals = Signals::new()?;
        let parts = Parts::system(role)?;
        // A start may wait for space on the disk.
        let service = tokio::select! {
            started = Service::start(&session.config, parts) => started?,
            () = signals.next() => return Err(Failure::new("stopped before it was ready")),
        };
        if let Err(error) = announce(session, &service, role).await {
            // It serves already: a database that fails now must not end it.
            tracing::warn!(%error, "what to do first could not be said");
        }
        signals.next().await;
        say("Stopping. Running jobs may finish. A second signal stops immediately.");
        tokio::select! {
            stopped = service.stop() => stopped,
            () = signals.next() => Err(Failure::new("stopped immediately")),
        }
    })
}

async fn announce(session: &Session, service: &Service, role: Role) -> Result<(), Failure> {
    let data = session.config.data.display();
    let metrics = service.metrics_address();
    let first_operator = match role {
        Role::Workers => None,
        Role::Everything | Role::Api => service.first_operator_url().await?,
    };
    if session.output.json {
        let url = service.address().map(|_| service.public_url());
        print(
            &json!({
                "listen": service.address(),
                "url": url,
                "base_url": url.map(|url| format!("{url}{}", atelier_api::BASE_PATH)),
                "metrics": metrics,
                "first_operator_url": first_operator,
                "workers": role != Role::Api,
                "data": session.config.data,
            })
            .to_string(),
        )?;
    }
    match service.address() {
        Some(address) => {
            say(&format!("atelier is listening on http://{address}"));
            say(&format!(
                "  API      {}{}",
                service.public_url(),
                atelier_api::BASE_PATH
            ));
        }
        None => say("atelier is running jobs of the store; it serves no API"),
    }
    if let Some(metrics) = metrics {
        say(&format!("  metrics  http://{metrics}/metrics"));
    }
    say(&format!("  data     {data}"));
    if role == Role::Api {
        say("  workers  none; run `atelier worker` on the same store");
    }
    if let Some(url) = &first_operator {
        say("\nThere are no users yet. Use this one-time link to create the first operator:");
        say(&format!("  {url}"));
    }
    if role != Role::Workers && service.store().accounts().await?.is_empty() {
        let data = match session.config.origin("data") {
            crate::config::Origin::Default => String::new(),
            _ => format!(" --data {data}"),
        };
        let create = match first_operator {
            Some(_) => "Use the link, or create an account",
            None => "Create an account",
        };
        say(&format!(
            "\nThere are no accounts yet. {create} with its first API key here:"
        ));
        say(&format!("  atelier account create NAME{data}\n"));
    }
    Ok(())
}

/// The signals that ask a process to stop.
pub(super) struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    pub(super) async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
