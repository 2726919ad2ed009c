//! Counts the firmware's heap allocations, without those that the virtual board makes while the
//! firmware moves its pins.
//!
//! [`counted`] runs the firmware, [`Uncounted`] wraps a pin of the board. A [`HeapMeter`] counts.
//! This module does not know the firmware.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{self, OutputPin};
use embedded_hal::pwm::{self, SetDutyCycle};
use embedded_hal::spi::{self, Operation, SpiDevice};
use embedded_io::{Read, ReadReady, Write, WriteReady};
use embedded_storage::nor_flash::{self, MultiwriteNorFlash, NorFlash, ReadNorFlash};
use firmware_core::contacts::{Change, Contacts};
use firmware_core::debounce::Levels;
use firmware_core::entropy::Entropy;
use firmware_core::{sound, time};
use hal_mock::Heap;

use host::heap::{HeapMeter, HeapUse};

/// A meter with its counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeapCount {
    meter: HeapMeter,
    total: HeapUse,
}

impl HeapCount {
    /// Creates a count of zero.
    pub(super) fn new(meter: HeapMeter) -> Self {
        Self { meter, total: HeapUse::default() }
    }

    pub(super) fn meter(&self) -> HeapMeter {
        self.meter
    }
}

impl From<HeapCount> for Heap {
    fn from(count: HeapCount) -> Self {
        let HeapUse { allocations, bytes, .. } = count.total;
        Self::Used { allocations, bytes }
    }
}

/// Runs `firmware` and adds its heap allocations to `count`. Without a count, only runs it.
pub(super) fn counted<T>(count: &mut Option<HeapCount>, firmware: impl FnOnce() -> T) -> T {
    match count {
        Some(HeapCount { meter, total }) => within(firmware, |run| {
            let used = (meter.measure)(run);
            total.allocations += used.allocations;
            total.bytes += used.bytes;
        }),
        None => firmware(),
    }
}

/// Returns the result of `work`, which `frame` runs. A panic of `work` is caught inside the frame
/// and resumed outside; otherwise a meter that nests its frames would never leave this one.
fn within<T>(work: impl FnOnce() -> T, frame: impl FnOnce(&mut dyn FnMut())) -> T {
    let mut work = Some(work);
    let mut result = None;
    frame(&mut || result = work.take().map(|work| catch_unwind(AssertUnwindSafe(work))));
    match result {
        Some(Ok(result)) => result,
        Some(Err(panic)) => resume_unwind(panic),
        None => unreachable!("a meter calls its argument once"),
    }
}

/// A pin or peripheral of the virtual board. Its heap allocations are not the firmware's.
pub(super) struct Uncounted<P> {
    pin: P,
    /// Meter that counts the firmware; `None` if nothing is counted.
    meter: Option<HeapMeter>,
}

impl<P> Uncounted<P> {
    pub(super) fn new(pin: P, meter: Option<HeapMeter>) -> Self {
        Self { pin, meter }
    }

    fn using<T>(&mut self, board: impl FnOnce(&mut P) -> T) -> T {
        let pin = &mut self.pin;
        match self.meter {
            Some(meter) => within(|| board(pin), meter.exclude),
            None => board(pin),
        }
    }
}

impl<P: digital::ErrorType> digital::ErrorType for Uncounted<P> {
    type Error = P::Error;
}

impl<P: Contacts> Contacts for Uncounted<P> {
    fn levels(&mut self) -> Result<Levels, digital::ErrorKind> {
        self.using(P::levels)
    }

    fn take_change(&mut self) -> Result<Option<Change>, digital::ErrorKind> {
        self.using(P::take_change)
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

impl<P: Entropy> Entropy for Uncounted<P> {
    fn bit(&mut self) -> bool {
        self.using(P::bit)
    }

    fn stir(&mut self, pressed: time::Instant) {
        self.using(|source| source.stir(pressed));
    }
}

impl<P: embedded_io::ErrorType> embedded_io::ErrorType for Uncounted<P> {
    type Error = P::Error;
}

impl<P: Read> Read for Uncounted<P> {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, P::Error> {
        self.using(|pin| pin.read(bytes))
    }
}

impl<P: ReadReady> ReadReady for Uncounted<P> {
    fn read_ready(&mut self) -> Result<bool, P::Error> {
        self.using(|pin| pin.read_ready())
    }
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
    use std::cell::Cell;

    use super::*;

    thread_local! {
        /// Number of frames of [`METER`] that have begun and not ended, including those that
        /// exclude.
        static DEPTH: Cell<u32> = const { Cell::new(0) };
        /// Number of bytes that [`take`] has taken inside `measure` and outside `exclude`.
        static TAKEN: Cell<u64> = const { Cell::new(0) };
        static EXCLUDED: Cell<bool> = const { Cell::new(false) };
    }

    /// Counts calls of [`take`] as one byte each.
    const METER: HeapMeter = HeapMeter {
        measure: |work| {
            let before = TAKEN.get();
            DEPTH.set(DEPTH.get() + 1);
            work();
            DEPTH.set(DEPTH.get() - 1);
            let taken = TAKEN.get() - before;
            HeapUse { allocations: taken, bytes: taken, ..HeapUse::default() }
        },
        exclude: |work| {
            let outer = EXCLUDED.replace(true);
            DEPTH.set(DEPTH.get() + 1);
            work();
            DEPTH.set(DEPTH.get() - 1);
            EXCLUDED.set(outer);
        },
    };

    fn take() {
        if DEPTH.get() > 0 && !EXCLUDED.get() {
            TAKEN.set(TAKEN.get() + 1);
        }
    }

    /// A pin that allocates memory at each use.
    struct Greedy;

    impl DelayNs for Greedy {
        fn delay_ns(&mut self, _: u32) {
            take();
        }
    }

    #[test]
    fn only_the_firmwares_own_allocations_are_counted() {
        let mut count = Some(HeapCount::new(METER));
        counted(&mut count, || Uncounted::new(Greedy, Some(METER)).delay_ns(100));
        assert_eq!(count.map(Heap::from), Some(Heap::Used { allocations: 0, bytes: 0 }));
        counted(&mut count, take);
        counted(&mut count, take);
        assert_eq!(count.map(Heap::from), Some(Heap::Used { allocations: 2, bytes: 2 }));
    }

    #[test]
    fn firmware_and_pins_that_panic_leave_the_frames_of_the_meter() {
        let mut count = Some(HeapCount::new(METER));
        let mut panics = |work: fn()| {
            catch_unwind(AssertUnwindSafe(|| counted(&mut count, work))).unwrap_err();
            assert_eq!((DEPTH.get(), EXCLUDED.get()), (0, false));
        };
        panics(|| panic!("{}", "on purpose"));
        panics(|| Uncounted::new((), Some(METER)).using(|()| panic!("{}", "on purpose")));
        counted(&mut count, take);
        assert_eq!(count.map(Heap::from), Some(Heap::Used { allocations: 1, bytes: 1 }));
    }
}
