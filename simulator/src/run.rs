//! `nudge run`: the board in a window, if this program was built with one.

#[cfg(feature = "window")]
mod host;
#[cfg(feature = "window")]
mod session;
#[cfg(feature = "window")]
mod signals;

use std::fmt::Display;
use std::io::{self, Write};

use runner::Exit;

#[cfg(feature = "window")]
pub use session::run;

/// Writes why there is no session.
fn refuse(err: &mut dyn Write, why: impl Display) -> io::Result<Exit> {
    writeln!(err, "nudge: {why}")?;
    Ok(Exit::Usage)
}

/// Without the window: writes how to build it.
#[cfg(not(feature = "window"))]
pub fn run(
    args: crate::cli::RunArgs,
    _out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    if let Err(error) = crate::board_factory::board_factory(&args.board) {
        return refuse(err, error);
    }
    refuse(
        err,
        "this `nudge` was built without its window; build it with `cargo run --release -p \
         simulator -- run` (needs SDL2, on Debian libsdl2-dev), or replay a \
         trace without a window: `nudge replay PATH`",
    )
}
