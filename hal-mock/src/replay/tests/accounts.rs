//! Expectations about the span before a line: chains of frames, bytes, times of frames, violations,
//! the heap.

use super::super::fake::{FakeMachine, reader};
use super::{at_ms, errors, fails, passes, run, run_with};
use crate::board::SETTLED_AFTER;
use crate::replay::{
    ChainFrame, FAILURES_MAX, Goldens, ReplayOutcome, ReplaySettings, Verdict, replay,
};
use crate::{Heap, Machine, MachineError, VirtualBoard};
use ili9341_model::{Frame, VIOLATIONS_MAX};
use reading::golden::{
    GoldenError,
    chain::{FrameHash, Link},
};
use trace::{FrameCheck, parse};
use virtual_time::Instant;

/// Every chain with its frames, in order.
#[derive(Default)]
struct Chains {
    frames: Vec<(String, Link, String, String)>,
    ended: Vec<String>,
}

impl Goldens for Chains {
    fn check(&mut self, _: &FrameCheck, _: &Frame) -> Result<(), GoldenError> {
        Ok(())
    }

    fn screenshot(&mut self, _: &str, _: &Frame) -> Result<(), GoldenError> {
        Ok(())
    }

    fn watch(&mut self, name: &str, seen: &ChainFrame<'_>) {
        assert_eq!(seen.link.hash, FrameHash::of(seen.frame));
        assert_ne!(FrameHash::of(seen.before), seen.link.hash, "it shows something else");
        let text = reader().read(seen.frame).to_string().replace('\n', " / ");
        self.frames.push((name.to_owned(), seen.link, text, seen.after.to_owned()));
    }

    fn chain(&mut self, name: &str) -> Result<(), GoldenError> {
        self.ended.push(name.to_owned());
        if name == "wrong" { Err("frame 3 is another".into()) } else { Ok(()) }
    }
}

#[track_caller]
fn filmed(lines: &str) -> (ReplayOutcome, Chains) {
    let trace = parse("scene.trace", &format!("trace 1\n0ms power on\n{lines}\n")).unwrap();
    let mut chains = Chains::default();
    let mut machine = FakeMachine::new();
    let outcome = replay(&trace, &mut machine, &reader(), &mut chains, &ReplaySettings::default());
    (outcome, chains)
}

impl Chains {
    fn texts(&self, chain: &str) -> Vec<&str> {
        let of = self.frames.iter().filter(|(name, ..)| name == chain);
        of.map(|(_, _, text, _)| text.as_str()).collect()
    }
}

#[test]
fn a_chain_has_every_frame_with_the_action_before_it() {
    let (outcome, chains) = filmed("1s tap B2\n+1s expect frames count\n+0ms end");
    assert_eq!(outcome.verdict, Verdict::Passed);
    let mut expected = vec!["READY".to_owned()];
    expected.extend((1..=10).map(|count| format!("READY / {count}")));
    expected.push("READY / GAME OVER".into());
    assert_eq!(chains.texts("count"), expected);
    assert_eq!(chains.ended, ["count"]);
    let after: Vec<&str> = chains.frames.iter().map(|(_, _, _, after)| after.as_str()).collect();
    // The tap holds for 80 ms, and the fake firmware counts once every 30 ms.
    assert_eq!(after[..3], ["power on in line 2", "tap of B2 in line 3", "tap of B2 in line 3"]);
    assert!(after[3..].iter().all(|after| *after == "release of B2 in line 3"), "{after:?}");
    let times: Vec<Instant> = chains.frames.iter().map(|(_, link, ..)| link.at).collect();
    assert!(times.is_sorted() && times[1] > at_ms(1_030) && times[1] < at_ms(1_050), "{times:?}");
}

#[test]
fn a_chain_begins_exactly_where_the_previous_one_ended() {
    let whole = filmed("1s tap B2\n+1s expect frames whole\n+0ms end").1;
    // A frame is complete 5 ms after its last byte, so some cuts fall within one.
    for cut in (1_030..1_100).step_by(3) {
        let lines =
            format!("1s tap B2\n{cut}ms expect frames one\n2s expect frames other\n+0ms end");
        let parts = filmed(&lines).1;
        let link = |chains: &Chains| -> Vec<Link> {
            chains.frames.iter().map(|(_, link, ..)| *link).collect()
        };
        assert_eq!(link(&parts), link(&whole), "cut at {cut} ms");
        for (name, link, ..) in &parts.frames {
            assert_eq!(name == "one", link.at <= at_ms(cut), "{name}: {link:?}, cut at {cut} ms");
        }
    }
}

