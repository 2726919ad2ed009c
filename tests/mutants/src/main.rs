//! Judges all mutants of an area in one build. Each mutant has a switch, so judging it costs a run
//! of the traces and tests that reach it, but no compilation.
//!
//! | module | subject |
//! |---|---|
//! | [`list`] | the mutants, as cargo-mutants lists them |
//! | [`state`] | further mutants: deleted assignments to state and calls on `self`, deleted sides of `&&` and `\|\|` |
//! | [`rewrite`] | a source file with its mutants and their switches |
//! | [`copy`] | the copy of the checkout |
//! | [`compile`] | the build; removes what does not compile |
//! | [`traces`], [`tests`] | the two judges |
//!
//! `scripts/mutants.sh` calls it, and lets cargo-mutants judge the rest: mutants of code that the
//! compiler evaluates. This program knows no firmware.

mod compile;
mod copy;
mod error;
mod list;
mod rewrite;
mod state;
mod syntax;
mod tests;
mod traces;

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use clap::Parser;

use compile::{Program, Schemata};
use copy::Copy;
use error::MutantsError;
use list::Mutant;
use traces::{Order, TraceVerdict, Worker};

/// Maximum number of mutants, as in the switch.
const MUTANTS_MAX: usize = 1 << 14;
/// Maximum time without output of the judge. The judge's own limit, counted in steps, comes first,
/// unless a loop contains no place with mutants.
const SILENT: Duration = Duration::from_secs(300);

/// Judges mutants in one build.
#[derive(Parser)]
struct Arguments {
    /// The checkout.
    #[arg(long)]
    checkout: PathBuf,
    /// The files of the checkout, one per line.
    #[arg(long, default_value = ".")]
    files: PathBuf,
    /// Folder of the copy.
    #[arg(long, default_value = ".")]
    tree: PathBuf,
    /// All mutants of the area: `cargo mutants --list --json`.
    #[arg(long)]
    list: PathBuf,
    /// The files with further mutants, one per line.
    #[arg(long)]
    own: Option<PathBuf>,
    /// Only prints the names of all mutants.
    #[arg(long)]
    only_names: bool,
    /// The names of the mutants to judge, one per line.
    #[arg(long, default_value = ".")]
    due: PathBuf,
    /// File for the results.
    #[arg(long, default_value = ".")]
    results: PathBuf,
    /// Identity of the sources, stored with each result.
    #[arg(long, default_value = ".")]
    state: String,
    /// Known choices for rewriting these sources; new ones are added.
    #[arg(long, default_value = ".")]
    choices: PathBuf,
    /// Skips the traces: none of them notices any of the mutants to judge.
    #[arg(long)]
    only_tests: bool,
    /// File for the names of mutants that cannot be switched.
    #[arg(long, default_value = ".")]
    left: PathBuf,
    /// Only writes the mutants that cannot be switched, and judges nothing.
    #[arg(long)]
    only_left: bool,
    /// Number of mutants judged at once.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Limit for the traces of one mutant in processor seconds, as recorded without it. A longer
    /// trace may still notice a mutant that is missed then.
    #[arg(long, default_value_t = u64::MAX / 1_000_000)]
    trace_seconds: u64,
    /// Limit for a single test in seconds; slower tests are not run. A mutant that is missed then
    /// remains to be judged.
    #[arg(long, default_value_t = 86_400)]
    test_seconds: u64,
    /// The packages whose tests judge the mutants that the traces miss.
    #[arg(long, num_args = 0..)]
    tests: Vec<String>,
}

fn main() -> ExitCode {
    match judge(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("mutants: {error}");
            ExitCode::from(2)
        }
    }
}

