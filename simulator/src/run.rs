//! `nudge run`: the board in a window or in the terminal, as far as this program was built with
//! them.

#[cfg(any(feature = "terminal", feature = "window"))]
mod gdb;
#[cfg(any(feature = "terminal", feature = "window"))]
mod keymaps;
#[cfg(any(feature = "terminal", feature = "window"))]
mod recent;
#[cfg(any(feature = "terminal", feature = "window"))]
mod services;
#[cfg(any(feature = "terminal", feature = "window"))]
mod session;
#[cfg(any(feature = "terminal", feature = "window"))]
mod signals;
#[cfg(any(feature = "terminal", feature = "window"))]
mod view;
#[cfg(feature = "window")]
mod watch;

use std::fmt::Display;
use std::io::{self, Write};

use host::Exit;

#[cfg(any(feature = "terminal", feature = "window"))]
pub use session::run;

/// Writes why there is no session.
fn refuse(err: &mut dyn Write, why: impl Display) -> io::Result<Exit> {
    writeln!(err, "nudge: {why}")?;
    Ok(Exit::Usage)
}

/// Without window and terminal: writes how to build them.
#[cfg(not(any(feature = "terminal", feature = "window")))]
pub fn run(
    args: crate::cli::RunArgs,
    _out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    if let Err(error) = crate::board_factory::session_factory(&args.board) {
        return refuse(err, error);
    }
    refuse(
        err,
        "this `nudge` was built without its window; build it with `cargo run --release -p \
         simulator -- run` (needs SDL2, on Debian libsdl2-dev), or for a terminal alone with \
         `cargo run --release -p simulator --no-default-features --features terminal -- run`, or \
         replay a trace without a window: `nudge replay PATH`",
    )
}
