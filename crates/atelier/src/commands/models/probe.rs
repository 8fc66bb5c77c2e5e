//! `atelier models probe`: runs weights once on the probe of their entry, by the engine that runs them for jobs, and
//! compares the result with what the entry expects.

use std::{
    fs,
    future::Future,
    path::Path,
    time::{Duration, Instant},
};

use atelier_domain::{
    Clock as _, Entropy as _, Failure as DomainFailure, FileFacts, GenerationId, MediaKind,
    clock::SystemClock,
};
use atelier_engines::{Context, Job, Made, MadeFile, RouteOptions, Safety};
use atelier_media::Scratch;
use atelier_weights::{Entry, Error, Installed, Kind, Puller, bytes};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::{super::Session, block_on};
use crate::{
    engines,
    entropy::SystemEntropy,
    failure::Failure,
    logging, onnx,
    output::{say, table},
    pulled,
    service::{Parts, Role},
    serving, studio, weights,
};

/// A score that no picture has.
const NEVER: f64 = 2.0;
/// A probe that takes longer has failed.
const PATIENCE: Duration = Duration::from_mins(10);

/// The table `probe` of an entry.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Probe {
    sample: Option<String>,
    request: Map<String, Value>,
    expect: Expect,
}

/// The expected properties of the result.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Expect {
    /// `image`, `video`, `audio` or `scores`; the name of a member of the metadata otherwise.
    kind: String,
    width: Option<u32>,
    height: Option<u32>,
    min_seconds: Option<f64>,
    max_seconds: Option<f64>,
    min_score: Option<f64>,
    max_score: Option<f64>,
    files: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    Ok,
    /// The result is not what the entry expects.
    Different,
    Failed,
    /// This program does not run such weights.
    NotRun,
}

impl Outcome {
    const fn text(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Different => "different",
            Self::Failed => "failed",
            Self::NotRun => "not run",
        }
    }
}

/// The result of one probe.
#[derive(Debug, Serialize)]
struct Row {
    name: String,
    result: Outcome,
    /// Loading included.
    seconds: Option<f64>,
    /// The most memory that the process had.
    memory_bytes: Option<u64>,
    runtime: Option<String>,
    device: Option<String>,
    /// The difference, or the reason why it failed or was not run.
    reason: Option<String>,
}

pub(super) fn run(session: &Session, puller: &Puller, names: &[String]) -> Result<(), Failure> {
    logging::start("error", session.config.log_format);
    let mut models = puller.store.installed()?;
    models.retain(|model| model.entry.kind == Kind::Model);
    for name in names {
        if !models.iter().any(|model| model.entry.name == *name) {
            return Err(Error::NotHere(name.clone()).into());
        }
    }
    if !names.is_empty() {
        models.retain(|model| names.contains(&model.entry.name));
    }
    let rows = block_on(async {
        let mut rows = Vec::new();
        for model in &models {
            rows.push(probe(session, model).await?);
        }
        Ok(rows)
    })?;
    session.output.result(&rows, || shown(&rows))?;
    let is_wrong = |row: &Row| match row.result {
        Outcome::Ok => false,
        Outcome::NotRun => names.contains(&row.name),
        Outcome::Different | Outcome::Failed => true,
    };
    match rows.iter().filter(|row| is_wrong(row)).count() {
        0 => Ok(()),
        count => {
            say(&format!("error: {count} of {} weights did not pass", rows.len()));
            Err(Failure::Reported)
        }
    }
}

fn shown(rows: &[Row]) -> String {
    if rows.is_empty() {
        return "No weights are here. `atelier models list --all` shows what can be pulled.".to_owned();
    }
    let cells = |row: &Row| {
        let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        vec![
            row.name.clone(),
            row.result.text().to_owned(),
            row.seconds
                .map_or_else(|| "-".to_owned(), |seconds| format!("{seconds:.1} s")),
            row.memory_bytes.map_or_else(|| "-".to_owned(), bytes),
            text(&row.runtime),
            text(&row.device),
            row.reason.clone().unwrap_or_default(),
        ]
    };
    let header = ["name", "result", "time", "memory", "runtime", "device", ""];
    table(&header, rows.iter().map(cells).collect())
}

