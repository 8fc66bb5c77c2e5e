//! Signing in at an OpenID provider, with the real program and a provider that signs real tokens.

use atelier_testkit::{
    Answer, Http,
    oidc::{CLIENT, OidcProvider, SECRET, Wrong},
};
use reqwest::Method;
use serde_json::json;

use crate::setup::{ECHO, World};

/// A browser: a client that keeps cookies and follows no redirects.
pub(crate) struct Browser {
    http: Http,
    cookies: Vec<(String, String)>,
}

impl Browser {
    pub(crate) fn new(world: &World) -> Self {
        Self {
            http: world.anonymous(),
            cookies: Vec::new(),
        }
    }

    pub(crate) async fn get(&mut self, path: &str) -> Answer {
        let request = self.http.request(Method::GET, &format!("/{path}"));
        self.send(request).await
    }

    /// Sends the form of a page, with these fields.
    pub(crate) async fn submit(&mut self, page: &Answer, path: &str, fields: &[(&str, &str)]) -> Answer {
        let page = text(page);
        let csrf = page.split("name=\"csrf\" value=\"").nth(1).unwrap();
        let fields = [("csrf", csrf.split('"').next().unwrap())]
            .into_iter()
            .chain(fields.iter().copied());
        let form = reqwest::Url::parse_with_params("http://form", fields).unwrap();
        let request = self
            .http
            .request(Method::POST, &format!("/{path}"))
            .header("content-type", "application/x-www-form-urlencoded")
            .header("origin", self.http.origin())
            .body(form.query().unwrap().to_owned());
        self.send(request).await
    }

    async fn send(&mut self, request: reqwest::RequestBuilder) -> Answer {
        let cookies: Vec<_> = self
            .cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let answer = self.http.send(request.header("cookie", cookies.join("; "))).await;
        for cookie in answer.headers.get_all("set-cookie") {
            let (name, rest) = cookie.to_str().unwrap().split_once('=').unwrap();
            self.cookies.retain(|(known, _)| known != name);
            let value = rest.split(';').next().unwrap();
            if !value.is_empty() {
                self.cookies.push((name.to_owned(), value.to_owned()));
            }
        }
        answer
    }

    /// Goes to the provider and back. Returns the path of the return, which is not followed yet.
    async fn visit_provider(&mut self, begin: &str) -> String {
        let departure = self.get(begin).await;
        assert_eq!(departure.status, 303, "{}", text(&departure));
        let at_provider = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .unwrap()
            .get(departure.header("location").unwrap())
            .send()
            .await
            .unwrap();
        let back = at_provider.headers()["location"].to_str().unwrap().to_owned();
        back.strip_prefix(self.http.origin()).unwrap().to_owned()
    }

    pub(crate) async fn sign_in(&mut self) -> Answer {
        let back = self
            .visit_provider("/account/sign-in/oidc?next=/account/usage")
            .await;
        self.get(&back).await
    }
}

pub(crate) fn text(answer: &Answer) -> String {
    String::from_utf8_lossy(&answer.bytes).into_owned()
}

/// A service whose people sign in at this provider, and the folder of its secret, which must outlive it.
pub(crate) fn world(provider: &OidcProvider, more: &str) -> (tempfile::TempDir, World) {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret");
    std::fs::write(&secret, format!("{SECRET}\n")).unwrap();
    let config = format!(
        "{ECHO}\n[sign_in.oidc]\nissuer = \"{}\"\nname = \"Example\"\nclient_id = \"{CLIENT}\"\n\
         client_secret_file = {:?}\n{more}\n",
        provider.issuer(),
        secret.to_str().unwrap()
    );
    (folder, World::start(&config))
}

