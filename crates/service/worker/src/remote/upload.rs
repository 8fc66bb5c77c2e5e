//! The endpoints of one attempt: its input files, its output files, its end. Each answers only to the worker that holds
//! the attempt.

use std::{
    io::SeekFrom,
    sync::{Arc, atomic::Ordering},
};

use atelier_app::{System, generations::finish::AttemptResult};
use atelier_domain::{Failure, FailureCode, Generation, GenerationId, Noted, Output, WorkerId};
use atelier_engines::{PartialImage, SafetyCheck};
use axum::{
    Json,
    body::{Body, Bytes},
    extract::{Path, Query, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use tokio::io::AsyncSeekExt as _;
use tokio_util::{io::ReaderStream, sync::CancellationToken};

use super::{
    pieces::{self, Piece},
    protocol::{DIGEST_HEADER, Finish, Finished, Have, InputFile, Note, Step, Store},
    server::{Answer, Inner, Refused, Server, lane, to_its_end},
    transit::Transit,
};
use crate::{local, orders, run, source::Outcome};

/// The most output files of an attempt.
const MOST_FILES: usize = 1_000;
/// The longest message of a failure, in characters.
const LONGEST_MESSAGE: usize = 2_000;

/// An attempt, which the worker of a request holds.
pub(super) struct Held {
    generation: Generation,
    transit: Arc<Transit>,
}

impl Inner {
    /// The generation that the worker of a request runs under this epoch.
    async fn running(
        &self,
        headers: &HeaderMap,
        id: GenerationId,
        epoch: i64,
    ) -> Answer<(WorkerId, Generation)> {
        let (worker, _) = self.worker(headers).await?;
        let held = self.system.held_by(worker, id, epoch).await?;
        Ok((worker, held.ok_or(Refused::Lost)?))
    }

    async fn held(&self, headers: &HeaderMap, id: GenerationId, epoch: i64) -> Answer<Held> {
        let (worker, generation) = self.running(headers, id, epoch).await?;
        let transit = self
            .transits
            .of(&self.system.settings().scratch, worker, &generation);
        Ok(Held { generation, transit })
    }

    /// Begins to fetch the inputs, or waits for them.
    async fn inputs(
        self: &Arc<Self>,
        held: &Held,
    ) -> Option<Result<Arc<Vec<atelier_engines::Input>>, Failure>> {
        let (server, generation) = (Arc::clone(self), held.generation.clone());
        let transit = Arc::clone(&held.transit);
        let fetch = move || async move {
            let described = orders::describe(&server.system, &generation, lane(&generation))?;
            transit.folder.create().await?;
            let mut inputs = described.inputs(&server.fetching, &transit.folder.0).await;
            if let Ok(fetched) = &inputs
                && let Some(check) = safety_check(&server.system, &generation, &transit)?
                && let Err(failure) = check.inputs(fetched, CancellationToken::new()).await
            {
                inputs = Err(failure);
            }
            if transit.is_ended.load(Ordering::SeqCst) {
                transit.folder.remove().await;
            }
            inputs
        };
        held.transit.inputs.take(fetch).await
    }
}

fn step<T>(taken: Option<Result<T, Failure>>) -> Json<Step<T>> {
    let (ready, failure, value) = match taken {
        None => (false, None, None),
        Some(Ok(value)) => (true, None, Some(value)),
        Some(Err(failure)) => (true, Some(failure), None),
    };
    Json(Step {
        ready,
        failure,
        value,
    })
}

pub(super) async fn inputs(
    State(server): State<Server>,
    Path((id, epoch)): Path<(GenerationId, i64)>,
    headers: HeaderMap,
) -> Answer<Json<Step<Vec<InputFile>>>> {
    let held = server.0.held(&headers, id, epoch).await?;
    let taken = server.0.inputs(&held).await;
    let listed = |inputs: Arc<Vec<atelier_engines::Input>>| {
        let file = |input: &atelier_engines::Input| InputFile {
            parameter: input.parameter.clone(),
            facts: input.facts.clone(),
        };
        inputs.iter().map(file).collect()
    };
    Ok(step(taken.map(|taken| taken.map(listed))))
}

#[derive(Deserialize)]
pub(super) struct Begin {
    /// The first byte.
    #[serde(default)]
    from: u64,
}

pub(super) async fn input(
    State(server): State<Server>,
    Path((id, epoch, number)): Path<(GenerationId, i64, usize)>,
    Query(Begin { from }): Query<Begin>,
    headers: HeaderMap,
) -> Answer<Response> {
    let held = server.0.held(&headers, id, epoch).await?;
    let Some(Ok(inputs)) = server.0.inputs(&held).await else {
        return Err(Refused::Conflict("the input files are not here yet"));
    };
    let missing = || Refused::Invalid(format!("the job has {} input files (got {number})", inputs.len()));
    let input = inputs.get(number).ok_or_else(missing)?;
    let unread = |error: std::io::Error| Refused::Unavailable(error.to_string());
    let mut file = tokio::fs::File::open(&input.path).await.map_err(unread)?;
    let size = file.metadata().await.map_err(unread)?.len();
    if from > size {
        return Err(Refused::Invalid(format!(
            "the file has {size} bytes (got {from})"
        )));
    }
    file.seek(SeekFrom::Start(from)).await.map_err(unread)?;
    let length = (size - from).to_string();
    let body = Body::from_stream(ReaderStream::with_capacity(file, 64 << 10));
    Ok(([(header::CONTENT_LENGTH, length)], body).into_response())
}

pub(super) async fn have(
    State(server): State<Server>,
    Path((id, epoch, number)): Path<(GenerationId, i64, usize)>,
    headers: HeaderMap,
) -> Answer<Json<Have>> {
    let held = server.0.held(&headers, id, epoch).await?;
    let have = pieces::have(&held.transit.part(number)).await;
    Ok(Json(Have { have }))
}

#[derive(Deserialize)]
pub(super) struct At {
    /// The start of the piece.
    at: u64,
}

pub(super) async fn piece(
    State(server): State<Server>,
    Path((id, epoch, number)): Path<(GenerationId, i64, usize)>,
    Query(At { at }): Query<At>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer<Response> {
    let held = server.0.held(&headers, id, epoch).await?;
    if number >= MOST_FILES {
        return Err(Refused::Invalid(format!(
            "an attempt has at most {MOST_FILES} files"
        )));
    }
    let digest = headers.get(DIGEST_HEADER).and_then(|digest| digest.to_str().ok());
    if digest != Some(hex::encode(Sha256::digest(&body)).as_str()) {
        return Err(Refused::Invalid(format!(
            "`{DIGEST_HEADER}` is not the SHA-256 of the body"
        )));
    }
    to_its_end(async move {
        let transit = held.transit;
        let _writing = Arc::clone(&transit.writing).lock_owned().await;
        if transit.is_ended.load(Ordering::SeqCst) {
            return Err(Refused::Lost);
        }
        let folder = &transit.folder;
        folder
            .create()
            .await
            .map_err(|failure| Refused::Unavailable(failure.message))?;
        let path = transit.part(number);
        let status = match pieces::add(&folder.0, &path, at, &body).await {
            Ok(Piece::Written) => StatusCode::OK,
            Ok(Piece::Elsewhere) => StatusCode::CONFLICT,
            Err(atelier_media::scratch::ScratchError::Full) => return Err(Refused::NoRoom),
            Err(error) => return Err(Refused::Unavailable(error.to_string())),
        };
        let have = pieces::have(&path).await;
        Ok((status, Json(Have { have })).into_response())
    })
    .await
}

pub(super) async fn store(
    State(server): State<Server>,
    Path((id, epoch)): Path<(GenerationId, i64)>,
    headers: HeaderMap,
    Json(store): Json<Store>,
) -> Answer<Json<Step<()>>> {
    let held = server.0.held(&headers, id, epoch).await?;
    if store.files.is_empty() || store.files.len() > MOST_FILES {
        return Err(Refused::Invalid(format!(
            "an attempt has 1 to {MOST_FILES} files (got {})",
            store.files.len()
        )));
    }
    if held.transit.stored.result().is_none() {
        for (number, file) in store.files.iter().enumerate() {
            if pieces::have(&held.transit.part(number)).await != file.size {
                // After a restart of this node, or on another one.
                return Err(Refused::Conflict("a file has not arrived whole"));
            }
        }
    }
    let Held { generation, transit } = held;
    let (inner, own) = (Arc::clone(&server.0), Arc::clone(&transit));
    let taken = transit.stored.take(move || keep(inner, generation, own, store));
    Ok(step(taken.await.map(|taken| taken.map(|_| ()))))
}

/// Checks what a worker made as this service checks what its own engines make, and stores it.
async fn keep(
    server: Arc<Inner>,
    generation: Generation,
    transit: Arc<Transit>,
    store: Store,
) -> Result<Output, Failure> {
    let system = &server.system;
    let mut made = pieces::made(&transit, store).await?;
    if let Some(check) = safety_check(system, &generation, &transit)? {
        check.run(&mut made, CancellationToken::new()).await?;
    }
    // Another node may have fetched them.
    let inputs = match transit.inputs.result() {
        Some(Ok(inputs)) => inputs,
        Some(Err(_)) | None => Arc::default(),
    };
    local::store_outputs(system, &generation, made, &inputs, &transit.folder.0).await
}

/// The check by weights of this service, whatever the worker has.
fn safety_check(
    system: &System,
    generation: &Generation,
    transit: &Transit,
) -> Result<Option<SafetyCheck>, Failure> {
    let described = orders::describe(system, generation, lane(generation))?;
    let mut job = described.job(Vec::new(), transit.folder.0.clone());
    let engine = system.routes().engine(lane(generation));
    Ok(engine.and_then(|engine| system.routes().safety_check(&*engine, &mut job)))
}

/// Whether pictures of the unfinished result of a job with these parameters may be shown: nobody will check the
/// finished one.
pub(super) fn shows_partial_images(system: &System, params: &Map<String, Value>) -> bool {
    !system.checks_results() && !system.routes().examines_result(params)
}

pub(super) async fn partial_image(
    State(server): State<Server>,
    Path((id, epoch)): Path<(GenerationId, i64)>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer<()> {
    let (_, generation) = server.0.running(&headers, id, epoch).await?;
    let image = PartialImage::new(&body).ok_or_else(|| {
        Refused::Invalid(format!(
            "a partial image is a JPEG, PNG or WebP file of at most {} bytes (got {})",
            PartialImage::MOST,
            body.len()
        ))
    })?;
    let system = &server.0.system;
    let described = orders::describe(system, &generation, lane(&generation));
    let described = described.map_err(|failure| Refused::Unavailable(failure.message))?;
    if !shows_partial_images(system, &described.params) {
        return Err(Refused::Invalid(
            "partial images of this job are not shown, because its result is checked".to_owned(),
        ));
    }
    system.show_partial_image(&generation, image);
    Ok(())
}

/// Returns the worker's result, from the files that it has sent.
async fn made(server: &Server, held: &Held) -> Answer<AttemptResult> {
    let Some(Ok(output)) = held.transit.stored.result() else {
        return Err(Refused::Conflict("the files of the job are not stored yet"));
    };
    // The charge may depend on the inputs. If another node fetched them, they are fetched again.
    let inputs = match server.0.inputs(held).await {
        Some(Ok(inputs)) => inputs,
        Some(Err(failure)) => return Err(Refused::Unavailable(failure.message)),
        None => return Err(Refused::Conflict("the input files are not here yet")),
    };
    Ok(AttemptResult::Made {
        output: Output::clone(&output),
        input_facts: inputs.iter().map(|input| Some(input.facts.clone())).collect(),
    })
}

pub(super) async fn finish(
    State(server): State<Server>,
    Path((id, epoch)): Path<(GenerationId, i64)>,
    headers: HeaderMap,
    Json(finish): Json<Finish>,
) -> Answer<Json<Finished>> {
    let held = server.0.held(&headers, id, epoch).await?;
    let result = if let Some(failure) = finish.failure {
        AttemptResult::Failed(Failure {
            message: failure.message.chars().take(LONGEST_MESSAGE).collect(),
            ..failure
        })
    } else {
        made(&server, &held).await?
    };
    to_its_end(async move {
        let Held { generation, transit } = held;
        let _writing = Arc::clone(&transit.writing).lock_owned().await;
        let system = &server.0.system;
        if is_without_place(&result, &transit) {
            // The attempt does not count.
            system.give_back(vec![(id, epoch)]).await?;
            server.0.transits.remove(id, epoch).await;
            let outcome = Outcome::Retried.label().to_owned();
            return Ok(Json(Finished { outcome }));
        }
        let at_engine = result.code().map_or("completed", FailureCode::as_str);
        let mut conclusion = system.conclude(&generation, lane(&generation), result);
        let concluded = conclusion.write(None).await?;
        server.0.transits.remove(id, epoch).await;
        let outcome = local::outcome(&concluded);
        let now = system.app().now();
        let took = now.since(generation.attempt_started_at.unwrap_or(now));
        run::count_for_engine(lane(&generation), at_engine, took);
        run::count(&generation.model, outcome, took);
        let outcome = outcome.label().to_owned();
        Ok(Json(Finished { outcome }))
    })
    .await
}

/// Whether an attempt failed only because its files found no place: on this node, or in the media storage.
fn is_without_place(result: &AttemptResult, transit: &Transit) -> bool {
    let AttemptResult::Failed(failure) = result else {
        return false;
    };
    failure.is_retryable() && transit.folder.0.found_no_place()
}

pub(super) async fn note(
    State(server): State<Server>,
    Path((id, epoch)): Path<(GenerationId, i64)>,
    headers: HeaderMap,
    Json(Note { request }): Json<Note>,
) -> Answer<()> {
    let held = server.0.held(&headers, id, epoch).await?;
    let noted = Noted {
        engine: lane(&held.generation).to_owned(),
        request,
    };
    to_its_end(async move {
        let noted = server.0.system.note_request(id, epoch, &noted).await?;
        noted.then_some(()).ok_or(Refused::Lost)
    })
    .await
}
