//! `nudge trace timing` and `nudge replay --timing`: compares the times of traces on `native` and
//! on another board.

use runner::{
    OpenError, find,
    guard::guard,
    observe::{FirmwarePanic, ReplayEnd, ReplayObserver},
    open_trace,
    timing::{BoardTiming, Timing, TimingRecorder},
};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use boards::Board;
use boards::BoardFactory;
use hal_mock::{
    VirtualBoard,
    replay::{ReplaySettings, Verdict},
    setup::SetupError,
};
use host::{Exit, Interrupt};
use thiserror::Error;
use trace::{BOARD_KEY, Line};
use virtual_time::Instant;

use crate::board_factory::{board_factory, native};
use crate::cli::TraceTimingArgs;
use crate::text_reader;

/// Reason why the traces of a described board have no table.
pub const NO_NATIVE: &str = "a described board runs only its own program, and `native` cannot run that for a \
                             comparison; `nudge replay --against` compares two boards";

/// Executes `nudge trace timing`.
///
/// # Errors
/// If `out` or `err` cannot be written.
pub fn timing(
    args: &TraceTimingArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    let tables = TimingTables::default();
    let paths = (&args.paths[..], None);
    tables.write(paths, &args.board, &ReplaySettings::default(), &Interrupt::default(), out, err)
}

/// Writes a table for each trace, and stores the replays that were already observed.
#[derive(Default)]
pub struct TimingTables {
    /// The observed replays on the other board, by the trace's file.
    recorded: Mutex<BTreeMap<PathBuf, Result<BoardTiming, FirmwarePanic>>>,
}

impl TimingTables {
    /// Returns an observer that records a replay on the other board.
    pub fn observer(&self) -> Box<dyn ReplayObserver + '_> {
        Box::new(TimingObserver { tables: self, recorder: TimingRecorder::default() })
    }

    /// Writes a table for each trace selected by the paths and the filter in `paths`: on `native`,
    /// and on `board`. The trace is replayed on `board` unless its replay there was recorded.
    ///
    /// # Errors
    /// If `out` or `err` cannot be written.
    pub fn write(
        self,
        paths: (&[PathBuf], Option<&str>),
        board: &Board,
        options: &ReplaySettings,
        interrupt: &Interrupt,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> io::Result<Exit> {
        let prepared = match board {
            Board::Described(file) => Err(format!("{}: {NO_NATIVE}", file.display())),
            board => board_factory(board).map_err(|error| error.to_string()),
        };
        let prepared = prepared.and_then(|boards| {
            let found = find(paths.0, paths.1).map_err(|error| error.to_string())?;
            Ok((boards, found))
        });
        let (boards, found) = match prepared {
            Ok(prepared) => prepared,
            Err(message) => {
                writeln!(err, "nudge: {message}")?;
                return Ok(Exit::Usage);
            }
        };
        let mut recorded = self.recorded.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut exit = Exit::Passed;
        for found in found {
            let path = found.path.as_path();
            let compared = compared(path, &boards, recorded.remove(path), options, interrupt);
            if interrupt.is_set() {
                writeln!(err, "nudge: interrupted")?;
                return Ok(Exit::Interrupted);
            }
            match compared {
                Ok(timing) => {
                    writeln!(out, "{}", path.display())?;
                    timing.write([Board::Native.name(), &board.to_string()], out)?;
                    exit = timing.outcomes.iter().fold(exit, |exit, outcome| {
                        exit.max(match outcome.verdict {
                            Verdict::Passed => Exit::Passed,
                            Verdict::LimitReached { .. } => Exit::LimitReached,
                            Verdict::Failed(_) | Verdict::Broken(_) => Exit::Failed,
                        })
                    });
                }
                Err(error) => {
                    writeln!(err, "{error}")?;
                    exit = exit.max(error.exit());
                }
            }
        }
        Ok(exit)
    }
}

/// Reasons why a trace has no table.
#[derive(Debug, Error)]
enum TimingError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("{}:{source}", path.display())]
    Header { path: PathBuf, source: SetupError },
    #[error(transparent)]
    Board(SetupError),
    #[error("{}: {NO_NATIVE}", .0.display())]
    Described(PathBuf),
    #[error("{}: {source}", path.display())]
    Panic { path: PathBuf, source: FirmwarePanic },
}

impl TimingError {
    fn exit(&self) -> Exit {
        match self {
            Self::Panic { .. } => Exit::Failed,
            Self::Open(_) | Self::Header { .. } | Self::Board(_) | Self::Described(_) => {
                Exit::Usage
            }
        }
    }
}

/// Compares a trace on `native` with the same trace on the other board.
fn compared(
    path: &Path,
    boards: &BoardFactory,
    recorded: Option<Result<BoardTiming, FirmwarePanic>>,
    options: &ReplaySettings,
    interrupt: &Interrupt,
) -> Result<Timing, TimingError> {
    let trace = open_trace(path)?;
    if trace.get(BOARD_KEY).is_some() {
        return Err(TimingError::Described(path.to_owned()));
    }
    let build = |boards: &BoardFactory| {
        let machine = boards.build(&trace, None).map_err(|source| match source.place {
            Some(_) => TimingError::Header { path: path.to_owned(), source },
            None => TimingError::Board(source),
        })?;
        Ok::<_, TimingError>(guard(interrupt, machine))
    };
    let reader = text_reader::reader();
    let other = match recorded {
        Some(Ok(recorded)) => {
            let mut native = build(&native())?;
            let native = BoardTiming::measure(&trace, &mut *native, &reader, options);
            return Ok(Timing::of(&trace, [native, recorded]));
        }
        Some(Err(source)) => {
            return Err(TimingError::Panic { path: path.to_owned(), source });
        }
        None => boards,
    };
    let (mut native, mut other) = (build(&native())?, build(other)?);
    Ok(runner::timing::compare(&trace, [&mut *native, &mut *other], &reader, options))
}

struct TimingObserver<'a> {
    tables: &'a TimingTables,
    recorder: TimingRecorder,
}

impl ReplayObserver for TimingObserver<'_> {
    fn line_ended(&mut self, line: &Line, at: Instant, board: &VirtualBoard) {
        self.recorder.line_ended(line, at, board);
    }

    fn ended(&mut self, end: &ReplayEnd<'_>) {
        let recorder = std::mem::take(&mut self.recorder);
        let timing = match end.outcome {
            Ok(outcome) => Ok(recorder.finish(outcome)),
            Err(panic) => Err(panic.clone()),
        };
        let mut recorded = self.tables.recorded.lock().unwrap_or_else(PoisonError::into_inner);
        recorded.insert(end.path.to_owned(), timing);
    }
}
