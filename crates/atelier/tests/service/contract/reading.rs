//! Other answers: one model, balance, upload, health, documents.

use serde_json::{Value, json};

use crate::{
    files,
    setup::{ECHO, World, assert_wire, cheap, echo},
};

#[tokio::test]
async fn a_model_is_described_completely() {
    let world = echo();
    let account = world.account(0);
    assert_wire!("model", account.http.get("/models/image-gen-4").await);
}

#[tokio::test]
async fn every_listed_model_is_described_with_the_same_fields() {
    let world = echo();
    let account = world.account(0);
    let listed = account.http.get("/models").await.json();
    for summary in listed["data"].as_array().unwrap() {
        let slug = summary["slug"].as_str().unwrap();
        let model = account.http.get(&format!("/models/{slug}")).await.json()["data"].clone();
        for (field, value) in summary.as_object().unwrap() {
            assert_eq!(&model[field], value, "{slug}");
        }
        for field in ["capabilities", "pricing", "limits", "json_schema"] {
            assert!(model[field].is_object(), "{slug}: {field}");
        }
        assert!(
            model["rules"].as_array().unwrap().iter().all(Value::is_string),
            "{slug}"
        );
        assert!(model["limits"]["max_processing_seconds"].is_u64(), "{slug}");
        for parameter in model["parameters"].as_array().unwrap() {
            for field in [
                "name", "label", "type", "required", "default", "options", "min", "max",
            ] {
                assert!(
                    parameter.get(field).is_some(),
                    "{slug}: {parameter} has no {field}"
                );
            }
            let kind = parameter["type"].as_str().unwrap();
            let kinds = [
                "select",
                "number",
                "text",
                "textarea",
                "boolean",
                "multi_select",
                "url",
            ];
            assert!(kinds.contains(&kind), "{slug}: {parameter}");
        }
    }
}

#[tokio::test]
async fn the_answer_to_an_upload_has_its_url_type_and_size() {
    let world = echo();
    let account = world.account(0);
    let answer = account.http.upload(files::PNG.to_vec(), "fox.jpg").await;
    assert_wire!("upload", answer);
    assert_eq!(answer.json()["data"]["size"], files::PNG.len());
}

#[tokio::test]
async fn the_balance_is_the_available_credits() {
    let world = echo();
    let account = world.account(940);
    assert_wire!("balance", account.http.get("/balance").await);
}

#[tokio::test]
async fn health_needs_no_key() {
    let world = echo();
    let http = world.anonymous();
    assert_wire!("healthz", http.get("//healthz").await);
    assert_wire!("readyz", http.get("//readyz").await);
}

#[tokio::test]
async fn the_api_describes_itself_as_openapi_3_1() {
    let world = echo();
    let answer = world.anonymous().get("//openapi.json").await;
    assert_eq!(
        (answer.status.as_u16(), answer.header("content-type")),
        (200, Some("application/json"))
    );
    let document = answer.json();
    assert!(
        document["openapi"].as_str().unwrap().starts_with("3.1"),
        "{}",
        document["openapi"]
    );
    assert_eq!(
        document["servers"][0]["url"],
        format!("{}/dev/v1", world.server.origin())
    );
    let operations: Vec<String> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, item)| {
            item.as_object()
                .unwrap()
                .keys()
                .map(move |method| format!("{method} {path}"))
        })
        .collect();
    for operation in [
        "post /generations",
        "get /generations",
        "get /generations/{id}",
        "post /generations/{id}/cancel",
        "get /models",
        "get /models/{slug}",
        "post /uploads",
        "get /balance",
    ] {
        assert!(
            operations.iter().any(|found| found == operation),
            "{operation} is not among {operations:?}"
        );
    }
    assert_eq!(document, world.server.json(&["openapi"]).rehosted(&document));
}

/// The document of a stopped service has another origin.
trait Rehosted {
    fn rehosted(self, like: &Value) -> Value;
}

impl Rehosted for Value {
    fn rehosted(mut self, like: &Value) -> Value {
        self["servers"] = like["servers"].clone();
        self
    }
}

