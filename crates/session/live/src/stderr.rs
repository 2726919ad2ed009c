//! The error stream of a session.

use std::fmt;
use std::io::{self, Write as _};

/// Writes a line to the error stream, which may be closed: a session whose terminal is gone still
/// saves what it has.
pub fn say(what: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{what}");
}
