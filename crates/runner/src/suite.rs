//! The traces of a run: `find` finds them below the paths of the command line, `shard` selects a
//! part of them, `orphans` finds goldens without a trace.

pub(crate) mod find;
pub(crate) mod orphans;
pub(crate) mod shard;