/// Runs one probe in a process of its own.
async fn probe(session: &Session, model: &Installed) -> Result<Row, Failure> {
    let entry = &model.entry;
    let mut row = Row {
        name: entry.name.clone(),
        result: Outcome::NotRun,
        seconds: None,
        memory_bytes: None,
        runtime: None,
        device: None,
        reason: None,
    };
    let store = weights::store(&session.config);
    let program = pulled::device(entry, &store);
    let task = serving::task(entry).or_else(|| program.and(pulled::task(entry)));
    let Some(task) = task else {
        row.reason = Some(match serving::missing_runtime(entry) {
            Some(runtime) => format!("this program does not run `{runtime}` yet"),
            None => "this program has no task for it yet".to_owned(),
        });
        return Ok(row);
    };
    if let Some(lacks) = pulled::lacks_for(entry, &store, &session.config.models.passed) {
        row.result = Outcome::Failed;
        row.reason = Some(format!(
            "its program cannot run on this machine, which lacks {lacks}"
        ));
        return Ok(row);
    }
    let probe: Probe = serde_json::from_value(Value::Object(entry.probe.clone()))
        .map_err(|error| Failure::new(format!("`probe` of {}: {error}", entry.name)))?;
    let id = GenerationId(SystemEntropy.uuid(SystemClock.now()));
    let scratch = session.config.data.join("scratch").join(format!("probe-{id}"));
    fs::create_dir_all(&scratch)?;
    let measured = measured(session, entry, task, &probe, id, &scratch).await;
    let judged = measured.map(|(made, seconds)| {
        row.seconds = Some(seconds);
        match made {
            Ok(made) => {
                let told = |name: &str| Some(made.metadata.get(name)?.as_str()?.to_owned());
                (row.runtime, row.device) = (told("runtime"), told("device"));
                if let Some(device) = program {
                    row.runtime.clone_from(&entry.runtime);
                    row.device = Some(device.to_owned());
                }
                row.memory_bytes = made.metadata.get(studio::MEMORY).and_then(Value::as_u64);
                row.reason = difference(&probe.expect, &made);
                row.result = if row.reason.is_none() {
                    Outcome::Ok
                } else {
                    Outcome::Different
                };
            }
            Err(why) => (row.result, row.reason) = (Outcome::Failed, Some(why)),
        }
    });
    fs::remove_dir_all(&scratch)?;
    judged?;
    Ok(row)
}

/// Returns the engine's result, or why there is none, and the seconds that it took.
async fn measured(
    session: &Session,
    entry: &Entry,
    task: &str,
    probe: &Probe,
    id: GenerationId,
    scratch: &Path,
) -> Result<(Result<Made, String>, f64), Failure> {
    let is_program = pulled::needs_program(entry);
    let mut job = Job {
        id,
        attempt: 1,
        asked: Vec::new(),
        model: entry.name.clone(),
        task: task.to_owned(),
        kind: match probe.expect.kind.as_str() {
            "audio" => MediaKind::Audio,
            "video" => MediaKind::Video,
            _ => MediaKind::Image,
        },
        params: probe.request.clone(),
        inputs: Vec::new(),
        seed: 1,
        options: RouteOptions {
            target: Some(entry.name.clone()),
            body: pulled::body(entry, task),
            ..RouteOptions::default()
        },
        resume: None,
        scratch: Scratch::new(scratch, session.config.scratch),
    };
    if let Some(sample) = &probe.sample {
        job.inputs = studio::sample(sample, scratch).map_err(Failure::new)?;
    }
    if is_program {
        pulled::complete(entry, &mut job);
    } else {
        job.params.insert(studio::MEASURE.to_owned(), true.into());
    }
    let host = Parts::system(Role::Workers)?.draft_host;
    // An engine of its own has a process of its own, whose memory is that of this model.
    if task == serving::SAFETY {
        let safety = onnx::safety(&session.config, &host.0);
        let safety = safety.ok_or_else(|| Failure::new("this program has no safety check by weights"))?;
        let done = timed(examined(&safety, &job)).await;
        safety.close().await;
        return Ok(done);
    }
    let routes = engines::routes(&session.config, host)?;
    let name = serving::engine(entry, task).unwrap_or_default();
    let engine = routes
        .engine(&name)
        .ok_or_else(|| Failure::new(format!("this program has no engine `{name}` for weights")))?;
    let context = Context::new(CancellationToken::new(), |_| {});
    let done = timed(atelier_engines::attempt(&*engine, job, context)).await;
    engine.close().await;
    Ok(done)
}

/// A result within the time that a probe may take, and the seconds that it took.
async fn timed(work: impl Future<Output = Result<Made, DomainFailure>>) -> (Result<Made, String>, f64) {
    let begun = Instant::now();
    let made = tokio::time::timeout(PATIENCE, work).await;
    let made = match made {
        Ok(made) => made.map_err(|failure| failure.message),
        Err(_) => Err(format!("no result in {} minutes", PATIENCE.as_secs() / 60)),
    };
    (made, begun.elapsed().as_secs_f64())
}

/// Returns the findings of the safety check in the inputs. It refuses nothing, so that the score is known in any case.
async fn examined(safety: &Safety, job: &Job) -> Result<Made, DomainFailure> {
    let paths = job.inputs.iter().map(|input| input.path.clone()).collect();
    let found = safety
        .examine(job, &job.model, paths, Some(NEVER), CancellationToken::new())
        .await?;
    Ok(Made {
        files: Vec::new(),
        metadata: found.unwrap_or_default(),
    })
}

