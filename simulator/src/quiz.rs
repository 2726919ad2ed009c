//! `nudge quiz`: asks the emulated chip the questions of the quiz, and compares its answers.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use host::{Exit, input_files};
use rp2040_emulator::image::ImageError;
use rp2040_emulator::program::{Program, ProgramError};
use rp2040_tools::quiz::{ANSWERS, Answers, AnswersError, PROGRAM, QuizError, TEXT_BYTES_MAX, ask};

use crate::cli::QuizArgs;

/// Errors of `nudge quiz`.
#[derive(Debug, thiserror::Error)]
enum QuizVerbError {
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The program that is built in is damaged.
    #[error("the built-in quiz: {0}")]
    BuiltIn(#[from] ImageError),
    /// The program gives no answers.
    #[error("{program}: {error}")]
    Quiz {
        program: String,
        #[source]
        error: QuizError,
    },
    /// A file cannot be read.
    #[error("{} cannot be read: {error}", path.display())]
    Unreadable {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    /// The answers of `place` cannot be read.
    #[error("{place}: {error}")]
    Answers {
        place: String,
        #[source]
        error: AnswersError,
    },
}

pub fn quiz(args: &QuizArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let (there, place) = match against(args.against.as_deref()) {
        Ok(there) => there,
        Err(error) => return refused(&error, err),
    };
    let (printed, here) = match answers(args.file.as_deref()) {
        Ok(here) => here,
        Err(error) => return refused(&error, err),
    };
    for line in printed.lines() {
        writeln!(out, "{line}")?;
    }
    let differences = here.differences(&there);
    for difference in &differences {
        writeln!(err, "{difference}")?;
    }
    let (different, asked) = (differences.len(), here.count());
    writeln!(err, "{different} of {asked} answers differ from {place}")?;
    Ok(if different == 0 { Exit::Passed } else { Exit::Failed })
}

fn refused(error: &QuizVerbError, err: &mut dyn Write) -> io::Result<Exit> {
    writeln!(err, "nudge: {error}")?;
    Ok(Exit::Usage)
}

/// Returns the answers to compare with, and where they are from.
fn against(path: Option<&Path>) -> Result<(Answers, String), QuizVerbError> {
    let (text, place) = match path {
        None => (ANSWERS.to_owned(), "the recorded ones of this emulator".to_owned()),
        Some(path) => {
            let bytes = input_files::read(path, TEXT_BYTES_MAX);
            let bytes = bytes
                .map_err(|error| QuizVerbError::Unreadable { path: path.to_owned(), error })?;
            // A byte that a terminal program lost is a line that is no answer.
            (String::from_utf8_lossy(&bytes).into_owned(), path.display().to_string())
        }
    };
    let answers = parse(&text, &place)?;
    Ok((answers, place))
}

/// Returns what the program prints, and its answers.
fn answers(file: Option<&Path>) -> Result<(String, Answers), QuizVerbError> {
    let (program, name) = match file {
        Some(path) => (Program::load(path)?, path.display().to_string()),
        None => (Program::parse(PROGRAM)?, "the built-in quiz".to_owned()),
    };
    let printed = ask(&program);
    let printed = printed.map_err(|error| QuizVerbError::Quiz { program: name.clone(), error })?;
    let answers = parse(&printed, &name)?;
    Ok((printed, answers))
}

fn parse(text: &str, place: &str) -> Result<Answers, QuizVerbError> {
    let place = place.to_owned();
    Answers::parse(text).map_err(|error| QuizVerbError::Answers { place, error })
}
