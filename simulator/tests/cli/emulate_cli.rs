//! `nudge emulate` on the command line and under a debugger.

#[cfg(feature = "on-target")]
pub mod cargo;
mod chip_rules;
mod debugger;
mod endings;
#[cfg(feature = "gdb-test")]
mod gdb;
#[cfg(all(feature = "gdb-test", feature = "on-target"))]
mod gdb_flash;
mod outside;
mod program;
#[cfg(unix)]
mod terminal;
#[cfg(feature = "on-target")]
mod usb;

use std::fs;
use std::path::Path;
use std::process::Stdio;

use debugger::Debugger;
use program::{CLOCKS, COUNTER, Ends, LEAF, RAM, RECEIVED, WORK, code, elf};
use tempfile::TempDir;

const ARM: u16 = 40;

/// Creates a folder with `program.elf`, which writes these words to these addresses and ends as
/// `ends` says.
fn folder(ends: Ends, writes: &[(u32, u32)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let writes: Vec<_> = CLOCKS.iter().chain(writes).copied().collect();
    fs::write(folder.path().join("program.elf"), elf(&code(ends, &writes), ARM)).unwrap();
    folder
}

/// Runs `nudge emulate`, checks its exit code, and returns its standard output and standard error.
#[track_caller]
fn check(folder: &Path, arguments: &str, code: i32) -> (String, String) {
    let output = crate::command::nudge()
        .arg("emulate")
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(code), "nudge emulate {arguments}\n{out}\n{err}");
    (out, err)
}

/// Checks that `text` contains all of `parts`.
#[track_caller]
fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
}

#[test]
fn the_help_names_program_formats_and_the_receiver_of_input() {
    let folder = tempfile::tempdir().unwrap();
    let (help, _) = check(folder.path(), "--help", 0);
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    has(
        &help,
        &[
            "The program: ELF, UF2, Intel HEX, or a raw image of the flash named *.bin",
            "What the UART or a console over USB receives;",
            "Let the UART or a console over USB receive standard input as it comes,",
        ],
    );
}

#[test]
fn uart_output_goes_to_standard_output() {
    let hi = [(0x4003_4000, b'H'.into()), (0x4003_4000, b'i'.into())];
    let folder = folder(Ends::Sleeps, &hi);
    let (out, _) = check(folder.path(), "program.elf --until 5ms", 0);
    assert_eq!(out, "Hi");
    let (out, _) = check(folder.path(), "program.elf --until 5ms --uart 1", 0);
    assert_eq!(out, "");
}

#[test]
fn uart_input_comes_from_a_file_byte_by_byte() {
    let folder = folder(Ends::Echoes, &[]);
    fs::write(folder.path().join("input.txt"), "HAL").unwrap();
    let (out, _) = check(folder.path(), "program.elf --until 5ms --input input.txt", 0);
    assert_eq!(out, "IBM");
    // A byte has ten bits at 115,200 baud; the answer takes the same time.
    let (out, _) = check(folder.path(), "program.elf --until 300us --input input.txt", 0);
    assert_eq!(out, "IB");
    let (out, err) = check(folder.path(), "program.elf --input missing.txt", 2);
    has(&err, &["--input missing.txt: "]);
    assert_eq!(out, "");
}

#[test]
fn a_breakpoint_ends_the_run_with_a_summary() {
    let folder = folder(Ends::Breakpoint, &[]);
    let (_, err) = check(folder.path(), "program.elf", 1);
    has(
        &err,
        &[
            "core 0 stopped at BKPT #0 at 0x20000016 main+0x16",
            "the program did not ask to end",
            "never asleep",
            "72 of 262144 bytes",
            "down to 0x20041fb8",
        ],
    );
}

#[test]
fn a_program_that_jumps_to_nowhere_has_crashed() {
    let folder = folder(Ends::JumpsNowhere, &[]);
    let (_, err) = check(folder.path(), "program.elf", 1);
    has(
        &err,
        &[
            "HardFault on core 0 at 0x00000000",
            "and then lockup",
            "called from 0x2000002a work+0xa",
        ],
    );
}

#[test]
fn a_program_that_never_sleeps_reaches_the_limit() {
    sampled!();
    let folder = folder(Ends::Spins, &[]);
    let (_, err) = check(folder.path(), "program.elf", 42);
    has(&err, &["its time is over; core 0 is at 0x20000016 main+0x16", "10.0000", "never asleep"]);
    check(folder.path(), "program.elf --until 1ms", 0);
}

