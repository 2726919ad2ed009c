//! The program around the random cases: it prepares registers, flags and memory, jumps into a case,
//! and when an exception ends the case, records the resulting state.
//!
//! Every case ends with an exception: SVC at the latest, a fault before. So stacking, vectors, and
//! the return from exceptions are part of each comparison.

use crate::assembler::Assembler;
use crate::machines::FILE;

/// Initial state of a case, before its first instruction.
#[derive(Clone, Debug)]
pub struct Preload {
    pub apsr: u32,
    /// Whether the case runs on the process stack.
    pub process_stack: bool,
    /// R0 to R12, then the link register.
    pub registers: [u32; 14],
    pub memory_seed: u32,
}

#[derive(Clone, Debug)]
pub struct Case {
    pub preload: Preload,
    pub code: Vec<u16>,
}

/// Address of the memory that cases read and write; the harness dumps all of it.
pub const SCRATCH: u32 = 0x2000_1000;
pub const SCRATCH_WORDS: u32 = 128;
const MAIN_STACK: u32 = SCRATCH + 0x1C0;
const PROCESS_STACK: u32 = SCRATCH + 0x180;

/// Names of the words of a dump before the scratch memory.
pub const FIELDS: [&str; 21] = [
    "exception",
    "frame",
    "EXC_RETURN",
    "PRIMASK",
    "CONTROL",
    "r4",
    "r5",
    "r6",
    "r7",
    "r8",
    "r9",
    "r10",
    "r11",
    "r0",
    "r1",
    "r2",
    "r3",
    "r12",
    "lr",
    "pc",
    "xPSR",
];
const DUMP: u32 = SCRATCH - 4 * FIELDS.len() as u32;
pub const DUMP_SIZE: usize = 4 * (FIELDS.len() + SCRATCH_WORDS as usize);

/// Addresses of the harness's variables: the next record, and the arguments of semihosting's write.
const NEXT: u32 = 0x2000_0000;
const WRITE: u32 = 0x2000_0010;
/// Stack of the harness between two cases.
const HANDLER_STACK: u32 = 0x2000_0800;

const CODE: u32 = 0x100;
const RECORDS: u32 = 0x400;
/// Number of words of a record before the code.
const RECORD_WORDS: u32 = 19;

/// Returns the address of a case's code, given that of its record.
pub fn code_address(record: u32) -> u32 {
    record + 4 * RECORD_WORDS
}

/// Returns the image for both machines, and the address of each case's record.
pub fn image(cases: &[Case]) -> (Vec<u8>, Vec<u32>) {
    let (code, entries) = program();
    let mut words = vec![HANDLER_STACK, entries["start"] | 1];
    words.resize(48, entries["handler"] | 1);
    words.resize(CODE as usize / 4, 0);
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.extend(code.iter().flat_map(|halfword| halfword.to_le_bytes()));
    assert!(bytes.len() <= RECORDS as usize, "the harness has {} bytes", bytes.len());
    bytes.resize(RECORDS as usize, 0);
    let mut records = vec![];
    for case in cases {
        records.push(bytes.len() as u32);
        bytes.extend(record(case, bytes.len() as u32));
    }
    // A length of zero ends the list; the bytes after it keep literals of the last case within the
    // flash.
    bytes.resize(bytes.len() + 1024, 0);
    (bytes, records)
}

fn record(case: &Case, address: u32) -> Vec<u8> {
    let Preload { apsr, process_stack, registers, memory_seed } = &case.preload;
    let code_words = case.code.len().div_ceil(2) as u32;
    let mut words =
        vec![4 * (RECORD_WORDS + code_words), *apsr, u32::from(*process_stack) << 1, *memory_seed];
    words.extend(&registers[8..14]);
    words.extend(&registers[..8]);
    words.push(code_address(address) | 1);
    assert_eq!(words.len() as u32, RECORD_WORDS);
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.extend(case.code.iter().flat_map(|halfword| halfword.to_le_bytes()));
    bytes.resize((4 * (RECORD_WORDS + code_words)) as usize, 0);
    bytes
}

