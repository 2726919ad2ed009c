//! `nudge panel`: checks, lists and prints the tables of LCD controllers.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;

use host::{Exit, input_files};
use ili9341_model::check::{Mismatch, check_power_sequence, run_example};
use panel_tables::read::{self, SIZE_MAX, TableError};
use panel_tables::{Family, Format, Table};
use trace::did_you_mean;

use crate::cli::PanelVerb;

/// Errors of `nudge panel`.
#[derive(Debug, thiserror::Error)]
enum PanelError {
    #[error("{}: cannot be read: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{}: this is no text in UTF-8: {source}", path.display())]
    NoText { path: PathBuf, source: FromUtf8Error },
    #[error("{}:{source}", path.display())]
    Table { path: PathBuf, source: TableError },
    #[error("no built-in panel is called {name}{suggestion}; `nudge panel list` lists them")]
    NoPanel { name: String, suggestion: String },
}

/// Executes a verb of `nudge panel`.
pub fn panel(verb: &PanelVerb, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    match verb {
        PanelVerb::Check(args) => {
            let mut worst = Exit::Passed;
            for path in &args.files {
                let exit = match check(path, out)? {
                    Ok(exit) => exit,
                    Err(error) => {
                        writeln!(err, "nudge: {error}")?;
                        Exit::Usage
                    }
                };
                worst = worst.max(exit);
            }
            Ok(worst)
        }
        PanelVerb::List => {
            for name in panel_tables::names() {
                if let Some(table) = panel_tables::by_name(name) {
                    writeln!(out, "{}", summary(table))?;
                }
            }
            Ok(Exit::Passed)
        }
        PanelVerb::Show(args) => match panel_tables::source(&args.name) {
            Some(text) => {
                write!(out, "{text}")?;
                Ok(Exit::Passed)
            }
            None => {
                let names: Vec<_> = panel_tables::names().collect();
                let (name, suggestion) = (args.name.clone(), did_you_mean(&args.name, &names));
                writeln!(err, "nudge: {}", PanelError::NoPanel { name, suggestion })?;
                Ok(Exit::Usage)
            }
        },
    }
}

/// Checks a file and reports each example that does not hold.
fn check(path: &Path, out: &mut dyn Write) -> io::Result<Result<Exit, PanelError>> {
    let text = match text_of(path) {
        Ok(text) => text,
        Err(error) => return Ok(Err(error)),
    };
    let place = || path.to_owned();
    let loaded = read::parse(&text)
        .and_then(|parsed| Ok((read::load(&text)?, parsed.examples)))
        .map_err(|source| PanelError::Table { path: place(), source });
    let (table, examples) = match loaded {
        Ok(loaded) => loaded,
        Err(error) => return Ok(Err(error)),
    };
    let mut failed = 0;
    let mut report = |(line, column): (usize, usize), what: &str, fault: &Mismatch| {
        failed += 1;
        writeln!(out, "{}:{line}:{column}: {what}: {fault}", path.display())
    };
    if let Err(fault) = check_power_sequence(table) {
        report((1, 1), "power", &fault)?;
    }
    for example in &examples {
        if let Err(fault) = run_example(table, example) {
            report(example.place, &format!("example \"{}\"", example.name), &fault)?;
        }
    }
    if failed > 0 {
        return Ok(Ok(Exit::Failed));
    }
    writeln!(out, "{}: {}; {} examples hold", path.display(), summary(table), examples.len())?;
    Ok(Ok(Exit::Passed))
}

fn text_of(path: &Path) -> Result<String, PanelError> {
    let path_buf = || path.to_owned();
    let bytes = input_files::read(path, SIZE_MAX)
        .map_err(|source| PanelError::Unreadable { path: path_buf(), source })?;
    // A file that is too large may be cut inside a character.
    if bytes.len() > SIZE_MAX {
        return Ok(String::from_utf8_lossy(&bytes).into_owned());
    }
    String::from_utf8(bytes).map_err(|source| PanelError::NoText { path: path_buf(), source })
}

/// Returns a line about a table.
fn summary(table: &Table) -> String {
    let formats: Vec<_> = match table.family {
        Family::Pages => vec!["1"],
        Family::Dcs => table.formats.iter().flatten().map(|format| bits(*format)).collect(),
    };
    format!(
        "{:<9} {:>3}x{:<3} {} bits, {} commands, {} rules ({})",
        table.name,
        table.columns,
        table.lines,
        formats.join("/"),
        table.commands.len(),
        table.rules.len(),
        table.datasheet,
    )
}

fn bits(format: Format) -> &'static str {
    match format {
        Format::Bits12 => "12",
        Format::Bits16 => "16",
        Format::Bits18 => "18",
    }
}
