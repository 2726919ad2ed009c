//! The serial port of a probe: [`SerialLink`] is a link to one with the wall clock,
//! [`find`](find()) lists the ports that may have one.
//!
//! The crate knows no board, no trace and no session.

mod find;
mod lock;
mod serial;

pub use find::{Found, find};
pub use serial::{PortError, SerialLink};
