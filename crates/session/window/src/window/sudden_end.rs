//! Work that a session still does when the process ends suddenly. If the X server goes away, Xlib
//! calls `exit` from inside SDL's event loop: nothing returns and nothing on the stack is
//! dropped, but thread-local values are. The work is stored in one of them. It knows no session.

use std::cell::RefCell;

thread_local! {
    static LEFT: RefCell<Option<Left>> = const { RefCell::new(None) };
}

/// Work that is done when it is dropped.
struct Left(Option<Box<dyn FnOnce()>>);

impl Drop for Left {
    fn drop(&mut self) {
        if let Some(work) = self.0.take() {
            work();
        }
    }
}

/// Guard of the work: the end of the process on this thread does the work unless the guard was
/// dropped before.
pub(super) struct Armed(());

/// Does `work`, which must not panic, when the process ends on this thread. Where a system's
/// `exit` does not drop thread-local values, nothing is done.
pub(super) fn arm(work: impl FnOnce() + 'static) -> Armed {
    LEFT.set(Some(Left(Some(Box::new(work)))));
    Armed(())
}

impl Drop for Armed {
    fn drop(&mut self) {
        let _ = LEFT.try_with(|left| {
            if let Some(left) = left.borrow_mut().as_mut() {
                left.0 = None;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;

    use super::*;

    /// Returns how many times the work was done at the end of a thread, which has dropped the
    /// guard before if `taken_back`.
    fn done(taken_back: bool) -> u32 {
        let count = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&count);
        let work = move || {
            let armed = arm(move || {
                counted.fetch_add(1, Ordering::Relaxed);
            });
            if taken_back { drop(armed) } else { std::mem::forget(armed) }
        };
        thread::spawn(work).join().expect("it does not panic");
        count.load(Ordering::Relaxed)
    }

    #[test]
    fn the_work_is_done_once_at_the_end_unless_it_was_taken_back() {
        assert_eq!([done(false), done(true)], [1, 0]);
    }
}