#[tokio::test]
async fn metrics_have_their_own_listener() {
    let port = atelier_testkit::free_port();
    let config = ECHO.replace("listen = \"\"", &format!("listen = \"127.0.0.1:{port}\""));
    let world = World::start(&config);
    let account = world.account(100);
    let id = account.http.create(&cheap()).await;
    account.http.wait(&id).await;
    let public = account.http.get("//metrics").await;
    assert_eq!(
        (public.status.as_u16(), public.code().as_str()),
        (404, "not_found")
    );
    let metrics = atelier_testkit::Http::new(&format!("http://127.0.0.1:{port}"), None)
        .get("//metrics")
        .await;
    assert_eq!(metrics.status, 200);
    let text = String::from_utf8(metrics.bytes.to_vec()).unwrap();
    let line = |start: &str| {
        text.lines()
            .find(|line| line.starts_with(start))
            .unwrap_or_else(|| panic!("no {start} in {text}"))
    };
    assert!(line("atelier_attempts_total").ends_with(" 1"), "{text}");
    assert!(line("atelier_http_requests_total").contains("route="), "{text}");
    let queued = line("atelier_queued{lane=\"echo\"}");
    assert!(
        queued.ends_with(" 0"),
        "an empty queue is shown as such: {queued}"
    );
}

#[tokio::test]
async fn every_answer_of_the_api_has_a_request_id() {
    let world = echo();
    let account = world.account(0);
    for path in [
        "/balance",
        "/models",
        "/generations/x",
        "/nothing",
        "//healthz",
        "//media/x.png",
        "//nothing",
    ] {
        let answer = account.http.get(path).await;
        let id = answer
            .header("x-request-id")
            .unwrap_or_else(|| panic!("{path} has no request id"));
        assert_eq!(id.len(), 36, "{path}: {id}");
    }
    let own = |id: &str| {
        account
            .http
            .request(reqwest::Method::GET, "/balance")
            .header("x-request-id", id.to_owned())
    };
    let kept = account.http.send(own("their-own/1")).await;
    assert_eq!(kept.header("x-request-id"), Some("their-own/1"));
    for unusable in ["", "two words", &"x".repeat(129)] {
        let answer = account.http.send(own(unusable)).await;
        assert_eq!(answer.header("x-request-id").unwrap().len(), 36, "{unusable:?}");
    }
}

#[tokio::test]
async fn limited_routes_show_the_state_of_the_limit() {
    let world = echo();
    let account = world.account_with(100, &["--generations-per-minute", "7"]);
    let first = account.http.post("/generations", &cheap()).await;
    assert_eq!(first.header("ratelimit-policy"), Some("\"generations\";q=7;w=60"));
    assert!(
        first
            .header("ratelimit")
            .unwrap()
            .starts_with("\"generations\";r=6;t="),
        "{first:?}"
    );
    let second = account.http.upload(files::PNG.to_vec(), "a.png").await;
    assert!(
        second
            .header("ratelimit")
            .unwrap()
            .starts_with("\"generations\";r=5;t="),
        "{second:?}"
    );
    let read = account.http.get("/balance").await;
    assert_eq!(read.header("ratelimit-policy"), Some("\"requests\";q=60000;w=60"));
    assert!(
        read.header("ratelimit").unwrap().starts_with("\"requests\";r="),
        "{read:?}"
    );
}

#[tokio::test]
async fn all_other_routes_have_a_separate_limit() {
    let world = World::start(&ECHO.replace("requests_per_minute = 60000", "requests_per_minute = 3"));
    let account = world.account(100);
    for left in [2, 1, 0] {
        let answer = account.http.get("/balance").await;
        assert_eq!(answer.status, 200);
        assert!(
            answer
                .header("ratelimit")
                .unwrap()
                .starts_with(&format!("\"requests\";r={left};")),
            "{answer:?}"
        );
    }
    let answer = account.http.get("/models").await;
    assert_eq!(
        (answer.status.as_u16(), answer.code().as_str()),
        (429, "rate_limit")
    );
    let seconds: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=20).contains(&seconds), "{seconds}");
    assert_eq!(
        account.http.post("/generations", &cheap()).await.status,
        201,
        "another limit"
    );
    assert_eq!(
        world.account(0).http.get("/balance").await.json(),
        json!({ "data": { "credits": 0 } }),
        "another account"
    );
}
