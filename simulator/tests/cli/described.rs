//! Boards that board files describe: those of `examples/own-boards`, with their stored programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::command::nudge;
use crate::part::Part;

/// Folder of the boards.
fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/own-boards")
}

/// A copy of the boards in a temporary folder.
struct Copy(tempfile::TempDir);

impl Copy {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["handheld", "dial", "gauge"] {
            for name in [format!("{name}.board.toml"), format!("{name}.elf")] {
                fs::copy(examples().join(&name), folder.path().join(&name)).unwrap();
            }
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

/// Returns the trace of the handheld that names its board, by this path.
fn naming(board: &str) -> String {
    TRACE.replace("trace 1\n", &format!("trace 1\nboard {board}\n"))
}

fn said(output: &Output) -> String {
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    format!("{out}{err}")
}

const TRACE: &str = "trace 1\n\n0ms power on\n+1s expect console \"ready\"\n+1s tap UP\n\
                     +500ms expect console \"square y=60\"\n+0ms end\n";

#[test]
fn the_examples_pass_and_their_traces_name_their_boards() {
    sampled!();
    let entries = fs::read_dir(examples().join("traces")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut traces: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "trace")).collect();
    traces.sort();
    let traces: Vec<PathBuf> = Part::of_this_run().pick(traces).collect();
    let output = nudge().arg("replay").args(&traces).arg("--no-cache").output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains(&format!("{} passed, 0 failed", traces.len())));
}

