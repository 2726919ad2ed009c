//! Decodes halfwords to [`Instruction`]s: chapter A5 of the ARMv6-M architecture manual.
//!
//! [`decode`] is a pure function of at most two halfwords. What the manual calls undefined or
//! unpredictable becomes [`Instruction::Undefined`], which the core answers with a HardFault:
//! a program that relies on either is wrong on the chip, and the fault reports it.

use crate::cpu::instruction::{Branch, Instruction, Register};

/// Whether `first` is the first halfword of a 32-bit instruction.
pub const fn is_wide(first: u16) -> bool {
    first >> 11 >= 0b11101
}

/// Decodes the instruction that starts with `first`; `second` is the halfword after it and
/// matters to 32-bit instructions only.
pub fn decode(first: u16, second: u16) -> Instruction {
    match first >> 12 {
        0b0000 | 0b0001 => shift_add_subtract(first),
        0b0010 | 0b0011 => immediate(first),
        0b0100 => match (first >> 10) & 3 {
            0b00 => data_processing(first),
            0b01 => high_registers(first),
            _ => Instruction::LdrLiteral { t: low(first, 8), offset: (first & 0xFF) * 4 },
        },
        0b0101 => transfer_register(first),
        0b0110..=0b1001 => transfer_immediate(first),
        0b1010 => {
            let (d, offset) = (low(first, 8), (first & 0xFF) * 4);
            if first & 0x0800 == 0 {
                Instruction::Adr { d, offset }
            } else {
                Instruction::AddSp { d, offset }
            }
        }
        0b1011 => miscellaneous(first),
        0b1100 => multiple(first),
        0b1101 => conditional(first),
        _ if is_wide(first) => wide(first, second),
        _ => Instruction::B { offset: sign_extend(first & 0x7FF, 11) * 2 },
    }
}

/// Returns both instructions as one if `first`, of two bytes, and `second` are a frequent pair;
/// otherwise `first`.
pub(crate) fn pair(first: Instruction, second: Instruction) -> Instruction {
    use Instruction as I;
    let Some(branch) = branch(second) else { return first };
    match first {
        I::SubsImmediate { d, n, value } if d == n => match second {
            I::Bne { .. } => I::SubsImmediateThenBne { d, value, offset: branch.offset },
            _ => I::SubsImmediateThen { d, value, branch },
        },
        I::CmpImmediate { n, value } => I::CmpImmediateThen { n, value, branch },
        I::Cmp { n, m } => I::CmpThen { n, m, branch },
        I::Tst { n, m } => I::TstThen { n, m, branch },
        I::LslsImmediate { d, m, shift } => {
            I::LslsImmediateThen { dm: (d.index() << 4 | m.index()) as u8, shift, branch }
        }
        _ => first,
    }
}

/// Returns a conditional branch with the flags for which it is taken.
pub(crate) fn branch(instruction: Instruction) -> Option<Branch> {
    use Instruction as I;
    const N: u16 = 0xFF00;
    const Z: u16 = Branch::EQUAL;
    const C: u16 = 0xCCCC;
    const V: u16 = 0xAAAA;
    let (taken, offset) = match instruction {
        I::Beq { offset } => (Z, offset),
        I::Bne { offset } => (!Z, offset),
        I::Bcs { offset } => (C, offset),
        I::Bcc { offset } => (!C, offset),
        I::Bmi { offset } => (N, offset),
        I::Bpl { offset } => (!N, offset),
        I::Bvs { offset } => (V, offset),
        I::Bvc { offset } => (!V, offset),
        I::Bhi { offset } => (C & !Z, offset),
        I::Bls { offset } => (!C | Z, offset),
        I::Bge { offset } => (!(N ^ V), offset),
        I::Blt { offset } => (N ^ V, offset),
        I::Bgt { offset } => (!Z & !(N ^ V), offset),
        I::Ble { offset } => (Z | N ^ V, offset),
        _ => return None,
    };
    Some(Branch { taken, offset: (offset / 2) as i8 })
}

/// Returns the three-bit register field whose lowest bit is bit `position`.
const fn low(encoding: u16, position: u32) -> Register {
    Register::new((encoding >> position) as u8 & 7)
}

const fn sign_extend(value: u16, bits: u32) -> i32 {
    ((value as i32) << (32 - bits)) >> (32 - bits)
}

fn shift_add_subtract(first: u16) -> Instruction {
    let (d, n, m) = (low(first, 0), low(first, 3), low(first, 6));
    let shift = (first >> 6) as u8 & 31;
    let long = if shift == 0 { 32 } else { shift };
    let value = (first >> 6) as u8 & 7;
    match first >> 9 & 0xF {
        0b0000..=0b0011 if shift == 0 => Instruction::MovsRegister { d, m: n },
        0b0000..=0b0011 => Instruction::LslsImmediate { d, m: n, shift },
        0b0100..=0b0111 => Instruction::LsrsImmediate { d, m: n, shift: long },
        0b1000..=0b1011 => Instruction::AsrsImmediate { d, m: n, shift: long },
        0b1100 => Instruction::AddsRegister { d, n, m },
        0b1101 => Instruction::SubsRegister { d, n, m },
        0b1110 => Instruction::AddsImmediate { d, n, value },
        _ => Instruction::SubsImmediate { d, n, value },
    }
}

