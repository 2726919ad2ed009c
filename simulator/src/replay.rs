//! `nudge replay`: the command line's side of the runner. Here is read what the environment
//! says about colours, pictures and GitHub; the runner reads no environment.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use boards::Board;
use captures::FileFormat;
use hal_mock::trace::Trace;
use runner::{self, Exit, Github, PictureProtocol, ReplayOptions};

use crate::board_factory::board_factory;
use crate::cli::{Color, ReplayArgs};
use crate::ctrl_c;
use crate::film::{FilmArgs, film};
use crate::text_reader;
use crate::timing;
use crate::trace::arguments::ConvertArgs;
use crate::trace::convert;
use crate::unfinished::is_writable;

pub fn replay(args: ReplayArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let maker = match board_factory(&args.board) {
        Ok(maker) => maker,
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    let (waveform, gif) = match (waveform(&args), gif(&args)) {
        (Ok(waveform), Ok(gif)) => (waveform, gif),
        (Err(message), _) | (_, Err(message)) => {
            writeln!(err, "nudge: {message}")?;
            return Ok(Exit::Usage);
        }
    };
    let is_terminal = io::stdout().is_terminal();
    // https://no-color.org: set to anything but nothing. A dumb terminal shows escape sequences.
    let wants_none =
        variable("NO_COLOR").is_some() || variable("TERM").is_some_and(|term| term == "dumb");
    let auto = is_terminal && !wants_none && args.color != Color::Never;
    let pictures = args.pictures.or_else(|| PictureProtocol::detect(variable));
    let interrupt = ctrl_c::listen();
    let options = ReplayOptions {
        filter: args.filter,
        shard: args.shard,
        list: args.list,
        until: args.until,
        allow_violations: args.allow_violations,
        bless: args.bless,
        repeat: args.repeat,
        fail_fast: args.fail_fast,
        artifacts: args.artifacts,
        contact_sheet: args.contact_sheet,
        junit: args.junit,
        html: args.html,
        github: github(),
        quiet: args.quiet,
        colour: auto || args.color == Color::Always,
        pictures: pictures.filter(|_| auto && !args.quiet),
        progress: io::stderr().is_terminal() && !args.quiet,
        jobs: args.jobs,
        board: (args.board != Board::Native).then(|| args.board.to_string()),
        interrupt: interrupt.clone(),
    };
    let filter = options.filter.clone();
    let build = |trace: &Trace| maker.build(trace, None);
    let exit = runner::run(&args.paths, &options, &build, &text_reader::reader(), out, err)?;
    if matches!(exit, Exit::Usage | Exit::Interrupted) {
        return Ok(exit);
    }
    let mut worst = exit;
    if args.timing {
        let filter = filter.as_deref();
        let told = timing::tables(&args.paths, filter, &args.board, &interrupt, out, err)?;
        worst = worst.max(told);
    }
    if let Some(waveform) = waveform.filter(|_| worst != Exit::Interrupted) {
        worst = worst.max(convert(&waveform, Some(interrupt.clone()), out, err)?);
    }
    if let Some(gif) = gif.filter(|_| worst != Exit::Interrupted) {
        worst = worst.max(film(&gif, &maker, &interrupt, out, err)?);
    }
    Ok(worst)
}

/// What `--vcd` asks for. That it can be written is known before anything runs.
fn waveform(args: &ReplayArgs) -> Result<Option<ConvertArgs>, String> {
    let Some(to) = args.vcd.clone() else { return Ok(None) };
    if FileFormat::of_name(&to) != Some(FileFormat::Vcd) {
        return Err(format!("{}: --vcd writes a .vcd; name one", to.display()));
    }
    is_free(&to)?;
    Ok(Some(ConvertArgs {
        from: only_trace(args, "--vcd writes the waveform")?,
        to,
        map: None,
        debounce: None,
        signals: Vec::new(),
        board: args.board.clone(),
        lossy: false,
        force: false,
    }))
}

/// What `--gif` asks for; likewise.
fn gif(args: &ReplayArgs) -> Result<Option<FilmArgs>, String> {
    let Some(to) = args.gif.clone() else { return Ok(None) };
    let trace = only_trace(args, "--gif films the LCD")?;
    is_free(&to)?;
    Ok(Some(FilmArgs { trace, to, until: args.until }))
}

/// That a file can be written, and is not there yet: it may be the capture of a real board,
/// which nobody can make again.
fn is_free(to: &Path) -> Result<(), String> {
    if to.exists() {
        return Err(format!("{} is there already; delete it, or name another", to.display()));
    }
    is_writable(to)
}

/// The one trace of which `something` is written.
fn only_trace(args: &ReplayArgs, something: &str) -> Result<PathBuf, String> {
    let found = runner::find(&args.paths, args.filter.as_deref()).map_err(|e| e.to_string())?;
    match &found[..] {
        [trace] => Ok(trace.path.clone()),
        _ => Err(format!(
            "{something} of one trace, and these are {}; name one, or use --filter",
            found.len()
        )),
    }
}

/// What GitHub says about the workflow that runs this, if one does.
fn github() -> Option<Github> {
    if variable("GITHUB_ACTIONS")? != "true" {
        return None;
    }
    Some(Github {
        here: env::current_dir().unwrap_or_default(),
        workspace: variable("GITHUB_WORKSPACE").map(Into::into),
        summary: variable("GITHUB_STEP_SUMMARY").map(Into::into),
    })
}

/// A variable of the environment that is set to more than nothing.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}
