//! The price of a generation, or everything that is wrong with the request; nothing is held.

use atelier_catalog::Model;
use serde_json::{Map, Value};

use crate::{App, Caller, Error, Result};

impl App {
    /// The credits that would be held for these parameters of the model. Stored inputs are read, as they are when
    /// the generation is created.
    pub async fn estimate(&self, caller: &Caller, model: &Model, params: &Map<String, Value>) -> Result<i64> {
        let checked = model.check(&Map::new(), params).map_err(Error::problems)?;
        let mut problems = Vec::new();
        let facts = self.known_facts(caller, &checked, &mut problems).await?;
        problems.extend(model.check_files(&checked.params, &checked.inputs, &facts));
        if !problems.is_empty() {
            return Err(Error::problems(problems));
        }
        Ok(model.estimate(&checked.params, &checked.inputs, &facts))
    }
}
