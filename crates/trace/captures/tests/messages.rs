//! The exact text of every message about a broken file, which users see and scripts may read.

use std::fs;
use std::path::Path;

use captures::compare::{CompareOptions, compare};
use captures::presses::trace_of;
use captures::{Capture, Edge, FormatError, Wiring, scenario};
use trace::{BoardParts, Buttons, ControlKind, Controls, LedKind, Leds};

/// Returns the message about a file of this name and content, without its folder.
#[track_caller]
fn message_of<T>(
    name: &str,
    content: impl AsRef<[u8]>,
    read: impl Fn(&Path) -> Result<T, FormatError>,
) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    let Err(error) = read(&path) else { panic!("{name} is read without an error") };
    error.to_string().replace(&format!("{}/", folder.path().display()), "")
}

fn wiring(map: &str) -> Wiring {
    if map.is_empty() { Wiring::default() } else { map.parse().unwrap() }
}

fn edges(path: &Path, map: &str) -> Result<Vec<Edge>, FormatError> {
    Capture::open(path, &wiring(map))?.collect()
}

#[test]
fn messages_about_waveforms() {
    const HEAD: &str = "$timescale 1 ns $end\n$var wire 1 ! B1 $end\n$enddefinitions $end\n";
    for (text, expected) in [
        ("$timescale 1 ns $end\n$var wire 1 ! B1 $end\n$enddefinitions $end\n#0\n1!\n$comment x".to_owned(), "a.vcd:6: the file ends in the middle of something; it has been cut off"),
        ("$timescale 1 ns $end\n".to_owned(), "a.vcd:2: the file ends before its $enddefinitions"),
        ("$timescale 1 ns $end\n$var wire 1 ! B1 $end\n$enddefinitions $end\n#0\n1!\n\0\0".to_owned(), "a.vcd:6: unexpected character at start of command"),
        ("$timescale 1 ns $end\n$var wire 1 ! B1 $end\n$enddefinitions $end\n#0\n1!\n#9223372036854775808\n".to_owned(), "a.vcd:6: #9223372036854775808 is past 2^63 ns, the end of virtual time (292 years)"),
        ("$timescale 1 ns $end\n$var wire 1 ! B1 $end\n$enddefinitions $end\n#0\n1!\n#99999999999999999999\n".to_owned(), "a.vcd:6: a number that is none, or past 2^64"),
        ("$timescale 1 ns $end\n$var wire 1 ! B1 $end\n$enddefinitions $end\n#0\n1!\n#9\n#8\n".to_owned(), "a.vcd:7: #8 comes before the time above it (9 ns); times never go back"),
        ("$timescale 1 h $end\n$var wire 1 ! B1 $end\n$enddefinitions $end\n#0\n1!\n".to_owned(), "a.vcd:1: an unknown unit of time; a timescale is in s, ms, us, ns, ps or fs"),
        ("$timescale 0 ns $end\n$var wire 1 ! B1 $end\n$enddefinitions $end\n#0\n1!\n".to_owned(), "a.vcd:1: a timescale of 0; it is 1, 10 or 100 of a unit"),
        ("\n$var wire 1 ! B1 $end\n$enddefinitions $end\n#0\n1!\n".to_owned(), "a.vcd:3: the head has no $timescale; times mean nothing without it"),
        ("$timescale 1 ns $end\n$var wire 1 ! B1 $end\n$var wire 1 ! B2 $end\n".to_owned(), "a.vcd:3: the id `!` of `B2` belongs to another channel in line 2"),
        ("$timescale 1 ns $end\n$var wire 1 ! B1 $end\n$var wire 1 \" x.B1 $end\n".to_owned(), "a.vcd:3: `x.B1` is B1, and so is a channel in line 2; say which one is meant, like `--map B1=x.B1`"),
        ("$timescale 1 ns $end\n$var wire 8 ! B1 $end\n".to_owned(), "a.vcd:2: `B1` is B1 but 8 bits wide; a wire has one"),
        ("$timescale 1 ns $end\n$var wire 1 ! clk $end\n$enddefinitions $end\n#0\n1!\n".to_owned(), "a.vcd: has none of the board's wires; it has clk: say which is which, like `--map B1=D3,SCK=D0`"),
        ("$timescale 1 ns $end\n$enddefinitions $end\n".to_owned(), "a.vcd: has none of the board's wires; it has no channels: say which is which, like `--map B1=D3,SCK=D0`"),
        ("$timescale 1 ns $end\n$var wire 1 ! B1 $end\n$enddefinitions $end\n#0\n1!\n$scope module x $end\n".to_owned(), "a.vcd:6: a scope is below the head"),
        ("$timescale 1 ns $end\n$var wire 1 ! B1 $end\n$enddefinitions $end\n#0\n1!\n$timescale 1 ns $end\n".to_owned(), "a.vcd:6: $timescale is below the head"),
        ("$timescale 1 ns $end\n$var wire 1 ! B1 $end\n$enddefinitions $end\n#0\n1!\n$var wire 1 a b $end\n".to_owned(), "a.vcd:6: $var is below the head"),
        ("$timescale 1 ns $end\n$var wire 1 ! B1 $end\n$enddefinitions $end\n#0\n1!\n$enddefinitions $end\n".to_owned(), "a.vcd:6: $enddefinitions is below the head"),
        ("$timescale 1 ns $end\n$var wire 1 ! B1 $end\n$enddefinitions $end\n#0\n1!\n$version x $end\n".to_owned(), "a.vcd:6: a text is below the head"),
        ("$timescale 1 ns $end\n#5\n".to_owned(), "a.vcd:2: a time is in the head"),
        ("$timescale 1 ns $end\n1!\n".to_owned(), "a.vcd:2: a value is in the head"),
        ("".to_owned(), "a.vcd:1: the file ends before its $enddefinitions"),
        ("$scope module a $end\n".repeat(70), "a.vcd:65: scopes lie deeper than 64"),
        (format!("$scope module {} $end\n", "a".repeat(3_000)).repeat(2), "a.vcd:2: names of scopes and channels of more than 4096 bytes"),
        ("$comment nudge header seed 7 $end\n".repeat(65), "a.vcd:65: more than 64 lines of a trace's header"),
        (format!("$comment {}", "x".repeat(3 << 20)), "a.vcd:1: more than 1 MiB without an end; this is no such file"),
    ] {
        assert_eq!(message_of("a.vcd", &text, |path| edges(path, "")), expected, "{text:.80}");
    }
    let unmapped = message_of("a.vcd", format!("{HEAD}#0\n"), |path| edges(path, "B2=D9"));
    assert_eq!(unmapped, "a.vcd: has no channel `D9` for B2; it has B1");
}

