//! Two-step sign-in.

use atelier_testkit::TestClock;
use axum::http::{StatusCode, header};
use ring::hmac;

use crate::visit::{Answer, Visit, element};

const PASSWORD: &str = "a quiet long password";

/// The code of an authenticator app, so many periods after the one that it shows now.
fn code(secret: &str, later: i64) -> String {
    const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let groups: Vec<String> = secret
        .chars()
        .map(|letter| format!("{:05b}", LETTERS.find(letter).unwrap()))
        .collect();
    let bits = groups.concat();
    let bytes: Vec<u8> = (0..bits.len() / 8)
        .map(|at| u8::from_str_radix(&bits[at * 8..at * 8 + 8], 2).unwrap())
        .collect();
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, &bytes);
    let step = TestClock::START.0 / 30_000_000 + later;
    let hash = hmac::sign(&key, &step.to_be_bytes());
    let offset = usize::from(hash.as_ref()[19] & 15);
    let taken: [u8; 4] = hash.as_ref()[offset..offset + 4].try_into().unwrap();
    format!("{:06}", (u32::from_be_bytes(taken) & 0x7FFF_FFFF) % 1_000_000)
}

/// The value of a hidden field.
fn hidden(page: &Answer, name: &str) -> String {
    let after = page.text.split(&format!("name=\"{name}\" value=\"")).nth(1);
    let after = after.unwrap_or_else(|| panic!("no field {name} in {}", page.text));
    after.split('"').next().unwrap().to_owned()
}

/// Sends login and password, and returns the page that asks for a code.
async fn first_step(visit: &mut Visit) -> Answer {
    visit.cookies.clear();
    let csrf = visit.get("/account/sign-in").await.csrf();
    let next = "/account/usage";
    let fields = [
        ("csrf", csrf.as_str()),
        ("login", "ada"),
        ("password", PASSWORD),
        ("next", next),
    ];
    let answer = visit.post("/account/sign-in", &fields).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    assert_eq!(
        visit.get("/account").await.status,
        StatusCode::SEE_OTHER,
        "nobody is signed in"
    );
    answer
}

async fn second_step(visit: &mut Visit, page: &Answer, code: &str) -> Answer {
    let (csrf, pending, next) = (page.csrf(), hidden(page, "pending"), hidden(page, "next"));
    let fields = [
        ("csrf", csrf.as_str()),
        ("pending", &pending),
        ("next", &next),
        ("code", code),
    ];
    visit.post("/account/sign-in/code", &fields).await
}

#[tokio::test]
async fn a_user_turns_it_on_signs_in_with_codes_and_turns_it_off() {
    const PAGE: &str = "/account/settings/two-step";
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let setup = visit.get(PAGE).await;
    let (csrf, secret) = (setup.csrf(), hidden(&setup, "secret"));
    assert!(setup.text.contains("<svg class=\"qr\""), "{}", setup.text);
    assert_eq!(element(&setup.text, "two-step-secret"), secret);
    let on = code(&secret, -1);
    let fields = |code: &str| {
        let fields = [
            ("csrf", csrf.as_str()),
            ("secret", &secret),
            ("code", code),
            ("proof", PASSWORD),
        ];
        fields.map(|(name, value)| (name, value.to_owned()))
    };
    let post = async |visit: &mut Visit, fields: [(&str, String); 4]| {
        let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
        visit.post(PAGE, &fields).await
    };
    let wrong = post(&mut visit, fields("000000")).await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    assert_eq!(
        hidden(&wrong, "secret"),
        secret,
        "the secret is in the app already"
    );
    let done = post(&mut visit, fields(&on)).await;
    assert_eq!(done.header(header::LOCATION), PAGE, "{}", done.text);
    let codes = visit.get(PAGE).await;
    assert!(codes.text.contains("Two-step sign-in is on."), "{}", codes.text);
    let codes = codes.text.split("aria-label=\"Recovery codes\">").nth(1).unwrap();
    let codes: Vec<String> = codes
        .split('<')
        .next()
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    assert_eq!(codes.len(), 10, "{codes:?}");
    assert!(
        visit
            .get("/account/settings")
            .await
            .text
            .contains("Sign-in asks for a code")
    );

    let page = first_step(&mut visit).await;
    let used = second_step(&mut visit, &page, &on).await;
    assert_eq!(used.status, StatusCode::BAD_REQUEST);
    assert!(
        used.text.contains("The code is wrong or was used"),
        "{}",
        used.text
    );
    let entered = second_step(&mut visit, &used, &code(&secret, 0)).await;
    assert_eq!(entered.status, StatusCode::SEE_OTHER);
    assert_eq!(entered.header(header::LOCATION), "/account/usage");
    let page = first_step(&mut visit).await;
    let entered = second_step(&mut visit, &page, &codes[3]).await;
    assert_eq!(entered.status, StatusCode::SEE_OTHER);

    let csrf = visit.get(PAGE).await.csrf();
    let off = format!("{PAGE}/off");
    let refused = visit
        .post(&off, &[("csrf", &csrf), ("proof", "not my password")])
        .await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(refused.text.contains("he password is wrong"), "{}", refused.text);
    let done = visit.post(&off, &[("csrf", &csrf), ("proof", PASSWORD)]).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.text);
    visit.cookies.clear();
    let csrf = visit.get("/account/sign-in").await.csrf();
    let fields = [("csrf", csrf.as_str()), ("login", "ada"), ("password", PASSWORD)];
    assert_eq!(
        visit.post("/account/sign-in", &fields).await.status,
        StatusCode::SEE_OTHER
    );
}
