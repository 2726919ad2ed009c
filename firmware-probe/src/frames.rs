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

use crate::chip::{store, timer_registers, unmask};

/// Length of a frame (USB 2.0, 7.1.12).
const FRAME_US: u32 = 1_000;
/// Time from the start of a frame in which the controller may be polled: 800 µs, less the duration
/// of a poll and the delay of the handler by others.
const SAFE_US: u32 = 720;
/// Age from which on a start of a frame says little about the next one: the clocks of host and probe
/// have drifted apart by some 10 µs.
const OLD_US: u32 = 200_000;
/// Time without a frame after which the bus is idle.
const IDLE_US: u32 = 5_000;
/// Time without a frame after which the controller counts as lost.
const LOST_US: u32 = 500_000;
/// DEV_SOF of INTE and INTS (4.1.4).
const DEV_SOF: u32 = 1 << 17;

/// Lower half of the timer at the start of a frame whose handler was not delayed by its mask.
static STARTED_US: AtomicU32 = AtomicU32::new(0);
/// Lower half of the timer when the last frame was noticed.
static SEEN_US: AtomicU32 = AtomicU32::new(0);
static HAS_STARTED: AtomicBool = AtomicBool::new(false);
/// Whether the interrupt has been masked since the loop last unmasked it.
static WAS_MASKED: AtomicBool = AtomicBool::new(false);

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

/// Returns the time since `stamp`; `None` if no frame has come yet.
fn since(stamp: &AtomicU32) -> Option<u32> {
    let stamp = stamp.load(Ordering::Relaxed);
    HAS_STARTED.load(Ordering::Relaxed).then(|| micros().wrapping_sub(stamp))
}

/// Returns whether a packet may be given to the controller now.
pub fn is_safe() -> bool {
    since(&SEEN_US).is_none_or(|age| age > IDLE_US)
        || since(&STARTED_US).is_none_or(|age| age % FRAME_US < SAFE_US)
}

/// Returns whether frames still come.
pub fn come() -> bool {
    since(&SEEN_US).is_none_or(|age| age < LOST_US)
}

/// Lets the handler run again, after it has masked its interrupt.
pub fn follow() {
    unmask(pac::Interrupt::USBCTRL_IRQ);
    // A request that was pending has been handled by now; the next one is not delayed.
    cortex_m::asm::isb();
    if NVIC::is_enabled(pac::Interrupt::USBCTRL_IRQ) {
        WAS_MASKED.store(false, Ordering::Relaxed);
    }
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
        // A handler that was delayed by its mask knows the frame from earlier ones.
        let is_late = WAS_MASKED.load(Ordering::Relaxed);
        if !is_late || since(&STARTED_US).is_none_or(|age| age > OLD_US) {
            STARTED_US.store(now, Ordering::Relaxed);
        }
        SEEN_US.store(now, Ordering::Relaxed);
        HAS_STARTED.store(true, Ordering::Relaxed);
    }
    if requests & !DEV_SOF != 0 {
        WAS_MASKED.store(true, Ordering::Relaxed);
        NVIC::mask(pac::Interrupt::USBCTRL_IRQ);
    }
}
