//! Loops that shift bits out: executed at once, they give the same results as step by step.

use super::random::Random;
use super::*;

/// Returns a program of a transmitter with random delays, sides and jumps, in one of the usual forms,
/// and its last address.
fn transmitter(random: &mut Random) -> (Vec<u32>, u32) {
    // One bit of side-set, optional or not; the rest is the delay.
    let mut upper = |side: u32| side << 12 | [0, 0, 0, 1, 2][random.below(5) as usize] << 8;
    let (out, second) = (0x6001 | upper(0), upper(1));
    match random.below(6) {
        // out pins, 1; nop
        0 => (vec![out, 0xA042 | second], 1),
        // out pins, 1; jmp 0
        1 => (vec![out, second], 3),
        // pull; out null, 4; set x, n; out pins, 1; jmp x--; and once more
        2 => {
            let half =
                |at: u32, count: u32| [0x6064, 0xE020 | count, out, 0x0040 | second | (at + 2)];
            let (one, two) = (random.below(16), random.below(16));
            let program = [[0x80A0, 0xA042, 0xA042, 0xA042], half(4, one), half(8, two)];
            (program.concat(), 11)
        }
        // pull; out y, 4; out pins, 1; jmp y--
        3 => (vec![0x80A0, 0x6044, out, 0x0080 | second | 2], 3),
        // pull; out pins, 1; jmp !osre
        4 => (vec![0x80A0, out, 0x00E0 | second | 1], 2),
        // The same, after which it reads the pins.
        _ => (vec![0x80A0, out, 0x00E0 | second | 1, 0x4006, 0x8000], 4),
    }
}

#[test]
fn bursts_equal_the_execution_of_every_cycle() {
    let (mut bursts, mut edges, mut adopted) = (0, 0, 0);
    for seed in 1..=600 {
        println!("seed {seed}"); // the last one printed is the one that failed
        let mut random = Random(0x9E37_79B9_u32.wrapping_mul(seed));
        let mut fast = Lab::default();
        let (program, last) = transmitter(&mut random);
        for (n, word) in program.iter().enumerate() {
            fast.write(INSTR_MEM0 + 4 * n as u32, *word);
        }
        let optional = if random.below(2) == 0 { 0 } else { 1 << 30 };
        fast.write(EXECCTRL, last << 12 | optional);
        let (sides, side_base) = if optional == 0 { (1, 6) } else { (2, 5 + random.below(3)) };
        fast.write(PINCTRL, out_pins(7, 1) | sides << 29 | side_pins(side_base) | in_pins(5));
        let pulls = if random.below(2) == 0 { AUTOPULL } else { 0 };
        let direction = if random.below(2) == 0 { 0 } else { RIGHT };
        fast.write(SHIFTCTRL, pulls | direction | thresholds(0, random.below(33)) | 1 << 30);
        let fraction = [0, 0, 1, 0x80, 0xFF, random.below(256)][random.below(6) as usize];
        fast.write(CLKDIV, [1, 1, 2, 3][random.below(4) as usize] << 16 | fraction << 8);
        for pin in 5..8 {
            fast.write(PINCTRL + NEXT, pin << 5 | 1 << 26);
            fast.write(INSTR + NEXT, 0xE081);
            fast.run_to(fast.pios.cycle + 70_000);
        }
        fast.write(CTRL, 1);
        let mut slow = fast.clone();
        fast.board.bursts.0 = Some(0);
        for _ in 0..60 {
            match random.below(8) {
                0..=3 => {
                    let word = random.word();
                    for lab in [&mut fast, &mut slow] {
                        lab.write(TXF0, word);
                    }
                }
                4 if random.below(8) == 0 => {
                    let (offset, value) = match random.below(3) {
                        0 => (CLKDIV, (1 + random.below(3)) << 16 | random.below(3) << 14),
                        1 => (CTRL, random.below(16)),
                        _ => (INSTR, 0xA0C1),
                    };
                    for lab in [&mut fast, &mut slow] {
                        lab.write(offset, value);
                    }
                }
                _ => {
                    let end = fast.pios.cycle + u64::from(random.below(150)) + 1;
                    let world = fast.board.clone();
                    // Without the pins, a copy of the machine is executed ahead.
                    let pins = random.below(4) == 0;
                    let seen = |lab: &Lab| {
                        let (lines, requests, interrupt) = lab.output();
                        (lines, requests, pins && interrupt)
                    };
                    let (before, next) = (seen(&fast), fast.pios.next(0xFFFF, pins, || world));
                    fast.run_to((next - 1).min(end));
                    assert_eq!(seen(&fast), before, "foreseen for {next}");
                    let is_ahead = fast.pios.is_ahead();
                    fast.run_to(end);
                    adopted += u32::from(!pins && is_ahead && !fast.pios.is_ahead());
                    slow.crawl_to(end);
                }
            }
            assert_eq!(fast.seen(), slow.seen());
            assert_eq!(fast.board, slow.board);
            assert_eq!(fast.read(RXF0), slow.read(RXF0));
        }
        bursts += fast.board.bursts.0.unwrap_or_default();
        edges += fast.board.history.len();
    }
    assert!(bursts > 1_500 && edges > 20_000, "{bursts} bursts, {edges} changes of pins");
    assert!(adopted > 1_000, "{adopted} machines were adopted");
}
