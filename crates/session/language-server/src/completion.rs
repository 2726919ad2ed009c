//! Completion: verbs, names of the board, goldens, texts and console lines.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use host::output_files::goldens_of;
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, Documentation, InsertTextFormat,
    MarkupContent, MarkupKind, Position, Range, TextEdit,
};
use trace::{BoardParts, quoted};

use crate::document::{Document, Kind};
use crate::hover::table_at;
use crate::reference::{self, Key, Table};
use crate::tool::Shown;
use crate::words::{Word, is_time, unquoted, words};

/// Maximum number of files of a folder that are offered.
const FILES_MAX: usize = 1_000;
/// Maximum number of console lines that are offered, the last ones.
const CONSOLE_MAX: usize = 200;
/// Kinds of faults, as they follow `fault`.
const FAULTS: [&str; 11] = [
    "stuck BUTTON",
    "bounce BUTTON TIME",
    "spi flip 1/N",
    "uart lose 1/N",
    "uart garble",
    "noise stuck",
    "power cut",
    "flash cut after N bytes",
    "flash stuck",
    "none BUTTON",
    "none spi",
];

/// A place in a line of a trace.
#[derive(Debug)]
struct At<'a> {
    /// Words before the one that is being typed.
    before: Vec<Word<'a>>,
    /// Bytes of the word that is being typed.
    start: usize,
    end: usize,
}

impl<'a> At<'a> {
    /// Returns the place of the cursor; `None` in a comment.
    fn of(line: &'a str, byte: usize) -> Option<Self> {
        let mut before = words(&line[..byte]);
        let last_end = before.last().map_or(0, Word::end);
        if line[last_end..byte].contains('#') {
            return None;
        }
        let is_open = |word: &Word<'_>| {
            word.end() == byte
                && !(word.is_quoted() && word.text.len() > 1 && word.text.ends_with('"'))
        };
        let start = match before.last().copied().filter(is_open) {
            Some(word) => {
                before.pop();
                word.start
            }
            None => byte,
        };
        // An editor closes a quote at once.
        let is_closed = line[start..].starts_with('"') && line[byte..].starts_with('"');
        Some(Self { before, start, end: byte + usize::from(is_closed) })
    }

    fn texts(&self) -> Vec<&'a str> {
        self.before.iter().map(|word| word.text).collect()
    }
}

/// Returns whether the text at `position` is one that a board shows or prints.
pub fn wants_board(document: &Document, position: Position) -> bool {
    let line = document.line(position.line as usize);
    let at = At::of(line, document.byte(position));
    document.kind == Kind::Trace
        && at.is_some_and(|at| matches!(at.texts().last(), Some(&"text" | &"console")))
}

/// Returns what can be at `position`. `shown` is what the board shows there, if that is known.
pub fn complete(
    document: &Document,
    position: Position,
    parts: &BoardParts,
    shown: Option<&Shown>,
    snippets: bool,
) -> Vec<CompletionItem> {
    let number = position.line as usize;
    let line = document.line(number);
    let byte = document.byte(position);
    match document.kind {
        Kind::Trace | Kind::Included => {
            let Some(at) = At::of(line, byte) else { return Vec::new() };
            let list = List { range: document.range(number, at.start, at.end), parts, snippets };
            of_trace(document, number, &at, shown, &list)
        }
        Kind::Board => of_table(document, number, byte, reference::board_tables()),
        Kind::Panel => of_table(document, number, byte, reference::panel_tables()),
    }
}

/// Makes the items of an answer.
struct List<'a> {
    /// Range that an item replaces.
    range: Range,
    parts: &'a BoardParts,
    /// Whether the editor has placeholders.
    snippets: bool,
}

