//! What runs, what waits, what is stored, and how the service is set up.

use std::time::Duration;

use atelier_domain::{Timestamp, WorkerId};
pub use atelier_engines::Position;
use atelier_store::{Node, NodeEngine, QueueRow, StorageRow};

use crate::{App, Operator, Result};

/// A node that was not heard of for this long is not well.
const SILENT: Duration = Duration::from_secs(30);
/// How often a node says that it is there.
const EVERY: Duration = Duration::from_secs(10);
/// A node that was not heard of for this long is forgotten.
const FORGOTTEN: Duration = Duration::from_secs(3_600);

/// A process of the service, and whether it was heard of lately.
#[derive(Debug, Clone)]
pub struct NodeState {
    pub node: Node,
    pub healthy: bool,
}

/// An engine that others run, and how its breaker stands in this process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineState {
    pub name: String,
    pub breaker: Position,
}

/// One setting in force.
#[derive(Debug, Clone)]
pub struct SettingInForce {
    pub key: String,
    /// As JSON; secrets are masked.
    pub value: String,
    /// Where it comes from, for people.
    pub from: String,
}

impl App {
    /// Every process, in the order of their starting.
    pub async fn nodes(&self, _: &Operator) -> Result<Vec<NodeState>> {
        let now = self.now();
        let nodes = self.store().nodes().await?;
        let state = |node: Node| NodeState {
            healthy: now.since(node.seen_at) < SILENT,
            node,
        };
        Ok(nodes.into_iter().map(state).collect())
    }

    /// The engines that others run, as they are configured.
    pub fn remote_engines(&self, _: &Operator) -> Vec<EngineState> {
        let now = self.now();
        let engines = self.routes().engines().iter();
        engines
            .filter_map(|engine| {
                let breaker = self.routes().breaker(engine.name())?;
                Some(EngineState {
                    name: engine.name().to_owned(),
                    breaker: breaker.position(now),
                })
            })
            .collect()
    }

    /// What waits and what runs, by model, the longest queue first.
    pub async fn queue(&self, _: &Operator) -> Result<Vec<QueueRow>> {
        Ok(self.store().queue().await?)
    }

    /// Stored files by media type, the largest first.
    pub async fn storage(&self, _: &Operator) -> Result<Vec<StorageRow>> {
        Ok(self.store().storage().await?)
    }

    /// The configuration in force, secrets masked.
    pub fn configuration(&self, _: &Operator) -> &[SettingInForce] {
        &self.settings().in_force
    }

    /// Says that this process is there, every few seconds, for as long as it is polled.
    pub async fn announce_node(&self, works: bool) {
        let started_at = self.now();
        loop {
            let now = self.now();
            let node = self.as_node(works, started_at, now);
            if let Err(error) = self.store().note_node(node, now.minus(FORGOTTEN)).await {
                tracing::warn!(%error, "this node could not say that it is there");
            }
            tokio::time::sleep(EVERY).await;
        }
    }

    /// Says that this process ends.
    pub async fn forget_node(&self) {
        if let Err(error) = self.store().forget_node(self.node()).await {
            tracing::warn!(%error, "this node could not say that it ends");
        }
    }

    fn as_node(&self, works: bool, started_at: Timestamp, now: Timestamp) -> Node {
        let running = self.hints().running_by_lane();
        let engine = |engine: &std::sync::Arc<dyn atelier_engines::Engine>| NodeEngine {
            name: engine.name().to_owned(),
            slots: engine.concurrency() as u32,
            running: running.get(engine.name()).copied().unwrap_or(0),
        };
        let engines = self.routes().engines().iter().filter(|_| works);
        Node {
            id: self.node(),
            pid: std::process::id(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started_at,
            seen_at: now,
            engines: engines.map(engine).collect(),
        }
    }

    /// This process, new at every start.
    fn node(&self) -> WorkerId {
        self.0.node
    }
}
