//! `nudge font`: fonts with which the text of other programs is read.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use host::Exit;
use host::output_files::{Output, OutputError};
use reading::fonts::{self, FILE_MAX, FontError, FontFault, Glyphs, LearnError};

use crate::cli::{FontLearnArgs, FontVerb};
use crate::screenshot::{ScreenshotError, frame};

/// Errors of `nudge font`.
#[derive(Debug, thiserror::Error)]
enum FontVerbError {
    #[error(transparent)]
    Frame(#[from] ScreenshotError),
    #[error("{}: {source}", trace.display())]
    Learn { trace: PathBuf, source: LearnError },
    #[error("{}: cannot be read: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Font(#[from] FontError),
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl FontVerbError {
    fn exit(&self) -> Exit {
        match self {
            Self::Frame(error) => error.exit(),
            _ => Exit::Usage,
        }
    }
}

/// Executes a verb of `nudge font`.
pub fn font(verb: &FontVerb, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let FontVerb::Learn(args) = verb;
    match learn(args) {
        Ok(font) => {
            let Glyphs { columns, rows, all, .. } = font;
            let letters: String = all.iter().map(|(letter, _)| *letter).collect();
            let path = args.output.display();
            writeln!(out, "wrote {path}: {} glyphs of {columns}x{rows} px: {letters}", all.len())?;
            writeln!(out, "read text with it by two lines of the board file:")?;
            writeln!(out, "[[font]]\nfile = \"{path}\"")?;
            Ok(Exit::Passed)
        }
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            Ok(error.exit())
        }
    }
}

fn learn(args: &FontLearnArgs) -> Result<Glyphs, FontVerbError> {
    let FontLearnArgs { trace, text, region, at, output, add, force, board } = args;
    let known = if *add { read(output)? } else { None };
    let mut file = Output::new(output).replace(*force || known.is_some()).create()?;
    let frame = frame(board, trace, *at)?;
    let name = output.file_stem().unwrap_or_default().to_string_lossy();
    let mut font = fonts::learn(&name, &frame, *region, text)
        .map_err(|source| FontVerbError::Learn { trace: trace.clone(), source })?;
    if let Some(mut known) = known {
        let fault = |fault: FontFault| FontError { path: output.clone(), fault };
        known.extend(&font).map_err(fault)?;
        font = known;
    }
    file.fill(font.to_bdf().as_bytes())?;
    file.commit()?;
    Ok(font)
}

/// Returns the font that is extended; `None` if the file does not exist yet.
fn read(path: &Path) -> Result<Option<Glyphs>, FontVerbError> {
    match host::input_files::read(path, FILE_MAX + 1) {
        Ok(bytes) => Ok(Some(fonts::load(path, &bytes, None)?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(FontVerbError::Unreadable { path: path.to_owned(), source }),
    }
}
