//! Errors in the catalog. They appear at start, so they name the file, the line and the reason.

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// An invalid model file.
    #[error("{file}:{line}: {reason}")]
    Invalid {
        /// The path in the operator's folder, or `catalog/…` for a built-in file.
        file: String,
        /// From 1.
        line: usize,
        reason: String,
    },
    #[error("{}: cannot be read: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
}

/// The text and name of a file, to report positions in it.
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
