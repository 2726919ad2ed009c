//! A session that is open in a view: its identity, files, messages and pictures, and the buttons
//! that are held.
//!
//! The view draws it and sends keys to it. Another session replaces the whole value, so that
//! nothing of the previous one remains. This module knows no window and no terminal.

use std::io;
use std::path::{Path, PathBuf};

use hal_mock::MachineError;
use host::clock::Stopwatch;
use ili9341_model::Frame;
use reading::golden::encode_png;
use reading::text::Reader;
use trace::Button;
use virtual_time::{Instant, Nanos};

use super::Live;
use super::branches::clock;
use super::captures::{self, Reel};
use super::control_hands::ControlHands;
use super::error::SessionError;
use super::files::RecordingFiles;
use super::flash_file::{FlashFile, FlashFileError, FlashState};
use super::held_buttons::{HeldButtons, Holder};
use super::input_log::InputLog;
use super::keymap::Control;
use super::message::{Chords, Command, SessionEnd, Status, Update};
use super::messages::Messages;
use super::services::Services;
use super::stderr::say;

/// Virtual time that one press of the key moves back or forward. A held key repeats.
const LEAP: Nanos = Nanos::from_millis(250);
/// Number of repetitions of that span. Each later one is [`GROWTH`] times as long: at 25 a second
/// the key reaches ten minutes in 1.4 s.
const EQUAL_LEAPS: u32 = 8;
const GROWTH: f64 = 1.3;
/// Longest span of a repetition.
const LEAP_MAX: Nanos = Nanos::from_secs(120);

/// A session that a view has open.
pub struct OpenSession {
    /// The running session.
    pub live: Live,
    /// The board that runs, as `--board` names it.
    pub board: String,
    /// A description of the session in a few words, and the names of its files.
    pub identity: [String; 2],
    /// Title of a window, without error messages.
    title: String,
    /// Recording, and the folder of captures.
    pub recording_files: RecordingFiles,
    /// File of the flash, if the flash is saved.
    pub flash: Option<FlashFile>,
    /// Whether the flash outlasts the session.
    pub flash_state: FlashState,
    /// Reason why the recording cannot be written, as long as it cannot.
    pub recording_failed: Option<String>,
    /// Reader of text on the LCD.
    pub(super) reader: Reader,
    /// Time of the board before a call of the firmware that does not return.
    pub(super) hung: Option<Instant>,
    /// Whether a debugger has stopped the firmware.
    debugged: bool,
    /// The last crash, until the user dismisses it.
    pub crash: Option<Crash>,
    /// Buttons that are held down, and by what.
    pub held: HeldButtons,
    /// Hands on the board's other controls.
    pub hands: ControlHands,
    /// Messages for the user.
    pub messages: Messages,
    reel: Reel,
    /// Wall time since the session was opened.
    pub clock: Stopwatch,
}

impl OpenSession {
    pub(super) fn new(
        live: Live,
        reader: Reader,
        recording_files: RecordingFiles,
        (board, identity): (String, [String; 2]),
        (flash, flash_state): (Option<FlashFile>, FlashState),
    ) -> Self {
        let title = title(&identity[0], &recording_files);
        Self {
            live,
            board,
            identity,
            title,
            recording_files,
            flash,
            flash_state,
            recording_failed: None,
            reader,
            hung: None,
            debugged: false,
            crash: None,
            held: HeldButtons::default(),
            hands: ControlHands::default(),
            messages: Messages::default(),
            reel: Reel::default(),
            clock: Stopwatch::start(),
        }
    }

    /// Changes the identity: other firmware continues the session.
    pub fn rename(&mut self, identity: String) {
        self.title = title(&identity, &self.recording_files);
        self.identity[0] = identity;
    }

    /// Returns the title of a window that shows the session: the error, if there is one, then the
    /// identity.
    pub fn window_title(&self) -> String {
        let failed = self.recording_failed.as_deref();
        let wrong = self.messages.lasting.as_deref().into_iter().chain(failed);
        wrong.chain([self.title.as_str()]).collect::<Vec<_>>().join(" - ")
    }

    /// Shows `what` to the user for a few seconds.
    pub fn say(&mut self, what: String) {
        self.messages.say(what, self.clock.elapsed());
    }

    /// Reports whether RESET is held down from now on, and the `key` that releases it.
    pub fn say_reset(&mut self, held: bool, key: impl std::fmt::Display) {
        self.say(match held {
            true => format!("RESET is held down; {key} releases it"),
            false => "RESET is released".to_owned(),
        });
    }

    /// Reports whether the debugger has stopped the firmware.
    pub fn say_debugged(&mut self) {
        let what = match self.debugged {
            true => "the debugger has stopped the firmware; `continue` there lets it run",
            false => "the debugger lets the firmware run",
        };
        self.say(what.to_owned());
    }

