//! `--stdin`: standard input, passed on while the program runs.
//!
//! A thread of its own reads, because a read from a terminal or a pipe has no time limit. At most
//! [`CHUNKS`] reads wait for the program; further input stays in the system's buffer. The thread
//! ends with the input, or with the process.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// Maximum number of bytes of one read.
const CHUNK: usize = 1024;
/// Maximum number of reads that wait for the program.
const CHUNKS: usize = 4;

/// Standard input, read by a thread.
pub struct StdinReader {
    /// `None` after the end of the input.
    chunks: Option<Receiver<Vec<u8>>>,
}

impl StdinReader {
    /// Starts to read standard input.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn stdin() -> io::Result<Self> {
        Self::read_from(io::stdin())
    }

    fn read_from(mut source: impl Read + Send + 'static) -> io::Result<Self> {
        let (sender, chunks) = sync_channel(CHUNKS);
        let read = move || {
            let mut buffer = [0; CHUNK];
            loop {
                match source.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(count) => {
                        if sender.send(buffer[..count].to_vec()).is_err() {
                            break;
                        }
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    // For example standard input of a background process, which has no input.
                    Err(_) => break,
                }
            }
        };
        std::thread::Builder::new().name("stdin".into()).spawn(read)?;
        Ok(Self { chunks: Some(chunks) })
    }

    /// Returns the bytes that have come in, and waits up to `patience` for the first. After the end
    /// of the input it returns at once, with no bytes.
    pub fn read(&mut self, patience: Duration) -> Vec<u8> {
        match self.chunks.as_ref().map(|chunks| chunks.recv_timeout(patience)) {
            Some(Ok(bytes)) => bytes,
            Some(Err(RecvTimeoutError::Timeout)) => vec![],
            Some(Err(RecvTimeoutError::Disconnected)) | None => {
                self.chunks = None;
                vec![]
            }
        }
    }

    /// Returns whether the input has ended and all of it was read.
    pub fn has_ended(&self) -> bool {
        self.chunks.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_in_order_and_then_the_end() {
        let sent: Vec<u8> = (0..10_000_u32).map(|n| n as u8).collect();
        let mut typed = StdinReader::read_from(io::Cursor::new(sent.clone())).unwrap();
        let mut heard = vec![];
        while !typed.has_ended() {
            heard.extend(typed.read(Duration::from_secs(60)));
        }
        assert_eq!(heard, sent);
        assert!(typed.read(Duration::from_secs(60)).is_empty(), "at once");
    }
}
