//! Access tokens of the OpenID provider at `/mcp`: who their callers are, and which tokens are refused.

use std::time::Duration;

use atelier_testkit::{
    Answer,
    oidc::{CLIENT, OidcProvider, Wrong},
};
use serde_json::{Value, json};

use crate::{
    oidc::{Browser, world},
    setup::{World, echo, until},
};

const PATH: &str = "//mcp";
const METADATA: &str = "//.well-known/oauth-protected-resource";

fn call(tool: &str, arguments: &Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })
}

fn generate() -> Value {
    call("generate", &json!({ "model": "image-gen-4", "prompt": "a fox" }))
}

fn resource(world: &World) -> String {
    format!("{}/mcp", world.server.origin())
}

async fn with(world: &World, token: &str, body: &Value) -> Answer {
    let headers = [("accept", "application/json")];
    world.server.http(token).post_with(PATH, body, &headers).await
}

#[tokio::test]
async fn a_program_finds_the_provider_and_calls_with_its_token() {
    let provider = OidcProvider::start().await;
    let groups = "create = true\ngroups = { media = \"account-0:developer\", guests = \"account-0:viewer\" }\n\
                  mcp_scopes = [\"openid\", \"mcp\"]";
    let (_secret, world) = world(&provider, groups);
    let account = world.account(100);
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let challenge = world.anonymous().post(PATH, &ping).await;
    let place = format!(
        "{}/.well-known/oauth-protected-resource/mcp",
        world.server.origin()
    );
    assert_eq!(challenge.status, 401);
    assert_eq!(
        challenge.header("www-authenticate"),
        Some(format!("Bearer resource_metadata=\"{place}\"").as_str())
    );
    for path in [METADATA.to_owned(), format!("{METADATA}/mcp")] {
        let metadata = world.anonymous().get(&path).await;
        assert_eq!(metadata.header("access-control-allow-origin"), Some("*"));
        let expected = json!({
            "resource": resource(&world),
            "resource_name": "atelier",
            "authorization_servers": [provider.issuer()],
            "scopes_supported": ["openid", "mcp"],
            "bearer_methods_supported": ["header"],
        });
        assert_eq!(metadata.json(), expected);
    }

    // Nobody has this identity yet.
    provider.person(json!({ "sub": "1", "email": "grace@example.com", "groups": ["media"] }));
    let token = provider.access_token(&resource(&world));
    let stranger = with(&world, &token, &generate()).await;
    assert_eq!(
        (stranger.status.as_u16(), stranger.code().as_str()),
        (403, "api_disabled")
    );
    assert!(
        stranger.message().contains("sign in once"),
        "{}",
        stranger.message()
    );

    assert_eq!(Browser::new(&world).sign_in().await.status, 303);
    let made = with(&world, &token, &generate()).await;
    let job = made.json()["result"]["structuredContent"].clone();
    assert_eq!(job["status"], "completed", "{}", made.json());
    assert_eq!(account.credits().await, 94, "the account of the user pays");
    until("the request is logged without a key", async || {
        let log = account.http.get("/requests?limit=50").await.json();
        let entries = log["data"].as_array().unwrap();
        entries.iter().any(|entry| {
            entry["path"] == "/mcp" && entry["generation"] == job["id"] && entry["key"] == Value::Null
        })
    })
    .await;

    // A token opens nothing else.
    let elsewhere = world.server.http(&token).get("/balance").await;
    assert_eq!(
        (elsewhere.status.as_u16(), elsewhere.code().as_str()),
        (401, "invalid_api_key")
    );
    assert_eq!(elsewhere.header("www-authenticate"), Some("Bearer"));
    // Keys work as they do without a provider.
    assert_eq!(account.http.post(PATH, &ping).await.status, 200);

    // The role in the account decides, as the last sign-in has left it.
    provider.person(json!({ "sub": "1", "groups": ["guests"] }));
    assert_eq!(Browser::new(&world).sign_in().await.status, 303);
    let refused = with(&world, &token, &generate()).await.json();
    assert_eq!(refused["result"]["isError"], true, "{refused}");
    let error = &refused["result"]["structuredContent"]["error"];
    assert_eq!(error["code"], "api_disabled");
    assert_eq!(
        error["message"],
        "your role in this account is viewer, and this requires owner or developer"
    );
    let balance = with(&world, &token, &call("balance", &json!({}))).await.json();
    assert_eq!(balance["result"]["structuredContent"]["credits"], 94, "{balance}");

    world
        .server
        .json(&["user", "update", "grace@example.com", "--disable"]);
    let disabled = with(&world, &token, &generate()).await;
    assert_eq!(
        (disabled.status.as_u16(), disabled.code().as_str()),
        (403, "api_disabled")
    );
    assert_eq!(disabled.message(), "the user of this access token is disabled");
}

