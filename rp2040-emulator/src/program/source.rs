//! The source locations of a program's addresses, from the debugging information of its ELF file
//! (DWARF line tables).
//!
//! Compilers put functions into others (inlining), so an address can belong to several functions;
//! all of them are listed. File names are as the compiler has written them; the module opens no
//! file. Missing or invalid debugging information gives no lines;
//! [`Program::debug_information_error`] returns the reason.

use std::fmt;

use super::{DebugInformationError, Program};

/// Largest number of nested functions listed for an address; compilers stop earlier.
const DEPTH_MAX: usize = 64;
/// Number of lines of source with which [`CodePlace`] is written.
const LINES_WRITTEN: usize = 4;

/// A line of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// Function that contains the line, without its generic arguments, if it is known.
    pub function: Option<String>,
    /// File name as the compiler has written it: `firmware-core/src/firmware.rs` in the program of
    /// `make firmware`.
    pub file: String,
    /// Line number, from 1.
    pub line: u32,
    /// Column number, from 1; `None` if it is not known.
    pub column: Option<u32>,
}

/// An address of a program, with its function and source lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodePlace {
    pub address: u32,
    /// Function as the linker knows it, and the offset from its first address in bytes.
    pub symbol: Option<(String, u32)>,
    /// Source lines of the instruction, the innermost function first: each has been inlined at the
    /// next one. Empty without debugging information.
    pub lines: Vec<SourceLine>,
}

impl fmt::Display for SourceLine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.file, self.line)
    }
}

/// Writes a line such as `0x10000234 main+0x12 at firmware-pico/src/main.rs:57`.
impl fmt::Display for CodePlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "0x{:08x}", self.address)?;
        match &self.symbol {
            Some((name, 0)) => write!(out, " {name}")?,
            Some((name, offset)) => write!(out, " {name}+0x{offset:x}")?,
            None => {}
        }
        for (nth, line) in self.lines.iter().take(LINES_WRITTEN).enumerate() {
            let before = if nth == 0 { " at" } else { ", inlined at" };
            write!(out, "{before} {line}")?;
        }
        match self.lines.len().saturating_sub(LINES_WRITTEN) {
            0 => Ok(()),
            more => write!(out, ", and {more} more"),
        }
    }
}

impl Program {
    /// Returns `address` with its function and its lines of source, as far as the program's file
    /// has them. Every call reads the debugging information again.
    pub fn place(&self, address: u32) -> CodePlace {
        let symbol = self.symbols().find(address);
        CodePlace {
            address,
            symbol: symbol.map(|(name, offset)| (name.to_owned(), offset)),
            lines: self.source_lines(address),
        }
    }

    /// Returns the lines of source of the instruction at `address`, the innermost function first.
    /// Empty if the file has no debugging information for it, or none that can be read.
    pub fn source_lines(&self, address: u32) -> Vec<SourceLine> {
        self.read_lines(address & !1).unwrap_or_default()
    }

    fn read_lines(&self, address: u32) -> Result<Vec<SourceLine>, DebugInformationError> {
        let context = self.debug_information()?;
        let unit = context.find_dwarf_and_unit(address.into()).skip_all_loads();
        let compiled_in = unit.and_then(|unit| unit.comp_dir);
        let compiled_in = compiled_in.map(|folder| folder.to_string_lossy().into_owned());
        let frames = context.find_frames(address.into()).skip_all_loads();
        let mut frames = frames.map_err(DebugInformationError::Broken)?;
        let mut lines = Vec::new();
        while let Some(frame) = frames.next().map_err(DebugInformationError::Broken)?
            && lines.len() < DEPTH_MAX
        {
            let Some(location) = frame.location else { continue };
            let (Some(file), Some(line @ 1..)) = (location.file, location.line) else { continue };
            let name = frame.function.and_then(|name| Some(function(&name.raw_name().ok()?)));
            lines.push(SourceLine {
                function: name,
                file: readable(file, compiled_in.as_deref()),
                line,
                column: location.column.filter(|column| *column > 0),
            });
        }
        Ok(lines)
    }
}

