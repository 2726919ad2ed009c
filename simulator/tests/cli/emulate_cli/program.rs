//! The program that the tests run. It sets devices from a table, calls `work` three times, which
//! calls `leaf`, and ends as [`Ends`] says. `other` is the endless program of core 1. `echo`
//! answers each byte that UART 0 receives with the next one of the alphabet.

/// Address of the program.
pub const RAM: u32 = 0x2000_0000;
/// Address of the counter that `leaf` increments.
pub const COUNTER: u32 = 0x2000_1000;
pub const WORK: u32 = RAM + 0x20;
pub const LEAF: u32 = RAM + 0x30;
/// Entry of core 1's program.
pub const OTHER: u32 = RAM + 0x40;
/// Address in `echo` at which R0 holds the received byte.
pub const RECEIVED: u32 = RAM + 0x4E;
const TABLE: u32 = 0x100;
pub const STACK: u32 = 0x2004_2000;

const CODE: &[u16] = &[
    0x4C06, // main: ldr r4, =table
    0xCC06, // ldm r4!, {r1, r2}
    0x2900, // cmp r1, #0
    0xD001, // beq after the store
    0x600A, // str r2, [r1]
    0xE7FA, // b to the ldm
    0x2503, // movs r5, #3
    0xF000, 0xF807, // bl work
    0x3D01, // subs r5, #1
    0xD1FB, // bne to the bl
    0xBE00, // end: bkpt #0
    0xE7FD, // b end
    0x46C0, // nop
    0x0100, 0x2000, // the table's address
    0xB510, // work: push {r4, lr}
    0xB090, // sub sp, #64
    0x2001, // movs r0, #1
    0x9000, // str r0, [sp]
    0xF000, 0xF802, // bl leaf
    0xB010, // add sp, #64
    0xBD10, // pop {r4, pc}
    0x4902, // leaf: ldr r1, =counter
    0x6808, // ldr r0, [r1]
    0x3001, // adds r0, #1
    0x6008, // str r0, [r1]
    0x4770, // bx lr
    0x46C0, // nop
    0x1000, 0x2000, // the counter's address
    0x3601, // other: adds r6, #1
    0xE7FD, // b other
    0x4C03, // echo: ldr r4, =UART0
    0x69A0, // ldr r0, [r4, #0x18], the flags
    0x06C0, // lsls r0, r0, #27: is the FIFO empty?
    0xD4FC, // bmi to the ldr of the flags
    0x6820, // ldr r0, [r4]
    0x3001, // adds r0, #1
    0x6020, // str r0, [r4]
    0xE7F8, // b to the ldr of the flags
    0x4000, 0x4003, // UART0
    0x2020, // quit: movs r0, #0x20, SYS_EXIT_EXTENDED
    0x4901, // ldr r1, =block
    0xBEAB, // bkpt #0xAB
    0xE7FE, // b .
    0x0064, 0x2000, // the block's address
    0x0026, 0x0002, 0, 0,      // the block: the reason, the code
    0x2000, // _exit: movs r0, #code
    0xBE00, // bkpt #0
    0xE7FD, // b to the bkpt
];
const END: usize = 11;
const EXIT_CODE: usize = 52;
const SDK_EXIT: usize = 54;

/// The end of the program.
#[derive(Clone, Copy)]
pub enum Ends {
    Breakpoint,
    Sleeps,
    Spins,
    /// Answers each byte that UART 0 receives.
    Echoes,
    /// Requests to end with this code, by semihosting.
    Exits(u16),
    /// Ends with this code in `_exit`, as programs of the Pico SDK do.
    SdkExits(u8),
    /// Branches to address 2, where there is no code.
    JumpsNowhere,
}

/// Writes that set XOSC, PLL and clocks as every program does, pin 25 as an output, and UART 0 at
/// 115,200 baud.
pub const CLOCKS: &[(u32, u32)] = &[
    (0x4000_F000, 0x01FF_FFFF),
    (0x4002_4000, 0xFAB_AA0),
    (0x4002_8008, 125),
    (0x4002_8004, 0),
    (0x4002_800C, 6 << 16 | 2 << 12),
    (0x4000_8030, 2),
    (0x4000_803C, 1),
    (0x4000_8048, 1 << 11),
    (0x4005_802C, 1 << 9 | 12),
    (0x4003_4024, 67),
    (0x4003_4028, 52),
    (0x4003_402C, 0x70),
    (0x4003_4030, 0x301),
    (0x4001_40CC, 5),
    (0xD000_0024, 1 << 25),
];

