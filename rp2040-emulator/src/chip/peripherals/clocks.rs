//! XOSC, ROSC, the two PLLs and the clock generators: which frequencies the program has chosen
//! (datasheet sections 2.15 to 2.18).
//!
//! Oscillators and PLLs are stable at once; the glitchless multiplexers switch at once. What
//! a frequency is used for is the business of whoever asks.

/// The crystal of the Pico.
const XOSC_HZ: u64 = 12_000_000;
/// The ring oscillator's nominal frequency after reset.
const ROSC_HZ: u64 = 6_500_000;

const STABLE_ENABLED: u32 = 1 << 31 | 1 << 12;
const XOSC_ENABLE: u32 = 0xFAB << 12;
const ENABLE_FIELD: u32 = 0xFFF << 12;

/// Oscillators and clock generators.
#[derive(Clone, Debug)]
pub(in crate::chip) struct Clocks {
    /// The registers of the clock generators, by offset divided by four.
    generators: [u32; 50],
    xosc: [u32; 8],
    rosc: [u32; 9],
    pll_sys: Pll,
    pll_usb: Pll,
    /// What RANDOMBIT reads from: a linear feedback shift register, so that runs repeat.
    random: u16,
}

#[derive(Clone, Debug)]
struct Pll {
    control: u32,
    power: u32,
    feedback: u32,
    post: u32,
}

impl Default for Pll {
    fn default() -> Self {
        Self { control: 1, power: 0x2D, feedback: 0, post: 0x7_7000 }
    }
}

impl Pll {
    fn locked(&self) -> bool {
        // PD and VCOPD are clear.
        self.power & 0x21 == 0
    }

    fn hz(&self) -> u64 {
        let reference = XOSC_HZ / u64::from(self.control & 0x3F).max(1);
        if self.control & 1 << 8 != 0 {
            return reference;
        }
        let post = u64::from(self.post >> 16 & 7) * u64::from(self.post >> 12 & 7);
        reference * u64::from(self.feedback & 0xFFF) / post.max(1)
    }

    fn read(&self, offset: u32) -> Option<u32> {
        Some(match offset {
            0x0 => self.control | u32::from(self.locked()) << 31,
            0x4 => self.power,
            0x8 => self.feedback,
            0xC => self.post,
            _ => return None,
        })
    }

    fn write(&mut self, offset: u32, value: u32) -> Option<()> {
        match offset {
            0x0 => self.control = value & 0x13F,
            0x4 => self.power = value & 0x2D,
            0x8 => self.feedback = value & 0xFFF,
            0xC => self.post = value & 0x7_7000,
            _ => return None,
        }
        Some(())
    }
}

/// Which of the blocks an address belongs to.
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
        let mut generators = [0; 50];
        for divider in (1..30).step_by(3) {
            generators[divider] = 1 << 8;
        }
        let mut rosc = [0; 9];
        rosc[0] = 0xFAB_AA0;
        rosc[4] = 16;
        Self {
            generators,
            xosc: [0; 8],
            rosc,
            pll_sys: Pll::default(),
            pll_usb: Pll::default(),
            random: 0xACE1,
        }
    }
}

/// The generators' registers, by offset divided by four.
const REF: usize = 0x30 / 4;
const SYS: usize = 0x3C / 4;
const PERI: usize = 0x48 / 4;

impl Clocks {
    /// The reference clock, which the watchdog's tick divides.
    pub(in crate::chip) fn ref_hz(&self) -> u64 {
        let source = match self.generators[REF] & 3 {
            0 => ROSC_HZ,
            1 => self.pll_usb.hz(),
            _ => XOSC_HZ,
        };
        source / u64::from(self.generators[REF + 1] >> 8 & 3).max(1)
    }

    /// The system clock: that of the cores, the memory and most devices.
    pub(in crate::chip) fn sys_hz(&self) -> u64 {
        let source = if self.generators[SYS] & 1 == 0 {
            self.ref_hz()
        } else {
            match self.generators[SYS] >> 5 & 7 {
                0 => self.pll_sys.hz(),
                1 => self.pll_usb.hz(),
                2 => ROSC_HZ,
                _ => XOSC_HZ,
            }
        };
        // The divider has eight fractional bits; zero stands for the largest.
        let divider = match self.generators[SYS + 1] {
            divider @ 0..=0xFF => u64::from(divider) + (1 << 32),
            divider => divider.into(),
        };
        (source * 256 / divider).max(1)
    }

