//! The board's flash: the last 256 KiB of the Pico's 2 MiB W25Q16JV, with the physics of NOR.
//!
//! Erasing sets whole 4 KiB sectors to `0xFF`; programming only clears bits, page by page of 256
//! bytes. A program that would set a bit is an error: the real chip would silently leave the bit at
//! zero. Power can be cut after any byte, which leaves the operation half done (see [`Tear`]).
//! Every sector counts its erasures.
//!
//! [`FlashChip`] returns the time that the real chip takes; the owner of the clock advances it. The
//! module knows no file system and no setting: all bytes are alike. Reading takes no time here
//! (execute-in-place reads through the RP2040's cache).
//!
//! Addresses are offsets from the start of the 256 KiB, not of the chip.

mod geometry;
mod operation;
mod reader;

use core::fmt;
use std::sync::Arc;

use embedded_storage::nor_flash::{
    ErrorType, MultiwriteNorFlash, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash,
};

pub use geometry::{
    FLASH_SIZE, PAGE_PROGRAM, PAGE_SIZE, SECTOR_ERASE, SECTOR_SIZE, SECTORS, WRITE_SIZE,
};
pub use operation::FlashOperation;
pub use reader::FlashReader;
pub(crate) use reader::collapsed;
use virtual_time::{Nanos, Random};

/// State of a page or sector after the power is lost in the middle of a program or erase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tear {
    /// Bytes change one after another, from the lowest address: the bytes before the cut are done,
    /// the bytes after it are unchanged.
    #[default]
    InOrder,
    /// Models the silicon: all cells of a page or sector change together, so after a cut each bit
    /// to be changed may or may not have changed. An erase first clears the sector (the first
    /// quarter of its time) and then raises its bits. The bits are drawn from the seed.
    Ragged {
        /// The same seed tears the same operation in the same way.
        seed: u64,
    },
}

/// A flash operation failed. Nothing has changed, unless power was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlashError {
    /// `from..to` is not inside the flash, or ends before it starts.
    OutOfBounds {
        /// First byte.
        from: u64,
        /// One past the last byte.
        to: u64,
    },
    /// `from..to` is not made of whole units of `unit` bytes (word or sector).
    NotAligned {
        /// First byte.
        from: u64,
        /// One past the last byte.
        to: u64,
        /// [`WRITE_SIZE`] or [`SECTOR_SIZE`].
        unit: usize,
    },
    /// A program would have to turn a 0 into a 1, which only an erase does.
    WouldSetBits {
        /// Address of the first byte with such a bit.
        at: u32,
        /// Current value of that byte.
        holds: u8,
        /// Requested value of that byte.
        wanted: u8,
    },
    /// The power went before or during the operation.
    PowerLost {
        /// The byte that was not finished.
        at: u32,
    },
}

impl fmt::Display for FlashError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::OutOfBounds { from, to } => {
                write!(out, "flash {from:#07x}..{to:#07x} is outside of 0..{FLASH_SIZE:#x}")
            }
            Self::NotAligned { from, to, unit } => {
                write!(
                    out,
                    "flash {from:#07x}..{to:#07x} is not made of whole units of {unit} bytes"
                )
            }
            Self::WouldSetBits { at, holds, wanted } => write!(
                out,
                "flash {at:#07x} holds {holds:#04x} and cannot become {wanted:#04x}: \
                 programming only clears bits; erase its sector first"
            ),
            Self::PowerLost { at } => write!(out, "power was lost at flash {at:#07x}"),
        }
    }
}

impl core::error::Error for FlashError {}

impl NorFlashError for FlashError {
    fn kind(&self) -> NorFlashErrorKind {
        match self {
            Self::OutOfBounds { .. } => NorFlashErrorKind::OutOfBounds,
            Self::NotAligned { .. } => NorFlashErrorKind::NotAligned,
            Self::WouldSetBits { .. } | Self::PowerLost { .. } => NorFlashErrorKind::Other,
        }
    }
}

/// An image whose size is not that of the flash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlashImageError {
    /// Size of the image in bytes.
    pub bytes: usize,
}

impl fmt::Display for FlashImageError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "a flash image of {} bytes; the board's flash has exactly {FLASH_SIZE} \
             (the last 256 KiB of the Pico's)",
            self.bytes
        )
    }
}

impl core::error::Error for FlashImageError {}

/// The flash chip. As [`NorFlash`] it takes no time; [`FlashChip::program`] and
/// [`FlashChip::erase`] return the time for which the real chip is busy.
pub struct FlashChip {
    /// Contents, shared between copies of the chip until one of them is programmed or erased.
    cells: Arc<Vec<u8>>,
    /// Number of erasures begun, for each sector.
    wear: [u32; SECTORS],
    operations: u64,
    bytes_changed: u64,
    /// Number of bytes that may still be programmed or erased before the power is cut; `None` = no
    /// cut is planned.
    bytes_left: Option<u64>,
    powered: bool,
    /// Whether programs and erasures change nothing.
    stuck: bool,
    tear: Tear,
    tolerant: bool,
    /// Operations executed so far, if they are recorded.
    record: Option<Vec<FlashOperation>>,
}

