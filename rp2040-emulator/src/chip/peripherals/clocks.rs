//! XOSC, ROSC, the two PLLs and the clock generators: the frequencies that a program selects
//! (datasheet sections 2.15 to 2.18).
//!
//! Oscillators and PLLs are stable immediately, and the glitchless multiplexers switch immediately.
//! The callers apply the frequencies to the devices.

mod pll;
pub(in crate::chip) mod rosc;
pub(in crate::chip) mod xosc;

use pll::Pll;
pub use rosc::RandomBits;
use rosc::Rosc;
use xosc::Xosc;

use crate::chip::rules::{Detail, Rule};

/// Frequency of the Pico's crystal.
const XOSC_HZ: u64 = 12_000_000;
/// Values of DORMANT of both oscillators (datasheet sections 2.16.7 and 2.17.8).
const DORMANT_VALUE_DORMANT: u32 = 0x636F_6D61;
const DORMANT_VALUE_WAKE: u32 = 0x7761_6B65;
/// Nominal frequency of the ring oscillator after reset.
const ROSC_HZ: u64 = 6_500_000;

// Registers of the generators: RP2040 datasheet 2.15.7. Registers without a name here read back
// what is written.
const CLK_GPOUT0_DIV: u32 = 0x04; // divider of the first of ten generators, 2.15.7
const CLK_GPOUT0_SELECTED: u32 = 0x08; // selected source, 2.15.7
const CLK_GPOUT1_SELECTED: u32 = 0x14; // selected source, 2.15.7
const CLK_GPOUT2_SELECTED: u32 = 0x20; // selected source, 2.15.7
const CLK_GPOUT3_SELECTED: u32 = 0x2C; // selected source, 2.15.7
const CLK_REF_CTRL: u32 = 0x30; // reference clock, 2.15.7
const CLK_REF_DIV: u32 = 0x34; // its divider, 2.15.7
const CLK_REF_SELECTED: u32 = 0x38; // its selected source, 2.15.7
const CLK_SYS_CTRL: u32 = 0x3C; // system clock, 2.15.7
const CLK_SYS_DIV: u32 = 0x40; // its divider, 2.15.7
const CLK_SYS_SELECTED: u32 = 0x44; // its selected source, 2.15.7
const CLK_PERI_CTRL: u32 = 0x48; // clock of UART and SPI, 2.15.7
const CLK_PERI_DIV: u32 = 0x4C; // no register, 2.15.7
const CLK_PERI_SELECTED: u32 = 0x50; // selected source, 2.15.7
const CLK_USB_SELECTED: u32 = 0x5C; // selected source, 2.15.7
const CLK_USB_CTRL: u32 = 0x54; // clock of the USB controller, 2.15.7
const CLK_ADC_CTRL: u32 = 0x60; // clock of the ADC, 2.15.7
const CLK_ADC_SELECTED: u32 = 0x68; // selected source, 2.15.7
const CLK_RTC_CTRL: u32 = 0x6C; // clock of the RTC, 2.15.7
const CLK_RTC_DIV: u32 = 0x70; // divider of the last generator, 2.15.7
const CLK_RTC_SELECTED: u32 = 0x74; // selected source, 2.15.7
const CLK_SYS_RESUS_CTRL: u32 = 0x78; // resuscitation of the system clock, 2.15.7
const CLK_SYS_RESUS_STATUS: u32 = 0x7C; // whether it is resuscitated, 2.15.7
const WAKE_EN0: u32 = 0xA0; // clocks that run while a core is awake, 2.15.7
const WAKE_EN1: u32 = 0xA4; // the rest of them, 2.15.7
const SLEEP_EN0: u32 = 0xA8; // clocks that run while both cores sleep deeply, 2.15.7
const SLEEP_EN1: u32 = 0xAC; // the rest of them, 2.15.7
const INTR: u32 = 0xB8; // raw interrupt, 2.15.7
const INTE: u32 = 0xBC; // interrupt enable, 2.15.7
const INTF: u32 = 0xC0; // interrupt force, 2.15.7
const INTS: u32 = 0xC4; // interrupt status, the last register, 2.15.7

