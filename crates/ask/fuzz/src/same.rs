//! Definition of "the same failure". Shrinking a trace must preserve it: a search that accepts any
//! failure of a line ends at another failure, for instance at a screen that was never drawn.
//!
//! A line is the same if it comes from the same line of the original, regardless of the lines
//! removed around it. Two failures are the same if they are of one kind and agree in this:
//!
//! | failure | in both |
//! |---|---|
//! | `expect text`, `expect no text`, `wait text`, `settle` | the line, and the text on the LCD |
//! | `expect frame` | the line, the pixels that differ, and what they show; or that the golden cannot be used; or both sizes |
//! | `expect frames`, `expect settled frames` | the line, and of the first frame that differs its number, its pixels and the expected ones; or that the file cannot be used |
//! | `expect text … for`, `expect tone … for` | the line, and how long it lasted, to 1 %; or that it was not there |
//! | `expect console`, `wait console` | the line, and the last console line since the last input |
//! | `expect no console` | the line, and the console line that came |
//! | `expect tone`, `expect no tone` | the line, and the tones that were heard |
//! | `expect backlight` | the line |
//! | `expect flash`, `expect no flash` | the line, and what the flash holds |
//! | `expect bus` | the line, and the number of bytes |
//! | `expect frame-time` | the line, and the time of the longest frame to 1 %; or that there was no frame |
//! | `expect violations none` | the line, and the first rule that was broken |
//! | `expect heap none` | the line, and what is known of the heap apart from numbers |
//! | a time that has passed, a button that is down, a power that is on | the line, and the button |
//! | any other line | the line, and the sentence of the failure |
//! | a rule of the LCD's datasheet | the rule, and the command that broke it |
//! | an invariant of the firmware | the invariant, and the evidence that the firmware's rules give |
//! | no button answered any more | nothing more |
//! | panic | the place in the source; without one, the message |
//! | the machine cannot continue | the first line of its sentence |
//! | the clock kept | nothing more |
//!
//! The state in the table is a failure's [`Evidence`](super::Evidence). [`Original`] also demands
//! that no line fails that passed before, and that there is no failure that was not there before.
//!
//! That is [`Sameness::Text`]. With [`Sameness::Line`] it is enough that the same line fails first, or that the
//! same kind of rule is broken; with [`Sameness::Screen`] the LCD's picture must be the same too.

use super::finding::{Finding, FindingCause, Judgement};

impl FindingCause {
    /// Returns whether `other`, found in a trace whose lines come from the lines `origins` of this
    /// one's, is the same failure.
    fn is_like(&self, other: &Self, origins: &[usize]) -> bool {
        match (self, other) {
            (
                Self::Line { index, evidence, .. },
                Self::Line { index: other, evidence: shown, .. },
            ) => origins.get(*other) == Some(index) && evidence.is_like(shown),
            (Self::Rule { rule, bytes, .. }, Self::Rule { rule: other, bytes: sent, .. }) => {
                rule == other && bytes.first() == sent.first()
            }
            (Self::Invariant(one), Self::Invariant(other)) => {
                (one.kind, &one.evidence) == (other.kind, &other.evidence)
            }
            (Self::Panic { place: Some(one), .. }, Self::Panic { place: Some(two), .. }) => {
                one == two
            }
            (Self::Panic { message: one, .. }, Self::Panic { message: two, .. }) => one == two,
            (Self::Broken(one), Self::Broken(two)) => {
                one.message().lines().next() == two.message().lines().next()
            }
            (Self::ClockKept, Self::ClockKept) | (Self::Stuck { .. }, Self::Stuck { .. }) => true,
            _ => false,
        }
    }
}

impl FindingCause {
    /// Returns whether `other` fails in the same line, or is of the same kind if no line fails.
    fn is_in_same_line(&self, other: &Self, origins: &[usize]) -> bool {
        match (self, other) {
            (Self::Line { index, .. }, Self::Line { index: other, .. }) => {
                origins.get(*other) == Some(index)
            }
            _ => self.kind() == other.kind(),
        }
    }
}

/// How much of a failure a shrunk trace has in common with the whole one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sameness {
    /// The line that fails first.
    Line,
    /// The evidence of the table above as well: of most lines the text on the LCD.
    #[default]
    Text,
    /// The picture on the LCD as well.
    Screen,
}

/// A trace that fails, for comparing candidates with it.
#[derive(Clone, Debug)]
pub struct Original(Judgement, Sameness);

impl Original {
    /// Returns `None` if there was no failure.
    pub fn new(judgement: Judgement) -> Option<Self> {
        (!judgement.findings.is_empty()).then_some(Self(judgement, Sameness::default()))
    }

    /// Returns the original, for candidates with this much in common.
    #[must_use]
    pub fn with(self, sameness: Sameness) -> Self {
        Self(self.0, sameness)
    }

    /// Returns the original's first failure, which shrinking preserves.
    pub fn finding(&self) -> &Finding {
        &self.0.findings[0]
    }

    /// Returns whether the first failure of `candidate`, whose lines come from the lines `origins`,
    /// is the same, and whether it has no failure that the original had not.
    pub fn is_reproduced_by(&self, candidate: &Judgement, origins: &[usize]) -> bool {
        candidate.findings.split_first().is_some_and(|(first, others)| match self.1 {
            Sameness::Line => self.finding().cause.is_in_same_line(&first.cause, origins),
            Sameness::Text => self.is_like(&first.cause, others, origins),
            Sameness::Screen => {
                self.is_like(&first.cause, others, origins) && self.has_screen_of(candidate)
            }
        })
    }

    fn is_like(&self, first: &FindingCause, others: &[Finding], origins: &[usize]) -> bool {
        self.finding().cause.is_like(first, origins)
            && others.iter().all(|other| self.has(&other.cause, origins))
    }

    /// Returns whether the LCD shows the same picture at the first failure of both, if that is a line.
    fn has_screen_of(&self, candidate: &Judgement) -> bool {
        let screen = |judged: &Judgement| match judged.findings.first()?.cause {
            FindingCause::Line { index, .. } => judged.screens.get(&index).copied(),
            _ => None,
        };
        screen(&self.0) == screen(candidate)
    }

    /// Returns whether the original had this failure as well. A line that did not pass there may
    /// fail in any way.
    fn has(&self, cause: &FindingCause, origins: &[usize]) -> bool {
        match cause {
            FindingCause::Line { index, .. } => {
                let origin = origins.get(*index);
                origin.is_some_and(|origin| self.0.passed.get(*origin) == Some(&false))
            }
            _ => self.0.findings.iter().any(|found| found.cause.is_like(cause, origins)),
        }
    }
}

#[cfg(test)]
mod tests;
