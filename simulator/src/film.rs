//! `nudge replay --gif`: what the LCD showed as a moving picture.

use std::io::{self, Write};
use std::path::PathBuf;

use boards::BoardFactory;
use hal_mock::Nanos;
use hal_mock::replay::{self, Options, Unjudged};
use hal_mock::trace;
use runner::Exit;
use runner::film::Film;
use runner::frames::FrameWatch;
use runner::interrupt::Interrupt;

use crate::text_reader;
use crate::unfinished::{Refusal, Unfinished, interrupted, usage};

/// What `--gif` asks for.
pub struct FilmArgs {
    pub trace: PathBuf,
    pub to: PathBuf,
    pub until: Option<Nanos>,
}

/// Films a trace; what it expects is not judged.
pub fn film(
    args: &FilmArgs,
    maker: &BoardFactory,
    interrupt: &Interrupt,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    match write(args, maker, interrupt) {
        Ok(pictures) => {
            writeln!(out, "wrote {}, {pictures} pictures", args.to.display())?;
            Ok(Exit::Passed)
        }
        Err((exit, messages)) => {
            for message in messages {
                writeln!(err, "nudge: {message}")?;
            }
            Ok(exit)
        }
    }
}

fn write(args: &FilmArgs, maker: &BoardFactory, interrupt: &Interrupt) -> Result<u64, Refusal> {
    let trace = trace::load(&args.trace).map_err(usage)?;
    let machine = interrupt.guard(maker.build(&trace, None).map_err(usage)?);
    let mut to = Unfinished::create(&args.to)?;
    let unwritable = |error: io::Error| usage(format!("{}: {error}", args.to.display()));
    let film = Film::new(to.out()?).map_err(unwritable)?;
    let mut filmed = FrameWatch::new(machine, film);
    let options = Options { allow_violations: true, until: args.until, ..Options::default() };
    let reader = text_reader::reader();
    let outcome = replay::replay(&trace, &mut filmed, &reader, &mut Unjudged, &options);
    if interrupt.is_set() {
        return Err(interrupted());
    }
    let pictures = filmed.observer.finish(outcome.ended_at).map_err(unwritable)?;
    to.done(|_| Ok(()))?;
    Ok(pictures)
}
