//! A built firmware: a copy of `nudge`, or a program for a Pico.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use boards::{Board, BoardFactory, DescribedBoard, DescribedError, LcdFirmware as _};
use changes::sides::{How, OtherNudge, Side, SideError};
use hal_mock::setup::SetupError;
use host::{Interrupt, output_files::copy_new};
use live::{Engine, LiveError, SeparateProcess};
use trace::{HeaderEntry, Trace};

use crate::board_factory::{self, board_factory};
use crate::firmware::firmware_name;
use crate::run::services::words_of;

/// Subcommand with which a `nudge` runs a session.
pub const SESSION: &str = "session";
/// Number of bytes that are compared at a time.
const CHUNK: usize = 1 << 16;

/// A built firmware.
pub enum Firmware {
    /// A `nudge`. Its file is removed when this is dropped.
    Program(Copied, OtherNudge),
    /// Program of an emulated chip, with a copy of its file.
    Chip(Copied, BoardFactory, String),
}

/// A copy of a built file, because the next build overwrites the original. Removed when it is
/// dropped.
pub struct Copied(PathBuf);

impl Drop for Copied {
    fn drop(&mut self) {
        // A running program's file cannot be removed on some systems. In that case the folder is
        // removed later.
        let _ = fs::remove_file(&self.0);
    }
}

/// The reason why a built firmware cannot run.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    #[error("{}: {source}", path.display())]
    File {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error(transparent)]
    Side(#[from] SideError),
    #[error(transparent)]
    Board(#[from] boards::BoardError),
    #[error(transparent)]
    Described(#[from] Box<DescribedError>),
    #[error(
        "{}: it has other buttons or another panel now; end this session, and start `{program} run` again",
        .0.display(), program = live::command_name()
    )]
    OtherParts(PathBuf),
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error(transparent)]
    Live(LiveError),
}

impl Firmware {
    /// Returns the firmware of this program.
    ///
    /// # Errors
    /// If the program's file cannot be copied.
    pub fn first(board: &Board, boards: &BoardFactory, folder: &Path) -> io::Result<Self> {
        if board_factory::is_own_firmware(boards) {
            let copied = copy(&host::own_program()?, folder, 0)?;
            let other = OtherNudge::at(&copied.0, &How::default()).map_err(io::Error::other)?;
            return Ok(Self::Program(copied, other));
        }
        match boards {
            BoardFactory::Native(..) | BoardFactory::Pico(..) | BoardFactory::Described(_) => {
                let name = firmware_name(board, boards);
                // No built file is equal to this one.
                Ok(Self::Chip(Copied(folder.join("none")), boards.clone(), name))
            }
            // `--watch` is refused earlier for these boards.
            BoardFactory::Probe(..) | BoardFactory::EmulatedProbe(..) => {
                Err(io::ErrorKind::Unsupported.into())
            }
        }
    }

    /// Returns the firmware in the file `built`; `None` if its bytes are those of this firmware, and so
    /// is the board file, if one describes the board.
    ///
    /// # Errors
    /// If the firmware does not run.
    pub fn next(
        &self,
        built: &Path,
        folder: &Path,
        number: u64,
        interrupt: &Interrupt,
    ) -> Result<Option<Self>, Unfit> {
        let (Self::Program(before, _) | Self::Chip(before, ..)) = self;
        let file = |source| Unfit::File { path: built.to_owned(), source };
        let copied = copy(built, folder, number).map_err(file)?;
        if let Self::Chip(_, BoardFactory::Described(board), _) = self {
            return described(board, copied);
        }
        if before.0.is_file() && is_same(&before.0, &copied.0).map_err(file)? {
            return Ok(None);
        }
        match self {
            Self::Program(..) => {
                let how = How { interrupt: interrupt.clone(), ..How::default() };
                let other = OtherNudge::at(&copied.0, &how)?;
                Ok(Some(Self::Program(copied, other)))
            }
            Self::Chip(..) => {
                let board = Board::Pico(Some(copied.0.clone()));
                let boards = board_factory(&board)?;
                // Programs that no board can run are refused here.
                boards.build(&Trace::default(), None)?;
                let name = firmware_name(&board, &boards);
                Ok(Some(Self::Chip(copied, boards, name)))
            }
        }
    }

