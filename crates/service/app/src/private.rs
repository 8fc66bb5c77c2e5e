//! Private media: links that are signed and expire.
//!
//! The signature is an HMAC of the file's name and the time at which the link expires. One link opens the file and its
//! preview.

use std::time::Duration;

use atelier_domain::{AccountId, FileName, Generation, Right, Timestamp};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Map, Value};
use sha2::Sha256;

use crate::{App, Caller, Error, Result, System, accounts::update::AccountUpdate, secrets};

/// The name of the key in the store.
const SECRET: &str = "media links";
/// The expiry is rounded up to this fraction of the lifetime, so that a file has the same link for a while and caches
/// work.
const STEPS: i64 = 24;

/// The settings of links to private media.
#[derive(Debug, Clone)]
pub struct PrivateMedia {
    /// The origin and path of stored files on the service itself, without a trailing slash. It is never a CDN or a
    /// bucket, because these do not check signatures.
    pub url: String,
    /// How long a link works, at least.
    pub life: Duration,
}

/// The links to files of one account: permanent, or signed.
#[derive(Debug, Clone)]
pub struct Links {
    base: String,
    signing: Option<Signing>,
}

#[derive(Debug, Clone)]
struct Signing {
    key: [u8; 32],
    /// In seconds since 1970.
    expires: i64,
}

impl Links {
    /// The URL of a stored file.
    pub fn url(&self, file: &FileName) -> String {
        format!("{}/{file}{}", self.base, self.query(file))
    }

    /// The path of a file's preview on this service.
    pub fn preview(&self, file: &FileName) -> String {
        format!("/media/{file}/preview{}", self.query(file))
    }

    /// Whether the links are signed.
    pub const fn are_signed(&self) -> bool {
        self.signing.is_some()
    }

    fn query(&self, file: &FileName) -> String {
        let Some(Signing { key, expires }) = &self.signing else {
            return String::new();
        };
        format!("?expires={expires}&signature={}", signature(key, file, *expires))
    }
}

fn signature(key: &[u8; 32], file: &FileName, expires: i64) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of every length");
    mac.update(format!("{file}\n{expires}").as_bytes());
    URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes())
}

/// The permission to read a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Public,
    /// By a signed link, with its remaining time.
    Signed(Duration),
}

/// The query of a signed link.
struct Given<'a> {
    expires: i64,
    signature: &'a str,
}

impl<'a> Given<'a> {
    fn parse(query: &'a str) -> Option<Self> {
        let part = |name| {
            let mut parts = query.split('&').filter_map(|part| part.split_once('='));
            parts.find(|(found, _)| *found == name).map(|(_, value)| value)
        };
        Some(Self {
            expires: part("expires")?.parse().ok()?,
            signature: part("signature")?,
        })
    }
}

impl App {
    /// The links to files of the caller's account.
    pub async fn links(&self, caller: &Caller) -> Result<Links> {
        self.links_if(caller.has_private_media()).await
    }

    /// The links to files of an account.
    pub(crate) async fn links_of(&self, account: AccountId) -> Result<Links> {
        let account = self.store().account(account).await?;
        self.links_if(account.is_some_and(|account| account.private_media))
            .await
    }

    /// The links to one file that a user names: signed only if it is a file of their account.
    pub async fn links_to(&self, caller: &Caller, file: &FileName) -> Result<Links> {
        let account = caller.id();
        let is_own = caller.has_private_media() && self.store().is_file_of(file, account).await?;
        self.links_if(is_own).await
    }

    async fn links_if(&self, are_signed: bool) -> Result<Links> {
        let settings = self.settings();
        if !are_signed {
            return Ok(Links {
                base: settings.media_url.clone(),
                signing: None,
            });
        }
        let life = settings.private_media.life;
        self.signed_links(expiry(self.now(), life)).await
    }

    /// Signed links that work until this second since 1970.
    async fn signed_links(&self, expires: i64) -> Result<Links> {
        let key = self.media_key().await?;
        Ok(Links {
            base: self.settings().private_media.url.clone(),
            signing: Some(Signing { key, expires }),
        })
    }

    /// The same links with an expiry counted from now.
    pub(crate) fn renewed(&self, links: &Links) -> Links {
        let mut links = links.clone();
        if let Some(signing) = &mut links.signing {
            signing.expires = expiry(self.now(), self.settings().private_media.life);
        }
        links
    }

    /// The parameters of a running job for its engine, whose provider may fetch the inputs by their addresses: links to
    /// private files are signed, and work for as long as the attempt may last.
    async fn params_with_links(&self, generation: &Generation) -> Result<Map<String, Value>> {
        let mut params = generation.params.clone();
        let Some(model) = self.catalog().get(&generation.model) else {
            return Ok(params);
        };
        for input in model.inputs(&generation.params) {
            let Some(Ok(file)) = self.stored_file(&input.url) else {
                continue;
            };
            if !self.store().is_private(&file).await? {
                continue;
            }
            let life = self.settings().private_media.life;
            let ended = generation.deadline.millis() / 1_000 + 1;
            let links = self.signed_links(expiry(self.now(), life).max(ended)).await?;
            if let Some(value) = params.get_mut(&input.parameter) {
                let link = |other: &FileName| (*other == file).then(|| links.url(other));
                self.replace_links(value, &link);
            }
        }
        Ok(params)
    }