#[test]
fn the_report_names_devices_that_are_not_modelled() {
    let folder = folder(Ends::Breakpoint, &[(0x5011_0040, 3)]);
    let (_, err) = check(folder.path(), "program.elf", 1);
    has(&err, &["USB", "is not modelled", ", USBCTRL_REGS.MAIN_CTRL, in ", "main+0x8"]);
}

#[test]
fn files_that_are_not_programs_for_the_rp2040_are_refused() {
    let folder = folder(Ends::Breakpoint, &[]);
    let put = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    put("text.elf", b"hello");
    put("other.elf", &elf(&code(Ends::Breakpoint, &[]), 243));
    put("large.bin", &vec![0; 3 * 1024 * 1024]);
    put("no-boot.bin", &[0; 512]);
    put("empty.elf", b"");
    put("empty.bin", b"");
    put("desktop.elf", &elf(&code(Ends::Breakpoint, &[]), 62));
    let whole = elf(&code(Ends::Breakpoint, &[]), ARM);
    put("cut.elf", &whole[..60]);
    put("cut.uf2", &[&[0x55, 0x46, 0x32, 0x0A, 0x57, 0x51, 0x5D, 0x9E][..], &[0; 100]].concat());
    fs::create_dir(folder.path().join("folder")).unwrap();
    for (file, said) in [
        ("missing.elf", "missing.elf cannot be read: "),
        ("folder", "folder: this is a folder; name the program in it"),
        ("empty.elf", "empty.elf: the file is empty; name an ELF"),
        ("empty.bin", "empty.bin: the file is empty; name an ELF"),
        ("desktop.elf", "desktop.elf: this ELF file is for "),
        ("cut.elf", "cut.elf: this ELF file cannot be read: "),
        ("cut.uf2", "cut.uf2: block 0 of this UF2 file is cut short"),
        ("text.elf", "text.elf: this is neither an ELF nor a UF2 nor a HEX file"),
        ("other.elf", "other.elf: this ELF file is for RISC-V, the RP2040 needs 32-bit ARM"),
        ("large.bin", "large.bin: the program reaches 0x102fffff, but this flash of 2097152 bytes"),
        ("no-boot.bin", "no-boot.bin: the first 256 bytes of the flash are no second-stage"),
    ] {
        let (out, err) = check(folder.path(), file, 2);
        has(&err, &[said]);
        assert_eq!(out, "");
    }
}

#[test]
fn an_instruction_trace_has_one_line_each_with_the_changes() {
    let folder = folder(Ends::Breakpoint, &[]);
    check(folder.path(), "program.elf --trace-instructions=trace.txt", 1);
    let trace = fs::read_to_string(folder.path().join("trace.txt")).unwrap();
    has(
        &trace,
        &[
            "0 0x20000000 main                     ldr r4, [0x2000001c]         r4 20000100\n",
            "0 0x20000008 main+0x8                 str r2, [XOSC.CTRL]         \n",
            "0 0x20000008 main+0x8                 str r2, [RESETS.RESET:clr]  \n",
            "0 0x20000034 leaf+0x4                 adds r0, r0, #1              r0 00000003",
        ],
    );
    // Six lines for each device, three at the table's end, and the calls.
    let lines = 1 + 5 * CLOCKS.len() + 3 + 1 + 3 * (7 + 5 + 3);
    assert_eq!(trace.lines().count(), lines, "{trace}");
}

#[test]
fn watching_does_not_change_the_run() {
    let folder = folder(Ends::Breakpoint, &[]);
    let counts = |arguments: &str| {
        let (_, err) = check(folder.path(), arguments, 1);
        err.lines().find(|line| line.contains("instructions in")).unwrap().to_owned()
    };
    let plain = counts("program.elf");
    assert_eq!(counts("program.elf --profile --trace-instructions=trace.txt"), plain);
}

