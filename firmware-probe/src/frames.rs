//! The frames of the USB: when a packet may be given to the controller, and whether the controller
//! still receives frames.
//!
//! Erratum RP2040-E15 (RP2040 datasheet, appendix B): if a bulk IN buffer is made available in the
//! last 200 µs of a frame, a bus error may leave the controller in a state from which only its reset
//! recovers it; a Raspberry Pi 4 as the host causes this. So the loop polls the controller, which
//! is what makes buffers available, only in the first [`SAFE_US`] of a frame. If the controller is
//! lost nevertheless, no frame comes any more: the loop then stops feeding the watchdog.

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use rp2040_hal::pac::{self, NVIC, interrupt};

use crate::chip::{store, timer_registers};

/// Length of a frame (USB 2.0, 7.1.12).
const FRAME_US: u32 = 1_000;
/// Time from the start of a frame in which the controller may be polled: 800 µs, less the duration
/// of a poll.
const SAFE_US: u32 = 740;
/// Largest delay of the handler by other handlers and by the masked interrupt.
const LATE_US: u32 = 300;
/// Age from which on a start of a frame says nothing about the next one: the bus is idle, or the
/// clocks of host and probe have drifted apart by some 10 µs.
const OLD_US: u32 = 200_000;
/// Time without a frame after which the controller counts as lost.
const LOST_US: u32 = 500_000;
/// DEV_SOF of INTE and INTS (4.1.4).
const DEV_SOF: u32 = 1 << 17;

/// Lower half of the timer at the start of a frame.
static STARTED_US: AtomicU32 = AtomicU32::new(0);
static HAS_STARTED: AtomicBool = AtomicBool::new(false);

#[expect(unsafe_code, reason = "the driver of the controller has its registers")]
fn registers() -> &'static pac::usbctrl_regs::RegisterBlock {
    // SAFETY: INTE is written before the interrupt is enabled; SOF_RD and INTS are only read, and the
    // driver uses neither of their bits for frames.
    unsafe { &*pac::USBCTRL_REGS::ptr() }
}

fn micros() -> u32 {
    timer_registers().timerawl().read().bits()
}

/// Begins to follow the frames. Call it after the driver has enabled its interrupts.
pub fn begin() {
    let inte = registers().inte();
    store(inte.as_ptr(), inte.read().bits() | DEV_SOF);
}

/// Returns the time since the start of the last frame.
fn age() -> Option<u32> {
    let started = STARTED_US.load(Ordering::Relaxed);
    HAS_STARTED.load(Ordering::Relaxed).then(|| micros().wrapping_sub(started))
}

/// Returns whether a packet may be given to the controller now.
pub fn is_safe() -> bool {
    age().is_none_or(|age| age > OLD_US || age % FRAME_US < SAFE_US)
}

/// Returns whether frames still come.
pub fn come() -> bool {
    age().is_none_or(|age| age < LOST_US)
}

/// Stamps the start of a frame. For everything else it only wakes the core: the loop polls the
/// controller, which clears the request.
#[interrupt]
fn USBCTRL_IRQ() {
    let requests = registers().ints().read().bits();
    if requests & DEV_SOF != 0 {
        // Reading it clears the request (4.1.4).
        registers().sof_rd().read();
        let now = micros();
        // A handler that comes late must not move the frame: it is where the earlier ones were, within
        // the drift of the clocks.
        let late = age().filter(|age| *age < OLD_US).map(|age| age % FRAME_US);
        let late = late.filter(|late| *late < LATE_US).map_or(0, |late| late.saturating_sub(1));
        STARTED_US.store(now.wrapping_sub(late), Ordering::Relaxed);
        HAS_STARTED.store(true, Ordering::Relaxed);
    }
    if requests & !DEV_SOF != 0 {
        NVIC::mask(pac::Interrupt::USBCTRL_IRQ);
    }
}
