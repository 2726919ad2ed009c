//! Compares docs/fidelity.md, the ledger of the emulated chip, with the emulator.
//!
//! A row is `| PART | MODULES | DOCUMENTED IN | COMPARED WITH | TESTS OF OURS | OPEN |`. The parts are
//! those of the table "What is modelled" in docs/emulator.md. COMPARED WITH lists sources, separated
//! by `;`: each is the word of a source, `:`, and the tests that compare; or it is `none`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Source of a comparison, and the folders of `rp2040-emulator/tests` with its tests. A published
/// figure may be compared in any test, and needs a link.
const SOURCES: &[(&str, &[&str])] = &[
    ("qemu", &["qemu"]),
    ("rp2040-hal", &["on_target", "hal_examples"]),
    ("SDK", &["pico_examples"]),
    ("embassy", &["embassy"]),
    ("published", &[]),
];

/// Returns one sentence for each fault of the ledger. `modelled` is the text of docs/emulator.md,
/// `root` the root of the workspace.
pub fn faults(ledger: &str, modelled: &str, root: &Path) -> Vec<String> {
    let emulator = root.join("rp2040-emulator");
    let tests = tests(&emulator);
    let rows: Vec<[&str; 6]> = ledger.lines().filter_map(row).collect();
    let mut faults = Vec::new();

    let parts: BTreeSet<&str> = rows.iter().map(|row| row[0]).collect();
    for part in modelled_parts(modelled) {
        if !parts.contains(part) {
            faults.push(format!("no row for `{part}`, which emulator.md calls modelled"));
        }
    }
    let named: BTreeSet<&str> = rows.iter().flat_map(|row| quoted(row[1])).collect();
    let modules = modules(&emulator.join("src"));
    for module in &modules {
        if !named.contains(&**module) {
            faults.push(format!("no row has the module `{module}`"));
        }
    }
    for module in named {
        if !modules.contains(module) {
            faults.push(format!("there is no module `{module}`"));
        }
    }
    for [part, _, document, compared, ours, open] in &rows {
        if document.is_empty() || open.is_empty() {
            faults
                .push(format!("{part}: an empty cell; `—` says that nothing is known to be open"));
        }
        if quoted(ours).next().is_none() {
            faults.push(format!("{part}: no test of ours"));
        }
        for test in quoted(ours).filter(|test| !tests.contains_key(*test)) {
            faults.push(format!("{part}: there is no test `{test}`"));
        }
        faults.extend(compared_faults(compared, &tests).map(|fault| format!("{part}: {fault}")));
    }
    faults
}

/// Returns the faults of a cell COMPARED WITH.
fn compared_faults<'a>(
    cell: &'a str,
    tests: &'a BTreeMap<String, Vec<String>>,
) -> impl Iterator<Item = String> + 'a {
    let sources = if cell == "`none`" { "" } else { cell };
    sources.split("; ").filter(|source| !source.is_empty()).flat_map(|source| {
        let mut words = quoted(source);
        let word = words.next().unwrap_or_default();
        let Some((_, folders)) = SOURCES.iter().find(|(known, _)| *known == word) else {
            return vec![format!("`{word}` is no source: {source}")];
        };
        let names: Vec<&str> = words.collect();
        let mut faults = Vec::new();
        if names.is_empty() {
            faults.push(format!("`{word}` names no test"));
        }
        if folders.is_empty() && !source.contains("](https://") {
            faults.push(format!("`{word}` has no link"));
        }
        for name in names {
            let is_there = |place: &String| {
                let in_folder = |folder: &&str| place.starts_with(&format!("tests/{folder}/"));
                folders.is_empty() || folders.iter().any(in_folder)
            };
            if !tests.get(name).is_some_and(|places| places.iter().any(is_there)) {
                faults.push(format!("`{word}` has no test `{name}`"));
            }
        }
        faults
    })
}

