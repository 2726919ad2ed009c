//! Records one replay: every settled frame of the LCD, the board's output and sounds, and the bytes
//! and times.
//!
//! [`observe`] replays a trace on a machine that has not been powered on yet. Expectations are
//! judged, goldens are not. A frame is stored as its difference from the previous one, so that a
//! record of a session of minutes stays small. [`Pictures`] returns the whole frames, one after
//! another.

use std::cell::RefCell;
use std::rc::Rc;

use hal_mock::{
    Call, Machine, MachineError, MachineWrapper, VirtualBoard,
    board::{ConsoleLine, SETTLED_AFTER, Tone},
    replay::{ReplaySettings, Unjudged, Verdict, replay_watched},
};
use ili9341_model::{Frame, Region};
use reading::{
    golden::chain::{Chain, ChainFormat, FrameHash, Link},
    text::Reader,
};
use trace::{Line, Trace};
use virtual_time::{Instant, Nanos};

/// Maximum number of settled frames stored per replay.
pub const FRAMES_MAX: usize = 20_000;
/// Maximum number of changed pixels stored per replay: 128 MiB.
const PIXELS_MAX: usize = 32 << 20;
/// Maximum number of frames between two settled ones that are compared.
const BETWEEN_MAX: usize = 10_000;

/// A record of one replay.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observation {
    /// Each frame that was settled and differs from the previous one, and the frame at the end.
    pub frames: Vec<SettledFrame>,
    pub console: Vec<ConsoleLine>,
    /// Changes of the buzzer's tone.
    pub tones: Vec<Tone>,
    /// Virtual time of the end of the replay.
    pub ended_at: Instant,
    /// Number of complete frames, settled or not.
    pub frames_total: u64,
    /// Number of bytes on the LCD's bus.
    pub bytes: u64,
    /// The first expectation that failed, or the reason why the replay did not reach its end.
    pub failed: Option<String>,
    /// Whether that failure ended the replay before the end of its trace.
    pub stopped: bool,
    /// Number of settled frames beyond [`FRAMES_MAX`] or the limit of stored pixels.
    pub left_out: u64,
}

/// A frame that stayed unchanged for [`SETTLED_AFTER`].
#[derive(Clone, Debug, PartialEq)]
pub struct SettledFrame {
    /// Time at which the frame was settled.
    pub at: Instant,
    /// Whether the frame was settled. Only the last frame may be unsettled.
    pub settled: bool,
    /// Hash of the frame's pixels, in the first format, which every version of nudge knows.
    pub hash: FrameHash,
    /// Line of the trace with the last input before the frame; 0 if there is none.
    pub line: u32,
    /// Number of bytes on the bus since the previous settled frame.
    pub bytes: u64,
    /// Number of complete frames since the previous settled frame, not counting this one.
    pub between: u64,
    /// Hash of these frames' pictures.
    pub between_hash: FrameHash,
    /// Region that differs from the previous settled frame.
    pub region: Region,
    /// Pixels of the region.
    pub patch: Frame,
}

/// Iterator over the whole frames of a record.
#[derive(Debug)]
pub struct Pictures<'a> {
    frames: &'a [SettledFrame],
    shown: Frame,
    next: usize,
}

impl<'a> Pictures<'a> {
    /// Starts at the first of a record's frames.
    pub fn new(frames: &'a [SettledFrame]) -> Self {
        Self { frames, shown: dark(), next: 0 }
    }

    /// Returns frame `index`, which must not be before the frame that was requested last.
    pub fn at(&mut self, index: usize) -> &Frame {
        while self.next <= index {
            let Some(frame) = self.frames.get(self.next) else { break };
            put(&mut self.shown, frame.region, &frame.patch);
            self.next += 1;
        }
        &self.shown
    }
}

fn dark() -> Frame {
    Frame::filled(Region::PANEL.width.into(), Region::PANEL.height.into(), 0)
}

/// Draws `patch` at the corner of `region`. Pixels outside of `onto` are skipped.
fn put(onto: &mut Frame, region: Region, patch: &Frame) {
    let ((left, top), width, height) = (region.corner(), onto.width(), onto.height());
    let columns = patch.width().min(width.saturating_sub(left));
    for row in 0..patch.height().min(height.saturating_sub(top)) {
        let from = row * patch.width();
        let to = (top + row) * width + left;
        let source = &patch.pixels()[from..from + columns];
        onto.pixels_mut()[to..to + columns].copy_from_slice(source);
    }
}

