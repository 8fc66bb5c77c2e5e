//! Style sheet, scripts and font, embedded in the program. Their path contains a hash of all of them, so that browsers
//! can cache them forever and never mix two versions.

use std::sync::LazyLock;

use axum::{
    extract::Path,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use flate2::Compression;
use sha2::{Digest, Sha256};

use crate::gzip::{gzip, is_accepted};

/// The path of assets, before the version.
pub(crate) const PATH: &str = "/account/assets";

pub(crate) const CACHE: &str = "public, max-age=31536000, immutable";

struct Asset {
    name: &'static str,
    media_type: &'static str,
    bytes: &'static [u8],
    /// `None` if compression does not make it smaller.
    gzip: Option<Vec<u8>>,
}

macro_rules! assets {
    ($($name:literal: $media_type:literal,)*) => {
        [$(($name, $media_type, include_bytes!(concat!("../assets/", $name)).as_slice()),)*]
    };
}

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let files = assets! {
        "app.css": "text/css; charset=utf-8",
        "app.js": "text/javascript; charset=utf-8",
        "files.js": "text/javascript; charset=utf-8",
        "live.js": "text/javascript; charset=utf-8",
        "run.js": "text/javascript; charset=utf-8",
        "remember.js": "text/javascript; charset=utf-8",
        "reference.js": "text/javascript; charset=utf-8",
        "htmx.min.js": "text/javascript; charset=utf-8",
        "mark.svg": "image/svg+xml",
        "instrument-sans.woff2": "font/woff2",
    };
    let asset = |(name, media_type, bytes): (_, _, &'static [u8])| Asset {
        name,
        media_type,
        bytes,
        gzip: Some(gzip(bytes, Compression::best())).filter(|small| small.len() < bytes.len()),
    };
    files.into_iter().map(asset).collect()
});

static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hash = Sha256::new();
    for asset in ASSETS.iter() {
        hash.update(asset.bytes);
    }
    hex::encode(&hash.finalize()[..6])
});

/// The path of an asset, for use in pages.
pub(crate) fn path(name: &str) -> String {
    debug_assert!(
        ASSETS.iter().any(|asset| asset.name == name),
        "there is no asset {name}"
    );
    format!("{PATH}/{}/{name}", *VERSION)
}

/// Returns the asset with this name. The path of another version gets the current file, which must not be cached.
pub(crate) async fn get(Path((version, name)): Path<(String, String)>, headers: HeaderMap) -> Response {
    let Some(asset) = ASSETS.iter().find(|asset| asset.name == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let cache = if version == *VERSION { CACHE } else { "no-store" };
    let mut response = match asset.gzip.as_deref().filter(|_| is_accepted(&headers)) {
        Some(small) => ([(header::CONTENT_ENCODING, "gzip")], small.to_vec()).into_response(),
        None => asset.bytes.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.media_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    response
}