    /// Returns an engine that runs a session of this firmware.
    pub fn engine(&self, header: &[HeaderEntry], image: Option<&[u8]>) -> Engine {
        let (header, image) = (header.to_vec(), image.map(<[u8]>::to_vec));
        match self {
            Self::Program(copied, _) => Engine::SeparateProcess(SeparateProcess {
                program: copied.0.clone(),
                arguments: vec![SESSION.to_owned()],
                parts: board_factory::native().parts().unwrap_or_default(),
                header,
                image,
            }),
            Self::Chip(_, boards, _) => {
                let boards = boards.clone();
                let trace = Trace { header, ..Trace::default() };
                Engine::Here(Box::new(move || boards.build(&trace, image.clone())))
            }
        }
    }

    /// Returns the observation of a replay, as one side of a comparison.
    pub fn observed(&self, path: &Path, how: &How) -> Result<changes::stream::Observed, SideError> {
        let reader = crate::text_reader::reader();
        match self {
            Self::Program(_, other) => Side::Program(other).observe(path, &reader, how),
            Self::Chip(_, boards, name) => {
                let build = |trace: &Trace| boards.build(trace, None);
                Side::Here { boards: &build, parts: None, firmware: name }
                    .observe(path, &reader, how)
            }
        }
    }

    /// Returns the name of the firmware: `native, source 1f0c5b8e27d94a63`.
    pub fn name(&self) -> &str {
        match self {
            Self::Program(_, other) => &other.firmware,
            Self::Chip(_, _, name) => name,
        }
    }

    /// Returns a description in a few words, for the window.
    pub fn identity(&self, header: &[HeaderEntry]) -> String {
        words_of(self.name(), header)
    }
}

/// Returns the firmware of a described board with the program in `copied`, from the board file as it
/// is now; `None` if both are those of `board`.
fn described(board: &DescribedBoard, copied: Copied) -> Result<Option<Firmware>, Unfit> {
    let path = board.path();
    let next = DescribedBoard::load_with(path, Some(&copied.0)).map_err(Box::new)?;
    if next.digest() == board.digest() {
        return Ok(None);
    }
    if next.parts() != board.parts() {
        return Err(Unfit::OtherParts(path.to_owned()));
    }
    let next = next.with_lcd_settings(firmware_board::Firmware.settings());
    let boards = BoardFactory::Described(Arc::new(next));
    boards.build(&Trace::default(), None)?;
    let name = firmware_name(&Board::Described(path.to_owned()), &boards);
    Ok(Some(Firmware::Chip(copied, boards, name)))
}

fn copy(from: &Path, folder: &Path, number: u64) -> io::Result<Copied> {
    let extension = from.extension().unwrap_or_default().to_string_lossy();
    let to = folder.join(format!("firmware-{number}")).with_extension(extension.as_ref());
    copy_new(from, &to)?;
    Ok(Copied(to))
}

/// Returns whether two files have the same bytes.
fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    if fs::metadata(one)?.len() != fs::metadata(other)?.len() {
        return Ok(false);
    }
    let [mut one, mut other] = [
        BufReader::with_capacity(CHUNK, File::open(one)?),
        BufReader::with_capacity(CHUNK, File::open(other)?),
    ];
    let [mut left, mut right] = [vec![0; CHUNK], vec![0; CHUNK]];
    loop {
        let length = one.read(&mut left)?;
        if length == 0 {
            return Ok(true);
        }
        other.read_exact(&mut right[..length])?;
        if left[..length] != right[..length] {
            return Ok(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_the_same_only_if_every_byte_is() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["a", "b"].map(|name| folder.path().join(name));
        let mut bytes = vec![7; 3 * CHUNK + 5];
        fs::write(&one, &bytes).unwrap();
        fs::write(&other, &bytes).unwrap();
        assert!(is_same(&one, &other).unwrap());
        bytes[3 * CHUNK + 4] = 8;
        fs::write(&other, &bytes).unwrap();
        assert!(!is_same(&one, &other).unwrap());
        fs::write(&other, &bytes[1..]).unwrap();
        assert!(!is_same(&one, &other).unwrap());
    }
}
