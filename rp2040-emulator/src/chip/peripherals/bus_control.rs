//! BUSCTRL: priorities on the bus, and counters of accesses (datasheet section 2.1.1).
//!
//! The buses never contend here, so priorities have no effect and contested accesses are never
//! counted. Accesses to peripherals always pass through the bus; accesses to memory must be
//! reported one by one by the cores ([`BusControl::counts_memory`]).

use super::array::index;

// Registers: RP2040 datasheet 2.1.5.
const BUS_PRIORITY: u32 = 0x00; // priorities of the masters, 2.1.5
const BUS_PRIORITY_ACK: u32 = 0x04; // whether they are in effect, 2.1.5
const PERFCTR0: u32 = 0x08; // first of four counters, each followed by its event, 2.1.5
const PERFSEL3: u32 = 0x24; // event of the last counter, 2.1.5

const BUS_PRIORITY_BITS: u32 = 0x1111;
const PERFCTR_BITS: u32 = 0x00FF_FFFF;
const PERFSEL_BITS: u32 = 0x1F;
/// Value of PERFSEL after reset: no event is counted.
const PERFSEL_RESET: u32 = 0x1F;
// The events: RP2040 datasheet 2.1.5. The preceding number of each is its contested accesses.
const PERFSEL_VALUE_APB: u32 = 0x01;
const PERFSEL_VALUE_FASTPERI: u32 = 0x03;
const PERFSEL_VALUE_SRAM5: u32 = 0x05;
const PERFSEL_VALUE_SRAM4: u32 = 0x07;
const PERFSEL_VALUE_SRAM0: u32 = 0x0F;
const PERFSEL_VALUE_XIP_MAIN: u32 = 0x11;
const PERFSEL_VALUE_ROM: u32 = 0x13;

// The highest bytes of addresses: RP2040 datasheet 2.2.
const ROM_BYTE: u32 = 0x00; // ROM, 2.2
const XIP_FIRST_BYTE: u32 = 0x10; // flash in its windows, 2.2
const XIP_LAST_BYTE: u32 = 0x1F; // the flash's registers, 2.2
const SRAM0_BYTE: u32 = 0x21; // banks of RAM in sequence, 2.2

/// Size of one of the four large banks of RAM in bytes; there are also two small ones.
const LARGE_BANK: u32 = 0x1_0000;
const SMALL_BANK: u32 = 0x1000;

/// A port of the bus, by the devices connected to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chip) enum BusPort {
    /// The bridge to the APB.
    Apb,
    /// The splitter of the fast peripherals: DMA, USB, PIOs, XIP_AUX.
    FastPeripherals,
    /// A bank of RAM: 0 to 3 are striped, 4 and 5 are small.
    Ram(u8),
    /// The flash, the cache's memory and the registers of both.
    Xip,
    Rom,
}

impl BusPort {
    /// Returns the port of an address in ROM, flash or RAM, in any window.
    pub(in crate::chip) fn of_memory(address: u32) -> Self {
        let offset = address & 0x00FF_FFFF;
        match address >> 24 {
            ROM_BYTE => Self::Rom,
            XIP_FIRST_BYTE..=XIP_LAST_BYTE => Self::Xip,
            // In this window the banks follow each other; in the other one their words are
            // interleaved.
            SRAM0_BYTE => Self::Ram((offset / LARGE_BANK % 4) as u8),
            _ if offset < 4 * LARGE_BANK => Self::Ram((offset / 4 % 4) as u8),
            _ if offset < 4 * LARGE_BANK + SMALL_BANK => Self::Ram(4),
            _ => Self::Ram(5),
        }
    }

    /// Returns the event that counts accesses through this port.
    fn event(self) -> u32 {
        match self {
            Self::Apb => PERFSEL_VALUE_APB,
            Self::FastPeripherals => PERFSEL_VALUE_FASTPERI,
            Self::Ram(5) => PERFSEL_VALUE_SRAM5,
            Self::Ram(4) => PERFSEL_VALUE_SRAM4,
            Self::Ram(bank) => PERFSEL_VALUE_SRAM0 - 2 * u32::from(bank),
            Self::Xip => PERFSEL_VALUE_XIP_MAIN,
            Self::Rom => PERFSEL_VALUE_ROM,
        }
    }
}

/// Returns whether the event counts accesses to a memory.
fn is_of_memory(event: u32) -> bool {
    event % 2 == 1 && (PERFSEL_VALUE_SRAM5..=PERFSEL_VALUE_ROM).contains(&event)
}

/// Returns whether the event counts all accesses, and not only contested ones.
fn is_counted(event: u32) -> bool {
    event % 2 == 1 && event <= PERFSEL_VALUE_ROM
}

