//! Threads for work that any number of them can share. Fewer are spawned where memory is short.

use std::hint::black_box;
use std::io;
use std::sync::mpsc;
use std::thread::{Builder, Scope};

/// Memory that must be free before another thread is spawned, in bytes. The allocator reserves 64
/// MiB per thread, and 128 MiB temporarily while it does so, and a replay needs some. The block is
/// only reserved, never touched.
const HEADROOM: usize = 192 << 20;

/// Size in bytes of a block that is reserved and released to set glibc's thresholds: its allocator
/// then retains up to twice as much freed memory (mallopt(3), M_MMAP_THRESHOLD and
/// M_TRIM_THRESHOLD). The block is never touched.
const RETAINED_BYTES: usize = 16 << 20;

/// Lets the allocator retain the memory that a replay frees for the next one. By default glibc
/// returns it to the operating system after each replay, and the 2 MB of pages that a replay
/// touches are allocated and cleared again: a sixth of the time of a short replay. Other allocators
/// ignore this.
pub fn retain_freed_memory() {
    has_room(RETAINED_BYTES);
}

/// Spawns up to `wanted` threads, each with a piece of work from `work`. Returns the number of
/// threads spawned.
///
/// # Errors
/// The error of the operating system if not even one thread can be spawned.
pub fn spawn<'scope, W>(
    scope: &'scope Scope<'scope, '_>,
    wanted: usize,
    work: impl Fn() -> W,
) -> io::Result<usize>
where
    W: FnOnce() + Send + 'scope,
{
    retain_freed_memory();
    for number in 0..wanted {
        if number > 0 && !has_room(HEADROOM) {
            return Ok(number);
        }
        let (begun, has_begun) = mpsc::channel();
        let work = work();
        let job = move || {
            // By now the allocator has reserved this thread's memory.
            let _ = begun.send(());
            work();
        };
        match Builder::new().spawn_scoped(scope, job) {
            Ok(_) => drop(has_begun.recv()),
            Err(error) if number == 0 => return Err(error),
            Err(_) => return Ok(number),
        }
    }
    Ok(wanted)
}

fn has_room(bytes: usize) -> bool {
    let mut room: Vec<u8> = Vec::new();
    let has = room.try_reserve_exact(bytes).is_ok();
    black_box(&room);
    has
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn all_threads_work_where_there_is_memory() {
        let worked = AtomicUsize::new(0);
        let count = std::thread::scope(|scope| {
            let work = || {
                worked.fetch_add(1, Ordering::Relaxed);
            };
            spawn(scope, 7, || work).unwrap()
        });
        assert_eq!((count, worked.into_inner()), (7, 7));
    }

    #[test]
    fn an_allocation_larger_than_memory_has_no_room() {
        assert!(has_room(1 << 20));
        // More than the address space of any processor.
        assert!(!has_room(usize::MAX >> 16));
    }
}
