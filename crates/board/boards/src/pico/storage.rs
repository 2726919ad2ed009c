//! Keeps the board's flash equal to the last 256 KiB of the chip's, in content and in wear.

use hal_mock::VirtualBoard;
use hal_mock::flash::{FLASH_SIZE as STORAGE, FlashChip, FlashError, WRITE_SIZE};
use rp2040_emulator::chip::{Chip, FlashChange};
use rp2040_emulator::memory::FLASH_BASE;
use rp2040_emulator::program::FLASH_SIZE;

/// Offset of the board's flash in the chip's.
const BEGIN: u32 = (FLASH_SIZE - STORAGE) as u32;

/// Copies the board's flash into the chip's.
pub(super) fn load_flash(board: &VirtualBoard, chip: &mut Chip) {
    let image = board.with_flash(|flash| flash.image().to_vec());
    chip.memory_mut()
        .load(FLASH_BASE + BEGIN, &image)
        .expect("the storage lies within the chip's flash");
    chip.watch_flash();
}

/// Repeats the operations on the chip's flash on the board's flash. Returns false if the power
/// failed in one.
pub(super) fn carry_out(board: &VirtualBoard, chip: &mut Chip) -> bool {
    let changes = chip.take_flash_changes();
    changes.is_empty()
        || board.with_flash(|flash| {
            changes.iter().all(|change| {
                !matches!(store_flash_change(flash, change), Err(FlashError::PowerLost { .. }))
            })
        })
}

fn store_flash_change(flash: &mut FlashChip, change: &FlashChange) -> Result<(), FlashError> {
    match change {
        FlashChange::Erase { offset, length } => {
            let end = (offset + length).saturating_sub(BEGIN);
            flash.erase(offset.saturating_sub(BEGIN), end)?;
        }
        FlashChange::Program { offset, bytes } => {
            if let Some(offset) = offset.checked_sub(BEGIN) {
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
