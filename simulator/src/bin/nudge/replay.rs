//! `nudge replay`: the command line's side of the runner. Here is read what the environment
//! says about colours, pictures and GitHub; the runner reads no environment.

use std::env;
use std::io::{self, IsTerminal, Write};

use hal_mock::trace::Trace;
use simulator::boards::Maker;
use simulator::formats::Kind;
use simulator::runner::{self, Exit, Github, Options, Protocol};
use simulator::setup::Board;

use crate::boards;
use crate::cli::{Color, ReplayArgs};
use crate::ctrl_c;
use crate::timing;
use crate::trace::arguments::ConvertArgs;
use crate::trace::{convert, is_writable};

pub fn replay(args: ReplayArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let maker = match Maker::of(&args.board) {
        Ok(maker) => maker,
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    let waveform = match waveform(&args) {
        Ok(waveform) => waveform,
        Err(message) => {
            writeln!(err, "nudge: {message}")?;
            return Ok(Exit::Usage);
        }
    };
    let is_terminal = io::stdout().is_terminal();
    // https://no-color.org: set to anything but nothing. A dumb terminal shows escape sequences.
    let wants_none =
        variable("NO_COLOR").is_some() || variable("TERM").is_some_and(|term| term == "dumb");
    let auto = is_terminal && !wants_none && args.color != Color::Never;
    let pictures = args.pictures.or_else(|| Protocol::detect(variable));
    let interrupt = ctrl_c::listen();
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
        interrupt: interrupt.clone(),
    };
    let filter = options.filter.clone();
    let build = |trace: &Trace| maker.build(trace, None);
    let exit = runner::run(&args.paths, &options, &build, &boards::reader(), out, err)?;
    if matches!(exit, Exit::Usage | Exit::Interrupted) {
        return Ok(exit);
    }
    let mut worst = exit;
    if args.timing {
        let filter = filter.as_deref();
        let told = timing::tables(&args.paths, filter, &args.board, &interrupt, out, err)?;
        worst = worst.max(told);
    }
    match waveform {
        Some(waveform) if worst != Exit::Interrupted => {
            Ok(worst.max(convert(&waveform, Some(interrupt), out, err)?))
        }
        _ => Ok(worst),
    }
}

/// What `--vcd` asks for. That it can be written is known before anything runs.
fn waveform(args: &ReplayArgs) -> Result<Option<ConvertArgs>, String> {
    let Some(to) = args.vcd.clone() else { return Ok(None) };
    let found = runner::find(&args.paths, args.filter.as_deref()).map_err(|e| e.to_string())?;
    let [trace] = &found[..] else {
        return Err(format!(
            "--vcd writes the waveform of one trace, and these are {}; name one, or use --filter",
            found.len()
        ));
    };
    if Kind::of_name(&to) != Some(Kind::Vcd) {
        return Err(format!("{}: --vcd writes a .vcd; name one", to.display()));
    }
    // It may be the capture of a real board, which nobody can make again.
    if to.exists() {
        return Err(format!("{} is there already; delete it, or name another", to.display()));
    }
    is_writable(&to)?;
    Ok(Some(ConvertArgs {
        from: trace.path.clone(),
        to,
        map: None,
        debounce: None,
        signals: Vec::new(),
        board: args.board.clone(),
        lossy: false,
        force: false,
    }))
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
