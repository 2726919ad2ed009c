//! Turns the paths of a command line into traces (`find`, `walk`, `shard`), opens them (`open`),
//! packs one for a page (`pack`), and finds goldens without a trace (`orphans`). `choice` selects by
//! tags and by the last failures, `header` reads single entries of headers.

pub(crate) mod choice;
pub(crate) mod error;
pub(crate) mod find;
pub(crate) mod header;
mod including;
pub(crate) mod open;
pub(crate) mod orphans;
pub(crate) mod pack;
pub(crate) mod shard;
mod walk;
