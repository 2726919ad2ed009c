//! A real GDB with a program in the flash, which `load` writes: as it is typed, and as editors do it.

use std::fs;

use tempfile::TempDir;

use super::cargo::on_target;
use super::gdb::{gdb_at, in_order};

/// A folder with a program on rp2040-hal.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(on_target("uart"), folder.path().join("program.elf")).unwrap();
    folder
}

/// The server listens at a port alone, as in `--gdb :3333`.
#[test]
fn a_program_that_is_loaded_into_the_flash_reaches_main() {
    let folder = folder();
    let commands = ["load", "break main", "continue", "info symbol $pc", "monitor report"];
    let text = gdb_at(folder.path(), ":0", "target remote", &commands);
    let printed =
        ["Loading section .boot2", "Breakpoint 1 at 0x1000", "Breakpoint 1, ", "main", "no fault"];
    in_order(&text, &printed);
}

/// What cortex-debug sends to an external server: a reset, the download, a reset, and after the launch the threads, their
/// stacks and registers, and what its view of registers reads; then the user's restart.
#[test]
fn an_editor_launches_restarts_and_looks_at_registers() {
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
