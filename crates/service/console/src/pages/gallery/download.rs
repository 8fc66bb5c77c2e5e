//! The files of several generations as one archive.

use std::{collections::VecDeque, io};

use atelier_app::{App, Error};
use atelier_domain::FileName;
use axum::{
    body::Body,
    extract::{RawQuery, State},
    http::{HeaderValue, header},
    response::{IntoResponse as _, Response},
};
use futures::{StreamExt as _, stream};

use super::file_name;
use crate::{
    error::Result,
    session::Signed,
    state::Console,
    zip::{Archive, MAX_BYTES},
};

/// The most generations in one archive.
const MOST: usize = 100;

/// Sends the files of the selected generations. Nothing is kept: each file is read while it is sent.
pub(crate) async fn download(
    State(console): State<Console>,
    signed: Signed,
    RawQuery(query): RawQuery,
) -> Result {
    let query = query.unwrap_or_default();
    let mut ids: Vec<String> = form_urlencoded::parse(query.as_bytes())
        .filter(|(name, _)| name == "id")
        .map(|(_, id)| id.into_owned())
        .collect();
    ids.sort_unstable();
    ids.dedup();
    if !(1..=MOST).contains(&ids.len()) {
        return Err(Error::invalid(format!("select 1 to {MOST} generations (got {})", ids.len())).into());
    }
    let mut files = VecDeque::new();
    let mut bytes = 0;
    for id in &ids {
        let generation = console.app.generation(&signed.signed_in.caller, id).await?;
        let assets = generation.output.iter().flat_map(|output| &output.assets);
        for (place, asset) in assets.enumerate() {
            // Files that were removed are left out.
            if let Some(size) = console.app.media_size(&asset.file).await? {
                bytes += size;
                files.push_back((file_name(&generation, &asset.file, place), asset.file.clone()));
            }
        }
    }
    if files.is_empty() {
        return Err(Error::NotFound("these generations have no files".to_owned()).into());
    }
    if bytes > MAX_BYTES {
        return Err(Error::invalid(format!(
            "the files have {} MiB together, and an archive has {} at most: select fewer generations",
            bytes >> 20,
            MAX_BYTES >> 20
        ))
        .into());
    }
    Ok(archive(console.app.clone(), files))
}

struct Sending {
    app: App,
    files: VecDeque<(String, FileName)>,
    current: Option<stream::BoxStream<'static, io::Result<axum::body::Bytes>>>,
    archive: Archive,
    finished: bool,
}

impl Sending {
    /// The next bytes of the archive; `None` at its end.
    async fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        if let Some(current) = &mut self.current {
            if let Some(data) = current.next().await.transpose()? {
                return Ok(Some(self.archive.data(&data)));
            }
            self.current = None;
            return Ok(Some(self.archive.end()));
        }
        while let Some((name, file)) = self.files.pop_front() {
            let found = self.app.media(&file, None).await.map_err(io::Error::other)?;
            if let Some(blob) = found {
                self.current = Some(blob.stream);
                return Ok(Some(self.archive.begin(&name)));
            }
        }
        if self.finished {
            return Ok(None);
        }
        self.finished = true;
        Ok(Some(self.archive.finish()))
    }
}

fn archive(app: App, files: VecDeque<(String, FileName)>) -> Response {
    let sending = Sending {
        app,
        files,
        current: None,
        archive: Archive::default(),
        finished: false,
    };
    let bytes = stream::try_unfold(sending, |mut sending| async move {
        let next = sending.next().await?;
        Ok::<_, io::Error>(next.map(|bytes| (bytes, sending)))
    });
    let mut response = Body::from_stream(bytes).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/zip"));
    headers.insert(
        header::CONTENT_DISPOSITION,
        HeaderValue::from_static("attachment; filename=\"atelier.zip\""),
    );
    response
}
