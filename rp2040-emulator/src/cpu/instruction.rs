//! The decoded instructions of ARMv6-M: the output of the decoder, the input of the executor and of
//! the disassembler.
//!
//! A value has eight bytes, because every executed halfword of memory stores one. Offsets of
//! branches and literals are relative to the instruction, whose address is not part of the value.

/// One of the sixteen core registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register(Number);

/// The number of a register. The compiler knows that there are sixteen, so that an array of sixteen
/// is accessed without a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[rustfmt::skip] // a row of four
enum Number {
    R0, R1, R2, R3,
    R4, R5, R6, R7,
    R8, R9, R10, R11,
    R12, R13, R14, R15,
}

const NUMBERS: [Number; 16] = {
    use Number::*;
    [R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, R10, R11, R12, R13, R14, R15]
};

impl Register {
    /// The stack pointer, R13.
    pub const SP: Self = Self(Number::R13);
    /// The link register, R14.
    pub const LR: Self = Self(Number::R14);
    /// The program counter, R15.
    pub const PC: Self = Self(Number::R15);

    /// The register with the number in the low four bits of `number`.
    pub const fn new(number: u8) -> Self {
        Self(NUMBERS[(number & 15) as usize])
    }

    /// Number of the register, 0 to 15.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A conditional branch as the second of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Bit n: taken if the flags N, Z, C and V, as a number of four bits, are n.
    pub taken: u16,
    /// Offset in halfwords from the branch's address plus four.
    pub offset: i8,
}

impl Branch {
    /// Value of [`taken`](Self::taken) for a branch that is taken if Z is set.
    pub(crate) const EQUAL: u16 = 0xF0F0;
    /// Value for a branch that is taken if Z is clear.
    pub(crate) const NOT_EQUAL: u16 = !Self::EQUAL;
    /// Values for branches that are taken if C is set, or clear.
    pub(crate) const CARRY: u16 = 0xCCCC;
    pub(crate) const NO_CARRY: u16 = !Self::CARRY;
    /// Values for branches that are taken if N is set, or clear.
    pub(crate) const NEGATIVE: u16 = 0xFF00;
    pub(crate) const NOT_NEGATIVE: u16 = !Self::NEGATIVE;
    /// Values for branches that are taken if C is set and Z clear, or not.
    pub(crate) const HIGHER: u16 = Self::CARRY & Self::NOT_EQUAL;
    pub(crate) const LOWER_OR_SAME: u16 = !Self::HIGHER;
    /// Values for branches that are taken if N and V differ, or are equal.
    pub(crate) const LESS: u16 = Self::NEGATIVE ^ 0xAAAA;
    pub(crate) const GREATER_OR_EQUAL: u16 = !Self::LESS;
}

/// An instruction of ARMv6-M with its operands.
///
/// `d` is the destination, `n` and `m` are operands, `t` is transferred, as in the
/// architecture's manual; a trailing `s` means that the flags are set. Offsets and shifts are as
/// they apply (bytes, 1 to 32 bits), not as they are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[rustfmt::skip] // a line a variant, as a table
pub enum Instruction {
    // Shift, add, subtract, move, compare: the flags are set.
    MovsRegister { d: Register, m: Register },
    LslsImmediate { d: Register, m: Register, shift: u8 },
    LsrsImmediate { d: Register, m: Register, shift: u8 },
    AsrsImmediate { d: Register, m: Register, shift: u8 },
    AddsRegister { d: Register, n: Register, m: Register },
    SubsRegister { d: Register, n: Register, m: Register },
    AddsImmediate { d: Register, n: Register, value: u8 },
    SubsImmediate { d: Register, n: Register, value: u8 },
    MovsImmediate { d: Register, value: u8 },
    CmpImmediate { n: Register, value: u8 },

    // Data processing between two registers.
    Ands { d: Register, m: Register },
    Eors { d: Register, m: Register },
    LslsRegister { d: Register, m: Register },
    LsrsRegister { d: Register, m: Register },
    AsrsRegister { d: Register, m: Register },
    Adcs { d: Register, m: Register },
    Sbcs { d: Register, m: Register },
    RorsRegister { d: Register, m: Register },
    Tst { n: Register, m: Register },
    Rsbs { d: Register, n: Register },
    Cmp { n: Register, m: Register },
    Cmn { n: Register, m: Register },
    Orrs { d: Register, m: Register },
    Muls { d: Register, m: Register },
    Bics { d: Register, m: Register },
    Mvns { d: Register, m: Register },

