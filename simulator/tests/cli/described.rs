//! Boards that board files describe: those of `examples/own-boards`, with their stored programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::command::nudge;

/// Folder of the boards.
fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/own-boards")
}

/// A copy of the boards in a temporary folder.
struct Copy(tempfile::TempDir);

impl Copy {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["handheld.board.toml", "handheld.elf"] {
            fs::copy(examples().join(name), folder.path().join(name)).unwrap();
        }
        Self(folder)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(name), text).unwrap();
    }

    /// Replaces a text in the board file.
    fn change(&self, from: &str, to: &str) {
        let path = self.0.path().join("handheld.board.toml");
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from}");
        fs::write(path, text.replace(from, to)).unwrap();
    }

    fn run(&self, line: &str) -> Output {
        nudge().current_dir(self.0.path()).args(line.split(' ')).output().unwrap()
    }

    /// Runs a command that is refused, and checks what it prints.
    #[track_caller]
    fn refuses(&self, line: &str, code: i32, expected: &str) {
        let output = self.run(line);
        let printed = said(&output);
        assert_eq!(output.status.code(), Some(code), "{printed}");
        assert!(printed.contains(expected), "{expected}\n{printed}");
    }
}

fn said(output: &Output) -> String {
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    format!("{out}{err}")
}

const TRACE: &str = "trace 1\n\n0ms power on\n+1s expect console \"ready\"\n+1s tap UP\n\
                     +500ms expect console \"square y=60\"\n+0ms end\n";

#[test]
fn the_examples_pass_and_their_traces_name_their_boards() {
    let traces = examples().join("traces");
    let output = nudge().arg("replay").arg(traces).arg("--no-cache").output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
}

#[test]
fn a_board_on_the_command_line_gives_names_panel_and_identity() {
    let copy = Copy::new();
    copy.write("up.trace", TRACE);
    let output = copy.run("replay up.trace --board handheld.board.toml --junit up.xml");
    assert!(output.status.success(), "{}", said(&output));
    let report = fs::read_to_string(copy.0.path().join("up.xml")).unwrap();
    assert!(report.contains("handheld.board.toml, SHA-256 "), "{report}");
    let output = copy.run("screenshot up.trace --board handheld.board.toml --output up.png");
    assert!(output.status.success(), "{}", said(&output));
    let frame = reading::golden::read_png(copy.0.path().join("up.png")).unwrap();
    assert_eq!((frame.width(), frame.height()), (240, 240));
    let [square, ground] = [(120, 80), (10, 10)].map(|(x, y)| frame.pixel(x, y).unwrap());
    assert!(square >> 16 > 0xF0 && square & 0xFFFF == 0 && ground >> 16 < 0x40, "{square:06x}");
}

#[test]
fn unknown_names_and_regions_are_those_of_the_board() {
    let copy = Copy::new();
    copy.write("reset.trace", &TRACE.replace("tap UP", "tap RESET"));
    let on = "--board handheld.board.toml";
    copy.refuses(
        &format!("replay reset.trace {on}"),
        2,
        "reset.trace:5:9: unknown button `RESET`; the buttons are A, B, UP and DOWN",
    );
    copy.write("up.trace", &TRACE.replace("tap UP", "tap up"));
    copy.refuses(&format!("replay up.trace {on}"), 2, "did you mean `UP`?");
    copy.write("in.trace", &TRACE.replace("+0ms end", "+0ms expect frame a in 0,0,241,1"));
    copy.refuses(&format!("replay in.trace {on}"), 2, "the panel, which has 240x240 pixels");
    copy.write("game.trace", &TRACE.replace("trace 1\n", "trace 1\ngame wari\n"));
    copy.refuses(
        &format!("replay game.trace {on}"),
        2,
        "2:1: `game` is a setting of the LCD board",
    );
}

#[test]
fn errors_of_the_board_file_are_those_of_board_check() {
    let copy = Copy::new();
    copy.write("up.trace", TRACE);
    let named = TRACE.replace("trace 1\n", "trace 1\nboard handheld.board.toml\n");
    copy.write("named.trace", &named);
    assert!(copy.run("replay named.trace").status.success());
    copy.change("program = \"handheld.elf\"\n", "");
    let line = "replay up.trace --board handheld.board.toml";
    let expected = "handheld.board.toml: the board has no program to run; add a line like `program";
    copy.refuses(line, 2, expected);
    copy.refuses("replay named.trace", 2, "named.trace:2:7: handheld.board.toml: the board has no");
    copy.change("bus = \"spi4\"", "bus = \"spi5\"");
    let check = said(&copy.run("board check handheld.board.toml"));
    copy.refuses(line, 2, check.trim());
    copy.refuses("replay named.trace", 2, check.trim());
    copy.write("away.trace", &TRACE.replace("trace 1\n", "trace 1\nboard /x.toml\n"));
    copy.refuses("replay away.trace", 2, "away.trace:2:7: `/x.toml` is absolute");
    copy.write("none.trace", &TRACE.replace("trace 1\n", "trace 1\nboard x.toml\n"));
    copy.refuses("replay none.trace", 2, "2:7: the board file x.toml: there is no such file");
}

#[test]
fn a_changed_board_is_not_judged_by_an_earlier_result() {
    let copy = Copy::new();
    copy.write("named.trace", &TRACE.replace("trace 1\n", "trace 1\nboard handheld.board.toml\n"));
    copy.write("up.trace", TRACE);
    for line in ["named.trace --cache one", "up.trace --cache two --board handheld.board.toml"] {
        let line = format!("replay {line}");
        assert!(copy.run(&line).status.success());
        // One of 32 hits is replayed nevertheless.
        assert!((0..9).any(|_| said(&copy.run(&line)).contains("cached")), "{line}");
    }
    // UP is at another pin now, where the program has no button.
    copy.change("pin = \"GP2\"", "pin = \"GP3\"");
    for line in ["named.trace --cache one", "up.trace --cache two --board handheld.board.toml"] {
        copy.refuses(&format!("replay {line}"), 1, "square y=60");
    }
}
