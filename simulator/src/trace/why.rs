//! `nudge trace why`: which SPI transfer wrote a pixel, and what was drawn there.

use std::io::{self, Write};

use analysis::why;
use hal_mock::trace;
use runner::Exit;

use super::arguments::WhyArgs;
use crate::board_factory::board_factory;
use crate::text_reader;

pub fn why(args: &WhyArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let answer = board_factory(&args.board).map_err(|error| error.to_string()).and_then(|maker| {
        let trace = trace::load(&args.trace).map_err(|error| error.to_string())?;
        Ok(why::ask(&trace, args.pixel, args.at, &maker, &text_reader::reader()))
    });
    let file = args.trace.display();
    match answer {
        Ok(Ok(answer)) => {
            write!(out, "{answer}")?;
            Ok(Exit::Passed)
        }
        Ok(Err(error)) => {
            writeln!(err, "nudge: {file}: {error}")?;
            Ok(if error.is_wrong_question() { Exit::Usage } else { Exit::Failed })
        }
        Err(message) => {
            writeln!(err, "nudge: {message}")?;
            Ok(Exit::Usage)
        }
    }
}

/// Two whole numbers with a comma.
pub fn pixel(text: &str) -> Result<(usize, usize), String> {
    let number = |text: &str| text.trim().parse::<u16>().ok().map(usize::from);
    text.split_once(',').and_then(|(x, y)| Some((number(x)?, number(y)?))).ok_or_else(|| {
        format!("`{text}` is no pixel; a pixel is X,Y from the top left, like 160,120")
    })
}
