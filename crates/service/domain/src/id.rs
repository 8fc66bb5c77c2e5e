//! Identifiers. All are UUIDs of version 7, so they sort in the order of creation.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::parse_str(text).map(Self)
            }
        }
    };
}

id!(
    /// One job.
    GenerationId
);
id!(
    /// One customer of the service: the one who pays.
    AccountId
);
id!(
    /// One API key. The key's text is different and is never stored.
    KeyId
);
id!(
    /// One entry of the log of API requests.
    RequestId
);
id!(
    /// One registered webhook endpoint.
    EndpointId
);
id!(
    /// One named collection of results.
    CollectionId
);
id!(
    /// One webhook delivery; the same on each of its attempts.
    DeliveryId
);
id!(
    /// One worker process, new at every start.
    WorkerId
);
id!(
    /// One person who signs in.
    UserId
);
id!(
    /// One signed-in browser. The cookie's text is different and is never stored.
    SessionId
);
id!(
    /// One invitation by link. The link's text is different and is never stored.
    InvitationId
);
id!(
    /// One link to reset a password. The link's text is different and is never stored.
    PasswordResetId
);
id!(
    /// One token of remote workers. The token's text is different and is never stored.
    WorkerTokenId
);
