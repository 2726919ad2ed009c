//! A session that another one leaves, or goes on with: what was done is done again at once.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use hal_mock::{Machine as _, setup::SetupError};
use timeline::Watched;
use trace::Action;
use virtual_time::Instant;

use super::Session;
use super::report::FlashWatch;
use super::running::Progress;
use crate::message::{Handover, SessionEnd};
use crate::past::{COPIED_EVERY, Past};
use crate::scanned::Scanned;
use crate::schedule::{Event, Schedule};
use crate::story::{Recording, Story};

impl Session {
    /// Does at once what was done in `story`, whose first event is the power's switching on.
    ///
    /// # Errors
    /// If there is no machine any more.
    pub(crate) fn repeat(&mut self, story: &Story, wall: Duration) -> Result<(), SetupError> {
        if let Some(memory) = &self.memory {
            self.machine = Watched::new((memory.make)()?, COPIED_EVERY);
        }
        let started = self.machine.board().now();
        let first = Story { events: vec![(started, Action::PowerOn)], end: started };
        self.flash.started = self.machine.board().with_flash(|chip| chip.bytes_changed());
        self.broken = self.machine.power_on().err();
        self.repeat_behind(first, story, wall);
        Ok(())
    }

    /// The same, from the last copy of the machine before the end of `story`, which was done in this session.
    ///
    /// # Errors
    /// If there is no copy, and no machine any more.
    pub(super) fn go_back(&mut self, story: &Story, wall: Duration) -> Result<(), SetupError> {
        let deeds = story.events.iter().map(|(_, action)| deeds_of(action)).sum();
        let Some((machine, done)) = self.machine.before(story.end, deeds) else {
            return self.repeat(story, wall);
        };
        let (mut left, mut first) = (done, Story::default());
        for (at, action) in &story.events {
            let Some(rest) = left.checked_sub(deeds_of(action)) else { break };
            first.events.push((*at, action.clone()));
            left = rest;
            if left == 0 {
                break;
            }
        }
        if left > 0 {
            return self.repeat(story, wall);
        }
        self.machine = machine;
        self.broken = None;
        self.repeat_behind(first, story, wall);
        Ok(())
    }

    /// Does at once what is in `story` behind `first`, which the machine has done.
    fn repeat_behind(&mut self, first: Story, story: &Story, wall: Duration) {
        let recorder = self.recorder.take();
        self.schedule = Schedule::default();
        self.next = Progress::Waits;
        for (at, action) in &first.events {
            if let Some(event) = Event::of(action) {
                self.schedule.did(*at, &event);
            }
        }
        self.recorded_at = first.events.last().map_or(Instant::START, |(at, _)| *at);
        let done = first.events.len();
        self.story = first;
        // What is done again at once is not seen line by line.
        let scans = self.scan.take().is_some();
        self.repeat_events(&story.events[story.events.len().min(done)..]);
        self.repeat_to(story.end);
        let board = self.machine.board();
        self.frames = board.frame_count_at(board.now());
        self.frame = Arc::new(board.frame());
        self.scan = scans.then(|| Scanned::of(board));
        self.tones_sent = board.tones_from(0).len();
        self.lines_read = 0;
        self.console = Arc::default();
        let since = self.machine.board().now();
        self.flash = FlashWatch { sent: u64::MAX, seen: u64::MAX, since, ..self.flash };
        self.last_status = None;
        self.recorder = recorder;
        self.pacer.jump(wall, self.machine.board().now());
    }

    fn repeat_events(&mut self, events: &[(Instant, Action)]) {
        for (at, action) in events {
            if let Some(event) = Event::of(action) {
                self.schedule.repeat(*at, event);
            }
        }
    }

    /// Goes on where another session was. What this one has not done yet it does at once; if it has done
    /// something else, it begins anew.
    pub(super) fn take_over(&mut self, wall: Duration, left: &Handover) {
        self.leave_past(wall);
        let Handover { story, waiting, paused, looks_at, unrecorded } = left;
        let undone = story.events.strip_prefix(self.story.events.as_slice());
        let undone = undone.filter(|undone| {
            let next = undone.first().map_or(story.end, |(at, _)| *at);
            let now = self.machine.board().now();
            let untouched = self.recorder.is_none() && self.schedule.next().is_none();
            untouched && !self.story_is_cut && now <= next
        });
        if let Some(undone) = undone {
            self.repeat_events(undone);
            self.repeat_to(story.end);
            self.tones_sent = self.machine.board().tones_from(0).len();
            self.pacer.jump(wall, self.machine.board().now());
        } else {
            self.marks = Arc::default();
            if let Err(error) = self.repeat(story, wall) {
                self.recording_error = Some(io::Error::other(error));
                return;
            }
        }
        self.repeat_events(waiting);
        self.recorder = None;
        let recording = match &mut self.memory {
            // With a gap it would replay differently.
            Some(_) if *unrecorded => Err(io::Error::other("it has ended before")),
            Some(memory) => memory.tape.go_on(),
            None => Ok(None),
        };
        let recorder = recording.and_then(|found| match found {
            Some((sink, header)) => Recording::go_on(sink, header, story).map(Some),
            None => Ok(None),
        });
        match recorder {
            Ok(recorder) => self.recorder = recorder,
            Err(error) => self.recording_error = Some(error),
        }
        self.pacer.set_paused(wall, *paused);
        if let Some(at) = looks_at {
            self.look(wall, *at);
        }
    }

    /// Leaves everything to another session. The recording gets no `end`: the other one goes on with it.
    pub(crate) fn hand_over(mut self, wall: Duration) -> SessionEnd {
        let looks_at = self.past.as_ref().map(Past::at);
        self.leave_past(wall);
        // What is recorded is done already.
        let recorded = usize::from(self.next == Progress::Recorded);
        let waiting = self.schedule.waiting().skip(recorded);
        let waiting = waiting.map(|(at, event)| (*at, event.action())).collect();
        let paused = self.pacer.is_paused();
        let unrecorded = self.recording_error.is_some();
        let handover = Handover { story: self.told(), waiting, paused, looks_at, unrecorded };
        self.recorder = None;
        let at = handover.story.end;
        SessionEnd { handover: Some(handover), ..self.ended(at) }
    }
}

/// How many deeds of a machine an event is: a line is typed byte by byte.
fn deeds_of(action: &Action) -> usize {
    match action {
        Action::Type(text) => text.len() + 1,
        _ => 1,
    }
}
