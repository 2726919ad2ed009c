//! The serial port of a probe: [`SerialLink`] is a line to one with the wall clock, [`find`](find()) says which ports have one.
//!
//! It knows no board, no trace and no session.

mod find;
mod lock;
mod serial;

pub use find::{Found, find};
pub use serial::{PortError, SerialLink};