    // Any of the sixteen registers; the program counter has variants of its own.
    Add { d: Register, m: Register },
    Mov { d: Register, m: Register },
    AddPcTo { d: Register },
    MovFromPc { d: Register },
    AddToPc { m: Register },
    MovToPc { m: Register },
    Bx { m: Register },
    Blx { m: Register },

    // Addresses.
    Adr { d: Register, offset: u16 },
    AddSp { d: Register, offset: u16 },
    AdjustSp { offset: i16 },

    // Loads and stores.
    LdrLiteral { t: Register, offset: u16 },
    StrRegister { t: Register, n: Register, m: Register },
    StrhRegister { t: Register, n: Register, m: Register },
    StrbRegister { t: Register, n: Register, m: Register },
    LdrsbRegister { t: Register, n: Register, m: Register },
    LdrRegister { t: Register, n: Register, m: Register },
    LdrhRegister { t: Register, n: Register, m: Register },
    LdrbRegister { t: Register, n: Register, m: Register },
    LdrshRegister { t: Register, n: Register, m: Register },
    StrImmediate { t: Register, n: Register, offset: u16 },
    LdrImmediate { t: Register, n: Register, offset: u16 },
    StrbImmediate { t: Register, n: Register, offset: u16 },
    LdrbImmediate { t: Register, n: Register, offset: u16 },
    StrhImmediate { t: Register, n: Register, offset: u16 },
    LdrhImmediate { t: Register, n: Register, offset: u16 },
    /// Bit n of `list` is register n; bit 14 is the link register.
    Push { list: u16 },
    /// Bit n of `list` is register n.
    Pop { list: u16 },
    /// Pops `list` and then the program counter.
    PopPc { list: u16 },
    Stm { n: Register, list: u16 },
    Ldm { n: Register, list: u16 },

    // Extend and reverse.
    Sxth { d: Register, m: Register },
    Sxtb { d: Register, m: Register },
    Uxth { d: Register, m: Register },
    Uxtb { d: Register, m: Register },
    Rev { d: Register, m: Register },
    Rev16 { d: Register, m: Register },
    Revsh { d: Register, m: Register },

    // Branches; offsets in bytes from the instruction's address plus four. A variant per
    // condition saves the executor a second dispatch.
    Beq { offset: i32 },
    Bne { offset: i32 },
    Bcs { offset: i32 },
    Bcc { offset: i32 },
    Bmi { offset: i32 },
    Bpl { offset: i32 },
    Bvs { offset: i32 },
    Bvc { offset: i32 },
    Bhi { offset: i32 },
    Bls { offset: i32 },
    Bge { offset: i32 },
    Blt { offset: i32 },
    Bgt { offset: i32 },
    Ble { offset: i32 },
    B { offset: i32 },
    Bl { offset: i32 },

    // The system.
    Svc { number: u8 },
    Bkpt { number: u8 },
    /// Permanently undefined, with the number that its encoding carries.
    Udf { number: u16 },
    /// An encoding that ARMv6-M leaves undefined or unpredictable: its first halfword.
    Undefined { encoding: u16 },
    Cps { disable: bool },
    /// `special` is the number (SYSm) of the special register.
    Msr { special: u8, n: Register },
    Mrs { d: Register, special: u8 },
    Dsb,
    Dmb,
    Isb,
    Nop,
    Yield,
    Wfe,
    Wfi,
    Sev,

    // Pairs: a frequent instruction and the conditional branch after it. Only the array of decoded
    // instructions in `Memory` contains them.
    SubsImmediateThenBne { d: Register, value: u8, offset: i8 },
    SubsImmediateThen { d: Register, value: u8, branch: Branch },
    CmpImmediateThen { n: Register, value: u8, branch: Branch },
    CmpThen { n: Register, m: Register, branch: Branch },
    TstThen { n: Register, m: Register, branch: Branch },
    LslsImmediateThen { dm: u8, shift: u8, branch: Branch },

    // Not instructions: markers in the array of decoded instructions.
    /// Not decoded yet.
    Undecoded,
    /// After the last halfword of a region.
    End,
    /// Memory that cannot be fetched from.
    Unfetchable,
    /// Reached with the Thumb bit clear.
    NotThumb,
}

const _: () = assert!(size_of::<Instruction>() == 8);

impl Instruction {
    /// Size of the instruction in bytes: 2 or 4.
    pub const fn size(self) -> u32 {
        match self {
            Self::Bl { .. }
            | Self::Msr { .. }
            | Self::Mrs { .. }
            | Self::Dsb
            | Self::Dmb
            | Self::Isb => 4,
            _ => 2,
        }
    }
}
