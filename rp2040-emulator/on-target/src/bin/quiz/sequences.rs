//! Cycles of sequences of instructions in RAM, measured by SysTick.
//!
//! A sequence begins at a multiple of four, after the load that reads the counter. The cycles of an
//! empty sequence are subtracted.

use crate::answers::Answers;
use crate::registers::SYSTICK_MASK;

/// Memory that the sequences load and store.
#[repr(align(64))]
pub struct Scratch([u32; 16]);

impl Scratch {
    pub const fn new() -> Self {
        Self([0; 16])
    }

    /// Returns the address in RAM.
    pub fn address(&mut self) -> u32 {
        self.0.as_mut_ptr().expose_provenance() as u32
    }
}

/// A measured sequence: takes the address of a [`Scratch`] and one of a register or a function, and
/// returns its cycles with those of the measurement.
pub type Sequence = fn(scratch: u32, address: u32) -> u32;

/// Defines a [`Sequence`] in RAM: instructions before the first read of the counter, and those
/// between the two reads. `r0` is the address of the scratch memory, `r1` that of the caller, `r5`
/// the counter's; `r0` to `r3`, `r12` and `lr` may change.
#[macro_export]
macro_rules! sequence {
    ($setup:expr, $timed:expr) => {{
        #[inline(never)]
        #[expect(unsafe_code, reason = "code that must not be in the flash, and its instructions")]
        #[unsafe(link_section = ".data.quiz")]
        fn timed(scratch: u32, address: u32) -> u32 {
            let (before, after): (u32, u32);
            // SAFETY: the instructions change only the registers that are listed, the scratch
            // memory and what is at the caller's address.
            unsafe {
                core::arch::asm!(
                    $setup,
                    ".p2align 2",
                    "nop",
                    "ldr r4, [r5]",
                    $timed,
                    "ldr r5, [r5]",
                    inout("r0") scratch => _,
                    inout("r1") address => _,
                    out("r2") _,
                    out("r3") _,
                    out("r4") before,
                    inout("r5") $crate::registers::SYST_CVR => after,
                    out("r12") _,
                    out("lr") _,
                );
            }
            before.wrapping_sub(after) & $crate::registers::SYSTICK_MASK
        }
        timed as $crate::sequences::Sequence
    }};
}

/// Returns the cycles of the measurement itself.
pub fn empty(scratch: u32) -> u32 {
    sequence!("", "")(scratch, 0)
}

