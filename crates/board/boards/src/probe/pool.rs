//! Several probes, each lent to one machine at a time.
//!
//! A probe that cannot be used, or that fails during a trace, is set aside, and tried again only
//! when no other is left, so that an unplugged probe does not take traces from the others. This
//! module does not know ports: the caller passes a function that opens a link.

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

/// Time for which a machine waits for a probe that another one has. Subcommands do not build more
/// machines than there are probes, except for the short time in which one machine replaces another.
const PATIENCE: Duration = Duration::from_secs(10);

/// Reason why a link to a probe cannot be opened.
pub type LinkError = Box<dyn Error + Send + Sync>;

/// Function that opens the link to the probe at a port.
pub type OpenLink = Box<dyn Fn(&Path) -> Result<Box<dyn Link>, LinkError> + Send + Sync>;

/// Reason why a probe cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
pub enum PoolError {
    /// The port cannot be opened.
    #[error("{0}")]
    Port(Arc<dyn Error + Send + Sync>),
    /// The device at the port does not answer as a probe.
    #[error("{}: {error}", port.display())]
    Probe { port: PathBuf, error: ProbeError },
    /// All probes are used by other machines.
    #[error("all {0} probes are in use; a board has one trace at a time")]
    InUse(usize),
}

/// A set of probes, by their ports.
pub struct ProbePool {
    open: OpenLink,
    ports: Vec<PathBuf>,
    state: Arc<(Mutex<State>, Condvar)>,
}

#[derive(Default)]
struct State {
    /// Indexes of the probes that are not lent, the next one last.
    free: Vec<usize>,
    /// Probes that could not be used, with the reasons.
    set_aside: Vec<(usize, PoolError)>,
    /// Number of machines that each probe was lent to, and its failures.
    health: BTreeMap<usize, Health>,
    /// Last diagnosis of each probe's wires, if a fault is likely.
    diagnoses: BTreeMap<usize, Diagnosis>,
}

/// Use of a probe and its failures since the pool was created.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// Number of machines that the probe was lent to.
    pub lent: usize,
    /// Number of times that the probe could not be used, or failed while it was lent.
    pub failures: usize,
    /// The last failure.
    pub last: Option<String>,
}

impl Health {
    fn fail(&mut self, error: &PoolError) {
        self.failures += 1;
        self.last = Some(error.to_string());
    }
}

impl fmt::Debug for ProbePool {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("ProbePool").field("ports", &self.ports).finish_non_exhaustive()
    }
}

impl ProbePool {
    /// Creates a pool of the probes at `ports`. `open` opens a link to one.
    pub fn new(ports: Vec<PathBuf>, open: OpenLink) -> Self {
        let free = (0..ports.len()).rev().collect();
        let state = State { free, ..State::default() };
        Self { open, ports, state: Arc::new((Mutex::new(state), Condvar::new())) }
    }

    /// Returns the likely faults of the wires, with the ports.
    pub fn diagnoses(&self) -> Vec<(PathBuf, Diagnosis)> {
        let state = locked(&self.state.0);
        let with_port =
            |(index, it): (&usize, &Diagnosis)| (self.ports[*index].clone(), it.clone());
        state.diagnoses.iter().map(with_port).collect()
    }

    /// Returns the health of each probe that was used, with its port.
    pub fn health(&self) -> Vec<(PathBuf, Health)> {
        let state = locked(&self.state.0);
        let with_port = |(index, it): (&usize, &Health)| (self.ports[*index].clone(), it.clone());
        state.health.iter().map(with_port).collect()
    }

    /// Returns the number of probes.
    pub fn count(&self) -> usize {
        self.ports.len()
    }

    /// Returns the ports of the probes.
    pub fn ports(&self) -> &[PathBuf] {
        &self.ports
    }

    /// Opens a session with each probe in turn. Returns its port, and the result of `look` or the
    /// reason why there is no session.
    pub fn each<T>(&self, look: impl Fn(Session) -> T) -> Vec<(PathBuf, Result<T, PoolError>)> {
        let ports = self.ports.iter();
        ports.map(|port| (port.clone(), self.session(port).map(&look))).collect()
    }

    /// Returns the reasons why probes could not be used.
    pub fn set_aside(&self) -> Vec<PoolError> {
        locked(&self.state.0).set_aside.iter().map(|(_, error)| error.clone()).collect()
    }

    /// Opens a session with a free probe, which returns to the pool when the lease is dropped.
    /// Waits for up to [`PATIENCE`] if all probes are lent.
    ///
    /// # Errors
    /// If no probe can be used: the error of the last one.
    pub(crate) fn take(&self) -> Result<(Session, Lease), PoolError> {
        let mut refused = Vec::new();
        loop {
            let index = self.next(&refused)?;
            let port = self.ports[index].clone();
            let lease = Lease { index, port, state: Arc::clone(&self.state) };
            match self.session(&self.ports[index]) {
                Ok(session) => {
                    let mut state = locked(&self.state.0);
                    state.set_aside.retain(|(other, _)| *other != index);
                    state.health.entry(index).or_default().lent += 1;
                    drop(state);
                    return Ok((session, lease));
                }
                Err(error) => {
                    locked(&self.state.0).put_aside(index, error);
                    refused.push(index);
                }
            }
        }
    }

    /// Returns a free probe. Probes that could not be used are tried only if there is no other, and
    /// each once.
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
        // Two hosts of one probe must have different numbers.
        let id = RandomState::new().build_hasher().finish() as u32;
        Session::open(link, id).map_err(error)
    }
}

/// A lent probe, which is returned when this is dropped.
pub(crate) struct Lease {
    index: usize,
    port: PathBuf,
    state: Arc<(Mutex<State>, Condvar)>,
}

impl State {
    /// Sets a probe aside: others are preferred to it until it can be used again.
    fn put_aside(&mut self, index: usize, error: PoolError) {
        self.health.entry(index).or_default().fail(&error);
        self.set_aside.retain(|(other, _)| *other != index);
        self.set_aside.push((index, error));
    }
}

impl Lease {
    /// Sets this probe aside after a failure of its session.
    pub(crate) fn fail(&self, error: &ProbeError) {
        let error = PoolError::Probe { port: self.port.clone(), error: error.clone() };
        locked(&self.state.0).put_aside(self.index, error);
    }

    /// Stores the likely fault of the wires of this probe's board.
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
