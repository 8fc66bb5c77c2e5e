//! Requests cannot create new series of metrics, whatever methods, paths and headers they have.

use std::collections::BTreeSet;

use atelier_testkit::Http;
use reqwest::Method;

use crate::setup::{ECHO, World};

const METHODS: [&str; 10] = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "?",
];
/// Paths of every kind. `?` stands for a random word.
const PATHS: [&str; 14] = [
    "/generations",
    "/generations/?",
    "/generations/?/cancel",
    "/generations/?/events",
    "/models/?",
    "/webhooks/deliveries/?",
    "/?",
    "/?/?",
    "//?",
    "//media/?",
    "//media/?/preview",
    "//callbacks/?",
    "//account/?",
    "//healthz",
];

/// Sends every method to every path, with random words in methods, paths, queries and headers.
async fn storm(http: &Http, random: &mut impl FnMut() -> String) {
    for method in METHODS {
        let requests = PATHS.map(|path| {
            let method = Method::from_bytes(method.replace('?', &random()).as_bytes()).unwrap();
            let path = format!("{}?{}={}", path.replace('?', &random()), random(), random());
            let mut request = http.request(method, &path);
            for name in ["user-agent", "x-request-id", "x-forwarded-for", &random()] {
                request = request.header(name, random());
            }
            http.send(request)
        });
        futures::future::join_all(requests).await;
    }
}

/// The series of the page, without their values.
async fn series(metrics: &Http) -> BTreeSet<String> {
    let page = metrics.get("//metrics").await;
    let text = String::from_utf8(page.bytes.to_vec()).unwrap();
    text.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.rsplit_once(' ').unwrap().0.to_owned())
        .collect()
}

/// The values of a label of the requests' counter.
fn values<'a>(series: &'a BTreeSet<String>, label: &str) -> BTreeSet<&'a str> {
    let start = format!("{label}=\"");
    let counters = series
        .iter()
        .filter(|one| one.starts_with("atelier_http_requests_total"));
    counters
        .map(|one| one.split_once(&start).unwrap().1.split('"').next().unwrap())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn random_methods_paths_and_headers_make_no_new_series() {
    let port = atelier_testkit::free_port();
    let config = ECHO.replace("listen = \"\"", &format!("listen = \"127.0.0.1:{port}\""));
    let world = World::start(&config);
    let account = world.account(100);
    let metrics = Http::new(&format!("http://127.0.0.1:{port}"), None);
    let mut state = 1_u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let letters = (0..9).map(|index| char::from(b'A' + (state >> (20 + index * 4) & 15) as u8));
        letters.collect()
    };
    for http in [&account.http, &world.anonymous(), &metrics] {
        storm(http, &mut random).await;
    }
    let before = series(&metrics).await;
    for _ in 0..4 {
        for http in [&account.http, &world.anonymous(), &metrics] {
            storm(http, &mut random).await;
        }
    }
    let after = series(&metrics).await;
    assert_eq!(after, before);
    assert_eq!(
        values(&after, "method"),
        [
            "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE", "other"
        ]
        .into()
    );
    assert_eq!(values(&after, "status"), ["2xx", "4xx"].into());
    let routes = values(&after, "route");
    assert!(routes.contains("unmatched"), "{routes:?}");
    assert!(routes.len() <= PATHS.len(), "{routes:?}");
    let requests = after
        .iter()
        .filter(|one| one.starts_with("atelier_http_requests_total"));
    let most = routes.len() * METHODS.len() * 2;
    assert!(requests.count() <= most, "{after:?}");
}