/// Sequences without an address of their own.
const SEQUENCES: &[(&str, Sequence)] = &[
    ("nop", sequence!("", "nop")),
    ("2 nop", sequence!("", "nop\nnop")),
    ("8 nop", sequence!("", ".rept 8\nnop\n.endr")),
    ("movs r1, #1", sequence!("", "movs r1, #1")),
    ("mov r1, r12", sequence!("", "mov r1, r12")),
    ("adds r1, #1", sequence!("", "adds r1, #1")),
    ("adcs r1, r2", sequence!("", "adcs r1, r2")),
    ("add r1, sp, #4", sequence!("", "add r1, sp, #4")),
    ("rsbs r1, r1, #0", sequence!("", "rsbs r1, r1, #0")),
    ("cmp r1, r2", sequence!("", "cmp r1, r2")),
    ("muls r1, r2", sequence!("", "muls r1, r2, r1")),
    ("4 muls r1, r1", sequence!("", ".rept 4\nmuls r1, r1, r1\n.endr")),
    ("lsls r1, r1, #31", sequence!("", "lsls r1, r1, #31")),
    ("lsrs r1, r2", sequence!("movs r2, #17", "lsrs r1, r2")),
    ("rors r1, r2", sequence!("movs r2, #17", "rors r1, r2")),
    ("mvns r1, r1", sequence!("", "mvns r1, r1")),
    ("sxtb r1, r1", sequence!("", "sxtb r1, r1")),
    ("rev16 r1, r1", sequence!("", "rev16 r1, r1")),
    ("ldr r1, [r0]", sequence!("", "ldr r1, [r0]")),
    ("2 ldr r1, [r0]", sequence!("", "ldr r1, [r0]\nldr r2, [r0]")),
    ("8 ldr r1, [r0]", sequence!("", ".rept 8\nldr r1, [r0]\n.endr")),
    ("ldrb r1, [r0]", sequence!("", "ldrb r1, [r0]")),
    ("ldrsh r1, [r0, r2]", sequence!("movs r2, #2", "ldrsh r1, [r0, r2]")),
    ("ldr r1, [sp]", sequence!("", "ldr r1, [sp]")),
    ("ldr r1, [pc]", sequence!("", "ldr r1, [pc, #0]\nnop\nnop")),
    ("ldr r1, [r0]; adds r1, #1", sequence!("", "ldr r1, [r0]\nadds r1, #1")),
    ("str r1, [r0]", sequence!("", "str r1, [r0]")),
    ("2 str r1, [r0]", sequence!("", "str r1, [r0]\nstr r1, [r0]")),
    ("8 str r1, [r0]", sequence!("", ".rept 8\nstr r1, [r0]\n.endr")),
    ("strb r1, [r0]", sequence!("", "strb r1, [r0]")),
    ("str r1, [r0]; ldr r1, [r0]", sequence!("", "str r1, [r0]\nldr r1, [r0]")),
    ("4 of str and ldr", sequence!("", ".rept 4\nstr r1, [r0]\nldr r1, [r0]\n.endr")),
    ("ldm r0!, {r1}", sequence!("", "ldm r0!, {{r1}}")),
    ("ldm r0!, {r1-r2}", sequence!("", "ldm r0!, {{r1,r2}}")),
    ("ldm r0!, {r1-r3}", sequence!("", "ldm r0!, {{r1,r2,r3}}")),
    ("stm r0!, {r1-r3}", sequence!("", "stm r0!, {{r1,r2,r3}}")),
    ("push {r1}; pop {r1}", sequence!("", "push {{r1}}\npop {{r1}}")),
    ("push {r0-r3}; pop {r0-r3}", sequence!("", "push {{r0,r1,r2,r3}}\npop {{r0,r1,r2,r3}}")),
    ("b to the next instruction", sequence!("", "b 2f\n2:")),
    ("b over one instruction", sequence!("", "b 2f\nnop\n2:")),
    ("b over two instructions", sequence!("", "b 2f\nnop\nnop\n2:")),
    ("4 b to the next instruction", sequence!("", ".rept 4\nb 2f\n2:\n.endr")),
    ("bne that is not taken", sequence!("movs r1, #0", "bne 2f\n2:")),
    ("beq that is taken", sequence!("movs r1, #0", "beq 2f\n2:")),
    ("10 of subs and bne", sequence!("movs r1, #10", "2: subs r1, #1\nbne 2b")),
    ("10 of nop, subs and bne", sequence!("movs r1, #10", "2: nop\nsubs r1, #1\nbne 2b")),
    ("bl and bx lr", sequence!("", "bl 2f\nb 3f\n2: bx lr\n3:")),
    ("bl at an odd halfword", sequence!("", "nop\nbl 2f\nb 3f\n2: bx lr\n3:")),
    ("bl to a bl at an odd halfword", sequence!("", "b 2f\nnop\nnop\n2: bl 3f\n3:")),
    ("blx r1", sequence!("adr r1, 2f\nadds r1, #1\nb 3f\n.p2align 2\n2: bx lr\n3:", "blx r1")),
    ("push {lr} and pop {pc}", sequence!("", "bl 2f\nb 3f\n2: push {{lr}}\npop {{pc}}\n3:")),
    ("mov r1, pc; adds; mov pc, r1", sequence!("", "mov r1, pc\nadds r1, #2\nmov pc, r1\nnop")),
    ("mrs r1, PRIMASK", sequence!("", "mrs r1, PRIMASK")),
    ("msr PRIMASK, r1", sequence!("movs r1, #1", "msr PRIMASK, r1")),
    ("mrs r1, APSR", sequence!("", "mrs r1, APSR")),
    ("cpsid i", sequence!("", "cpsid i")),
    ("dsb", sequence!("", "dsb")),
    ("dmb", sequence!("", "dmb")),
    ("isb", sequence!("", "isb")),
    ("str r1, [r0]; dsb", sequence!("", "str r1, [r0]\ndsb")),
    ("sev", sequence!("", "sev")),
    ("sev; wfe", sequence!("", "sev\nwfe")),
    ("yield", sequence!("", "yield")),
    ("a second read of SYST_CVR", sequence!("", "ldr r1, [r5]")),
];

pub fn ask(answers: &mut Answers) {
    let mut scratch = Scratch::new();
    let scratch = scratch.address();
    let empty = empty(scratch);
    answers.number("cycles", "between two reads of SYST_CVR", empty);
    for (question, sequence) in SEQUENCES {
        let cycles = sequence(scratch, 0).wrapping_sub(empty) & SYSTICK_MASK;
        answers.number("cycles", question, cycles);
    }
}
