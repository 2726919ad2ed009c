//! `nudge emulate --cargo` with a program of embedded-test: runs its tests and reports them like
//! Rust's own test harness. It accepts the arguments of that harness.
//!
//! Each test starts from power-on on a chip of its own, and has a limit of virtual time. Its output
//! is shown if it fails, or at once with `--nocapture`.

use std::io::{self, Write};

use clap::{Parser, ValueEnum};
use host::{Exit, Interrupt, clock::Stopwatch};
use rp2040_emulator::chip::Chip;
use rp2040_tools::embedded_test::{self, EmbeddedTestError, LIST, Test, Tests};
use rp2040_tools::{OnFault, Program, RunEnd, ending, report, run};
use trace::counted;
use virtual_time::{Instant, spoken};

use super::create_host;
use super::error::EmulateError;
use crate::cli::EmulateArgs;
use crate::ctrl_c;

/// Time limit in which the program must list its tests, in virtual time.
const LIST_LIMIT: Instant = Instant::from_millis(5_000);

/// The arguments of Rust's harness that make sense here. Others that it knows are accepted and
/// change nothing, because tools send them.
#[derive(Debug, Parser)]
#[command(
    name = "cargo test --",
    about = "Arguments for the tests of an embedded-test program",
    disable_version_flag = true
)]
struct TestArgs {
    /// Only tests whose names contain one of these texts
    filters: Vec<String>,
    /// The names are exactly these texts
    #[arg(long)]
    exact: bool,
    /// No test whose name contains TEXT (with --exact: is TEXT); can be repeated
    #[arg(long, value_name = "TEXT")]
    skip: Vec<String>,
    /// List the tests and run none
    #[arg(long)]
    list: bool,
    /// Only tests that are ignored otherwise
    #[arg(long)]
    ignored: bool,
    /// Tests that are ignored otherwise, too
    #[arg(long)]
    include_ignored: bool,
    /// Show what the tests write at once
    #[arg(long, visible_alias = "no-capture")]
    nocapture: bool,
    /// Show what passing tests have written, too
    #[arg(long)]
    show_output: bool,
    /// One sign for each test
    #[arg(short, long, conflicts_with = "format")]
    quiet: bool,
    /// The form of the report
    #[arg(long, value_enum, default_value_t)]
    format: Form,
    #[arg(long, hide = true)]
    test: bool,
    #[arg(long, hide = true)]
    test_threads: Option<String>,
    #[arg(long, hide = true)]
    color: Option<String>,
    #[arg(short = 'Z', hide = true)]
    unstable: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Form {
    /// A line for each test
    #[default]
    Pretty,
    /// A sign for each test
    Terse,
}

impl TestArgs {
    fn is_selected(&self, test: &Test) -> bool {
        let is_like = |text: &String| {
            if self.exact { test.name == *text } else { test.name.contains(text) }
        };
        (self.filters.is_empty() || self.filters.iter().any(is_like))
            && !self.skip.iter().any(is_like)
            && (!self.ignored || test.ignored)
    }

    fn runs(&self, test: &Test) -> bool {
        !test.ignored || self.ignored || self.include_ignored
    }

