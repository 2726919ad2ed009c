//! The interface of a heap meter. The virtual board has no meter of its own: a meter needs a
//! counting global allocator, and only the program chooses that (the crate `heap-meter` has one).

/// Counts the current thread's heap allocations.
///
/// Both functions call their argument exactly once and return after it. They may be nested.
#[derive(Clone, Copy, Debug)]
pub struct HeapMeter {
    /// Runs the argument and returns its heap allocations.
    pub measure: fn(&mut dyn FnMut()) -> HeapUse,
    /// Runs the argument; an enclosing `measure` does not count its allocations.
    pub exclude: fn(&mut dyn FnMut()),
}

/// Heap allocations, including those that were freed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeapUse {
    /// Number of allocations.
    pub allocations: u64,
    /// Total size of the allocations in bytes.
    pub bytes: u64,
}
