//! A bucket with the part of S3's interface that the service uses. It is strict: it computes the signature (version 4)
//! of every request again, and refuses what a real bucket refuses.

mod form;

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    net::TcpListener,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::{Body, Bytes, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, Method, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};

pub(super) const BUCKET: &str = "studio";
pub(super) const KEY: &str = "AKIDTEST";
pub(super) const SECRET: &str = "a secret/with+signs";
const REGION: &str = "eu-test-1";
/// Only the last part may be smaller.
const LEAST_PART: usize = 5 << 20;

#[derive(Debug, Clone)]
pub(super) struct Object {
    pub(super) bytes: Bytes,
    pub(super) content_type: String,
    pub(super) cache_control: String,
}

#[derive(Debug, Default)]
struct Kept {
    objects: BTreeMap<String, Object>,
    /// Unfinished uploads: the future object, and the parts by number.
    uploads: BTreeMap<String, (String, Object, BTreeMap<u32, Bytes>)>,
    /// The successful operations, as `PUT key`, `part 1 key` and so on.
    done: Vec<String>,
    /// Whether every request is refused.
    closed: bool,
}

/// A bucket on loopback. It ends when it is dropped.
#[derive(Debug)]
pub(super) struct S3 {
    url: String,
    kept: Arc<Mutex<Kept>>,
    task: tokio::task::JoinHandle<()>,
}

impl S3 {
    pub(super) fn start() -> Self {
        let kept = Arc::new(Mutex::new(Kept::default()));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let listener = tokio::net::TcpListener::from_std(listener).unwrap();
        let router = Router::new().fallback(answer).with_state(Arc::clone(&kept));
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, kept, task }
    }

    /// The configuration of a service that stores its files here.
    pub(super) fn config(&self, secret: &str) -> String {
        format!(
            "[media]\nurl = \"s3://{BUCKET}/some/media\"\n[s3]\nendpoint = \"{}\"\nregion = \"{REGION}\"\n\
             access_key_id = \"{KEY}\"\nsecret_access_key = \"{secret}\"\nallow_http = true\n",
            self.url
        )
    }

    pub(super) fn objects(&self) -> BTreeMap<String, Object> {
        self.kept.lock().unwrap().objects.clone()
    }

    /// The operations since the last call.
    pub(super) fn done(&self) -> Vec<String> {
        std::mem::take(&mut self.kept.lock().unwrap().done)
    }

    /// Refuses every request, as a bucket does after the credentials have expired, or accepts them again.
    pub(super) fn close(&self, closed: bool) {
        self.kept.lock().unwrap().closed = closed;
    }

    pub(super) fn unfinished(&self) -> usize {
        self.kept.lock().unwrap().uploads.len()
    }
}

impl Drop for S3 {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A status and an error code of S3.
#[derive(Debug, Clone, Copy)]
struct Refused(StatusCode, &'static str);

type Answer = Result<Response, Refused>;

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.0, format!("<Error><Code>{}</Code></Error>", self.1)).into_response()
    }
}

async fn answer(State(kept): State<Arc<Mutex<Kept>>>, request: Request) -> Response {
    if kept.lock().unwrap().closed {
        return Refused(StatusCode::FORBIDDEN, "ExpiredToken").into_response();
    }
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, 64 << 20).await.unwrap();
    if parts.method == Method::POST && form::is_form(&parts) {
        return form::take(&mut kept.lock().unwrap(), &parts, &body).into_response();
    }
    let done = signed(&parts, &body).and_then(|()| act(&mut kept.lock().unwrap(), &parts, &body));
    done.into_response()
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

fn hmac(key: &[u8], text: &str) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

/// The parts of the query in order. A part without a value has an empty one.
fn query(parts: &Parts) -> Vec<(&str, &str)> {
    let mut pairs: Vec<_> = parts
        .uri
        .query()
        .unwrap_or_default()
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .collect();
    pairs.sort_unstable();
    pairs
}

