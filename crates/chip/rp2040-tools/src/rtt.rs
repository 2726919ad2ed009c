//! RTT: channels in the RAM between a program and a debugger (SEGGER's Real Time Transfer).
//!
//! The program has a control block with its channels. They are ring buffers of which each side
//! moves one offset: the program writes up channels and the debugger reads them; down channels have
//! the opposite direction. [`Rtt`] finds the block by its symbol or its ID and acts as the
//! debugger. Nothing in the block is trusted: its content is arbitrary if the program has not
//! started yet or has overwritten it.
//!
//! A transfer takes no time, and only RAM is read, so a run is the same whenever it is repeated.

use std::fmt;

use rp2040_emulator::chip::Chip;
use rp2040_emulator::memory::{RAM_BASE, RAM_SIZE};

use crate::Program;

/// Symbol of the control block, in rtt-target, defmt-rtt and SEGGER's own sources.
pub const SYMBOL: &str = "_SEGGER_RTT";
/// First bytes of an initialised control block.
const ID: [u8; 16] = *b"SEGGER RTT\0\0\0\0\0\0";
/// Number of bytes before the descriptors: the ID and both counts.
const HEAD: u32 = 24;
/// Number of bytes of a descriptor: name, buffer, size, offset of the writer, offset of the reader,
/// flags.
const DESCRIPTOR: u32 = 24;
/// Offset of a descriptor's flags, whose lowest bits are the mode.
const FLAGS: u32 = 20;
const MODE: u32 = 3;
const BLOCK_IF_FULL: u32 = 2;
/// Maximum number of channels per direction; a block with more is not a control block.
const CHANNELS_MAX: u32 = 16;
/// Longest name of a channel, in bytes.
const NAME_MAX: u32 = 64;

/// Reason why a control block cannot be used. `Display` is a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RttError {
    /// The block or its descriptors extend beyond the RAM.
    #[error("the RTT control block at 0x{0:08x} reaches beyond the RAM")]
    OutsideRam(u32),
    /// The block has more channels than any program has.
    #[error(
        "the RTT control block at 0x{block:08x} has {up} up and {down} down channels; at most {CHANNELS_MAX} are read"
    )]
    Channels {
        /// Address of the block.
        block: u32,
        /// Number of its up channels.
        up: u32,
        /// Number of its down channels.
        down: u32,
    },
    /// A channel's buffer is not in the RAM.
    #[error("RTT {channel}: its buffer of {size} bytes at 0x{buffer:08x} is not in the RAM")]
    Buffer {
        channel: Channel,
        /// Address of the buffer.
        buffer: u32,
        /// Size of the buffer in bytes.
        size: u32,
    },
    /// An offset is beyond the buffer.
    #[error("RTT {channel}: its offset {offset} is beyond its buffer of {size} bytes")]
    Offset {
        channel: Channel,
        /// Offset of the writer or the reader.
        offset: u32,
        /// Size of the buffer in bytes.
        size: u32,
    },
}

/// A channel, in messages: `up channel 0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// A channel from the program.
    Up(u32),
    /// A channel to the program.
    Down(u32),
}

impl fmt::Display for Channel {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Up(number) => write!(out, "up channel {number}"),
            Self::Down(number) => write!(out, "down channel {number}"),
        }
    }
}

/// Location of the control block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// At the symbol.
    At(u32),
    /// Anywhere in the RAM.
    Anywhere,
}

/// The debugger's side of RTT.
#[derive(Clone, Debug)]
pub struct Rtt {
    place: Place,
}

/// Descriptor of a channel.
#[derive(Clone, Copy, Debug)]
struct Descriptor {
    at: u32,
    buffer: u32,
    size: u32,
    write: u32,
    read: u32,
}

/// An initialised control block.
#[derive(Clone, Copy, Debug)]
struct Block {
    at: u32,
    up: u32,
    down: u32,
}

impl Rtt {
    /// Prepares to find the control block of `program`, at its symbol or anywhere in the RAM.
    pub fn new(program: &Program) -> Self {
        Self { place: program.value(&[SYMBOL]).map_or(Place::Anywhere, Place::At) }
    }

    /// Returns whether `program` has a control block, according to its symbols.
    pub fn is_in(program: &Program) -> bool {
        program.value(&[SYMBOL]).is_some()
    }

    /// Returns whether the control block has a symbol but is not initialised yet. The program may
    /// write to it soon and then expects a reader.
    pub fn is_awaited(&mut self, chip: &Chip) -> bool {
        matches!(self.place, Place::At(_)) && matches!(self.block(chip), Ok(None))
    }

