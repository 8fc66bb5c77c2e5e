//! An HTTP client without assertions: tests check status, headers and body themselves.

use std::time::Duration;

use bytes::Bytes;
use reqwest::{
    Client, Method, StatusCode,
    header::{HeaderMap, HeaderName, HeaderValue},
};
use serde_json::Value;

/// A client with the key of one account, or without a key.
#[derive(Debug, Clone)]
pub struct Http {
    client: Client,
    origin: String,
    key: Option<String>,
}

/// A received response.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub bytes: Bytes,
}

impl Answer {
    /// The body as JSON. The test fails if it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|error| {
            panic!(
                "{}: the body is not JSON ({error}): {:?}",
                self.status, self.bytes
            )
        })
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// `error.code` of an error.
    pub fn code(&self) -> String {
        let body = self.json();
        assert_eq!(body["success"], false, "{body}");
        body["error"]["code"]
            .as_str()
            .unwrap_or_else(|| panic!("no code in {body}"))
            .to_owned()
    }

    /// `error.message` of an error.
    pub fn message(&self) -> String {
        let body = self.json();
        body["error"]["message"]
            .as_str()
            .unwrap_or_else(|| panic!("no message in {body}"))
            .to_owned()
    }
}

impl Http {
    /// A client of the service at this origin, such as `http://127.0.0.1:8080`.
    pub fn new(origin: &str, key: Option<&str>) -> Self {
        // All clients of the process share one provider; installing it again is not an error.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(Duration::from_secs(90))
            .build()
            .unwrap();
        Self {
            client,
            origin: origin.to_owned(),
            key: key.map(str::to_owned),
        }
    }

    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// A client of the same service with another key, or without one.
    pub fn with_key(&self, key: Option<&str>) -> Self {
        Self {
            key: key.map(str::to_owned),
            ..self.clone()
        }
    }

    /// A request to `path`, relative to the API's base path, or to the origin if it starts with `//`.
    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let url = match path.strip_prefix("//") {
            Some(path) => format!("{}/{path}", self.origin),
            None => format!("{}/dev/v1{path}", self.origin),
        };
        let request = self.client.request(method, url);
        match &self.key {
            Some(key) => request.bearer_auth(key),
            None => request,
        }
    }

    pub async fn send(&self, request: reqwest::RequestBuilder) -> Answer {
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        Answer {
            status,
            headers,
            bytes: response.bytes().await.unwrap(),
        }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path)).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(self.request(Method::POST, path).json(body)).await
    }

    pub async fn post_with(&self, path: &str, body: &Value, headers: &[(&str, &str)]) -> Answer {
        let mut request = self.request(Method::POST, path).json(body);
        for (name, value) in headers {
            request = request.header(
                HeaderName::from_bytes(name.as_bytes()).unwrap(),
                HeaderValue::from_bytes(value.as_bytes()).unwrap(),
            );
        }
        self.send(request).await
    }

    /// Uploads these bytes as the part named `file`.
    pub async fn upload(&self, bytes: Vec<u8>, file_name: &str) -> Answer {
        let part = reqwest::multipart::Part::bytes(bytes).file_name(file_name.to_owned());
        let form = reqwest::multipart::Form::new().part("file", part);
        self.send(self.request(Method::POST, "/uploads").multipart(form))
            .await
    }

    /// Creates a generation and returns its id. The test fails if it is not accepted.
    pub async fn create(&self, body: &Value) -> String {
        let answer = self.post("/generations", body).await;
        assert_eq!(
            answer.status,
            StatusCode::CREATED,
            "{}",
            String::from_utf8_lossy(&answer.bytes)
        );
        answer.json()["data"]["id"].as_str().unwrap().to_owned()
    }

    /// Waits up to a minute for the end of the generation.
    pub async fn wait(&self, id: &str) -> Value {
        self.get(&format!("/generations/{id}?wait=60")).await.json()["data"].clone()
    }
}
