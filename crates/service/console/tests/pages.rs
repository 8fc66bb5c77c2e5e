//! The pages over HTTP, without a browser: access, headers, cookies, and the escaping of texts.

#![expect(clippy::unwrap_used, reason = "a failure in here fails the test that uses it")]

use std::{path::PathBuf, sync::Arc};

use atelier_app::{
    Services, Settings, System, people::invite::join_path, policy::Policy, webhooks::schedule::Schedule,
};
use atelier_catalog::Catalog;
use atelier_engines::{EchoEngine, Engine, Route, Routes};
use atelier_media::Blobs;
use atelier_outbound::Guard;
use atelier_store::sqlite::{Options, SqliteStore};
use atelier_testkit::{CountingEntropy, TestClock};
use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Request, Response, StatusCode, header},
};
use tower::ServiceExt as _;

const HOSTILE: &str = "\"><script>alert(1)</script>";

/// One browser that visits the pages of a service without users.
struct Visit {
    router: Router,
    system: System,
    public_url: &'static str,
    cookies: Vec<(String, String)>,
    _folder: tempfile::TempDir,
}

struct Answer {
    status: StatusCode,
    headers: header::HeaderMap,
    text: String,
}

impl Visit {
    fn new(public_url: &'static str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let engines: Vec<Arc<dyn Engine>> = vec![Arc::new(EchoEngine)];
        let route = Route {
            model: "*".to_owned(),
            engine: "echo".to_owned(),
            target: None,
            workflow: None,
            body: None,
        };
        let system = System::new(Services {
            store: Arc::new(SqliteStore::open(Options::new(folder.path().join("atelier.db"))).unwrap()),
            catalog: Catalog::load(None).unwrap(),
            blobs: Blobs::memory(),
            routes: Routes::new(engines, vec![route]).unwrap(),
            guard: Guard { allow_private: true },
            policy: Policy::default(),
            clock: Arc::new(TestClock::default()),
            entropy: Arc::new(CountingEntropy::default()),
            settings: Settings {
                media_url: format!("{public_url}/media"),
                generations_per_minute: 20,
                requests_per_minute: 600,
                webhook_schedule: Schedule::new(&[5.0]),
                scratch: PathBuf::from(folder.path()),
                max_upload_bytes: 1 << 20,
                first_operator_credits: 1_000,
                in_force: Vec::new(),
            },
        });
        let options = atelier_console::Options {
            public_url: public_url.to_owned(),
            base_url: format!("{public_url}/dev/v1"),
            openapi: serde_json::json!({}),
        };
        Self {
            router: atelier_console::router(system.app(), options),
            system,
            public_url,
            cookies: Vec::new(),
            _folder: folder,
        }
    }

    async fn get(&mut self, path: &str) -> Answer {
        self.send(Request::get(path), Body::empty()).await
    }

    /// A form from one of our own pages.
    async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let origin = self.public_url;
        self.post_from(origin, path, fields).await
    }

    async fn post_from(&mut self, origin: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
        let form = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields)
            .finish();
        let request = Request::post(path)
            .header(header::ORIGIN, origin)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.send(request, Body::from(form)).await
    }

    async fn send(&mut self, request: axum::http::request::Builder, body: Body) -> Answer {
        let cookies: Vec<_> = self
            .cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let host = self.public_url.split("//").nth(1).unwrap();
        let request = request
            .header(header::HOST, host)
            .header(header::COOKIE, cookies.join("; "))
            .body(body)
            .unwrap();
        let response: Response<Body> = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        for cookie in parts.headers.get_all(header::SET_COOKIE) {
            let (name, rest) = cookie.to_str().unwrap().split_once('=').unwrap();
            let value = rest.split(';').next().unwrap();
            self.cookies.retain(|(known, _)| known != name);
            if !value.is_empty() {
                self.cookies.push((name.to_owned(), value.to_owned()));
            }
        }
        let bytes = to_bytes(body, 4 << 20).await.unwrap();
        Answer {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8(bytes.to_vec()).unwrap(),
        }
    }

    /// Becomes the first operator.
    async fn join(&mut self) -> Answer {
        let invited = self.system.invite_first_operator().await;
        let path = join_path(&invited.unwrap().unwrap().token);
        let csrf = self.get(&path).await.csrf();
        let password = "a quiet long password";
        let fields = [
            ("csrf", csrf.as_str()),
            ("login", "ada"),
            ("password", password),
            ("again", password),
        ];
        let answer = self.post(&path, &fields).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
        answer
    }
}

