//! Tests `nudge replay --vcd`: a waveform of the wires in the one replayed trace.

use captures::{Capture, Edge, Signal, Wiring};
use trace::Button;
use virtual_time::Instant;

use super::TestFolder;

/// Ends within the first picture.
const PRESS: &str = "trace 1\nseed 7\n\n0ms power on\n100ms tap B3\n276ms end\n";

/// Returns the edges of a wire after its first level.
fn edges(sandbox: &TestFolder, name: &str, signal: Signal) -> Vec<Edge> {
    let capture = Capture::open(&sandbox.path(name), &Wiring::default()).unwrap();
    capture.map(Result::unwrap).filter(|edge| edge.signal == signal).skip(1).collect()
}

#[test]
fn a_replay_writes_the_wires_that_convert_writes() {
    sampled!();
    let sandbox = TestFolder::new();
    sandbox.put("press.trace", PRESS);
    sandbox
        .run("replay press.trace --vcd press.vcd")
        .is(0, "1 passed, 0 failed\n")
        .is(0, "wrote press.vcd");
    let b3 = Signal::Button(Button::B3);
    let moved = |at, high| Edge { at: Instant::from_millis(at), signal: b3, high };
    assert_eq!(edges(&sandbox, "press.vcd", b3), [moved(100, false), moved(180, true)]);
    assert!(
        edges(&sandbox, "press.vcd", Signal::Clock).len() > 500_000,
        "a part of the picture at power-on"
    );
    sandbox.nudge("convert press.trace other.vcd").is(0, "wrote");
    assert!(sandbox.read("press.vcd") == sandbox.read("other.vcd"));
}

#[test]
fn a_failing_trace_also_has_a_waveform() {
    let sandbox = TestFolder::new();
    sandbox.put("fails.trace", PRESS.replace("276ms end", "276ms expect text \"NEVER\""));
    sandbox.run("replay fails.trace --vcd fails.vcd").is(1, "FAIL").is(1, "wrote fails.vcd");
    assert_eq!(edges(&sandbox, "fails.vcd", Signal::Button(Button::B3)).len(), 2);
}

#[test]
fn one_replay_writes_the_same_as_separate_replays() {
    sampled!();
    let sandbox = TestFolder::new();
    let trace = PRESS.replace("276ms end", "276ms expect frame gone\n+0ms settle within 9s");
    sandbox.put("press.trace", trace);
    // The golden is missing, so the replay fails; the waveform, the film and the table are
    // complete.
    let arguments = "replay press.trace --board native --vcd all.vcd --gif all.gif --timing";
    let all = sandbox.run(arguments);
    all.is(1, "0 passed, 1 failed\n").is(1, "wrote all.vcd\nwrote all.gif, ");
    for alone in ["--vcd one.vcd", "--gif one.gif"] {
        sandbox.run(&format!("replay press.trace {alone}")).is(1, "wrote one.");
    }
    assert!(sandbox.read("all.vcd") == sandbox.read("one.vcd"));
    let film = |name| std::fs::read(sandbox.path(name)).unwrap();
    assert!(film("all.gif") == film("one.gif"));
    // Neither of these verbs compares goldens.
    let table = sandbox.nudge("timing press.trace --board native");
    table.is(0, "the end");
    assert!(all.out.contains(&table.out), "{}\n{}", all.out, table.out);
    assert!(!all.out.contains("note: press.trace:"), "{}", all.out);
}

#[track_caller]
fn refuses(sandbox: &TestFolder, words: &str, said: &str) {
    let ended = sandbox.run(words);
    ended.is(2, said);
    assert_eq!(ended.out, "", "nothing has run");
}

#[test]
fn an_unwritable_waveform_is_refused_before_the_run() {
    let sandbox = TestFolder::new();
    sandbox.put("a.trace", PRESS);
    sandbox.put("b.trace", PRESS);
    sandbox.put("real.vcd", "a capture of the real board");
    refuses(&sandbox, "replay a.trace --vcd real.vcd", "real.vcd is there already");
    assert_eq!(sandbox.read("real.vcd"), "a capture of the real board");
    refuses(&sandbox, "replay . --vcd new.vcd", "the waveform of one trace, and these are 2");
    refuses(&sandbox, "replay a.trace --vcd a.png", "a.png: the file to write must be named *.vcd");
    sandbox.put("file", "in the way");
    refuses(&sandbox, "replay a.trace --vcd file/a.vcd", "file/a.vcd: ");
    refuses(&sandbox, "replay a.trace --vcd a.vcd --shard 1/2", "cannot be used with");
    assert!(!sandbox.path("new.vcd").exists());
    sandbox.put("new.vcd.new", "of another program");
    sandbox.run("replay . --filter b.trace --vcd new.vcd").is(0, "wrote new.vcd");
    assert_eq!(sandbox.read("new.vcd.new"), "of another program");
}
