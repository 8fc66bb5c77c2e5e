//! Second factors and recovery codes.

use atelier_domain::{User, UserId};

use super::{
    people::member,
    world::{Shared, World, at, change},
};
use crate::{NewSecondFactor, SecondFactor};

const SECRET: [u8; 20] = [7; 20];

fn factor(user: &User, secret: [u8; 20], codes: &[u8]) -> NewSecondFactor {
    NewSecondFactor {
        user: user.id,
        secret,
        step: 100,
        codes: codes.iter().map(|code| [*code; 32]).collect(),
        at: at(1),
    }
}

async fn codes_left(store: &Shared, user: UserId) -> Option<i64> {
    let found = store.second_factor(user).await.unwrap();
    found.map(|factor| factor.codes_left)
}

pub async fn a_second_factor_is_turned_on_once_and_off_again(store: &Shared) {
    let world = World::new(store, 10).await;
    let (ada, grace) = (member(&world, 1, "ada").await, member(&world, 2, "grace").await);
    assert_eq!(store.second_factor(ada.id).await.unwrap(), None);
    let add = async |new| store.add_second_factor(new, change()).await.unwrap();
    assert!(add(factor(&ada, SECRET, &[1, 2, 3])).await);
    assert!(!add(factor(&ada, [8; 20], &[4])).await, "it is on already");
    let expected = SecondFactor {
        secret: SECRET,
        since: at(1),
        last_step: 100,
        codes_left: 3,
    };
    assert_eq!(store.second_factor(ada.id).await.unwrap(), Some(expected));
    assert_eq!(codes_left(store, grace.id).await, None);
    let remove = async |user| store.remove_second_factor(user, change()).await.unwrap();
    assert!(remove(ada.id).await);
    assert!(!remove(ada.id).await, "it is off already");
    assert_eq!(codes_left(store, ada.id).await, None);
    assert!(add(factor(&ada, [8; 20], &[1])).await, "its codes are gone too");
}

pub async fn the_code_of_a_period_works_once_and_no_earlier_one_after_it(store: &Shared) {
    let world = World::new(store, 10).await;
    let ada = member(&world, 1, "ada").await;
    let new = factor(&ada, SECRET, &[]);
    assert!(store.add_second_factor(new, change()).await.unwrap());
    let step = async |secret, step| store.use_step(ada.id, secret, step).await.unwrap();
    assert!(!step(SECRET, 100).await, "it confirmed the secret");
    assert!(!step([8; 20], 102).await, "of another secret");
    assert!(step(SECRET, 102).await);
    assert!(!step(SECRET, 102).await);
    assert!(!step(SECRET, 101).await);
    let (one, other) = tokio::join!(step(SECRET, 103), step(SECRET, 103));
    assert!(one != other, "one of two at once");
}

pub async fn a_recovery_code_works_once_until_it_is_replaced(store: &Shared) {
    let world = World::new(store, 10).await;
    let (ada, grace) = (member(&world, 1, "ada").await, member(&world, 2, "grace").await);
    let new = factor(&ada, SECRET, &[1, 2, 3]);
    assert!(store.add_second_factor(new, change()).await.unwrap());
    let recover = async |user, code: u8| {
        let used = store.use_recovery_code(user, [code; 32], at(2), change());
        used.await.unwrap()
    };
    assert!(recover(ada.id, 1).await);
    assert!(!recover(ada.id, 1).await);
    assert!(!recover(ada.id, 9).await);
    assert!(!recover(grace.id, 2).await, "it is the code of somebody else");
    assert_eq!(codes_left(store, ada.id).await, Some(2));
    let (one, other) = tokio::join!(recover(ada.id, 2), recover(ada.id, 2));
    assert!(one != other, "one of two at once");
    let replace = async |user, codes| {
        let replaced = store.replace_recovery_codes(user, codes, change());
        replaced.await.unwrap()
    };
    assert!(replace(ada.id, vec![[1; 32], [4; 32]]).await);
    assert!(!replace(grace.id, vec![[5; 32]]).await, "it is not on");
    assert_eq!(codes_left(store, ada.id).await, Some(2));
    assert!(!recover(ada.id, 3).await, "it was replaced");
    assert!(recover(ada.id, 4).await);
}
