//! An overview of the service: running and waiting jobs, stored files, and the configuration.

use std::{sync::Arc, time::Duration};

use atelier_domain::{Node, QueueRow, StorageRow};
pub use atelier_engines::{Position, ProgramState, Residence};

use crate::{App, Operator, Result, System};

/// A node that was silent for longer than this is not healthy.
const SILENT: Duration = Duration::from_secs(30);
/// How often a node announces itself.
const EVERY: Duration = Duration::from_secs(10);
/// A node that was silent for longer than this is forgotten.
const FORGOTTEN: Duration = Duration::from_hours(1);

/// A process of the service, and whether it announced itself lately.
#[derive(Debug, Clone)]
pub struct NodeState {
    pub node: Node,
    pub healthy: bool,
}

/// An external engine, and the position of its breaker in this process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineState {
    pub name: String,
    pub breaker: Position,
    /// The program that it starts on this node, if it starts one.
    pub program: Option<ProgramState>,
}

/// One setting in force.
#[derive(Debug, Clone)]
pub struct SettingInForce {
    pub key: String,
    /// As JSON; secrets are masked.
    pub value: String,
    /// The origin of the value, for people.
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

    /// The external engines, as they are configured.
    pub fn remote_engines(&self, _: &Operator) -> Vec<EngineState> {
        let programs = self.routes().programs();
        let program = |name: &str| Some(programs?.program(name)?.state());
        let state = |(name, breaker): (String, Position)| EngineState {
            program: program(&name),
            name,
            breaker,
        };
        self.breakers().into_iter().map(state).collect()
    }

    /// Returns the waiting and running jobs by model, the longest queue first.
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
}

impl System {
    /// Announces this process every few seconds, for as long as it is polled.
    pub async fn announce_node(&self, works: bool) {
        let started_at = self.app.now();
        loop {
            let mut node = self.as_node(works);
            node.started_at = started_at;
            let forget = node.seen_at.minus(FORGOTTEN);
            if let Err(error) = self.app.store().note_node(node, forget).await {
                tracing::warn!(%error, "this node could not announce itself");
            }
            tokio::time::sleep(EVERY).await;
        }
    }

    /// Announces that this process ends.
    pub async fn forget_node(&self) {
        if let Err(error) = self.app.store().forget_node(self.app.0.node).await {
            tracing::warn!(%error, "this node could not announce its end");
        }
    }

    fn as_node(&self, works: bool) -> Node {
        let running = self.attempts().by_lane();
        let is_full = self.settings().scratch.is_full();
        let engine = |engine: &Arc<dyn atelier_engines::Engine>| atelier_domain::NodeEngine {
            name: engine.name().to_owned(),
            slots: engine.concurrency() as u32,
            running: running.get(engine.name()).copied().unwrap_or(0),
            without_room: is_full && engine.needs_scratch(),
        };
        let now = self.app.now();
        Node {
            id: self.app.0.node,
            pid: std::process::id(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started_at: now,
            seen_at: now,
            engines: self
                .engines()
                .iter()
                .filter(|engine| works && !engine.runs_elsewhere())
                .map(engine)
                .collect(),
        }
    }
}
