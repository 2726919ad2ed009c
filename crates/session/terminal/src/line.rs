//! The line to the terminal, without a buffer: what a terminal that is gone did not take must not be left
//! in the buffer of standard output, whose flush at the end of the command would fail.

use std::io::{self, Write};

/// Standard output, byte for byte.
#[derive(Clone, Copy, Debug)]
pub struct Line;

#[cfg(unix)]
impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(rustix::io::write(io::stdout(), bytes)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A console of Windows takes text through the standard library alone.
#[cfg(not(unix))]
impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        io::stdout().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}
