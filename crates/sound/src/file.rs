//! Sound files: decoding what comes in; loudness, tags and encoding of what goes out.
