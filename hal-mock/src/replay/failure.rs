//! What was not as it should be in a replay: which line, when, and the cause as data.
//!
//! Readers match on [`FailureCause`]; its `Display` is the sentence for people.

use core::fmt;

use thiserror::Error;

use super::limits::{TONE_HEARD_FOR, tone_tolerance};
use super::nearest::Near;
use super::since::Since;
use crate::Heap;
use crate::board::ConsoleLine;
use ili9341_model::{Rule, frame::Region};
use reading::golden::GoldenError;
use trace::{
    BoardFault, Button, Comparison, IncludedPlace, Place, RegionText, SHOWN_TOLERANCE, bytes_spoken,
};
use virtual_time::{Instant, Nanos, spoken};

/// The number of a failure in its replay, from 0. What is recorded of a failure elsewhere (a
/// picture of the LCD, see [`Goldens::failed`](super::Goldens::failed)) is found by it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FailureId(pub usize);

/// One thing that was not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Which failure of its replay it is.
    pub id: FailureId,
    /// The line of the trace; `None` for a broken rule of the LCD's datasheet.
    pub place: Option<Place>,
    /// Where that line stands in a file that the trace includes at `place`.
    pub included: Option<IncludedPlace>,
    /// When.
    pub at: Instant,
    /// What was expected and what there was.
    pub cause: FailureCause,
    /// The text on the LCD then, line by line; `None` where it does not matter.
    pub shown: Option<Vec<String>>,
}

impl Failure {
    /// What was expected and what there was, as a sentence without a full stop.
    pub fn message(&self) -> String {
        match &self.included {
            Some(place) => format!("in the included file {place}: {}", self.cause),
            None => self.cause.to_string(),
        }
    }

    /// The rule of the LCD's datasheet that the firmware has broken, if it is that.
    pub fn rule(&self) -> Option<Rule> {
        match self.cause {
            FailureCause::Violation { rule, .. } => Some(rule),
            _ => None,
        }
    }
}

/// `41:9: at 12.3 s: expected …`, and below it what the LCD showed.
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

/// What the LCD showed that may have been meant by a missing text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NearText {
    /// A text that is nearly the same.
    Differs(Near),
    /// The text itself, outside of the region that the line names: the smallest region that holds it.
    Elsewhere(Region),
}

