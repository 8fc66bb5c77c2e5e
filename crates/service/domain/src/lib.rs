//! The vocabulary of the service: ids, the generation and its states, failure codes, credits, time.
//! Pure: no async, no I/O, no knowledge of SQL or HTTP.

pub mod account;
pub mod audit;
pub mod clock;
pub mod collection;
pub mod endpoint;
pub mod failure;
pub mod file;
pub mod generation;
pub mod id;
pub mod key_limits;
pub mod ledger;
pub mod member;
pub mod operation;
pub mod rate;
pub mod remote;
pub mod user;
pub mod webhook;

pub use account::{
    Account, KeyRecord, LowBalance, Plan, PlanChange, PlanLimits, PromptInFiles, QueueLimits, SigningSecrets,
};
pub use audit::{Actor, AuditEntry, AuditRecord};
pub use clock::{Clock, Entropy, Timestamp};
pub use collection::Collection;
pub use endpoint::Endpoint;
pub use failure::{Examined, Failure, FailureCode};
pub use file::{FileFacts, FileName, MediaKind, MediaType};
pub use generation::{Asset, Generation, NewGeneration, Noted, Output, PastAttempt, State, Status};
pub use id::{
    AccountId, CollectionId, DeliveryId, EndpointId, GenerationId, InvitationId, KeyId, PasswordResetId,
    RequestId, SessionId, UserId, WorkerId, WorkerTokenId,
};
pub use key_limits::{CreditLimit, KeyChange, KeyLimits, Scope};
pub use ledger::{Entry, EntryKind, UsageRow};
pub use member::{AccountRole, Member, Membership, Right};
pub use operation::{Node, NodeEngine, QueueRow, StorageRow, Takedown};
pub use rate::{Limited, RateLimit, RateState};
pub use remote::{RemoteWorker, WorkerEngine, WorkerOffer, WorkerSeen, WorkerToken};
pub use user::{Invitation, ListedInvitation, PasswordReset, Role, Session, User};
pub use webhook::{Attempt, Delivery, DeliveryState, Event};
