//! `atelier models pull`: shows licences and sizes, downloads with a progress bar, installs or writes a pack.

use std::{io::IsTerminal as _, path::Path, time::Duration};

use atelier_weights::{Installed, Meter, Packed, Plan, Puller, Step, bytes};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::{super::Session, block_on, licences};
use crate::{cli, data, failure::Failure, output::say, pulled, serving};

/// The result of a pull.
#[derive(Serialize)]
struct Pulled {
    models: Vec<PulledModel>,
    /// Over the network.
    received_bytes: u64,
}

#[derive(Serialize)]
struct PulledModel {
    name: String,
    folder: String,
    bytes: u64,
    /// The models of the catalog that it serves from now on.
    serves: Vec<String>,
    /// The runtime that it would need, if this program does not run it.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_run: Option<String>,
    /// The libraries that a program needs and that are not on this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    lacks: Option<String>,
    /// The memory that it needs and that processes may have, in bytes, if that is not enough.
    #[serde(skip)]
    lacks_memory: Option<(u64, u64)>,
}

pub(super) fn run(session: &Session, puller: &Puller, asked: &cli::Pull) -> Result<(), Failure> {
    let plan = match &asked.target {
        Some(target) => puller.plan_for(&asked.names, target)?,
        None => puller.plan(&asked.names)?,
    };
    data::prepare(&session.config.data)?;
    announce(&plan);
    let meter = Meter::default();
    block_on(async {
        licences::settle(session, &plan.to_accept(), asked.accept_licence).await?;
        let bar = Bar::new();
        if let Some(path) = &asked.to {
            watched(&bar, &meter, puller.fetch(&plan, &meter)).await?;
            let packed = puller.pack(plan.entries.clone(), path).await?;
            return Ok(session.output.result(&packed, || written(&packed, path))?);
        }
        let models = watched(&bar, &meter, puller.pull(&plan, &meter)).await?;
        let model = |model: &Installed| PulledModel {
            name: model.entry.name.clone(),
            folder: model.folder.display().to_string(),
            bytes: model.bytes(),
            serves: serving::slugs(&model.entry, &puller.store),
            not_run: serving::missing_program(&model.entry, &puller.store),
            lacks: pulled::lacks(model, &session.config.models.passed),
            lacks_memory: Some((
                model.entry.needs.memory_mb * 1_000_000,
                session.config.models.memory_bytes,
            ))
            .filter(|(needs, allowed)| puller.runs(&model.entry) && needs > allowed),
        };
        let pulled = Pulled {
            models: models.iter().map(model).collect(),
            received_bytes: meter.received(),
        };
        Ok(session.output.result(&pulled, || text(&pulled))?)
    })
}

/// Says what comes, with the licences, before anything is downloaded.
fn announce(plan: &Plan) {
    for entry in &plan.entries {
        let size = bytes(entry.download_bytes());
        say(&format!("{}: {size}, {}", entry.name, entry.licence.line()));
    }
    if plan.missing_bytes > 0 {
        say(&format!("{} to download.", bytes(plan.missing_bytes)));
    }
}

fn text(pulled: &Pulled) -> String {
    let lines: Vec<_> = pulled
        .models
        .iter()
        .map(|model| {
            let (effect, memory) = (effect(model), memory(model));
            let lacks = model.lacks.as_deref().map_or_else(String::new, cannot_run);
            format!("{} is here: {}{effect}{memory}{lacks}", model.name, model.folder)
        })
        .collect();
    format!(
        "{}\n{} downloaded.",
        lines.join("\n"),
        bytes(pulled.received_bytes)
    )
}

/// Returns the effect of a pulled model, as the rest of its line.
fn effect(model: &PulledModel) -> String {
    match &model.not_run {
        Some(runtime) if pulled::programs().iter().any(|(name, _)| name == runtime) => {
            format!(
                "\n  Pull a program that runs it too: one of `models list --all` whose name begins with {runtime}-."
            )
        }
        Some(runtime) => {
            format!("\n  This program does not run `{runtime}` yet, so it serves nothing by itself.")
        }
        None if model.serves.is_empty() => String::new(),
        None => format!("\n  It serves {} now.", model.serves.join(", ")),
    }
}

/// A warning about the memory limit, as the rest of its line.
fn memory(model: &PulledModel) -> String {
    model.lacks_memory.map_or_else(String::new, |(needs, allowed)| {
        format!(
            "\n  It needs {} of memory, but `models.memory_mb` allows {}: raise it, or jobs go to the next route.",
            bytes(needs),
            bytes(allowed)
        )
    })
}

/// A warning about a program whose libraries are not here, as the rest of its line.
pub(super) fn cannot_run(lacks: &str) -> String {
    format!("\n  It cannot run on this machine, which lacks {lacks}.")
}

pub(super) fn written(packed: &Packed, path: &Path) -> String {
    format!(
        "{} has {}: {} files, {}. `atelier models import` on the other machine takes it.",
        path.display(),
        packed.entries.join(", "),
        packed.files,
        bytes(packed.bytes)
    )
}

/// Shows the progress of a pull until it ends.
async fn watched<T>(
    bar: &Bar,
    meter: &Meter,
    work: impl Future<Output = atelier_weights::Result<T>>,
) -> Result<T, Failure> {
    let mut ticks = tokio::time::interval(Duration::from_millis(200));
    tokio::pin!(work);
    let done = loop {
        tokio::select! {
            done = &mut work => break done,
            _ = ticks.tick() => bar.show(meter),
        }
    };
    bar.0.finish_and_clear();
    Ok(done?)
}

struct Bar(ProgressBar);

impl Bar {
    fn new() -> Self {
        if !std::io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let bar = ProgressBar::new(0);
        let template = "{msg:11} [{bar:30}] {bytes} of {total_bytes}  {binary_bytes_per_sec}  {eta}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        Self(bar)
    }

    fn show(&self, meter: &Meter) {
        self.0.set_length(meter.total());
        self.0.set_position(meter.verified());
        self.0.set_message(match meter.step() {
            Step::Waiting => "waiting",
            Step::Downloading => "downloading",
            Step::Checking => "checking",
            Step::Searching => "repairing",
            Step::Preparing => "preparing",
        });
    }
}
