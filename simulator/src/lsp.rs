//! `nudge lsp`: traces, board files and panel tables in an editor.

use std::io::{self, BufReader, Write};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use hal_mock::replay::{self, ReplaySettings, Unjudged, Verdict};
use host::child::{self, Limits};
use host::{Exit, Interrupt};
use language_server::{Ended, HeaderProblem, Replayed, Shown, Tool, serve};
use reading::golden;
use trace::Trace;
use virtual_time::Nanos;

use crate::board_factory::native;
use crate::screenshot::without_expectations;
use crate::text_reader;

/// Limit of wall time of a replay that an editor starts.
const REPLAY_LONGEST: Nanos = Nanos::from_secs(120);
/// Maximum number of bytes of its report.
const REPORT_BYTES_MAX: usize = 1 << 20;

/// Answers an editor on standard input and output.
pub fn lsp(out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let input = Box::new(BufReader::new(io::stdin()));
    match serve(input, out, Arc::new(Boards))? {
        Ended::Done => Ok(Exit::Passed),
        // The exit code that the protocol demands.
        Ended::Unannounced => Ok(Exit::Failed),
        Ended::Broken(error) => {
            writeln!(err, "nudge: {error}")?;
            Ok(Exit::Usage)
        }
    }
}

/// The boards of traces, and this command.
struct Boards;

impl Tool for Boards {
    fn header_problems(&self, trace: &Trace) -> Vec<HeaderProblem> {
        let Err(error) = native().build(trace, None) else { return Vec::new() };
        let problem = |error: &hal_mock::setup::SetupError| HeaderProblem {
            place: error.place,
            message: error.message(),
        };
        error.each().map(problem).collect()
    }

    fn shown(&self, trace: Trace) -> Option<Shown> {
        let mut machine = runner::contained(native().build(&trace, None).ok()?);
        let settings = ReplaySettings { allow_violations: true, ..ReplaySettings::default() };
        let trace = without_expectations(trace, None);
        let reader = text_reader::reader();
        let outcome = replay::replay(&trace, machine.as_mut(), &reader, &mut Unjudged, &settings);
        if !matches!(outcome.verdict, Verdict::Passed) {
            return None;
        }
        let board = machine.board();
        let frame = board.frame_at(outcome.ended_at);
        Some(Shown {
            at: outcome.ended_at,
            png: golden::encode_png(&frame),
            texts: reader.read(&frame).readings(),
            console: board.console_lines().into_iter().map(|line| line.text).collect(),
        })
    }

    fn replay(&self, path: &Path, bless: bool) -> Replayed {
        let program = match host::own_program() {
            Ok(program) => program,
            Err(error) => return Replayed { passed: false, text: error.to_string() },
        };
        let mut command = Command::new(program);
        // A report in an editor is no log of GitHub, and has no pictures.
        command.arg("replay").arg(path).args(["--color", "never"]).env_remove("GITHUB_ACTIONS");
        command.args(bless.then_some("--bless"));
        let limits = Limits {
            interrupt: Interrupt::default(),
            time: Some(REPLAY_LONGEST),
            bytes: REPORT_BYTES_MAX,
        };
        match child::run(&mut command, &limits) {
            Ok(ended) => {
                let text = String::from_utf8_lossy(&ended.out).into_owned() + &ended.err;
                Replayed { passed: ended.status.success(), text: text.trim().to_owned() }
            }
            Err(error) => Replayed { passed: false, text: error.to_string() },
        }
    }
}
