//! Mail: one message at a time to the operator's SMTP server (RFC 5321), which delivers it. The operator configured the
//! server, so it may be in a private network. A password is sent only over TLS, or to this machine. The certificate of
//! the server must lead to a root that browsers or the system trust (`tls`).

mod message;
mod session;

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use tokio::net::TcpStream;
use tokio_rustls::{
    TlsConnector,
    rustls::{self, CertificateError, pki_types::ServerName},
};
use url::{Host, Url, form_urlencoded};

use self::session::Session;
use crate::{is_loopback, tls};

pub use message::{is_address, is_sender};

/// The longest time for connecting, and for a whole message.
const CONNECT: Duration = Duration::from_secs(10);
const WHOLE: Duration = Duration::from_mins(1);

/// The server that delivers the service's mail.
#[derive(Clone)]
pub struct SmtpServer {
    host: String,
    port: u16,
    security: Security,
    credentials: Option<(String, String)>,
    from: String,
}

impl std::fmt::Debug for SmtpServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SmtpServer")
            .field("host", &self.host)
            .field("port", &self.port)
            .field("security", &self.security)
            .finish_non_exhaustive()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Security {
    /// TLS from the first byte (`smtps`).
    Tls,
    /// `STARTTLS` (RFC 3207) is required: a password follows, or the operator requires it.
    StartTls,
    /// `STARTTLS` if the server offers it.
    IfOffered,
    /// The server is on this machine.
    Loopback,
}

/// A message of plain text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    /// One address.
    pub to: String,
    pub subject: String,
    pub text: String,
    /// Unique, without spaces: the first part of `Message-ID`.
    pub id: String,
    pub date: SystemTime,
}

/// The reason why a message was not accepted.
#[derive(Debug, thiserror::Error)]
pub enum SmtpError {
    #[error("the mail server cannot be reached: {0}")]
    Unreachable(String),
    #[error("the mail server took too long")]
    TimedOut,
    #[error(
        "the mail server offers no STARTTLS, which is required for a password to another machine and by \
         `mail.require_tls`"
    )]
    NoTls,
    #[error("the certificate of the mail server is not accepted: {0}")]
    Certificate(String),
    #[error("the mail server offers no AUTH with PLAIN or LOGIN")]
    NoAuth,
    /// Trying again later may work (a reply of 400 to 499).
    #[error("the mail server temporarily refused: {0}")]
    Later(String),
    #[error("the mail server refused: {0}")]
    Refused(String),
    #[error("not a mail address: {0:?}")]
    Address(String),
}

impl SmtpError {
    /// Whether a retry may succeed.
    pub const fn is_transient(&self) -> bool {
        matches!(self, Self::Unreachable(_) | Self::TimedOut | Self::Later(_))
    }
}

impl SmtpServer {
    /// Reads `smtp://` (port 587, with `STARTTLS`) or `smtps://` (port 465), with user and password before the host,
    /// percent-encoded. `from` is an address or `Name <address>`. With `require_tls`, nothing is sent without TLS.
    pub fn new(url: &str, from: &str, require_tls: bool) -> Result<Self, String> {
        // Messages never quote the URL: it may contain a password.
        let parsed = Url::parse(url).map_err(|error| format!("it is not a URL: {error}"))?;
        let tls = match parsed.scheme() {
            "smtp" => false,
            "smtps" => true,
            _ => return Err("its scheme must be smtp or smtps".to_owned()),
        };
        if !matches!(parsed.path(), "" | "/") || parsed.query().is_some() || parsed.fragment().is_some() {
            return Err("it must end after the host and the port".to_owned());
        }
        // URLs of other schemes keep their hosts as texts.
        let host = parsed.host_str().filter(|host| !host.is_empty());
        let host =
            Host::parse(host.ok_or("it has no host")?).map_err(|error| format!("its host: {error}"))?;
        let credentials = match (parsed.username(), parsed.password()) {
            ("", None) => None,
            (user, Some(password)) if !user.is_empty() => Some((decoded(user), decoded(password))),
            _ => return Err("it must have a user and a password, or neither".to_owned()),
        };
        if !is_sender(from) {
            return Err("`mail.from` must be an address, such as atelier@example.com".to_owned());
        }
        let security = match (tls, is_loopback(&host), &credentials) {
            (true, _, _) => Security::Tls,
            (false, _, _) if require_tls => Security::StartTls,
            (false, true, _) => Security::Loopback,
            (false, false, Some(_)) => Security::StartTls,
            (false, false, None) => Security::IfOffered,
        };
        Ok(Self {
            host: match host {
                Host::Ipv6(address) => address.to_string(),
                other => other.to_string(),
            },
            port: parsed.port().unwrap_or(if tls { 465 } else { 587 }),
            security,
            credentials,
            from: from.to_owned(),
        })
    }

