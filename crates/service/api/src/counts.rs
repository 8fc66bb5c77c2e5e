//! The metrics of requests. Every label comes from a closed set, so that no client can create new series.

use std::{any::Any, time::Duration};

use axum::{
    extract::MatchedPath,
    http::{Method, StatusCode},
    response::{IntoResponse as _, Response},
};

use crate::error::ApiError;

/// Counts one answered request.
pub(crate) fn count_request(
    method: &Method,
    route: Option<&MatchedPath>,
    status: StatusCode,
    elapsed: Duration,
) {
    let route = route_label(route);
    metrics::counter!(
        "atelier_http_requests_total",
        "method" => method_label(method),
        "route" => route.to_owned(),
        "status" => status_label(status)
    )
    .increment(1);
    metrics::histogram!("atelier_http_request_seconds", "route" => route.to_owned()).record(elapsed);
}

/// Counts and logs the panic of a handler. Operators should be alerted whenever the counter rises.
#[expect(clippy::needless_pass_by_value, reason = "what a caught panic is")]
pub fn count_panic(cause: Box<dyn Any + Send>) {
    let cause = cause
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| cause.downcast_ref::<&str>().copied())
        .unwrap_or("unknown");
    tracing::error!(cause, "a handler panicked");
    metrics::counter!("atelier_http_panics_total").increment(1);
}

/// The answer to a request whose handler panicked. It does not reveal the cause.
pub(crate) fn panicked(cause: Box<dyn Any + Send>) -> Response {
    count_panic(cause);
    ApiError::internal().into_response()
}

/// The template of the route, such as `/dev/v1/generations/{id}`.
pub(crate) fn route_label(route: Option<&MatchedPath>) -> &str {
    route.map_or("unmatched", MatchedPath::as_str)
}

fn method_label(method: &Method) -> &'static str {
    const KNOWN: [Method; 9] = [
        Method::CONNECT,
        Method::DELETE,
        Method::GET,
        Method::HEAD,
        Method::OPTIONS,
        Method::PATCH,
        Method::POST,
        Method::PUT,
        Method::TRACE,
    ];
    const NAMES: [&str; 9] = [
        "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE",
    ];
    let known = KNOWN.iter().position(|known| known == method);
    known.map_or("other", |index| NAMES[index])
}

const fn status_label(status: StatusCode) -> &'static str {
    match status.as_u16() {
        100..200 => "1xx",
        200..300 => "2xx",
        300..400 => "3xx",
        400..500 => "4xx",
        _ => "5xx",
    }
}

#[cfg(test)]
mod tests {
    use std::panic::AssertUnwindSafe;

    use axum::{Router, body::Body, extract::Request, middleware::from_fn, routing::get};
    use futures::FutureExt as _;
    use metrics_exporter_prometheus::PrometheusBuilder;
    use tower::ServiceExt as _;

    use super::*;

    fn router() -> Router {
        Router::new()
            .route("/", get(|| async { "" }))
            .route("/items/{id}", get(|| async { "" }))
            .route("/broken", get(|| async { panic!("on purpose") as &'static str }))
            .layer(from_fn(async |request: Request, next: axum::middleware::Next| {
                let route = request.extensions().get::<MatchedPath>().cloned();
                let method = request.method().clone();
                let response = AssertUnwindSafe(next.run(request)).catch_unwind();
                let response = response.await.unwrap_or_else(panicked);
                count_request(&method, route.as_ref(), response.status(), Duration::ZERO);
                response
            }))
    }

    async fn send(method: &str, path: &str) -> StatusCode {
        let request = Request::builder().method(method).uri(path);
        let request = request.body(Body::empty()).unwrap();
        router().oneshot(request).await.unwrap().status()
    }

    #[tokio::test]
    async fn unknown_methods_and_paths_share_one_series() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let _guard = metrics::set_default_local_recorder(&recorder);
        for index in 0..300 {
            send(&format!("M{index}"), "/").await;
            send("GET", &format!("/items/{index}")).await;
            send("GET", &format!("/nothing-{index}")).await;
        }
        let text = recorder.handle().render();
        let series = text
            .lines()
            .filter(|line| line.starts_with("atelier_http_requests_total"));
        let mut series: Vec<_> = series.collect();
        series.sort_unstable();
        assert_eq!(
            series,
            [
                r#"atelier_http_requests_total{method="GET",route="/items/{id}",status="2xx"} 300"#,
                r#"atelier_http_requests_total{method="GET",route="unmatched",status="4xx"} 300"#,
                r#"atelier_http_requests_total{method="other",route="/",status="4xx"} 300"#,
            ]
        );
    }

    #[tokio::test]
    async fn a_panic_in_a_handler_is_an_internal_error_and_is_counted() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let _guard = metrics::set_default_local_recorder(&recorder);
        assert_eq!(send("GET", "/broken").await, StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(send("GET", "/broken").await, StatusCode::INTERNAL_SERVER_ERROR);
        let text = recorder.handle().render();
        assert!(text.contains("\natelier_http_panics_total 2\n"), "{text}");
    }
}
