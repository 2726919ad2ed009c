//! Transfers the comments of a recording to the tidied trace.
//!
//! A comment after a line is retained if its line is: a press, a release, a change of power, `end`,
//! and a `settle` that is satisfied at a screen for which the tidied trace has one. If a release
//! becomes the end of a tap, the tap gets its comments. Comment lines are always retained: above
//! their line, or, if that is left out, above the next one that remains. Comments made from the
//! console are placed below them, without duplicates.
//!
//! This module does not know boards: the line of each movement and the time at which a `settle` was
//! satisfied are arguments.

use trace::{
    Action, Trace,
    tidy::{Movement, NewScreen, RecordedLine},
};
use virtual_time::Instant;

use super::observe::{Recorded, is_end_of_tap};

/// Comments at the end of the recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct EndComments {
    /// Comments above `end`.
    pub(super) above: Vec<String>,
    /// Comment after `end`.
    pub(super) behind: Option<String>,
    /// Comments below all lines.
    pub(super) closing: Vec<String>,
}

/// Destination of the comments of a line.
enum CommentTarget {
    Stretch(usize),
    /// Indices of the stretch, and of the moment in the stretch.
    NewScreen(usize, usize),
}

/// Adds the comments of `recording` to the `stretches`, which were made from `recorded`.
pub(super) fn keep(
    recording: &Trace,
    recorded: &Recorded,
    stretches: &mut [RecordedLine],
) -> EndComments {
    let owners = owners(recorded, stretches);
    let mut end = EndComments::default();
    let mut waiting = Vec::new();
    let mut kept: Vec<(CommentTarget, Vec<String>)> = Vec::new();
    for (index, line) in recording.lines.iter().enumerate() {
        waiting.extend_from_slice(&line.above);
        let moved = recorded.lines.iter().position(|of| *of == Some(index));
        let met = recorded.met.iter().find(|(of, _)| *of == index);
        let home = match (moved, met) {
            (Some(movement), _) => owners[movement].map(CommentTarget::Stretch),
            (None, Some((_, at))) => screen_by(stretches, *at),
            (None, None) => None,
        };
        let Some(home) = home else {
            if line.action == Action::End {
                end.above = std::mem::take(&mut waiting);
                end.behind.clone_from(&line.comment);
            }
            continue;
        };
        let behind = match home {
            CommentTarget::Stretch(stretch) => &mut stretches[stretch].comment,
            CommentTarget::NewScreen(stretch, moment) => {
                &mut stretches[stretch].screens[moment].comment
            }
        };
        *behind = match (behind.take(), line.comment.clone()) {
            (Some(one), Some(other)) => Some(format!("{one}; {other}")),
            (one, other) => one.or(other),
        };
        kept.push((home, std::mem::take(&mut waiting)));
    }
    for (home, above) in &kept {
        let (CommentTarget::Stretch(stretch) | CommentTarget::NewScreen(stretch, _)) = *home;
        let stretch = &mut stretches[stretch];
        let is_new = |comment: &String| !above.contains(comment);
        stretch.above.retain(is_new);
        stretch.screens.iter_mut().for_each(|moment| moment.above.retain(is_new));
    }
    for (home, above) in kept.into_iter().rev() {
        let place = match home {
            CommentTarget::Stretch(stretch) => &mut stretches[stretch].above,
            CommentTarget::NewScreen(stretch, moment) => {
                &mut stretches[stretch].screens[moment].above
            }
        };
        place.splice(0..0, above);
    }
    end.closing = waiting;
    end.closing.extend_from_slice(&recording.closing);
    end
}

/// Returns the stretch of each movement: its own, or that of the tap if the movement ends a tap.
fn owners(recorded: &Recorded, stretches: &[RecordedLine]) -> Vec<Option<usize>> {
    let mut begun = 0;
    let owner = |(at, movement): &(Instant, Movement)| {
        let own = stretches.get(begun).filter(|next| next.at == *at);
        if own.is_some_and(|next| !is_end_of_tap(*movement, next)) {
            begun += 1;
            return Some(begun - 1);
        }
        let tapped = |stretch: &RecordedLine| match (movement, &stretch.action) {
            (Movement::Release(released), Action::Tap { button, .. }) => released == button,
            _ => false,
        };
        stretches[..begun].iter().rposition(tapped)
    };
    recorded.movements.iter().map(owner).collect()
}

/// Returns the last screen that had settled by `at`, unless a later stretch has begun.
fn screen_by(stretches: &[RecordedLine], at: Instant) -> Option<CommentTarget> {
    let stretch = stretches.partition_point(|stretch| stretch.at <= at).checked_sub(1)?;
    let settled = |moment: &NewScreen| moment.at <= at;
    let moment = stretches[stretch].screens.iter().rposition(settled)?;
    Some(CommentTarget::NewScreen(stretch, moment))
}

#[cfg(test)]
mod tests;
