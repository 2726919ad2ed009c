//! `nudge trace check`: each trace parsed, a board built after its header, and what can be seen of
//! its notices without a replay.

use std::cell::Cell;
use std::io::{self, Write};

use boards::native;
use runner::{Exit, notice};

use super::arguments::CheckArgs;
use super::for_each::for_each;
use super::refused::Refused;
use crate::text_reader;

pub fn check(args: &CheckArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let reader = text_reader::reader();
    let noticed = Cell::new(false);
    let exit = for_each(&args.paths, out, err, |path, trace, out| {
        match native::build(trace, None) {
            Ok(_) => {}
            Err(error) if error.place.is_some() => {
                return Ok(Err(Refused::new(path, error).into()));
            }
            Err(error) => return Ok(Err(error.into())),
        }
        writeln!(out, "{}: well-formed", path.display())?;
        for notice in notice::of_trace(trace, &path.with_extension(""), &reader) {
            noticed.set(true);
            let place = notice.place.map(|place| format!(":{place}")).unwrap_or_default();
            writeln!(out, "{}{place}: {notice}", path.display())?;
        }
        Ok(Ok(()))
    })?;
    let fails = args.strict && noticed.get() && exit == Exit::Passed;
    Ok(if fails { Exit::Failed } else { exit })
}
