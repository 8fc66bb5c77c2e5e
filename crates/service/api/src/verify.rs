//! `POST /verify`: what is known about a file. Anybody may ask. A key only shows which jobs are the caller's own.

use atelier_app::{
    App, Error,
    verify::{Known, Manifest, Verdict, Watermarked},
};
use atelier_media::Received;
use axum::{
    extract::{
        Multipart, State,
        multipart::{MultipartError, MultipartRejection},
    },
    http::{HeaderMap, header},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{base_path::BASE_PATH, client_address::Client, envelope::Data, error::ApiError, gate};

/// The longest URL.
const LONGEST_URL: usize = 2_048;

/// The multipart body: one of both.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the body, which is streamed")]
pub(crate) struct VerifyRequest {
    /// The file, at most as large as an upload.
    #[schema(value_type = Option<String>, format = Binary)]
    file: Option<Vec<u8>>,
    /// A public https URL of the file, or the URL of a file that this service stores.
    url: Option<String>,
}

/// The facts known about a file.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Verification {
    /// `made_here`: this service made the file, or what it was made of. `declared`: the file itself says how it was
    /// made. `unknown`: neither; this does not mean that no model made it.
    #[schema(example = "made_here")]
    result: &'static str,
    /// The file itself.
    file: VerifiedFile,
    /// The job that made exactly these bytes.
    made_by: Option<Maker>,
    /// Whether an operator of this service took exactly these bytes down.
    taken_down: bool,
    /// The hidden mark of a picture, video or sound.
    watermark: WatermarkFound,
    /// The statements of its Content Credentials (C2PA). Null if it has none, or if this service cannot examine them;
    /// then `declared.has_manifest` says whether there are some.
    credentials: Option<SignedOrigin>,
    /// The statements of the file's metadata; anybody can have written them. Null if there are none.
    declared: Option<DeclaredOrigin>,
}

/// A file that was examined. Nothing of it is kept.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct VerifiedFile {
    /// The digest of its bytes.
    #[schema(example = "4abe1b0c…")]
    sha256: String,
    /// Detected from the bytes.
    #[schema(example = "image/png")]
    mime_type: &'static str,
    /// In bytes.
    #[schema(example = 48_213)]
    size: u64,
}

/// A job of this service, as far as anybody may know of it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Maker {
    /// The job's id.
    #[schema(example = "0190c7e0-5b2e-7cc1-9c0a-7f1d2e3a4b5c")]
    id: String,
    /// The model that made it.
    #[schema(example = "sdxl-1-0")]
    model: String,
    /// When it was accepted.
    #[schema(example = "2026-11-21T09:30:00.000Z")]
    created_at: String,
    /// Whether its owner has deleted it.
    deleted: bool,
    /// The path of the job. Only with a key of the account that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "/dev/v1/generations/0190c7e0-5b2e-7cc1-9c0a-7f1d2e3a4b5c")]
    path: Option<String>,
}

/// The result of looking for an invisible mark of this service.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WatermarkFound {
    /// Whether there is one; null if the file was not examined for one.
    found: Option<bool>,
    /// Why the file was not examined.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// When the job was accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "2026-11-21T09:30:00.000Z")]
    created_at: Option<String>,
    /// How clearly it was read: 6.1 is the least in pictures, and 5.7 in sounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = 18.4)]
    score: Option<f64>,
    /// The job; null if it is no longer known.
    #[serde(skip_serializing_if = "Option::is_none")]
    made_by: Option<Maker>,
}

/// The statements of a file's metadata.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DeclaredOrigin {
    /// The IPTC's digital source type, such as `trainedAlgorithmicMedia`.
    #[schema(example = "trainedAlgorithmicMedia")]
    source_type: Option<String>,
    /// The system that made it.
    #[schema(example = "sdxl-1-0")]
    system: Option<String>,
    /// Whether there is a manifest of Content Credentials (C2PA).
    has_manifest: bool,
}

/// The Content Credentials (C2PA) of a file: a signed statement about how it came to be.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SignedOrigin {
    /// `trusted`: the file is as it was signed, by a certificate that this service trusts. `valid`: it is as it was
    /// signed, but anybody can make such a certificate. `invalid`: it was changed since.
    #[schema(example = "valid")]
    state: &'static str,
    /// Whether this service's certificate signed it.
    own: bool,
    /// The name of the signer, in the words of the certificate.
    #[schema(example = "atelier at media.example.com")]
    signer: Option<String>,
    /// The program that wrote the statement.
    #[schema(example = "atelier")]
    program: Option<String>,
    /// When it was signed, by the time stamp of an authority that this service trusts; null if there is none.
    #[schema(example = "2026-11-21T09:30:02Z")]
    signed_at: Option<String>,
    /// The actions on the content, in order.
    actions: Vec<SignedAction>,
    /// How many files it was made from.
    #[schema(example = 1)]
    inputs: usize,
    /// Codes of the C2PA specification for what is wrong, such as `signingCredential.untrusted`.
    problems: Vec<String>,
}

/// An action on the content, in the terms of C2PA.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SignedAction {
    #[schema(example = "c2pa.created")]
    action: String,
    /// The agent that did it.
    #[schema(example = "Z-Image-Turbo 6B")]
    agent: Option<String>,
    /// The IPTC's digital source type, such as `trainedAlgorithmicMedia`.
    #[schema(example = "trainedAlgorithmicMedia")]
    source_type: Option<String>,
    /// As the signer wrote it.
    #[schema(example = "2026-11-21T09:30:00Z")]
    when: Option<String>,
}

