//! The busy programs: each as one ELF file that runs from RAM at the same addresses on an RP2040
//! and on a micro:bit, touches no device, and ends with semihosting's SYS_EXIT.

use rp2040_emulator::memory::RAM_BASE;

/// Address of the code. The micro:bit has 16 KiB of RAM, which also contain stack and data.
const CODE: u32 = RAM_BASE + 0x100;
const DATA: u32 = RAM_BASE + 0x2000;
const STACK: u32 = RAM_BASE + 0x3000;

/// A program: its name, the approximate number of instructions in a round, and the code of a round.
pub struct Program {
    pub name: &'static str,
    pub about: u32,
    round: &'static [u16],
}

pub const PROGRAMS: [Program; 4] = [
    Program { name: "tight", about: 400, round: TIGHT },
    Program { name: "branches", about: 900, round: BRANCHES },
    Program { name: "mixed", about: 1080, round: MIXED },
    Program { name: "copy", about: 260, round: COPY },
];

const TIGHT: &[u16] = &[
    0x20C8, // movs r0, #200
    0x3801, // subs r0, #1
    0xD1FD, // bne to the subs
];

/// Computes a checksum bit by bit: the direction of every second branch is unpredictable.
const BRANCHES: &[u16] = &[
    0x6838, // ldr r0, [r7]
    0x3001, // adds r0, #1
    0x25ED, // movs r5, #0xED
    0x062D, // lsls r5, r5, #24
    0x24C8, // movs r4, #200
    0x0840, // lsrs r0, r0, #1
    0xD300, // bcc over the next
    0x4068, // eors r0, r5
    0x3C01, // subs r4, #1
    0xD1FA, // bne to the lsrs
    0x6038, // str r0, [r7]
];

/// Resembles compiled code: loads, stores, arithmetic, a call with its stack, conditions.
pub const MIXED: &[u16] = &[
    0x2400, // movs r4, #0
    0x5939, // ldr r1, [r7, r4]
    0x434A, // muls r2, r1
    0x18D2, // adds r2, r2, r3
    0x0ADB, // lsrs r3, r3, #11
    0x4053, // eors r3, r2
    0x513B, // str r3, [r7, r4]
    0x3404, // adds r4, #4
    0xB2E4, // uxtb r4, r4
    0xF000, 0xF803, // bl to the function
    0x2C00, // cmp r4, #0
    0xD1F3, // bne to the ldr
    0xE005, // b over the function
    0xB510, // push {r4, lr}
    0x5D39, // ldrb r1, [r7, r4]
    0x2980, // cmp r1, #128
    0xD900, // bls over the next
    0x3201, // adds r2, #1
    0xBD10, // pop {r4, pc}
];

/// Copies a kilobyte, four words at a time, as a fast memcpy does.
const COPY: &[u16] = &[
    0x463E, // mov r6, r7
    0x463D, // mov r5, r7
    0x2440, // movs r4, #64
    0xCD0F, // ldm r5!, {r0-r3}
    0xC60F, // stm r6!, {r0-r3}
    0x3C01, // subs r4, #1
    0xD1FB, // bne to the ldm
];

/// Sets the stack pointer, R7 to the data and R8 to the number of rounds, from the three words that
/// follow.
const PROLOGUE: [u16; 8] = [0x4803, 0x4685, 0x4F03, 0x4804, 0x4680, 0xE007, 0xBF00, 0xBF00];

/// Counts R8 down. A `b` to the first round follows, and then SYS_EXIT with success.
const COUNT_DOWN: [u16; 4] = [0x4640, 0x3801, 0x4680, 0xD000];
const EXIT: [u16; 5] = [0x2018, 0x2102, 0x0409, 0x3126, 0xBEAB];

impl Program {
    /// Returns the program as an ELF file that runs `rounds` rounds.
    pub fn elf(&self, rounds: u32) -> Vec<u8> {
        let mut code = PROLOGUE.to_vec();
        for word in [STACK, DATA, rounds] {
            code.extend([word as u16, (word >> 16) as u16]);
        }
        let start = code.len();
        code.extend(self.round);
        code.extend(COUNT_DOWN);
        let back = start as i32 - (code.len() as i32 + 2);
        code.push(0xE000 | (back & 0x7FF) as u16);
        code.extend(EXIT);
        elf(&code.iter().flat_map(|halfword| halfword.to_le_bytes()).collect::<Vec<u8>>())
    }
}

/// Builds an ELF file with one segment at [`CODE`], which is the entry. The headers are those of
/// the sections "ELF header" and "program header" of the ELF specification, 52 and 32 bytes.
pub fn elf(code: &[u8]) -> Vec<u8> {
    const HEADERS: u32 = 52 + 32;
    let mut file = b"\x7FELF\x01\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    file.extend([2, 0, 40, 0]); // an executable for ARM
    for word in [1, CODE | 1, 52, 0, 0x0500_0000] {
        file.extend(u32::to_le_bytes(word));
    }
    for half in [52u16, 32, 1, 40, 0, 0] {
        file.extend(half.to_le_bytes());
    }
    let size = code.len() as u32;
    for word in [1, HEADERS, CODE, CODE, size, size, 7, 4] {
        file.extend(u32::to_le_bytes(word));
    }
    file.extend(code);
    file
}
