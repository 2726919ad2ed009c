//! Random cases: sequences of every instruction of ARMv6-M on random registers, flags and memory.
//!
//! Most sequences run to their end, because a case that faults early proves little: R6 and R7 point
//! into the scratch memory, R5 is a small multiple of four, and either no instruction of a case
//! writes to them or none uses them as addresses. The rest (undefined encodings, unaligned
//! addresses, branches to even ones) end in a HardFault, whose frame is compared too.

use crate::harness::{Case, Preload, SCRATCH};
use crate::random::Random;

/// SVC #0, with which every case ends.
const END: u16 = 0xDF00;
/// Largest number of instructions in a case, not counting the end.
const MAX_LENGTH: u32 = 40;

/// One instruction, or a few that belong together; the length of a branch is counted in steps.
enum Step {
    Code(Vec<u16>),
    /// A branch: the encoding without its offset, and the number of steps that it skips.
    Branch(u16, usize),
    /// A BL over this number of steps.
    Link(usize),
}

/// State while a case is generated.
struct Author<'a> {
    random: &'a mut Random,
    /// Whether every register can be written to, so that none may serve as an address.
    wild: bool,
}

/// Returns a case that depends only on `random`.
pub fn case(random: &mut Random) -> Case {
    let count = 1 + random.below(MAX_LENGTH);
    let wild = random.one_in(4);
    let mut author = Author { random, wild };
    let steps: Vec<Step> = (0..count).map(|_| step(&mut author)).collect();
    Case { preload: preload(random), code: lay_out(&steps) }
}

fn preload(random: &mut Random) -> Preload {
    let mut registers = [0; 14];
    registers.fill_with(|| random.operand());
    registers[5] = 4 * random.below(16);
    registers[6] = SCRATCH + 4 * random.below(48);
    registers[7] = SCRATCH + 4 * random.below(48);
    if random.one_in(16) {
        registers[5] = random.below(64);
    }
    Preload {
        apsr: random.word() & 0xF000_0000,
        process_stack: random.one_in(2),
        registers,
        memory_seed: random.word(),
    }
}

/// Places the steps one after the other and computes the branches' offsets.
fn lay_out(steps: &[Step]) -> Vec<u16> {
    let mut addresses = vec![0];
    for step in steps {
        let size = match step {
            Step::Code(code) => code.len(),
            Step::Branch(..) => 1,
            Step::Link(_) => 2,
        };
        addresses.push(addresses.last().unwrap() + size);
    }
    let offset = |at: usize, skip: usize| {
        let target = addresses[(at + 1 + skip).min(steps.len())];
        target as i32 - (addresses[at] as i32 + 2)
    };
    let mut code = vec![];
    for (at, step) in steps.iter().enumerate() {
        match step {
            Step::Code(halfwords) => code.extend(halfwords),
            &Step::Branch(encoding, skip) => {
                let mask = if encoding >> 12 == 0xE { 0x7FF } else { 0xFF };
                code.push(encoding | offset(at, skip) as u16 & mask);
            }
            &Step::Link(skip) => code.extend([0xF000, 0xF800 | offset(at, skip) as u16]),
        }
    }
    code.push(END);
    code
}

/// Returns a low register to write to.
fn target(author: &mut Author<'_>) -> u16 {
    let count = if author.wild { 8 } else { 5 };
    author.random.below(count) as u16
}

fn low(author: &mut Author<'_>) -> u16 {
    author.random.below(8) as u16
}

/// Returns a list of low registers to store.
fn list(author: &mut Author<'_>) -> u16 {
    author.random.word() as u16 & 0xFF | 1
}

/// Returns a list of low registers to load.
fn target_list(author: &mut Author<'_>) -> u16 {
    let kept = if author.wild { 0xFF } else { 0x1F };
    list(author) & kept
}

