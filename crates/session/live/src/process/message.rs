//! Messages between a window and a session in another process.
//!
//! Both ends are built from similar but different sources, so the first line carries a version.
//! Readers ignore unknown fields.

mod known;
mod part_news;
mod pixels;

use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hal_mock::{
    MachineError,
    board::{ConsoleLine, Tone},
    log::Log,
};
use host::clock::Speed;
use ili9341_model::{Frame, Region};
use reading::golden::{Mismatch, compare};
use serde::{Deserialize, Serialize};
use trace::{Action, BoardParts, Button, ButtonSet, HeaderEntry, Movement, Point, Share};
use virtual_time::{Instant, Nanos};

use crate::branches::{Branch, Course, common};
use crate::input_log::{InputLog, unended};
use crate::marks::Marks;
use crate::message::{Chord, Command, Handover, Notice, SessionEnd, Status, Update};
use crate::process_error::MessageError;
pub(super) use known::{End, Known, Packed};
use part_news::PartNews;

/// Maximum size of a line in bytes: an input log of a day, or a flash.
const LINE_MAX: u64 = 256 << 20;
/// Maximum number of bytes after a line: a flash is smaller, a frame has 300 KiB.
const BYTES_MAX: usize = 64 << 20;
/// Number of bytes of a pixel.
const PIXEL: usize = 3;
/// Maximum number of console lines of a message; if there are more, the last ones are sent.
const LINES_MAX: usize = 4_096;
/// Bytes of the console's lines that are stored.
const CONSOLE_BYTES: usize = 8 << 20;

/// An input log as text: a trace without its end.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct LogMessage {
    trace: String,
    end: u64,
}

impl LogMessage {
    pub(super) fn of(input_log: &InputLog) -> io::Result<Self> {
        let trace = String::from_utf8_lossy(&unended(input_log, &[])?).into_owned();
        Ok(Self { trace, end: input_log.end.0 })
    }

    /// Returns the log of a board with these parts.
    pub(super) fn input_log(&self, parts: &BoardParts) -> Result<InputLog, MessageError> {
        InputLog::parse_on(parts, &self.trace, Instant(self.end)).ok_or(MessageError::Value)
    }
}

/// The first line: the session to run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Begin {
    pub(super) version: u32,
    /// Header's keys and values, and the content of the flash in base64.
    pub(super) header: Vec<[String; 2]>,
    pub(super) image: Option<String>,
    /// Recording, its header, and the folder of captures.
    pub(super) record: Option<PathBuf>,
    pub(super) recorded: Vec<[String; 2]>,
    pub(super) captures: PathBuf,
    /// Speed, in thousandths.
    pub(super) speed: u32,
    /// Inputs that are given at once.
    pub(super) before: Option<LogMessage>,
}

pub(super) fn pairs(header: &[HeaderEntry]) -> Vec<[String; 2]> {
    header.iter().map(|entry| [entry.key.clone(), entry.value.clone()]).collect()
}

pub(super) fn entries(pairs: &[[String; 2]]) -> Vec<HeaderEntry> {
    pairs.iter().map(|[key, value]| HeaderEntry::new(key, value.clone())).collect()
}

pub(super) fn bytes_of(text: &str) -> Result<Vec<u8>, MessageError> {
    STANDARD.decode(text).map_err(|_| MessageError::Value)
}

pub(super) fn text_of(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// A command, as a line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Order {
    Press(usize),
    Release(usize),
    Chord([usize; 2]),
    Type(String),
    Turn(String, i16, Option<u64>),
    Switch(String, bool),
    /// Voltages in ten-thousandths of 3.3 V.
    Set(String, u16, Option<u16>),
    /// Pixel, and the time after which the finger leaves.
    Touch(String, [u16; 2], Option<u64>),
    Drag(String, [u16; 2], u64),
    Lift(String),
    Pause(bool),
    SingleFrame,
    PowerCycle,
    Speed(u32),
    FastForward(bool),
    Back(u64),
    Forward(u64),
    StepFrame(bool),
    StepPress(bool),
    GoTo(u32),
    Look(u64),
    Now,
    Scan(bool),
    #[serde(rename = "story")]
    InputLog,
    HandOver,
    TakeOver(Left),
    Quit,
}

