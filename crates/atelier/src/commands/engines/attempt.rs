//! `atelier engines try`: runs one engine once, without a job.

use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
    time::Instant,
};

use atelier_domain::{Clock as _, Entropy as _, GenerationId, clock::SystemClock};
use atelier_engines::{Context, Job, Made, MadeFile};
use atelier_media::{Scratch, sniff};
use serde_json::{Map, json};
use tokio_util::sync::CancellationToken;

use super::super::{Session, catalog::unknown};
use crate::{
    cli, engines,
    entropy::SystemEntropy,
    failure::Failure,
    logging,
    output::{fields, say},
    service::{self, Parts, Role},
};

pub(super) fn run(session: &Session, asked: &cli::TryEngine) -> Result<(), Failure> {
    logging::start("warn", session.config.log_format);
    let id = GenerationId(SystemEntropy.uuid(SystemClock.now()));
    let scratch = session.config.data.join("scratch").join(format!("try-{id}"));
    let job = job(session, asked, id, &scratch)?;
    fs::create_dir_all(&scratch)?;
    let made = make(session, asked, job);
    let saved = made.and_then(|(made, seconds)| {
        let files = save(&made, asked)?;
        Ok((made.metadata, files, seconds))
    });
    fs::remove_dir_all(&scratch)?;
    let (metadata, files, seconds) = saved?;
    let files: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
    let value = json!({
        "engine": asked.engine,
        "model": asked.model,
        "seconds": seconds,
        "files": files,
        "metadata": metadata,
    });
    let shown = [
        ("engine", asked.engine.clone()),
        ("model", asked.model.clone()),
        ("seconds", format!("{seconds:.1}")),
        ("files", files.join("\n")),
    ];
    session.output.result(&value, || fields(&shown))?;
    Ok(())
}

/// The job as a worker would pass it to the engine.
fn job(session: &Session, asked: &cli::TryEngine, id: GenerationId, scratch: &Path) -> Result<Job, Failure> {
    let catalog = service::catalog(&session.config)?;
    let routes = engines::routes(&session.config, Default::default())?;
    if routes.engine(&asked.engine).is_none() {
        let known = routes.engines();
        let known: Vec<_> = known.iter().map(|engine| engine.name()).collect();
        let known = known.join(", ");
        return Err(Failure::new(format!(
            "unknown engine `{}`; known engines: {known}",
            asked.engine
        )));
    }
    let model = catalog
        .get(&asked.model)
        .ok_or_else(|| Failure::new(unknown(&asked.model, catalog.slugs())))?;
    let targets = atelier_app::targets(&routes, model);
    let target = targets
        .iter()
        .find(|target| target.engine.name() == asked.engine)
        .ok_or_else(|| {
            let why = format!(
                "the model `{}` has no route to the engine `{}`",
                asked.model, asked.engine
            );
            Failure::new(why)
        })?;
    let prompt = Map::from_iter([("prompt".to_owned(), json!(asked.prompt))]);
    let checked = model.check(&prompt, &Map::new()).map_err(|problems| {
        let problems: Vec<_> = problems.iter().map(|problem| problem.message.as_str()).collect();
        Failure::new(format!(
            "`{}` cannot be tried with a prompt alone: {}",
            asked.model,
            problems.join("; ")
        ))
    })?;
    Ok(Job {
        id,
        attempt: 1,
        asked: Vec::new(),
        model: model.slug.clone(),
        task: target.task.clone(),
        kind: model.output,
        params: model.by_role(&checked.params),
        inputs: Vec::new(),
        seed: id.0.as_u64_pair().1,
        options: target.options.clone(),
        resume: None,
        scratch: Scratch::new(scratch, session.config.scratch),
    })
}

/// The result, and how many seconds it took. If the command is interrupted, the provider's request is cancelled.
fn make(session: &Session, asked: &cli::TryEngine, job: Job) -> Result<(Made, f64), Failure> {
    let routes = engines::routes(&session.config, Parts::system(Role::Workers)?.draft_host)?;
    let engine = routes
        .engine(&asked.engine)
        .ok_or_else(|| Failure::new(format!("unknown engine `{}`", asked.engine)))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let begun = Instant::now();
    let context = Context::new(CancellationToken::new(), |done| {
        say(&format!("{:.0} %", 100.0 * done));
    });
    let made = runtime.block_on(async {
        let made = atelier_engines::attempt(&*engine, job, context).await;
        engine.close().await;
        made
    });
    let made = made.map_err(|failure| Failure::Failed {
        code: failure.code.as_str(),
        message: failure.message,
    })?;
    Ok((made, begun.elapsed().as_secs_f64()))
}

fn save(made: &Made, asked: &cli::TryEngine) -> Result<Vec<PathBuf>, Failure> {
    fs::create_dir_all(&asked.out)?;
    let mut saved = Vec::new();
    for (index, file) in made.files.iter().enumerate() {
        // A video may be larger than the memory, so only its head is read.
        let mut head = Vec::new();
        match file {
            MadeFile::Path(path) => {
                fs::File::open(path)?
                    .take(sniff::HEAD as u64)
                    .read_to_end(&mut head)?;
            }
            MadeFile::Bytes(bytes) => head.extend_from_slice(&bytes[..bytes.len().min(sniff::HEAD)]),
        }
        let extension = sniff(&head).map_or("json", |found| found.extension());
        let path = asked.out.join(format!(
            "{}-{}-{}.{extension}",
            asked.engine,
            asked.model,
            index + 1
        ));
        match file {
            MadeFile::Path(made) => {
                fs::copy(made, &path)?;
            }
            MadeFile::Bytes(bytes) => fs::write(&path, bytes)?,
        }
        saved.push(path);
    }
    Ok(saved)
}
