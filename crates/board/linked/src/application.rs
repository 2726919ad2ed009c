//! The firmware of an application, in one of three forms.
//!
//! Whatever the form, it becomes a function that gets the pins and never returns; [`LinkedMachine`]
//! runs it. This module knows no board.
//!
//! [`LinkedMachine`]: crate::LinkedMachine

use core::fmt;
use std::sync::Arc;

use virtual_time::{Instant, Nanos};

use crate::executor::run;
use crate::{Pins, context};

/// A firmware that is polled.
pub trait Firmware: 'static {
    /// Does what is due at `now`, the time since power-on, and returns when to be called again. A
    /// change of a button or a control and a byte on the console cause a call in any case.
    fn step(&mut self, now: Instant) -> Wake;
}

/// The next call of [`Firmware::step`] without an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// At once, after everything that happens at the same time.
    Now,
    /// At this time since power-on.
    At(Instant),
    /// After this time.
    After(Nanos),
    /// Only after an input.
    OnInput,
}

/// A firmware that boards can run: each power-on starts it anew.
#[derive(Clone)]
pub struct Application(Arc<dyn Fn(Pins) + Send + Sync>);

impl Application {
    fn new(run: impl Fn(Pins) + Send + Sync + 'static) -> Self {
        Self(Arc::new(run))
    }

    pub(crate) fn run(&self, pins: Pins) {
        (self.0)(pins);
    }
}

impl fmt::Debug for Application {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Application")
    }
}

/// A value that can be used as an application: a function from pins to a [`Firmware`], or an [`Application`].
pub trait IntoApplication<Form> {
    /// Makes an application of it.
    fn into_application(self) -> Application;
}

/// Form of an [`Application`] itself.
#[derive(Debug)]
pub struct Itself;

impl IntoApplication<Itself> for Application {
    fn into_application(self) -> Application {
        self
    }
}

/// Form of a function whose result is polled.
#[derive(Debug)]
pub struct Polled<T>(T);

impl<F, T> IntoApplication<Polled<T>> for F
where
    F: Fn(Pins) -> T + Send + Sync + 'static,
    T: Firmware,
{
    fn into_application(self) -> Application {
        Application::new(move |pins| poll(self(pins)))
    }
}

fn poll(mut firmware: impl Firmware) {
    loop {
        let until = match firmware.step(context::uptime()) {
            // A firmware that is always busy takes time, too.
            Wake::Now => context::now().saturating_add(context::READ),
            Wake::At(at) => context::since_power_on(at),
            Wake::After(time) => context::now().saturating_add(time),
            Wake::OnInput => Instant::NEVER,
        };
        context::sleep(until, context::Inputs::Wake);
    }
}

/// Makes an application of a function that blocks in delays and transfers, as `main` of a firmware
/// does, and never returns: `blocking(|pins| -> ! { … })`.
///
/// Reading an input takes a microsecond of virtual time, so a loop that waits for a level makes
/// progress. A loop that does neither read, nor transfer, nor wait hangs the board, as it would hang
/// the real one.
pub fn blocking<T>(main: impl Fn(Pins) -> T + Send + Sync + 'static) -> Application {
    Application::new(move |pins| {
        main(pins);
    })
}

/// Makes an application of an asynchronous function, which an executor in virtual time runs:
/// `executor(|pins| async move { … })`.
///
/// The futures of [`Delay`](crate::Delay) and [`InputPin`](crate::InputPin) implement the traits of
/// embedded-hal-async; those of embassy-sync and embassy-futures work, too.
pub fn executor<T: Future>(main: impl Fn(Pins) -> T + Send + Sync + 'static) -> Application {
    Application::new(move |pins| {
        run(main(pins));
    })
}