fn immediate(first: u16) -> Instruction {
    let (d, value) = (low(first, 8), first as u8);
    match first >> 11 & 3 {
        0b00 => Instruction::MovsImmediate { d, value },
        0b01 => Instruction::CmpImmediate { n: d, value },
        0b10 => Instruction::AddsImmediate { d, n: d, value },
        _ => Instruction::SubsImmediate { d, n: d, value },
    }
}

fn data_processing(first: u16) -> Instruction {
    let (d, m) = (low(first, 0), low(first, 3));
    match first >> 6 & 0xF {
        0x0 => Instruction::Ands { d, m },
        0x1 => Instruction::Eors { d, m },
        0x2 => Instruction::LslsRegister { d, m },
        0x3 => Instruction::LsrsRegister { d, m },
        0x4 => Instruction::AsrsRegister { d, m },
        0x5 => Instruction::Adcs { d, m },
        0x6 => Instruction::Sbcs { d, m },
        0x7 => Instruction::RorsRegister { d, m },
        0x8 => Instruction::Tst { n: d, m },
        0x9 => Instruction::Rsbs { d, n: m },
        0xA => Instruction::Cmp { n: d, m },
        0xB => Instruction::Cmn { n: d, m },
        0xC => Instruction::Orrs { d, m },
        0xD => Instruction::Muls { d, m },
        0xE => Instruction::Bics { d, m },
        _ => Instruction::Mvns { d, m },
    }
}

fn high_registers(first: u16) -> Instruction {
    let d = Register::new((first & 7 | first >> 4 & 8) as u8);
    let m = Register::new((first >> 3 & 15) as u8);
    let undefined = Instruction::Undefined { encoding: first };
    match (first >> 8 & 3, d, m) {
        (0b00, Register::PC, Register::PC) => undefined,
        (0b00, Register::PC, _) => Instruction::AddToPc { m },
        (0b00, _, Register::PC) => Instruction::AddPcTo { d },
        (0b00, _, _) => Instruction::Add { d, m },
        // Comparing two low registers has an encoding of its own; with this one it is
        // unpredictable.
        (0b01, _, _) if d.index() < 8 && m.index() < 8 => undefined,
        (0b01, Register::PC, _) | (0b01, _, Register::PC) => undefined,
        (0b01, _, _) => Instruction::Cmp { n: d, m },
        (0b10, Register::PC, Register::PC) => undefined,
        (0b10, Register::PC, _) => Instruction::MovToPc { m },
        (0b10, _, Register::PC) => Instruction::MovFromPc { d },
        (0b10, _, _) => Instruction::Mov { d, m },
        _ if first & 7 != 0 || m == Register::PC => undefined,
        _ if first & 0x80 == 0 => Instruction::Bx { m },
        _ => Instruction::Blx { m },
    }
}

fn transfer_register(first: u16) -> Instruction {
    let (t, n, m) = (low(first, 0), low(first, 3), low(first, 6));
    match first >> 9 & 7 {
        0 => Instruction::StrRegister { t, n, m },
        1 => Instruction::StrhRegister { t, n, m },
        2 => Instruction::StrbRegister { t, n, m },
        3 => Instruction::LdrsbRegister { t, n, m },
        4 => Instruction::LdrRegister { t, n, m },
        5 => Instruction::LdrhRegister { t, n, m },
        6 => Instruction::LdrbRegister { t, n, m },
        _ => Instruction::LdrshRegister { t, n, m },
    }
}

fn transfer_immediate(first: u16) -> Instruction {
    let (t, n) = (low(first, 0), low(first, 3));
    let scaled = first >> 6 & 31;
    let from_sp = (first & 0xFF) * 4;
    match first >> 11 {
        0b01100 => Instruction::StrImmediate { t, n, offset: scaled * 4 },
        0b01101 => Instruction::LdrImmediate { t, n, offset: scaled * 4 },
        0b01110 => Instruction::StrbImmediate { t, n, offset: scaled },
        0b01111 => Instruction::LdrbImmediate { t, n, offset: scaled },
        0b10000 => Instruction::StrhImmediate { t, n, offset: scaled * 2 },
        0b10001 => Instruction::LdrhImmediate { t, n, offset: scaled * 2 },
        0b10010 => Instruction::StrImmediate { t: low(first, 8), n: Register::SP, offset: from_sp },
        _ => Instruction::LdrImmediate { t: low(first, 8), n: Register::SP, offset: from_sp },
    }
}

