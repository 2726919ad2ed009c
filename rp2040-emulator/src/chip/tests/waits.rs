//! Tests of skipped iterations of waiting loops: the chip must be in the same state as without
//! skipping.
//!
//! [`Chip::step`] skips nothing, so [`Chip::run`] is compared with it.

use super::step::{launch_of_core_1, state, stepped};
use super::*;
use crate::chip::Drive;
use crate::part::Part;

/// Address of the first core's program; the second core's follows.
const FIRST: u32 = CODE + 0x100;
const SECOND_PROGRAM: u32 = CODE + 0x400;
/// Branches to the first program from the end of the player, and to the second from where core 1
/// starts.
const TO_FIRST: u16 = 0xE071;
const TO_SECOND: u16 = 0xE19E;

const TIMER: u32 = 0x4005_4000;
const SIO: u32 = 0xD000_0000;
const UART0: u32 = 0x4003_4000;
const SPI0: u32 = 0x4003_C000;
const SYSTICK: u32 = 0xE000_E010;

/// Returns a program after code that loads R0 and R7 with these values from literals.
fn program(r0: u32, code: &[u16]) -> Vec<u8> {
    // ldr r0, [pc, #4]; ldr r7, [pc, #8]; b over the literals
    let mut bytes = halfwords(&[0x4801, 0x4F02, 0xE004, 0xBF00]);
    bytes.extend(words(&[r0, RESULTS + 0x400]));
    bytes.extend(halfwords(code));
    bytes
}

fn both(first: &[u8], second: Option<&[u8]>) -> Chip {
    let mut script = CLOCKS.to_vec();
    // UART 0 at 115,200 baud, SPI 0 at 1 MHz.
    script.extend([Write(UART0 + 0x24, 67), Write(UART0 + 0x28, 52), Write(UART0 + 0x2C, 0x70)]);
    script.extend([Write(UART0 + 0x30, 0x301)]);
    // GPIO 5 belongs to SIO.
    script.extend([Write(0x4001_402C, 5)]);
    script.extend([Write(SPI0 + 0x10, 124), Write(SPI0, 7), Write(SPI0 + 4, 2)]);
    if second.is_some() {
        script.extend(launch_of_core_1());
    }
    let mut chip = chip(&script);
    let memory = chip.memory_mut();
    memory.load(CODE + 26, &TO_FIRST.to_le_bytes()).unwrap();
    memory.load(FIRST, first).unwrap();
    if let Some(second) = second {
        memory.load(SECOND_CORE, &TO_SECOND.to_le_bytes()).unwrap();
        memory.load(SECOND_PROGRAM, second).unwrap();
    }
    chip
}

/// Runs `chip`, and steps a copy of it, in parts that each end at a different place of a loop, with
/// a pin that changes in between, and compares them. Returns the chip.
#[track_caller]
fn same(chip: &Chip, parts: u64) -> Chip {
    let (mut chip, mut slow) = (chip.clone(), chip.clone());
    let mut until = 0;
    for part in 0..parts {
        until += 20_000 + 977 * (part % 13);
        let halt = chip.run(until);
        assert_eq!(stepped(&mut slow, until).0, halt, "part {part}");
        assert_eq!(state(&slow), state(&chip), "part {part}");
        if halt != Halt::Time {
            break;
        }
        let drive = if part % 3 == 2 { Drive::High } else { Drive::Low };
        chip.drive(5, drive);
        slow.drive(5, drive);
    }
    assert_eq!(slow.take_sent(0), chip.take_sent(0));
    assert_eq!(slow.take_spi_sent(0), chip.take_spi_sent(0));
    assert_eq!(slow.core(0).skipped() + slow.core(1).skipped(), 0);
    chip
}

/// Returns the percentage of the cycles that were skipped.
fn skipped(chip: &Chip, core: usize) -> u64 {
    chip.core(core).skipped() * 100 / chip.core(core).cycles()
}

/// Waits 200 microseconds and stores the time, repeatedly.
const TIMED: &[u16] = &[
    0x6A81, // ldr r1, [r0, #0x28]
    0x31C8, // adds r1, #200
    0x6A82, // ldr r2, [r0, #0x28]
    0x428A, // cmp r2, r1
    0xD3FC, // bcc to the ldr
    0x603A, // str r2, [r7]
    0xE7F8, // b to the start
];

