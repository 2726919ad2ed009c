//! Tests the verbs for traces with the flashed program, on the command line. The feature
//! `pico-test`: `make firmware` builds the program.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use boards::pico::firmware;
use captures::{Capture, Signal, Wiring};
use tempfile::TempDir;
use trace::Button;
use virtual_time::{Instant, Nanos};

/// A trace that sows the third cup.
const MOVE: &str = "trace 1\nseed 7\ngame board\nfirst bottom\n\n0ms power on\n+0ms settle within 5s\n\
                    +100ms tap B3\n+0ms settle within 5s\n";

/// A trace that ends when the board shows its first picture.
const START: &str = "trace 1\nseed 7\n\n0ms power on\n+0ms settle within 5s\n";

/// Creates a folder with the trace `move.trace`.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("move.trace"), MOVE).unwrap();
    folder
}

/// Returns the value of `--board`: the program's file name.
fn board() -> String {
    let program = firmware::path().expect("`make firmware` builds the program");
    format!("pico={}", fs::canonicalize(program).unwrap().display())
}

/// Runs `nudge` with `--board pico=FILE`, checks its exit code, and returns its output.
#[track_caller]
fn check(folder: &Path, arguments: &str, code: i32) -> String {
    let output = crate::command::nudge()
        .args(arguments.split_whitespace())
        .args(["--board", &board()])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert_eq!(output.status.code(), Some(code), "nudge {arguments}\n{said}");
    said
}

fn edges(path: &Path, signal: Signal) -> Vec<(Instant, bool)> {
    let capture = Capture::open(path, &Wiring::default()).unwrap();
    let edges = capture.map(Result::unwrap).filter(|edge| edge.signal == signal);
    edges.skip(1).map(|edge| (edge.at, edge.high)).collect()
}

