//! Invitations and password resets.

use axum::http::{StatusCode, header};

use crate::visit::{Answer, Visit, element};

/// The targets of the forms that revoke invitations.
fn revocations(page: &str) -> Vec<String> {
    let actions = page.split("action=\"").skip(1);
    let actions = actions.map(|rest| rest.split('"').next().unwrap().to_owned());
    actions
        .filter(|path| path.ends_with("/revoke") && path.contains("/invitations/"))
        .collect()
}

/// Signs in as somebody else.
async fn sign_in_as(visit: &mut Visit, login: &str, password: &str) -> Answer {
    visit.cookies.clear();
    let csrf = visit.get("/account/sign-in").await.csrf();
    let fields = [("csrf", csrf.as_str()), ("login", login), ("password", password)];
    visit.post("/account/sign-in", &fields).await
}

/// Has the signed-in user invite somebody with this role, who joins as `login`.
async fn bring_in(visit: &mut Visit, login: &str, password: &str, role: &str) {
    let csrf = visit.get("/account/settings").await.csrf();
    let invite = [("csrf", csrf.as_str()), ("role", role)];
    let invited = visit.submit("/account/settings/invite", &invite).await;
    let link = element(&invited.text, "invitation").to_owned();
    let path = link.strip_prefix("https://atelier.example").unwrap();
    visit.cookies.clear();
    let csrf = visit.get(path).await.csrf();
    let fields = [
        ("csrf", csrf.as_str()),
        ("login", login),
        ("password", password),
        ("again", password),
    ];
    assert_eq!(visit.post(path, &fields).await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn open_invitations_are_listed_and_a_revoked_link_does_not_work() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let csrf = visit.get("/account/settings").await.csrf();
    let invited = visit.submit("/account/settings/invite", &[("csrf", &csrf)]).await;
    let link = element(&invited.text, "invitation").to_owned();
    let path = link.strip_prefix("https://atelier.example").unwrap();
    let page = visit.get("/account/settings").await;
    assert!(page.text.contains("Open invitations"));
    assert!(page.text.contains("<th scope=\"row\">ada</th>"), "{}", page.text);
    let revocations = revocations(&page.text);
    assert_eq!(revocations.len(), 1);
    let answer = visit.post(&revocations[0], &[("csrf", &csrf)]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert!(
        !visit
            .get("/account/settings")
            .await
            .text
            .contains("Open invitations")
    );
    visit.cookies.clear();
    assert_eq!(visit.get(path).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn owners_and_operators_revoke_every_invitation_and_others_see_none() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    bring_in(&mut visit, "bob", "another long password", "owner").await;
    let csrf = visit.get("/account/settings").await.csrf();
    let invite = [("csrf", csrf.as_str()), ("role", "viewer")];
    visit.post("/account/settings/invite", &invite).await;

    sign_in_as(&mut visit, "ada", "a quiet long password").await;
    let csrf = visit.get("/account/settings").await.csrf();
    let invite = [("csrf", csrf.as_str()), ("role", "billing")];
    visit.post("/account/settings/invite", &invite).await;
    bring_in(&mut visit, "dora", "a third long password", "developer").await;
    let page = visit.get("/account/settings").await;
    assert_eq!(revocations(&page.text), Vec::<String>::new());
    assert!(!page.text.contains("/account/settings/invite"), "{}", page.text);
    let refused = visit
        .post(
            "/account/settings/invite",
            &[("csrf", &page.csrf()), ("role", "owner")],
        )
        .await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert!(
        refused
            .text
            .contains("Your role in this account is developer, and this requires owner."),
        "{}",
        refused.text
    );

    sign_in_as(&mut visit, "bob", "another long password").await;
    let page = visit.get("/account/settings").await;
    let both = revocations(&page.text);
    assert_eq!(both.len(), 2);
    assert!(page.text.contains("<td>billing</td>") && page.text.contains("<td>viewer</td>"));
    let answer = visit.post(&both[0], &[("csrf", &page.csrf())]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);

    sign_in_as(&mut visit, "ada", "a quiet long password").await;
    let account = "/account/operator/accounts/ada";
    for left in [1, 0] {
        let page = visit.get(account).await;
        let revocations = revocations(&page.text);
        assert_eq!(revocations.len(), left);
        for path in revocations.iter().take(1) {
            let answer = visit.post(path, &[("csrf", &page.csrf())]).await;
            assert_eq!(answer.status, StatusCode::SEE_OTHER);
            assert_eq!(answer.header(header::LOCATION), account);
        }
    }
}

#[tokio::test]
async fn pages_show_what_the_role_allows() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    bring_in(&mut visit, "bill", "another long password", "billing").await;
    let home = visit.get("/account").await;
    assert_eq!(home.header(header::LOCATION), "/account/usage");
    let usage = visit.get("/account/usage").await;
    assert_eq!(usage.status, StatusCode::OK);
    assert!(!usage.text.contains("/account/gallery\"") && !usage.text.contains("/account/apps\""));
    for path in [
        "/account/gallery",
        "/account/apps",
        "/account/webhooks",
        "/account/uploads",
    ] {
        assert_eq!(visit.get(path).await.status, StatusCode::FORBIDDEN, "{path}");
    }
    sign_in_as(&mut visit, "ada", "a quiet long password").await;
    bring_in(&mut visit, "vera", "a third long password", "viewer").await;
    for path in [
        "/account",
        "/account/gallery",
        "/account/apps",
        "/account/webhooks",
        "/account/uploads",
    ] {
        let page = visit.get(path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        for form in [
            "/account/apps/keys\"",
            "/account/webhooks/test",
            "/account/apps/secret",
            "/account/playground\"",
        ] {
            assert!(!page.text.contains(form), "{path} offers {form}");
        }
    }
    let csrf = visit.get("/account/gallery").await.csrf();
    let path = "/account/gallery/00000000-0000-0000-0000-000000000001/favourite";
    let refused = visit.post(path, &[("csrf", &csrf), ("favourite", "on")]).await;
    assert_eq!(
        refused.status,
        StatusCode::FORBIDDEN,
        "viewers mark no favourites"
    );
}

#[tokio::test]
async fn an_owner_changes_roles_and_one_login_switches_between_accounts() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    bring_in(&mut visit, "bob", "another long password", "viewer").await;
    sign_in_as(&mut visit, "ada", "a quiet long password").await;
    let csrf = visit.get("/account/operator/accounts").await.csrf();
    let house = [
        ("csrf", csrf.as_str()),
        ("name", "house"),
        ("credits", "5"),
        ("plan", "x"),
        ("beta", "true"),
    ];
    visit.post("/account/operator/accounts", &house).await;
    let invite = [("csrf", csrf.as_str()), ("role", "developer")];
    let invited = visit
        .submit("/account/operator/accounts/house/invite", &invite)
        .await;
    let path = element(&invited.text, "invitation").to_owned();
    let path = path.strip_prefix("https://atelier.example").unwrap();
    let changed = [("csrf", csrf.as_str()), ("role", "billing")];
    let answer = visit.post("/account/settings/members/bob", &changed).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);

    sign_in_as(&mut visit, "bob", "another long password").await;
    let page = visit.get("/account/settings").await;
    assert!(
        page.text.contains("billing in the account <strong>ada</strong>"),
        "{}",
        page.text
    );
    assert!(!page.text.contains("/account/switch"));
    let page = visit.get(path).await;
    assert!(page.text.contains("Join as bob"), "{}", page.text);
    let answer = visit
        .post(&format!("{path}/accept"), &[("csrf", &page.csrf())])
        .await;
    assert_eq!(answer.header(header::LOCATION), "/account");
    let page = visit.get("/account").await;
    assert!(page.text.contains("house · "), "the new account is shown");
    let page = visit.get("/account/switch").await;
    let ids: Vec<_> = page.text.split("name=\"account\" value=\"").skip(1).collect();
    assert_eq!(ids.len(), 1, "one other account: {}", page.text);
    let id = ids[0].split('"').next().unwrap();
    let fields = [("csrf", page.csrf()), ("account", id.to_owned())];
    let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
    visit.post("/account/switch", &fields).await;
    let page = visit.get("/account/usage").await;
    assert!(page.text.contains("ada · "), "{}", page.text);
}

#[tokio::test]
async fn an_existing_login_joins_by_its_password_without_a_session() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    bring_in(&mut visit, "bob", "another long password", "owner").await;
    sign_in_as(&mut visit, "ada", "a quiet long password").await;
    let csrf = visit.get("/account/operator/accounts").await.csrf();
    let house = [
        ("csrf", csrf.as_str()),
        ("name", "house"),
        ("credits", "5"),
        ("plan", "x"),
        ("beta", "true"),
    ];
    visit.post("/account/operator/accounts", &house).await;
    let invite = [("csrf", csrf.as_str()), ("role", "viewer")];
    let invited = visit
        .submit("/account/operator/accounts/house/invite", &invite)
        .await;
    let path = element(&invited.text, "invitation").to_owned();
    let path = path.strip_prefix("https://atelier.example").unwrap();
    visit.cookies.clear();
    let csrf = visit.get(path).await.csrf();
    for (password, status) in [
        ("a wrong password", StatusCode::BAD_REQUEST),
        ("another long password", StatusCode::SEE_OTHER),
    ] {
        let fields = [
            ("csrf", csrf.as_str()),
            ("known_login", "bob"),
            ("known_password", password),
        ];
        let answer = visit.post(&format!("{path}/login"), &fields).await;
        assert_eq!(answer.status, status, "{}", answer.text);
    }
    assert!(visit.get("/account").await.text.contains("house · "));
}

