//! Uploads by a form: the policy in it (signature version 4) is checked as documented.

use std::collections::BTreeMap;

use atelier_domain::{Clock as _, clock::SystemClock};
use axum::{
    body::Bytes,
    http::{StatusCode, header, request::Parts},
    response::IntoResponse as _,
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;

use super::{Answer, BUCKET, KEY, Kept, Object, REGION, Refused, S3, SECRET, hmac, text};

impl S3 {
    /// The configuration of a service that stores its files here, and whose clients may upload to the bucket
    /// themselves.
    pub(in super::super) fn config_with_uploads(&self) -> String {
        let config = self.config(SECRET);
        config.replacen(
            "[media]\n",
            &format!("[media]\nupload_url = \"{}/{BUCKET}\"\n", self.url),
            1,
        )
    }

    /// Stores an object as it is.
    pub(in super::super) fn put(&self, key: &str, bytes: &[u8]) {
        let object = Object {
            bytes: Bytes::copy_from_slice(bytes),
            content_type: String::new(),
            cache_control: String::new(),
        };
        self.kept.lock().unwrap().objects.insert(key.to_owned(), object);
    }
}

/// Parts of a form that a policy does not have to name.
const FREE: [&str; 3] = ["policy", "x-amz-signature", "file"];

/// Whether this is the upload of a form.
pub(super) fn is_form(parts: &Parts) -> bool {
    let content_type = text(&parts.headers, "content-type").unwrap_or_default();
    parts.uri.path() == format!("/{BUCKET}") && content_type.starts_with("multipart/form-data;")
}

pub(super) fn take(kept: &mut Kept, parts: &Parts, body: &Bytes) -> Answer {
    let content_type = text(&parts.headers, header::CONTENT_TYPE.as_str()).unwrap_or_default();
    let (_, boundary) = content_type.split_once("boundary=").unwrap();
    let fields = fields(body, boundary);
    let field = |name: &str| {
        fields
            .get(name)
            .map(|bytes| String::from_utf8(bytes.clone()).unwrap())
    };
    let denied = Refused(StatusCode::FORBIDDEN, "AccessDenied");
    let policy = field("policy").ok_or(denied)?;
    let date = field("x-amz-date").ok_or(denied)?;
    let scope = format!("{}/{REGION}/s3/aws4_request", &date[..8]);
    if field("x-amz-credential") != Some(format!("{KEY}/{scope}")) {
        return Err(Refused(StatusCode::FORBIDDEN, "InvalidAccessKeyId"));
    }
    let secret = format!("AWS4{SECRET}").into_bytes();
    let key = scope.split('/').fold(secret, |key, part| hmac(&key, part));
    if field("x-amz-signature") != Some(hex::encode(hmac(&key, &policy))) {
        return Err(Refused(StatusCode::FORBIDDEN, "SignatureDoesNotMatch"));
    }
    let policy: Value = serde_json::from_slice(&STANDARD.decode(policy).unwrap()).unwrap();
    let expires = policy["expiration"].as_str().unwrap();
    if *SystemClock.now().to_string() >= *expires {
        return Err(denied);
    }
    let file = fields.get("file").ok_or(denied)?;
    let mut named = vec!["bucket".to_owned()];
    for condition in policy["conditions"].as_array().unwrap() {
        if condition[0] == "content-length-range" {
            let (least, most) = (condition[1].as_u64().unwrap(), condition[2].as_u64().unwrap());
            if (file.len() as u64) < least {
                return Err(Refused(StatusCode::BAD_REQUEST, "EntityTooSmall"));
            }
            if file.len() as u64 > most {
                return Err(Refused(StatusCode::BAD_REQUEST, "EntityTooLarge"));
            }
            continue;
        }
        let (name, value) = condition.as_object().unwrap().iter().next().unwrap();
        let given = if name == "bucket" {
            Some(BUCKET.to_owned())
        } else {
            field(name)
        };
        if given.as_deref() != value.as_str() {
            return Err(denied);
        }
        named.push(name.clone());
    }
    // Every field must be named by a condition.
    if fields
        .keys()
        .any(|name| !FREE.contains(&name.as_str()) && !named.contains(name))
    {
        return Err(denied);
    }
    let key = field("key").ok_or(denied)?;
    let object = Object {
        bytes: file.clone().into(),
        content_type: field("Content-Type").unwrap_or_default(),
        cache_control: String::new(),
    };
    kept.objects.insert(key.clone(), object);
    kept.done.push(format!("POST {key}"));
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// The parts of a form by name. None of them contains the boundary.
fn fields(body: &[u8], boundary: &str) -> BTreeMap<String, Vec<u8>> {
    let boundary = format!("--{boundary}");
    let mut fields = BTreeMap::new();
    let mut rest = body;
    while let Some(at) = find(rest, boundary.as_bytes()) {
        rest = &rest[at + boundary.len()..];
        let end = find(rest, boundary.as_bytes()).unwrap_or(rest.len());
        let part = &rest[..end];
        let Some(head) = find(part, b"\r\n\r\n") else {
            continue;
        };
        let (head, content) = (&part[..head], &part[head + 4..]);
        let head = String::from_utf8(head.to_vec()).unwrap();
        let (_, name) = head.split_once("name=\"").unwrap();
        let name = name.split('"').next().unwrap().to_owned();
        fields.insert(name, content.strip_suffix(b"\r\n").unwrap().to_vec());
    }
    fields
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}
