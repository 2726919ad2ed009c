//! A session's past: any moment of it can be looked at, equal to what was shown then. The work is
//! `timeline`'s. It knows no window and no file.

use std::io;
use std::rc::Rc;

use hal_mock::setup::SetupError;
use hal_mock::text::Reader;
use hal_mock::trace::ParseErrors;
use hal_mock::{Frame, Instant, Machine, Nanos};
use thiserror::Error;
use timeline::{Files, Setup, State, Unit, open};

use super::story::Story;

/// The time between two copies of the machine, from which moments are reached.
const COPIED_EVERY: Nanos = Nanos::from_millis(5_000);

/// Builds machines that are alike: the board, its seed, what its flash holds.
pub type MakeMachine = Rc<dyn Fn() -> Result<Box<dyn Machine>, SetupError>>;

/// Why a session cannot go back.
#[derive(Debug, Error)]
pub enum NoPast {
    /// More was done than is kept.
    #[error("more was done than can be gone back through")]
    TooLong,
    /// It is not told how a machine is built.
    #[error("this session keeps no past")]
    NotKept,
    /// No trace can hold what was done.
    #[error(transparent)]
    Story(#[from] io::Error),
    /// The trace of what was done is wrong.
    #[error("{0}")]
    Trace(ParseErrors),
    /// There is no second machine.
    #[error(transparent)]
    Machine(#[from] SetupError),
}

/// A way back and forth through what was done.
pub(super) struct Past {
    session: timeline::Session,
    end: Instant,
}

impl Past {
    /// Replays `story` on a machine of its own.
    pub(super) fn of(
        story: &Story,
        make: &MakeMachine,
        reader: &Rc<Reader>,
    ) -> Result<Self, NoPast> {
        let text = String::from_utf8_lossy(&story.text(&[])?).into_owned();
        let files = Files::default();
        let opened = open("session.trace", &text, &files).map_err(NoPast::Trace)?;
        let make = Rc::clone(make);
        let setup = Setup {
            // The machine has its settings already; the trace has no header.
            maker: Rc::new(move |_| make()),
            reader: Rc::clone(reader),
            sees_frames: true,
            copied_every: COPIED_EVERY,
        };
        let session = timeline::Session::replay(&setup, opened, &files)?;
        Ok(Self { session, end: story.end })
    }

    /// Goes to `at`; `false` if that is the present.
    pub(super) fn go(&mut self, at: Instant) -> bool {
        if at >= self.end {
            return false;
        }
        self.session.seek(at, false);
        true
    }

    /// To the frame before the present moment, or behind it; `false` if there is none behind.
    pub(super) fn step(&mut self, back: bool) -> bool {
        let before = self.session.present();
        let state = self.session.step(Unit::Frame, back);
        back || state.t > before
    }

    pub(super) fn at(&self) -> Instant {
        self.session.present()
    }

    pub(super) fn state(&self) -> State {
        self.session.state()
    }

    pub(super) fn picture(&self) -> Frame {
        self.session.picture()
    }

    /// The last console lines up to the moment, at most so many.
    pub(super) fn console(&self, most: usize) -> Vec<String> {
        let lines = &self.session.history().console;
        let until = lines.partition_point(|line| line.at <= self.at());
        lines[until.saturating_sub(most)..until].iter().map(|line| line.text.clone()).collect()
    }
}
