//! `nudge trace info`: prints the duration and the contents of traces.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;

use escape::terminal::plain;
use host::Exit;
use trace::{Action, TAP_HOLD, Trace, When, counted};
use virtual_time::{Nanos, spoken};

use super::for_each::for_each;

pub fn info(paths: &[PathBuf], out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    for_each(paths, out, err, |path, trace, out| {
        let header: Vec<String> =
            trace.header.iter().map(|entry| format!("{} {}", entry.key, entry.value)).collect();
        let header = if header.is_empty() { "as factory-new".into() } else { header.join(", ") };
        writeln!(out, "{}", plain(&path.display().to_string()))?;
        writeln!(out, "  settings  {header}")?;
        writeln!(out, "  duration  {}", duration(trace))?;
        writeln!(out, "  events    {}", counts(trace)).map(Ok)
    })
}

/// Duration of a trace on the board; each wait may be satisfied at once or at its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Duration if every wait is satisfied at once.
    pub shortest: Nanos,
    /// Duration if every wait is satisfied at its limit.
    pub longest: Nanos,
}

/// Returns the duration from the first power-on to the end of `trace`.
pub fn span(trace: &Trace) -> Span {
    let mut clock = Span { shortest: Nanos::ZERO, longest: Nanos::ZERO };
    let mut released = clock;
    for line in &trace.lines {
        match line.when {
            When::At(at) => {
                let since_start = at.since_start();
                clock = Span { shortest: since_start, longest: since_start };
            }
            When::After(after) => {
                clock.shortest = clock.shortest.saturating_add(after);
                clock.longest = clock.longest.saturating_add(after);
            }
        }
        match &line.action {
            Action::Tap { hold, .. } => {
                let hold = hold.unwrap_or(TAP_HOLD);
                released.shortest = released.shortest.max(clock.shortest.saturating_add(hold));
                released.longest = released.longest.max(clock.longest.saturating_add(hold));
            }
            Action::End => return clock,
            action => {
                let within = action.longest_wait().unwrap_or_default();
                clock.longest = clock.longest.saturating_add(within);
            }
        }
    }
    Span {
        shortest: clock.shortest.max(released.shortest),
        longest: clock.longest.max(released.longest),
    }
}

fn duration(trace: &Trace) -> String {
    let Span { shortest, longest } = span(trace);
    if shortest == longest {
        spoken(shortest)
    } else {
        format!("{} to {}, depending on its waits", spoken(shortest), spoken(longest))
    }
}

/// Formats counts like `3 taps, 1 wait, 2 expectations, 1 golden frame`; zero counts are omitted.
fn counts(trace: &Trace) -> String {
    let count =
        |what: fn(&Action) -> bool| trace.lines.iter().filter(|line| what(&line.action)).count();
    let goldens: BTreeSet<&str> = trace
        .lines
        .iter()
        .filter_map(|line| match &line.action {
            Action::ExpectFrame(expected) => Some(expected.name.as_str()),
            _ => None,
        })
        .collect();
    let counts = [
        (count(|action| matches!(action, Action::Tap { .. })), "tap"),
        (count(|action| matches!(action, Action::Press(_))), "press"),
        (count(|action| matches!(action, Action::Release(_))), "release"),
        (count(|action| action.longest_wait().is_some()), "wait"),
        (count(Action::is_expectation), "expectation"),
        (goldens.len(), "golden frame"),
        (count(|action| matches!(action, Action::Screenshot(_))), "screenshot"),
        (count(|action| matches!(action, Action::PowerOn)), "power-on"),
    ];
    let counts: Vec<String> = counts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, noun)| counted(count, noun))
        .collect();
    if counts.is_empty() { "none".to_owned() } else { counts.join(", ") }
}

#[cfg(test)]
mod tests {

    use super::*;

    #[track_caller]
    fn check_span(lines: &str, shortest_ms: u64, longest_ms: u64) {
        let trace = trace::parse("x.trace", &format!("trace 1\n{lines}")).unwrap();
        let expected = Span {
            shortest: Nanos::from_millis(shortest_ms),
            longest: Nanos::from_millis(longest_ms),
        };
        assert_eq!(span(&trace), expected);
    }

    #[test]
    fn a_trace_ends_with_its_end_last_line_or_last_release() {
        check_span("0ms power on\n2s end\n", 2_000, 2_000);
        check_span("0ms power on\n1s tap B1\n", 1_080, 1_080);
        check_span("0ms power on\n1s tap B1 for 3s\n+1s expect text \"x\"\n", 4_000, 4_000);
    }

    #[test]
    fn a_wait_extends_the_span_by_its_time() {
        check_span("0ms power on\n+1s wait text \"x\" within 9s\n+1s end\n", 2_000, 11_000);
        check_span("0ms power on\n+1s settle within 9s\n20s end\n", 20_000, 20_000);
    }
}
