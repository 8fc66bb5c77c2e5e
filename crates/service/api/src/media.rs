//! `GET /media/{name}`: stored files, which never change, with ranges so that browsers can seek. They are public, or
//! private and opened by a signed link.
//! `GET /media/{name}/preview`: a small picture of a file.

use std::ops::Range;

use atelier_app::{App, private::Access};
use atelier_domain::FileName;
use atelier_media::Blob;
use axum::{
    body::Body,
    extract::{RawQuery, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};

use crate::{error::ApiError, segment::Segment};

/// A year, the longest time that caches accept: the name is a hash of the content.
const CACHE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Nothing in a stored file may run or load anything, even if a browser treats the file as a page.
const SANDBOX: HeaderValue = HeaderValue::from_static("default-src 'none'; sandbox");

pub(crate) async fn get(
    State(app): State<App>,
    Segment(name): Segment,
    RawQuery(query): RawQuery,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let name: FileName = name.parse().map_err(|_| missing())?;
    let access = app.may_read(&name, query.as_deref()).await?;
    serve(&app, &name, access, &method, &headers).await
}

/// A small picture of a stored file, made on first request.
pub(crate) async fn preview(
    State(app): State<App>,
    Segment(name): Segment,
    RawQuery(query): RawQuery,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let name: FileName = name.parse().map_err(|_| missing())?;
    let access = app.may_read(&name, query.as_deref()).await?;
    let preview = app.preview(&name).await?;
    let preview = preview.ok_or_else(|| ApiError::not_found("there is no preview of this file"))?;
    serve(&app, &preview, access, &method, &headers).await
}

fn missing() -> ApiError {
    ApiError::not_found("no file is stored under this name")
}

async fn serve(
    app: &App,
    name: &FileName,
    access: Access,
    method: &Method,
    headers: &HeaderMap,
) -> Result<Response, ApiError> {
    let size = app.media_size(name).await?.ok_or_else(missing)?;
    let etag = format!("\"{}\"", name.sha256());
    if headers
        .get(header::IF_NONE_MATCH)
        .is_some_and(|tags| matches_tag(tags, &etag))
    {
        return Ok(with_headers(
            StatusCode::NOT_MODIFIED.into_response(),
            name,
            access,
            &etag,
        ));
    }
    let range = match requested_range(headers, size, &etag) {
        RequestedRange::Whole => None,
        RequestedRange::Part(range) => Some(range),
        RequestedRange::Outside => {
            let mut response = with_headers(
                ApiError::range_not_satisfiable().into_response(),
                name,
                access,
                &etag,
            );
            response
                .headers_mut()
                .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
            response.headers_mut().remove(header::CACHE_CONTROL);
            response
                .headers_mut()
                .insert(header::CONTENT_RANGE, text(&format!("bytes */{size}")));
            return Ok(response);
        }
    };
    let length = range.as_ref().map_or(size, |range| range.end - range.start);
    let content_range = range
        .as_ref()
        .map(|range| text(&format!("bytes {}-{}/{size}", range.start, range.end - 1)));
    let body = if *method == Method::HEAD {
        Body::empty()
    } else {
        let Blob { stream, .. } = app.media(name, range).await?.ok_or_else(missing)?;
        Body::from_stream(stream)
    };
    let mut response = with_headers(Response::new(body), name, access, &etag);
    response
        .headers_mut()
        .insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    if let Some(content_range) = content_range {
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
        response
            .headers_mut()
            .insert(header::CONTENT_RANGE, content_range);
    }
    Ok(response)
}

/// Lets pages of every origin read stored files.
pub(crate) async fn preflight() -> Response {
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD"),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "Range, If-None-Match, If-Range",
        ),
        (header::ACCESS_CONTROL_MAX_AGE, "86400"),
        (header::ALLOW, "GET, HEAD, OPTIONS"),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}

fn with_headers(mut response: Response, name: &FileName, access: Access, etag: &str) -> Response {
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static(name.media_type().mime()),
    );
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(header::CONTENT_SECURITY_POLICY, SANDBOX);
    let cache = match access {
        Access::Public => CACHE,
        Access::Signed(left) => text(&format!("private, max-age={}", left.as_secs())),
    };
    headers.insert(header::CACHE_CONTROL, cache);
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    headers.insert(header::ETAG, text(etag));
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    let exposed = HeaderValue::from_static("Accept-Ranges, Content-Length, Content-Range, ETag");
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    response
}

fn text(value: &str) -> HeaderValue {
    HeaderValue::from_str(value).expect("hex digits and numbers are ASCII")
}

/// Weak comparison, as RFC 9110 requires for `If-None-Match`.
fn matches_tag(tags: &HeaderValue, etag: &str) -> bool {
    let Ok(tags) = tags.to_str() else { return false };
    tags.split(',')
        .map(str::trim)
        .any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
}

#[derive(Debug, PartialEq, Eq)]
enum RequestedRange {
    Whole,
    Part(Range<u64>),
    Outside,
}

/// One range is answered with that part. Several ranges, or an unreadable header, are answered with the whole file, as
/// RFC 9110 allows.
fn requested_range(headers: &HeaderMap, size: u64, etag: &str) -> RequestedRange {
    let Some(Ok(text)) = headers.get(header::RANGE).map(HeaderValue::to_str) else {
        return RequestedRange::Whole;
    };
    if headers
        .get(header::IF_RANGE)
        .is_some_and(|condition| condition.as_bytes() != etag.as_bytes())
    {
        return RequestedRange::Whole;
    }
    let Ok(parsed) = http_range_header::parse_range_header(text) else {
        return RequestedRange::Whole;
    };
    match parsed.validate(size).as_deref() {
        Ok([range]) => RequestedRange::Part(*range.start()..*range.end() + 1),
        Ok(_) => RequestedRange::Whole,
        Err(_) if text.contains(',') => RequestedRange::Whole,
        Err(_) => RequestedRange::Outside,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(range: &str) -> RequestedRange {
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, range.parse().unwrap());
        requested_range(&headers, 100, "\"e\"")
    }

    #[test]
    fn one_range_is_a_part_however_it_is_written() {
        assert_eq!(asked("bytes=0-9"), RequestedRange::Part(0..10));
        assert_eq!(asked("bytes=90-"), RequestedRange::Part(90..100));
        assert_eq!(asked("bytes=-5"), RequestedRange::Part(95..100));
        assert_eq!(asked("bytes=95-1000"), RequestedRange::Part(95..100));
    }

    #[test]
    fn a_range_beyond_the_end_is_outside() {
        assert_eq!(asked("bytes=100-"), RequestedRange::Outside);
        assert_eq!(asked("bytes=200-300"), RequestedRange::Outside);
    }

    #[test]
    fn several_ranges_and_nonsense_give_the_whole_file() {
        for range in ["bytes=0-1,5-6", "pages=1-2", "bytes=x-y"] {
            assert_eq!(asked(range), RequestedRange::Whole, "{range}");
        }
    }

    #[test]
    fn a_range_of_another_version_gives_the_whole_file() {
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, "bytes=0-9".parse().unwrap());
        headers.insert(header::IF_RANGE, "\"old\"".parse().unwrap());
        assert_eq!(requested_range(&headers, 100, "\"e\""), RequestedRange::Whole);
    }
}