/// Returns the cells of a row of the ledger.
fn row(line: &str) -> Option<[&str; 6]> {
    let cells: Vec<&str> =
        line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").map(str::trim).collect();
    let cells: [&str; 6] = cells.try_into().ok()?;
    (cells[0] != "part").then_some(cells)
}

/// Returns the first cells of the table below the heading "What is modelled".
fn modelled_parts(text: &str) -> impl Iterator<Item = &str> {
    let (_, table) = text.split_once("## What is modelled\n").unwrap_or_default();
    let table = table.split("\n## ").next().unwrap_or_default();
    let cells = table.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    cells.filter(|part| *part != "part")
}

/// Returns what is between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Returns the modules in `src` of the emulator and in its folders `chip`, `chip/peripherals` and
/// `cpu`, without test modules.
fn modules(src: &Path) -> BTreeSet<String> {
    let mut modules = BTreeSet::new();
    for prefix in ["", "chip/", "chip/peripherals/", "cpu/"] {
        let files = std::fs::read_dir(src.join(prefix)).expect("a folder of sources");
        for file in files {
            let path = file.expect("an entry").path();
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            if path.extension().is_some_and(|end| end == "rs") && stem != "tests" {
                modules.insert(format!("{prefix}{stem}"));
            }
        }
    }
    modules.remove("chip/peripherals");
    modules.remove("lib");
    modules
}

/// Returns the names of the emulator's tests, and the files in which each is.
fn tests(emulator: &Path) -> BTreeMap<String, Vec<String>> {
    let folders = vec![emulator.join("src"), emulator.join("tests")];
    let mut tests: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in super::rust_files(folders, |_| true) {
        let place = path.strip_prefix(emulator).expect("below it").display().to_string();
        let source = std::fs::read_to_string(&path).expect("a source file");
        let mut is_test = false;
        for line in source.lines().map(str::trim) {
            if let Some(name) = line.strip_prefix("fn ").filter(|_| is_test) {
                let name = name.split('(').next().unwrap_or_default();
                tests.entry(name.to_owned()).or_default().push(place.clone());
            }
            // Other attributes and comments may follow that of the test.
            is_test = line == "#[test]" || is_test && (line.starts_with(['#', '/']));
        }
    }
    tests
}

#[test]
fn ledger_of_the_emulated_chip_is_complete() {
    let read = |path: &str| std::fs::read_to_string(super::root().join(path)).expect("a document");
    let (ledger, modelled) = (read("docs/fidelity.md"), read("docs/emulator.md"));
    assert!(modelled_parts(&modelled).count() > 30, "the table of emulator.md was not found");
    let found = faults(&ledger, &modelled, &super::root());
    assert!(found.is_empty(), "docs/fidelity.md:\n{}", found.join("\n"));
}

#[test]
fn each_fault_of_the_ledger_is_named() {
    let faults = |row: &str| {
        let all = faults(row, "", &super::root());
        all.into_iter().filter(|fault| !fault.starts_with("no row has")).collect::<Vec<_>>()
    };
    let test = "`aliases_flip_set_and_clear`";
    assert_eq!(faults(&format!("| a | `cpu` | 1 | `none` | {test} | — |")), [""; 0]);
    assert_eq!(
        faults("| a | `cpu/x` | 1 | `none` | `x` | — |"),
        ["there is no module `cpu/x`", "a: there is no test `x`"]
    );
    assert_eq!(
        faults(&format!("| a | `cpu` | 1 | `qemu`: {test}; `published`: {test} | {test} | — |")),
        ["a: `qemu` has no test `aliases_flip_set_and_clear`", "a: `published` has no link"]
    );
    assert_eq!(
        faults(&format!("| a | `cpu` | 1 | `none`; `SDK` | {test} | — |")),
        ["a: `none` is no source: `none`", "a: `SDK` names no test"]
    );
    let none = super::fidelity::faults("", "## What is modelled\n| sleep | x |\n", &super::root());
    assert!(none.contains(&"no row for `sleep`, which emulator.md calls modelled".to_owned()));
    assert!(none.contains(&"no row has the module `chip/peripherals/uart`".to_owned()));
}
