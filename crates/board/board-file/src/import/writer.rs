//! Writes a board file table by table, with unique names and keys.

use std::collections::{BTreeMap, BTreeSet};

use super::{Imported, Loss, LossReason};
use crate::key_names;
use crate::limits::{NAME_CHARS_MAX, PARTS_MAX};
use crate::reader::quoted;
use crate::table::value::is_name;

/// A board file under construction.
#[derive(Debug)]
pub(super) struct Writer {
    text: String,
    losses: Vec<Loss>,
    names: BTreeSet<String>,
    keys: BTreeSet<&'static str>,
    parts: usize,
    /// Names of the parts of a diagram, by their ids.
    ids: BTreeMap<String, String>,
}

/// A table of a part: its lines, which are added when it is complete.
#[derive(Debug)]
pub(super) struct Part {
    /// The part in messages about losses.
    pub(super) place: String,
    lines: Vec<String>,
}

impl Part {
    pub(super) fn new(table: &str, place: String) -> Self {
        Self { place, lines: vec![format!("[[{table}]]")] }
    }

    /// Adds a line with a text. Control characters, quotes and backslashes are replaced.
    pub(super) fn text(&mut self, key: &str, text: &str) {
        let safe = |c: char| if c.is_control() || c == '"' || c == '\\' { '_' } else { c };
        self.lines.push(format!("{key} = \"{}\"", text.chars().map(safe).collect::<String>()));
    }

    pub(super) fn pin(&mut self, key: &str, gpio: u8) {
        self.lines.push(format!("{key} = \"GP{gpio}\""));
    }

    pub(super) fn pins(&mut self, key: &str, gpios: &[u8]) {
        let pins: Vec<String> = gpios.iter().map(|gpio| format!("\"GP{gpio}\"")).collect();
        self.lines.push(format!("{key} = [{}]", pins.join(", ")));
    }

    pub(super) fn number(&mut self, key: &str, value: u32) {
        self.lines.push(format!("{key} = {value}"));
    }

    /// Adds suggested keys.
    pub(super) fn keys(&mut self, keys: &[&str]) {
        let escaped = |key: &str| key.replace('\\', "\\\\").replace('"', "\\\"");
        let keys: Vec<String> = keys.iter().map(|key| format!("\"{}\"", escaped(key))).collect();
        self.lines.push(format!("keys = [{}]", keys.join(", ")));
    }

    pub(super) fn raw(&mut self, line: String) {
        self.lines.push(line);
    }
}

impl Writer {
    pub(super) fn new(title: &str, from: &str) -> Self {
        let safe = |c: char| if c.is_control() || c == '"' || c == '\\' { '_' } else { c };
        let clean = |text: &str| text.chars().take(80).map(safe).collect::<String>();
        let text = format!(
            "# Imported from {}. Places are left out: the face is laid out automatically.\n\n\
             board = 1\nname = \"{}\"\nchip = \"rp2040\"\n",
            clean(from),
            if title.is_empty() { "Imported board".to_owned() } else { clean(title) },
        );
        Self {
            text,
            losses: Vec::new(),
            names: BTreeSet::new(),
            keys: BTreeSet::new(),
            parts: 0,
            ids: BTreeMap::new(),
        }
    }

    /// Returns a unique name like `wanted`, and reports a change of a name that was one.
    pub(super) fn name(&mut self, wanted: &str, place: &str) -> String {
        let letter = |c: char| if c.is_ascii_alphanumeric() || "-_".contains(c) { c } else { '-' };
        let mut base: String = wanted.chars().map(letter).take(NAME_CHARS_MAX - 4).collect();
        if !is_name(&base) {
            base = format!("P{base}");
        }
        let mut name = base.clone();
        let mut number = 2;
        while !self.names.insert(name.to_ascii_lowercase()) {
            name = format!("{base}-{number}");
            number += 1;
        }
        if name != base {
            self.lose(place, LossReason::Renamed(name.clone()));
        }
        name
    }

    /// Records that the part, or the pin of a part, `id` has this name. The first name counts.
    pub(super) fn identify(&mut self, id: String, name: &str) {
        self.ids.entry(id).or_insert_with(|| name.to_owned());
    }

    /// Returns the name of the part `id`.
    pub(super) fn name_of(&self, id: &str) -> Option<String> {
        self.ids.get(id).cloned()
    }

    /// Returns the name of a key, if it exists and no part has it yet.
    pub(super) fn key(&mut self, wanted: &str, place: &str) -> Option<&'static str> {
        let found = key_names::find(wanted).filter(|key| self.keys.insert(key));
        if found.is_none() {
            self.lose(place, LossReason::Key(quoted(wanted)));
        }
        found
    }

    /// Adds a complete part.
    pub(super) fn add(&mut self, part: Part) {
        self.parts += 1;
        self.text.push('\n');
        for line in part.lines {
            self.text.push_str(&line);
            self.text.push('\n');
        }
    }

    /// Returns whether the board has as many parts as it can have.
    pub(super) fn is_full(&self) -> bool {
        self.parts >= PARTS_MAX
    }

    pub(super) fn lose(&mut self, place: &str, reason: LossReason) {
        self.losses.push(Loss { place: quoted(place), reason });
    }

    pub(super) fn finish(mut self) -> Imported {
        if !self.losses.is_empty() {
            self.text.push_str("\n# Not carried over:\n");
        }
        for loss in &self.losses {
            self.text.push_str(&format!("# - {loss}\n"));
        }
        Imported { text: self.text, losses: self.losses, names: self.ids }
    }
}
