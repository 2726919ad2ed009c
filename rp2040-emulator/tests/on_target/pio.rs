//! The outputs of the PIO programs, read from the pins.

use rp2040_emulator::chip::{Chip, Drive, PinChange};

use crate::board::check;

/// Pins, with the same numbers as in the program.
const SQUARE: u32 = 2;
const UART: u32 = 3;
const SPI_CLOCK: u32 = 4;
const SPI_DATA: u32 = 5;
const LIGHTS: u32 = 6;
const PAIR: u32 = 7;
const FOLLOWED: u32 = 9;
const FOLLOWER: usize = 10;
const ALL: u32 = 0x1FC;

#[test]
fn pios_drive_pins_take_words_and_interrupt() {
    let mut changes = vec![];
    let outside = |chip: &mut Chip| {
        chip.watch(ALL);
        changes.append(&mut chip.take_changes());
        let level = if is_high(chip.levels(), FOLLOWED) { Drive::High } else { Drive::Low };
        chip.drive(FOLLOWER, level);
    };
    check(
        "pio",
        outside,
        &[
            "a pin goes up and down",
            "a UART sends",
            "an SPI sends and receives",
            "lights get their colours",
            "two machines begin together",
            "FIFOs fill, join and empty",
            "a machine waits for a pin",
            "instructions are forced on a machine",
            "the DMA feeds and fetches",
            "flags and words interrupt",
        ],
    );
    is_square(&edges(&changes, SQUARE));
    assert_eq!(uart_bytes(&edges(&changes, UART)), b"eight bits");
    assert_eq!(spi_bytes(&changes), b"both ways");
    assert_eq!(colours(&edges(&changes, LIGHTS)), [0xFF_0000, 0x00_A5C3, 0x80_0001]);
    go_together(&changes);
}

/// Time of a pin's change, and the level after it.
type Edge = (u64, bool);

fn is_high(levels: u32, pin: u32) -> bool {
    levels >> pin & 1 != 0
}

/// Returns the edges of one pin, which is low at first.
fn edges(changes: &[PinChange], pin: u32) -> Vec<Edge> {
    let mut before = false;
    let levels = changes.iter().map(|change| (change.ns, is_high(change.levels, pin)));
    levels.filter(|(_, high)| std::mem::replace(&mut before, *high) != *high).collect()
}

/// Checks that the pin is high for three microseconds and low for two, until it is stopped.
#[track_caller]
fn is_square(edges: &[Edge]) {
    assert!((38..=44).contains(&edges.len()), "{} edges", edges.len());
    // The last edge does not come from the program.
    for pair in edges[..edges.len() - 1].windows(2) {
        let expected = if pair[0].1 { 3_000 } else { 2_000 };
        assert_eq!(pair[1].0 - pair[0].0, expected, "{pair:?}");
    }
}

/// Returns the bytes at a million bits a second: each bit is sampled in its middle.
fn uart_bytes(edges: &[Edge]) -> Vec<u8> {
    let level =
        |ns: u64| edges.iter().rev().find(|(at, _)| *at <= ns).is_some_and(|(_, high)| *high);
    let mut bytes = vec![];
    let mut busy_until = 0;
    for (start, high) in edges {
        if *high || *start < busy_until {
            continue;
        }
        let bit = |n: u64| level(start + 500 + n * 1_000);
        assert!(!bit(0) && bit(9), "start and stop of the byte at {start} ns");
        bytes.push((0..8).fold(0, |byte, n| byte | u8::from(bit(n + 1)) << n));
        busy_until = start + 9_500;
    }
    bytes
}

/// Returns the levels of the data pin as the clock rises, most significant bit first.
fn spi_bytes(changes: &[PinChange]) -> Vec<u8> {
    let clock = edges(changes, SPI_CLOCK);
    let rising: Vec<u64> = clock.iter().filter(|(_, high)| *high).map(|(ns, _)| *ns).collect();
    for pair in rising.chunks(8).flat_map(|byte| byte.windows(2)) {
        assert_eq!(pair[1] - pair[0], 1_000, "the clock");
    }
    let data = |ns: u64| changes.iter().rev().find(|change| change.ns <= ns);
    let bit = |ns: &u64| data(*ns).is_some_and(|change| is_high(change.levels, SPI_DATA));
    let byte = |bits: &[u64]| bits.iter().fold(0, |byte, ns| byte << 1 | u8::from(bit(ns)));
    rising.chunks(8).map(byte).collect()
}

/// Returns the words of 24 bits that WS2812 lights read, each bit by how long it is high.
fn colours(edges: &[Edge]) -> Vec<u32> {
    let highs = edges.windows(2).filter(|pair| pair[0].1).map(|pair| pair[1].0 - pair[0].0);
    let bits: Vec<u32> = highs
        .map(|ns| match ns {
            // A fractional divider may be one cycle of 8 ns early or late.
            242..=258 => 0,
            867..=883 => 1,
            _ => panic!("a bit is high for {ns} ns"),
        })
        .collect();
    bits.chunks(24).map(|bits| bits.iter().fold(0, |word, bit| word << 1 | bit)).collect()
}

/// Checks that both pins of the pair change in the same cycles, while their machines run.
fn go_together(changes: &[PinChange]) {
    let pair = [edges(changes, PAIR), edges(changes, PAIR + 1)];
    assert!(pair[0].len() > 100, "{} edges", pair[0].len());
    let until = pair[0].len().min(pair[1].len());
    assert_eq!(pair[0][..until], pair[1][..until]);
    assert!(pair[0].len().abs_diff(pair[1].len()) <= 1, "both stop");
}
