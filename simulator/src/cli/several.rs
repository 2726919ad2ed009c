//! The argument of `nudge replay --boards`: boards that replay the same traces. The others are
//! compared with the first.

use core::str::FromStr;

use boards::{Board, BoardNameError};

/// Maximum number of boards in a comparison: each replays on its own thread.
const BOARDS_MAX: usize = 8;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardList(pub Vec<Board>);

/// Errors in the argument of `--boards`.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardListError {
    #[error(transparent)]
    Board(#[from] BoardNameError),
    /// Fewer than two boards, or more than [`BOARDS_MAX`].
    #[error(
        "--boards compares 2 to {BOARDS_MAX} boards, and these are {0}; name them like native,pico"
    )]
    Number(usize),
    /// The same board twice.
    #[error("--boards names {0} twice")]
    Twice(Board),
}

impl FromStr for BoardList {
    type Err = BoardListError;

    fn from_str(text: &str) -> Result<Self, BoardListError> {
        // After `probe:PORT` a part that is not a board is another port.
        let mut names: Vec<String> = Vec::new();
        for part in text.split(',') {
            match names.last_mut() {
                Some(probe) if probe.starts_with("probe:") && part.parse::<Board>().is_err() => {
                    probe.push(',');
                    probe.push_str(part);
                }
                _ => names.push(part.to_owned()),
            }
        }
        let mut boards: Vec<Board> = Vec::new();
        for name in names {
            let board = name.parse()?;
            if boards.contains(&board) {
                return Err(BoardListError::Twice(board));
            }
            boards.push(board);
        }
        match boards.len() {
            2..=BOARDS_MAX => Ok(Self(boards)),
            number => Err(BoardListError::Number(number)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_separate_boards_and_ports() {
        let check = |text: &str, names: &[&str]| {
            let BoardList(boards) = text.parse().unwrap();
            assert_eq!(boards.iter().map(ToString::to_string).collect::<Vec<_>>(), names, "{text}");
        };
        check("native,pico", &["native", "pico"]);
        check(
            "pico=a.elf,probe:/dev/a,/dev/b,native",
            &["pico=a.elf", "probe:/dev/a,/dev/b", "native"],
        );
        let refused = |text: &str| text.parse::<BoardList>().unwrap_err();
        assert_eq!(refused("native"), BoardListError::Number(1));
        assert_eq!(refused("native,native"), BoardListError::Twice(Board::Native));
        assert!(matches!(refused("native,picco"), BoardListError::Board(_)));
    }
}
