//! The URL of the database, `store.url`, and how connections to it are encrypted.

use std::{fmt, fs, path::PathBuf, str::FromStr, sync::Arc, time::Duration};

use rustls::{
    ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
    client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, ServerName, UnixTime, pem::PemObject as _},
};
use tokio_postgres::{Config, config::SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;
use url::Url;

use crate::{Result, StoreError};

/// The limit of one try to connect.
const CONNECT: Duration = Duration::from_secs(5);
/// How long sent data may stay unacknowledged: a network that drops everything must not hold up the renewal of leases.
const UNANSWERED: Duration = Duration::from_secs(10);

/// A `postgres://` URL with the parameters of PostgreSQL's own programs. It is displayed without its password.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresUrl {
    /// As written, without the password.
    shown: String,
    /// Without the parameters that only this program knows.
    text: String,
    check: Check,
    root_certificate: Option<PathBuf>,
}

/// Whether the server's certificate is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Check {
    /// Encrypted without checking the server, like `sslmode` `prefer` and `require`.
    Nothing,
    /// The chain and the name, like `verify-full`.
    Everything,
}

impl FromStr for PostgresUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut url = Url::parse(&one_host(text)).map_err(|error| format!("it is not a URL: {error}"))?;
        if !matches!(url.scheme(), "postgres" | "postgresql") {
            return Err("it must begin with postgres://".to_owned());
        }
        let shown = masked(text);
        let (mut check, mut root_certificate) = (Check::Nothing, None);
        let mut others = Vec::new();
        for (key, value) in url.query_pairs() {
            match (&*key, &*value) {
                ("sslmode", "disable" | "prefer" | "require") => {
                    others.push((key.into_owned(), value.into_owned()));
                }
                ("sslmode", "verify-full") => {
                    check = Check::Everything;
                    others.push((key.into_owned(), "require".to_owned()));
                }
                ("sslmode", mode) => {
                    return Err(format!(
                        "its sslmode is `{mode}`; allowed is disable, prefer, require or verify-full"
                    ));
                }
                ("sslrootcert", path) => root_certificate = Some(PathBuf::from(path)),
                ("host", hosts) => {
                    others.extend(hosts.split(',').map(|host| ("host".to_owned(), host.to_owned())));
                }
                _ => others.push((key.into_owned(), value.into_owned())),
            }
        }
        if others.is_empty() {
            url.set_query(None);
        } else {
            url.query_pairs_mut().clear().extend_pairs(&others);
        }
        // To PostgreSQL, `%20` is a space and a plus sign is a plus sign.
        if let Some(query) = url.query().map(|query| query.replace('+', "%20")) {
            url.set_query(Some(&query));
        }
        let text = String::from(url);
        Config::from_str(&text).map_err(|error| match std::error::Error::source(&error) {
            Some(why) => why.to_string(),
            None => error.to_string(),
        })?;
        Ok(Self {
            shown,
            text,
            check,
            root_certificate,
        })
    }
}

impl fmt::Display for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

/// The URL with its first host in the usual place and the others, which PostgreSQL allows there, as parameters.
fn one_host(text: &str) -> String {
    let begin = text.find("://").map_or(0, |found| found + 3);
    let end = text[begin..]
        .find(['/', '?'])
        .map_or(text.len(), |found| begin + found);
    let Some((first, others)) = text[begin..end].split_once(',') else {
        return text.to_owned();
    };
    let mut one = format!("{}{first}{}", &text[..begin], &text[end..]);
    for other in others.split(',') {
        let (host, port) = match other.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, port),
            _ => (other, "5432"),
        };
        let host = host.trim_matches(['[', ']']);
        one.push(if one.contains('?') { '&' } else { '?' });
        for part in ["host=", host, "&port=", port] {
            one.push_str(part);
        }
    }
    one
}

/// The URL in a text without its password, wherever it stands.
pub fn masked(text: &str) -> String {
    const MASK: &str = "********";
    let Ok(mut url) = Url::parse(&one_host(text)) else {
        // An unreadable URL may have a password anywhere.
        return match text.split_once("://") {
            Some((scheme, _)) => format!("{scheme}://{MASK}"),
            None => text.to_owned(),
        };
    };
    if url.password().is_none() && !url.query_pairs().any(|(key, _)| key == "password") {
        return text.to_owned();
    }
    if url.password().is_some() && url.set_password(Some(MASK)).is_err() {
        return MASK.to_owned();
    }
    let pairs: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    if pairs.iter().any(|(key, _)| key == "password") {
        let shown = pairs.into_iter().map(|(key, value)| {
            if key == "password" {
                (key, MASK.to_owned())
            } else {
                (key, value)
            }
        });
        url.query_pairs_mut().clear().extend_pairs(shown);
    }
    url.into()
}

impl PostgresUrl {
    pub(super) fn config(&self) -> Result<Config> {
        let mut config = Config::from_str(&self.text)
            .map_err(|error| StoreError::Internal(format!("{self} cannot be used: {error}")))?;
        if config.get_application_name().is_none() {
            config.application_name("atelier");
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(UNANSWERED);
        }
        Ok(config)
    }

