//! Tests how programs of `nudge emulate` end, and that their last output is complete.

use super::program::OTHER;
use super::{CLOCKS, Ends, RAM, check, folder, has};

const UART0_DR: u32 = 0x4003_4000;

#[test]
fn the_exit_code_of_the_program_is_that_of_the_command() {
    for status in [0, 7, 256] {
        let folder = folder(Ends::Exits(status), &[]);
        let code = if status > 255 { 1 } else { i32::from(status) };
        let (_, err) = check(folder.path(), "program.elf", code);
        has(&err, &[&format!("the program asked to end with code {code}")]);
    }
}

/// Programs of the Pico SDK end at a BKPT in `_exit`, with the exit code in R0.
#[test]
fn the_sdk_exit_code_is_that_of_the_command() {
    for code in [0, 1, 7] {
        let folder = folder(Ends::SdkExits(code), &[]);
        let (_, err) = check(folder.path(), "program.elf", code.into());
        has(&err, &[&format!("the program asked to end with code {code}"), "BKPT #0 at", "_exit"]);
    }
    // A BKPT in any other function is not a request to end.
    let folder = folder(Ends::Breakpoint, &[]);
    let (_, err) = check(folder.path(), "program.elf", 1);
    assert!(!err.contains("asked to end"), "{err}");
}

/// Returns a UF2 file of bytes for the RAM, in blocks of 256 bytes.
fn uf2(code: &[u8]) -> Vec<u8> {
    let blocks = code.len().div_ceil(256);
    let block = |(number, part): (usize, &[u8])| {
        let (address, number) = (RAM + 256 * number as u32, number as u32);
        let head =
            [0x0A32_4655, 0x9E5D_5157, 0x2000, address, 256, number, blocks as u32, 0xE48B_FF56];
        let mut block = head.map(u32::to_le_bytes).concat();
        block.extend(part);
        block.resize(508, 0);
        block.extend(0x0AB1_6F30_u32.to_le_bytes());
        block
    };
    code.chunks(256).enumerate().flat_map(block).collect()
}

/// The header of the SDK's binary information, at an address that the program does not use.
const BINARY_INFO: [(u32, u32); 2] = [(RAM + 0x80, 0x7188_EBF2), (RAM + 0x90, 0xE71A_A390)];

#[test]
fn the_sdk_exit_code_does_not_depend_on_the_format_of_the_file() {
    for code in [0, 1, 7] {
        let writes: Vec<_> = CLOCKS.iter().chain(&BINARY_INFO).copied().collect();
        let folder = folder(Ends::SdkExits(code), &BINARY_INFO);
        let program = uf2(&super::code(Ends::SdkExits(code), &writes));
        std::fs::write(folder.path().join("program.uf2"), program).unwrap();
        for program in ["program.elf", "program.uf2"] {
            let (_, err) = check(folder.path(), program, code.into());
            has(&err, &[&format!("the program asked to end with code {code}")]);
        }
    }
    // Programs that are not of the SDK stop so for other reasons, too.
    let folder = folder(Ends::Sleeps, &[]);
    let program = uf2(&super::code(Ends::SdkExits(0), CLOCKS));
    std::fs::write(folder.path().join("program.uf2"), program).unwrap();
    let (_, err) = check(folder.path(), "program.uf2", 1);
    has(&err, &["it may have panicked"]);
}

/// Returns writes that launch core 1 at `entry`.
fn launch(entry: u32) -> Vec<(u32, u32)> {
    const FIFO_WR: u32 = 0xD000_0054;
    [0, 0, 1, RAM, 0x2003_0000, entry | 1].map(|word| (FIFO_WR, word)).to_vec()
}

#[test]
fn core_0_may_return_while_core_1_is_active() {
    let folder_with = |code, entry| {
        // `SLEEPER` is a WFI in a loop.
        let writes = [vec![(SLEEPER, 0xE7FD_BF30)], launch(entry)].concat();
        folder(Ends::SdkExits(code), &writes)
    };
    const SLEEPER: u32 = 0x2000_3000;
    let spinning = folder_with(0, OTHER);
    let (_, err) = check(spinning.path(), "program.elf --until 50ms", 0);
    has(&err, &["its time is over", "virtual time  50."]);
    let (_, err) = check(spinning.path(), "program.elf --until 50ms --profile", 0);
    has(&err, &["its time is over"]);
    let (_, err) = check(folder_with(7, OTHER).path(), "program.elf --until 50ms", 7);
    has(&err, &["the program asked to end with code 7"]);
    let (_, err) = check(folder_with(0, SLEEPER).path(), "program.elf --until 50ms", 0);
    has(&err, &["the program asked to end with code 0"]);
}

#[test]
fn bytes_left_in_the_uart_at_the_end_are_written() {
    let text: Vec<_> = b"the last words".iter().map(|byte| (UART0_DR, u32::from(*byte))).collect();
    let folder = folder(Ends::Breakpoint, &text);
    let (out, _) = check(folder.path(), "program.elf", 1);
    assert_eq!(out, "the last words");
}

