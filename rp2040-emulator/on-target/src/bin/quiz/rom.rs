//! The boot ROM: its version, its functions, what they compute and how long they take.

use core::hint::black_box;

use rp2040_hal::rom_data::{self, double_funcs, float_funcs};

use crate::answers::Answers;
use crate::registers::{read, write};
use crate::sequence;
use crate::sequences::{Scratch, Sequence, empty};

/// Codes in the table of functions (datasheet section 2.8.3).
const FUNCTIONS: &[&str] = &[
    "P3", "R3", "L3", "T3", "MS", "S4", "MC", "C4", "UB", "DT", "DE", "IF", "EX", "RE", "RP", "FC",
    "CX", "XX",
];

/// Calls the function at the third word of the scratch memory with the first two.
const CALL: Sequence = sequence!("ldr r3, [r0, #8]\nldr r1, [r0, #4]\nldr r0, [r0]", "blx r3");

/// Reads a halfword.
fn halfword(address: u32) -> u32 {
    read(address & !3) >> (8 * (address & 2)) & 0xFFFF
}

/// Returns the entry of a table of the ROM, 0 if there is none. `place` is the address of the pointer
/// to the table.
fn entry(place: u32, code: &str) -> u32 {
    let &[first, second] = code.as_bytes() else { return 0 };
    let code = u32::from(second) << 8 | u32::from(first);
    let mut at = halfword(place);
    loop {
        match halfword(at) {
            0 => return 0,
            found if found == code => return halfword(at + 2),
            _ => at += 4,
        }
    }
}

const FUNCTION_TABLE: u32 = 0x14;
const DATA_TABLE: u32 = 0x16;

pub fn ask(answers: &mut Answers) {
    answers.word("varies", "rom: version", read(0x10) >> 24);
    answers.word("rom", "magic", read(0x10) & 0x00FF_FFFF);
    answers.word("varies", "rom: revision of its source", rom_data::git_revision());
    for code in FUNCTIONS {
        answers.number("rom: function", code, (entry(FUNCTION_TABLE, code) != 0).into());
    }
    bits(answers);
    single(answers);
    double(answers);
    cycles(answers);
}

fn bits(answers: &mut Answers) {
    let value = black_box(0x00F0_1000);
    answers.number("rom", "popcount32(0x00F01000)", rom_data::popcount32(value));
    answers.word("rom", "reverse32(0x00F01000)", rom_data::reverse32(value));
    answers.number("rom", "clz32(0x00F01000)", rom_data::clz32(value));
    answers.number("rom", "ctz32(0x00F01000)", rom_data::ctz32(value));
    answers.number("rom", "clz32(0)", rom_data::clz32(black_box(0)));
    answers.number("rom", "ctz32(0)", rom_data::ctz32(black_box(0)));
}

