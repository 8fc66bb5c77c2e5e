//! `/verify`: what is known about a file, for anybody.

use askama::Template;
use atelier_api::receive_question;
use atelier_app::{
    Error,
    verify::{Known, Manifest, ManifestState, Verdict, Watermarked},
};
use atelier_domain::MediaKind;
use axum::{
    extract::{FromRequest as _, Multipart, Request, State},
    http::StatusCode,
    response::{IntoResponse as _, Response},
};

use crate::{
    error::{PageError, Result, capital},
    frame::{Frame, page_with},
    session::{browser, find, open_frame},
    state::Console,
    text,
};

#[derive(Template)]
#[template(path = "verify.html")]
struct VerifyPage {
    frame: Frame,
    found: Option<Found>,
}

/// A verdict, in the words of the page.
struct Found {
    heading: &'static str,
    /// The class of the notice: `bad`, or nothing.
    class: &'static str,
    explanation: &'static str,
    facts: Vec<(&'static str, String)>,
    /// The page of the job, for its owner.
    job: Option<String>,
}

pub(crate) async fn page(State(console): State<Console>, request: Request) -> Result {
    let (parts, _) = request.into_parts();
    let frame = open_frame(&console, &parts, "Verify a file", "/verify").await;
    Ok(page_with(StatusCode::OK, &VerifyPage { frame, found: None }))
}

pub(crate) async fn ask(State(console): State<Console>, request: Request) -> Result {
    let (parts, body) = request.into_parts();
    let app = &console.app;
    app.take_question(&browser(&console, &parts).address)?;
    let form = Request::from_parts(parts.clone(), body);
    let multipart = match Multipart::from_request(form, &console).await {
        Ok(multipart) => multipart,
        Err(rejection) => return Ok(rejection.into_response()),
    };
    let received = match receive_question(app, multipart).await {
        Ok(Some(received)) => received,
        Ok(None) => {
            let why = "no file was chosen, and no URL entered";
            return Ok(refused_page(&console, &parts, why).await);
        }
        Err(error @ (Error::Internal(_) | Error::Unavailable(_) | Error::NoSpace(_))) => {
            return Err(error.into());
        }
        Err(refused) => return Ok(refused_page(&console, &parts, &refused.to_string()).await),
    };
    // If the store is down, the question fails anyway.
    let signed = find(&console, &parts).await.unwrap_or_default();
    let caller = signed.as_ref().map(|signed| &signed.signed_in.caller);
    let verdict = app.verify(received, caller).await.map_err(PageError::from)?;
    let frame = open_frame(&console, &parts, "Verify a file", "/verify").await;
    let found = Some(Found::of(&verdict));
    Ok(page_with(StatusCode::OK, &VerifyPage { frame, found }))
}

async fn refused_page(console: &Console, parts: &axum::http::request::Parts, why: &str) -> Response {
    let frame = open_frame(console, parts, "Verify a file", "/verify").await;
    let found = Found {
        heading: "The file could not be examined",
        class: "bad",
        explanation: "",
        facts: vec![("Reason", capital(why))],
        job: None,
    };
    page_with(
        StatusCode::BAD_REQUEST,
        &VerifyPage {
            frame,
            found: Some(found),
        },
    )
}

/// Returns the statement of Content Credentials, in one sentence.
fn signed(manifest: &Manifest) -> String {
    let unnamed = || "an unnamed signer".to_owned();
    let signer = manifest
        .organization
        .clone()
        .or_else(|| manifest.name.clone())
        .unwrap_or_else(unnamed);
    match manifest.state {
        ManifestState::None => "None".to_owned(),
        ManifestState::Invalid => {
            "Invalid: the file was changed after it was signed, or they are damaged".to_owned()
        }
        ManifestState::Valid | ManifestState::Trusted if manifest.is_own => {
            "Valid, signed by this service".to_owned()
        }
        ManifestState::Valid => {
            format!("Valid, signed by {signer}; this service does not know that certificate")
        }
        ManifestState::Trusted => {
            format!("Valid, signed by {signer}, with a certificate that this service trusts")
        }
    }
}

impl Found {
    fn of(verdict: &Verdict) -> Self {
        let mut facts = Vec::new();
        let mut job = None;
        let mut maker = |facts: &mut Vec<_>, known: &Known| {
            facts.push(("Model", known.model.clone()));
            facts.push(("Job", known.id.to_string()));
            facts.push(("Made", text::moment(known.created_at)));
            if known.is_deleted {
                facts.push(("Deleted", "Its owner has deleted it".to_owned()));
            } else if known.is_own {
                job = Some(format!("/account/gallery/{}", known.id));
            }
        };
        let is_from_here = verdict.is_from_here();
        let by_bytes = verdict.made_by.is_some();
        if let Some(known) = &verdict.made_by {
            maker(&mut facts, known);
        }
        match &verdict.watermark {
            Watermarked::NotExamined(why) => facts.push(("Watermark", capital(why))),
            Watermarked::No => facts.push(("Watermark", "None of this service".to_owned())),
            Watermarked::Yes { at, score, made_by } => {
                match made_by {
                    Some(known) if !by_bytes => maker(&mut facts, known),
                    None if !by_bytes => facts.push(("Made", text::moment(*at))),
                    _ => {}
                }
                let is_sound = verdict.received.media_type.kind() == Some(MediaKind::Audio);
                let least = if is_sound { "5.7" } else { "6.1" };
                facts.push((
                    "Watermark",
                    format!("Found (clarity {score:.1}; {least} is the least)"),
                ));
            }
        }
        if verdict.was_taken_down {
            facts.push((
                "Taken down",
                "An operator of this service took this file down".to_owned(),
            ));
        }
        let declared = &verdict.declared;
        if let Some(source) = &declared.source_type {
            facts.push(("Source type in its metadata", source.clone()));
        }
        if let Some(system) = &declared.system {
            facts.push(("Made with, by its metadata", system.clone()));
        }
        if declared.has_manifest {
            let credentials = verdict.credentials.as_ref();
            let unchecked = || "Present; the signature was not checked".to_owned();
            facts.push(("Content Credentials", credentials.map_or_else(unchecked, signed)));
            if let Some(at) = credentials.and_then(|manifest| manifest.signed_at.clone()) {
                facts.push(("Time stamp", at));
            }
        }
        facts.push(("SHA-256", verdict.received.sha256.clone()));
        let (heading, class, explanation) = match (is_from_here, by_bytes, declared.is_empty()) {
            (_, true, _) => ("Made here", "", "This service made exactly this file."),
            (true, false, _) if verdict.is_signed_here() => (
                "Made here",
                "",
                "The file carries a signature of this service and is as it was signed.",
            ),
            (true, false, _) => (
                "Made here and changed since",
                "",
                "The file carries a hidden mark of this service. It was compressed, resized, cropped, cut or saved \
                 again.",
            ),
            (false, _, false) => (
                "Not known here, but its metadata says how it was made",
                "",
                "Anybody can write or remove metadata.",
            ),
            (false, _, true) => (
                "Nothing is known about this file",
                "",
                "This does not mean that no model made it.",
            ),
        };
        Self {
            heading,
            class,
            explanation,
            facts,
            job,
        }
    }
}
