//! A session's past: any moment of it can be looked at, equal to what was shown then. The work is
//! `timeline`'s, which watches the machine while it runs and keeps copies of it. It knows no window and no file.

use std::rc::Rc;

use hal_mock::{Machine, setup::SetupError};
use ili9341_model::Frame;
use reading::text::Reader;
use thiserror::Error;
use timeline::{ObservedMachine, Setup, State, Unit};
use virtual_time::{Instant, Nanos};

/// The virtual time between two copies of the machine, from which moments are reached. Beyond 96 copies they
/// stand further apart the older they are; one takes about 0.4 MB of memory on `native`, 0.6 MB on `pico`.
pub(super) const COPIED_EVERY: Nanos = Nanos::from_millis(5_000);

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
    /// That of `machine`, up to `end`. Nothing is replayed for it, unless the machine cannot be copied.
    pub(super) fn of(
        machine: &mut ObservedMachine,
        end: Instant,
        make: &MakeMachine,
        reader: &Rc<Reader>,
    ) -> Result<Self, NoPast> {
        let make = Rc::clone(make);
        let setup = Setup {
            // The machine has its settings already.
            maker: Rc::new(move |_| make()),
            reader: Rc::clone(reader),
            sees_frames: true,
            copied_every: COPIED_EVERY,
        };
        let session = machine.past(&setup).ok_or(NoPast::TooLong)??;
        Ok(Self { session, end })
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
