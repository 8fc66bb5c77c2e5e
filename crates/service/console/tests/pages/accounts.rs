//! The settings of an account for operators and owners, and its erasure.

use atelier_domain::PlanChange;
use axum::http::{StatusCode, header};

use crate::visit::Visit;

const HOUSE: &str = "/account/operator/accounts/house";

/// The operator's page of the accounts, after one called `house` was made.
async fn with_house(visit: &mut Visit) -> String {
    visit.join().await;
    let csrf = visit.get("/account/operator/accounts").await.csrf();
    let house = [
        ("csrf", csrf.as_str()),
        ("name", "house"),
        ("credits", "5"),
        ("plan", "x"),
        ("beta", "true"),
        ("private_media", "true"),
    ];
    let made = visit.post("/account/operator/accounts", &house).await;
    assert!(
        made.status.is_success() || made.status.is_redirection(),
        "{}",
        made.text
    );
    csrf
}

#[tokio::test]
async fn an_operator_sees_the_limits_of_the_plan_of_an_account() {
    let mut visit = Visit::new("https://atelier.example");
    with_house(&mut visit).await;
    let page = visit.get(HOUSE).await.text;
    assert!(!page.contains("the limit of its plan"), "{page}");
    let limits = PlanChange {
        max_queued: Some(Some(70)),
        generations_per_minute: Some(Some(90)),
        ..PlanChange::default()
    };
    visit.set_plan("x", limits).await;
    let page = visit.get(HOUSE).await.text;
    for limit in [70, 90] {
        let means = format!("empty for {limit}, the limit of its plan");
        assert!(page.contains(&means), "{page}");
    }
    assert!(page.contains("empty for any number"), "nothing limits what runs");
    let accounts = visit.get("/account/operator/accounts").await.text;
    assert!(accounts.contains(r#"<td class="number">90</td>"#), "{accounts}");
    let audit = visit.get("/account/operator/audit?kind=plan").await.text;
    assert!(audit.contains("plan.set"), "{audit}");
}

#[tokio::test]
async fn an_operator_sets_retention_and_private_media_of_an_account() {
    let mut visit = Visit::new("https://atelier.example");
    let csrf = with_house(&mut visit).await;
    let is_private = r#"name="private_media" value="true" checked"#;
    let page = visit.get(HOUSE).await.text;
    assert!(page.contains(is_private), "{page}");
    let change = |days: &'static str, private| {
        [
            ("csrf", csrf.clone()),
            ("beta", "true".to_owned()),
            ("plan", "x".to_owned()),
            ("plan_active", "true".to_owned()),
            ("retention_days", days.to_owned()),
            ("private_media", String::from(private)),
        ]
    };
    for (days, private, status) in [
        ("30", "false", StatusCode::SEE_OTHER),
        ("1", "true", StatusCode::BAD_REQUEST),
    ] {
        let fields = change(days, private);
        let fields: Vec<_> = fields
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let answer = visit.post(HOUSE, &fields).await;
        assert_eq!(answer.status, status, "{}", answer.text);
        let refused = answer.text.contains("Jobs are kept for at least 2 days (got 1)");
        assert_eq!(refused, days == "1", "{}", answer.text);
    }
    let page = visit.get(HOUSE).await.text;
    assert!(page.contains(r#"name="retention_days" value="30""#), "{page}");
    assert!(!page.contains(is_private), "{page}");
}

#[tokio::test]
async fn an_owner_makes_the_accounts_media_private_and_public_again() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    for (before, value, after) in [
        ("are permanent", "true", "expire after 1 day"),
        ("expire after 1 day", "false", "are permanent"),
    ] {
        let page = visit.get("/account/settings").await;
        assert!(page.text.contains(before), "{}", page.text);
        assert!(
            page.text.contains(&format!(r#"name="private" value="{value}""#)),
            "{}",
            page.text
        );
        let csrf = page.csrf();
        let set = [("csrf", csrf.as_str()), ("private", value)];
        let answer = visit.post("/account/settings/media", &set).await;
        assert_eq!(answer.header(header::LOCATION), "/account/settings#media");
        assert!(visit.get("/account/settings").await.text.contains(after));
    }
}

#[tokio::test]
async fn an_owner_decides_whether_files_name_their_prompt() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    for (before, after) in [("metadata", "none"), ("none", "signed")] {
        let page = visit.get("/account/settings").await;
        let chosen = |place| format!(r#"<option value="{place}" selected>"#);
        assert!(page.text.contains(&chosen(before)), "{}", page.text);
        let csrf = page.csrf();
        let set = [("csrf", csrf.as_str()), ("prompt_in_files", after)];
        let answer = visit.post("/account/settings/prompts", &set).await;
        assert_eq!(answer.header(header::LOCATION), "/account/settings#prompts");
        assert!(visit.get("/account/settings").await.text.contains(&chosen(after)));
    }
}

#[tokio::test]
async fn an_account_is_erased_after_its_name_was_typed() {
    let mut visit = Visit::new("https://atelier.example");
    let csrf = with_house(&mut visit).await;
    let page = visit.get(HOUSE).await.text;
    let erase = format!("{HOUSE}/erase");
    assert!(page.contains(&format!("href=\"{erase}\"")), "{page}");
    let asked = visit.get(&erase).await;
    assert!(asked.text.contains("Erase house?"), "{}", asked.text);
    for (typed, status, said) in [
        ("", StatusCode::BAD_REQUEST, "Nothing was changed."),
        ("home", StatusCode::BAD_REQUEST, "Nothing was changed."),
        (
            "house",
            StatusCode::OK,
            "The account is erased: 0 jobs, 0 uploads, 0 files and 0 users",
        ),
    ] {
        let answer = visit.post(&erase, &[("csrf", &csrf), ("name", typed)]).await;
        assert_eq!(answer.status, status, "{}", answer.text);
        assert!(answer.text.contains(said), "{}", answer.text);
    }
    for gone in [HOUSE, &erase] {
        assert_eq!(visit.get(gone).await.status, StatusCode::NOT_FOUND, "{gone}");
    }
    let own = visit
        .post(
            "/account/operator/accounts/ada/erase",
            &[("csrf", &csrf), ("name", "ada")],
        )
        .await;
    assert_eq!(own.status, StatusCode::CONFLICT, "{}", own.text);
    assert_eq!(visit.get("/account").await.status, StatusCode::OK);
}
