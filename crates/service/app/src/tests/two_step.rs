//! Two-step sign-in, from turning it on to losing the app.

use std::time::Duration;

use super::{PASSWORD, World, browser, entered};
use crate::{
    Error,
    people::{Entry, SignedIn, totp},
};

const NEW_PASSWORD: &str = "another tin lamp 42";

/// The state of an authenticator app.
struct Phone {
    secret: totp::Secret,
}

impl Phone {
    /// The code that it shows now.
    fn code(&self, world: &World) -> String {
        totp::code(&self.secret, world.app.now().0 / 30_000_000)
    }
}

impl World {
    /// Turns two-step sign-in on. Returns the recovery codes too.
    async fn with_phone(&self, user: &SignedIn) -> (Phone, Vec<String>) {
        let secret = self.app.new_two_step_secret(user).text;
        let phone = Phone {
            secret: totp::secret_of(&secret).unwrap(),
        };
        let code = phone.code(self);
        let on = self.app.turn_two_step_on(user, &secret, &code, PASSWORD);
        (phone, on.await.unwrap())
    }

    /// The text for the second step of grace.
    async fn first_step(&self, password: &str) -> String {
        match self.app.sign_in("grace", password, &browser()).await.unwrap() {
            Entry::Code(pending) => pending,
            Entry::SignedIn(_) => panic!("no code is asked for"),
        }
    }

    async fn second_step(&self, pending: &str, code: &str) -> Result<(), Error> {
        let session = self.app.finish_two_step(pending, code, None, &browser()).await?;
        assert!(self.signed_in(&session).await.is_some());
        Ok(())
    }

    fn wait(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }
}

fn is_wrong(answer: &Result<(), Error>) -> bool {
    matches!(answer, Err(Error::InvalidRequest { .. }))
}

#[tokio::test]
async fn a_code_is_asked_for_after_the_password_and_works_once() {
    let world = World::new();
    let grace = world.member("grace").await;
    let secret = world.app.new_two_step_secret(&grace);
    assert_eq!(
        secret.uri,
        format!(
            "otpauth://totp/atelier:grace?secret={}&issuer=atelier",
            secret.text
        )
    );
    let wrong = world
        .app
        .turn_two_step_on(&grace, &secret.text, "000000", PASSWORD)
        .await;
    assert!(matches!(wrong, Err(Error::InvalidRequest { .. })), "{wrong:?}");
    let phone = Phone {
        secret: totp::secret_of(&secret.text).unwrap(),
    };
    let code = phone.code(&world);
    let wrong = world
        .app
        .turn_two_step_on(&grace, &secret.text, &code, "not my password")
        .await;
    assert!(matches!(wrong, Err(Error::InvalidRequest { .. })), "{wrong:?}");
    assert!(world.app.two_step(&grace).await.unwrap().on.is_none());
    let (phone, codes) = world.with_phone(&grace).await;
    assert_eq!(codes.len(), 10);

    let pending = world.first_step(PASSWORD).await;
    assert!(
        is_wrong(&world.second_step(&pending, &phone.code(&world)).await),
        "it was used to turn it on"
    );
    world.wait(30);
    let code = phone.code(&world);
    world.second_step(&pending, &code).await.unwrap();
    assert!(is_wrong(&world.second_step(&pending, &code).await), "it was used");
    world.wait(30);
    let spaced = format!(" {} {}", &phone.code(&world)[..3], &phone.code(&world)[3..]);
    world.second_step(&pending, &spaced).await.unwrap();
    for forged in ["", "x.y.z", &pending.replace('.', ".1"), &format!("{pending}A")] {
        let answer = world.second_step(forged, "000000").await;
        assert!(matches!(answer, Err(Error::Conflict(_))), "{forged}: {answer:?}");
    }
    world.wait(601);
    let late = world.second_step(&pending, &phone.code(&world)).await;
    assert!(matches!(late, Err(Error::Conflict(_))), "{late:?}");
}

#[tokio::test]
async fn recovery_codes_work_once_each_until_there_are_new_ones() {
    let world = World::new();
    let grace = world.member("grace").await;
    let (_, codes) = world.with_phone(&grace).await;
    let pending = world.first_step(PASSWORD).await;
    world.second_step(&pending, &codes[0]).await.unwrap();
    assert!(is_wrong(&world.second_step(&pending, &codes[0]).await));
    let typed = codes[1].replace('-', " ").to_uppercase();
    world.second_step(&pending, &typed).await.unwrap();
    assert_eq!(world.app.two_step(&grace).await.unwrap().on.unwrap().1, 8);
    let refused = world.app.new_recovery_codes(&grace, "not my password").await;
    assert!(refused.is_err());
    let new = world.app.new_recovery_codes(&grace, PASSWORD).await.unwrap();
    assert!(is_wrong(&world.second_step(&pending, &codes[2]).await));
    world.second_step(&pending, &new[9]).await.unwrap();
}

