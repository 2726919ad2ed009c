//! `nudge run`: the board in a window, if this program was built with one.

use std::io::{self, Write};

use runner::Exit;

use crate::board_factory::board_factory;
use crate::cli::RunArgs;

/// Writes why there is no session.
fn refuse(err: &mut dyn Write, why: impl std::fmt::Display) -> io::Result<Exit> {
    writeln!(err, "nudge: {why}")?;
    Ok(Exit::Usage)
}

/// Without the window: writes how to build it.
#[cfg(not(feature = "window"))]
pub fn run(args: RunArgs, _out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    if let Err(error) = board_factory(&args.board) {
        return refuse(err, error);
    }
    refuse(
        err,
        "this `nudge` was built without its window; build it with `cargo run --release -p \
         simulator -- run` (needs SDL2, on Debian libsdl2-dev), or replay a \
         trace without a window: `nudge replay PATH`",
    )
}

/// The window, until it is closed.
#[cfg(feature = "window")]
pub fn run(args: RunArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let test = args.record.clone().filter(|_| args.expect).map(|file| (file, args.board.clone()));
    let options = match options(args) {
        Ok(options) => options,
        Err(why) => return refuse(err, why),
    };
    match window::run(options) {
        Ok(()) => match test {
            Some((recording, board)) => save_test(&recording, &board, out, err),
            None => Ok(Exit::Passed),
        },
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            Ok(if error.exit_code() == 1 { Exit::Failed } else { Exit::Usage })
        }
    }
}

/// Makes a test of the recording. The recording is replaced only after the test has been written.
#[cfg(feature = "window")]
fn save_test(
    recording: &std::path::Path,
    board: &boards::Board,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    match board_factory(board) {
        Ok(factory) => {
            let to = crate::trace::tidy::TidyOutput { path: recording, force: true, expect: true };
            crate::trace::tidy::tidy_file(recording, to, &factory, out, err)
        }
        Err(error) => refuse(err, error),
    }
}

/// Why the window does not open.
#[cfg(feature = "window")]
#[derive(Debug, thiserror::Error)]
enum RunError {
    #[error(transparent)]
    Board(#[from] boards::BoardError),
    #[error(transparent)]
    Session(#[from] boards::session::SessionError),
    #[error(transparent)]
    Keymap(#[from] window::keymap::KeymapFileError),
}

/// The options of the window, with the key map and the flash read.
#[cfg(feature = "window")]
fn options(args: RunArgs) -> Result<window::RunOptions, RunError> {
    use boards::session::{Session, SessionOptions};
    use window::RunOptions;
    use window::face::Scale;
    use window::keymap::Keymap;

    let factory = board_factory(&args.board)?;
    let keymap = args.keymap.as_deref().map(Keymap::load).transpose()?.unwrap_or_default();
    // A recording starts from a factory-new board, unless another flash is named.
    let flash = match (args.flash, &args.record) {
        (Some(named), _) => Some(named),
        (None, Some(_)) => None,
        (None, None) => crate::data_folder::flash_file(),
    };
    let options =
        SessionOptions { record: args.record.clone(), flash, seed: args.seed, game: args.game };
    let session = Session::prepare(options)?;
    let (header, flash) = (session.header.clone(), session.save_flash_to.clone());
    let flash_beside = session.flash_beside.clone();
    Ok(RunOptions {
        machine: Box::new(move || session.machine(&factory)),
        panel: panel(),
        record: args.record,
        header,
        flash_beside,
        flash,
        scale: args.scale.and_then(Scale::new),
        speed: args.speed,
        mute: args.mute,
        keymap,
    })
}

/// The panel, for the window's picture of the board.
#[cfg(feature = "window")]
fn panel() -> window::face::Panel {
    use firmware_core::lcd::PANEL;
    use firmware_core::screen::layout::Layout;

    let layout = Layout::new(PANEL);
    window::face::Panel {
        width: PANEL.width,
        height: PANEL.height,
        columns: [0, 1, 2, 3, 4, 5].map(|nth| layout.button_column(nth)),
    }
}

#[cfg(all(test, feature = "window"))]
mod tests {
    #[test]
    fn the_buttons_stand_over_six_columns_of_the_panel() {
        let panel = super::panel();
        assert!(panel.columns.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(panel.columns[5] < panel.width);
    }
}
