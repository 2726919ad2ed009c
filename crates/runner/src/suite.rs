//! Which traces a run has: found below the paths of the command line, perhaps only a part of
//! them; and goldens that have no trace.

pub(crate) mod find;
pub(crate) mod orphans;
pub(crate) mod shard;
