//! Inputs that the program polls without a change, and to which the board has connected nothing.

use rp2040_emulator::chip::Chip;

use super::wiring::{Gpio, Wiring};

const GPIO_IN: u32 = 0xD000_0004; // RP2040 datasheet 2.3.1.7
const GPIO0_CTRL: u32 = 0x4001_4004; // 2.19.6.1
const GPIO_STEP: u32 = 8;
const FUNCSEL: u32 = 0x1F;
const SIO: u32 = 5;

/// Returns the sentence for the inputs that the program polls in vain; `None` without such inputs.
pub(super) fn remark(chip: &Chip, wiring: &Wiring) -> Option<String> {
    if !chip.polled().iter().any(|polled| polled.access.address == GPIO_IN) {
        return None;
    }
    let (_, outputs) = chip.outputs();
    let connected = wiring.pins();
    let is_open_input = |pin: &Gpio| {
        let control = GPIO0_CTRL + GPIO_STEP * pin.number() as u32;
        let control = chip.peek(0, control).unwrap_or_default();
        (outputs | connected) & pin.bit() == 0 && control & FUNCSEL == SIO
    };
    let pins: Vec<String> = (0..Gpio::COUNT)
        .filter_map(Gpio::new)
        .filter(is_open_input)
        .map(|pin| pin.to_string())
        .collect();
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