    fn is_terse(&self) -> bool {
        self.quiet || self.format == Form::Terse
    }
}

/// Runs the tests of `program`, which `chip` holds; returns `None` if it has none.
pub fn run_tests(
    args: &EmulateArgs,
    program: &Program,
    chip: &Chip,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Option<Exit>, EmulateError> {
    let wrong = |error| EmulateError::Tests { path: args.program(), error };
    let Some(tests) = embedded_test::find(program, chip).map_err(wrong)? else { return Ok(None) };
    let words = args.cargo.arguments().unwrap_or_default();
    let test_args =
        match TestArgs::try_parse_from(std::iter::once(&"cargo test --".into()).chain(words)) {
            Ok(test_args) => test_args,
            Err(error) => {
                if error.use_stderr() {
                    write!(err, "{error}")?;
                    return Ok(Some(Exit::Usage));
                }
                write!(out, "{error}")?;
                return Ok(Some(Exit::Passed));
            }
        };
    refuse_outputs(args)?;
    let runs = Runs { args, program, chip, interrupt: ctrl_c::listen() };
    let all = match tests {
        Tests::Found(tests) => tests,
        Tests::Ask => runs.list_tests()?,
    };
    let total = all.len();
    let selected: Vec<Test> = all.into_iter().filter(|test| test_args.is_selected(test)).collect();
    if test_args.list {
        for test in &selected {
            writeln!(out, "{}: test", test.name)?;
        }
        if !test_args.is_terse() {
            writeln!(out, "\n{}, 0 benchmarks", counted(selected.len(), "test"))?;
        }
        return Ok(Some(Exit::Passed));
    }
    runs.run_all(&selected, total - selected.len(), &test_args, out, err).map(Some)
}

/// Refuses options that write one file for one run: each test is a run of its own.
fn refuse_outputs(args: &EmulateArgs) -> Result<(), EmulateError> {
    let outside = &args.outside;
    for (is_given, option) in [
        (args.vcd.is_some(), "--vcd"),
        (args.trace_instructions.is_some(), "--trace-instructions"),
        (args.profile, "--profile"),
        (args.flamegraph.is_some(), "--flamegraph"),
        (args.coverage.is_some(), "--coverage"),
        (outside.uart1.is_some(), "--uart1"),
        (outside.log_bus.is_some(), "--log-bus"),
    ] {
        if is_given {
            return Err(EmulateError::OneRun(option));
        }
    }
    Ok(())
}

/// The common data of all runs.
struct Runs<'a> {
    args: &'a EmulateArgs,
    program: &'a Program,
    chip: &'a Chip,
    interrupt: Interrupt,
}

/// The result of a test.
enum Verdict {
    Passed,
    /// The reason is a sentence without a full stop.
    Failed(String),
    Interrupted,
}

impl Runs<'_> {
    /// Returns the tests that the program lists.
    fn list_tests(&self) -> Result<Vec<Test>, EmulateError> {
        let mut chip = self.chip.clone();
        let mut shown = Vec::new();
        let mut host = create_host(self.args, self.program, LIST.into(), &mut chip, &mut shown)?;
        let end = run(&mut chip, LIST_LIMIT, OnFault::Judge, &mut [], &mut host)?;
        let wrong = |error| EmulateError::Tests { path: self.args.program(), error };
        match host.list.take() {
            Some(list) => list.map_err(wrong),
            None => Err(wrong(EmbeddedTestError::NoList(report::reason(end, &chip, self.program)))),
        }
    }