const CLK_REF_CTRL_SRC: u32 = 3;
const CLK_REF_DIV_INT_LSB: u32 = 8;
const CLK_SYS_CTRL_SRC: u32 = 1;
/// Position of AUXSRC in CLK_SYS_CTRL and CLK_PERI_CTRL.
const CTRL_AUXSRC_LSB: u32 = 5;
const CLK_PERI_CTRL_ENABLE: u32 = 1 << 11;
/// ENABLE of the clocks without a glitchless multiplexer.
const CTRL_ENABLE: u32 = 1 << 11;
const CLK_SYS_RESUS_CTRL_ENABLE: u32 = 1 << 8;
const CLK_SYS_RESUS_CTRL_FRCE: u32 = 1 << 12;
const CLK_SYS_RESUS_CTRL_CLEAR: u32 = 1 << 16;
/// Value of CLK_SYS_RESUS_CTRL after reset: the longest timeout.
const CLK_SYS_RESUS_CTRL_RESET: u32 = 0xFF;
/// RESUSSED in CLK_SYS_RESUS_STATUS, and the bit of its interrupt.
const RESUSSED: u32 = 1;
/// Values of WAKE_EN0, WAKE_EN1, SLEEP_EN0 and SLEEP_EN1 after reset: every clock is enabled.
const ENABLES_RESET: [(u32, u32); 4] =
    [(WAKE_EN0, 0xFFFF_FFFF), (WAKE_EN1, 0x7FFF), (SLEEP_EN0, 0xFFFF_FFFF), (SLEEP_EN1, 0x7FFF)];
/// Value of every divider after reset: 1. CLK_PERI has none.
const DIV_RESET: u32 = 1 << 8;
/// Size of a generator's registers in bytes: CTRL, DIV, SELECTED.
const STRIDE: u32 = 0xC;

/// Oscillators and clock generators.
#[derive(Clone, Debug)]
pub(in crate::chip) struct Clocks {
    /// Registers of the clock generators, by offset divided by four.
    generators: [u32; INTS as usize / 4 + 1],
    /// Frequency of the crystal in hertz.
    crystal_hz: u64,
    xosc: Xosc,
    rosc: Rosc,
    pll_sys: Pll,
    pll_usb: Pll,
    /// Whether the system clock had stopped and was replaced by the reference clock.
    resussed: bool,
}

/// A block of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chip) enum ClockBlock {
    Generators,
    Xosc,
    Rosc,
    PllSys,
    PllUsb,
}

impl Default for Clocks {
    fn default() -> Self {
        let mut generators = [0; INTS as usize / 4 + 1];
        for divider in (CLK_GPOUT0_DIV..=CLK_RTC_DIV).step_by(STRIDE as usize) {
            generators[divider as usize / 4] = DIV_RESET;
        }
        generators[CLK_PERI_DIV as usize / 4] = 0;
        generators[CLK_SYS_RESUS_CTRL as usize / 4] = CLK_SYS_RESUS_CTRL_RESET;
        for (enables, reset) in ENABLES_RESET {
            generators[enables as usize / 4] = reset;
        }
        Self {
            generators,
            crystal_hz: XOSC_HZ,
            xosc: Xosc::default(),
            rosc: Rosc::default(),
            pll_sys: Pll::default(),
            pll_usb: Pll::default(),
            resussed: false,
        }
    }
}

impl Clocks {
    /// Returns a register of the generators as it was written.
    fn generator(&self, offset: u32) -> u32 {
        self.generators[offset as usize / 4]
    }

    fn xosc_hz(&self) -> u64 {
        if self.xosc.is_dormant() { 0 } else { self.crystal_hz }
    }

    fn rosc_hz(&self) -> u64 {
        if self.rosc.is_dormant() { 0 } else { ROSC_HZ }
    }

    pub(in crate::chip) fn has_dormant_oscillator(&self) -> bool {
        self.xosc.is_dormant() || self.rosc.is_dormant()
    }

    /// Wakes both oscillators, as an interrupt of a pin or the RTC does.
    pub(in crate::chip) fn wake_oscillators(&mut self) {
        self.xosc.wake();
        self.rosc.wake();
    }

    /// Returns the frequency of the reference clock, which the watchdog's tick divides; 0 if its
    /// source is a pin, which has no clock here.
    pub(in crate::chip) fn ref_hz(&self) -> u64 {
        let control = self.generator(CLK_REF_CTRL);
        let source = match control & CLK_REF_CTRL_SRC {
            0 => self.rosc_hz(),
            1 if control >> CTRL_AUXSRC_LSB & 3 == 0 => self.pll_usb.hz(self.xosc_hz()),
            1 => 0,
            _ => self.xosc_hz(),
        };
        source / u64::from(self.generator(CLK_REF_DIV) >> CLK_REF_DIV_INT_LSB & 3).max(1)
    }