/// Waits for GPIO 5 to be high, then low, and counts.
const PIN: &[u16] = &[
    0x6842, // ldr r2, [r0, #4]: GPIO_IN
    0x0692, // lsls r2, r2, #26
    0xD5FC, // bpl to the ldr
    0x3301, // adds r3, #1
    0x6842, // ldr r2, [r0, #4]
    0x0692, // lsls r2, r2, #26
    0xD4FC, // bmi to the ldr
    0xE7F7, // b to the start
];

/// Sends bytes by UART 0 as soon as there is room.
const SENDER: &[u16] = &[
    0x2420, // movs r4, #0x20: TXFF
    0x6981, // ldr r1, [r0, #0x18]: UARTFR
    0x4221, // tst r1, r4
    0xD1FC, // bne to the ldr
    0x6005, // str r5, [r0]: UARTDR
    0x3501, // adds r5, #1
    0xE7F9, // b to the ldr
];

/// Sends words by SPI 0 and waits for the end of each.
const SPI: &[u16] = &[
    0x2410, // movs r4, #0x10: BSY
    0x6085, // str r5, [r0, #8]: SSPDR
    0x3501, // adds r5, #1
    0x68C1, // ldr r1, [r0, #0xC]: SSPSR
    0x4221, // tst r1, r4
    0xD1FC, // bne to the ldr
    0xE7F9, // b to the str
];

/// Starts SysTick with a period of 2,001 cycles.
const START_SYSTICK: &[u16] = &[
    0x21FA, // movs r1, #250
    0x00C9, // lsls r1, r1, #3
    0x6041, // str r1, [r0, #4]: SYST_RVR
    0x6081, // str r1, [r0, #8]: SYST_CVR
    0x2105, // movs r1, #5
    0x6001, // str r1, [r0]: SYST_CSR
];

/// Waits for SysTick's COUNTFLAG, as cortex-m's `Delay` does, and counts.
const TICKS: &[u16] = &[
    0x6801, // ldr r1, [r0]: SYST_CSR
    0x03C9, // lsls r1, r1, #15
    0xD5FC, // bpl to the ldr
    0x3301, // adds r3, #1
    0x603B, // str r3, [r7]
    0xE7F9, // b to the ldr
];

/// As [`TICKS`], with two reads in an iteration: compilers unroll such loops.
const UNROLLED_TICKS: &[u16] = &[
    0x6801, // ldr r1, [r0]: SYST_CSR
    0x03C9, // lsls r1, r1, #15
    0xD402, // bmi to the adds
    0x6801, // ldr r1, [r0]
    0x03C9, // lsls r1, r1, #15
    0xD5F9, // bpl to the first ldr
    0x3301, // adds r3, #1
    0x603B, // str r3, [r7]
    0xE7F6, // b to the first ldr
];

/// Counts its reads in memory; its registers are the same in each iteration.
const COUNTER: &[u16] = &[
    0x6842, // ldr r2, [r0, #4]
    0x6839, // ldr r1, [r7]
    0x3101, // adds r1, #1
    0x6039, // str r1, [r7]
    0x2100, // movs r1, #0
    0xE7F9, // b to the start
];

#[test]
fn a_loop_that_waits_is_skipped_and_ends_at_its_cycle() {
    for (name, base, code, least) in [
        ("timer", TIMER, TIMED, 50),
        ("pin", SIO, PIN, 95),
        ("UART", UART0, SENDER, 90),
        ("SPI", SPI0, SPI, 50),
        ("SysTick", SYSTICK, &[START_SYSTICK, TICKS].concat()[..], 90),
        ("SysTick, unrolled", SYSTICK, &[START_SYSTICK, UNROLLED_TICKS].concat(), 90),
    ] {
        let chip = same(&both(&program(base, code), None), 60);
        assert!(skipped(&chip, 0) >= least, "{name}: {} %", skipped(&chip, 0));
    }
}

#[test]
fn a_known_loop_is_skipped_from_its_second_iteration_on() {
    // 32 cycles a byte, at most six iterations; R5, the byte, is different each time.
    let code = [&[0x2104, 0x6101], SPI].concat(); // movs r1, #4; str r1, [r0, #0x10]: SSPCPSR
    let chip = same(&both(&program(SPI0, &code), None), 60);
    assert!(skipped(&chip, 0) >= 25, "{} %", skipped(&chip, 0));
}

#[test]
fn a_loop_that_stores_is_executed() {
    let chip = same(&both(&program(SIO, COUNTER), None), 5);
    assert_eq!(chip.core(0).skipped(), 0);
    assert!(chip.memory().word(RESULTS + 0x400).unwrap() > 1_000);
}

