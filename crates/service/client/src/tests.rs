use std::{
    fs,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
};

use axum::{
    Json, Router,
    extract::{Multipart, Path, Query, State},
    http::{HeaderMap, StatusCode},
    response::IntoResponse,
    routing::{get, post},
};
use serde_json::{Map, Value, json};

use super::*;

#[derive(Debug, Clone, Default)]
struct Seen {
    calls: Arc<AtomicU32>,
    keys: Arc<Mutex<Vec<String>>>,
}

async fn serve(router: Router) -> Client {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    Client::new(&origin, "atl_test").unwrap()
}

fn generation(status: &str) -> Value {
    json!({ "id": "g1", "object": "generation", "model": "m", "type": "image", "status": status, "served_by": null })
}

fn new_generation() -> CreateGeneration {
    let params = Map::from_iter([("prompt".to_owned(), json!("x"))]);
    CreateGeneration {
        model: "m".to_owned(),
        params,
        webhook_url: None,
    }
}

#[tokio::test]
async fn a_create_is_repeated_with_the_same_idempotency_key_when_the_service_is_unavailable() {
    let seen = Seen::default();
    let handler = |State(seen): State<Seen>, headers: HeaderMap, Json(body): Json<Value>| async move {
        assert_eq!(headers["authorization"], "Bearer atl_test");
        assert_eq!(body, json!({ "model": "m", "params": { "prompt": "x" } }));
        seen.keys
            .lock()
            .unwrap()
            .push(headers["idempotency-key"].to_str().unwrap().to_owned());
        if seen.calls.fetch_add(1, Ordering::SeqCst) == 0 {
            let error = json!({ "success": false, "error": { "code": "unavailable", "message": "busy" } });
            return (StatusCode::SERVICE_UNAVAILABLE, Json(error)).into_response();
        }
        (
            StatusCode::CREATED,
            Json(json!({ "data": generation("processing") })),
        )
            .into_response()
    };
    let client = serve(
        Router::new()
            .route("/dev/v1/generations", post(handler))
            .with_state(seen.clone()),
    )
    .await;
    assert_eq!(client.create(&new_generation()).await.unwrap().id, "g1");
    let keys = seen.keys.lock().unwrap();
    assert_eq!(keys.len(), 2);
    assert_eq!(keys[0], keys[1]);
}

