//! Expectations about the text on the LCD: its position, the time for which it was shown, the
//! nearest text.

use super::super::fake::reader;
use super::{at_ms, errors, ms, passes, run, run_with};
use crate::replay::{FailureCause, ReplayOutcome, ReplaySettings, Verdict};
use virtual_time::{Instant, Nanos};

/// Returns the only failure's cause.
#[track_caller]
fn cause(outcome: &ReplayOutcome) -> FailureCause {
    match &outcome.verdict {
        Verdict::Failed(failures) if failures.len() == 1 => failures[0].cause.clone(),
        other => panic!("{other:?}"),
    }
}

/// Returns the messages of the failures, without the text on the LCD.
fn messages(outcome: &ReplayOutcome) -> Vec<String> {
    let first = |error: String| error.lines().next().unwrap_or_default().to_owned();
    errors(outcome).into_iter().map(first).collect()
}

#[test]
fn a_text_is_searched_in_its_region_only() {
    // READY is at 20,20, FREE TURN at 20,100, in cells of 6x10.
    passes(
        "1s tap B1\n\
         +1s expect text \"FREE TURN\" in 20,100,54,10\n\
         +0ms expect text \"READY\" in 0,0,320,30\n\
         +0ms expect no text \"READY\" in 0,31,320,209\n\
         +0ms expect no text \"FREE TURN\" in 21,100,299,140\n\
         +0ms expect no text \"FREE TURN\" in 0,0,320,109\n\
         +0ms expect text \"TURN\" in 50,100,24,10",
    );
    let outcome = run("1s tap B1\n\
                       +1s expect text \"FREE TURN\" in 0,0,320,100\n\
                       +0ms expect text \"Ready\" in 0,0,320,100\n\
                       +0ms expect no text \"READY\" in 0,0,320,100");
    assert_eq!(
        messages(&outcome),
        [
            "4:5: at 2 s: expected text \"FREE TURN\" on the LCD in 0,0,320,100; it is outside of \
             that, in 20,100,54,10",
            "5:6: at 2 s: expected text \"Ready\" on the LCD in 0,0,320,100; nearest: \"READY\" \
             (differs in case)",
            "6:6: at 2 s: expected no text \"READY\" on the LCD in 0,0,320,100",
        ]
    );
}

#[test]
fn expectations_and_waits_report_the_nearest_text() {
    let outcome = run("1s tap B1\n\
                       +1s expect text \"FREETURN\"\n\
                       +0ms expect text \"Player\"\n\
                       +0ms expect console \"move b1\"\n\
                       +0ms wait text \"FREE TUNR\" within 1s");
    assert_eq!(
        messages(&outcome),
        [
            "4:5: at 2 s: expected text \"FREETURN\" on the LCD; nearest: \"FREE TURN\" (differs in \
             blanks)",
            "5:6: at 2 s: expected text \"Player\" on the LCD",
            "6:6: at 2 s: expected a console line with \"move b1\" since tap of B1 in line 3; nearest: \
             \"move B1\" (differs in case); there was one, \"move B1\"",
            "7:6: at 3 s: waited 1 s for text \"FREE TUNR\" on the LCD; nearest: \"FREE TURN\" \
             (differs in one letter); the trace stops here",
        ]
    );
}

#[test]
fn a_text_still_shown_counts_from_its_first_frame() {
    // The text is written 40 ms after the press, for 1 ms, and its frame is complete 5 ms later.
    let from = passes("1s tap B1\n+0ms wait text \"FREE TURN\" within 1s\n+0ms end").ended_at;
    passes(
        "1s tap B1\n+1s expect text \"FREE TURN\" for 954ms\n+46ms expect text \"FREE TURN\" for 1s",
    );
    let outcome = run("1s tap B1\n+1s expect text \"FREE TURN\" for 1s");
    let FailureCause::TextShownFor { lasted, from: since, until, .. } = cause(&outcome) else {
        panic!("{outcome:?}");
    };
    assert_eq!((since, until), (from, None));
    assert_eq!(lasted, at_ms(2_000).saturating_since(from));
}

#[test]
fn a_text_that_disappeared_counts_to_the_first_frame_without_it() {
    let lines = "1s tap B1\n+1s tap B2\n+0ms wait text \"1\" within 1s\n";
    let gone = passes(&format!("{lines}+0ms end")).ended_at;
    let from = passes("1s tap B1\n+0ms wait text \"FREE TURN\" within 1s\n+0ms end").ended_at;
    let lasted = gone.saturating_since(from);
    // Both frames are drawn in about a millisecond.
    for (off, holds) in [(0, true), (19, true), (-19, true), (22, false), (-22, false)] {
        let expected = Nanos(lasted.0.saturating_add_signed(off * 1_000_000));
        let outcome =
            run(&format!("{lines}+1s expect text \"FREE TURN\" for {expected}\n+0ms end"));
        if holds {
            assert_eq!(outcome.verdict, Verdict::Passed, "{off}");
            continue;
        }
        let FailureCause::TextShownFor { lasted: measured, from: since, until, .. } =
            cause(&outcome)
        else {
            panic!("{outcome:?}");
        };
        assert_eq!((measured, since, until), (lasted, from, Some(gone)), "{off}");
    }
}

