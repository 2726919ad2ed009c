//! The storage in the chip's flash.

use embedded_storage::nor_flash::{ErrorType, MultiwriteNorFlash, NorFlash, ReadNorFlash};
use hal_mock::board::FlashHandle;
use hal_mock::flash::FlashError;

use crate::context;

/// The last 256 KiB of the chip's flash. Erasing and programming take the time of its datasheet.
#[derive(Debug)]
pub struct Flash;

fn on_chip<T>(reach: impl FnOnce(&mut FlashHandle) -> T) -> T {
    let result = context::with(|context| reach(&mut context.board.flash()));
    context::suspend_at_limit();
    result
}

impl ErrorType for Flash {
    type Error = FlashError;
}

impl ReadNorFlash for Flash {
    const READ_SIZE: usize = FlashHandle::READ_SIZE;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), FlashError> {
        on_chip(|flash| flash.read(offset, bytes))
    }

    fn capacity(&self) -> usize {
        hal_mock::flash::FLASH_SIZE
    }
}

impl NorFlash for Flash {
    const WRITE_SIZE: usize = FlashHandle::WRITE_SIZE;
    const ERASE_SIZE: usize = FlashHandle::ERASE_SIZE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), FlashError> {
        on_chip(|flash| flash.erase(from, to))
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), FlashError> {
        on_chip(|flash| flash.write(offset, bytes))
    }
}

impl MultiwriteNorFlash for Flash {}
