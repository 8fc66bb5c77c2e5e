//! The output files of a job: brought into its scratch folder, limited in number and size, and checked.

use std::path::{Path, PathBuf};

use atelier_domain::{Failure, FailureCode, MediaKind};
use atelier_media::{sniff, sniff::HEAD};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use reqwest::{
    Response, StatusCode,
    header::{CONTENT_TYPE, LOCATION},
};
use tokio::{
    fs::{File, read},
    io::AsyncReadExt as _,
};

use super::{failures::unusable_answer, multipart, server::RemoteServer};
use crate::{Job, unwritten};

/// Redirects that a download follows.
const MAX_REDIRECTS: usize = 4;

/// Collects the output files of one job.
#[derive(Debug)]
pub(crate) struct OutputFiles<'a> {
    server: &'a RemoteServer,
    job: &'a Job,
    files: usize,
    /// How many bytes the remaining files may have.
    left: u64,
}

impl<'a> OutputFiles<'a> {
    pub(crate) fn new(server: &'a RemoteServer, job: &'a Job) -> Self {
        Self {
            server,
            job,
            files: 0,
            left: server.limits.bytes,
        }
    }

    /// Refuses more files than a job may have, before any of them is downloaded.
    pub(crate) fn expect(&self, count: usize) -> Result<(), Failure> {
        let most = self.server.limits.files;
        if count > most {
            let why = format!("it has {count} files; a job may have {most}");
            return Err(unusable_answer(&why));
        }
        Ok(())
    }

    /// Adds a file that is given as an address, a data URL or Base64.
    pub(crate) async fn add(&mut self, text: &str) -> Result<PathBuf, Failure> {
        let path = self.add_any(text).await?;
        self.check(&path).await?;
        Ok(path)
    }

    /// Adds a file of any type, which must not become an output as it is.
    pub(crate) async fn add_any(&mut self, text: &str) -> Result<PathBuf, Failure> {
        let path = self.next_path()?;
        if let Some(data) = text.strip_prefix("data:") {
            let (_, encoded) = data
                .split_once(";base64,")
                .ok_or_else(|| unusable_answer("it contains a data URL that is not Base64"))?;
            self.decode(encoded, &path).await?;
        } else if is_address(text) {
            let body = self.download(text).await?;
            self.save(body, &path).await?;
        } else {
            self.decode(text, &path).await?;
        }
        Ok(path)
    }

    /// Adds the body of an answer as a file, or its parts of the job's kind if it has parts.
    pub(crate) async fn add_body(&mut self, body: Response) -> Result<Vec<PathBuf>, Failure> {
        let content_type = body.headers().get(CONTENT_TYPE);
        let boundary = content_type.and_then(|value| multipart::boundary(value.to_str().ok()?));
        let path = self.next_path()?;
        self.save(body, &path).await?;
        let Some(boundary) = boundary else {
            self.check(&path).await?;
            return Ok(vec![path]);
        };
        let whole = read(&path).await.map_err(|error| unread(&error))?;
        let parts =
            multipart::parts(&whole, &boundary).ok_or_else(|| unusable_answer("its parts are damaged"))?;
        let wanted: Vec<_> = parts
            .into_iter()
            .filter(|part| sniff(part).and_then(atelier_domain::MediaType::kind) == Some(self.job.kind))
            .collect();
        if wanted.is_empty() {
            return Err(unusable_answer("no part of it is of the requested kind"));
        }
        // The first takes the place of the whole.
        self.files = 0;
        let mut paths = Vec::new();
        for part in wanted {
            let path = self.next_path()?;
            let written = self.job.scratch.write(&path, part).await;
            written.map_err(|error| unwritten(&error))?;
            paths.push(path);
        }
        Ok(paths)
    }

    /// Writes a JSON file that goes with the others.
    pub(crate) async fn add_side_file(&mut self, name: &str, json: String) -> Result<PathBuf, Failure> {
        self.take(json.len())?;
        let scratch = &self.job.scratch;
        let written = scratch.write(name, json.as_bytes()).await;
        written.map_err(|error| unwritten(&error))?;
        Ok(scratch.path().join(name))
    }