#[tokio::test]
async fn an_error_has_code_message_details_and_request_id_and_is_not_repeated() {
    let seen = Seen::default();
    let handler = |State(seen): State<Seen>| async move {
        seen.calls.fetch_add(1, Ordering::SeqCst);
        let details = json!([{ "parameter": "n", "message": "`n` must be 1 to 15" }]);
        let error =
            json!({ "code": "invalid_request", "message": "`n` must be 1 to 15", "details": details });
        (
            StatusCode::BAD_REQUEST,
            [("x-request-id", "r1")],
            Json(json!({ "success": false, "error": error })),
        )
    };
    let client = serve(
        Router::new()
            .route("/dev/v1/generations", post(handler))
            .with_state(seen.clone()),
    )
    .await;
    let error = client.create(&new_generation()).await.unwrap_err();
    assert_eq!(error.to_string(), "`n` must be 1 to 15");
    let Error::Api {
        status,
        code,
        details,
        request_id,
        ..
    } = error
    else {
        panic!("{error:?}")
    };
    assert_eq!(
        (status, code.as_str(), request_id.as_deref()),
        (400, "invalid_request", Some("r1"))
    );
    assert_eq!(details[0].parameter, "n");
    assert_eq!(seen.calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn waiting_asks_the_service_to_wait() {
    let handler = |Path(id): Path<String>, Query(query): Query<BTreeMap<String, String>>| async move {
        assert_eq!((id.as_str(), query["wait"].as_str()), ("g1", "60"));
        Json(json!({ "data": generation("completed") }))
    };
    let client = serve(Router::new().route("/dev/v1/generations/{id}", get(handler))).await;
    let generation = client.wait("g1", Duration::from_hours(1)).await.unwrap();
    assert!(generation.is_ended());
    assert_eq!(generation.more["served_by"], Value::Null);
}

#[tokio::test]
async fn the_whole_catalog_is_read_page_by_page() {
    let handler = |Query(query): Query<BTreeMap<String, String>>| async move {
        let (slug, next) = if query.contains_key("cursor") {
            ("b", None)
        } else {
            ("a", Some("a"))
        };
        let model =
            json!({ "slug": slug, "name": "", "type": "image", "category": "Create", "description": "" });
        Json(json!({ "data": [model], "meta": { "total": 2, "limit": 1, "next_cursor": next } }))
    };
    let client = serve(Router::new().route("/dev/v1/models", get(handler))).await;
    let slugs: Vec<_> = client
        .models()
        .await
        .unwrap()
        .into_iter()
        .map(|model| model.slug)
        .collect();
    assert_eq!(slugs, ["a", "b"]);
}

#[tokio::test]
async fn a_file_is_uploaded_as_the_part_named_file() {
    let handler = |mut multipart: Multipart| async move {
        let field = multipart.next_field().await.unwrap().unwrap();
        assert_eq!((field.name(), field.file_name()), (Some("file"), Some("a b.png")));
        let size = field.bytes().await.unwrap().len();
        let data = json!({ "url": "http://x/media/1.png", "mime_type": "image/png", "size": size });
        (StatusCode::CREATED, Json(json!({ "data": data })))
    };
    let client = serve(Router::new().route("/dev/v1/uploads", post(handler))).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a b.png");
    fs::write(&path, vec![7; 100_000]).unwrap();
    assert_eq!(client.upload(&path).await.unwrap().size, 100_000);
    let missing = client.upload(&folder.path().join("missing")).await.unwrap_err();
    assert!(matches!(missing, Error::File { .. }), "{missing:?}");
}

#[tokio::test]
async fn a_download_is_complete_or_absent_and_sends_no_key() {
    let handler = |headers: HeaderMap| async move {
        assert!(!headers.contains_key("authorization"));
        vec![1_u8; 50_000]
    };
    let client = serve(Router::new().route("/dev/v1/file", get(handler))).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.png");
    client
        .download(&format!("{}/file", client.base), &path)
        .await
        .unwrap();
    assert_eq!(fs::read(&path).unwrap().len(), 50_000);

    let error = client
        .download(&format!("{}/missing", client.base), &folder.path().join("no.png"))
        .await
        .unwrap_err();
    assert!(matches!(error, Error::Answer { status: 404, .. }), "{error:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// The wait that the service asks for in an answer with these fields.
async fn asked(
    status: u16,
    fields: &'static [(&'static str, &'static str)],
    body: Value,
) -> Option<Duration> {
    let answer = move || async move {
        let mut headers = HeaderMap::new();
        for &(name, value) in fields {
            headers.insert(name, value.parse().unwrap());
        }
        (StatusCode::from_u16(status).unwrap(), headers, Json(body.clone()))
    };
    let client = serve(Router::new().route("/dev/v1/busy", get(answer))).await;
    let response = client
        .http
        .get(format!("{}/busy", client.base))
        .send()
        .await
        .unwrap();
    match error::refusal(response).await {
        Error::Api { retry_after, .. } | Error::Answer { retry_after, .. } => retry_after,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_wait_is_understood_in_seconds_and_as_a_date() {
    const SECONDS: &[(&str, &str)] = &[("retry-after", "7")];
    const DATE: &[(&str, &str)] = &[
        ("date", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ("retry-after", "Sun, 06 Nov 1994 08:50:07 GMT"),
    ];
    const PAST: &[(&str, &str)] = &[("retry-after", "Sun, 06 Nov 1994 08:50:07 GMT")];
    const OTHER: &[(&str, &str)] = &[("retry-after", "soon")];
    let refusal = json!({ "success": false, "error": { "code": "queue_full", "message": "later" } });
    for (fields, seconds) in [
        (SECONDS, Some(7)),
        (DATE, Some(30)),
        (PAST, Some(0)),
        (OTHER, None),
    ] {
        let wait = seconds.map(Duration::from_secs);
        assert_eq!(asked(429, fields, refusal.clone()).await, wait, "{fields:?}");
        // A proxy's answer is not an error of the service, but its wait counts too.
        assert_eq!(asked(503, fields, json!("a page")).await, wait, "{fields:?}");
    }
}

#[test]
fn an_origin_and_a_base_url_are_both_accepted() {
    for url in ["http://x", "http://x/", "http://x/dev/v1", "http://x/dev/v1/"] {
        assert_eq!(Client::new(url, "k").unwrap().base, "http://x/dev/v1");
    }
    assert!(Client::new("ftp://x", "k").is_err());
    assert!(Client::new("localhost:8080", "k").is_err());
    assert!(!format!("{:?}", Client::new("http://x", "atl_secret").unwrap()).contains("atl_secret"));
}

#[test]
fn an_id_with_a_slash_stays_one_segment() {
    assert_eq!(below("models", "a/../b"), "/models/a%2F..%2Fb");
}