#[tokio::test]
async fn people_sign_in_at_the_provider_and_have_the_roles_of_their_groups() {
    let provider = OidcProvider::start().await;
    let groups = "create = true\ngroups = { media = \"account-0:developer\", money = \"account-0:billing\" }";
    let (_secret, world) = world(&provider, groups);
    let account = world.account(10);
    provider.person(json!({ "sub": "1", "email": "Grace@Example.com", "groups": ["media", "others"] }));
    let mut browser = Browser::new(&world);
    assert!(text(&browser.get("/account/sign-in").await).contains("Sign in with Example"));
    let entered = browser.sign_in().await;
    assert_eq!(entered.status, 303, "{}", text(&entered));
    assert_eq!(entered.header("location"), Some("/account/usage"));
    let page = text(&browser.get("/account/usage").await);
    assert!(
        page.contains("grace@example.com") && page.contains("account-0 · "),
        "{page}"
    );
    let members = || world.server.json(&["account", "members", &account.name]);
    assert_eq!(members()[0]["account_role"], "developer");

    // The groups are asked for at each sign-in.
    provider.person(json!({ "sub": "1", "groups": "money" }));
    assert_eq!(Browser::new(&world).sign_in().await.status, 303);
    assert_eq!(members()[0]["account_role"], "billing");
    assert_eq!(members().as_array().unwrap().len(), 1, "the same user");

    provider.person(json!({ "sub": "2", "email": "mary@example.com", "groups": ["others"] }));
    let refused = Browser::new(&world).sign_in().await;
    assert_eq!(refused.status, 400);
    assert!(text(&refused).contains("none of your groups has an account here"));
    provider.person(json!({ "sub": "2", "email": "mary@example.com" }));
    let refused = text(&Browser::new(&world).sign_in().await);
    assert!(
        refused.contains("in the claim <code>groups</code>") && refused.contains("sign_in.oidc.scopes"),
        "{refused}"
    );
    provider.person(json!({ "sub": "3", "email": "grace@example.com", "groups": ["media"] }));
    let refused = Browser::new(&world).sign_in().await;
    assert!(text(&refused).contains("already exists"), "{}", text(&refused));

    // A user without a password cannot be signed in with one.
    let mut browser = Browser::new(&world);
    let form = text(&browser.get("/account/sign-in").await);
    let csrf = form
        .split("name=\"csrf\" value=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    for password in ["", "a long enough word"] {
        let fields = [
            ("csrf", csrf),
            ("login", "grace@example.com"),
            ("password", password),
        ];
        let form = reqwest::Url::parse_with_params("http://form", fields).unwrap();
        let request = browser
            .http
            .request(Method::POST, "//account/sign-in")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form.query().unwrap().to_owned());
        let (name, value) = &browser.cookies[0];
        let request = request
            .header("cookie", format!("{name}={value}"))
            .header("origin", browser.http.origin());
        let answer = browser.http.send(request).await;
        assert_eq!(answer.status, 400, "{}", text(&answer));
    }
}

#[tokio::test]
async fn a_token_that_is_not_for_this_sign_in_is_refused() {
    let provider = OidcProvider::start().await;
    let (_secret, world) = world(&provider, "create = true\naccount = \"account-0:viewer\"");
    world.account(10);
    provider.person(json!({ "sub": "1", "email": "grace@example.com" }));
    for (wrong, why) in [
        (Wrong::Nonce, "does not belong to this sign-in"),
        (Wrong::Audience, "is for another client"),
        (Wrong::Issuer, "is from another issuer"),
        (Wrong::Expired, "has expired"),
        (Wrong::Unsigned, "is signed with <code>none</code>"),
        (Wrong::Key, "with a key that the provider does not publish"),
        (Wrong::Signature, "the signature of the token is wrong"),
    ] {
        provider.sign_wrong(wrong);
        let mut browser = Browser::new(&world);
        let refused = browser.sign_in().await;
        let page = text(&refused);
        let message = page.replace("&#39;", "'");
        assert!(
            refused.status == 400 && message.contains(why),
            "{wrong:?}: {page}"
        );
        assert!(browser.cookies.is_empty(), "{wrong:?}: {:?}", browser.cookies);
    }
    assert_eq!(world.server.json(&["user", "list"]), json!([]));

    provider.sign_wrong(Wrong::Nothing);
    let mut browser = Browser::new(&world);
    let back = browser.visit_provider("/account/sign-in/oidc").await;
    let before = browser.cookies.clone();
    let foreign = Browser::new(&world).get(&back).await;
    assert_eq!(foreign.status, 403, "another browser has no part in it");
    let (path, _) = back.split_once("state=").unwrap();
    let mut other = Browser::new(&world);
    other.cookies.clone_from(&before);
    let forged = other.get(&format!("{path}state=forged")).await;
    assert!(text(&forged).contains("it began elsewhere"), "{}", text(&forged));
    assert_eq!(browser.get(&back).await.status, 303);
    browser.cookies = before;
    let replayed = browser.get(&back).await;
    assert!(
        text(&replayed).contains("was already used"),
        "{}",
        text(&replayed)
    );
    let mut browser = Browser::new(&world);
    let back = browser.visit_provider("/account/sign-in/oidc").await;
    let said_no = browser
        .get(&back.replace("code=", "error=access_denied&x="))
        .await;
    assert!(text(&said_no).contains("access_denied"), "{}", text(&said_no));
}
