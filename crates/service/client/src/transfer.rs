//! Uploads inputs and downloads outputs. Files are streamed and never completely in memory.

use std::path::{Path, PathBuf};

use futures::StreamExt as _;
use reqwest::{
    Body, Method, RequestBuilder,
    multipart::{Form, Part},
};
use tokio::{
    fs::File,
    io::{AsyncWriteExt as _, BufWriter},
};
use tokio_util::io::ReaderStream;

use crate::{
    Client, Error, Result, error, retry,
    types::{Data, Uploaded},
};

impl Client {
    /// Stores a local file with the service.
    pub async fn upload(&self, path: &Path) -> Result<Uploaded> {
        // The service stores the same bytes once, so repeating an upload is harmless.
        retry::repeat(|| async {
            let response = self.upload_request(path).await?.send().await?;
            Ok(error::read::<Data<Uploaded>>(response).await?.data)
        })
        .await
    }

    /// Stores a file that is in memory.
    pub async fn upload_bytes(&self, bytes: Vec<u8>) -> Result<Uploaded> {
        let bytes = bytes::Bytes::from(bytes);
        retry::repeat(|| async {
            let part = Part::stream(bytes.clone()).file_name("file");
            let form = Form::new().part("file", part);
            let request = self.request(Method::POST, "/uploads").multipart(form);
            Ok(error::read::<Data<Uploaded>>(request.send().await?).await?.data)
        })
        .await
    }

    /// The media type and the bytes of a small picture of a stored file; `None` if there is none.
    pub async fn preview(&self, url: &str) -> Result<Option<(String, Vec<u8>)>> {
        let name = url.rsplit('/').next().unwrap_or(url);
        let origin = self.base.strip_suffix(crate::BASE_PATH).unwrap_or(&self.base);
        // The query of a signed link opens the preview too.
        let (name, query) = name.split_once('?').unwrap_or((name, ""));
        let query = if query.is_empty() {
            String::new()
        } else {
            format!("?{query}")
        };
        let request = self.http.get(format!("{origin}/media/{name}/preview{query}"));
        let response = request.send().await?;
        if response.status() == reqwest::StatusCode::NOT_FOUND {
            return Ok(None);
        }
        if !response.status().is_success() {
            return Err(error::refusal(response).await);
        }
        let kind = response.headers().get(reqwest::header::CONTENT_TYPE);
        let kind = kind
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or_default()
            .to_owned();
        Ok(Some((kind, response.bytes().await?.to_vec())))
    }

    async fn upload_request(&self, path: &Path) -> Result<RequestBuilder> {
        let failed = |source| Error::File {
            path: path.display().to_string(),
            source,
        };
        let file = File::open(path).await.map_err(failed)?;
        let metadata = file.metadata().await.map_err(failed)?;
        if !metadata.is_file() {
            return Err(failed(std::io::Error::other("not a file")));
        }
        let name = path
            .file_name()
            .map_or_else(|| "file".into(), |name| name.to_string_lossy().into_owned());
        let stream = ReaderStream::with_capacity(file, 64 << 10);
        let part = Part::stream_with_length(Body::wrap_stream(stream), metadata.len()).file_name(name);
        Ok(self
            .request(Method::POST, "/uploads")
            .multipart(Form::new().part("file", part)))
    }

    /// Saves a file of the service, such as an output, at `path`, atomically.
    pub async fn download(&self, url: &str, path: &Path) -> Result<()> {
        let part = unfinished(path);
        let done = retry::repeat(|| self.download_to(url, &part)).await;
        let done = match done {
            Ok(()) => tokio::fs::rename(&part, path)
                .await
                .map_err(|source| unwritable(path, source)),
            Err(error) => Err(error),
        };
        if done.is_err() {
            // The partial file may not exist.
            let _ = tokio::fs::remove_file(&part).await;
        }
        done
    }

    async fn download_to(&self, url: &str, path: &Path) -> Result<()> {
        // Outputs are public, or their links are signed: the key stays here.
        let response = self.http.get(url).send().await?;
        if !response.status().is_success() {
            return Err(error::refusal(response).await);
        }
        let mut file = BufWriter::new(
            File::create(path)
                .await
                .map_err(|source| unwritable(path, source))?,
        );
        let mut stream = response.bytes_stream();
        while let Some(chunk) = stream.next().await {
            file.write_all(&chunk?)
                .await
                .map_err(|source| unwritable(path, source))?;
        }
        file.flush().await.map_err(|source| unwritable(path, source))
    }
}

/// The path of a partial download, in the same folder, so that it can be renamed atomically.
fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}

fn unwritable(path: &Path, source: std::io::Error) -> Error {
    Error::File {
        path: path.display().to_string(),
        source,
    }
}