#[tokio::test]
async fn a_reset_link_lets_a_user_choose_a_new_password_once() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    bring_in(&mut visit, "bob", "another long password", "owner").await;
    sign_in_as(&mut visit, "ada", "a quiet long password").await;
    let page = visit.get("/account/operator/accounts").await;
    let account = page
        .text
        .split("href=\"/account/operator/accounts/")
        .nth(1)
        .unwrap();
    let account = account.split('"').next().unwrap();
    let fields = [("csrf", page.csrf()), ("account", account.to_owned())];
    let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
    let answer = visit.submit("/account/operator/users/bob/reset", &fields).await;
    let link = element(&answer.text, "reset-link").to_owned();
    let path = link.strip_prefix("https://atelier.example").unwrap();

    visit.cookies.clear();
    let page = visit.get(path).await;
    assert!(
        page.text.contains("For the login <strong>bob</strong>"),
        "{}",
        page.text
    );
    let csrf = page.csrf();
    for (password, again, problem) in [
        ("a third long password", "a fourth long password", "again-problem"),
        ("short", "short", "password-problem"),
    ] {
        let fields = [("csrf", csrf.as_str()), ("password", password), ("again", again)];
        let answer = visit.post(path, &fields).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST);
        let beside = answer
            .text
            .split(&format!("id=\"{problem}\" role=\"alert\">"))
            .nth(1);
        assert!(!beside.unwrap().starts_with('<'), "{}", answer.text);
    }
    let password = "a third long password";
    let fields = [
        ("csrf", csrf.as_str()),
        ("password", password),
        ("again", password),
    ];
    let answer = visit.post(path, &fields).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    assert!(
        visit
            .get("/account/settings")
            .await
            .text
            .contains("Signed in as <strong>bob</strong>")
    );
    assert_eq!(
        visit.get(path).await.status,
        StatusCode::NOT_FOUND,
        "it works once"
    );
    let old = sign_in_as(&mut visit, "bob", "another long password").await;
    assert_eq!(old.status, StatusCode::BAD_REQUEST);
    assert_eq!(
        sign_in_as(&mut visit, "bob", password).await.status,
        StatusCode::SEE_OTHER
    );
}

#[tokio::test]
async fn members_cannot_create_reset_links() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    bring_in(&mut visit, "bob", "another long password", "owner").await;
    let csrf = visit.get("/account/settings").await.csrf();
    let answer = visit
        .post("/account/operator/users/ada/reset", &[("csrf", &csrf)])
        .await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn after_too_many_wrong_passwords_the_page_says_when_to_try_again() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    for _ in 0..50 {
        let answer = sign_in_as(&mut visit, "ada", "a wrong password").await;
        if answer.status == StatusCode::BAD_REQUEST {
            continue;
        }
        assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
        let seconds = answer.headers[header::RETRY_AFTER].to_str().unwrap();
        let said = format!("Too many failed attempts. Wait {seconds} s, then try again.");
        assert!(answer.text.contains(&said), "{}", answer.text);
        return;
    }
    panic!("50 wrong passwords were not too many");
}