#[test]
fn a_slow_screen_counts_from_its_first_pixel_or_its_last() {
    // READY appears with the first screen, which takes 39 ms, and disappears at once.
    let from = passes("0ms wait text \"READY\" within 1s\n+0ms end").ended_at;
    let complete = at_ms(2_000).saturating_since(from);
    let from_the_first_pixel = complete.saturating_add(ms(39));
    for (expected, holds) in [
        (complete, true),
        (complete.saturating_sub(ms(19)), true),
        (complete.saturating_sub(ms(21)), false),
        (from_the_first_pixel, true),
        (from_the_first_pixel.saturating_add(ms(19)), true),
        (from_the_first_pixel.saturating_add(ms(30)), false),
    ] {
        let outcome = run(&format!("2s power off\n+1s expect text \"READY\" for {expected}"));
        assert_eq!(outcome.verdict == Verdict::Passed, holds, "{expected}: {:?}", errors(&outcome));
    }
}

#[test]
fn the_last_of_several_showings_counts_for_each_line() {
    // The counts are shown for 30 ms each; the second READY until the end.
    passes(
        "1s tap B2\n\
         +50ms expect text \"READY\" for 740ms\n\
         +1s expect text \"3\" for 30ms\n\
         +0ms power off\n\
         +1s expect text \"READY\" for 1740ms\n\
         +0ms power on\n\
         +1s expect text \"READY\" for 690ms\n\
         +0ms expect text \"READY\" for 690ms in 0,0,320,40",
    );
    let outcome = run("1s tap B2\n+0ms wait text \"5\" within 1s\n+1ms expect text \"4\" for 60ms");
    assert!(matches!(cause(&outcome), FailureCause::TextShownFor { until: Some(_), .. }));
}

#[test]
fn a_text_that_was_never_there_has_its_own_sentence() {
    let outcome = run("1s tap B1\n+1s expect text \"Free Turn\" for 1s");
    assert_eq!(
        messages(&outcome),
        ["4:5: at 2 s: expected text \"Free Turn\" on the LCD for 1 s; it has not been there; \
          nearest: \"FREE TURN\" (differs in case)"]
    );
    // The text is outside the region, and was shown all the time.
    let outcome = run("1s expect text \"READY\" in 0,100,320,40 for 1s");
    assert!(messages(&outcome)[0].ends_with("; it is outside of that, in 20,20,30,10"));
}

#[test]
fn frames_after_the_line_do_not_count() {
    // B4 keeps the bus busy for 3 ms: the line comes in the middle of that step.
    let from = passes("1s tap B1\n+0ms wait text \"FREE TURN\" within 1s\n+0ms end").ended_at;
    for after in 0..20 {
        let at = Instant(from.0 + after * 500_000);
        let lines = format!("1s tap B1\n1045ms tap B4\n{at} expect text \"FREE TURN\" for 60ms\n");
        let FailureCause::TextShownFor { lasted, from: since, until: None, .. } =
            cause(&run(&lines))
        else {
            panic!("{lines}");
        };
        assert_eq!((since, lasted), (from, at.saturating_since(from)), "{lines}");
        let before = Instant(from.0 - 1 - after * 100_000);
        let lines = format!("1s tap B1\n{before} expect text \"FREE TURN\" for 60ms\n");
        assert!(matches!(cause(&run(&lines)), FailureCause::TextNeverShown { .. }), "{lines}");
    }
}

#[test]
fn expect_text_for_does_not_change_the_session() {
    let lines = "1s tap B2\n+7ms tap B4\n+400ms tap B1\n+1s screenshot last";
    let asked = format!("{lines}\n+0ms expect text \"FREE TURN\" for 950ms\n+0ms end");
    let (alone, machine, album) = run_with(lines, &ReplaySettings::default());
    let (seen, watched, other) = run_with(&asked, &ReplaySettings::default());
    assert_eq!(alone.frames, seen.frames);
    assert_eq!(machine.seen, watched.seen);
    assert!(album.0 == other.0);
    let said = reader().read(&album.0[0].1).to_string();
    assert_eq!(said, "READY\nFREE TURN");
}