/// Signature version 4 in the header `Authorization` or in the query, as documented.
fn signed(parts: &Parts, body: &[u8]) -> Result<(), Refused> {
    let denied = |code| Refused(StatusCode::FORBIDDEN, code);
    let headers = &parts.headers;
    if query(parts).iter().any(|(name, _)| *name == "X-Amz-Signature") {
        return signed_in_query(parts);
    }
    let authorization = text(headers, "authorization").ok_or_else(|| denied("AccessDenied"))?;
    let given = authorization
        .strip_prefix("AWS4-HMAC-SHA256 ")
        .ok_or_else(|| denied("InvalidRequest"))?;
    let given: BTreeMap<_, _> = given
        .split(',')
        .filter_map(|part| part.trim().split_once('='))
        .collect();
    let scope: Vec<_> = given["Credential"].split('/').collect();
    if scope[0] != KEY {
        return Err(denied("InvalidAccessKeyId"));
    }
    let time = text(headers, "x-amz-date").ok_or_else(|| denied("AccessDenied"))?;
    if scope[1..] != [&time[..8], REGION, "s3", "aws4_request"] {
        return Err(denied("AuthorizationHeaderMalformed"));
    }
    let names: Vec<_> = given["SignedHeaders"].split(';').collect();
    let is_signed = |name: &str| names.contains(&name);
    let left_out = headers
        .keys()
        .any(|name| name.as_str().starts_with("x-amz-") && !is_signed(name.as_str()));
    if !is_signed("host") || !names.is_sorted() || left_out {
        return Err(denied("AccessDenied"));
    }
    let content = text(headers, "x-amz-content-sha256").ok_or_else(|| denied("InvalidRequest"))?;
    if content != "UNSIGNED-PAYLOAD" && content != sha256(body) {
        return Err(Refused(StatusCode::BAD_REQUEST, "XAmzContentSHA256Mismatch"));
    }
    let query: Vec<_> = query(parts)
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let mut canonical = format!("{}\n{}\n{}\n", parts.method, parts.uri.path(), query.join("&"));
    for name in &names {
        let value = text(headers, name).ok_or_else(|| denied("SignatureDoesNotMatch"))?;
        writeln!(canonical, "{name}:{}", value.trim()).unwrap();
    }
    write!(canonical, "\n{}\n{content}", names.join(";")).unwrap();
    if signature(&scope[1..].join("/"), time, &canonical) != given["Signature"] {
        return Err(denied("SignatureDoesNotMatch"));
    }
    Ok(())
}

/// An address that is valid for a time, for one method.
fn signed_in_query(parts: &Parts) -> Result<(), Refused> {
    let denied = |code| Refused(StatusCode::FORBIDDEN, code);
    let pairs = query(parts);
    let get = |name: &str| {
        let pair = pairs.iter().find(|(known, _)| *known == name);
        let (_, value) = pair.ok_or_else(|| denied("AuthorizationQueryParametersError"))?;
        Ok(value.replace("%2F", "/"))
    };
    let (credential, time) = (get("X-Amz-Credential")?, get("X-Amz-Date")?);
    let scope = credential
        .strip_prefix(&format!("{KEY}/"))
        .ok_or_else(|| denied("InvalidAccessKeyId"))?;
    let seconds: u32 = get("X-Amz-Expires")?.parse().unwrap();
    if scope != format!("{}/{REGION}/s3/aws4_request", &time[..8]) || !(1..=604_800).contains(&seconds) {
        return Err(denied("AuthorizationQueryParametersError"));
    }
    let others: Vec<_> = pairs
        .iter()
        .filter(|(name, _)| *name != "X-Amz-Signature")
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let host = text(&parts.headers, "host").ok_or_else(|| denied("AccessDenied"))?;
    let canonical = format!(
        "{}\n{}\n{}\nhost:{host}\n\nhost\nUNSIGNED-PAYLOAD",
        parts.method,
        parts.uri.path(),
        others.join("&")
    );
    if get("X-Amz-SignedHeaders")? != "host" || signature(scope, &time, &canonical) != get("X-Amz-Signature")?
    {
        return Err(denied("SignatureDoesNotMatch"));
    }
    Ok(())
}

fn signature(scope: &str, time: &str, canonical: &str) -> String {
    let to_sign = format!(
        "AWS4-HMAC-SHA256\n{time}\n{scope}\n{}",
        sha256(canonical.as_bytes())
    );
    let key = scope
        .split('/')
        .fold(format!("AWS4{SECRET}").into_bytes(), |key, part| hmac(&key, part));
    hex::encode(hmac(&key, &to_sign))
}