/// Returns the name of a source file as in [`SourceLine::file`]: `file` is the name that addr2line
/// reads, from a unit that was compiled in the folder `compiled_in`.
pub fn source_file(file: &str, compiled_in: Option<&str>) -> String {
    readable(file, compiled_in)
}

/// Returns a function's name without its generic arguments, which can be longer than a page.
fn function(name: &str) -> String {
    let name = format!("{:#}", rustc_demangle::demangle(name));
    match name.find('<') {
        Some(behind @ 1..) if !name.starts_with("operator") => name[..behind].to_owned(),
        _ => name,
    }
}

/// Returns `file` as it was passed to the compiler. Where paths have been made relative
/// (`--remap-path-prefix`), readers of DWARF put the folder of the compilation, now relative too,
/// before all of them; it belongs only before those of the package that was compiled there. The
/// precompiled standard library has the compiler's version in its paths.
fn readable(file: &str, compiled_in: Option<&str>) -> String {
    let relative = compiled_in.filter(|folder| !folder.is_empty() && !folder.starts_with('/'));
    let within = relative.and_then(|folder| file.strip_prefix(folder)?.strip_prefix('/'));
    if let Some(within) = within.filter(|within| !within.starts_with("src/")) {
        return within.to_owned();
    }
    match file.strip_prefix("/rustc/").and_then(|rest| rest.split_once('/')) {
        Some((_version, within)) => format!("rust/{within}"),
        None => file.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(file: &str, line: u32) -> SourceLine {
        SourceLine { function: None, file: file.into(), line, column: None }
    }

    #[track_caller]
    fn check(offset: u32, lines: &[SourceLine], expected: &str) {
        let symbol = Some(("main".to_owned(), offset));
        let place = CodePlace { address: 0x1000_0234, symbol, lines: lines.to_vec() };
        assert_eq!(place.to_string(), expected);
    }

    #[test]
    fn files_are_named_as_the_compiler_was_given_them() {
        for (file, compiled_in, expected) in [
            (
                "firmware-pico/firmware-core/src/time.rs",
                "firmware-pico",
                "firmware-core/src/time.rs",
            ),
            (
                "firmware-pico/mipidsi-0.10.0/src/lib.rs",
                "firmware-pico",
                "mipidsi-0.10.0/src/lib.rs",
            ),
            ("firmware-pico/src/main.rs", "firmware-pico", "firmware-pico/src/main.rs"),
            ("/home/me/game/lib/draw.c", "/home/me/game", "/home/me/game/lib/draw.c"),
            ("game/draw.c", "", "game/draw.c"),
            ("/rustc/5980/library/core/src/cell.rs", "a", "rust/library/core/src/cell.rs"),
        ] {
            assert_eq!(readable(file, Some(compiled_in)), expected);
        }
    }

    #[test]
    fn functions_are_named_without_their_types() {
        for (name, expected) in [
            ("write<rp2040_pac::SPI0, (u8, u8)>", "write"),
            ("{closure#0}<u8>", "{closure#0}"),
            ("_ZN4main3run17h0123456789abcdefE", "main::run"),
            ("operator<<", "operator<<"),
            ("<u8 as Into>::into", "<u8 as Into>::into"),
        ] {
            assert_eq!(function(name), expected);
        }
    }

    #[test]
    fn a_place_is_written_with_the_innermost_line_first() {
        check(0, &[], "0x10000234 main");
        check(18, &[line("a.rs", 57)], "0x10000234 main+0x12 at a.rs:57");
        let inlined = [line("b.rs", 3), line("a.rs", 57)];
        check(18, &inlined, "0x10000234 main+0x12 at b.rs:3, inlined at a.rs:57");
        let deep = "0x10000234 main at x.rs:1, inlined at x.rs:1, inlined at x.rs:1, inlined at \
                    x.rs:1, and 2 more";
        check(0, &vec![line("x.rs", 1); 6], deep);
    }
}
