//! Code lenses above a trace: the commands that replay it.

use lsp_types::{CodeLens, Command};
use serde_json::json;

use crate::document::{Document, Kind};
use crate::words::words;

/// Command that replays a trace; its argument is the address of the file.
pub const REPLAY: &str = "nudge.replay";
/// Command that makes the frames of a replay the goldens.
pub const BLESS: &str = "nudge.bless";

/// Returns the lenses of a document, above its line `trace 1`.
pub fn lenses(document: &Document) -> Vec<CodeLens> {
    if document.kind != Kind::Trace {
        return Vec::new();
    }
    let first = document.lines().find(|(_, line)| !words(line).is_empty());
    let Some((number, line)) = first else { return Vec::new() };
    let range = document.range(number, 0, line.len());
    let lens = |title: &str, command: &str| {
        let arguments = Some(vec![json!(document.uri)]);
        let command = Command { title: title.into(), command: command.into(), arguments };
        CodeLens { range, command: Some(command), data: None }
    };
    vec![lens("Run", REPLAY), lens("Bless", BLESS)]
}
