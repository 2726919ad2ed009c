//! Messages between a window and a session in another process.
//!
//! Both ends are built from similar but different sources, so the first line carries a version.
//! Readers ignore unknown fields.

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
use trace::{Action, Button, HeaderEntry};
use virtual_time::{Instant, Nanos};

use crate::branches::{Branch, Course, common};
use crate::input_log::{InputLog, unended};
use crate::marks::Marks;
use crate::message::{Chord, Command, Handover, Notice, SessionEnd, Status, Update};
use crate::process_error::MessageError;

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

    pub(super) fn input_log(&self) -> Result<InputLog, MessageError> {
        InputLog::parse(&self.trace, Instant(self.end)).ok_or(MessageError::Value)
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
    looks_at: Option<u64>,
    branches: Vec<(u32, LogMessage)>,
    branch: u32,
    /// Indices of the buttons under a finger.
    held: Vec<usize>,
    stopped: Option<(u64, String)>,
    unrecorded: bool,
}

impl Left {
    fn of(left: &Handover) -> io::Result<Self> {
        let Handover { input_log, waiting, paused, looks_at, held, stopped, .. } = left;
        let Handover { branches, branch, unrecorded, .. } = left;
        let waiting = waiting.iter().map(|(at, action)| (at.0, action.to_string())).collect();
        let looks_at = looks_at.map(|at| at.0);
        let course = |course: &Course| Ok((course.number, LogMessage::of(&course.input_log)?));
        let branches = branches.iter().map(course).collect::<io::Result<_>>()?;
        let (paused, branch, unrecorded) = (*paused, *branch, *unrecorded);
        let held = (0..held.len()).filter(|index| held[*index]).collect();
        let stopped = stopped.as_ref().map(|error| (error.at.0, error.message()));
        let done = LogMessage::of(input_log)?;
        Ok(Self { done, waiting, paused, looks_at, branches, branch, held, stopped, unrecorded })
    }

    fn handover(&self) -> Result<Handover, MessageError> {
        let event = |(at, text): &(u64, String)| Some((Instant(*at), action_of(text)?));
        let waiting: Option<Vec<_>> = self.waiting.iter().map(event).collect();
        let course = |(number, log): &(u32, LogMessage)| {
            Ok(Course { number: *number, input_log: log.input_log()? })
        };
        Ok(Handover {
            branches: self.branches.iter().map(course).collect::<Result<_, MessageError>>()?,
            branch: self.branch,
            input_log: self.done.input_log()?,
            waiting: waiting.ok_or(MessageError::Value)?,
            paused: self.paused,
            looks_at: self.looks_at.map(Instant),
            held: std::array::from_fn(|index| self.held.contains(&index)),
            stopped: self.stopped.clone().map(broken),
            unrecorded: self.unrecorded,
        })
    }
}

/// The action of a line of a trace.
fn action_of(text: &str) -> Option<Action> {
    let known = [Action::PowerOn, Action::PowerOff];
    let buttons = Button::ALL.into_iter();
    let moved = buttons.flat_map(|button| [Action::Press(button), Action::Release(button)]);
    let found = known.into_iter().chain(moved).find(|action| action.to_string() == text);
    // A typed line, in a trace as it can be.
    let typed = || {
        let trace = InputLog::parse(&format!("trace 1\n0ms power on\n1ms {text}\n"), Instant(0))?;
        trace
            .events
            .into_iter()
            .map(|(_, action)| action)
            .find(|action| matches!(action, Action::Type(_)))
    };
    found.or_else(typed)
}

fn button(index: usize) -> Result<Button, MessageError> {
    Button::ALL.get(index).copied().ok_or(MessageError::Value)
}

