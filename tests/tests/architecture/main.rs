//! Checks the structure of the workspace: no modules that use each other in a circle, and no crates
//! with a forbidden dependency. `circles.rs` and `knowledge.rs` define the rules.
//!
//! A change that adds a circle fails here, and the message shows the lines that cause it. The
//! solution is usually a separate module for the code that both sides need.
//!
//! The sources are read as text with `syn`; nothing is compiled. Names that appear only through
//! type inference, in documentation, or inside a `macro_rules!` of another module are not found.

mod circles;
mod doctests;
mod escapes;
mod explained;
mod fidelity;
mod knowledge;
mod manifest;
mod map;
mod modules;
mod rules;
mod wrapper;
mod writers;

use std::path::{Path, PathBuf};

use circles::Circle;
use manifest::Workspace;

/// Existing circles that are to be removed: the crate, the module whose children they are (empty at
/// the crate's root), and the children. An entry also covers a circle of fewer of these children.
/// An entry that covers nothing fails the test.
const KNOWN_CIRCLES: &[(&str, &str, &[&str])] = &[];

/// Returns the root of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ has a parent").to_path_buf()
}

#[test]
fn no_modules_use_each_other_in_a_circle() {
    let root = root();
    let workspace = Workspace::read(&root);
    let mut found: Vec<Circle> = Vec::new();
    let mut files = 0;
    for package in &workspace.packages {
        for target in package.targets() {
            let tree = modules::Tree::read(&target, &|path| std::fs::read_to_string(path).ok());
            files += tree.files();
            found.extend(circles::find(&package.name, &tree));
        }
    }
    // Without sources there would be no circles, and the test would be useless.
    assert!(files > 200, "only {files} source files were read");

    let mut complaints = Vec::new();
    let mut used = vec![false; KNOWN_CIRCLES.len()];
    for circle in &found {
        match KNOWN_CIRCLES.iter().position(|known| circle.is_covered_by(*known)) {
            Some(index) => used[index] = true,
            None => complaints.push(circle.report(&root)),
        }
    }
    for (known, _) in KNOWN_CIRCLES.iter().zip(&used).filter(|(_, used)| !**used) {
        complaints.push(format!("{known:?} is no circle any more: remove it from KNOWN_CIRCLES"));
    }
    assert!(
        complaints.is_empty(),
        "{} of {} circles:\n\n{}",
        complaints.len(),
        found.len(),
        complaints.join("\n")
    );
}

/// Library and command code that may write without `output-files`, and the reasons.
const OTHER_WRITERS: &[(&str, &str)] = &[
    ("crates/ground/host/src/output_files", "it is the place"),
    ("crates/board/panel-tables/src/build.rs", "the build script's output"),
    ("crates/ask/fuzz/src/targets.rs", "temporary files of the fuzz targets"),
    ("crates/chip/rp2040-tools/src/pty.rs", "its test opens the other end of a terminal"),
];

