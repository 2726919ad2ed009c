//! The content of a file in flash: a saved game or a log, as text and as bytes.

use firmware_core::history::History;
use firmware_core::storage::files::{FileKind, MOST_BYTES};
use firmware_core::systems::{Game, SYSTEMS};
use trace::Place;

use super::error::TextError;
use crate::game_text;

/// Beginning of every log.
const LOG_TITLE: &str = "log of ";

/// The content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileContent {
    /// A saved game.
    Game(Box<History>),
    /// A log: lines of text.
    Log(String),
}

impl FileContent {
    /// Parses a text: a log if it begins like one, otherwise a saved game. `file` is the name for
    /// errors.
    ///
    /// # Errors
    /// If it is neither, with file, line and column.
    pub fn from_text(file: &str, text: &str) -> Result<Self, TextError> {
        if !text.starts_with(LOG_TITLE) {
            return Ok(Self::Game(Box::new(game_text::parse(file, text)?)));
        }
        if text.len() > MOST_BYTES as usize {
            return Err(TextError::LogTooLong { file: file.to_owned(), bytes: text.len() });
        }
        let text = text.replace("\r\n", "\n");
        for (text, line) in text.lines().zip(1..) {
            let odd = |letter: char| !matches!(letter, ' '..='~');
            if let Some(column) = text.chars().position(odd) {
                let place = Place { line, column: column as u32 + 1 };
                return Err(TextError::LogLetter { file: file.to_owned(), place });
            }
        }
        Ok(Self::Log(text))
    }

    /// Returns the text that [`FileContent::from_text`] reads.
    pub fn to_text(&self) -> String {
        match self {
            Self::Game(history) => game_text::write(history),
            Self::Log(text) => text.clone(),
        }
    }

    pub fn kind(&self) -> FileKind {
        match self {
            Self::Game(_) => FileKind::Game,
            Self::Log(_) => FileKind::Log,
        }
    }

    /// Returns the game system; `None` if a log does not name it.
    pub fn game(&self) -> Option<Game> {
        match self {
            Self::Game(history) => Some(history.setup().game),
            Self::Log(text) => {
                let line = text.lines().find_map(|line| line.strip_prefix("system "))?;
                let name = line.split([',', ' ']).next()?;
                SYSTEMS.iter().find(|system| system.name == name).map(|system| system.game)
            }
        }
    }

    /// Returns the number of moves, including those before the first step; for a log, the number of
    /// its last move.
    pub fn moves(&self) -> u32 {
        match self {
            Self::Game(history) => history.moves(),
            // Only lines for moves, and the line for earlier moves, begin with a number.
            Self::Log(text) => text
                .lines()
                .rev()
                .find_map(|line| line.split_whitespace().next()?.parse().ok())
                .unwrap_or(0),
        }
    }

    /// Returns the bytes of the file in flash.
    pub(super) fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Game(history) => {
                let mut bytes = vec![0; history.saved_len()];
                history.saved_bytes(0, &mut bytes);
                bytes
            }
            Self::Log(text) => text.clone().into_bytes(),
        }
    }
}