    /// Whether a file may be read by the link with this query.
    pub async fn may_read(&self, file: &FileName, query: Option<&str>) -> Result<Access> {
        self.still_up(file).await?;
        let valid = match query.and_then(Given::parse) {
            Some(given) => {
                let expected = signature(&self.media_key().await?, file, given.expires);
                secrets::equal(expected.as_bytes(), given.signature.as_bytes()).then_some(given.expires)
            }
            None => None,
        };
        let now = self.now().millis() / 1_000;
        if let Some(expires) = valid
            && expires > now
        {
            return Ok(Access::Signed(Duration::from_secs(
                (expires - now).unsigned_abs(),
            )));
        }
        if !self.store().is_private(file).await? {
            return Ok(Access::Public);
        }
        Err(match valid {
            Some(_) => Error::Gone("this link has expired: fetch the job again to get a new one".to_owned()),
            None => Error::NotFound(
                "no file is stored under this name, or it is private and the link is not signed".to_owned(),
            ),
        })
    }

    /// Makes the media of the caller's account private or public. Requires a role that manages the account.
    pub async fn set_private_media(&self, caller: &Caller, on: bool) -> Result<()> {
        let account = caller.account(Right::Members)?;
        let update = AccountUpdate {
            private_media: Some(on),
            ..AccountUpdate::default()
        };
        let admin = self.acting(caller.actor());
        admin.update_account(&account.name, update, None).await?;
        Ok(())
    }

    /// How long a link to private media works.
    pub fn private_link_life(&self) -> Duration {
        self.settings().private_media.life
    }

    /// The origin and path of signed links, without a trailing slash.
    pub fn private_media_base(&self) -> &str {
        &self.settings().private_media.url
    }

    /// Whether an account may use a stored file as an input: it is public, its own, or named by a signed link.
    pub async fn may_use_file(&self, caller: &Caller, file: &FileName, url: &str) -> Result<bool> {
        if !self.store().is_private(file).await? || self.store().is_file_of(file, caller.id()).await? {
            return Ok(true);
        }
        match self.may_read(file, query_of(url)).await {
            Ok(_) => Ok(true),
            Err(Error::NotFound(_) | Error::Gone(_)) => Ok(false),
            Err(other) => Err(other),
        }
    }

    /// Reduces signed links in parameters to permanent addresses: stored parameters must not expire and must not grant
    /// access.
    pub(crate) fn without_signatures(&self, value: &mut Value) {
        self.replace_links(value, &|file| Some(self.media_url(file)));
    }

    /// Replaces the URLs of stored files for which `replacement` has a value.
    pub(crate) fn replace_links(&self, value: &mut Value, with: &impl Fn(&FileName) -> Option<String>) {
        match value {
            Value::String(text) => {
                if let Some(Ok(file)) = self.stored_file(text)
                    && let Some(link) = with(&file)
                {
                    *text = link;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.replace_links(item, with)),
            _ => {}
        }
    }

    /// The key of all links, which the first node created.
    async fn media_key(&self) -> Result<[u8; 32]> {
        let key = self.0.media_key.get_or_try_init(async || {
            let mut fresh = [0; 32];
            self.entropy().fill(&mut fresh);
            let known = self.store().secret(SECRET, &fresh, self.now()).await?;
            let wrong =
                |_| Error::Internal("the stored key of media links does not have 32 bytes".to_owned());
            <[u8; 32]>::try_from(known).map_err(wrong)
        });
        key.await.copied()
    }
}

impl System {
    /// The parameters of a running job for its engine, with links to its inputs that open them.
    pub async fn engine_params(&self, generation: &Generation) -> Result<Map<String, Value>> {
        self.app.params_with_links(generation).await
    }
}

/// The expiry of a link created now: at least its lifetime, rounded up to a step.
fn expiry(now: Timestamp, life: Duration) -> i64 {
    let life = i64::try_from(life.as_secs()).unwrap_or(i64::MAX / 2).max(1);
    let step = (life / STEPS).max(1);
    let least = now.millis() / 1_000 + life;
    least.div_euclid(step) * step + step
}

/// The query of a URL.
pub(crate) fn query_of(url: &str) -> Option<&str> {
    let (_, query) = url.split_once('?')?;
    Some(query.split('#').next().unwrap_or(query))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_works_for_its_life_and_at_most_a_step_longer() {
        let day = Duration::from_hours(24);
        for now in [0, 1, 3_599, 3_600, 1_790_000_123] {
            let left = expiry(Timestamp(now * 1_000_000), day) - now;
            assert!((86_400..=90_000).contains(&left), "{now}: {left}");
        }
        assert_eq!(
            expiry(Timestamp(3_600_000_000), day),
            expiry(Timestamp(7_199_000_000), day)
        );
    }
}
