//! Standard output and standard error that may be closed while they are written.

use std::io::{self, ErrorKind, Write};

/// Writes until the reader closes the pipe (`nudge replay … | head`), and discards the rest:
/// the work is finished all the same, and the exit code is that of the work.
pub struct Pipe<W> {
    inner: W,
    closed: bool,
}

impl<W: Write> Pipe<W> {
    pub fn new(inner: W) -> Self {
        Self { inner, closed: false }
    }

    fn unless_closed(&mut self, result: io::Result<usize>, nowhere: usize) -> io::Result<usize> {
        match result {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(nowhere)
            }
            other => other,
        }
    }
}

impl<W: Write> Write for Pipe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.closed {
            return Ok(bytes.len());
        }
        let result = self.inner.write(bytes);
        self.unless_closed(result, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let result = self.inner.flush().map(|()| 0);
        self.unless_closed(result, 0).map(drop)
    }
}
