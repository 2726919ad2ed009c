//! Legibility of the LCD for a person: colours as different kinds of vision see them, and the size
//! and contrast of text.
//!
//! [`vision`] knows colours, [`canvas`] renders a screen as the panel would show it, and
//! [`legible`] measures text. This module does not know screens or games.

pub mod canvas;
pub mod legible;
pub mod vision;