    /// Sends a message to the server, which has accepted it when this returns.
    pub async fn send(&self, mail: &Mail) -> Result<(), SmtpError> {
        if !is_address(&mail.to) {
            return Err(SmtpError::Address(mail.to.clone()));
        }
        let sent = tokio::time::timeout(WHOLE, self.deliver(mail));
        sent.await.map_err(|_| SmtpError::TimedOut)?
    }

    async fn deliver(&self, mail: &Mail) -> Result<(), SmtpError> {
        let sender = message::address_of(&self.from);
        let domain = sender.rsplit_once('@').map_or("localhost", |(_, domain)| domain);
        let text = message::compose(mail, &self.from, domain);
        let connecting = TcpStream::connect((self.host.as_str(), self.port));
        let stream = tokio::time::timeout(CONNECT, connecting)
            .await
            .map_err(|_| SmtpError::TimedOut)?
            .map_err(|error| lost(&error))?;
        if self.security == Security::Tls {
            let mut session = Session::new(self.encrypt(stream).await?);
            session.greet().await?;
            session.hello(domain).await?;
            return self.hand_over(session, sender, mail, &text).await;
        }
        let mut session = Session::new(stream);
        session.greet().await?;
        session.hello(domain).await?;
        let offered = session.offers("STARTTLS");
        let encrypts = match self.security {
            Security::StartTls if !offered => return Err(SmtpError::NoTls),
            Security::StartTls => true,
            Security::IfOffered => offered,
            Security::Loopback | Security::Tls => false,
        };
        if !encrypts {
            return self.hand_over(session, sender, mail, &text).await;
        }
        let stream = session.start_tls().await?;
        let mut session = Session::new(self.encrypt(stream).await?);
        // Earlier replies could come from somebody in between.
        session.hello(domain).await?;
        self.hand_over(session, sender, mail, &text).await
    }

    async fn hand_over<S>(
        &self,
        mut session: Session<S>,
        sender: &str,
        mail: &Mail,
        text: &str,
    ) -> Result<(), SmtpError>
    where
        S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
    {
        if let Some((user, password)) = &self.credentials {
            session.authenticate(user, password).await?;
        }
        session.hand_over(sender, &mail.to, text).await
    }

    async fn encrypt(
        &self,
        stream: TcpStream,
    ) -> Result<tokio_rustls::client::TlsStream<TcpStream>, SmtpError> {
        let name = ServerName::try_from(self.host.clone()).map_err(|error| lost(&error))?;
        let connector = TlsConnector::from(Arc::new(tls::client_config()));
        connector
            .connect(name, stream)
            .await
            .map_err(|error| not_encrypted(&error))
    }
}

/// Distinguishes a certificate that is not accepted from a broken connection.
fn not_encrypted(error: &std::io::Error) -> SmtpError {
    let inner = error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<rustls::Error>());
    match inner {
        Some(rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer)) => SmtpError::Certificate(
            "its authority is unknown; set `SSL_CERT_FILE` to a file with it".to_owned(),
        ),
        Some(rustls::Error::InvalidCertificate(why)) => SmtpError::Certificate(why.to_string()),
        _ => lost(error),
    }
}

fn lost(error: &dyn std::fmt::Display) -> SmtpError {
    SmtpError::Unreachable(error.to_string())
}

/// Decodes a percent-encoded text, in which a plus stays a plus.
fn decoded(text: &str) -> String {
    let text = text.replace('+', "%2B");
    let mut parsed = form_urlencoded::parse(text.as_bytes());
    parsed
        .next()
        .map(|(text, _)| text.into_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests;