#[test]
fn two_cores_that_wait_are_skipped_together() {
    for (first, second) in
        [(SIO, TIMER), (TIMER, TIMER), (UART0, SIO), (SPI0, SIO), (SIO, SIO), (SYSTICK, TIMER)]
    {
        let code = |base| match base {
            SIO => program(SIO, PIN),
            TIMER => program(TIMER, TIMED),
            UART0 => program(UART0, SENDER),
            SYSTICK => program(SYSTICK, &[START_SYSTICK, TICKS].concat()),
            _ => program(SPI0, SPI),
        };
        let chip = same(&both(&code(first), Some(&code(second))), 30);
        let found = [0, 1].map(|core| skipped(&chip, core));
        assert!(found.iter().all(|share| *share >= 30), "{first:x} {second:x}: {found:?} %");
    }
}

#[test]
fn two_cores_are_skipped_while_one_follows_the_timer() {
    // Both timers at once: core 1 waits for 2 ms, core 0 for 200 us or 2 ms.
    let latched = program(TIMER, LATCHED);
    for (name, first, second) in [
        ("timer and pin", program(TIMER, TIMED), program(SIO, PIN)),
        ("pin and timer", program(SIO, PIN), latched.clone()),
        ("both timers", program(TIMER, TIMED), latched),
        ("the upper half first", program(TIMER, UPPER_FIRST), program(SIO, PIN)),
        ("asleep", program(TIMER, TIMED), program(TIMER, &[0xBF20, 0xE7FD])), // wfe; b to it
    ] {
        for near_overflow in [false, true] {
            let mut chip = both(&first, Some(&second));
            if near_overflow {
                chip.devices.timer.write(0x04, 0xFFFF_F000, 0);
                chip.devices.timer.write(0x00, 6, 0);
            }
            let mut slow = chip.clone();
            let mut until = 0;
            for part in 0..5 {
                until += 700_000 + 100_977 * part;
                assert_eq!(chip.run(until), Halt::Time);
                assert_eq!(stepped(&mut slow, until).0, Halt::Time);
                assert_eq!(state(&slow), state(&chip), "{name}, part {part}");
            }
            let found = [0, 1].map(|core| skipped(&chip, core));
            assert!(
                found.iter().all(|share| *share >= 60 || name == "asleep"),
                "{name}: {found:?} %"
            );
            assert!(found[0] >= 60, "{name}: {found:?} %");
            assert_ne!(chip.memory().word(RESULTS + 0x400), Some(0), "{name}: no wait has ended");
            assert!(chip.polled().is_empty(), "{:?}", chip.polled());
        }
    }
}

#[test]
fn a_core_that_works_is_seen_by_one_that_waits() {
    // Core 1 flips GPIO 5, core 0 counts its edges.
    let flips: &[u16] = &[
        0x2120, // movs r1, #32
        0x6241, // str r1, [r0, #0x24]: GPIO_OE_SET
        0x2464, // movs r4, #100
        0x3C01, // subs r4, #1
        0xD1FD, // bne to the subs
        0x61C1, // str r1, [r0, #0x1C]: GPIO_OUT_XOR
        0xE7FA, // b to the movs r4
    ];
    let mut chip = both(&program(SIO, PIN), Some(&program(SIO, flips)));
    let mut slow = chip.clone();
    for until in (20_000..600_000).step_by(9_999) {
        assert_eq!(chip.run(until), Halt::Time);
        assert_eq!(stepped(&mut slow, until).0, Halt::Time);
        assert_eq!(state(&slow), state(&chip), "{until} ns");
    }
}

/// Waits as rp2040-hal's delay: subtracts the time passed from the time to wait, in two copies of
/// the loop.
const DELAY: &[u16] = &[
    0x4B00, // ldr r3, =…
    0x6A81, // ldr r1, [r0, #0x28]: TIMERAWL
    0x6A82, // ldr r2, [r0, #0x28]
    0x1A51, // subs r1, r2, r1
    0x428B, // cmp r3, r1
    0xD906, // bls to the str
    0x1A5B, // subs r3, r3, r1
    0x6A81, // ldr r1, [r0, #0x28]
    0x1A8A, // subs r2, r1, r2
    0x4293, // cmp r3, r2
    0xD901, // bls to the str
    0x1A9B, // subs r3, r3, r2
    0xE7F4, // b to the second ldr
    0x603A, // str r2, [r7]
    0xE7F0, // b to the start
    0xBF00, // nop
];