    /// Returns the frequency of the system clock's source, without resuscitation; 0 while it is
    /// off, or if it is a pin, which has no clock here.
    fn sys_source_hz(&self) -> u64 {
        let control = self.generator(CLK_SYS_CTRL);
        if control & CLK_SYS_CTRL_SRC == 0 {
            return self.ref_hz();
        }
        match control >> CTRL_AUXSRC_LSB & 7 {
            0 => self.pll_sys.hz(self.xosc_hz()),
            1 => self.pll_usb.hz(self.xosc_hz()),
            2 => self.rosc_hz(),
            3 => self.xosc_hz(),
            _ => 0,
        }
    }

    /// Returns whether the system clock has stopped permanently.
    pub(in crate::chip) fn sys_is_stopped(&self) -> bool {
        let source = if self.resussed { self.ref_hz() } else { self.sys_source_hz() };
        source == 0
    }

    /// Returns the line CLOCKS_IRQ.
    pub(in crate::chip) fn interrupt(&self) -> bool {
        self.interrupts() != 0
    }

    fn interrupts(&self) -> u32 {
        u32::from(self.resussed) & self.generator(INTE) | self.generator(INTF)
    }

    /// Replaces a stopped system clock by the reference clock, if that is enabled (datasheet
    /// section 2.15.5). The timeout, at most 255 cycles of the reference clock, takes no time here.
    fn watch_sys(&mut self) {
        let control = self.generator(CLK_SYS_RESUS_CTRL);
        let stopped = self.sys_source_hz() == 0 && control & CLK_SYS_RESUS_CTRL_ENABLE != 0;
        if control & CLK_SYS_RESUS_CTRL_CLEAR != 0 {
            self.resussed = false;
        } else if stopped || control & CLK_SYS_RESUS_CTRL_FRCE != 0 {
            self.resussed = true;
        }
    }

    /// Returns the frequency of the system clock, that of the cores, the memory and most devices.
    pub(in crate::chip) fn sys_hz(&self) -> u64 {
        let source = if self.resussed { self.ref_hz() } else { self.sys_source_hz() };
        // The divider has eight fractional bits; zero stands for the largest.
        let divider = match self.generator(CLK_SYS_DIV) {
            divider @ 0..=0xFF => u64::from(divider) + (1 << 32),
            divider => divider.into(),
        };
        (source * 256 / divider).max(1)
    }

    /// Returns the frequency of the clock of UART and SPI; `None` while it is stopped, or if its
    /// source is a pin.
    pub(in crate::chip) fn peri_hz(&self) -> Option<u64> {
        let control = self.generator(CLK_PERI_CTRL);
        let source = match control >> CTRL_AUXSRC_LSB & 7 {
            0 => self.sys_hz(),
            1 => self.pll_sys.hz(self.xosc_hz()),
            2 => self.pll_usb.hz(self.xosc_hz()),
            3 => self.rosc_hz(),
            4 => self.xosc_hz(),
            _ => return None,
        };
        (control & CLK_PERI_CTRL_ENABLE != 0).then_some(source)
    }

    /// Returns the frequency of the ADC's clock; `None` while it is stopped.
    pub(in crate::chip) fn adc_hz(&self) -> Option<u64> {
        self.auxiliary_hz(CLK_ADC_CTRL)
    }

    /// Returns the frequency of the USB controller's clock; `None` while it is stopped.
    pub(in crate::chip) fn usb_hz(&self) -> Option<u64> {
        self.auxiliary_hz(CLK_USB_CTRL)
    }

    /// Returns the rules that a PLL breaks while it runs.
    pub(in crate::chip) fn pll_breaks(&self, block: ClockBlock) -> [Option<(Rule, Detail)>; 4] {
        match block {
            ClockBlock::PllSys => self.pll_sys.breaks(self.crystal_hz),
            ClockBlock::PllUsb => self.pll_usb.breaks(self.crystal_hz),
            _ => [None; 4],
        }
    }

    /// Returns the frequency of the RTC's clock; `None` while it is stopped.
    pub(in crate::chip) fn rtc_hz(&self) -> Option<u64> {
        self.auxiliary_hz(CLK_RTC_CTRL)
    }

