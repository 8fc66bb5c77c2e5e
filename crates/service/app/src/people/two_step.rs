//! Two-step sign-in: after the password (or the OpenID provider), a code of an authenticator app, or one of ten
//! recovery codes.

use std::time::Duration;

use atelier_domain::{Timestamp, User};
use atelier_store::{NewSecondFactor, SecondFactor};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::json;
use sha2::Sha256;

use super::{
    join::check_login,
    session::{Browser, NewSession, SignedIn, actor_of},
    throttle::network,
    totp,
};
use crate::{Admin, App, Error, Result, audit, secrets};

/// How long somebody may take between the two steps.
const BETWEEN_STEPS: Duration = Duration::from_mins(10);
const RECOVERY_CODES: usize = 10;
/// 80 bits: as many that a fast hash protects the code.
const RECOVERY_BYTES: usize = 10;

/// The result for a user who has proved their identity.
#[derive(Debug, Clone)]
pub enum Entry {
    SignedIn(NewSession),
    /// They are asked for a code; [`App::finish_two_step`] takes this text with it.
    Code(String),
}

/// Whether two-step sign-in is on, as its user sees it.
#[derive(Debug, Clone)]
pub struct TwoStep {
    /// Since when, and how many recovery codes are left.
    pub on: Option<(Timestamp, i64)>,
    /// People who sign in at the OpenID provider only have no password.
    pub has_password: bool,
}

/// A secret that is not in use yet.
#[derive(Debug, Clone)]
pub struct NewSecret {
    /// In Base32, as it is typed into an app.
    pub text: String,
    /// The text of the QR code for an app.
    pub uri: String,
}

impl App {
    /// Lets a user in who has proved their identity, or asks for a code.
    pub(super) async fn enter(&self, user: User, browser: &Browser) -> Result<Entry> {
        match self.pending(&user).await? {
            Some(pending) => Ok(Entry::Code(pending)),
            None => Ok(Entry::SignedIn(self.start_session(user, browser).await?)),
        }
    }

    /// The text for the second step of this user; `None` if they have none.
    ///
    /// It is signed with what only this service knows of the user. Nothing is stored, and it ends with the password
    /// and with the secret that it was made for.
    pub(super) async fn pending(&self, user: &User) -> Result<Option<String>> {
        let Some(factor) = self.store().second_factor(user.id).await? else {
            return Ok(None);
        };
        let found = self.store().user_by_login(&user.login).await?;
        let Some((user, password)) = found else {
            return Ok(None);
        };
        let until = self.now().plus(BETWEEN_STEPS).0;
        let signature = signature(&user, &password, &factor, until);
        let login = URL_SAFE_NO_PAD.encode(&user.login);
        Ok(Some(format!("{login}.{until}.{signature}")))
    }

    /// Ends a sign-in with a code of the app or a recovery code, and accepts an invitation if there is one.
    pub async fn finish_two_step(
        &self,
        pending: &str,
        code: &str,
        invitation: Option<&str>,
        browser: &Browser,
    ) -> Result<NewSession> {
        let (user, factor) = self.begun(pending).await?;
        let hashing = &self.0.hashing;
        let place = hashing.place(&network(&browser.address))?;
        let guess = self
            .0
            .guesses
            .take_code(&user.login, &browser.address, self.now())?;
        hashing.wait(&place, guess.slow_down).await?;
        drop(place);
        if !self.code_is_right(&user, &factor, code).await? {
            return Err(Error::invalid(
                "the code is wrong or was used: enter the current code of your app, or an unused recovery code",
            ));
        }
        self.0.guesses.right(guess);
        let Some(invitation) = invitation else {
            return self.start_session(user, browser).await;
        };
        let account = self.accept_for(&user, invitation).await?;
        let (session, id) = self.new_session(user, browser).await?;
        self.store().show_account(id, account).await?;
        Ok(session)
    }

    /// The user of a sign-in whose second step is due.
    async fn begun(&self, pending: &str) -> Result<(User, SecondFactor)> {
        let over = || Error::Conflict("this sign-in took too long, or it was ended: start again".to_owned());
        let mut parts = pending.splitn(3, '.');
        let (Some(login), Some(until), Some(given)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(over());
        };
        let login = URL_SAFE_NO_PAD.decode(login).ok();
        let login = login
            .and_then(|login| String::from_utf8(login).ok())
            .ok_or_else(over)?;
        let until: i64 = until.parse().map_err(|_| over())?;
        let found = self.store().user_by_login(&login).await?;
        let (user, password) = found
            .filter(|(user, _)| user.disabled_at.is_none())
            .ok_or_else(over)?;
        let factor = self.store().second_factor(user.id).await?.ok_or_else(over)?;
        let expected = signature(&user, &password, &factor, until);
        if !secrets::equal(expected.as_bytes(), given.as_bytes()) || Timestamp(until) < self.now() {
            return Err(over());
        }
        Ok((user, factor))
    }

