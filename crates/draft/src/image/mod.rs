//! Pictures from words, and words applied to pictures.
