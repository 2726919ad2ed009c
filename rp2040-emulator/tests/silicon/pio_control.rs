//! When EXECCTRL and PINCTRL take effect in a state machine that runs: a machine decodes a stalled
//! instruction again in each cycle, with the registers as they are then (datasheet sections 3.2.4,
//! 3.5.1 and 3.7; pico-feedback#185: its side-set is written in every cycle).

use super::program::Do::{self, Pass, Read, Write};
use super::program::reads;

const CTRL: u32 = 0x5020_0000;
const DBG_PADOUT: u32 = 0x5020_003C;
const DBG_PADOE: u32 = 0x5020_0040;
const INSTR_MEM0: u32 = 0x5020_0048;
const EXECCTRL: u32 = 0x5020_00CC;
const ADDR: u32 = 0x5020_00D4;
const INSTR: u32 = 0x5020_00D8;
const PINCTRL: u32 = 0x5020_00DC;

/// `wait 1 pin 0`, with and without `side 1` of one bit.
const WAIT: u32 = 0x20A0;
const WAIT_SIDE: u32 = 0x30A0;
const SIDE_EN: u32 = 1 << 30;
const SIDE_PINDIR: u32 = 1 << 29;
const EXEC_STALLED: u32 = 1 << 31;
/// Wrap from instruction 31 to 0.
const WRAP: u32 = 31 << 12;

/// Returns a PINCTRL with this number and base of the side-set.
fn side(count: u32, base: u32) -> u32 {
    count << 29 | base << 10
}

/// Runs machine 0 with one instruction, then `steps`, and returns what they read. GP2 is high.
#[track_caller]
fn run(instruction: u32, exec: u32, pins: u32, steps: &[Do]) -> Vec<u32> {
    let setup = [
        Write(0x4000_C000, 0),
        Write(0x4001_4014, 5),
        Write(0xD000_0014, 1 << 2),
        Write(0xD000_0024, 1 << 2),
        Write(INSTR_MEM0, instruction),
        Write(INSTR_MEM0 + 4, 1), // jmp 1
        Write(EXECCTRL, WRAP | exec),
        Write(PINCTRL, pins),
        Write(CTRL, 1),
        Pass(10),
    ];
    reads(&[&setup[..], steps].concat())
}

#[test]
fn the_side_set_of_a_stall_follows_its_base_and_outlasts_a_forced_instruction() {
    let found = run(
        WAIT_SIDE,
        0,
        side(1, 4),
        &[
            Read(DBG_PADOUT),
            Write(PINCTRL, side(1, 5)),
            Pass(4),
            Read(DBG_PADOUT),
            // `nop side 0`: the stalled instruction writes 1 again.
            Write(INSTR, 0xA042),
            Pass(4),
            Read(DBG_PADOUT),
            Read(ADDR),
        ],
    );
    assert_eq!(found, [1 << 4, 1 << 4 | 1 << 5, 1 << 4 | 1 << 5, 0]);
}

#[test]
fn a_stall_follows_the_kind_of_its_side_set() {
    // Bits 12 to 8 are 01000: with two bits of side-set that is 01, or no side-set if optional.
    let found = run(
        WAIT | 0b01000 << 8,
        SIDE_EN,
        side(2, 4),
        &[
            Read(DBG_PADOUT),
            Write(EXECCTRL, WRAP),
            Pass(4),
            Read(DBG_PADOUT),
            Read(DBG_PADOE),
            Write(EXECCTRL, WRAP | SIDE_PINDIR),
            Pass(4),
            Read(DBG_PADOE),
        ],
    );
    assert_eq!(found, [0, 1 << 4, 0, 1 << 4]);
}

#[test]
fn a_wait_follows_the_base_of_the_inputs() {
    let found = run(WAIT, 0, 0, &[Read(ADDR), Write(PINCTRL, 2 << 15), Pass(10), Read(ADDR)]);
    assert_eq!(found, [0, 1]);
}

#[test]
fn other_bases_write_nothing_until_the_next_instruction() {
    const SET_1: u32 = 0xE001;
    let set = |base: u32| 1 << 26 | base << 5;
    let found = run(
        WAIT,
        0,
        set(6),
        &[
            Write(INSTR, SET_1),
            Pass(4),
            Read(DBG_PADOUT),
            Write(PINCTRL, set(7)),
            Pass(4),
            Read(DBG_PADOUT),
            Write(INSTR, SET_1),
            Pass(4),
            Read(DBG_PADOUT),
        ],
    );
    assert_eq!(found, [1 << 6, 1 << 6, 1 << 6 | 1 << 7]);
}

#[test]
fn a_forced_instruction_that_stalls_is_reported_and_replaced_by_the_next() {
    let found = run(
        WAIT,
        0,
        0,
        &[
            Write(CTRL, 0),
            Read(EXECCTRL),
            Write(INSTR, WAIT),
            Pass(4),
            Read(EXECCTRL),
            Write(INSTR, 0x0001), // jmp 1
            Pass(4),
            Read(EXECCTRL),
            Read(ADDR),
        ],
    );
    let stalled: Vec<_> = found[..3].iter().map(|exec| exec & EXEC_STALLED).collect();
    assert_eq!(stalled, [0, EXEC_STALLED, 0]);
    assert_eq!(found[3], 1);
}

#[test]
fn a_new_wrap_applies_to_the_current_instruction() {
    // `nop [31]` at 0 wraps to itself, until the top is 31.
    let found = run(
        0xBF42,
        0,
        0,
        &[
            Write(EXECCTRL, 0),
            Write(INSTR, 0),
            Pass(100),
            Read(ADDR),
            Write(EXECCTRL, WRAP),
            Pass(100),
            Read(ADDR),
        ],
    );
    assert_eq!(found, [0, 1]);
}
