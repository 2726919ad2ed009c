//! The command `nudge`: `cli` is the grammar, each verb has its own file, and only `boards` knows which
//! firmware they run. An `Insight` describes it to the tools.
//!
//! [`main()`] is the command; [`main_of`] is the same command for an application, whose board is
//! `native`. The runner, the window and the trace tools are in the libraries.

mod adopt;
mod atlas;
mod bisect;
mod board;
mod board_factory;
mod cli;
mod ctrl_c;
#[cfg(any(feature = "terminal", feature = "window"))]
mod data_folder;
mod emulate;
mod environment;
mod export;
mod firmware;
mod flash;
mod font;
mod ignored_signals;
mod jobs;
mod lsp;
mod number;
mod open;
mod output;
mod page_board;
mod panel;
mod panic_report;
mod probe;
mod quiz;
mod refusal;
mod replay;
mod report;
mod result_cache;
mod review;
mod roles;
mod run;
mod screenshot;
mod serve;
mod session;
mod suite_probe;
mod text_reader;
mod timing;
mod trace;

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use boards::DescribedBoard;
use clap::Parser;
use cli::{Cli, ReportVerb, TraceVerb, Verb};
use escape::terminal::TextWriter;
use host::Exit;
use insight::Insight;
use output::Pipe;

/// Runs the command for an application: its board, with the firmware that is linked into this program,
/// is the board `native`. `insight` is what the application tells the tools about its firmware.
pub fn main_of(board: DescribedBoard, insight: Option<&'static dyn Insight>) -> ExitCode {
    board_factory::set_application(board, insight);
    main()
}

/// Runs the command that the program's arguments are.
pub fn main() -> ExitCode {
    panic_report::install();
    let verb = match Cli::try_parse() {
        Ok(cli) => cli.verb,
        Err(error) => {
            // Help goes to standard output with code 0, a usage error to standard error with code
            // 2. The exit code is correct even if both are closed.
            return match output::print(&error) {
                Err(failure) if failure.kind() != ErrorKind::BrokenPipe => {
                    let _ = writeln!(io::stderr(), "{}", unwritable(&failure));
                    Exit::Usage
                }
                _ if error.use_stderr() => Exit::Usage,
                _ => Exit::Passed,
            }
            .into();
        }
    };
    // Not locked, because a thread that panics also writes to standard error.
    let mut out = Pipe::new(io::stdout());
    let mut err = Pipe::new(io::stderr());
    let exit = carry_out(verb, &mut out, &mut err).and_then(|exit| out.flush().map(|()| exit));
    let exit = exit.unwrap_or_else(|error| {
        // If this write fails too, only the exit code reports the error.
        let _ = writeln!(err, "{}", unwritable(&error));
        Exit::Usage
    });
    ctrl_c::code(exit).into()
}

fn unwritable(error: &io::Error) -> String {
    format!("nudge: the output cannot be written: {error}")
}

/// Executes a verb. Its output passes through a [`TextWriter`], because it may quote files. The
/// UART of `nudge emulate` is written unchanged, and `nudge replay` has its own writer.
fn carry_out(verb: Verb, raw_out: &mut dyn Write, raw_err: &mut dyn Write) -> io::Result<Exit> {
    let on_github = environment::on_github();
    let out = &mut TextWriter::new(raw_out, on_github);
    let err = &mut TextWriter::new(raw_err, on_github);
    if let Err(error) = roles::check(&verb) {
        writeln!(err, "nudge: {error}")?;
        return Ok(Exit::Usage);
    }
    match verb {
        Verb::Run(args) => run::run(args, out, err),
        Verb::Replay(args) => replay::replay(args, raw_out, raw_err),
        Verb::Review(args) => review::review(args, raw_out, raw_err),
        Verb::Bisect(args) => bisect::bisect(&args, out, err),
        Verb::Open(args) => open::open(&args, out, err),
        Verb::Export(args) => export::export(&args, out, err),
        Verb::Screenshot(args) => screenshot::screenshot(&args, out, err),
        Verb::Trace { verb: TraceVerb::Check(args) } => trace::check(args, raw_out, raw_err),
        Verb::Trace { verb: TraceVerb::Fmt(args) } => trace::fmt(&args, out, err),
        Verb::Trace { verb: TraceVerb::Info(args) } => trace::info(&args.paths, out, err),
        Verb::Trace { verb: TraceVerb::Timing(args) } => timing::timing(&args, out, err),
        Verb::Trace { verb: TraceVerb::Observe(args) } => trace::observe(&args, raw_out, err),
        Verb::Trace { verb: TraceVerb::Rank(args) } => trace::rank(&args, raw_out, raw_err),
        Verb::Trace { verb: TraceVerb::Convert(args) } => trace::convert(&args, out, err),
        Verb::Trace { verb: TraceVerb::Compare(args) } => trace::compare(&args, out, err),
        Verb::Trace { verb: TraceVerb::Why(args) } => trace::why(&args, out, err),
        Verb::Trace { verb: TraceVerb::Tidy(args) } => trace::tidy(&args, out, err),
        Verb::Trace { verb: TraceVerb::Fuzz(args) } => trace::fuzz(&args, out, err),
        Verb::Trace { verb: TraceVerb::Shrink(args) } => trace::shrink(&args, out, err),
        Verb::Report { verb: ReportVerb::Merge(args) } => report::merge(args, out, err),
        Verb::Report { verb: ReportVerb::History(args) } => report::history(&args, out, err),
        Verb::Flash { verb } => flash::flash(verb, out, err),
        Verb::Board { verb } => board::board(&verb, out, err),
        Verb::Probes(args) => probe::probes(&args, out, err),
        Verb::Probe { verb } => probe::probe(&verb, out, err),
        Verb::Font { verb } => font::font(&verb, out, err),
        Verb::Panel { verb } => panel::panel(&verb, out, err),
        Verb::Atlas(args) => atlas::atlas(&args, out, err),
        // The output is protocol messages for a program.
        Verb::Serve(args) => serve::serve(&args, raw_out, err),
        Verb::Session => session::session(raw_out, err),
        Verb::Lsp(_) => lsp::lsp(raw_out, err),
        Verb::Mcp(args) => serve::mcp(&args, raw_out, err),
        Verb::Emulate(args) => emulate::emulate(&args, raw_out, err),
        Verb::Adopt(args) => adopt::adopt(&args, out, err),
        Verb::Quiz(args) => quiz::quiz(&args, out, err),
    }
}