    /// The clock of UART and SPI; `None` while it is stopped.
    pub(in crate::chip) fn peri_hz(&self) -> Option<u64> {
        let control = self.generators[PERI];
        (control & 1 << 11 != 0).then(|| match control >> 5 & 7 {
            0 => self.sys_hz(),
            1 => self.pll_sys.hz(),
            2 => self.pll_usb.hz(),
            3 => ROSC_HZ,
            _ => XOSC_HZ,
        })
    }

    pub(in crate::chip) fn read(&mut self, block: ClockBlock, offset: u32) -> Option<u32> {
        match block {
            ClockBlock::PllSys => self.pll_sys.read(offset),
            ClockBlock::PllUsb => self.pll_usb.read(offset),
            ClockBlock::Xosc => Some(match offset {
                0x4 if self.xosc[0] & ENABLE_FIELD == XOSC_ENABLE => STABLE_ENABLED,
                0x4 => 0,
                _ => *self.xosc.get(offset as usize / 4)?,
            }),
            ClockBlock::Rosc => Some(match offset {
                0x18 => STABLE_ENABLED,
                0x1C => self.random_bit(),
                _ => *self.rosc.get(offset as usize / 4)?,
            }),
            ClockBlock::Generators => self.read_generators(offset),
        }
    }

    fn read_generators(&self, offset: u32) -> Option<u32> {
        let number = offset as usize / 4;
        Some(match offset {
            0x38 => 1 << (self.generators[REF] & 3),
            0x44 => 1 << (self.generators[SYS] & 1),
            // The others have no glitchless multiplexer: always 1.
            0x08 | 0x14 | 0x20 | 0x2C | 0x50 | 0x5C | 0x68 | 0x74 => 1,
            // RESUS_STATUS: the system clock has never stopped.
            0x7C => 0,
            // The frequency counter.
            0x80..=0x9C => return None,
            _ => *self.generators.get(number)?,
        })
    }

    pub(in crate::chip) fn write(
        &mut self,
        block: ClockBlock,
        offset: u32,
        value: u32,
    ) -> Option<()> {
        let register = match block {
            ClockBlock::PllSys => return self.pll_sys.write(offset, value),
            ClockBlock::PllUsb => return self.pll_usb.write(offset, value),
            // DORMANT stops the oscillator until a pin wakes it.
            ClockBlock::Xosc if offset == 0x8 => return None,
            ClockBlock::Xosc => self.xosc.get_mut(offset as usize / 4)?,
            ClockBlock::Rosc if offset == 0xC => return None,
            ClockBlock::Rosc => self.rosc.get_mut(offset as usize / 4)?,
            ClockBlock::Generators if (0x80..=0x9C).contains(&offset) => return None,
            ClockBlock::Generators => self.generators.get_mut(offset as usize / 4)?,
        };
        *register = value;
        Some(())
    }

    fn random_bit(&mut self) -> u32 {
        let bit = self.random & 1;
        self.random = self.random >> 1 ^ if bit != 0 { 0xB400 } else { 0 };
        bit.into()
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
            (ClockBlock::Xosc, 0, XOSC_ENABLE | 0xAA0),
            (ClockBlock::PllSys, 8, 125),
            (ClockBlock::PllSys, 4, 0),
            (ClockBlock::PllSys, 0xC, 6 << 16 | 2 << 12),
            (ClockBlock::Generators, 0x30, 2),
            (ClockBlock::Generators, 0x3C, 1),
            (ClockBlock::Generators, 0x48, 1 << 11),
        ] {
            assert_eq!(clocks.write(block, offset, value), Some(()));
        }
        assert_eq!(clocks.read(ClockBlock::PllSys, 0).unwrap() >> 31, 1, "locked");
        assert_eq!(clocks.read(ClockBlock::Xosc, 4), Some(STABLE_ENABLED));
        assert_eq!(clocks.read(ClockBlock::Generators, 0x44), Some(2));
        assert_eq!(clocks.ref_hz(), 12_000_000);
        assert_eq!(clocks.sys_hz(), 125_000_000);
        assert_eq!(clocks.peri_hz(), Some(125_000_000));
    }
}