/// Waits for a time of 64 bits, which it reads in two words of which one is latched, and adds and
/// compares with carry.
const LATCHED: &[u16] = &[
    0x68C1, // ldr r1, [r0, #0xC]: TIMELR
    0x6882, // ldr r2, [r0, #8]: TIMEHR
    0x2400, // movs r4, #0
    0x25FA, // movs r5, #250
    0x00ED, // lsls r5, r5, #3
    0x186D, // adds r5, r5, r1: 2 ms later
    0x4154, // adcs r4, r2
    0x68C1, // ldr r1, [r0, #0xC]
    0x6882, // ldr r2, [r0, #8]
    0x1B4B, // subs r3, r1, r5
    0x41A2, // sbcs r2, r4
    0xD3FA, // bcc to the ldr r1
    0x6039, // str r1, [r7]
    0xE7F1, // b to the start
];

/// Waits as the Pico SDK does: for the upper half until it is not less, and then for the lower half
/// together with the upper.
const UPPER_FIRST: &[u16] = &[
    0x6A81, // ldr r1, [r0, #0x28]: TIMERAWL
    0x6A45, // ldr r5, [r0, #0x24]: TIMERAWH
    0x24FA, // movs r4, #250
    0x00E4, // lsls r4, r4, #3
    0x1864, // adds r4, r4, r1
    0x6A42, // ldr r2, [r0, #0x24]
    0x42AA, // cmp r2, r5
    0xD3FC, // bcc to the ldr r2
    0xD802, // bhi to the str
    0x6A81, // ldr r1, [r0, #0x28]
    0x42A1, // cmp r1, r4
    0xD3F8, // bcc to the ldr r2
    0x6039, // str r1, [r7]
    0xE7F1, // b to the start
];

/// Runs in parts of milliseconds, and compares with a run that executes every instruction.
#[track_caller]
fn counted(name: &str, chip: &Chip, least: u64) {
    let (mut chip, mut slow) = (chip.clone(), chip.clone());
    let mut until = 0;
    for part in 0..4 {
        until += 1_700_000 + 100_977 * part;
        assert_eq!(chip.run(until), Halt::Time);
        assert_eq!(stepped(&mut slow, until).0, Halt::Time);
        assert_eq!(state(&slow), state(&chip), "{name}, part {part}");
    }
    assert!(skipped(&chip, 0) >= least, "{name}: {} %", skipped(&chip, 0));
    assert_ne!(chip.memory().word(RESULTS + 0x400), Some(0), "{name}: no wait has ended");
}

#[test]
fn a_loop_that_follows_the_timer_ends_at_its_exact_cycle() {
    // After a literal: 2,000 microseconds.
    let mut delay = DELAY.to_vec();
    delay[0] = 0x4B07; // ldr r3, [pc, #28]
    delay.extend([2_000, 0]);
    for (name, code) in [
        ("one word", TIMED),
        ("rp2040-hal's delay", &delay[..]),
        ("two words, latched", LATCHED),
        ("two words, the upper one first", UPPER_FIRST),
    ] {
        counted(name, &both(&program(TIMER, code), None), 80);
        // Near the overflow of the lower half, in the middle of a wait.
        let mut chip = both(&program(TIMER, code), None);
        chip.devices.timer.write(0x04, 0xFFFF_F000, 0);
        chip.devices.timer.write(0x00, 6, 0);
        counted(name, &chip, 50);
    }
}

/// Returns a loop of random instructions around a load from a device.
fn random_loop(seed: &mut u32) -> Vec<u16> {
    let mut code = Vec::new();
    let length = 2 + random(seed) % 7;
    let load = random(seed) % length;
    for at in 0..length {
        let pick = random(seed);
        let (d, m) = (1 + (pick >> 8 & 3) as u16, 1 + (pick >> 12 & 3) as u16);
        let n = (pick >> 16) as u16;
        code.push(match pick % 12 {
            _ if at == load => 0x6800 | (n % 16) << 6 | d, // ldr rd, [r0, #…]
            0 => 0x3000 | d << 8 | n & 3,                  // adds rd, #
            1 => 0x4000 | m << 3 | d,                      // ands
            2 => 0x4040 | m << 3 | d,                      // eors
            3 => 0x0840 | m << 3 | d,                      // lsrs rd, rm, #1
            4 => 0x2000 | d << 8 | n & 0xFF,               // movs rd, #
            5 => 0x4280 | m << 3 | d,                      // cmp rd, rm
            6 => 0xD000 | (n % 14) << 8,                   // b<condition> over one instruction
            7 => 0x6839,                                   // ldr r1, [r7]
            8 if n.is_multiple_of(4) => 0x603A,            // str r2, [r7]
            9 => 0x4600 | m << 3 | d,                      // mov rd, rm
            10 => 0x6802,                                  // ldr r2, [r0]
            _ => 0x4288,                                   // cmp r0, r1
        });
    }
    // A conditional branch back, and then one that is always taken.
    let back = |code: &[u16]| (0x100 - (code.len() as u16 + 2)) & 0xFF;
    code.push(0xD000 | (random(seed) as u16 % 14) << 8 | back(&code));
    code.push(if random(seed).is_multiple_of(4) { 0x3501 } else { 0xBF00 }); // adds r5, #1, or nop
    code.push(0xE000 | (0x800 - (code.len() as u16 + 2)) & 0x7FF);
    code
}

