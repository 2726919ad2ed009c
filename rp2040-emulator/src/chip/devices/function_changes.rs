//! A bounded buffer of changes of the functions of watched pins.

use std::collections::VecDeque;

use super::Devices;
use crate::chip::peripherals::io_bank::PIN_COUNT;

/// Capacity of the buffer. When it is full, the oldest change is dropped.
const MAX_FUNCTION_CHANGES: usize = 1 << 12;

/// A change of the function of a watched pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionChange {
    /// Time since power-on, in nanoseconds.
    pub ns: u64,
    /// Number of the pin, 0 to 29.
    pub pin: u8,
    /// FUNCSEL of the pin from then on (datasheet section 2.19.2).
    pub function: u32,
}

/// The watched pins, their functions, and the recorded changes.
#[derive(Clone, Debug, Default)]
pub(in crate::chip) struct FunctionChanges {
    watched: u32,
    functions: [u32; PIN_COUNT],
    changes: VecDeque<FunctionChange>,
}

impl FunctionChanges {
    /// Returns the changes since the last call, oldest first.
    pub(in crate::chip) fn take(&mut self) -> Vec<FunctionChange> {
        std::mem::take(&mut self.changes).into()
    }
}

impl Devices {
    /// Records changes of the functions of these pins from now on; bit n is GPIO n.
    pub(in crate::chip) fn watch_functions(&mut self, pins: u32) {
        let watched = &mut self.function_changes;
        watched.watched = pins;
        for (pin, function) in watched.functions.iter_mut().enumerate() {
            *function = self.bank.function(pin).unwrap_or_default();
        }
    }

    /// Records the changes of functions since the last call of this function. Every change of the
    /// pins' control registers calls it.
    pub(super) fn note_functions(&mut self) {
        self.route_i2cs();
        self.route_targets();
        let FunctionChanges { watched, functions, changes } = &mut self.function_changes;
        let mut pins = *watched;
        while pins != 0 {
            let pin = pins.trailing_zeros() as usize;
            pins &= pins - 1;
            let Some(function) = self.bank.function(pin) else { continue };
            if std::mem::replace(&mut functions[pin], function) != function {
                if changes.len() == MAX_FUNCTION_CHANGES {
                    changes.pop_front();
                }
                changes.push_back(FunctionChange { ns: self.now_ns, pin: pin as u8, function });
            }
        }
    }
}
