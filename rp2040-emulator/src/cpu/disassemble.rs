//! Instructions in assembler syntax, for traces and reports.
//!
//! The syntax is ARM's unified assembler language (UAL). Branch targets and literals are written as
//! addresses, which a reader can find in a map file.

use std::fmt::Write as _;

use crate::cpu::instruction::{Instruction, Register};

/// Returns the assembler syntax of `instruction` at `address`.
pub fn disassemble(instruction: Instruction, address: u32) -> String {
    use Instruction as I;
    match instruction {
        I::MovsRegister { d, m } => two("movs", d, m),
        I::LslsImmediate { d, m, shift } => shifted("lsls", d, m, shift),
        I::LsrsImmediate { d, m, shift } => shifted("lsrs", d, m, shift),
        I::AsrsImmediate { d, m, shift } => shifted("asrs", d, m, shift),
        I::AddsRegister { d, n, m } => three("adds", d, n, m),
        I::SubsRegister { d, n, m } => three("subs", d, n, m),
        I::AddsImmediate { d, n, value } => shifted("adds", d, n, value),
        I::SubsImmediate { d, n, value } => shifted("subs", d, n, value),
        I::MovsImmediate { d, value } => format!("movs {}, #{value}", name(d)),
        I::CmpImmediate { n, value } => format!("cmp {}, #{value}", name(n)),
        I::Ands { d, m } => two("ands", d, m),
        I::Eors { d, m } => two("eors", d, m),
        I::LslsRegister { d, m } => two("lsls", d, m),
        I::LsrsRegister { d, m } => two("lsrs", d, m),
        I::AsrsRegister { d, m } => two("asrs", d, m),
        I::Adcs { d, m } => two("adcs", d, m),
        I::Sbcs { d, m } => two("sbcs", d, m),
        I::RorsRegister { d, m } => two("rors", d, m),
        I::Tst { n, m } => two("tst", n, m),
        I::Rsbs { d, n } => shifted("rsbs", d, n, 0),
        I::Cmp { n, m } => two("cmp", n, m),
        I::Cmn { n, m } => two("cmn", n, m),
        I::Orrs { d, m } => two("orrs", d, m),
        I::Muls { d, m } => three("muls", d, m, d),
        I::Bics { d, m } => two("bics", d, m),
        I::Mvns { d, m } => two("mvns", d, m),
        I::Add { d, m } => two("add", d, m),
        I::Mov { d, m } => two("mov", d, m),
        I::AddPcTo { d } => two("add", d, Register::PC),
        I::MovFromPc { d } => two("mov", d, Register::PC),
        I::AddToPc { m } => two("add", Register::PC, m),
        I::MovToPc { m } => two("mov", Register::PC, m),
        I::Bx { m } => format!("bx {}", name(m)),
        I::Blx { m } => format!("blx {}", name(m)),
        I::Adr { d, offset } => format!("adr {}, {}", name(d), literal(address, offset)),
        I::AddSp { d, offset } => format!("add {}, sp, #{offset}", name(d)),
        I::AdjustSp { offset: offset @ ..0 } => format!("sub sp, #{}", -offset),
        I::AdjustSp { offset } => format!("add sp, #{offset}"),
        I::LdrLiteral { t, offset } => format!("ldr {}, [{}]", name(t), literal(address, offset)),
        I::StrRegister { t, n, m } => indexed("str", t, n, m),
        I::StrhRegister { t, n, m } => indexed("strh", t, n, m),
        I::StrbRegister { t, n, m } => indexed("strb", t, n, m),
        I::LdrsbRegister { t, n, m } => indexed("ldrsb", t, n, m),
        I::LdrRegister { t, n, m } => indexed("ldr", t, n, m),
        I::LdrhRegister { t, n, m } => indexed("ldrh", t, n, m),
        I::LdrbRegister { t, n, m } => indexed("ldrb", t, n, m),
        I::LdrshRegister { t, n, m } => indexed("ldrsh", t, n, m),
        I::StrImmediate { t, n, offset } => displaced("str", t, n, offset),
        I::LdrImmediate { t, n, offset } => displaced("ldr", t, n, offset),
        I::StrbImmediate { t, n, offset } => displaced("strb", t, n, offset),
        I::LdrbImmediate { t, n, offset } => displaced("ldrb", t, n, offset),
        I::StrhImmediate { t, n, offset } => displaced("strh", t, n, offset),
        I::LdrhImmediate { t, n, offset } => displaced("ldrh", t, n, offset),
        I::Push { list } => format!("push {}", registers(list)),
        I::Pop { list } => format!("pop {}", registers(list)),
        I::PopPc { list } => format!("pop {}", registers(list | 1 << 15)),
        I::Stm { n, list } => format!("stm {}!, {}", name(n), registers(list)),
        I::Ldm { n, list } if list & 1 << n.index() != 0 => {
            format!("ldm {}, {}", name(n), registers(list))
        }
        I::Ldm { n, list } => format!("ldm {}!, {}", name(n), registers(list)),
        I::Sxth { d, m } => two("sxth", d, m),
        I::Sxtb { d, m } => two("sxtb", d, m),
        I::Uxth { d, m } => two("uxth", d, m),
        I::Uxtb { d, m } => two("uxtb", d, m),
        I::Rev { d, m } => two("rev", d, m),
        I::Rev16 { d, m } => two("rev16", d, m),
        I::Revsh { d, m } => two("revsh", d, m),
        I::Beq { offset } => branch("beq", address, offset),
        I::Bne { offset } => branch("bne", address, offset),
        I::Bcs { offset } => branch("bcs", address, offset),
        I::Bcc { offset } => branch("bcc", address, offset),
        I::Bmi { offset } => branch("bmi", address, offset),
        I::Bpl { offset } => branch("bpl", address, offset),
        I::Bvs { offset } => branch("bvs", address, offset),
        I::Bvc { offset } => branch("bvc", address, offset),
        I::Bhi { offset } => branch("bhi", address, offset),
        I::Bls { offset } => branch("bls", address, offset),
        I::Bge { offset } => branch("bge", address, offset),
        I::Blt { offset } => branch("blt", address, offset),
        I::Bgt { offset } => branch("bgt", address, offset),
        I::Ble { offset } => branch("ble", address, offset),
        I::B { offset } => branch("b", address, offset),
        I::Bl { offset } => branch("bl", address, offset),
        I::Svc { number } => format!("svc #{number}"),
        I::Bkpt { number } => format!("bkpt #0x{number:02x}"),
        I::Udf { number } => format!("udf #{number}"),
        I::Undefined { encoding } => format!("undefined 0x{encoding:04x}"),
        I::Cps { disable: true } => "cpsid i".into(),
        I::Cps { disable: false } => "cpsie i".into(),
        I::Msr { special, n } => format!("msr {}, {}", special_name(special), name(n)),
        I::Mrs { d, special } => format!("mrs {}, {}", name(d), special_name(special)),
        I::Dsb => "dsb sy".into(),
        I::Dmb => "dmb sy".into(),
        I::Isb => "isb sy".into(),
        I::Nop => "nop".into(),
        I::Yield => "yield".into(),
        I::Wfe => "wfe".into(),
        I::Wfi => "wfi".into(),
        I::Sev => "sev".into(),
        I::SubsImmediateThenBne { .. }
        | I::SubsImmediateThen { .. }
        | I::CmpImmediateThen { .. }
        | I::CmpThen { .. }
        | I::TstThen { .. }
        | I::LslsImmediateThen { .. } => "(two instructions)".into(),
        I::Undecoded => "(not decoded)".into(),
        I::End | I::Unfetchable => "(no memory)".into(),
        I::NotThumb => "(not Thumb code)".into(),
    }
}

