//! Tests the verdicts of replays on a real board connected to a port.

use std::fs;

use probe::software::Flaws;
use probe_protocol::Wire;
use trace::Button;

use super::bench::Bench;
use super::{board, ended, replay, trace};
use crate::command;

#[test]
fn traces_pass_as_on_native_and_release_all_buttons() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["bonus-player-2", "together", "sound-off", "reset-while-sowing"] {
        let path = trace(name);
        let (code, said) = ended(&replay("native", &path).output().unwrap());
        assert_eq!(code, Some(0), "{said}");
        let attempt = |number: u32| {
            let port = folder.path().join(format!("{name}{number}"));
            let bench = Bench::new(&port, &path, Flaws::default());
            let (code, said) = ended(&replay(&board(&bench.port), &path).output().unwrap());
            (bench, code, said)
        };
        // A computer with much other work is late sometimes, and the message reports it.
        let is_late = |said: &str| said.contains("it reached the probe after its time");
        let mut attempts = (0..5).map(attempt).skip_while(|(_, _, said)| is_late(said));
        let (bench, code, said) = attempts.next().expect("one that is not late");
        assert_eq!(code, Some(0), "{name}: {said}");
        assert!(said.contains("1 passed"), "{said}");
        let buttons = bench.buttons.lock().unwrap();
        assert!(buttons.len() > 2 && buttons.last().unwrap().1.is_empty(), "{name}: {buttons:?}");
    }
}

#[test]
fn a_trace_that_fails_on_native_fails_in_the_same_way() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.trace");
    let text = "trace 1\ngame board\n\n0ms power on\n+0ms wait text \"Player 1's turn\" within 5s\n\
                +0ms settle within 5s\n+100ms expect text \"Player 7's turn\"\n+0ms end\n";
    fs::write(&path, text).unwrap();
    let bench = Bench::new(&folder.path().join("port"), &path, Flaws::default());
    let (native_code, native) = ended(&replay("native", &path).output().unwrap());
    let (code, said) = ended(&replay(&board(&bench.port), &path).output().unwrap());
    assert_eq!((native_code, code), (Some(1), Some(1)), "{native}{said}");
    let problem = |said: &str| {
        let line = said.lines().find(|line| line.contains("Player 7's turn")).map(str::to_owned);
        line.unwrap_or_else(|| panic!("no failure is told: {said}"))
    };
    assert_eq!(problem(&said), problem(&native));
}

#[test]
fn results_of_real_boards_are_not_cached() {
    let folder = tempfile::tempdir().unwrap();
    let path = trace("no-bonus");
    let bench = Bench::new(&folder.path().join("port"), &path, Flaws::default());
    let cache = folder.path().join("cache");
    let mut command = replay(&board(&bench.port), &path);
    let (code, said) = ended(&command.arg("--cache").arg(&cache).output().unwrap());
    assert_eq!(code, Some(0), "{said}");
    let kept = fs::read_dir(&cache).map_or(0, Iterator::count);
    assert_eq!(kept, 0, "a result of a real board is kept");
}

/// The board receives the settings of the header over its console.
#[test]
fn a_board_with_other_settings_gets_those_of_the_header() {
    let folder = tempfile::tempdir().unwrap();
    let path = trace("wari/stones-5");
    for attempt in 0.. {
        // A board with another game system, with sound off.
        let port = folder.path().join(format!("port{attempt}"));
        let bench = Bench::new(&port, &trace("sound-off"), Flaws::default());
        let (code, said) = ended(&replay(&board(&bench.port), &path).output().unwrap());
        if said.contains("it reached the probe after its time") && attempt < 5 {
            continue;
        }
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains("1 passed"), "{said}");
        break;
    }
}

#[test]
fn boards_are_compared_side_by_side_at_the_first_difference() {
    let folder = tempfile::tempdir().unwrap();
    let path = trace("bonus-player-2");
    let compare = |name: &str, flaws: Flaws| {
        let bench = Bench::new(&folder.path().join(name), &path, flaws);
        let mut command = command::nudge();
        command.args(["replay", "--boards", &format!("native,{}", board(&bench.port))]).arg(&path);
        command.args(["--fail-on-change", "--artifacts", "out"]).current_dir(folder.path());
        ended(&command.output().unwrap())
    };
    let mut sound = (0..5).map(|number| compare(&format!("sound{number}"), Flaws::default()));
    let is_late = |said: &str| said.contains("it reached the probe after its time");
    let (code, said) = sound.find(|(_, said)| !is_late(said)).unwrap();
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("SAME ") && said.contains("1 the same, 0 different"), "{said}");
    assert!(
        said.contains(" against native: frames +") && said.contains("; console lines "),
        "{said}"
    );
    // All bytes on a broken wire are 0, so the LCD shows nothing correctly.
    let flaws = Flaws { wire_off: Some(Wire::Mosi), ..Flaws::default() };
    let (code, said) = compare("broken", flaws);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("DIFFERS ") && said.contains("0 the same, 1 different"), "{said}");
    let picture = said.lines().find_map(|line| line.trim().split_once(".png: native | probe:"));
    let (picture, _) = picture.unwrap_or_else(|| panic!("no picture is told: {said}"));
    let file = fs::File::open(folder.path().join(picture).with_extension("png")).unwrap();
    let picture = png::Decoder::new(std::io::BufReader::new(file)).read_info().unwrap();
    assert_eq!(picture.info().size(), (648, 240));
}

