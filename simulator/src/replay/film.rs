//! `nudge replay --gif`: films the LCD.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use hal_mock::VirtualBoard;
use host::{
    Exit,
    output_files::{Output, OutputError, OutputFile},
};
use runner::{
    film::Film,
    frames::FrameObserver as _,
    observe::{ReplayEnd, ReplayObserver, ReplayStart},
};
use trace::counted;
use virtual_time::Instant;

use crate::refusal::{Refusal, usage};

/// The file of the film, and its number of pictures after the replay.
pub struct FilmFile {
    path: PathBuf,
    file: OutputFile,
    pictures: Mutex<Option<Result<u64, Refusal>>>,
}

impl FilmFile {
    /// Opens the file; an existing file is replaced only if `force` is set.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn create(path: &Path, force: bool) -> Result<Self, OutputError> {
        let file = Output::new(path).replace(force).create()?;
        Ok(Self { path: path.to_owned(), file, pictures: Mutex::new(None) })
    }

    /// Returns an observer that films a replay into the file.
    pub fn observer(&self, start: &ReplayStart<'_>) -> Box<dyn ReplayObserver + '_> {
        let panel = start.board.panel();
        let film =
            self.file.writer().map_err(usage).and_then(|out| {
                Film::new(out, panel).map_err(|error| unwritable(&self.path, &error))
            });
        Box::new(FilmObserver { file: self, film: Some(film) })
    }

    /// Completes the file; returns `None` if no replay ended.
    ///
    /// # Errors
    /// If `out` or `err` cannot be written.
    pub fn finish(self, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Option<Exit>> {
        let pictures = self.pictures.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Some(pictures) = pictures else { return Ok(None) };
        let written = pictures.and_then(|pictures| {
            self.file.commit().map_err(usage)?;
            Ok(pictures)
        });
        match written {
            Ok(pictures) => {
                writeln!(out, "wrote {}, {}", self.path.display(), counted(pictures, "picture"))?;
                Ok(Some(Exit::Passed))
            }
            Err((exit, messages)) => {
                for message in messages {
                    writeln!(err, "nudge: {message}")?;
                }
                Ok(Some(exit))
            }
        }
    }
}

fn unwritable(path: &Path, error: &io::Error) -> Refusal {
    usage(format!("{}: {error}", path.display()))
}

struct FilmObserver<'a> {
    file: &'a FilmFile,
    /// `None` after the replay.
    film: Option<Result<Film<BufWriter<File>>, Refusal>>,
}

impl ReplayObserver for FilmObserver<'_> {
    fn frame_complete(&mut self, at: Instant, board: &VirtualBoard) {
        if let Some(Ok(film)) = &mut self.film {
            film.frame_complete(at, board);
        }
    }

    fn ended(&mut self, end: &ReplayEnd<'_>) {
        let Some(film) = self.film.take() else { return };
        let pictures = film.and_then(|film| {
            film.finish(end.ended_at).map_err(|error| unwritable(&self.file.path, &error))
        });
        *self.file.pictures.lock().unwrap_or_else(PoisonError::into_inner) = Some(pictures);
    }
}