fn step(author: &mut Author<'_>) -> Step {
    Step::Code(match author.random.below(40) {
        0..=3 => vec![shift_add_subtract(author)],
        4..=6 => vec![immediate(author)],
        7..=12 => vec![data_processing(author)],
        13..=15 => vec![high_registers(author)],
        16 => vec![extend_reverse(author)],
        17..=19 if !author.wild => vec![transfer_register(author)],
        20..=23 if !author.wild => vec![transfer_immediate(author)],
        17..=23 => vec![transfer_stack(author)],
        24 => vec![0x4800 | target(author) << 8 | author.random.below(64) as u16], // ldr literal
        25 => vec![0xA000 | target(author) << 8 | author.random.below(0x1000) as u16 & 0x8FF], // adr, add sp
        26 => vec![0xB000 | author.random.below(5) as u16 | (author.random.below(2) as u16) << 7], // add, sub sp
        27 => vec![0xB400 | list(author) | (author.random.below(2) as u16) << 8], // push
        28 => vec![0xBC00 | target_list(author)],                                 // pop
        29 if !author.wild => multiple(author),
        29 => vec![data_processing(author)],
        30..=33 => {
            return Step::Branch(0xD000 | (author.random.below(14) as u16) << 8, skip(author));
        }
        34 => return Step::Branch(0xE000, skip(author)),
        35 => return Step::Link(skip(author)),
        36 => exchange(author),
        37 | 38 => system(author),
        _ => return rare(author),
    })
}

fn skip(author: &mut Author<'_>) -> usize {
    author.random.below(4) as usize
}

fn shift_add_subtract(author: &mut Author<'_>) -> u16 {
    let (operation, operands) =
        (author.random.below(8) as u16, author.random.word() as u16 & 0x1C0);
    let n = low(author) << 3;
    match operation {
        0..=2 => operation << 11 | (author.random.word() as u16 & 0x7C0) | n | target(author),
        _ => 0x1800 | (operation & 3) << 9 | operands | n | target(author),
    }
}

fn immediate(author: &mut Author<'_>) -> u16 {
    0x2000
        | (author.random.below(4) as u16) << 11
        | target(author) << 8
        | author.random.choose(&[0, 1, 0x7F, 0x80, 0xFF, 0x10, 0x20])
        | author.random.below(2) as u16
}

fn data_processing(author: &mut Author<'_>) -> u16 {
    0x4000 | (author.random.below(16) as u16) << 6 | low(author) << 3 | target(author)
}

/// Returns ADD, CMP or MOV between any registers, but not into the stack pointer or program
/// counter, and nothing that is unpredictable: CMP of two low registers, or with the program
/// counter.
fn high_registers(author: &mut Author<'_>) -> u16 {
    let operation = author.random.below(3) as u16;
    let m = author.random.below(16) as u16;
    let d = author.random.choose(&[0, 1, 2, 3, 4, 8, 9, 10, 11, 12, 14]);
    if operation == 1 && (m == 15 || m < 8 && d < 8) {
        return high_registers(author);
    }
    0x4400 | operation << 8 | (d & 8) << 4 | m << 3 | d & 7
}

fn extend_reverse(author: &mut Author<'_>) -> u16 {
    let operation = author.random.choose(&[0xB200, 0xB240, 0xB280, 0xB2C0, 0xBA00, 0xBA40, 0xBAC0]);
    operation | low(author) << 3 | target(author)
}

fn transfer_register(author: &mut Author<'_>) -> u16 {
    let n = author.random.choose(&[6, 7]);
    0x5000 | (author.random.below(8) as u16) << 9 | 5 << 6 | n << 3 | target(author)
}

fn transfer_immediate(author: &mut Author<'_>) -> u16 {
    match author.random.below(4) {
        0 => transfer_stack(author),
        _ => {
            let operation = author.random.choose(&[0x6000, 0x6800, 0x7000, 0x7800, 0x8000, 0x8800]);
            let n = author.random.choose(&[6, 7]);
            operation | (author.random.below(32) as u16) << 6 | n << 3 | target(author)
        }
    }
}

