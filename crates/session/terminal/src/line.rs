//! Unbuffered output to the terminal. Data that a lost terminal did not accept must not remain in
//! the buffer of standard output, because its flush at the end of the command would fail.

use std::io::{self, Write};

/// Standard output without a buffer.
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

/// A Windows console accepts text only through the standard library.
#[cfg(not(unix))]
impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        io::stdout().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}