/// A [`Handover`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Left {
    done: LogMessage,
    /// Waiting events as a trace, in order of time.
    waiting: Vec<(u64, String)>,
    paused: bool,
    shown_at: Option<u64>,
    branches: Vec<(u32, LogMessage)>,
    branch: u32,
    /// Indices of the buttons under a finger.
    held: Vec<usize>,
    stopped: Option<(u64, String)>,
    unrecorded: bool,
}

impl Left {
    fn of(left: &Handover) -> io::Result<Self> {
        let Handover { input_log, waiting, paused, shown_at, held, stopped, .. } = left;
        let Handover { branches, branch, unrecorded, .. } = left;
        let waiting = waiting.iter().map(|(at, action)| (at.0, action.to_string())).collect();
        let shown_at = shown_at.map(|at| at.0);
        let course = |course: &Course| Ok((course.number, LogMessage::of(&course.input_log)?));
        let branches = branches.iter().map(course).collect::<io::Result<_>>()?;
        let (paused, branch, unrecorded) = (*paused, *branch, *unrecorded);
        let held = held.indices().collect();
        let stopped = stopped.as_ref().map(|error| (error.at.0, error.message()));
        let done = LogMessage::of(input_log)?;
        Ok(Self { done, waiting, paused, shown_at, branches, branch, held, stopped, unrecorded })
    }

    fn handover(&self, parts: &BoardParts) -> Result<Handover, MessageError> {
        let event = |(at, text): &(u64, String)| Some((Instant(*at), action_of(text, parts)?));
        let waiting: Option<Vec<_>> = self.waiting.iter().map(event).collect();
        let course = |(number, log): &(u32, LogMessage)| {
            Ok(Course { number: *number, input_log: log.input_log(parts)? })
        };
        Ok(Handover {
            branches: self.branches.iter().map(course).collect::<Result<_, MessageError>>()?,
            branch: self.branch,
            input_log: self.done.input_log(parts)?,
            waiting: waiting.ok_or(MessageError::Value)?,
            paused: self.paused,
            shown_at: self.shown_at.map(Instant),
            held: of_indices(parts, |index| self.held.contains(&index)),
            stopped: self.stopped.clone().map(broken),
            unrecorded: self.unrecorded,
        })
    }
}

/// Returns the action of a line of a trace of a board with these parts.
fn action_of(text: &str, parts: &BoardParts) -> Option<Action> {
    let known = [Action::PowerOn, Action::PowerOff];
    let buttons = parts.buttons.all().iter();
    let moved = buttons.flat_map(|button| [Action::Press(*button), Action::Release(*button)]);
    let found = known.into_iter().chain(moved).find(|action| action.to_string() == text);
    // A typed line or a movement, in a trace as it can be.
    let in_trace = || {
        let trace = format!("trace 1\n0ms power on\n1ms {text}\n");
        let log = InputLog::parse_on(parts, &trace, Instant(0))?;
        let is_it = |action: &Action| matches!(action, Action::Type(_) | Action::Move { .. });
        log.events.into_iter().map(|(_, action)| action).find(is_it)
    };
    found.or_else(in_trace)
}

/// Returns the buttons of a board whose indices are `held`.
pub(super) fn of_indices(parts: &BoardParts, held: impl Fn(usize) -> bool) -> ButtonSet {
    parts.buttons.all().iter().copied().filter(|button| held(button.index())).collect()
}

fn button(index: usize, parts: &BoardParts) -> Result<Button, MessageError> {
    parts.buttons.all().get(index).copied().ok_or(MessageError::Value)
}

