//! Builds the copy, and removes what does not compile until the rest compiles.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::copy::Copy;
use crate::error::MutantsError;
use crate::list::Mutant;
use crate::rewrite::{Choices, Rewritten, rewrite};

/// Maximum number of builds; after each at least one place changes its form.
const BUILDS_MAX: usize = 60;

/// A program that cargo has built.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Program {
    pub path: PathBuf,
    /// The folder of its package, in which its tests run.
    pub folder: PathBuf,
    pub name: String,
}

#[derive(Deserialize)]
struct CargoLine {
    reason: String,
    message: Option<Diagnostic>,
    executable: Option<PathBuf>,
    manifest_path: Option<PathBuf>,
    target: Option<Target>,
    profile: Option<Profile>,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

#[derive(Deserialize)]
struct Diagnostic {
    level: String,
    message: String,
    rendered: Option<String>,
    spans: Vec<DiagnosticSpan>,
    #[serde(default)]
    children: Vec<Diagnostic>,
}

#[derive(Deserialize)]
struct DiagnosticSpan {
    file_name: String,
    byte_start: usize,
    byte_end: usize,
    is_primary: bool,
}

/// The current content of the copy.
pub struct Schemata<'a> {
    copy: &'a Copy,
    mutants: &'a [Mutant],
    /// The form of each place.
    pub choices: Choices,
    files: BTreeMap<String, Rewritten>,
}

impl<'a> Schemata<'a> {
    /// Writes the copy.
    ///
    /// # Errors
    /// If a file cannot be read or written, or is not Rust.
    pub fn new(
        copy: &'a Copy,
        mutants: &'a [Mutant],
        choices: Choices,
    ) -> Result<Self, MutantsError> {
        let mut this = Self { copy, mutants, choices, files: BTreeMap::new() };
        this.write()?;
        Ok(this)
    }

    fn write(&mut self) -> Result<(), MutantsError> {
        let mut of_file: BTreeMap<&str, Vec<(usize, &Mutant)>> = BTreeMap::new();
        for (id, mutant) in self.mutants.iter().enumerate() {
            of_file.entry(&mutant.file).or_default().push((id, mutant));
        }
        // A function without mutants may be called by one with mutants. So all `const fn` of the
        // packages become `fn`, also in files without mutants.
        let folders: BTreeSet<_> =
            of_file.keys().filter_map(|file| self.copy.package(file)).collect();
        for file in &self.copy.files {
            let inside = |folder: &String| file.starts_with(&format!("{folder}/src/"));
            if file.ends_with(".rs") && folders.iter().any(inside) {
                of_file.entry(file).or_default();
            }
        }
        self.files.clear();
        for (file, mutants) in of_file {
            let text = self.copy.text(file)?;
            self.files.insert(file.to_owned(), rewrite(file, &text, &mutants, &self.choices)?);
        }
        let texts =
            self.files.iter().map(|(file, rewritten)| (file.clone(), rewritten.text.clone()));
        self.copy.make(&texts.collect())
    }

    /// Returns the mutants in the copy.
    pub fn switched(&self) -> BTreeSet<usize> {
        let sites = self.files.values().flat_map(|file| &file.sites);
        sites.flat_map(|site| &site.mutants).map(|(id, _)| *id).collect()
    }

    /// Runs `cargo ARGUMENTS` until it succeeds; returns the programs that it built.
    ///
    /// # Errors
    /// If cargo cannot be run, or if an error is not at a mutant.
    pub fn build(&mut self, arguments: &[&str]) -> Result<Vec<Program>, MutantsError> {
        let mut rendered = String::new();
        for _ in 0..BUILDS_MAX {
            let (programs, errors) = self.cargo(arguments)?;
            if errors.is_empty() {
                return Ok(programs);
            }
            rendered = errors.iter().filter_map(|error| error.rendered.clone()).collect();
            let before = self.choices.clone();
            self.learn(&errors);
            if (&before.forms, &before.unviable, &before.keep_const)
                == (&self.choices.forms, &self.choices.unviable, &self.choices.keep_const)
            {
                return Err(MutantsError::Compile(rendered));
            }
            eprintln!(
                "  {} errors: {} places in another form, {} mutants out, {} functions stay const",
                errors.len(),
                self.choices.forms.len(),
                self.choices.unviable.len(),
                self.choices.keep_const.len()
            );
            self.write()?;
        }
        Err(MutantsError::Compile(rendered))
    }