impl Clone for FlashChip {
    fn clone(&self) -> Self {
        Self { cells: Arc::clone(&self.cells), record: self.record.clone(), ..*self }
    }

    /// Copies into the existing allocation: tests that start from one flash a hundred thousand
    /// times spend most of their time here.
    fn clone_from(&mut self, source: &Self) {
        let mut cells = core::mem::take(&mut self.cells);
        match Arc::get_mut(&mut cells) {
            Some(own) => own.clone_from(&source.cells),
            None => cells = Arc::clone(&source.cells),
        }
        *self = Self { cells, record: source.record.clone(), ..*source };
    }
}

impl Default for FlashChip {
    fn default() -> Self {
        Self::factory_new()
    }
}

impl FlashChip {
    /// Creates a chip as delivered: powered, every byte `0xFF`, no wear.
    pub fn factory_new() -> Self {
        Self::with_cells(vec![0xFF; FLASH_SIZE])
    }

    /// Creates a chip with these cells, powered, with its counters at zero.
    fn with_cells(cells: Vec<u8>) -> Self {
        Self {
            cells: Arc::new(cells),
            wear: [0; SECTORS],
            operations: 0,
            bytes_changed: 0,
            bytes_left: None,
            powered: true,
            stuck: false,
            tear: Tear::InOrder,
            tolerant: false,
            record: None,
        }
    }

    /// Creates a chip that contains `image`, powered, with its counters at zero.
    ///
    /// # Errors
    /// If the image does not have exactly [`FLASH_SIZE`] bytes.
    pub fn from_image(image: Vec<u8>) -> Result<Self, FlashImageError> {
        if image.len() != FLASH_SIZE {
            return Err(FlashImageError { bytes: image.len() });
        }
        Ok(Self::with_cells(image))
    }

    /// Copies the bytes of `sectors` from `source`, and all its state except for its other bytes.
    ///
    /// # Panics
    /// If there is no such sector ([`SECTORS`]).
    pub fn copy_sectors(&mut self, source: &Self, sectors: impl IntoIterator<Item = usize>) {
        let cells = self.cells_mut();
        for sector in sectors {
            let range = sector * SECTOR_SIZE..(sector + 1) * SECTOR_SIZE;
            cells[range.clone()].copy_from_slice(&source.cells[range]);
        }
        let cells = core::mem::take(&mut self.cells);
        *self = Self { cells, record: source.record.clone(), ..*source };
    }

    /// Returns all bytes, whether the chip is powered or not.
    pub fn image(&self) -> &[u8] {
        &self.cells
    }

    /// Returns the bytes of a chip that is not used any more.
    pub fn into_image(self) -> Vec<u8> {
        Arc::unwrap_or_clone(self.cells)
    }

    /// Fills `bytes` from `offset` on. Any address and length within the flash is allowed.
    ///
    /// # Errors
    /// Out of bounds, or no power.
    pub fn read(&self, offset: u32, bytes: &mut [u8]) -> Result<(), FlashError> {
        let range = within(u64::from(offset), u64::from(offset) + bytes.len() as u64, 1)?;
        if !self.powered {
            return Err(FlashError::PowerLost { at: offset });
        }
        bytes.copy_from_slice(&self.cells[range]);
        Ok(())
    }

    /// Programs `bytes` at `offset` and returns the time for which the chip is busy:
    /// [`PAGE_PROGRAM`] for each affected page.
    ///
    /// # Errors
    /// Out of bounds; not whole words; a bit would have to be set (then nothing is programmed);
    /// power lost (bytes programmed before that are retained).
    pub fn program(&mut self, offset: u32, bytes: &[u8]) -> Result<Nanos, FlashError> {
        let range = within(u64::from(offset), u64::from(offset) + bytes.len() as u64, WRITE_SIZE)?;
        if !self.powered {
            return Err(FlashError::PowerLost { at: offset });
        }
        if !self.tolerant {
            let held = &self.cells[range.clone()];
            if let Some(i) = (0..bytes.len()).find(|&i| bytes[i] & !held[i] != 0) {
                let at = offset + i as u32;
                return Err(FlashError::WouldSetBits { at, holds: held[i], wanted: bytes[i] });
            }
        }
        if bytes.is_empty() {
            return Ok(Nanos::ZERO);
        }
        self.operations += 1;
        if let Some(record) = &mut self.record {
            record.push(FlashOperation::Program { at: offset, bytes: bytes.to_vec() });
        }
        let mut busy = Nanos::ZERO;
        let mut start = range.start;
        while start < range.end {
            let end = range.end.min((start / PAGE_SIZE + 1) * PAGE_SIZE);
            busy = busy.saturating_add(PAGE_PROGRAM);
            if self.stuck {
                start = end;
                continue;
            }
            let wanted = &bytes[start - range.start..end - range.start];
            let done = self.spend(end - start);
            for (cell, byte) in self.cells_mut()[start..start + done].iter_mut().zip(wanted) {
                *cell &= byte;
            }
            if done < end - start {
                self.tear_program(start, done, wanted);
                return Err(FlashError::PowerLost { at: (start + done) as u32 });
            }
            start = end;
        }
        Ok(busy)
    }

