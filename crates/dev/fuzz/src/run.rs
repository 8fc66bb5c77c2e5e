//! Runs one target for a while, in a process of its own: what it does to itself is seen from outside.

use std::{
    collections::BTreeSet,
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus},
    sync::{Mutex, PoisonError},
    thread::sleep,
    time::{Duration, Instant, SystemTime},
};

use crate::{
    mutate::{Chance, mutate},
    targets::Target,
};

/// An input may take this long.
const PATIENCE: Duration = Duration::from_secs(20);
/// A process may have so much memory; each target is given files of at most 256 KiB.
const MEMORY: u64 = 3 << 30;
/// The place of the last panic.
static PANICKED: Mutex<String> = Mutex::new(String::new());

/// The folders of a run, and its duration.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) corpus: PathBuf,
    /// Inputs that broke something are kept here.
    pub(crate) findings: PathBuf,
    pub(crate) time: Duration,
    pub(crate) seed: u64,
}

/// The result of a run.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) executions: u64,
    pub(crate) findings: BTreeSet<String>,
}

/// The files of the corpus that a target begins with.
fn corpus(folder: &Path, target: &Target) -> std::io::Result<Vec<Vec<u8>>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or_default();
            path.is_file() && (target.reads)(name)
        })
        .collect();
    paths.sort();
    paths.into_iter().map(fs::read).collect()
}

/// Inside the process: runs damaged inputs until the time is over, and prints the number of them and each finding.
#[expect(clippy::print_stdout, reason = "the parent reads it")]
pub(crate) fn child(target: &Target, plan: &Plan) -> std::io::Result<()> {
    limit_memory();
    std::panic::set_hook(Box::new(|told| {
        let place = told.location().map_or_else(String::new, ToString::to_string);
        *PANICKED.lock().unwrap_or_else(PoisonError::into_inner) = place;
    }));
    let corpus = corpus(&plan.corpus, target)?;
    let folder = tempfile::tempdir()?;
    let current = current(plan, target);
    let mut chance = Chance::new(plan.seed);
    let mut found = BTreeSet::new();
    let ends = Instant::now() + plan.time;
    let mut executions = 0_u64;
    // All files as they are, then damaged ones.
    let mut whole = corpus.iter().cloned();
    while Instant::now() < ends {
        let input = whole.next().unwrap_or_else(|| mutate(&mut chance, &corpus));
        fs::write(&current, &input)?;
        let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(&input, folder.path())));
        executions += 1;
        if outcome.is_err() {
            let place = PANICKED.lock().unwrap_or_else(PoisonError::into_inner).clone();
            // The same place a thousand times is one finding.
            if found.insert(place.clone()) {
                let kept = keep(plan, target, &input)?;
                println!("finding {place} {}", kept.display());
            }
        }
    }
    println!("executions {executions}");
    Ok(())
}

/// Runs a target in processes of their own until the time is over.
pub(crate) fn parent(target: &Target, plan: &Plan) -> std::io::Result<Outcome> {
    fs::create_dir_all(&plan.findings)?;
    let begun = Instant::now();
    let mut outcome = Outcome::default();
    let mut turn = 0;
    while begun.elapsed() < plan.time {
        let plan = Plan {
            time: plan.time.saturating_sub(begun.elapsed()),
            // After a crash, other inputs.
            seed: plan.seed.wrapping_add(turn),
            ..plan.clone()
        };
        let output = plan.findings.join(format!("{}.log", target.name));
        let mut process = Command::new(std::env::current_exe()?)
            .args(["--child", target.name])
            .args(["--seconds", &plan.time.as_secs_f64().to_string()])
            .args(["--seed", &plan.seed.to_string()])
            .arg("--corpus")
            .arg(&plan.corpus)
            .arg("--findings")
            .arg(&plan.findings)
            .stdout(fs::File::create(&output)?)
            .stderr(std::process::Stdio::null())
            .spawn()?;
        let ended = watch(&mut process, &current(&plan, target))?;
        for line in fs::read_to_string(&output)?.lines() {
            match line.split_once(' ') {
                Some(("executions", count)) => outcome.executions += count.parse().unwrap_or(0),
                Some(("finding", what)) => {
                    outcome.findings.insert(what.to_owned());
                }
                _ => {}
            }
        }
        match ended {
            Some(status) if status.success() => break,
            ended => {
                let how = ended.map_or("no end".to_owned(), |status| status.to_string());
                let input = fs::read(current(&plan, target))?;
                let kept = keep(&plan, target, &input)?;
                outcome.findings.insert(format!("{how} {}", kept.display()));
            }
        }
        turn += 1;
    }
    Ok(outcome)
}

/// Waits for a process; `None` if one input took too long, after which the process is gone.
fn watch(process: &mut Child, current: &Path) -> std::io::Result<Option<ExitStatus>> {
    let begun = Instant::now();
    loop {
        if let Some(status) = process.try_wait()? {
            return Ok(Some(status));
        }
        let since = fs::metadata(current)
            .and_then(|metadata| metadata.modified())
            .ok()
            .and_then(age);
        if begun.elapsed() > PATIENCE && since.is_some_and(|since| since > PATIENCE) {
            process.kill()?;
            process.wait()?;
            return Ok(None);
        }
        sleep(Duration::from_millis(100));
    }
}

#[expect(clippy::disallowed_methods, reason = "compared with the time of a file")]
fn age(modified: SystemTime) -> Option<Duration> {
    SystemTime::now().duration_since(modified).ok()
}

/// Returns the file in which a process keeps the input that it works on.
fn current(plan: &Plan, target: &Target) -> PathBuf {
    plan.findings.join(format!("{}.current", target.name))
}

/// Keeps an input that broke something, under a name of its own.
fn keep(plan: &Plan, target: &Target, input: &[u8]) -> std::io::Result<PathBuf> {
    let sum = input.iter().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let path = plan.findings.join(format!("{}-{sum:016x}", target.name));
    fs::write(&path, input)?;
    Ok(path)
}

#[cfg(unix)]
fn limit_memory() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limit = Rlimit {
        current: Some(MEMORY),
        maximum: Some(MEMORY),
    };
    // If it cannot be set, the machine's own memory is the limit.
    let _ = setrlimit(Resource::As, limit);
}

#[cfg(not(unix))]
fn limit_memory() {
    let _ = MEMORY;
}
