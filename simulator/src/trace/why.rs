//! `nudge trace why`: finds the SPI transfer that wrote a pixel, and the element drawn there.

use std::io::{self, Write};
use std::path::PathBuf;

use boards::BoardFactory;
use host::Exit;
use insight::Interior;
use rp2040_tools::report;
use runner::{OpenError, open_trace_on};
use why::{Answer, Pixel, WhyError};

use super::arguments::WhyArgs;
use crate::board_factory::{board_factory, insight};
use crate::text_reader;

/// Errors of `nudge trace why`.
#[derive(Debug, thiserror::Error)]
enum WhyVerbError {
    #[error(transparent)]
    Open(#[from] OpenError),
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

/// Prints the origin of the pixel.
pub fn why(args: &WhyArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let factory = match board_factory(&args.board) {
        Ok(factory) => factory,
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    match answer(args, &factory) {
        Ok(answer) => {
            write!(out, "{answer}")?;
            if let Some(program) = factory.program().filter(|_| !answer.functions.is_empty()) {
                report::write_damage(err, program)?;
            }
            Ok(Exit::Passed)
        }
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            Ok(error.exit())
        }
    }
}

fn answer(args: &WhyArgs, factory: &BoardFactory) -> Result<Answer, WhyVerbError> {
    let trace = open_trace_on(&args.trace, factory.parts().as_ref())?;
    let pixel = Pixel { place: args.pixel, display: args.display.as_deref() };
    let interior = insight(factory, &trace).map(|insight| insight as &dyn Interior);
    why::ask(&trace, pixel, args.at, factory, interior, None, &text_reader::reader())
        .map_err(|error| WhyVerbError::Why { trace: args.trace.clone(), source: error.into() })
}