fn miscellaneous(first: u16) -> Instruction {
    let (d, m) = (low(first, 0), low(first, 3));
    let list = first & 0xFF;
    let undefined = Instruction::Undefined { encoding: first };
    match first >> 5 & 0x7F {
        0b0000000..=0b0000011 => Instruction::AdjustSp { offset: (first & 0x7F) as i16 * 4 },
        0b0000100..=0b0000111 => Instruction::AdjustSp { offset: -((first & 0x7F) as i16) * 4 },
        0b0010000..=0b0010111 => match first >> 6 & 3 {
            0 => Instruction::Sxth { d, m },
            1 => Instruction::Sxtb { d, m },
            2 => Instruction::Uxth { d, m },
            _ => Instruction::Uxtb { d, m },
        },
        0b0100000..=0b0101111 => match list | (first & 0x100) << 6 {
            0 => undefined,
            list => Instruction::Push { list },
        },
        0b0110011 => match first & 0x1F {
            0b00010 => Instruction::Cps { disable: false },
            0b10010 => Instruction::Cps { disable: true },
            _ => undefined,
        },
        0b1010000..=0b1010111 => match first >> 6 & 3 {
            0 => Instruction::Rev { d, m },
            1 => Instruction::Rev16 { d, m },
            3 => Instruction::Revsh { d, m },
            _ => undefined,
        },
        0b1100000..=0b1101111 => match (first & 0x100 != 0, list) {
            (false, 0) => undefined,
            (false, list) => Instruction::Pop { list },
            (true, list) => Instruction::PopPc { list },
        },
        0b1110000..=0b1110111 => Instruction::Bkpt { number: first as u8 },
        0b1111000..=0b1111111 => hint(first),
        _ => undefined,
    }
}

fn hint(first: u16) -> Instruction {
    match (first >> 4 & 15, first & 15) {
        (_, 1..) => Instruction::Undefined { encoding: first },
        (1, _) => Instruction::Yield,
        (2, _) => Instruction::Wfe,
        (3, _) => Instruction::Wfi,
        (4, _) => Instruction::Sev,
        // A hint that is not allocated executes as a no-operation (A5.2.5).
        _ => Instruction::Nop,
    }
}

fn multiple(first: u16) -> Instruction {
    let (n, list) = (low(first, 8), first & 0xFF);
    match (first & 0x0800 == 0, list) {
        (_, 0) => Instruction::Undefined { encoding: first },
        (true, list) => Instruction::Stm { n, list },
        (false, list) => Instruction::Ldm { n, list },
    }
}

fn conditional(first: u16) -> Instruction {
    let offset = sign_extend(first & 0xFF, 8) * 2;
    match first >> 8 & 15 {
        0x0 => Instruction::Beq { offset },
        0x1 => Instruction::Bne { offset },
        0x2 => Instruction::Bcs { offset },
        0x3 => Instruction::Bcc { offset },
        0x4 => Instruction::Bmi { offset },
        0x5 => Instruction::Bpl { offset },
        0x6 => Instruction::Bvs { offset },
        0x7 => Instruction::Bvc { offset },
        0x8 => Instruction::Bhi { offset },
        0x9 => Instruction::Bls { offset },
        0xA => Instruction::Bge { offset },
        0xB => Instruction::Blt { offset },
        0xC => Instruction::Bgt { offset },
        0xD => Instruction::Ble { offset },
        0xE => Instruction::Udf { number: first & 0xFF },
        _ => Instruction::Svc { number: first as u8 },
    }
}

fn wide(first: u16, second: u16) -> Instruction {
    let undefined = Instruction::Undefined { encoding: first };
    if first >> 11 != 0b11110 || second & 0x8000 == 0 {
        return undefined;
    }
    if second & 0x5000 == 0x5000 {
        return Instruction::Bl { offset: link_offset(first, second) };
    }
    let special = second as u8;
    match (first & 0x07F0, second & 0x7000) {
        (0x0380, 0x0000 | 0x2000) => match Register::new(first as u8) {
            Register::SP | Register::PC => undefined,
            n => Instruction::Msr { special, n },
        },
        (0x03E0, 0x0000 | 0x2000) => match Register::new((second >> 8) as u8) {
            Register::SP | Register::PC => undefined,
            d => Instruction::Mrs { d, special },
        },
        (0x03B0, 0x0000 | 0x2000) => match second >> 4 & 15 {
            4 => Instruction::Dsb,
            5 => Instruction::Dmb,
            6 => Instruction::Isb,
            _ => undefined,
        },
        (0x07F0, 0x2000) => Instruction::Udf { number: (first & 15) << 12 | second & 0x0FFF },
        _ => undefined,
    }
}

/// The 25-bit offset of BL (encoding T1), whose two top bits J1 and J2 are stored inverted
/// against the sign.
fn link_offset(first: u16, second: u16) -> i32 {
    let sign = u32::from(first >> 10 & 1);
    let i1 = !(u32::from(second >> 13) ^ sign) & 1;
    let i2 = !(u32::from(second >> 11) ^ sign) & 1;
    let offset = sign << 24
        | i1 << 23
        | i2 << 22
        | u32::from(first & 0x3FF) << 12
        | u32::from(second & 0x7FF) << 1;
    ((offset << 7) as i32) >> 7
}

#[cfg(test)]
mod tests;
