//! Rules of what the cores share: FIFOs, spinlocks, divider, PIO.

use rp2040_emulator::chip::{Chip, Rule};

use super::super::assembler::Assembler;
use super::super::program::Do::{self, Read, Write};
use super::super::program::{B, BKPT, BNE, chip, launch_core_1, to_end};
use super::{RESETS, check, rules_of};

const SIO: u32 = 0xD000_0000;
const FIFO_WR: Do = Write(SIO + 0x54, 1);
const FIFO_RD: Do = Read(SIO + 0x58);
const SPINLOCK3: u32 = SIO + 0x10C;
const PIO0: u32 = 0x5020_0000;

#[test]
fn the_fifo_of_the_other_core_takes_eight_words() {
    // Core 1 takes words in the boot ROM, but not while PSM holds it.
    let held = Write(0x4001_0004, 1 << 16);
    let words = |count| [vec![held], vec![FIFO_WR; count]].concat();
    check(Rule::FifoOverflow, &words(9), &words(8));
}

#[test]
fn an_empty_fifo_is_not_read() {
    // The first word is the 0 of core 1's boot ROM.
    check(Rule::FifoUnderflow, &[FIFO_RD, FIFO_RD], &[FIFO_RD]);
}

#[test]
fn a_core_does_not_wait_for_its_own_spinlock() {
    let claims = |count| vec![Read(SPINLOCK3); count];
    check(Rule::SpinlockDeadlock, &claims(1_100), &claims(900));
    let release = Write(SPINLOCK3, 0);
    let right = [claims(900), vec![release], claims(900)].concat();
    check(Rule::SpinlockDeadlock, &claims(1_100), &right);
}

#[test]
fn a_result_of_the_divider_takes_eight_cycles() {
    fn divided(wait: bool) -> Chip {
        let mut chip = chip(|a| {
            a.label("main");
            a.load(0, SIO + 0x60);
            // movs r1, #100; movs r2, #7; str r1, [r0]; str r2, [r0, #4]
            a.code(&[0x2164, 0x2207, 0x6001, 0x6042]);
            if wait {
                a.code(&[0x46C0; 8]); // nop
            }
            a.code(&[0x6903, BKPT]); // ldr r3, [r0, #16]
        });
        to_end(&mut chip);
        chip
    }
    assert_eq!(rules_of(&divided(false)), [Rule::DividerEarly]);
    assert_eq!(rules_of(&divided(true)), []);
}

/// Returns a chip whose core 1 executes `other` once, and then sends a word, for which core 0 waits
/// before it executes `own`.
fn after_core_1(other: impl Fn(&mut Assembler), own: impl Fn(&mut Assembler)) -> Chip {
    let mut chip = chip(|a| {
        a.label("other");
        other(a);
        a.load(7, SIO + 0x50);
        a.code(&[0x6078]); // str r0, [r7, #4]
        a.label("end");
        a.branch(B, "end");
        a.label("main");
        a.load(0, RESETS);
        a.code(&[0x2100, 0x6001]); // movs r1, #0; str r1, [r0]
        let entry = a.address("other");
        launch_core_1(a, entry);
        a.label("wait");
        a.code(&[0x683A, 0x07D2]); // ldr r2, [r7]; lsls r2, r2, #31
        a.branch(0xD000, "wait");
        own(a);
        a.code(&[BKPT]);
    });
    to_end(&mut chip);
    chip
}

#[test]
fn a_core_does_not_release_the_spinlock_of_the_other() {
    let claim = |a: &mut Assembler| {
        a.load(0, SPINLOCK3);
        a.code(&[0x6801]); // ldr r1, [r0]
    };
    let release = |a: &mut Assembler| {
        a.load(0, SPINLOCK3);
        a.code(&[0x6001]); // str r1, [r0]
    };
    let both = |a: &mut Assembler| {
        claim(a);
        release(a);
    };
    let found = rules_of(&after_core_1(claim, release));
    assert!(found.contains(&Rule::SpinlockOfOther), "{found:?}");
    let found = rules_of(&after_core_1(both, both));
    assert!(!found.contains(&Rule::SpinlockOfOther), "{found:?}");
}

#[test]
fn both_cores_do_not_write_to_a_pio_in_one_cycle() {
    /// Stores to IRQ_FORCE of a PIO in a loop of a number of cycles, forever or 200 times.
    fn stores(a: &mut Assembler, label: &'static str, pio: u32, nops: usize) {
        a.load(0, pio + 0x34);
        a.code(&[0x2100, 0x25C8]); // movs r1, #0; movs r5, #200
        a.label(label);
        a.code(&[0x6001]); // str r1, [r0]
        a.code(&vec![0x46C0; nops]);
        a.code(&[0x3D01]); // subs r5, #1
        a.branch(BNE, label);
    }
    let run = |pio: u32| {
        let mut chip = chip(|a| {
            a.label("other");
            stores(a, "theirs", PIO0, 2);
            a.label("end");
            a.branch(B, "end");
            a.label("main");
            a.load(0, RESETS);
            a.code(&[0x2100, 0x6001]);
            let entry = a.address("other");
            launch_core_1(a, entry);
            stores(a, "ours", pio, 3);
            a.code(&[BKPT]);
        });
        to_end(&mut chip);
        rules_of(&chip)
    };
    assert!(run(PIO0).contains(&Rule::PioBoth));
    assert!(!run(PIO0 + 0x10_0000).contains(&Rule::PioBoth));
}
