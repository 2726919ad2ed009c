//! A session's past, any time of which can be shown exactly as it was shown then. `timeline`
//! observes the machine while it runs and stores copies of it. This module knows no window and no
//! file.

use std::rc::Rc;

use hal_mock::{Machine, board::ConsoleLine, log::Log, setup::SetupError};
use ili9341_model::Frame;
use reading::text::Reader;
use thiserror::Error;
use timeline::{COPIED_EVERY, COPIES_MAX, Copies, ObservedMachine, Setup, State, Unit};
use virtual_time::Instant;

use crate::part_readings::{FurtherFrames, PartReadings};

/// Builds equal machines: the board, its seed, the content of its flash.
pub type MakeMachine = Rc<dyn Fn() -> Result<Box<dyn Machine>, SetupError>>;

/// Reason why a session cannot go back.
#[derive(Debug, Error)]
pub enum NoPast {
    /// The session does not know how its machine is built.
    #[error("this session keeps no past")]
    NotKept,
    /// There were too many inputs, or no second machine can be built.
    #[error(transparent)]
    Machine(#[from] timeline::NoPast),
}

/// Returns `machine` with the way back to its past.
pub(super) fn observed(machine: Box<dyn Machine>) -> ObservedMachine {
    ObservedMachine::new(machine, true, Copies::new(COPIED_EVERY, COPIES_MAX)).endless()
}

/// A view of a session's past.
pub(super) struct Past {
    session: timeline::Session,
    end: Instant,
}

impl Past {
    /// Returns the past of `machine`, up to `end`. Nothing is replayed for it, unless the machine
    /// cannot be copied.
    pub(super) fn of(
        machine: &mut ObservedMachine,
        end: Instant,
        make: &MakeMachine,
        reader: &Rc<Reader>,
    ) -> Result<Self, NoPast> {
        let make = Rc::clone(make);
        let setup = Setup {
            // The machine has its settings already, so they are ignored here.
            maker: Rc::new(move |_| make()),
            reader: Rc::clone(reader),
            sees_frames: true,
            copied_every: COPIED_EVERY,
        };
        let session = machine.past(&setup)?;
        Ok(Self { session, end })
    }

    /// Goes to `at`; returns `false` if that is the present.
    pub(super) fn go(&mut self, at: Instant) -> bool {
        if at >= self.end {
            return false;
        }
        self.session.seek(at, false);
        true
    }

    /// Goes to the previous or next frame; returns `false` if there is no next one.
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

    /// Returns the state of the parts at the time that is shown.
    pub(super) fn parts(&self, frames: &FurtherFrames) -> PartReadings {
        PartReadings::at(self.session.board(), self.at(), frames)
    }

    /// Returns the console's lines up to the time that is shown.
    pub(super) fn console(&self) -> Log<ConsoleLine> {
        let mut lines = self.session.history().console.clone();
        lines.truncate(lines.partition_point(|line| line.at <= self.at()));
        lines
    }
}
