//! The rights of each role in an account: every use case, by every role.

use std::{fmt::Write as _, pin::Pin, time::Duration};

use atelier_domain::{AccountRole, KeyChange, KeyLimits, Role, Scope};
use serde_json::json;

use super::{PASSWORD, World, browser, entered};
use crate::{
    App, Error, Result,
    generations::{create::CreateGeneration, list::ListGenerations, search::Sought},
    people::SignedIn,
    requests::ListRequests,
    webhooks::{deliveries::ListDeliveries, endpoints::EndpointUpdate},
};

/// An id that nothing has.
const NOTHING: &str = "01890000-0000-7000-8000-000000000000";

type Answer<'a> = Pin<Box<dyn Future<Output = Result<()>> + 'a>>;
type UseCase = (&'static str, for<'a> fn(&'a App, &'a SignedIn) -> Answer<'a>);

/// A use case whose value does not matter here.
macro_rules! cases {
    ($($name:literal: |$app:ident, $me:ident| $call:expr;)*) => {
        [$(($name, |$app, $me| Box::pin(async move { $call.map(drop) }))),*]
    };
}

fn fox() -> CreateGeneration {
    let body = json!({ "model": "image-gen-4", "prompt": "a fox" });
    let fields = body.as_object().unwrap().clone();
    CreateGeneration::new(fields, body.to_string().as_bytes(), None)
}

/// All use cases of an account that a session reaches.
fn use_cases() -> [UseCase; 56] {
    cases! {
        "list jobs": |app, me| app.list_generations(&me.caller, ListGenerations::default()).await;
        "read a job": |app, me| app.generation(&me.caller, NOTHING).await;
        "wait for a job": |app, me| app.wait_for_generation(&me.caller, NOTHING, Duration::ZERO).await;
        "read a job's details": |app, me| app.generation_detail(&me.caller, NOTHING).await;
        "search jobs": |app, me| app
            .search_generations(&me.caller, ListGenerations::default(), Sought::default()).await;
        "follow a job": |app, me| app.follow_generation(&me.caller, NOTHING, None).await;
        "see favourites": |app, me| app.favourites(&me.caller, &[]).await;
        "read the log of requests": |app, me| app.list_requests(&me.caller, ListRequests::default()).await;
        "list endpoints": |app, me| app.endpoints(&me.caller).await;
        "read an endpoint": |app, me| app.endpoint(&me.caller, NOTHING).await;
        "read the balance alert": |app, me| app.low_balance(&me.caller);
        "list uploads": |app, me| app.uploads(&me.caller, None, 10).await;
        "list deliveries": |app, me| app.list_deliveries(&me.caller, ListDeliveries::default()).await;
        "read a delivery": |app, me| app.delivery(&me.caller, NOTHING).await;
        "list keys": |app, me| app.keys(me).await;
        "read the record of changes": |app, me| app.own_changes(me, None, 10).await;
        "read the balance": |app, me| app.balance(&me.caller);
        "read the usage": |app, me| app.usage(&me.caller, 7).await;
        "read the ledger": |app, me| app.ledger(&me.caller, None, 10).await;
        "export the ledger": |app, me| app.ledger_csv(&me.caller);
        "read what keys spent": |app, me| app.key_spending(me).await;
        "take a token": |app, me| app.take_generation_token(&me.caller, Scope::Generate).await;
        "generate": |app, me| app.create_generation(&me.caller, fox()).await;
        "cancel a job": |app, me| app.cancel_generation(&me.caller, NOTHING).await;
        "delete a job": |app, me| app.delete_generation(&me.caller, NOTHING).await;
        "mark a favourite": |app, me| app.set_favourite(&me.caller, NOTHING, true).await;
        "list collections": |app, me| app.collections(&me.caller).await;
        "read a collection": |app, me| app.collection(&me.caller, NOTHING).await;
        "create a collection": |app, me| app.create_collection(&me.caller, "boats").await;
        "rename a collection": |app, me| app.rename_collection(&me.caller, NOTHING, "ships").await;
        "delete a collection": |app, me| app.delete_collection(&me.caller, NOTHING).await;
        "add to a collection": |app, me| app.collect(&me.caller, NOTHING, &[NOTHING.to_owned()]).await;
        "remove from a collection": |app, me| app.uncollect(&me.caller, NOTHING, &[NOTHING.to_owned()]).await;
        "begin an upload": |app, me| app.begin_upload(&me.caller).await;
        "delete an upload": |app, me| app.delete_upload(&me.caller, &format!("{:064}.png", 0)).await;
        "draw a mask": |app, me| app.mask_of_transparency(&me.caller, "http://localhost/media/x.png").await;
        "create a key": |app, me| app.create_key(me, "a key", KeyLimits::default()).await;
        "change a key": |app, me| app.update_key(me, NOTHING, KeyChange::default()).await;
        "rotate a key": |app, me| app.rotate_key(me, NOTHING, Duration::ZERO).await;
        "revoke a key": |app, me| app.revoke_key(me, NOTHING).await;
        "see the signing secret": |app, me| app.reveal_secret(me).await;
        "rotate the signing secret": |app, me| app.rotate_secret(me).await;
        "send a delivery again": |app, me| app.redeliver(&me.caller, NOTHING).await;
        "send failed deliveries again": |app, me| app.redeliver_failed(&me.caller).await;
        "test a webhook": |app, me| app.test_webhook(&me.caller, "http://localhost/").await;
        "create an endpoint": |app, me| app.create_endpoint(&me.caller, EndpointUpdate::default()).await;
        "change an endpoint": |app, me| app.update_endpoint(&me.caller, NOTHING, EndpointUpdate::default()).await;
        "rotate an endpoint's secret": |app, me| app.rotate_endpoint_secret(&me.caller, NOTHING).await;
        "test an endpoint": |app, me| app.test_endpoint(&me.caller, NOTHING).await;
        "delete an endpoint": |app, me| app.delete_endpoint(&me.caller, NOTHING).await;
        "set the balance alert": |app, me| app.set_low_balance(&me.caller, Some(5)).await;
        "sign links to files": |app, me| app.set_private_media(&me.caller, true).await;
        "list invitations": |app, me| app.invitations(me).await;
        "invite a member": |app, me| app.invite_member(me, AccountRole::Viewer).await;
        "revoke an invitation": |app, me| app.revoke_invitation(me, NOTHING).await;
        "change a member": |app, me| app.change_member(me, "nobody", Some(AccountRole::Owner)).await;
    }
}

const TABLE: &str = "\
list jobs                     owner developer viewer
read a job                    owner developer viewer
wait for a job                owner developer viewer
read a job's details          owner developer viewer
search jobs                   owner developer viewer
follow a job                  owner developer viewer
see favourites                owner developer viewer
read the log of requests      owner developer viewer
list endpoints                owner developer viewer
read an endpoint              owner developer viewer
read the balance alert        owner developer viewer
list uploads                  owner developer viewer
list deliveries               owner developer viewer
read a delivery               owner developer viewer
list keys                     owner developer viewer
read the record of changes    owner developer viewer
read the balance              owner developer viewer billing
read the usage                owner developer viewer billing
read the ledger               owner developer viewer billing
export the ledger             owner developer viewer billing
read what keys spent          owner developer viewer billing
take a token                  owner developer
generate                      owner developer
cancel a job                  owner developer
delete a job                  owner developer
mark a favourite              owner developer
list collections              owner developer viewer
read a collection             owner developer viewer
create a collection           owner developer
rename a collection           owner developer
delete a collection           owner developer
add to a collection           owner developer
remove from a collection      owner developer
begin an upload               owner developer
delete an upload              owner developer
draw a mask                   owner developer
create a key                  owner developer
change a key                  owner developer
rotate a key                  owner developer
revoke a key                  owner developer
see the signing secret        owner developer
rotate the signing secret     owner developer
send a delivery again         owner developer
send failed deliveries again  owner developer
test a webhook                owner developer
create an endpoint            owner developer
change an endpoint            owner developer
rotate an endpoint's secret   owner developer
test an endpoint              owner developer
delete an endpoint            owner developer
set the balance alert         owner developer
sign links to files           owner
list invitations              owner
invite a member               owner
revoke an invitation          owner
change a member               owner
";

/// A session of a new user with this role in the account.
async fn as_role(world: &World, account: &str, role: AccountRole) -> SignedIn {
    let link = world.link_as(account, Role::Member, role).await;
    let login = format!("{role}-of-{account}");
    let session = world.app.join(&link, &login, PASSWORD, &browser()).await;
    world.signed_in(&session.unwrap()).await.unwrap()
}

#[tokio::test]
async fn every_use_case_asks_for_the_role_of_the_user() {
    let world = World::new();
    world.account("house").await;
    let mut people = Vec::new();
    for role in AccountRole::ALL {
        people.push((role, as_role(&world, "house", role).await));
    }
    let mut table = String::new();
    for (name, case) in use_cases() {
        let mut allowed = Vec::new();
        for (role, me) in &people {
            match case(&world.app, me).await {
                Err(Error::Role { role: given, needed }) => {
                    assert!(given == *role && !needed.contains(role), "{name}: {needed:?}");
                }
                _ => allowed.push(role.as_str()),
            }
        }
        writeln!(table, "{name:<30}{}", allowed.join(" ")).unwrap();
    }
    assert_eq!(table, TABLE);
}

#[tokio::test]
async fn a_refusal_names_the_roles_that_may() {
    let world = World::new();
    world.account("house").await;
    let viewer = as_role(&world, "house", AccountRole::Viewer).await;
    let refused = world.app.create_key(&viewer, "a key", KeyLimits::default()).await;
    assert_eq!(
        refused.unwrap_err().to_string(),
        "your role in this account is viewer, and this requires owner or developer"
    );
}

#[tokio::test]
async fn a_person_has_a_role_in_each_account_and_loses_it_when_removed() {
    let world = World::new();
    world.account("house").await;
    let owner = as_role(&world, "house", AccountRole::Owner).await;
    let grace = world.member("grace").await;
    let invited = world
        .app
        .invite_member(&owner, AccountRole::Billing)
        .await
        .unwrap();
    world.app.join_account(&grace, &invited.token).await.unwrap();
    let session = world.session("grace", PASSWORD).await;
    let grace = world.signed_in(&session).await.unwrap();
    assert_eq!(
        (
            grace.account().name.as_str(),
            grace.role,
            grace.has_other_accounts
        ),
        ("grace's", AccountRole::Owner, true),
        "a new session shows the first account"
    );
    let accounts = world.app.accounts_of(&grace).await.unwrap();
    let names: Vec<_> = accounts.iter().map(|one| (one.name.as_str(), one.role)).collect();
    assert_eq!(
        names,
        [("grace's", AccountRole::Owner), ("house", AccountRole::Billing)]
    );
    let house = accounts[1].account.to_string();
    world.app.show_account(&grace, &house).await.unwrap();
    let grace = world.signed_in(&session).await.unwrap();
    assert_eq!(
        (grace.account().name.as_str(), grace.role),
        ("house", AccountRole::Billing)
    );
    let refused = world.app.keys(&grace).await;
    assert!(matches!(refused, Err(Error::Role { .. })), "{refused:?}");

    world.app.change_member(&owner, "grace", None).await.unwrap();
    let grace = world.signed_in(&session).await.unwrap();
    assert_eq!(grace.account().name, "grace's");
    let refused = world.app.show_account(&grace, &house).await;
    assert!(matches!(refused, Err(Error::NotFound(_))), "{refused:?}");
    let last = world.cli().change_member("grace's", "grace", None).await;
    assert!(
        matches!(last, Err(Error::Conflict(_))),
        "the last owner stays: {last:?}"
    );
}

#[tokio::test]
async fn who_has_a_login_joins_with_it_and_a_wrong_password_leaves_the_link_open() {
    let world = World::new();
    world.account("house").await;
    world.member("grace").await;
    let link = world.link_as("house", Role::Member, AccountRole::Viewer).await;
    let wrong = world
        .app
        .join_with_login(&link, "grace", "not my password", &browser())
        .await;
    assert!(matches!(wrong, Err(Error::InvalidRequest { .. })), "{wrong:?}");
    let session = world
        .app
        .join_with_login(&link, "grace", PASSWORD, &browser())
        .await
        .unwrap();
    let grace = world.signed_in(&entered(session)).await.unwrap();
    assert_eq!(
        (grace.account().name.as_str(), grace.role),
        ("house", AccountRole::Viewer)
    );
    let again = world.app.join_account(&grace, &link).await;
    assert!(matches!(again, Err(Error::NotFound(_))), "{again:?}");
}
