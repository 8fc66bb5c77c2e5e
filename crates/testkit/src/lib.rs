//! For tests and benchmarks: a test service, a fixed clock, a webhook receiver.
