//! TLS for outbound connections: rustls with ring, and the bundled roots together with those of the system.
//! Thanks to the bundled roots, a machine without a certificate store can still reach the internet.

use std::sync::{Arc, LazyLock};

use rustls::{ClientConfig, RootCertStore};

/// Read once, because it takes milliseconds and the system's certificates do not change while the service runs.
static CONFIG: LazyLock<ClientConfig> = LazyLock::new(|| {
    let mut roots = RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    let system = rustls_native_certs::load_native_certs();
    for error in &system.errors {
        tracing::debug!(%error, "cannot read a system certificate");
    }
    roots.add_parsable_certificates(system.certs);
    ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring has the cipher suites of the default protocol versions")
        .with_root_certificates(roots)
        .with_no_client_auth()
});

/// Builds a client with this TLS. It ignores proxies from the environment and does not follow redirects.
pub fn client_builder() -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        .tls_backend_preconfigured(CONFIG.clone())
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
}
