//! Tests the conversion of Wokwi's automation scenarios.

use super::TestFolder;

const SCENARIO: &str = "\
name: 'A win'
version: 1
author: 'Somebody'

steps:
  - delay: 500ms
  - name: the first move
    set-control:
      part-id: btn1
      control: pressed
      value: 1
  - delay: 80 ms
  - set-control: { part-id: btn1, name: pressed, value: 0 }
  - wait-serial: 'event=free-turn'
  - take-screenshot:
      part-id: lcd
      save-to: shots/first move.png
  - take-screenshot: { part-id: lcd, compare-with: golden/win.png }
";

const TRACE: &str = "\
# name: A win
# author: Somebody
trace 1

0ms     power on
# the first move
+500ms  press B1
+80ms   release B1
+0ms    wait console \"event=free-turn\" within 30s
+0ms    screenshot first-move
+0ms    expect frame win
+0ms    end
";

#[test]
fn the_documented_steps_become_a_trace() {
    let sandbox = TestFolder::new();
    sandbox.put("win.yaml", SCENARIO);
    let ended = sandbox.nudge("convert win.yaml win.trace --map B1=btn1");
    ended.is(0, "belongs into the trace's folder as win.png");
    assert_eq!(sandbox.read("win.trace"), TRACE);
    sandbox.nudge("check win.trace").is(0, "well-formed");
}

#[test]
fn steps_without_a_trace_line_are_dropped_only_with_lossy() {
    let sandbox = TestFolder::new();
    sandbox.put(
        "s.yaml",
        "name: x\nversion: 1\nsteps:\n- write-serial: 'go'\n- expect-pin: {part-id: esp, pin: 2, \
         value: 1}\n- set-control: {part-id: pot1, control: position, value: 0.5}\n- touch: {x: 1, \
         y: 2}\n- set-control: {part-id: RESET, control: pressed, value: 1}\n",
    );
    let refused = sandbox.nudge("convert s.yaml s.trace");
    for said in [
        "s.yaml:5: expect-pin",
        "s.yaml:6: set-control: `pot1` is no button",
        "s.yaml:7: touch",
        "`--lossy` writes the rest",
    ] {
        refused.is(1, said);
    }
    assert!(!sandbox.path("s.trace").exists());
    sandbox.nudge("convert s.yaml s.trace --lossy").is(0, "left out: s.yaml:5: expect-pin");
    let trace = sandbox.read("s.trace");
    assert!(trace.contains("# not carried over (line 5): expect-pin"), "{trace}");
    assert!(trace.contains("+0ms    type bytes \"go\""), "{trace}");
    assert!(trace.contains("+0ms    press RESET"), "{trace}");
}

#[test]
fn an_invalid_scenario_is_an_error_with_its_line() {
    let sandbox = TestFolder::new();
    let steps = |steps: &str| format!("name: x\nversion: 1\nsteps:\n{steps}\n");
    for (text, said) in [
        (steps("- delya: 3ms"), "s.yaml:4: unknown step `delya`; did you mean `delay`?"),
        (steps("- delay: 30"), "s.yaml:4: `30` lacks its unit"),
        (steps("- delay: 99999999999s"), "s.yaml:4: `99999999999s` is past 2^63 ns"),
        (steps("- delay: 5000000000s\n- delay: 5000000000s"), "s.yaml:5: time ends at 2^63 ns"),
        (steps("- {delay: 3ms, touch: 1}"), "a second step in one entry"),
        (steps("- &a delay: 3ms\n- *a"), "s.yaml:"),
        (steps("- delay: 3ms\n  delay: 4ms"), "s.yaml:"),
        (steps("- delay: [3"), "s.yaml:"),
        (steps("- set-control: {part-id: B1, control: pressed, value: 7}"), "`7` is no value"),
        ("name: x\nversion: 2\nsteps: []\n".into(), "s.yaml:2: an unknown version"),
        ("name: x\nversion: 1\n".into(), "no `steps:`"),
        ("nmae: x\nsteps: []\n".into(), "s.yaml:1: unknown key `nmae`; did you mean `name`?"),
        ("name: x\nsteps: 7\n".into(), "`steps` is a text; it is a list"),
        ("".into(), "s.yaml:1: there is nothing here"),
        ("name: \0\n".into(), "s.yaml:1: a NUL byte"),
        (steps(&"[".repeat(100_000)), "s.yaml:4: "),
        ("a: &a [x,x]\nb: &b [*a,*a]\n".into(), "s.yaml:2: an alias"),
    ] {
        sandbox.put("s.yaml", &text);
        sandbox.nudge("convert s.yaml s.trace").is(2, said);
    }
    sandbox.put("s.yaml", b"name: x\nauthor: \xFF\n");
    sandbox.nudge("convert s.yaml s.trace").is(2, "s.yaml:2: is not UTF-8");
    sandbox.put("s.yaml", "#".repeat(1 << 21));
    sandbox.nudge("convert s.yaml s.trace").is(2, "larger than 1 MiB");
}
