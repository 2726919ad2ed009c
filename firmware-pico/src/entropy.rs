//! The noise of the ring oscillator (datasheet section 2.17), which clocks nothing here and drifts
//! relative to the crystal.

use embedded_hal::delay::DelayNs;
use firmware_core::entropy::Entropy;
use firmware_core::time::Instant;
use rp2040_hal::Timer;
use rp2040_hal::pac::ROSC;

/// Interval between two bits. RANDOMBIT is the oscillator's output at the time of reading: in this
/// interval (65 periods at 6.5 MHz) its jitter has accumulated. The Pico SDK's pico_rand waits for
/// the same time.
const SPACING_US: u32 = 10;

/// Password in the upper half with which FREQA and FREQB apply the drive strengths in the lower
/// half, 2.17.8.
const PASSWD: u32 = 0x9696 << 16;

/// Number of ring stages whose drive strength one register sets, and the number of bits for each.
const STAGES: u32 = 4;
const STRENGTH_BITS: u32 = 3;

/// Random bits of the ring oscillator.
pub struct PicoEntropy {
    rosc: ROSC,
    timer: Timer,
}

impl PicoEntropy {
    /// Creates the source. The oscillator has been running since power-on.
    pub fn new(rosc: ROSC, timer: Timer) -> Self {
        Self { rosc, timer }
    }
}

impl Entropy for PicoEntropy {
    fn bit(&mut self) -> bool {
        self.timer.delay_us(SPACING_US);
        self.rosc.randombit().read().randombit().bit()
    }

    /// Sets the drive strengths of the ring's eight stages from the microsecond of the press: from
    /// now on its frequency, and with it every bit, depends on that time.
    #[expect(unsafe_code, reason = "the register takes any drive strength")]
    fn stir(&mut self, pressed: Instant) {
        let micros = pressed.0 as u32;
        let strengths = |bits: u32| {
            (0..STAGES).fold(0, |register, stage| {
                let strength = bits >> (STRENGTH_BITS * stage) & ((1 << STRENGTH_BITS) - 1);
                register | strength << (4 * stage)
            })
        };
        let (first, last) = (strengths(micros), strengths(micros >> (STAGES * STRENGTH_BITS)));
        // SAFETY: each stage accepts every value of its three bits.
        self.rosc.freqa().write(|w| unsafe { w.bits(PASSWD | first) });
        // SAFETY: as above.
        self.rosc.freqb().write(|w| unsafe { w.bits(PASSWD | last) });
    }
}
