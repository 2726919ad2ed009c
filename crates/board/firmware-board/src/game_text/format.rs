//! Constants of this reader in addition to the words of the format, which it shares with the
//! firmware.

pub use firmware_core::history::text::VERSION;
pub(super) use firmware_core::history::text::{KEYS, NEEDED, SIDES, STEPS, TITLE, VERBS};

/// Maximum size of a file, in bytes: a head and 2,000 steps, with room for comments.
pub const FILE_BYTES_MAX: usize = 1 << 20;