fn judge(arguments: &Arguments) -> Result<(), MutantsError> {
    let mut mutants = list::read(&arguments.list)?;
    for file in own_files(arguments.own.as_deref())? {
        let text = read(&arguments.checkout.join(&file))?;
        mutants.extend(state::find(&file, &text)?);
    }
    if arguments.only_names {
        for mutant in &mutants {
            println!("{}", mutant.name);
        }
        return Ok(());
    }
    if mutants.len() > MUTANTS_MAX {
        return Err(MutantsError::TooMany { count: mutants.len(), most: MUTANTS_MAX });
    }
    let names = read(&arguments.due)?;
    let names: BTreeSet<&str> = names.lines().collect();
    let is_due = |(_, mutant): &(usize, &Mutant)| names.contains(mutant.name.as_str());
    let due: BTreeSet<usize> =
        mutants.iter().enumerate().filter(is_due).map(|(id, _)| id).collect();
    let files = read(&arguments.files)?.lines().map(str::to_owned).collect();
    let copy = Copy { checkout: arguments.checkout.clone(), tree: arguments.tree.clone(), files };
    let results = Results { path: &arguments.results, state: &arguments.state, mutants: &mutants };

    let known = &arguments.choices;
    let mut schemata = Schemata::new(&copy, &mutants, compile::load(known))?;
    eprintln!("Building {} mutants in one program", schemata.switched().len());
    let packages: BTreeSet<String> =
        mutants.iter().filter_map(|mutant| copy.package(&mutant.file)).collect();
    for package in &packages {
        let manifest = format!("{package}/Cargo.toml");
        schemata.build(&["check", "--lib", "--manifest-path", &manifest])?;
        compile::save(&schemata.choices, known)?;
    }
    // The tests may require functions to be constant, which also excludes mutants. So the tests are
    // built before anything is judged.
    let mut programs = Vec::new();
    for package in &arguments.tests {
        let built = schemata.build(&["test", "--no-run", "-p", package, "--tests"])?;
        programs.extend(built.into_iter().filter(|program| program.name != "judge"));
        compile::save(&schemata.choices, known)?;
    }
    let judge = match arguments.only_tests {
        true => None,
        false => Some(build_judge(&mut schemata)?),
    };
    compile::save(&schemata.choices, known)?;

    let switched = schemata.switched();
    let unviable = schemata.choices.unviable.clone();
    for id in due.intersection(&unviable) {
        results.add("unviable", *id)?;
    }
    let rest = due.iter().filter(|id| !switched.contains(id) && !unviable.contains(id));
    let (own, rest): (Vec<usize>, Vec<usize>) = rest.partition(|id| mutants[**id].genre.is_own());
    for id in own {
        results.add("unviable", id)?;
    }
    let left: String = rest.iter().map(|id| format!("{}\n", mutants[*id].name)).collect();
    fs::write(&arguments.left, &left).map_err(MutantsError::file(&arguments.left))?;
    let due: Vec<usize> = due.intersection(&switched).copied().collect();
    eprintln!("{} to judge, {} left for builds of their own", due.len(), left.lines().count());
    if arguments.only_left {
        return Ok(());
    }

    let Some(judge) = judge else { return ask_tests(&programs, arguments, due, &results) };
    let recorded = known.with_file_name(format!("traces.{}", arguments.state));
    let traces = traces::record(&judge, &recorded)?;
    eprintln!(
        "{} traces in {} s of the processor",
        traces.len(),
        traces.iter().map(|trace| trace.micros).sum::<u64>() / 1_000_000
    );
    let missed = ask_traces(&judge, traces, &due, arguments, &results)?;
    if arguments.tests.is_empty() {
        return Ok(());
    }
    ask_tests(&programs, arguments, missed, &results)
}

/// Reads the names of the files with further mutants.
fn own_files(list: Option<&Path>) -> Result<Vec<String>, MutantsError> {
    let names = list.map_or(Ok(String::new()), read)?;
    Ok(names.lines().map(str::to_owned).collect())
}

/// Builds the program that replays the traces.
fn build_judge(schemata: &mut Schemata<'_>) -> Result<PathBuf, MutantsError> {
    let judges = schemata.build(&["test", "--no-run", "-p", "firmware-board", "--test", "judge"])?;
    let judge = judges.into_iter().find(|program| program.name == "judge");
    judge
        .map(|judge| judge.path)
        .ok_or_else(|| MutantsError::Compile("cargo names no judge".to_owned()))
}

