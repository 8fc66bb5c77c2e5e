//! One browser that visits the pages of a service without users.

use std::sync::Arc;

use atelier_app::{
    Services, Settings, System, generations::finish::AttemptResult, people::invite::join_path,
    policy::Policy, webhooks::schedule::Schedule,
};
use atelier_catalog::Catalog;
use atelier_domain::{Actor, Failure, PlanChange, WorkerId};
use atelier_engines::{EchoEngine, Engine, Route, Routes};
use atelier_media::{Blobs, Scratch, scratch::Quota};
use atelier_outbound::Guard;
use atelier_processes::Programs;
use atelier_store::sqlite::{Options, SqliteStore};
use atelier_testkit::{CountingEntropy, TestClock};
use atelier_weights::Pulls;
use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Request, Response, StatusCode, header},
};
use tower::ServiceExt as _;

/// One browser that visits the pages of a service without users.
pub(crate) struct Visit {
    router: Router,
    system: System,
    public_url: &'static str,
    pub(crate) cookies: Vec<(String, String)>,
    folder: tempfile::TempDir,
}

pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: header::HeaderMap,
    pub(crate) text: String,
}

impl Visit {
    pub(crate) fn new(public_url: &'static str) -> Self {
        Self::with(public_url, Arc::new(EchoEngine), None)
    }

    /// With one engine for all models, and trained weights.
    pub(crate) fn with(public_url: &'static str, engine: Arc<dyn Engine>, weights: Option<Pulls>) -> Self {
        Self::with_all(public_url, engine, weights, None)
    }

    /// With the programs of this node too.
    pub(crate) fn with_all(
        public_url: &'static str,
        engine: Arc<dyn Engine>,
        weights: Option<Pulls>,
        programs: Option<Programs>,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("scratch")).unwrap();
        let quota = Quota {
            most: 2 << 20,
            reserve: 0,
        };
        let route = Route {
            model: "*".to_owned(),
            engine: engine.name().to_owned(),
            target: None,
            workflow: None,
            body: None,
        };
        let system = System::new(Services {
            store: Arc::new(SqliteStore::open(Options::new(folder.path().join("atelier.db"))).unwrap()),
            catalog: Catalog::load(None).unwrap(),
            blobs: Blobs::memory(),
            routes: Routes::new(vec![engine], vec![route])
                .unwrap()
                .with_programs(programs),
            guard: Guard { allow_private: true },
            policy: Policy::default(),
            clock: Arc::new(TestClock::default()),
            entropy: Arc::new(CountingEntropy::default()),
            weights,
            settings: Settings {
                media_url: format!("{public_url}/media"),
                private_media: atelier_app::private::PrivateMedia {
                    url: format!("{public_url}/media"),
                    life: std::time::Duration::from_hours(24),
                },
                generations_per_minute: 20,
                requests_per_minute: 600,
                webhook_schedule: Schedule::new(&[5.0]),
                scratch: Scratch::new(folder.path().join("scratch"), quota),
                max_upload_bytes: 1 << 20,
                first_operator_credits: 1_000,
                retention: atelier_app::retention::Retention::default(),
                watermark: atelier_engines::Coverage::Off,
                watermark_key: None,
                oidc: None,
                mail: None,
                in_force: Vec::new(),
            },
        });
        let options = atelier_console::Options {
            public_url: public_url.to_owned(),
            base_url: format!("{public_url}/dev/v1"),
            openapi: serde_json::json!({}),
            trusted_proxies: Vec::new(),
        };
        Self {
            router: atelier_console::router(system.app(), options),
            system,
            public_url,
            cookies: Vec::new(),
            folder,
        }
    }

    /// Makes the oldest job in the queue run, and fail.
    pub(crate) async fn fail_next(&self, failure: Failure) {
        let worker = WorkerId("01a1fc60-b087-74aa-9ac4-bdbca49fe86d".parse().unwrap());
        let lease = std::time::Duration::from_secs(30);
        let claimed = self.system.claim(worker, "echo", 1, lease).await.unwrap();
        let result = AttemptResult::Failed(failure);
        let mut end = self.system.conclude(&claimed[0], "echo", result);
        end.write(None).await.unwrap();
    }

    /// Changes the limits of a plan.
    pub(crate) async fn set_plan(&self, name: &str, change: PlanChange) {
        let admin = self.system.admin(Actor::Cli);
        admin.set_plan(name, change).await.unwrap();
    }

    /// Runs a model with this prompt. Returns the path of the job's page.
    pub(crate) async fn make(&mut self, prompt: &str) -> String {
        let csrf = self.get("/account/apps").await.csrf();
        let fields = [("csrf", csrf.as_str()), ("p.prompt", prompt)];
        let made = self.post("/account/playground/image-gen-4", &fields).await;
        assert_eq!(made.status, StatusCode::SEE_OTHER, "{}", made.text);
        made.header(header::LOCATION).to_owned()
    }

    /// Leaves no room in the scratch folder.
    pub(crate) async fn fill(&self) {
        std::fs::write(self.folder.path().join("scratch/full"), vec![0; 2 << 20]).unwrap();
        // An earlier measurement of the folder counts for a quarter of a second.
        tokio::time::sleep(std::time::Duration::from_millis(400)).await;
    }

    pub(crate) async fn get(&mut self, path: &str) -> Answer {
        self.send(Request::get(path), Body::empty()).await
    }

    /// A form from one of our own pages.
    pub(crate) async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let origin = self.public_url;
        self.post_from(origin, path, fields).await
    }

    /// The same, and the page that the answer leads to.
    pub(crate) async fn submit(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let answer = self.post(path, fields).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
        let location = answer
            .header(header::LOCATION)
            .split('#')
            .next()
            .unwrap()
            .to_owned();
        self.get(&location).await
    }

    pub(crate) async fn post_from(&mut self, origin: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
        let form = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields)
            .finish();
        let request = Request::post(path)
            .header(header::ORIGIN, origin)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.send(request, Body::from(form)).await
    }

    pub(crate) async fn send(&mut self, request: axum::http::request::Builder, body: Body) -> Answer {
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
            text: String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    /// Becomes the first operator.
    pub(crate) async fn join(&mut self) -> Answer {
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
    pub(crate) fn csrf(&self) -> String {
        let after = self
            .text
            .split("name=\"csrf\" value=\"")
            .nth(1)
            .expect("the page has a form");
        after.split('"').next().unwrap().to_owned()
    }

    pub(crate) fn header(&self, name: header::HeaderName) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn set_cookie(&self, name: &str) -> String {
        let cookies = self.headers.get_all(header::SET_COOKIE).iter();
        let mut cookies = cookies.map(|value| value.to_str().unwrap());
        cookies
            .find(|cookie| cookie.starts_with(name))
            .unwrap_or_default()
            .to_owned()
    }
}

/// The text of the element with this id.
pub(crate) fn element<'a>(page: &'a str, id: &str) -> &'a str {
    let after = page.split(&format!("id=\"{id}\">")).nth(1);
    let after = after.unwrap_or_else(|| panic!("no element {id} in {page}"));
    after.split('<').next().unwrap()
}
