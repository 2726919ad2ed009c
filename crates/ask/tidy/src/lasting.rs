//! How long the messages of a recording stood: those that came and went without a press.
//!
//! [`candidates`] puts an expectation of an impossible length behind each such message.
//! [`measured`] replays the trace that has them and takes the lengths from its failures, so that a
//! length is measured by the rule that will judge it.

use std::collections::HashSet;

use hal_mock::replay::{Failure, FailureCause};
use trace::{Action, RegionText, TextCheck, Trace, tidy::Stretch};
use virtual_time::Nanos;

use super::observe::SettledScreen;

/// No message stands for so long.
const IMPOSSIBLE: Nanos = Nanos::from_secs(24 * 3_600);
/// A shorter showing is a part of a movement.
const SHORTEST: Nanos = Nanos::from_millis(300);
/// What lengths are rounded to.
const ROUNDED_TO: Nanos = Nanos::from_millis(10);

/// Puts an expectation behind each settled screen of a stretch whose text is gone in the next one,
/// each text once.
pub(super) fn candidates(stretches: &mut [Stretch], screens: &[Vec<SettledScreen>]) {
    let mut known = HashSet::new();
    for (stretch, screens) in stretches.iter_mut().zip(screens) {
        for (nth, next) in screens.iter().enumerate().take(stretch.moments.len()).skip(1) {
            let Some(text) = stretch.moments[nth - 1].text.clone() else { continue };
            if !next.text.contains(&text) && known.insert(text.clone()) {
                let wanted = RegionText::from(text);
                let check = TextCheck { wanted, shown_for: Some(IMPOSSIBLE) };
                stretch.moments[nth].also.push(Action::ExpectText(check));
            }
        }
    }
}

/// Gives the candidates of `stretches` the lengths that a replay of `trace` has measured, and takes
/// out those that it has not. `trace` is what the stretches were written as, `failures` are all of
/// its replay.
pub(super) fn measured(stretches: &mut [Stretch], trace: &Trace, failures: &[Failure]) {
    let lines = trace.lines.iter().filter(|line| is_candidate(&line.action));
    let mut lengths = lines.map(|line| {
        failures.iter().find(|failure| failure.place == Some(line.place)).and_then(length)
    });
    for moment in stretches.iter_mut().flat_map(|stretch| &mut stretch.moments) {
        moment.also.retain_mut(|action| {
            if !is_candidate(action) {
                return true;
            }
            let Some(length) = lengths.next().flatten() else { return false };
            if let Action::ExpectText(check) = action {
                check.shown_for = Some(length);
            }
            true
        });
    }
}

fn is_candidate(action: &Action) -> bool {
    matches!(action, Action::ExpectText(check) if check.shown_for == Some(IMPOSSIBLE))
}

/// The middle of the two lengths that a failure tells, rounded; `None` if the text is still there
/// or stood for too short.
fn length(failure: &Failure) -> Option<Nanos> {
    let FailureCause::TextShownFor { lasted, drawn_for, until: Some(_), .. } = failure.cause else {
        return None;
    };
    let middle = lasted.0.midpoint(drawn_for.0);
    let rounded = (middle + ROUNDED_TO.0 / 2) / ROUNDED_TO.0 * ROUNDED_TO.0;
    (rounded >= SHORTEST.0).then_some(Nanos(rounded))
}
