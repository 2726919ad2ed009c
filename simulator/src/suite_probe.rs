//! What the chip does over several replays: which code it executes, and where its cycles go.
//!
//! [`SuiteProbes`] builds the machines of a replay with a probe on each, and knows afterwards what each
//! trace has executed and the profile of all together. Copies of a machine have no probe, and replays
//! that `--repeat` adds are not looked at.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use boards::BoardFactory;
use boards::pico::{self, Probe};
use hal_mock::{Machine, setup::SetupError};
use rp2040_emulator::chip::{Chip, Halt, Turns};
use rp2040_emulator::image::Symbols;
use rp2040_emulator::memory::execution::Execution;
use rp2040_emulator::program::Program;
use rp2040_tools::Observer;
use rp2040_tools::lines::{LinesError, SourceLines};
use rp2040_tools::profile::{Profile, Profiler};
use rp2040_tools::suite::SuiteCoverage;
use runner::observe::ReplayStart;
use thiserror::Error;
use trace::Trace;

/// Why nothing can be measured.
#[derive(Debug, Error)]
pub enum ProbeError {
    /// The board runs no program for the chip.
    #[error(
        "{0} looks at the chip's code, and `native` has none; add `--board pico` or `--board pico=FILE`"
    )]
    NoProgram(&'static str),
    /// The program's lines are not known.
    #[error(transparent)]
    Lines(#[from] LinesError),
}

/// What one trace has executed, filled in when its machine is dropped.
type Executed = Arc<Mutex<Execution>>;

/// The probes of a replay.
pub struct SuiteProbes {
    program: Arc<Program>,
    covers: bool,
    profiles: bool,
    /// The last machine that a thread has built, until its replay begins.
    built: Mutex<HashMap<ThreadId, Executed>>,
    traces: Mutex<Vec<(String, Executed)>>,
    profile: Arc<Mutex<Profile>>,
}

impl SuiteProbes {
    /// Probes of what `boards` builds; `option` asks for them.
    ///
    /// # Errors
    /// The boards run no program, or one whose lines are to be covered and are not known.
    pub fn new(
        boards: &BoardFactory,
        option: &'static str,
        covers: bool,
        profiles: bool,
    ) -> Result<Self, ProbeError> {
        let program = boards.program().ok_or(ProbeError::NoProgram(option))?;
        if covers {
            // Before anything runs.
            SourceLines::of(program)?;
        }
        Ok(Self {
            program: Arc::clone(program),
            covers,
            profiles,
            built: Mutex::default(),
            traces: Mutex::default(),
            profile: Arc::default(),
        })
    }

    /// The machine that a trace's header describes, with a probe.
    ///
    /// # Errors
    /// As [`BoardFactory::build`].
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
        pico::build_probed(&self.program, trace, None, Box::new(probe))
    }

    /// A replay begins on the machine that this thread has built last.
    pub fn begin(&self, start: &ReplayStart<'_>) {
        if let Some(executed) = locked(&self.built).remove(&thread::current().id()) {
            locked(&self.traces).push((start.path.display().to_string(), executed));
        }
    }

    /// The coverage of the replays, which are over.
    ///
    /// # Errors
    /// The program has no lines.
    pub fn coverage(&self) -> Result<SuiteCoverage, ProbeError> {
        let lines = SourceLines::of(&self.program)?;
        let mut traces = std::mem::take(&mut *locked(&self.traces));
        // They ended in any order.
        traces.sort_by(|(one, _), (other, _)| one.cmp(other));
        let mut suite = SuiteCoverage::new(lines);
        for (name, executed) in traces {
            let reached = suite.lines().reached(&locked(&executed));
            suite.add(name, reached);
        }
        Ok(suite)
    }

    /// The profile of the replays, which are over.
    pub fn profile(&self) -> MutexGuard<'_, Profile> {
        locked(&self.profile)
    }
}

/// A thread that panicked has left nothing half done here.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The symbols of a program that is shared.
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
    /// Of the chip that has power.
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
        let Some(profiler) = &mut self.profiler else { return chip.run(until_ns) };
        let mut turns = Turns::default();
        loop {
            match chip.step(&mut turns, until_ns) {
                Ok(step) => {
                    // A profiler writes nothing that could fail.
                    let _: io::Result<()> = profiler.step(chip, &step);
                }
                Err(halt) => return halt,
            }
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
