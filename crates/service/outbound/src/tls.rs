//! TLS for outbound connections: rustls with ring, and the bundled roots together with those of the system.
//! Thanks to the bundled roots, a machine without a certificate store can still reach the internet.

use std::sync::{Arc, LazyLock};

use rustls::{
    ClientConfig, RootCertStore,
    pki_types::{CertificateDer, pem::PemObject as _},
};

/// Read once, because it takes milliseconds and the system's certificates do not change while the service runs.
static ROOTS: LazyLock<RootCertStore> = LazyLock::new(|| {
    let mut roots = RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    let system = rustls_native_certs::load_native_certs();
    for error in &system.errors {
        tracing::debug!(%error, "cannot read a system certificate");
    }
    roots.add_parsable_certificates(system.certs);
    roots
});

static CONFIG: LazyLock<ClientConfig> = LazyLock::new(|| config(ROOTS.clone()));

fn config(roots: RootCertStore) -> ClientConfig {
    ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring has the cipher suites of the default protocol versions")
        .with_root_certificates(roots)
        .with_no_client_auth()
}

/// This TLS for connections that are not HTTP.
pub(crate) fn client_config() -> ClientConfig {
    CONFIG.clone()
}

/// Builds a client with this TLS. It ignores proxies from the environment and does not follow redirects.
pub fn client_builder() -> reqwest::ClientBuilder {
    builder(CONFIG.clone())
}

/// The same client, which also trusts the certificate authorities of a PEM file.
pub fn client_builder_trusting(pem: &[u8]) -> Result<reqwest::ClientBuilder, String> {
    let mut roots = ROOTS.clone();
    let before = roots.len();
    for certificate in CertificateDer::pem_slice_iter(pem) {
        let certificate = certificate.map_err(|error| format!("a certificate cannot be read: {error}"))?;
        roots
            .add(certificate)
            .map_err(|error| format!("a certificate is not one of an authority: {error}"))?;
    }
    if roots.len() == before {
        return Err("there is no certificate in the file".to_owned());
    }
    Ok(builder(config(roots)))
}

fn builder(config: ClientConfig) -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        .tls_backend_preconfigured(config)
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
}
