//! An executor in virtual time: runs one future, and sleeps until the earliest time that a future in
//! it waits for, or until an input.
//!
//! A future that waits for a time calls [`wake_at`] at each poll, one that waits for an input
//! [`wake_on_input`]. Wakers, which futures use among each other, cause a poll at the same time.

use core::pin::pin;
use core::sync::atomic::{AtomicBool, Ordering};
use core::task::{Context, Poll, Waker};
use std::sync::Arc;
use std::task::Wake;

use virtual_time::Instant;

use crate::context::{self, Inputs, READ, Suspended};

/// Polls the future that runs again at `at`.
pub(crate) fn wake_at(at: Instant) {
    await_also(|awaited| Suspended { until: awaited.until.min(at), ..awaited });
}

/// Polls the future that runs again after the next input.
pub(crate) fn wake_on_input() {
    await_also(|awaited| Suspended { inputs: Inputs::Wake, ..awaited });
}

fn await_also(change: impl FnOnce(Suspended) -> Suspended) {
    context::with(|context| context.awaited.set(change(context.awaited.get())));
}

/// A waker that notes its call.
struct Flag(AtomicBool);

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs `main` to its end.
pub(crate) fn run<T>(main: impl Future<Output = T>) -> T {
    let flag = context::uncounted(|| Arc::new(Flag(AtomicBool::new(false))));
    let waker = Waker::from(Arc::clone(&flag));
    let mut main = pin!(main);
    loop {
        await_also(|_| Suspended::asleep(Instant::NEVER, Inputs::Wait));
        if let Poll::Ready(result) = main.as_mut().poll(&mut Context::from_waker(&waker)) {
            return result;
        }
        let Suspended { until, inputs, .. } = context::with(|context| context.awaited.get());
        // Futures that wake each other for ever take time, too.
        let until = match flag.0.swap(false, Ordering::Relaxed) {
            true => context::now().saturating_add(READ),
            false => until,
        };
        context::sleep(until, inputs);
    }
}