/// Returns the mutants of `due` that the traces miss. Mutants that an earlier run has recorded as
/// unseen are not judged by the traces again.
fn ask_traces(
    judge: &Path,
    traces: Vec<traces::Trace>,
    due: &[usize],
    arguments: &Arguments,
    results: &Results<'_>,
) -> Result<Vec<usize>, MutantsError> {
    let outcome = if arguments.tests.is_empty() { "missed" } else { "unseen" };
    let unseen = if arguments.tests.is_empty() { BTreeSet::new() } else { results.unseen()? };
    let most = arguments.trace_seconds.saturating_mul(1_000_000);
    let order = Mutex::new(Order::new(traces, most));
    let asked: Vec<usize> = due.iter().filter(|id| !unseen.contains(id)).copied().collect();
    let next = AtomicUsize::new(0);
    let work = || -> Result<(), MutantsError> {
        let mut worker = Worker::new(judge);
        while let Some(id) = asked.get(next.fetch_add(1, Relaxed)) {
            let file = &results.mutants[*id].file;
            let reaching = lock(&order).of(*id, file);
            let said = match reaching.is_empty() {
                true => TraceVerdict::Missed,
                false => worker.ask(*id, &reaching, SILENT)?,
            };
            match said {
                TraceVerdict::Caught { trace } => {
                    lock(&order).caught(file, trace);
                    results.add("traces", *id)?;
                }
                TraceVerdict::Timeout => results.add("timeout", *id)?,
                TraceVerdict::Missed => results.add(outcome, *id)?,
            }
            let done = next.load(Relaxed).min(asked.len());
            if done.is_multiple_of(100) {
                eprintln!("  traces: {done} of {}", asked.len());
            }
        }
        Ok(())
    };
    at_once(arguments.jobs, work)?;
    let unseen = results.unseen()?;
    Ok(due.iter().filter(|id| unseen.contains(id)).copied().collect())
}

/// Runs `work` on `jobs` threads.
fn at_once<W>(jobs: usize, work: W) -> Result<(), MutantsError>
where
    W: Fn() -> Result<(), MutantsError> + Sync,
{
    thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(&work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
    })
}

/// Locks a mutex. No thread leaves its value partially updated when it panics.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets the tests in `programs` judge the mutants that the traces missed.
fn ask_tests(
    programs: &[Program],
    arguments: &Arguments,
    mut missed: Vec<usize>,
    results: &Results<'_>,
) -> Result<(), MutantsError> {
    let recorded = arguments.left.with_file_name("reached");
    let most = Duration::from_secs(arguments.test_seconds);
    // Mutants reached by tests that take too long to be run.
    let mut unasked = BTreeSet::new();
    for program in programs {
        if missed.is_empty() {
            break;
        }
        let tests = tests::record(program, &recorded, most)?;
        unasked.extend(tests.reached_by_slow_tests);
        let (next, still) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let work = || -> Result<(), MutantsError> {
            while let Some(id) = missed.get(next.fetch_add(1, Relaxed)) {
                let reaches = |test: &&tests::Test| test.reached.contains(id);
                let reaching: Vec<_> = tests.asked.iter().filter(reaches).collect();
                if tests::fails(program, &reaching, *id)? {
                    results.add("tests", *id)?;
                } else {
                    lock(&still).push(*id);
                }
            }
            Ok(())
        };
        at_once(arguments.jobs, work)?;
        missed = still.into_inner().unwrap_or_else(PoisonError::into_inner);
        missed.sort_unstable();
        eprintln!("  tests of {}: {} still missed", program.name, missed.len());
    }
    for id in &missed {
        if unasked.contains(id) {
            eprintln!("  unseen, but not by the longest tests: {}", results.mutants[*id].name);
        } else {
            eprintln!("  missed: {}", results.mutants[*id].name);
            results.add("missed", *id)?;
        }
    }
    Ok(())
}

/// The file of the outcomes, one per line.
struct Results<'a> {
    path: &'a Path,
    state: &'a str,
    mutants: &'a [Mutant],
}

impl Results<'_> {
    /// Returns the mutants whose last outcome for these sources is that no trace noticed them.
    fn unseen(&self) -> Result<BTreeSet<usize>, MutantsError> {
        let text = if self.path.exists() { read(self.path)? } else { String::new() };
        let mut unseen = BTreeSet::new();
        for line in text.lines() {
            if let [outcome, name, state] = line.split('\t').collect::<Vec<_>>()[..]
                && state == self.state
            {
                if outcome == "unseen" {
                    unseen.insert(name);
                } else {
                    unseen.remove(name);
                }
            }
        }
        let is_unseen = |(_, mutant): &(usize, &Mutant)| unseen.contains(mutant.name.as_str());
        Ok(self.mutants.iter().enumerate().filter(is_unseen).map(|(id, _)| id).collect())
    }

    fn add(&self, outcome: &str, id: usize) -> Result<(), MutantsError> {
        let line = format!("{outcome}\t{}\t{}\n", self.mutants[id].name, self.state);
        let file = OpenOptions::new().create(true).append(true).open(self.path);
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        written.map_err(MutantsError::file(self.path))
    }
}

fn read(path: &Path) -> Result<String, MutantsError> {
    fs::read_to_string(path).map_err(MutantsError::file(path))
}
