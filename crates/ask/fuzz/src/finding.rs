//! A failure found in a session: as data, to be compared with other findings, and as a sentence.

use core::fmt;
use std::collections::BTreeMap;

use hal_mock::MachineError;
use host::PanicPlace;
use ili9341_model::Rule;
use insight::BrokenInvariant;
use reading::golden::chain::FrameHash;
use trace::Action;
use virtual_time::{Instant, Nanos, spoken};

use super::evidence::Evidence;

/// Time after a press or a release within which an answer of a board counts.
pub const PRESS_ANSWERED_WITHIN: Nanos = Nanos::from_millis(900);

/// Result of a replay of a trace.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// Findings in order of time.
    pub findings: Vec<Finding>,
    /// For each line of the trace, whether it was executed and did not fail.
    pub passed: Vec<bool>,
    /// Picture of the LCD at each line that failed, by the index of the line.
    pub screens: BTreeMap<usize, FrameHash>,
}

/// A failure in a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Virtual time of the failure.
    pub at: Instant,
    pub cause: FindingCause,
}

/// Cause of a failure: the expected and the actual state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindingCause {
    /// A line of the trace failed.
    Line {
        /// Line without its times.
        line: LinePattern,
        /// Index of the line among the lines of the trace.
        index: usize,
        evidence: Evidence,
        /// Message of the replay.
        message: String,
    },
    /// A rule of the LCD's datasheet was broken.
    Rule {
        rule: Rule,
        /// Bytes that broke the rule, command first.
        bytes: Vec<u8>,
        /// Message of the replay.
        message: String,
    },
    /// An invariant of the firmware was broken.
    Invariant(BrokenInvariant),
    /// A board that answered presses answers those of no button any more.
    Stuck {
        /// Number of buttons of the board, each of which was pressed.
        buttons: usize,
        /// Time of the first press without an answer.
        since: Instant,
    },
    /// The firmware panicked.
    Panic {
        message: Option<String>,
        /// Place in the firmware's source.
        place: Option<PanicPlace>,
    },
    /// The machine could not continue.
    Broken(MachineError),
    /// The firmware does not let time pass.
    ClockKept,
}

/// Kind of a finding: the rule that was broken, or the line that failed.
/// [`Original`](super::Original) decides whether two findings are the same failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindingKind {
    Line(LinePattern),
    /// A rule of the LCD's datasheet.
    Rule(Rule),
    /// An invariant of the firmware, by the sentence that it is broken.
    Invariant(&'static str),
    /// No button is answered any more.
    Stuck,
    /// The firmware panicked.
    Panic,
    /// The machine could not continue.
    Broken,
    /// The firmware does not let time pass.
    ClockKept,
}

/// A line of a trace without its times. Lines that fail in the same way have the same pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinePattern(Action);

impl LinePattern {
    /// Returns the pattern of `action`.
    pub fn of(action: &Action) -> Self {
        let mut pattern = action.clone();
        if let Action::WaitText { within, .. }
        | Action::WaitConsole { within, .. }
        | Action::Settle { within, .. } = &mut pattern
        {
            *within = Nanos::ZERO;
        }
        Self(pattern)
    }
}

impl Finding {
    /// Returns what findings of one defect have in common: the place of a crash, or the rule without what varies
    /// from session to session.
    pub fn defect(&self) -> Defect {
        let crash =
            |place: &dyn fmt::Display| Defect { by_place: true, key: format!("at {place}") };
        let rule = |key: String| Defect { by_place: false, key };
        match &self.cause {
            FindingCause::Panic { place: Some(place), .. } => crash(place),
            FindingCause::Panic { message, .. } => {
                rule(without_numbers(message.as_deref().unwrap_or_default()))
            }
            FindingCause::Broken(error) => match error.crash().and_then(|it| it.place.as_ref()) {
                Some(place) => crash(place),
                None => rule(without_numbers(error.message().lines().next().unwrap_or_default())),
            },
            FindingCause::Rule { rule: broken, bytes, .. } => {
                rule(format!("{broken:?} {:02X?}", bytes.first()))
            }
            cause => rule(cause.kind().to_string()),
        }
    }
}

/// What findings of one defect have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Defect {
    /// Whether it is a place in the source, which needs no further evidence.
    pub by_place: bool,
    key: String,
}

/// Returns `text` with each number as `#`.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter.is_ascii_digit() {
            false => out.push(letter),
            true if !out.ends_with('#') => out.push('#'),
            true => {}
        }
    }
    out
}

impl FindingCause {
    /// Returns the rule that was broken or the line that failed.
    pub fn kind(&self) -> FindingKind {
        match self {
            Self::Line { line, .. } => FindingKind::Line(line.clone()),
            Self::Rule { rule, .. } => FindingKind::Rule(*rule),
            Self::Invariant(broken) => FindingKind::Invariant(broken.kind),
            Self::Stuck { .. } => FindingKind::Stuck,
            Self::Panic { .. } => FindingKind::Panic,
            Self::Broken(_) => FindingKind::Broken,
            Self::ClockKept => FindingKind::ClockKept,
        }
    }
}