impl Order {
    pub(super) fn of(command: &Command) -> io::Result<Self> {
        Ok(match command {
            Command::Press(button) => Self::Press(button.index()),
            Command::Release(button) => Self::Release(button.index()),
            Command::Chord(Chord { held, pressed }) => Self::Chord([held.index(), pressed.index()]),
            Command::Type(text) => Self::Type(text.clone()),
            Command::Move(name, movement) => {
                let name = name.clone();
                match *movement {
                    Movement::Turn { by, over } => Self::Turn(name, by, over.map(|over| over.0)),
                    Movement::Switch(on) => Self::Switch(name, on),
                    Movement::Set { x, y } => {
                        Self::Set(name, x.ten_thousandths(), y.map(Share::ten_thousandths))
                    }
                    Movement::Touch { at, hold } => {
                        Self::Touch(name, [at.x, at.y], hold.map(|hold| hold.0))
                    }
                    Movement::Drag { to, over } => Self::Drag(name, [to.x, to.y], over.0),
                    Movement::Lift => Self::Lift(name),
                }
            }
            Command::Pause(paused) => Self::Pause(*paused),
            Command::SingleFrame => Self::SingleFrame,
            Command::PowerCycle => Self::PowerCycle,
            Command::Speed(speed) => Self::Speed(speed.thousandths()),
            Command::FastForward(on) => Self::FastForward(*on),
            Command::Back(span) => Self::Back(span.0),
            Command::Forward(span) => Self::Forward(span.0),
            Command::StepFrame(back) => Self::StepFrame(*back),
            Command::StepPress(back) => Self::StepPress(*back),
            Command::GoTo(number) => Self::GoTo(*number),
            Command::Look(at) => Self::Look(at.0),
            Command::Now => Self::Now,
            Command::Scan(on) => Self::Scan(*on),
            Command::InputLog => Self::InputLog,
            Command::HandOver => Self::HandOver,
            Command::TakeOver(left) => Self::TakeOver(Left::of(left)?),
            Command::Quit => Self::Quit,
        })
    }

    /// Returns the command to a board with these parts.
    pub(super) fn command(&self, parts: &BoardParts) -> Result<Command, MessageError> {
        Ok(match self {
            Self::Press(index) => Command::Press(button(*index, parts)?),
            Self::Release(index) => Command::Release(button(*index, parts)?),
            Self::Chord([held, pressed]) => {
                let (held, pressed) = (button(*held, parts)?, button(*pressed, parts)?);
                Command::Chord(Chord { held, pressed })
            }
            Self::Type(text) => Command::Type(text.clone()),
            Self::Turn(name, by, over) => {
                let over = over.map(Nanos);
                Command::Move(name.clone(), Movement::Turn { by: *by, over })
            }
            Self::Switch(name, on) => Command::Move(name.clone(), Movement::Switch(*on)),
            Self::Set(name, x, y) => {
                let x = Share::from_ten_thousandths(*x);
                let y = y.map(Share::from_ten_thousandths);
                Command::Move(name.clone(), Movement::Set { x, y })
            }
            Self::Touch(name, [x, y], hold) => {
                let (at, hold) = (Point { x: *x, y: *y }, hold.map(Nanos));
                Command::Move(name.clone(), Movement::Touch { at, hold })
            }
            Self::Drag(name, [x, y], over) => {
                let (to, over) = (Point { x: *x, y: *y }, Nanos(*over));
                Command::Move(name.clone(), Movement::Drag { to, over })
            }
            Self::Lift(name) => Command::Move(name.clone(), Movement::Lift),
            Self::Pause(paused) => Command::Pause(*paused),
            Self::SingleFrame => Command::SingleFrame,
            Self::PowerCycle => Command::PowerCycle,
            Self::Speed(thousandths) => Command::Speed(speed(*thousandths)?),
            Self::FastForward(on) => Command::FastForward(*on),
            Self::Back(span) => Command::Back(Nanos(*span)),
            Self::Forward(span) => Command::Forward(Nanos(*span)),
            Self::StepFrame(back) => Command::StepFrame(*back),
            Self::StepPress(back) => Command::StepPress(*back),
            Self::GoTo(number) => Command::GoTo(*number),
            Self::Look(at) => Command::Look(Instant(*at)),
            Self::Now => Command::Now,
            Self::Scan(on) => Command::Scan(*on),
            Self::InputLog => Command::InputLog,
            Self::HandOver => Command::HandOver,
            Self::TakeOver(left) => Command::TakeOver(Arc::new(left.handover(parts)?)),
            Self::Quit => Command::Quit,
        })
    }
}

pub(super) fn speed(thousandths: u32) -> Result<Speed, MessageError> {
    Speed::from_thousandths(thousandths).ok_or(MessageError::Value)
}

