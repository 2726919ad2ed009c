//! Standard output and standard error. The reader may close them at any time, and may be GitHub's
//! log.

use std::env;
use std::io::{self, ErrorKind, Write};

use escape::terminal::TextWriter;

use crate::environment::on_github;

/// Prints a message of clap: help, or an error in the arguments, which the message quotes.
///
/// # Errors
/// If the output cannot be written.
pub fn print(said: &clap::Error) -> io::Result<()> {
    let hostile =
        |argument: std::ffi::OsString| argument.to_string_lossy().chars().any(escape::is_command);
    if !on_github() && !env::args_os().any(hostile) {
        said.print()?;
        return io::stdout().flush();
    }
    let text = said.render().to_string();
    if said.use_stderr() {
        TextWriter::new(&mut io::stderr(), on_github()).write_all(text.as_bytes())
    } else {
        TextWriter::new(&mut io::stdout(), on_github()).write_all(text.as_bytes())
    }
}

/// A writer that discards its input after the reader has closed the pipe (`nudge replay … | head`).
/// The work is finished all the same, and the exit code is that of the work.
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
