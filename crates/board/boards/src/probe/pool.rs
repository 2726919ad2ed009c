//! Several probes, each lent to one machine at a time.
//!
//! A probe that cannot be used is set aside, and tried again only when no other is left: one that is unplugged does
//! not take the traces of the others. It knows no port: what opens a line is handed in.

use std::collections::BTreeMap;
use std::collections::hash_map::RandomState;
use std::error::Error;
use std::fmt;
use std::hash::{BuildHasher as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use probe::doctor::Diagnosis;
use probe::{Link, ProbeError, Session};

/// How long a machine waits for a probe that another one has. Verbs do not build more machines than there are probes, but for the
/// moment in which one takes the place of another.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why there is no line to a probe.
pub type LinkError = Box<dyn Error + Send + Sync>;

/// Opens the line to the probe at a port.
pub type OpenLink = Box<dyn Fn(&Path) -> Result<Box<dyn Link>, LinkError> + Send + Sync>;

/// Why a probe cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
pub enum PoolError {
    /// Its port cannot be opened.
    #[error("{0}")]
    Port(Arc<dyn Error + Send + Sync>),
    /// What is at the port does not answer as a probe.
    #[error("{}: {error}", port.display())]
    Probe {
        /// The port.
        port: PathBuf,
        /// Why not.
        error: ProbeError,
    },
    /// Other machines have all of them.
    #[error("all {0} probes are in use; a board has one trace at a time")]
    InUse(usize),
}

/// Probes, by their ports.
pub struct ProbePool {
    open: OpenLink,
    ports: Vec<PathBuf>,
    state: Arc<(Mutex<State>, Condvar)>,
}

#[derive(Default)]
struct State {
    /// Which are not lent, the next one last.
    free: Vec<usize>,
    /// Which could not be used, and why.
    set_aside: Vec<(usize, PoolError)>,
    /// What is likely wrong with the wires of which, as it was seen last.
    diagnoses: BTreeMap<usize, Diagnosis>,
}

impl fmt::Debug for ProbePool {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("ProbePool").field("ports", &self.ports).finish_non_exhaustive()
    }
}

impl ProbePool {
    /// The probes at `ports`; `open` opens a line to one.
    pub fn new(ports: Vec<PathBuf>, open: OpenLink) -> Self {
        let free = (0..ports.len()).rev().collect();
        let state = State { free, ..State::default() };
        Self { open, ports, state: Arc::new((Mutex::new(state), Condvar::new())) }
    }

    /// What is likely wrong with the wires, with the port.
    pub fn diagnoses(&self) -> Vec<(PathBuf, Diagnosis)> {
        let state = locked(&self.state.0);
        let with_port =
            |(index, it): (&usize, &Diagnosis)| (self.ports[*index].clone(), it.clone());
        state.diagnoses.iter().map(with_port).collect()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.ports.len()
    }

    /// Their ports.
    pub fn ports(&self) -> &[PathBuf] {
        &self.ports
    }

    /// A session with each probe in turn: its port, and what `look` finds or why there is none.
    pub fn each<T>(&self, look: impl Fn(Session) -> T) -> Vec<(PathBuf, Result<T, PoolError>)> {
        let ports = self.ports.iter();
        ports.map(|port| (port.clone(), self.session(port).map(&look))).collect()
    }

    /// Which could not be used, and why.
    pub fn set_aside(&self) -> Vec<PoolError> {
        locked(&self.state.0).set_aside.iter().map(|(_, error)| error.clone()).collect()
    }

    /// A session with a probe that is free, which comes back when the lease is dropped. It waits a while if others have them all.
    ///
    /// # Errors
    /// If none can be used: the reason of the last one.
    pub(crate) fn take(&self) -> Result<(Session, Lease), PoolError> {
        let mut refused = Vec::new();
        loop {
            let index = self.next(&refused)?;
            let lease = Lease { index, state: Arc::clone(&self.state) };
            match self.session(&self.ports[index]) {
                Ok(session) => {
                    locked(&self.state.0).set_aside.retain(|(other, _)| *other != index);
                    return Ok((session, lease));
                }
                Err(error) => {
                    let mut state = locked(&self.state.0);
                    state.set_aside.retain(|(other, _)| *other != index);
                    state.set_aside.push((index, error));
                    refused.push(index);
                }
            }
        }
    }

    /// A probe that is free. Those that could not be used are tried only if there is no other, and each once.
    fn next(&self, refused: &[usize]) -> Result<usize, PoolError> {
        let (state, changed) = &*self.state;
        let is_wanted = |state: &State, index: usize| {
            let is_aside = |index: usize| state.set_aside.iter().any(|(other, _)| *other == index);
            let all_aside = (0..self.ports.len()).all(is_aside);
            !refused.contains(&index) && (all_aside || !is_aside(index))
        };
        let mut state = locked(state);
        loop {
            if let Some(place) = state.free.iter().rposition(|index| is_wanted(&state, *index)) {
                return Ok(state.free.remove(place));
            }
            let awaits = (0..self.ports.len()).any(|index| is_wanted(&state, index));
            let last = refused.last().and_then(|last| {
                state.set_aside.iter().find(|(index, _)| index == last).map(|(_, error)| error)
            });
            if let (false, Some(error)) = (awaits, last) {
                return Err(error.clone());
            }
            let waited = changed.wait_timeout(state, PATIENCE);
            let (now, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            if timeout.timed_out() {
                return Err(PoolError::InUse(self.ports.len()));
            }
            state = now;
        }
    }

    fn session(&self, port: &Path) -> Result<Session, PoolError> {
        let link = (self.open)(port).map_err(|error| PoolError::Port(error.into()))?;
        let error = |error| PoolError::Probe { port: port.to_owned(), error };
        // Two hosts of one probe have different numbers.
        let id = RandomState::new().build_hasher().finish() as u32;
        Session::open(link, id).map_err(error)
    }
}

/// A probe that is lent, until this is dropped.
pub(crate) struct Lease {
    index: usize,
    state: Arc<(Mutex<State>, Condvar)>,
}

impl Lease {
    /// Notes what is likely wrong with the wires of this probe's board.
    pub(crate) fn note(&self, diagnosis: Option<Diagnosis>) {
        let mut state = locked(&self.state.0);
        match diagnosis {
            Some(diagnosis) => drop(state.diagnoses.insert(self.index, diagnosis)),
            None => drop(state.diagnoses.remove(&self.index)),
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let (state, changed) = &*self.state;
        locked(state).free.push(self.index);
        changed.notify_all();
    }
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
