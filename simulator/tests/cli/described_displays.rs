//! Boards with several displays: what other verbs than `replay` do with those after the first one.

use std::fs;
use std::path::Path;

use crate::command::nudge;

/// A copy of the round instrument, which has two displays, in a temporary folder.
struct Gauge(tempfile::TempDir);

impl Gauge {
    /// Copies the board, and writes `a.trace` with these lines after the power-on.
    fn with(lines: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/own-boards");
        for name in ["gauge.board.toml", "gauge.elf"] {
            fs::copy(examples.join(name), folder.path().join(name)).unwrap();
        }
        let text = format!("trace 1\nboard gauge.board.toml\n\n0ms power on\n{lines}\n");
        fs::write(folder.path().join("a.trace"), text).unwrap();
        Self(folder)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).unwrap()
    }

    /// Returns the size of a picture.
    fn size(&self, name: &str) -> (usize, usize) {
        let picture = reading::golden::read_png(self.0.path().join(name)).unwrap();
        (picture.width(), picture.height())
    }

    /// Runs a command, checks its exit code, and returns what it prints.
    #[track_caller]
    fn prints(&self, line: &str, code: i32) -> String {
        let output = nudge().current_dir(self.0.path()).args(line.split(' ')).output().unwrap();
        let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        let printed = format!("{out}{err}");
        assert_eq!(output.status.code(), Some(code), "{printed}");
        printed
    }
}

#[test]
fn the_initialisation_of_another_controller_names_its_display() {
    sampled!();
    let gauge = Gauge::with("1s end");
    let text = gauge.text("gauge.board.toml").replace("panel = \"ssd1306\"", "panel = \"sh1106\"");
    fs::write(gauge.0.path().join("gauge.board.toml"), text).unwrap();
    let printed = gauge.prints("replay a.trace", 1);
    let sentence = "display READOUT: the program initialises another controller: its initialisation \
                    has AE, AF and the charge pump 8D, as for the SSD1306, and the display is an \
                    SH1106";
    assert!(printed.contains(sentence), "{printed}");
}

#[test]
fn a_waveform_has_the_wires_of_each_display() {
    sampled!();
    let gauge = Gauge::with("500ms end");
    gauge.prints("replay a.trace --vcd a.vcd", 0);
    let text = gauge.text("a.vcd");
    let wires: Vec<(&str, &str)> = text
        .lines()
        .filter_map(|line| line.strip_prefix("$var wire 1 "))
        .filter_map(|line| line.trim_end_matches(" $end").split_once(' '))
        .collect();
    let rises = |name: &str| {
        let id = wires.iter().find(|(_, known)| *known == name).expect(name).0;
        text.lines().filter(|line| line.strip_prefix('1') == Some(id)).count()
    };
    for name in ["SCK", "READOUT_CS", "READOUT_MOSI", "READOUT_DC", "READOUT_BL"] {
        assert!(rises(name) > 0, "{name}");
    }
    // Two pictures of 1,024 bytes, eight clocks each, and commands.
    assert!(rises("READOUT_SCK") > 2 * 1_024 * 8);
    // Readers of captures know the wires of the first display.
    gauge.prints("trace compare a.vcd a.vcd", 0);
}

#[test]
fn a_pixel_of_a_further_display_has_its_origin() {
    sampled!();
    let gauge = Gauge::with("500ms end");
    let printed = gauge.prints("trace why a.trace --pixel 20,46 --display READOUT", 0);
    for part in [
        "pixel 20,46 of READOUT at 500 ms is #FFFFFF",
        "bytes     F0, eight lines of a column, the lowest bit on top",
        "window    columns 0 to 127, pages 0 to 7",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    let printed = gauge.prints("trace why a.trace --pixel 120,120", 0);
    assert!(printed.starts_with("pixel 120,120 of DIAL at 500 ms"), "{printed}");
    let printed = gauge.prints("trace why a.trace --pixel 1,1 --display READUOT", 2);
    assert!(printed.contains("unknown display `READUOT`; did you mean `READOUT`?"), "{printed}");
    let printed = gauge.prints("trace why a.trace --pixel 128,1 --display READOUT", 2);
    assert!(printed.contains("the panel has 128x64"), "{printed}");
}

#[test]
fn pictures_of_a_failure_are_those_of_the_display_of_its_line() {
    sampled!();
    let lines = "+500ms expect frame low on READOUT\n+0ms expect text \"99%\" on READOUT";
    let gauge = Gauge::with(lines);
    gauge.prints("replay a.trace --bless", 1);
    assert_eq!(gauge.size("a/low.png"), (128, 64));
    let golden = gauge.0.path().join("a/low.png");
    let mut frame = reading::golden::read_png(&golden).unwrap();
    frame.pixels_mut()[0] ^= 0x00FF_FFFF;
    fs::write(&golden, reading::golden::encode_png(&frame)).unwrap();
    gauge.prints("replay a.trace --artifacts art --html report", 1);
    for name in ["low.actual.png", "low.expected.png", "line-5.failed.png", "line-6.failed.png"] {
        assert_eq!(gauge.size(&format!("art/a/{name}")), (128, 64), "{name}");
    }
    let report = gauge.text("report/index.html");
    assert!(report.contains("READOUT"), "the report names the display");
    // A failing blessed golden is replaced by the picture of the same display.
    gauge.prints("replay a.trace --bless", 1);
    assert_eq!(gauge.size("a/low.png"), (128, 64));
}

#[test]
fn a_chain_of_frames_begins_with_a_dark_frame_of_its_own_size() {
    sampled!();
    let gauge = Gauge::with("+500ms expect frames all\n+0ms expect frames more on READOUT");
    gauge.prints("replay a.trace --bless", 0);
    let dial = gauge.text("a/all.frames");
    assert!(dial.contains("57600 pixels in 0,0,240,240"), "{dial}");
    assert!(gauge.text("a/more.frames").starts_with("frames 2\n"));
    gauge.prints("replay a.trace", 0);
    let failing = gauge.text("a.trace").replace("+500ms", "+400ms");
    fs::write(gauge.0.path().join("a.trace"), failing).unwrap();
    gauge.prints("replay a.trace", 1);
}
