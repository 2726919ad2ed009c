//! The time, and registers that more than one module writes.

use core::sync::atomic::{AtomicU32, Ordering};

use probe_protocol::ProbeTime;
use rp2040_hal::pac::{self, NVIC};

/// Latency margin in microseconds: more recent events may still be in the state machines or the
/// DMA.
pub const MARGIN_US: u64 = 2;

/// A point in time, by the timer and by the state machines' count.
#[derive(Clone, Copy)]
pub struct Now {
    /// Microseconds since the chip was reset.
    pub micros: u64,
    /// Units of [`STAMP_NS`] since the state machines were started.
    pub units: u64,
}

impl Now {
    /// Returns the current time.
    pub fn current() -> Self {
        let micros = micros();
        Self { micros, units: units_at(micros) }
    }

    /// Returns the time `micros` microseconds before, as the host reads it.
    pub fn before(self, micros: u64) -> ProbeTime {
        ProbeTime::from_micros(self.micros.saturating_sub(micros))
    }

    /// Extends a stamp's lower 32 bits to the whole count. The stamp must be at most half a minute
    /// old, or more recent than this time.
    pub fn whole(self, stamp: u32) -> u64 {
        let ago = (self.units as u32).wrapping_sub(stamp) as i32;
        self.units.saturating_add_signed(-i64::from(ago))
    }

    /// As [`whole`](Self::whole), for 31 bits and a quarter of a minute.
    pub fn whole_of_31(self, stamp: u32) -> u64 {
        let ago = ((self.units as u32).wrapping_sub(stamp) << 1) as i32 >> 1;
        self.units.saturating_add_signed(-i64::from(ago))
    }
}

/// Time of the timer, in microseconds, when the machines were started.
static STARTED: AtomicU32 = AtomicU32::new(0);

/// Returns the machines' count at `micros`.
fn units_at(micros: u64) -> u64 {
    let since = micros.saturating_sub(started_us());
    // 1000 / 15, without a 64-bit division by a number that is not a power of two: exact enough for
    // past times.
    (since * 200).wrapping_div(3)
}

/// Returns the time of the timer, in microseconds, when the machines were started.
pub fn started_us() -> u64 {
    STARTED.load(Ordering::Relaxed).into()
}

/// Records that the machines are started at this microsecond.
pub fn set_started(micros: u32) {
    STARTED.store(micros, Ordering::Relaxed);
}

/// Returns the microseconds since the chip was reset.
pub fn micros() -> u64 {
    let timer = timer_registers();
    // The halves belong together if the upper one has not changed meanwhile (datasheet 4.6.2).
    loop {
        let high = timer.timerawh().read().bits();
        let low = timer.timerawl().read().bits();
        if timer.timerawh().read().bits() == high {
            return u64::from(high) << 32 | u64::from(low);
        }
    }
}

/// Returns the timer's registers.
#[expect(
    unsafe_code,
    reason = "alarm 0, alarm 1 and the count are read and written in one place each"
)]
pub fn timer_registers() -> &'static pac::timer::RegisterBlock {
    // SAFETY: rp2040-hal's Timer only reads the count; each alarm's registers are used by one module.
    unsafe { &*pac::TIMER::ptr() }
}

/// Writes a whole register.
#[expect(unsafe_code, reason = "the registers' own way to write takes a closure for each field")]
pub fn store(register: *mut u32, value: u32) {
    // SAFETY: every caller passes the address of a register of the chip that accepts every value.
    unsafe { register.write_volatile(value) };
}

/// Enables this interrupt's handler.
#[expect(unsafe_code, reason = "cortex-m cannot know that nothing relies on a mask here")]
pub fn unmask(interrupt: pac::Interrupt) {
    // SAFETY: data that a handler shares with the loop is protected by a critical section or is a
    // register.
    unsafe { NVIC::unmask(interrupt) };
}

/// Lowers this interrupt's priority, so that the handler of the tasks, which retains the highest
/// priority, can interrupt it.
#[expect(unsafe_code, reason = "cortex-m cannot know that nothing relies on the order here")]
pub fn set_lowest_priority(interrupt: pac::Interrupt) {
    // SAFETY: data that a handler shares with another one is protected by a critical section or is
    // a register.
    unsafe { pac::CorePeripherals::steal().NVIC.set_priority(interrupt, LOWEST_PRIORITY) };
}

/// Priority of which only the upper two bits count (ARMv6-M Architecture Reference Manual B3.4.7).
const LOWEST_PRIORITY: u8 = 0b11 << 6;
