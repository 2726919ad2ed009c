//! `nudge trace compare`: compares the wires of the real board with those of the simulated board.

use std::io::{self, Write};

use boards::Board;
use captures::compare::{self, CompareOptions, Comparison, Difference};
use captures::{FormatError, Signal, Wiring, WiringError};
use host::Exit;
use virtual_time::{Nanos, spoken};

use super::arguments::CompareArgs;
use super::wires::{self, WiredBoard, WiresError};

/// Errors of `nudge trace compare`.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
enum CompareError {
    Wires(#[from] WiresError),
    Map(#[from] WiringError),
    Compare(#[from] FormatError),
}

pub fn compare(args: &CompareArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let paths = [args.real.as_path(), args.simulated.as_path()];
    let names = paths.map(|path| path.display().to_string());
    let found = options(args).and_then(|options| Ok(compare::compare(paths, &options)?));
    let found = match found {
        Ok(found) => found,
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    let signals: Vec<&str> = found.signals.iter().map(|signal| signal.name()).collect();
    writeln!(out, "compared  {}", signals.join(", "))?;
    for side in [0, 1] {
        let only: Vec<&str> =
            found.only_in.iter().filter(|(_, of)| *of == side).map(|(s, _)| s.name()).collect();
        if !only.is_empty() {
            writeln!(out, "not       {} (only in {})", only.join(", "), names[side])?;
        }
    }
    for note in &found.notes {
        writeln!(out, "note      {note}")?;
    }
    writeln!(out, "aligned   {} of {} is 0 ms of {}", signed(found.offset), names[0], names[1])?;
    writeln!(
        out,
        "matched   {} edges, at most {} apart (tolerance {})",
        found.matched,
        spoken(found.furthest),
        spoken(args.tolerance)
    )?;
    if found.outside != [0; 2] {
        let [real, simulated] = found.outside;
        writeln!(
            out,
            "outside   {real} and {simulated} edges, where only one of them has captured"
        )?;
    }
    match &found.difference {
        None => {
            writeln!(out, "no difference")?;
            Ok(Exit::Passed)
        }
        Some(difference) => {
            differs(&found, difference, &names, out)?;
            Ok(Exit::Failed)
        }
    }
}

/// Returns the options of a comparison, with the wires of the captures' board.
fn options(args: &CompareArgs) -> Result<CompareOptions, CompareError> {
    let board = args.board.clone().map(Board::Described).unwrap_or_default();
    let WiredBoard { buttons, .. } =
        WiredBoard::of_captures(&[&args.simulated, &args.real], &board)?;
    let wiring = match &args.map {
        Some(map) => map.on(&buttons)?,
        None => Wiring::of(buttons.clone()),
    };
    Ok(CompareOptions {
        tolerance: args.tolerance,
        skew_ppm: args.skew,
        signals: wires::signals(&args.signals, &buttons)?,
        debounce: args.debounce.unwrap_or_default(),
        wiring,
    })
}

fn differs(
    found: &Comparison,
    difference: &Difference,
    names: &[String; 2],
    out: &mut dyn Write,
) -> io::Result<()> {
    let Difference { signal, high, side, at, expected, other, spi } = difference;
    let far = &names[1 - side];
    writeln!(
        out,
        "DIFFERS   {signal} {} at {} in {}",
        goes(*high),
        spoken(at.since_start()),
        names[*side]
    )?;
    writeln!(out, "    expected at {} in {far}", signed(*expected))?;
    match other {
        None => writeln!(out, "    {signal} does not move there any more")?,
        Some((at, high)) => {
            let apart = i128::from(at.0) - expected;
            writeln!(
                out,
                "    there {signal} {} at {}, {} off",
                goes(*high),
                spoken(at.since_start()),
                signed(apart)
            )?;
        }
    }
    if let Some(sent) = spi {
        let width = names.iter().map(String::len).max().unwrap_or_default();
        for (name, sent) in names.iter().zip(sent) {
            writeln!(out, "    SPI in {name:<width$}  {sent}")?;
        }
    }
    if found.matched == 0 && matches!(signal, Signal::Button(_)) {
        writeln!(out, "    contacts that bounce? `--debounce 5ms` leaves that out")?;
    }
    Ok(())
}

fn goes(high: bool) -> &'static str {
    if high { "rises" } else { "falls" }
}

/// Formats a duration that may be negative.
fn signed(nanos: i128) -> String {
    let size = Nanos(u64::try_from(nanos.unsigned_abs()).unwrap_or(u64::MAX));
    format!("{}{}", if nanos < 0 { "-" } else { "" }, spoken(size))
}
