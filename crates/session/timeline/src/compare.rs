//! Compares two sessions: finds the first frame that one shows and the other does not.

use hal_mock::VirtualBoard;
use ili9341_model::{Frame, Region};
use virtual_time::{Instant, Nanos};

use crate::frames::{FrameLog, dark, difference};
use crate::input::TimedInput;
use crate::run::{Run, StepObserver};
use crate::session::Session;

/// First difference of two sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Time at which the first differing frame was complete in the first session; `None` if it
    /// has no more frames.
    pub a_at: Option<Instant>,
    /// The same for the second session.
    pub b_at: Option<Instant>,
    /// The pixels that differ.
    pub region: Option<Region>,
}

/// Virtual time for which both run between two comparisons.
const STRIDE: Nanos = Nanos::from_millis(500);

/// Returns the first frame that differs, in the order of the frames that change the picture;
/// `None` if there is none up to what both have reached. Times do not count.
pub fn compare(a: &Session, b: &Session) -> Option<Comparison> {
    // The same inputs give the same frames.
    let alike = |(one, other): &(&TimedInput, &TimedInput)| {
        one.at() == other.at() && one.input == other.input
    };
    let same_board = std::rc::Rc::ptr_eq(a.trace(), b.trace());
    let same = a.done().iter().zip(b.done()).take_while(alike).count();
    let parts = [a, b].map(|one| one.done().get(same).map_or(one.reached(), TimedInput::at));
    let from = if same_board { parts[0].min(parts[1]) } else { Instant::START };
    let mut films = [Film::of(a, from)?, Film::of(b, from)?];
    let mut at = from;
    let last = a.reached().max(b.reached());
    loop {
        at = at.saturating_add(STRIDE).min(last);
        for (film, session) in films.iter_mut().zip([a, b]) {
            film.advance(session, at.min(session.reached()));
        }
        let over = at >= last;
        let [one, other] = &mut films;
        let pairs = one.frames.len().min(other.frames.len());
        for ((a_at, one), (b_at, other)) in
            one.frames.drain(..pairs).zip(other.frames.drain(..pairs))
        {
            if let Some(region) = difference(&one, &other) {
                let (a_at, b_at) = (Some(a_at), Some(b_at));
                return Some(Comparison { a_at, b_at, region: Some(region) });
            }
        }
        // If two sessions differ early, one may be late, but only by a bound.
        if over || one.frames.len().max(other.frames.len()) > FRAMES_AHEAD {
            let first = |film: &Film| film.frames.first().map(|(at, _)| *at);
            let (a_at, b_at) = (first(one), first(other));
            if a_at.is_none() && b_at.is_none() {
                return None;
            }
            return Some(Comparison { a_at, b_at, region: None });
        }
    }
}

/// Maximum number of frames that one session may be ahead.
const FRAMES_AHEAD: usize = 256;

/// Frames of one session that wait for those of the other.
struct Film {
    run: Run,
    log: FrameLog,
    shown: Frame,
    frames: Vec<(Instant, Frame)>,
}

impl Film {
    fn of(session: &Session, from: Instant) -> Option<Self> {
        let mut run = session.start(from)?;
        run.advance(session.done(), from, &mut crate::run::NoObserver, None);
        let panel = run.board().panel();
        let mut log = FrameLog::new(panel);
        log.resume(run.board(), from);
        let shown = if from == Instant::START { dark(panel) } else { run.board().frame_at(from) };
        Some(Self { run, log, shown, frames: Vec::new() })
    }

    fn advance(&mut self, session: &Session, until: Instant) {
        let Self { run, log, shown, frames } = self;
        run.advance(session.done(), until, &mut Collect { log, shown, frames, until }, None);
    }
}

struct Collect<'a> {
    log: &'a mut FrameLog,
    shown: &'a mut Frame,
    frames: &'a mut Vec<(Instant, Frame)>,
    until: Instant,
}

impl StepObserver for Collect<'_> {
    fn limit(&self, board: &VirtualBoard, limit: Instant) -> Instant {
        self.log.limited(board, limit)
    }

    fn observe(&mut self, board: &VirtualBoard) {
        let Some(frame) = self.log.note(board).cloned() else { return };
        let Some(at) = self.log.seen.pop().map(|seen| seen.at) else { return };
        if at <= self.until && frame != *self.shown {
            self.shown.clone_from(&frame);
            self.frames.push((at, frame));
        }
    }
}