    pub(super) fn tls(&self, config: &Config) -> Result<MakeRustlsConnect> {
        let provider = Arc::new(ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| StoreError::Internal(format!("cannot use TLS: {error}")))?;
        let tls = if self.check == Check::Everything && config.get_ssl_mode() != SslMode::Disable {
            builder
                .with_root_certificates(self.roots()?)
                .with_no_client_auth()
        } else {
            builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(AnyCertificate(provider)))
                .with_no_client_auth()
        };
        Ok(MakeRustlsConnect::new(tls))
    }

    /// The trusted root certificates: those of the named file, or the system's.
    fn roots(&self) -> Result<RootCertStore> {
        let mut roots = RootCertStore::empty();
        let Some(path) = &self.root_certificate else {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            return Ok(roots);
        };
        let unusable = |why: String| StoreError::Internal(format!("sslrootcert {}: {why}", path.display()));
        let text = fs::read(path).map_err(|error| unusable(error.to_string()))?;
        for certificate in CertificateDer::pem_slice_iter(&text) {
            let certificate = certificate.map_err(|error| unusable(error.to_string()))?;
            roots
                .add(certificate)
                .map_err(|error| unusable(error.to_string()))?;
        }
        if roots.is_empty() {
            return Err(unusable("it contains no certificate".to_owned()));
        }
        Ok(roots)
    }
}

/// Accepts every certificate whose key the server has.
#[derive(Debug)]
struct AnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use tokio_postgres::config::TargetSessionAttrs;

    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        for text in [
            "postgres://ada:topsecret@db:5432/atelier?sslmode=require",
            "postgresql://ada@db/atelier?password=topsecret",
        ] {
            let url: PostgresUrl = text.parse().unwrap();
            for shown in [
                url.to_string(),
                format!("{url:?}"),
                masked(text),
                format!("{:?}", url.config().unwrap()),
            ] {
                assert!(!shown.contains("topsecret"), "{shown}");
            }
            assert_eq!(url.config().unwrap().get_password(), Some(&b"topsecret"[..]));
        }
    }

    #[test]
    fn what_has_no_password_is_shown_as_it_is_and_what_cannot_be_read_not_at_all() {
        assert_eq!(masked("https://Example.com"), "https://Example.com");
        assert_eq!(masked("nonsense"), "nonsense");
        assert_eq!(masked("postgres://ada:topsecret@/atelier"), "postgres://********");
    }

    #[test]
    fn the_words_of_a_url_are_postgresqls_own() {
        let url: PostgresUrl =
            "postgres:///atelier?host=/run/a%20b&user=ada&options=-c%20search_path%3Dx&sslmode=verify-full"
                .parse()
                .unwrap();
        let config = url.config().unwrap();
        assert_eq!(config.get_dbname(), Some("atelier"));
        assert_eq!(config.get_user(), Some("ada"));
        assert_eq!(config.get_options(), Some("-c search_path=x"));
        assert_eq!(
            config.get_hosts(),
            [tokio_postgres::config::Host::Unix("/run/a b".into())]
        );
        assert_eq!(config.get_ssl_mode(), SslMode::Require);
        assert_eq!(url.check, Check::Everything);
    }

    #[test]
    fn several_servers_are_named_as_in_postgresqls_own_programs() {
        use tokio_postgres::config::Host::{Tcp, Unix};
        let config = |text: &str| text.parse::<PostgresUrl>().unwrap().config().unwrap();
        let two = config("postgres://ada:topsecret@db1:6000,db2/x?target_session_attrs=read-write");
        assert_eq!(two.get_hosts(), [Tcp("db1".into()), Tcp("db2".into())]);
        assert_eq!(
            (two.get_ports(), two.get_password()),
            (&[6000, 5432][..], Some(&b"topsecret"[..]))
        );
        assert_eq!(two.get_target_session_attrs(), TargetSessionAttrs::ReadWrite);
        let sockets = config("postgres:///x?user=ada&host=/run/a,/run/b");
        assert_eq!(
            sockets.get_hosts(),
            [Unix("/run/a".into()), Unix("/run/b".into())]
        );
        assert_eq!(
            masked("postgres://ada:topsecret@db1:6000,db2/x"),
            "postgres://ada:********@db1:6000/x?host=db2&port=5432"
        );
    }

    #[test]
    fn what_cannot_be_used_is_said() {
        let refused = |text: &str| text.parse::<PostgresUrl>().unwrap_err();
        assert_eq!(
            refused("postgres://db/x?sslmode=maybe"),
            "its sslmode is `maybe`; allowed is disable, prefer, require or verify-full"
        );
        assert_eq!(refused("postgres://db/x?colour=red"), "unknown option `colour`");
        assert_eq!(refused("mysql://db/x"), "it must begin with postgres://");
    }

    #[test]
    fn a_root_certificate_that_is_none_is_an_error() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let text = format!(
            "postgres://db/x?sslmode=verify-full&sslrootcert={}",
            file.path().display()
        );
        let url: PostgresUrl = text.parse().unwrap();
        let error = url.tls(&url.config().unwrap()).map(|_| ()).unwrap_err();
        assert!(
            error.to_string().ends_with("it contains no certificate"),
            "{error}"
        );
    }
}