    fn next_path(&mut self) -> Result<PathBuf, Failure> {
        self.expect(self.files + 1)?;
        let path = self.job.scratch.path().join(format!("output-{}", self.files));
        self.files += 1;
        Ok(path)
    }

    async fn download(&self, address: &str) -> Result<Response, Failure> {
        let mut url = self
            .server
            .resolve(address)
            .map_err(|_| unusable_answer("it names an invalid address"))?;
        for _ in 0..=MAX_REDIRECTS {
            let answer = self
                .server
                .download_request(&url)?
                .send()
                .await
                .map_err(|_| lost("an output file could not be downloaded"))?;
            let status = answer.status();
            if status.is_success() {
                return Ok(answer);
            }
            let location = answer.headers().get(LOCATION);
            let target = location.and_then(|value| value.to_str().ok());
            let Some(target) = target.filter(|_| status.is_redirection()) else {
                let gone = matches!(status, StatusCode::NOT_FOUND | StatusCode::GONE);
                let status = status.as_u16();
                let failure = lost(&format!(
                    "an output file could not be downloaded (status {status})"
                ));
                // Only another request brings back a file that the server no longer has.
                return Err(Failure {
                    resumes: !gone,
                    ..failure
                });
            };
            url = url
                .join(target)
                .map_err(|_| unusable_answer("a file redirects to an invalid address"))?;
        }
        Err(unusable_answer("a file redirects too often"))
    }

    async fn save(&mut self, mut body: Response, path: &Path) -> Result<(), Failure> {
        if body.content_length().is_some_and(|length| length > self.left) {
            return Err(self.too_large());
        }
        let file = self.job.scratch.create(path).await;
        let mut file = file.map_err(|error| unwritten(&error))?;
        while let Some(bytes) = body
            .chunk()
            .await
            .map_err(|_| lost("the connection broke off during the download of an output file"))?
        {
            self.take(bytes.len())?;
            file.write(&bytes).await.map_err(|error| unwritten(&error))?;
        }
        Ok(())
    }

    async fn decode(&mut self, encoded: &str, path: &Path) -> Result<(), Failure> {
        let bytes = STANDARD
            .decode(encoded.trim())
            .map_err(|_| unusable_answer("it contains a file that is neither an address nor Base64"))?;
        self.take(bytes.len())?;
        let written = self.job.scratch.write(path, &bytes).await;
        written.map_err(|error| unwritten(&error))
    }

    fn take(&mut self, bytes: usize) -> Result<(), Failure> {
        match self.left.checked_sub(bytes as u64) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(self.too_large()),
        }
    }

    fn too_large(&self) -> Failure {
        let most = self.server.limits.bytes;
        unusable_answer(&format!("its files are larger than {most} bytes together"))
    }

    /// Refuses a file of another kind than the job requests.
    async fn check(&self, path: &Path) -> Result<(), Failure> {
        let head = head(path).await.map_err(|error| unread(&error))?;
        let found = sniff(&head);
        let kind = found.and_then(atelier_domain::MediaType::kind);
        if kind == Some(self.job.kind) {
            return Ok(());
        }
        let found = found.map_or("of an unknown type", |found| found.mime());
        let expected = match self.job.kind {
            MediaKind::Image => "an image",
            MediaKind::Video => "a video",
            MediaKind::Audio => "audio",
        };
        Err(unusable_answer(&format!(
            "expected {expected}, but a file is {found}"
        )))
    }
}

/// Whether a text is an address, absolute or below the server's URL. Base64 can start with a slash, too: of the
/// accepted types only that of JPEG does, and it always starts with `/9j/`.
fn is_address(text: &str) -> bool {
    const LONGEST: usize = 2048;
    let is_absolute = text.starts_with("http://") || text.starts_with("https://");
    is_absolute || text.starts_with('/') && !text.starts_with("/9j/") && text.len() < LONGEST
}

async fn head(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(HEAD);
    let file = File::open(path).await?;
    file.take(HEAD as u64).read_to_end(&mut head).await?;
    Ok(head)
}

fn unread(error: &std::io::Error) -> Failure {
    lost(&format!("an output file could not be read: {error}"))
}

fn lost(message: &str) -> Failure {
    let delay = std::time::Duration::from_secs(2);
    Failure::retry(FailureCode::GenerationFailed, message, delay).resuming()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_base64_are_told_apart() {
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
