//! The clock of the board, and delays.

use core::convert::Infallible;
use core::pin::Pin;
use core::task::{Context, Poll};

use embedded_hal::delay::DelayNs;
use virtual_time::{Instant, Nanos};

use crate::context::{self, Inputs, READ};
use crate::executor;

/// The clock of the chip, which begins at power-on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock;

impl Clock {
    /// Returns the time since power-on. Reading it takes a microsecond, so that a loop that waits for
    /// a time ends.
    pub fn now(&self) -> Instant {
        let now = context::uptime();
        context::spend(READ);
        now
    }
}

/// Delays in virtual time, blocking or asynchronous.
#[derive(Clone, Copy, Debug, Default)]
pub struct Delay;

impl DelayNs for Delay {
    fn delay_ns(&mut self, nanos: u32) {
        wait(Nanos(u64::from(nanos)));
    }

    fn delay_us(&mut self, micros: u32) {
        wait(Nanos::from_micros(u64::from(micros)));
    }

    fn delay_ms(&mut self, millis: u32) {
        wait(Nanos::from_millis(u64::from(millis)));
    }
}

fn wait(time: Nanos) {
    context::sleep(context::now().saturating_add(time), Inputs::Wait);
}

impl embedded_hal_async::delay::DelayNs for Delay {
    async fn delay_ns(&mut self, nanos: u32) {
        At::after(Nanos(u64::from(nanos))).await;
    }

    async fn delay_us(&mut self, micros: u32) {
        At::after(Nanos::from_micros(u64::from(micros))).await;
    }

    async fn delay_ms(&mut self, millis: u32) {
        At::after(Nanos::from_millis(u64::from(millis))).await;
    }
}

/// A future that is ready at a time of the board.
struct At(Instant);

impl At {
    fn after(time: Nanos) -> Self {
        Self(context::now().saturating_add(time))
    }
}

impl Future for At {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if context::now() >= self.0 {
            return Poll::Ready(());
        }
        executor::wake_at(self.0);
        Poll::Pending
    }
}

/// The error of pins that cannot fail.
pub(crate) type Never = Infallible;
