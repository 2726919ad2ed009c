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

/// Returns `text` without its blocks of code.
fn prose(text: &str) -> String {
    let mut is_code = false;
    let lines = text.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_fence && !is_code
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the targets of the links in `text`, without those in code and those to other sites.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let without_code: String = prose.split('`').step_by(2).collect::<Vec<_>>().join("`");
    let targets = without_code.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    let targets = targets.map(|(target, _)| target.to_owned());
    targets.filter(|target| !target.contains("://") && !target.starts_with("mailto:")).collect()
}

/// Returns the anchors of the headings of `text`, as GitHub and mdBook make them.
fn anchors(text: &str) -> Vec<String> {
    let prose = prose(text);
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    let anchor = |line: &str| -> String {
        let heading = line.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter(|&letter| {
            letter.is_alphanumeric() || letter == ' ' || letter == '-' || letter == '_'
        });
        kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
    };
    headings.map(anchor).collect()
}

/// Returns the links of the document at `path` that lead nowhere: to a file or a heading that does not exist.
fn broken_links(path: &Path, text: &str) -> Vec<String> {
    let leads_nowhere = |link: &String| {
        let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
        let target =
            if file.is_empty() { path.to_owned() } else { path.parent().unwrap().join(file) };
        let is_document = target.extension().is_some_and(|end| end == "md");
        // The first page of the site is made by scripts/site.sh.
        if path.ends_with("SUMMARY.md") && file == "index.md" {
            return false;
        }
        if !target.exists() {
            return true;
        }
        let target_text =
            || if file.is_empty() { text.to_owned() } else { fs::read_to_string(&target).unwrap() };
        let has = |anchor: &str| anchors(&target_text()).iter().any(|found| found == anchor);
        !anchor.is_empty() && is_document && !has(anchor)
    };
    links(text).into_iter().filter(leads_nowhere).collect()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let page =
        "[a](ci.md) [b](#one) [c](none.md) `[d](e.md)` [f](ci.md#none)\n# One\n```\n[g](h.md)\n```";
    let broken = broken_links(&root().join("docs/page.md"), page);
    assert_eq!(broken, ["none.md", "ci.md#none"]);
    let mut links_seen = 0;
    for path in documents() {
        let text = fs::read_to_string(&path).unwrap();
        links_seen += links(&text).len();
        assert_eq!(broken_links(&path, &text), [""; 0], "{}", path.display());
    }
    assert!(links_seen > 200, "{links_seen}");
}

#[test]
fn the_site_has_every_document() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    let pages = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().file_name());
    for page in pages.map(|name| name.into_string().unwrap()) {
        let is_page = page.ends_with(".md") && page != "SUMMARY.md";
        assert!(!is_page || summary.contains(&format!("]({page})")), "{page}");
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
