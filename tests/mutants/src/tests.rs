//! The second judge: tests; for each mutant only those that reach it.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::compile::Program;
use crate::error::MutantsError;

/// A test, and the mutants that it reaches.
#[derive(Clone, Debug)]
pub struct Test {
    /// Path of the test in the program.
    pub name: String,
    /// Duration of the test.
    pub took: Duration,
    pub reached: BTreeSet<usize>,
}

/// Time limit of a test with a mutant: [`LONGER`] times its duration without the mutant, plus
/// [`LONGER_BY`].
const LONGER: u32 = 6;
const LONGER_BY: Duration = Duration::from_secs(15);
/// Interval of the checks whether a test has ended.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// The tests of a program, the shortest first.
pub struct Tests {
    /// The tests to run.
    pub asked: Vec<Test>,
    /// Mutants reached by tests that take too long to be run, up to the time at which those were
    /// ended.
    pub reached_by_slow_tests: BTreeSet<usize>,
}

/// Runs each test of a program once to record which mutants it reaches. A test that takes longer
/// than `most` is ended; a test that fails is reported and excluded.
///
/// # Errors
/// If the program cannot be run.
pub fn record(program: &Program, file: &Path, most: Duration) -> Result<Tests, MutantsError> {
    let cannot = MutantsError::program(&program.path);
    let mut list = Command::new(&program.path);
    let list = list.args(["--list", "--format", "terse"]).current_dir(&program.folder).output();
    let list = String::from_utf8_lossy(&list.map_err(&cannot)?.stdout).into_owned();
    let names = list.lines().filter_map(|line| line.strip_suffix(": test"));
    let mut tests = Tests { asked: Vec::new(), reached_by_slow_tests: BTreeSet::new() };
    for name in names {
        fs::write(file, "").map_err(MutantsError::file(file))?;
        let started = now();
        let mut command = alone(program, name);
        command.env("NUDGE_MUTANT_RECORD", file);
        let mut ended = end(&mut command, most).map_err(&cannot)?;
        if ended == Some(false) {
            // Recording takes memory, which a test may count.
            ended = end(command.env_remove("NUDGE_MUTANT_RECORD"), most).map_err(&cannot)?;
        }
        if ended == Some(false) {
            // For example a test of the sources, which are rewritten here.
            eprintln!("  not asked, it fails in this copy without any mutant: {name}");
            continue;
        }
        let text = fs::read_to_string(file).map_err(MutantsError::file(file))?;
        let reached = text.lines().filter_map(|id| id.parse().ok());
        if ended.is_none() {
            tests.reached_by_slow_tests.extend(reached);
            continue;
        }
        let (name, took) = (name.to_owned(), started.elapsed());
        tests.asked.push(Test { name, took, reached: reached.collect() });
    }
    tests.asked.sort_by_key(|test| test.took);
    Ok(tests)
}

/// Returns whether one of `tests` fails, or does not end, with mutant `id`. The tests run one by
/// one until the first fails.
///
/// # Errors
/// If the program cannot be run.
pub fn fails(program: &Program, tests: &[&Test], id: usize) -> Result<bool, MutantsError> {
    let cannot = MutantsError::program(&program.path);
    for test in tests {
        let mut command = alone(program, &test.name);
        command.env("NUDGE_MUTANT", id.to_string());
        if end(&mut command, test.took * LONGER + LONGER_BY).map_err(&cannot)? != Some(true) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the command that runs only the test `name`, without output.
fn alone(program: &Program, name: &str) -> Command {
    let mut command = Command::new(&program.path);
    command.args(["--exact", name]).current_dir(&program.folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Returns whether `command` succeeds, if it ends within `limit`; otherwise ends it.
fn end(command: &mut Command, limit: Duration) -> io::Result<Option<bool>> {
    let mut child = command.spawn()?;
    let started = now();
    while started.elapsed() < limit {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.success()));
        }
        look_away();
    }
    let _ = child.kill();
    child.wait()?;
    Ok(None)
}

#[expect(clippy::disallowed_methods, reason = "a program of its own, judged by how long it takes")]
fn now() -> Instant {
    Instant::now()
}

#[expect(clippy::disallowed_methods, reason = "it waits for another program")]
fn look_away() {
    std::thread::sleep(LOOK_AGAIN);
}