#[test]
fn the_handler_of_a_fault_prints_its_whole_message() {
    const HANDLER: u32 = 0x2000_3000;
    // The handler prints the letter x sixty times, as fast as the UART accepts it, and then loops.
    let handler: [u32; 6] =
        [0x223C_4804, 0x6983_2178, 0xD4FC_069B, 0x3A01_6001, 0xE7FE_D1F9, 0x4003_4000];
    let mut writes = vec![(0xE000_ED08, 0x2000_2000), (0x2000_200C, HANDLER | 1)];
    writes.extend((HANDLER..).step_by(4).zip(handler));
    let folder = folder(Ends::JumpsNowhere, &writes);
    let (out, err) = check(folder.path(), "program.elf", 1);
    assert_eq!(out, "x".repeat(60));
    has(&err, &["HardFault on core 0"]);
}

/// Handler of HardFault that continues at the exit with code 0; the program has jumped to nowhere.
const RECOVERS: [u32; 5] = [0x9006_4802, 0x9007_4802, 0xBF00_4770, 0x2000_0058, 0x0100_0000];
/// Handler that loops.
const HANGS: [u32; 1] = [0xE7FE_E7FE];

/// Returns a folder with a program that faults, with this handler.
fn faulting(handler: &[u32]) -> tempfile::TempDir {
    const HANDLER: u32 = 0x2000_3000;
    let mut writes = vec![(0xE000_ED08, 0x2000_2000), (0x2000_200C, HANDLER | 1)];
    writes.extend((HANDLER..).step_by(4).zip(handler.iter().copied()));
    folder(Ends::JumpsNowhere, &writes)
}

#[test]
fn a_fault_whose_handler_returns_is_a_note() {
    let folder = faulting(&RECOVERS);
    for option in ["", " --on-fault judge", " --on-fault continue"] {
        let (_, err) = check(folder.path(), &format!("program.elf{option}"), 0);
        has(&err, &["HardFault on core 0 at 0x00000000, cycle ", "; its handler returned"]);
    }
    let (_, err) = check(folder.path(), "program.elf --on-fault stop", 1);
    has(&err, &["nudge: HardFault on core 0 at 0x00000000"]);
}

#[test]
fn a_fault_that_hangs_ends_the_run_unless_it_is_to_continue() {
    let folder = faulting(&HANGS);
    check(folder.path(), "program.elf", 1);
    let (_, err) = check(folder.path(), "program.elf --on-fault continue --until 50ms", 0);
    has(&err, &["its time is over", "a HardFault on core 0 at 0x00000000"]);
}

#[test]
fn a_missing_expected_text_changes_the_exit_code() {
    let hi = [(UART0_DR, b'H'.into()), (UART0_DR, b'i'.into())];
    let folder = folder(Ends::Sleeps, &hi);
    let path = folder.path();
    check(path, "program.elf --until 5ms --expect Hi --expect i", 0);
    let (_, err) = check(path, "program.elf --until 5ms --expect Hi --expect Ho", 1);
    has(&err, &["the output never had \"Ho\""]);
    let (out, err) = check(path, "program.elf --until-text H", 0);
    has(&err, &["its output has the text", "virtual time  1."]);
    assert!(out.starts_with('H'), "{out}");
    check(path, "program.elf --until 5ms --until-text Ho", 1);
}

#[test]
fn a_register_polled_without_success_is_only_reported() {
    let folder = folder(Ends::Echoes, &[]);
    let (_, err) = check(folder.path(), "program.elf --until 1500ms", 0);
    has(&err, &["core 0 polled UART0.UARTFR (0x40034018), which stayed 0x90 for 1.5 s, at"]);
}

#[test]
fn a_system_clock_without_a_source_ends_the_run() {
    // Switches off PLL_SYS while it drives the system clock: SRC of CLK_SYS_CTRL is 1, then PWR.
    let folder = folder(Ends::Spins, &[(0x4000_803C, 1), (0x4002_8004, 0x2D)]);
    let (_, err) = check(folder.path(), "program.elf", 1);
    has(&err, &["the source of the system clock was switched off"]);
}

#[test]
fn the_flash_has_the_requested_size() {
    let folder = folder(Ends::Breakpoint, &[]);
    std::fs::write(folder.path().join("large.bin"), vec![0; 3 << 20]).unwrap();
    let (_, err) = check(folder.path(), "large.bin", 2);
    has(&err, &["this flash of 2097152 bytes"]);
    let (_, err) = check(folder.path(), "large.bin --flash-size 4M", 2);
    has(&err, &["no second-stage boot loader"]);
    let (_, err) = check(folder.path(), "large.bin --flash-size 3X", 2);
    has(&err, &["`3X` is no size of a flash"]);
}