/// Returns the program as bytes for [`RAM`].
pub fn code(ends: Ends, writes: &[(u32, u32)]) -> Vec<u8> {
    let mut code = CODE.to_vec();
    match ends {
        Ends::Breakpoint => {}
        Ends::Sleeps => code[END] = 0xBF30, // wfi
        Ends::Spins => code[END] = 0xE7FE,  // b .
        Ends::Echoes => code[END] = 0xE015, // b echo
        Ends::Exits(status) => {
            code[END] = 0xE01F; // b quit
            code[EXIT_CODE] = status;
        }
        Ends::SdkExits(status) => {
            code[END] = 0xE000 | (SDK_EXIT - END - 2) as u16; // b _exit
            code[SDK_EXIT] |= u16::from(status);
        }
        Ends::JumpsNowhere => code[END] = 0x4728, // bx r5, which is 0 by then
    }
    let mut bytes: Vec<u8> = code.iter().flat_map(|halfword| halfword.to_le_bytes()).collect();
    bytes.resize(TABLE as usize, 0);
    for (address, value) in writes.iter().chain(&[(0, 0)]) {
        bytes.extend(address.to_le_bytes());
        bytes.extend(value.to_le_bytes());
    }
    bytes
}

/// Returns the program as an ELF file for `machine` (40 is ARM), with its symbols.
pub fn elf(code: &[u8], machine: u16) -> Vec<u8> {
    let symbols: &[(&str, u32, u32, u8)] = &[
        ("main", RAM | 1, 0x1C, 2),
        ("work", WORK | 1, 0x10, 2),
        ("leaf", LEAF | 1, 0x0C, 2),
        ("other", OTHER | 1, 0x04, 2),
        ("echo", (OTHER + 4) | 1, 0x14, 2),
        ("_exit", (RAM + 2 * SDK_EXIT as u32) | 1, 0x06, 2),
        ("_stack_start", STACK, 0, 0),
        ("_stack_end", STACK - 0x4_0000, 0, 0),
    ];
    let mut names = vec![0];
    let mut table = vec![0; 16];
    for (name, value, size, kind) in symbols {
        table.extend((names.len() as u32).to_le_bytes());
        table.extend(value.to_le_bytes());
        table.extend(size.to_le_bytes());
        table.extend([0x10 | kind, 0, 1, 0]); // global, in section 1
        names.extend(name.as_bytes());
        names.push(0);
    }
    let sections = b"\0.text\0.symtab\0.strtab\0.shstrtab\0";
    let at = 84u32;
    let table_at = at + code.len() as u32;
    let names_at = table_at + table.len() as u32;
    let sections_at = names_at + names.len() as u32;
    let headers_at = (sections_at + sections.len() as u32).next_multiple_of(4);

    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut file = vec![0x7F, b'E', b'L', b'F', 1, 1, 1];
    file.resize(16, 0);
    file.extend([2, 0]);
    file.extend(machine.to_le_bytes());
    file.extend::<Vec<u8>>(words(&[1, RAM | 1, 52, headers_at, 0x0500_0000]));
    for half in [52u16, 32, 1, 40, 5, 4] {
        file.extend(half.to_le_bytes());
    }
    let size = code.len() as u32;
    file.extend::<Vec<u8>>(words(&[1, at, RAM, RAM, size, size, 7, 4]));
    file.extend(code);
    file.extend(&table);
    file.extend(&names);
    file.extend(sections);
    file.resize(headers_at as usize, 0);
    let lengths = [table.len() as u32, names.len() as u32, sections.len() as u32];
    for header in [
        [0; 10],
        [1, 1, 7, RAM, at, size, 0, 0, 4, 0],
        [7, 2, 0, 0, table_at, lengths[0], 3, 1, 4, 16],
        [15, 3, 0, 0, names_at, lengths[1], 0, 0, 1, 0],
        [23, 3, 0, 0, sections_at, lengths[2], 0, 0, 1, 0],
    ] {
        file.extend::<Vec<u8>>(words(&header));
    }
    file
}
