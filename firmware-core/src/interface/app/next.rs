//! The state that follows a page.

/// State that follows a page, or a log that begins on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// The current game continues.
    Board,
    /// A new game begins.
    NewBoard,
}
