//! Access, headers, cookies, forms and the escaping of texts.

use axum::{
    body::Body,
    http::{Request, StatusCode, header},
};

use crate::visit::Visit;

const HOSTILE: &str = "\"><script>alert(1)</script>";

#[tokio::test]
async fn over_https_the_session_cookie_is_bound_to_the_host_and_on_loopback_it_is_plain() {
    let session = Visit::new("https://atelier.example")
        .join()
        .await
        .set_cookie("__Host-atelier-session");
    assert!(session.contains("; Secure"), "{session}");
    for part in ["; Path=/", "; HttpOnly", "; SameSite=Lax"] {
        assert!(session.contains(part), "{session}");
    }
    let session = Visit::new("http://127.0.0.1:8080")
        .join()
        .await
        .set_cookie("atelier-session");
    assert!(
        session.contains("; HttpOnly; SameSite=Lax") && !session.contains("Secure"),
        "{session}"
    );
}

#[tokio::test]
async fn over_plain_http_to_another_machine_nobody_can_sign_in() {
    let mut visit = Visit::new("http://atelier.example");
    let answer = visit.get("/account/sign-in").await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    assert!(answer.text.contains("HTTPS required"));
    assert!(visit.cookies.is_empty());
}

#[tokio::test]
async fn without_a_session_pages_lead_to_sign_in_and_back() {
    let mut visit = Visit::new("https://atelier.example");
    let answer = visit.get("/account/gallery?type=image").await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert_eq!(
        answer.header(header::LOCATION),
        "/account/sign-in?next=%2Faccount%2Fgallery%3Ftype%3Dimage"
    );
    assert_eq!(visit.get("/").await.header(header::LOCATION), "/account");
}

#[tokio::test]
async fn forms_without_the_token_or_from_another_origin_change_nothing() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let csrf = visit.get("/account/apps").await.csrf();
    let keys = "/account/apps/keys";
    assert_eq!(
        visit.post(keys, &[("name", "a")]).await.status,
        StatusCode::FORBIDDEN
    );
    assert_eq!(
        visit.post(keys, &[("csrf", "wrong"), ("name", "b")]).await.status,
        StatusCode::FORBIDDEN
    );
    for origin in ["https://evil.example", "null", "http://atelier.example"] {
        let answer = visit
            .post_from(origin, keys, &[("csrf", &csrf), ("name", "c")])
            .await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{origin}");
    }
    assert!(visit.get("/account/apps").await.text.contains("No keys yet"));
    let answer = visit.submit(keys, &[("csrf", &csrf), ("name", "d")]).await;
    assert!(answer.text.contains("atl_"));
}

#[tokio::test]
async fn a_token_of_another_session_is_rejected() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let first = visit.get("/account/apps").await.csrf();
    visit.cookies.clear();
    let csrf = visit.get("/account/sign-in").await.csrf();
    let fields = [
        ("csrf", csrf.as_str()),
        ("login", "ada"),
        ("password", "a quiet long password"),
    ];
    assert_eq!(
        visit.post("/account/sign-in", &fields).await.status,
        StatusCode::SEE_OTHER
    );
    let answer = visit
        .post("/account/apps/keys", &[("csrf", &first), ("name", "x")])
        .await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_key_is_shown_once() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let csrf = visit.get("/account/apps").await.csrf();
    let answer = visit
        .submit("/account/apps/keys", &[("csrf", &csrf), ("name", "shop")])
        .await;
    let key = answer
        .text
        .split("id=\"new-key\">")
        .nth(1)
        .unwrap()
        .split('<')
        .next()
        .unwrap();
    assert_eq!(key.len(), 47);
    assert_eq!(answer.header(header::CACHE_CONTROL), "no-store");
    assert!(!visit.get("/account/apps").await.text.contains(key));
}

#[tokio::test]
async fn names_and_prompts_are_shown_as_text() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let csrf = visit.get("/account/apps").await.csrf();
    let answer = visit
        .submit("/account/apps/keys", &[("csrf", &csrf), ("name", HOSTILE)])
        .await;
    assert!(answer.text.contains("alert(1)") && !answer.text.contains("<script>alert"));
    let fields = [("csrf", csrf.as_str()), ("p.prompt", HOSTILE)];
    let quote = visit.post("/account/playground/image-gen-4/quote", &fields).await;
    assert!(
        quote.text.contains("alert(1)") && !quote.text.contains("<script>alert"),
        "{}",
        quote.text
    );
    let search = visit
        .get("/account/playground?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E")
        .await;
    assert!(search.text.contains("alert(1)") && !search.text.contains("<script>alert"));
}

#[tokio::test]
async fn problems_are_shown_beside_their_fields() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let csrf = visit.get("/account/apps").await.csrf();
    let fields = [
        ("csrf", csrf.as_str()),
        ("p.custom_mode", "true"),
        ("p.prompt", "rain"),
    ];
    let answer = visit.post("/account/playground/music-gen", &fields).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    let beside = answer.text.split("id=\"field-style-problem\"").nth(1).unwrap();
    let beside = beside.split("</p>").next().unwrap();
    assert!(beside.contains("is required when"), "{beside}");
}

#[tokio::test]
async fn pages_allow_no_scripts_but_their_own() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    for path in [
        "/account",
        "/account/playground/image-gen-4",
        "/account/settings",
        "/account/operator/models",
        "/account/operator/programs",
        "/docs",
        "/docs/webhooks",
    ] {
        let answer = visit.get(path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        let policy = answer.header(header::CONTENT_SECURITY_POLICY);
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"),
            "{policy}"
        );
        assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
        for inline in ["<script>", " style=", " onclick=", "javascript:"] {
            assert!(!answer.text.contains(inline), "{path} has {inline}");
        }
        assert!(
            answer.text.len() < 60_000,
            "{path} has {} bytes",
            answer.text.len()
        );
    }
}

