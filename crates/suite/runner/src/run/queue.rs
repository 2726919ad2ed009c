//! Hands the traces out in order to the threads that replay them. A trace is at most [`AHEAD_MAX`]
//! ahead of the last report, which bounds the number of reports that wait for their turn.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Maximum number of traces that may be handed out beyond the last one reported.
const AHEAD_MAX: usize = 256;

pub(crate) struct Queue {
    count: usize,
    state: Mutex<State>,
    moved: Condvar,
}

struct State {
    /// Index of the next trace to be handed out.
    next: usize,
    /// Number of traces that have been reported.
    reported: usize,
}

impl Queue {
    pub fn new(count: usize) -> Self {
        let state = Mutex::new(State { next: 0, reported: 0 });
        Self { count, state, moved: Condvar::new() }
    }

    /// Returns the next trace, waiting until it is not too far ahead of the reports; `None` if
    /// there is none.
    pub fn take(&self) -> Option<usize> {
        let state = self.state();
        let too_far =
            |state: &mut State| state.next < self.count && state.next >= state.reported + AHEAD_MAX;
        let waited = self.moved.wait_while(state, too_far);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        let index = state.next;
        (index < self.count).then(|| {
            state.next += 1;
            index
        })
    }

    /// Records that one more trace has been reported.
    pub fn reported(&self) {
        self.state().reported += 1;
        self.moved.notify_all();
    }

    /// Stops the queue: no more traces are handed out.
    pub fn stop(&self) {
        self.state().next = self.count;
        self.moved.notify_all();
    }

    /// Returns the state. A thread that panicked while holding the lock has left it valid.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stops the queue when it is dropped, including after an error or a panic.
pub(crate) struct StopsAtEnd<'a>(pub &'a Queue);

impl Drop for StopsAtEnd<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_trace_is_handed_out_once_and_none_too_far_ahead() {
        let queue = Queue::new(AHEAD_MAX + 2);
        let ahead: Vec<usize> = (0..AHEAD_MAX).filter_map(|_| queue.take()).collect();
        assert_eq!(ahead, (0..AHEAD_MAX).collect::<Vec<_>>());
        std::thread::scope(|scope| {
            let next = scope.spawn(|| queue.take());
            queue.reported();
            assert_eq!(next.join().unwrap(), Some(AHEAD_MAX));
        });
    }

    #[test]
    fn a_waiting_thread_gets_none_when_the_queue_stops() {
        let queue = Queue::new(AHEAD_MAX + 2);
        for _ in 0..AHEAD_MAX {
            queue.take();
        }
        std::thread::scope(|scope| {
            let next = scope.spawn(|| queue.take());
            drop(StopsAtEnd(&queue));
            assert_eq!(next.join().unwrap(), None);
        });
    }
}
