//! Measures the chip over several replays: the executed code, and the distribution of its cycles.
//!
//! [`SuiteProbes`] builds the machines of a replay with a probe on each. Afterwards it has the code
//! that each trace executed, and one profile of all traces. Copies of a machine have no probe, and
//! the additional replays of `--repeat` are not measured.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use boards::BoardFactory;
use boards::pico::Probe;
use hal_mock::{Machine, setup::SetupError};
use rp2040_emulator::chip::{Chip, Halt};
use rp2040_emulator::image::Symbols;
use rp2040_emulator::memory::execution::Execution;
use rp2040_emulator::program::Program;
use rp2040_tools::lines::{LinesError, SourceLines};
use rp2040_tools::profile::{Profile, Profiler};
use rp2040_tools::suite::SuiteCoverage;
use runner::observe::ReplayStart;
use thiserror::Error;
use trace::Trace;

/// Reasons why nothing can be measured.
#[derive(Debug, Error)]
pub enum ProbeError {
    /// The board does not run a program for the chip.
    #[error(
        "{0} looks at the chip's code, and `native` has none; add `--board pico`, \
         `--board pico=FILE` or `--board NAME.board.toml`, or replay traces that name a board file"
    )]
    NoProgram(&'static str),
    /// The program has no usable line tables.
    #[error(transparent)]
    Lines(#[from] LinesError),
}

/// The code that one trace has executed, filled in when its machine is dropped.
type Executed = Arc<Mutex<Execution>>;

/// The probes of a replay.
pub struct SuiteProbes {
    boards: BoardFactory,
    program: Arc<Program>,
    covers: bool,
    profiles: bool,
    /// The last machine that each thread has built, until its replay begins.
    built: Mutex<HashMap<ThreadId, Executed>>,
    traces: Mutex<Vec<(String, Executed)>>,
    profile: Arc<Mutex<Profile>>,
}

impl SuiteProbes {
    /// Creates the probes for the boards of `boards`. `option` is the option that requires them.
    ///
    /// # Errors
    /// If the boards run no program, or if coverage is requested and the program has no usable line
    /// tables.
    pub fn new(
        boards: &BoardFactory,
        option: &'static str,
        covers: bool,
        profiles: bool,
    ) -> Result<Self, ProbeError> {
        let program = boards.program().ok_or(ProbeError::NoProgram(option))?;
        if covers {
            // Reports the error before a trace runs.
            SourceLines::of(program)?;
        }
        Ok(Self {
            boards: boards.clone(),
            program: Arc::clone(program),
            covers,
            profiles,
            built: Mutex::default(),
            traces: Mutex::default(),
            profile: Arc::default(),
        })
    }

    /// Builds the machine that a trace's header describes, with a probe.
    ///
    /// # Errors
    /// The same as [`BoardFactory::build`].
    pub fn build(&self, trace: &Trace) -> Result<Box<dyn Machine>, SetupError> {
        let executed = Executed::default();
        locked(&self.built).insert(thread::current().id(), Arc::clone(&executed));
        let profile = self.profiles.then(|| Arc::clone(&self.profile));
        let probe = SuiteProbe {
            executed: self.covers.then_some(executed),
            program: Arc::clone(&self.program),
            profile,
            profiler: None,
        };
        match self.boards.build_pico(trace, None)? {
            Some(pico) => Ok(Box::new(pico.with_probe(Box::new(probe)))),
            None => self.boards.build(trace, None),
        }
    }

    /// Notifies the probe of the machine that this thread has built last that its replay begins.
    pub fn begin(&self, start: &ReplayStart<'_>) {
        if let Some(executed) = locked(&self.built).remove(&thread::current().id()) {
            locked(&self.traces).push((start.path.display().to_string(), executed));
        }
    }

    /// Returns the coverage of the finished replays.
    ///
    /// # Errors
    /// If the program has no usable line tables.
    pub fn coverage(&self) -> Result<SuiteCoverage, ProbeError> {
        let lines = SourceLines::of(&self.program)?;
        let mut traces = std::mem::take(&mut *locked(&self.traces));
        // The replays ended in any order.
        traces.sort_by(|(one, _), (other, _)| one.cmp(other));
        let mut suite = SuiteCoverage::new(lines);
        for (name, executed) in traces {
            let reached = suite.lines().reached(&locked(&executed));
            suite.add(name, reached);
        }
        Ok(suite)
    }

    /// Returns the profile of the finished replays.
    pub fn profile(&self) -> MutexGuard<'_, Profile> {
        locked(&self.profile)
    }
}

/// Locks `mutex`. A thread that panicked has left no partial update here.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The symbols of a shared program.
struct ProgramSymbols(Arc<Program>);

impl Borrow<Symbols> for ProgramSymbols {
    fn borrow(&self) -> &Symbols {
        self.0.symbols()
    }
}

struct SuiteProbe {
    executed: Option<Executed>,
    program: Arc<Program>,
    profile: Option<Arc<Mutex<Profile>>>,
    /// Profiler of the chip while it has power.
    profiler: Option<Profiler<ProgramSymbols>>,
}

impl Probe for SuiteProbe {
    fn attach(&mut self, chip: &mut Chip) {
        if self.executed.is_some() {
            chip.memory_mut().record_execution();
        }
        if self.profile.is_some() {
            self.profiler = Some(Profiler::new(ProgramSymbols(Arc::clone(&self.program)), chip));
        }
    }

    fn run(&mut self, chip: &mut Chip, until_ns: u64) -> Halt {
        match &mut self.profiler {
            Some(profiler) => profiler.run(chip, until_ns),
            None => chip.run(until_ns),
        }
    }

    fn detach(&mut self, chip: &Chip) {
        if let Some(executed) = &self.executed {
            locked(executed).add(&chip.memory().execution());
        }
        if let (Some(profile), Some(profiler)) = (&self.profile, self.profiler.take()) {
            locked(profile).add(profiler.profile());
        }
    }
}
