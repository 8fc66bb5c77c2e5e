//! Addresses that a provider names for polling, fetching and cancelling a request.

use super::*;

/// Counts the requests to a server that must not get any.
#[derive(Clone, Default)]
struct Visits(Arc<Mutex<Vec<String>>>);

impl Visits {
    async fn serve(&self) -> StandIn {
        let visits = self.clone();
        let router = Router::new().fallback(any(move |request: Request| {
            let visit = format!("{} {}", request.method(), request.uri().path());
            visits.0.lock().unwrap().push(visit);
            async { Json(json!({"status": "COMPLETED", "images": []})) }
        }));
        StandIn::serve(router).await
    }

    fn seen(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

/// A provider with fal's interface whose answers name control addresses at another server.
async fn provider(other: &str) -> StandIn {
    let addresses = json!({
        "request_id": "r1", "status": "IN_QUEUE", "status_url": format!("{other}/status"),
        "response_url": format!("{other}/result"), "cancel_url": format!("{other}/cancel"),
    });
    let router = Router::new().route(
        "/fal-ai/flux",
        post(move || {
            let addresses = addresses.clone();
            async move { Json(addresses) }
        }),
    );
    StandIn::serve(router).await
}

fn job() -> crate::testing::Case {
    case(MediaKind::Image, "fal-ai/flux", json!({"prompt": "a boat"}))
}

#[tokio::test]
async fn control_addresses_at_another_server_are_not_visited() {
    let visits = Visits::default();
    let other = visits.serve().await;
    let server = provider(&other.url).await;
    let engine = engine("fal", &server.url);
    let case = job();
    let failure = case.run(&engine).await.unwrap_err();
    assert_eq!(
        failure.message,
        "the engine's answer cannot be used: it names an address at `127.0.0.1`, a host that its profile \
         does not list"
    );
    let remembered = case.remembered.lock().unwrap().last().cloned().unwrap();
    assert!(remembered.contains("/cancel"), "{remembered}");
    engine.abandon(&remembered).await;
    assert_eq!(
        visits.seen(),
        [""; 0],
        "neither GET nor PUT reached the other server"
    );
}

#[tokio::test]
async fn a_result_address_at_another_server_is_not_visited() {
    let visits = Visits::default();
    let other = visits.serve().await;
    let router = Router::new().route(
        "/requests/r1/status",
        get(|| async { Json(json!({"status": "COMPLETED"})) }),
    );
    let server = StandIn::serve(router).await;
    let mut case = job();
    let request = ProviderRequest {
        id: Some("r1".to_owned()),
        result_url: Some(format!("{}/result", other.url)),
        ..ProviderRequest::new(our_id())
    };
    case.job.resume = Some(as_text(&request));
    let failure = case.run(&engine("fal", &server.url)).await.unwrap_err();
    assert!(failure.message.contains("its profile does not list"), "{failure}");
    assert_eq!(visits.seen(), [""; 0]);
}

#[tokio::test]
async fn a_host_that_the_profile_lists_is_visited_through_the_guard_and_without_the_key() {
    let other = StandIn::serve(
        Router::new()
            .route(
                "/status",
                get(|headers: HeaderMap| async move {
                    assert!(
                        headers.get("authorization").is_none(),
                        "the key left the provider"
                    );
                    Json(json!({"status": "COMPLETED"}))
                }),
            )
            .route(
                "/result",
                get(|| async {
                    let image = format!("data:image/png;base64,{}", STANDARD.encode(PNG));
                    Json(json!({"images": [{"url": image}]}))
                }),
            )
            .fallback(any(unexpected)),
    )
    .await;
    let server = provider(&other.url).await;
    let mut engine = engine("fal", &server.url);
    let host = other.url.strip_prefix("http://").unwrap().to_owned();
    engine.provider.server.hosts = vec![host];
    let failure = job().run(&engine).await.unwrap_err();
    assert!(failure.message.contains("is not a public host"), "{failure}");
    engine.provider.server.guarded =
        Outbound::new(Guard { allow_private: true }, Timeouts::default()).unwrap();
    assert_eq!(bytes(&job().run(&engine).await.unwrap()), [PNG]);
}

#[tokio::test]
async fn an_id_of_the_provider_or_a_field_of_the_job_stays_within_its_place_in_a_path() {
    let visited = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&visited);
    let router = Router::new().fallback(any(move |request: Request| {
        seen.lock().unwrap().push(request.uri().to_string());
        async { StatusCode::NOT_FOUND }
    }));
    let server = StandIn::serve(router).await;
    for id in ["../../account?x=1#y", "http://127.0.0.1:9/x", ".."] {
        let mut case = case(MediaKind::Image, "a/b", json!({"prompt": "a boat"}));
        let request = ProviderRequest {
            id: Some(id.to_owned()),
            ..ProviderRequest::new(our_id())
        };
        case.job.resume = Some(as_text(&request));
        case.run(&engine("replicate", &server.url)).await.unwrap_err();
    }
    let params = json!({"text": "Hi", "voice": "../voices?x"});
    let case = case(MediaKind::Audio, "v3", params);
    case.run(&engine("elevenlabs", &server.url)).await.unwrap_err();
    let expected = [
        "/v1/predictions/..%2F..%2Faccount%3Fx%3D1%23y",
        "/v1/predictions/http:%2F%2F127.0.0.1:9%2Fx",
        "/v1/text-to-speech/..%2Fvoices%3Fx/with-timestamps?output_format=mp3_44100_128",
    ];
    assert_eq!(*visited.lock().unwrap(), expected);
}

#[tokio::test]
async fn retry_after_is_understood_as_a_date() {
    let router = Router::new().route(
        "/v1/images/generations",
        post(|| async {
            let headers = [
                ("date", "Sun, 06 Nov 1994 08:49:37 GMT"),
                ("retry-after", "Sun, 06 Nov 1994 08:50:37 GMT"),
            ];
            (StatusCode::TOO_MANY_REQUESTS, headers, "{}")
        }),
    );
    let server = StandIn::serve(router).await;
    let failure = case(MediaKind::Image, "m", json!({"prompt": "x"}))
        .run(&engine("openai-images", &server.url))
        .await
        .unwrap_err();
    assert_eq!(failure.code, FailureCode::RateLimited);
    assert_eq!(failure.retry_after, Some(Duration::from_mins(1)));
}