    fn cargo(&self, arguments: &[&str]) -> Result<(Vec<Program>, Vec<Diagnostic>), MutantsError> {
        let cannot = MutantsError::program(Path::new("cargo"));
        let mut command = Command::new("cargo");
        command.args(arguments).args(["--offline", "--message-format=json"]);
        command.current_dir(&self.copy.tree).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut cargo = command.spawn().map_err(&cannot)?;
        let words = cargo.stderr.take().map(|stderr| {
            std::thread::spawn(move || {
                let lines = BufReader::new(stderr).lines().map_while(Result::ok);
                lines.collect::<Vec<_>>().join("\n")
            })
        });
        let (mut programs, mut errors) = (Vec::new(), Vec::new());
        for line in BufReader::new(cargo.stdout.take().into_iter().next().expect("piped")).lines() {
            let line = line.map_err(&cannot)?;
            let Ok(line) = serde_json::from_str::<CargoLine>(&line) else { continue };
            match (line.reason.as_str(), line.message, line.executable) {
                ("compiler-message", Some(message), _) if message.level == "error" => {
                    errors.push(message);
                }
                // Excludes the programs of a package that are not tests.
                ("compiler-artifact", _, Some(path))
                    if line.profile.is_some_and(|profile| profile.test) =>
                {
                    let folder =
                        line.manifest_path.and_then(|path| path.parent().map(Path::to_owned));
                    let name = line.target.map_or_else(String::new, |target| target.name);
                    programs.push(Program { path, folder: folder.unwrap_or_default(), name });
                }
                _ => {}
            }
        }
        let passed = cargo.wait().map_err(&cannot)?.success();
        let words = words.and_then(|words| words.join().ok()).unwrap_or_default();
        errors.retain(|error| !error.message.starts_with("aborting due to"));
        if !passed && errors.is_empty() {
            return Err(MutantsError::Compile(words));
        }
        Ok((programs, errors))
    }

    /// Changes or removes the places of the errors.
    fn learn(&mut self, errors: &[Diagnostic]) {
        let (mut next, mut out) = (BTreeSet::new(), Vec::new());
        for error in errors {
            if error.message.contains("cannot call non-const") {
                // "cannot call non-const associated function `places::Cup::new` in constants"
                let name = called_function(&error.message);
                let name = name.split(['<', '(']).next().unwrap_or_default();
                self.choices.keep_const.insert(name.to_owned());
                continue;
            }
            let primary = error.spans.iter().filter(|span| span.is_primary);
            let other =
                error.spans.iter().chain(error.children.iter().flat_map(|child| &child.spans));
            let hit = primary.chain(other).find_map(|span| self.place(span));
            match hit {
                Some((file, at, Some(id))) => out.push(((file.to_owned(), at), id)),
                Some((file, at, None)) => {
                    next.insert((file.to_owned(), at));
                }
                None => {}
            }
        }
        for (place, id) in out {
            // An error in the original text is also an error of the form.
            if !next.contains(&place) {
                self.choices.unviable.insert(id);
            }
        }
        for place in next {
            *self.choices.forms.entry(place).or_insert(0) += 1;
        }
    }

    /// Returns the smallest place around a span, and the mutant whose text contains the span.
    fn place(&self, span: &DiagnosticSpan) -> Option<(&str, usize, Option<usize>)> {
        let (file, rewritten) = self.files.get_key_value(&span.file_name)?;
        let around = |range: &std::ops::Range<usize>| {
            range.start <= span.byte_start && span.byte_end <= range.end
        };
        let sites = rewritten.sites.iter().filter(|site| around(&site.range));
        let site = sites.min_by_key(|site| site.range.len())?;
        let mutant = site.mutants.iter().find(|(_, range)| around(range)).map(|(id, _)| *id);
        Some((file, site.original, mutant))
    }
}

/// Saves the choices in a file.
pub fn save(choices: &Choices, path: &Path) -> Result<(), MutantsError> {
    let forms = choices.forms.iter().map(|((file, at), form)| format!("form {file} {at} {form}\n"));
    let unviable = choices.unviable.iter().map(|id| format!("unviable {id}\n"));
    let constant = choices.keep_const.iter().map(|name| format!("const {name}\n"));
    let text: String = forms.chain(unviable).chain(constant).collect();
    fs::write(path, text).map_err(MutantsError::file(path))
}

/// Loads the choices that [`save`] wrote; returns empty choices if there is no file.
pub fn load(path: &Path) -> Choices {
    let mut choices = Choices::default();
    for line in fs::read_to_string(path).unwrap_or_default().lines() {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["form", file, at, form] => {
                if let (Ok(at), Ok(form)) = (at.parse(), form.parse()) {
                    choices.forms.insert((file.to_owned(), at), form);
                }
            }
            ["unviable", id] => choices.unviable.extend(id.parse::<usize>()),
            ["const", name] => {
                choices.keep_const.insert(name.to_owned());
            }
            _ => {}
        }
    }
    choices
}

/// Returns the function's name in an error like "cannot call non-const associated function
/// `places::Cup::new` in constants", without the arguments of `coloured::<9>`.
fn called_function(message: &str) -> &str {
    let path = message.split('`').nth(1).unwrap_or_default();
    let arguments = path.rfind("::<").filter(|_| path.ends_with('>'));
    let path = &path[..arguments.unwrap_or(path.len())];
    path.rsplit("::").next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::called_function;

    #[test]
    fn a_function_is_named_without_its_path_and_arguments() {
        let name = |path: &str| {
            let message = format!("cannot call non-const function `{path}` in statics");
            called_function(&message).to_owned()
        };
        assert_eq!(name("places::Cup::new"), "new");
        assert_eq!(name("coloured::<9>"), "coloured");
        assert_eq!(name("Ring::<9>::new"), "new");
    }
}
