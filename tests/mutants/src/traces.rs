//! The first judge: the traces, in programs that stay alive from mutant to mutant.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use crate::error::MutantsError;

/// What one trace takes and reaches.
#[derive(Clone, Debug)]
pub struct Trace {
    /// How often it asks the switch.
    pub steps: u64,
    /// Its processor time, µs.
    pub micros: u64,
    /// The mutants that it reaches.
    pub reached: Vec<usize>,
}

/// What the traces say of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// One of them fails.
    Caught {
        /// Which.
        trace: usize,
    },
    /// One of them does not end.
    Timeout,
    /// None fails.
    Missed,
}

/// Runs all traces once, without a mutant, or reads from the file `known` what an earlier run of the same sources
/// wrote there.
///
/// # Errors
/// If the judge cannot be run, a trace fails, or the file cannot be written.
pub fn record(judge: &Path, known: &Path) -> Result<Vec<Trace>, MutantsError> {
    if let Ok(text) = fs::read_to_string(known) {
        return Ok(parse(&text));
    }
    let output = Command::new(judge).output().map_err(MutantsError::program(judge))?;
    if !output.status.success() {
        let output = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(MutantsError::Baseline { program: judge.display().to_string(), output });
    }
    fs::write(known, &output.stdout).map_err(MutantsError::file(known))?;
    Ok(parse(&String::from_utf8_lossy(&output.stdout)))
}

fn parse(text: &str) -> Vec<Trace> {
    let traces = text.lines().map(|line| {
        let mut numbers = line.split(' ').skip(1).filter_map(|number| number.parse::<u64>().ok());
        let (steps, micros) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        Trace { steps, micros, reached: numbers.map(|id| id as usize).collect() }
    });
    traces.collect()
}

/// Which traces to ask about a mutant, and in which order: those that caught others of the same file
/// lately, then the quickest.
#[derive(Clone, Debug)]
pub struct Order {
    traces: Vec<Trace>,
    reaching: BTreeMap<usize, Vec<usize>>,
    lately: BTreeMap<String, Vec<usize>>,
    /// What the traces asked about a mutant may take together, µs.
    most: u64,
}

/// How many traces that caught something are asked first.
const LATELY: usize = 4;

impl Order {
    /// The order of `traces`, of which those asked about a mutant take at most `most` µs together.
    pub fn new(traces: Vec<Trace>, most: u64) -> Self {
        let mut reaching: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (number, trace) in traces.iter().enumerate() {
            for id in &trace.reached {
                reaching.entry(*id).or_default().push(number);
            }
        }
        for numbers in reaching.values_mut() {
            numbers.sort_by_key(|number| (traces[*number].micros, traces[*number].steps));
        }
        Self { traces, reaching, lately: BTreeMap::new(), most }
    }

    /// The traces that reach mutant `id` of `file`; with the steps of each without it.
    pub fn of(&self, id: usize, file: &str) -> Vec<(usize, u64)> {
        let all = self.reaching.get(&id).map_or(&[][..], Vec::as_slice);
        let lately = self.lately.get(file).map_or(&[][..], Vec::as_slice);
        let first = lately.iter().rev().filter(|number| all.contains(number));
        let rest = all.iter().filter(|number| !lately.contains(number));
        let mut sum = 0;
        let within = first.chain(rest).take_while(|number| {
            sum += self.traces[**number].micros;
            sum <= self.most
        });
        within.map(|number| (*number, self.traces[*number].steps)).collect()
    }

    /// Notes that `trace` caught a mutant of `file`.
    pub fn caught(&mut self, file: &str, trace: usize) {
        let lately = self.lately.entry(file.to_owned()).or_default();
        lately.retain(|number| *number != trace);
        lately.push(trace);
        if lately.len() > LATELY {
            lately.remove(0);
        }
    }
}

/// A judge that waits for mutants.
pub struct Worker {
    judge: PathBuf,
    running: Option<Running>,
}

struct Running {
    child: Child,
    mutants: ChildStdin,
    verdicts: Receiver<String>,
}

impl Worker {
    /// One that runs the program `judge`; it is started with the first mutant.
    pub fn new(judge: &Path) -> Self {
        Self { judge: judge.to_owned(), running: None }
    }

    /// What `traces` say of mutant `id`. A judge that ends, or says nothing for `limit`, has an answer too.
    ///
    /// # Errors
    /// If the judge cannot be started.
    pub fn ask(
        &mut self,
        id: usize,
        traces: &[(usize, u64)],
        limit: Duration,
    ) -> Result<Said, MutantsError> {
        let cannot = MutantsError::program(&self.judge);
        let mut running = match self.running.take() {
            Some(running) => running,
            None => Running::start(&self.judge)?,
        };
        let traces: String =
            traces.iter().map(|(number, steps)| format!(" {number} {steps}")).collect();
        writeln!(running.mutants, "{id}{traces}").map_err(&cannot)?;
        let said = match running.verdicts.recv_timeout(limit) {
            Ok(line) => {
                self.running = Some(running);
                let words: Vec<_> = line.split(' ').collect();
                return Ok(match words[..] {
                    [_, "caught", trace] => Said::Caught { trace: trace.parse().unwrap_or(0) },
                    [_, "timeout", _] => Said::Timeout,
                    _ => Said::Missed,
                });
            }
            Err(mpsc::RecvTimeoutError::Timeout) => Said::Timeout,
            // It ended: a panic while another unwinds, or the end of the stack.
            Err(mpsc::RecvTimeoutError::Disconnected) => Said::Caught { trace: 0 },
        };
        let _ = running.child.kill();
        running.child.wait().map_err(&cannot)?;
        Ok(said)
    }
}

impl Running {
    fn start(judge: &Path) -> Result<Self, MutantsError> {
        let mut command = Command::new(judge);
        command.arg("judge").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(MutantsError::program(judge))?;
        let (mutants, out) = child.stdin.take().zip(child.stdout.take()).expect("both are piped");
        let (sender, verdicts) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, mutants, verdicts })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
