//! The bytes on the LCD's wires with their times: as a replay reports them, and decoded from a
//! capture.

use std::path::Path;

use hal_mock::board::{LcdPin, WireListener};
use virtual_time::Instant;

use super::{BYTES_MAX, Described};
use crate::capture::Capture;
use crate::error::{FormatError, ObserverError};
use crate::signal::Signal;
use crate::spi::{Decoder, Place};
use crate::wiring::Wiring;

/// A byte on the LCD's wires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Byte {
    /// Time of its last rising edge of SCK, in nanoseconds.
    pub(super) at: u64,
    pub(super) value: u8,
    /// Level of DC: high is data.
    pub(super) data: bool,
}

impl Byte {
    /// Returns whether value and DC are the same.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        (self.value, self.data) == (other.value, other.data)
    }
}

/// A burst of a [`Stream`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Burst {
    /// Number, from 1.
    pub(super) number: usize,
    /// First byte and the one after the last.
    pub(super) begin: usize,
    pub(super) end: usize,
}

/// Bytes in order of time.
#[derive(Debug, Default)]
pub(super) struct Stream {
    pub(super) bytes: Vec<Byte>,
    /// First byte of each burst.
    begins: Vec<usize>,
}

impl Stream {
    /// Returns the parts of the bursts that are in `count` bytes from `first` on.
    pub(super) fn bursts_within(&self, first: usize, count: usize) -> Vec<Burst> {
        let ends = self.begins.iter().skip(1).copied().chain([self.bytes.len()]);
        let numbered = self.begins.iter().zip(ends).enumerate().map(|(nth, (begin, end))| {
            let (begin, end) = ((*begin).max(first), end.min(first + count));
            Burst { number: nth + 1, begin, end }
        });
        numbered.filter(|burst| burst.begin < burst.end).collect()
    }

    /// Describes the byte with this index in the stream of commands.
    pub(super) fn place(&self, index: usize) -> Described {
        let Some(byte) = self.bytes.get(index) else { return Described(Place::default(), false) };
        let before = self.bytes[..=index].iter().rposition(|byte| !byte.data);
        let place = match before {
            Some(command) => Place {
                command: Some(self.bytes[command].value),
                index: (index - command) as u64,
                byte: byte.value,
            },
            None => Place { command: None, index: 0, byte: byte.value },
        };
        Described(place, byte.data)
    }
}

/// Collects the bytes that a board reports.
#[derive(Debug, Default)]
pub(super) struct Reported {
    pub(super) stream: Stream,
    data: bool,
    /// End of the last burst.
    ended: Option<Instant>,
}

impl WireListener for Reported {
    fn lcd_pin(&mut self, _: Instant, pin: LcdPin, high: bool) {
        if pin == LcdPin::Dc {
            (self.data, self.ended) = (high, None);
        }
    }

    fn lcd_bytes(&mut self, start: Instant, end: Instant, sent: &[u8], _: &[u8]) {
        // One byte more than the limit shows that it is exceeded.
        let room = (BYTES_MAX + 1).saturating_sub(self.stream.bytes.len());
        let halves = sent.len() as u128 * 16;
        let took = u128::from(end.saturating_since(start).0);
        // A burst may be reported in parts.
        if self.ended != Some(start) && !sent.is_empty() && room > 0 {
            self.stream.begins.push(self.stream.bytes.len());
        }
        for (index, value) in sent.iter().take(room).enumerate() {
            let last_rise = took * (index as u128 * 16 + 15) / halves;
            let at = start.0.saturating_add(last_rise as u64);
            self.stream.bytes.push(Byte { at, value: *value, data: self.data });
        }
        self.ended = Some(end);
    }
}

/// Wires that a capture must have. Without CS all clocks are of bytes for the LCD.
const NEEDED: [Signal; 3] = [Signal::Clock, Signal::Mosi, Signal::Dc];

/// Decodes the bytes of the capture at `path`.
pub(super) fn read(path: &Path, wiring: &Wiring) -> Result<Stream, FormatError> {
    let capture = Capture::open(path, wiring)?;
    let name = capture.name().to_owned();
    if let Some(missing) = NEEDED.into_iter().find(|wire| !capture.signals().contains(wire)) {
        return Err(FormatError::of(&name, ObserverError::NoWire(missing)));
    }
    let mut stream = Stream::default();
    let mut decoder = Decoder::default();
    for edge in capture {
        let edge = edge?;
        if let Some(place) = decoder.take(edge) {
            if stream.bytes.len() > BYTES_MAX {
                return Err(FormatError::of(&name, ObserverError::TooLong { max: BYTES_MAX }));
            }
            let byte = Byte { at: edge.at.0, value: place.byte, data: place.index > 0 };
            stream.bytes.push(byte);
        }
    }
    Ok(stream)
}
