//! Simulates power cuts at every byte that an operation programs or erases.
//!
//! [`everywhere`] runs the operation once and records each flash access. Then it cuts each access
//! after each of its bytes, torn in several ways, and checks the flash that the next start finds.
//! This is equal to a cut of the operation itself, because a flash without power does not change;
//! the equality is checked once for each access. Cuts that cannot be distinguished by their check
//! are checked once ([`Watched`]).

use std::fmt;

use firmware_core::storage::StorageError;
use hal_mock::flash::{FlashChip, FlashOperation, Tear};
use nudge_tests::part::Part;

use crate::watched::{Seen, Watched};

/// The ways in which a cut leaves the bytes: in order, and torn in two ways.
pub const TEARS: [Tear; 3] = [Tear::InOrder, Tear::Ragged { seed: 1 }, Tear::Ragged { seed: 2 }];

/// The time of a power cut.
pub struct CutTime {
    tear: Tear,
    operation: usize,
    of: usize,
    at: u32,
    byte: usize,
    bytes: usize,
}

impl fmt::Display for CutTime {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tear, operation, of, at, byte, bytes } = self;
        write!(
            out,
            "{tear:?}, operation {operation} of {of} at {at:#07x}, cut after {byte} of {bytes} bytes"
        )
    }
}

/// Counts of the tested cuts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cuts {
    /// Flash accesses that were cut.
    pub operations: usize,
    /// Erases among them.
    pub erases: usize,
    /// Number of power cuts.
    pub moments: usize,
    /// Power cuts that the check could distinguish from the one before.
    pub states: usize,
}

/// Runs `work` on copies of `before`, with the power cut at every byte in turn, and calls `check`
/// with the flash after each cut, powered again. A [part](Part) selects the first, the middle and
/// the last bytes of each access, and the others by their number. If a cut leaves the same as the
/// one before in all bytes that the earlier check has read, it is counted but not checked: the
/// check cannot distinguish them.
#[track_caller]
pub fn everywhere(
    before: &FlashChip,
    work: impl Fn(&mut FlashChip) -> Result<(), StorageError>,
    check: impl FnMut(&CutTime, &mut Watched),
) -> Cuts {
    let part = Part::of_this_run();
    at_bytes(before, work, |done, byte| is_at_an_edge(done, byte) || part.has(byte), check)
}

/// Like [`everywhere`], but cuts an erase only at its first and last 3 bytes, and at each
/// `stride`th between, for operations that erase many sectors. Programs are cut as by
/// [`everywhere`].
#[track_caller]
pub fn in_every_operation(
    before: &FlashChip,
    stride: usize,
    work: impl Fn(&mut FlashChip) -> Result<(), StorageError>,
    check: impl FnMut(&CutTime, &mut Watched),
) -> Cuts {
    let part = Part::of_this_run();
    let at = |done: &FlashOperation, byte: usize| {
        let between = if done.is_erase() {
            byte.is_multiple_of(stride) && part.has(byte / stride)
        } else {
            part.has(byte)
        };
        between || is_at_an_edge(done, byte)
    };
    at_bytes(before, work, at, check)
}

/// Returns whether the byte is one of the first or last 3, or the middle one.
fn is_at_an_edge(done: &FlashOperation, byte: usize) -> bool {
    byte < 3 || byte + 3 >= done.bytes() || byte == done.bytes() / 2
}

#[track_caller]
fn at_bytes(
    before: &FlashChip,
    work: impl Fn(&mut FlashChip) -> Result<(), StorageError>,
    cuts_at: impl Fn(&FlashOperation, usize) -> bool,
    mut check: impl FnMut(&CutTime, &mut Watched),
) -> Cuts {
    let mut whole = before.clone();
    whole.start_recording();
    work(&mut whole).expect("nothing cuts this");
    let operations = whole.take_recording();
    let of = operations.len();
    let mut cuts = Cuts { operations: of, ..Cuts::default() };
    let mut chip = before.clone();
    for (operation, done) in operations.iter().enumerate() {
        let (at, bytes) = (done.at(), done.bytes());
        let range = at as usize..at as usize + bytes;
        cuts.erases += usize::from(done.is_erase());
        let mut torn = Watched::new(&chip, range);
        for tear in TEARS {
            let mut last: Option<Seen> = None;
            for byte in (0..bytes).filter(|byte| cuts_at(done, *byte)) {
                torn.again(&chip, |chip| tear_at(chip, done, tear, byte));
                let moment = CutTime { tear, operation, of, at, byte, bytes };
                if byte == bytes / 2 {
                    let spent = chip.bytes_changed() - before.bytes_changed() + byte as u64;
                    let cut = cut(before, &work, tear, spent);
                    assert!(cut.image() == torn.image(), "{moment}: the work leaves another flash");
                }
                cuts.moments += 1;
                if last.as_ref().is_none_or(|last| !last.is_all_in(torn.left())) {
                    cuts.states += 1;
                    let left = torn.left().to_vec();
                    check(&moment, &mut torn);
                    last = Some(torn.seen(left));
                }
            }
        }
        done.apply(&mut chip).expect("powered");
    }
    assert!(chip.image() == whole.image(), "the operations are not all that was done");
    cuts
}

/// Applies `operation` with a power cut after `byte` bytes; the flash is powered again afterwards.
fn tear_at(chip: &mut FlashChip, operation: &FlashOperation, tear: Tear, byte: usize) {
    chip.set_tear(tear);
    chip.cut_after(byte as u64);
    assert!(operation.apply(chip).is_err(), "an operation that loses its power says so");
    chip.restore_power();
}

/// Returns `before` after `work` with a power cut after `bytes` bytes; the flash is powered again.
#[track_caller]
pub fn cut(
    before: &FlashChip,
    work: impl Fn(&mut FlashChip) -> Result<(), StorageError>,
    tear: Tear,
    bytes: u64,
) -> FlashChip {
    let mut chip = before.clone();
    chip.set_tear(tear);
    chip.cut_after(bytes);
    assert!(work(&mut chip).is_err(), "work that loses its power says so");
    chip.restore_power();
    chip
}

/// Returns the number of bytes that `work` programs and erases, starting from `before`.
#[track_caller]
pub fn bytes_of(
    before: &FlashChip,
    work: impl Fn(&mut FlashChip) -> Result<(), StorageError>,
) -> u64 {
    let mut chip = before.clone();
    work(&mut chip).expect("nothing cuts this");
    chip.bytes_changed() - before.bytes_changed()
}
