//! Tests a real GDB with a program that `load` writes into the flash, with typed commands and with
//! those of editors.

use std::fs;

use tempfile::TempDir;

use super::cargo::on_target;
use super::gdb::{gdb_at, in_order};

/// Creates a folder with a program based on rp2040-hal.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(on_target("uart"), folder.path().join("program.elf")).unwrap();
    folder
}

/// The server's address is a port alone, as in `--gdb :3333`.
#[test]
fn a_program_that_is_loaded_into_the_flash_reaches_main() {
    let folder = folder();
    let commands = ["load", "break main", "continue", "info symbol $pc", "monitor report"];
    let text = gdb_at(folder.path(), ":0", "target remote", &commands);
    let printed =
        ["Loading section .boot2", "Breakpoint 1 at 0x1000", "Breakpoint 1, ", "main", "no fault"];
    in_order(&text, &printed);
}

/// The Pico SDK's `_entry_point`, the entry of its ELF files: it sets VTOR to the vectors of the
/// ROM, reads stack and entry from them, and so reaches `main` through the ROM and the second
/// stage.
const ENTRY_POINT: [u32; 5] = [
    0x4903_2000, // movs r0, #0; ldr r1, =VTOR
    0xC806_6008, // str r0, [r1]; ldm r0!, {r1, r2}
    0x8808_F381, // msr MSP, r1
    0x0000_4710, // bx r2
    0xE000_ED08,
];

#[test]
fn a_flash_program_started_through_the_rom_vectors_reaches_main() {
    let folder = folder();
    let code = (0x2000_0000..).step_by(4).zip(ENTRY_POINT);
    let code: Vec<_> =
        code.map(|(at, word)| format!("set var *(unsigned *){at:#x} = {word:#x}")).collect();
    let mut commands = vec!["load"];
    commands.extend(code.iter().map(String::as_str));
    commands.extend([
        "set $pc = 0x20000000",
        "break main",
        "stepi 6",
        "print $pc < 0x4000",
        "x/xw 0xe000ed08",
        "continue",
        "info symbol $pc",
        "x/xw 0xe000ed08",
        "monitor report",
    ]);
    let text = gdb_at(folder.path(), ":0", "target remote", &commands);
    let printed = [
        "Loading section .boot2",
        "Breakpoint 1 at 0x1000",
        "$1 = 1\n",
        "0xe000ed08:\t0x00000000\n",
        "Breakpoint 1, ",
        "main",
        "0xe000ed08:\t0x10000100\n",
        "no fault",
    ];
    in_order(&text, &printed);
}

/// The commands of cortex-debug to an external server: a reset, the download, a reset, then queries
/// of the threads, their stacks and registers, and of its register view; then the user's restart.
#[test]
fn an_editor_launches_restarts_and_reads_registers() {
    let folder = folder();
    let commands = [
        "interpreter-exec console \"monitor reset halt\"",
        "interpreter-exec mi \"-target-download\"",
        "interpreter-exec console \"monitor reset halt\"",
        "interpreter-exec mi \"-enable-pretty-printing\"",
        "break main",
        "continue",
        "interpreter-exec mi \"-thread-info\"",
        "interpreter-exec mi \"-stack-list-frames\"",
        "interpreter-exec mi \"-data-list-register-values x 15\"",
        // RESETS.RESET_DONE, CLOCKS.CLK_SYS_SELECTED, TIMER and SIO as words of a peripheral.
        "interpreter-exec mi \"-data-read-memory-bytes 0x4000c008 4\"",
        "interpreter-exec mi \"-data-read-memory-bytes 0x40008044 4\"",
        "interpreter-exec mi \"-data-read-memory-bytes 0x40054000 64\"",
        "interpreter-exec mi \"-data-read-memory-bytes 0xd0000000 256\"",
        "interpreter-exec console \"monitor reset halt\"",
        "continue",
        "monitor report",
    ];
    let text = gdb_at(folder.path(), ":0", "target extended-remote", &commands);
    let printed = [
        "transfer-rate=",
        "Breakpoint 1, ",
        "threads=[",
        "core 0",
        "stack=[frame=",
        "register-values=[",
        "memory=[",
        "memory=[",
        "memory=[",
        "memory=[",
        "Breakpoint 1, ",
        "no fault",
    ];
    in_order(&text, &printed);
    assert!(!text.contains("rror"), "{text}");
}
