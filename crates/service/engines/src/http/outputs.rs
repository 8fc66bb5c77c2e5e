//! The files of an answer, brought into the job's scratch folder and looked at before anybody else does.

use std::path::{Path, PathBuf};

use atelier_domain::{Failure, FailureCode, MediaKind};
use atelier_media::sniff;
use atelier_outbound::Outbound;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use reqwest::Response;
use serde_json::{Value, json};
use tokio::{fs::File, io::AsyncWriteExt as _};
use url::Url;

use super::{
    answer,
    exchange::misread,
    profile::{Outputs, Words},
    remote::Remote,
};
use crate::{Job, MadeFile};

/// How large the files of one job may be together, in bytes.
const MAX_BYTES: u64 = 2 << 30;
/// How much of a file tells its type.
const HEAD: usize = 4096;

/// Where files come from and go to.
#[derive(Debug)]
pub(crate) struct Gather<'a> {
    pub remote: &'a Remote,
    /// Reaches addresses elsewhere that an answer names, through the guard.
    pub elsewhere: &'a Outbound,
    pub job: &'a Job,
}

impl Gather<'_> {
    /// The files that a JSON answer names or holds, in order, and the word times where there are any.
    pub(super) async fn in_json(&self, answer: &Value, outputs: &Outputs) -> Result<Vec<MadeFile>, Failure> {
        let parsed: Value;
        let place = match &outputs.parse {
            None => answer,
            Some(at) => {
                let text = answer.pointer(at).and_then(Value::as_str).unwrap_or_default();
                parsed = serde_json::from_str(text).map_err(|_| misread("its result is no JSON"))?;
                &parsed
            }
        };
        let found = outputs
            .at
            .iter()
            .map(|at| answer::find(place, at))
            .find(|found| !found.is_empty());
        let mut files = Vec::new();
        for (index, value) in found.unwrap_or_default().into_iter().enumerate() {
            let text = value.as_str().ok_or_else(|| misread("a file in it is no text"))?;
            files.push(MadeFile::Path(self.one(index, text).await?));
        }
        if files.is_empty() {
            return Err(misread("it names no files"));
        }
        if let Some(path) = outputs
            .words
            .as_ref()
            .map(|words| self.words(words, place))
            .transpose()?
            .flatten()
        {
            files.push(MadeFile::Path(path));
        }
        Ok(files)
    }

    /// The body of an answer as the file.
    pub(super) async fn in_body(&self, body: Response) -> Result<Vec<MadeFile>, Failure> {
        let path = self.path(0);
        save(body, &path).await?;
        Ok(vec![MadeFile::Path(self.checked(path).await?)])
    }

    /// The `index`th file, of an address, a data URL or Base64.
    pub(crate) async fn one(&self, index: usize, text: &str) -> Result<PathBuf, Failure> {
        let path = self.path(index);
        if let Some(data) = text.strip_prefix("data:") {
            let (_, encoded) = data
                .split_once(";base64,")
                .ok_or_else(|| misread("a data URL in it is not Base64"))?;
            write(&path, encoded).await?;
        } else if is_address(text) {
            save(self.download(text).await?, &path).await?;
        } else {
            write(&path, text).await?;
        }
        self.checked(path).await
    }

    async fn download(&self, address: &str) -> Result<Response, Failure> {
        let url = self
            .remote
            .address(address)
            .map_err(|_| misread("an address in it is none"))?;
        let request = if self.remote.is_own(&url) {
            self.remote.request(reqwest::Method::GET, url.as_str())?
        } else {
            self.elsewhere
                .get(&url)
                .map_err(|refused| misread(&refused.to_string()))?
        };
        let mut request = request;
        for _ in 0..5 {
            let answer = request
                .send()
                .await
                .map_err(|_| lost("a file of the engine could not be downloaded"))?;
            if answer.status().is_success() {
                return Ok(answer);
            }
            let target = answer
                .headers()
                .get(reqwest::header::LOCATION)
                .and_then(|value| value.to_str().ok());
            let Some(target) = target.filter(|_| answer.status().is_redirection()) else {
                return Err(lost(&format!(
                    "a file of the engine could not be downloaded (status {})",
                    answer.status().as_u16()
                )));
            };
            let next: Url = answer
                .url()
                .join(target)
                .map_err(|_| misread("it redirects to nowhere"))?;
            request = if self.remote.is_own(&next) {
                self.remote.request(reqwest::Method::GET, next.as_str())?
            } else {
                self.elsewhere
                    .get(&next)
                    .map_err(|refused| misread(&refused.to_string()))?
            };
        }
        Err(misread("it redirects too often"))
    }

    /// Refuses what is not of the kind that was asked for.
    async fn checked(&self, path: PathBuf) -> Result<PathBuf, Failure> {
        let head = head(&path)
            .await
            .map_err(|error| lost(&format!("a work file could not be read: {error}")))?;
        let found = sniff(&head);
        let kind = found.and_then(atelier_domain::MediaType::kind);
        if kind == Some(self.job.kind) {
            return Ok(path);
        }
        let found = found.map_or("something unknown", |found| found.mime());
        let asked = match self.job.kind {
            MediaKind::Image => "a picture",
            MediaKind::Video => "a video",
            MediaKind::Audio => "sound",
        };
        Err(misread(&format!("it should be {asked} and is {found}")))
    }

    fn path(&self, index: usize) -> PathBuf {
        self.job.scratch.join(format!("output-{index}"))
    }

    /// Word times out of character times, with the words' places in the text, in characters.
    fn words(&self, words: &Words, answer: &Value) -> Result<Option<PathBuf>, Failure> {
        let list = |at: &str| answer.pointer(at).and_then(Value::as_array);
        let (Some(characters), Some(starts), Some(ends)) =
            (list(&words.characters), list(&words.starts), list(&words.ends))
        else {
            return Ok(None);
        };
        let text: Vec<&str> = characters.iter().filter_map(Value::as_str).collect();
        let seconds =
            |list: &[Value], index: usize| list.get(index).and_then(Value::as_f64).unwrap_or_default();
        let mut found = Vec::new();
        let mut from = 0;
        for (index, part) in text.iter().chain([&" "]).enumerate() {
            if !part.trim().is_empty() {
                continue;
            }
            if from < index {
                let word = text[from..index].concat();
                let (start, end) = (seconds(starts, from), seconds(ends, index - 1));
                found.push(json!({"word": word, "start": start, "end": end, "from": from, "to": index}));
            }
            from = index + 1;
        }
        let path = self.job.scratch.join("words.json");
        std::fs::write(&path, json!({"words": found}).to_string())
            .map_err(|error| lost(&format!("a work file could not be written: {error}")))?;
        Ok(Some(path))
    }
}