#[test]
fn expectations_do_not_change_the_session() {
    let lines = "1s tap B2\n+7ms tap B4\n+400ms tap B1\n+1s screenshot last";
    let (alone, machine, album) = run_with(lines, &ReplaySettings::default());
    let watched = format!("{lines}\n+0ms expect frame-time < 1s\n+0ms expect bus < 1MB within 1s");
    let (seen, watched, other) = run_with(&watched, &ReplaySettings::default());
    assert_eq!(alone.frames, seen.frames);
    assert_eq!(machine.seen, watched.seen);
    assert!(album.0 == other.0);
    assert_eq!(machine.board().tones(), watched.board().tones());
    assert_eq!(machine.board().console_lines(), watched.board().console_lines());
}

#[test]
fn settled_frames_are_those_shown_for_100_ms() {
    let (outcome, chains) = filmed(
        "1s tap B2\n+0ms expect settled frames start\n+1s tap B1\n+0ms settle within 1s\n\
         +0ms expect settled frames game\n+0ms expect frames all",
    );
    assert_eq!(outcome.verdict, Verdict::Passed);
    assert_eq!(chains.texts("start"), ["READY"]);
    assert_eq!(chains.texts("game"), ["READY / GAME OVER", "READY / FREE TURN"]);
    assert_eq!(chains.texts("all").len(), 13);
}

/// A frame that the firmware draws in the exact nanosecond in which the screen is settled comes
/// after it.
#[test]
fn a_screen_is_settled_if_the_next_comes_at_that_nanosecond() {
    let first = run_with("1s tap B1\n2s end", &ReplaySettings::default()).1;
    let settled = first.board().last_change().saturating_add(SETTLED_AFTER);
    // B2 draws 30 ms later.
    let pressed = settled.0 - 30_000_000;
    let (outcome, chains) =
        filmed(&format!("1s tap B1\n{pressed}ns tap B2\n3s expect settled frames settled"));
    assert_eq!(outcome.verdict, Verdict::Passed);
    let expected = ["READY", "READY / FREE TURN", "READY / GAME OVER"];
    assert_eq!(chains.texts("settled"), expected);
    assert_eq!(chains.frames[1].1.at, settled);
}

#[test]
fn a_power_cut_is_a_dark_frame_and_the_chain_continues() {
    let (_, chains) = filmed(
        "1s tap B1\n2s power off\n3s power on\n4s expect frames all\n\
         +0ms expect settled frames settled",
    );
    assert_eq!(chains.texts("all"), ["READY", "READY / FREE TURN", "", "READY"]);
    assert_eq!(chains.texts("settled"), ["READY", "READY / FREE TURN", "", "READY"]);
    let dark = chains.frames.iter().find(|(name, _, text, _)| name == "all" && text.is_empty());
    assert_eq!(dark.unwrap().3, "power off in line 4");
}

#[test]
fn a_different_or_missing_chain_fails_its_line() {
    let (outcome, _) = filmed("1s expect frames wrong\n2s end");
    assert_eq!(errors(&outcome), ["3:4: at 1 s: frame 3 is another"]);
    fails(
        "1s expect frames any\n2s end",
        &["3:4: at 1 s: frames any are expected, but nothing here compares chains of frames"],
    );
}

#[test]
fn bytes_on_the_bus_are_counted_in_the_span_before_the_line() {
    // FREE TURN has 9 letters of 6x10 pixels, each with its window.
    passes("1s tap B1\n+1s expect bus < 2kB within 1s\n+0ms expect bus <= 0B within 900ms");
    fails(
        "1s tap B1\n+1s expect bus < 1kB within 1s",
        &["4:5: at 2 s: expected less than 1,000 bytes on the LCD's bus within 1 s; there were \
           1,179 bytes"],
    );
    // The power-on frame has 153,600 bytes; the initialisation of the LCD adds some.
    let cycle = |line: &str| run(&format!("1s power off\n2s power on\n3s expect bus {line}"));
    assert_eq!(errors(&cycle("< 310kB within 5s")), [""; 0]);
    assert_eq!(errors(&cycle("<= 155kB within 2s")), [""; 0], "the second power-on alone");
    assert_eq!(errors(&cycle("< 307kB within 5s")).len(), 1, "both, whatever the board counts");
}

