//! Errors, breaks and line control of UART 0 (RX at GP1), which UART 1 (TX at GP4) sends to: what
//! embassy's `read_to_break`, DMX and LIN need. PL011 TRM (DDI 0183) 3.3, datasheet 4.2.

use super::program::Do::{self, Pass, Read, Write};
use super::program::{results, script, to_end};

const UART0: u32 = 0x4003_4000;
const UART1: u32 = 0x4003_8000;
const DR: u32 = 0x000;
const RSR: u32 = 0x004;
const FR: u32 = 0x018;
const IBRD: u32 = 0x024;
const LCR_H: u32 = 0x02C;
const CR: u32 = 0x030;
const IMSC: u32 = 0x038;
const RIS: u32 = 0x03C;
const MIS: u32 = 0x040;
const ICR: u32 = 0x044;
const DMACR: u32 = 0x048;

/// Line control: FIFOs, eight bits; a break, even and odd parity, sticky parity, two stop bits.
const PLAIN: u32 = 0x70;
const BREAK: u32 = 1;
const ODD: u32 = 1 << 1;
const EVEN: u32 = 1 << 1 | 1 << 2;
const STICKY: u32 = 1 << 7;
const TWO_STOPS: u32 = 1 << 3;
const ENABLED: u32 = 0x301;
const LOOPBACK: u32 = 0x381;

/// Divisor: a bit is 64 cycles, 16 passes.
const DIVISOR: u32 = 4;
/// A frame of ten bits in passes.
const FRAME: u32 = 160;

/// Returns the setup of both UARTs with their line controls, and of their pins.
fn setup(sender: u32, receiver: u32) -> Vec<Do> {
    let mut steps = vec![Write(0x4000_C000, 0), Write(0x4000_8048, 1 << 11)];
    for (uart, line) in [(UART0, receiver), (UART1, sender)] {
        steps.extend([Write(uart + IBRD, DIVISOR), Write(uart + LCR_H, line)]);
        steps.push(Write(uart + CR, ENABLED));
    }
    steps.extend([Write(0x4001_400C, 2), Write(0x4001_4024, 2)]);
    steps
}

/// Runs `steps` after the setup, with GP4 wired to GP1, and returns what they read.
#[track_caller]
fn reads(sender: u32, receiver: u32, steps: &[Do]) -> Vec<u32> {
    let steps = [setup(sender, receiver), steps.to_vec()].concat();
    let mut chip = script(&steps);
    assert!(chip.wire([4, 1]));
    to_end(&mut chip);
    results(&chip, &steps)
}

#[test]
fn a_parity_error_is_in_every_register() {
    let found = reads(
        PLAIN | EVEN,
        PLAIN | ODD,
        &[
            Write(UART0 + IMSC, 1 << 8),
            Write(UART1 + DR, 0x55),
            Pass(2 * FRAME),
            Read(UART0 + RIS),
            Read(UART0 + MIS),
            Read(UART0 + RSR),
            Read(UART0 + DR),
            Read(UART0 + RSR),
            Write(UART0 + ICR, 1 << 8),
            Read(UART0 + MIS),
            Write(UART0 + RSR, 0),
            Read(UART0 + RSR),
        ],
    );
    assert_eq!(found[0] & 0x780, 1 << 8, "RIS");
    let rest = [1 << 8, 0, 0x255, 2, 0, 0];
    assert_eq!(found[1..], rest, "MIS, RSR before DR, DR, RSR, MIS and RSR when cleared");
}

#[test]
fn parity_is_even_odd_or_sticky() {
    let parities = [EVEN, ODD, EVEN | STICKY, ODD | STICKY];
    for sender in parities {
        for receiver in parities {
            let steps = [
                Write(UART1 + DR, 0x55),
                Write(UART1 + DR, 0x57),
                Pass(3 * FRAME),
                Read(UART0 + DR),
                Read(UART0 + DR),
            ];
            let found = reads(PLAIN | sender, PLAIN | receiver, &steps);
            // The parity bit of 0x55, whose number of ones is even, and of 0x57.
            let bits = |parity| match parity {
                EVEN => [0, 1],
                ODD => [1, 0],
                parity if parity & EVEN == EVEN => [0, 0],
                _ => [1, 1],
            };
            let (sent, expected) = (bits(sender), bits(receiver));
            let error = |n: usize| u32::from(sent[n] != expected[n]) << 9;
            assert_eq!(found, [0x55 | error(0), 0x57 | error(1)], "{sender:#x} {receiver:#x}");
        }
    }
}

#[test]
fn another_rate_or_length_is_a_framing_error() {
    let slow = [
        Write(UART1 + IBRD, 2 * DIVISOR),
        Write(UART1 + LCR_H, PLAIN),
        Write(UART1 + DR, 0x0F),
        Pass(2 * FRAME),
        Read(UART0 + RIS),
        Read(UART0 + DR),
    ];
    let found = reads(PLAIN, PLAIN, &slow);
    assert_eq!(found[0] & 0x780, 0);
    // Four ones, each twice as long, are behind the start bit of two; the stop bit is a zero.
    assert_eq!(found[1] & 0xF00, 0, "{found:x?}");
    let zero = slow.map(|step| match step {
        Write(address, 0x0F) => Write(address, 0xF0),
        other => other,
    });
    let found = reads(PLAIN, PLAIN, &zero);
    assert_eq!((found[0] & 0x780, found[1]), (5 << 7, 0x500), "ten zeros are a break");
    // Seven data bits are sent and eight expected with parity: the stop bit is a data bit.
    let found = reads(0x50, PLAIN, &[Write(UART1 + DR, 0x7F), Pass(2 * FRAME), Read(UART0 + DR)]);
    assert_eq!(found, [0xFF]);
}

