//! Latencies of exceptions, with vectors and handlers in RAM.

use crate::answers::Answers;
use crate::code::{self, address_of};
use crate::registers::{SYSTICK_MASK, read, write};
use crate::sequence;
use crate::sequences::{Scratch, Sequence, empty};

const VTOR: u32 = 0xE000_ED08;
const ICSR: u32 = 0xE000_ED04;
const NVIC_ISER: u32 = 0xE000_E100;
const NVIC_ICER: u32 = 0xE000_E180;
const NVIC_ISPR: u32 = 0xE000_E200;
/// Interrupts that no device has.
const FIRST: u32 = 26;
const BOTH: u32 = 0b11 << FIRST;

#[repr(align(256))]
struct Vectors([u32; 48]);

/// Pends by a store of `r2` to the address, then has time for the handlers. The first read of the
/// counter is stored to the third word of the scratch memory.
const PEND: Sequence = sequence!(
    "ldr r2, [r0]\ncpsie i\nisb",
    "str r4, [r0, #8]\nstr r2, [r1]\n.rept 8\nnop\n.endr\ncpsid i"
);
const SVC: Sequence = sequence!("cpsie i\nisb", "str r4, [r0, #8]\nsvc #0\ncpsid i");
const SLEEP: Sequence = sequence!(
    "ldr r2, [r0]",
    "str r4, [r0, #8]\nstr r2, [r1]\nwfi\ncpsie i\n.rept 8\nnop\n.endr\ncpsid i"
);

pub fn ask(answers: &mut Answers) {
    let mut scratch = Scratch::new();
    let scratch = scratch.address();
    let empty = empty(scratch);
    let handlers = [code::first as code::Code, code::second].map(address_of);
    let mut vectors = Vectors([handlers[0]; 48]);
    vectors.0[16 + FIRST as usize + 1] = handlers[1];
    let before = read(VTOR);
    write(VTOR, vectors.0.as_ptr().expose_provenance() as u32);
    write(NVIC_ISER, BOTH);

    let mut ask = |sequence: Sequence, value, address, questions: [&'static str; 3]| {
        write(scratch, value);
        write(scratch + 4, 0);
        let total = sequence(scratch, address).wrapping_sub(empty);
        let [first, second, start] = [0, 4, 8].map(|offset| read(scratch + offset));
        let since = |from: u32, to: u32| from.wrapping_sub(to) & SYSTICK_MASK;
        answers.number("irq", questions[0], since(start, first));
        if !questions[1].is_empty() {
            answers.number("irq", questions[1], since(first, second));
        }
        answers.number("irq", questions[2], total & SYSTICK_MASK);
    };
    ask(
        PEND,
        1 << FIRST,
        NVIC_ISPR,
        [
            "interrupt: from the read before the store to the handler's read",
            "",
            "interrupt: all with 8 nop",
        ],
    );
    ask(
        PEND,
        BOTH,
        NVIC_ISPR,
        [
            "two interrupts: to the first handler's read",
            "two interrupts: from the first handler's read to the second's",
            "two interrupts: all with 8 nop",
        ],
    );
    ask(PEND, 1 << 28, ICSR, ["PendSV: to the handler's read", "", "PendSV: all with 8 nop"]);
    ask(SVC, 0, 0, ["SVC: to the handler's read", "", "SVC: all"]);
    ask(
        SLEEP,
        1 << FIRST,
        NVIC_ISPR,
        [
            "interrupt that wakes wfi with PRIMASK: to the handler's read",
            "",
            "interrupt that wakes wfi with PRIMASK: all with 8 nop",
        ],
    );

    write(NVIC_ICER, BOTH);
    write(VTOR, before);
}
