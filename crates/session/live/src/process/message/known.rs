//! Updates and ends of a session as messages: only what differs from the last update is sent.

use super::pixels::{checked, put_pixels, take, take_pixels};
use super::*;
use crate::part_readings::PartReadings;

/// A [`SessionEnd`]. The pixels and then the flash follow the line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::process) struct End {
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
pub(in crate::process) struct Known {
    parts: BoardParts,
    readings: Arc<PartReadings>,
    frame: Arc<Frame>,
    marks: Arc<Marks>,
    presses: Arc<Vec<(Instant, Action)>>,
    branches: Arc<Vec<Branch>>,
    console: Arc<Log<ConsoleLine>>,
}

impl Known {
    /// Creates the state before the first update of a board with these parts.
    pub(in crate::process) fn new(parts: BoardParts) -> Self {
        let (width, height) = (parts.panel.width.into(), parts.panel.height.into());
        Self {
            frame: Arc::new(Frame::filled(width, height, 0)),
            readings: Arc::default(),
            marks: Arc::default(),
            presses: Arc::default(),
            branches: Arc::default(),
            console: Arc::new(Log::with_limit(CONSOLE_BYTES)),
            parts,
        }
    }
}

/// An answer, and the bytes after its line.
pub(in crate::process) struct Packed {
    pub(in crate::process) answer: Answer,
    pub(in crate::process) bytes: Vec<u8>,
}

impl Known {
    /// Packs `update`.
    pub(in crate::process) fn pack(&mut self, update: Update) -> io::Result<Packed> {
        let Update { now, frame, status, tones, flash, marks, presses, branches, console, .. } =
            update;
        let mut bytes = Vec::new();
        let size = [frame.width(), frame.height()];
        let is_other = size != [self.frame.width(), self.frame.height()];
        let region = match compare(&frame, &self.frame) {
            _ if is_other => Some(frame.whole()),
            Err(Mismatch::Pixels(difference)) => Some(difference.region()),
            _ => None,
        };
        if let Some(region) = region {
            put_pixels(&mut bytes, &frame.part(region));
        }
        if let Some(flash) = &flash {
            bytes.extend_from_slice(flash);
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
        let readings = update.parts;
        let parts = (readings != self.readings).then(|| PartNews::pack(&readings, &mut bytes));
        let known = std::mem::take(&mut self.parts);
        *self = Self { parts: known, readings, frame, marks, presses, branches, console };
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
            shown_at: status.shown_at.map(|at| at.0),
            size: is_other.then_some(size),
            region: region.map(|region| region.to_string()),
            parts,
            tones: tones.iter().map(|tone| (tone.at.0, tone.hz)).collect(),
            flash: flash.map(|flash| flash.len()),
            marks: new_marks,
            presses: new_presses,
            branches: new_branches,
            console: new_console,
            is_clock: update.is_clock,
            hertz: update.hertz,
            closed: self
                .parts
                .buttons
                .all()
                .iter()
                .map(|button| update.closed.contains(*button))
                .collect(),
            frame_bytes: update.frame_bytes,
            notices: update.notices.into_iter().map(message).collect(),
            input_log: update.input_log.as_deref().map(LogMessage::of).transpose()?,
        };
        Ok(Packed { answer: Answer::Update(Box::new(news)), bytes })
    }

    /// Returns the update that was packed, given the updates before.
    pub(in crate::process) fn unpack(
        &mut self,
        news: News,
        from: &mut dyn Read,
    ) -> Result<Update, MessageError> {
        if let Some(size) = news.size {
            let [width, height] = checked(size)?;
            self.frame = Arc::new(Frame::filled(width, height, 0));
        }
        if let Some(text) = &news.region {
            let whole = self.frame.whole();
            let region = Region::parse(text).filter(|region| whole.holds(*region));
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
        if let Some(parts) = news.parts {
            self.readings = Arc::new(parts.unpack(&self.parts, from)?);
        }
        if let Some((span, bins)) = &news.marks {
            let marks = Marks::from_parts(Nanos(*span), bytes_of(bins)?);
            self.marks = Arc::new(marks.ok_or(MessageError::Value)?);
        }
        if let Some((same, new)) = &news.presses {
            let presses = Arc::make_mut(&mut self.presses);
            presses.truncate(*same);
            for (at, text) in new {
                presses
                    .push((Instant(*at), action_of(text, &self.parts).ok_or(MessageError::Value)?));
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
                // Firmware in a process of its own has no debugger.
                debugged: false,
                shown_at: news.shown_at.map(Instant),
            },
            tones: news.tones.iter().map(tone).collect(),
            flash: flash.map(Arc::new),
            marks: Arc::clone(&self.marks),
            presses: Arc::clone(&self.presses),
            branches: Arc::clone(&self.branches),
            console: Arc::clone(&self.console),
            hertz: news.hertz,
            parts: Arc::clone(&self.readings),
            closed: of_indices(&self.parts, |index| {
                news.closed.get(index).copied().unwrap_or(false)
            }),
            frame_bytes: news.frame_bytes,
            notices: news.notices.into_iter().map(notice).collect(),
            input_log: news
                .input_log
                .map(|message| message.input_log(&self.parts))
                .transpose()?
                .map(Arc::new),
        })
    }
}

fn message(notice: Notice) -> NoticeMessage {
    match notice {
        Notice::Kept(number, path) => NoticeMessage::Kept(number, path),
        Notice::WentTo(number) => NoticeMessage::WentTo(number),
        Notice::NotKept(why) => NoticeMessage::NotKept(why),
        Notice::NoPast(why) => NoticeMessage::NoPast(why),
        Notice::RealTime => NoticeMessage::RealTime,
    }
}

fn notice(message: NoticeMessage) -> Notice {
    match message {
        NoticeMessage::Kept(number, path) => Notice::Kept(number, path),
        NoticeMessage::WentTo(number) => Notice::WentTo(number),
        NoticeMessage::NotKept(why) => Notice::NotKept(why),
        NoticeMessage::NoPast(why) => Notice::NoPast(why),
        NoticeMessage::RealTime => Notice::RealTime,
    }
}

impl End {
    pub(in crate::process) fn pack(ended: SessionEnd) -> io::Result<Packed> {
        let mut bytes = Vec::new();
        put_pixels(&mut bytes, &ended.frame);
        bytes.extend_from_slice(&ended.flash);
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
        Ok(Packed { answer: Answer::Ended(Box::new(end)), bytes })
    }

    /// Returns the end that was packed, of a board with these parts.
    pub(in crate::process) fn unpack(
        self,
        parts: &BoardParts,
        from: &mut dyn Read,
    ) -> Result<SessionEnd, MessageError> {
        let [width, height] = checked(self.size)?;
        Ok(SessionEnd {
            at: Instant(self.at),
            frame: take_pixels(from, width, height)?,
            flash: take(from, self.flash)?,
            flash_changed: self.flash_changed,
            violations: self.violations,
            machine_error: self.broken.map(broken),
            recording_error: self.recording_error.map(io::Error::other),
            handover: self.left.map(|left| left.handover(parts)).transpose()?,
        })
    }
}