impl SignedOrigin {
    fn of(manifest: Manifest) -> Self {
        let last = |uri: String| uri.rsplit('/').next().map(str::to_owned).unwrap_or(uri);
        Self {
            state: manifest.state.as_str(),
            own: manifest.is_own,
            signer: manifest.organization.or(manifest.name),
            program: manifest.program,
            signed_at: manifest.signed_at,
            actions: manifest
                .actions
                .into_iter()
                .map(|act| SignedAction {
                    action: act.action,
                    agent: act.agent,
                    source_type: act.source_type.map(last),
                    when: act.when,
                })
                .collect(),
            inputs: manifest.inputs,
            problems: manifest.problems,
        }
    }
}

impl Maker {
    fn of(known: Known) -> Self {
        let path = format!("{BASE_PATH}/generations/{}", known.id);
        Self {
            id: known.id.to_string(),
            model: known.model,
            created_at: known.created_at.rfc3339(),
            deleted: known.is_deleted,
            path: (known.is_own && !known.is_deleted).then_some(path),
        }
    }
}

impl Verification {
    fn of(verdict: Verdict) -> Self {
        let result = if verdict.is_from_here() {
            "made_here"
        } else if verdict.declared.is_empty() {
            "unknown"
        } else {
            "declared"
        };
        let nothing = WatermarkFound {
            found: Some(false),
            reason: None,
            created_at: None,
            score: None,
            made_by: None,
        };
        let declared = verdict.declared;
        Self {
            result,
            file: VerifiedFile {
                sha256: verdict.received.sha256,
                mime_type: verdict.received.media_type.mime(),
                size: verdict.received.size,
            },
            made_by: verdict.made_by.map(Maker::of),
            taken_down: verdict.was_taken_down,
            watermark: match verdict.watermark {
                Watermarked::No => nothing,
                Watermarked::NotExamined(why) => WatermarkFound {
                    found: None,
                    reason: Some(why),
                    ..nothing
                },
                Watermarked::Yes { at, score, made_by } => WatermarkFound {
                    found: Some(true),
                    created_at: Some(at.rfc3339()),
                    score: Some((score * 10.0).round() / 10.0),
                    made_by: made_by.map(Maker::of),
                    ..nothing
                },
            },
            credentials: verdict.credentials.map(SignedOrigin::of),
            declared: (!declared.is_empty()).then_some(DeclaredOrigin {
                source_type: declared.source_type,
                system: declared.system,
                has_manifest: declared.has_manifest,
            }),
        }
    }
}

/// Says whether this service made a file: by its bytes, by its invisible mark, and by its metadata. No key is needed;
/// with one, your own jobs are linked. Each network may ask ten times a minute.
#[utoipa::path(post, path = "/verify", operation_id = "verify_file", tag = "Provenance", security(()),
    request_body(content = VerifyRequest, description = "One file, or its URL.", content_type = "multipart/form-data"),
    responses((status = 200, description = "What is known about the file.", body = Data<Verification>)))]
pub(crate) async fn verify(
    State(app): State<App>,
    client: Client,
    headers: HeaderMap,
    multipart: Result<Multipart, MultipartRejection>,
) -> Result<Data<Verification>, ApiError> {
    let caller = if headers.contains_key(header::AUTHORIZATION) {
        Some(gate::caller(&app, &headers, &client, &mut None).await?)
    } else {
        None
    };
    let address = client.address(&headers).map(|address| address.to_string());
    app.take_question(&address.unwrap_or_default())?;
    let multipart = multipart.map_err(|_| no_part())?;
    let received = receive_question(&app, multipart).await?.ok_or_else(nothing)?;
    let verdict = app.verify(received, caller.as_ref()).await?;
    Ok(Data {
        data: Verification::of(verdict),
    })
}

fn no_part() -> Error {
    Error::invalid("the body must be `multipart/form-data` with a part named `file` or one named `url`")
}

fn nothing() -> Error {
    Error::invalid("the part `file` is missing or empty; send a file in it, or its URL in a part `url`")
}

/// Reads the file of a question, or fetches it; `None`: the form has neither a file nor a URL.
pub async fn receive_question(app: &App, mut multipart: Multipart) -> Result<Option<Received>, Error> {
    let broken = |_: MultipartError| Error::invalid("the multipart body is malformed or incomplete");
    while let Some(mut field) = multipart.next_field().await.map_err(broken)? {
        match field.name() {
            Some("file") => {
                let mut intake = app.begin_question().await?;
                let mut size = 0;
                while let Some(chunk) = field.chunk().await.map_err(broken)? {
                    size += chunk.len();
                    intake.write(&chunk).await?;
                }
                // A form sends an empty part for a file that was not chosen.
                if size > 0 {
                    return Ok(Some(intake.finish().await?));
                }
            }
            Some("url") => {
                let mut url = Vec::new();
                while let Some(chunk) = field.chunk().await.map_err(broken)? {
                    url.extend_from_slice(&chunk);
                    if url.len() > LONGEST_URL {
                        let message = format!("`url` must have at most {LONGEST_URL} bytes");
                        return Err(Error::parameter("url", message));
                    }
                }
                let url = String::from_utf8_lossy(&url).trim().to_owned();
                if !url.is_empty() {
                    return app.fetch_question(&url).await.map(Some);
                }
            }
            _ => {}
        }
    }
    Ok(None)
}