#[tokio::test]
async fn assets_may_be_kept_for_ever_and_are_small() {
    let mut visit = Visit::new("https://atelier.example");
    let page = visit.get("/docs").await.text;
    let path = page
        .split('"')
        .find(|part| part.ends_with("/app.css"))
        .unwrap()
        .to_owned();
    let answer = visit.send(Request::get(&path), Body::empty()).await;
    assert_eq!(answer.header(header::CONTENT_TYPE), "text/css; charset=utf-8");
    assert!(answer.header(header::CACHE_CONTROL).contains("immutable"));
    assert_eq!(
        visit.get("/account/assets/x/nothing.css").await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn members_cannot_see_the_operators_pages() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let csrf = visit.get("/account/settings").await.csrf();
    let invited = visit
        .submit("/account/settings/invite", &[("csrf", &csrf)])
        .await
        .text;
    let link = invited
        .split("id=\"invitation\">")
        .nth(1)
        .unwrap()
        .split('<')
        .next()
        .unwrap()
        .to_owned();
    let path = link.strip_prefix("https://atelier.example").unwrap();
    visit.cookies.clear();
    let csrf = visit.get(path).await.csrf();
    let password = "another long password";
    let fields = [
        ("csrf", csrf.as_str()),
        ("login", "bob"),
        ("password", password),
        ("again", password),
    ];
    assert_eq!(visit.post(path, &fields).await.status, StatusCode::SEE_OTHER);
    for path in [
        "/account/operator",
        "/account/operator/accounts",
        "/account/operator/audit",
        "/account/operator/usage",
        "/account/operator/models",
        "/account/operator/models/u2netp/state",
        "/account/operator/programs",
        "/account/operator/programs/state",
        "/account/operator/report.csv",
    ] {
        assert_eq!(visit.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    let csrf = visit.get("/account/apps").await.csrf();
    let answer = visit
        .post("/account/operator/api", &[("csrf", &csrf), ("enabled", "false")])
        .await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    for path in [
        "/account/operator/models/u2netp/pull",
        "/account/operator/programs/one/load",
    ] {
        let answer = visit.post(path, &[("csrf", &csrf)]).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn operators_filter_the_audit_log_and_see_usage_by_day_account_and_model() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let csrf = visit.get("/account/apps").await.csrf();
    visit
        .submit("/account/apps/keys", &[("csrf", &csrf), ("name", "d")])
        .await;
    let mut shown = async |query: &str| {
        let page = visit.get(&format!("/account/operator/audit?{query}")).await.text;
        ["key.create", "user.join"].map(|action| page.contains(&format!("<code>{action}</code>")))
    };
    assert_eq!(shown("").await, [true, true]);
    assert_eq!(shown("kind=key").await, [true, false]);
    assert_eq!(shown("kind=user&account=ada").await, [false, true]);
    assert_eq!(shown("account=nobody").await, [false, false]);
    let page = visit.get("/account/operator/usage?days=7").await.text;
    assert_eq!(page.matches("role=\"img\"").count(), 3, "{page}");
    assert!(page.contains("Nothing ended in this period."), "{page}");
    let page = visit.get("/account/operator/usage?account=ada").await;
    assert!(page.text.contains("Usage of ada"), "{}", page.text);
    let unknown = visit.get("/account/operator/usage?account=nobody").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    let page = visit.get("/account/operator/audit").await.text;
    assert!(page.contains("<time datetime=\""), "{page}");
}

#[tokio::test]
async fn an_upload_without_room_is_unavailable_and_nothing_is_wrong_with_the_file() {
    const ORIGIN: &str = "http://127.0.0.1:8080";
    let mut visit = Visit::new(ORIGIN);
    visit.join().await;
    let csrf = visit.get("/account/settings").await.csrf();
    let upload = || {
        Request::post("/account/uploads")
            .header(header::ORIGIN, ORIGIN)
            .header("x-csrf-token", &csrf)
    };
    let picture = [&b"GIF89a\x20\0\x10\0"[..], &[7; 1_000]].concat();
    let stored = visit.send(upload(), Body::from(picture.clone())).await;
    assert_eq!(stored.status, StatusCode::CREATED, "{}", stored.text);
    visit.fill().await;
    let refused = visit.send(upload(), Body::from(picture)).await;
    assert_eq!(
        refused.status,
        StatusCode::SERVICE_UNAVAILABLE,
        "{}",
        refused.text
    );
    assert!(refused.text.contains("no disk space left"), "{}", refused.text);
}

#[tokio::test]
async fn operators_download_the_report_of_a_month() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let page = visit.get("/account/operator").await.text;
    assert!(page.contains("action=\"/account/operator/report.csv\""), "{page}");
    let answer = visit.get("/account/operator/report.csv?month=2026-11").await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    assert_eq!(answer.header(header::CONTENT_TYPE), "text/csv; charset=utf-8");
    let disposition = "attachment; filename=\"report-2026-11.csv\"";
    assert_eq!(answer.header(header::CONTENT_DISPOSITION), disposition);
    assert_eq!(answer.text, "part,subject,by,what,signature,count\r\n");
    let answer = visit.get("/account/operator/report.csv?month=November").await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert!(
        answer
            .text
            .contains("must be a year and a month, such as 2026-11"),
        "{}",
        answer.text
    );
}
