//! The page of the lines that no trace reaches, by file.
//!
//! The text of a line is shown if the file is found from the current folder; the file names in
//! debugging information are those that were passed to the compiler.

use std::io::{self, Write};
use std::path::{Component, Path};

use escape::html::escaped;
use rp2040_tools::suite::{FileCoverage, SuiteCoverage};

/// The largest source file that is read: 4 MiB.
const SOURCE_BYTES_MAX: usize = 4 << 20;
/// Maximum length of a shown line in characters.
const LINE_SHOWN: usize = 200;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em;\
color-scheme:light dark}pre{overflow:auto;margin:.3em 0 1em}td,th{padding:.1em .8em .1em 0;text-align:right}\
td:first-child,th:first-child{text-align:left}.n{opacity:.6;user-select:none}summary{cursor:pointer}";

/// Writes the page.
///
/// # Errors
/// If `out` cannot be written.
pub fn write(out: &mut dyn Write, suite: &SuiteCoverage) -> io::Result<()> {
    let files = suite.files();
    writeln!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>Lines that no trace reaches</title><style>{STYLE}</style>\
         </head><body>\n<h1>Lines that no trace reaches</h1>\n<p>{} traces. A line counts if the program has \
         instructions for it. <i>One way</i>: lines with a conditional branch that was always taken, or \
         never.</p>",
        suite.runs()
    )?;
    writeln!(out, "<table><tr><th>file</th><th>lines</th><th>unreached</th><th>one way</th></tr>")?;
    for FileCoverage { file, unreached, one_way } in &files {
        let (name, lines) = (escaped(&file.name), file.lines.len());
        writeln!(
            out,
            "<tr><td><a href=\"#{name}\">{name}</a></td><td>{lines}</td><td>{}</td><td>{}</td></tr>",
            unreached.len(),
            one_way.len()
        )?;
    }
    writeln!(out, "</table>")?;
    for file in files.iter().filter(|file| !file.unreached.is_empty()) {
        write_file(out, file)?;
    }
    writeln!(out, "</body></html>")
}

fn write_file(out: &mut dyn Write, coverage: &FileCoverage<'_>) -> io::Result<()> {
    let name = &coverage.file.name;
    let text = source(name);
    // Files that are not found here, for example of dependencies, are collapsed at first.
    let open = if text.is_some() { " open" } else { "" };
    let shown = escaped(name);
    writeln!(out, "<details id=\"{shown}\"{open}><summary><b>{shown}</b></summary><pre>")?;
    let lines: Vec<&str> = text.as_deref().map(|text| text.lines().collect()).unwrap_or_default();
    let mut before = None;
    for line in &coverage.unreached {
        if before.is_some_and(|before: u32| before + 1 < line.number) {
            writeln!(out, "<span class=\"n\">     …</span>")?;
        }
        before = Some(line.number);
        let text = (line.number as usize).checked_sub(1).and_then(|at| lines.get(at));
        let text: String =
            text.map(|text| text.chars().take(LINE_SHOWN).collect()).unwrap_or_default();
        writeln!(out, "<span class=\"n\">{:>6}</span> {}", line.number, escaped(&text))?;
    }
    writeln!(out, "</pre></details>")
}

/// Reads a source file below the current folder. A name in an ELF file cannot leave that folder.
fn source(name: &str) -> Option<String> {
    let path = Path::new(name);
    if !path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return None;
    }
    let bytes = host::input_files::read(path, SOURCE_BYTES_MAX).ok()?;
    String::from_utf8(bytes).ok()
}
