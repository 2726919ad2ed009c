//! The time, and registers that more than one module writes.

use core::sync::atomic::{AtomicU32, Ordering};

use probe_protocol::ProbeTime;
use rp2040_hal::pac::{self, NVIC};

/// What is younger may still be on its way through the state machines and the DMA, in microseconds.
pub const MARGIN_US: u64 = 2;

/// A moment: by the timer, and by the state machines' count.
#[derive(Clone, Copy)]
pub struct Now {
    /// Microseconds since the chip was reset.
    pub micros: u64,
    /// Units of [`STAMP_NS`] since the state machines were started.
    pub units: u64,
}

impl Now {
    /// This moment.
    pub fn this() -> Self {
        let micros = micros();
        Self { micros, units: units_at(micros) }
    }

    /// So many microseconds before, as the host is told it.
    pub fn before(self, micros: u64) -> ProbeTime {
        ProbeTime::from_micros(self.micros.saturating_sub(micros))
    }

    /// The count of a stamp's lower 32 bits, which is at most half a minute old, or new since this moment.
    pub fn whole(self, stamp: u32) -> u64 {
        let ago = (self.units as u32).wrapping_sub(stamp) as i32;
        self.units.saturating_add_signed(-i64::from(ago))
    }

    /// As [`whole`](Self::whole), of 31 bits and a quarter of a minute.
    pub fn whole_of_31(self, stamp: u32) -> u64 {
        let ago = ((self.units as u32).wrapping_sub(stamp) << 1) as i32 >> 1;
        self.units.saturating_add_signed(-i64::from(ago))
    }
}

/// The timer's microseconds when the machines were started.
static STARTED: AtomicU32 = AtomicU32::new(0);

/// The machines' count at `micros`.
fn units_at(micros: u64) -> u64 {
    let since = micros.saturating_sub(started_us());
    // 1000 / 15, without a division of 64 bits by one that is no power of two: exact enough for a look at the past.
    (since * 200).wrapping_div(3)
}

/// The timer's microseconds when the machines were started.
pub fn started_us() -> u64 {
    STARTED.load(Ordering::Relaxed).into()
}

/// The machines are started at this microsecond.
pub fn set_started(micros: u32) {
    STARTED.store(micros, Ordering::Relaxed);
}

/// Microseconds since the chip was reset.
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

/// The timer's registers.
#[expect(
    unsafe_code,
    reason = "alarm 0, alarm 1 and the count are read and written in one place each"
)]
pub fn timer_registers() -> &'static pac::timer::RegisterBlock {
    // SAFETY: rp2040-hal's Timer only reads the count; each alarm's registers are used by one module.
    unsafe { &*pac::TIMER::ptr() }
}

/// Sets a whole register.
#[expect(unsafe_code, reason = "the registers' own way to write takes a closure for each field")]
pub fn store(register: *mut u32, value: u32) {
    // SAFETY: every caller has the address from a register of the chip, of which every value is one that can be written.
    unsafe { register.write_volatile(value) };
}

/// From now on this interrupt's handler runs.
#[expect(unsafe_code, reason = "cortex-m cannot know that nothing relies on a mask here")]
pub fn unmask(interrupt: pac::Interrupt) {
    // SAFETY: what a handler shares with the loop is behind a critical section or is a register.
    unsafe { NVIC::unmask(interrupt) };
}

/// The handler of this interrupt may be interrupted by that of the tasks, which has the highest priority as after a reset.
#[expect(unsafe_code, reason = "cortex-m cannot know that nothing relies on the order here")]
pub fn give_way(interrupt: pac::Interrupt) {
    // SAFETY: what a handler shares with another one is behind a critical section or is a register.
    unsafe { pac::CorePeripherals::steal().NVIC.set_priority(interrupt, LOWEST_PRIORITY) };
}

/// The upper two bits count (ARMv6-M Architecture Reference Manual B3.4.7).
const LOWEST_PRIORITY: u8 = 0b11 << 6;