/// LIN: a break of at least 13 bits, a mark, 0x55 for the rate.
#[test]
fn a_break_is_one_word_and_the_next_byte_is_clean() {
    for line in [PLAIN, PLAIN | TWO_STOPS, PLAIN | EVEN] {
        let found = reads(
            line,
            line,
            &[
                Write(UART1 + LCR_H, line | BREAK),
                Pass(13 * FRAME / 10),
                Read(UART0 + FR),
                Pass(30 * FRAME),
                Write(UART1 + LCR_H, line),
                Pass(FRAME / 5),
                Write(UART1 + DR, 0x55),
                Pass(2 * FRAME),
                Read(UART0 + RIS),
                Read(UART0 + DR),
                Read(UART0 + RSR),
                Read(UART0 + DR),
                Read(UART0 + RSR),
                Read(UART0 + FR),
            ],
        );
        assert_eq!(found[0] >> 4 & 1, 0, "the break has arrived");
        assert_eq!(found[1] & 0x680, 0x280, "BERIS and FERIS");
        assert_eq!(found[2..4], [0x500, 5], "the break");
        assert_eq!(found[4..6], [0x55, 0], "the byte behind the break");
        assert_eq!(found[6] >> 4 & 1, 1, "nothing else arrived");
    }
}

/// DMX: break, mark, start code, slots, with two stop bits.
#[test]
fn a_break_begins_after_the_byte_on_the_wire() {
    let line = PLAIN | TWO_STOPS;
    let mut steps = vec![
        Write(UART1 + DR, 0xA5),
        Write(UART1 + LCR_H, line | BREAK),
        Pass(3 * FRAME),
        Write(UART1 + LCR_H, line),
        Pass(FRAME / 5),
    ];
    steps.extend([0, 1, 2].map(|slot| Write(UART1 + DR, slot)));
    steps.push(Pass(5 * FRAME));
    steps.extend([Read(UART0 + DR); 5]);
    assert_eq!(reads(line, line, &steps), [0xA5, 0x500, 0, 1, 2]);
}

#[test]
fn a_break_in_loopback_is_received() {
    let found = reads(
        PLAIN,
        PLAIN,
        &[
            Write(UART0 + CR, LOOPBACK),
            // The pin is not connected in loopback.
            Write(UART1 + DR, 0x33),
            Write(UART0 + DR, 0x41),
            Pass(2 * FRAME),
            Write(UART0 + LCR_H, PLAIN | BREAK),
            Pass(5 * FRAME),
            Write(UART0 + LCR_H, PLAIN),
            Pass(FRAME),
            Write(UART0 + DR, 0x42),
            Pass(2 * FRAME),
            Read(UART0 + DR),
            Read(UART0 + DR),
            Read(UART0 + DR),
            Read(UART0 + FR),
        ],
    );
    assert_eq!(found[..3], [0x41, 0x500, 0x42]);
    assert_eq!(found[3] >> 4 & 1, 1, "nothing else arrived");
}

/// embassy's `read_to_break`: the DMA takes no byte after an error until the program has seen it.
#[test]
fn dma_stops_at_an_error_on_request() {
    const CHANNEL: u32 = 0x5000_0000;
    const BUFFER: u32 = 0x2002_8000;
    // Bytes from UART 0's receiver (DREQ 21), incrementing the write address, for ever.
    let control = 1 | 1 << 5 | 21 << 15;
    let mut steps = vec![
        Write(UART0 + IMSC, 0x780),
        Write(UART0 + DMACR, 1 | 1 << 2),
        Write(CHANNEL, UART0 + DR),
        Write(CHANNEL + 4, BUFFER),
        Write(CHANNEL + 8, 16),
        Write(CHANNEL + 0xC, control),
    ];
    steps.extend([1, 2].map(|byte| Write(UART1 + DR, byte)));
    steps.extend([Pass(4 * FRAME), Write(UART1 + LCR_H, PLAIN | BREAK), Pass(3 * FRAME)]);
    steps.extend([Write(UART1 + LCR_H, PLAIN), Pass(FRAME), Write(UART1 + DR, 3)]);
    steps.extend([Pass(2 * FRAME), Read(CHANNEL + 8), Read(UART0 + DR), Read(UART0 + DR)]);
    steps.extend([Read(BUFFER), Write(UART0 + ICR, 0x780), Write(UART1 + DR, 4)]);
    steps.extend([Pass(2 * FRAME), Read(CHANNEL + 8)]);
    let found = reads(PLAIN, PLAIN, &steps);
    assert_eq!(found[..3], [14, 0x500, 3], "two bytes are transferred");
    assert_eq!(found[3] & 0xFFFF, 0x0201);
    assert_eq!(found[4], 13, "it continues once the interrupt is cleared");
}
