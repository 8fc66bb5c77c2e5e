//! Bytes: content-addressed blobs, sniffing, probing, the outbound guard, downloads.
