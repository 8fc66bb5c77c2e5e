//! The HTTP surface: routes, extractors, envelopes, the error table, OpenAPI.
