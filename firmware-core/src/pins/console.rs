//! The console: whole lines into a ring, bytes out as fast as the UART takes them.
//!
//! The lines are an interface (docs/console.md). Writing one never blocks; when the ring
//! has no room, the line is left out whole and counted, and the count is written later.

use core::fmt::{self, Write as _};

use embedded_io::{Write, WriteReady};
use heapless::{Deque, String};

/// Bytes the ring holds: about sixteen positions, far more than a person can press.
pub const RING: usize = 2_048;
/// Bytes of the longest line, its newline included.
pub const LINE: usize = 192;

/// Lines on their way to the UART.
#[derive(Default)]
pub struct Console {
    ring: Deque<u8, RING>,
    dropped: u32,
}

impl Console {
    /// An empty one.
    pub const fn new() -> Self {
        Self { ring: Deque::new(), dropped: 0 }
    }

    /// Appends one line; a newline follows by itself.
    pub fn line(&mut self, text: fmt::Arguments<'_>) {
        if self.dropped > 0 {
            let dropped = self.dropped;
            if !self.append(format_args!("dropped lines={dropped}")) {
                self.dropped += 1;
                return;
            }
            self.dropped = 0;
        }
        if !self.append(text) {
            self.dropped += 1;
        }
    }

    /// Whether nothing waits to be sent.
    pub fn is_empty(&self) -> bool {
        self.ring.is_empty()
    }

    /// Whether a line is sure to find room, even behind one about lines that did not.
    pub fn has_room_for_a_line(&self) -> bool {
        self.ring.len() + 2 * LINE <= RING
    }

    /// Gives the UART what it takes at once.
    ///
    /// # Errors
    /// Those of the UART; the bytes it did not take stay.
    pub fn send<U: Write + WriteReady>(&mut self, uart: &mut U) -> Result<(), U::Error> {
        while !self.ring.is_empty() && uart.write_ready()? {
            let (front, _) = self.ring.as_slices();
            // One byte at a time: only one is promised not to block.
            let taken = uart.write(&front[..1])?;
            for _ in 0..taken {
                self.ring.pop_front();
            }
        }
        Ok(())
    }

    fn append(&mut self, text: fmt::Arguments<'_>) -> bool {
        let mut line = String::<LINE>::new();
        if writeln!(line, "{text}").is_err() || self.ring.len() + line.len() > RING {
            return false;
        }
        self.ring.extend(line.bytes());
        true
    }
}
