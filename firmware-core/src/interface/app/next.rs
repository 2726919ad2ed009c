//! Where a page leads.

/// What comes after a page, or after a log that begins on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// The game goes on.
    Board,
    /// A new game.
    NewBoard,
}
