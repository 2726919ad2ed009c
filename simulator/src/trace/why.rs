//! `nudge trace why`: which SPI transfer wrote a pixel, and what was drawn there.

use std::io::{self, Write};
use std::path::PathBuf;

use analysis::why::{self, Answer, WhyError};
use boards::BoardError;
use hal_mock::trace::{self, LoadError};
use runner::Exit;

use super::arguments::WhyArgs;
use crate::board_factory::board_factory;
use crate::text_reader;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
enum WhyVerbError {
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error("{}: {source}", trace.display())]
    Why { trace: PathBuf, source: Box<WhyError> },
}

impl WhyVerbError {
    fn exit(&self) -> Exit {
        match self {
            Self::Why { source, .. } if !source.is_wrong_question() => Exit::Failed,
            _ => Exit::Usage,
        }
    }
}

/// Prints where the pixel came from.
pub fn why(args: &WhyArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    match answer(args) {
        Ok(answer) => {
            write!(out, "{answer}")?;
            Ok(Exit::Passed)
        }
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            Ok(error.exit())
        }
    }
}

fn answer(args: &WhyArgs) -> Result<Answer, WhyVerbError> {
    let factory = board_factory(&args.board)?;
    let trace = trace::load(&args.trace)?;
    why::ask(&trace, args.pixel, args.at, &factory, &text_reader::reader())
        .map_err(|error| WhyVerbError::Why { trace: args.trace.clone(), source: error.into() })
}

/// A text is not two whole numbers with a comma.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no pixel; a pixel is X,Y from the top left, like 160,120")]
pub struct PixelError(String);

/// Two whole numbers with a comma.
pub fn pixel(text: &str) -> Result<(usize, usize), PixelError> {
    let number = |text: &str| text.trim().parse::<u16>().ok().map(usize::from);
    text.split_once(',')
        .and_then(|(x, y)| Some((number(x)?, number(y)?)))
        .ok_or_else(|| PixelError(text.to_owned()))
}
