//! The part of the table `marking` about signatures.

use std::path::PathBuf;

use atelier_engines::Coverage;

use super::{
    layers::Layers,
    read::{self, any, one_of, optional_text, read},
};

const ALGORITHMS: [&str; 7] = ["es256", "es384", "es512", "ps256", "ps384", "ps512", "ed25519"];

/// How results are signed (Content Credentials).
#[derive(Debug, Clone)]
pub struct CredentialsConfig {
    pub coverage: Coverage,
    /// A chain of certificates in PEM; without one, the service makes its own.
    pub certificate: Option<PathBuf>,
    pub key: Option<PathBuf>,
    /// A program that signs instead of a key, and its arguments.
    pub command: Vec<String>,
    pub algorithm: String,
    /// Certificates with which this service has signed before.
    pub earlier: Option<PathBuf>,
    pub trusted: Option<PathBuf>,
    /// The address of a time-stamping authority.
    pub time_stamps: Option<String>,
}

impl CredentialsConfig {
    pub(super) fn read(layers: &mut Layers) -> Self {
        let path = |layers: &mut Layers, key| read(layers, key, optional_text).map(PathBuf::from);
        Self {
            coverage: read(layers, "marking.credentials", read::coverage),
            certificate: path(layers, "marking.certificate"),
            key: path(layers, "marking.certificate_key"),
            command: read(layers, "marking.signing_command", any),
            algorithm: read(layers, "marking.algorithm", one_of(&ALGORITHMS)),
            earlier: path(layers, "marking.earlier"),
            trusted: path(layers, "marking.trusted"),
            time_stamps: read(layers, "marking.time_stamps", read::prefix),
        }
    }
}
