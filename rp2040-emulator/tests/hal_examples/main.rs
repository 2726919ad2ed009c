//! Examples of rp2040-hal from its repository: their effects on pins, and their output. README.md
//! describes their origin.

use rp2040_emulator::chip::{Chip, PinChange};

#[path = "../images/mod.rs"]
mod images;

const MS: u64 = 1_000_000;
const LED: u32 = 25;

/// Runs the image `name` with `wires` between pins for `until_ms` of virtual time. Returns the
/// chip, and the changes of `pins`.
#[track_caller]
fn run(name: &str, wires: &[[usize; 2]], until_ms: u64, pins: u32) -> (Chip, Vec<PinChange>) {
    let mut chip = images::loaded("hal_examples", name, wires);
    chip.power_on().expect("it boots");
    chip.watch(pins);
    chip.run(until_ms * MS);
    images::all_is_modelled(&chip);
    let changes = chip.take_changes();
    (chip, changes)
}

/// Returns the times at which the LED toggles, beginning with the first time that it is on.
fn turns(changes: &[PinChange]) -> Vec<u64> {
    let mut lit = false;
    let turns = changes.iter().filter(|change| {
        let before = std::mem::replace(&mut lit, change.levels >> LED & 1 != 0);
        before != lit
    });
    turns.map(|change| change.ns).collect()
}

/// Checks that the LED toggles every `period_ms`, to a thousandth; by the period, `name` reports
/// the result of a transfer.
#[track_caller]
fn blinks(name: &str, wires: &[[usize; 2]], period_ms: u64) {
    let (_, changes) = run(name, wires, 3 * period_ms, 1 << LED);
    let turns = turns(&changes);
    assert!(turns.len() >= 3, "{name}: {turns:?}");
    for pair in turns.windows(2) {
        let gap = pair[1] - pair[0];
        assert!(gap.abs_diff(period_ms * MS) < period_ms * MS / 1000, "{name}: {gap} ns");
    }
}

#[test]
fn the_led_reports_the_result_of_a_dma_transfer() {
    blinks("mem_to_mem_dma", &[], 1000);
    // The program sends to itself, and reports a missing wire by a fast LED.
    blinks("spi_dma", &[[7, 4]], 500);
    blinks("spi_dma", &[], 100);
}

/// Words that `pio_dma` sends, the lowest bit of each first.
const MORSE: [u32; 4] = [0xAA22_EA2E, 0xA3BB_80BB, 0x8EEE_2E8B, 0xA8EA_0000];
/// Cycles per bit: 16 instructions, at the largest divisor of the clock.
const BIT_CYCLES: u64 = 16 << 16;

/// Checks two messages. The second begins when the first has come back through the PIO's FIFO and
/// two channels of the DMA, and only if it is unchanged. That takes 20 seconds, for which the
/// program polls one register.
#[test]
fn a_message_goes_through_a_pio_and_comes_back_by_dma() {
    let (chip, changes) = run("pio_dma", &[], 42_000, 1 << LED);
    let ns_of_bit = (BIT_CYCLES as f64) * chip.now_ns() as f64 / chip.core(0).cycles() as f64;
    let turns = turns(&changes);
    let runs = turns.windows(2).map(|pair| (pair[1] - pair[0]) as f64 / ns_of_bit);
    let seen: Vec<bool> = runs
        .enumerate()
        .flat_map(|(number, bits)| vec![number % 2 == 0; bits.round() as usize])
        .collect();
    let message: Vec<bool> =
        MORSE.iter().flat_map(|word| (0..32).map(move |bit| word >> bit & 1 != 0)).collect();
    // The LED is dark before the first bit, which is a 0.
    let expected = [&message[1..], &message[..]].concat();
    assert!(seen.len() >= expected.len() - 1, "{} bits", seen.len());
    assert!(expected.starts_with(&seen[..expected.len() - 1]), "{seen:?}");
}

/// Checks that two machines toggle their pins in the same cycle, every 32 instructions of 256
/// cycles.
#[test]
fn two_machines_of_a_pio_run_in_step() {
    let (chip, changes) = run("pio_synchronized", &[], 300, 0b11);
    assert!(changes.len() > 200, "{} changes", changes.len());
    let period = (32 * 256) as f64 * chip.now_ns() as f64 / chip.core(0).cycles() as f64;
    for pair in changes[1..].windows(2) {
        assert!(matches!((pair[0].levels & 3, pair[1].levels & 3), (0, 3) | (3, 0)), "{pair:?}");
        let gap = (pair[1].ns - pair[0].ns) as f64;
        assert!((gap - period).abs() < 200.0, "{gap} ns instead of {period}");
    }
}

#[test]
fn the_adcs_interrupt_ends_a_series_of_samples() {
    let (mut chip, _) = run("adc_fifo_irq", &[], 2500, 0);
    let sent: String = chip.take_sent(0).iter().map(|(_, byte)| char::from(*byte)).collect();
    assert!(sent.contains("All done, going to sleep"), "{sent}");
}
