//! How the LCD is drawn in this terminal: what was asked for, and what the terminal can, decided.

/// How the LCD is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawing {
    /// In half blocks: two pixels a cell.
    Blocks,
    /// By kitty's graphics protocol.
    Kitty,
    /// As sixels.
    Sixel,
    /// By iTerm2's protocol for inline images.
    Iterm,
}
