//! The board that the firmware on this thread runs on at the moment, and the ways to spend its time.
//!
//! A machine [`enter`]s its board while it runs its firmware. The firmware is a coroutine: the
//! functions here suspend it once the clock has reached the machine's limit.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use board_file::BoardFile;

#[expect(deprecated, reason = "a pin has no scope of the coroutine at hand")]
use generator::yield_with;
use hal_mock::VirtualBoard;
use hal_mock::board::Terminals;
use host::heap::HeapMeter;
use virtual_time::{Instant, Nanos};

use crate::heap;

/// Time that the reading of an input takes, so that a loop around it makes progress.
pub(crate) const READ: Nanos = Nanos::from_micros(1);

/// The state in which a firmware is suspended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Suspended {
    /// Time at which it continues.
    pub(crate) until: Instant,
    pub(crate) inputs: Inputs,
    /// Whether the firmware has asked for it, and not the machine's limit.
    pub(crate) sleeps: bool,
}

impl Suspended {
    /// A firmware that continues at `until`.
    pub(crate) const fn asleep(until: Instant, inputs: Inputs) -> Self {
        Self { until, inputs, sleeps: true }
    }
}

/// Whether an input continues a firmware before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inputs {
    Wake,
    Wait,
}

/// The board of the machine that runs.
pub(crate) struct Context {
    pub(crate) board: VirtualBoard,
    pub(crate) file: Arc<BoardFile>,
    pub(crate) powered_at: Instant,
    /// Time at which the firmware is suspended.
    pub(crate) limit: Instant,
    /// The time and the inputs that the futures of the firmware's current poll wait for.
    pub(crate) awaited: Rc<Cell<Suspended>>,
    /// Counts the firmware's heap memory, without that of the board.
    pub(crate) meter: Option<HeapMeter>,
    /// Whether the firmware is dropped, so that it cannot be suspended any more.
    pub(crate) ends: bool,
}

thread_local! {
    static CURRENT: RefCell<Option<Context>> = const { RefCell::new(None) };
}

/// Calls `run` while `context` is the current one.
pub(crate) fn enter<T>(context: Context, run: impl FnOnce() -> T) -> T {
    /// Restores the previous context, also if the firmware panics.
    struct Restore(Option<Context>);

    impl Drop for Restore {
        fn drop(&mut self) {
            let previous = self.0.take();
            CURRENT.with(|current| *current.borrow_mut() = previous);
        }
    }

    let previous = CURRENT.with(|current| current.borrow_mut().replace(context));
    let _restore = Restore(previous);
    run()
}

/// Calls `look` with the current context.
///
/// # Panics
/// Outside of a firmware: a pin was used before the board had power, or on another thread.
pub(crate) fn with<T>(look: impl FnOnce(&Context) -> T) -> T {
    CURRENT.with(|current| match &*current.borrow() {
        Some(context) => heap::uncounted(context.meter, || look(context)),
        None => {
            panic!("a pin was used outside of the firmware: on another thread, or without power")
        }
    })
}

/// Runs `work` of a pin, whose allocations are not the firmware's. It must not suspend the firmware, nor
/// use the board.
pub(crate) fn uncounted<T>(work: impl FnOnce() -> T) -> T {
    let meter = CURRENT.with(|current| current.borrow().as_ref().and_then(|context| context.meter));
    heap::uncounted(meter, work)
}

/// Calls `reach` with the far ends of the board's wires and the time.
pub(crate) fn terminals<T>(reach: impl FnOnce(&Terminals, Instant) -> T) -> T {
    with(|context| reach(&context.board.terminals(), context.board.now()))
}

/// Returns the time of the board.
pub(crate) fn now() -> Instant {
    with(|context| context.board.now())
}

/// Returns the time since power-on.
pub(crate) fn uptime() -> Instant {
    with(|context| Instant(context.board.now().saturating_since(context.powered_at).0))
}

/// Returns the time of the board at a time since power-on.
pub(crate) fn since_power_on(at: Instant) -> Instant {
    with(|context| context.powered_at.saturating_add(Nanos(at.0)))
}

/// Lets `time` pass in which the firmware is busy.
pub(crate) fn spend(time: Nanos) {
    with(|context| context.board.advance_to(context.board.now().saturating_add(time)));
    suspend_at_limit();
}

/// Suspends the firmware if the clock has reached the machine's limit, or the power is off.
pub(crate) fn suspend_at_limit() {
    let (now, is_due) = with(|context| {
        let now = context.board.now();
        let is_due = now >= context.limit || !context.board.is_powered();
        (now, is_due && !context.ends)
    });
    if is_due {
        suspend(Suspended { until: now, inputs: Inputs::Wait, sleeps: false });
    }
}

/// Suspends the firmware until `until`, or until the next input if that continues it.
pub(crate) fn sleep(until: Instant, inputs: Inputs) {
    if with(|context| !context.ends) {
        suspend(Suspended::asleep(until, inputs));
    }
}

/// Suspends the coroutine of the firmware.
#[expect(deprecated, reason = "a pin has no scope of the coroutine at hand")]
fn suspend(suspended: Suspended) {
    yield_with(suspended);
}
