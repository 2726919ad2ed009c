//! Errors of `nudge run`: it did not run, or did not save its files.

use sdl2::IntegerOrSdlError;
use sdl2::render::TextureValueError;
use sdl2::video::WindowBuildError;
use thiserror::Error;

use live::{LiveError, SessionError};

/// Errors in one sentence each, with the next step where there is one. The exit code is 1 for
/// stopped firmware and 2 for all others: see [`RunError::exit_code`].
#[derive(Debug, Error)]
pub enum RunError {
    /// There is no display.
    #[error(
        "there is no display to open the board's window on ({0}); without one, show the board in a \
         terminal with `{program} run --tty`, play a trace with `{program} replay` or take a \
         picture of the LCD with `{program} screenshot`",
        program = live::command_name()
    )]
    NoDisplay(#[source] NoDisplay),
    /// The window could not be made or drawn.
    #[error("the window cannot be shown: {0}")]
    Window(#[source] SdlError),
    /// The session's thread does not answer.
    #[error(transparent)]
    Live(LiveError),
    /// The session could not start, or did not save its files.
    #[error(transparent)]
    Session(#[from] SessionError),
}

/// Reason why there is no display to open a window on.
#[derive(Debug, Error)]
pub enum NoDisplay {
    /// No variable of the environment names one.
    #[error("neither DISPLAY nor WAYLAND_DISPLAY is set")]
    NotSet,
    /// SDL found only a video driver that shows nothing; its name.
    #[error("SDL found only its `{0}` driver")]
    InvisibleDriver(&'static str),
    /// The display that a variable of the environment names does not answer.
    #[error("{variable} is `{value}`, and no display answers there: {error}")]
    Unreachable {
        variable: &'static str,
        value: String,
        #[source]
        error: SdlError,
    },
    /// SDL cannot be started.
    #[error(transparent)]
    Sdl(SdlError),
}

/// An error of SDL.
#[derive(Debug, Error)]
pub enum SdlError {
    /// The text of `SDL_GetError`: most of the crate's functions return no more.
    #[error("{0}")]
    Message(String),
    /// The window cannot be made.
    #[error(transparent)]
    Window(#[from] WindowBuildError),
    /// The window's renderer cannot be made.
    #[error(transparent)]
    Canvas(#[from] IntegerOrSdlError),
    /// A texture cannot be made.
    #[error(transparent)]
    Texture(#[from] TextureValueError),
    /// A picture of another size than its texture.
    #[error("a picture of another size")]
    PictureSize,
}

/// A message of SDL.
impl From<String> for SdlError {
    fn from(message: String) -> Self {
        Self::Message(message)
    }
}

impl RunError {
    /// Returns the exit code of `nudge`: 1 if the firmware stopped, otherwise 2.
    pub fn exit_code(&self) -> u8 {
        if let Self::Session(error) = self { error.exit_code() } else { 2 }
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::io;
    use std::path::PathBuf;

    use hal_mock::{MachineError, setup::SetupError};
    use live::FlashFileError;
    use virtual_time::Instant;

    use super::*;

    fn full() -> io::Error {
        io::Error::other("the disk is full")
    }

    #[test]
    fn every_error_has_its_text_its_exit_code_and_its_source() {
        let path = || PathBuf::from("win.trace");
        let display = |reason: &str| {
            format!(
                "there is no display to open the board's window on ({reason}); without one, show \
                 the board in a terminal with `nudge run --tty`, play a trace with `nudge replay` \
                 or take a picture of the LCD with `nudge screenshot`"
            )
        };
        let sdl = || SdlError::from("No available video device".to_owned());
        let broken = MachineError::new(Instant::from_millis(12), "out of ideas");
        let stopped = format!("the firmware stopped {broken}");
        let unreachable =
            NoDisplay::Unreachable { variable: "DISPLAY", value: ":9".into(), error: sdl() };
        let cases: [(RunError, String, u8, bool); 15] = [
            (
                RunError::NoDisplay(unreachable),
                display("DISPLAY is `:9`, and no display answers there: No available video device"),
                2,
                true,
            ),
            (
                RunError::NoDisplay(NoDisplay::NotSet),
                display("neither DISPLAY nor WAYLAND_DISPLAY is set"),
                2,
                true,
            ),
            (
                RunError::NoDisplay(NoDisplay::InvisibleDriver("dummy")),
                display("SDL found only its `dummy` driver"),
                2,
                true,
            ),
            (
                RunError::NoDisplay(NoDisplay::Sdl(sdl())),
                display("No available video device"),
                2,
                true,
            ),
            (
                RunError::Window(sdl()),
                "the window cannot be shown: No available video device".into(),
                2,
                true,
            ),
            (
                RunError::Window(SdlError::PictureSize),
                "the window cannot be shown: a picture of another size".into(),
                2,
                true,
            ),
            (
                SessionError::Record { path: path(), error: io::ErrorKind::AlreadyExists.into() }
                    .into(),
                "win.trace exists already, and a recording overwrites nothing; name another file"
                    .into(),
                2,
                true,
            ),
            (
                SessionError::Record { path: path(), error: full() }.into(),
                "cannot record into win.trace: the disk is full".into(),
                2,
                true,
            ),
            (
                SessionError::RecordingLost { path: path(), error: full() }.into(),
                "the recording in win.trace is not complete, it ends where this came up: the disk \
                 is full"
                    .into(),
                2,
                true,
            ),
            (
                SessionError::Flash(FlashFileError::Unwritable {
                    path: "flash.bin".into(),
                    source: full(),
                })
                .into(),
                "cannot keep the board's flash in flash.bin: the disk is full".into(),
                2,
                true,
            ),
            (
                RunError::Live(LiveError::Machine(SetupError::new("the flash is torn"))),
                "the board cannot be built: the flash is torn".into(),
                2,
                true,
            ),
            (
                RunError::Live(LiveError::Recording(full())),
                "the recording cannot be begun: the disk is full".into(),
                2,
                true,
            ),
            (
                RunError::Live(LiveError::Thread(full())),
                "the firmware gets no thread: the disk is full".into(),
                2,
                true,
            ),
            (
                RunError::Live(LiveError::Gone),
                "the firmware's thread does not answer any more".into(),
                2,
                false,
            ),
            (SessionError::Broken(broken).into(), stopped, 1, true),
        ];
        for (error, text, code, has_source) in cases {
            assert_eq!(error.to_string(), text);
            assert_eq!(error.exit_code(), code, "{text}");
            assert_eq!(error.source().is_some(), has_source, "{text}");
        }
    }
}
