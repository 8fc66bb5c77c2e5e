//! Mail that people ask for, with the real program and a mail server on loopback.

mod tls;

use std::time::{Duration, Instant};

use atelier_testkit::{MailServer, Manner};

use crate::{
    oidc::{Browser, text},
    setup::{ECHO, World},
};

const PASSWORD: &str = "a quiet long password";
const NEW: &str = "another quiet word";

fn world(mail: &MailServer) -> World {
    let from = "atelier <atelier@media.example>";
    World::start(&format!(
        "{ECHO}\n[mail]\nurl = \"{}\"\nfrom = \"{from}\"\n",
        mail.url()
    ))
}

/// Opens a link of the service that has this beginning, out of a text. Returns its path.
fn link(text: &str, beginning: &str) -> String {
    let after = text
        .split(beginning)
        .nth(1)
        .unwrap_or_else(|| panic!("no {beginning} in {text}"));
    let token: String = after
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || "-_".contains(*c))
        .collect();
    format!("{beginning}{token}")
}

async fn join(browser: &mut Browser, path: &str, login: &str) {
    let page = browser.get(path).await;
    let fields = [("login", login), ("password", PASSWORD), ("again", PASSWORD)];
    assert_eq!(browser.submit(&page, path, &fields).await.status, 303);
}

async fn forgot(world: &World, login: &str) -> String {
    let mut browser = Browser::new(world);
    let page = browser.get("/account/forgot").await;
    let answer = browser
        .submit(&page, "/account/forgot", &[("login", login)])
        .await;
    assert_eq!(answer.status, 200, "{}", text(&answer));
    text(&answer)
}

#[tokio::test]
async fn an_invitation_and_a_link_for_a_forgotten_password_come_by_mail() {
    // The first mail needs a second try.
    let mail = MailServer::start(Manner::Busy(1)).await;
    let world = world(&mail);
    let account = world.account(10);
    let first = world
        .server
        .json(&["account", "invite", &account.name, "--role", "owner"]);
    let mut ada = Browser::new(&world);
    join(
        &mut ada,
        &link(first["url"].as_str().unwrap(), "/account/join/"),
        "ada",
    )
    .await;
    let settings = ada.get("/account/settings").await;
    let fields = [("role", "viewer"), ("email", "grace@example.com")];
    let done = ada.submit(&settings, "/account/settings/invite", &fields).await;
    assert_eq!(done.status, 303, "{}", text(&done));
    let invited = ada.get("/account/settings").await;
    assert!(
        text(&invited).contains("is on its way to grace@example.com"),
        "{}",
        text(&invited)
    );
    let fields = [
        ("role", "viewer"),
        ("email", "grace@example.com\r\nBcc: x@y.example"),
    ];
    assert_eq!(
        ada.submit(&settings, "/account/settings/invite", &fields)
            .await
            .status,
        400
    );

    let invitation = mail.mails(1).await.remove(0);
    assert_eq!(invitation.to, "grace@example.com");
    assert!(
        invitation
            .headers
            .contains("From: atelier <atelier@media.example>"),
        "{invitation:?}"
    );
    assert!(
        invitation.text.starts_with("ada invites you to the account"),
        "{invitation:?}"
    );
    assert!(invitation.text.contains(&world.server.origin()), "{invitation:?}");
    let mut grace = Browser::new(&world);
    join(
        &mut grace,
        &link(&invitation.text, "/account/join/"),
        "Grace@example.com",
    )
    .await;

    // The page says the same to everybody, and mails only the user.
    let sign_in = Browser::new(&world).get("/account/sign-in").await;
    assert!(
        text(&sign_in).contains("href=\"/account/forgot\""),
        "{}",
        text(&sign_in)
    );
    let told = forgot(&world, "nobody@example.com").await;
    assert_eq!(forgot(&world, "ada").await, told, "a login that is no address");
    assert_eq!(forgot(&world, "grace@example.com").await, told);
    let reset = mail.mails(2).await.remove(1);
    assert_eq!(reset.to, "grace@example.com");
    let path = link(&reset.text, "/account/reset/");
    let mut new = Browser::new(&world);
    let page = new.get(&path).await;
    let fields = [("password", NEW), ("again", NEW)];
    assert_eq!(new.submit(&page, &path, &fields).await.status, 303);
    assert_eq!(
        grace.get("/account").await.status,
        303,
        "the other sessions have ended"
    );
    assert_eq!(new.get("/account").await.status, 200);
    assert_eq!(new.get(&path).await.status, 404, "a link works once");

    // One login gets three mails, and then no more for a while.
    for _ in 0..4 {
        assert_eq!(forgot(&world, "grace@example.com").await, told);
    }
    mail.mails(4).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(mail.count(), 4);
}

/// The command runs beside the mail server.
#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_is_mailed_from_the_command_line() {
    let mail = MailServer::start(Manner::Takes).await;
    let world = world(&mail);
    let account = world.account(10);
    let asked = ["account", "invite", &account.name, "--operator", "--mail"];
    let invited = world.server.json(&[&asked[..], &["ada@example.com"]].concat());
    let sent = mail.mails(1).await.remove(0);
    assert_eq!(sent.to, "ada@example.com");
    assert!(sent.text.contains(", as operator."), "{sent:?}");
    let path = link(&sent.text, "/account/join/");
    assert!(invited["url"].as_str().unwrap().ends_with(&path), "{invited}");
    let (status, _, said) = world.server.command(&[&asked[..], &["nobody"]].concat());
    assert!(
        status == 2 && said.contains("--mail must be one address"),
        "{status}: {said}"
    );
    let open = world.server.json(&["account", "invitations", &account.name]);
    assert_eq!(open.as_array().unwrap().len(), 1, "{open}");

    let without = crate::setup::echo();
    let account = without.account(10);
    let asked = ["account", "invite", &account.name, "--mail", "ada@example.com"];
    let (status, _, said) = without.server.command(&asked);
    assert!(status == 2 && said.contains("set `mail.url`"), "{status}: {said}");
}

#[tokio::test]
async fn a_mail_server_that_says_nothing_holds_up_no_page() {
    let mail = MailServer::start(Manner::Silent).await;
    let world = world(&mail);
    let account = world.account(10);
    let invited = world.server.json(&["account", "invite", &account.name]);
    let path = link(invited["url"].as_str().unwrap(), "/account/join/");
    join(&mut Browser::new(&world), &path, "grace@example.com").await;
    let begun = Instant::now();
    forgot(&world, "grace@example.com").await;
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
}
