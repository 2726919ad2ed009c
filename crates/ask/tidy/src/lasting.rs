//! Durations of the messages of a recording that appeared and disappeared without a press.
//!
//! [`candidates`] adds an expectation of an impossible duration after each such message.
//! [`measured`] takes the durations from the failures of a replay of that trace, so that a duration
//! is measured by the same rule that will judge it.

use std::collections::HashSet;

use hal_mock::replay::{Failure, FailureCause};
use trace::{Action, RegionText, TextCheck, Trace, tidy::RecordedLine};
use virtual_time::Nanos;

use super::observe::SettledScreen;

/// Duration that no message reaches.
const IMPOSSIBLE: Nanos = Nanos::from_secs(24 * 3_600);
/// Shortest duration that counts as a message; a shorter text is part of an animation.
const SHORTEST: Nanos = Nanos::from_millis(300);
/// Unit to which durations are rounded.
const ROUNDED_TO: Nanos = Nanos::from_millis(10);

/// Adds an expectation after each settled screen of a stretch whose text is absent from the next
/// one, once per text.
pub(super) fn candidates(stretches: &mut [RecordedLine], screens: &[Vec<SettledScreen>]) {
    let mut known = HashSet::new();
    for (stretch, screens) in stretches.iter_mut().zip(screens) {
        for (nth, next) in screens.iter().enumerate().take(stretch.screens.len()).skip(1) {
            let Some(text) = stretch.screens[nth - 1].text.clone() else { continue };
            if !next.text.contains(&text) && known.insert(text.clone()) {
                let wanted = RegionText::from(text);
                let check = TextCheck { wanted, shown_for: Some(IMPOSSIBLE) };
                stretch.screens[nth].also.push(Action::ExpectText(check));
            }
        }
    }
}

/// Sets the durations of the candidates of `stretches` to those measured in a replay of `trace`,
/// and removes candidates without a measurement. `trace` was written from the stretches; `failures`
/// are all failures of its replay.
pub(super) fn measured(stretches: &mut [RecordedLine], trace: &Trace, failures: &[Failure]) {
    let lines = trace.lines.iter().filter(|line| is_candidate(&line.action));
    let mut lengths = lines.map(|line| {
        failures.iter().find(|failure| failure.place == Some(line.place)).and_then(length)
    });
    for moment in stretches.iter_mut().flat_map(|stretch| &mut stretch.screens) {
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

/// Returns the mean of the two durations in a failure, rounded; `None` if the text is still shown
/// or was shown too briefly.
fn length(failure: &Failure) -> Option<Nanos> {
    let FailureCause::TextShownFor { lasted, drawn_for, until: Some(_), .. } = failure.cause else {
        return None;
    };
    let middle = lasted.0.midpoint(drawn_for.0);
    let rounded = (middle + ROUNDED_TO.0 / 2) / ROUNDED_TO.0 * ROUNDED_TO.0;
    (rounded >= SHORTEST.0).then_some(Nanos(rounded))
}