    /// Whether this is a code of the app or a recovery code that counts now. It does not count a second time.
    async fn code_is_right(&self, user: &User, factor: &SecondFactor, given: &str) -> Result<bool> {
        let given: String = given
            .chars()
            .filter(|c| !c.is_whitespace() && *c != '-')
            .take(100)
            .collect();
        if totp::is_code(&given) {
            let step = totp::matching_step(&factor.secret, &given, self.now(), factor.last_step);
            return match step {
                Some(step) => Ok(self.store().use_step(user.id, factor.secret, step).await?),
                None => Ok(false),
            };
        }
        let by = actor_of(user);
        let record = audit::record(
            self.now(),
            &by,
            "two_step.recover",
            Some(user.account),
            &user.login,
        );
        let left = factor.codes_left - 1;
        let record = audit::with(record, &[("codes_left", json!(left))]);
        let hash = recovery_hash(&given);
        let used = self.store().use_recovery_code(user.id, hash, self.now(), record);
        Ok(used.await?)
    }

    /// Whether two-step sign-in is on.
    pub async fn two_step(&self, signed_in: &SignedIn) -> Result<TwoStep> {
        let factor = self.store().second_factor(signed_in.user.id).await?;
        Ok(TwoStep {
            on: factor.map(|factor| (factor.since, factor.codes_left)),
            has_password: self.stored_password(signed_in).await?.is_some(),
        })
    }

    /// A secret for an app, which counts once [`Self::turn_two_step_on`] has confirmed it.
    pub fn new_two_step_secret(&self, signed_in: &SignedIn) -> NewSecret {
        let mut secret = totp::Secret::default();
        self.entropy().fill(&mut secret);
        secret_for(signed_in, totp::base32(&secret))
    }

    /// Turns two-step sign-in on with a secret, a code that the app made of it, and the password if the user has one.
    /// Returns the recovery codes, which are shown only now.
    pub async fn turn_two_step_on(
        &self,
        signed_in: &SignedIn,
        secret: &str,
        code: &str,
        password: &str,
    ) -> Result<Vec<String>> {
        let wrong = |message: &str| Error::parameter("code", message);
        let secret =
            totp::secret_of(secret).ok_or_else(|| Error::invalid("this is not a secret: start again"))?;
        let code: String = code.chars().filter(|c| !c.is_whitespace()).collect();
        let step = totp::matching_step(&secret, &code, self.now(), i64::MIN).ok_or_else(|| {
            wrong(
                "the code is wrong: check that the clock of your phone is right, and enter the current code",
            )
        })?;
        if self.stored_password(signed_in).await?.is_some() {
            self.confirm_password(signed_in, password).await?;
        }
        let (codes, hashes) = self.recovery_codes();
        let user = &signed_in.user;
        let now = self.now();
        let new = NewSecondFactor {
            user: user.id,
            secret,
            step,
            codes: hashes,
            at: now,
        };
        let record = audit::record(
            now,
            &signed_in.actor(),
            "two_step.on",
            Some(user.account),
            &user.login,
        );
        if !self.store().add_second_factor(new, record).await? {
            return Err(Error::Conflict("two-step sign-in is on already".to_owned()));
        }
        Ok(codes)
    }

    /// Turns two-step sign-in off. `proof` is the password, or a code if the user has no password.
    pub async fn turn_two_step_off(&self, signed_in: &SignedIn, proof: &str) -> Result<()> {
        self.prove(signed_in, proof).await?;
        let user = &signed_in.user;
        let by = signed_in.actor();
        let record = audit::record(self.now(), &by, "two_step.off", Some(user.account), &user.login);
        let was_on = self.store().remove_second_factor(user.id, record).await?;
        was_on.then_some(()).ok_or_else(is_off)
    }

    /// Replaces the recovery codes. `proof` is the password, or a code if the user has no password.
    pub async fn new_recovery_codes(&self, signed_in: &SignedIn, proof: &str) -> Result<Vec<String>> {
        self.prove(signed_in, proof).await?;
        let (codes, hashes) = self.recovery_codes();
        let user = &signed_in.user;
        let by = signed_in.actor();
        let record = audit::record(self.now(), &by, "two_step.codes", Some(user.account), &user.login);
        let is_on = self
            .store()
            .replace_recovery_codes(user.id, hashes, record)
            .await?;
        is_on.then_some(codes).ok_or_else(is_off)
    }