impl Answer {
    /// The token of the page's forms.
    fn csrf(&self) -> String {
        let after = self
            .text
            .split("name=\"csrf\" value=\"")
            .nth(1)
            .expect("the page has a form");
        after.split('"').next().unwrap().to_owned()
    }

    fn header(&self, name: header::HeaderName) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    fn set_cookie(&self, name: &str) -> String {
        let cookies = self.headers.get_all(header::SET_COOKIE).iter();
        let mut cookies = cookies.map(|value| value.to_str().unwrap());
        cookies
            .find(|cookie| cookie.starts_with(name))
            .unwrap_or_default()
            .to_owned()
    }
}

#[tokio::test]
async fn over_https_the_session_cookie_is_bound_to_the_host_and_on_loopback_it_is_plain() {
    let session = Visit::new("https://atelier.example")
        .join()
        .await
        .set_cookie("__Host-atelier-session");
    assert!(session.contains("; Secure"), "{session}");
    for part in ["; Path=/", "; HttpOnly", "; SameSite=Lax"] {
        assert!(session.contains(part), "{session}");
    }
    let session = Visit::new("http://127.0.0.1:8080")
        .join()
        .await
        .set_cookie("atelier-session");
    assert!(
        session.contains("; HttpOnly; SameSite=Lax") && !session.contains("Secure"),
        "{session}"
    );
}

#[tokio::test]
async fn over_plain_http_to_another_machine_nobody_can_sign_in() {
    let mut visit = Visit::new("http://atelier.example");
    let answer = visit.get("/account/sign-in").await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    assert!(answer.text.contains("HTTPS required"));
    assert!(visit.cookies.is_empty());
}

#[tokio::test]
async fn without_a_session_pages_lead_to_sign_in_and_back() {
    let mut visit = Visit::new("https://atelier.example");
    let answer = visit.get("/account/gallery?type=image").await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert_eq!(
        answer.header(header::LOCATION),
        "/account/sign-in?next=%2Faccount%2Fgallery%3Ftype%3Dimage"
    );
    assert_eq!(visit.get("/").await.header(header::LOCATION), "/account");
}

#[tokio::test]
async fn forms_without_the_token_or_from_another_origin_change_nothing() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let csrf = visit.get("/account/apps").await.csrf();
    let keys = "/account/apps/keys";
    assert_eq!(
        visit.post(keys, &[("name", "a")]).await.status,
        StatusCode::FORBIDDEN
    );
    assert_eq!(
        visit.post(keys, &[("csrf", "wrong"), ("name", "b")]).await.status,
        StatusCode::FORBIDDEN
    );
    for origin in ["https://evil.example", "null", "http://atelier.example"] {
        let answer = visit
            .post_from(origin, keys, &[("csrf", &csrf), ("name", "c")])
            .await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{origin}");
    }
    assert!(visit.get("/account/apps").await.text.contains("No keys yet"));
    let answer = visit.post(keys, &[("csrf", &csrf), ("name", "d")]).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    assert!(answer.text.contains("atl_"));
}

#[tokio::test]
async fn a_token_of_another_session_is_rejected() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let first = visit.get("/account/apps").await.csrf();
    visit.cookies.clear();
    let csrf = visit.get("/account/sign-in").await.csrf();
    let fields = [
        ("csrf", csrf.as_str()),
        ("login", "ada"),
        ("password", "a quiet long password"),
    ];
    assert_eq!(
        visit.post("/account/sign-in", &fields).await.status,
        StatusCode::SEE_OTHER
    );
    let answer = visit
        .post("/account/apps/keys", &[("csrf", &first), ("name", "x")])
        .await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_key_is_shown_once() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let csrf = visit.get("/account/apps").await.csrf();
    let answer = visit
        .post("/account/apps/keys", &[("csrf", &csrf), ("name", "shop")])
        .await;
    let key = answer
        .text
        .split("id=\"new-key\">")
        .nth(1)
        .unwrap()
        .split('<')
        .next()
        .unwrap();
    assert_eq!(key.len(), 47);
    assert_eq!(answer.header(header::CACHE_CONTROL), "no-store");
    assert!(!visit.get("/account/apps").await.text.contains(key));
}