/// Returns the harness: `start` opens the file, `next` prepares the case at NEXT, `handler` dumps
/// its result.
fn program() -> (Vec<u16>, std::collections::HashMap<&'static str, u32>) {
    let mut a = Assembler::new(CODE);
    a.label("start");
    a.load(0, NEXT);
    a.load(1, RECORDS);
    a.code(&[0x6001]); // str r1, [r0]
    open(&mut a, WRITE, DUMP, DUMP_SIZE as u32);

    a.label("next");
    a.code(&[0x2000, 0xF380, 0x8814]); // movs r0, #0; msr CONTROL, r0
    a.load(7, NEXT);
    a.code(&[0x683F]); // ldr r7, [r7]
    // Random memory, from a linear congruential generator.
    a.code(&[0x68F8]); // ldr r0, [r7, #12]
    a.load(1, 1_664_525);
    a.load(2, 1_013_904_223);
    a.load(3, SCRATCH);
    a.load(4, SCRATCH + 4 * SCRATCH_WORDS);
    a.label("fill");
    a.code(&[0x4348, 0x1880, 0xC301, 0x42A3]); // muls r0, r1; adds r0, r2; stm r3!, {r0}; cmp
    a.branch(0xD100, "fill"); // bne
    // The stacks; the one in use begins with R0 to R7 and the address of the code.
    a.load(0, PROCESS_STACK);
    a.code(&[0xF380, 0x8809]); // msr PSP, r0
    a.load(0, MAIN_STACK);
    a.code(&[0xF380, 0x8808]); // msr MSP, r0
    a.code(&[0x68B8, 0xF380, 0x8814, 0xF3BF, 0x8F6F]); // ldr r0, [r7, #8]; msr CONTROL, r0; isb
    a.code(&[0xB089, 0x466E]); // sub sp, #36; mov r6, sp
    a.code(&[0x463D, 0x3528]); // mov r5, r7; adds r5, #40
    a.code(&[0xCD0F, 0xC60F, 0xCD0F, 0xC60F, 0xCD01, 0xC601]); // ldm r5!, …; stm r6!, …
    a.code(&[0x463D, 0x3510]); // mov r5, r7; adds r5, #16
    a.code(&[0xCD0F, 0x4680, 0x4689, 0x4692, 0x469B]); // ldm r5!, {r0-r3}; mov r8…r11, r0…r3
    a.code(&[0xCD03, 0x4684, 0x468E]); // ldm r5!, {r0, r1}; mov r12, r0; mov lr, r1
    a.code(&[0x6878, 0xF380, 0x8800]); // ldr r0, [r7, #4]; msr APSR, r0
    a.code(&[0xBDFF]); // pop {r0-r7, pc}

    a.label("handler");
    a.code(&[0x4670, 0x0740]); // mov r0, lr; lsls r0, #29
    a.branch(0xD400, "process"); // bmi
    a.code(&[0xF3EF, 0x8008]); // mrs r0, MSP
    a.branch(0xE000, "dump");
    a.label("process");
    a.code(&[0xF3EF, 0x8009]); // mrs r0, PSP
    a.label("dump");
    a.load(1, DUMP);
    a.code(&[0xF3EF, 0x8205, 0x600A]); // mrs r2, IPSR; str r2, [r1]
    a.code(&[0x6048, 0x3108]); // str r0, [r1, #4]; adds r1, #8
    a.code(&[0x4672, 0xC104]); // mov r2, lr; stm r1!, {r2}
    a.code(&[0xF3EF, 0x8210, 0xC104]); // mrs r2, PRIMASK
    a.code(&[0xF3EF, 0x8214, 0xC104]); // mrs r2, CONTROL
    a.code(&[0xC1F0]); // stm r1!, {r4-r7}
    a.code(&[0x4644, 0x464D, 0x4656, 0x465F, 0xC1F0]); // mov r4…r7, r8…r11; stm r1!, {r4-r7}
    a.code(&[0xC8FC, 0xC1FC, 0xC80C, 0xC10C]); // ldm r0!, …; stm r1!, …: the frame
    a.code(&[0xB662]); // cpsie i
    a.code(&[0x2005]); // movs r0, #5: SYS_WRITE
    a.load(1, WRITE);
    a.code(&[0xBEAB]);
    a.load(0, NEXT);
    a.code(&[0x6801, 0x680A, 0x1889, 0x6001]); // ldr r1, [r0]; ldr r2, [r1]; adds; str r1, [r0]
    a.code(&[0x680A, 0x2A00]); // ldr r2, [r1]; cmp r2, #0
    a.branch(0xD100, "return"); // bne
    exit(&mut a);
    a.label("return");
    a.load(0, HANDLER_STACK - 32);
    a.code(&[0xF380, 0x8808]); // msr MSP, r0
    let next = a.address("next");
    a.load(1, next);
    a.code(&[0x6181]); // str r1, [r0, #24]
    a.load(1, 1 << 24);
    a.code(&[0x61C1]); // str r1, [r0, #28]
    a.code(&[0x2006, 0x43C0, 0x4700]); // movs r0, #6; mvns r0, r0; bx r0: 0xFFFFFFF9
    a.finish()
}

/// Opens the file and stores its handle at `write`, followed by the buffer and size to write each
/// time.
pub fn open(a: &mut Assembler, write: u32, buffer: u32, size: u32) {
    let name = u32::from_le_bytes(FILE.as_bytes().try_into().expect("a name of four letters"));
    a.load(1, write);
    a.load(0, name);
    a.code(&[0x6208, 0x2000, 0x6248]); // str r0, [r1, #32]; movs r0, #0; str r0, [r1, #36]
    a.load(0, write + 32);
    a.code(&[0x6008, 0x2005, 0x6048, 0x2004, 0x6088]); // {name, 5: "wb", 4 letters}
    a.code(&[0x2001, 0xBEAB]); // SYS_OPEN
    a.load(1, write);
    a.code(&[0x6008]); // str r0, [r1]
    a.load(0, buffer);
    a.code(&[0x6048]); // str r0, [r1, #4]
    a.load(0, size);
    a.code(&[0x6088]); // str r0, [r1, #8]
}

pub fn exit(a: &mut Assembler) {
    a.load(1, 0x20026); // the application has ended
    a.code(&[0x2018, 0xBEAB]); // SYS_EXIT
}