#[tokio::test]
async fn after_ten_wrong_codes_the_right_one_waits_from_every_network() {
    let world = World::new();
    let grace = world.member("grace").await;
    let (phone, codes) = world.with_phone(&grace).await;
    let pending = world.first_step(PASSWORD).await;
    for _ in 0..10 {
        assert!(is_wrong(&world.second_step(&pending, "000000").await));
    }
    let elsewhere = crate::people::Browser {
        address: "198.51.100.7".to_owned(),
        ..browser()
    };
    let limited = world
        .app
        .finish_two_step(&pending, &codes[0], None, &elsewhere)
        .await;
    assert!(matches!(limited, Err(Error::RateLimited(_))), "{limited:?}");
    world.wait(301);
    world.second_step(&pending, &phone.code(&world)).await.unwrap();
}

#[tokio::test]
async fn a_new_password_does_not_go_round_the_code_and_ends_sign_ins_that_were_begun() {
    let world = World::new();
    let grace = world.member("grace").await;
    let (phone, _) = world.with_phone(&grace).await;
    let before = world.first_step(PASSWORD).await;
    world.wait(30);
    let link = world.cli().reset_password("grace").await.unwrap();
    let reset = world
        .app
        .reset_password(&link.token, NEW_PASSWORD, &browser())
        .await;
    let Entry::Code(pending) = reset.unwrap() else {
        panic!("no code is asked for")
    };
    let ended = world.second_step(&before, &phone.code(&world)).await;
    assert!(matches!(ended, Err(Error::Conflict(_))), "{ended:?}");
    world.second_step(&pending, &phone.code(&world)).await.unwrap();
}

#[tokio::test]
async fn an_invitation_is_accepted_after_the_code() {
    let world = World::new();
    let grace = world.member("grace").await;
    let (_, codes) = world.with_phone(&grace).await;
    world.account("house").await;
    let link = world.link("house", atelier_domain::Role::Member).await;
    let begun = world
        .app
        .join_with_login(&link, "grace", PASSWORD, &browser())
        .await;
    let Entry::Code(pending) = begun.unwrap() else {
        panic!("no code is asked for")
    };
    world.app.open_invitation(&link).await.unwrap();
    let session = world
        .app
        .finish_two_step(&pending, &codes[0], Some(&link), &browser())
        .await;
    let grace = world.signed_in(&session.unwrap()).await.unwrap();
    assert_eq!(grace.account().name, "house");
}

#[tokio::test]
async fn it_is_turned_off_with_the_password_or_by_an_operator_who_is_recorded() {
    let world = World::new();
    let grace = world.member("grace").await;
    world.with_phone(&grace).await;
    let refused = world.app.turn_two_step_off(&grace, "not my password").await;
    assert!(
        matches!(refused, Err(Error::InvalidRequest { .. })),
        "{refused:?}"
    );
    world.app.turn_two_step_off(&grace, PASSWORD).await.unwrap();
    world.session("grace", PASSWORD).await;
    let (_, codes) = world.with_phone(&grace).await;
    let pending = world.first_step(PASSWORD).await;
    world.cli().reset_two_step("grace").await.unwrap();
    let over = world.second_step(&pending, &codes[0]).await;
    assert!(matches!(over, Err(Error::Conflict(_))), "{over:?}");
    entered(world.app.sign_in("grace", PASSWORD, &browser()).await.unwrap());
    let again = world.cli().reset_two_step("grace").await;
    assert!(matches!(again, Err(Error::Conflict(_))), "{again:?}");
    let changes = world.app.own_changes(&grace, None, 50).await.unwrap().items;
    let mut actions: Vec<_> = changes
        .iter()
        .map(|change| (change.action.as_str(), change.actor.as_str()))
        .collect();
    actions.retain(|(action, _)| action.starts_with("two_step"));
    actions.sort_unstable();
    assert_eq!(
        actions,
        [
            ("two_step.off", "cli"),
            ("two_step.off", "grace"),
            ("two_step.on", "grace"),
            ("two_step.on", "grace"),
        ]
    );
}
