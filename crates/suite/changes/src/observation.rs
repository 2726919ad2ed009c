//! One replay as a record: what the LCD showed whenever it was settled, what the board said and sounded,
//! and what that took.
//!
//! [`observe`] replays a trace on a fresh machine. Expectations are judged, goldens are not. A frame is
//! kept as what it changes of the one before, so that a record of a session of minutes stays small.
//! [`Pictures`] gives the whole frames, one after another.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
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

/// Settled frames of one replay that are kept.
pub const FRAMES_MAX: usize = 20_000;
/// Pixels of what they change that are kept: 128 MiB.
const PIXELS_MAX: usize = 32 << 20;
/// Frames between two settled ones that are compared.
const BETWEEN_MAX: usize = 10_000;

/// What one replay showed and said.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observation {
    /// Whenever the LCD was settled and showed something new, and what it showed at the end.
    pub frames: Vec<SettledFrame>,
    /// The console's lines.
    pub console: Vec<ConsoleLine>,
    /// The changes of what the buzzer sounds.
    pub tones: Vec<Tone>,
    /// When the replay was over.
    pub ended_at: Instant,
    /// Complete frames, settled or not.
    pub frames_total: u64,
    /// Bytes that crossed the LCD's bus.
    pub bytes: u64,
    /// The first expectation that failed, or why the replay did not come to its end.
    pub failed: Option<String>,
    /// Whether that ended the replay before the end of its trace.
    pub stopped: bool,
    /// Settled frames beyond [`FRAMES_MAX`].
    pub left_out: u64,
}

/// A frame that stood for [`SETTLED_AFTER`].
#[derive(Clone, Debug, PartialEq)]
pub struct SettledFrame {
    /// When it was settled.
    pub at: Instant,
    /// Whether it was; only a frame at the very end may not be.
    pub settled: bool,
    /// Of its pixels: that of the first format, which every version of nudge knows.
    pub hash: FrameHash,
    /// The line of the trace with the last input before it; 0 if there is none.
    pub line: u32,
    /// Bytes on the bus since the settled frame before.
    pub bytes: u64,
    /// How many complete frames came and went since the settled frame before.
    pub between: u64,
    /// Of what they showed.
    pub between_hash: FrameHash,
    /// What of the settled frame before it changes.
    pub region: Region,
    /// What it shows there.
    pub patch: Frame,
}

/// The frames of a record, whole, one after another.
#[derive(Debug)]
pub struct Pictures<'a> {
    frames: &'a [SettledFrame],
    shown: Frame,
    next: usize,
}

impl<'a> Pictures<'a> {
    /// Of a record's frames.
    pub fn new(frames: &'a [SettledFrame]) -> Self {
        Self { frames, shown: dark(), next: 0 }
    }

    /// The frame `index`, which is not before the one that was asked for last.
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

/// Draws `patch` at the corner of `region`; what lies outside of `onto` is left out.
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

/// Replays `trace` on `machine`, which is fresh, up to `until`.
pub fn observe(
    trace: &Trace,
    machine: Box<dyn Machine>,
    reader: &Reader,
    until: Option<Instant>,
) -> Observation {
    let notes = Rc::new(RefCell::new(Notes::default()));
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
    let outcome = catch_unwind(AssertUnwindSafe(replay));
    let (ended_at, failed, stopped) = match outcome {
        Err(_) => (machine.board().now(), Some("the firmware panicked".to_owned()), true),
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

/// What was seen so far.
struct Notes {
    frames: Vec<SettledFrame>,
    /// What the last settled frame showed.
    shown: Frame,
    pixels: usize,
    left_out: u64,
    /// The line with the last input.
    line: u32,
    /// Bytes on the bus, through power cuts; as the board counts them; up to the last settled frame.
    bytes: u64,
    counted: u64,
    bytes_before: u64,
    /// The number of complete frames when it was looked at last, and those since the last settled one.
    complete: u64,
    between: Vec<Link>,
    between_count: u64,
    /// The last change behind which the screen has been seen settled.
    settled_since: Option<Instant>,
}

impl Default for Notes {
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

impl Notes {
    fn look(&mut self, board: &VirtualBoard) {
        let bytes = board.bus().bytes;
        // At power-on the board counts from zero again.
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

    /// Adds a frame, if it shows something else than the last one.
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
        // The frame itself is not between.
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

/// A machine whose steps are so short that no frame is missed.
struct Watched {
    machine: Box<dyn Machine>,
    notes: Rc<RefCell<Notes>>,
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
        // The firmware may draw in the very nanosecond in which the screen is settled.
        let settled = board.last_change().saturating_add(SETTLED_AFTER).saturating_sub(Nanos(1));
        let moments = board.frame_due().into_iter().chain([settled]);
        moments.filter(|moment| *moment > now).fold(limit, Instant::min)
    }

    fn after(&mut self, _: Call, _: bool) {
        self.notes.borrow_mut().look(self.machine.board());
    }
}
