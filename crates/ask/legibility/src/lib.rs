//! How the LCD looks to a person: colours as different eyes see them, how large and bright text is.
//!
//! [`vision`] knows colours, [`canvas`] draws what a screen draws as the panel would show it, and
//! [`legible`] measures text. It knows no screen and no game.

pub mod canvas;
pub mod legible;
pub mod vision;
