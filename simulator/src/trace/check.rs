//! `nudge trace check`: each trace parsed, and a board built after its header.

use std::io::{self, Write};
use std::path::PathBuf;

use boards::native;
use runner::Exit;
use runner::escape::terminal::plain;

use super::for_each::for_each;
use super::refused::Refused;

pub fn check(paths: &[PathBuf], out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    for_each(paths, out, err, |path, trace, out| match native::build(trace, None) {
        Ok(_) => writeln!(out, "{}: well-formed", plain(&path.display().to_string())).map(Ok),
        Err(error) if error.place.is_some() => Ok(Err(Refused::new(path, error).into())),
        Err(error) => Ok(Err(error.into())),
    })
}
