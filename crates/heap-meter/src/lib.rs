//! The heap meter of programs that check `expect heap none` on the board `native`.
//!
//! [`HEAP_METER`] counts with the allocator of `allocation-counter`. A program that uses it gets
//! that allocator as its global one, so only the command `nudge` and tests depend on this crate.
//! The crate `boards` determines what is measured.

use allocation_counter::{measure, opt_out};
use hal_mock::heap_meter::{HeapMeter, HeapUse};

/// Counts the allocations of the current thread.
pub const HEAP_METER: HeapMeter = HeapMeter {
    measure: |work| {
        let info = measure(work);
        HeapUse { allocations: info.count_total, bytes: info.bytes_total }
    },
    exclude: |work| opt_out(work),
};

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[test]
    fn allocations_are_counted_with_their_bytes() {
        let mut held = Vec::new();
        let used = (HEAP_METER.measure)(&mut || held = black_box(vec![1_u8; 100]));
        assert_eq!(used, HeapUse { allocations: 1, bytes: 100 });
        assert_eq!(held.len(), 100);
    }

    #[test]
    fn excluded_allocations_are_not_counted() {
        let used = (HEAP_METER.measure)(&mut || {
            (HEAP_METER.exclude)(&mut || drop(black_box(vec![1_u8; 100])));
            drop(black_box(Box::new(7_u64)));
        });
        assert_eq!(used, HeapUse { allocations: 1, bytes: 8 });
    }
}
