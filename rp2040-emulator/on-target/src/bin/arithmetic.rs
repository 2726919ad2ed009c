//! Dividers, interpolators, the ROM's functions, and floating point through the ROM's tables, which
//! rp2040-hal uses for every `+` of an `f32`. Needs no external device.
#![no_std]
#![no_main]

use core::f64::consts::{E, LN_10};

use core::hint::black_box;

use on_target::{Board, Verdict, holds, same, same_bytes};
use rp2040_hal::rom_data::{self, double_funcs, float_funcs};
use rp2040_hal::sio::{HwDivider, Interp, Interp0, Interp1, Lane, LaneCtrl};

#[rp2040_hal::entry]
fn main() -> ! {
    let mut board = Board::take();
    let mut report = on_target::report!(board);
    report.record("the dividers divide", divider(&board.divider));
    report.record("so do operators", operators());
    report.record("interpolator 0 steps and blends", blend(&mut board.interp0));
    report.record("interpolator 1 clamps", clamp(&mut board.interp1));
    report.record("the ROM counts bits", bits());
    report.record("the ROM copies and fills", memory());
    report.record("the ROM tells who it is", version());
    report.record("f32 is the ROM's", single());
    report.record("f32 becomes whole and back", single_conversions());
    report.record("f64 is the ROM's", double());
    report.record("f64 becomes whole and back", double_conversions());
    report.record("sines and logarithms", transcendental());
    report.end()
}

fn divider(divider: &HwDivider) -> Verdict {
    let result = divider.unsigned(1_000_003, 7);
    same("the quotient", result.quotient, 142_857u32)?;
    same("the remainder", result.remainder, 4u32)?;
    let result = divider.signed(-1_000_003, 7);
    same("the signed quotient", result.quotient as u32, -142_857i32 as u32)?;
    same("the signed remainder", result.remainder as u32, -4i32 as u32)?;
    let result = divider.unsigned(5, 0);
    same("by zero", result.quotient, u32::MAX)?;
    same("and what is left", result.remainder, 5u32)?;
    same("the smallest", divider.signed(i32::MIN, -1).quotient as u32, i32::MIN as u32)
}

fn operators() -> Verdict {
    let (a, b) = (black_box(-987_654_321i32), black_box(12_345i32));
    same("the quotient", (a / b) as u32, -80_004i32 as u32)?;
    same("the remainder", (a % b) as u32, (-987_654_321i32 + 80_004 * 12_345) as u32)?;
    let (a, b) = (black_box(0xFEDC_BA98_7654_3210u64), black_box(0x1_2345_6789u64));
    same("the long quotient", a / b, 0xFEDC_BA98_7654_3210u64 / 0x1_2345_6789)?;
    same("the long remainder", a % b, 0xFEDC_BA98_7654_3210u64 % 0x1_2345_6789)
}

const BYTE: u32 = LaneCtrl { mask_msb: 7, ..LaneCtrl::new() }.encode();
const NEXT_BYTE: u32 =
    LaneCtrl { shift: 8, mask_msb: 7, cross_input: true, ..LaneCtrl::new() }.encode();
const BLEND: u32 = LaneCtrl { blend: true, ..LaneCtrl::new() }.encode();
const SIGNED: u32 = LaneCtrl { signed: true, ..LaneCtrl::new() }.encode();

fn blend(interp: &mut Interp0) -> Verdict {
    let lane = interp.get_lane0();
    lane.set_ctrl(LaneCtrl { mask_msb: 4, ..LaneCtrl::new() }.encode());
    lane.set_accum(30);
    lane.set_base(1);
    for expected in [31u32, 32, 1, 2] {
        same("peeked", lane.peek(), expected)?;
        same("popped", lane.pop(), expected)?;
    }
    same("what is kept", lane.get_accum(), 2u32)?;
    lane.add_accum(0x105);
    same("added", lane.get_accum(), 0x107u32)?;
    same("raw", lane.read_raw(), 7u32)?;
    // Two bytes of a word, and their sum plus a base.
    interp.get_lane0().set_ctrl(BYTE);
    interp.get_lane1().set_ctrl(NEXT_BYTE);
    interp.get_lane0().set_accum(0x0000_2211);
    interp.get_lane0().set_base(0);
    interp.get_lane1().set_base(0);
    interp.set_base(0x1000);
    same("the second byte", interp.get_lane1().peek(), 0x22u32)?;
    same("the sum", interp.peek(), 0x1033u32)?;
    // A quarter and three quarters of the way from 1000 to 2000, then down from there.
    interp.get_lane0().set_ctrl(BLEND);
    interp.get_lane1().set_ctrl(LaneCtrl::new().encode());
    interp.set_base_1and0(2_000 << 16 | 1_000);
    for (fraction, expected) in [(0, 1_000u32), (64, 1_250), (192, 1_750), (255, 1_996)] {
        interp.get_lane1().set_accum(fraction);
        same("between", interp.get_lane1().peek(), expected)?;
    }
    interp.get_lane1().set_ctrl(SIGNED);
    interp.set_base_1and0((-1_000i32 as u32) << 16 | 1_000);
    interp.get_lane1().set_accum(128);
    same("half way down", interp.get_lane1().peek(), 0u32)
}

