//! `nudge trace`: examines traces, converts them from and to other formats, tidies and shrinks
//! them. There is one file per verb; `arguments` is their part of the grammar.

pub mod arguments;
mod check;
mod compare;
mod convert;
mod fmt;
mod for_each;
mod fuzz;
mod info;
mod observe;
mod pixel;
mod rank;
mod refused;
mod shrink;
pub mod tidy;
mod why;
mod wires;

pub use check::check;
pub use compare::compare;
pub use convert::{convert, waveform_notes};
pub use fmt::fmt;
pub use fuzz::{fuzz, silently};
pub use info::{info, span};
pub use observe::observe;
pub use rank::rank;
pub use shrink::shrink;
pub use tidy::tidy;
pub use why::why;
pub use wires::waveform_header;
