//! Uploads and the files they become: taken in by their bytes, served as they are to everybody.

mod serving;
mod taking;