/// Why a line, or the firmware, has failed. Its text is a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FailureCause {
    /// `expect text` did not find the text.
    #[error("expected text {}{}", on_the_lcd(wanted), nearest(near.as_ref()))]
    TextMissing {
        /// What was expected.
        wanted: RegionText,
        /// What the LCD showed that may have been meant.
        near: Option<NearText>,
    },
    /// `expect no text` found the text.
    #[error("expected no text {}", on_the_lcd(wanted))]
    TextShown {
        /// What was not to be there.
        wanted: RegionText,
    },
    /// `expect text … for`: the text has not been on the LCD.
    #[error(
        "expected text {} for {}; it has not been there{}",
        on_the_lcd(wanted),
        spoken(*expected),
        nearest(near.as_ref())
    )]
    TextNeverShown {
        /// What was expected.
        wanted: RegionText,
        /// For how long.
        expected: Nanos,
        /// What the LCD showed that may have been meant.
        near: Option<NearText>,
    },
    /// `expect text … for`: the text was on the LCD for too short or too long.
    #[error(
        "expected text {} for {} (+-{}); {}",
        on_the_lcd(wanted),
        spoken(*expected),
        spoken(SHOWN_TOLERANCE),
        stood([*lasted, *drawn_for], *from, *until)
    )]
    TextShownFor {
        /// What was expected.
        wanted: RegionText,
        /// For how long.
        expected: Nanos,
        /// For how long it stood there, from complete frame to complete frame.
        lasted: Nanos,
        /// The same from the first pixel of the one frame to the first pixel of the other.
        drawn_for: Nanos,
        /// When the first frame with it was complete.
        from: Instant,
        /// When the first frame without it was complete; `None` = it stands there still.
        until: Option<Instant>,
    },
    /// `expect frame`, `expect frames` or `screenshot`: a golden differs or a file cannot be used.
    #[error(transparent)]
    Golden(#[from] GoldenError),
    /// `expect tone` did not hear the tone.
    #[error(
        "expected a tone of {hertz} Hz {since}, then or within the {} before; heard was {}{}",
        spoken(TONE_HEARD_FOR),
        heard_tones(heard),
        tones_lost(*history_full)
    )]
    ToneMissing {
        /// In hertz.
        hertz: u32,
        /// Where the tones begin that count.
        since: Since,
        /// What began since and sounded in the span, in hertz.
        heard: Vec<u32>,
        /// The board has heard more tones than it keeps.
        history_full: bool,
    },
    /// `expect tone … for …`: the last such tone lasted for another time, or there was none.
    #[error(
        "expected a tone of {hertz} Hz for {} (to {}) {since}; {}{}",
        spoken(*lasted),
        spoken(tone_tolerance(*lasted)),
        tone_found(*found),
        tones_lost(*history_full)
    )]
    ToneLength {
        /// In hertz.
        hertz: u32,
        /// How long it was to sound.
        lasted: Nanos,
        /// Where the tones begin that count.
        since: Since,
        /// The last one of that frequency.
        found: ToneFound,
        /// The board has heard more tones than it keeps.
        history_full: bool,
    },
    /// `expect no tone`: there was one, or the board cannot tell.
    #[error(
        "expected no tone{}; {}",
        silent_for.map_or_else(String::new, |span| format!(" for {}", spoken(span))),
        tone_heard(*heard)
    )]
    ToneHeard {
        /// The span before the line; `None` for that moment.
        silent_for: Option<Nanos>,
        /// The last one, in hertz, and when it was over, if it was. `None` if the board has heard more
        /// tones than it keeps.
        heard: Option<(u32, Option<Instant>)>,
    },
    /// `expect backlight`: it is the other way round.
    #[error(
        "expected the backlight {}; it is {}", on_off(*expected), on_off(!*expected)
    )]
    Backlight {
        /// Whether it was to be on.
        expected: bool,
    },
    /// `expect console` found no line with the text.
    #[error(
        "expected a console line with {text:?} {since}; {}{}{}{}",
        nearest_line(near.as_deref()),
        last_lines(*lines, last),
        before.map_or_else(String::new, |at| {
            format!("; one came before that, at {}", spoken(at.since_start()))
        }),
        console_lost(*history_full)
    )]
    ConsoleLineMissing {
        /// What was expected.
        text: String,
        /// Where the lines begin that count.
        since: Since,
        /// How many there were since.
        lines: usize,
        /// The last of them, oldest first; at most [`CONSOLE_LINES_TOLD`](super::CONSOLE_LINES_TOLD).
        last: Vec<String>,
        /// Of these lines, the one that has something near to the text.
        near: Option<Box<Near>>,
        /// When a line with the text came before these.
        before: Option<Instant>,
        /// The board has received more bytes than it keeps.
        history_full: bool,
    },
    /// `expect no console` found a line with the text, or the board cannot tell.
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
        /// What was not to be there.
        text: String,
        /// Where the lines begin that count.
        since: Since,
        /// The first line with it; `None` if the board has received more bytes than it keeps.
        line: Option<ConsoleLine>,
    },
    /// `expect flash` found no line with the text.
    #[error(
        "expected a line with {text:?} in the flash; {}it has {}",
        nearest_line(near.as_ref()),
        listed(lines)
    )]
    FlashLineMissing {
        /// What was expected.
        text: String,
        /// What the flash holds.
        lines: Vec<String>,
        /// The line that was probably meant.
        near: Option<Near>,
    },
    /// `expect no flash` found a line with the text.
    #[error("expected no line with {text:?} in the flash; there is {line:?}")]
    FlashLineShown {
        /// What was not to be there.
        text: String,
        /// The first line with it.
        line: String,
    },
    /// `expect flash`: this board's flash cannot be described.
    #[error("what the flash of this board holds is not known here; the board has no reader for it")]
    FlashUnread,
    /// `expect bus`: too many bytes.
    #[error(
        "expected {} {} on the LCD's bus within {}; there were {}",
        comparison.spoken(),
        bytes_spoken(*limit),
        spoken(*within),
        bytes_spoken(*sent)
    )]
    BusOverBudget {
        /// How `sent` was to compare with `limit`.
        comparison: Comparison,
        /// In bytes.
        limit: u64,
        /// The span before the line.
        within: Nanos,
        /// Bytes that were sent in it.
        sent: u64,
    },
    /// `expect frame-time`: no frame has been complete since the last such line.
    #[error(
        "expected {} {} for a frame; no frame was complete since the last such line",
        comparison.spoken(),
        spoken(*limit)
    )]
    NoFrame {
        /// How the time was to compare with `limit`.
        comparison: Comparison,
        /// The longest time.
        limit: Nanos,
    },
    /// `expect frame-time`: a frame took too long.
    #[error(
        "expected {} {} for a frame; the one that was complete at {} took {}",
        comparison.spoken(),
        spoken(*limit),
        spoken(complete_at.since_start()),
        spoken(*time)
    )]
    FrameTooLong {
        /// How `time` was to compare with `limit`.
        comparison: Comparison,
        /// The longest time.
        limit: Nanos,
        /// When the longest frame was complete.
        complete_at: Instant,
        /// From its first visible change to its last.
        time: Nanos,
    },
    /// `expect violations none`: there were some.
    #[error(
        "expected no violations of the LCD's datasheet; there were {count}{}",
        first_violation(*first)
    )]
    Violations {
        /// How many, with those that the LCD did not record.
        count: u64,
        /// When the first was, and which rule was broken.
        first: Option<(Instant, Rule)>,
    },
    /// `expect heap none`: the firmware uses a heap, has one, or the board cannot tell.
    #[error("expected firmware without a heap{}", heap_found(.0))]
    Heap(Heap),
    /// `wait text`: the text did not appear.
    #[error(
        "waited {} for text {text:?} on the LCD{}; the trace stops here",
        spoken(*within),
        nearest(near.as_ref())
    )]
    WaitedForText {
        /// What was waited for.
        text: String,
        /// How long.
        within: Nanos,
        /// What the LCD showed at the end that may have been meant.
        near: Option<NearText>,
    },
    /// `wait console`: the line did not come.
    #[error(
        "waited {} for a console line with {text:?} {since}; {}{}{}; the trace stops here",
        spoken(*within),
        nearest_line(near.as_deref()),
        last_lines(*lines, last),
        console_lost(*history_full)
    )]
    WaitedForConsole {
        /// What was waited for.
        text: String,
        /// How long.
        within: Nanos,
        /// Where the lines begin that count.
        since: Since,
        /// How many there were since.
        lines: usize,
        /// The last of them, oldest first; at most [`CONSOLE_LINES_TOLD`](super::CONSOLE_LINES_TOLD).
        last: Vec<String>,
        /// Of these lines, the one that has something near to the text.
        near: Option<Box<Near>>,
        /// The board has received more bytes than it keeps.
        history_full: bool,
    },
    /// `settle`: the screen did not settle.
    #[error(
        "waited {} for the LCD to settle; it changed last at {}; the trace stops here",
        spoken(*within),
        spoken(last_change.since_start())
    )]
    NotSettled {
        /// How long it was waited.
        within: Nanos,
        /// When something visible changed last.
        last_change: Instant,
    },
    /// The absolute time of a line had passed when the line above was over.
    #[error(
        "the line above was over only at {}, past this line's {}; the trace stops here",
        spoken(now.since_start()),
        spoken(line_at.since_start())
    )]
    TimePassed {
        /// When the line above was over.
        now: Instant,
        /// The time of the line.
        line_at: Instant,
    },
    /// A press of a button that a `tap` still holds.
    #[error(
        "{button} is still down: the tap in line {line} holds it until {}; the trace stops here",
        spoken(until.since_start())
    )]
    ButtonDown {
        /// Which.
        button: Button,
        /// The line of the tap.
        line: u32,
        /// When the tap ends.
        until: Instant,
    },
    /// `power on` while the power is on, because a planned cut in the flash has not come.
    #[error("the power is on still{}; the trace stops here", flash_cut(*bytes_left))]
    PowerOn {
        /// Bytes of the flash until the cut, if one is planned.
        bytes_left: Option<u64>,
    },
    /// A fault that needs power, while there is none because a cut in the flash has occurred.
    #[error(
        "`fault {fault}` meets no power, which is gone since {}; write `power on` above it, or take \
         it out",
        spoken(off_since.since_start())
    )]
    FaultWithoutPower {
        /// Which.
        fault: BoardFault,
        /// When the power went.
        off_since: Instant,
    },
    /// The firmware let no time pass any more, behind another failure.
    #[error("the firmware keeps the clock for itself from here on")]
    ClockKept,
    /// The firmware has broken a rule of the LCD's datasheet.
    #[error(
        "the LCD's datasheet is not obeyed (section {}): {rule}; bytes {}",
        rule.section(),
        hex(bytes)
    )]
    Violation {
        /// Which.
        rule: Rule,
        /// The bytes that show it, command first.
        bytes: Vec<u8>,
    },
}

