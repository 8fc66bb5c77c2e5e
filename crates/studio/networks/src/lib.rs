//! Trained networks in the program: [`Network`] runs an ONNX graph on the CPU by rten, in pure Rust. [`rewrite`] and
//! [`ncnn`] turn published files into graphs that run here; both are pure functions from bytes to bytes.

mod network;
mod rewrite;
mod tensor;

pub use network::{Network, NetworkError};
pub use rewrite::ncnn::{NcnnError, ncnn};
pub use rewrite::{REWRITES, RewriteError, rewrite};
pub use tensor::{Tensor, Values};
