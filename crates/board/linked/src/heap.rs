//! Heap memory of a firmware: counted without that of the virtual board, and limited.
//!
//! The machine measures each call of the firmware; [`context`](crate::context) excludes what pins
//! allocate. A limit is checked between two calls, so a loop that allocates and never uses a pin is not
//! noticed here, but by those who watch for firmware that does not return.

use hal_mock::Heap;
use host::heap::{HeapMeter, HeapUse};

/// Largest number of bytes that a firmware may have on the heap: 1,000 times the RAM of the chip.
pub(crate) const HEAP_MAX: u64 = 256 << 20;

/// A meter with the count of a firmware.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeapCount {
    pub(crate) meter: HeapMeter,
    total: HeapUse,
}

impl HeapCount {
    /// Creates a count of zero.
    pub(crate) fn new(meter: HeapMeter) -> Self {
        Self { meter, total: HeapUse::default() }
    }

    /// Notes that the firmware starts again with an empty heap.
    pub(crate) fn restart(&mut self) {
        self.total.retained = 0;
    }

    /// Runs `firmware` and counts what it allocates. It must not panic.
    pub(crate) fn count<T>(&mut self, firmware: impl FnOnce() -> T) -> T {
        let mut used = HeapUse::default();
        let result = framed(firmware, |work| used = (self.meter.measure)(work));
        self.total.allocations += used.allocations;
        self.total.bytes += used.bytes;
        self.total.retained += used.retained;
        result
    }

    /// Returns the number of bytes on the heap if they are above the limit.
    pub(crate) fn excess(&self) -> Option<u64> {
        u64::try_from(self.total.retained).ok().filter(|bytes| *bytes > HEAP_MAX)
    }
}

impl From<HeapCount> for Heap {
    fn from(HeapCount { total: HeapUse { allocations, bytes, .. }, .. }: HeapCount) -> Self {
        Self::Used { allocations, bytes }
    }
}

/// Runs `work`, whose allocations are not the firmware's.
pub(crate) fn uncounted<T>(meter: Option<HeapMeter>, work: impl FnOnce() -> T) -> T {
    match meter {
        Some(meter) => framed(work, meter.exclude),
        None => work(),
    }
}

/// Returns the result of `work`, which `frame` calls once.
fn framed<T>(work: impl FnOnce() -> T, frame: impl FnOnce(&mut dyn FnMut())) -> T {
    let mut work = Some(work);
    let mut result = None;
    frame(&mut || result = work.take().map(|work| work()));
    match result {
        Some(result) => result,
        None => unreachable!("a meter calls its argument once"),
    }
}
