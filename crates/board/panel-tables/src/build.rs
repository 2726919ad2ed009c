//! Compiles the tables of `panels/` into constants, with the reader that also reads them at run
//! time. A wrong table fails the build with its line and column. The script is in `src` because it
//! shares modules with the crate.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

#[allow(dead_code, reason = "the build script needs only a part of these modules")]
mod effect;
#[allow(dead_code, reason = "the build script needs only a part of these modules")]
mod example;
#[allow(dead_code, reason = "the build script needs only a part of these modules")]
mod family;
mod literal;
#[allow(dead_code, reason = "the build script needs only a part of these modules")]
mod read;
#[allow(dead_code, reason = "the build script needs only a part of these modules")]
mod rule;
#[allow(dead_code, reason = "the build script needs only a part of these modules")]
mod table;

use literal::Literal as _;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("panels");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<_> = fs::read_dir(&folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_, Box<dyn Error>>>()?;
    files.sort();
    let mut out = literal::header();
    let (mut tables, mut sources) = (String::new(), String::new());
    for file in files {
        let text = fs::read_to_string(&file)?;
        let loaded =
            read::parse(&text).map_err(|error| format!("{}:{error}", file.display()))?.table;
        let constant = loaded.name.to_uppercase();
        let stem = file.file_stem().unwrap_or_default();
        if *stem != *loaded.name {
            return Err(format!("{} has the name {}", file.display(), loaded.name).into());
        }
        write!(out, "pub static {constant}: Table = ")?;
        loaded.literal(&mut out);
        out.push_str(";\n");
        write!(tables, "&{constant}, ")?;
        write!(sources, "include_str!({file:?}), ")?;
    }
    writeln!(out, "pub(super) static TABLES: &[&Table] = &[{tables}];")?;
    writeln!(
        out,
        "#[cfg(feature = \"read\")]\npub(super) static SOURCES: &[&str] = &[{sources}];"
    )?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("tables.rs"), out)?;
    Ok(())
}
