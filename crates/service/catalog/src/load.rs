//! Loads the catalog: the files built into the binary, then those of the operator's folder.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

use crate::{
    compile,
    error::{CatalogError, Source},
    model::Model,
};

/// Name and text of every built-in file.
static BUILTIN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// All models, in the order of their types (image, video, audio, tool) and slugs.
#[derive(Debug)]
pub struct Catalog {
    models: Vec<Model>,
    places: HashMap<String, usize>,
}

impl Catalog {
    /// The models built into the binary.
    pub fn builtin() -> Result<Self, CatalogError> {
        Ok(Self::of(compile_all(BUILTIN.iter().copied())?))
    }

    /// The built-in models and those of a folder (every `*.toml` in it and its subfolders). A file with the
    /// slug of a built-in model replaces it. A folder that does not exist adds no models.
    pub fn load(operator_folder: Option<&Path>) -> Result<Self, CatalogError> {
        let Some(folder) = operator_folder.filter(|folder| folder.exists()) else {
            return Self::builtin();
        };
        let mut files = Vec::new();
        for path in toml_files(folder)? {
            let text = fs::read_to_string(&path).map_err(|source| CatalogError::Read {
                path: path.clone(),
                source,
            })?;
            files.push((path.display().to_string(), text));
        }
        let mut models = compile_all(BUILTIN.iter().copied())?;
        models.extend(compile_all(
            files.iter().map(|(name, text)| (name.as_str(), text.as_str())),
        )?);
        Ok(Self::of(models))
    }

    /// The model of one file, without the built-in ones. `file` names it in errors.
    pub fn of_text(file: &str, text: &str) -> Result<Self, CatalogError> {
        Ok(Self::of(compile_all([(file, text)])?))
    }

    /// The model or tool of this slug.
    pub fn get(&self, slug: &str) -> Option<&Model> {
        self.places.get(slug).map(|&place| &self.models[place])
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Model> {
        self.models.iter()
    }

    pub fn slugs(&self) -> impl Iterator<Item = &str> {
        self.models.iter().map(|model| model.slug.as_str())
    }

    /// Of models with the same slug, the last one wins.
    fn of(found: impl IntoIterator<Item = (String, Model)>) -> Self {
        let by_slug: HashMap<String, Model> = found.into_iter().collect();
        let mut models: Vec<Model> = by_slug.into_values().collect();
        models.sort_by(|left, right| (left.model_type, &left.slug).cmp(&(right.model_type, &right.slug)));
        let places = models
            .iter()
            .enumerate()
            .map(|(place, model)| (model.slug.clone(), place))
            .collect();
        Self { models, places }
    }
}

/// Compiles a set of files. Within it, a slug may occur once.
fn compile_all<'a>(
    files: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<Vec<(String, Model)>, CatalogError> {
    let mut models = Vec::new();
    let mut seen: HashMap<String, &str> = HashMap::new();
    for (file, text) in files {
        let source = Source { file, text };
        let compiled = compile::compile(source)?;
        let slug = compiled.model.slug.clone();
        if let Some(other) = seen.insert(slug.clone(), file) {
            return Err(source.error(
                compiled.slug_at,
                format!("the slug `{slug}` is already used by {other}"),
            ));
        }
        models.push((slug, compiled.model));
    }
    Ok(models)
}

/// Every `*.toml` in a folder and its subfolders, sorted.
fn toml_files(folder: &Path) -> Result<Vec<PathBuf>, CatalogError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| CatalogError::Read { path, source }
    };
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(failed(&folder))? {
            let path = entry.map_err(failed(&folder))?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "toml") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
