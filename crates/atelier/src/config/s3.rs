//! `[s3]`: the connection to a bucket.

use super::{
    layers::Layers,
    read::{any, optional_text, prefix, read},
};

/// The connection to a bucket. Values that are not set have the defaults of the S3 client.
#[derive(Clone, Default)]
pub struct S3 {
    pub endpoint: Option<String>,
    pub region: Option<String>,
    pub access_key_id: Option<String>,
    pub secret_access_key: Option<String>,
    pub session_token: Option<String>,
    pub allow_http: bool,
}

impl S3 {
    pub(super) fn read(layers: &mut Layers) -> Self {
        Self {
            endpoint: read(layers, "s3.endpoint", prefix),
            region: read(layers, "s3.region", optional_text),
            access_key_id: read(layers, "s3.access_key_id", optional_text),
            secret_access_key: read(layers, "s3.secret_access_key", optional_text),
            session_token: read(layers, "s3.session_token", optional_text),
            allow_http: read(layers, "s3.allow_http", any),
        }
    }
}

impl std::fmt::Debug for S3 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("S3")
            .field("endpoint", &self.endpoint)
            .field("region", &self.region)
            .finish_non_exhaustive()
    }
}