    /// Returns the message that is shown now.
    pub fn message(&mut self) -> Option<String> {
        self.messages.now(self.clock.elapsed())
    }

    /// Checks that the flash can be saved, and reports it if not.
    pub fn check_flash(&mut self) {
        let checked = self.flash.as_mut().map_or(Ok(()), FlashFile::check);
        self.report_flash(checked);
    }

    /// Handles the parts of an update that are common to all views: the flash, notices, failures,
    /// the input log for the studio. `revive` is the name of the key that revives stopped
    /// firmware.
    pub fn take(&mut self, update: &Update, services: &dyn Services, revive: &str) {
        // A change is saved at once, so that a crash of this program loses no saved game.
        if let (Some(kept), Some(image)) = (&mut self.flash, update.flash.as_deref()) {
            let saved = kept.save(image);
            self.report_flash(saved);
        }
        for notice in &update.notices {
            self.say(notice.to_string());
        }
        self.take_status(&update.status, revive);
        if let Some(input_log) = &update.input_log {
            self.open_studio(input_log, services);
        }
    }

    fn take_status(&mut self, status: &Status, revive: &str) {
        if std::mem::replace(&mut self.debugged, status.debugged) != status.debugged {
            self.say_debugged();
        }
        let stopped = status.broken.as_ref();
        let stopped = stopped.map(|why| (why, stopped_at(why, &format!(" ({revive} revives it)"))));
        match stopped {
            Some((why, what)) if self.messages.stopped.as_ref() != Some(&what) => {
                self.messages.warn(stopped_at(why, ""));
                self.crash = Some(Crash::new("the firmware stopped", vec![why.to_string()]));
                self.messages.stops(what);
            }
            Some(_) => {}
            None => self.messages.stopped = None,
        }
        let failed = status.recording_failed.as_ref();
        let failed = failed.map(|why| {
            format!("the recording cannot be written ({why}); it continues once it can")
        });
        if failed == self.recording_failed {
            return;
        }
        match &failed {
            Some(what) => {
                self.messages.warn(format!("warning: {what}"));
                self.say(what.clone());
            }
            None => self.say("the recording continues, and is complete".to_owned()),
        }
        self.recording_failed = failed;
    }

    /// Reports whether the flash was saved. A failed save is repeated after the next change and at
    /// the end of the session, where a failure is an error.
    fn report_flash(&mut self, saved: Result<(), FlashFileError>) {
        if self.flash.is_none() {
            return;
        }
        self.flash_state = match &saved {
            Ok(()) => FlashState::Kept,
            Err(FlashFileError::Beside { .. }) => FlashState::Beside,
            Err(FlashFileError::Unwritable { .. }) => FlashState::Failed,
        };
        self.messages.set_lasting(saved.err().map(|error| error.to_string()));
    }

    /// Adds a holder of `button`. Returns the command that presses the button, if it was up.
    pub fn hold(&mut self, button: Button, holder: Holder) -> Option<Command> {
        self.held.press(button, holder).then_some(Command::Press(button))
    }

    /// Removes a holder of `button`. Returns the command that releases the button, if no other
    /// holder is left.
    pub fn let_go(&mut self, button: Button, holder: Holder) -> Option<Command> {
        self.held.release(button, holder).then_some(Command::Release(button))
    }

    /// Adds `frame` to the film, as the picture that the panel shows from now on.
    pub fn film(&mut self, frame: &Frame) {
        self.reel.add(self.clock.elapsed(), frame);
    }

    /// Saves `frame` as a PNG file among the captures.
    pub fn save_picture(&mut self, frame: &Frame) {
        let saved = captures::save(&self.recording_files.captures, "png", &encode_png(frame));
        self.report_saved(saved);
    }

    /// Saves the last seconds as a GIF file among the captures.
    pub fn save_film(&mut self, services: &dyn Services) {
        let (frames, end) = self.reel.film(self.clock.elapsed());
        let film = services.film(&frames, end);
        let saved =
            film.and_then(|gif| captures::save(&self.recording_files.captures, "gif", &gif));
        self.report_saved(saved);
    }

    fn report_saved(&mut self, saved: io::Result<PathBuf>) {
        let folder = shown_path(&self.recording_files.captures);
        self.say(match saved {
            Ok(path) => format!("saved {}", shown_path(&path)),
            Err(error) => format!("nothing saved in {folder}: {error}"),
        });
    }

    /// Opens the recorded inputs in the studio's page, on the board of this session.
    fn open_studio(&mut self, input_log: &InputLog, services: &dyn Services) {
        let path = match self.recording_files.save(input_log) {
            Ok(path) => path,
            Err(error) => return self.say(format!("the session cannot be saved: {error}")),
        };
        let report = self.messages.reporter();
        match services.studio(&self.board, &path, report) {
            Ok(()) => self.say(format!("the studio opens {}", shown_path(&path))),
            Err(error) => self.say(format!("the studio does not open: {error}")),
        }
    }

