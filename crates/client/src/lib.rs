//! A typed HTTP client of the service.