#[test]
fn the_longest_frame_counts_and_then_the_next_one_does() {
    passes("1s expect frame-time < 45ms\n+0ms tap B1\n+1s expect frame-time < 1ms");
    let outcome = run("1s expect frame-time < 30ms\n+1s expect frame-time < 30ms");
    let errors = errors(&outcome);
    assert!(
        errors[0]
            .starts_with("3:4: at 1 s: expected less than 30 ms for a frame; the one that was")
    );
    // The ten counts take equally long to draw; the first is reported.
    let counts = run("1s expect frame-time < 45ms\n+0ms tap B2\n+1s expect frame-time < 1us");
    let counts = self::errors(&counts).concat();
    assert!(counts.contains("complete at 1.03"), "{counts}");
    let longer = run("1s expect frame-time < 45ms\n+0ms tap B1\n2s power off\n3s power on\n\
                      +1s expect frame-time < 1ms");
    let longer = self::errors(&longer).concat();
    assert!(longer.starts_with("7:5: at 4 s: ") && longer.contains("complete at 3.3"), "{longer}");
    let none = "no frame was complete since the last such line";
    assert_eq!(errors[1], format!("4:5: at 2 s: expected less than 30 ms for a frame; {none}"));
}

#[test]
fn violations_fail_the_line_even_if_they_are_allowed() {
    let allowed = ReplaySettings { allow_violations: true, ..ReplaySettings::default() };
    let outcome =
        run_with("1s expect violations none\n+0ms tap B3\n+1s expect violations none", &allowed).0;
    let errors = errors(&outcome);
    assert_eq!(errors.len(), 1, "{errors:?}");
    let expected =
        "expected no violations of the LCD's datasheet; there were 1; the first is at 1 s:";
    assert!(errors[0].starts_with(&format!("5:5: at 2 s: {expected}")), "{errors:?}");
}

#[test]
fn last_nanosecond_and_dropped_violations_count() {
    let [error] = errors(&run("1s tap B3\n+0ms end")).try_into().unwrap();
    assert!(error.starts_with("at 1 s: the LCD"), "{error}");
    let taps = "+100ms tap B3\n".repeat(VIOLATIONS_MAX + 7);
    let outcome = run(&format!("1s expect text \"READY\"\n{taps}+1s expect violations none"));
    let errors = errors(&outcome);
    let told = format!(
        "expected no violations of the LCD's datasheet; there were {};",
        VIOLATIONS_MAX + 7
    );
    assert!(errors[0].contains(&told), "{}", errors[0]);
    let more = 1 + VIOLATIONS_MAX + 7 - FAILURES_MAX;
    assert_eq!((errors.len(), outcome.failures_left_out), (FAILURES_MAX, more as u64));
}

/// A machine that reports the given heap.
struct WithHeap(FakeMachine, Heap);

impl Machine for WithHeap {
    fn board(&self) -> &VirtualBoard {
        self.0.board()
    }

    fn power_on(&mut self) -> Result<(), MachineError> {
        self.0.power_on()
    }

    fn power_off(&mut self) {
        self.0.power_off();
    }

    fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
        self.0.step(limit)
    }

    fn heap(&self) -> Heap {
        self.1.clone()
    }

    fn fork(&self) -> Option<Box<dyn Machine>> {
        None
    }
}

#[test]
fn a_heap_must_be_known_to_be_unused() {
    let trace = parse("scene.trace", "trace 1\n0ms power on\n1s expect heap none").unwrap();
    for (heap, why) in [
        (Heap::Absent, ""),
        (Heap::Used { allocations: 0, bytes: 0 }, ""),
        (
            Heap::Used { allocations: 3, bytes: 1_024 },
            "; it has taken memory 3 times, 1,024 bytes in all",
        ),
        (Heap::Present { symbol: "malloc".into() }, "; its program has an allocator in it: malloc"),
        (Heap::Unknown("it is asleep".into()), ", but this board cannot tell: it is asleep"),
    ] {
        let mut machine = WithHeap(FakeMachine::new(), heap);
        let goldens = &mut Chains::default();
        let outcome = replay(&trace, &mut machine, &reader(), goldens, &ReplaySettings::default());
        let expected = format!("3:4: at 1 s: expected firmware without a heap{why}");
        assert_eq!(
            errors(&outcome).concat(),
            if why.is_empty() { String::new() } else { expected }
        );
    }
    let outcome = run("1s expect heap none");
    assert!(
        errors(&outcome)[0].contains("this board cannot tell: it does not watch"),
        "{outcome:?}"
    );
}