/// How the result differs from what the entry expects.
fn difference(expect: &Expect, made: &Made) -> Option<String> {
    let kind = match expect.kind.as_str() {
        "image" => MediaKind::Image,
        "audio" => MediaKind::Audio,
        "video" => MediaKind::Video,
        "scores" => return score_differs(expect, made),
        member if made.metadata.contains_key(member) => return None,
        member => return Some(format!("the result has no `{member}`")),
    };
    let files: Vec<&Path> = made
        .files
        .iter()
        .filter_map(|file| match file {
            MadeFile::Path(path) => Some(path.as_path()),
            MadeFile::Bytes(_) => None,
        })
        .collect();
    if let Some(count) = expect.files.filter(|count| *count != files.len()) {
        return Some(format!("{} files instead of {count}", files.len()));
    }
    let Some(first) = files.first() else {
        return Some("the result has no file".to_owned());
    };
    match atelier_media::probe::probe(first) {
        Ok(facts) => facts_differ(expect, kind, &facts).or_else(|| {
            let is_flat = kind == MediaKind::Image && studio::is_flat(first);
            is_flat.then(|| "the picture has one colour".to_owned())
        }),
        Err(error) => Some(format!("the file cannot be read: {error}")),
    }
}

fn score_differs(expect: &Expect, made: &Made) -> Option<String> {
    let (least, most) = (expect.min_score.unwrap_or(0.0), expect.max_score.unwrap_or(1.0));
    match made.metadata.get("score").and_then(Value::as_f64) {
        None => Some("the result has no score".to_owned()),
        Some(score) if (least..=most).contains(&score) => None,
        Some(score) => Some(format!("the score is {score} instead of {least} to {most}")),
    }
}

fn facts_differ(expect: &Expect, kind: MediaKind, facts: &FileFacts) -> Option<String> {
    if facts.media_type.kind() != Some(kind) {
        return Some(format!("the file is {}", facts.media_type.mime()));
    }
    let sides = [
        ("wide", expect.width, facts.width),
        ("high", expect.height, facts.height),
    ];
    for (side, wanted, found) in sides {
        if wanted.is_some() && wanted != found {
            let found = found.unwrap_or_default();
            return Some(format!(
                "the picture is {found} pixels {side} instead of {}",
                wanted.unwrap_or_default()
            ));
        }
    }
    let seconds = facts.duration.unwrap_or_default();
    let short = expect.min_seconds.is_some_and(|least| seconds < least);
    let long = expect.max_seconds.is_some_and(|most| seconds > most);
    (short || long).then(|| {
        let (least, most) = (expect.min_seconds.unwrap_or(0.0), expect.max_seconds);
        let most = most.map_or_else(String::new, |most| format!(" to {most}"));
        format!("it lasts {seconds:.1} s instead of {least}{most} s")
    })
}

#[cfg(test)]
mod tests {
    use atelier_domain::MediaType;

    use super::*;

    fn expect(text: &str) -> Expect {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn what_differs_is_said_with_both_values() {
        let facts = |media_type, width, duration| FileFacts {
            media_type,
            size: 1,
            width,
            height: width,
            duration,
        };
        let picture = facts(MediaType::Png, Some(320), None);
        let sound = facts(MediaType::Mp3, None, Some(7.25));
        let table = [
            (r#"{"kind": "image"}"#, &picture, None),
            (
                r#"{"kind": "image", "width": 320, "height": 320}"#,
                &picture,
                None,
            ),
            (
                r#"{"kind": "image", "width": 512}"#,
                &picture,
                Some("the picture is 320 pixels wide instead of 512"),
            ),
            (r#"{"kind": "image"}"#, &sound, Some("the file is audio/mpeg")),
            (
                r#"{"kind": "audio", "min_seconds": 1, "max_seconds": 8}"#,
                &sound,
                None,
            ),
            (
                r#"{"kind": "audio", "min_seconds": 1, "max_seconds": 5}"#,
                &sound,
                Some("it lasts 7.2 s instead of 1 to 5 s"),
            ),
        ];
        for (text, facts, differs) in table {
            let expect = expect(text);
            let kind = if expect.kind == "audio" {
                MediaKind::Audio
            } else {
                MediaKind::Image
            };
            assert_eq!(facts_differ(&expect, kind, facts).as_deref(), differs, "{text}");
        }
    }

    #[test]
    fn scores_have_bounds_and_boxes_are_members_of_the_metadata() {
        let mut made = Made::default();
        let scores = expect(r#"{"kind": "scores", "max_score": 0.5}"#);
        let differs = |made: &Made| difference(&scores, made);
        assert_eq!(differs(&made).as_deref(), Some("the result has no score"));
        made.metadata.insert("score".to_owned(), 0.25.into());
        assert_eq!(differs(&made), None);
        made.metadata.insert("score".to_owned(), 0.75.into());
        assert_eq!(
            differs(&made).as_deref(),
            Some("the score is 0.75 instead of 0 to 0.5")
        );
        let boxes = expect(r#"{"kind": "boxes"}"#);
        assert_eq!(
            difference(&boxes, &made).as_deref(),
            Some("the result has no `boxes`")
        );
        made.metadata.insert("boxes".to_owned(), Value::Null);
        assert_eq!(difference(&boxes, &made), None);
    }
}