    /// Reads the up channels. Returns the number and the bytes of each that is not empty, and
    /// nothing if there is no block yet. From the first read on, the program waits while a channel
    /// is full.
    ///
    /// # Errors
    /// If an address in the block is invalid. The bytes of the channels that were read before are
    /// lost.
    pub fn read(&mut self, chip: &mut Chip) -> Result<Vec<(u32, Vec<u8>)>, RttError> {
        let Some(block) = self.block(chip)? else { return Ok(Vec::new()) };
        let mut taken = Vec::new();
        for number in 0..block.up {
            let Some(ring) = block.descriptor(chip, Channel::Up(number))? else { continue };
            let Descriptor { size, write, read, .. } = ring;
            block_if_full(chip, ring.at);
            let length = if write >= read { write - read } else { size - read + write };
            if length == 0 {
                continue;
            }
            let byte = |nth| chip.memory().byte(ring.buffer + (read + nth) % size);
            let bytes = (0..length).map(|nth| byte(nth).unwrap_or_default()).collect();
            put(chip, ring.at + 16, write);
            taken.push((number, bytes));
        }
        Ok(taken)
    }

    /// Writes as many of `bytes` to a down channel as fit, and returns their number.
    ///
    /// # Errors
    /// If an address in the block is invalid.
    pub fn write(&mut self, chip: &mut Chip, number: u32, bytes: &[u8]) -> Result<usize, RttError> {
        let block = self.block(chip)?.filter(|block| number < block.down);
        let ring = block.map(|block| block.descriptor(chip, Channel::Down(number))).transpose()?;
        let Some(Descriptor { at, buffer, size, write, read, .. }) = ring.flatten() else {
            return Ok(0);
        };
        // One byte stays free, because a full ring must differ from an empty one.
        let room = (read + size - write - 1) % size;
        let count = bytes.len().min(room as usize);
        for (nth, byte) in (0..).zip(&bytes[..count]) {
            // The buffer is known to be in the RAM, so the write cannot fail.
            let _ = chip.memory_mut().load(buffer + (write + nth) % size, &[*byte]);
        }
        put(chip, at + 12, (write + count as u32) % size);
        Ok(count)
    }

    /// Returns the name of an up channel; `None` if it has none that can be read.
    pub fn name(&mut self, chip: &Chip, number: u32) -> Option<String> {
        let block = self.block(chip).ok()??;
        if number >= block.up {
            return None;
        }
        let name = chip.memory().word(block.at + HEAD + DESCRIPTOR * number)?;
        let mut bytes = Vec::new();
        for address in (name..).take(NAME_MAX as usize) {
            match chip.memory().byte(address)? {
                0 => break,
                byte => bytes.push(byte),
            }
        }
        String::from_utf8(bytes).ok().filter(|name| !name.is_empty())
    }

    /// Returns the control block if the program has initialised it.
    fn block(&mut self, chip: &Chip) -> Result<Option<Block>, RttError> {
        let at = match self.place {
            Place::At(at) => at,
            Place::Anywhere => match search(chip) {
                Some(at) => {
                    self.place = Place::At(at);
                    at
                }
                None => return Ok(None),
            },
        };
        let Some(id) = chip.memory().bytes::<16>(at).filter(|_| in_ram(at, HEAD)) else {
            return Err(RttError::OutsideRam(at));
        };
        if id != ID {
            return Ok(None);
        }
        let word = |offset| chip.memory().word(at + offset).unwrap_or_default();
        let (up, down) = (word(16), word(20));
        if up > CHANNELS_MAX || down > CHANNELS_MAX {
            return Err(RttError::Channels { block: at, up, down });
        }
        if !in_ram(at, HEAD + (up + down) * DESCRIPTOR) {
            return Err(RttError::OutsideRam(at));
        }
        Ok(Some(Block { at, up, down }))
    }
}

impl Block {
    /// Returns `None` for a channel without a buffer, which the program has not set up.
    fn descriptor(self, chip: &Chip, channel: Channel) -> Result<Option<Descriptor>, RttError> {
        let number = match channel {
            Channel::Up(number) => number,
            Channel::Down(number) => self.up + number,
        };
        let at = self.at + HEAD + DESCRIPTOR * number;
        let word = |offset| chip.memory().word(at + offset).unwrap_or_default();
        let [buffer, size, write, read] = [4, 8, 12, 16].map(word);
        if buffer == 0 || size == 0 {
            return Ok(None);
        }
        if !in_ram(buffer, size) {
            return Err(RttError::Buffer { channel, buffer, size });
        }
        if let Some(offset) = [write, read].into_iter().find(|offset| *offset >= size) {
            return Err(RttError::Offset { channel, offset, size });
        }
        Ok(Some(Descriptor { at, buffer, size, write, read }))
    }
}

/// Returns the first word of the RAM at which a control block begins.
fn search(chip: &Chip) -> Option<u32> {
    let first = u32::from_le_bytes([ID[0], ID[1], ID[2], ID[3]]);
    let memory = chip.memory();
    let mut words = (RAM_BASE..RAM_BASE + RAM_SIZE as u32 - HEAD).step_by(4);
    words.find(|at| memory.word(*at) == Some(first) && memory.bytes(*at) == Some(ID))
}

fn in_ram(address: u32, length: u32) -> bool {
    let end = u64::from(address) + u64::from(length);
    address >= RAM_BASE && end <= u64::from(RAM_BASE) + RAM_SIZE as u64
}

