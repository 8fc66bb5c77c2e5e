//! `atelier worker --join`: runs the jobs of a service on another machine.

use std::{fs, path::Path, time::Duration};

use atelier_media::Scratch;
use atelier_worker::remote::{self, Join};
use serde_json::json;
use url::Url;

use super::{Session, serve::Signals};
use crate::{
    callbacks, cli,
    config::Config,
    data, engines,
    failure::Failure,
    files::ScratchUse,
    logging,
    output::{print, say},
    service,
};

pub(super) fn run(session: &Session, to: &Url, worker: &cli::Worker) -> Result<(), Failure> {
    let config = &session.config;
    logging::start(&config.log_level, config.log_format);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut signals = Signals::new()?;
        data::prepare(&config.data)?;
        let _scratch = ScratchUse::begin(&service::scratch(config))?;
        let join = prepared(config, to, worker)?;
        callbacks::open(&join.routes, config.callbacks.as_ref(), None).await?;
        let name = join.name.clone();
        say(&format!("Joining {to} as `{name}`."));
        let joining = tokio::select! {
            joined = remote::join(join) => joined,
            () = signals.next() => return Ok(()),
        };
        let joined = joining.map_err(Failure::new)?;
        announce(session, to, &name)?;
        let refused = tokio::select! {
            () = signals.next() => false,
            () = joined.refused() => true,
        };
        if !refused {
            say("Stopping. Running jobs may finish. A second signal stops immediately.");
        }
        // Without a token, no result can be handed in.
        let grace = if refused {
            Duration::ZERO
        } else {
            config.shutdown_grace
        };
        tokio::select! {
            () = joined.drain(grace) => {}
            () = signals.next() => return Err(Failure::new("stopped immediately")),
        }
        if refused {
            return Err(Failure::Failed {
                code: "token_refused",
                message: "the service refuses the token: it is unknown or revoked".to_owned(),
            });
        }
        Ok(())
    })
}

fn announce(session: &Session, to: &Url, name: &str) -> Result<(), Failure> {
    if session.output.json {
        print(&json!({ "service": to, "name": name, "data": session.config.data }).to_string())?;
    }
    say(&format!("atelier runs the jobs of {to}"));
    say(&format!("  data     {}", session.config.data.display()));
    Ok(())
}

fn prepared(config: &Config, to: &Url, worker: &cli::Worker) -> Result<Join, Failure> {
    let read = |file: &Path| {
        fs::read(file).map_err(|error| Failure::new(format!("cannot read {}: {error}", file.display())))
    };
    let missing = || Failure::usage("--join requires --token-file");
    let token = read(worker.token_file.as_deref().ok_or_else(missing)?)?;
    let token = String::from_utf8_lossy(&token).trim().to_owned();
    if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Failure::new(
            "the file with the token must contain the token and nothing else",
        ));
    }
    let program = std::env::current_exe()
        .map_err(|error| Failure::new(format!("cannot find the file of this program: {error}")))?;
    let name = worker.name.clone().filter(|name| !name.trim().is_empty());
    Ok(Join {
        service: to.clone(),
        token,
        name: name.unwrap_or_else(machine),
        authorities: worker.ca_file.as_deref().map(read).transpose()?,
        catalog: service::catalog(config)?,
        routes: engines::routes(config, (program, vec!["draft-host".into()]))?,
        scratch: Scratch::new(service::scratch(config), config.scratch),
        memory: memory(),
    })
}

/// The name of this machine.
fn machine() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    match name.trim() {
        "" => "worker".to_owned(),
        name => name.to_owned(),
    }
}

/// The memory of this machine, in bytes, if the system says it.
fn memory() -> Option<u64> {
    let facts = fs::read_to_string("/proc/meminfo").ok()?;
    let line = facts.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}