#[test]
fn messages_about_exports() {
    for (text, expected) in [
        (
            "Time [s],B1\n0,1\n1.5\n".to_owned(),
            "a.csv:3: a row of 1 columns, and the head has 2; the file may have been cut off",
        ),
        ("Time [s],B1\n0,1\n1.5,\n".to_owned(), "a.csv:3: `` is no level of B1: 0, 1 or X"),
        ("Time [s],B1\n0,1\n1.5,high\n".to_owned(), "a.csv:3: `high` is no level of B1: 0, 1 or X"),
        (
            "Time [s],B1\n0,1\n1,0\n0.5,1\n".to_owned(),
            "a.csv:4: the row's time is before the one above; times never go back",
        ),
        (
            "Time [s],B1\n0,1\n9223372037,0\n".to_owned(),
            "a.csv:3: the row's time is past 2^63 ns, the end of virtual time (292 years)",
        ),
        (
            "Time [s],B1\n2026-11-21T10:00:00Z,0\n".to_owned(),
            "a.csv:2: `2026-11-21T10:00:00Z` is no time in seconds; export without ISO 8601 time stamps",
        ),
        (
            "Time [s],B1,B1\n".to_owned(),
            "a.csv:1: two columns are B1; say which one is meant with `--map`",
        ),
        (
            "Time [s],clk\n0,1\n".to_owned(),
            "a.csv: has none of the board's wires; it has clk: say which is which, like `--map B1=D3,SCK=D0`",
        ),
        (
            "B1,B2\n0,1\n".to_owned(),
            "a.csv:1: `B1` is no column of times like `Time [s]`, and no `; Samplerate: …` is above it; export with times or with sigrok's header",
        ),
        (
            "; Samplerate: many\nB1\n1\n".to_owned(),
            "a.csv:1: `many` is no sample rate, like `1 MHz`",
        ),
        (
            "META samplerate: 0 Hz\nB1\n1\n".to_owned(),
            "a.csv:1: `0 Hz` is no sample rate, like `1 MHz`",
        ),
        ("\0\0".to_owned(), "a.csv:1: a NUL byte; this is no CSV"),
        ("".to_owned(), "a.csv:1: there is no row of values here"),
        ("\n\n".to_owned(), "a.csv:3: there is no row of values here"),
        (
            format!("Time [s],B1{}\n", ",x".repeat(5_000)),
            "a.csv:1: a row has more than 4096 columns",
        ),
        ("x".repeat(3 << 20), "a.csv:1: more than 1 MiB without an end; this is no such file"),
        (
            format!("Time [s],B1\n0,{}", "1".repeat(3 << 20)),
            "a.csv:2: more than 1 MiB without an end; this is no such file",
        ),
        (
            format!("Time [s],B1\n{},0\n", "y".repeat(50)),
            "a.csv:2: `yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…` is no time in seconds; export without ISO 8601 time stamps",
        ),
    ] {
        assert_eq!(message_of("a.csv", &text, |path| edges(path, "")), expected, "{text:.80}");
    }
}

