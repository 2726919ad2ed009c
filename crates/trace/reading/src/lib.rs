//! Reads the panel as a person does: [`text`] finds lines of text in a frame, [`golden`] compares a
//! frame with a stored picture. [`fonts`] reads the fonts of other programs.
//!
//! Fonts, rules and paths are arguments. It knows no trace line, no screen and no folder layout.

pub mod fonts;
pub mod golden;
pub mod text;
