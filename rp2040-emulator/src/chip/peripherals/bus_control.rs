//! BUSCTRL: priorities on the bus, and counters of accesses (datasheet section 2.1.1).
//!
//! The buses never contend here, so priorities have no effect and contested accesses are never
//! counted. Accesses to the peripherals pass the bus and are counted; accesses to the memories are
//! not seen: selecting one is reported ([`BusControl::write`]).

use super::array::index;

// Registers: RP2040 datasheet 2.1.5.
const BUS_PRIORITY: u32 = 0x00; // priorities of the masters, 2.1.5
const BUS_PRIORITY_ACK: u32 = 0x04; // whether they are in effect, 2.1.5
const PERFCTR0: u32 = 0x08; // first of four counters, each followed by its event, 2.1.5
const PERFSEL3: u32 = 0x24; // event of the last counter, 2.1.5

const BUS_PRIORITY_BITS: u32 = 0x1111;
const PERFCTR_BITS: u32 = 0x00FF_FFFF;
const PERFSEL_BITS: u32 = 0x1F;
/// After reset a counter counts nothing.
const PERFSEL_RESET: u32 = 0x1F;
const PERFSEL_VALUE_APB: u32 = 0x01;
const PERFSEL_VALUE_FASTPERI: u32 = 0x03;
/// The last event.
const PERFSEL_VALUE_ROM: u32 = 0x13;
/// The lowest bit of an event: all accesses, and not the contested ones only.
const PERFSEL_ALL: u32 = 1;

/// What a peripheral is behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chip) enum BusPort {
    /// The bridge to the APB.
    Apb,
    /// The splitter of the fast peripherals: DMA, USB, PIOs, XIP_AUX.
    FastPeripherals,
}

impl BusPort {
    /// The event of its accesses.
    fn event(self) -> u32 {
        match self {
            Self::Apb => PERFSEL_VALUE_APB,
            Self::FastPeripherals => PERFSEL_VALUE_FASTPERI,
        }
    }
}

#[derive(Clone, Debug)]
pub(in crate::chip) struct BusControl {
    priority: u32,
    counts: [u32; 4],
    events: [u32; 4],
    /// Whether any counter counts accesses to a peripheral.
    counts_any: bool,
}

impl Default for BusControl {
    fn default() -> Self {
        Self { priority: 0, counts: [0; 4], events: [PERFSEL_RESET; 4], counts_any: false }
    }
}

impl BusControl {
    /// Whether [`count`](Self::count) has anything to do.
    pub(in crate::chip) fn is_counting(&self) -> bool {
        self.counts_any
    }

    /// An access through `port`.
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

    /// `None` also if a counter is to count accesses to a memory, which are not seen.
    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32) -> Option<()> {
        match offset {
            BUS_PRIORITY => self.priority = value & BUS_PRIORITY_BITS,
            BUS_PRIORITY_ACK => {}
            PERFCTR0..=PERFSEL3 => match index(offset, PERFCTR0) {
                register if register % 2 == 0 => self.counts[register / 2] = 0,
                register => {
                    let event = value & PERFSEL_BITS;
                    self.events[register / 2] = event;
                    let seen = [BusPort::Apb, BusPort::FastPeripherals].map(BusPort::event);
                    self.counts_any = self.events.iter().any(|event| seen.contains(event));
                    let memory = event <= PERFSEL_VALUE_ROM
                        && event & PERFSEL_ALL != 0
                        && !seen.contains(&event);
                    return (!memory).then_some(());
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
    fn a_counter_counts_its_event_until_it_is_full_and_any_write_clears_it() {
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
    fn an_event_that_is_not_seen_is_reported_and_a_contested_one_never_happens() {
        let mut control = BusControl::default();
        assert_eq!(control.write(PERFSEL0, 0x11), None, "accesses to the flash");
        assert_eq!(control.read(PERFSEL0), Some(0x11));
        assert_eq!(control.write(PERFSEL0, 0x10), Some(()), "contested ones");
        assert_eq!(control.write(PERFSEL0, 0x1F), Some(()), "none");
    }
}