#[test]
fn messages_about_scenarios() {
    for (text, expected) in [
        ("name: x\nversion: 1\nsteps:\n- delya: 3ms\n".to_owned(), "a.yaml:4: unknown step `delya`; did you mean `delay`?"),
        ("name: x\nversion: 1\nsteps:\n- delay: 30\n".to_owned(), "a.yaml:4: `30` lacks its unit; every number carries one, like `30ms`"),
        ("name: x\nversion: 1\nsteps:\n- delay: 99999999999s\n".to_owned(), "a.yaml:4: `99999999999s` is past 2^63 ns, the end of virtual time (about 292 years)"),
        ("name: x\nversion: 1\nsteps:\n- delay: 5000000000s\n- delay: 5000000000s\n".to_owned(), "a.yaml:5: time ends at 2^63 ns, about 292 years, and this is past it"),
        ("name: x\nversion: 1\nsteps:\n- {delay: 3ms, touch: 1}\n".to_owned(), "a.yaml:4: a second step in one entry; each has its own `-`"),
        ("name: x\nversion: 1\nsteps:\n- &a delay: 3ms\n- *a\n".to_owned(), "a.yaml:5: an alias; scenarios are read without them: write the value out"),
        ("name: x\nversion: 1\nsteps:\n- delay: 3ms\n  delay: 4ms\n".to_owned(), "a.yaml:5: the key is in line 4 already"),
        ("name: x\nversion: 1\nsteps:\n- delay: [3\n".to_owned(), "a.yaml:5: while parsing a flow sequence, expected ',' or ']'"),
        ("name: x\nversion: 1\nsteps:\n- [3]\n".to_owned(), "a.yaml:4: a step is a map like `delay: 500ms`, and this is a list"),
        ("name: x\nversion: 1\nsteps:\n- {[a]: 3}\n".to_owned(), "a.yaml:4: a list as a key; a key is a text"),
        ("name: x\nversion: 1\nsteps:\n- text\n".to_owned(), "a.yaml:4: a step is a map like `delay: 500ms`, and this is a text"),
        ("name: x\nversion: 1\nsteps:\n- set-control: {part-id: B1, control: pressed, value: 7}\n".to_owned(), "a.yaml:4: `7` is no value of `pressed`: 0 or 1"),
        ("name: x\nversion: 1\nsteps:\n- set-control: {control: pressed, value: 7}\n".to_owned(), "a.yaml:4: set-control names no `part-id`"),
        ("name: x\nversion: 1\nsteps:\n- set-control: {part-id: B1, value: 7}\n".to_owned(), "a.yaml:4: set-control names no `control`"),
        ("name: x\nversion: 1\nsteps:\n- set-control: {part-id: B1, control: pressed}\n".to_owned(), "a.yaml:4: set-control has no `value`"),
        ("name: x\nversion: 1\nsteps:\n- take-screenshot: {part-id: lcd}\n".to_owned(), "a.yaml:4: take-screenshot names neither `save-to` nor `compare-with`"),
        ("name: x\nversion: 2\nsteps: []\n".to_owned(), "a.yaml:2: an unknown version of scenarios; this build reads version 1"),
        ("name: x\nversion: 1\n".to_owned(), "a.yaml:1: there is no `steps:` here; a scenario is a list of steps"),
        ("nmae: x\nsteps: []\n".to_owned(), "a.yaml:1: unknown key `nmae`; did you mean `name`?"),
        ("name: x\nsteps: 7\n".to_owned(), "a.yaml:2: `steps` is a text; it is a list"),
        ("name: x\nsteps: {a: 1}\n".to_owned(), "a.yaml:2: `steps` is a map; it is a list"),
        ("".to_owned(), "a.yaml:1: there is nothing here; a scenario has `steps:`"),
        ("name: \0\n".to_owned(), "a.yaml:1: a NUL byte; this is no YAML"),
        ("a: &a [x,x]\nb: &b [*a,*a]\n".to_owned(), "a.yaml:2: an alias; scenarios are read without them: write the value out"),
        ("- 7\n".to_owned(), "a.yaml:1: a scenario is a map with `steps:`, and this is a list"),
        ("seven\n".to_owned(), "a.yaml:1: a scenario is a map with `steps:`, and this is a text"),
        ("a: 1\n---\nb: 2\n".to_owned(), "a.yaml:2: a second document; a scenario is one"),
        (format!("steps:\n- {}", "[".repeat(100)), "a.yaml:2: values lie deeper than 32"),
        ("#".repeat(1 << 21), "a.yaml: is larger than 1 MiB; no scenario is"),
        (format!("steps: [{}]", "x,".repeat(100_001)), "a.yaml:1: more than 100000 values"),
    ] {
        let load = |path: &Path| scenario::load(path, &Wiring::default());
        assert_eq!(message_of("a.yaml", &text, load), expected, "{text:.80}");
    }
    let bytes = b"name: x\nauthor: \xFF\n";
    let load = |path: &Path| scenario::load(path, &Wiring::default());
    assert_eq!(message_of("a.yaml", bytes, load), "a.yaml:2: is not UTF-8");
}

