//! Messages between the window and the firmware's thread: commands, updates, and the session's
//! end. They are plain data.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use hal_mock::{
    MachineError,
    board::{ConsoleLine, Tone},
    log::Log,
};
use host::clock::Speed;
use ili9341_model::Frame;
use trace::{Action, Button, ButtonSet, Movement};
use virtual_time::{Instant, Nanos};

use super::branches::{Branch, Course};
use super::input_log::InputLog;
use super::marks::Marks;
use super::part_readings::PartReadings;

/// Two buttons that are pressed together for a short time: `held` first, and released last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chord {
    pub held: Button,
    /// The button that is pressed while `held` is down.
    pub pressed: Button,
}

/// Chords that the firmware takes for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chords {
    /// Undoes a move.
    pub undo: Chord,
    /// Requests a suggested move.
    pub help: Chord,
}

/// State that one session hands over to another, which continues from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Handover {
    /// All inputs up to the present time.
    pub input_log: InputLog,
    /// Movements that are due later.
    pub waiting: Vec<(Instant, Action)>,
    pub paused: bool,
    /// The time that is shown, if it is in the past.
    pub shown_at: Option<Instant>,
    /// Courses that the session has left, and the number of its present one.
    pub branches: Vec<Course>,
    pub branch: u32,
    /// The buttons under a finger: the other session releases all others that are down.
    pub held: ButtonSet,
    /// Reason why the firmware does not run on from there, if the other session ended by it.
    pub stopped: Option<MachineError>,
    /// Whether the recording ended before the session, because it could not be written.
    pub unrecorded: bool,
}

/// A command from the window to the firmware's thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Press(Button),
    Release(Button),
    Chord(Chord),
    /// Types a line on the console. Characters that are not printable ASCII are left out.
    Type(String),
    /// Moves the encoder, switch, joystick or potentiometer of this name. A name that the board does
    /// not have does nothing.
    Move(String, Movement),
    /// Stops virtual time (`true`) or resumes it. In the past: stops at the time that is shown, or
    /// plays the session from there.
    Pause(bool),
    /// Runs to the next complete frame, at most 100 ms of virtual time (`live::SINGLE_FRAME_MAX`), and pauses there.
    SingleFrame,
    /// Switches the power off for 200 ms (`live::POWER_GAP`).
    PowerCycle,
    /// Sets the speed of virtual time.
    Speed(Speed),
    /// Runs virtual time at [`FAST`](crate::FAST), if it is slower (`true`), or at its own speed
    /// again.
    FastForward(bool),
    /// Goes back by this span from the time that is shown.
    Back(Nanos),
    /// Goes forward by this span from the time that is shown, at most to the present.
    Forward(Nanos),
    /// Shows the frame before the one that is shown (`true`), or the one after it.
    StepFrame(bool),
    /// Shows the time of the press before the one that is shown (`true`), or of the one after it.
    StepPress(bool),
    /// Continues in the branch of this number, at its end.
    GoTo(u32),
    /// Shows a time; the present if the time is not in the past.
    Look(Instant),
    /// Returns to the present.
    Now,
    /// Shows the present as the panel is scanned, line by line (`true`), or its complete frames.
    Scan(bool),
    /// Requests the input log: the next update has it.
    InputLog,
    /// Ends the thread and hands everything over to another session; the recording gets no `end`.
    HandOver,
    /// Continues from another session: gives the inputs that are missing, and continues its
    /// recording.
    TakeOver(Arc<Handover>),
    /// Closes the recording and ends the thread. Waiting events are executed before, unless
    /// virtual time is stopped.
    Quit,
}

/// A command, and the wall time of the session's clock at which the view made it: time that it
/// waits in a queue changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stamped {
    pub(crate) command: Command,
    pub(crate) made: Duration,
}

