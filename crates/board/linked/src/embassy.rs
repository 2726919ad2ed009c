//! The clock of embassy-time: its timers wait in virtual time.
//!
//! They are futures of an [`executor`](crate::executor()), which polls them again at their time. Tasks
//! of embassy-executor are no part of it: their storage is static, but several boards run in one process.

use core::task::Waker;

use embassy_time_driver::{Driver, time_driver_impl};
use virtual_time::Instant;

use crate::{context, executor};

/// Nanoseconds of a tick of embassy-time, whose rate is 1 MHz.
const TICK: u64 = 1_000;

const _: () = assert!(embassy_time_driver::TICK_HZ * TICK == 1_000_000_000);

struct BoardClock;

time_driver_impl!(static CLOCK: BoardClock = BoardClock);

impl Driver for BoardClock {
    fn now(&self) -> u64 {
        context::uptime().0 / TICK
    }

    fn schedule_wake(&self, at: u64, _: &Waker) {
        executor::wake_at(context::since_power_on(Instant(at.saturating_mul(TICK))));
    }
}
