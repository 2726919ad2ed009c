//! The measurements of `--boards` as a page: a row for each trace and each board but the first.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ::boards::Board;
use changes::side_by_side::{Measured, SideBySide};
use escape::html::escaped;

use super::{clock, spread};

/// The result of one trace.
pub struct Row {
    trace: String,
    /// The first difference, if any.
    differs: Option<String>,
    measured: Vec<Measured>,
    /// Picture with the boards' frames side by side, in the page's folder.
    pub picture: Option<PathBuf>,
}

impl Row {
    /// Creates the row of the trace at `path`.
    pub fn new(path: &Path, found: &SideBySide) -> Self {
        Self {
            trace: path.display().to_string(),
            differs: found.first.as_ref().map(|first| first.what.clone()),
            measured: found.measured.clone(),
            picture: None,
        }
    }
}

const HEAD: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Boards compared</title>\n\
    <style>body { font: 16px sans-serif } table { border-collapse: collapse } \
    th, td { border: 1px solid #888; padding: 4px 8px; text-align: left; vertical-align: top }</style>\n";

/// Returns whether a file that begins with `head` is such a page.
pub fn is_page(head: &[u8]) -> bool {
    head.starts_with(HEAD.as_bytes())
}

/// Returns the page as HTML.
pub fn page(boards: &[Board], rows: &[Row]) -> String {
    let mut page = HEAD.to_owned();
    let first = boards.first().map(Board::to_string).unwrap_or_default();
    // Writing to a string cannot fail.
    let _ = writeln!(
        page,
        "<p>Times against {}: later is more than 0. The middle, the least and the most.</p>\n<table>\n<tr><th>Trace</th>\
         <th>Board</th><th>Frames</th><th>Debouncing and answer</th><th>Its clock</th></tr>",
        escaped(&first)
    );
    for row in rows {
        for (board, measured) in boards.iter().skip(1).zip(&row.measured) {
            let Measured { frames, console, drift } = measured;
            let cells = [
                row.trace.clone(),
                board.to_string(),
                frames.as_ref().map(spread).unwrap_or_default(),
                console.as_ref().map(spread).unwrap_or_default(),
                drift.as_ref().map(clock).unwrap_or_default(),
            ];
            let cells = cells.map(|cell| format!("<td>{}</td>", escaped(&cell)));
            let _ = writeln!(page, "<tr>{}</tr>", cells.concat());
        }
        if let Some(what) = &row.differs {
            let picture = row.picture.as_ref().map(|picture| {
                let names: Vec<String> = boards.iter().map(Board::to_string).collect();
                let (source, names) = (picture.display().to_string(), names.join(" | "));
                format!("<br><img src=\"{}\" alt=\"{}\">", escaped(&source), escaped(&names))
            });
            let picture = picture.unwrap_or_default();
            let _ = writeln!(page, "<tr><td colspan=\"5\">{}{picture}</td></tr>", escaped(what));
        }
    }
    page + "</table>\n"
}