/// The flashed program on an emulated chip is the second board, between `native` and the real
/// board.
#[test]
fn three_boards_are_compared_with_frames_and_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = trace("together");
    let flaws = Flaws { wire_off: Some(Wire::Mosi), ..Flaws::default() };
    let bench = Bench::new(&folder.path().join("port"), &path, flaws);
    let mut command = command::nudge();
    let boards = format!("native,pico,{}", board(&bench.port));
    command.args(["replay", "--boards", &boards]).arg(&path);
    command.args(["--fail-on-change", "--artifacts", "out"]).current_dir(folder.path());
    let (code, said) = ended(&command.output().unwrap());
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("native and probe:") && said.contains("    pico against native: "),
        "{said}"
    );
    let picture =
        said.lines().find_map(|line| line.trim().split_once(".png: native | pico | probe:"));
    let (picture, _) = picture.unwrap_or_else(|| panic!("no picture is told: {said}"));
    let file = fs::File::open(folder.path().join(picture).with_extension("png")).unwrap();
    let picture = png::Decoder::new(std::io::BufReader::new(file)).read_info().unwrap();
    assert_eq!(picture.info().size(), (3 * 320 + 2 * 8, 240));
    let page = fs::read_to_string(folder.path().join("out/boards.html")).unwrap();
    for words in
        ["together.trace", "pico", "<th>Frames</th>", "<th>Debouncing and answer</th>", "<img"]
    {
        assert!(page.contains(words), "{words}: {page}");
    }
}

/// A board whose crystal is 2 % slow, which is more than any real crystal. In the board editor the
/// turn blinks every 400 ms without input.
#[test]
fn the_drift_of_a_boards_clock_is_measured() {
    const SLOW_PPM: u32 = 20_000;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("blinks.trace");
    let text = "trace 1\ngame wari\n\n0ms power on\n+0ms wait text \"Bottom's turn\" within 5s\n\
                +0ms settle within 5s\n+500ms tap RESET for 1200ms\n+1.5s tap B2\n+200ms tap B4\n\
                +200ms tap B5\n+6s end\n";
    fs::write(&path, text).unwrap();
    let flaws = Flaws { board_slow_ppm: SLOW_PPM, ..Flaws::default() };
    let bench = Bench::new(&folder.path().join("port"), &path, flaws);
    let mut command = command::nudge();
    command.args(["replay", "--boards", &format!("native,{}", board(&bench.port))]).arg(&path);
    command.args(["--artifacts", "out"]);
    let (_, said) = ended(&command.current_dir(folder.path()).output().unwrap());
    let words =
        said.split_once("by its own clock +").and_then(|(_, rest)| rest.split_once(" ppm, "));
    let (ppm, _) = words.unwrap_or_else(|| panic!("no drift is told: {said}"));
    let apart = ppm.parse::<f64>().unwrap() - f64::from(SLOW_PPM);
    assert!(apart.abs() < 2_000.0, "{said}");
    let page = fs::read_to_string(folder.path().join("out/boards.html")).unwrap();
    assert!(page.contains(&format!("<td>+{ppm} ppm, uncertain by ")), "{page}");
}

/// Measures the duration of a trace on a real probe; most of it is the board's own time.
/// docs/hil-probe.md has the results.
#[test]
#[ignore = "measures: a minute"]
fn the_duration_of_a_trace_on_a_probe_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["together", "no-bonus-across", "sound-off", "backlight", "computer/pace"] {
        let path = trace(name);
        let bench =
            Bench::new(&folder.path().join(name.replace('/', "-")), &path, Flaws::default());
        let begun = host::clock::Stopwatch::start();
        let (code, said) = ended(&replay(&board(&bench.port), &path).output().unwrap());
        println!("{name}: {:.1} s, {code:?}: {}", begun.elapsed().as_secs_f64(), said.trim());
    }
}

#[test]
fn two_probes_share_a_suite_in_one_report() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    let suite = folder.path().join("suite");
    fs::create_dir(&suite).unwrap();
    let text = "trace 1\ngame board\n\n0ms power on\n+0ms wait text \"Player 1's turn\" within 5s\n\
                +0ms settle within 5s\n+1s tap B1\n+0ms settle within 5s\n+0ms end\n";
    for name in ["a", "b"] {
        fs::write(suite.join(name).with_extension("trace"), text).unwrap();
    }
    let trace = suite.join("a.trace");
    let benches = [&one, &other].map(|port| Bench::new(port, &trace, Flaws::default()));
    // The third probe is missing, so its traces go to the others.
    let board = format!("probe:{},{},{}", one.display(), other.display(), suite.display());
    let mut command = replay(&board, &suite);
    let (code, said) = ended(&command.args(["--jobs", "2"]).output().unwrap());
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("2 passed"), "{said}");
    for bench in &benches {
        let buttons = bench.buttons.lock().unwrap();
        let presses = buttons.iter().filter(|(_, down)| *down == [Button::B1]).count();
        assert_eq!(presses, 1, "{buttons:?}");
    }
}

#[test]
fn features_that_real_boards_lack_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.trace");
    fs::write(&path, "trace 1\nflash one.flash\n\n0ms power on\n+0ms end\n").unwrap();
    let check = |arguments: &str, said: &str| {
        let [_, err] = command::check(folder.path(), arguments, 2, &[]);
        assert!(err.contains(said), "{arguments}: {err}");
    };
    let board = "--board probe:/dev/null";
    check(&format!("replay {board} one.trace --repeat 2"), "never twice the same");
    check(&format!("replay {board} one.trace"), "one.flash; it belongs beside the trace");
    check("replay --board probe:x,x one.trace", "named twice");
    check("replay --board probe: one.trace", "wants the port of a probe");
    for option in ["--seed 3", "--game wari", "--flash a.bin", "--speed 2", "--watch"] {
        check(&format!("run {board} {option}"), "is for virtual boards");
    }
}
