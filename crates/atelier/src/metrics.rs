//! `/metrics` in Prometheus text form, on a listener of its own.

use std::{sync::OnceLock, time::Duration};

use atelier_app::System;
use atelier_engines::Position;
use axum::{Router, http::header, response::IntoResponse, routing::get};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

/// Histograms are emptied into their sums this often, whether or not anybody asks.
const UPKEEP: Duration = Duration::from_secs(5);
/// From a request answered out of memory to a video that takes minutes.
const SECONDS: &[f64] = &[
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1_200.0,
];

/// Collected once per process, however many services run in it.
static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();

/// Begins to collect what the service counts. Without this, counting costs nothing.
pub(crate) fn collect() -> PrometheusHandle {
    HANDLE
        .get_or_init(|| {
            let builder = PrometheusBuilder::new()
                .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), SECONDS)
                .expect("there are buckets");
            let recorder = builder.build_recorder();
            let handle = recorder.handle();
            // A recorder that is there already belongs to a program this one is part of; it counts then.
            if metrics::set_global_recorder(recorder).is_err() {
                tracing::warn!("another metrics recorder is installed: /metrics shows nothing but the queue");
            }
            handle
        })
        .clone()
}

/// Serves what was collected, and the state of the queue and of the breakers as it is when asked.
pub(crate) fn router(handle: PrometheusHandle, system: System) -> Router {
    let upkeep = handle.clone();
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(UPKEEP).await;
            upkeep.run_upkeep();
        }
    });
    let answer = move || async move {
        if let Ok(stats) = system.stats().await {
            for (lane, queued) in &stats.queued {
                metrics::gauge!("atelier_queued", "lane" => lane.clone()).set(*queued as f64);
            }
            metrics::gauge!("atelier_running").set(stats.running as f64);
            metrics::gauge!("atelier_webhooks_pending").set(stats.deliveries_pending as f64);
        }
        for engine in system.engines() {
            if let Some(breaker) = system.routes().breaker(engine.name()) {
                let position = match breaker.position(system.app().now()) {
                    Position::Closed => 0.0,
                    Position::HalfOpen => 1.0,
                    Position::Open { .. } => 2.0,
                };
                metrics::gauge!("atelier_engine_breaker", "engine" => engine.name().to_owned()).set(position);
            }
        }
        (
            [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")],
            handle.render(),
        )
            .into_response()
    };
    Router::new().route("/metrics", get(answer))
}