impl List<'_> {
    fn item(&self, label: &str, new_text: String, kind: CompletionItemKind) -> CompletionItem {
        CompletionItem {
            label: label.to_owned(),
            kind: Some(kind),
            filter_text: Some(new_text.clone()),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit { range: self.range, new_text })),
            ..CompletionItem::default()
        }
    }

    fn names<'b>(&self, names: impl IntoIterator<Item = &'b str>) -> Vec<CompletionItem> {
        let item = |name: &str| self.item(name, name.to_owned(), CompletionItemKind::CONSTANT);
        names.into_iter().map(item).collect()
    }

    fn texts(&self, texts: impl IntoIterator<Item = String>) -> Vec<CompletionItem> {
        let item = |text: String| self.item(&text, quoted(&text), CompletionItemKind::TEXT);
        texts.into_iter().map(item).collect()
    }

    fn files(&self, files: impl IntoIterator<Item = String>) -> Vec<CompletionItem> {
        let item = |file: String| self.item(&file, file.clone(), CompletionItemKind::FILE);
        files.into_iter().map(item).collect()
    }

    /// Returns the item of a form such as `tap BUTTON for TIME`, whose words in capitals are placeholders.
    fn form(&self, form: &str, about: &str) -> CompletionItem {
        let mut number = 0;
        let mut plain = Vec::new();
        let mut snippet = Vec::new();
        for word in form.split(' ') {
            let inner = word.trim_matches('"');
            let is_placeholder = inner == "…"
                || inner.chars().any(|letter| letter.is_ascii_uppercase())
                    && !inner.chars().any(|letter| letter.is_ascii_lowercase());
            if !is_placeholder {
                snippet.push(word.to_owned());
                if number == 0 {
                    plain.push(word);
                }
                continue;
            }
            number += 1;
            let default = match inner {
                "…" => String::new(),
                "BUTTON" => self.parts.buttons.names().first().unwrap_or(&"B1").to_string(),
                "TIME" => "1s".into(),
                _ => inner.to_owned(),
            };
            snippet.push(word.replace(inner, &format!("${{{number}:{default}}}")));
        }
        let new_text = if self.snippets { snippet.join(" ") } else { plain.join(" ") };
        let mut item = self.item(form, new_text, CompletionItemKind::KEYWORD);
        item.filter_text = Some(form.to_owned());
        item.insert_text_format =
            (self.snippets && number > 0).then_some(InsertTextFormat::SNIPPET);
        let value = about.split("\n\n").next().unwrap_or_default().to_owned();
        if !value.is_empty() {
            let about = MarkupContent { kind: MarkupKind::Markdown, value };
            item.documentation = Some(Documentation::MarkupContent(about));
        }
        item
    }
}

fn of_trace(
    document: &Document,
    number: usize,
    at: &At<'_>,
    shown: Option<&Shown>,
    list: &List<'_>,
) -> Vec<CompletionItem> {
    let before = at.texts();
    let Some((&first, rest)) = before.split_first() else {
        return at_line_start(document, number, list);
    };
    if first == "include" {
        let folder = document.path.parent().unwrap_or(Path::new(""));
        return list.files(files_in(folder, ".inc"));
    }
    if !is_time(first) {
        return of_header(first, document, list);
    }
    let mut items = of_forms(rest, list);
    items.extend(of_names(document, rest, shown, list));
    items
}

/// Returns the keys of the header, and what else begins a line without a time.
fn at_line_start(document: &Document, number: usize, list: &List<'_>) -> Vec<CompletionItem> {
    let first_of = |line| words(line).first().map(|word| word.text);
    let above = || (0..number).filter_map(|number| first_of(document.line(number)));
    let mut items = list.names(["include"]);
    if document.kind == Kind::Included {
        return items;
    }
    if above().next().is_none() {
        items.push(list.form("trace 1", ""));
    } else if !above().any(|word| is_time(word) || word == "include") {
        let taken: BTreeSet<&str> = above().collect();
        let keys = reference::header_keys().iter();
        let keys = keys.filter(|key| !taken.contains(&*key.key));
        items.extend(keys.map(|key| of_key(key, list)));
    }
    items
}

fn of_key(key: &Key, list: &List<'_>) -> CompletionItem {
    let mut item = list.item(&key.key, key.key.clone(), CompletionItemKind::PROPERTY);
    let about = MarkupContent { kind: MarkupKind::Markdown, value: key.about.clone() };
    item.documentation = Some(Documentation::MarkupContent(about));
    item
}

/// Returns the values of a key of the header.
fn of_header(key: &str, document: &Document, list: &List<'_>) -> Vec<CompletionItem> {
    if key == trace::BOARD_KEY {
        let folder = document.path.parent().unwrap_or(Path::new(""));
        return list.files(files_in(folder, ".board.toml"));
    }
    let found = reference::header_keys().iter().find(|row| row.key == key);
    let values = found.map_or("", |row| row.about.split(" · ").next().unwrap_or_default());
    list.names(values.split('`').skip(1).step_by(2).filter(|value| !value.contains('.')))
}