    /// Checks the password of the signed-in user, or a code if they have none.
    async fn prove(&self, signed_in: &SignedIn, proof: &str) -> Result<()> {
        if self.stored_password(signed_in).await?.is_some() {
            return self.confirm_password(signed_in, proof).await;
        }
        let (user, address) = (&signed_in.user, &signed_in.session.address);
        let factor = self.store().second_factor(user.id).await?.ok_or_else(is_off)?;
        let guess = self.0.guesses.take_code(&user.login, address, self.now())?;
        if !self.code_is_right(user, &factor, proof).await? {
            return Err(Error::parameter("proof", "the code is wrong or was used"));
        }
        self.0.guesses.right(guess);
        Ok(())
    }

    async fn confirm_password(&self, signed_in: &SignedIn, password: &str) -> Result<()> {
        let (login, address) = (&signed_in.user.login, &signed_in.session.address);
        let hashing = &self.0.hashing;
        let place = hashing.place(&network(address))?;
        let guess = self.0.guesses.take(login, address, self.now())?;
        let stored = self.stored_password(signed_in).await?;
        if !hashing.verify(&place, guess.slow_down, password, stored).await? {
            return Err(Error::parameter("proof", "the password is wrong"));
        }
        self.0.guesses.right(guess);
        Ok(())
    }

    /// The hash of the user's password; `None` if they have none.
    async fn stored_password(&self, signed_in: &SignedIn) -> Result<Option<String>> {
        let found = self.store().user_by_login(&signed_in.user.login).await?;
        Ok(found
            .map(|(_, stored)| stored)
            .filter(|stored| !stored.is_empty()))
    }

    /// New recovery codes, as they are shown and as they are stored.
    fn recovery_codes(&self) -> (Vec<String>, Vec<[u8; 32]>) {
        let codes = (0..RECOVERY_CODES).map(|_| {
            let mut random = [0; RECOVERY_BYTES];
            self.entropy().fill(&mut random);
            let text = totp::base32(&random).to_lowercase();
            let hash = recovery_hash(&text);
            (
                format!("{}-{}-{}-{}", &text[..4], &text[4..8], &text[8..12], &text[12..]),
                hash,
            )
        });
        codes.unzip()
    }
}

impl Admin {
    /// Turns two-step sign-in off for a user who lost their app and their recovery codes. Their password still counts.
    pub async fn reset_two_step(&self, login: &str) -> Result<User> {
        let missing = || Error::NotFound(format!("there is no user with the login `{login}`"));
        let stored_login = check_login(login).map_err(|_| missing())?;
        let found = self.store.user_by_login(&stored_login).await?;
        let (user, _) = found.ok_or_else(missing)?;
        let record = audit::record(
            self.now(),
            &self.by,
            "two_step.off",
            Some(user.account),
            &user.login,
        );
        if self.store.remove_second_factor(user.id, record).await? {
            return Ok(user);
        }
        Err(Error::Conflict(format!(
            "two-step sign-in is not on for `{}`",
            user.login
        )))
    }

    /// Whether two-step sign-in is on for a user.
    pub async fn has_two_step(&self, user: &User) -> Result<bool> {
        Ok(self.store.second_factor(user.id).await?.is_some())
    }
}

/// The secret that a form brings back; `None` if it is none.
pub fn two_step_secret(signed_in: &SignedIn, text: &str) -> Option<NewSecret> {
    totp::secret_of(text)?;
    Some(secret_for(signed_in, text.to_owned()))
}

/// A secret as text and as what a QR code carries (the key URI format of authenticator apps).
fn secret_for(signed_in: &SignedIn, text: String) -> NewSecret {
    let login: String = url::form_urlencoded::byte_serialize(signed_in.user.login.as_bytes()).collect();
    let login = login.replace('+', "%20");
    let uri = format!("otpauth://totp/atelier:{login}?secret={text}&issuer=atelier");
    NewSecret { text, uri }
}

fn is_off() -> Error {
    Error::Conflict("two-step sign-in is not on".to_owned())
}

fn recovery_hash(text: &str) -> [u8; 32] {
    secrets::key_hash(&text.to_lowercase())
}

fn signature(user: &User, password: &str, factor: &SecondFactor, until: i64) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(&factor.secret).expect("HMAC takes keys of every length");
    for part in ["two-step", &user.id.to_string(), password, &until.to_string()] {
        mac.update(part.as_bytes());
        mac.update(b"\0");
    }
    URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes())
}
