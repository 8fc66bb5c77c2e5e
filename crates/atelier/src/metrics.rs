//! `/metrics` in the text format of Prometheus, on its own listener.

use std::{sync::OnceLock, time::Duration};

use atelier_app::System;
use atelier_engines::Position;
use atelier_processes::{Programs, scheduler::Residence};
use axum::{Router, http::header, response::IntoResponse, routing::get};
use metrics::Label;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

/// How often collected samples are merged into the histograms, even if nobody reads them.
const UPKEEP: Duration = Duration::from_secs(5);
/// Buckets from requests answered from memory to videos that take minutes.
const SECONDS: &[f64] = &[
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1_200.0,
];

/// One recorder per process, however many services run in it.
static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();

/// Starts to collect metrics. Without this call, counting costs nothing.
pub(crate) fn collect() -> PrometheusHandle {
    HANDLE
        .get_or_init(|| {
            let builder = PrometheusBuilder::new()
                .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), SECONDS)
                .expect("the list of buckets is not empty");
            let recorder = builder.build_recorder();
            let handle = recorder.handle();
            // An existing recorder belongs to a program that embeds this one, and keeps counting.
            if metrics::set_global_recorder(recorder).is_err() {
                tracing::warn!("another metrics recorder is installed; /metrics is empty");
            }
            handle
        })
        .clone()
}

/// Serves the collected metrics, and the current state of the queue, the scratch folder and the breakers.
pub(crate) fn router(handle: PrometheusHandle, system: System) -> Router {
    let upkeep = handle.clone();
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(UPKEEP).await;
            upkeep.run_upkeep();
        }
    });
    let answer = move || async move {
        set_gauges(&system).await;
        (
            [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")],
            handle.render(),
        )
            .into_response()
    };
    Router::new().route("/metrics", get(answer))
}

async fn set_gauges(system: &System) {
    if let Ok(stats) = system.stats().await {
        for engine in system.engines() {
            // A lane without queued jobs is not in the statistics.
            let queued = stats.queued.get(engine.name()).copied().unwrap_or_default();
            metrics::gauge!("atelier_queued", "lane" => engine.name().to_owned()).set(queued as f64);
        }
        metrics::gauge!("atelier_running").set(stats.running as f64);
        metrics::gauge!("atelier_webhooks_pending").set(stats.deliveries_pending as f64);
    }
    let removed = system.removed();
    for (what, count) in [
        ("jobs", removed.jobs),
        ("media", removed.media),
        ("uploads", removed.uploads),
        ("deliveries", removed.deliveries),
        ("requests", removed.requests),
        ("decisions", removed.decisions),
        ("files", removed.files),
    ] {
        metrics::counter!("atelier_retention_removed_total", "what" => what).absolute(count);
    }
    metrics::counter!("atelier_request_log_dropped_total").absolute(system.requests_dropped());
    let scratch = &system.settings().scratch;
    let is_full = !scratch.has_room().await;
    metrics::gauge!("atelier_scratch_full").set(f64::from(u8::from(is_full)));
    if let Some(room) = scratch.room().await {
        metrics::gauge!("atelier_scratch_room_bytes").set(room as f64);
    }
    if let Some(programs) = system.routes().programs() {
        set_program_gauges(programs);
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
}

/// Sets the gauges of the memory that engines of the kind `process` use.
fn set_program_gauges(programs: &Programs) {
    for program in programs.states() {
        let labels = || vec![Label::new("engine", program.name.clone())];
        let is_resident = matches!(program.residence, Residence::Resident | Residence::Draining);
        metrics::gauge!("atelier_program_resident", labels()).set(f64::from(u8::from(is_resident)));
        metrics::gauge!("atelier_program_waiting", labels()).set(program.waiting as f64);
        metrics::gauge!("atelier_program_running", labels()).set(program.running as f64);
        metrics::counter!("atelier_program_loads_total", labels()).absolute(program.counts.loads);
        metrics::counter!("atelier_program_evictions_total", labels()).absolute(program.counts.evictions);
        metrics::counter!("atelier_program_failures_total", labels()).absolute(program.counts.failures);
    }
    for device in programs.devices() {
        let labels = || vec![Label::new("device", device.name.clone())];
        metrics::gauge!("atelier_device_memory_bytes", labels()).set(device.budget as f64);
        metrics::gauge!("atelier_device_held_bytes", labels()).set(device.held as f64);
    }
}