/// Replays `trace` up to `until` on `machine`, which must not have been powered on yet.
pub fn observe(
    trace: &Trace,
    machine: Box<dyn Machine>,
    reader: &Reader,
    until: Option<Instant>,
) -> Observation {
    let notes = Rc::new(RefCell::new(Recorder::default()));
    let mut machine = Watched { machine, notes: notes.clone() };
    let settings = ReplaySettings { until, ..ReplaySettings::default() };
    let mut over = |line: &Line, _: Instant, _: &VirtualBoard| {
        if line.action.is_input() {
            notes.borrow_mut().line = line.place.line;
        }
    };
    let replay = || {
        let goldens = &mut Unjudged;
        replay_watched(trace, &mut machine, reader, goldens, &settings, &mut over)
    };
    let outcome = host::caught(replay);
    let (ended_at, failed, stopped) = match outcome {
        Err(panic) => (machine.board().now(), Some(format!("the firmware {panic}")), true),
        Ok(outcome) => {
            let stopped =
                matches!(outcome.verdict, Verdict::LimitReached { .. } | Verdict::Broken(_));
            let failed = match outcome.verdict {
                Verdict::Passed => None,
                Verdict::Failed(failures) => failures.first().map(|failure| {
                    let place = failure.place.map(|place| format!("line {}: ", place.line));
                    place.unwrap_or_default() + &failure.message()
                }),
                Verdict::LimitReached { .. } => Some("the firmware keeps the clock".to_owned()),
                Verdict::Broken(error) => {
                    Some(format!("the firmware cannot go on: {}", error.message()))
                }
            };
            (outcome.ended_at, failed, outcome.stopped_in.is_some() || stopped)
        }
    };
    let board = machine.board();
    let mut notes = notes.take();
    notes.add(board.frame_at(ended_at), ended_at, false);
    let mut console = board.console_lines();
    console.retain(|line| line.at <= ended_at);
    // Each change of the sources changes the hash in the `boot` line.
    for line in console.iter_mut().filter(|line| line.text.starts_with("boot nudge=")) {
        let length = line.text.find(" source=").unwrap_or(line.text.len());
        line.text.truncate(length);
    }
    let mut tones = board.tones();
    tones.retain(|tone| tone.at <= ended_at);
    Observation {
        frames: notes.frames,
        console,
        tones,
        ended_at,
        frames_total: board.frame_count_at(ended_at),
        bytes: notes.bytes,
        failed,
        stopped,
        left_out: notes.left_out,
    }
}

/// The record of a running replay.
struct Recorder {
    frames: Vec<SettledFrame>,
    /// Picture of the last settled frame.
    shown: Frame,
    pixels: usize,
    left_out: u64,
    /// Line of the last input.
    line: u32,
    /// Number of bytes on the bus: the sum across power cuts, the board's counter, and the sum at
    /// the last settled frame.
    bytes: u64,
    counted: u64,
    bytes_before: u64,
    /// Number of complete frames at the last poll, and the frames since the last settled one.
    complete: u64,
    between: Vec<Link>,
    between_count: u64,
    /// Last change of the screen after which a settled frame was recorded.
    settled_since: Option<Instant>,
}

impl Default for Recorder {
    fn default() -> Self {
        Self {
            frames: Vec::new(),
            shown: dark(),
            pixels: 0,
            left_out: 0,
            line: 0,
            bytes: 0,
            counted: 0,
            bytes_before: 0,
            complete: 0,
            between: Vec::new(),
            between_count: 0,
            settled_since: None,
        }
    }
}

impl Recorder {
    fn look(&mut self, board: &VirtualBoard) {
        let bytes = board.bus().bytes;
        // The board's counter restarts at zero at power-on.
        self.bytes += if bytes >= self.counted { bytes - self.counted } else { bytes };
        self.counted = bytes;
        let now = board.now();
        let complete = board.frame_count_at(now);
        if complete != self.complete {
            self.complete = complete;
            self.between_count += 1;
            if self.between.len() < BETWEEN_MAX {
                let hash = FrameHash::of_first_format(&board.frame_at(now));
                self.between.push(Link { hash, at: now, changed: 0, region: Region::PANEL });
            }
        }
        let change = board.last_change();
        let settled = change.saturating_add(SETTLED_AFTER);
        if self.settled_since == Some(change) || now.saturating_add(Nanos(1)) < settled {
            return;
        }
        self.settled_since = Some(change);
        self.add(board.frame_at(settled), settled, true);
    }

    /// Adds a frame if it differs from the last one.
    fn add(&mut self, frame: Frame, at: Instant, settled: bool) {
        let Some(link) = Link::between(&self.shown, &frame, at) else { return };
        let hash = FrameHash::of_first_format(&frame);
        let patch = frame.part(link.region);
        self.shown = frame;
        if self.frames.len() >= FRAMES_MAX || self.pixels + patch.pixels().len() > PIXELS_MAX {
            self.left_out += 1;
            return;
        }
        self.pixels += patch.pixels().len();
        let links = std::mem::take(&mut self.between);
        let mut between = Chain { format: ChainFormat::First, links };
        // The settled frame itself does not count as a frame in between.
        if between.links.pop_if(|last| last.hash == hash).is_some() {
            self.between_count = self.between_count.saturating_sub(1);
        }
        self.frames.push(SettledFrame {
            at,
            settled,
            hash,
            line: self.line,
            bytes: self.bytes - self.bytes_before,
            between: std::mem::take(&mut self.between_count),
            between_hash: between.hash(),
            region: link.region,
            patch,
        });
        self.bytes_before = self.bytes;
    }
}

/// A machine whose steps are short enough that no frame is missed.
struct Watched {
    machine: Box<dyn Machine>,
    notes: Rc<RefCell<Recorder>>,
}

impl MachineWrapper for Watched {
    fn inner(&self) -> &dyn Machine {
        self.machine.as_ref()
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        self.machine.as_mut()
    }

    fn before(&mut self, call: Call) -> Result<(), MachineError> {
        if call == Call::PowerOn {
            self.notes.borrow_mut().counted = 0;
        }
        Ok(())
    }

    fn limit(&self, limit: Instant) -> Instant {
        let board = self.machine.board();
        let now = board.now();
        // The firmware may draw in the same nanosecond in which the screen becomes settled.
        let settled = board.last_change().saturating_add(SETTLED_AFTER).saturating_sub(Nanos(1));
        let moments = board.frame_due().into_iter().chain([settled]);
        moments.filter(|moment| *moment > now).fold(limit, Instant::min)
    }

    fn after(&mut self, _: Call, _: bool) {
        self.notes.borrow_mut().look(self.machine.board());
    }
}
