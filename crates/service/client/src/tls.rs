//! TLS with rustls and ring, the bundled root certificates and those of the system.

use std::sync::{Arc, LazyLock};

use rustls::{ClientConfig, RootCertStore};

static CONFIG: LazyLock<ClientConfig> = LazyLock::new(|| {
    let mut roots = RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    // If the certificates of the system cannot be read, the bundled ones remain.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring has the cipher suites of the default protocol versions")
        .with_root_certificates(roots)
        .with_no_client_auth()
});

pub(crate) fn client_builder() -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        .tls_backend_preconfigured(CONFIG.clone())
        .redirect(reqwest::redirect::Policy::limited(5))
}
