//! Levels that another chip is known to drive at later times.
//!
//! A chip that runs ahead passes its edges in advance. Each takes effect in its cycle without an
//! event of its own: only PIOs and reads of pins see it exactly. Other users of a pin (an interrupt
//! of the pin, UART, SPI) see it when the chip next advances its devices; for them, pins are driven
//! in time with [`Chip::drive`](crate::chip::Chip::drive).

use std::collections::VecDeque;

use super::Devices;
use crate::chip::peripherals::io_bank::Drive;

/// A level that arrives at a given time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub(super) ns: u64,
    pub(super) pin: u8,
    pub(super) drive: Drive,
}

/// Levels that have not arrived, in order of time.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrivals(VecDeque<Arrival>);

impl Arrivals {
    pub(super) fn front(&self) -> Option<&Arrival> {
        self.0.front()
    }

    pub(super) fn get(&self, index: usize) -> Option<&Arrival> {
        self.0.get(index)
    }

    pub(super) fn pop(&mut self) -> Option<Arrival> {
        self.0.pop_front()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

impl Devices {
    /// Schedules a level; see [`Chip::schedule`](crate::chip::Chip::schedule).
    pub(in crate::chip) fn schedule(&mut self, ns: u64, pin: usize, drive: Drive) {
        let last = self.arrivals.0.back().map_or(0, |last| last.ns);
        self.arrivals.0.push_back(Arrival { ns: ns.max(last), pin: pin as u8, drive });
        self.pios.discard_prediction();
        self.touch();
    }

    /// Drops the levels that arrive after `ns`.
    pub(in crate::chip) fn cancel_arrivals(&mut self, ns: u64) {
        self.arrivals.0.retain(|arrival| arrival.ns <= ns);
        self.pios.discard_prediction();
        self.touch();
    }

    /// Returns the number of levels that have not arrived.
    pub(in crate::chip) fn arrivals(&self) -> usize {
        self.arrivals.len()
    }
}
