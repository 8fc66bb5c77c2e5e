//! The durable state: every method of Store is one whole transaction.