    /// Returns the frequency of the clock of USB, ADC or RTC, whose generators differ only in the
    /// range of their dividers; DIV follows CTRL. Returns `None` while it is stopped, or if its
    /// source is a pin.
    fn auxiliary_hz(&self, ctrl: u32) -> Option<u64> {
        let control = self.generator(ctrl);
        let source = match control >> CTRL_AUXSRC_LSB & 7 {
            0 => self.pll_usb.hz(self.xosc_hz()),
            1 => self.pll_sys.hz(self.xosc_hz()),
            2 => self.rosc_hz(),
            3 => self.xosc_hz(),
            _ => 0,
        };
        // The divider has eight fractional bits; zero stands for the largest.
        let divider = match self.generator(ctrl + 4) {
            divider @ 0..=0xFF => u64::from(divider) + (1 << 32),
            divider => divider.into(),
        };
        let hz = source * 256 / divider;
        (control & CTRL_ENABLE != 0 && hz != 0).then_some(hz)
    }

    /// Returns the frequency of CLK_GPOUT `number` (0 to 3) in hertz; `None` while it is stopped. A
    /// fractional divider is exact here in each period, not only on average.
    pub(in crate::chip) fn output_hz(&self, number: u32) -> Option<u64> {
        let ctrl = number * STRIDE;
        let control = self.generator(ctrl);
        let source = match control >> CTRL_AUXSRC_LSB & 0xF {
            0 => self.pll_sys.hz(self.xosc_hz()),
            3 => self.pll_usb.hz(self.xosc_hz()),
            4 => self.rosc_hz(),
            5 => self.xosc_hz(),
            6 => self.sys_hz(),
            7 => self.auxiliary_hz(CLK_USB_CTRL)?,
            8 => self.adc_hz()?,
            9 => self.rtc_hz()?,
            10 => self.ref_hz(),
            _ => return None,
        };
        let divider = match self.generator(ctrl + 4) {
            divider @ 0..=0xFF => u64::from(divider) + (1 << 32),
            divider => divider.into(),
        };
        let hz = source * 256 / divider;
        (control & CTRL_ENABLE != 0 && hz != 0).then_some(hz)
    }

    /// Returns the frequency of a clock by its number in FC0_SRC (2.15.7); 0 if it is stopped.
    pub(in crate::chip) fn tested_hz(&self, number: u32) -> u64 {
        match number {
            1 => self.pll_sys.hz(self.xosc_hz()),
            2 => self.pll_usb.hz(self.xosc_hz()),
            3 | 4 => self.rosc_hz(),
            5 => self.xosc_hz(),
            8 => self.ref_hz(),
            9 => self.sys_hz(),
            10 => self.peri_hz().unwrap_or_default(),
            11 => self.auxiliary_hz(CLK_USB_CTRL).unwrap_or_default(),
            12 => self.adc_hz().unwrap_or_default(),
            13 => self.rtc_hz().unwrap_or_default(),
            _ => 0,
        }
    }

    pub(in crate::chip) fn read(&mut self, block: ClockBlock, offset: u32) -> Option<u32> {
        match block {
            ClockBlock::PllSys => self.pll_sys.read(offset),
            ClockBlock::PllUsb => self.pll_usb.read(offset),
            ClockBlock::Xosc => self.xosc.read(offset),
            ClockBlock::Rosc => self.rosc.read(offset),
            ClockBlock::Generators => self.read_generators(offset),
        }
    }

    /// Sets the frequency of the crystal in hertz.
    pub(in crate::chip) fn set_crystal(&mut self, hz: u64) {
        self.crystal_hz = hz;
    }

    /// Makes RANDOMBIT of the ring oscillator read 0, or repairs it.
    pub(in crate::chip) fn stick_random_bits(&mut self, stuck: bool) {
        self.rosc.stick_random_bits(stuck);
    }

    /// Sets the source of the bits that RANDOMBIT of the ring oscillator reads.
    pub(in crate::chip) fn set_random_bits(&mut self, bits: RandomBits) {
        self.rosc.set_random_bits(bits);
    }

    /// Returns the clocks after a reset; the sequence of RANDOMBIT continues.
    pub(in crate::chip) fn after_reset(&self) -> Self {
        let mut clocks = Self { crystal_hz: self.crystal_hz, ..Self::default() };
        clocks.rosc.continue_from(&self.rosc);
        clocks
    }

