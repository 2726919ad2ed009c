//! Turns the paths of a command line into traces (`find`, `walk`, `shard`), opens them (`open`),
//! packs one for a page (`pack`), and finds goldens without a trace (`orphans`).

pub(crate) mod error;
pub(crate) mod find;
mod including;
pub(crate) mod open;
pub(crate) mod orphans;
pub(crate) mod pack;
pub(crate) mod shard;
mod walk;
