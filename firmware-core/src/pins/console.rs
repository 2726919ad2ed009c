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
#[derive(Clone, Default)]
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

#[cfg(test)]
mod tests {
    use core::convert::Infallible;

    use embedded_io::ErrorType;

    use super::*;

    /// Takes `room` bytes and keeps the number of lines.
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

    /// As many lines of eight bytes as there is room for, and `more`.
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
    fn lines_that_find_no_room_are_counted_before_the_next_one() {
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
    fn a_count_that_finds_no_room_counts_on() {
        let mut console = full(2);
        // Room for no count: that line is left out as well.
        assert_eq!(sent(&mut console, 8), "1234567\n");
        console.line(format_args!("x"));
        // Room for the count, not for the line behind it.
        assert_eq!(sent(&mut console, 8), "1234567\n");
        console.line(format_args!("x"));
        let rest = sent(&mut console, usize::MAX);
        assert_eq!(rest.lines().last(), Some("dropped lines=3"));
        console.line(format_args!("y"));
        assert_eq!(sent(&mut console, usize::MAX), "dropped lines=1\ny\n");
    }

    #[test]
    fn a_uart_that_is_full_gets_the_rest_later() {
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
