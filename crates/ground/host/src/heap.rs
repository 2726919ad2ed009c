//! Counts heap allocations, for `expect heap none` on the target `native`.
//!
//! [`HeapMeter`] is the interface. `HEAP_METER`, with the feature `heap-meter`, counts with the
//! allocator of `allocation-counter`, which then is the program's global one: only the command
//! `nudge` and tests enable it. The crate `boards` decides what is measured.

/// Counts what the current thread takes from the heap.
///
/// Both functions call their argument exactly once and return after it. They may be nested.
#[derive(Clone, Copy, Debug)]
pub struct HeapMeter {
    /// Runs the argument and returns what it took from the heap.
    pub measure: fn(&mut dyn FnMut()) -> HeapUse,
    /// Runs the argument; an enclosing `measure` does not count what it takes.
    pub exclude: fn(&mut dyn FnMut()),
}

/// Memory that was allocated, whether it was freed or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeapUse {
    /// Number of allocations.
    pub allocations: u64,
    /// Their size in bytes.
    pub bytes: u64,
    /// Number of bytes that were allocated and not freed; below 0 if more was freed.
    pub retained: i64,
}

/// Counts the allocations of the current thread.
#[cfg(feature = "heap-meter")]
pub const HEAP_METER: HeapMeter = HeapMeter {
    measure: |work| {
        let info = allocation_counter::measure(work);
        HeapUse {
            allocations: info.count_total,
            bytes: info.bytes_total,
            retained: info.bytes_current,
        }
    },
    exclude: |work| allocation_counter::opt_out(work),
};

/// Returns how many bytes more the current thread has on the heap after `work` than before.
#[cfg(feature = "heap-meter")]
pub fn retained(work: impl FnOnce()) -> i64 {
    allocation_counter::measure(work).bytes_current
}

#[cfg(all(test, feature = "heap-meter"))]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[test]
    fn allocations_are_counted_with_their_bytes() {
        let mut held = Vec::new();
        let used = (HEAP_METER.measure)(&mut || held = black_box(vec![1_u8; 100]));
        assert_eq!(used, HeapUse { allocations: 1, bytes: 100, retained: 100 });
        assert_eq!(held.len(), 100);
    }

    #[test]
    fn only_what_is_not_given_back_is_retained() {
        let mut held = Vec::new();
        let bytes = retained(|| {
            drop(black_box(vec![1_u8; 1_000]));
            held = black_box(vec![1_u8; 100]);
        });
        assert_eq!((bytes, held.len()), (100, 100));
    }

    #[test]
    fn excluded_allocations_are_not_counted() {
        let used = (HEAP_METER.measure)(&mut || {
            (HEAP_METER.exclude)(&mut || drop(black_box(vec![1_u8; 100])));
            drop(black_box(Box::new(7_u64)));
        });
        assert_eq!(used, HeapUse { allocations: 1, bytes: 8, retained: 0 });
    }
}
