//! Name resolution that returns permitted addresses only.
//! The connection goes to one of these addresses, so a later DNS answer cannot change the target.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use futures_util::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::{Guard, Refused, is_public};

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

/// Returns what `lookup` finds, without the addresses that `guard` refuses.
pub(crate) struct Filtered {
    pub(crate) guard: Guard,
    pub(crate) lookup: Arc<dyn Lookup>,
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
