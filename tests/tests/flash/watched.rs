//! A flash after a power cut that records which of the bytes that the cut may have changed are
//! read.
//!
//! Two cuts that differ only in bytes that are erased before they are read have the same effect:
//! the code that runs on the flash is deterministic and depends only on the bytes that it reads. So
//! the second cut needs no check. This flash can also be rewound to the state before the cut,
//! sector by sector.

use std::ops::Range;

use embedded_storage::nor_flash::{ErrorType, MultiwriteNorFlash, NorFlash, ReadNorFlash};
use hal_mock::flash::{FlashChip, FlashError, SECTOR_SIZE, SECTORS};

/// The use of a byte that the cut may have changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ByteUse {
    Unread,
    Read,
    /// The byte's sector was erased before the byte was read, so the cut's content is gone.
    Erased,
}

/// The bytes that a cut had left, and which of them were read.
#[derive(Clone, Debug)]
pub struct Seen {
    left: Vec<u8>,
    fates: Vec<ByteUse>,
}

impl Seen {
    /// Returns whether all bytes that were read are the same in `left`.
    pub fn is_all_in(&self, left: &[u8]) -> bool {
        let pairs = self.left.iter().zip(left).zip(&self.fates);
        pairs.into_iter().all(|((one, other), fate)| *fate != ByteUse::Read || one == other)
    }
}

pub struct Watched {
    chip: FlashChip,
    range: Range<usize>,
    fates: Vec<ByteUse>,
    /// The sectors that may differ from those of the flash before the cut.
    changed: [bool; SECTORS],
}

impl Watched {
    /// Creates a copy of `before`, after a power cut that may have changed its bytes in `range`.
    pub fn new(before: &FlashChip, range: Range<usize>) -> Self {
        let fates = vec![ByteUse::Unread; range.len()];
        Self { chip: before.clone(), range, fates, changed: [false; SECTORS] }
    }

    /// Restores `before`, of which this is a copy, and applies `cut`.
    pub fn again(&mut self, before: &FlashChip, cut: impl FnOnce(&mut FlashChip)) {
        let changed = (0..SECTORS).filter(|sector| self.changed[*sector]);
        self.chip.copy_sectors(before, changed);
        self.changed.fill(false);
        self.fates.fill(ByteUse::Unread);
        cut(&mut self.chip);
        self.change(self.range.clone());
    }

    /// Returns the bytes that the cut may have changed, without recording a read.
    pub fn left(&self) -> &[u8] {
        &self.chip.image()[self.range.clone()]
    }

    /// Returns the whole image, without recording a read.
    pub fn image(&self) -> &[u8] {
        self.chip.image()
    }

    /// Returns the chip itself. All of it counts as read and as changed.
    pub fn chip(&mut self) -> &mut FlashChip {
        self.fates.fill(ByteUse::Read);
        self.changed.fill(true);
        &mut self.chip
    }

    /// Reads the bytes in `range`.
    pub fn bytes(&mut self, range: Range<usize>) -> &[u8] {
        self.note(range.clone(), ByteUse::Read);
        &self.chip.image()[range]
    }

    /// Returns the record of the reads since the cut, which had left `left`.
    pub fn seen(&self, left: Vec<u8>) -> Seen {
        Seen { left, fates: self.fates.clone() }
    }

    fn note(&mut self, range: Range<usize>, fate: ByteUse) {
        let from = range.start.max(self.range.start);
        let to = range.end.min(self.range.end);
        if from < to {
            let fates = &mut self.fates[from - self.range.start..to - self.range.start];
            fates.iter_mut().filter(|old| **old == ByteUse::Unread).for_each(|old| *old = fate);
        }
    }

    fn change(&mut self, range: Range<usize>) {
        let sectors = range.start / SECTOR_SIZE..range.end.div_ceil(SECTOR_SIZE).min(SECTORS);
        self.changed[sectors].fill(true);
    }
}

impl ErrorType for Watched {
    type Error = FlashError;
}