/// Returns the forms of lines that begin with these words.
fn of_forms(words: &[&str], list: &List<'_>) -> Vec<CompletionItem> {
    let mut seen = BTreeSet::new();
    let mut items = Vec::new();
    for section in reference::sections() {
        for form in section.forms.iter().filter(|form| !form.starts_with("include")) {
            let rest: Vec<&str> = form.split(' ').collect();
            if rest.len() <= words.len() || !rest.iter().zip(words).all(|(one, other)| one == other)
            {
                continue;
            }
            let rest = rest[words.len()..].join(" ");
            let is_word = rest.starts_with(|letter: char| letter.is_ascii_lowercase());
            if is_word && seen.insert(rest.clone()) {
                let rest = if rest == "fault …" { "fault" } else { &rest };
                items.push(list.form(rest, &section.text));
            }
        }
    }
    if words == ["fault"] {
        items.extend(FAULTS.iter().map(|fault| list.form(fault, "")));
    }
    items
}

/// Returns the names and texts that can follow these words.
fn of_names(
    document: &Document,
    words: &[&str],
    shown: Option<&Shown>,
    list: &List<'_>,
) -> Vec<CompletionItem> {
    let parts = list.parts;
    match words {
        ["tap" | "press" | "release"] | ["fault", "stuck" | "bounce" | "none"] => {
            list.names(parts.buttons.names())
        }
        [verb @ ("turn" | "switch" | "set" | "touch" | "drag" | "lift")] => {
            let wanted = if matches!(*verb, "drag" | "lift") { "touch" } else { verb };
            let controls = parts.controls.all().iter();
            list.names(
                controls
                    .filter(|control| control.kind().verb() == wanted)
                    .map(|control| control.name()),
            )
        }
        [.., "led"] => list.names(parts.leds.all().iter().map(|led| led.name())),
        ["expect", .., "frame" | "frames"] => list.files(goldens(&document.path)),
        ["expect" | "wait" | "settle", .., "on"] => list.names(parts.displays.names()),
        ["expect" | "wait", .., kind @ ("text" | "console")] => {
            let of_board = shown.map_or(&[][..], |shown| match *kind {
                "text" => &shown.texts[..],
                _ => &shown.console[shown.console.len().saturating_sub(CONSOLE_MAX)..],
            });
            let mut seen = BTreeSet::new();
            let own = own_texts(document, kind);
            let all = of_board.iter().cloned().chain(own);
            list.texts(all.filter(|text| !text.trim().is_empty() && seen.insert(text.clone())))
        }
        _ => Vec::new(),
    }
}

/// Returns the texts that other lines of the document expect.
fn own_texts(document: &Document, kind: &str) -> BTreeSet<String> {
    let text = |line| {
        let words = words(line);
        let at = words.iter().position(|word| word.text == kind)?;
        unquoted(words.get(at + 1)?.text)
    };
    document.lines().filter_map(|(_, line)| text(line)).collect()
}

/// Returns the names of the goldens of a trace.
fn goldens(path: &Path) -> BTreeSet<String> {
    let Ok(folder) = goldens_of(path) else { return BTreeSet::new() };
    let mut names = BTreeSet::new();
    for ending in [".png", ".frames"] {
        let files = files_in(&folder, ending).into_iter();
        names.extend(files.filter_map(|file| file.strip_suffix(ending).map(str::to_owned)));
    }
    names
}

fn files_in(folder: &Path, ending: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().take(FILES_MAX);
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| name.ends_with(ending)).collect()
}

/// Returns the keys of the table that a line is in, or the tables.
fn of_table(
    document: &Document,
    number: usize,
    byte: usize,
    tables: &[Table],
) -> Vec<CompletionItem> {
    let line = document.line(number);
    let typed = line[..byte].trim_start();
    let range = document.range(number, byte - typed.len(), byte);
    let parts = BoardParts::lcd_board();
    let list = List { range, parts: &parts, snippets: false };
    if typed.contains(['=', '#', '"']) {
        return Vec::new();
    }
    if typed.starts_with('[') {
        let names = tables.iter().filter(|table| !table.name.is_empty());
        let of_board = document.kind == Kind::Board;
        return names
            .map(|table| {
                let name = &table.name;
                let is_list = of_board || name == "example";
                let text = if is_list { format!("[[{name}]]") } else { format!("[{name}]") };
                list.item(&text, text.clone(), CompletionItemKind::MODULE)
            })
            .collect();
    }
    let name = table_at(document, number);
    let of_name = tables.iter().filter(|table| table.name == name).take(1);
    of_name.flat_map(|table| &table.keys).map(|key| of_key(key, &list)).collect()
}