#[test]
fn replay_and_convert_write_the_same_wires() {
    sampled!();
    let folder = folder();
    let said = check(folder.path(), "replay move.trace --vcd replayed.vcd", 0);
    assert!(said.contains("1 passed, 0 failed\n") && said.contains("wrote replayed.vcd"), "{said}");
    let wires = "B3,CS,DC,BUZZER,UART_TX";
    check(folder.path(), &format!("trace convert move.trace converted.vcd --signals {wires}"), 0);

    let converted = folder.path().join("converted.vcd");
    let b3 = edges(&converted, Signal::Button(Button::B3));
    let [(pressed, false), (released, true)] = b3[..] else { panic!("{b3:?}") };
    assert_eq!(released.saturating_since(pressed), Nanos::from_millis(80));
    assert!(edges(&converted, Signal::Buzzer).len() > 100, "the move is heard");

    let output = crate::command::nudge()
        .args(["trace", "compare", "replayed.vcd", "converted.vcd", "--tolerance", "1ns"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("no difference"), "{said}");
    assert!(said.contains("compared  B3, CS, DC, BUZZER, UART_TX\n"), "{said}");
}

#[test]
fn why_names_the_transfer_and_the_function_of_a_pixel() {
    let folder = folder();
    let said = check(folder.path(), "trace why move.trace --pixel 160,120", 0);
    for part in ["transfer  SPI transfer ", "window    CASET ", "function  0x1", "firmware_core::"]
    {
        assert!(said.contains(part), "no {part:?} in\n{said}");
    }
    let said = check(folder.path(), "trace why move.trace --pixel 320,120", 2);
    assert!(said.contains("the panel has 320x240"), "{said}");
}

#[test]
fn tidy_makes_a_test_that_passes_on_both_boards() {
    sampled!();
    let folder = folder();
    let said = check(folder.path(), "trace tidy move.trace --output kept.trace --expect", 0);
    assert!(said.contains("wrote kept.trace"), "{said}");
    let kept = fs::read_to_string(folder.path().join("kept.trace")).unwrap();
    assert!(kept.contains("# Player 1 sows 4 from #4: FREE TURN"), "{kept}");
    assert!(kept.contains("expect text") && kept.contains("expect frame"), "{kept}");
    check(folder.path(), "replay kept.trace", 0);
    let native = crate::command::nudge()
        .args(["replay", "kept.trace"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(native.status.success(), "{}", String::from_utf8_lossy(&native.stdout));
}

#[test]
fn runs_are_equal_and_failures_are_in_the_page_and_junit_file() {
    sampled!();
    let folder = folder();
    fs::write(folder.path().join("fails.trace"), format!("{MOVE}+0ms expect text \"NEVER\"\n"))
        .unwrap();
    let said = check(folder.path(), "replay . --repeat 2 --html page --junit results.xml", 1);
    assert!(said.contains("PASS ./move.trace") && said.contains("1 passed, 1 failed"), "{said}");
    let again = format!("just this again: nudge replay ./fails.trace --board {} --until ", board());
    assert!(said.contains(&again), "{said}");
    let results = fs::read_to_string(folder.path().join("results.xml")).unwrap();
    assert!(results.contains("tests=\"2\" failures=\"1\" errors=\"0\""), "{results}");
    let page = fs::read_to_string(folder.path().join("page/index.html")).unwrap();
    assert!(page.contains("NEVER") && page.contains("data:image/png"), "{}", page.len());
}

#[test]
fn a_replay_shows_the_times_of_both_boards() {
    let folder = folder();
    let said = check(folder.path(), "replay move.trace --timing", 0);
    let rows = said.lines().filter(|line| line.contains(" settle ")).count();
    assert_eq!(rows, 2, "{said}");
}

/// Returns how many traces reach each line of the source `file`, from a coverage file.
fn counts(info: &str, file: &str) -> Vec<u32> {
    let (_, record) =
        info.split_once(&format!("SF:{file}\n")).unwrap_or_else(|| panic!("no {file}"));
    let record = record.split_once("end_of_record").unwrap().0;
    let lines = record.lines().filter_map(|line| line.strip_prefix("DA:")?.split_once(','));
    lines.map(|(_, count)| count.parse().unwrap()).collect()
}

#[test]
fn coverage_counts_traces_and_rank_omits_redundant_ones() {
    sampled!();
    let folder = folder();
    let idle = MOVE.split_once("+100ms").unwrap().0;
    fs::write(folder.path().join("idle.trace"), idle).unwrap();
    let said = check(folder.path(), "replay . --coverage lines.info --allow-violations", 0);
    assert!(said.contains("wrote lines.info: 2 traces reach "), "{said}");
    let info = fs::read_to_string(folder.path().join("lines.info")).unwrap();
    // Both traces draw the board, one sows, and none plays to the end.
    let counts = counts(&info, "firmware-core/src/firmware.rs");
    assert!((0..=2).all(|traces| counts.contains(&traces)), "{counts:?}");
    assert!(info.contains("\nBRDA:") && info.contains("\nBRH:"), "no branches");

    let said = check(folder.path(), "trace rank . --html missed.html", 0);
    assert!(said.contains("1 of 2 traces reach what all do: "), "{said}");
    assert!(said.contains("move.trace\n") && !said.contains("idle.trace\n"), "{said}");
    let page = fs::read_to_string(folder.path().join("missed.html")).unwrap();
    assert!(page.contains("<details id=\"firmware-core/src/firmware.rs\">"), "{page}");
}

#[test]
fn coverage_and_rank_read_the_board_that_a_trace_names() {
    sampled!();
    let folder = folder();
    let program = firmware::path().expect("`make firmware` builds the program");
    fs::copy(program, folder.path().join("nudge-pico.elf")).unwrap();
    let board = board_file::LCD_BOARD.replacen("\nchip", "\nprogram = \"nudge-pico.elf\"\nchip", 1);
    fs::write(folder.path().join("pad.board.toml"), board).unwrap();
    let text = "trace 1\nboard pad.board.toml\n\n0ms power on\n1s tap B3\n+500ms end\n";
    fs::remove_file(folder.path().join("move.trace")).unwrap();
    fs::write(folder.path().join("pad.trace"), text).unwrap();
    let idle = text.replace("1s tap B3\n", "");
    fs::write(folder.path().join("idle.trace"), idle).unwrap();
    let said = check(folder.path(), "replay . --coverage lines.info --allow-violations", 0);
    assert!(said.contains("wrote lines.info: 2 traces reach "), "{said}");
    let info = fs::read_to_string(folder.path().join("lines.info")).unwrap();
    let counts = counts(&info, "firmware-core/src/firmware.rs");
    assert!((0..=2).all(|traces| counts.contains(&traces)), "{counts:?}");
    let said = check(folder.path(), "trace rank .", 0);
    assert!(said.contains("1 of 2 traces reach what all do: "), "{said}");
    assert!(said.contains("pad.trace\n"), "{said}");
}

/// Offset of an unused byte of the file: padding in the header of an ELF file.
const PADDING: usize = 15;

#[test]
fn a_changed_program_is_replayed_despite_cached_results() {
    sampled!();
    let folder = folder();
    for number in 0..4 {
        // One in 32 results of the cache is replayed to check it. With several traces, not all of
        // them are.
        let trace = format!("trace 1\nseed {number}\n\n0ms power on\n1s expect text \"Player\"\n");
        fs::write(folder.path().join(format!("{number}.trace")), trace).unwrap();
    }
    fs::remove_file(folder.path().join("move.trace")).unwrap();
    let program = fs::read(firmware::path().expect("`make firmware` builds the program")).unwrap();
    let mut changed = program.clone();
    changed[PADDING] ^= 1;
    let replayed = |program: &[u8]| {
        fs::write(folder.path().join("program.elf"), program).unwrap();
        let [out, _] = crate::command::check(
            folder.path(),
            "replay . --board pico=program.elf --cache kept",
            0,
            &[],
        );
        assert!(out.contains("4 passed, 0 failed"), "{out}");
        out.contains("  cached, ")
    };
    let cached = [&program, &program, &changed, &changed, &program].map(|file| replayed(file));
    assert_eq!(cached, [false, true, false, true, true]);
}

#[test]
fn a_profile_of_traces_has_the_firmwares_functions() {
    sampled!();
    let folder = folder();
    fs::write(folder.path().join("start.trace"), START).unwrap();
    let said = check(folder.path(), "replay start.trace --profile --flamegraph stacks.txt", 0);
    assert!(said.contains("with callees") && said.contains("wrote stacks.txt"), "{said}");
    let stacks = fs::read_to_string(folder.path().join("stacks.txt")).unwrap();
    assert!(stacks.lines().all(|line| line.starts_with("core 0;")), "{stacks}");
    assert!(stacks.contains("firmware_core::"), "{stacks}");
}

/// The line fails because B3 sows the third cup; the press of T1 before it is refused.
#[test]
fn shrink_preserves_the_press_that_a_failure_on_the_chip_needs() {
    sampled!();
    let folder = folder();
    let trace = "trace 1\nseed 7\ngame board\nfirst bottom\n\n0ms power on\n+900ms tap T1\n\
                 +300ms tap B3\n+300ms expect no console \"move=2\"\n";
    fs::write(folder.path().join("red.trace"), trace).unwrap();
    let said = check(folder.path(), "trace shrink red.trace", 0);
    assert!(said.contains("a line fails: expect no console \"move=2\""), "{said}");
    let small = fs::read_to_string(folder.path().join("red.small.trace")).unwrap();
    assert!(small.contains("B3") && !small.contains("T1"), "{small}");
    let said = check(folder.path(), "replay red.small.trace", 1);
    assert!(said.contains("expected no console line with \"move=2\""), "{said}");
}
