//! Programs that the service starts, feeds and stops. [`scheduler`] decides who is in memory and whose jobs run,
//! without clocks and I/O.

pub mod scheduler;
