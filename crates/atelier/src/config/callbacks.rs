//! Where engines report progress to this process.

use std::net::SocketAddr;

use super::{
    layers::Layers,
    read::{self, read},
};

/// A listener for the progress of engines, which other machines reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallbackPlace {
    pub listen: SocketAddr,
    /// How providers reach it, without a trailing slash; `None`: at the address of the listener.
    url: Option<String>,
}

impl CallbackPlace {
    pub(super) fn read(layers: &mut Layers) -> Option<Self> {
        let listen = read(layers, "workers.callback_listen", read::optional_address);
        let url = read(layers, "workers.callback_url", read::prefix);
        let problem = match (listen, &url) {
            (None, Some(_)) => Some(("workers.callback_url", "requires `workers.callback_listen`")),
            (Some(listen), None) if listen.ip().is_unspecified() => Some((
                "workers.callback_listen",
                "is every address of this machine: set `workers.callback_url` to one that engines reach",
            )),
            _ => None,
        };
        if let Some((key, why)) = problem {
            let problem = format!("{}: `{key}` {why}", layers.origin(key));
            layers.problems.push(problem);
        }
        listen.map(|listen| Self { listen, url })
    }

    /// The URL of a listener that is bound to this address, without a trailing slash.
    pub fn url(&self, bound: SocketAddr) -> String {
        self.url.clone().unwrap_or_else(|| format!("http://{bound}"))
    }
}
