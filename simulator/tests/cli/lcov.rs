//! Runs the commands of `docs/command-line.md` that make pages of coverage, exactly as written
//! there: the feature `lcov-test`. Debian: `apt-get install lcov`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use boards::pico::firmware;

use crate::command::check;
use crate::emulate_cli::cargo::on_target;

/// Returns the workspace's folder: the documented commands run there, and names of sources are
/// relative to it.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Returns the documented command that contains all of `parts`.
#[track_caller]
fn documented(parts: &[&str]) -> String {
    let text = fs::read_to_string(root().join("docs/command-line.md")).unwrap();
    let commands = text.match_indices("genhtml ").map(|(at, _)| &text[at..]);
    let mut commands = commands.map(|rest| rest.split(['`', '\n']).next().unwrap());
    let command = commands.find(|command| parts.iter().all(|part| command.contains(part)));
    command.unwrap_or_else(|| panic!("no genhtml with {parts:?} in the document")).to_owned()
}

/// Executes the command after replacing `words`; returns the index of the pages in the folder
/// `pages`.
#[track_caller]
fn pages(command: &str, words: &[(&str, &Path)], pages: &Path) -> String {
    let line = command.split_whitespace().map(|word| {
        let other = words.iter().find(|(before, _)| *before == word);
        other.map_or(word.into(), |(_, now)| now.as_os_str().to_owned())
    });
    let line: Vec<_> = line.collect();
    let run = Command::new(&line[0])
        .args(&line[1..])
        .current_dir(root())
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| panic!("{command}: {error}; scripts/need.sh lcov"));
    let said = String::from_utf8_lossy(&run.stdout) + String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{command}\n{said}");
    fs::read_to_string(pages.join("index.html")).unwrap_or_else(|error| panic!("{error}\n{said}"))
}

#[test]
fn the_documented_command_makes_coverage_pages_of_a_program() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let line = format!("emulate {} --until 2ms --coverage lines.info", on_target("uart"));
    check(path, &line, 0, &[]);
    let command = documented(&["--ignore-errors source", "FILE"]) + " --output-directory PAGES";
    let words = [("FILE", &*path.join("lines.info")), ("PAGES", path)];
    let index = pages(&command, &words, path);
    assert!(index.contains("LCOV") && index.contains("on-target"), "{index}");
}

#[test]
fn the_documented_command_makes_coverage_pages_of_traces() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("boot.trace"), "trace 1\nseed 7\n\n0ms power on\n+1s end\n").unwrap();
    let program = firmware::path().expect("`make firmware` builds the program");
    let program = fs::canonicalize(program).unwrap();
    let line =
        format!("replay boot.trace --board pico={} --coverage coverage.info", program.display());
    check(path, &line, 0, &[]);
    let command = documented(&["--branch-coverage", "coverage.info"]);
    let words = [("coverage.info", &*path.join("coverage.info")), ("coverage", path)];
    let index = pages(&command, &words, path);
    assert!(index.contains("Branches") && index.contains("interface/screen"), "{index}");
}
