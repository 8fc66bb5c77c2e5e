//! The catalog of models: one file gives validation, JSON Schema, price and names. Pure.