#[test]
fn losses_are_reported_with_their_line_and_in_a_comment() {
    for (step, expected) in [
        (
            "expect-pin: {pin: 2}",
            "expect-pin: a trace judges no pins but those that drive an LED of the diagram",
        ),
        ("touch-move: {x: 1}", "touch-move: the board's LCD feels no touch"),
        ("expect-chip-output: {a: 1}", "expect-chip-output: the board has no such part"),
        (
            "set-control: {part-id: pot1, control: position, value: 1}",
            "set-control: `pot1` is no button of the board; `--map B1=pot1` makes it one",
        ),
        (
            "set-control: {part-id: B1, control: colour, value: 1}",
            "set-control: B1 has only `pressed`, not `colour`",
        ),
        ("wait-serial: ''", "wait-serial: a `wait console` has a text that can be printed"),
        (
            "take-screenshot: {part-id: lcd, save-to: a.png, format: gif}",
            "take-screenshot: `format` is unknown",
        ),
    ] {
        let text = format!("steps:\n- {step}\n");
        let scenario = scenario::parse("a.yaml", &text, &Wiring::default()).unwrap();
        let losses: Vec<String> = scenario.losses.iter().map(ToString::to_string).collect();
        assert_eq!(losses, [format!("a.yaml:2: {expected}")]);
        let trace = scenario.converted.trace.to_string();
        assert!(trace.contains(&format!("# not carried over (line 2): {expected}\n")), "{trace}");
    }
}

#[test]
fn messages_about_files_that_are_not_captures() {
    let folder = tempfile::tempdir().unwrap();
    let open = |path: &Path| edges(path, "");
    for (name, content, expected) in [
        (
            "noise",
            "noise",
            "noise: is neither a trace, a VCD, a CSV export nor a scenario; a name that ends in \
             .trace, .vcd, .csv or .yaml says which is meant",
        ),
        ("a.trace", "trace 1\n", "a.trace: is no capture of wires; give a VCD or a CSV export"),
        (
            "b.csv",
            "Time [s],a1,a2,a3,a4,a5,a6,a7,a8,a9,a10,a11,a12,a13\n",
            "b.csv: has none of the board's wires; it has a1, a2, a3, a4, a5, a6, a7, a8, a9, \
             a10, a11, a12, …: say which is which, like `--map B1=D3,SCK=D0`",
        ),
    ] {
        assert_eq!(message_of(name, content, open), expected);
    }
    let missing = folder.path().join("gone.vcd");
    let error = open(&missing).unwrap_err().to_string();
    let system = fs::read(&missing).unwrap_err();
    assert_eq!(error, format!("{}: {system}", missing.display()));
}

