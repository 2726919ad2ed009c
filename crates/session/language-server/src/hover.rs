//! Hover: the documentation of a verb or key, the time of the line, and the LCD at it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position, Range};
use trace::IncludeSource;
use virtual_time::spoken;

use crate::document::{Document, Kind};
use crate::reference::{self, Key, Table};
use crate::times::{times, worded};
use crate::tool::Shown;
use crate::words::{is_time, words};

/// Maximum number of bytes of a picture in a hover.
const PICTURE_BYTES_MAX: usize = 256 << 10;

/// Description of a place in a document.
#[derive(Debug)]
pub struct Described {
    pub markdown: String,
    range: Range,
    /// Number of lines of the trace up to this one, if a board can show it.
    pub lines: Option<usize>,
}

/// Returns the description of the word at `position`.
pub fn describe(
    document: &Document,
    position: Position,
    files: &mut dyn IncludeSource,
) -> Option<Described> {
    match document.kind {
        Kind::Trace | Kind::Included => of_trace(document, position, files),
        Kind::Board => of_key(document, position, reference::board_tables()),
        Kind::Panel => of_key(document, position, reference::panel_tables()),
    }
}

/// Returns the answer to a request, with what the board shows.
pub fn hover(described: Described, shown: Option<&Shown>) -> Hover {
    let mut value = described.markdown;
    if let Some(shown) = shown.filter(|shown| shown.png.len() <= PICTURE_BYTES_MAX) {
        let png = STANDARD.encode(&shown.png);
        let at = spoken(shown.at.since_start());
        value = format!("LCD at {at}:\n\n![LCD](data:image/png;base64,{png})\n\n---\n\n{value}");
    }
    let contents = MarkupContent { kind: MarkupKind::Markdown, value };
    Hover { contents: HoverContents::Markup(contents), range: Some(described.range) }
}

fn of_trace(
    document: &Document,
    position: Position,
    files: &mut dyn IncludeSource,
) -> Option<Described> {
    let number = position.line as usize;
    let line = document.line(number);
    let words = words(line);
    let byte = document.byte(position);
    let first = words.first()?;
    let word = words.iter().find(|word| word.start <= byte && byte <= word.end())?;
    let range = document.range(number, word.start, word.end());
    let texts: Vec<&str> = words.iter().map(|word| word.text).collect();
    if !is_time(first.text) && first.text != "include" {
        let key = reference::header_keys().iter().find(|key| key.key == first.text)?;
        return Some(Described { markdown: worded_key(key), range, lines: None });
    }
    let verb = if first.text == "include" { &texts[..] } else { &texts[1..] };
    let text = reference::section_of(verb).map_or("", |section| &section.text);
    let time = times(document, files).get(number).copied().flatten();
    let time = time.map(|time| format!("**{}** after power-on\n\n", worded(time)));
    let markdown = time.unwrap_or_default() + text;
    let lines = (document.kind == Kind::Trace).then_some(number + 1);
    (!markdown.is_empty()).then_some(Described { markdown, range, lines })
}

fn of_key(document: &Document, position: Position, tables: &[Table]) -> Option<Described> {
    let number = position.line as usize;
    let line = document.line(number);
    let key = line.split('=').next()?.trim();
    let start = line.find(key)?;
    let byte = document.byte(position);
    if key.is_empty() || !(start..=start + key.len()).contains(&byte) {
        return None;
    }
    let name = table_at(document, number);
    let of_table = tables.iter().filter(|table| table.name == name);
    let found = of_table.chain(tables).flat_map(|table| &table.keys).find(|row| row.key == key)?;
    let range = document.range(number, start, start + key.len());
    Some(Described { markdown: worded_key(found), range, lines: None })
}

/// Returns the name of the table that a line of a TOML file is in.
pub fn table_at(document: &Document, number: usize) -> String {
    let above = (0..=number).rev().map(|number| document.line(number).trim());
    let heading = above.into_iter().find(|line| line.starts_with('[')).unwrap_or_default();
    heading.trim_matches(['[', ']', ' ']).split('.').next().unwrap_or_default().to_owned()
}

fn worded_key(key: &Key) -> String {
    format!("**`{}`** {}", key.key, key.about)
}
