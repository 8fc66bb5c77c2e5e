//! The workflows that engines of the kind or profile `comfyui` run: the operator's own, and those that ship.

use std::{collections::BTreeMap, fs, sync::Arc};

use atelier_engines::{Graph, comfyui};

use crate::{
    config::{Config, EngineConfig},
    failure::Failure,
};

/// The workflows that the routes to an engine name.
pub(crate) fn graphs(
    config: &Config,
    engine: &EngineConfig,
) -> Result<BTreeMap<String, Arc<Graph>>, Failure> {
    let mut graphs = BTreeMap::new();
    for route in config.routes.iter().filter(|route| route.engine == engine.name) {
        let wrong = |why: String| Failure::Failed {
            code: "configuration",
            message: format!(
                "{}: the route of `{}`: {why}",
                config.origin("routes"),
                route.model
            ),
        };
        let name = route.workflow.as_ref();
        let name = name.ok_or_else(|| {
            wrong(format!(
                "`workflow` is missing; the engine `{}` requires one",
                engine.name
            ))
        })?;
        let graph = workflow(config, name).map_err(wrong)?;
        if let Some(over) = &route.body {
            graph
                .overlaid(over)
                .map_err(|why| wrong(format!("its `body`: {why}")))?;
        }
        graphs.insert(name.clone(), Arc::new(graph));
    }
    Ok(graphs)
}

/// The operator's own workflow of this name, else the one that ships.
fn workflow(config: &Config, name: &str) -> Result<Graph, String> {
    let folder = config.data.join("workflows");
    if name.is_empty() || name.contains(['/', '\\']) || name.starts_with('.') {
        return Err(format!(
            "`workflow` must be the name of a file in {}, or of an included workflow (got `{name}`)",
            folder.display()
        ));
    }
    let file = folder.join(name);
    let read = match fs::read_to_string(&file) {
        Ok(text) => Some(Graph::parse(&file.display().to_string(), &text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => comfyui::shipped(name),
        Err(error) => return Err(format!("{}: {error}", file.display())),
    };
    let missing = || {
        let shipped: Vec<_> = comfyui::shipped_names().collect();
        format!(
            "unknown workflow `{name}`: {} does not exist; included workflows: {}",
            file.display(),
            shipped.join(", ")
        )
    };
    read.ok_or_else(missing)?.map_err(|error| error.to_string())
}
