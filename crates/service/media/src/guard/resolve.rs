//! Name resolution that answers with permitted addresses only.
//! The connection goes to one of these very addresses, so no second answer can slip in between.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use futures_util::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::{Guard, Refused, is_public};

/// Finds the addresses of a name.
pub trait Lookup: Send + Sync + 'static {
    fn lookup(&self, name: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;
}

/// The resolver of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemLookup;

impl Lookup for SystemLookup {
    fn lookup(&self, name: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// Passes on what `lookup` finds, without the addresses that `guard` refuses.
pub(super) struct Filtered {
    pub(super) guard: Guard,
    pub(super) lookup: Arc<dyn Lookup>,
}

impl Resolve for Filtered {
    fn resolve(&self, name: Name) -> Resolving {
        let name = name.as_str().to_owned();
        let found = self.lookup.lookup(name.clone());
        let guard = self.guard;
        Box::pin(async move {
            let mut addresses = found.await?;
            if !guard.allow_private {
                let answered = !addresses.is_empty();
                addresses.retain(|&address| is_public(address));
                if answered && addresses.is_empty() {
                    return Err(Refused::PrivateAddress(name).into());
                }
            }
            let addresses = addresses.into_iter().map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}
