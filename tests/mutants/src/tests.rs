//! The second judge: tests, only those that reach a mutant.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::compile::Program;
use crate::error::MutantsError;

/// A test, and what it reaches.
#[derive(Clone, Debug)]
pub struct Test {
    /// Its path in the program.
    pub name: String,
    /// How long it took.
    pub took: Duration,
    /// The mutants that it reaches.
    pub reached: BTreeSet<usize>,
}

/// How long a test may take with a mutant: this many times as without, and some.
const LONGER: u32 = 6;
const LONGER_BY: Duration = Duration::from_secs(15);
/// How often to look whether a test has ended.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// The tests of a program, the shortest first.
pub struct Tests {
    /// Those that are asked.
    pub asked: Vec<Test>,
    /// The mutants that those reach that take too long to be asked, as far as such a test came.
    pub unasked: BTreeSet<usize>,
}

/// The tests of a program; each run once to see what it reaches. One that takes longer than `most` is ended, one that
/// fails is named and left out.
///
/// # Errors
/// If the program cannot be run.
pub fn record(program: &Program, file: &Path, most: Duration) -> Result<Tests, MutantsError> {
    let cannot = MutantsError::program(&program.path);
    let mut list = Command::new(&program.path);
    let list = list.args(["--list", "--format", "terse"]).current_dir(&program.folder).output();
    let list = String::from_utf8_lossy(&list.map_err(&cannot)?.stdout).into_owned();
    let names = list.lines().filter_map(|line| line.strip_suffix(": test"));
    let mut tests = Tests { asked: Vec::new(), unasked: BTreeSet::new() };
    for name in names {
        fs::write(file, "").map_err(MutantsError::file(file))?;
        let started = now();
        let mut command = alone(program, name);
        command.env("NUDGE_MUTANT_RECORD", file);
        let mut ended = end(&mut command, most).map_err(&cannot)?;
        if ended == Some(false) {
            // To record takes memory, which a test may count.
            ended = end(command.env_remove("NUDGE_MUTANT_RECORD"), most).map_err(&cannot)?;
        }
        if ended == Some(false) {
            // Such as one that looks at the sources, which are rewritten.
            eprintln!("  not asked, it fails in this copy without any mutant: {name}");
            continue;
        }
        let text = fs::read_to_string(file).map_err(MutantsError::file(file))?;
        let reached = text.lines().filter_map(|id| id.parse().ok());
        if ended.is_none() {
            tests.unasked.extend(reached);
            continue;
        }
        let (name, took) = (name.to_owned(), started.elapsed());
        tests.asked.push(Test { name, took, reached: reached.collect() });
    }
    tests.asked.sort_by_key(|test| test.took);
    Ok(tests)
}

/// Whether one of `tests` fails, or does not end, with mutant `id`. They are asked one by one: the first that fails ends it.
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

/// The test `name` by itself. What it says is not heard.
fn alone(program: &Program, name: &str) -> Command {
    let mut command = Command::new(&program.path);
    command.args(["--exact", name]).current_dir(&program.folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Whether `command` ends well, if it does so within `limit`; otherwise it is ended.
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
