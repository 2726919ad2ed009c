//! Whose memory it is: counts what the firmware takes from the heap, and leaves out what the virtual
//! board takes while the firmware moves its pins.
//!
//! [`counted`] runs the firmware, [`Uncounted`] is a pin of the board. The counting is that of
//! `allocation-counter`, whose allocator counts by thread; it knows no firmware.

use std::ops::AddAssign;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use allocation_counter::{measure, opt_out};
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{self, InputPin, OutputPin};
use embedded_hal::pwm::{self, SetDutyCycle};
use embedded_hal::spi::{self, Operation, SpiDevice};
use embedded_io::{Write, WriteReady};
use embedded_storage::nor_flash::{self, MultiwriteNorFlash, NorFlash, ReadNorFlash};
use firmware_core::sound;
use hal_mock::Heap;

/// What was taken from the heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Taken {
    allocations: u64,
    bytes: u64,
}

impl AddAssign for Taken {
    fn add_assign(&mut self, more: Self) {
        self.allocations += more.allocations;
        self.bytes += more.bytes;
    }
}

impl From<Taken> for Heap {
    fn from(Taken { allocations, bytes }: Taken) -> Self {
        Self::Used { allocations, bytes }
    }
}

/// Runs `firmware`, and adds what it takes from the heap to `taken`, if anybody counts.
pub(super) fn counted<T>(taken: &mut Option<Taken>, firmware: impl FnOnce() -> T) -> T {
    match taken {
        Some(taken) => within(firmware, |run| {
            let info = measure(run);
            *taken += Taken { allocations: info.count_total, bytes: info.bytes_total };
        }),
        None => firmware(),
    }
}

fn uncounted<T>(board: impl FnOnce() -> T) -> T {
    within(board, |run| opt_out(run))
}

/// The result of `work` that `frame` runs. A panic leaves the frame in an orderly way: what it
/// nests would never end otherwise.
fn within<T>(work: impl FnOnce() -> T, frame: impl FnOnce(&mut dyn FnMut())) -> T {
    let mut work = Some(work);
    let mut result = None;
    frame(&mut || result = work.take().map(|work| catch_unwind(AssertUnwindSafe(work))));
    match result {
        Some(Ok(result)) => result,
        Some(Err(panic)) => resume_unwind(panic),
        None => unreachable!("a frame runs what it is given, once"),
    }
}

/// A pin or peripheral of the virtual board, whose memory is not the firmware's.
pub(super) struct Uncounted<P> {
    pin: P,
    /// Whether the firmware's is counted: only then it matters.
    counts: bool,
}

impl<P> Uncounted<P> {
    pub(super) fn new(pin: P, counts: bool) -> Self {
        Self { pin, counts }
    }

    fn using<T>(&mut self, board: impl FnOnce(&mut P) -> T) -> T {
        if self.counts { uncounted(|| board(&mut self.pin)) } else { board(&mut self.pin) }
    }
}

impl<P: digital::ErrorType> digital::ErrorType for Uncounted<P> {
    type Error = P::Error;
}

impl<P: InputPin> InputPin for Uncounted<P> {
    fn is_high(&mut self) -> Result<bool, P::Error> {
        self.using(|pin| pin.is_high())
    }

    fn is_low(&mut self) -> Result<bool, P::Error> {
        self.using(|pin| pin.is_low())
    }
}

impl<P: OutputPin> OutputPin for Uncounted<P> {
    fn set_low(&mut self) -> Result<(), P::Error> {
        self.using(|pin| pin.set_low())
    }

    fn set_high(&mut self) -> Result<(), P::Error> {
        self.using(|pin| pin.set_high())
    }
}

impl<P: spi::ErrorType> spi::ErrorType for Uncounted<P> {
    type Error = P::Error;
}

impl<P: SpiDevice> SpiDevice for Uncounted<P> {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), P::Error> {
        self.using(|pin| pin.transaction(operations))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), P::Error> {
        self.using(|pin| pin.write(bytes))
    }
}

impl<P: DelayNs> DelayNs for Uncounted<P> {
    fn delay_ns(&mut self, ns: u32) {
        self.using(|pin| pin.delay_ns(ns));
    }
}

impl<P: pwm::ErrorType> pwm::ErrorType for Uncounted<P> {
    type Error = P::Error;
}

impl<P: SetDutyCycle> SetDutyCycle for Uncounted<P> {
    fn max_duty_cycle(&self) -> u16 {
        self.pin.max_duty_cycle()
    }

    fn set_duty_cycle(&mut self, duty: u16) -> Result<(), P::Error> {
        self.using(|pin| pin.set_duty_cycle(duty))
    }
}

impl<P: sound::Buzzer> sound::Buzzer for Uncounted<P> {
    fn set_frequency(&mut self, hz: u32) {
        self.using(|pin| pin.set_frequency(hz));
    }
}

impl<P: embedded_io::ErrorType> embedded_io::ErrorType for Uncounted<P> {
    type Error = P::Error;
}

impl<P: Write> Write for Uncounted<P> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, P::Error> {
        self.using(|pin| pin.write(bytes))
    }

    fn flush(&mut self) -> Result<(), P::Error> {
        self.using(|pin| pin.flush())
    }
}

impl<P: WriteReady> WriteReady for Uncounted<P> {
    fn write_ready(&mut self) -> Result<bool, P::Error> {
        self.using(|pin| pin.write_ready())
    }
}

impl<P: nor_flash::ErrorType> nor_flash::ErrorType for Uncounted<P> {
    type Error = P::Error;
}

impl<P: ReadNorFlash> ReadNorFlash for Uncounted<P> {
    const READ_SIZE: usize = P::READ_SIZE;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), P::Error> {
        self.using(|pin| pin.read(offset, bytes))
    }

    fn capacity(&self) -> usize {
        self.pin.capacity()
    }
}

impl<P: NorFlash> NorFlash for Uncounted<P> {
    const WRITE_SIZE: usize = P::WRITE_SIZE;
    const ERASE_SIZE: usize = P::ERASE_SIZE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), P::Error> {
        self.using(|pin| pin.erase(from, to))
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), P::Error> {
        self.using(|pin| pin.write(offset, bytes))
    }
}

impl<P: MultiwriteNorFlash> MultiwriteNorFlash for Uncounted<P> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_firmware_takes_counts_and_what_its_pins_take_does_not() {
        struct Greedy;
        impl DelayNs for Greedy {
            fn delay_ns(&mut self, ns: u32) {
                assert_eq!(vec![0_u8; ns as usize].len(), ns as usize);
            }
        }
        let mut taken = Some(Taken::default());
        counted(&mut taken, || Uncounted::new(Greedy, true).delay_ns(100));
        assert_eq!(taken.map(Heap::from), Some(Heap::Used { allocations: 0, bytes: 0 }));
        let kept = counted(&mut taken, || vec![1_u8; 100]);
        assert_eq!(kept.len(), 100);
        assert_eq!(taken.map(Heap::from), Some(Heap::Used { allocations: 1, bytes: 100 }));
    }

    #[test]
    fn firmware_that_panics_again_and_again_is_still_counted() {
        let mut taken = Some(Taken::default());
        for _ in 0..200 {
            let panics = || counted(&mut taken, || panic!("{}", "on purpose"));
            catch_unwind(AssertUnwindSafe(panics)).unwrap_err();
        }
        let before = taken.unwrap();
        drop(counted(&mut taken, || std::hint::black_box(Box::new(7_u64))));
        assert_eq!(taken.unwrap().allocations, before.allocations + 1);
    }
}
