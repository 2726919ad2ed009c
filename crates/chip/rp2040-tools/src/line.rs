//! The line to a UART's receiver: a queue of bytes that arrive one after another at the baud rate
//! that the program has set.
//!
//! A byte is held back while the receiver is off or its FIFO is full, as with hardware flow
//! control, so no byte is lost. This module does not know where the bytes come from.

use std::collections::VecDeque;

use rp2040_emulator::chip::Chip;
use virtual_time::{Instant, Nanos};

/// Time between two attempts to send to a receiver that accepts nothing.
const RETRY: Nanos = Nanos::from_micros(10);

/// Bytes on their way to one UART.
#[derive(Clone, Debug)]
pub struct Line {
    uart: usize,
    waiting: VecDeque<u8>,
    /// Time at which the first byte will have arrived, if it is being sent.
    due: Option<Instant>,
    /// Time of the next attempt to send to a receiver that accepts nothing.
    retry: Option<Instant>,
}

impl Line {
    /// Creates an empty line to UART `uart`, 0 or 1.
    pub fn new(uart: usize) -> Self {
        Self { uart, waiting: VecDeque::new(), due: None, retry: None }
    }

    /// Appends `bytes` to the queue.
    pub fn send(&mut self, bytes: &[u8]) {
        self.waiting.extend(bytes);
    }

    /// Returns the number of bytes that have not arrived yet.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Removes at most `most` waiting bytes from the line, the next ones first, and returns them.
    pub fn take(&mut self, most: usize) -> Vec<u8> {
        let count = most.min(self.waiting.len());
        self.waiting.drain(..count).collect()
    }

    /// Returns the time at which to call [`Line::give`] again: when the next byte has arrived or
    /// may be sent; `None` if the queue is empty.
    pub fn next(&self) -> Option<Instant> {
        self.due.or(self.retry)
    }

    /// Returns the UART and the byte that has arrived by now, if any, and starts to send the next
    /// one.
    pub fn give(&mut self, chip: &Chip) -> Option<(usize, u8)> {
        self.arrive(Instant(chip.now_ns()), chip.arrival_ns(self.uart).map(Nanos))
    }

    /// Returns the byte that has arrived by `now`. `frame` is the duration of a byte, if the
    /// receiver accepts one.
    fn arrive(&mut self, now: Instant, frame: Option<Nanos>) -> Option<(usize, u8)> {
        let held = frame.is_none() && !self.waiting.is_empty();
        self.retry = held.then(|| now.saturating_add(RETRY));
        let frame = frame.filter(|_| !self.waiting.is_empty());
        match (self.due, frame) {
            (Some(due), Some(_)) if due <= now => {
                self.due = None;
                Some((self.uart, self.waiting.pop_front()?))
            }
            (Some(_), Some(_)) => None,
            (_, frame) => {
                self.due = frame.map(|frame| now.saturating_add(frame));
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Nanos = Nanos(86_800);

    #[test]
    fn bytes_arrive_one_frame_after_another() {
        let mut line = Line::new(1);
        assert_eq!((line.arrive(Instant(5), Some(FRAME)), line.next()), (None, None));
        line.send(b"ab");
        assert_eq!(line.arrive(Instant(10), Some(FRAME)), None);
        assert_eq!(line.next(), Some(Instant(10).saturating_add(FRAME)));
        assert_eq!(
            line.arrive(Instant(9).saturating_add(FRAME), Some(FRAME)),
            None,
            "not whole yet"
        );
        let end = Instant(10).saturating_add(FRAME);
        assert_eq!(line.arrive(end, Some(FRAME)), Some((1, b'a')));
        assert_eq!(line.arrive(end, Some(FRAME)), None);
        assert_eq!(line.next(), Some(end.saturating_add(FRAME)), "the second follows at once");
        assert_eq!(line.arrive(end.saturating_add(FRAME), Some(FRAME)), Some((1, b'b')));
        assert_eq!(
            (line.arrive(end.saturating_add(FRAME), Some(FRAME)), line.next()),
            (None, None)
        );
    }

    #[test]
    fn a_byte_waits_until_the_receiver_takes_it() {
        let mut line = Line::new(0);
        line.send(b"a");
        assert_eq!(
            (line.arrive(Instant(10), None), line.next()),
            (None, Some(Instant(10).saturating_add(RETRY)))
        );
        assert_eq!(line.arrive(Instant(20), Some(FRAME)), None);
        // The receiver was switched off while the byte was on the wire, so it is sent again.
        let end = Instant(20).saturating_add(FRAME);
        assert_eq!((line.arrive(end, None), line.next()), (None, Some(end.saturating_add(RETRY))));
        assert_eq!(line.waiting(), 1);
        line.arrive(Instant(900_000), Some(FRAME));
        let end = Instant(900_000).saturating_add(FRAME);
        assert_eq!(line.arrive(end, Some(FRAME)), Some((0, b'a')));
        assert_eq!(line.waiting(), 0);
    }

    #[test]
    fn waiting_bytes_can_be_removed() {
        let mut line = Line::new(0);
        line.send(b"abc");
        assert_eq!((line.take(2), line.take(2), line.take(2)), (b"ab".into(), b"c".into(), vec![]));
    }
}