fn clamp(interp: &mut Interp1) -> Verdict {
    let control = LaneCtrl { clamp: true, signed: true, shift: 4, mask_msb: 27, ..LaneCtrl::new() };
    interp.get_lane0().set_ctrl(control.encode());
    interp.get_lane0().set_base(-10i32 as u32);
    interp.get_lane1().set_base(100);
    for (value, expected) in [(-1_000, -10), (-64, -4), (800, 50), (16_000, 100)] {
        interp.get_lane0().set_accum(value as u32);
        same("clamped", interp.get_lane0().peek(), expected as u32)?;
    }
    Ok(())
}

fn bits() -> Verdict {
    for value in [0, 1, 0x8000_0000, 0x00F0_1000, u32::MAX] {
        let value = black_box(value);
        same("ones", rom_data::popcount32(value), value.count_ones())?;
        same("turned", rom_data::reverse32(value), value.reverse_bits())?;
        same("in front", rom_data::clz32(value), value.leading_zeros())?;
        same("at the end", rom_data::ctz32(value), value.trailing_zeros())?;
    }
    Ok(())
}

fn memory() -> Verdict {
    let mut one = [0u32; 8];
    let mut other = [0xFFu8; 32];
    #[expect(unsafe_code, reason = "the ROM's functions take pointers")]
    // SAFETY: both arrays have 32 bytes, and the words are aligned.
    unsafe {
        rom_data::memset4(one.as_mut_ptr(), 0x5A, 32);
        rom_data::memcpy(other.as_mut_ptr().add(1), one.as_ptr().cast(), 30);
        rom_data::memset(other.as_mut_ptr().add(4), 7, 2);
    }
    same("a word", one[7], 0x5A5A_5A5Au32)?;
    let mut expected = [0x5A; 32];
    (expected[0], expected[31]) = (0xFF, 0xFF);
    expected[4..6].fill(7);
    same_bytes("the bytes", &other, &expected)?;
    // rp2040-hal implements the compiler's memory copies with the ROM's functions.
    let copy = black_box(other);
    same_bytes("a copy", &copy, &other)
}

fn version() -> Verdict {
    holds("the version", (1..=3).contains(&rom_data::rom_version_number()))?;
    holds("the text", !rom_data::copyright_string().is_empty())?;
    holds("the revision", rom_data::git_revision() != 0)?;
    holds("floats", !rom_data::fplib_start().is_null())?;
    holds("their end", rom_data::fplib_end() > rom_data::fplib_start())
}

fn single() -> Verdict {
    let (a, b) = (black_box(355.0f32), black_box(113.0f32));
    let pi = a / b;
    same("divided", pi.to_bits(), 0x4049_0FDCu32)?;
    same("added", (pi + a).to_bits(), 0x43B3_1220u32)?;
    same("subtracted", (b - a).to_bits(), (-242.0f32).to_bits())?;
    same("multiplied", (a * b).to_bits(), 40_115.0f32.to_bits())?;
    same("a root", float_funcs::fsqrt(black_box(2.0)).to_bits(), 0x3FB5_04F3u32)?;
    let less = a < b;
    holds("compared", a > b && !less && a != b && a >= b)?;
    holds(
        "no number",
        black_box(f32::NAN) != a && (black_box(f32::INFINITY) - f32::INFINITY).is_nan(),
    )?;
    same("the ROM compares", float_funcs::fcmp(b, a) as u32, -1i32 as u32)?;
    // The chip flushes a subnormal number to zero.
    same("a tiny one", (black_box(f32::MIN_POSITIVE) * 0.5).to_bits(), 0u32)?;
    same("a huge one", (black_box(f32::MAX) * 2.0).to_bits(), f32::INFINITY.to_bits())
}

