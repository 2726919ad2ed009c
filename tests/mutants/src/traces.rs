//! The first judge: the traces, in processes that stay alive from mutant to mutant.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use crate::error::MutantsError;

/// The cost of a trace, and the mutants that it reaches.
#[derive(Clone, Debug)]
pub struct Trace {
    /// How often the trace reads the switch.
    pub steps: u64,
    /// Processor time in µs.
    pub micros: u64,
    pub reached: Vec<usize>,
}

/// The traces' verdict on a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceVerdict {
    /// A trace fails.
    Caught { trace: usize },
    /// A trace does not end.
    Timeout,
    /// No trace fails.
    Missed,
}

/// Runs all traces once without a mutant, or reads the results of an earlier run of the same
/// sources from the file `known`.
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

/// The order in which traces judge a mutant: first those that recently caught others of the same
/// file, then the fastest.
#[derive(Clone, Debug)]
pub struct Order {
    traces: Vec<Trace>,
    reaching: BTreeMap<usize, Vec<usize>>,
    lately: BTreeMap<String, Vec<usize>>,
    /// Limit of the total time of a mutant's traces in µs.
    most: u64,
}

/// Number of recently successful traces that come first.
const LATELY: usize = 4;

impl Order {
    /// Creates the order of `traces`. The traces of one mutant take at most `most` µs together.
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

    /// Returns the traces that reach mutant `id` of `file`, each with its number of steps without
    /// the mutant.
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

    /// Records that `trace` caught a mutant of `file`.
    pub fn caught(&mut self, file: &str, trace: usize) {
        let lately = self.lately.entry(file.to_owned()).or_default();
        lately.retain(|number| *number != trace);
        lately.push(trace);
        if lately.len() > LATELY {
            lately.remove(0);
        }
    }
}

/// A judge process that waits for mutants.
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
    /// Creates a worker with the program `judge`; it is started with the first mutant.
    pub fn new(judge: &Path) -> Self {
        Self { judge: judge.to_owned(), running: None }
    }

    /// Returns the verdict of `traces` on mutant `id`. A judge that ends, or writes nothing for
    /// `limit`, counts as a verdict too.
    ///
    /// # Errors
    /// If the judge cannot be started.
    pub fn ask(
        &mut self,
        id: usize,
        traces: &[(usize, u64)],
        limit: Duration,
    ) -> Result<TraceVerdict, MutantsError> {
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
                    [_, "caught", trace] => {
                        TraceVerdict::Caught { trace: trace.parse().unwrap_or(0) }
                    }
                    [_, "timeout", _] => TraceVerdict::Timeout,
                    _ => TraceVerdict::Missed,
                });
            }
            Err(mpsc::RecvTimeoutError::Timeout) => TraceVerdict::Timeout,
            // The judge ended: a panic during another panic, or a stack overflow.
            Err(mpsc::RecvTimeoutError::Disconnected) => TraceVerdict::Caught { trace: 0 },
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