#[test]
fn messages_about_captures_that_do_not_make_a_trace() {
    const HEAD: &str = "$timescale 1 us $end\n$var wire 1 ! POWER $end\n$var wire 1 \" B1 $end\n\
                        $enddefinitions $end\n";
    let convert =
        |path: &Path| trace_of(&mut Capture::open(path, &Wiring::default()).unwrap(), None);
    for (text, expected) in [
        (
            HEAD.replace("B1", "CS"),
            "a.vcd: has no button; a trace is made of B1 to B6, T1 to T6 and RESET",
        ),
        (format!("{HEAD}#0\n0!\n1\"\n#9\n"), "a.vcd: the power never comes (POWER is low)"),
        (
            format!("{HEAD}#0\n0!\n1\"\n#9\n0\"\n"),
            "a.vcd: B1 moves at 9 us, before the power comes; a trace begins with it",
        ),
    ] {
        assert_eq!(message_of("a.vcd", text, convert), expected);
    }
    let mut many = "$timescale 1 us $end\n$var wire 1 ! B1 $end\n$enddefinitions $end\n".to_owned();
    for at in 0..1_000_000_u32 {
        many += &format!("#{at}\n{}!\n", at & 1);
    }
    assert_eq!(
        message_of("a.vcd", many, convert),
        "a.vcd: has more than 1000000 edges of buttons by 999.899 ms, which no trace holds; do \
         contacts bounce? `--debounce 5ms` leaves that out"
    );
}

#[test]
fn messages_about_captures_that_cannot_be_compared() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, wire: &str, edges: &str| {
        let text = format!(
            "$timescale 1 us $end\n$var wire 1 ! {wire} $end\n$enddefinitions $end\n#0\n1!\n{edges}#99\n"
        );
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let b1 = put("b1.vcd", "B1", "#5\n0!\n");
    let still = put("still.vcd", "B1", "");
    let b2 = put("b2.vcd", "B2", "#5\n0!\n");
    let fails = |paths: [&Path; 2], options: CompareOptions| {
        let error = compare(paths, &options).unwrap_err().to_string();
        error.replace(&format!("{}/", folder.path().display()), "")
    };
    let signals = vec![captures::Signal::ChipSelect];
    assert_eq!(
        fails([&b1, &b1], CompareOptions { signals, ..CompareOptions::default() }),
        "b1.vcd: has no CS; `--signals` names it, and `--map CS=CHANNEL` says where it is"
    );
    assert_eq!(
        fails([&b1, &b2], CompareOptions::default()),
        "b2.vcd: has no wire in common with b1.vcd"
    );
    assert_eq!(
        fails([&b1, &still], CompareOptions::default()),
        "still.vcd: has no edge that could be one of b1.vcd: nothing aligns them"
    );
}

#[test]
fn messages_about_maps() {
    for (map, expected) in [
        ("B1", "`B1` is no entry of a map; one is like `B1=D3`, wire first"),
        ("RESTE=D3", "`RESTE` is no wire of the board; did you mean `RESET`?"),
        ("X1=D3", "`X1` is no wire of the board"),
        ("B1= ", "`B1= ` names no channel"),
        ("B1=D3,B2=D3", "`B2=D3` contradicts the entry of B1 before it"),
    ] {
        assert_eq!(map.parse::<Wiring>().unwrap_err().to_string(), expected);
    }
}