/// A notice of the session to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The abandoned future is a branch of this number, in this file.
    Kept(u32, PathBuf),
    /// The session continues in the branch of this number.
    WentTo(u32),
    /// The session stays in the past, because the future that it would abandon cannot be saved.
    NotKept(String),
    /// The session cannot go back.
    NoPast(String),
    /// A real board's time cannot be stopped, stretched or turned back.
    RealTime,
}

impl fmt::Display for Notice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kept(number, path) => {
                write!(out, "the other future is branch {number}, in {}", path.display())
            }
            Self::WentTo(number) => write!(out, "branch {number} continues"),
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
    /// Whether virtual time is stopped; in the past, whether the session is not played from there.
    pub paused: bool,
    pub powered: bool,
    /// Whether the firmware has powered itself down: its last console line was `off`.
    pub off: bool,
    /// Speed of virtual time that was chosen.
    pub speed: Speed,
    /// Present speed of virtual time: at most real time while a button is down, and at least
    /// [`FAST`](crate::FAST) while fast-forward is held.
    pub pace: Speed,
    /// Reason why the recording cannot be written. It continues once it can.
    pub recording_failed: Option<String>,
    /// Reason why the machine has stopped.
    pub broken: Option<MachineError>,
    /// Whether a debugger has stopped the firmware.
    pub debugged: bool,
    /// The time that is shown, if it is in the past.
    pub shown_at: Option<Instant>,
}

/// Newest state of the firmware's thread.
#[derive(Clone, Debug)]
pub struct Update {
    /// Present virtual time.
    pub now: Instant,
    /// Whether nothing has changed but the time: a session that runs has such an update each second
    /// of virtual time.
    pub is_clock: bool,
    /// Picture of the LCD: the drawn pixels, once nothing has been written for 2 ms
    /// (`live::DRAWN_AFTER`). While virtual time is stopped, and in the past, the last complete
    /// frame.
    pub frame: Arc<Frame>,
    /// The state of the session.
    pub status: Status,
    /// Changes of tone since the update that was fetched before, at most `live::TONES_MAX`.
    pub tones: Vec<Tone>,
    /// Content of the flash, if it has changed since the update that was fetched before and has
    /// then not changed for 200 ms (`live::FLASH_REST`), or virtual time is stopped.
    pub flash: Option<Arc<Vec<u8>>>,
    /// Marks of the strip.
    pub marks: Arc<Marks>,
    /// Presses and switches of the power with their times, at most `live::PRESSES_MAX`.
    pub presses: Arc<Vec<(Instant, Action)>>,
    /// Courses that the session has left.
    pub branches: Arc<Vec<Branch>>,
    /// Lines of the console up to the time that is shown, the newest.
    pub console: Arc<Log<ConsoleLine>>,
    /// Frequency of the buzzer, in hertz.
    pub hertz: Option<u32>,
    /// The buttons whose contacts are closed.
    pub closed: ButtonSet,
    /// The other parts of a described board, at the time that is shown.
    pub parts: Arc<PartReadings>,
    /// Number of bytes on the LCD's wire between the last two updates with a new frame.
    pub frame_bytes: u64,
    /// Notices since the update that was fetched before.
    pub notices: Vec<Notice>,
    /// The input log, if it was requested.
    pub input_log: Option<Arc<InputLog>>,
}

/// Result of a session.
#[derive(Debug)]
pub struct SessionEnd {
    /// Virtual time of `end`.
    pub at: Instant,
    /// Last complete frame then: a replay of the recording ends with it.
    pub frame: Frame,
    /// Content of the flash.
    pub flash: Vec<u8>,
    /// Whether the firmware has changed the flash.
    pub flash_changed: bool,
    /// Number of violations of the LCD's datasheet.
    pub violations: u64,
    /// Reason why the machine stopped early.
    pub machine_error: Option<MachineError>,
    /// Reason why the recording stopped early.
    pub recording_error: Option<io::Error>,
    /// State for another session, after [`Command::HandOver`].
    pub handover: Option<Handover>,
}