fn single_conversions() -> Verdict {
    same("from a whole", (black_box(-16_777_217i32) as f32).to_bits(), 0xCB80_0000u32)?;
    same("from an unsigned", (black_box(u32::MAX) as f32).to_bits(), 0x4F80_0000u32)?;
    // Rust rounds towards zero; rp2040-hal uses the ROM's conversion, which rounds down.
    same("to a whole", black_box(-2.5f32) as i32 as u32, -3i32 as u32)?;
    same("downwards", float_funcs::float_to_int(black_box(-2.5)) as u32, -3i32 as u32)?;
    same("too large", black_box(1e20f32) as i32 as u32, i32::MAX as u32)?;
    same("below zero", u32::from(black_box(-1.0f32) as u16), 0u32)?;
    same("fixed", float_funcs::float_to_fix(black_box(0.5), 16) as u32, 0x8000u32)?;
    same(
        "and back",
        float_funcs::fix_to_float(black_box(0x18000), 16).to_bits(),
        1.5f32.to_bits(),
    )?;
    same("long", black_box(1e15f32) as u64, 999_999_986_991_104u64)?;
    same("from long", (black_box(1u64 << 60) as f32).to_bits(), 0x5D80_0000u32)?;
    same("wider", f64::from(black_box(0.1f32)).to_bits(), 0x3FB9_9999_A000_0000u64)
}

fn double() -> Verdict {
    let (a, b) = (black_box(355.0f64), black_box(113.0f64));
    let pi = a / b;
    same("divided", pi.to_bits(), 0x4009_21FB_7812_1FB8u64)?;
    same("added", (pi + a).to_bits(), 0x4076_6243_F6F0_243Fu64)?;
    same("subtracted", (b - a).to_bits(), (-242.0f64).to_bits())?;
    same("multiplied", (a * b).to_bits(), 40_115.0f64.to_bits())?;
    same("a root", double_funcs::dsqrt(black_box(2.0)).to_bits(), 0x3FF6_A09E_667F_3BCDu64)?;
    let less = a < b;
    holds("compared", a > b && !less && a != b)?;
    same("the ROM compares", double_funcs::dcmp(b, a) as u32, -1i32 as u32)
}

fn double_conversions() -> Verdict {
    same("from a whole", f64::from(black_box(-7i32)).to_bits(), 0xC01C_0000_0000_0000u64)?;
    same("to a whole", black_box(-2.5f64) as i32 as u32, -2i32 as u32)?;
    same("downwards", double_funcs::double_to_int(black_box(-2.5)) as u32, -3i32 as u32)?;
    same("long", black_box(1e18f64) as u64, 1_000_000_000_000_000_000u64)?;
    same("from long", (black_box(u64::MAX) as f64).to_bits(), 0x43F0_0000_0000_0000u64)?;
    same("fixed", double_funcs::double_to_ufix(black_box(0.75), 8), 192u32)?;
    same("narrower", (black_box(0.1f64) as f32).to_bits(), 0x3DCC_CCCDu32)
}

fn transcendental() -> Verdict {
    let near = |a: f64, b: f64| (a - b < 1e-6) && (b - a < 1e-6);
    let of = |value: f32| f64::from(value);
    holds("sine", near(of(float_funcs::fsin(1.0)), 0.841_470_985))?;
    holds("cosine", near(of(float_funcs::fcos(1.0)), 0.540_302_306))?;
    holds("tangent", near(of(float_funcs::ftan(1.0)), 1.557_407_725))?;
    holds("exponential", near(of(float_funcs::fexp(1.0)), E))?;
    holds("logarithm", near(of(float_funcs::fln(10.0)), LN_10))?;
    holds("arc tangent", near(of(float_funcs::fatan2(1.0, -1.0)), 2.356_194_490))?;
    holds("long sine", near(double_funcs::dsin(1.0), 0.841_470_985))?;
    holds("long cosine", near(double_funcs::dcos(1.0), 0.540_302_306))?;
    holds("long exponential", near(double_funcs::dexp(1.0), E))?;
    holds("long logarithm", near(double_funcs::dln(10.0), LN_10))?;
    holds("long arc tangent", near(double_funcs::datan2(1.0, -1.0), 2.356_194_490))
}