    fn run_all(
        &self,
        tests: &[Test],
        filtered: usize,
        test_args: &TestArgs,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<Exit, EmulateError> {
        let stopwatch = Stopwatch::start();
        writeln!(out, "\nrunning {}", counted(tests.len(), "test"))?;
        let (mut passed, mut ignored) = (0, 0);
        let mut failed: Vec<(&Test, Vec<u8>)> = Vec::new();
        let mut shown: Vec<(&Test, Vec<u8>)> = Vec::new();
        for test in tests {
            if !test_args.is_terse() {
                let note = if test.should_panic { " - should panic" } else { "" };
                write!(out, "test {}{note} ... ", test.name)?;
                out.flush()?;
            }
            let (word, sign) = if !test_args.runs(test) {
                ignored += 1;
                ("ignored", "i")
            } else {
                let mut text = Vec::new();
                let verdict = if test_args.nocapture {
                    self.run_one(test, out, &mut text)?
                } else {
                    let mut written = Vec::new();
                    let verdict = self.run_one(test, &mut written, &mut text)?;
                    written.append(&mut text);
                    text = written;
                    verdict
                };
                match verdict {
                    Verdict::Passed => {
                        passed += 1;
                        shown.push((test, text));
                        ("ok", ".")
                    }
                    Verdict::Failed(reason) => {
                        text.extend(format!("nudge: {reason}\n").into_bytes());
                        failed.push((test, text));
                        ("FAILED", "F")
                    }
                    Verdict::Interrupted => {
                        writeln!(out)?;
                        writeln!(err, "nudge: interrupted in {}", test.name)?;
                        return Ok(Exit::Interrupted);
                    }
                }
            };
            if test_args.is_terse() {
                write!(out, "{sign}")?;
            } else {
                writeln!(out, "{word}")?;
            }
            out.flush()?;
        }
        if test_args.is_terse() {
            writeln!(out)?;
        }
        if test_args.show_output {
            write_texts(out, "successes", &shown)?;
        }
        if !failed.is_empty() {
            write_texts(out, "failures", &failed)?;
            writeln!(out, "\nfailures:")?;
            for (test, _) in &failed {
                writeln!(out, "    {}", test.name)?;
            }
        }
        writeln!(
            out,
            "\ntest result: {}. {passed} passed; {} failed; {ignored} ignored; 0 measured; {filtered} filtered out; finished in {:.2}s\n",
            if failed.is_empty() { "ok" } else { "FAILED" },
            failed.len(),
            stopwatch.elapsed().as_secs_f64()
        )?;
        Ok(if failed.is_empty() { Exit::Passed } else { Exit::Failed })
    }

    /// Runs a test from power-on. Its output goes to `out`; messages of `nudge` are added to
    /// `notes`.
    fn run_one(
        &self,
        test: &Test,
        out: &mut dyn Write,
        notes: &mut Vec<u8>,
    ) -> Result<Verdict, EmulateError> {
        let mut chip = self.chip.clone();
        let mut host = create_host(self.args, self.program, test.command.clone(), &mut chip, out)?;
        host.interrupt = self.interrupt.clone();
        let limit = Instant::START.saturating_add(test.timeout);
        let limit = self.args.until.map_or(limit, |until| until.min(limit));
        let end = run(&mut chip, limit, self.args.on_fault.into(), &mut [], &mut host)?;
        if let Some(rtt) = &mut host.rtt {
            for problem in rtt.finish(host.out)? {
                writeln!(notes, "nudge: {problem}")?;
            }
        }
        host.outside.finish()?;
        report::write_notes(notes, &chip, self.program)?;
        Ok(self.judge(test, end, &chip, limit))
    }

    fn judge(&self, test: &Test, end: RunEnd, chip: &Chip, limit: Instant) -> Verdict {
        let names = self.program.symbols();
        match end {
            RunEnd::Interrupted => Verdict::Interrupted,
            RunEnd::Breakpoint(core, number) => {
                match (ending::requested(chip, names, core, number), test.should_panic) {
                    (Some(0), false) | (Some(1..), true) => Verdict::Passed,
                    (Some(0), true) => Verdict::Failed("it was to panic, and did not".into()),
                    (Some(code), false) => Verdict::Failed(format!(
                        "it ended with code {code}: it panicked or returned an error"
                    )),
                    (None, _) => Verdict::Failed(report::reason(end, chip, self.program)),
                }
            }
            RunEnd::Time => {
                let place = self.program.describe(chip.core(0).pc());
                Verdict::Failed(format!(
                    "it did not end within {} of virtual time; core 0 is at {place}",
                    spoken(limit.since_start())
                ))
            }
            _ => Verdict::Failed(report::reason(end, chip, self.program)),
        }
    }
}

/// Writes the output of tests, each below its name.
fn write_texts(out: &mut dyn Write, title: &str, texts: &[(&Test, Vec<u8>)]) -> io::Result<()> {
    writeln!(out, "\n{title}:")?;
    for (test, text) in texts {
        writeln!(out, "\n---- {} ----", test.name)?;
        out.write_all(text)?;
    }
    Ok(())
}
