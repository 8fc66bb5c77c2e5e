//! Why a command failed, and its exit status.

use atelier_store::StoreError;

use crate::config::ConfigError;

/// The failure of a command.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The command line is invalid.
    #[error("{0}")]
    Usage(String),
    #[error("{message}")]
    Failed { code: &'static str, message: String },
    /// The service refused the request, with its own code and message.
    #[error("{message}")]
    Refused { code: String, message: String },
    /// The command has already printed the failure.
    #[error("failed")]
    Reported,
}

impl Failure {
    pub fn new(message: impl Into<String>) -> Self {
        Self::Failed {
            code: "failed",
            message: message.into(),
        }
    }

    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    pub const fn exit_status(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Failed { .. } | Self::Refused { .. } | Self::Reported => 1,
        }
    }

    /// The code for scripts.
    pub fn code(&self) -> &str {
        match self {
            Self::Usage(_) => "usage",
            Self::Failed { code, .. } => code,
            Self::Refused { code, .. } => code,
            Self::Reported => "failed",
        }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::Failed {
            code: "configuration",
            message: error.to_string(),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let code = match error {
            StoreError::Locked(_) => "locked",
            StoreError::Unavailable(_) => "unavailable",
            _ => "store",
        };
        Self::Failed {
            code,
            message: error.to_string(),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::new(error.to_string())
    }
}

impl From<atelier_app::Error> for Failure {
    fn from(error: atelier_app::Error) -> Self {
        let code = match error {
            atelier_app::Error::NotFound(_) => "not_found",
            atelier_app::Error::InvalidRequest { .. } => "invalid_request",
            atelier_app::Error::Unavailable(_) | atelier_app::Error::NoSpace(_) => "unavailable",
            _ => "failed",
        };
        Self::Failed {
            code,
            message: error.to_string(),
        }
    }
}

impl From<atelier_client::Error> for Failure {
    fn from(error: atelier_client::Error) -> Self {
        let code = match &error {
            atelier_client::Error::Api { code, .. } => code.clone(),
            atelier_client::Error::Network(_) => "network".to_owned(),
            _ => "failed".to_owned(),
        };
        let message = match &error {
            atelier_client::Error::Api {
                status: 500..,
                request_id: Some(id),
                ..
            } => format!("{error} (request {id})"),
            _ => error.to_string(),
        };
        Self::Refused { code, message }
    }
}
