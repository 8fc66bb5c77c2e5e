//! The texts that a page shows only once, after the form that made them: a new key, a secret, a link. The form answers
//! by a redirect, so that a reload does not send it again. The texts travel to the page in a cookie, encrypted with a
//! key that only the session's secret gives: every node can open it, and no other session and no other page.

use std::{collections::BTreeMap, fmt};

use atelier_domain::Timestamp;
use axum::{
    extract::Request,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse as _, Redirect, Response},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::{
    cookie::Secret,
    error::{PageError, Result},
    origin::Transport,
    script::is_script,
    state::Console,
};

/// How long the page may take to load, in seconds.
const LIFE: u64 = 60;

/// The texts that came to a page, and the way to send some to another one.
#[derive(Clone)]
pub(crate) struct Once {
    key: [u8; 32],
    transport: Transport,
    texts: BTreeMap<String, String>,
}

impl fmt::Debug for Once {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Once").finish_non_exhaustive()
    }
}

impl Once {
    /// Reads what came with a request to the page at this path.
    pub(crate) fn read(
        token: &str,
        transport: Transport,
        path: &str,
        headers: &HeaderMap,
        now: Timestamp,
    ) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"atelier once\0");
        hash.update(token.as_bytes());
        let mut once = Self {
            key: hash.finalize().into(),
            transport,
            texts: BTreeMap::new(),
        };
        let sent = Secret::Once.read(transport, headers);
        if let Some(texts) = sent.and_then(|sent| once.open(sent, path, now)) {
            once.texts = texts;
        }
        once
    }

    /// A text that came to this page.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(String::as_str)
    }

    /// Leads to a page that shows the texts.
    pub(crate) fn redirect(&self, console: &Console, to: &str, texts: &[(&str, &str)]) -> Result {
        let path = to.split(['#', '?']).next().unwrap_or(to);
        let until = console.app.now().plus(std::time::Duration::from_secs(LIFE));
        let texts: BTreeMap<&str, &str> = texts.iter().copied().collect();
        let content = json!({ "until": until.0, "texts": texts }).to_string();
        let mut nonce = [0; NONCE_LEN];
        console.app.entropy().fill(&mut nonce);
        let sealed = self.seal(nonce, path, content).ok_or_else(|| {
            let cause = "what a page shows once cannot be encrypted".to_owned();
            PageError::App(atelier_app::Error::Internal(cause))
        })?;
        let value = format!(
            "{}.{}",
            URL_SAFE_NO_PAD.encode(path),
            URL_SAFE_NO_PAD.encode(sealed)
        );
        let mut response = Redirect::to(to).into_response();
        let cookie = Secret::Once.set(self.transport, &value, LIFE);
        response.headers_mut().append(header::SET_COOKIE, cookie);
        Ok(response)
    }

    fn cipher(&self) -> Option<LessSafeKey> {
        Some(LessSafeKey::new(
            UnboundKey::new(&CHACHA20_POLY1305, &self.key).ok()?,
        ))
    }

    fn seal(&self, nonce: [u8; NONCE_LEN], path: &str, content: String) -> Option<Vec<u8>> {
        let mut sealed = content.into_bytes();
        let unique = Nonce::assume_unique_for_key(nonce);
        let cipher = self.cipher()?;
        cipher
            .seal_in_place_append_tag(unique, Aad::from(path), &mut sealed)
            .ok()?;
        Some([nonce.as_slice(), &sealed].concat())
    }

    fn open(&self, sent: &str, path: &str, now: Timestamp) -> Option<BTreeMap<String, String>> {
        let (_, sealed) = sent.split_once('.')?;
        let mut bytes = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let (nonce, sealed) = bytes.split_at_mut_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let content = self
            .cipher()?
            .open_in_place(nonce, Aad::from(path), sealed)
            .ok()?;
        let mut content: Value = serde_json::from_slice(content).ok()?;
        let until = content["until"].as_i64()?;
        (now.0 < until).then(|| serde_json::from_value(content["texts"].take()).ok())?
    }
}

/// Removes the cookie as soon as its page was sent.
pub(crate) async fn remove(request: Request, next: Next) -> Response {
    let of_page = [Transport::Https, Transport::Loopback]
        .into_iter()
        .find(|transport| is_for(*transport, &request));
    let mut response = next.run(request).await;
    if let Some(transport) = of_page.filter(|_| response.status() == StatusCode::OK) {
        let removed: HeaderValue = Secret::Once.set(transport, "", 0);
        response.headers_mut().append(header::SET_COOKIE, removed);
    }
    response
}

fn is_for(transport: Transport, request: &Request) -> bool {
    let path = Secret::Once.read(transport, request.headers());
    let path = path.and_then(|sent| URL_SAFE_NO_PAD.decode(sent.split('.').next()?).ok());
    path.is_some_and(|path| path == request.uri().path().as_bytes())
        && request.method() == Method::GET
        && !is_script(request.headers())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const PAGE: &str = "/account/apps";

    fn read(token: &str, path: &str, cookie: &str, now: Timestamp) -> Option<String> {
        let mut headers = HeaderMap::new();
        let cookie = format!("__Host-atelier-once={cookie}");
        headers.insert(header::COOKIE, cookie.parse().unwrap());
        let once = Once::read(token, Transport::Https, path, &headers, now);
        once.text("key").map(str::to_owned)
    }

    #[test]
    fn only_the_session_and_the_page_that_it_was_made_for_can_read_it_and_not_for_long() {
        let now = Timestamp(0);
        let empty = HeaderMap::new();
        let once = Once::read("token", Transport::Https, PAGE, &empty, now);
        let content = json!({ "until": 60_000_000, "texts": { "key": "atl_1" } });
        let sealed = once.seal([7; NONCE_LEN], PAGE, content.to_string()).unwrap();
        let value = format!("x.{}", URL_SAFE_NO_PAD.encode(&sealed));
        assert!(!String::from_utf8_lossy(&sealed).contains("atl_1"));
        assert_eq!(read("token", PAGE, &value, now).as_deref(), Some("atl_1"));
        assert_eq!(read("other", PAGE, &value, now), None);
        assert_eq!(read("token", "/account/settings", &value, now), None);
        let late = now.plus(Duration::from_mins(1));
        assert_eq!(read("token", PAGE, &value, late), None);
        for damaged in ["", "x", "x.", "x.AAAA"] {
            assert_eq!(read("token", PAGE, damaged, now), None, "{damaged}");
        }
    }
}
