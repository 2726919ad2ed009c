//! Parses every command of the documents' shell blocks with the grammar.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser as _;
use clap::error::ErrorKind;

use super::Cli;

/// Returns README.md and the pages in `docs`.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let pages = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = pages.filter(|path| path.extension().is_some_and(|end| end == "md"));
    pages.chain([root.join("README.md")]).collect()
}

/// Returns the lines of `text` that call `nudge`: in shell blocks, and after a prompt.
fn commands(text: &str) -> Vec<String> {
    let (mut found, mut is_shell) = (Vec::new(), false);
    for line in text.replace("\\\n", " ").lines() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            is_shell = !is_shell && language.trim() == "sh";
        } else if let Some(line) = line.trim_start().strip_prefix("$ ").or(is_shell.then_some(line))
        {
            let line = line.trim_start();
            found.extend(line.starts_with("nudge ").then(|| line.to_owned()));
        }
    }
    found
}

/// Returns the words of the first command of a shell line, without quotation marks.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for letter in line.chars() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '\'' | '"') => quote = Some(letter),
            (None, '#') if word.is_empty() => break,
            (None, '|' | ';' | '&' | '>') => break,
            (None, ' ') => words.extend((!word.is_empty()).then(|| std::mem::take(&mut word))),
            _ => word.push(letter),
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

#[test]
fn every_command_of_the_documents_is_accepted() {
    let line = r#"nudge replay "a b.trace" --board 'pico=x y' | less  # all"#;
    assert_eq!(words(line), ["nudge", "replay", "a b.trace", "--board", "pico=x y"]);
    assert!(Cli::try_parse_from(words("nudge replay --no-such-option")).is_err());
    let mut seen = 0;
    for path in documents() {
        for line in commands(&fs::read_to_string(&path).unwrap()) {
            seen += 1;
            if let Err(error) = Cli::try_parse_from(words(&line)) {
                let is_help =
                    [ErrorKind::DisplayHelp, ErrorKind::DisplayVersion].contains(&error.kind());
                assert!(is_help, "{}: {line}\n{error}", path.display());
            }
        }
    }
    assert!(seen >= 20, "{seen}");
}
