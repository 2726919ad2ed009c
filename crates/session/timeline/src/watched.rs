//! A machine that a program drives, and whose every moment so far can be visited without running
//! all of it again.
//!
//! It notes what is done to the machine and copies it now and then, as the replay of a trace does. Its memory is
//! bounded: at most 96 copies, and of deeds, frames, contacts and lines a fixed number each. It knows no wall
//! clock and no file.

use std::rc::Rc;

use hal_mock::{Machine, MachineWrapper, setup::SetupError};
use trace::Trace;
use virtual_time::{Instant, Nanos};

use crate::history::History;
use crate::noted::Noted;
use crate::session::{Past, Session};
use crate::setup::Setup;

/// A machine and its past. What is done to it is done through this, or to its board.
pub struct Watched(Watch);

enum Watch {
    Noted {
        noted: Box<Noted>,
        history: History,
    },
    /// A real board: none of its moments comes again.
    Real(Box<dyn Machine>),
}

impl Watched {
    /// Of a machine whose clock is at 0 and whose power is off. It is copied each `copied_every` of virtual time.
    pub fn new(machine: Box<dyn Machine>, copied_every: Nanos) -> Self {
        if machine.board().inputs_from().is_some() {
            return Self(Watch::Real(machine));
        }
        let noted = Box::new(Noted::new(machine, true, copied_every));
        Self(Watch::Noted { noted, history: History::default() })
    }

    /// All that it has done, as a session that ends at its present moment; `None` if more was done than is kept, or
    /// it is a real board. The machine goes on unchanged.
    ///
    /// # Errors
    /// If it has no copies, and no other machine can be built.
    pub fn past(&mut self, setup: &Setup) -> Option<Result<Session, SetupError>> {
        let Watch::Noted { noted, history } = &mut self.0 else { return None };
        let done = {
            let notes = noted.notes().borrow();
            if notes.is_cut {
                return None;
            }
            notes.done.clone()
        };
        noted.tell(history);
        let (frames, copies) = noted.seen();
        let past = Past {
            done,
            copies: copies.clone(),
            history: history.clone(),
            frames: frames.cloned(),
            end: noted.board().now(),
        };
        Some(Session::past(setup, Rc::new(Trace::default()), past))
    }

    /// The machine as it was at its last copy by `at` to which no more than `deeds` deeds had been done, with the past that it
    /// had then; and how many had been done. `None` if there is no such copy.
    pub fn before(&mut self, at: Instant, deeds: usize) -> Option<(Self, usize)> {
        let Watch::Noted { noted, history } = &mut self.0 else { return None };
        noted.tell(history);
        let (noted, next) = noted.before(at, deeds)?;
        let mut history = history.clone();
        history.keep_before(noted.board().now());
        Some((Self(Watch::Noted { noted: Box::new(noted), history }), next))
    }
}

impl MachineWrapper for Watched {
    fn inner(&self) -> &dyn Machine {
        match &self.0 {
            Watch::Noted { noted, .. } => noted.as_ref(),
            Watch::Real(machine) => machine.as_ref(),
        }
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        match &mut self.0 {
            Watch::Noted { noted, .. } => noted.as_mut(),
            Watch::Real(machine) => machine.as_mut(),
        }
    }
}
