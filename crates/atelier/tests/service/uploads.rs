//! Uploads and stored files: identified by their bytes, served unchanged to everybody.

mod serving;
mod taking;
