//! The words of the format, shared by all its readers and writers.

/// The version of the format that this build reads and writes.
pub const VERSION: u32 = 1;

/// Beginning of the first line; the version follows.
pub const TITLE: &str = "nudge saved game";

/// Keys of the head, in the order in which they are written. Only [`NEEDED`] must be present.
pub const KEYS: [&str; 12] = [
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
pub const NEEDED: [&str; 3] = ["game", "board", "turn"];

/// The line between head and steps.
pub const STEPS: &str = "steps";

/// Verbs of the steps.
pub const VERBS: [&str; 7] =
    ["sow", "move", "turn", "edited", "bidirectional", "abandon", "resign"];

/// The players, by `Player::index`.
pub const SIDES: [&str; 2] = ["bottom", "top"];

/// Directions of sowing: counter-clockwise, clockwise.
pub(super) const DIRECTIONS: [&str; 2] = ["ccw", "cw"];

/// Switch values: off, on.
pub(super) const SWITCHES: [&str; 2] = ["off", "on"];

/// Turns, by `Player::index`.
pub(super) const TURNS: [&str; 2] = ["0", "1"];