impl Order {
    pub(super) fn of(command: &Command) -> io::Result<Self> {
        Ok(match command {
            Command::Press(button) => Self::Press(button.index()),
            Command::Release(button) => Self::Release(button.index()),
            Command::Chord(Chord { held, pressed }) => Self::Chord([held.index(), pressed.index()]),
            Command::Type(text) => Self::Type(text.clone()),
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

    pub(super) fn command(&self) -> Result<Command, MessageError> {
        Ok(match self {
            Self::Press(index) => Command::Press(button(*index)?),
            Self::Release(index) => Command::Release(button(*index)?),
            Self::Chord([held, pressed]) => {
                Command::Chord(Chord { held: button(*held)?, pressed: button(*pressed)? })
            }
            Self::Type(text) => Command::Type(text.clone()),
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
            Self::TakeOver(left) => Command::TakeOver(Arc::new(left.handover()?)),
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

/// An [`Update`]. The pixels of the region and then the flash follow the line.
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
    looks_at: Option<u64>,
    region: Option<String>,
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
    notices: Vec<Said>,
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
enum Said {
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

/// A [`SessionEnd`]. The pixels and then the flash follow the line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct End {
    at: u64,
    size: [usize; 2],
    flash: usize,
    flash_changed: bool,
    violations: u64,
    broken: Option<(u64, String)>,
    recording_error: Option<String>,
    left: Option<Left>,
}

/// The last update, as both ends know it: only differences are sent.
#[derive(Debug)]
pub(super) struct Known {
    frame: Arc<Frame>,
    marks: Arc<Marks>,
    presses: Arc<Vec<(Instant, Action)>>,
    branches: Arc<Vec<Branch>>,
    console: Arc<Log<ConsoleLine>>,
}

impl Default for Known {
    fn default() -> Self {
        let (width, height) = (Region::PANEL.width.into(), Region::PANEL.height.into());
        let frame = Arc::new(Frame::filled(width, height, 0));
        Self {
            frame,
            marks: Arc::default(),
            presses: Arc::default(),
            branches: Arc::default(),
            console: Arc::new(Log::with_limit(CONSOLE_BYTES)),
        }
    }
}

/// An answer, and the bytes after its line.
pub(super) struct Packed {
    pub(super) answer: Answer,
    pub(super) behind: Vec<u8>,
}

impl Known {
    /// Packs `update`.
    pub(super) fn pack(&mut self, update: Update) -> io::Result<Packed> {
        let Update { now, frame, status, tones, flash, marks, presses, branches, console, .. } =
            update;
        let mut behind = Vec::new();
        let region = match compare(&frame, &self.frame) {
            Err(Mismatch::Pixels(difference)) => Some(difference.region()),
            _ => None,
        };
        if let Some(region) = region {
            put_pixels(&mut behind, &frame.part(region));
        }
        if let Some(flash) = &flash {
            behind.extend_from_slice(flash);
        }
        let new_marks = (!Arc::ptr_eq(&marks, &self.marks)).then(|| {
            let (span, bins) = marks.parts();
            (span.0, text_of(bins))
        });
        let new_presses = (presses != self.presses).then(|| {
            let same = common(&presses, &self.presses);
            let message = |(at, action): &(Instant, Action)| (at.0, action.to_string());
            (same, presses[same..].iter().map(message).collect())
        });
        let new_branches =
            (branches != self.branches).then(|| branches.iter().map(BranchMessage::of).collect());
        let is_same = Arc::ptr_eq(&console, &self.console);
        let new_console =
            if is_same { None } else { ConsoleNews::between(&self.console, &console) };
        *self = Self { frame, marks, presses, branches, console };
        let news = News {
            now: now.0,
            frames: status.frames,
            paused: status.paused,
            powered: status.powered,
            off: status.off,
            speed: status.speed.thousandths(),
            pace: status.pace.thousandths(),
            recording_failed: status.recording_failed,
            broken: status.broken.map(|error| (error.at.0, error.message())),
            looks_at: status.looks_at.map(|at| at.0),
            region: region.map(|region| region.to_string()),
            tones: tones.iter().map(|tone| (tone.at.0, tone.hz)).collect(),
            flash: flash.map(|flash| flash.len()),
            marks: new_marks,
            presses: new_presses,
            branches: new_branches,
            console: new_console,
            is_clock: update.is_clock,
            hertz: update.hertz,
            closed: update.closed.to_vec(),
            frame_bytes: update.frame_bytes,
            notices: update.notices.into_iter().map(said).collect(),
            input_log: update.input_log.as_deref().map(LogMessage::of).transpose()?,
        };
        Ok(Packed { answer: Answer::Update(Box::new(news)), behind })
    }

    /// Returns the update that was packed, given the updates before.
    pub(super) fn unpack(
        &mut self,
        news: News,
        from: &mut dyn Read,
    ) -> Result<Update, MessageError> {
        if let Some(text) = &news.region {
            let region = Region::parse(text).filter(|region| Region::PANEL.holds(*region));
            let region = region.ok_or(MessageError::Value)?;
            let (width, height) = (usize::from(region.width), usize::from(region.height));
            let part = take_pixels(from, width, height)?;
            let frame = Arc::make_mut(&mut self.frame);
            let (left, top) = region.corner();
            let across = frame.width();
            for row in 0..height {
                let to = (top + row) * across + left;
                let source = &part.pixels()[row * width..][..width];
                frame.pixels_mut()[to..to + width].copy_from_slice(source);
            }
        }
        let flash = news.flash.map(|length| take(from, length)).transpose()?;
        if let Some((span, bins)) = &news.marks {
            let marks = Marks::from_parts(Nanos(*span), bytes_of(bins)?);
            self.marks = Arc::new(marks.ok_or(MessageError::Value)?);
        }
        if let Some((same, new)) = &news.presses {
            let presses = Arc::make_mut(&mut self.presses);
            presses.truncate(*same);
            for (at, text) in new {
                presses.push((Instant(*at), action_of(text).ok_or(MessageError::Value)?));
            }
        }
        if let Some(branches) = news.branches {
            self.branches = Arc::new(branches.into_iter().map(BranchMessage::branch).collect());
        }
        if let Some(console) = news.console {
            console.apply(Arc::make_mut(&mut self.console));
        }
        let tone = |(at, hz): &(u64, Option<u32>)| Tone { at: Instant(*at), hz: *hz };
        Ok(Update {
            now: Instant(news.now),
            is_clock: news.is_clock,
            frame: Arc::clone(&self.frame),
            status: Status {
                frames: news.frames,
                paused: news.paused,
                powered: news.powered,
                off: news.off,
                speed: speed(news.speed)?,
                pace: speed(news.pace)?,
                recording_failed: news.recording_failed,
                broken: news.broken.map(broken),
                looks_at: news.looks_at.map(Instant),
            },
            tones: news.tones.iter().map(tone).collect(),
            flash: flash.map(Arc::new),
            marks: Arc::clone(&self.marks),
            presses: Arc::clone(&self.presses),
            branches: Arc::clone(&self.branches),
            console: Arc::clone(&self.console),
            hertz: news.hertz,
            closed: news.closed.try_into().map_err(|_| MessageError::Value)?,
            frame_bytes: news.frame_bytes,
            notices: news.notices.into_iter().map(notice).collect(),
            input_log: news.input_log.map(|told| told.input_log()).transpose()?.map(Arc::new),
        })
    }
}

fn said(notice: Notice) -> Said {
    match notice {
        Notice::Kept(number, path) => Said::Kept(number, path),
        Notice::WentTo(number) => Said::WentTo(number),
        Notice::NotKept(why) => Said::NotKept(why),
        Notice::NoPast(why) => Said::NoPast(why),
        Notice::RealTime => Said::RealTime,
    }
}

fn notice(said: Said) -> Notice {
    match said {
        Said::Kept(number, path) => Notice::Kept(number, path),
        Said::WentTo(number) => Notice::WentTo(number),
        Said::NotKept(why) => Notice::NotKept(why),
        Said::NoPast(why) => Notice::NoPast(why),
        Said::RealTime => Notice::RealTime,
    }
}

fn broken((at, why): (u64, String)) -> MachineError {
    MachineError::new(Instant(at), why)
}

impl End {
    pub(super) fn pack(ended: SessionEnd) -> io::Result<Packed> {
        let mut behind = Vec::new();
        put_pixels(&mut behind, &ended.frame);
        behind.extend_from_slice(&ended.flash);
        let end = Self {
            at: ended.at.0,
            size: [ended.frame.width(), ended.frame.height()],
            flash: ended.flash.len(),
            flash_changed: ended.flash_changed,
            violations: ended.violations,
            broken: ended.machine_error.map(|error| (error.at.0, error.message())),
            recording_error: ended.recording_error.map(|error| error.to_string()),
            left: ended.handover.as_ref().map(Left::of).transpose()?,
        };
        Ok(Packed { answer: Answer::Ended(Box::new(end)), behind })
    }

    pub(super) fn unpack(self, from: &mut dyn Read) -> Result<SessionEnd, MessageError> {
        let [width, height] = self.size;
        let panel = (usize::from(Region::PANEL.width), usize::from(Region::PANEL.height));
        if width > panel.0 || height > panel.1 {
            return Err(MessageError::Value);
        }
        Ok(SessionEnd {
            at: Instant(self.at),
            frame: take_pixels(from, width, height)?,
            flash: take(from, self.flash)?,
            flash_changed: self.flash_changed,
            violations: self.violations,
            machine_error: self.broken.map(broken),
            recording_error: self.recording_error.map(io::Error::other),
            handover: self.left.map(|left| left.handover()).transpose()?,
        })
    }
}

fn put_pixels(behind: &mut Vec<u8>, frame: &Frame) {
    behind.reserve(frame.pixels().len() * PIXEL);
    for rgb in frame.pixels() {
        behind.extend_from_slice(&rgb.to_le_bytes()[..PIXEL]);
    }
}

fn take_pixels(from: &mut dyn Read, width: usize, height: usize) -> Result<Frame, MessageError> {
    let bytes = take(from, width * height * PIXEL)?;
    let pixel = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]);
    Ok(Frame::from_pixels(width, height, bytes.chunks_exact(PIXEL).map(pixel).collect()))
}

fn take(from: &mut dyn Read, length: usize) -> Result<Vec<u8>, MessageError> {
    if length > BYTES_MAX {
        return Err(MessageError::TooLong);
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
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