/// What `expect tone … for …` found of a frequency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToneFound {
    /// It did not sound.
    Nothing,
    /// It sounds still, for so long by then.
    Sounds(Nanos),
    /// The last one was over after so long.
    Lasted(Nanos),
}

fn heard_tones(heard: &[u32]) -> String {
    let heard: Vec<String> = heard.iter().map(|hz| format!("{hz} Hz")).collect();
    if heard.is_empty() { "nothing".to_owned() } else { heard.join(", ") }
}

fn on_the_lcd(wanted: &RegionText) -> String {
    let RegionText { text, region } = wanted;
    match region {
        None => format!("{text:?} on the LCD"),
        Some(region) => format!("{text:?} on the LCD in {region}"),
    }
}

fn nearest_line(near: Option<&Near>) -> String {
    near.map_or_else(String::new, |near| format!("nearest: {near}; "))
}

fn nearest(near: Option<&NearText>) -> String {
    match near {
        None => String::new(),
        Some(NearText::Differs(near)) => format!("; nearest: {near}"),
        Some(NearText::Elsewhere(region)) => format!("; it stands outside of that, in {region}"),
    }
}

fn stood([lasted, drawn_for]: [Nanos; 2], from: Instant, until: Option<Instant>) -> String {
    let (lasted, from) = (spoken(lasted), spoken(from.since_start()));
    let drawn_for = format!("{} from its first pixel on", spoken(drawn_for));
    match until {
        None => format!("it has stood there for {lasted}, since {from} ({drawn_for})"),
        Some(until) => {
            let until = spoken(until.since_start());
            format!("it stood there for {lasted}, from {from} to {until} ({drawn_for})")
        }
    }
}

