//! Diagnostics: every error of the existing readers, with its range.

use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Range,
};
use runner::board_of_included;
use trace::{
    IncludeSource as _, ParseError, ParseErrorKind, ParseErrors, Place, Trace, parse_with,
};

use crate::document::{Document, Kind, TEXT_BYTES_MAX};
use crate::files::{Files, OpenTexts};
use crate::tool::Tool;
use crate::uri::{plain, uri_of};
use crate::words::words;

/// Name of the server in the editor's list of problems.
const SOURCE: &str = "nudge";

/// Returns the problems of a document.
pub fn problems(document: &Document, open: &OpenTexts, tool: &dyn Tool) -> Vec<Diagnostic> {
    if let Some(bytes) = document.too_large {
        let message = format!(
            "the text has {} MiB; {} MiB are read as they are typed: `nudge trace check` reads all of it",
            bytes.div_ceil(1 << 20),
            TEXT_BYTES_MAX >> 20
        );
        return vec![problem(Range::default(), message)];
    }
    let name = document.name();
    let mut files = Files::new(open);
    match document.kind {
        Kind::Trace => match parse_with(&name, document.text.as_bytes(), &mut files) {
            Err(errors) => of_trace(document, &errors),
            Ok(trace) => of_header(document, trace, tool),
        },
        Kind::Included => {
            let parts = board_of_included(&document.path).and_then(|file| files.board(&file).ok());
            let bytes = document.text.as_bytes();
            match trace::format_included(&name, bytes, &mut files, parts.as_ref()) {
                Err(errors) => of_trace(document, &errors),
                Ok(_) => Vec::new(),
            }
        }
        Kind::Board => match board_file::parse(&name, &document.text) {
            Err(errors) => {
                let each = errors.list().iter();
                each.map(|error| at(document, error.line, error.column, error.kind.to_string()))
                    .chain(more(errors.more()))
                    .collect()
            }
            Ok(_) => Vec::new(),
        },
        Kind::Panel => match panel_tables::read::parse(&document.text) {
            Err(error) => {
                vec![at(document, error.line, error.column, error.problem.to_string())]
            }
            Ok(_) => Vec::new(),
        },
    }
}

fn of_trace(document: &Document, errors: &ParseErrors) -> Vec<Diagnostic> {
    errors.iter().map(|error| of_line(document, error)).chain(more(errors.left_out())).collect()
}

fn of_line(document: &Document, error: &ParseError) -> Diagnostic {
    let Place { line, column } = error.place;
    let mut found = at(document, line as usize, column as usize, error.message());
    if let ParseErrorKind::Included { place, error } = &error.kind
        && let Some(uri) = uri_of(&plain(place.file.as_ref().as_ref()))
    {
        let (line, column) =
            (place.place.line.saturating_sub(1), place.place.column.saturating_sub(1));
        let start = lsp_types::Position::new(line, column);
        let location = Location { uri, range: Range::new(start, start) };
        let message = error.to_string();
        found.related_information = Some(vec![DiagnosticRelatedInformation { location, message }]);
    }
    found
}

fn of_header(document: &Document, mut trace: Trace, tool: &dyn Tool) -> Vec<Diagnostic> {
    trace.folder = document.path.parent().map(Into::into);
    let problems = tool.header_problems(&trace).into_iter();
    problems
        .map(|found| {
            let Place { line, column } = found.place.unwrap_or(Place { line: 1, column: 1 });
            at(document, line as usize, column as usize, found.message)
        })
        .collect()
}

/// Returns the problem that some problems are left out.
fn more(count: usize) -> Option<Diagnostic> {
    (count > 0).then(|| problem(Range::default(), format!("and {count} more errors")))
}

/// Returns a problem of the word at a place that counts from 1.
fn at(document: &Document, line: usize, column: usize, message: String) -> Diagnostic {
    let line = line.saturating_sub(1).min(document.line_count() - 1);
    let start = document.byte_of_column(line, column);
    let text = document.line(line);
    let end = if document.kind.has_trace_lines() {
        let word = words(text).into_iter().find(|word| word.start <= start && start < word.end());
        word.map(|word| word.end())
    } else {
        let is_part = |letter: char| letter.is_alphanumeric() || "_-.\"'".contains(letter);
        let length = text[start..].find(|letter| !is_part(letter));
        Some(length.map_or(text.len(), |length| start + length))
    };
    // An error at the end of the line marks its last character.
    let end = end.filter(|end| *end > start);
    let start = if end.is_none() && start >= text.len() {
        text.char_indices().next_back().map_or(0, |(at, _)| at)
    } else {
        start
    };
    let next = text[start..].chars().next().map_or(start, |letter| start + letter.len_utf8());
    problem(document.range(line, start, end.unwrap_or(next)), message)
}

fn problem(range: Range, message: String) -> Diagnostic {
    Diagnostic {
        range,
        severity: Some(DiagnosticSeverity::ERROR),
        code: None::<NumberOrString>,
        source: Some(SOURCE.into()),
        message,
        ..Diagnostic::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::NoTool;

    fn found(name: &str, text: &str) -> Vec<(u32, u32, u32, String)> {
        let kind = Kind::of(name.as_ref(), "").unwrap();
        let mut document = Document::new("file:///x", name.into(), kind);
        document.set(text.to_owned(), 1);
        let found = problems(&document, &OpenTexts::new(), &NoTool);
        let row = |it: Diagnostic| {
            (it.range.start.line, it.range.start.character, it.range.end.character, it.message)
        };
        found.into_iter().map(row).collect()
    }

    #[test]
    fn every_error_of_a_trace_marks_its_word() {
        let found =
            found("/t.trace", "trace 1\n\n0ms power on\n+1s tpa B1\n+1s tap B9 for 1s\n+1s tap\n");
        let ranges: Vec<(u32, u32, u32)> = found.iter().map(|it| (it.0, it.1, it.2)).collect();
        assert_eq!(ranges, [(3, 4, 7), (4, 8, 10), (5, 6, 7)], "{found:?}");
        assert!(found[0].3.contains("did you mean `tap`?"), "{found:?}");
    }

    #[test]
    fn a_correct_text_has_no_problem() {
        assert_eq!(found("/t.trace", "trace 1\n0ms power on\n+1s tap B1\n"), []);
        assert_eq!(found("/t.inc", "+1s tap B1\n"), []);
        for name in panel_tables::names() {
            assert_eq!(found("/panels/t.toml", panel_tables::source(name).unwrap()), [], "{name}");
        }
    }

    #[test]
    fn errors_of_tables_mark_their_keys() {
        let board = found("/x.board.toml", "board = 1\nname = \"x\"\nchip = \"rp2041\"\n");
        assert!(board.iter().any(|it| it.0 == 2 && it.1 == 7 && it.2 == 15), "{board:?}");
        let panel = found("/x.panel.toml", "name = \"own\"\ntitel = \"x\"\n");
        assert_eq!((panel[0].0, panel[0].1, panel[0].2), (1, 0, 5), "{panel:?}");
    }

    #[test]
    fn a_huge_text_has_one_problem() {
        let found = found("/t.trace", &"# x\n".repeat((TEXT_BYTES_MAX >> 2) + 1));
        assert_eq!(found.len(), 1);
        assert!(found[0].3.starts_with("the text has 5 MiB; 4 MiB are read"), "{found:?}");
    }
}
