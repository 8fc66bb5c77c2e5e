//! A service's knowledge about a file.

use reqwest::{
    Method,
    multipart::{Form, Part},
};

use crate::{Client, Error, Result, error, types::Data};

/// The subject of the question.
#[derive(Debug, Clone)]
pub enum Question {
    /// A file's bytes.
    File(Vec<u8>),
    /// The service fetches this URL.
    Url(String),
}

impl Client {
    /// Asks whether the service made a file, as `POST /verify` answers. The key may be empty.
    pub async fn verify(&self, question: Question) -> Result<serde_json::Value> {
        let form = match question {
            Question::File(bytes) => Form::new().part("file", Part::bytes(bytes).file_name("file")),
            Question::Url(url) => Form::new().text("url", url),
        };
        let request = if self.has_key() {
            self.request(Method::POST, "/verify")
        } else {
            self.http.post(format!("{}/verify", self.base))
        };
        let response = request.multipart(form).send().await.map_err(Error::from)?;
        Ok(error::read::<Data<serde_json::Value>>(response).await?.data)
    }

    fn has_key(&self) -> bool {
        self.key.as_bytes() != b"Bearer "
    }
}
