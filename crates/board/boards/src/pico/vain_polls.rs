//! Inputs that the program polls without a change, and to which the board has connected nothing.

use rp2040_emulator::chip::Chip;

use super::wiring::{Gpio, Wiring};

/// Returns the sentence for the inputs that the program polls in vain; `None` without such inputs.
pub(super) fn remark(chip: &Chip, wiring: &Wiring) -> Option<String> {
    let open = chip.inputs_polled_in_vain() & !wiring.pins();
    let pins = (0..Gpio::COUNT).filter_map(Gpio::new).filter(|pin| open & pin.bit() != 0);
    let pins: Vec<String> = pins.map(|pin| pin.to_string()).collect();
    (!pins.is_empty()).then(|| {
        format!(
            "polled in vain: {}, which the board file does not mention; a button, TE of a display or \
             an interrupt of a sensor is often there",
            pins.join(", ")
        )
    })
}

#[cfg(test)]
mod tests;
