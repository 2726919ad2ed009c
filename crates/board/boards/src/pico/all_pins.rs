//! A program that changes all pins as fast as the chip can: the board stays within its limits.

use std::sync::Arc;

use hal_mock::{BoardConfig, Machine};
use ili9341_model::VIOLATIONS_MAX;
use virtual_time::{Instant, Nanos};

use super::Pico;
use super::scripted::{function, program};

const PIO0: u32 = 0x5020_0000; // RP2040 datasheet 3.7
const SM0_PINCTRL: u32 = PIO0 + 0xDC;
const SM0_INSTR: u32 = PIO0 + 0xD8;
const PINS: u32 = 30;

/// Returns a script with which a state machine changes all pins in each cycle: 62.5 MHz on each.
fn all_pins() -> Vec<(u32, u32)> {
    let mut script: Vec<(u32, u32)> = (0..PINS).map(|pin| function(pin, 6)).collect();
    script.extend([
        (PIO0 + 0x48, 0xA001),  // mov pins, x
        (PIO0 + 0x4C, 0xA009),  // mov pins, ~x
        (PIO0 + 0xC8, 1 << 16), // a tick in each cycle
        (PIO0 + 0xCC, 1 << 12), // wrap after the second instruction
        (SM0_PINCTRL, PINS << 20),
        (SM0_INSTR, 0xA0EB), // mov osr, ~null
        (SM0_INSTR, 0x6080), // out pindirs, 32
        (PIO0, 1),
    ]);
    script
}

#[test]
fn thirty_pins_that_change_in_each_cycle_stay_within_limits() {
    let mut pico = Pico::new(Arc::new(program(&all_pins())), BoardConfig::default());
    let end = pico.power_on().and_then(|()| {
        let limit = pico.board().now().saturating_add(Nanos::from_millis(1));
        pico.step(limit)
    });
    assert!(end.is_ok(), "{end:?}");
    assert_eq!(pico.with_chip(|chip| chip.driven()), Some((1 << PINS) - 1));
    let board = pico.board();
    assert!(board.now() <= Instant::from_millis(1_100), "{}", board.now());
    assert!(board.violations().len() <= VIOLATIONS_MAX);
}