    /// Sets all bytes of the sectors `from..to` to `0xFF` and returns the time for which the chip
    /// is busy: [`SECTOR_ERASE`] for each.
    ///
    /// # Errors
    /// Out of bounds; not whole sectors; power lost (sectors before that are erased).
    pub fn erase(&mut self, from: u32, to: u32) -> Result<Nanos, FlashError> {
        let range = within(u64::from(from), u64::from(to), SECTOR_SIZE)?;
        if !self.powered {
            return Err(FlashError::PowerLost { at: from });
        }
        let mut busy = Nanos::ZERO;
        for start in range.step_by(SECTOR_SIZE) {
            self.operations += 1;
            if let Some(record) = &mut self.record {
                record.push(FlashOperation::Erase { at: start as u32 });
            }
            busy = busy.saturating_add(SECTOR_ERASE);
            if self.stuck {
                continue;
            }
            self.wear[start / SECTOR_SIZE] += 1;
            let done = self.spend(SECTOR_SIZE);
            if done < SECTOR_SIZE {
                self.tear_erase(start, done);
                return Err(FlashError::PowerLost { at: (start + done) as u32 });
            }
            self.cells_mut()[start..start + SECTOR_SIZE].fill(0xFF);
        }
        Ok(busy)
    }

    /// Plans a power cut after `bytes` more bytes have been programmed or erased (a sector counts
    /// 4096): the operation that needs one more stops in the middle, and every later one fails
    /// until [`FlashChip::restore_power`].
    pub fn cut_after(&mut self, bytes: u64) {
        self.bytes_left = Some(bytes);
    }

    /// Returns the number of bytes until a planned cut; `None` if none is planned.
    pub fn bytes_left(&self) -> Option<u64> {
        self.bytes_left
    }

    /// Discards a planned cut.
    pub fn cancel_cut(&mut self) {
        self.bytes_left = None;
    }

    /// Makes every later program and erasure change nothing, as if the chip were write-protected; or
    /// take effect again. Each still takes its time; a planned cut does not count them.
    pub fn stick(&mut self, stuck: bool) {
        self.stuck = stuck;
    }

    /// Returns whether programs and erasures change nothing.
    pub fn is_stuck(&self) -> bool {
        self.stuck
    }

    /// Switches the power off between two operations.
    pub fn lose_power(&mut self) {
        self.powered = false;
    }

    /// Switches the power on and discards a planned cut. The bytes are as the cut left them.
    pub fn restore_power(&mut self) {
        self.powered = true;
        self.bytes_left = None;
    }

    /// Returns whether the chip is powered.
    pub fn is_powered(&self) -> bool {
        self.powered
    }

    /// Sets the effect of later power cuts; initially [`Tear::InOrder`].
    pub fn set_tear(&mut self, tear: Tear) {
        self.tear = tear;
    }

    /// Makes a program that would set a bit leave the bit at 0 silently, like the real chip.
    /// Without this call it is an error.
    pub fn tolerate_set_bits(&mut self) {
        self.tolerant = true;
    }

    /// Starts recording every program and erasure, including those that lose power.
    pub fn start_recording(&mut self) {
        self.record = Some(Vec::new());
    }

    /// Stops recording and returns the operations since [`FlashChip::start_recording`].
    pub fn take_recording(&mut self) -> Vec<FlashOperation> {
        self.record.take().unwrap_or_default()
    }

    /// Returns the number of erasures of `sector` that have begun; `None` after the last sector
    /// ([`SECTORS`]).
    pub fn wear(&self, sector: usize) -> Option<u32> {
        self.wear.get(sector).copied()
    }

    /// Returns the number of programs and sector erasures that have begun.
    pub fn operations(&self) -> u64 {
        self.operations
    }

    /// Returns the number of bytes completely programmed and erased, as [`FlashChip::cut_after`]
    /// counts them.
    pub fn bytes_changed(&self) -> u64 {
        self.bytes_changed
    }

