//! Failures of a replay: the line, the time, and the cause as data.
//!
//! Programs match on [`FailureCause`]; its `Display` is the sentence for people.

mod wording;

use core::fmt;

use thiserror::Error;

use super::limits::{TONE_GRACE, tone_tolerance};
use super::nearest::NearestText;
use super::since::Since;
use crate::board::ConsoleLine;
use crate::{Heap, MachineError};
use ili9341_model::{Rule, Table, frame::Region};
use reading::golden::GoldenError;
use trace::{
    BoardFault, Button, Comparison, Display, IncludedPlace, Led, LedCheck, LedState, Place,
    RegionText, SHOWN_TOLERANCE, bytes_spoken,
};
use virtual_time::{Instant, Nanos, spoken};
pub(super) use wording::of_line;
use wording::{
    console_lost, first_line, first_violation, flash_cut, heap_found, hex, last_lines,
    led_exchanged, led_state, list_of_tones, listed, nearest, nearest_line, of_display, on_off,
    on_the_lcd, stood, the_lcd, tone_at_end, tone_found, tones_lost, turned_window, whose,
};

/// Number of a failure in its replay, from 0. Identifies what is recorded of the failure elsewhere
/// (a picture of the LCD, see [`Goldens::failed`](super::Goldens::failed)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FailureId(pub usize);

/// A failed line, or a violation by the firmware.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Number of the failure in its replay.
    pub id: FailureId,
    /// Line of the trace; `None` for a violation of the LCD's datasheet.
    pub place: Option<Place>,
    /// Place of that line in a file that the trace includes at `place`.
    pub included: Option<IncludedPlace>,
    /// Time of the failure.
    pub at: Instant,
    /// Expected and actual state.
    pub cause: FailureCause,
    /// The display that the line names; `None` = the first one.
    pub display: Option<Display>,
    /// Text on that display at that time, line by line; `None` where it is irrelevant.
    pub shown: Option<Vec<String>>,
}

impl Failure {
    /// Returns the expected and the actual state, as a sentence without a full stop.
    pub fn message(&self) -> String {
        match &self.included {
            Some(place) => format!("in the included file {place}: {}", self.cause),
            None => self.cause.to_string(),
        }
    }

    /// Returns the violated rule of the LCD's datasheet, if the failure is a violation.
    pub fn rule(&self) -> Option<Rule> {
        match self.cause {
            FailureCause::Violation { rule, .. } => Some(rule),
            _ => None,
        }
    }
}

/// Writes `41:9: at 12.3 s: expected …`, and below it what the LCD showed.
impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = self.place {
            write!(out, "{place}: ")?;
        }
        write!(out, "at {}: {}", spoken(self.at.since_start()), self.message())?;
        match self.shown.as_deref() {
            None => Ok(()),
            Some([]) => out.write_str("\n    the LCD showed no text"),
            Some(lines) => {
                out.write_str("\n    the LCD showed:")?;
                lines.iter().try_for_each(|line| write!(out, "\n      | {line}"))
            }
        }
    }
}

/// Text on the LCD that may be the missing one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NearText {
    /// A text that is nearly the same.
    Differs(NearestText),
    /// The text itself, outside the region that the line names: the smallest region that contains
    /// it.
    Elsewhere(Region),
}

