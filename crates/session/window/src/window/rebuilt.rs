//! Firmware that is rebuilt while its window is open: reports of the build, the change from one
//! firmware to the next, and the comparison of both.

use std::sync::Arc;
use std::time::Duration;

use live::keymap::Control;
use live::{Command, Crash, FirmwareNews, Handover, Live, LiveError, Update, say};
use virtual_time::Instant;

use super::build::State;
use super::error::RunError;
use super::event_loop::EventLoop;
use super::screen::Over;
use crate::face::Running;

/// Time limit for replaced firmware to hand over. After that, its recording is used.
const HAND_OVER_MAX: Duration = Duration::from_secs(2);

impl EventLoop<'_> {
    /// Returns whether nothing runs, because the firmware's process has ended.
    pub(super) fn has_no_firmware(&self) -> bool {
        self.session.build.as_ref().is_some_and(|build| build.is_gone)
    }

    /// Returns the newest update of the session.
    pub(super) fn newest(&mut self) -> Result<Option<Update>, RunError> {
        if self.has_no_firmware() {
            return Ok(None);
        }
        let flushed = self.session.open.live.flush();
        match flushed.and_then(|()| self.session.open.live.update()) {
            Err(error @ LiveError::Gone) => self.firmware_is_gone(error).map(|()| None),
            update => update.map_err(RunError::Live),
        }
    }

    /// Handles the end of the firmware's process. The session is not over: its recording has all
    /// inputs.
    ///
    /// # Errors
    /// If no other firmware can continue it.
    pub(super) fn firmware_is_gone(&mut self, error: LiveError) -> Result<(), RunError> {
        let words = self.session.open.live.last_output();
        let (Some(build), Some(words)) = (&mut self.session.build, words) else {
            return Err(RunError::Live(error));
        };
        build.is_gone = true;
        let next = match build.rebuilds.fall_back() {
            true => "the previous firmware continues",
            false => "the session is kept; the next build continues it",
        };
        let what = format!("the firmware's process has ended: {words}; {next}");
        say(format_args!("nudge: {what}"));
        self.session.view.running = Running::Broken;
        let mut lines = vec![words, String::new()];
        lines.extend(self.session.open.live.last_lines());
        self.session.open.crash = Some(Crash::new("the firmware's process has ended", lines));
        self.session.open.messages.stops(what);
        self.update_silence();
        Ok(())
    }

    /// Takes the events of the build.
    pub(super) fn take_news(&mut self) -> Result<(), RunError> {
        let now = self.session.open.clock.elapsed();
        while let Some(news) = self.session.build.as_mut().and_then(|build| build.rebuilds.news()) {
            let Some(build) = &mut self.session.build else { break };
            let is_progress = matches!(news, FirmwareNews::Progress { .. });
            match news {
                FirmwareNews::Building => build.state = State::Runs { since: now, units: None },
                FirmwareNews::Progress { done, all } => {
                    if let State::Runs { units, .. } = &mut build.state {
                        *units = Some((done, all));
                    }
                }
                FirmwareNews::Built => build.state = State::Follows(now),
                FirmwareNews::Same => {
                    build.state = State::Rests;
                    self.session.open.say("built; nothing that runs has changed".to_owned());
                }
                FirmwareNews::Failed { headline, lines } => {
                    say(format_args!("nudge: {headline}"));
                    build.state = State::Failed { headline, lines };
                }
                FirmwareNews::Unfit(why) => {
                    let headline = format!("the new firmware does not run: {why}");
                    say(format_args!("nudge: {headline}"));
                    build.state = State::Failed { lines: vec![why], headline };
                }
                FirmwareNews::Ready { live, identity, words } => {
                    build.state = State::Rests;
                    self.take_over(live)?;
                    self.session.footer.identity[0].clone_from(&identity);
                    self.session.open.rename(identity);
                    self.session.open.say(words);
                }
                FirmwareNews::Compared(words) => {
                    say(format_args!("nudge: {words}"));
                    self.session.open.say(words);
                }
            }
            if !is_progress && matches!(self.screen.over(), Some(Over::Report(..))) {
                self.screen.set_over(None).map_err(RunError::Window)?;
            }
        }
        let key = self.key_of(Control::Change);
        let state = self.session.build.as_ref().map(|build| &build.state);
        self.session.open.messages.build = match state {
            None | Some(State::Rests) => None,
            Some(State::Runs { since, units }) => {
                let of = units.map(|(done, all)| format!("{done} of {all} units, "));
                let seconds = now.saturating_sub(*since).as_secs();
                Some(format!("building, {}{seconds} s", of.unwrap_or_default()))
            }
            Some(State::Follows(since)) => {
                let seconds = now.saturating_sub(*since).as_secs();
                // The times of a short session are not shown.
                (seconds > 0).then(|| {
                    format!("built; the new firmware plays the session, {seconds} s; the previous one continues")
                })
            }
            Some(State::Failed { headline, .. }) => {
                Some(format!("{headline}; the previous firmware continues, {key} shows all"))
            }
        };
        Ok(())
    }

    /// Continues the session in `live`.
    fn take_over(&mut self, live: Live) -> Result<(), RunError> {
        let was_gone = self.has_no_firmware();
        let before = std::mem::replace(&mut self.session.open.live, live);
        self.update_events.watch(&self.session.open.live);
        let handed = if was_gone { Err(LiveError::Gone) } else { before.hand_over(HAND_OVER_MAX) };
        let Some(build) = &mut self.session.build else { return Ok(()) };
        let left = handed.ok().and_then(|ended| ended.handover);
        let mut left = match left {
            Some(left) => left,
            // The firmware has not handed over; its recording has the inputs.
            None => {
                let recorded = build.rebuilds.recorded(self.session.footer.now);
                let unrecorded = recorded.is_none();
                let input_log = recorded.unwrap_or_default();
                Handover { input_log, unrecorded, ..Handover::default() }
            }
        };
        left.held = self.session.open.held.down();
        build.rebuilds.taken_over(Arc::new(left.input_log.clone()));
        build.has_taken_over = true;
        build.is_gone = false;
        if was_gone {
            self.session.open.messages.stopped = None;
            self.session.view.running = Running::Runs;
            self.update_silence();
        }
        self.send(Command::Speed(self.session.view.speed))?;
        self.send(Command::TakeOver(Arc::new(left)))
    }

    /// Shows the result of the last build, or hides it.
    pub(super) fn toggle_change(&mut self) -> Result<(), RunError> {
        if matches!(self.screen.over(), Some(Over::Both(_) | Over::Report(..))) {
            // A crash that was shown is dismissed.
            self.session.open.crash = None;
            return self.screen.set_over(None).map_err(RunError::Window);
        }
        if let Some(Crash { title, lines }) = self.session.open.crash.clone() {
            let over = Over::Report(title, lines);
            return self.screen.set_over(Some(over)).map_err(RunError::Window);
        }
        let Some(build) = &mut self.session.build else {
            let program = live::command_name();
            let what =
                format!("nothing is built here: `{program} run --watch` builds on every save");
            self.session.open.say(what);
            return Ok(());
        };
        let over = match &build.state {
            State::Failed { headline, lines } => {
                Some(Over::Report(headline.clone(), lines.clone()))
            }
            State::Rests | State::Runs { .. } | State::Follows(_) => {
                let both = build.rebuilds.both(self.session.footer.shown_at);
                both.map(|both| Over::Both(Box::new(both)))
            }
        };
        match over {
            Some(over) => self.screen.set_over(Some(over)).map_err(RunError::Window),
            None => {
                self.session.open.say("there are no two firmwares to show yet".to_owned());
                Ok(())
            }
        }
    }

    /// Shows both firmwares at the time that is shown.
    pub(super) fn show_both_at_time(&mut self) -> Result<(), RunError> {
        let shown_at: Option<Instant> = self.session.footer.shown_at;
        let (Some(Over::Both(_)), Some(build)) = (self.screen.over(), &mut self.session.build)
        else {
            return Ok(());
        };
        let both = build.rebuilds.both(shown_at).map(|both| Over::Both(Box::new(both)));
        self.screen.set_over(both).map_err(RunError::Window)
    }
}
