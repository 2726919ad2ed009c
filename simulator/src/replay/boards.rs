//! `nudge replay --boards`: replays each trace on several boards, and reports the time of the first
//! difference and the distances between their times.

mod page;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ::boards::{Board, BoardError, BoardFactory};
use changes::observation::Observation;
use changes::side_by_side::{Drift, Measured, SideBySide, Spread, picture, side_by_side};
use changes::sides::{How, observed_here};
use changes::stream::NotObserved;
use escape::terminal::plain;
use host::{
    Exit,
    output_files::{Output, OutputError, inside},
};
use reading::{golden::encode_png, text::Reader};
use runner::FindError;
use trace::Trace;
use virtual_time::spoken;

use crate::board_factory::board_factory;
use crate::cli::ReplayArgs;
use crate::{ctrl_c, text_reader};
use page::Row;

/// Errors of `nudge replay --boards`.
#[derive(Debug, thiserror::Error)]
enum BoardsError {
    #[error(transparent)]
    Find(#[from] FindError),
    #[error("{board}: {error}")]
    Board { board: Board, error: BoardError },
    #[error(transparent)]
    Durations(#[from] runner::MergeError),
    #[error(transparent)]
    File(#[from] OutputError),
    #[error("the output cannot be written: {0}")]
    Output(#[from] io::Error),
}

/// Compares `boards` in the traces of `args`.
pub fn boards(
    args: &ReplayArgs,
    boards: &[Board],
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    match compare(args, boards, out, err) {
        Ok(exit) => Ok(exit),
        Err(BoardsError::Output(error)) => Err(error),
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            Ok(Exit::Usage)
        }
    }
}

fn compare(
    args: &ReplayArgs,
    boards: &[Board],
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, BoardsError> {
    let interrupt = ctrl_c::listen();
    let how = How { until: args.until, timeout: args.timeout, interrupt: interrupt.clone() };
    let mut traces = runner::find(&args.paths, args.filter.as_deref())?;
    if let Some(shard) = args.shard {
        let durations = args.durations.as_deref().map(runner::durations).transpose()?;
        shard.select(&mut traces, &durations.unwrap_or_default());
    }
    let factory = |board: &Board| {
        board_factory(board).map_err(|error| BoardsError::Board { board: board.clone(), error })
    };
    let factories = boards.iter().map(factory).collect::<Result<Vec<_>, _>>()?;
    let reader = text_reader::reader();
    let (mut same, mut differ, mut cannot) = (0, 0, 0);
    let mut rows = Vec::new();
    for trace in &traces {
        if interrupt.is_set() {
            writeln!(err, "nudge: interrupted")?;
            return Ok(Exit::Interrupted);
        }
        let path = trace.path.display();
        let seen = match observe(&trace.path, &factories, &reader, &how) {
            Ok(seen) => seen,
            Err((board, NotObserved(message))) => {
                cannot += 1;
                writeln!(err, "CANNOT {path} on {}: {}", boards[board], plain(&message))?;
                continue;
            }
        };
        let found = side_by_side(&trace.path, seen, &reader);
        let mut row = Row::new(&trace.path, &found);
        match &found.first {
            None => {
                same += 1;
                if !args.quiet {
                    writeln!(out, "SAME {path}: {} settled frames", found.frames[0])?;
                }
            }
            Some(first) => {
                differ += 1;
                let line = if first.line == 0 { String::new() } else { format!(":{}", first.line) };
                let at = spoken(first.at.since_start());
                let (one, other) = (&boards[0], &boards[first.board]);
                writeln!(
                    out,
                    "DIFFERS {path}{line}: {one} and {other} first at {at}: {}",
                    plain(&first.what)
                )?;
                if let Some(folder) = &args.artifacts {
                    let name = named(&trace.path);
                    let to = inside(folder, &name)?;
                    let mut file = Output::new(&to).replace(args.force).create()?;
                    file.fill(&encode_png(&picture(&first.pictures)))?;
                    file.commit()?;
                    let names: Vec<String> = boards.iter().map(Board::to_string).collect();
                    writeln!(out, "    {}: {}", to.display(), names.join(" | "))?;
                    row.picture = Some(name);
                }
            }
        }
        rows.push(row);
        if !args.quiet || found.first.is_some() {
            write_measurements(boards, &found, out)?;
        }
    }
    if let Some(folder) = &args.artifacts {
        let to = inside(folder, Path::new("boards.html"))?;
        let mut file = Output::new(&to).replace_like(page::is_page).replace(args.force).create()?;
        file.fill(page::page(boards, &rows).as_bytes())?;
        file.commit()?;
        writeln!(out, "{}", to.display())?;
    }
    let not = if cannot == 0 { String::new() } else { format!(", {cannot} not compared") };
    writeln!(out, "{same} the same, {differ} different{not}")?;
    Ok(match () {
        () if cannot > 0 => Exit::Usage,
        () if differ > 0 && args.fail_on_change => Exit::Failed,
        () => Exit::Passed,
    })
}

/// Observes all boards at once in the trace at `path`; the error is that of the first board that
/// fails.
fn observe(
    path: &Path,
    factories: &[BoardFactory],
    reader: &Reader,
    how: &How,
) -> Result<Vec<Observation>, (usize, NotObserved)> {
    let seen: Vec<_> = std::thread::scope(|scope| {
        let one = |boards| {
            let build = move |trace: &Trace| BoardFactory::build(boards, trace, None);
            let parts = BoardFactory::parts(boards);
            scope.spawn(move || observed_here(path, parts.as_ref(), &build, reader, how))
        };
        let running: Vec<_> = factories.iter().map(one).collect();
        let ended = running.into_iter().map(|thread| {
            thread.join().unwrap_or_else(|_| Err(NotObserved("the replay panicked".into())))
        });
        ended.collect()
    });
    let numbered = seen.into_iter().enumerate();
    numbered.map(|(board, seen)| seen.map_err(|why| (board, why))).collect()
}

/// Returns the name of a trace's picture: its path without parts that lead out of a folder.
fn named(path: &Path) -> PathBuf {
    use std::path::Component;
    let parts = path.components().filter(|part| matches!(part, Component::Normal(_)));
    parts.collect::<PathBuf>().with_extension("png")
}

fn write_measurements(boards: &[Board], found: &SideBySide, out: &mut dyn Write) -> io::Result<()> {
    for (board, measured) in boards.iter().skip(1).zip(&found.measured) {
        let Measured { frames, console, drift } = measured;
        let mut parts = Vec::new();
        parts.extend(frames.as_ref().map(|it| format!("frames {}", spread(it))));
        parts.extend(
            console.as_ref().map(|it| format!("console lines {}, debouncing included", spread(it))),
        );
        parts.extend(drift.as_ref().map(|it| format!("by its own clock {}", clock(it))));
        if !parts.is_empty() {
            writeln!(out, "    {board} against {}: {}", boards[0], parts.join("; "))?;
        }
    }
    Ok(())
}

fn clock(Drift { ppm, error_ppm, over }: &Drift) -> String {
    let over = spoken(*over);
    format!("{ppm:+.0} ppm, uncertain by {error_ppm:.0} ppm, over {over}")
}

/// Formats a spread like `+0.2 ms (−0.1 … +3.0 ms of 12)`.
fn spread(Spread { least, middle, most, count }: &Spread) -> String {
    let ms = |ns: &i64| *ns as f64 / 1e6;
    format!("{:+.3} ms ({:+.3} to {:+.3} ms, {count} of them)", ms(middle), ms(least), ms(most))
}
