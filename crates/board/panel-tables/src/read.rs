//! Reads a table from a TOML file. `docs/panels.md` describes each key.
//!
//! A file is data without references or repetition, so that reading needs one pass; its size is
//! bounded by [`SIZE_MAX`]. Every error has its line and column.
//!
//! - `error`: what can be wrong. `node`: keys and values with their positions. `value`: numbers,
//!   times, bytes and fields in strings. `header`, `commands`, `rules`, `examples`: the parts of a
//!   file. `checks`: what concerns several parts.

mod checks;
mod commands;
mod error;
mod examples;
mod header;
mod node;
mod rules;
mod value;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

#[allow(unused_imports, reason = "the build script needs only a part of the errors")]
pub use error::{Found, Problem, TableError};

use crate::example::Example;
use crate::table::Table;
use node::{Fields, Source};

/// Maximum size of a file in bytes.
pub const SIZE_MAX: usize = 64 * 1024;
/// Maximum number of different tables that a process loads.
pub const LOADED_MAX: usize = 256;

/// Keys of each part of a file, as documented.
pub const KEYS: &[(&str, &[&str])] = &[
    ("table", header::KEYS),
    ("memory", header::MEMORY_KEYS),
    ("module", header::MODULE_KEYS),
    ("scan", header::SCAN_KEYS),
    ("power", header::POWER_KEYS),
    ("commands", commands::KEYS),
    ("rules", rules::KEYS),
    ("example", examples::KEYS),
];

/// A file that has been read.
#[derive(Debug)]
pub struct Parsed {
    pub table: Table,
    pub examples: Vec<Example>,
}

/// Reads a file.
pub fn parse(text: &str) -> Result<Parsed, TableError> {
    let source = Source::new(text);
    if text.len() > SIZE_MAX {
        return Err(source.error(SIZE_MAX..SIZE_MAX, Problem::TooLarge));
    }
    let document = toml::de::DeTable::parse(text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        source.error(span, Problem::Syntax(error.message().to_owned()))
    })?;
    let file = Fields::of_document(&source, &document, header::KEYS)?;
    let mut table = header::table(&file)?;
    commands::read(&file, &mut table)?;
    rules::read(&file, &mut table)?;
    let examples = examples::read(&file, &table)?;
    checks::check(&file, &table)?;
    Ok(Parsed { table, examples })
}

/// Tables that have been loaded, by their text.
static LOADED: Mutex<BTreeMap<String, &'static Table>> = Mutex::new(BTreeMap::new());

/// Reads a file whose table exists until the process ends. The same text gives the same table.
pub fn load(text: &str) -> Result<&'static Table, TableError> {
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(table) = loaded.get(text) {
        return Ok(table);
    }
    let parsed = parse(text)?;
    if loaded.len() >= LOADED_MAX {
        return Err(Source::new(text).error(0..0, Problem::TooMany));
    }
    let table = parsed.table.leak();
    loaded.insert(text.to_owned(), table);
    Ok(table)
}