#[test]
fn random_loops_are_the_same_with_and_without_skipping() {
    let (mut seed, mut skipped) = (0x5EED_0015, 0);
    for _ in 0..200 {
        let first_seed = seed;
        let bases = [TIMER, SIO, UART0, SPI0, SYSTICK];
        let mut pick = || bases[(random(&mut seed) >> 7) as usize % bases.len()];
        let (one, two) = (pick(), pick());
        let mut code = |base: u32| {
            let start = if base == SYSTICK { START_SYSTICK } else { &[] };
            program(base, &[start, &random_loop(&mut seed)].concat())
        };
        let (first, second) = (code(one), code(two));
        let with_both = random(&mut seed) & 1 == 0;
        println!("seed {first_seed:#x}");
        let chip = same(&both(&first, with_both.then_some(&second[..])), 6);
        skipped += chip.core(0).skipped();
    }
    assert!(skipped > 200_000, "{skipped} cycles were skipped");
}

/// Returns a loop of random sums and comparisons with the time; most such loops end eventually.
fn random_sums(seed: &mut u32) -> Vec<u16> {
    let mut code = vec![0x6A81, 0x24FA, 0x0064, 0x1864]; // ldr r1, [r0, #0x28]; r4 = r1 + 500
    let start = code.len() as u16;
    for _ in 0..2 + random(seed) % 6 {
        let pick = random(seed);
        let [d, m, n] = [8, 12, 16].map(|at| 1 + (pick >> at & 3) as u16);
        code.push(match pick % 9 {
            0 | 1 => 0x6A80 | d,               // ldr rd, [r0, #0x28]
            2 => 0x6A40 | d,                   // ldr rd, [r0, #0x24]
            3 => 0x1800 | m << 6 | n << 3 | d, // adds rd, rn, rm
            4 => 0x1A00 | m << 6 | n << 3 | d, // subs rd, rn, rm
            5 => 0x3000 | d << 8 | n,          // adds rd, #
            6 => 0x4600 | m << 3 | d,          // mov rd, rm
            7 => 0x4140 | m << 3 | d,          // adcs rd, rm
            _ => 0xD000 | n << 9,              // b<condition> over one instruction or two
        });
    }
    code.extend([0x6A83, 0x429C]); // ldr r3, [r0, #0x28]; cmp r4, r3, or another comparison
    *code.last_mut().unwrap() ^= (random(seed) as u16 & 3) << 3;
    let back = |code: &[u16], to: u16| (0x100 + to - (code.len() as u16 + 2)) & 0xFF;
    code.push([0xD200, 0xD800, 0xDA00, 0xDC00][random(seed) as usize % 4] | back(&code, start));
    code.push(0x603A); // str r2, [r7]
    code.push(0xE000 | (0x800 - (code.len() as u16 + 2)) & 0x7FF);
    code
}

#[test]
fn random_sums_with_the_time_are_unchanged_by_skipping() {
    let part = Part::of_this_run();
    let (mut seed, mut skipped) = (0x5EED_0016 + part.seed(0) as u32, 0);
    for _ in 0..part.share(60) {
        println!("seed {seed:#x}");
        let mut chip = both(&program(TIMER, &random_sums(&mut seed)), None);
        let mut slow = chip.clone();
        for until in [400_007, 777_777, 1_300_000] {
            assert_eq!(chip.run(until), Halt::Time);
            assert_eq!(stepped(&mut slow, until).0, Halt::Time);
            assert_eq!(state(&slow), state(&chip), "{until} ns");
        }
        skipped += chip.core(0).skipped();
    }
    assert!(skipped > 2_000_000 || !part.is_whole(), "{skipped} cycles were skipped");
}