impl ReadNorFlash for Watched {
    const READ_SIZE: usize = <FlashChip as ReadNorFlash>::READ_SIZE;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), FlashError> {
        self.chip.read(offset, bytes)?;
        self.note(offset as usize..offset as usize + bytes.len(), ByteUse::Read);
        Ok(())
    }

    fn capacity(&self) -> usize {
        ReadNorFlash::capacity(&self.chip)
    }
}

impl NorFlash for Watched {
    const WRITE_SIZE: usize = <FlashChip as NorFlash>::WRITE_SIZE;
    const ERASE_SIZE: usize = <FlashChip as NorFlash>::ERASE_SIZE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), FlashError> {
        let erased = self.chip.erase(from, to).map(drop);
        let range = from as usize..to as usize;
        self.change(range.clone());
        self.note(range, if erased.is_ok() { ByteUse::Erased } else { ByteUse::Read });
        erased
    }

    /// The result of programming, and whether it succeeds, depends on the former content.
    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), FlashError> {
        let range = offset as usize..offset as usize + bytes.len();
        self.change(range.clone());
        self.note(range, ByteUse::Read);
        self.chip.program(offset, bytes).map(drop)
    }
}

impl MultiwriteNorFlash for Watched {}

/// Returns which bytes `work` reads after a cut that left `left` in the first bytes of the second
/// sector.
#[cfg(test)]
fn seen(left: &[u8], work: impl FnOnce(&mut Watched)) -> Seen {
    let before = FlashChip::factory_new();
    let start = SECTOR_SIZE;
    let mut flash = Watched::new(&before, start..start + left.len());
    flash.again(&before, |chip| {
        chip.program(start as u32, left).expect("erased");
    });
    let left = flash.left().to_vec();
    work(&mut flash);
    flash.seen(left)
}

#[test]
fn only_bytes_read_before_an_erase_must_be_equal() {
    let at = SECTOR_SIZE as u32;
    let read = |flash: &mut Watched, offset: u32| {
        ReadNorFlash::read(flash, at + offset, &mut [0; 2]).expect("powered");
    };
    let erase = |flash: &mut Watched| NorFlash::erase(flash, at, at + SECTOR_SIZE as u32);
    let seen_of = |work: &dyn Fn(&mut Watched)| seen(&[1, 2, 3, 4, 5, 6, 7, 8], work);
    let [read_7, read_1] = [[1, 2, 3, 4, 5, 6, 0, 8], [1, 0, 3, 4, 5, 6, 7, 8]];

    let first = seen_of(&|flash| read(flash, 0));
    assert!(first.is_all_in(&read_7) && !first.is_all_in(&read_1));
    let erased = seen_of(&|flash| {
        read(flash, 0);
        erase(flash).expect("powered");
        read(flash, 6);
    });
    assert!(erased.is_all_in(&read_7) && !erased.is_all_in(&read_1));
    let programmed = seen_of(&|flash| NorFlash::write(flash, at + 4, &[0; 4]).expect("powered"));
    assert!(!programmed.is_all_in(&read_7) && programmed.is_all_in(&read_1));
    let whole = seen_of(&|flash| {
        flash.chip();
    });
    assert!(!whole.is_all_in(&read_7) && !whole.is_all_in(&read_1));
}

#[test]
fn a_rewound_flash_is_equal_to_the_one_before_the_cut() {
    let mut before = FlashChip::factory_new();
    before.program(0, &[0x5A; 3 * SECTOR_SIZE]).expect("erased");
    let mut flash = Watched::new(&before, 8..16);
    flash.again(&before, |chip| {
        chip.program(8, &[0; 8]).expect("bits fall");
    });
    NorFlash::erase(&mut flash, 4096, 8192).expect("powered");
    NorFlash::write(&mut flash, 8192, &[0; 8]).expect("bits fall");
    assert!(flash.image() != before.image());
    flash.again(&before, |_| ());
    assert!(flash.image() == before.image());
}
