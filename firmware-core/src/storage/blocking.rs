//! A blocking flash for an async-only crate, without a runtime.
//!
//! [`Blocking`] implements the async flash traits for a blocking flash: its futures are ready at
//! the first poll, and so is everything that awaits only them. [`poll_once`] polls such a future
//! once. Erases go through the journal, so that a power cut during one is repaired.

use core::future::Future;
use core::pin::pin;
use core::task::{Context, Poll, Waker};

use embedded_storage::nor_flash::{ErrorType, NorFlash, ReadNorFlash};
use embedded_storage_async::nor_flash as asynchronous;

use super::journal;

/// A borrowed blocking flash as an async one that never waits.
pub(super) struct Blocking<'f, F>(pub(super) &'f mut F);

impl<F: ErrorType> ErrorType for Blocking<'_, F> {
    type Error = F::Error;
}

impl<F: ReadNorFlash> asynchronous::ReadNorFlash for Blocking<'_, F> {
    const READ_SIZE: usize = F::READ_SIZE;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), F::Error> {
        self.0.read(offset, bytes)
    }

    fn capacity(&self) -> usize {
        self.0.capacity()
    }
}

impl<F: NorFlash> asynchronous::NorFlash for Blocking<'_, F> {
    const WRITE_SIZE: usize = F::WRITE_SIZE;
    const ERASE_SIZE: usize = F::ERASE_SIZE;

    async fn erase(&mut self, from: u32, to: u32) -> Result<(), F::Error> {
        journal::erase(self.0, from, to)
    }

    async fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), F::Error> {
        self.0.write(offset, bytes)
    }
}

/// Returns the result of a future that awaits nothing but a [`Blocking`] flash.
///
/// # Errors
/// Errors of the future.
pub(super) fn poll_once<T, E>(
    future: impl Future<Output = Result<T, sequential_storage::Error<E>>>,
) -> Result<T, sequential_storage::Error<E>> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome,
        // No future here waits. If one did, an error is better than a board that hangs.
        Poll::Pending => Err(sequential_storage::Error::LogicBug {}),
    }
}

#[cfg(test)]
mod tests {
    use embedded_storage_async::nor_flash::ReadNorFlash as _;

    use super::*;
    use crate::storage::chip::Chip;
    use crate::storage::layout::FLASH_BYTES;

    #[test]
    fn a_blocking_flash_has_the_capacity_of_its_flash() {
        assert_eq!(Blocking(&mut Chip::factory_new()).capacity(), FLASH_BYTES as usize);
    }
}