fn last_lines(lines: usize, last: &[String]) -> String {
    match last {
        [] => "there was none".to_owned(),
        [last] => format!("there was one, {last:?}"),
        last => {
            let told: Vec<String> = last.iter().map(|line| format!("{line:?}")).collect();
            format!("of {lines} the last {} were {}", last.len(), told.join(", "))
        }
    }
}

fn listed(lines: &[String]) -> String {
    const SHOWN: usize = 30;
    let mut text: Vec<String> = lines.iter().take(SHOWN).map(|line| format!("{line:?}")).collect();
    if lines.len() > SHOWN {
        text.push(format!("and {} more", lines.len() - SHOWN));
    }
    if text.is_empty() { "no lines".to_owned() } else { text.join(", ") }
}

fn tone_found(found: ToneFound) -> String {
    match found {
        ToneFound::Nothing => "there was none".to_owned(),
        ToneFound::Sounds(span) => format!("it sounds still, for {} by then", spoken(span)),
        ToneFound::Lasted(span) => format!("the last one lasted {}", spoken(span)),
    }
}

fn tone_heard(heard: Option<(u32, Option<Instant>)>) -> String {
    match heard {
        None => "the board has heard more tones than it keeps, and cannot tell".to_owned(),
        Some((hz, None)) => format!("{hz} Hz sounds"),
        Some((hz, Some(until))) => {
            format!("{hz} Hz sounded until {}", spoken(until.since_start()))
        }
    }
}

fn tones_lost(history_full: bool) -> &'static str {
    if history_full { "; the board has heard more tones than it keeps" } else { "" }
}

fn console_lost(history_full: bool) -> &'static str {
    if history_full { "; the board has received more than it keeps" } else { "" }
}

fn on_off(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

fn first_violation(first: Option<(Instant, Rule)>) -> String {
    first.map_or_else(String::new, |(at, rule)| {
        format!(
            "; the first is at {}: {rule} (section {})",
            spoken(at.since_start()),
            rule.section()
        )
    })
}

fn heap_found(heap: &Heap) -> String {
    match heap {
        Heap::Absent => String::new(),
        Heap::Used { allocations, bytes } => {
            format!("; it has taken memory {allocations} times, {} in all", bytes_spoken(*bytes))
        }
        Heap::Present { symbol } => format!("; its program has an allocator in it: {symbol}"),
        Heap::Unknown(why) => format!(", but this board cannot tell: {why}"),
    }
}

fn flash_cut(bytes_left: Option<u64>) -> String {
    bytes_left.map_or_else(String::new, |left| {
        format!(": the cut in the flash has not come, {left} bytes are left until then")
    })
}

fn hex(bytes: &[u8]) -> String {
    let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    bytes.join(" ")
}

#[cfg(test)]
mod tests;
