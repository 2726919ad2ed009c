//! The words of the format, which reader and writer share.

/// The version of the format that this build reads and writes.
pub const VERSION: u32 = 1;

/// The largest file, in bytes: a head and 2,000 steps, with room for comments.
pub const FILE_BYTES_MAX: usize = 1 << 20;

/// What the first line begins with; the version follows.
pub(super) const TITLE: &str = "nudge saved game";

/// Every key of the head, in the order in which they are written. Only [`NEEDED`] must be there.
pub(super) const KEYS: [&str; 12] = [
    "game",
    "stones",
    "bidirectional",
    "began-bidirectional",
    "first",
    "board",
    "turn",
    "direction",
    "before",
    "quiet",
    "abandoned",
    "resigned",
];

/// The keys without a default.
pub(super) const NEEDED: [&str; 3] = ["game", "board", "turn"];

/// The line between head and steps.
pub(super) const STEPS: &str = "steps";

/// Every step's verb.
pub(super) const VERBS: [&str; 7] =
    ["sow", "move", "turn", "edited", "bidirectional", "abandon", "resign"];

/// The players, by `Player::index`.
pub(super) const SIDES: [&str; 2] = ["bottom", "top"];
