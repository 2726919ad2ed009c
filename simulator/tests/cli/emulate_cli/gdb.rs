//! Tests `nudge emulate --gdb` with a real GDB: the feature `gdb-test`. Debian: `apt-get install
//! gdb-multiarch`.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::program::{Ends, OTHER, RAM, STACK};

const GDB: &str = "gdb-multiarch";

/// The sequence that the ROM expects on core 1 (datasheet section 2.8.2), through the FIFO of the
/// SIO: vector table, stack and entry.
const LAUNCH: &[(u32, u32)] = &[
    (0xD000_0054, 0),
    (0xD000_0054, 0),
    (0xD000_0054, 1),
    (0xD000_0054, RAM),
    (0xD000_0054, STACK - 0x800),
    (0xD000_0054, OTHER | 1),
];

/// A running `nudge emulate --gdb`; it ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns GDB's output for these commands with the program in `folder`.
#[track_caller]
fn gdb(folder: &Path, commands: &[&str]) -> String {
    gdb_at(folder, "127.0.0.1:0", "target remote", commands)
}

/// Returns GDB's output for these commands with a server at the address `listen`, with `connect` as
/// GDB's command to connect.
#[track_caller]
pub fn gdb_at(folder: &Path, listen: &str, connect: &str, commands: &[&str]) -> String {
    let mut nudge = crate::command::nudge()
        .args(["emulate", "program.elf", "--gdb", listen])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(nudge.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let _server = Server(nudge);
    let address = line.trim().rsplit(' ').next().unwrap();
    let mut gdb = Command::new(GDB);
    gdb.args(["-nx", "-batch", "program.elf", "-ex"]).arg(format!("{connect} {address}"));
    for command in commands {
        gdb.args(["-ex", command]);
    }
    let output = gdb.current_dir(folder).stdin(Stdio::null()).output();
    let output = output.unwrap_or_else(|error| panic!("{GDB}: {error}; scripts/need.sh gdb"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// Checks that GDB prints all of `printed`, in this order.
#[track_caller]
fn check(writes: &[(u32, u32)], commands: &[&str], printed: &[&str]) {
    let folder = super::folder(Ends::Breakpoint, writes);
    in_order(&gdb(folder.path(), commands), printed);
}

/// Checks that `text` contains all of `printed`, in this order.
#[track_caller]
pub fn in_order(text: &str, printed: &[&str]) {
    let mut rest = text;
    for part in printed {
        match rest.split_once(part) {
            Some((_, behind)) => rest = behind,
            None => panic!("no {part:?} (behind what comes before it) in:\n{text}"),
        }
    }
}

#[test]
fn gdb_breaks_and_sees_who_called() {
    check(
        &[],
        &["break *leaf", "continue", "backtrace", "delete", "continue", "print/x $pc"],
        &[
            "Breakpoint 1",
            "in leaf ()",
            "#0  0x20000030 in leaf ()",
            "#1  0x2000002c in work ()",
            "SIGTRAP",
            "= 0x20000016",
        ],
    );
}

#[test]
fn gdb_steps_back_to_the_same_registers() {
    let look = "printf \"at %x %x %x %x %x\\n\", $pc, $sp, $r0, $r1, $xpsr";
    let commands = ["break *leaf", "continue", look, "stepi 4", look, "reverse-stepi 4", look];
    let folder = super::folder(Ends::Breakpoint, &[]);
    let text = gdb(folder.path(), &commands);
    let seen: Vec<_> = text.lines().filter(|line| line.starts_with("at ")).collect();
    assert_eq!(seen.len(), 3, "{text}");
    assert!(seen[0].starts_with("at 20000030 "), "{text}");
    assert!(seen[1].starts_with("at 20000038 "), "{text}");
    assert_eq!(seen[2], seen[0], "{text}");
}

#[test]
fn gdb_goes_back_to_a_breakpoint_and_to_the_beginning() {
    check(
        &[],
        &[
            "continue",
            "break *work",
            "reverse-continue",
            "print *(int *)0x20001000",
            "delete",
            "reverse-continue",
            "print/x $pc",
        ],
        &[
            "SIGTRAP",
            "Breakpoint 1",
            "in work ()",
            "= 2",
            "No more reverse-execution",
            "= 0x20000000",
        ],
    );
}

#[test]
fn gdb_watches_a_variable_both_ways() {
    check(
        &[],
        &[
            "watch *(int *)0x20001000",
            "continue",
            "print/x $pc",
            "continue",
            "reverse-continue",
            "print/x $pc",
        ],
        &[
            "Old value = 0\nNew value = 1\n",
            "= 0x20000038",
            "Old value = 1\nNew value = 2\n",
            "Old value = 2\nNew value = 1\n",
            "= 0x20000036",
        ],
    );
}

#[test]
fn gdb_sees_both_cores_as_threads() {
    check(
        LAUNCH,
        &[
            "break *other",
            "continue",
            "info threads",
            "thread 2",
            "print $r6",
            "continue",
            "print $r6",
            "delete",
            "stepi",
            "print/x $pc",
            "stepi",
            "print/x $pc",
            "reverse-stepi",
            "print/x $pc",
            "thread 1",
            "monitor time",
        ],
        &[
            "hit Breakpoint 1",
            "core 0",
            "core 1",
            "in other ()",
            "[Switching to thread 2",
            "$1 = ",
            "hit Breakpoint 1",
            "= 0x20000042",
            "= 0x20000040",
            "= 0x20000042",
            "[Switching to thread 1",
            "core 1: ",
        ],
    );
}

#[test]
fn gdb_writes_registers_and_memory() {
    check(
        &[],
        &[
            "break *leaf",
            "continue",
            "set var *(int *)0x20001000 = 40",
            "set $r5 = 1",
            "delete",
            "continue",
            "print *(int *)0x20001000",
            "monitor nonsense",
            "monitor report",
        ],
        &["Breakpoint 1", "SIGTRAP", "= 41", "there is no `monitor nonsense`", "no fault"],
    );
}

/// Reads registers of the timer, the SIO and the core (SCB's CPUID) like an editor's register view.
#[test]
fn gdb_reads_registers_of_devices_and_changes_nothing() {
    let (timer, cpuid) = ("*(unsigned *)0x4005400c", "*(unsigned *)0xe000ed00");
    check(
        &[(0x4003_4000, b'H'.into())],
        &[
            "break *leaf",
            "continue",
            // TIMELW and TIMEHW.
            "set var *(unsigned *)0x40054004 = 4660",
            "set var *(unsigned *)0x40054000 = 0",
            &format!("print/x {cpuid}"),
            &format!("print {timer}"),
            "print *(unsigned *)0xd0000000",
            "x/4xw 0xd0000050",
            "x/4xw 0xd0000050",
            "set var *(unsigned *)0xd0000014 = 0x2000000",
            "print/x *(unsigned *)0xd0000010",
            "monitor report",
        ],
        &[
            "Breakpoint 1",
            "= 0x410cc601",
            "$2 = 4660\n",
            "= 0",
            "0xd0000050:\t0x00000003",
            "0xd0000050:\t0x00000003",
            "= 0x2000000",
            "no fault, and nothing was touched",
        ],
    );
}

#[test]
fn gdb_resets_the_chip_and_runs_again() {
    check(
        &[],
        &[
            "continue",
            "print/x $pc",
            "monitor reset halt",
            "maintenance flush register-cache",
            "print/x $pc",
            "set var *(int *)0x20001000 = 0",
            "monitor reset",
            "maintenance flush register-cache",
            "continue",
            "print *(int *)0x20001000",
        ],
        &["SIGTRAP", "= 0x20000016", "= 0x20000000", "SIGTRAP", "= 3"],
    );
}

#[test]
fn gdb_continues_after_a_bkpt_and_stops_again_after_going_back() {
    let folder = super::folder(Ends::Breakpoint, &[]);
    let time = "monitor time";
    let [on, back] = ["continue", "reverse-stepi"];
    let commands = [on, time, on, time, back, time, back, time, on, time, on, time, "stepi", time];
    let text = gdb(folder.path(), &commands);
    let counts = text.lines().filter_map(|line| line.strip_prefix("core 0: ")?.split(' ').next());
    let counts: Vec<u64> = counts.map(|count| count.parse().unwrap()).collect();
    // One instruction after the BKPT leads back to it.
    let first = counts[0];
    let expected = [0, 1, 0, -1, 0, 1, 2].map(|more| first.saturating_add_signed(more));
    assert_eq!(counts, expected, "{text}");
}

#[test]
fn gdb_writes_both_stack_pointers() {
    check(
        &[],
        &[
            "set $msp = 0x20030000",
            "print/x $sp",
            "set $psp = 0x20020000",
            "print/x $psp",
            "print/x $sp",
        ],
        &["= 0x20030000", "= 0x20020000", "= 0x20030000"],
    );
}

/// Starts the program like the entry of the Pico SDK's programs: through the vectors of the ROM.
#[test]
fn gdb_loads_a_program_and_starts_it_through_the_rom_vectors() {
    check(
        &[],
        &[
            "load",
            "print/x $pc",
            "print/x *(unsigned *)0",
            "set $pc = *(unsigned *)4 & ~1",
            "break *main",
            "continue",
        ],
        // The flash has no program, which the ROM reports; the vectors lead to that report.
        &["Start address 0x20000000", "= 0x20000000", "= 0x20041f00", "SIGSYS"],
    );
}
