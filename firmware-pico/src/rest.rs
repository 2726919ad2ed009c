//! Sleeps until work is due, and feeds the watchdog that restarts a hanging board.
//!
//! The timer's alarm has no handler: interrupts are masked while the core sleeps, and it still
//! wakes from WFI (ARMv6-M, B1.5.19). An edge of a button wakes it in the same way; its handler
//! ([`contacts`]) runs once interrupts are no longer masked.

use cortex_m::interrupt::free;
use embedded_hal::delay::DelayNs;
use firmware_core::time::{Instant, Micros, Wake};
use rp2040_hal::fugit::{ExtU32, TimerInstantU64};
use rp2040_hal::pac::{Interrupt, NVIC};
use rp2040_hal::timer::{Alarm, Alarm0};
use rp2040_hal::watchdog::ScratchRegister;
use rp2040_hal::{Timer, Watchdog};

use crate::{console, contacts};

/// Time without feeding after which the watchdog restarts the board. The longest step saves a game:
/// a few sectors of flash, each of which may take 0.4 s to erase (W25Q16JV datasheet, 9.6).
const WATCHDOG: Micros = Micros::from_millis(8_000);

/// Interval of feeding the watchdog while nothing happens.
const FEED: Micros = Micros::from_millis(3_000);

/// Longest time in which every step requests the next one immediately. After it the app counts as
/// hung, and the watchdog is no longer fed. A whole screen takes 60 ms.
const BUSY: Micros = Micros::from_millis(2_000);

/// Value of a scratch register from the start of the watchdog to the next power-on: after flashing,
/// the bootrom restarts the board with the watchdog too, but does not set this.
const STARTED: u32 = u32::from_be_bytes(*b"dog!");

const _: () = assert!(FEED.0 * 2 < WATCHDOG.0 && BUSY.0 < WATCHDOG.0);

/// The timer and the watchdog.
pub struct Sleeper {
    timer: Timer,
    alarm: Alarm0,
    watchdog: Watchdog,
    /// Time since which every step has requested the next one immediately.
    busy_since: Option<Instant>,
    has_hung: bool,
}

impl Sleeper {
    /// Takes the first alarm. `timed_out` is whether the chip reports that its watchdog timed out.
    pub fn new(mut timer: Timer, watchdog: Watchdog, timed_out: bool) -> Self {
        let Some(mut alarm) = timer.alarm_0() else { unreachable!("alarm 0 is taken once, here") };
        alarm.enable_interrupt();
        let has_hung = timed_out && watchdog.read_scratch(ScratchRegister::Scratch0) == STARTED;
        Self { timer, alarm, watchdog, busy_since: None, has_hung }
    }

    /// Returns whether the watchdog caused this start.
    pub fn has_hung(&self) -> bool {
        self.has_hung
    }

    /// Returns the time since power-on.
    pub fn now(&self) -> Instant {
        Instant(self.timer.get_counter().ticks())
    }

    /// Returns a blocking delay, for the LCD's initialisation. The core sleeps meanwhile.
    pub fn delay(&mut self) -> impl DelayNs + '_ {
        WholeMicros(self)
    }

    /// Starts the watchdog: from now on the board restarts unless [`Self::sleep_until`] is called.
    pub fn start_watchdog(&mut self) {
        self.watchdog.write_scratch(ScratchRegister::Scratch0, STARTED);
        self.watchdog.start((WATCHDOG.0 as u32).micros());
    }

    /// Sleeps after a step until `wake`, an edge of a button, or typed input.
    pub fn sleep_until(&mut self, wake: Wake) {
        let now = self.now();
        self.feed_after_a_step(now, wake);
        let due = match wake {
            Wake::Now => return,
            Wake::At(at) => at,
            Wake::OnInput => Instant(u64::MAX),
        };
        loop {
            let now = self.now();
            // An edge after this check is pending and wakes the core.
            let slept = free(|key| {
                let sleeps = now < due && !contacts::has_changed(key) && !console::has_input(key);
                if sleeps {
                    self.sleep(due.min(now.saturating_add(FEED)));
                }
                sleeps
            });
            if !slept {
                return;
            }
            self.watchdog.feed();
        }
    }

    /// Sleeps until `at`, which must be at most [`FEED`] away, or until something else wakes the
    /// core. Call it while interrupts are masked.
    fn sleep(&mut self, at: Instant) {
        self.alarm.clear_interrupt();
        NVIC::unpend(Interrupt::TIMER_IRQ_0);
        unmask(Interrupt::TIMER_IRQ_0);
        // Fails only for a time too far away for the alarm; [`FEED`] is near enough.
        if self.alarm.schedule_at(TimerInstantU64::from_ticks(at.0)).is_ok() {
            cortex_m::asm::wfi();
        }
        NVIC::mask(Interrupt::TIMER_IRQ_0);
    }

    /// Feeds the watchdog if the step made progress: if it leaves nothing to be done immediately.
    fn feed_after_a_step(&mut self, now: Instant, wake: Wake) {
        let busy = match wake {
            Wake::Now => true,
            Wake::At(at) => at <= now,
            Wake::OnInput => false,
        };
        if !busy {
            self.busy_since = None;
        }
        if !busy || now.saturating_since(*self.busy_since.get_or_insert(now)) < BUSY {
            self.watchdog.feed();
        }
    }
}

/// Delays that are never too short. The timer counts edges of its microseconds, and the first one
/// may come immediately: its ten microseconds can be just over nine.
struct WholeMicros<'r>(&'r mut Sleeper);

impl DelayNs for WholeMicros<'_> {
    fn delay_ns(&mut self, nanos: u32) {
        let micros = u64::from(nanos.div_ceil(1_000)) + 1;
        let until = self.0.now().saturating_add(Micros(micros));
        loop {
            let now = self.0.now();
            if until <= now {
                return;
            }
            free(|_| self.0.sleep(until.min(now.saturating_add(FEED))));
        }
    }
}

#[expect(unsafe_code, reason = "cortex-m cannot know that nothing relies on a mask here")]
fn unmask(interrupt: Interrupt) {
    // SAFETY: PRIMASK masks all interrupts until this one is masked again, so no handler runs.
    unsafe { NVIC::unmask(interrupt) };
}