#[derive(Clone, Debug)]
pub(in crate::chip) struct BusControl {
    priority: u32,
    counts: [u32; 4],
    events: [u32; 4],
    /// Whether any counter counts anything; `counts_memory` is whether one counts accesses to a
    /// memory.
    counts_any: bool,
    counts_memory: bool,
}

impl Default for BusControl {
    fn default() -> Self {
        Self {
            priority: 0,
            counts: [0; 4],
            events: [PERFSEL_RESET; 4],
            counts_any: false,
            counts_memory: false,
        }
    }
}

impl BusControl {
    /// Returns whether [`count`](Self::count) has any effect.
    pub(in crate::chip) fn is_counting(&self) -> bool {
        self.counts_any
    }

    /// Returns whether any counter counts accesses to a memory, which the cores must then report.
    pub(in crate::chip) fn counts_memory(&self) -> bool {
        self.counts_memory
    }

    /// Counts an access through `port`.
    pub(in crate::chip) fn count(&mut self, port: BusPort) {
        for (count, event) in self.counts.iter_mut().zip(self.events) {
            if event == port.event() && *count < PERFCTR_BITS {
                *count += 1;
            }
        }
    }

    pub(in crate::chip) fn read(&self, offset: u32) -> Option<u32> {
        Some(match offset {
            BUS_PRIORITY => self.priority,
            BUS_PRIORITY_ACK => 1,
            PERFCTR0..=PERFSEL3 => match index(offset, PERFCTR0) {
                register if register % 2 == 0 => self.counts[register / 2],
                register => self.events[register / 2],
            },
            _ => return None,
        })
    }

    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32) -> Option<()> {
        match offset {
            BUS_PRIORITY => self.priority = value & BUS_PRIORITY_BITS,
            BUS_PRIORITY_ACK => {}
            PERFCTR0..=PERFSEL3 => match index(offset, PERFCTR0) {
                register if register % 2 == 0 => self.counts[register / 2] = 0,
                register => {
                    self.events[register / 2] = value & PERFSEL_BITS;
                    self.counts_any = self.events.iter().any(|event| is_counted(*event));
                    self.counts_memory = self.events.iter().any(|event| is_of_memory(*event));
                }
            },
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERFSEL0: u32 = PERFCTR0 + 4;
    const PERFCTR3: u32 = PERFSEL3 - 4;

    #[test]
    fn after_reset_no_counter_has_an_event() {
        let mut control = BusControl::default();
        assert_eq!(control.read(PERFSEL0), Some(0x1F));
        assert!(!control.is_counting());
        control.count(BusPort::Apb);
        assert_eq!(control.read(PERFCTR0), Some(0));
    }

    #[test]
    fn a_counter_saturates_and_any_write_clears_it() {
        let mut control = BusControl::default();
        control.write(PERFSEL0, 0x01);
        control.write(PERFSEL3, 0x03);
        for _ in 0..3 {
            control.count(BusPort::Apb);
        }
        control.count(BusPort::FastPeripherals);
        assert_eq!([PERFCTR0, PERFCTR3].map(|offset| control.read(offset)), [Some(3), Some(1)]);
        control.counts[0] = PERFCTR_BITS;
        control.count(BusPort::Apb);
        assert_eq!(control.read(PERFCTR0), Some(PERFCTR_BITS));
        control.write(PERFCTR0, 7);
        assert_eq!(control.read(PERFCTR0), Some(0));
    }

    #[test]
    fn memory_is_observed_only_while_counted_and_never_contested() {
        let mut control = BusControl::default();
        control.write(PERFSEL0, 0x11);
        assert!(control.counts_memory() && control.is_counting());
        control.write(PERFSEL0, 0x10);
        assert!(!control.counts_memory() && !control.is_counting(), "contested ones");
        control.write(PERFSEL0, 0x01);
        assert!(!control.counts_memory() && control.is_counting());
        control.write(PERFSEL0, 0x1F);
        assert!(!control.counts_memory() && !control.is_counting(), "none");
    }

    #[test]
    fn ram_words_are_striped_over_four_banks_before_two_small_ones() {
        let events = |addresses: &[u32]| -> Vec<u32> {
            addresses.iter().map(|address| BusPort::of_memory(*address).event()).collect()
        };
        let striped = [0x2000_0000, 0x2000_0006, 0x2000_0008, 0x2003_FFFC, 0x2000_0010];
        assert_eq!(events(&striped), [0x0F, 0x0D, 0x0B, 0x09, 0x0F]);
        assert_eq!(events(&[0x2100_0004, 0x2101_0000, 0x2103_FFFC]), [0x0F, 0x0D, 0x09]);
        assert_eq!(events(&[0x2004_0000, 0x2004_0FFC, 0x2004_1000]), [0x07, 0x07, 0x05]);
        assert_eq!(events(&[0x0000_0010, 0x1000_0000, 0x1300_0000]), [0x13, 0x11, 0x11]);
    }
}
