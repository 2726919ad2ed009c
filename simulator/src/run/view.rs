//! Decides whether a window or the terminal shows a session.

use std::io::{IsTerminal as _, stdin, stdout};

use crate::cli::{RunArgs, TtyGraphics};

/// The view that shows a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    Window,
    Terminal,
}

/// Means to show a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surroundings {
    /// This program has a window, and the environment names a display for it.
    display: bool,
    /// Standard input and output are a terminal.
    terminal: bool,
}

/// Reason why the session cannot be shown.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoView {
    #[error(
        "this `nudge` was built without its terminal; build it with `cargo build --release -p \
         simulator`, or with `--no-default-features --features terminal`"
    )]
    NoTerminal,
    #[error(
        "this `nudge` was built without its window, and here is no terminal; build it with `cargo \
         run --release -p simulator -- run` (needs SDL2, on Debian libsdl2-dev), or replay a trace \
         without a window: `{program} replay PATH`",
        program = live::command_name()
    )]
    NoWindow,
    #[error(
        "`{0}` is of the window, and this session is in the terminal; leave one of the two out"
    )]
    OfWindow(&'static str),
    #[error(
        "`{0}` is of the window, and no display is named by DISPLAY or WAYLAND_DISPLAY; without it, \
         this session is shown in the terminal"
    )]
    NoDisplayFor(&'static str),
    #[error("`--tty-graphics` is of the terminal; add `--tty`")]
    OfTerminal,
}

impl Surroundings {
    /// Returns the surroundings of this process.
    pub fn of_process() -> Self {
        #[cfg(feature = "window")]
        let display = !window::display_is_missing();
        #[cfg(not(feature = "window"))]
        let display = false;
        Self { display, terminal: stdin().is_terminal() && stdout().is_terminal() }
    }
}

/// Chooses the view for the session of `args`.
///
/// # Errors
/// If this program has no such view, or an option belongs to the other one.
pub fn view(args: &RunArgs, surroundings: Surroundings) -> Result<View, NoView> {
    let Surroundings { display, terminal } = surroundings;
    if args.tty && cfg!(not(feature = "terminal")) {
        return Err(NoView::NoTerminal);
    }
    if args.tty || (!display && terminal && cfg!(feature = "terminal")) {
        let of_window = [
            ("--scale", args.scale.is_some()),
            ("--bare", args.bare),
            ("--full-screen", args.full_screen),
            ("--light", args.light),
            ("--panel", args.panel.is_some()),
            ("--watch", args.watch),
        ];
        return match of_window.into_iter().find(|(_, given)| *given) {
            Some((option, _)) if args.tty => Err(NoView::OfWindow(option)),
            Some((option, _)) => Err(NoView::NoDisplayFor(option)),
            None => Ok(View::Terminal),
        };
    }
    if cfg!(not(feature = "window")) {
        return Err(NoView::NoWindow);
    }
    if args.tty_graphics != TtyGraphics::Auto {
        return Err(NoView::OfTerminal);
    }
    Ok(View::Window)
}

#[cfg(all(test, feature = "terminal", feature = "window"))]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::{Cli, Verb};

    const DISPLAY: Surroundings = Surroundings { display: true, terminal: true };
    const TERMINAL: Surroundings = Surroundings { display: false, terminal: true };
    const NEITHER: Surroundings = Surroundings { display: false, terminal: false };

    #[track_caller]
    fn check(arguments: &str, surroundings: Surroundings, expected: Result<View, NoView>) {
        let words = format!("nudge run {arguments}");
        let Verb::Run(args) = Cli::try_parse_from(words.split_whitespace()).unwrap().verb else {
            panic!("another verb");
        };
        assert_eq!(view(&args, surroundings), expected, "{arguments} {surroundings:?}");
    }

    #[test]
    fn the_terminal_is_used_if_requested_or_the_only_means() {
        check("", DISPLAY, Ok(View::Window));
        check("", TERMINAL, Ok(View::Terminal));
        // The window reports that there is no display.
        check("", NEITHER, Ok(View::Window));
        check("--tty", DISPLAY, Ok(View::Terminal));
        check("--tty --console --mute --speed 2", NEITHER, Ok(View::Terminal));
        check("--tty-graphics blocks", TERMINAL, Ok(View::Terminal));
    }

    #[test]
    fn an_option_of_the_other_one_is_refused() {
        for option in ["--bare", "--full-screen", "--light", "--watch"] {
            check(&format!("--tty {option}"), DISPLAY, Err(NoView::OfWindow(option)));
            check(option, TERMINAL, Err(NoView::NoDisplayFor(option)));
            check(option, DISPLAY, Ok(View::Window));
        }
        check("--tty --panel tearing", DISPLAY, Err(NoView::OfWindow("--panel")));
        check("--tty --scale 2", DISPLAY, Err(NoView::OfWindow("--scale")));
        check("--tty-graphics sixel", DISPLAY, Err(NoView::OfTerminal));
    }
}