#[test]
fn random_sums_beside_another_core_are_unchanged_by_skipping() {
    let part = Part::of_this_run();
    let (mut seed, mut skipped) = (0x5EED_0017 + part.seed(0) as u32, 0);
    for round in 0..part.share(200) {
        println!("seed {seed:#x}");
        let first = program(TIMER, &random_sums(&mut seed));
        let second = match round % 4 {
            0 => program(SIO, PIN),
            1 => program(TIMER, &random_sums(&mut seed)),
            2 => program(SPI0, SPI),
            _ => program(SIO, &random_loop(&mut seed)),
        };
        let mut chip = both(&first, Some(&second));
        let mut slow = chip.clone();
        for until in [200_007, 477_777, 800_000] {
            assert_eq!(chip.run(until), Halt::Time);
            assert_eq!(stepped(&mut slow, until).0, Halt::Time);
            assert_eq!(state(&slow), state(&chip), "{until} ns");
        }
        skipped += chip.core(0).skipped();
    }
    assert!(skipped > 600_000 || !part.is_whole(), "{skipped} cycles were skipped");
}

/// Waits 250 microseconds in rounds of 25 cycles, each of which adds 2 to R5. While R5 is below
/// `limit`, which is odd, R3 grows by `limit + 5` a round, and from then on by R5, with as many
/// cycles and instructions. Stores each result.
fn two_ways(limit: u8) -> Vec<u16> {
    let step = limit + 5;
    let mut code = vec![
        0x2300,                    // movs r3, #0
        0x2500,                    // movs r5, #0
        0x2400 | u16::from(limit), // movs r4, #limit
        0x6A81,                    // ldr r1, [r0, #0x28]
        0x31FA,                    // adds r1, #250
        0x6A82,                    // ldr r2, [r0, #0x28]
        0x3502,                    // adds r5, #2
        0x42A5,                    // cmp r5, r4
        0xD201,                    // bcs over two instructions
        0x3300 | u16::from(step),  // adds r3, #step
        0xE001,                    // b over two instructions
        0x195B,                    // adds r3, r3, r5
        0xBF00,                    // nop
    ];
    code.extend([0xBF00; 14]);
    code.extend([
        0x428A, // cmp r2, r1
        0xD3E7, // bcc to the second ldr
        0x603B, // str r3, [r7]
        0x3704, // adds r7, #4
        0xE7DF, // b to the start
    ]);
    code
}

/// In five rounds, a period, R3 grows by `5 * (limit + 5)` on the first way, and just as much in
/// the first five rounds on the second way, but by more and more after them.
#[test]
fn equal_differences_of_two_ways_through_a_loop_are_not_continued() {
    let until = 1_500_000;
    for limit in (21..60).step_by(2) {
        let mut chip = both(&program(TIMER, &two_ways(limit)), None);
        let mut slow = chip.clone();
        assert_eq!(chip.run(until), stepped(&mut slow, until).0);
        assert_eq!(state(&slow), state(&chip), "limit {limit}");
    }
}

#[test]
fn a_clone_continues_skipping_alike() {
    let mut chip = both(&program(TIMER, TIMED), None);
    assert_eq!(chip.run(1_234_567), Halt::Time);
    let mut copy = chip.clone();
    assert_eq!((copy.run(9_000_000), chip.run(9_000_000)), (Halt::Time, Halt::Time));
    assert_eq!(state(&copy), state(&chip));
    assert!(skipped(&chip, 0) > 50);
}

#[test]
fn a_polled_register_is_reported_despite_skipping() {
    let alone = both(&program(SIO, PIN), None);
    let together = both(&program(SIO, PIN), Some(&program(SIO, PIN)));
    for (chip, cores) in [(alone, 1), (together, 2)] {
        // In one run, and in parts.
        for part in [2_500_000_000, 16_000_000, 700_000] {
            let mut chip = chip.clone();
            for until in (part..=2_500_000_000).step_by(part as usize) {
                assert_eq!(chip.run(until), Halt::Time);
            }
            assert!(skipped(&chip, 0) > 95);
            let polled = chip.polled();
            assert_eq!(polled.len(), cores, "{part} ns: {polled:?}");
            for polled in polled {
                assert_eq!((polled.access.address, polled.value), (SIO + 4, 0));
                assert!((1_000_000_000..=2_500_000_000).contains(&polled.lasted_ns), "{polled:?}");
            }
        }
    }
}
