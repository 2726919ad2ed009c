//! `nudge replay --against`: compares two boards in the same traces. Differences are not failures:
//! the exit code is 0 unless `--fail-on-change` is given.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::{PathBuf, absolute};

use boards::{Board, BoardError, BoardFactory};
use changes::bisect::{Builder, GitError, NotBuilt, Repository, WorkTree};
use changes::reports::{markdown, page, terminal};
use changes::sides::{How, OtherNudge, Side, SideError};
use changes::suite;
use changes::summary::Summary;
use host::{
    Exit, Interrupt,
    child::ChildError,
    output_files::{Log, Output, OutputError, OutputFile},
};
use runner::FindError;
use trace::Trace;

use crate::board_factory::board_factory;
use crate::cli::ReplayArgs;
use crate::cli::against::Against;
use crate::environment::github;
use crate::firmware::{board_named, firmware_of_traces, project};
use crate::{ctrl_c, text_reader};

/// Errors of `nudge replay --against`.
#[derive(Debug, thiserror::Error)]
enum AgainstError {
    #[error(transparent)]
    Find(#[from] FindError),
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error(transparent)]
    Side(#[from] SideError),
    #[error(transparent)]
    Durations(#[from] runner::MergeError),
    #[error(transparent)]
    File(#[from] OutputError),
    #[error(transparent)]
    Git(#[from] GitError),
    #[error(transparent)]
    Build(#[from] ChildError),
    #[error("the nudge of {commit} cannot be built: {why}")]
    NotBuilt { commit: String, why: NotBuilt },
    #[error("the output cannot be written: {0}")]
    Output(#[from] io::Error),
}

pub fn against(args: &ReplayArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let interrupt = ctrl_c::listen_and_clean_up();
    match carry_out(args, &interrupt, out, err) {
        Ok(_) | Err(_) if interrupt.is_set() => {
            writeln!(err, "nudge: interrupted")?;
            Ok(Exit::Interrupted)
        }
        Ok(exit) => Ok(exit),
        Err(AgainstError::Output(error)) => Err(error),
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            Ok(Exit::Usage)
        }
    }
}

/// The other board; it stays open during the comparison.
enum Other {
    Board {
        board: Board,
        boards: BoardFactory,
    },
    Program {
        program: OtherNudge,
        /// The folder with the built program; dropping it removes the folder.
        _tree: Option<WorkTree>,
    },
}

impl Other {
    fn open(args: &ReplayArgs, how: &How, err: &mut dyn Write) -> Result<Self, AgainstError> {
        Ok(match args.against.as_ref().unwrap_or(&Against::Board(Board::Native)) {
            Against::Board(board) => {
                Self::Board { board: board.clone(), boards: board_factory(board)? }
            }
            Against::Program(path) => {
                let mut other = OtherNudge::on_board(path, described(args), how)?;
                other.firmware += &format!(" ({})", path.display());
                Self::Program { program: other, _tree: None }
            }
            Against::Git(revision) => {
                let here = env::current_dir()?;
                let repository = Repository::around(&here, how.interrupt.clone())?;
                let commit = repository.commit(revision)?;
                writeln!(err, "nudge: building the nudge of {} …", commit.short())?;
                let tree = WorkTree::new(&repository, &commit)?;
                let target = args.target.as_deref().map(absolute).transpose()?;
                let builder = Builder {
                    command: args.build.clone(),
                    target: target.unwrap_or_else(|| tree.beside()),
                    timeout: None,
                    interrupt: how.interrupt.clone(),
                };
                let commit = commit.short().to_owned();
                let built = builder.build(&tree.path())?;
                let program =
                    built.map_err(|why| AgainstError::NotBuilt { commit: commit.clone(), why })?;
                let mut other = OtherNudge::on_board(&program, described(args), how)?;
                other.firmware += &format!(" (commit {commit})");
                Self::Program { program: other, _tree: Some(tree) }
            }
        })
    }
}

/// Returns the board of another `nudge`: the board file of the command line. With the other boards
/// it runs `native`.
fn described(args: &ReplayArgs) -> Option<String> {
    match &args.board {
        board @ Board::Described(_) => Some(board.to_string()),
        Board::Native | Board::Pico(_) | Board::Probe(_) => None,
    }
}

fn carry_out(
    args: &ReplayArgs,
    interrupt: &Interrupt,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, AgainstError> {
    let how = How { until: args.until, timeout: args.timeout, interrupt: interrupt.clone() };
    let mut traces = runner::find(&args.paths, args.filter.as_deref())?;
    if let Some(shard) = args.shard {
        let durations = args.durations.as_deref().map(runner::durations).transpose()?;
        shard.select(&mut traces, &durations.unwrap_or_default());
    }
    let boards = board_factory(&args.board)?;
    let outputs = Outputs::open(args)?;
    let other = Other::open(args, &how, err)?;
    let build = |trace: &Trace| boards.build(trace, None);
    let paths: Vec<PathBuf> = traces.into_iter().map(|trace| trace.path).collect();
    let of_traces = |board: &Board, boards: &BoardFactory| {
        firmware_of_traces(board, boards, paths.iter().map(PathBuf::as_path))
    };
    let firmware = of_traces(&args.board, &boards);
    let parts = boards.parts();
    let after = Side::Here { boards: &build, parts: parts.as_ref(), firmware: &firmware };
    let (build_other, other_firmware, other_parts);
    let before = match &other {
        Other::Board { board, boards } => {
            build_other = |trace: &Trace| boards.build(trace, None);
            (other_firmware, other_parts) = (of_traces(board, boards), boards.parts());
            let (boards, parts) = (&build_other, other_parts.as_ref());
            Side::Here { boards, parts, firmware: &other_firmware }
        }
        Other::Program { program, .. } => Side::Program(program),
    };
    let shows_progress = io::stderr().is_terminal() && !args.quiet;
    let total = paths.len();
    let progress = |done: usize| {
        if shows_progress {
            // If the terminal cannot be written, it shows no progress.
            let _ = write!(io::stderr(), "\r{done} of {total} traces compared");
        }
    };
    let reader = text_reader::reader();
    let summary = suite::run(&paths, [before, after], &reader, &how, args.jobs, progress);
    if shows_progress {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
    let summary = summary?;
    terminal::write(&summary, out)?;
    let board = board_named(&args.board, &project());
    outputs.write(&summary, board.as_deref(), out)?;
    // Traces that the other board cannot replay may need a newer version.
    let exit = match summary.not_compared.iter().any(|(_, side, _)| *side == 1) {
        true => Exit::Usage,
        false if args.fail_on_change && summary.has_changes() => Exit::Failed,
        false => Exit::Passed,
    };
    Ok(exit)
}

/// Outputs other than the terminal.
struct Outputs {
    page: Option<OutputFile>,
    markdown: Option<OutputFile>,
    step: Option<Log>,
}

impl Outputs {
    /// Opens the outputs, so that an error is reported before a trace runs.
    fn open(args: &ReplayArgs) -> Result<Self, OutputError> {
        let markdown = |path: &PathBuf| {
            Output::new(path).replace_like(markdown::is_earlier_report).replace(args.force).create()
        };
        let step = github().and_then(|github| github.summary);
        Ok(Self {
            page: args.html.as_deref().map(|dir| page::open(dir, args.force)).transpose()?,
            markdown: args.markdown.as_ref().map(markdown).transpose()?,
            step: step.as_deref().map(Log::append).transpose()?,
        })
    }

    fn write(
        self,
        summary: &Summary,
        board: Option<&str>,
        out: &mut dyn Write,
    ) -> Result<(), AgainstError> {
        let text = markdown::text(summary);
        if let Some(mut step) = self.step {
            step.add(text.as_bytes())?;
        }
        if let Some(mut file) = self.markdown {
            let path = file.path().to_owned();
            file.fill(text.as_bytes())?;
            file.commit()?;
            writeln!(out, "wrote {}", path.display())?;
        }
        if let Some(file) = self.page {
            let path = page::write(file, summary, board)?;
            writeln!(out, "wrote {}", path.display())?;
        }
        Ok(())
    }
}