fn act(kept: &mut Kept, parts: &Parts, body: &Bytes) -> Answer {
    let path = parts.uri.path().trim_start_matches('/');
    let (bucket, key) = path.split_once('/').unwrap_or((path, ""));
    if bucket != BUCKET {
        return Err(Refused(StatusCode::NOT_FOUND, "NoSuchBucket"));
    }
    let query: BTreeMap<_, _> = query(parts).into_iter().collect();
    let has = |name: &str| query.contains_key(name);
    match (&parts.method, key) {
        (&Method::GET, "") if query.get("list-type") == Some(&"2") => Ok(list(kept, &query)),
        (&Method::POST, "") if has("delete") => Ok(delete_several(kept, body)),
        (_, "") => Err(Refused(StatusCode::NOT_IMPLEMENTED, "NotImplemented")),
        (&Method::POST, key) if has("uploads") => Ok(begin(kept, key, &parts.headers)),
        (&Method::PUT, key) if has("uploadId") => part(kept, key, &query, body),
        (&Method::POST, key) if has("uploadId") => complete(kept, key, query["uploadId"], body),
        (&Method::DELETE, key) if has("uploadId") => {
            kept.uploads.remove(query["uploadId"]);
            kept.done.push(format!("abort {key}"));
            Ok(StatusCode::NO_CONTENT.into_response())
        }
        (&Method::PUT, key) => {
            let object = object(&parts.headers, body.clone());
            kept.objects.insert(key.to_owned(), object);
            kept.done.push(format!("PUT {key}"));
            Ok([(header::ETAG, etag(body))].into_response())
        }
        (&Method::GET | &Method::HEAD, key) => read(kept, key, parts),
        (&Method::DELETE, key) => {
            kept.objects.remove(key);
            kept.done.push(format!("DELETE {key}"));
            Ok(StatusCode::NO_CONTENT.into_response())
        }
        _ => Err(Refused(StatusCode::METHOD_NOT_ALLOWED, "MethodNotAllowed")),
    }
}

fn etag(bytes: &[u8]) -> String {
    format!("\"{}\"", &sha256(bytes)[..32])
}

fn object(headers: &HeaderMap, bytes: Bytes) -> Object {
    let own = |name| text(headers, name).unwrap_or_default().to_owned();
    Object {
        bytes,
        content_type: own("content-type"),
        cache_control: own("cache-control"),
    }
}

/// The texts of all elements with this name. The requests have no attributes or entities.
fn elements<'a>(xml: &'a str, name: &str) -> Vec<&'a str> {
    xml.split(&format!("<{name}>"))
        .skip(1)
        .filter_map(|rest| rest.split_once(&format!("</{name}>")))
        .map(|(inner, _)| inner)
        .collect()
}

fn list(kept: &mut Kept, query: &BTreeMap<&str, &str>) -> Response {
    kept.done.push("list".to_owned());
    let asked = |name: &str| {
        query
            .get(name)
            .map_or(String::new(), |text| text.replace("%2F", "/"))
    };
    let (prefix, after) = (asked("prefix"), asked("start-after").replace("%7E", "~"));
    let mut xml = "<ListBucketResult><IsTruncated>false</IsTruncated>".to_owned();
    for (key, object) in &kept.objects {
        if key.starts_with(&prefix) && *key > after {
            let (size, tag) = (object.bytes.len(), etag(&object.bytes));
            write!(
                xml,
                "<Contents><Key>{key}</Key><LastModified>2026-11-22T02:00:00.000Z</LastModified>\
                 <ETag>{tag}</ETag><Size>{size}</Size></Contents>"
            )
            .unwrap();
        }
    }
    xml.push_str("</ListBucketResult>");
    xml.into_response()
}

fn delete_several(kept: &mut Kept, body: &[u8]) -> Response {
    let mut deleted = String::new();
    for key in elements(std::str::from_utf8(body).unwrap(), "Key") {
        kept.objects.remove(key);
        kept.done.push(format!("DELETE {key}"));
        write!(deleted, "<Deleted><Key>{key}</Key></Deleted>").unwrap();
    }
    format!("<DeleteResult>{deleted}</DeleteResult>").into_response()
}

fn begin(kept: &mut Kept, key: &str, headers: &HeaderMap) -> Response {
    let id = format!("upload-{}", kept.done.len());
    let upload = (key.to_owned(), object(headers, Bytes::new()), BTreeMap::new());
    kept.uploads.insert(id.clone(), upload);
    kept.done.push(format!("begin {key}"));
    format!(
        "<InitiateMultipartUploadResult><Bucket>{BUCKET}</Bucket><Key>{key}</Key><UploadId>{id}</UploadId>\
         </InitiateMultipartUploadResult>"
    )
    .into_response()
}

