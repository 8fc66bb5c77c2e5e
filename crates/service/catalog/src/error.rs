//! What can be wrong with the catalog. It is an error at start, so it names the file, the line and the
//! reason.

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// A model file that does not say what it should.
    #[error("{file}:{line}: {reason}")]
    Invalid {
        /// As found: below the operator's folder, or `catalog/…` for the built-in ones.
        file: String,
        /// From 1.
        line: usize,
        reason: String,
    },
    #[error("{}: cannot be read: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
}

/// A file's text and name, to point into it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) file: &'a str,
    pub(crate) text: &'a str,
}

impl Source<'_> {
    /// An error at a byte of the text.
    pub(crate) fn error(&self, at: usize, reason: impl Into<String>) -> CatalogError {
        let line = 1 + self.text.bytes().take(at).filter(|&byte| byte == b'\n').count();
        CatalogError::Invalid {
            file: self.file.to_owned(),
            line,
            reason: reason.into(),
        }
    }
}
