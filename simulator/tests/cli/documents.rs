//! Checks the Markdown of the documents.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns every Markdown file of the project.
fn documents() -> Vec<PathBuf> {
    let folders = ["", "docs", "tests", "web", "python", "firmware-core", "fuzz"];
    let folders = folders.iter().filter_map(|folder| fs::read_dir(root().join(folder)).ok());
    let files = folders.flatten().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|end| end == "md")).collect()
}

/// Returns the first lines of tables in `text` that are not followed by a line of dashes, each with
/// its line number. Such rows were cut off from their table, and a browser shows them as text.
fn torn_tables(text: &str) -> Vec<(usize, &str)> {
    let lines: Vec<&str> = text.lines().collect();
    let (mut torn, mut is_code) = (Vec::new(), false);
    for (at, line) in lines.iter().enumerate() {
        is_code ^= line.trim_start().starts_with("```");
        let is_row = |line: &str| line.starts_with('|');
        let begins = is_row(line) && (at == 0 || !is_row(lines[at - 1]));
        let dashes =
            |line: &&str| is_row(line) && line.chars().all(|letter| "|-: ".contains(letter));
        if begins && !is_code && !lines.get(at + 1).is_some_and(dashes) {
            torn.push((at + 1, *line));
        }
    }
    torn
}

#[test]
fn no_table_is_torn() {
    assert_eq!(torn_tables("| a |\n|---|\n| b |\n\n```\n| c |\n```\n"), []);
    assert_eq!(torn_tables("| a |\n|---|\n| b |\n\n| c |\n"), [(5, "| c |")]);
    let documents = documents();
    assert!(documents.len() > 20, "{documents:?}");
    for path in documents {
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(torn_tables(&text), [], "{}", path.display());
    }
}

#[test]
fn every_input_and_output_of_the_action_is_in_the_document() {
    let action = fs::read_to_string(root().join("action.yml")).unwrap();
    let page = fs::read_to_string(root().join("docs/ci.md")).unwrap();
    let names = |from: &str, to: &str| -> Vec<String> {
        let part = action.split_once(from).unwrap().1.split_once(to).unwrap().0;
        let names = part.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
        names.map(|line| line.trim().trim_end_matches(':').to_owned()).collect()
    };
    let (inputs, outputs) =
        (names("\ninputs:\n", "\noutputs:\n"), names("\noutputs:\n", "\nruns:\n"));
    assert!(inputs.len() >= 7 && outputs.len() >= 2, "{inputs:?} {outputs:?}");
    for input in inputs {
        assert!(page.contains(&format!("\n| `{input}` |")), "{input}");
    }
    for output in outputs {
        assert!(page.contains(&format!("output `{output}` is")), "{output}");
    }
}
