//! Threads for work that any number of them can share. Where memory is short there are fewer.

use std::hint::black_box;
use std::io;
use std::sync::mpsc;
use std::thread::{Builder, Scope};

/// Memory that must be free before another thread begins, in bytes: the allocator reserves 64 MiB for a
/// thread and 128 MiB while it does so, and a replay needs some. It is asked for and not touched.
const HEADROOM: usize = 192 << 20;

/// A block whose release tells glibc's allocator how much of what is freed it may keep: twice as much
/// (mallopt(3), M_MMAP_THRESHOLD and M_TRIM_THRESHOLD). It is asked for and not touched.
const KEPT: usize = 16 << 20;

/// Lets the allocator keep what a replay frees for the next one. By itself glibc returns it to the operating system after each, and
/// the 2 MB of pages that a replay touches are handed out and cleared anew: a sixth of the time of a short replay.
/// Other allocators pay no heed.
pub fn keep_freed_memory() {
    has_room(KEPT);
}

/// Spawns up to `wanted` threads, each with a piece of work from `work`; returns how many there are.
///
/// # Errors
/// What the operating system answers if not even one can be spawned.
pub fn spawn<'scope, W>(
    scope: &'scope Scope<'scope, '_>,
    wanted: usize,
    work: impl Fn() -> W,
) -> io::Result<usize>
where
    W: FnOnce() + Send + 'scope,
{
    keep_freed_memory();
    for number in 0..wanted {
        if number > 0 && !has_room(HEADROOM) {
            return Ok(number);
        }
        let (begun, has_begun) = mpsc::channel();
        let work = work();
        let job = move || {
            // What a thread reserves for itself is reserved now.
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
    fn there_is_no_room_for_more_than_memory_has() {
        assert!(has_room(1 << 20));
        assert!(!has_room(isize::MAX as usize));
    }
}