/// The cause of a failure of a line or of the firmware. `Display` is a sentence without a full
/// stop.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FailureCause {
    /// `expect text` did not find the text.
    #[error("expected text {}{}", on_the_lcd(wanted), nearest(near.as_ref()))]
    TextMissing {
        /// Expected text.
        wanted: RegionText,
        /// Text on the LCD that may be the expected one.
        near: Option<NearText>,
    },
    /// `expect no text` found the text.
    #[error("expected no text {}", on_the_lcd(wanted))]
    TextShown {
        /// Text that was not allowed.
        wanted: RegionText,
    },
    /// `expect text … for`: the text was never on the LCD.
    #[error(
        "expected text {} for {}; it has not been there{}",
        on_the_lcd(wanted),
        spoken(*expected),
        nearest(near.as_ref())
    )]
    TextNeverShown {
        /// Expected text.
        wanted: RegionText,
        /// Expected time.
        expected: Nanos,
        /// Text on the LCD that may be the expected one.
        near: Option<NearText>,
    },
    /// `expect text … for`: the text was on the LCD for too short or too long a time.
    #[error(
        "expected text {} for {} (+-{}); {}",
        on_the_lcd(wanted),
        spoken(*expected),
        spoken(SHOWN_TOLERANCE),
        stood([*lasted, *drawn_for], *from, *until)
    )]
    TextShownFor {
        /// Expected text.
        wanted: RegionText,
        /// Expected time.
        expected: Nanos,
        /// Time for which it was shown, from complete frame to complete frame.
        lasted: Nanos,
        /// Time for which it was shown, from the first pixel of the one frame to the first pixel of
        /// the other.
        drawn_for: Nanos,
        /// Time at which the first frame with the text was complete.
        from: Instant,
        /// Time at which the first frame without the text was complete; `None` = it is still shown.
        until: Option<Instant>,
    },
    /// `expect frame`, `expect frames` or `screenshot`: a golden differs or a file cannot be used.
    #[error(transparent)]
    Golden(#[from] GoldenError),
    /// `expect tone`: the tone did not sound.
    #[error(
        "expected a tone of {hertz} Hz {since}, then or within the {} before; heard was {}{}",
        spoken(TONE_GRACE),
        list_of_tones(heard),
        tones_lost(*history_full)
    )]
    ToneMissing {
        /// Expected frequency in hertz.
        hertz: u32,
        /// Start of the tones that count.
        since: Since,
        /// Frequencies in hertz that began after `since` and sounded in the span.
        heard: Vec<u32>,
        /// Whether the board's history of tones is full.
        history_full: bool,
    },
    /// `expect tone … for …`: the last such tone had another length, or there was none.
    #[error(
        "expected a tone of {hertz} Hz for {} (to {}) {since}; {}{}",
        spoken(*lasted),
        spoken(tone_tolerance(*lasted)),
        tone_found(*found),
        tones_lost(*history_full)
    )]
    ToneLength {
        /// Expected frequency in hertz.
        hertz: u32,
        /// Expected length.
        lasted: Nanos,
        /// Start of the tones that count.
        since: Since,
        /// The last tone of that frequency.
        found: ToneFound,
        /// Whether the board's history of tones is full.
        history_full: bool,
    },
    /// `expect no tone`: there was a tone, or the board's history is full.
    #[error(
        "expected no tone{}; {}",
        silent_for.map_or_else(String::new, |span| format!(" for {}", spoken(span))),
        tone_at_end(*heard)
    )]
    UnexpectedTone {
        /// Span before the line; `None` for the line's time only.
        silent_for: Option<Nanos>,
        /// Frequency of the last tone in hertz, and the time at which it ended, if it did. `None`
        /// if the board's history of tones is full.
        heard: Option<(u32, Option<Instant>)>,
    },
    /// `expect backlight`: the backlight has the other state.
    #[error(
        "expected the backlight{} {}; it is {}",
        of_display(*display), on_off(*expected), on_off(!*expected)
    )]
    Backlight {
        /// Whether the backlight was expected to be on.
        expected: bool,
        /// The display; `None` = the first one.
        display: Option<Display>,
    },
    /// `expect led`: the LED has another state.
    #[error(
        "expected the LED {check}; {}{}{}",
        led_state(check, *number, *state),
        match since {
            None => ", without a change since power-on".to_owned(),
            Some(since) => format!(", since {}", spoken(since.since_start())),
        },
        led_exchanged(check, *state)
    )]
    Led {
        check: LedCheck,
        /// Number of the LED in its chain.
        number: u16,
        state: LedState,
        /// Time of its last change; `None` if there was none.
        since: Option<Instant>,
    },
    /// `expect led` on a board that does not have the LED.
    #[error("the board has no LED {}; is it the board of the trace?", led.name())]
    NoLed { led: Led },
    /// `expect console`: no line has the text.
    #[error(
        "expected a console line with {text:?} {since}; {}{}{}{}{}",
        nearest_line(near.as_deref()),
        last_lines(*lines, last),
        first_line(first.as_deref()),
        before.map_or_else(String::new, |at| {
            format!("; one came before that, at {}", spoken(at.since_start()))
        }),
        console_lost(*history_full)
    )]
    ConsoleLineMissing {
        /// Expected text.
        text: String,
        /// Start of the lines that count.
        since: Since,
        /// Number of lines that count.
        lines: usize,
        /// The last of these lines, oldest first; at most
        /// [`CONSOLE_LINES_REPORTED`](super::CONSOLE_LINES_REPORTED).
        last: Vec<String>,
        /// The first of these lines that begins with the same word as the expected text, if it is
        /// before `last`: after it a game may have been another one.
        first: Option<String>,
        /// The line among them that contains the text most similar to the expected one.
        near: Option<Box<NearestText>>,
        /// Time of an earlier line with the text, which does not count.
        before: Option<Instant>,
        /// Whether the board's history of console bytes is full.
        history_full: bool,
    },
    /// `expect no console`: a line has the text, or the board's history is full.
    #[error(
        "expected no console line with {text:?} {since}; {}",
        match line {
            Some(line) => {
                format!("at {} there was {:?}", spoken(line.at.since_start()), line.text)
            }
            None => "the board has received more than it keeps, and cannot tell".to_owned(),
        }
    )]
    ConsoleLineShown {
        /// Text that was not allowed.
        text: String,
        /// Start of the lines that count.
        since: Since,
        /// The first line with the text; `None` if the board's history of console bytes is full.
        line: Option<ConsoleLine>,
    },
    /// `expect flash`: no line has the text.
    #[error(
        "expected a line with {text:?} in the flash; {}it has {}",
        nearest_line(near.as_ref()),
        listed(lines)
    )]
    FlashLineMissing {
        /// Expected text.
        text: String,
        /// Description of the flash's contents.
        lines: Vec<String>,
        /// The line that was probably meant.
        near: Option<NearestText>,
    },
    /// `expect no flash`: a line has the text.
    #[error("expected no line with {text:?} in the flash; there is {line:?}")]
    FlashLineShown {
        /// Text that was not allowed.
        text: String,
        /// The first line with the text.
        line: String,
    },
    /// `expect flash`: the board has no description of its flash.
    #[error("what the flash of this board holds is not known here; the board has no reader for it")]
    FlashUnread,
    /// `expect flash`: the flash of a real board cannot be read.
    #[error("the board's flash cannot be read: {}", .0.message())]
    FlashUnreadable(MachineError),
    /// `expect bus`: too many bytes.
    #[error(
        "expected {} {} on the LCD's bus within {}; there were {}",
        comparison.spoken(),
        bytes_spoken(*limit),
        spoken(*within),
        bytes_spoken(*sent)
    )]
    BusOverBudget {
        /// Comparison of `sent` with `limit`.
        comparison: Comparison,
        /// Limit in bytes.
        limit: u64,
        /// Span before the line.
        within: Nanos,
        /// Number of bytes sent in that span.
        sent: u64,
    },
    /// `expect frame-time`: no frame was completed since the last such line.
    #[error(
        "expected {} {} for a frame{}; no frame was complete since the last such line",
        comparison.spoken(),
        spoken(*limit),
        of_display(*display)
    )]
    NoFrame {
        /// Comparison of the time with `limit`.
        comparison: Comparison,
        /// Upper bound.
        limit: Nanos,
        /// The display; `None` = the first one.
        display: Option<Display>,
    },
    /// `expect frame-time`: a frame took too long.
    #[error(
        "expected {} {} for a frame{}; the one that was complete at {} took {}",
        comparison.spoken(),
        spoken(*limit),
        of_display(*display),
        spoken(complete_at.since_start()),
        spoken(*time)
    )]
    FrameTooLong {
        /// Comparison of `time` with `limit`.
        comparison: Comparison,
        /// Upper bound.
        limit: Nanos,
        /// The display; `None` = the first one.
        display: Option<Display>,
        /// Time at which the longest frame was complete.
        complete_at: Instant,
        /// Time from the frame's first visible change to its last.
        time: Nanos,
    },
    /// `expect violations none`: there were violations.
    #[error(
        "expected no violations of the LCD's datasheet; there were {count}{}",
        first_violation(*first)
    )]
    Violations {
        /// Number of violations, including those that the LCD model did not record.
        count: u64,
        /// Time and rule of the first violation.
        first: Option<(Instant, Rule)>,
    },
    /// `expect heap none`: the firmware uses a heap, contains one, or the machine cannot determine
    /// it.
    #[error("expected firmware without a heap{}", heap_found(.0))]
    Heap(Heap),
    /// `wait text`: the text did not appear.
    #[error(
        "waited {} for text {text:?} on {}{}; the trace stops here",
        spoken(*within),
        the_lcd(*display),
        nearest(near.as_ref())
    )]
    WaitedForText {
        /// Text that was waited for.
        text: String,
        /// The display; `None` = the first one.
        display: Option<Display>,
        /// Longest wait.
        within: Nanos,
        /// Text on the LCD at the end that may be the expected one.
        near: Option<NearText>,
    },
    /// `wait console`: no line with the text came.
    #[error(
        "waited {} for a console line with {text:?} {since}; {}{}{}{}; the trace stops here",
        spoken(*within),
        nearest_line(near.as_deref()),
        last_lines(*lines, last),
        first_line(first.as_deref()),
        console_lost(*history_full)
    )]
    WaitedForConsole {
        /// Text that was waited for.
        text: String,
        /// Longest wait.
        within: Nanos,
        /// Start of the lines that count.
        since: Since,
        /// Number of lines that count.
        lines: usize,
        /// The last of these lines, oldest first; at most
        /// [`CONSOLE_LINES_REPORTED`](super::CONSOLE_LINES_REPORTED).
        last: Vec<String>,
        /// The first of these lines that begins with the same word as the expected text, if it is
        /// before `last`: after it a game may have been another one.
        first: Option<String>,
        /// The line among them that contains the text most similar to the expected one.
        near: Option<Box<NearestText>>,
        /// Whether the board's history of console bytes is full.
        history_full: bool,
    },
    /// `settle`: the screen did not settle.
    #[error(
        "waited {} for {} to settle; it changed last at {}; the trace stops here",
        spoken(*within),
        the_lcd(*display),
        spoken(last_change.since_start())
    )]
    NotSettled {
        /// The display that the line names; `None` = all displays.
        display: Option<Display>,
        /// Longest wait.
        within: Nanos,
        /// Time of the last visible change.
        last_change: Instant,
    },
    /// The line above ended after the absolute time of this line.
    #[error(
        "the line above was over only at {}, past this line's {}; the trace stops here",
        spoken(now.since_start()),
        spoken(line_at.since_start())
    )]
    TimePassed {
        /// Time at which the line above ended.
        now: Instant,
        /// Time of this line.
        line_at: Instant,
    },
    /// A press of a button that a `tap` still holds.
    #[error(
        "{button} is still down: the tap{} holds it until {}; the trace stops here",
        of_line(*line),
        spoken(until.since_start())
    )]
    ButtonDown {
        button: Button,
        /// Line of the tap.
        line: u32,
        /// Time at which the tap ends.
        until: Instant,
    },
    /// `power on` while the power is on, because a planned cut in the flash has not happened.
    #[error("the power is on still{}; the trace stops here", flash_cut(*bytes_left))]
    PowerOn {
        /// Number of bytes of the flash until the cut, if one is planned.
        bytes_left: Option<u64>,
    },
    /// A fault that needs power, after a cut in the flash has switched it off.
    #[error(
        "`fault {fault}` meets no power, which is gone since {}; write `power on` above it, or take \
         it out",
        spoken(off_since.since_start())
    )]
    FaultWithoutPower {
        fault: BoardFault,
        /// Time at which the power was lost.
        off_since: Instant,
    },
    /// The firmware stopped letting time pass, after another failure.
    #[error("the firmware keeps the clock for itself from here on")]
    NoProgress,
    /// The firmware violated a rule of the LCD's datasheet.
    #[error(
        "{} datasheet is not obeyed ({}, section {}): {}; bytes {}{}",
        whose(*display),
        rule.name(),
        table.rule(*rule).map_or("-", |text| &text.section),
        table.rule(*rule).map_or(rule.name(), |text| &text.text),
        hex(bytes),
        turned_window(*rule, bytes, table)
    )]
    Violation {
        rule: Rule,
        /// Bytes of the violation, command first.
        bytes: Vec<u8>,
        /// Controller whose rule it is.
        table: &'static Table,
        /// The display; `None` = the first one.
        display: Option<Display>,
    },
}

/// Result of `expect tone … for …` for a frequency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToneFound {
    /// The tone did not sound.
    Nothing,
    /// The tone is still sounding; the length until now.
    Sounds(Nanos),
    /// The last tone has ended; its length.
    Lasted(Nanos),
}

#[cfg(test)]
mod tests;