    /// Ends the session and saves its files.
    ///
    /// # Errors
    /// If the session does not answer, a file cannot be saved, or the firmware has stopped.
    pub fn end(self) -> Result<(), SessionError> {
        if let Some(at) = self.hung {
            return self.end_hung(at);
        }
        let Self { live, recording_files, mut flash, .. } = self;
        finish(live.quit()?, flash.as_mut(), recording_files.record)
    }
}

/// Returns why the firmware stopped, with the time as a user reads it.
fn stopped_at(why: &MachineError, hint: &str) -> String {
    format!("the firmware stopped{hint} at {}: {}", clock(why.at), why.message())
}

/// Returns the title of a window, without error messages.
fn title(identity: &str, recording_files: &RecordingFiles) -> String {
    let recording = recording_files.record.as_ref();
    let recording = recording.map(|path| format!(" - recording {}", path.display()));
    format!("nudge - {identity}{}", recording.unwrap_or_default())
}

/// Returns the virtual time that a key moves back or forward at its repetition `repeats`.
fn leap(repeats: u32) -> Nanos {
    let grown = repeats.saturating_sub(EQUAL_LEAPS).min(100);
    let nanos = LEAP.0 as f64 * GROWTH.powf(f64::from(grown));
    Nanos((nanos as u64).min(LEAP_MAX.0))
}

/// A crash of the firmware, as it is shown to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crash {
    pub title: String,
    pub lines: Vec<String>,
}

impl Crash {
    /// Creates a crash from a title and lines of text.
    pub fn new(title: &str, lines: Vec<String>) -> Self {
        Self { title: title.to_owned(), lines }
    }
}

/// Returns the command that `control` sends in every view; `None` if the view decides. `fine` is
/// Shift, and `repeats` the number of repetitions of the held key: only going back and forward
/// repeats.
pub fn command_of(
    control: Control,
    fine: bool,
    repeats: u32,
    speed: host::clock::Speed,
    chords: Chords,
) -> Option<Command> {
    Some(match control {
        Control::Back if fine => Command::StepFrame(true),
        Control::Back => Command::Back(leap(repeats)),
        Control::Forward if fine => Command::StepFrame(false),
        Control::Forward => Command::Forward(leap(repeats)),
        Control::PreviousPress => Command::StepPress(true),
        Control::NextPress => Command::StepPress(false),
        _ if repeats > 0 => return None,
        Control::Now => Command::Now,
        Control::PowerCycle => Command::PowerCycle,
        Control::Undo => Command::Chord(chords.undo),
        Control::Help => Command::Chord(chords.help),
        Control::Faster => Command::Speed(speed.faster()),
        Control::Slower => Command::Speed(speed.slower()),
        Control::Studio => Command::InputLog,
        _ => return None,
    })
}

/// Returns the path as the user named it, with `.` for the current folder.
fn shown_path(path: &Path) -> String {
    if path.as_os_str().is_empty() { ".".to_owned() } else { path.display().to_string() }
}

/// Saves the files of a session.
///
/// # Errors
/// If a file cannot be saved, or the firmware has stopped.
pub fn finish(
    ended: SessionEnd,
    flash: Option<&mut FlashFile>,
    record: Option<PathBuf>,
) -> Result<(), SessionError> {
    let kept = match flash {
        Some(kept) => kept.finish(&ended.flash, ended.flash_changed),
        None => Ok(()),
    };
    if ended.violations > 0 {
        say(format_args!(
            "warning: the firmware broke {} of the LCD's datasheet; a replay of a recording \
             names each",
            if ended.violations == 1 {
                "a rule".into()
            } else {
                format!("{} rules", ended.violations)
            }
        ));
    }
    if let (Err(error), Some(_)) = (&kept, &ended.recording_error) {
        // Only one error is returned, so the other is printed here.
        say(format_args!("nudge: {error}"));
    } else {
        kept?;
    }
    if let (Some(path), Some(error)) = (record, ended.recording_error) {
        return Err(SessionError::RecordingLost { path, error });
    }
    ended.machine_error.map_or(Ok(()), |error| Err(SessionError::Broken(error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_key_goes_back_ten_minutes_in_two_seconds() {
        // X repeats a key after 0.66 s, 25 times a second.
        let repeats = ((2.0 - 0.66) * 25.0) as u32;
        let went: u64 = (0..=repeats).map(|repeat| leap(repeat).0).sum();
        assert!(went >= 600_000_000_000, "{went} ns");
        assert_eq!([leap(0), leap(8)], [LEAP, LEAP]);
        assert_eq!(leap(u32::MAX), LEAP_MAX);
    }
}
