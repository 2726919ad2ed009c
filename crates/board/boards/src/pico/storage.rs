//! Keeps the board's flash equal to the last 256 KiB of the chip's, in content and in wear.

use hal_mock::VirtualBoard;
use hal_mock::flash::{FLASH_SIZE as STORAGE, FlashChip, FlashError, WRITE_SIZE};
use rp2040_emulator::chip::{Chip, FlashChange};
use rp2040_emulator::memory::FLASH_BASE;

/// Returns the offset of the board's flash in the chip's; `None` if the chip's flash of `size`
/// bytes is too small for it.
fn begin(size: usize) -> Option<u32> {
    size.checked_sub(STORAGE).and_then(|begin| u32::try_from(begin).ok())
}

/// Copies the board's flash into the chip's, which has `size` bytes.
pub(super) fn load_flash(board: &VirtualBoard, chip: &mut Chip, size: usize) {
    let Some(begin) = begin(size) else { return };
    let image = board.with_flash(|flash| flash.image().to_vec());
    chip.memory_mut()
        .load(FLASH_BASE + begin, &image)
        .expect("the storage lies within the chip's flash");
    chip.watch_flash();
}

/// Repeats the operations on the chip's flash on the board's flash. Returns false if the power
/// failed in one. The chip's flash has `size` bytes.
pub(super) fn carry_out(board: &VirtualBoard, chip: &mut Chip, size: usize) -> bool {
    let Some(begin) = begin(size) else { return true };
    let changes = chip.take_flash_changes();
    changes.is_empty()
        || board.with_flash(|flash| {
            changes.iter().all(|change| {
                !matches!(
                    store_flash_change(flash, change, begin),
                    Err(FlashError::PowerLost { .. })
                )
            })
        })
}

fn store_flash_change(
    flash: &mut FlashChip,
    change: &FlashChange,
    begin: u32,
) -> Result<(), FlashError> {
    match change {
        FlashChange::Erase { offset, length } => {
            let end = (offset + length).saturating_sub(begin);
            flash.erase(offset.saturating_sub(begin), end)?;
        }
        FlashChange::Program { offset, bytes } => {
            if let Some(offset) = offset.checked_sub(begin) {
                program(flash, offset, bytes)?;
            }
        }
    }
    Ok(())
}

/// Programs the bytes of a page that are not `0xFF`. A driver fills up the page with such bytes.
fn program(flash: &mut FlashChip, offset: u32, page: &[u8]) -> Result<(), FlashError> {
    let Some(first) = page.iter().position(|byte| *byte != 0xFF) else { return Ok(()) };
    let last = page.iter().rposition(|byte| *byte != 0xFF).unwrap_or(first);
    let (first, end) = (first / WRITE_SIZE * WRITE_SIZE, (last + 1).next_multiple_of(WRITE_SIZE));
    let begin = offset as usize + first;
    let held = flash.image().get(begin..offset as usize + end).unwrap_or_default();
    // Programming ones changes nothing.
    let leave = |(wanted, held): (&u8, &u8)| if *wanted == 0xFF { *held } else { *wanted };
    let bytes: Vec<u8> = page[first..end].iter().zip(held).map(leave).collect();
    flash.program(begin as u32, &bytes).map(drop)
}
