//! A PLL: its dividers and the resulting frequency (datasheet section 2.18). It locks immediately.

use std::ops::RangeInclusive;

use crate::chip::rules::{Detail, Rule};

// Registers: RP2040 datasheet 2.18.4.
pub(super) const CS: u32 = 0x0; // control and status, 2.18.4
pub(super) const PWR: u32 = 0x4; // power modes, 2.18.4
pub(super) const FBDIV_INT: u32 = 0x8; // feedback divisor, 2.18.4
pub(super) const PRIM: u32 = 0xC; // post dividers, 2.18.4

const CS_REFDIV: u32 = 0x3F;
const CS_BYPASS: u32 = 1 << 8;
const CS_LOCK: u32 = 1 << 31;
const PWR_PD: u32 = 1;
const PWR_DSMPD: u32 = 1 << 2;
const PWR_POSTDIVPD: u32 = 1 << 3;
const PWR_VCOPD: u32 = 1 << 5;
const PWR_BITS: u32 = PWR_PD | PWR_DSMPD | PWR_POSTDIVPD | PWR_VCOPD;
const FBDIV_INT_BITS: u32 = 0xFFF;
const PRIM_POSTDIV1_LSB: u32 = 16;
const PRIM_POSTDIV2_LSB: u32 = 12;
const PRIM_BITS: u32 = 7 << PRIM_POSTDIV1_LSB | 7 << PRIM_POSTDIV2_LSB;

// Limits: RP2040 datasheet 2.18.2.
const VCO_HZ: RangeInclusive<u64> = 750_000_000..=1_600_000_000;
const REFERENCE_HZ_MIN: u64 = 5_000_000;
const FEEDBACK: RangeInclusive<u32> = 16..=320;

#[derive(Clone, Debug)]
pub(super) struct Pll {
    control: u32,
    power: u32,
    feedback: u32,
    post: u32,
}

impl Default for Pll {
    fn default() -> Self {
        Self { control: 1, power: PWR_BITS, feedback: 0, post: PRIM_BITS }
    }
}

impl Pll {
    fn locked(&self) -> bool {
        self.power & (PWR_PD | PWR_VCOPD) == 0
    }

    /// Returns whether the output is running. Without its post dividers it runs only if they are
    /// bypassed.
    fn runs(&self) -> bool {
        self.control & CS_BYPASS != 0
            || self.locked() && self.power & PWR_POSTDIVPD == 0 && self.feedback != 0
    }

    /// Returns the output's frequency for a crystal of `crystal_hz`; 0 while it is switched off.
    pub(super) fn hz(&self, crystal_hz: u64) -> u64 {
        if !self.runs() {
            return 0;
        }
        let reference = crystal_hz / u64::from(self.control & CS_REFDIV).max(1);
        if self.control & CS_BYPASS != 0 {
            return reference;
        }
        let divider = |lowest: u32| u64::from(self.post >> lowest & 7);
        let post = divider(PRIM_POSTDIV1_LSB) * divider(PRIM_POSTDIV2_LSB);
        reference * u64::from(self.feedback & FBDIV_INT_BITS) / post.max(1)
    }

    /// Returns the rules of the datasheet (section 2.18.2) that the running PLL breaks, each with the
    /// value that does.
    pub(super) fn breaks(&self, crystal_hz: u64) -> [Option<(Rule, Detail)>; 4] {
        if !self.locked() || self.feedback == 0 || self.control & CS_BYPASS != 0 {
            return [None; 4];
        }
        let reference = crystal_hz / u64::from(self.control & CS_REFDIV).max(1);
        let vco = reference * u64::from(self.feedback);
        let post = self.power & PWR_POSTDIVPD == 0
            && [PRIM_POSTDIV1_LSB, PRIM_POSTDIV2_LSB].iter().any(|lsb| self.post >> lsb & 7 == 0);
        let feedback = Detail::Number(self.feedback);
        [
            (!VCO_HZ.contains(&vco)).then_some((Rule::PllVco, Detail::Hertz(vco))),
            (reference < REFERENCE_HZ_MIN)
                .then_some((Rule::PllReference, Detail::Hertz(reference))),
            (!FEEDBACK.contains(&self.feedback)).then_some((Rule::PllFeedback, feedback)),
            post.then_some((Rule::PllPostDivider, Detail::Number(0))),
        ]
    }

    pub(super) fn read(&self, offset: u32) -> Option<u32> {
        Some(match offset {
            CS if self.locked() => self.control | CS_LOCK,
            CS => self.control,
            PWR => self.power,
            FBDIV_INT => self.feedback,
            PRIM => self.post,
            _ => return None,
        })
    }

    pub(super) fn write(&mut self, offset: u32, value: u32) -> Option<()> {
        match offset {
            CS => self.control = value & (CS_REFDIV | CS_BYPASS),
            PWR => self.power = value & PWR_BITS,
            FBDIV_INT => self.feedback = value & FBDIV_INT_BITS,
            PRIM => self.post = value & PRIM_BITS,
            _ => return None,
        }
        Some(())
    }
}