#[test]
fn files_are_written_in_one_place() {
    let root = root();
    let mut used = vec![false; OTHER_WRITERS.len()];
    let (mut complaints, mut files) = (Vec::new(), 0);
    for path in sources(&root) {
        let name = path.strip_prefix(&root).expect("below the root").display().to_string();
        let source = std::fs::read_to_string(&path).expect("a source file");
        files += 1;
        for (line, call) in writers::writing_calls(&source) {
            match OTHER_WRITERS.iter().position(|(place, _)| name.starts_with(place)) {
                Some(index) => used[index] = true,
                None => complaints.push(format!("{name}:{line}: {call}…): use output-files")),
            }
        }
    }
    for ((place, _), _) in OTHER_WRITERS.iter().zip(&used).filter(|(_, used)| !**used) {
        complaints.push(format!("{place} writes nothing any more: remove it from OTHER_WRITERS"));
    }
    // Without sources there would be no writers, and the test would be useless.
    assert!(files > 200, "only {files} source files were read");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// `cargo test` starts rustdoc for each library, also for those that have no example.
#[test]
fn libraries_with_examples_and_no_others_are_tested_by_rustdoc() {
    let root = root();
    let (mut complaints, mut with_examples) = (Vec::new(), 0);
    for package in Workspace::read(&root).packages.iter().filter(|package| !package.is_excluded) {
        let folder = package.manifest.with_file_name("src");
        if !folder.join("lib.rs").is_file() {
            continue;
        }
        let sources = files_of(vec![folder], &["rs"], |_| true);
        let read = |path: &PathBuf| std::fs::read_to_string(path).expect("a source file");
        let has_example = sources.iter().map(read).any(|source| doctests::has_example(&source));
        with_examples += usize::from(has_example);
        let manifest = std::fs::read_to_string(&package.manifest).expect("a manifest");
        match (has_example, manifest.contains("\ndoctest = false\n")) {
            (true, true) => complaints
                .push(format!("{}: no test runs its examples: remove doctest", package.name)),
            (false, false) => complaints
                .push(format!("{}: has no example: `doctest = false` in [lib]", package.name)),
            _ => {}
        }
    }
    assert!(with_examples > 3, "only {with_examples} libraries with examples were found");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Files that may escape text, or contain such texts for another purpose, and the reasons.
const OTHER_ESCAPES: &[(&str, &str)] = &[
    ("crates/ground/escape/src/", "it is the place"),
    (
        "crates/suite/changes/src/stream.rs",
        "records for another nudge: JSON of ASCII only, which none displays",
    ),
    ("crates/session/window/src/face/lettering.rs", "a glyph for letters that have none"),
];

#[test]
fn text_is_escaped_in_one_place() {
    let root = root();
    let mut used = vec![false; OTHER_ESCAPES.len()];
    let (mut complaints, mut files) = (Vec::new(), 0);
    // Includes the scripts of the pages, but not the packages that build and test them.
    let scripts = files_of(
        vec![root.join("crates"), root.join("web/page"), root.join("simulator/src")],
        &["js", "ts"],
        |stem| !["node_modules", "tests"].contains(&stem),
    );
    assert!(scripts.len() > 20, "only {} scripts were read", scripts.len());
    for path in sources(&root).into_iter().chain(scripts) {
        let name = path.strip_prefix(&root).expect("below the root").display().to_string();
        let source = std::fs::read_to_string(&path).expect("a source file");
        files += 1;
        for (line, escape) in escapes::escapes(&source) {
            match OTHER_ESCAPES.iter().position(|(place, _)| name.starts_with(place)) {
                Some(index) => used[index] = true,
                None => complaints.push(format!("{name}:{line}: {escape}: use the crate escape")),
            }
        }
    }
    for ((place, _), _) in OTHER_ESCAPES.iter().zip(&used).filter(|(_, used)| !**used) {
        complaints.push(format!("{place} escapes nothing any more: remove it from OTHER_ESCAPES"));
    }
    assert!(files > 200, "only {files} source files were read");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn explained_mutants_are_in_the_sources() {
    let list = std::fs::read_to_string(root().join("tests/mutants/explained.tsv")).unwrap();
    let faults = explained::faults(&list, |file| std::fs::read_to_string(root().join(file)).ok());
    assert!(faults.is_empty(), "tests/mutants/explained.tsv:\n{}", faults.join("\n"));
}

/// Words of the game that the LCD board's firmware plays.
const GAME_WORDS: &[&str] = &[
    "mancala", "kalah", "oware", "wari", "cup", "cups", "stone", "stones", "sow", "sows", "sowing",
    "sowings",
];

/// The application, and its crates: all other crates work with any firmware.
const GAME_KNOWLEDGE: [&str; 4] =
    ["crates/ask/firmware-insight/", "crates/board/firmware-board/", "simulator/", "web/"];

#[test]
fn only_the_application_has_words_of_the_game() {
    let root = root();
    let (mut complaints, mut files) = (Vec::new(), 0);
    for path in sources(&root) {
        let name = path.strip_prefix(&root).expect("below the root").display().to_string();
        if GAME_KNOWLEDGE.iter().any(|folder| name.starts_with(folder)) {
            continue;
        }
        files += 1;
        let source = std::fs::read_to_string(&path).expect("a source file").to_lowercase();
        for (line, number) in source.lines().zip(1..) {
            let mut words = line.split(|letter: char| !letter.is_alphanumeric());
            if let Some(word) = words.find(|word| GAME_WORDS.contains(word)) {
                let places = GAME_KNOWLEDGE.join(", ");
                complaints.push(format!("{name}:{number}: `{word}` belongs to {places}"));
            }
        }
    }
    assert!(files > 500, "only {files} source files were read");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn tests_start_the_command_in_one_place() {
    let (mut complaints, mut found) = (Vec::new(), false);
    for path in rust_files(vec![root().join("simulator/tests")], |_| true) {
        let starts = std::fs::read_to_string(&path).expect("a source file");
        let starts = starts.contains("CARGO_BIN_EXE_nudge");
        if path.ends_with("command/mod.rs") {
            found = starts;
        } else if starts {
            complaints.push(format!(
                "{}: start it with command::nudge(), without the variables of a CI machine",
                path.display()
            ));
        }
    }
    assert!(found, "simulator/tests/command/mod.rs does not name the command");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Returns the sources of the host's libraries and of the command, without test modules in separate
/// files.
fn sources(root: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        ["hal-mock/src", "nudge/src", "rp2040-emulator/src", "simulator/src", "web/src"]
            .map(|folder| root.join(folder))
            .into();
    let wings = manifest::folders_in(&root.join("crates"));
    let crates = wings.iter().flat_map(|wing| manifest::folders_in(wing));
    folders.extend(crates.map(|folder| folder.join("src")));
    rust_files(folders, |stem| stem != "tests" && !stem.ends_with("_tests"))
}

/// Returns the `.rs` files below `folders`, limited to files and folders whose stem is `wanted`.
fn rust_files(folders: Vec<PathBuf>, wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    files_of(folders, &["rs"], wanted)
}

/// Returns the files with these extensions below `folders`, limited to files and folders whose stem
/// is `wanted`.
fn files_of(
    mut folders: Vec<PathBuf>,
    extensions: &[&str],
    wanted: impl Fn(&str) -> bool,
) -> Vec<PathBuf> {
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if !wanted(path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default()) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|end| extensions.iter().any(|wanted| end == *wanted))
            {
                files.push(path);
            }
        }
    }
    files
}

#[test]
fn each_crate_knows_only_what_it_may() {
    let workspace = Workspace::read(&root());
    // Without packages there would be no forbidden dependencies, and the test would be useless.
    for name in ["firmware-core", "hal-mock", "rp2040-emulator", "simulator", "nudge-tests"] {
        assert!(workspace.package(name).is_some(), "{name} is not among the packages");
    }
    let complaints = knowledge::violations(&workspace, rules::RULES);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn the_map_lists_every_crate_with_what_it_knows() {
    let root = root();
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).expect("the map");
    let faults = map::faults(&text, &Workspace::read(&root), &root);
    assert!(faults.is_empty(), "ARCHITECTURE.md:\n{}", faults.join("\n"));
}

#[test]
fn every_crate_has_a_rule() {
    let workspace = Workspace::read(&root());
    let missing: Vec<&str> = workspace
        .packages
        .iter()
        .filter(|package| !package.is_excluded)
        .map(|package| package.name.as_str())
        .filter(|name| !rules::RULES.iter().any(|rule| rule.is_of(name)))
        .collect();
    assert!(missing.is_empty(), "no rule says what these may know: {missing:?}");
}
