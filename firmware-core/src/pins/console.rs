//! The console: whole lines into a ring buffer, bytes out as fast as the UART takes them.
//!
//! The lines are an interface (docs/console.md). Writing one never blocks; when the ring has no
//! room, the whole line is dropped and counted, and the count is written later.

use core::fmt::{self, Write as _};

use embedded_io::{Write, WriteReady};
use heapless::{Deque, String};

/// Size of the ring in bytes: about sixteen positions, far more than a user's presses can fill.
pub const RING: usize = 2_048;
/// Length of the longest line in bytes, including its newline.
pub const LINE: usize = 192;

/// Lines that wait for the UART.
#[derive(Clone, Default)]
pub struct Console {
    ring: Deque<u8, RING>,
    dropped: u32,
}

impl Console {
    /// Creates an empty console.
    pub const fn new() -> Self {
        Self { ring: Deque::new(), dropped: 0 }
    }

    /// Appends one line with a newline.
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

    /// Returns whether nothing waits to be sent.
    pub fn is_empty(&self) -> bool {
        self.ring.is_empty()
    }

    /// Returns whether a line of any length fits, even after one about dropped lines.
    pub fn has_room_for_a_line(&self) -> bool {
        self.ring.len() + 2 * LINE <= RING
    }

    /// Sends as many bytes as the UART takes without blocking.
    ///
    /// # Errors
    /// Errors of the UART; the bytes it did not take stay in the ring.
    pub fn send<U: Write + WriteReady>(&mut self, uart: &mut U) -> Result<(), U::Error> {
        while !self.ring.is_empty() && uart.write_ready()? {
            let (front, _) = self.ring.as_slices();
            // One byte at a time: only the first one is guaranteed not to block.
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

#[cfg(test)]
mod tests {
    use core::convert::Infallible;

    use embedded_io::ErrorType;

    use super::*;

    /// Takes `room` bytes and stores them.
    struct Uart {
        room: usize,
        text: String<{ 2 * RING }>,
    }

    impl ErrorType for Uart {
        type Error = Infallible;
    }

    impl Write for Uart {
        fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
            self.text.push(char::from(bytes[0])).expect("room for all that is sent");
            self.room -= 1;
            Ok(1)
        }

        fn flush(&mut self) -> Result<(), Infallible> {
            Ok(())
        }
    }

    impl WriteReady for Uart {
        fn write_ready(&mut self) -> Result<bool, Infallible> {
            Ok(self.room > 0)
        }
    }

    /// Returns a console with as many lines of eight bytes as fit, after `more` further ones were
    /// dropped.
    fn full(more: usize) -> Console {
        let mut console = Console::new();
        for _ in 0..RING / 8 + more {
            console.line(format_args!("1234567"));
        }
        console
    }

    fn sent(console: &mut Console, room: usize) -> String<{ 2 * RING }> {
        let mut uart = Uart { room, text: String::new() };
        console.send(&mut uart).unwrap();
        uart.text
    }

    #[test]
    fn dropped_lines_are_counted_before_the_next_line() {
        let mut console = full(3);
        assert_eq!(sent(&mut console, usize::MAX).lines().count(), RING / 8);
        console.line(format_args!("next"));
        console.line(format_args!("and one"));
        assert_eq!(sent(&mut console, usize::MAX), "dropped lines=3\nnext\nand one\n");
    }

    #[test]
    fn the_ring_takes_its_last_byte() {
        assert_eq!(sent(&mut full(0), usize::MAX).len(), RING);
        let mut console = full(0);
        console.line(format_args!("next"));
        sent(&mut console, usize::MAX);
        console.line(format_args!("last"));
        assert_eq!(sent(&mut console, usize::MAX), "dropped lines=1\nlast\n");
    }

    #[test]
    fn a_count_without_room_continues_to_grow() {
        let mut console = full(2);
        // No room for the count: that line is dropped as well.
        assert_eq!(sent(&mut console, 8), "1234567\n");
        console.line(format_args!("x"));
        // Room for the count, but not for the line after it.
        assert_eq!(sent(&mut console, 8), "1234567\n");
        console.line(format_args!("x"));
        let rest = sent(&mut console, usize::MAX);
        assert_eq!(rest.lines().last(), Some("dropped lines=3"));
        console.line(format_args!("y"));
        assert_eq!(sent(&mut console, usize::MAX), "dropped lines=1\ny\n");
    }

    #[test]
    fn a_full_uart_gets_the_rest_later() {
        let mut console = Console::new();
        console.line(format_args!("abcdef"));
        assert_eq!(sent(&mut console, 3), "abc");
        assert!(!console.is_empty());
        assert_eq!(sent(&mut console, 10), "def\n");
        assert!(console.is_empty());
    }

    #[test]
    fn there_is_room_for_a_line_while_two_of_the_longest_fit() {
        let mut console = Console::new();
        while console.ring.len() + 2 * LINE < RING {
            assert!(console.has_room_for_a_line());
            console.line(format_args!("1234567"));
        }
        assert_eq!(console.ring.len() + 2 * LINE, RING);
        assert!(console.has_room_for_a_line());
        console.line(format_args!(""));
        assert!(!console.has_room_for_a_line());
    }
}
