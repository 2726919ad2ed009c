//! Firmware that does not return: how a view notices it, and how the session continues without it.
//!
//! The session's thread is inside the firmware and executes nothing. The view shows that, and
//! replaces the session when the user goes back or switches the power: another session of the same
//! firmware repeats the inputs up to the call that does not return, and stops there.

use std::sync::Arc;
use std::time::Duration;

use hal_mock::MachineError;
use host::clock::Speed;
use trace::Action;
use virtual_time::Instant;

use super::contained::FirmwareHang;
use super::error::{LiveError, SessionError};
use super::input_log::InputLog;
use super::message::{Command, Handover};
use super::open_session::{Crash, OpenSession};
use super::setup::Rewinding;

impl OpenSession {
    /// Checks whether the firmware returns, and shows it if not. Called in each round of a view's
    /// loop; `revive` and `back` are the names of the keys that revive the firmware and go back.
    pub fn check_hang(&mut self, revive: &str, back: &str) {
        let hung = self.live.hung();
        if hung == self.hung {
            return;
        }
        self.hung = hung;
        match hung {
            Some(at) => {
                let error = MachineError::new(at, FirmwareHang);
                let what =
                    format!("the firmware hangs {error}; {revive} revives it, {back} goes back");
                self.messages.warn(format!("the firmware hangs {error}"));
                self.messages.stops(what);
                self.crash = Some(Crash::new("the firmware hangs", vec![error.to_string()]));
            }
            None => self.messages.stopped = None,
        }
    }

    /// Returns whether the firmware does not return.
    pub fn is_hung(&self) -> bool {
        self.hung.is_some()
    }

    /// Sends `command` to the session. If the firmware does not return, a command that switches the
    /// power or goes to another time first replaces the session by one that stops before. Returns
    /// whether it was replaced: then the view watches the updates of another [`Live`](super::Live).
    ///
    /// # Errors
    /// If the session is gone, or no other one starts.
    pub fn send(&mut self, command: Command, speed: Speed) -> Result<bool, LiveError> {
        self.send_at(self.live.clock().elapsed(), command, speed)
    }

    /// Sends a command as [`send`](Self::send) does, which was made when the clock of
    /// [`Live`](super::Live) showed `made`.
    ///
    /// # Errors
    /// If the session is gone, or no other one starts.
    pub fn send_at(
        &mut self,
        made: Duration,
        command: Command,
        speed: Speed,
    ) -> Result<bool, LiveError> {
        let leaves = matches!(
            command,
            Command::PowerCycle
                | Command::Back(_)
                | Command::Forward(_)
                | Command::StepFrame(_)
                | Command::StepPress(_)
                | Command::GoTo(_)
                | Command::Look(_)
        );
        let replaced = match self.hung {
            Some(at) if leaves => {
                self.replace(at, speed)?;
                true
            }
            _ => false,
        };
        self.live.send_at(made, command)?;
        Ok(replaced)
    }

    fn replace(&mut self, at: Instant, speed: Speed) -> Result<(), LiveError> {
        let rewinding = Rewinding {
            reader: self.reader.clone(),
            recording_files: Box::new(self.recording_files.clone()),
        };
        let (mut next, known) = self.live.replaced(rewinding, &self.recording_files, at)?;
        let recorded = || {
            let input_log = self.recording_files.recorded(at)?;
            Some(Handover { input_log, ..Handover::default() })
        };
        let known = known.or_else(recorded).ok_or(LiveError::Gone)?;
        let handover = Handover {
            input_log: without_last_power_on(known.input_log),
            branches: known.branches,
            branch: known.branch,
            held: self.held.down(),
            stopped: Some(MachineError::new(at, FirmwareHang)),
            unrecorded: self.recording_failed.is_some(),
            ..Handover::default()
        };
        next.send(Command::Speed(speed))?;
        next.send(Command::TakeOver(Arc::new(handover)))?;
        self.live = next;
        self.hung = None;
        Ok(())
    }

    /// Ends a session whose firmware does not return. Its recording ends before that; the flash is
    /// as it was saved last.
    pub(super) fn end_hung(mut self, at: Instant) -> Result<(), SessionError> {
        let known = self.live.abandon(at);
        let recorded = || self.recording_files.recorded(at);
        let input_log = known.or_else(recorded).map(without_last_power_on);
        if let (Some(path), Some(input_log)) = (&self.recording_files.record, input_log)
            && self.recording_failed.is_none()
        {
            let lost = |error| SessionError::RecordingLost { path: path.clone(), error };
            self.recording_files.replace(&input_log).map_err(lost)?;
        }
        if let Some(flash) = &mut self.flash {
            flash.check()?;
        }
        Err(SessionError::Broken(MachineError::new(at, FirmwareHang)))
    }
}

/// Removes a power-on at the end: the call that does not return is the boot.
fn without_last_power_on(mut input_log: InputLog) -> InputLog {
    let is_boot =
        |(when, action): &(Instant, Action)| *when == input_log.end && *action == Action::PowerOn;
    // The first power-on is the begin of every log.
    if input_log.events.len() > 1 && input_log.events.last().is_some_and(is_boot) {
        input_log.events.pop();
    }
    input_log
}