fn single(answers: &mut Answers) {
    let float = |bits: u32| black_box(f32::from_bits(bits));
    let mut ask = |question, value: f32| answers.word("rom", question, value.to_bits());
    ask("fadd(1, 2^-24)", float_funcs::fadd(float(0x3F80_0000), float(0x3380_0000)));
    ask("fadd(1, 3 * 2^-25)", float_funcs::fadd(float(0x3F80_0000), float(0x33C0_0000)));
    ask("fadd(NaN, 1)", float_funcs::fadd(float(0x7FC0_0000), float(0x3F80_0000)));
    ask("fadd(infinity, -infinity)", float_funcs::fadd(float(0x7F80_0000), float(0xFF80_0000)));
    ask("fadd(subnormal, 0)", float_funcs::fadd(float(0x0040_0000), float(0)));
    ask("fadd(-0, -0)", float_funcs::fadd(float(0x8000_0000), float(0x8000_0000)));
    ask("fsub(1, 1)", float_funcs::fsub(float(0x3F80_0000), float(0x3F80_0000)));
    ask("fmul(infinity, 0)", float_funcs::fmul(float(0x7F80_0000), float(0)));
    ask("fmul(2^-126, 0.5)", float_funcs::fmul(float(0x0080_0000), float(0x3F00_0000)));
    ask("fmul(2^127, 2)", float_funcs::fmul(float(0x7F00_0000), float(0x4000_0000)));
    ask("fdiv(1, 3)", float_funcs::fdiv(float(0x3F80_0000), float(0x4040_0000)));
    ask("fdiv(1, 0)", float_funcs::fdiv(float(0x3F80_0000), float(0)));
    ask("fdiv(0, 0)", float_funcs::fdiv(float(0), float(0)));
    ask("fdiv(-1, infinity)", float_funcs::fdiv(float(0xBF80_0000), float(0x7F80_0000)));
    ask("fsqrt(2)", float_funcs::fsqrt(float(0x4000_0000)));
    ask("fsqrt(-1)", float_funcs::fsqrt(float(0xBF80_0000)));
    ask("fsqrt(-0)", float_funcs::fsqrt(float(0x8000_0000)));
    ask("fsin(1)", float_funcs::fsin(float(0x3F80_0000)));
    ask("fcos(1)", float_funcs::fcos(float(0x3F80_0000)));
    ask("fsin(127)", float_funcs::fsin(float(0x42FE_0000)));
    ask("ftan(1)", float_funcs::ftan(float(0x3F80_0000)));
    ask("fexp(1)", float_funcs::fexp(float(0x3F80_0000)));
    ask("fexp(100)", float_funcs::fexp(float(0x42C8_0000)));
    ask("fln(2)", float_funcs::fln(float(0x4000_0000)));
    ask("fln(0)", float_funcs::fln(float(0)));
    ask("fln(-1)", float_funcs::fln(float(0xBF80_0000)));
    ask("fatan2(1, -1)", float_funcs::fatan2(float(0x3F80_0000), float(0xBF80_0000)));
    ask("int_to_float(16777219)", float_funcs::int_to_float(black_box(16_777_219)));
    let mut ask = |question, value: i32| answers.word("rom", question, value as u32);
    ask("float_to_int(-2.5)", float_funcs::float_to_int(float(0xC020_0000)));
    ask("float_to_int(1e20)", float_funcs::float_to_int(float(0x60AD_78EC)));
    ask("float_to_int(NaN)", float_funcs::float_to_int(float(0x7FC0_0000)));
    ask("float_to_int(-infinity)", float_funcs::float_to_int(float(0xFF80_0000)));
    ask("float_to_uint(-1)", float_funcs::float_to_uint(float(0xBF80_0000)) as i32);
    ask("float_to_fix(0.7, 16)", float_funcs::float_to_fix(float(0x3F33_3333), 16));
    ask("fcmp(-0, 0)", float_funcs::fcmp(float(0x8000_0000), float(0)));
    ask("fcmp(NaN, 1)", float_funcs::fcmp(float(0x7FC0_0000), float(0x3F80_0000)));
}

fn double(answers: &mut Answers) {
    let mut ask = |low, high, value: f64| {
        answers.word("rom", low, value.to_bits() as u32);
        answers.word("rom", high, (value.to_bits() >> 32) as u32);
    };
    let (one, three) = (black_box(1.0), black_box(3.0));
    ask("ddiv(1, 3), low", "ddiv(1, 3), high", double_funcs::ddiv(one, three));
    ask("dsqrt(3), low", "dsqrt(3), high", double_funcs::dsqrt(three));
    ask("dsin(1), low", "dsin(1), high", double_funcs::dsin(one));
    ask("dln(3), low", "dln(3), high", double_funcs::dln(three));
    ask("dexp(1), low", "dexp(1), high", double_funcs::dexp(one));
    ask("dadd(NaN, 1), low", "dadd(NaN, 1), high", {
        double_funcs::dadd(black_box(f64::NAN), one)
    });
}

/// The functions of the ROM in its own code: the cycles of a call from RAM.
fn cycles(answers: &mut Answers) {
    let mut scratch = Scratch::new();
    let scratch = scratch.address();
    let empty = empty(scratch);
    let mut ask = |question, function: u32, arguments: [u32; 2]| {
        write(scratch, arguments[0]);
        write(scratch + 4, arguments[1]);
        write(scratch + 8, function);
        answers.number("rom: cycles", question, CALL(scratch, 0).wrapping_sub(empty));
    };
    ask("popcount32", entry(FUNCTION_TABLE, "P3"), [0x00F0_1000, 0]);
    ask("reverse32", entry(FUNCTION_TABLE, "R3"), [0x00F0_1000, 0]);
    ask("clz32", entry(FUNCTION_TABLE, "L3"), [0x00F0_1000, 0]);
    ask("ctz32", entry(FUNCTION_TABLE, "T3"), [0x00F0_1000, 0]);
    let floats = entry(DATA_TABLE, "SF");
    let (one, three) = (1.0f32.to_bits(), 3.0f32.to_bits());
    for (question, offset) in [
        ("fadd", 0x00),
        ("fsub", 0x04),
        ("fmul", 0x08),
        ("fdiv", 0x0C),
        ("fsqrt", 0x18),
        ("fsin", 0x40),
    ] {
        ask(question, read(floats + offset), [one, three]);
    }
}
