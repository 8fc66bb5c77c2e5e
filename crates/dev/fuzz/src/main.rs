//! `atelier-fuzz`: damaged inputs for every reader of what strangers send, with the seed printed so that a run can be
//! repeated. An input that makes a reader panic, crash, hang or break a promise is kept, and the exit status is 1.

mod mutate;
mod run;
mod targets;

use std::{path::PathBuf, process::ExitCode, time::Duration};

use clap::Parser;

use crate::{run::Plan, targets::TARGETS};

/// Damages the files of the corpus and gives them to every reader.
#[derive(Debug, Parser)]
struct Arguments {
    /// How long each target runs, in seconds.
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
    /// Run only these targets (default: all).
    #[arg(long = "target")]
    targets: Vec<String>,
    /// The start of the damage; the same seed gives the same inputs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Small files of every accepted type.
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus"))]
    corpus: PathBuf,
    /// The folder for inputs that broke something.
    #[arg(long, default_value = "target/fuzz")]
    findings: PathBuf,
    /// Give one file to the targets as it is, and stop.
    #[arg(long)]
    replay: Option<PathBuf>,
    /// Run one target in this process.
    #[arg(long, hide = true)]
    child: Option<String>,
}

fn main() -> ExitCode {
    match fuzz(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            report(&format!("atelier-fuzz: {error}"));
            ExitCode::from(2)
        }
    }
}

/// Whether all targets ran without a finding.
fn fuzz(arguments: &Arguments) -> std::io::Result<bool> {
    let plan = Plan {
        corpus: arguments.corpus.clone(),
        findings: arguments.findings.clone(),
        time: Duration::from_secs_f64(arguments.seconds),
        seed: arguments.seed,
    };
    if let Some(name) = &arguments.child {
        if let Some(target) = TARGETS.iter().find(|target| target.name == name) {
            run::child(target, &plan)?;
        }
        return Ok(true);
    }
    let asked =
        |name: &str| arguments.targets.is_empty() || arguments.targets.iter().any(|asked| asked == name);
    let mut clean = true;
    for target in TARGETS.iter().filter(|target| asked(target.name)) {
        if let Some(file) = &arguments.replay {
            let folder = tempfile::tempdir()?;
            (target.run)(&std::fs::read(file)?, folder.path());
            continue;
        }
        let outcome = run::parent(target, &plan)?;
        report(&format!(
            "{:8} {:>9} executions, {} findings (seed {})",
            target.name,
            outcome.executions,
            outcome.findings.len(),
            plan.seed
        ));
        for finding in &outcome.findings {
            report(&format!("         {finding}"));
        }
        clean &= outcome.findings.is_empty();
    }
    Ok(clean)
}

#[expect(clippy::print_stdout, reason = "the report is what the program is for")]
fn report(line: &str) {
    println!("{line}");
}