#[tokio::test]
async fn a_token_that_is_not_for_this_service_is_refused() {
    let provider = OidcProvider::start().await;
    let (_secret, world) = world(&provider, "create = true\naccount = \"account-0:developer\"");
    world.account(100);
    provider.person(json!({ "sub": "1", "email": "grace@example.com" }));
    assert_eq!(Browser::new(&world).sign_in().await.status, 303);
    let balance = call("balance", &json!({}));
    let resource = resource(&world);
    for (wrong, why) in [
        (Wrong::Audience, "for another resource"),
        (Wrong::Issuer, "from another issuer"),
        (Wrong::Expired, "has expired"),
        (Wrong::NotYet, "not valid yet"),
        (Wrong::Unsigned, "signed with `none`"),
        (Wrong::Key, "with a key that the provider does not publish"),
        (Wrong::Signature, "the signature of the token is wrong"),
    ] {
        provider.sign_wrong(wrong);
        let refused = with(&world, &provider.access_token(&resource), &balance).await;
        assert_eq!(
            (refused.status.as_u16(), refused.code().as_str()),
            (401, "invalid_token"),
            "{wrong:?}"
        );
        assert!(
            refused.message().contains(why),
            "{wrong:?}: {}",
            refused.message()
        );
        let challenge = refused.header("www-authenticate").unwrap();
        assert!(challenge.contains("resource_metadata=\"http"), "{challenge}");
        assert!(challenge.contains("error=\"invalid_token\""), "{challenge}");
        assert!(challenge.contains(why), "{challenge}");
    }
    provider.sign_wrong(Wrong::Nothing);
    for audience in [CLIENT, "", &world.server.origin(), &format!("{resource}/")] {
        let refused = with(&world, &provider.access_token(audience), &balance).await;
        assert_eq!(refused.status, 401, "{audience}");
    }
    let right = provider.access_token(&resource);
    assert_eq!(with(&world, &right, &balance).await.status, 200);

    // New keys of the provider are asked for, though not all the time.
    provider.rotate_key();
    let rotated = provider.access_token(&resource);
    tokio::time::sleep(Duration::from_millis(10_200)).await;
    assert_eq!(with(&world, &rotated, &balance).await.status, 200);
    let old = with(&world, &right, &balance).await;
    assert!(old.message().contains("does not publish"), "{}", old.message());
}

#[tokio::test]
async fn the_audience_can_be_configured() {
    let provider = OidcProvider::start().await;
    let more = "create = true\naccount = \"account-0:viewer\"\nmcp_audience = \"atelier-mcp\"";
    let (_secret, world) = world(&provider, more);
    world.account(100);
    provider.person(json!({ "sub": "1", "email": "grace@example.com" }));
    assert_eq!(Browser::new(&world).sign_in().await.status, 303);
    let balance = call("balance", &json!({}));
    let status = async |audience: &str| {
        let token = provider.access_token(audience);
        with(&world, &token, &balance).await.status.as_u16()
    };
    assert_eq!(status("atelier-mcp").await, 200);
    assert_eq!(status(&resource(&world)).await, 401);
}

#[tokio::test]
async fn without_a_provider_there_is_no_metadata() {
    let world = echo();
    for path in [METADATA.to_owned(), format!("{METADATA}/mcp")] {
        assert_eq!(world.anonymous().get(&path).await.status, 404);
    }
    let token = "eyJhbGciOiJub25lIn0.e30.";
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let refused = world.server.http(token).post(PATH, &ping).await;
    assert_eq!(
        (refused.status.as_u16(), refused.code().as_str()),
        (401, "invalid_api_key")
    );
    assert_eq!(refused.header("www-authenticate"), Some("Bearer"));
}
