//! Reports of a session: its frame, its console, its flash and other changes.

use std::sync::Arc;

use hal_mock::{
    Machine as _,
    board::{ConsoleLine, Tone},
    log::Log,
};
use ili9341_model::Frame;
use trace::ButtonSet;
use virtual_time::Instant;

use super::{DRAWN_AFTER, FLASH_REST, Session};
use crate::marks::Mark;
use crate::message::{Status, Update};
use crate::part_readings::PartReadings;
use crate::past::Past;

/// The firmware's last console line when it powers itself down (docs/console.md).
const OFF: &str = "off";

/// State of the flash, as the chip's count of changed bytes.
pub(super) struct FlashWatch {
    pub(super) started: u64,
    pub(super) sent: u64,
    pub(super) seen: u64,
    pub(super) since: Instant,
}

/// Outputs of the board besides its picture, as they are shown.
#[derive(Clone, Debug, Default)]
pub(super) struct Outputs {
    hertz: Option<u32>,
    closed: ButtonSet,
    parts: Arc<PartReadings>,
    console: Arc<Log<ConsoleLine>>,
}

/// Consoles are equal if they are the same: each change is another one.
impl PartialEq for Outputs {
    fn eq(&self, other: &Self) -> bool {
        (self.hertz, self.closed) == (other.hertz, other.closed)
            && self.parts == other.parts
            && Arc::ptr_eq(&self.console, &other.console)
    }
}

/// A second of virtual time, in nanoseconds: the views show the time in seconds.
const SECOND: u64 = 1_000_000_000;

impl Session {
    /// Returns the changes since the last call; `None` if nothing changed.
    pub(crate) fn take_update(&mut self) -> Option<Update> {
        self.read_console();
        let flash = self.changed_flash();
        let board = self.machine.board();
        let now = board.now();
        let seen = self.past.as_ref().map(Past::state);
        let (frames, powered) = match &seen {
            Some(state) => (state.frame, state.powered),
            None => (board.frame_count_at(now), board.is_powered()),
        };
        let status = Status {
            frames,
            paused: match &self.past {
                Some(_) => self.replay.is_none(),
                None => self.pacer.is_paused(),
            },
            powered,
            off: self.off,
            speed: self.speed,
            pace: self.pacer.speed(),
            recording_failed: self.recording_error.as_ref().map(ToString::to_string),
            broken: self.broken.clone(),
            debugged: self.is_debugged(),
            shown_at: seen.as_ref().map(|state| state.t),
        };
        let tones: Vec<Tone> = board.tones_from(self.tones_sent);
        self.tones_sent = board.with_tones(Log::end);
        let notices = std::mem::take(&mut self.notices);
        let input_log = std::mem::take(&mut self.input_log_requested)
            .then(|| Arc::new(self.input_log_so_far()));
        let board = self.machine.board();
        let drawn = if self.past.is_some() { self.drawn } else { self.shown_change() };
        let scanned = self.scan.as_mut().and_then(|scan| scan.news(now));
        let outputs = self.outputs();
        let is_quiet = tones.is_empty()
            && outputs == self.shown_outputs
            && flash.is_none()
            && notices.is_empty()
            && input_log.is_none()
            && drawn == self.drawn
            && (scanned.is_none() || self.past.is_some());
        let is_clock = is_quiet && self.last_status.as_ref() == Some(&status);
        let second = now.0 / SECOND;
        if is_clock && second == self.shown_second {
            return None;
        }
        self.shown_second = second;
        let moved = self
            .last_status
            .as_ref()
            .is_none_or(|last| last.powered != status.powered || last.shown_at != status.shown_at);
        let is_complete = frames != self.frames || moved;
        self.frames = frames;
        if let Some(past) = &self.past {
            if is_complete {
                self.frame = Arc::new(past.picture());
            }
        } else {
            if drawn != self.drawn || moved {
                self.frame = Arc::new(self.picture_of(drawn));
                self.drawn = drawn;
            }
            if is_complete {
                Arc::make_mut(&mut self.marks).add(now, Mark::Frame);
                self.bus_bytes = (self.bus_bytes.1, board.bus().bytes);
            }
        }
        if self.past.is_none()
            && let Some(scan) = &self.scan
        {
            self.frame = scanned.unwrap_or_else(|| scan.frame());
        }
        self.last_status = Some(status.clone());
        self.shown_outputs = outputs.clone();
        let Outputs { hertz, closed, parts, console } = outputs;
        Some(Update {
            now,
            is_clock,
            frame: Arc::clone(&self.frame),
            status,
            tones,
            flash,
            marks: Arc::clone(&self.marks),
            presses: Arc::clone(&self.presses),
            branches: self.branches.shown(),
            console,
            hertz,
            closed,
            parts,
            frame_bytes: self.bus_bytes.1.saturating_sub(self.bus_bytes.0),
            notices,
            input_log,
        })
    }

