//! What a heap meter is. The virtual board brings none: a meter needs a global allocator that counts,
//! and only the program decides on that (the crate `heap-meter` has one).

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

/// What was taken from the heap, whether it was given back or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeapUse {
    /// Number of allocations.
    pub allocations: u64,
    /// Their size in bytes.
    pub bytes: u64,
}
