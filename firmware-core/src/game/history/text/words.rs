//! The words of the format, which every reader and writer of it shares.

/// The version of the format that this build reads and writes.
pub const VERSION: u32 = 1;

/// What the first line begins with; the version follows.
pub const TITLE: &str = "nudge saved game";

/// Every key of the head, in the order in which they are written. Only [`NEEDED`] must be there.
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

/// Every step's verb.
pub const VERBS: [&str; 7] =
    ["sow", "move", "turn", "edited", "bidirectional", "abandon", "resign"];

/// The players, by `Player::index`.
pub const SIDES: [&str; 2] = ["bottom", "top"];

/// Directions of sowing, by whether they are clockwise.
pub(super) const DIRECTIONS: [&str; 2] = ["ccw", "cw"];

/// Switches, by whether they are on.
pub(super) const SWITCHES: [&str; 2] = ["off", "on"];

/// Turns, by `Player::index`.
pub(super) const TURNS: [&str; 2] = ["0", "1"];
