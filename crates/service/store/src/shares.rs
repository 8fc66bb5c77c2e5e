//! The share of one account in something that all accounts use, such as connections for long reads: an account that
//! asks for more waits for itself, and the others do not wait for it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use atelier_domain::AccountId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

#[derive(Debug)]
pub(crate) struct Shares {
    /// Of each account.
    each: usize,
    /// Only accounts that use or wait for something.
    accounts: Mutex<HashMap<AccountId, Arc<Semaphore>>>,
}

/// One of an account's places, until it is dropped.
#[derive(Debug)]
pub(crate) struct Share<'a> {
    shares: &'a Shares,
    account: AccountId,
    place: Option<OwnedSemaphorePermit>,
}

impl Shares {
    pub(crate) fn new(each: usize) -> Self {
        Self {
            each: each.max(1),
            accounts: Mutex::default(),
        }
    }

    /// Waits until the account has a place; `None` after [`Share::refuse_others`].
    pub(crate) async fn take(&self, account: AccountId) -> Option<Share<'_>> {
        let mut share = Share {
            shares: self,
            account,
            place: None,
        };
        let places = Arc::clone(
            self.accounts()
                .entry(account)
                .or_insert_with(|| Arc::new(Semaphore::new(self.each))),
        );
        share.place = Some(places.acquire_owned().await.ok()?);
        Some(share)
    }

    fn accounts(&self) -> std::sync::MutexGuard<'_, HashMap<AccountId, Arc<Semaphore>>> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Share<'_> {
    /// Refuses those who wait for a place of this account now.
    pub(crate) fn refuse_others(&self) {
        let Some(place) = &self.place else { return };
        let mut accounts = self.shares.accounts();
        place.semaphore().close();
        if accounts
            .get(&self.account)
            .is_some_and(|places| Arc::ptr_eq(places, place.semaphore()))
        {
            accounts.remove(&self.account);
        }
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        self.place.take();
        let mut accounts = self.shares.accounts();
        // Places and those who wait for one refer to it too.
        if accounts
            .get(&self.account)
            .is_some_and(|places| Arc::strong_count(places) == 1)
        {
            accounts.remove(&self.account);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;
    use uuid::Uuid;

    use super::*;

    #[tokio::test]
    async fn an_account_has_its_places_whatever_others_use_and_leaves_nothing_behind() {
        let shares = Shares::new(2);
        let [x, y] = [1, 2].map(|number| AccountId(Uuid::from_u128(number)));
        let first = shares.take(x).await;
        let second = shares.take(x).await;
        let mut third = Box::pin(shares.take(x));
        assert!(third.as_mut().now_or_never().is_none(), "x has two places");
        drop(shares.take(y).now_or_never().expect("y waits for nobody"));
        drop(first);
        let third = third.now_or_never().expect("a place is free").unwrap();
        // One that is given up while it waits.
        assert!(shares.take(x).now_or_never().is_none());
        let mut waiting = Box::pin(shares.take(x));
        assert!(waiting.as_mut().now_or_never().is_none());
        third.refuse_others();
        assert!(waiting.now_or_never().expect("it is refused").is_none());
        let next = shares
            .take(x)
            .now_or_never()
            .expect("what comes later has places");
        drop((second, third));
        assert_eq!(shares.accounts().len(), 1);
        drop(next);
        assert!(shares.accounts().is_empty());
    }
}
