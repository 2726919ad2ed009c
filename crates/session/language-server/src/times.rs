//! Absolute times of the lines of a trace, also of one with errors; inlay hints show them.

use std::path::Path;

use lsp_types::{InlayHint, InlayHintKind, InlayHintLabel, Position, Range};
use trace::{
    FILE_BYTES_MAX, INCLUDE_DEPTH_MAX, IncludeSource, KnownTime, parse_instant, parse_time,
};
use virtual_time::{Instant, spoken};

use crate::document::Document;
use crate::words::{Word, words};

/// Maximum number of lines that are counted, included files each time that they are included.
const LINES_MAX: usize = 200_000;

/// The times of a document's lines; `None` for a line without a time, or after a line whose time is unknown.
pub fn times(document: &Document, files: &mut dyn IncludeSource) -> Vec<Option<KnownTime>> {
    let start = KnownTime { since_wait: 0, at: Instant::START };
    // The lines of an included file follow unknown ones.
    let now = document.kind.eq(&crate::document::Kind::Trace).then_some(start);
    let mut clock = Clock { now, waits: 0, lines_left: LINES_MAX, files };
    let folder = document.path.parent().unwrap_or(Path::new(""));
    document.lines().map(|(_, line)| clock.line(line, folder, 0)).collect()
}

struct Clock<'a> {
    /// Time from which the next line counts.
    now: Option<KnownTime>,
    waits: u32,
    lines_left: usize,
    files: &'a mut dyn IncludeSource,
}

impl Clock<'_> {
    /// Reads a line, and returns its time.
    fn line(&mut self, line: &str, folder: &Path, depth: usize) -> Option<KnownTime> {
        self.lines_left = self.lines_left.checked_sub(1)?;
        let words = words(line);
        let (first, second) = (words.first()?, words.get(1));
        if first.text == "include" {
            self.include(second?.text, folder, depth);
            return None;
        }
        let time = if let Some(span) = first.text.strip_prefix('+') {
            let span = parse_time(span).ok();
            self.now
                .zip(span)
                .map(|(now, span)| KnownTime { at: now.at.saturating_add(span), ..now })
        } else if first.text.starts_with(|digit: char| digit.is_ascii_digit()) {
            parse_instant(first.text).ok().map(|at| KnownTime { since_wait: 0, at })
        } else {
            return None;
        };
        self.now = time;
        if second.is_some_and(|verb| matches!(verb.text, "wait" | "settle")) {
            self.waits += 1;
            self.now = time.map(|now| KnownTime { since_wait: self.waits, ..now });
        }
        time
    }

    fn include(&mut self, path: &str, folder: &Path, depth: usize) {
        let path = folder.join(path);
        let bytes = (depth < INCLUDE_DEPTH_MAX).then(|| self.files.read(&path, FILE_BYTES_MAX));
        let Some(Ok(bytes)) = bytes else {
            self.now = None;
            return;
        };
        let text = String::from_utf8_lossy(&bytes);
        let folder = path.parent().unwrap_or(folder);
        for line in text.lines() {
            self.line(line, folder, depth + 1);
        }
    }
}

/// Returns a time for a reader: `12.5 s`, or `at least 2 s`.
pub fn worded(time: KnownTime) -> String {
    time.to_string()
}

/// Returns the absolute times of the lines with relative ones, within `range`.
pub fn hints(document: &Document, range: Range, files: &mut dyn IncludeSource) -> Vec<InlayHint> {
    let times = times(document, files);
    let lines = range.start.line as usize..=(range.end.line as usize).min(times.len());
    let hint = |number: usize| {
        let time = times.get(number).copied().flatten()?;
        let line = document.line(number);
        let first: Word<'_> = words(line).into_iter().next()?;
        first.text.starts_with('+').then(|| {
            let sign = if time.since_wait == 0 { "=" } else { "≥" };
            let position = document.range(number, first.end(), first.end()).end;
            hint_at(position, format!("{sign} {}", spoken(time.at.since_start())))
        })
    };
    lines.filter_map(hint).collect()
}

fn hint_at(position: Position, label: String) -> InlayHint {
    InlayHint {
        position,
        label: InlayHintLabel::String(label),
        kind: Some(InlayHintKind::PARAMETER),
        text_edits: None,
        tooltip: None,
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}
