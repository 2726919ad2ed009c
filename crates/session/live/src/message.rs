//! What the window and the firmware's thread exchange: commands, updates, and the session's end. It is
//! plain data.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use hal_mock::{MachineError, board::Tone};
use host::clock::Speed;
use ili9341_model::Frame;
use trace::{Action, Button};
use virtual_time::{Instant, Nanos};

use super::input_log::InputLog;
use super::marks::Marks;

/// Two buttons that are pressed together for a moment: `held` first, and released last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chord {
    /// The one that is held.
    pub held: Button,
    /// The one that is pressed meanwhile.
    pub pressed: Button,
}

/// The buttons that the firmware takes for a wish when they are pressed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chords {
    /// Takes back a move.
    pub undo: Chord,
    /// Asks for a move.
    pub help: Chord,
}

/// What one session leaves to another, which goes on where it was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Handover {
    /// What was done, up to the present moment.
    pub input_log: InputLog,
    /// Movements whose moments are still to come.
    pub waiting: Vec<(Instant, Action)>,
    /// Whether virtual time stands still.
    pub paused: bool,
    /// The moment that is shown, if it is past.
    pub looks_at: Option<Instant>,
    /// Whether its recording has ended before it did, because it could not be written.
    pub unrecorded: bool,
}

/// A command of the window to the firmware's thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Presses a button.
    Press(Button),
    /// Releases a button.
    Release(Button),
    /// Presses a chord.
    Chord(Chord),
    /// Stops virtual time (`true`) or lets it run on.
    Pause(bool),
    /// Runs to the next complete frame, at most 100 ms of virtual time (`live::SINGLE_FRAME_MAX`), and pauses there.
    SingleFrame,
    /// Takes the power away for 200 ms (`live::POWER_GAP`).
    PowerCycle,
    /// Sets the speed of virtual time.
    Speed(Speed),
    /// Shows the moment so long before the one that is shown.
    Back(Nanos),
    /// Shows the moment so long behind the one that is shown; the present one if that is past.
    Forward(Nanos),
    /// Shows the frame before the one that is shown (`true`), or the one behind it.
    StepFrame(bool),
    /// Shows a moment; the present one if it is not past.
    Look(Instant),
    /// Returns to the present.
    Now,
    /// Shows the present as the glass is scanned, line by line (`true`), or its complete frames.
    Scan(bool),
    /// Asks for what was done: the next update has it.
    InputLog,
    /// Ends the thread and leaves everything to another session; the recording gets no `end`.
    HandOver,
    /// Goes on where another session was: does what is not done yet, and goes on with its recording.
    TakeOver(Arc<Handover>),
    /// Closes the recording and ends the thread. Waiting events are carried out before, unless time
    /// stands still.
    Quit,
}

/// What a session has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The future that was left is in this file.
    Kept(PathBuf),
    /// The session stays in the past, because what it would leave cannot be kept.
    NotKept(String),
    /// There is no way back.
    NoPast(String),
    /// A real board's time cannot be stopped, stretched or turned back.
    RealTime,
}

impl fmt::Display for Notice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kept(path) => write!(out, "the other future is in {}", path.display()),
            Self::NotKept(why) => {
                write!(
                    out,
                    "not pressed: the other future cannot be kept ({why}); End returns to it"
                )
            }
            Self::NoPast(why) => write!(out, "cannot go back: {why}"),
            Self::RealTime => out.write_str(
                "this is a real board: its time cannot be stopped, stretched or turned back",
            ),
        }
    }
}

/// The state of the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Complete frames since the first power-on.
    pub frames: u64,
    /// Whether virtual time stands still.
    pub paused: bool,
    /// Whether the board has power.
    pub powered: bool,
    /// Whether the firmware has powered itself down: its last console line was `off`.
    pub off: bool,
    /// How fast virtual time runs.
    pub speed: Speed,
    /// Whether the recording ended early because it could not be written.
    pub recording_failed: bool,
    /// Why the machine has stopped, if it has.
    pub broken: Option<MachineError>,
    /// The moment that is shown, if it is past.
    pub looks_at: Option<Instant>,
}

/// The newest state of the firmware's thread.
#[derive(Clone, Debug)]
pub struct Update {
    /// Virtual time.
    pub now: Instant,
    /// What the LCD shows: what was drawn last, once nothing has been written for 2 ms (`live::DRAWN_AFTER`). While time stands
    /// still, and in the past, the last complete frame.
    pub frame: Arc<Frame>,
    /// The state of the session.
    pub status: Status,
    /// Changes of tone since the update that was fetched before, at most `live::TONES_MAX`.
    pub tones: Vec<Tone>,
    /// What the flash holds, if that has changed since the update that was fetched before
    /// and then stayed for 200 ms (`live::FLASH_REST`), or time stands still.
    pub flash: Option<Arc<Vec<u8>>>,
    /// What happened when.
    pub marks: Arc<Marks>,
    /// The last lines of the console, at most `live::CONSOLE_LINES`.
    pub console: Arc<Vec<String>>,
    /// The frequency that the buzzer sounds with, in hertz.
    pub hertz: Option<u32>,
    /// Which contacts are closed, by [`Button::index`].
    pub closed: [bool; Button::COUNT],
    /// Bytes on the LCD's wire between the last two updates with a new frame.
    pub frame_bytes: u64,
    /// What the session has to say since the update that was fetched before.
    pub notices: Vec<Notice>,
    /// What was done, if it was asked for.
    pub input_log: Option<Arc<InputLog>>,
}

/// How a session ended.
#[derive(Debug)]
pub struct SessionEnd {
    /// The virtual time of `end`.
    pub at: Instant,
    /// The last complete frame then: what a replay of the recording ends with.
    pub frame: Frame,
    /// What the flash holds.
    pub flash: Vec<u8>,
    /// Whether the firmware has changed the flash.
    pub flash_changed: bool,
    /// How often the firmware broke a rule of the LCD's datasheet.
    pub violations: u64,
    /// Why the machine stopped early.
    pub machine_error: Option<MachineError>,
    /// Why the recording stopped early.
    pub recording_error: Option<io::Error>,
    /// What it leaves to another session, if it was told to.
    pub handover: Option<Handover>,
}
