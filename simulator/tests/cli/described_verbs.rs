//! The verbs that name wires or measure the program, on boards that board files describe: the board
//! is that of `--board`, or the one that a trace's or a waveform's header names.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::command::nudge;

/// A folder with the handheld, and a trace in a folder below that presses two of its buttons.
struct Handheld(tempfile::TempDir);

const TRACE: &str = "trace 1\nboard ../handheld.board.toml\n\n0ms power on\n+500ms press UP\n\
                     +100ms release UP\n+100ms tap A for 60ms\n+200ms end\n";

impl Handheld {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/own-boards");
        for name in ["handheld.board.toml", "handheld.elf", "oled.board.toml", "oled.elf"] {
            fs::copy(examples.join(name), folder.path().join(name)).unwrap();
        }
        for name in ["traces", "waves", "back"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        fs::write(folder.path().join("traces/t.trace"), TRACE).unwrap();
        Self(folder)
    }

    fn run(&self, line: &str) -> Output {
        nudge().current_dir(self.0.path()).args(line.split(' ')).output().unwrap()
    }

    /// Runs a command, checks its exit code, and returns what it prints.
    #[track_caller]
    fn prints(&self, line: &str, code: i32) -> String {
        let output = self.run(line);
        let printed = [&output.stdout[..], &output.stderr[..]].concat();
        let printed = String::from_utf8(printed).unwrap();
        assert_eq!(output.status.code(), Some(code), "{line}: {printed}");
        printed
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).unwrap()
    }
}

#[test]
fn waveforms_have_the_buttons_of_their_board_in_both_directions() {
    sampled!();
    let folder = Handheld::new();
    folder.prints("trace convert traces/t.trace waves/t.vcd --signals UP,A,POWER", 0);
    let wave = folder.read("waves/t.vcd");
    assert!(wave.contains("nudge header board ../handheld.board.toml"), "{wave}");
    assert!(wave.contains(" UP $end") && !wave.contains(" SCK $end"), "{wave}");
    // Back, in another folder: the header names the board from there.
    folder.prints("trace convert waves/t.vcd back/t.trace", 0);
    let back = folder.read("back/t.trace");
    for line in ["board ../handheld.board.toml\n", "tap UP for 100ms\n", "tap A for 60ms\n"] {
        assert!(back.contains(line), "{line}{back}");
    }
    folder.prints("replay back/t.trace --no-cache", 0);
    // A second waveform of it has the same contacts.
    folder.prints("replay back/t.trace --vcd again.vcd", 0);
    let again = folder.read("again.vcd");
    assert!(again.contains("nudge header board handheld.board.toml"), "its first lines");
    let printed = folder.prints("trace compare again.vcd waves/t.vcd", 0);
    assert!(printed.contains("no difference"), "{printed}");
    assert!(printed.contains("compared  A, UP\n"), "{printed}");
}

#[test]
fn a_capture_without_a_header_has_the_buttons_of_the_board_of_the_command_line() {
    sampled!();
    let folder = Handheld::new();
    let csv = "Time [s],D3,D4\n0,1,1\n0.5,0,1\n0.58,1,1\n1,1,0\n1.08,1,1\n2,1,1\n";
    fs::write(folder.0.path().join("c.csv"), csv).unwrap();
    let map = "--map UP=D3,A=D4";
    let printed = folder.prints(&format!("trace convert c.csv c.trace {map}"), 2);
    assert!(printed.contains("`UP` is no wire of the board"), "{printed}");
    let board = "--board handheld.board.toml";
    folder.prints(&format!("trace convert c.csv c.trace {map} {board}"), 0);
    let trace = folder.read("c.trace");
    assert!(trace.contains("board handheld.board.toml\n"), "{trace}");
    assert!(trace.contains("500ms   tap UP\n") && trace.contains("1s      tap A\n"), "{trace}");
    folder.prints("trace convert c.trace c.vcd", 0);
    let line = format!("trace compare c.csv c.vcd {map} --signals UP,A {board}");
    let printed = folder.prints(&line, 0);
    assert!(printed.contains("no difference"), "{printed}");
    let printed = folder.prints("trace compare c.csv c.vcd --signals UPP", 2);
    assert!(printed.contains("`UPP` is no wire of the board; did you mean `UP`?"), "{printed}");
    // A board file that is no longer there is named with the waveform.
    fs::rename(folder.0.path().join("c.vcd"), folder.0.path().join("waves/c.vcd")).unwrap();
    let printed = folder.prints("trace convert waves/c.vcd d.trace", 2);
    assert!(printed.contains("waves/c.vcd: its header names its board: "), "{printed}");
    assert!(printed.contains("`--board NAME.board.toml` names another"), "{printed}");
}

#[test]
fn measurements_read_the_program_of_the_board_that_the_traces_name() {
    sampled!();
    let folder = Handheld::new();
    // A profiler executes instruction by instruction.
    let text = "trace 1\nboard ../oled.board.toml\n\n0ms power on\n+20ms end\n";
    fs::write(folder.0.path().join("traces/t.trace"), text).unwrap();
    let printed = folder.prints("replay traces/t.trace --profile --flamegraph flames.svg", 0);
    assert!(printed.contains("cycles"), "{printed}");
    assert!(folder.read("flames.svg").contains("<svg"));
    let text = text.replace("../oled", "handheld");
    fs::write(folder.0.path().join("other.trace"), text).unwrap();
    let printed = folder.prints("replay other.trace traces/t.trace --profile", 2);
    assert!(printed.contains("other.trace runs on handheld.board.toml, and "), "{printed}");
    assert!(printed.contains("t.trace on traces/../oled.board.toml; name"), "{printed}");
    folder.prints("replay other.trace traces/t.trace --profile --filter traces", 0);
}

#[test]
fn messages_name_the_board_of_the_trace() {
    let folder = Handheld::new();
    let printed = folder.prints("trace shrink traces/t.trace", 2);
    assert!(printed.contains("does not fail on traces/../handheld.board.toml"), "{printed}");
}

#[test]
fn a_trace_written_to_another_folder_names_its_board_from_there() {
    sampled!();
    let folder = Handheld::new();
    folder.prints("trace tidy traces/t.trace -o tidy.trace", 0);
    assert!(folder.read("tidy.trace").contains("board handheld.board.toml\n"));
    folder.prints("replay tidy.trace --no-cache", 0);
    let failing = TRACE.replace("+200ms end", "+0ms expect console \"never\"");
    fs::write(folder.0.path().join("traces/f.trace"), failing).unwrap();
    folder.prints("trace shrink traces/f.trace -o back/small.trace --runs 2", 0);
    assert!(folder.read("back/small.trace").contains("board ../handheld.board.toml\n"));
    folder.prints("trace shrink traces/f.trace -o small.trace --runs 2", 0);
    assert!(folder.read("small.trace").contains("board handheld.board.toml\n"));
    folder.prints("replay small.trace --no-cache", 1);
}