    fn cells_mut(&mut self) -> &mut [u8] {
        let cells: &mut Vec<u8> = Arc::make_mut(&mut self.cells);
        cells
    }

    /// Returns how many of the next `wanted` bytes are completed before the planned cut; cuts the
    /// power if not all are.
    fn spend(&mut self, wanted: usize) -> usize {
        let done = match &mut self.bytes_left {
            None => wanted,
            Some(left) => {
                let done = usize::try_from(*left).unwrap_or(usize::MAX).min(wanted);
                *left -= done as u64;
                if done < wanted {
                    self.powered = false;
                }
                done
            }
        };
        self.bytes_changed += done as u64;
        done
    }

    /// Applies the partial effect of a page program at `start` that got the time for `done` of its
    /// bytes.
    fn tear_program(&mut self, start: usize, done: usize, wanted: &[u8]) {
        let Tear::Ragged { seed } = self.tear else {
            return;
        };
        // Only the bytes after `done`: the operation completes at least the bytes before the cut.
        for (i, byte) in wanted.iter().enumerate().skip(done) {
            let fallen = ragged_bits(seed, start + i, done + 1, wanted.len() + 1);
            self.cells_mut()[start + i] &= byte | !fallen;
        }
    }

    /// Applies the partial effect of an erasure of the sector at `start` that got the time for
    /// `done` of its bytes.
    fn tear_erase(&mut self, start: usize, done: usize) {
        const CLEARING: usize = SECTOR_SIZE / 4;
        match self.tear {
            Tear::InOrder => self.cells_mut()[start..start + done].fill(0xFF),
            Tear::Ragged { seed } => {
                for (i, cell) in self.cells_mut()[start..start + SECTOR_SIZE].iter_mut().enumerate()
                {
                    *cell = if done < CLEARING {
                        *cell & !ragged_bits(seed, start + i, done, CLEARING)
                    } else {
                        ragged_bits(seed, start + i, done - CLEARING, SECTOR_SIZE - CLEARING)
                    };
                }
            }
        }
    }
}

impl fmt::Debug for FlashChip {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("FlashChip")
            .field("powered", &self.powered)
            .field("operations", &self.operations)
            .field("bytes_changed", &self.bytes_changed)
            .finish_non_exhaustive()
    }
}

impl ErrorType for FlashChip {
    type Error = FlashError;
}

impl ReadNorFlash for FlashChip {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), FlashError> {
        Self::read(self, offset, bytes)
    }

    fn capacity(&self) -> usize {
        FLASH_SIZE
    }
}

impl NorFlash for FlashChip {
    const WRITE_SIZE: usize = WRITE_SIZE;
    const ERASE_SIZE: usize = SECTOR_SIZE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), FlashError> {
        Self::erase(self, from, to).map(drop)
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), FlashError> {
        self.program(offset, bytes).map(drop)
    }
}

/// A word may be programmed again to clear more of its bits.
impl MultiwriteNorFlash for FlashChip {}

/// Returns `from..to` as indices, if it is inside the flash and made of whole units.
fn within(from: u64, to: u64, unit: usize) -> Result<core::ops::Range<usize>, FlashError> {
    if from > to || to > FLASH_SIZE as u64 {
        return Err(FlashError::OutOfBounds { from, to });
    }
    let range = from as usize..to as usize;
    if !range.start.is_multiple_of(unit) || !range.end.is_multiple_of(unit) {
        return Err(FlashError::NotAligned { from, to, unit });
    }
    Ok(range)
}

/// Returns a byte for `address` whose bits are each set with the probability `done / whole`.
fn ragged_bits(seed: u64, address: usize, done: usize, whole: usize) -> u8 {
    let threshold = ((done << 16) / whole) as u64;
    let mut bits = 0;
    // Sixteen random bits for each bit: `done` has at most 4096 values in a sector.
    for half in 0..2 {
        let mut draws = mix(seed ^ mix((address as u64) << 1 | half));
        for bit in 0..4 {
            if draws & 0xFFFF < threshold {
                bits |= 1 << (4 * half + bit);
            }
            draws >>= 16;
        }
    }
    bits
}

/// Returns a well-mixed 64-bit value for each input.
fn mix(input: u64) -> u64 {
    Random::new(input).next()
}

impl FlashOperation {
    /// Applies the operation to `chip`, and returns the time for which the chip is busy.
    ///
    /// # Errors
    /// As [`FlashChip::program`] and [`FlashChip::erase`].
    pub fn apply(&self, chip: &mut FlashChip) -> Result<Nanos, FlashError> {
        match self {
            Self::Program { at, bytes } => chip.program(*at, bytes),
            Self::Erase { at } => chip.erase(*at, at + SECTOR_SIZE as u32),
        }
    }
}

#[cfg(test)]
mod tests;
