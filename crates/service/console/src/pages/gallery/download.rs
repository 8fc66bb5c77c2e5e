//! The files of several generations as one archive.

use std::{collections::VecDeque, io};

use atelier_app::{
    App, Error,
    generations::list::{GenerationFilter, ListGenerations, MAX_LIMIT},
};
use atelier_domain::{FileName, Generation};
use axum::{
    body::Body,
    extract::{RawQuery, State},
    http::{HeaderValue, header},
    response::{IntoResponse as _, Response},
};
use futures::{StreamExt as _, TryStreamExt as _, stream};

use super::file_name;
use crate::{
    error::Result,
    session::Signed,
    state::Console,
    zip::{Archive, MAX_BYTES, MAX_FILES},
};

/// The most generations in one archive.
const MOST: usize = 100;
/// Questions for the sizes of files at the same time.
const SIZES_AT_ONCE: usize = 16;

/// Sends the files of the selected generations. Nothing is kept: each file is read while it is sent.
pub(crate) async fn download(
    State(console): State<Console>,
    signed: Signed,
    RawQuery(query): RawQuery,
) -> Result {
    let query = query.unwrap_or_default();
    let given =
        |name: &'static str| form_urlencoded::parse(query.as_bytes()).filter(move |(given, _)| given == name);
    if let Some((_, id)) = given("collection").next() {
        return collection(&console, &signed, &id).await;
    }
    let mut ids: Vec<String> = given("id").map(|(_, id)| id.into_owned()).collect();
    ids.sort_unstable();
    ids.dedup();
    if !(1..=MOST).contains(&ids.len()) {
        return Err(Error::invalid(format!("select 1 to {MOST} generations (got {})", ids.len())).into());
    }
    let mut generations = Vec::new();
    for id in &ids {
        generations.push(console.app.generation(&signed.signed_in.caller, id).await?);
    }
    let files = files_of(&console, &generations).await?;
    Ok(archive(console.app.clone(), files, "atelier"))
}

/// Sends the files of a collection.
async fn collection(console: &Console, signed: &Signed, id: &str) -> Result {
    let caller = &signed.signed_in.caller;
    let named = console.app.collection(caller, id).await?;
    let filter = GenerationFilter {
        collection: Some(console.app.collection_id(caller, id).await?),
        ..GenerationFilter::default()
    };
    let (mut generations, mut cursor) = (Vec::new(), None);
    loop {
        let list = ListGenerations {
            filter: filter.clone(),
            limit: Some(MAX_LIMIT),
            cursor,
        };
        let listed = console.app.list_generations(caller, list).await?;
        generations.extend(listed.items);
        cursor = listed.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    let files = files_of(console, &generations).await?;
    Ok(archive(console.app.clone(), files, &plain(&named.name)))
}

/// The letters and digits of a name, for the name of a file.
fn plain(name: &str) -> String {
    let letters = name.chars().map(|letter| {
        if letter.is_ascii_alphanumeric() {
            letter
        } else {
            '-'
        }
    });
    let letters: String = letters.collect();
    let plain = letters.trim_matches('-');
    if plain.is_empty() { "collection" } else { plain }.to_lowercase()
}

/// The files of these generations with their names. Those that were removed are left out.
async fn files_of(console: &Console, generations: &[Generation]) -> Result<VecDeque<(String, FileName)>> {
    let named = generations.iter().flat_map(|generation| {
        let assets = generation.output.iter().flat_map(|output| &output.assets);
        assets
            .enumerate()
            .map(|(place, asset)| (file_name(generation, &asset.file, place), asset.file.clone()))
    });
    let named: Vec<(String, FileName)> = named.collect();
    let app = &console.app;
    let sizes = stream::iter(named)
        .map(|(name, file)| async move { Ok::<_, Error>((app.media_size(&file).await?, name, file)) })
        .buffered(SIZES_AT_ONCE);
    let sized: Vec<_> = sizes.try_collect().await?;
    let mut files = VecDeque::new();
    let mut bytes = 0;
    for (size, name, file) in sized {
        if let Some(size) = size {
            bytes += size;
            files.push_back((name, file));
        }
    }
    if files.is_empty() {
        return Err(Error::NotFound("these generations have no files".to_owned()).into());
    }
    if bytes > MAX_BYTES || files.len() > MAX_FILES {
        return Err(Error::invalid(format!(
            "{} files with {} MiB together were selected, and an archive has {MAX_FILES} files and {} MiB at most: \
             select fewer generations",
            files.len(),
            bytes >> 20,
            MAX_BYTES >> 20
        ))
        .into());
    }
    Ok(files)
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

fn archive(app: App, files: VecDeque<(String, FileName)>, name: &str) -> Response {
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
    let disposition = format!("attachment; filename=\"{name}.zip\"");
    // The name is ASCII, so the fallback is never used.
    let disposition = HeaderValue::from_str(&disposition);
    let fallback = HeaderValue::from_static("attachment; filename=\"atelier.zip\"");
    headers.insert(header::CONTENT_DISPOSITION, disposition.unwrap_or(fallback));
    response
}