#[test]
fn a_profile_has_callers_and_callees() {
    let folder = folder(Ends::Breakpoint, &[]);
    let (_, err) = check(folder.path(), "program.elf --profile --flamegraph stacks.txt", 1);
    let row = |name: &str| {
        let line = err.lines().find(|line| line.ends_with(&format!("  {name}")));
        let line = line.unwrap_or_else(|| panic!("no {name} in:\n{err}"));
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    // leaf: 2 + 2 + 1 + 2 + 2 cycles; work: 3 + 1 + 1 + 2 + 3 + 1 + 5, each three times.
    let (leaf, work) = (row("leaf"), row("work"));
    assert_eq!([&leaf[0], &leaf[2], &leaf[4]], ["27", "27", "3"]);
    assert_eq!([&work[0], &work[2], &work[4]], ["48", "75", "3"]);
    let stacks = fs::read_to_string(folder.path().join("stacks.txt")).unwrap();
    has(&stacks, &["core 0;main;work;leaf 27\n", "core 0;main;work 48\n"]);
    check(folder.path(), "program.elf --flamegraph graph.svg", 1);
    let graph = fs::read_to_string(folder.path().join("graph.svg")).unwrap();
    has(&graph, &["<svg ", "<title>work: 75 cycles", "</svg>\n"]);
}

#[test]
fn symbols_of_a_program_are_escaped() {
    let folder = folder(Ends::Breakpoint, &[]);
    let path = folder.path().join("program.elf");
    let mut file = fs::read(&path).unwrap();
    // Names of the same length.
    for (name, hostile) in [("\0leaf\0", "\0\x1b<\n;\0"), ("\0work\0", "\0\u{202E}&\0")] {
        let at = file.windows(6).position(|part| part == name.as_bytes()).unwrap();
        file[at..at + 6].copy_from_slice(hostile.as_bytes());
    }
    fs::write(&path, file).unwrap();
    let line = "program.elf --profile --trace-instructions=trace.txt --flamegraph";
    let (_, err) = check(folder.path(), &format!("{line} graph.svg"), 1);
    check(folder.path(), "program.elf --flamegraph stacks.txt", 1);
    let [svg, stacks, trace] = ["graph.svg", "stacks.txt", "trace.txt"]
        .map(|name| fs::read_to_string(folder.path().join(name)).unwrap());
    for text in [&err, &svg, &stacks, &trace] {
        let obeyed = |letter: char| letter != '\n' && letter.is_control() || letter == '\u{202E}';
        assert!(!text.contains(obeyed), "{text:?}");
    }
    has(&err, &["  \u{FFFD}<\u{FFFD};\n", "  \u{FFFD}&\n"]);
    has(&svg, &["<title>\u{FFFD}&amp;: 75 cycles", "data-n=\"\u{FFFD}&lt;\u{FFFD};\""]);
    has(&stacks, &["core 0;main;\u{FFFD}&;\u{FFFD}<\u{FFFD}, 27\n"]);
    has(&trace, &["0 0x20000034 \u{FFFD}<\u{FFFD};+0x4"]);
}

#[test]
fn coverage_without_line_tables_is_refused_before_the_run() {
    let folder = folder(Ends::Breakpoint, &[(0x4003_4000, b'H'.into())]);
    let (out, err) = check(folder.path(), "program.elf --coverage lines.info", 2);
    has(&err, &["--coverage: program.elf: the program has no debugging information, so its lines"]);
    assert_eq!(out, "");
    assert!(!folder.path().join("lines.info").exists());
}

/// The same check as that of the SDK's `stdio_usb`: the controller is enabled, and the bus has no
/// host.
#[test]
fn a_program_that_only_checks_for_usb_causes_no_message() {
    let usb = [
        (0x4002_C008, 100), // PLL_USB: 48 MHz
        (0x4002_C00C, 5 << 16 | 5 << 12),
        (0x4002_C004, 0),
        (0x4000_8054, 1 << 11),         // CLK_USB_CTRL: ENABLE
        (0x5011_0074, 1 << 3 | 1),      // USB_MUXING: TO_PHY, SOFTCON
        (0x5011_0078, 1 << 3 | 1 << 2), // USB_PWR: VBUS_DETECT, overridden
        (0x5011_0040, 1),               // MAIN_CTRL: CONTROLLER_EN
    ];
    let folder = folder(Ends::Sleeps, &usb);
    let (_, err) = check(folder.path(), "program.elf --until 500ms", 0);
    assert!(!err.contains("USB"), "{err}");
}

#[test]
fn pins_are_a_waveform() {
    let folder = folder(Ends::Breakpoint, &[(0xD000_0014, 1 << 25), (0xD000_0018, 1 << 25)]);
    check(folder.path(), "program.elf --vcd pins.vcd", 1);
    let text = fs::read_to_string(folder.path().join("pins.vcd")).unwrap();
    let wire = text.lines().find(|line| line.ends_with(" gpio25 $end")).unwrap();
    let id = wire.split_whitespace().nth(3).unwrap();
    let changes: Vec<_> = text.lines().filter(|line| line[1..] == *id).collect();
    assert_eq!(changes, [format!("0{id}"), format!("1{id}"), format!("0{id}")]);
}

#[test]
fn a_debugger_steps_breaks_and_reads() {
    let folder = folder(Ends::Breakpoint, &[]);
    let mut debugger = Debugger::new(folder.path(), "program.elf");
    assert_eq!(debugger.pc(), RAM);
    has(&debugger.ask("vCont;s:1"), &["05"]);
    assert_eq!(debugger.pc(), RAM + 2);
    assert_eq!(debugger.ask(&format!("Z1,{LEAF:x},2")), "OK");
    has(&debugger.ask("vCont;c"), &["hwbreak"]);
    assert_eq!((debugger.pc(), debugger.word(COUNTER)), (LEAF, 0));
    has(&debugger.ask("vCont;c"), &["hwbreak"]);
    assert_eq!((debugger.pc(), debugger.word(COUNTER)), (LEAF, 1));
    assert_eq!(debugger.ask(&format!("z1,{LEAF:x},2")), "OK");
    has(&debugger.ask("vCont;c"), &["05"]);
    assert_eq!((debugger.pc(), debugger.word(COUNTER)), (RAM + 0x16, 3));
}

#[test]
fn a_debugger_goes_back() {
    let folder = folder(Ends::Breakpoint, &[]);
    let mut debugger = Debugger::new(folder.path(), "program.elf");
    debugger.ask("vCont;c");
    assert_eq!(debugger.word(COUNTER), 3);
    debugger.ask("bs");
    assert_eq!(debugger.pc(), RAM + 0x14, "the branch in front of the breakpoint");
    assert_eq!(debugger.ask(&format!("Z1,{WORK:x},2")), "OK");
    for count in [2, 1, 0] {
        has(&debugger.ask("bc"), &["hwbreak"]);
        assert_eq!((debugger.pc(), debugger.word(COUNTER)), (WORK, count));
    }
    has(&debugger.ask("bc"), &["replaylog:begin"]);
    assert_eq!(debugger.pc(), RAM);
    has(&debugger.ask("vCont;c"), &["hwbreak"]);
    assert_eq!((debugger.pc(), debugger.word(COUNTER)), (WORK, 0));
}

#[test]
fn a_watchpoint_stops_before_the_store_as_gdb_expects_on_arm() {
    let folder = folder(Ends::Breakpoint, &[]);
    let mut debugger = Debugger::new(folder.path(), "program.elf");
    assert_eq!(debugger.ask(&format!("Z2,{COUNTER:x},4")), "OK");
    has(&debugger.ask("vCont;c"), &["watch:20001000"]);
    assert_eq!((debugger.pc(), debugger.word(COUNTER)), (LEAF + 6, 0));
    has(&debugger.ask("vCont;c"), &["watch:20001000"]);
    assert_eq!((debugger.pc(), debugger.word(COUNTER)), (LEAF + 6, 1));
}

#[test]
fn values_written_by_the_debugger_are_stored() {
    let folder = folder(Ends::Breakpoint, &[]);
    let mut debugger = Debugger::new(folder.path(), "program.elf");
    assert_eq!(debugger.ask(&format!("M{COUNTER:x},4:28000000")), "OK");
    debugger.ask("vCont;c");
    assert_eq!(debugger.word(COUNTER), 43);
}

#[test]
fn after_going_back_input_is_repeated_and_answered_once() {
    let folder = folder(Ends::Echoes, &[]);
    fs::write(folder.path().join("input.txt"), "HAL").unwrap();
    let mut debugger = Debugger::new(folder.path(), "program.elf --input input.txt");
    assert_eq!(debugger.ask(&format!("Z1,{RECEIVED:x},2")), "OK");
    for (packet, byte) in [
        ("vCont;c", b'H'),
        ("vCont;c", b'A'),
        ("vCont;c", b'L'),
        ("bc", b'A'),
        ("bc", b'H'),
        ("vCont;c", b'A'),
        ("vCont;c", b'L'),
    ] {
        has(&debugger.ask(packet), &["hwbreak"]);
        assert_eq!((debugger.pc(), debugger.register(0)), (RECEIVED, byte.into()));
    }
    debugger.tell("vCont;c");
    debugger.interrupt();
    has("IBM", &[&debugger.kill()]);
}

#[test]
fn an_interrupt_stops_a_program_that_spins_or_sleeps() {
    for ends in [Ends::Spins, Ends::Sleeps] {
        let folder = folder(ends, &[]);
        let mut debugger = Debugger::new(folder.path(), "program.elf");
        debugger.tell("vCont;c");
        has(&debugger.interrupt(), &["02"]);
        debugger.pc();
    }
}

/// Maximum number of attempts of a debugger to see an expected state.
const TRIES: usize = 600;

#[test]
fn a_debugger_report_names_registers_and_failed_polls() {
    // CLK_SYS_DIV: 125 kHz, so that a second of virtual time takes few cycles.
    let folder = folder(Ends::Echoes, &[(0x5011_0040, 3), (0x4000_8040, 1000 << 8)]);
    let mut debugger = Debugger::new(folder.path(), "program.elf");
    has(&debugger.monitor("report"), &["no fault, and nothing was touched"]);
    let mut said = String::new();
    for _ in 0..TRIES {
        debugger.tell("vCont;c");
        std::thread::park_timeout(std::time::Duration::from_millis(100));
        debugger.interrupt();
        said = debugger.monitor("report");
        if said.contains("polled") {
            break;
        }
    }
    has(
        &said,
        &[
            "is not modelled: core 0 writes 0x50110040 at 0x20000008, cycle ",
            ", USBCTRL_REGS.MAIN_CTRL, in 0x20000008 main+0x8\n",
            "core 0 polled UART0.UARTFR (0x40034018), which stayed 0x90 for ",
            " in 0x20000046 echo+0x2\n",
        ],
    );
    assert!(!said.contains("no fault"), "{said}");
}

#[test]
fn a_debugger_attaches_where_another_one_left() {
    let folder = folder(Ends::Spins, &[]);
    let mut debugger = Debugger::new(folder.path(), "program.elf");
    assert_eq!(debugger.word(COUNTER), 0);
    // The program runs while no debugger is attached, and stops when one attaches.
    for _ in 0..500 {
        assert_eq!(debugger.ask("D"), "OK");
        debugger.attach_again();
        if debugger.word(COUNTER) == 3 {
            break;
        }
    }
    assert_eq!((debugger.word(COUNTER), debugger.pc()), (3, RAM + 0x16));
    assert_eq!(debugger.kill(), "");
}

#[test]
fn a_debuggers_malformed_packets_are_refused_one_by_one() {
    let folder = folder(Ends::Breakpoint, &[]);
    let mut debugger = Debugger::new(folder.path(), "program.elf");
    // A wrong checksum, no checksum, an invalid command, and a command that is too long.
    let registers = debugger.ask("g");
    assert_eq!(debugger.send(b"$g#00$g#zz$g#67"), registers);
    assert_eq!(debugger.ask("Z1,nowhere"), "E01");
    assert_eq!(debugger.ask(&"m".repeat(10_000)), "E01");
    assert_eq!(debugger.ask("g"), registers);
    has(&debugger.ask("vCont;c"), &["05"]);
    assert_eq!((debugger.pc(), debugger.word(COUNTER)), (RAM + 0x16, 3));
}

/// Returns the writes that create a control block with two up channels, word by word.
fn rtt(size: u32) -> Vec<(u32, u32)> {
    let word = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
    let (block, first, second) = (RAM + 0x2000, RAM + 0x3000, RAM + 0x3100);
    let words = [
        [word(b"SEGG"), word(b"ER R"), word(b"TT\0\0"), 0, 2, 0],
        [0, first, 8, 3, 0, 0],
        [RAM + 0x3200, second, size, 4, 0, 0],
    ];
    let text = [(first, word(b"Hi!.")), (second, word(b"a\nb.")), (RAM + 0x3200, word(b"log\0"))];
    let block = (block..).step_by(4).zip(words.concat());
    text.into_iter().chain(block).collect()
}

#[test]
fn rtt_channels_go_to_standard_output() {
    let folder = folder(Ends::Sleeps, &rtt(8));
    let (out, _) = check(folder.path(), "program.elf --until 5ms --rtt", 0);
    assert_eq!(out, "Hi![log] a\n[log] b.\n");
    let (out, _) = check(folder.path(), "program.elf --until 5ms", 0);
    assert_eq!(out, "", "the program has no symbol of RTT");
}

#[test]
fn an_invalid_rtt_block_is_reported() {
    let folder = folder(Ends::Sleeps, &rtt(u32::MAX));
    let (out, err) = check(folder.path(), "program.elf --until 5ms --rtt", 0);
    has(
        &err,
        &["RTT up channel 1: its buffer of 4294967295 bytes at 0x20003100 is not in the RAM; RTT"],
    );
    assert_eq!(out, "");
}