    fn read_generators(&self, offset: u32) -> Option<u32> {
        Some(match offset {
            CLK_REF_SELECTED => 1 << (self.generator(CLK_REF_CTRL) & CLK_REF_CTRL_SRC),
            CLK_SYS_SELECTED => 1 << (self.generator(CLK_SYS_CTRL) & CLK_SYS_CTRL_SRC),
            // The others have no glitchless multiplexer: always 1.
            CLK_GPOUT0_SELECTED | CLK_GPOUT1_SELECTED | CLK_GPOUT2_SELECTED
            | CLK_GPOUT3_SELECTED | CLK_PERI_SELECTED | CLK_USB_SELECTED | CLK_ADC_SELECTED
            | CLK_RTC_SELECTED => 1,
            CLK_SYS_RESUS_STATUS | INTR => u32::from(self.resussed) * RESUSSED,
            INTS => self.interrupts(),
            _ => *self.generators.get(offset as usize / 4)?,
        })
    }

    pub(in crate::chip) fn write(
        &mut self,
        block: ClockBlock,
        offset: u32,
        value: u32,
    ) -> Option<()> {
        match block {
            ClockBlock::PllSys => self.pll_sys.write(offset, value),
            ClockBlock::PllUsb => self.pll_usb.write(offset, value),
            ClockBlock::Xosc => self.xosc.write(offset, value),
            ClockBlock::Rosc => self.rosc.write(offset, value),
            ClockBlock::Generators => {
                *self.generators.get_mut(offset as usize / 4)? = value;
                Some(())
            }
        }?;
        self.watch_sys();
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_reset_everything_runs_from_the_ring_oscillator() {
        let clocks = Clocks::default();
        assert_eq!(clocks.ref_hz(), ROSC_HZ);
        assert_eq!(clocks.sys_hz(), ROSC_HZ);
        assert_eq!(clocks.peri_hz(), None);
    }

    #[test]
    fn the_usual_setting_of_the_pll_gives_125_mhz() {
        let mut clocks = Clocks::default();
        for (block, offset, value) in [
            (ClockBlock::Xosc, xosc::CTRL, 0xFAB_AA0),
            (ClockBlock::PllSys, pll::FBDIV_INT, 125),
            (ClockBlock::PllSys, pll::PWR, 0),
            (ClockBlock::PllSys, pll::PRIM, 6 << 16 | 2 << 12),
            (ClockBlock::Generators, CLK_REF_CTRL, 2),
            (ClockBlock::Generators, CLK_SYS_CTRL, 1),
            (ClockBlock::Generators, CLK_PERI_CTRL, CLK_PERI_CTRL_ENABLE),
        ] {
            assert_eq!(clocks.write(block, offset, value), Some(()));
        }
        assert_eq!(clocks.read(ClockBlock::PllSys, pll::CS).unwrap() >> 31, 1, "locked");
        assert_eq!(clocks.read(ClockBlock::Xosc, xosc::STATUS), Some(0x8000_1000));
        assert_eq!(clocks.read(ClockBlock::Generators, CLK_SYS_SELECTED), Some(2));
        assert_eq!(clocks.ref_hz(), 12_000_000);
        assert_eq!(clocks.sys_hz(), 125_000_000);
        assert_eq!(clocks.peri_hz(), Some(125_000_000));
    }

    #[test]
    fn a_pin_has_no_clock() {
        let mut clocks = Clocks::default();
        let mut set = |offset, value| {
            assert_eq!(clocks.write(ClockBlock::Generators, offset, value), Some(()));
            (clocks.ref_hz(), clocks.peri_hz(), clocks.sys_is_stopped())
        };
        let from_rosc = (ROSC_HZ, None, false);
        for pin in 0..2 {
            assert_eq!(set(CLK_PERI_CTRL, CLK_PERI_CTRL_ENABLE | (5 + pin) << 5), from_rosc);
            assert_eq!(set(CLK_REF_CTRL, (1 + pin) << 5), from_rosc, "selected, not used yet");
            assert_eq!(set(CLK_REF_CTRL, (1 + pin) << 5 | 1), (0, None, true));
            assert_eq!(set(CLK_REF_CTRL, 0), from_rosc);
            assert_eq!(set(CLK_SYS_CTRL, (4 + pin) << 5), from_rosc, "selected, not used yet");
            assert_eq!(set(CLK_SYS_CTRL, (4 + pin) << 5 | 1), (ROSC_HZ, None, true));
            assert_eq!(set(CLK_SYS_CTRL, 0), from_rosc);
        }
    }
}
