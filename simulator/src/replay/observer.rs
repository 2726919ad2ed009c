//! `nudge replay --observer`: a logic analyser's capture of the same run as a second observer of
//! the LCD's wires.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use captures::observer::{LcdListener, Observation};
use captures::{FormatError, Wiring};
use host::Exit;
use runner::observe::{ReplayEnd, ReplayObserver, ReplayStart};
use virtual_time::Nanos;

use crate::cli::ReplayArgs;

/// The capture, and the result of the comparison after the replay. The analyser may write the file
/// during the replay, so it is read after it.
pub struct SecondObserver {
    path: PathBuf,
    wiring: Wiring,
    tolerance: Nanos,
    compared: Mutex<Option<Result<Observation, FormatError>>>,
}

impl SecondObserver {
    /// Returns the observer that the options name, if they name one.
    pub fn of(args: &ReplayArgs) -> Option<Self> {
        Some(Self {
            path: args.observer.clone()?,
            wiring: args.observer_map.clone().unwrap_or_default(),
            tolerance: args.observer_tolerance,
            compared: Mutex::new(None),
        })
    }

    /// Returns an observer that collects the bursts of a replay and compares them at its end.
    pub fn observer(&self, start: &ReplayStart<'_>) -> Box<dyn ReplayObserver + '_> {
        Box::new(BurstObserver { file: self, listener: LcdListener::attach(start.board) })
    }

    /// Reports the result; returns `None` if no replay ended.
    ///
    /// # Errors
    /// If `out` or `err` cannot be written.
    pub fn finish(self, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Option<Exit>> {
        let compared = self.compared.into_inner().unwrap_or_else(PoisonError::into_inner);
        let path = self.path.display();
        let found = match compared {
            None => return Ok(None),
            Some(Ok(found)) => found,
            Some(Err(error)) => {
                writeln!(err, "nudge: --observer: {error}")?;
                return Ok(Some(Exit::Usage));
            }
        };
        writeln!(out, "observer {path}: {found}")?;
        let Some(difference) = &found.difference else { return Ok(Some(Exit::Passed)) };
        writeln!(out, "observer {path}: {difference}")?;
        Ok(Some(Exit::Failed))
    }
}

struct BurstObserver<'a> {
    file: &'a SecondObserver,
    listener: LcdListener,
}

impl ReplayObserver for BurstObserver<'_> {
    fn ended(&mut self, end: &ReplayEnd<'_>) {
        let SecondObserver { path, wiring, tolerance, compared } = self.file;
        let found = self.listener.compare(end.board, path, wiring, *tolerance);
        *compared.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
    }
}