/// Whether a text is an address, absolute or below the provider's origin. Base64 can begin with a slash as well: of the
/// types that are made here only JPEG does, whose first bytes are always `/9j/`.
fn is_address(text: &str) -> bool {
    const LONGEST: usize = 2048;
    let is_absolute = text.starts_with("http://") || text.starts_with("https://");
    is_absolute || text.starts_with('/') && !text.starts_with("/9j/") && text.len() < LONGEST
}

async fn write(path: &Path, encoded: &str) -> Result<(), Failure> {
    let bytes = STANDARD
        .decode(encoded.trim())
        .map_err(|_| misread("a file in it is neither address nor Base64"))?;
    tokio::fs::write(path, bytes)
        .await
        .map_err(|error| lost(&format!("a work file could not be written: {error}")))
}

async fn save(mut body: Response, path: &Path) -> Result<(), Failure> {
    let unwritten = |error: std::io::Error| lost(&format!("a work file could not be written: {error}"));
    let mut file = File::create(path).await.map_err(unwritten)?;
    let mut written = 0;
    while let Some(bytes) = body
        .chunk()
        .await
        .map_err(|_| lost("a file of the engine broke off"))?
    {
        written += bytes.len() as u64;
        if written > MAX_BYTES {
            return Err(misread("a file in it is too large"));
        }
        file.write_all(&bytes).await.map_err(unwritten)?;
    }
    file.flush().await.map_err(unwritten)
}

async fn head(path: &Path) -> std::io::Result<Vec<u8>> {
    use tokio::io::AsyncReadExt as _;
    let mut head = Vec::with_capacity(HEAD);
    File::open(path)
        .await?
        .take(HEAD as u64)
        .read_to_end(&mut head)
        .await?;
    Ok(head)
}

fn lost(message: &str) -> Failure {
    Failure::retry(
        FailureCode::GenerationFailed,
        message,
        std::time::Duration::from_secs(2),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_told_from_base64() {
        for address in ["http://a/b", "https://a/b", "/files/0", "/view?filename=a.png"] {
            assert!(is_address(address), "{address}");
        }
        let jpeg = STANDARD.encode([0xff, 0xd8, 0xff, 0xe0, 0, 16]);
        let png = STANDARD.encode(b"\x89PNG");
        for encoded in [jpeg, png, format!("/{}", "A".repeat(4096))] {
            assert!(!is_address(&encoded), "{encoded}");
        }
    }
}
