//! Decodes the bytes on the LCD's SPI from its wires, to name the command that an edge belongs to.
//! This is not a model of the LCD.

use core::fmt;

use ili9341_model::command_name;

use crate::edge::Edge;
use crate::signal::Signal;

/// Wires that the decoder reads.
pub const WIRES: [Signal; 4] = [Signal::ChipSelect, Signal::Clock, Signal::Mosi, Signal::Dc];

/// A decoder of bytes from the edges of the LCD's wires.
#[derive(Clone, Debug, Default)]
pub struct Decoder {
    deselected: bool,
    clock: bool,
    mosi: bool,
    data: bool,
    bits: u8,
    shifted: u8,
    place: Place,
}

/// A byte in the stream of commands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Last command; `None` before the first.
    pub command: Option<u8>,
    /// Index of the data byte after the command, from 1; 0 is the command itself.
    pub index: u64,
    pub byte: u8,
}

impl Decoder {
    /// Processes an edge; returns the byte that it completes, if any.
    pub fn take(&mut self, edge: Edge) -> Option<Place> {
        match edge.signal {
            Signal::ChipSelect => (self.deselected, self.bits) = (edge.high, 0),
            Signal::Mosi => self.mosi = edge.high,
            Signal::Dc => self.data = edge.high,
            Signal::Clock => {
                let was_high = std::mem::replace(&mut self.clock, edge.high);
                let rises = edge.high && !was_high;
                if rises && !self.deselected {
                    self.shifted = self.shifted << 1 | u8::from(self.mosi);
                    self.bits += 1;
                    if self.bits == 8 {
                        self.bits = 0;
                        return Some(self.complete());
                    }
                }
            }
            _ => {}
        }
        None
    }

    /// Returns whether some but not all bits of a byte have been read.
    pub fn inside_byte(&self) -> bool {
        self.bits > 0
    }

    /// Returns the last complete byte.
    pub fn last(&self) -> Place {
        self.place
    }

    fn complete(&mut self) -> Place {
        self.place = if self.data {
            Place { index: self.place.index + 1, byte: self.shifted, ..self.place }
        } else {
            Place { command: Some(self.shifted), index: 0, byte: self.shifted }
        };
        self.place
    }
}

/// Writes `data byte 3 (E7) of 2A CASET`, `the command 2C RAMWR`.
impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(command) = self.command else {
            return write!(out, "byte {:02X} before any command", self.byte);
        };
        if self.index == 0 {
            out.write_str("the command ")?;
        } else {
            write!(out, "data byte {} ({:02X}) of ", self.index, self.byte)?;
        }
        let name = command_name(command).map_or("(unknown)", |(name, _)| name);
        write!(out, "{command:02X} {name}")
    }
}
