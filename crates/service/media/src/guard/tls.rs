//! TLS for everything that goes out: rustls with ring, bundled roots and those of the system.
//! With bundled roots a machine without a certificate store can still reach the internet.

use std::sync::{Arc, LazyLock};

use rustls::{ClientConfig, RootCertStore};

/// Read once: it takes milliseconds, and the certificates of the system do not change under a running service.
static CONFIG: LazyLock<ClientConfig> = LazyLock::new(|| {
    let mut roots = RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    let system = rustls_native_certs::load_native_certs();
    for error in &system.errors {
        tracing::debug!(%error, "a certificate of the system cannot be read");
    }
    roots.add_parsable_certificates(system.certs);
    ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring has the cipher suites of the default protocol versions")
        .with_root_certificates(roots)
        .with_no_client_auth()
});

/// A client with this TLS that takes no proxy from the environment and follows no redirect.
pub(crate) fn client_builder() -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        .tls_backend_preconfigured(CONFIG.clone())
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
}