    /// Returns the outputs at the time that is shown.
    fn outputs(&self) -> Outputs {
        let board = self.machine.board();
        match &self.past {
            Some(past)
                if self.last_status.as_ref().and_then(|last| last.shown_at) == Some(past.at()) =>
            {
                self.shown_outputs.clone()
            }
            Some(past) => {
                let state = past.state();
                Outputs {
                    hertz: state.tone,
                    closed: state.down.iter().copied().collect(),
                    parts: Arc::new(past.parts(&self.further_frames)),
                    console: Arc::new(past.console()),
                }
            }
            None => Outputs {
                hertz: board.with_tones(|tones| tones.last().and_then(|tone| tone.hz)),
                closed: board
                    .buttons()
                    .all()
                    .iter()
                    .copied()
                    .filter(|it| board.is_down(*it))
                    .collect(),
                parts: Arc::new(PartReadings::of(board, &self.further_frames)),
                console: Arc::clone(&self.console),
            },
        }
    }

    /// Returns the time of the last change that the LCD shows. Drawn pixels are shown once nothing
    /// has been written for [`DRAWN_AFTER`]. While virtual time is stopped, the last complete
    /// frame is shown, which is also the last frame of a recording that ends there.
    fn shown_change(&self) -> Instant {
        let board = self.machine.board();
        let (now, changed) = (board.now(), board.last_change());
        // This holds for a stopped machine too. In its last steps it may have released the LCD's
        // pins.
        let stands = self.pacer.is_paused() || self.broken.is_some();
        if !stands && now >= changed.saturating_add(DRAWN_AFTER) {
            return changed;
        }
        let complete = board.frame_span_at(now).map_or(Instant::START, |(_, last)| last);
        // A change that was shown remains visible.
        if stands { complete } else { complete.max(self.drawn) }
    }

    /// Returns the present picture, whose last change is `drawn`.
    fn picture_of(&self, drawn: Instant) -> Frame {
        let board = self.machine.board();
        if drawn == board.last_change() { board.picture() } else { board.frame() }
    }

    /// Returns when the LCD will show what was drawn last; `None` if it does already.
    pub(crate) fn picture_due(&self) -> Option<Instant> {
        let board = self.machine.board();
        let due = board.last_change().saturating_add(DRAWN_AFTER);
        Some(due).filter(|due| *due > board.now())
    }

    /// Reads the new lines of the console. The last one says whether the firmware powers itself down.
    fn read_console(&mut self) {
        let Self { machine, lines_read, marks, console, off, .. } = self;
        machine.with_console(|lines| {
            if lines.end() == *lines_read {
                return;
            }
            let marks = Arc::make_mut(marks);
            for line in lines.range(*lines_read..) {
                marks.add(line.at, Mark::Message);
            }
            *off = lines.last().is_some_and(|last| last.text == OFF);
            *lines_read = lines.end();
            *console = Arc::new(lines.clone());
        });
    }

    /// Returns the flash if it has changed and has then not changed for [`FLASH_REST`], or virtual
    /// time is stopped.
    fn changed_flash(&mut self) -> Option<Arc<Vec<u8>>> {
        let board = self.machine.board();
        let now = board.now();
        let written = board.with_flash(|chip| chip.bytes_changed());
        if written != self.flash.seen {
            self.flash = FlashWatch { seen: written, since: now, ..self.flash };
        }
        let rests = now >= self.flash.since.saturating_add(FLASH_REST) || self.pacer.is_paused();
        if self.flash.sent == written || !rests {
            return None;
        }
        self.flash.sent = written;
        Some(Arc::new(board.with_flash(|chip| chip.image().to_vec())))
    }
}
