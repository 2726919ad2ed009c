//! Compares the table of crates in ARCHITECTURE.md with the manifests.
//!
//! A row is `| [`NAME`](FOLDER) | SUBJECT | KNOWS |`; KNOWS lists the crates of this repository
//! that the crate depends on outside of tests, is `—` for none, or lists the others after `all
//! but`.

use std::collections::BTreeSet;
use std::path::Path;

use crate::manifest::Workspace;

/// Returns one sentence for each row that differs from the manifests, and for each crate without a
/// row.
pub fn faults(text: &str, workspace: &Workspace, root: &Path) -> Vec<String> {
    let members = || workspace.packages.iter().filter(|package| !package.is_excluded);
    let names: BTreeSet<&str> = members().map(|package| package.name.as_str()).collect();
    let mut missing = names.clone();
    let mut sentences = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let Some((name, folder, knows)) = row(line) else { continue };
        missing.remove(name);
        let Some(package) = members().find(|package| package.name == name) else {
            sentences.push(format!("line {number}: there is no crate {name}"));
            continue;
        };
        if package.manifest.parent() != Some(&*root.join(folder)) {
            sentences.push(format!("line {number}: {name} is not in {folder}"));
        }
        let listed: BTreeSet<&str> = words(knows);
        let listed = if knows.contains("all but") {
            names
                .iter()
                .copied()
                .filter(|other| *other != name && !listed.contains(other))
                .collect()
        } else {
            listed
        };
        let known: BTreeSet<&str> = package
            .dependencies
            .iter()
            .filter(|dependency| dependency.normal)
            .map(|dependency| dependency.package.as_str())
            .filter(|other| names.contains(other))
            .collect();
        let absent: Vec<_> = known.difference(&listed).collect();
        let surplus: Vec<_> = listed.difference(&known).collect();
        if !absent.is_empty() {
            sentences.push(format!("line {number}: {name} also knows {absent:?}"));
        }
        if !surplus.is_empty() {
            sentences.push(format!("line {number}: {name} does not know {surplus:?}"));
        }
    }
    sentences.extend(missing.iter().map(|name| format!("{name} has no row")));
    sentences
}

/// Returns name, folder and last cell of a crate's row.
fn row(line: &str) -> Option<(&str, &str, &str)> {
    let (name, rest) = line.strip_prefix("| [`")?.split_once("`](")?;
    let (folder, cells) = rest.split_once(')')?;
    Some((name, folder, cells.trim_end_matches([' ', '|']).rsplit_once('|')?.1))
}

/// Returns what is in back quotes.
fn words(cell: &str) -> BTreeSet<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::Package;

    #[track_caller]
    fn check(table: &str, expected: &[&str]) {
        let package = |name: &str, tables: &str| {
            let manifest = Path::new("/r").join(name).join("Cargo.toml");
            Package::parse(&manifest, &format!("[package]\nname = \"{name}\"\n{tables}"))
        };
        let packages = vec![
            package("chip", ""),
            package(
                "board",
                "[dependencies]\nchip.workspace = true\n[dev-dependencies]\ngame.workspace = true\n",
            ),
            package("game", ""),
        ];
        assert_eq!(faults(table, &Workspace { packages }, Path::new("/r")), expected);
    }

    const GOOD: &str = "| [`chip`](chip) | cores | — |\n| [`board`](board) | wires | `chip` |\n\
                        | [`game`](game) | rules | — |\n";

    #[test]
    fn a_table_that_agrees_has_no_fault() {
        check(GOOD, &[]);
        check(&GOOD.replace("`chip` |", "all but `game` |"), &[]);
    }

    #[test]
    fn each_kind_of_difference_is_named() {
        check(
            &GOOD.replace("wires | `chip`", "wires | —"),
            &["line 2: board also knows [\"chip\"]"],
        );
        check(
            &GOOD.replace("wires | `chip`", "wires | `chip`, `game`"),
            &["line 2: board does not know [\"game\"]"],
        );
        check(&GOOD.replace("(game)", "(games)"), &["line 3: game is not in games"]);
        check(
            &GOOD.replace("[`game`]", "[`sport`]"),
            &["line 3: there is no crate sport", "game has no row"],
        );
    }
}