fn transfer_stack(author: &mut Author<'_>) -> u16 {
    let load = author.random.below(2) as u16;
    0x9000 | load << 11 | target(author) << 8 | author.random.below(14) as u16
}

/// Returns LDM or STM on a copy of R6 in R3. A base in the list is stored with its original value
/// only if it is the lowest of the list; otherwise the stored value is unknown.
fn multiple(author: &mut Author<'_>) -> Vec<u16> {
    let load = author.random.one_in(2);
    let list = if load { target_list(author) } else { list(author) & !8 };
    vec![0x4633, 0xC300 | u16::from(load) << 11 | list]
}

/// Returns BX, BLX, MOV or ADD to the program counter, over a gap of up to three halfwords that are
/// never executed.
fn exchange(author: &mut Author<'_>) -> Vec<u16> {
    let gap = author.random.below(4) as u16;
    // mov r4, pc; adds r4, #…; then the branch. The program counter reads as the address of that
    // MOV plus four.
    let thumb = u16::from(!author.random.one_in(16));
    let (distance, branch) = match author.random.below(3) {
        0 => (2 + 2 * gap + thumb, 0x4720), // bx r4
        1 => (2 + 2 * gap + thumb, 0x47A0), // blx r4
        _ => (2 + 2 * gap + thumb, 0x46A7), // mov pc, r4
    };
    let mut code = vec![0x467C, 0x3400 | distance, branch];
    code.extend((0..gap).map(|_| author.random.word() as u16 | 0xDE00));
    code
}

fn system(author: &mut Author<'_>) -> Vec<u16> {
    let m = low(author);
    match author.random.below(8) {
        // mrs of each register that exists
        0..=2 => {
            let special = author.random.choose(&[0, 1, 2, 3, 5, 6, 7, 8, 9, 16, 20]);
            vec![0xF3EF, 0x8000 | target(author) << 8 | special]
        }
        // lsrs r4, …, #28; lsls r4, r4, #28; msr of flags: qemu keeps the Q flag of ARMv7-M too
        3 => {
            let special = author.random.choose(&[0, 1, 2, 3, 5, 6, 7]);
            vec![0x0F04 | m << 3, 0x0724, 0xF384, 0x8800 | special]
        }
        4 => vec![0xF380 | m, 0x8810], // msr PRIMASK
        5 => vec![author.random.choose(&[0xB662, 0xB672])], // cps
        6 => vec![0xF3BF, author.random.choose(&[0x8F4F, 0x8F5F, 0x8F6F])], // barriers
        _ => vec![author.random.choose(&[0xBF00, 0xBF10, 0xBF40])], // nop, yield, sev
    }
}

/// Returns a step that ends a case early.
fn rare(author: &mut Author<'_>) -> Step {
    Step::Code(match author.random.below(6) {
        0 => vec![0xDE00 | author.random.below(256) as u16], // udf
        1 => vec![
            0xF7F0 | author.random.below(16) as u16,
            0xA000 | author.random.below(0x1000) as u16,
        ], // udf.w
        2 => vec![0xDF00 | author.random.below(256) as u16], // svc
        // Undefined encodings, and 32-bit instructions of ARMv7-M. (CBZ and CBNZ are undefined too,
        // but qemu lets its Cortex-M0 execute them.)
        3 => vec![author.random.choose(&[0xBA80, 0xB600, 0xB6E0])],
        4 => vec![author.random.choose(&[0xE840, 0xF100, 0xFB00, 0xEF00]), 0x0102],
        _ if author.wild => vec![0xDE00],
        // Unaligned, by a register that is one to three more than an address.
        _ => {
            let by = 1 + author.random.below(3) as u16;
            let transfer = author.random.choose(&[0x6820, 0x6020, 0x8820, 0x8020]);
            vec![0x4634, 0x3400 | by, transfer] // mov r4, r6; adds r4, #by; ldr r0, [r4] …
        }
    })
}
