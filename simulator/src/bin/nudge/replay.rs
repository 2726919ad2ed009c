//! `nudge replay`: the command line's side of the runner. Here is read what the environment
//! says about colours, pictures and GitHub; the runner reads no environment.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use hal_mock::trace::Trace;
use simulator::boards::Maker;
use simulator::runner::{self, Exit, Github, Options, Protocol};
use simulator::setup::Board;

use crate::boards;
use crate::cli::{Color, ReplayArgs};
use crate::film::{FilmArgs, film};
use crate::timing;
use crate::trace::arguments::ConvertArgs;
use crate::trace::convert;

pub fn replay(args: ReplayArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let maker = match Maker::of(&args.board) {
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
    // https://no-color.org: set to anything but nothing.
    let auto = is_terminal && variable("NO_COLOR").is_none() && args.color != Color::Never;
    let pictures = args.pictures.or_else(|| Protocol::detect(variable));
    let options = Options {
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
    };
    let filter = options.filter.clone();
    let build = |trace: &Trace| maker.build(trace, None);
    let exit = runner::run(&args.paths, &options, &build, &boards::reader(), out, err)?;
    if exit == Exit::Usage {
        return Ok(exit);
    }
    let mut worst = exit;
    if args.timing {
        worst = worst.max(timing::tables(&args.paths, filter.as_deref(), &args.board, out, err)?);
    }
    if let Some(waveform) = waveform {
        worst = worst.max(convert(&waveform, out, err)?);
    }
    if let Some(gif) = gif {
        worst = worst.max(film(&gif, &maker, out, err)?);
    }
    Ok(worst)
}

/// What `--vcd` asks for.
fn waveform(args: &ReplayArgs) -> Result<Option<ConvertArgs>, String> {
    let Some(to) = args.vcd.clone() else { return Ok(None) };
    Ok(Some(ConvertArgs {
        from: only_trace(args, "--vcd writes the waveform")?,
        to,
        map: None,
        debounce: None,
        signals: Vec::new(),
        board: args.board.clone(),
        lossy: false,
        force: true,
    }))
}

/// What `--gif` asks for.
fn gif(args: &ReplayArgs) -> Result<Option<FilmArgs>, String> {
    let Some(to) = args.gif.clone() else { return Ok(None) };
    let trace = only_trace(args, "--gif films the LCD")?;
    Ok(Some(FilmArgs { trace, to, until: args.until }))
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