/// Makes the program wait while the channel is full, as connected debuggers do: losing part of a
/// line or frame would be worse than the delay.
fn block_if_full(chip: &mut Chip, descriptor: u32) {
    let flags = chip.memory().word(descriptor + FLAGS).unwrap_or_default();
    if flags & MODE != BLOCK_IF_FULL {
        put(chip, descriptor + FLAGS, flags & !MODE | BLOCK_IF_FULL);
    }
}

/// Writes a word of a descriptor, which is in the RAM.
fn put(chip: &mut Chip, address: u32, value: u32) {
    let _ = chip.memory_mut().load(address, &value.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: u32 = RAM_BASE + 0x100;
    const BUFFER: u32 = RAM_BASE + 0x1000;
    const DOWN: u32 = RAM_BASE + 0x1100;
    /// Descriptors of two up channels and of a down channel.
    const CHANNELS: [[u32; 6]; 3] =
        [[RAM_BASE + 0x300, BUFFER, 8, 2, 6, 0], [0, 0, 0, 0, 0, 0], [0, DOWN, 4, 3, 3, 0]];

    fn chip(channels: &[[u32; 6]]) -> Chip {
        let mut chip = Chip::new(4096);
        let mut put = |address, bytes: &[u8]| chip.memory_mut().load(address, bytes).unwrap();
        put(BLOCK, &ID);
        put(BLOCK + 16, &2u32.to_le_bytes());
        put(BLOCK + 20, &1u32.to_le_bytes());
        for (nth, word) in (0..).zip(channels.as_flattened()) {
            put(BLOCK + HEAD + 4 * nth, &word.to_le_bytes());
        }
        put(BUFFER, b"CD....AB");
        put(RAM_BASE + 0x300, b"Terminal\0");
        chip
    }

    fn anywhere() -> Rtt {
        Rtt { place: Place::Anywhere }
    }

    #[test]
    fn an_up_channel_is_read_once_and_around_its_end() {
        let mut chip = chip(&CHANNELS);
        let mut rtt = anywhere();
        assert_eq!(rtt.read(&mut chip), Ok(vec![(0, b"ABCD".to_vec())]));
        assert_eq!(rtt.name(&chip, 0).as_deref(), Some("Terminal"));
        assert_eq!((rtt.name(&chip, 1), rtt.name(&chip, 2)), (None, None));
        assert_eq!(rtt.read(&mut chip), Ok(vec![]));
        assert_eq!(chip.memory().word(BLOCK + HEAD + 16), Some(2));
        assert_eq!(chip.memory().word(BLOCK + HEAD + FLAGS), Some(BLOCK_IF_FULL));
    }

    #[test]
    fn a_down_channel_takes_what_fits() {
        let mut chip = chip(&CHANNELS);
        let mut rtt = anywhere();
        assert_eq!(rtt.write(&mut chip, 0, b"12345"), Ok(3));
        assert_eq!(chip.memory().bytes(DOWN), Some(*b"23\x001"));
        assert_eq!(rtt.write(&mut chip, 0, b"45"), Ok(0));
        assert_eq!(rtt.write(&mut chip, 1, b"45"), Ok(0));
    }

    #[test]
    fn nothing_is_read_before_the_block_is_initialised() {
        let mut chip = Chip::new(4096);
        for mut rtt in [anywhere(), Rtt { place: Place::At(BLOCK) }] {
            assert_eq!(rtt.read(&mut chip), Ok(vec![]));
            assert_eq!(rtt.write(&mut chip, 0, b"1"), Ok(0));
        }
    }

    #[test]
    fn invalid_addresses_in_a_block_are_reported_and_not_followed() {
        let with = |word: usize, value| {
            let mut channels = CHANNELS;
            channels[0][word] = value;
            anywhere().read(&mut chip(&channels)).unwrap_err().to_string()
        };
        assert_eq!(
            with(1, 0x1000_0000),
            "RTT up channel 0: its buffer of 8 bytes at 0x10000000 is not in the RAM"
        );
        assert_eq!(
            with(2, u32::MAX),
            "RTT up channel 0: its buffer of 4294967295 bytes at 0x20001000 is not in the RAM"
        );
        assert_eq!(with(3, 8), "RTT up channel 0: its offset 8 is beyond its buffer of 8 bytes");
        assert_eq!(with(4, 9), "RTT up channel 0: its offset 9 is beyond its buffer of 8 bytes");
        let outside = Rtt { place: Place::At(RAM_BASE - 4) }.read(&mut chip(&CHANNELS));
        assert_eq!(outside, Err(RttError::OutsideRam(RAM_BASE - 4)));
        let mut many = chip(&CHANNELS);
        many.memory_mut().load(BLOCK + 16, &[17]).unwrap();
        let said = anywhere().read(&mut many).unwrap_err();
        assert_eq!(said, RttError::Channels { block: BLOCK, up: 17, down: 1 });
    }
}
