//! The outbound guard: an address that a client names may only lead to the public internet.
//! Literal addresses are checked before each request, and names when they are resolved. The connection goes to the
//! address that was checked, so a DNS answer that changes in between has no effect.

use url::{Host, Url};

use crate::is_public;

/// The longest URL accepted, in characters.
pub const MAX_URL: usize = 2048;

/// The rules about which addresses may be connected to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guard {
    /// Lifts the rules about addresses, and the `https` rule for webhooks. For development and tests.
    pub allow_private: bool,
}

/// Why an address is refused. The messages can be shown to the client that named it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("the URL is longer than {MAX_URL} characters")]
    TooLong,
    #[error("`{0}` is not an absolute URL")]
    NotAUrl(String),
    #[error("the URL must begin with {expected}, not `{found}:`")]
    Scheme { expected: &'static str, found: String },
    #[error("the URL must not contain a user name or password")]
    Credentials,
    #[error("the URL has no host")]
    NoHost,
    #[error("`{0}` is not a public host")]
    PrivateHost(String),
    #[error("`{0}` does not lead to a public address")]
    PrivateAddress(String),
}

impl Guard {
    /// Refuses a scheme other than `http` and `https`, credentials in the URL, and a literal address that is not
    /// public or a local name, in any spelling. Does not resolve names.
    pub fn check_url(&self, url: &Url) -> Result<(), Refused> {
        if !matches!(url.scheme(), "http" | "https") {
            let found = url.scheme().to_owned();
            return Err(Refused::Scheme {
                expected: "`http://` or `https://`",
                found,
            });
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Refused::Credentials);
        }
        // The parser has normalised every spelling of an IPv4 address (0x7f.1, 2130706433, 0177.0.0.1).
        match url.host().ok_or(Refused::NoHost)? {
            _ if self.allow_private => Ok(()),
            Host::Ipv4(address) if is_public(address.into()) => Ok(()),
            Host::Ipv6(address) if is_public(address.into()) => Ok(()),
            Host::Domain(name) if is_public_name(name) => Ok(()),
            Host::Domain("") => Err(Refused::NoHost),
            host => Err(Refused::PrivateHost(host.to_string())),
        }
    }

    /// Reads the URL of an input that will be downloaded: absolute, at most [`MAX_URL`] characters, and accepted by
    /// [`check_url`](Self::check_url).
    pub fn check_input_url(&self, text: &str) -> Result<Url, Refused> {
        let url = parse(text)?;
        self.check_url(&url)?;
        Ok(url)
    }

    /// Reads the URL of a webhook. The rules are those for an input, and the scheme must be `https`.
    pub fn check_webhook_url(&self, text: &str) -> Result<Url, Refused> {
        let url = parse(text)?;
        if url.scheme() != "https" && !(self.allow_private && url.scheme() == "http") {
            return Err(Refused::Scheme {
                expected: "`https://`",
                found: url.scheme().to_owned(),
            });
        }
        self.check_url(&url)?;
        Ok(url)
    }
}

fn parse(text: &str) -> Result<Url, Refused> {
    if text.chars().count() > MAX_URL {
        return Err(Refused::TooLong);
    }
    // The parser would drop surrounding spaces and line breaks, and repair a missing `//`.
    let lower = text.get(..8).unwrap_or(text).to_ascii_lowercase();
    let url = Url::parse(text).map_err(|_| Refused::NotAUrl(text.to_owned()))?;
    if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err(Refused::NotAUrl(text.to_owned()));
    }
    if matches!(url.scheme(), "http" | "https")
        && !(lower.starts_with("http://") || lower.starts_with("https://"))
    {
        return Err(Refused::NotAUrl(text.to_owned()));
    }
    Ok(url)
}

/// Whether a name can exist in the public DNS: it has a dot and does not end in a suffix reserved for local use.
fn is_public_name(name: &str) -> bool {
    const LOCAL: [&str; 7] = [
        "localhost",
        "local",
        "internal",
        "localdomain",
        "lan",
        "intranet",
        "home.arpa",
    ];
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    let below = |suffix: &str| {
        name.strip_suffix(suffix)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    name.contains('.') && !name.starts_with('.') && !LOCAL.iter().any(|suffix| below(suffix))
}

#[cfg(test)]
mod tests;
