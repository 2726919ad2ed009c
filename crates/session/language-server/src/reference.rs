//! The documentation that the editor shows: sections of the pages in `docs/`, which are part of the program.

use std::sync::OnceLock;

const TRACES: &str = include_str!("../../../../docs/trace-format.md");
const PANELS: &str = include_str!("../../../../docs/panels.md");

/// Maximum number of bytes of a section that is shown; the rest is in the page.
const SHOWN_BYTES_MAX: usize = 1_600;

/// The documentation of a verb.
#[derive(Debug)]
pub struct Section {
    /// Forms of the line, as in the heading: `tap BUTTON for TIME`.
    pub forms: Vec<&'static str>,
    pub text: String,
}

impl Section {
    /// Returns the number of words at the beginning of a form that are the first words of a line.
    fn likeness(&self, words: &[&str]) -> usize {
        let like = |form: &&str| {
            form.split(' ').zip(words).take_while(|(wanted, word)| wanted == *word).count()
        };
        self.forms.iter().map(like).max().unwrap_or(0)
    }
}

/// A row of a table of keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    pub key: String,
    /// The other cells of the row.
    pub about: String,
}

/// A table of a TOML file with its keys.
#[derive(Debug)]
pub struct Table {
    /// Name in brackets; empty for the keys before the first table.
    pub name: String,
    pub keys: Vec<Key>,
}

/// Returns the documentation of all verbs.
pub fn sections() -> &'static [Section] {
    static SECTIONS: OnceLock<Vec<Section>> = OnceLock::new();
    SECTIONS.get_or_init(|| {
        let verbs = TRACES.split("\n## ").find(|part| part.starts_with("The verbs"));
        let verbs = verbs.into_iter().flat_map(|part| part.split("\n### ").skip(1));
        let include = TRACES.split("\n## ").filter(|part| part.starts_with("`include`"));
        verbs.chain(include).filter_map(section).collect()
    })
}

/// Returns the documentation of the verb of a line with these words.
pub fn section_of(words: &[&str]) -> Option<&'static Section> {
    let best = sections().iter().rev().max_by_key(|section| section.likeness(words))?;
    (best.likeness(words) > 0).then_some(best)
}

/// Returns the keys of a trace's header.
pub fn header_keys() -> &'static [Key] {
    static KEYS: OnceLock<Vec<Key>> = OnceLock::new();
    KEYS.get_or_init(|| {
        let header = TRACES.split("\n## ").find(|part| part.starts_with("The header"));
        keys(header.unwrap_or_default())
    })
}

/// Returns the tables of a board file.
pub fn board_tables() -> &'static [Table] {
    static TABLES: OnceLock<Vec<Table>> = OnceLock::new();
    TABLES.get_or_init(|| {
        let page = board_file::reference();
        page.split("### ").skip(1).map(table).collect()
    })
}

/// Returns the tables of a panel's file.
pub fn panel_tables() -> &'static [Table] {
    static TABLES: OnceLock<Vec<Table>> = OnceLock::new();
    TABLES.get_or_init(|| {
        let page = PANELS.split("\n## The file").nth(1).unwrap_or_default();
        let mut parts = page.split("\n### ");
        let first = parts.next().unwrap_or_default();
        let first = Table { name: String::new(), keys: keys(first) };
        std::iter::once(first).chain(parts.map(table)).collect()
    })
}

fn section(part: &'static str) -> Option<Section> {
    let (heading, text) = part.split_once('\n')?;
    let forms: Vec<&str> = heading.split('`').skip(1).step_by(2).collect();
    (!forms.is_empty()).then(|| Section { forms, text: shown(text) })
}

/// Returns a section without links, up to the paragraph that would make it too long.
fn shown(text: &str) -> String {
    let mut shown = String::new();
    let mut in_block = false;
    for paragraph in without_links(text).trim().split("\n\n") {
        if !in_block && !shown.is_empty() && shown.len() + paragraph.len() > SHOWN_BYTES_MAX {
            break;
        }
        if !shown.is_empty() {
            shown += "\n\n";
        }
        shown += paragraph;
        in_block ^= paragraph.matches("```").count() % 2 == 1;
    }
    shown
}

/// Replaces each `[text](page)` by its text: the page is not where the editor would look for it.
fn without_links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        out += before;
        let link = after.split_once("](").and_then(|(label, tail)| {
            let (target, rest) = tail.split_once(')')?;
            let is_link = !label.contains(['[', ']', '\n']) && !target.contains(['\n', ' ']);
            is_link.then_some((label, rest))
        });
        match link {
            Some((label, tail)) => (out, rest) = (out + label, tail),
            None => {
                out.push('[');
                rest = after;
            }
        }
    }
    out + rest
}

fn table(part: &str) -> Table {
    let heading = part.lines().next().unwrap_or_default();
    let name: String =
        heading.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '_').collect();
    let name = if heading.contains(' ') { String::new() } else { name };
    Table { name, keys: keys(part) }
}

/// Returns the rows of the tables in a text whose first cell has keys.
fn keys(text: &str) -> Vec<Key> {
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    rows.flat_map(|row| {
        let row = row.trim_matches(['|', ' ']);
        let (first, about) = row.split_once(" | ").unwrap_or((row, ""));
        let about = without_links(&about.replace(" | ", " · "));
        let names = first.split('`').skip(1).step_by(2);
        names.map(move |key| Key { key: key.to_owned(), about: about.clone() }).collect::<Vec<_>>()
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_has_its_section() {
        let form = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            section_of(&words).map(|section| section.forms[0])
        };
        assert_eq!(form("power off"), Some("power on"));
        assert_eq!(form("tap B3 for 1s"), Some("tap BUTTON"));
        assert_eq!(form("expect no text \"x\""), Some("expect text \"…\""));
        assert_eq!(form("expect settled frames x"), Some("expect frames NAME"));
        assert_eq!(form("expect no tone"), Some("expect no tone"));
        assert_eq!(form("wait console \"x\" within 1s"), Some("wait console \"…\" within TIME"));
        assert_eq!(form("fault stuck B1"), Some("fault …"));
        assert_eq!(form("include boot.inc"), Some("include"));
        assert_eq!(form("tpa B1"), None);
        let parts = trace::BoardParts::lcd_board();
        let refused = trace::parse_action("", &parts).unwrap_err().to_string();
        let verbs = refused.split(": ").nth(1).unwrap_or(&refused);
        for verb in verbs.split(", ").map(|verb| verb.split(' ').next().unwrap_or(verb)) {
            assert!(form(verb).is_some(), "{verb} of {refused}");
        }
    }

    #[test]
    fn keys_have_their_rows() {
        let key = |keys: &[Key], key: &str| {
            keys.iter().any(|row| row.key == key && !row.about.is_empty())
        };
        assert!(key(header_keys(), "seed") && key(header_keys(), "board"));
        let table = |tables: &'static [Table], name: &str| {
            &tables.iter().find(|table| table.name == name).unwrap().keys[..]
        };
        assert!(key(table(board_tables(), "button"), "pin"));
        assert!(key(table(panel_tables(), "memory"), "columns"));
        assert!(key(table(panel_tables(), ""), "family"));
    }

    #[test]
    fn links_become_their_text() {
        assert_eq!(without_links("a [b](c.md#d) [e] f"), "a b [e] f");
        assert!(sections().iter().all(|section| !section.text.contains("](")));
        assert!(sections().iter().all(|section| section.text.matches("```").count() % 2 == 0));
    }
}
