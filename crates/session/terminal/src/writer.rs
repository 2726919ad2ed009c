//! Writes to the terminal on a thread of its own, so that a slow line delays no key. The loop draws
//! the next picture only when the thread is idle: of the pictures that a slow line cannot show, it
//! shows the latest.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Output that is written by a thread. A clone writes to the same thread.
#[derive(Clone, Debug, Default)]
pub struct Writer(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Bytes that the thread has not taken: at most a picture, and short sequences.
    waiting: Vec<u8>,
    /// Whether the thread is writing.
    writes: bool,
    /// Kind of the error with which writing has ended.
    failed: Option<io::ErrorKind>,
}

impl Writer {
    /// Starts a thread that writes to `out`.
    ///
    /// # Errors
    /// If there is no thread.
    pub fn start(out: impl Write + Send + 'static) -> io::Result<Self> {
        let writer = Self::default();
        let shared = Arc::clone(&writer.0);
        thread::Builder::new().name("terminal".into()).spawn(move || shared.write(out))?;
        Ok(writer)
    }

    /// Gives `bytes` to the thread, after all those before.
    ///
    /// # Errors
    /// If writing has failed.
    pub fn put(&self, bytes: &[u8]) -> io::Result<()> {
        let mut state = self.0.lock();
        if let Some(kind) = state.failed {
            return Err(kind.into());
        }
        state.waiting.extend_from_slice(bytes);
        self.0.changed.notify_all();
        Ok(())
    }

    /// Returns whether everything is written, or writing has failed.
    pub fn is_idle(&self) -> bool {
        self.0.lock().is_idle()
    }

    /// Waits until everything is written, at most for `limit`.
    pub fn settle(&self, limit: Duration) {
        let state = self.0.lock();
        // A limit that was exceeded leaves the rest to the thread.
        drop(self.0.changed.wait_timeout_while(state, limit, |state| !state.is_idle()));
    }
}

impl State {
    fn is_idle(&self) -> bool {
        self.failed.is_some() || (self.waiting.is_empty() && !self.writes)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, mut out: impl Write) {
        loop {
            let state = self.lock();
            let idle = |state: &mut State| state.waiting.is_empty();
            let found = self.changed.wait_while(state, idle);
            let mut state = found.unwrap_or_else(PoisonError::into_inner);
            let bytes = std::mem::take(&mut state.waiting);
            state.writes = true;
            drop(state);
            let written = out.write_all(&bytes).and_then(|()| out.flush());
            let mut state = self.lock();
            state.writes = false;
            state.failed = written.err().map(|error| error.kind());
            self.changed.notify_all();
            if state.failed.is_some() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    /// An output that accepts a write when it receives a message, and reports its bytes.
    struct Slow(Receiver<()>, Sender<Vec<u8>>);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.recv().map_err(|_| io::ErrorKind::BrokenPipe)?;
            let _ = self.1.send(bytes.to_vec());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_slow_line_blocks_no_caller_and_loses_nothing() {
        let ((accept, accepted), (sender, received)) = (channel(), channel());
        let writer = Writer::start(Slow(accepted, sender)).unwrap();
        assert!(writer.is_idle());
        writer.put(b"one").unwrap();
        assert!(!writer.is_idle());
        writer.settle(Duration::from_millis(1));
        accept.send(()).unwrap();
        assert_eq!(received.recv().unwrap(), b"one");
        writer.settle(Duration::from_secs(60));
        assert!(writer.is_idle());
        writer.put(b"two").unwrap();
        // The line is cut.
        drop(accept);
        writer.settle(Duration::from_secs(60));
        assert!(writer.put(b"three").is_err() && writer.is_idle());
    }
}
