//! How the LCD is drawn in this terminal, chosen by the option and the terminal's capabilities.

/// How the LCD is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawing {
    /// In half blocks: two pixels a cell.
    Blocks,
    /// By kitty's graphics protocol.
    Kitty,
    Sixel,
    /// By iTerm2's protocol for inline images.
    Iterm,
}
