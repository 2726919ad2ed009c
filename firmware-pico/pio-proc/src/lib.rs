//! No macros: `../Cargo.toml` replaces the crate of this name by this one.