/// An answer of the session, as a line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Answer {
    /// The session runs, and has replayed the inputs.
    Started {
        version: u32,
    },
    /// The session does not run, with the reason.
    Refused(String),
    Update(Box<News>),
    /// Time of the board before a call of the firmware that does not return; without a time, it has
    /// returned.
    Hung(Option<u64>),
    Ended(Box<End>),
}

/// An [`Update`]. The pixels of the region, the flash and the pixels of the displays of `parts` follow the
/// line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct News {
    now: u64,
    frames: u64,
    paused: bool,
    powered: bool,
    off: bool,
    speed: u32,
    pace: u32,
    recording_failed: Option<String>,
    broken: Option<(u64, String)>,
    shown_at: Option<u64>,
    /// Width and height of the frame, if they are others than before.
    #[serde(default)]
    size: Option<[usize; 2]>,
    region: Option<String>,
    #[serde(default)]
    parts: Option<PartNews>,
    tones: Vec<(u64, Option<u32>)>,
    flash: Option<usize>,
    marks: Option<(u64, String)>,
    /// Number of presses that both ends know, and those after them.
    presses: Option<(usize, Vec<(u64, String)>)>,
    branches: Option<Vec<BranchMessage>>,
    console: Option<ConsoleNews>,
    #[serde(default)]
    is_clock: bool,
    hertz: Option<u32>,
    closed: Vec<bool>,
    frame_bytes: u64,
    notices: Vec<NoticeMessage>,
    #[serde(rename = "story")]
    input_log: Option<LogMessage>,
}

/// New lines of the console.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ConsoleNews {
    /// Index up to which the known lines stay.
    same_until: usize,
    /// Index of the first new line.
    first: usize,
    /// Times and texts of the new lines.
    lines: Vec<(u64, String)>,
}

impl ConsoleNews {
    /// Returns the difference between two logs, if there is one.
    fn between(known: &Log<ConsoleLine>, new: &Log<ConsoleLine>) -> Option<Self> {
        let same_until = known.same_until(new);
        if (known.end(), new.end()) == (same_until, same_until) {
            return None;
        }
        let first = same_until.max(new.end().saturating_sub(LINES_MAX)).max(new.first());
        let lines = new.range(first..).map(|line| (line.at.0, line.text.clone())).collect();
        Some(Self { same_until, first, lines })
    }

    fn apply(self, known: &mut Log<ConsoleLine>) {
        let Self { same_until, first, lines } = self;
        known.truncate(same_until);
        known.skip_to(first);
        for (at, text) in lines {
            known.push(ConsoleLine { at: Instant(at), text });
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum NoticeMessage {
    Kept(u32, PathBuf),
    WentTo(u32),
    NotKept(String),
    NoPast(String),
    RealTime,
}

/// A [`Branch`].
#[derive(Clone, Debug, Serialize, Deserialize)]
struct BranchMessage {
    number: u32,
    at: u64,
    first: String,
    presses: usize,
    end: u64,
}

impl BranchMessage {
    fn of(branch: &Branch) -> Self {
        let Branch { number, at, first, presses, end } = branch;
        Self { number: *number, at: at.0, first: first.clone(), presses: *presses, end: end.0 }
    }

    fn branch(self) -> Branch {
        let Self { number, at, first, presses, end } = self;
        Branch { number, at: Instant(at), first, presses, end: Instant(end) }
    }
}

fn broken((at, why): (u64, String)) -> MachineError {
    MachineError::new(Instant(at), why)
}

/// Writes a line.
pub(super) fn write_line(out: &mut dyn Write, message: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    out.write_all(&line)
}

/// Reads a line; `None` at the end.
pub(super) fn read_line<T: for<'de> Deserialize<'de>>(
    from: &mut dyn BufRead,
) -> Result<Option<T>, MessageError> {
    let mut line = Vec::new();
    from.take(LINE_MAX).read_until(b'\n', &mut line)?;
    match line.last() {
        None => Ok(None),
        Some(b'\n') => Ok(Some(serde_json::from_slice(&line)?)),
        Some(_) if line.len() as u64 >= LINE_MAX => Err(MessageError::TooLong),
        // The other end ended while it wrote the line.
        Some(_) => Ok(None),
    }
}