#[tokio::test]
async fn names_and_prompts_are_shown_as_text() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let csrf = visit.get("/account/apps").await.csrf();
    let answer = visit
        .post("/account/apps/keys", &[("csrf", &csrf), ("name", HOSTILE)])
        .await;
    assert!(answer.text.contains("alert(1)") && !answer.text.contains("<script>alert"));
    let fields = [("csrf", csrf.as_str()), ("p.prompt", HOSTILE)];
    let quote = visit.post("/account/playground/image-gen-4/quote", &fields).await;
    assert!(
        quote.text.contains("alert(1)") && !quote.text.contains("<script>alert"),
        "{}",
        quote.text
    );
    let search = visit
        .get("/account/playground?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E")
        .await;
    assert!(search.text.contains("alert(1)") && !search.text.contains("<script>alert"));
}

#[tokio::test]
async fn problems_are_shown_beside_their_fields() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let csrf = visit.get("/account/apps").await.csrf();
    let fields = [
        ("csrf", csrf.as_str()),
        ("p.custom_mode", "true"),
        ("p.prompt", "rain"),
    ];
    let answer = visit.post("/account/playground/music-gen", &fields).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    let beside = answer.text.split("id=\"field-style-problem\"").nth(1).unwrap();
    let beside = beside.split("</p>").next().unwrap();
    assert!(beside.contains("is required when"), "{beside}");
}

#[tokio::test]
async fn pages_allow_no_scripts_but_their_own() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    for path in [
        "/account",
        "/account/playground/image-gen-4",
        "/account/settings",
        "/docs",
        "/docs/webhooks",
    ] {
        let answer = visit.get(path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        let policy = answer.header(header::CONTENT_SECURITY_POLICY);
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"),
            "{policy}"
        );
        assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
        for inline in ["<script>", " style=", " onclick=", "javascript:"] {
            assert!(!answer.text.contains(inline), "{path} has {inline}");
        }
        assert!(
            answer.text.len() < 60_000,
            "{path} has {} bytes",
            answer.text.len()
        );
    }
}

#[tokio::test]
async fn assets_may_be_kept_for_ever_and_are_small() {
    let mut visit = Visit::new("https://atelier.example");
    let page = visit.get("/docs").await.text;
    let path = page
        .split('"')
        .find(|part| part.ends_with("/app.css"))
        .unwrap()
        .to_owned();
    let answer = visit.send(Request::get(&path), Body::empty()).await;
    assert_eq!(answer.header(header::CONTENT_TYPE), "text/css; charset=utf-8");
    assert!(answer.header(header::CACHE_CONTROL).contains("immutable"));
    assert_eq!(
        visit.get("/account/assets/x/nothing.css").await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn members_cannot_see_the_operators_pages() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let csrf = visit.get("/account/settings").await.csrf();
    let invited = visit
        .post("/account/settings/invite", &[("csrf", &csrf)])
        .await
        .text;
    let link = invited
        .split("id=\"invitation\">")
        .nth(1)
        .unwrap()
        .split('<')
        .next()
        .unwrap()
        .to_owned();
    let path = link.strip_prefix("https://atelier.example").unwrap();
    visit.cookies.clear();
    let csrf = visit.get(path).await.csrf();
    let password = "another long password";
    let fields = [
        ("csrf", csrf.as_str()),
        ("login", "bob"),
        ("password", password),
        ("again", password),
    ];
    assert_eq!(visit.post(path, &fields).await.status, StatusCode::SEE_OTHER);
    for path in [
        "/account/operator",
        "/account/operator/accounts",
        "/account/operator/audit",
    ] {
        assert_eq!(visit.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    let csrf = visit.get("/account/apps").await.csrf();
    let answer = visit
        .post("/account/operator/api", &[("csrf", &csrf), ("enabled", "false")])
        .await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
}
