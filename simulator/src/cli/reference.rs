//! Compares the reference pages `docs/command-line.md` and `docs/fuzzing.md` with the grammar: each
//! name in one must be in the other.

use std::collections::BTreeSet;

use clap::{Command, CommandFactory};

use super::Cli;

/// A verb without verbs of its own: its words after `nudge`, and its options.
struct Leaf {
    name: String,
    options: BTreeSet<String>,
}

/// Returns all leaves of the grammar.
fn leaves() -> Vec<Leaf> {
    let mut found = Vec::new();
    collect(&Cli::command(), "", &mut found);
    found
}

fn collect(command: &Command, name: &str, found: &mut Vec<Leaf>) {
    if !command.has_subcommands() {
        let options = command.get_arguments().flat_map(|argument| {
            let long = argument.get_long().map(|long| format!("--{long}"));
            let short = argument.get_short().map(|short| format!("-{short}"));
            [long, short].into_iter().flatten()
        });
        found.push(Leaf { name: name.to_owned(), options: options.collect() });
    }
    for verb in command.get_subcommands() {
        collect(verb, format!("{name} {}", verb.get_name()).trim_start(), found);
    }
}

/// Reads a page of the reference.
fn page(name: &str) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/");
    std::fs::read_to_string(format!("{path}{name}")).unwrap()
}

/// Returns the options in a text, `--option` and `-o`.
fn options(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-'));
    let is_option = |word: &&str| {
        let name = word.trim_start_matches('-');
        let dashes = word.len() - name.len();
        let is_name = name.starts_with(|letter: char| letter.is_ascii_alphabetic());
        is_name && (dashes == 2 || dashes == 1 && name.len() == 1)
    };
    words.filter(is_option).map(str::to_owned).collect()
}

/// Returns the section of a page whose heading begins with the longest part of `nudge NAME`.
fn section<'a>(pages: &'a [String], name: &str) -> &'a str {
    let mut words: Vec<&str> = name.split(' ').collect();
    while !words.is_empty() {
        let heading = format!("\n## `nudge {}", words.join(" "));
        for page in pages {
            for (start, _) in page.match_indices(&heading) {
                let behind = &page[start + heading.len()..];
                if behind.starts_with(['`', ' ']) {
                    return behind.split("\n## ").next().unwrap_or(behind);
                }
            }
        }
        words.pop();
    }
    panic!("no section on nudge {name}")
}

fn pages() -> [String; 2] {
    ["command-line.md", "fuzzing.md"].map(page)
}

/// Returns the first cells of a section's option tables.
fn rows(section: &str) -> impl Iterator<Item = String> {
    let cells = section.lines().filter_map(|line| line.strip_prefix("| `-")?.split(" | ").next());
    cells.map(|cell| format!("-{cell}"))
}

/// First words of a saved game; such a line is not a call.
const SAVED_GAME: &str = "nudge saved game ";

/// Returns the lines of code blocks that call `nudge`, without a prompt.
fn calls(text: &str) -> Vec<&str> {
    let mut calls = Vec::new();
    let mut in_block = false;
    for line in text.lines() {
        let call = line.strip_prefix("$ ").unwrap_or(line);
        if line.starts_with("```") {
            in_block = !in_block;
        } else if in_block && call.starts_with("nudge ") && !call.starts_with(SAVED_GAME) {
            calls.push(call);
        }
    }
    calls
}

#[test]
fn the_table_of_verbs_matches_the_grammar() {
    let [page, _] = pages();
    let table = page.split("| verb | does |").nth(1).unwrap().split("\n\n").next().unwrap();
    let named: BTreeSet<&str> =
        table.split("[`nudge ").skip(1).filter_map(|cell| cell.split('`').next()).collect();
    let leaves = leaves();
    for leaf in &leaves {
        let group = leaf.name.split(' ').next().unwrap_or_default();
        let is_named = named.contains(leaf.name.as_str()) || named.contains(group);
        assert!(is_named, "nudge {} is not in the table", leaf.name);
    }
    for name in named {
        let is_verb = |leaf: &Leaf| {
            leaf.name == name
                || leaf.name.strip_prefix(name).is_some_and(|rest| rest.starts_with(' '))
        };
        assert!(leaves.iter().any(is_verb), "there is no nudge {name}");
    }
}

#[test]
fn every_option_is_in_the_section_of_its_verb() {
    let pages = pages();
    for leaf in leaves() {
        let section = section(&pages, &leaf.name);
        let mut named: BTreeSet<String> = rows(section).flat_map(|row| options(&row)).collect();
        if named.is_empty() {
            // A section without a table names its options in the text.
            named = options(section);
        }
        named.extend(calls(section).into_iter().flat_map(options));
        let missing: Vec<&String> = leaf.options.difference(&named).collect();
        // The page may omit short forms.
        let missing: Vec<&&String> =
            missing.iter().filter(|option| option.starts_with("--")).collect();
        assert!(missing.is_empty(), "nudge {}: the page lacks {missing:?}", leaf.name);
    }
}

#[test]
fn every_option_of_a_section_belongs_to_its_verb() {
    let leaves = leaves();
    for page in pages() {
        let found = calls(&page);
        assert!(found.len() >= 5, "{found:?}");
        for call in found {
            let behind = call.strip_prefix("nudge ").unwrap_or(call);
            let leaf = leaves.iter().find(|leaf| {
                behind
                    .strip_prefix(&leaf.name)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            });
            let leaf = leaf.unwrap_or_else(|| panic!("{call}: no such verb"));
            let unknown: Vec<String> = options(call).difference(&leaf.options).cloned().collect();
            assert!(unknown.is_empty(), "{call}: there is no {unknown:?}");
        }
    }
    // The first cells of the tables of options.
    let pages = pages();
    for leaf in &leaves {
        for row in rows(section(&pages, &leaf.name)) {
            let named = options(&row);
            let unknown: Vec<&String> = named.difference(&leaf.options).collect();
            assert!(unknown.is_empty(), "nudge {}: there is no {unknown:?}", leaf.name);
        }
    }
}

#[test]
fn a_usage_line_has_all_options_or_ends_in_options() {
    let pages = pages();
    let usage = calls(&pages[0]);
    for leaf in leaves() {
        let start = format!("nudge {} ", leaf.name);
        let Some(line) = usage.iter().find(|line| line.starts_with(&start)) else { continue };
        if line.contains("[options]") {
            continue;
        }
        let named = options(line);
        let long = |option: &&String| option.starts_with("--");
        let missing: Vec<&String> = leaf.options.difference(&named).filter(long).collect();
        assert!(missing.is_empty(), "{line}: it lacks {missing:?}");
    }
}