#[test]
fn steps_name_the_parts_of_an_imported_diagram() {
    let names = [
        ("btn1", "A"),
        ("enc1", "KNOB"),
        ("enc1:SW", "KNOB-SW"),
        ("pot1", "LEVEL"),
        ("joy1", "STICK"),
        ("sw1", "MODE"),
        ("led1", "RED"),
        ("led1:A", "RED"),
        ("led2", "BLUE"),
        ("led2:C", "BLUE"),
    ];
    let names = names.map(|(id, name)| (id.to_owned(), name.to_owned())).into();
    let parts = BoardParts {
        buttons: Buttons::new(["A", "KNOB-SW"]).unwrap(),
        controls: Controls::new([
            (ControlKind::Encoder, "KNOB"),
            (ControlKind::Potentiometer, "LEVEL"),
            (ControlKind::Joystick, "STICK"),
            (ControlKind::Switch, "MODE"),
        ])
        .unwrap(),
        leds: Leds::new([(LedKind::Plain, "RED"), (LedKind::Plain, "BLUE")]).unwrap(),
        ..BoardParts::default()
    };
    let parts = scenario::DiagramParts { parts: &parts, names: &names };
    let set = |part: &str, control: &str, value: &str| {
        format!("- set-control: {{part-id: {part}, control: {control}, value: {value}}}\n")
    };
    let pin = |part: &str, pin: &str, value: &str| {
        format!("- expect-pin: {{part-id: {part}, pin: {pin}, value: {value}}}\n")
    };
    let read = |steps: &str| scenario::parse_on("a.yaml", &format!("steps:\n{steps}"), parts);
    for (step, line) in [
        (set("btn1", "pressed", "1"), "press A"),
        (set("enc1", "pressed", "true"), "press KNOB-SW"),
        (set("enc1", "rotate-cw", "3"), "turn KNOB by 3"),
        (set("enc1", "rotate-ccw", "1"), "turn KNOB by -1"),
        (set("pot1", "position", "0.25"), "set LEVEL 0.25"),
        (set("sw1", "value", "1"), "switch MODE on"),
        (pin("led1", "A", "1"), "expect led RED on"),
        (pin("led1", "A", "0"), "expect led RED off"),
        (pin("led2", "C", "0"), "expect led BLUE on"),
        ("- wait-serial: 'a b'\n".into(), "wait console \"a b\" within 30s"),
        ("- write-serial: \"go\\n\"\n".into(), "type bytes \"go\\n\""),
        ("- write-serial: [3, 65]\n".into(), "type bytes \"\\x03A\""),
        (
            "- take-screenshot: {part-id: lcd1, compare-with: a/win.png}\n".into(),
            "expect frame win",
        ),
    ] {
        let scenario = read(&step).unwrap();
        let text = scenario.converted.trace.to_string();
        assert!(text.contains(&format!("+0ms    {line}\n")), "{step}{text}");
        assert!(scenario.losses.is_empty(), "{:?}", scenario.losses);
        assert_eq!(scenario.lines, [1, 2, 2]);
    }
    for (step, loss) in [
        (
            set("pot9", "position", "1"),
            "set-control: the board has no part `pot9` that can be moved",
        ),
        (
            set("led1", "brightness", "1"),
            "set-control: the board has no part `led1` that can be moved",
        ),
        (set("joy1", "x", "1"), "set-control: a trace does not move `x` of the joystick joy1"),
        (
            set("enc1", "speed", "1"),
            "set-control: a trace does not move `speed` of the encoder enc1",
        ),
        (
            pin("led2", "A", "1"),
            "expect-pin: a trace judges no pins but those that drive an LED of the diagram",
        ),
    ] {
        let losses = read(&step).unwrap().losses;
        let losses: Vec<String> = losses.iter().map(ToString::to_string).collect();
        assert_eq!(losses, [format!("a.yaml:2: {loss}")]);
    }
    for (step, error) in [
        (set("pot1", "position", "2"), "`2` is no value of `position`: a number from 0 to 1"),
        (
            set("enc1", "rotate-cw", "-1"),
            "`-1` is no value of `rotate-cw`: a whole number from 0 to 1000",
        ),
        (set("sw1", "value", "on"), "`on` is no value of `value`: 0 or 1"),
        ("- expect-pin: {part-id: led1, pin: A}\n".to_owned(), "expect-pin has no `value`: 0 or 1"),
        (
            "- write-serial: [256]\n".to_owned(),
            "write-serial takes a text, or a list of bytes from 0 to 255",
        ),
    ] {
        assert_eq!(read(&step).unwrap_err().to_string(), format!("a.yaml:2: {error}"));
    }
    // Two pictures of one name in two folders are two goldens.
    let pictures = "- take-screenshot: {compare-with: a/win.png}\n- delay: 1s\n\
                    - take-screenshot: {compare-with: b/win.png}\n";
    let goldens = read(pictures).unwrap().goldens;
    let goldens: Vec<_> =
        goldens.iter().map(|golden| (&*golden.name, &*golden.path, golden.line)).collect();
    assert_eq!(goldens, [("win", "a/win.png", 2), ("win-2", "b/win.png", 4)]);
}