/// Prints `expect text "GAME OVER"`, `wait text "MENU"`, `settle`.
impl fmt::Display for LinePattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Action::WaitText { text, .. } => write!(out, "wait text {text:?}"),
            Action::WaitConsole { text, .. } => write!(out, "wait console {text:?}"),
            Action::Settle { .. } => out.write_str("settle"),
            action => action.fmt(out),
        }
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(out, "a line fails: {line}"),
            Self::Rule(rule) => write!(out, "the LCD's datasheet (section {})", rule.section()),
            Self::Invariant(kind) => out.write_str(kind),
            Self::Stuck => out.write_str("no button is answered any more"),
            Self::Panic => out.write_str("the firmware panicked"),
            Self::Broken => out.write_str("the firmware cannot go on"),
            Self::ClockKept => out.write_str("the firmware keeps the clock for itself"),
        }
    }
}

/// Prints the expected and the actual state as a sentence without a full stop.
impl fmt::Display for FindingCause {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { message, .. } | Self::Rule { message, .. } => out.write_str(message),
            Self::Invariant(broken) => out.write_str(&broken.message),
            Self::Stuck { buttons, since } => write!(
                out,
                "each of the {buttons} buttons was pressed since {}, and within {} of each release nothing \
                 visible changed, nothing sounded and no console line came",
                spoken(since.since_start()),
                spoken(PRESS_ANSWERED_WITHIN)
            ),
            Self::Panic { message, place } => {
                out.write_str(message.as_deref().unwrap_or("without a message"))?;
                place.as_ref().map_or(Ok(()), |place| write!(out, " ({place})"))
            }
            Self::Broken(error) => out.write_str(&error.message()),
            Self::ClockKept => out.write_str("it lets no time pass, or too much of it"),
        }
    }
}

/// Prints `at 1.2 s: the firmware panicked: …`
impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "at {}: {}: {}", spoken(self.at.since_start()), self.cause.kind(), self.cause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panic(message: Option<&str>, file: Option<&str>) -> FindingCause {
        let place = file.map(|file| PanicPlace { file: file.to_owned(), line: 7, column: 9 });
        FindingCause::Panic { message: message.map(str::to_owned), place }
    }

    #[test]
    fn findings_of_one_defect_agree_in_place_or_rule() {
        let defect = |cause: FindingCause| Finding { at: Instant::START, cause }.defect();
        let one = defect(panic(Some("level 7"), Some("a.rs")));
        assert_eq!(one, defect(panic(Some("level 12"), Some("a.rs"))));
        assert!(one.by_place && one != defect(panic(Some("level 7"), Some("b.rs"))));
        let plain = defect(panic(Some("level 7"), None));
        assert_eq!(plain, defect(panic(Some("level 12"), None)));
        assert!(plain != defect(panic(Some("row 7"), None)) && !plain.by_place);
        let broken =
            |text: &str| FindingCause::Broken(MachineError::new(Instant::START, text.to_owned()));
        assert_eq!(
            defect(broken("HardFault at 0x10, cycle 5\nx")),
            defect(broken("HardFault at 0x10, cycle 9\ny"))
        );
        assert_ne!(defect(broken("HardFault")), defect(FindingCause::ClockKept));
    }

    #[test]
    fn each_cause_has_its_sentence() {
        let line = |action: &Action, message: &str| FindingCause::Line {
            line: LinePattern::of(action),
            index: 0,
            evidence: Evidence::Line,
            message: message.to_owned(),
        };
        let settle = Action::Settle { display: None, within: Nanos::from_secs(5) };
        let wait =
            Action::WaitText { text: "MENU".into(), display: None, within: Nanos::from_secs(5) };
        let broken = BrokenInvariant {
            kind: "the door is open",
            evidence: "1".into(),
            message: "the lock says open, the lamp is off".into(),
        };
        for (cause, expected) in [
            (line(&settle, "not settled"), "a line fails: settle: not settled"),
            (line(&wait, "no text"), "a line fails: wait text \"MENU\": no text"),
            (
                line(&Action::ExpectText("GAME OVER".into()), "no text"),
                "a line fails: expect text \"GAME OVER\": no text",
            ),
            (
                FindingCause::Invariant(broken),
                "the door is open: the lock says open, the lamp is off",
            ),
            (
                FindingCause::Stuck { buttons: 2, since: Instant::from_secs(9) },
                "no button is answered any more: each of the 2 buttons was pressed since 9 s, and within \
                 900 ms of each release nothing visible changed, nothing sounded and no console line came",
            ),
            (panic(Some("x"), None), "the firmware panicked: x"),
            (panic(None, None), "the firmware panicked: without a message"),
            (panic(Some("x"), Some("a.rs")), "the firmware panicked: x (a.rs:7:9)"),
            (
                FindingCause::ClockKept,
                "the firmware keeps the clock for itself: it lets no time pass, or too much of it",
            ),
        ] {
            let finding = Finding { at: Instant::from_millis(1_200), cause };
            assert_eq!(finding.to_string(), format!("at 1.2 s: {expected}"));
        }
    }

    #[test]
    fn a_line_is_the_same_whatever_its_times_are() {
        let settle = |seconds| Action::Settle { display: None, within: Nanos::from_secs(seconds) };
        assert_eq!(LinePattern::of(&settle(1)), LinePattern::of(&settle(2)));
        let text = |text: &str| LinePattern::of(&Action::ExpectText(text.into()));
        assert_ne!(text("A"), text("B"));
    }
}