#[test]
fn a_board_on_the_command_line_gives_names_panel_and_identity() {
    sampled!();
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
    sampled!();
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

#[test]
fn reports_name_the_boards_of_the_traces() {
    sampled!();
    let copy = Copy::new();
    copy.write("up.trace", &naming("handheld.board.toml"));
    fs::create_dir(copy.0.path().join("below")).unwrap();
    copy.write("below/up.trace", &naming("../handheld.board.toml"));
    let line = "replay . --no-cache --junit all.xml --html page";
    let printed = said(&copy.run(line));
    let firmware = "firmware: handheld.board.toml, SHA-256 ";
    assert_eq!(printed.matches("firmware: ").count(), 1, "{printed}");
    assert!(printed.contains(firmware) && printed.contains(" with handheld.elf, "), "{printed}");
    let [junit, page] = ["all.xml", "page/index.html"]
        .map(|name| fs::read_to_string(copy.0.path().join(name)).unwrap());
    assert_eq!(junit.matches("name=\"firmware\" value=\"handheld.board.toml, ").count(), 2);
    assert!(!junit.contains("native, source") && page.contains(firmware), "{junit}");
    // With a trace of the LCD board both are named.
    copy.write("lcd.trace", "trace 1\n\n0ms power on\n+1s expect text \"Player\"\n+0ms end\n");
    let printed = said(&copy.run("replay . --no-cache --junit all.xml"));
    assert!(printed.contains("firmware: native, source "), "{printed}");
    assert!(printed.lines().any(|line| line.starts_with(firmware) && line.ends_with("(2 traces)")));
    // A cached result names it as well.
    let line = "replay up.trace --cache results";
    copy.run(line);
    assert!(
        (0..9)
            .map(|_| said(&copy.run(line)))
            .any(|printed| { printed.contains("cached") && printed.contains(firmware) })
    );
}

#[test]
fn comparisons_run_both_sides_on_the_described_board() {
    sampled!();
    let copy = Copy::new();
    copy.write("up.trace", TRACE);
    copy.write("named.trace", &naming("handheld.board.toml"));
    let on = "--board handheld.board.toml";
    let nudge = nudge().get_program().to_string_lossy().into_owned();
    for line in [
        format!("replay up.trace {on} --against handheld.board.toml"),
        format!("replay up.trace {on} --against native={nudge}"),
        format!("replay named.trace --against native={nudge}"),
        "replay named.trace --boards native,handheld.board.toml".to_owned(),
    ] {
        let output = copy.run(&line);
        let printed = said(&output);
        assert!(output.status.success() && printed.contains("2 settled frames"), "{printed}");
        // Another nudge names the firmware of `native`, by which it is recognised.
        let is_named = printed.matches("handheld.board.toml, SHA-256").count() >= 1;
        assert!(line.contains("--boards") || is_named, "{printed}");
    }
    for line in [
        format!("replay up.trace {on} --timing"),
        format!("trace timing up.trace {on}"),
        "trace timing named.trace".to_owned(),
    ] {
        copy.refuses(&line, 2, "`native` cannot run that for a comparison");
    }
}

/// The table demands a longer pause after SLPOUT than the program makes, and with the crystal the
/// oscillator of the PLL is at 1,875 MHz.
#[test]
fn a_rule_that_the_board_file_permits_is_a_notice() {
    let copy = Copy::new();
    let table = said(&copy.run("panel show st7789"));
    let rule = "SleepOutDelay = { section = \"9.1 p.186\", limit = \"";
    assert!(table.contains(&format!("{rule}5 ms")), "{table}");
    let table = table.replace(&format!("{rule}5 ms"), &format!("{rule}900 ms"));
    copy.write("own.toml", &table);
    copy.change("panel = \"st7789\"", "panel = \"own.toml\"");
    copy.change("chip = \"rp2040\"", "chip = \"rp2040\"\ncrystal = \"15 MHz\"");
    copy.write("named.trace", &naming("handheld.board.toml"));
    copy.refuses("replay named.trace --no-cache", 1, "(SleepOutDelay, section");
    copy.refuses("replay named.trace --no-cache", 1, "(pll-vco, datasheet section 2.18.2)");
    let permit =
        |rules: &str| copy.change("chip = \"rp2040\"", &format!("chip = \"rp2040\"\n{rules}"));
    permit("permit = [\"SleepOutDelay\", \"pll-vco\"]");
    let output = said(&copy.run("replay named.trace --no-cache"));
    for rule in ["(SleepOutDelay, section", "(pll-vco, datasheet section 2.18.2)"] {
        let line = output.lines().find(|line| line.contains(rule)).unwrap();
        assert!(
            line.contains("notice: ") && line.ends_with("the board file permits it"),
            "{output}"
        );
    }
    // The others still fail.
    copy.refuses("replay named.trace --no-cache", 1, "clk-sys-too-fast");
}

#[test]
fn timelines_name_the_buttons_of_the_board() {
    sampled!();
    let copy = Copy::new();
    copy.write("up.trace", &naming("handheld.board.toml"));
    assert!(
        copy.run("replay up.trace --no-cache --perfetto up.json --vcd up.vcd").status.success()
    );
    let [timeline, waveform] =
        ["up.json", "up.vcd"].map(|name| fs::read_to_string(copy.0.path().join(name)).unwrap());
    assert!(timeline.contains("UP (contact)") && !timeline.contains("B1"), "{timeline}");
    assert_eq!(timeline.matches("(contact)").count(), 4);
    assert!(waveform.contains(" UP $end") && !waveform.contains("B1"), "{waveform}");
}

#[test]
fn random_sessions_press_the_buttons_of_the_board() {
    sampled!();
    let copy = Copy::new();
    let line = "trace fuzz --board handheld.board.toml --count 1 --session 2 --out found";
    let output = copy.run(line);
    assert!(output.status.success(), "{}", said(&output));
    // The program draws with a pin that is not the display's DC any more.
    copy.change("dc = \"GP8\"", "dc = \"GP7\"");
    copy.refuses(line, 1, "the LCD's datasheet is not obeyed");
    let small = "found/seed-0-session-2.small.trace";
    let text = fs::read_to_string(copy.0.path().join(small)).unwrap();
    assert!(text.contains("board ../handheld.board.toml\n"), "{text}");
    copy.refuses(&format!("replay {small}"), 1, "the LCD's datasheet is not obeyed");
    copy.refuses(&format!("trace fuzz {small}"), 1, "the LCD's datasheet is not obeyed");
}

/// Returns the data of a page.
fn page_data(page: &str) -> serde_json::Value {
    let (_, behind) = page.split_once("id=\"nudge-data\">").unwrap();
    let (data, _) = behind.split_once("</script>").unwrap();
    serde_json::from_str(data).unwrap()
}

#[test]
fn a_page_contains_the_board_file_the_program_and_the_table() {
    sampled!();
    let copy = Copy::new();
    copy.write("own.toml", &said(&copy.run("panel show st7789")));
    copy.change("panel = \"st7789\"", "panel = \"own.toml\"");
    copy.write("up.trace", TRACE);
    fs::create_dir(copy.0.path().join("traces")).unwrap();
    copy.write("traces/named.trace", &naming("../handheld.board.toml"));
    let page = |line: &str| {
        let output = copy.run(line);
        assert!(output.status.success(), "{}", said(&output));
        let page = fs::read_to_string(copy.0.path().join("page.html")).unwrap();
        page_data(&page)
    };
    let on = "export page.html --force --board handheld.board.toml";
    for line in [on.to_owned(), format!("{on} --trace up.trace")] {
        let data = page(&line);
        assert_eq!(data["board"], "described");
        let board = &data["board_file"];
        assert_eq!(board["path"], "handheld.board.toml");
        let text = board["files"]["handheld.board.toml"].as_str().unwrap();
        assert!(text.contains("name = \"Handheld\""));
        for name in ["handheld.elf", "own.toml"] {
            let blob = board["blobs"][name].as_str().unwrap();
            assert!(data["blobs"][blob].is_string(), "{name}");
        }
    }
    // A trace that names its board brings the files along.
    let data = page("export page.html --force --trace traces/named.trace");
    assert_eq!((&data["board"], &data["board_file"]), (&"native".into(), &serde_json::Value::Null));
    let trace = &data["traces"][0];
    assert!(trace["files"]["../handheld.board.toml"].is_string());
    assert!(
        trace["blobs"]["../handheld.elf"].is_string() && trace["blobs"]["../own.toml"].is_string()
    );
    // The player of a failed trace in a report has them as well.
    copy.write("wrong.trace", &naming("handheld.board.toml").replace("y=60", "y=61"));
    copy.write("up.trace", &TRACE.replace("y=60", "y=61"));
    assert_eq!(copy.run("replay wrong.trace --html of-header").status.code(), Some(1));
    let line = "replay up.trace --html of-line --board handheld.board.toml";
    assert_eq!(copy.run(line).status.code(), Some(1));
    let [of_header, of_line] = ["of-header", "of-line"].map(|folder| {
        let page = fs::read_to_string(copy.0.path().join(folder).join("index.html")).unwrap();
        page_data(&page)
    });
    assert!(of_header["traces"][0]["blobs"]["handheld.elf"].is_string(), "{of_header}");
    assert!(of_line["board_file"]["blobs"]["handheld.elf"].is_string(), "{of_line}");
}

#[test]
fn a_picture_in_another_place_or_in_other_colours_has_a_notice() {
    sampled!();
    let copy = Copy::new();
    copy.write("move.trace", &naming("handheld.board.toml"));
    let notices = || said(&copy.run("replay move.trace --no-cache"));
    let misplaced = "notice: the program has written the columns 0 to 239 and lines 0 to 239 of the \
                     display's memory, and the display shows the columns 0 to 239 and lines 80 to 319";
    let printed = notices();
    assert!(!printed.contains("notice"), "{printed}");
    copy.change("size = \"240x240 px\"\n", "size = \"240x240 px\"\noffset = \"0,80 px\"\n");
    let printed = notices();
    assert!(printed.contains(misplaced) && printed.contains("1 passed"), "{printed}");

    // The dial's program draws for a filter of the order RGB; that of most modules is BGR.
    let text = fs::read_to_string(copy.0.path().join("dial.board.toml")).unwrap();
    assert!(text.contains("subpixels = \"rgb\"\n"));
    copy.write("other.board.toml", &text.replace("subpixels = \"rgb\"\n", ""));
    for (board, has_notice) in [("dial", false), ("other", true)] {
        let text = format!("trace 1\nboard {board}.board.toml\n\n0ms power on\n+500ms end\n");
        copy.write("on.trace", &text);
        let printed = said(&copy.run("replay on.trace --no-cache"));
        assert_eq!(printed.contains("notice: red and blue are exchanged"), has_notice, "{printed}");
    }
}

/// The handheld has a square of 12 px that four buttons move: from each place up and down.
#[test]
fn the_atlas_finds_the_pictures_of_the_board_and_its_traces_replay() {
    sampled!();
    let copy = Copy::new();
    let line = "atlas --board handheld.board.toml --screens 3 --traces ways --jobs 2";
    let output = copy.run(line);
    let printed = said(&output);
    assert_eq!(output.status.code(), Some(0), "{printed}");
    assert!(printed.contains("as many") || printed.contains("screens in"), "{printed}");
    let page = fs::read_to_string(copy.0.path().join("atlas.html")).unwrap();
    assert!(page.contains("\"panel\":\"240×240\""));
    assert!(page.contains("\"presses\":[\"UP\"]"));
    let replayed = copy.run("replay ways --strict --no-cache");
    let printed = said(&replayed);
    assert_eq!(replayed.status.code(), Some(0), "{printed}");
    copy.refuses(&format!("{line} --force --panel 480x320"), 2, "--panel is for the screens");
    copy.refuses("atlas --board pico --force", 2, "explores `native` and described boards");
}

#[test]
fn another_program_drives_a_described_board() {
    use std::io::Write as _;
    use std::process::Stdio;

    let copy = Copy::new();
    let mut serve = nudge()
        .current_dir(copy.0.path())
        .arg("serve")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut requests = serve.stdin.take().unwrap();
    for (id, (method, params)) in [
        ("boot", r#"{"board": "handheld.board.toml", "record": "played.trace"}"#),
        ("wait_console", r#"{"text": "ready", "within": "2s"}"#),
        ("press", r#"{"button": "UP"}"#),
        ("advance", r#"{"by": "200ms"}"#),
        ("read", "{}"),
        ("release", r#"{"button": "UP"}"#),
        ("reset", "{}"),
        ("tap", r#"{"button": "B1"}"#),
        ("boot", r#"{"header": {"board": "handheld.board.toml"}}"#),
    ]
    .into_iter()
    .enumerate()
    {
        writeln!(
            requests,
            r#"{{"jsonrpc": "2.0", "id": {id}, "method": "{method}", "params": {params}}}"#
        )
        .unwrap();
    }
    drop(requests);
    let answers = serve.wait_with_output().unwrap().stdout;
    let answers: Vec<serde_json::Value> = String::from_utf8(answers)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers[0]["result"]["buttons"], serde_json::json!(["A", "B", "UP", "DOWN"]));
    assert_eq!(answers[0]["result"]["panel"], serde_json::json!([240, 240]));
    assert_eq!(answers[4]["result"]["down"], serde_json::json!(["UP"]), "{:?}", answers[4]);
    for (answer, expected) in [
        (6, "no button RESET"),
        (7, "there are A, B, UP, DOWN"),
        (8, "the board file is the parameter `board`"),
    ] {
        let message = answers[answer]["error"]["message"].as_str().unwrap();
        assert!(message.contains(expected), "{message}");
    }
    let played = fs::read_to_string(copy.0.path().join("played.trace")).unwrap();
    assert!(played.starts_with("trace 1\nboard handheld.board.toml\n"), "{played}");
    let output = copy.run("replay played.trace");
    assert!(output.status.success(), "{}", said(&output));
}

/// A trace of the board with one part of each kind.
const DIAL: &str = "trace 1\nboard dial.board.toml\n\n0ms power on\n+1s switch MODE on\n\
                    +100ms expect led STATUS on\n+0ms end\n";

#[test]
fn a_wrong_led_is_reported_with_its_state_and_since_when() {
    sampled!();
    let copy = Copy::new();
    copy.write("on.trace", DIAL);
    assert!(copy.run("replay on.trace").status.success());
    copy.write("off.trace", &DIAL.replace("STATUS on", "STATUS off"));
    copy.refuses(
        "replay off.trace",
        1,
        "off.trace:6:8: at 1.1 s: expected the LED STATUS off; it is on, since 1.00",
    );
    copy.write("strip.trace", &DIAL.replace("STATUS on", "STRIP #ff0000"));
    copy.refuses(
        "replay strip.trace",
        1,
        "expected the LED STRIP #ff0000; its LED 0 is off, without a change since power-on",
    );
}

#[test]
fn names_of_controls_and_leds_are_those_of_the_board() {
    let copy = Copy::new();
    copy.write("led.trace", &DIAL.replace("STATUS", "STATSU"));
    copy.refuses(
        "replay led.trace",
        2,
        "led.trace:6:19: unknown LED `STATSU`; did you mean `STATUS`?",
    );
    copy.write("turn.trace", &DIAL.replace("switch MODE on", "turn PUSH by 1"));
    copy.refuses(
        "replay turn.trace",
        2,
        "turn.trace:5:10: PUSH is a button, and `turn` is for an encoder; write `tap PUSH`",
    );
    copy.write("set.trace", &DIAL.replace("switch MODE on", "set LEVEL 1.5"));
    copy.refuses(
        "replay set.trace",
        2,
        "set.trace:5:15: `1.5` is out of range; a voltage is 0 to 1",
    );
    // The handheld has no such parts, and a trace that names no board is one of the LCD board.
    copy.write("other.trace", &DIAL.replace("dial.board", "handheld.board"));
    copy.refuses(
        "replay other.trace",
        2,
        "5:12: the board has no switch; `switch` is for a switch",
    );
    copy.write("lcd.trace", &DIAL.replace("board dial.board.toml\n", ""));
    copy.refuses("replay lcd.trace", 2, "lcd.trace:4:12: the board has no switch");
}

#[test]
fn lines_about_parts_are_formatted_and_tidied() {
    let copy = Copy::new();
    copy.write("fmt.trace", &DIAL.replace("+1s switch", "+1s   set STICK 0.5,0.25\n+5ms switch"));
    let output = copy.run("trace fmt fmt.trace");
    assert!(output.status.success(), "{}", said(&output));
    let text = fs::read_to_string(copy.0.path().join("fmt.trace")).unwrap();
    assert!(text.contains("+1s     set STICK 0.5,0.25\n+5ms    switch MODE on\n"), "{text}");
    assert!(copy.run("replay fmt.trace").status.success());
}

#[test]
fn every_part_of_the_dial_and_the_gauge_has_a_model() {
    for name in ["dial.board.toml", "gauge.board.toml"] {
        let board = boards::DescribedBoard::load(&examples().join(name)).unwrap();
        assert_eq!(board.missing(), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn one_of_several_displays_is_selected_by_its_name() {
    sampled!();
    let copy = Copy::new();
    let trace = "trace 1\nboard gauge.board.toml\n\n0ms power on\n\
                 +600ms expect text \"LEVEL  21%\" on READOUT\n+0ms end\n";
    copy.write("gauge.trace", trace);
    for (option, size) in [("", (240, 240)), (" --display READOUT", (128, 64))] {
        let output = copy.run(&format!("screenshot gauge.trace --output x.png --force{option}"));
        assert!(output.status.success(), "{}", said(&output));
        let others = said(&output).contains("--display selects another one: READOUT");
        assert_eq!(others, option.is_empty());
        let frame = reading::golden::read_png(copy.0.path().join("x.png")).unwrap();
        assert_eq!((frame.width(), frame.height()), size, "{option}");
    }
    copy.refuses(
        "screenshot gauge.trace --output y.png --display TOP",
        2,
        "--display: unknown display `TOP`; the board has DIAL, READOUT",
    );
    let output = copy.run("replay gauge.trace");
    assert_eq!(output.status.code(), Some(1));
    for part in [
        "expected text \"LEVEL  21%\" on READOUT",
        "LEVEL  20%",
        "nudge screenshot gauge.trace --display READOUT --at ",
    ] {
        assert!(said(&output).contains(part), "{part}\n{}", said(&output));
    }
}

#[test]
fn a_program_without_line_tables_has_no_coverage() {
    let copy = Copy::new();
    copy.write("named.trace", &naming("handheld.board.toml"));
    let on = "--board handheld.board.toml";
    for line in [
        format!("replay named.trace {on} --coverage a.info"),
        format!("trace rank named.trace {on}"),
        // The trace names the board.
        "replay named.trace --coverage a.info".to_owned(),
        "trace rank named.trace".to_owned(),
    ] {
        copy.refuses(&line, 2, "the program has no debugging information");
    }
    assert!(!copy.0.path().join("a.info").exists());
}
