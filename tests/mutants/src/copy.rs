//! The copy of the checkout that contains the mutants. Only files that differ are written, so that
//! cargo compiles only what has changed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::error::MutantsError;

const SWITCH: [(&str, &str); 2] = [
    ("crates/ground/mutant-switch/Cargo.toml", include_str!("../switch/Cargo.toml")),
    ("crates/ground/mutant-switch/src/lib.rs", include_str!("../switch/src/lib.rs")),
];
const JUDGE: (&str, &str) = ("crates/board/firmware-board/tests/judge.rs", include_str!("../judge.rs"));

#[derive(Clone, Debug)]
pub struct Copy {
    /// Root of the checkout.
    pub checkout: PathBuf,
    /// Root of the copy.
    pub tree: PathBuf,
    /// The files of the checkout, relative to its root.
    pub files: Vec<String>,
}

impl Copy {
    /// Reads a file of the checkout.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn text(&self, file: &str) -> Result<String, MutantsError> {
        let path = self.checkout.join(file);
        fs::read_to_string(&path).map_err(MutantsError::file(&path))
    }

    /// Copies the checkout, with the files in `rewritten` replaced, the switch added, and a judge
    /// that uses the switch.
    ///
    /// # Errors
    /// If a file cannot be read or written, or a manifest lacks a section.
    pub fn make(&self, rewritten: &BTreeMap<String, String>) -> Result<(), MutantsError> {
        let mut packages: BTreeSet<String> = BTreeSet::from(["crates/board/firmware-board".to_owned()]);
        packages.extend(rewritten.keys().filter_map(|file| self.package(file)));
        let mut texts: BTreeMap<String, String> = rewritten.clone();
        for (file, text) in SWITCH.into_iter().chain([JUDGE]) {
            texts.insert(file.to_owned(), text.to_owned());
        }
        for package in packages {
            let file = format!("{package}/Cargo.toml");
            let dependency = "mutant-switch.workspace = true";
            texts.insert(file.clone(), self.with(&file, "[dependencies]", dependency)?);
        }
        texts.insert("Cargo.toml".to_owned(), self.workspace()?);

        let written = self.files.iter().map(String::as_str).chain(texts.keys().map(String::as_str));
        let written: BTreeSet<&str> = written.collect();
        for file in &written {
            let path = self.tree.join(file);
            let content = match texts.get(*file) {
                Some(text) => text.as_bytes().to_vec(),
                // Cargo adds the switch to this file.
                None if *file == "Cargo.lock" && path.exists() => continue,
                None => {
                    let from = self.checkout.join(file);
                    fs::read(&from).map_err(MutantsError::file(&from))?
                }
            };
            if fs::read(&path).is_ok_and(|there| there == content) {
                continue;
            }
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(MutantsError::file(folder))?;
            }
            fs::write(&path, content).map_err(MutantsError::file(&path))?;
        }
        // Removes files of an earlier copy: a golden without its line would fail a trace.
        let list = self.tree.join("mutants.files");
        let before = fs::read_to_string(&list).unwrap_or_default();
        for gone in before.lines().filter(|file| !written.contains(file)) {
            let path = self.tree.join(gone);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(MutantsError::file(&path)(error));
                }
                _ => {}
            }
        }
        let names: Vec<&str> = written.into_iter().collect();
        fs::write(&list, names.join("\n")).map_err(MutantsError::file(&list))
    }

    /// Returns the folder of the package that contains a file.
    pub fn package(&self, file: &str) -> Option<String> {
        let above = Path::new(file).ancestors().skip(1);
        let mut above = above.filter_map(Path::to_str).filter(|folder| !folder.is_empty());
        above
            .find(|folder| self.checkout.join(folder).join("Cargo.toml").exists())
            .map(str::to_owned)
    }

    /// Returns the workspace's manifest with the switch as a dependency and without lints that fail
    /// in rewritten code.
    fn workspace(&self) -> Result<String, MutantsError> {
        let switch = "mutant-switch = { path = \"crates/ground/mutant-switch\" }";
        let text = self.with("Cargo.toml", "[workspace.dependencies]", switch)?;
        let lints = "warnings = \"allow\"\narithmetic_overflow = \"allow\"\n\
                     overflowing_literals = \"allow\"\nunconditional_panic = \"allow\"\n\
                     unconditional_recursion = \"allow\"";
        let line = "[workspace.lints.rust]";
        if !text.contains(line) {
            return Err(MutantsError::Line { path: self.checkout.join("Cargo.toml"), line });
        }
        Ok(text.replacen(line, &format!("{line}\n{lints}"), 1))
    }

    /// Returns the text of `file`, with `added` after the line `line`.
    fn with(&self, file: &str, line: &'static str, added: &str) -> Result<String, MutantsError> {
        let text = self.text(file)?;
        if !text.contains(line) {
            return Err(MutantsError::Line { path: self.checkout.join(file), line });
        }
        Ok(text.replacen(line, &format!("{line}\n{added}"), 1))
    }
}
