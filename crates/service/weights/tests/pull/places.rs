//! Redirects, tokens, hosts.

use std::sync::Arc;

use atelier_weights::Proxies;

use crate::{Reply, Server, Setup, file};

const SIZE: usize = 1_500_000;
const COMMIT: &str = "440dea96dd4a3b06bbbf5abec3e26569dd7ec49f";

/// A hub that redirects to another host, which has the file.
async fn hub_and_store(bytes: &[u8]) -> (Server, Server) {
    let store = Server::good(bytes.to_vec()).await;
    let target = store.url();
    let hub = Server::start(move |_| Reply::status(302).with("location", &target)).await;
    (hub, store)
}

fn on_the_hub() -> String {
    format!("hf://owner/name@{COMMIT}/model.onnx")
}

#[tokio::test]
async fn the_token_goes_to_its_own_host_and_not_along_a_redirect() {
    let bytes = file(SIZE);
    let (hub, store) = hub_and_store(&bytes).await;
    let mut setup = Setup::new(&bytes, &[&on_the_hub()]);
    setup.options.endpoint = format!("http://{}", hub.address);
    setup.options.token = Some("hf_secret".to_owned());
    setup.pull().await.unwrap();
    let asked = hub.requests();
    assert_eq!(asked[0].path, format!("/owner/name/resolve/{COMMIT}/model.onnx"));
    assert!(
        asked
            .iter()
            .all(|request| request.header("authorization") == Some("bearer hf_secret"))
    );
    assert!(!store.requests().is_empty());
    assert!(
        store
            .requests()
            .iter()
            .all(|request| !request.head.contains("hf_secret"))
    );
    // The redirect was followed once, not for each range.
    assert_eq!(asked.len(), 1);
}

#[tokio::test]
async fn an_address_behind_a_redirect_may_expire() {
    let bytes = file(SIZE);
    let served = bytes.clone();
    let store = Server::start(move |request| match request.path.as_str() {
        "/second" => Reply::of(request, &served),
        _ if request.method == "head" => Reply::of(request, &served),
        _ => Reply::status(403),
    })
    .await;
    let (first, second) = (
        format!("http://{}/first", store.address),
        format!("http://{}/second", store.address),
    );
    let hub = Server::start(move |request| {
        Reply::status(302).with("location", if request.number == 0 { &first } else { &second })
    })
    .await;
    Setup::new(&bytes, &[&hub.url()]).pull().await.unwrap();
}

#[tokio::test]
async fn a_gated_file_names_the_page_and_the_setting() {
    for status in [401, 403] {
        let bytes = file(SIZE);
        let hub = Server::start(move |_| Reply::status(status)).await;
        let mut setup = Setup::new(&bytes, &[&on_the_hub()]);
        setup.options.endpoint = format!("http://{}", hub.address);
        let error = setup.refusal().await;
        let page = format!("{}/owner/name", setup.options.endpoint);
        assert!(
            error.contains(&page) && error.contains("models.token_file"),
            "{error}"
        );
        assert!(error.contains(&format!("status {status}")), "{error}");
    }
}

#[tokio::test]
async fn a_missing_file_is_looked_for_at_its_mirror() {
    let bytes = file(SIZE);
    let (first, mirror) = (
        Server::start(|_| Reply::status(404)).await,
        Server::good(bytes.clone()).await,
    );
    Setup::new(&bytes, &[&first.url(), &mirror.url()])
        .pull()
        .await
        .unwrap();
    let error = Setup::new(&bytes, &[&first.url()]).refusal().await;
    assert!(error.ends_with("the server answers with status 404"), "{error}");
    assert_eq!(mirror.sent(), SIZE as u64);
}

#[tokio::test]
async fn circles_and_other_schemes_are_refused() {
    let bytes = file(SIZE);
    let circle = Server::start(|_| Reply::status(302).with("location", "/again")).await;
    let error = Setup::new(&bytes, &[&circle.url()]).refusal().await;
    assert!(error.contains("redirects more than 10 times"), "{error}");
    let file_url = Server::start(|_| Reply::status(302).with("location", "file:///etc/passwd")).await;
    let error = Setup::new(&bytes, &[&file_url.url()]).refusal().await;
    assert!(error.contains("only https is allowed"), "{error}");
    let good = Server::good(bytes.clone()).await;
    let mut setup = Setup::new(&bytes, &[&good.url()]);
    setup.options.allow_http = false;
    let error = setup.refusal().await;
    assert!(error.contains("only https is allowed"), "{error}");
    assert!(good.requests().is_empty());
}

#[tokio::test]
async fn a_proxy_is_used_except_for_the_hosts_that_are_excepted() {
    let bytes = file(SIZE);
    let served = Arc::new(bytes.clone());
    let proxy = Server::start(move |request| Reply::of(request, &served)).await;
    let proxies = |no_proxy: &str| Proxies {
        http: Some(format!("http://{}", proxy.address)),
        https: None,
        no_proxy: Some(no_proxy.to_owned()),
    };
    let mut setup = Setup::new(&bytes, &["http://weights.invalid/file.bin"]);
    setup.options.proxies = proxies("other.invalid");
    setup.pull().await.unwrap();
    assert_eq!(proxy.requests()[0].path, "http://weights.invalid/file.bin");
    let before = proxy.requests().len();
    let direct = Server::good(bytes.clone()).await;
    let mut setup = Setup::new(&bytes, &[&direct.url()]);
    setup.options.proxies = proxies("127.0.0.1");
    setup.pull().await.unwrap();
    assert_eq!(proxy.requests().len(), before);
}

#[tokio::test]
async fn a_file_of_authorities_without_a_certificate_is_refused() {
    let bytes = file(10);
    let mut setup = Setup::new(&bytes, &["http://127.0.0.1:9/x"]);
    setup.options.ca_pem = Some(b"nothing".to_vec());
    let store = atelier_weights::Store::new(setup.folder.path());
    let error = atelier_weights::Downloader::new(store, setup.options.clone()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the HTTP client cannot be set up: there is no certificate in the file"
    );
}