fn part(kept: &mut Kept, key: &str, query: &BTreeMap<&str, &str>, body: &Bytes) -> Answer {
    let upload = kept.uploads.get_mut(query["uploadId"]);
    let Some((_, _, parts)) = upload.filter(|(known, ..)| known == key) else {
        return Err(Refused(StatusCode::NOT_FOUND, "NoSuchUpload"));
    };
    let number: u32 = query["partNumber"].parse().unwrap();
    parts.insert(number, body.clone());
    kept.done.push(format!("part {number} {key}"));
    Ok([(header::ETAG, etag(body))].into_response())
}

fn complete(kept: &mut Kept, key: &str, id: &str, body: &[u8]) -> Answer {
    let Some((_, object, parts)) = kept.uploads.get(id).filter(|(known, ..)| known == key) else {
        return Err(Refused(StatusCode::NOT_FOUND, "NoSuchUpload"));
    };
    let asked = std::str::from_utf8(body).unwrap().replace("&quot;", "\"");
    let (numbers, tags) = (elements(&asked, "PartNumber"), elements(&asked, "ETag"));
    let known: Vec<_> = parts
        .iter()
        .map(|(number, part)| (number.to_string(), etag(part)))
        .collect();
    let same = known.len() == numbers.len()
        && known
            .iter()
            .zip(numbers.iter().zip(&tags))
            .all(|(known, (number, tag))| {
                known.0 == *number && known.1.trim_matches('"') == tag.trim_matches('"')
            });
    if !same {
        return Err(Refused(StatusCode::BAD_REQUEST, "InvalidPart"));
    }
    let last = parts.len() - 1;
    if parts.values().take(last).any(|part| part.len() < LEAST_PART) {
        return Err(Refused(StatusCode::BAD_REQUEST, "EntityTooSmall"));
    }
    let object = Object {
        bytes: parts.values().flatten().copied().collect(),
        ..object.clone()
    };
    let tag = etag(&object.bytes);
    kept.objects.insert(key.to_owned(), object);
    kept.uploads.remove(id);
    kept.done.push(format!("complete {key}"));
    Ok(format!(
        "<CompleteMultipartUploadResult><Bucket>{BUCKET}</Bucket><Key>{key}</Key><ETag>{tag}</ETag>\
         </CompleteMultipartUploadResult>"
    )
    .into_response())
}

fn read(kept: &mut Kept, key: &str, parts: &Parts) -> Answer {
    let Some(object) = kept.objects.get(key) else {
        return Err(Refused(StatusCode::NOT_FOUND, "NoSuchKey"));
    };
    let size = object.bytes.len();
    let range = text(&parts.headers, "range").map(|range| {
        let (from, to) = range.strip_prefix("bytes=").unwrap().split_once('-').unwrap();
        let from: usize = from.parse().unwrap();
        from..to.parse::<usize>().map_or(size, |to| (to + 1).min(size))
    });
    if range.as_ref().is_some_and(|range| range.start >= size) {
        return Err(Refused(StatusCode::RANGE_NOT_SATISFIABLE, "InvalidRange"));
    }
    let mut response = Response::builder()
        .header(header::ETAG, etag(&object.bytes))
        .header(header::LAST_MODIFIED, "Sun, 22 Nov 2026 02:00:00 GMT")
        .header(header::CONTENT_TYPE, &object.content_type);
    let bytes = match &range {
        None => object.bytes.clone(),
        Some(range) => {
            let of = format!("bytes {}-{}/{size}", range.start, range.end - 1);
            response = response
                .status(StatusCode::PARTIAL_CONTENT)
                .header(header::CONTENT_RANGE, of);
            object.bytes.slice(range.clone())
        }
    };
    let said = range.map_or(String::new(), |range| format!(" {range:?}"));
    kept.done.push(format!("{} {key}{said}", parts.method));
    response = response.header(header::CONTENT_LENGTH, bytes.len());
    let body = if parts.method == Method::HEAD {
        Bytes::new()
    } else {
        bytes
    };
    Ok(response.body(Body::from(body)).unwrap())
}
