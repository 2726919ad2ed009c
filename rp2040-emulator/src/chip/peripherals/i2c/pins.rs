//! The controller's pins as levels: the open drains of SDA and SCL, and the levels of the wires.

use super::wave::{BitTimes, Item, Pulls, Wave};
use super::{BusStep, I2c};
use crate::chip::peripherals::i2c::registers::*;

impl I2c {
    /// Sets whether both pins have levels; a transfer on the bus ends in the way it began.
    pub(in crate::chip) fn set_pins(&mut self, has_pins: bool) {
        self.has_pins = has_pins;
    }

    /// Returns the wires that the controller and its attached devices pull low, and the nanosecond
    /// of the controller's next edge.
    pub(in crate::chip) fn pulls(&self) -> (Pulls, u64) {
        let (wave, due) = match &self.wave {
            Some(wave) => (wave.pulls(), wave.due()),
            None => (Pulls::default(), u64::MAX),
        };
        let target = self.listener.pulls();
        (Pulls { sda: wave.sda || target.sda, scl: wave.scl || target.scl }, due)
    }

    /// Processes the levels that the wires have from `ns` on. Returns true if the controller then
    /// pulls other wires.
    pub(in crate::chip) fn sense(&mut self, sda: bool, scl: bool, ns: u64) -> bool {
        let before = self.pulls();
        if let Some(wave) = &mut self.wave {
            wave.sense(sda, scl, ns);
        }
        self.listen(sda, scl, ns);
        before != self.pulls()
    }

    /// Starts `step` on the wires, after the acknowledgement of the previous byte if that is
    /// `owed`.
    pub(super) fn draw(&mut self, step: BusStep, owed: bool, ns: u64, times: BitTimes, end: u64) {
        let items = match step {
            BusStep::Address => self.address_items(end),
            BusStep::Byte => self.byte_items(end),
            BusStep::Stop => vec![Item::Stop],
        };
        // The last byte of a read is not acknowledged.
        let before = owed.then_some(Item::Sent(step != BusStep::Byte));
        let items = before.into_iter().chain(items);
        self.wave.get_or_insert_with(|| Wave::new(times)).begin(items, ns);
    }

    /// Returns a start and the address as items. The attached devices are asked immediately; their
    /// answer appears on SDA at its time.
    fn address_items(&mut self, end: u64) -> Vec<Item> {
        let reading = self.current & IC_DATA_CMD_CMD != 0;
        let (address, ten_bits) = self.called_address();
        let acknowledged = self.wires.offer(end, address, reading);
        let acknowledge = Item::Awaited { low: acknowledged };
        if !ten_bits {
            let byte = (address as u8) << 1 | u8::from(reading);
            return [Item::Start].into_iter().chain(bits(byte)).chain([acknowledge]).collect();
        }
        let first = 0xF0 | (address >> 7) as u8 & 6;
        let mut items = vec![Item::Start];
        for byte in [first, address as u8] {
            items.extend(bits(byte));
            items.push(acknowledge);
        }
        if reading {
            items.push(Item::Start);
            items.extend(bits(first | 1));
            items.push(acknowledge);
        }
        items
    }

    fn byte_items(&mut self, end: u64) -> Vec<Item> {
        if self.current & IC_DATA_CMD_CMD == 0 {
            let acknowledged = self.wires.give(end, self.current as u8);
            let acknowledge = Item::Awaited { low: acknowledged };
            return bits(self.current as u8).chain([acknowledge]).collect();
        }
        let byte = self.wires.take(end);
        (0..8).rev().map(|bit| Item::Awaited { low: byte >> bit & 1 == 0 }).collect()
    }
}

/// Returns the bits of a byte that the master sends.
fn bits(byte: u8) -> impl Iterator<Item = Item> {
    (0..8).rev().map(move |bit| Item::Sent(byte >> bit & 1 != 0))
}
