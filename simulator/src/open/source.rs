//! Finds the source of a program's instruction, with the lines around it, if this computer has the
//! file.
//!
//! The file names come from the program, which is not trusted: only source files are opened, and
//! only these lines are read.

use std::path::{Component, Path};

use rp2040_emulator::program::Program;
use studio::Source;

/// Extensions of source files.
const SOURCES: [&str; 9] = ["rs", "c", "h", "cc", "cpp", "hpp", "s", "S", "ino"];
/// Maximum size of a source file in bytes.
const SOURCE_BYTES_MAX: usize = 4 << 20;
/// Number of lines shown before and after the source line.
const LINES_AROUND: usize = 5;

/// Returns the source of the instruction at `pc`; `None` if the program has no information about
/// it.
pub fn source(program: &Program, pc: u32) -> Option<Source> {
    let place = program.place(pc);
    let symbol = place.symbol.map(|(name, _)| name);
    let Some(innermost) = place.lines.into_iter().next() else {
        return symbol.map(|function| Source { function, ..Source::default() });
    };
    let text = lines(Path::new(&innermost.file), innermost.line);
    Some(Source {
        function: innermost.function.or(symbol).unwrap_or_default(),
        file: Some(innermost.file),
        line: Some(innermost.line),
        text,
    })
}

/// Returns the lines around `line` of the source at `path`, absolute or relative to the current
/// folder.
fn lines(path: &Path, line: u32) -> Vec<(u32, String)> {
    let is_source = path
        .extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| SOURCES.contains(&extension));
    if !is_source || path.components().any(|part| part == Component::ParentDir) {
        return Vec::new();
    }
    let Ok(bytes) = host::input_files::read(path, SOURCE_BYTES_MAX) else { return Vec::new() };
    let text = String::from_utf8_lossy(&bytes);
    let first = (line as usize).saturating_sub(LINES_AROUND + 1);
    let shown = text.lines().enumerate().skip(first).take(2 * LINES_AROUND + 1);
    shown.map(|(at, text)| (at as u32 + 1, text.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn only_lines_of_source_files_are_shown() {
        let folder = tempfile::tempdir().unwrap();
        let text: String = (1..=20).map(|line| format!("line {line}\n")).collect();
        for name in ["main.rs", "secret.txt"] {
            fs::write(folder.path().join(name), &text).unwrap();
        }
        let at = |name: &str, line| lines(&folder.path().join(name), line);
        let numbers = |found: Vec<(u32, String)>| -> Vec<u32> {
            found.into_iter().map(|(number, _)| number).collect()
        };
        assert_eq!(numbers(at("main.rs", 10)), (5..=15).collect::<Vec<u32>>());
        assert_eq!(numbers(at("main.rs", 2)), (1..=11).collect::<Vec<u32>>());
        assert_eq!(numbers(at("main.rs", 20)), (15..=20).collect::<Vec<u32>>());
        assert_eq!(at("main.rs", 10)[5], (10, "line 10".to_owned()));
        assert_eq!(at("main.rs", 0).len(), 11);
        for (name, line) in
            [("main.rs", 99), ("secret.txt", 3), ("none.rs", 3), ("x/../main.rs", 3)]
        {
            assert_eq!(at(name, line), [], "{name}");
        }
    }
}