/// Returns the register's name: `r0` to `r12`, `sp`, `lr`, `pc`.
pub fn name(register: Register) -> &'static str {
    const NAMES: [&str; 16] = [
        "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "sp",
        "lr", "pc",
    ];
    NAMES[register.index()]
}

fn two(mnemonic: &str, first: Register, second: Register) -> String {
    format!("{mnemonic} {}, {}", name(first), name(second))
}

fn three(mnemonic: &str, first: Register, second: Register, third: Register) -> String {
    format!("{mnemonic} {}, {}, {}", name(first), name(second), name(third))
}

fn shifted(mnemonic: &str, d: Register, m: Register, number: u8) -> String {
    format!("{mnemonic} {}, {}, #{number}", name(d), name(m))
}

fn indexed(mnemonic: &str, t: Register, n: Register, m: Register) -> String {
    format!("{mnemonic} {}, [{}, {}]", name(t), name(n), name(m))
}

fn displaced(mnemonic: &str, t: Register, n: Register, offset: u16) -> String {
    match offset {
        0 => format!("{mnemonic} {}, [{}]", name(t), name(n)),
        _ => format!("{mnemonic} {}, [{}, #{offset}]", name(t), name(n)),
    }
}

fn branch(mnemonic: &str, address: u32, offset: i32) -> String {
    format!("{mnemonic} 0x{:08x}", address.wrapping_add(4).wrapping_add_signed(offset))
}

fn literal(address: u32, offset: u16) -> String {
    format!("0x{:08x}", (address.wrapping_add(4) & !3).wrapping_add(offset.into()))
}

fn registers(list: u16) -> String {
    let mut text = String::from("{");
    for number in (0..16).filter(|number| list & 1 << number != 0) {
        let comma = if text.len() > 1 { ", " } else { "" };
        write!(text, "{comma}{}", name(Register::new(number))).expect("a string takes all");
    }
    text.push('}');
    text
}

fn special_name(special: u8) -> String {
    match special {
        0 => "APSR".into(),
        1 => "IAPSR".into(),
        2 => "EAPSR".into(),
        3 => "XPSR".into(),
        5 => "IPSR".into(),
        6 => "EPSR".into(),
        7 => "IEPSR".into(),
        8 => "MSP".into(),
        9 => "PSP".into(),
        16 => "PRIMASK".into(),
        20 => "CONTROL".into(),
        _ => format!("special {special}"),
    }
}
