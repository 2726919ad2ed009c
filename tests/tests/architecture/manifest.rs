//! Reads the dependencies in the `Cargo.toml` files of the repository.
//!
//! The parser supports the subset of TOML that the repository uses. It panics at a dependency that
//! it cannot read, with file and line.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Kinds of dependencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kinds {
    /// Dependencies that every user of the crate compiles.
    Normal,
    /// Also the dependencies of its tests and its build script.
    All,
}

/// One line of a dependency table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dependency {
    /// Name of the package, also if the dependency is renamed.
    pub package: String,
    /// Whether the dependency is in `[dependencies]`, for any target.
    pub normal: bool,
    /// Line in the manifest, counted from 1.
    pub line: usize,
}

pub struct Package {
    pub name: String,
    pub manifest: PathBuf,
    pub dependencies: BTreeSet<Dependency>,
    /// Whether the workspace excludes the package.
    pub is_excluded: bool,
}

/// The packages of the repository: the workspace's members and the packages that it excludes.
pub struct Workspace {
    /// The packages in the order of the root's manifest.
    pub packages: Vec<Package>,
}

impl Workspace {
    /// Reads the manifests below `root`.
    pub fn read(root: &Path) -> Workspace {
        let path = root.join("Cargo.toml");
        let text = read(&path);
        let excluded: Vec<PathBuf> =
            list(&text, "exclude").iter().map(|folder| root.join(folder)).collect();
        let members = list(&text, "members");
        let folders = members.iter().flat_map(|folder| match folder.strip_suffix("/*/*") {
            Some(parent) => folders_in(&root.join(parent))
                .iter()
                .flat_map(|wing| folders_in(wing))
                .filter(|folder| folder.join("Cargo.toml").is_file())
                .collect(),
            None => vec![root.join(folder)],
        });
        let packages = folders
            .chain(excluded.iter().cloned())
            .map(|folder| {
                let manifest = folder.join("Cargo.toml");
                let package = Package::parse(&manifest, &read(&manifest));
                Package { is_excluded: excluded.contains(&folder), ..package }
            })
            .collect();
        Workspace { packages }
    }

    /// Returns the package with this name.
    pub fn package(&self, name: &str) -> Option<&Package> {
        self.packages.iter().find(|package| package.name == name)
    }
}

impl Package {
    /// Parses the text of a manifest.
    pub fn parse(manifest: &Path, text: &str) -> Package {
        let mut name = None;
        let mut dependencies = BTreeSet::new();
        let mut section = String::new();
        // In `[dependencies.NAME]`: the entries of the table so far.
        let mut table: Option<Dependency> = None;
        for (number, line) in (1..).zip(text.lines()) {
            let line = without_comment(line).trim();
            if let Some(header) = line.strip_prefix('[') {
                dependencies.extend(table.take());
                section = header.trim_matches(['[', ']']).to_owned();
                if let Some((normal, Some(package))) = dependency_table(&section) {
                    table = Some(Dependency { package: unquoted(package), normal, line: number });
                }
                continue;
            }
            let Some((key, value)) = line.split_once('=') else { continue };
            let (key, value) = (key.trim(), value.trim());
            if section == "package" && key == "name" {
                name = Some(unquoted(value));
            }
            match (dependency_table(&section), &mut table) {
                (Some(_), Some(table)) if key == "package" => table.package = unquoted(value),
                (Some((normal, None)), _) => {
                    let place = format!("{}:{number}", manifest.display());
                    let package = package_of(key, value)
                        .unwrap_or_else(|| panic!("{place}: the test cannot read this dependency"));
                    dependencies.insert(Dependency { package, normal, line: number });
                }
                _ => {}
            }
        }
        dependencies.extend(table);
        let name = name.unwrap_or_else(|| panic!("{}: no package name", manifest.display()));
        Package { name, manifest: manifest.to_path_buf(), dependencies, is_excluded: false }
    }

    /// Returns the root files of the package's library, commands, examples and benchmarks.
    pub fn targets(&self) -> Vec<PathBuf> {
        let folder = self.manifest.parent().expect("a manifest lies in a folder");
        let mut roots = vec![folder.join("src/lib.rs"), folder.join("src/main.rs")];
        for folder in ["src/bin", "examples", "fuzz_targets", "benches"] {
            for path in entries(&self.manifest.with_file_name(folder)) {
                match path.extension() {
                    Some(extension) if extension == "rs" => roots.push(path),
                    _ => roots.push(path.join("main.rs")),
                }
            }
        }
        roots.retain(|root| root.is_file());
        assert!(!roots.is_empty(), "{}: no target was found", self.manifest.display());
        roots
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the entries of a folder, sorted; empty if there is no such folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .map(|entries| entries.map(|entry| entry.expect("a readable folder").path()).collect())
        .unwrap_or_default();
    paths.sort();
    paths
}

/// The folders in `parent`, sorted.
pub fn folders_in(parent: &Path) -> Vec<PathBuf> {
    let mut folders = entries(parent);
    folders.retain(|folder| folder.is_dir());
    folders
}

/// Returns the strings of an array in the root's manifest, which may span lines.
fn list(text: &str, key: &str) -> Vec<String> {
    let start = text
        .lines()
        .position(|line| line.split_once('=').is_some_and(|(name, _)| name.trim() == key))
        .unwrap_or_else(|| panic!("the root's Cargo.toml has no `{key}`"));
    let array: String = text.lines().skip(start).map(without_comment).collect();
    let array = array.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    let (array, _) = array.unwrap_or_else(|| panic!("`{key}` is not an array"));
    array.split(',').map(unquoted).filter(|text| !text.is_empty()).collect()
}

/// Parses the name of a dependency table, like `dependencies`,
/// `target.'cfg(unix)'.dev-dependencies` or `build-dependencies.NAME`. Returns whether its
/// dependencies are normal ones, and the name.
fn dependency_table(section: &str) -> Option<(bool, Option<&str>)> {
    if section.starts_with("workspace.") {
        return None;
    }
    let start = section.find("dependencies")?;
    let kind = section[..start].rsplit('.').next()?;
    let name = match &section[start + "dependencies".len()..] {
        "" => None,
        after => Some(after.strip_prefix('.')?),
    };
    match kind {
        "" => Some((true, name)),
        "dev-" | "build-" => Some((false, name)),
        _ => None,
    }
}

/// Returns the package that `KEY = VALUE` in a dependency table names.
fn package_of(key: &str, value: &str) -> Option<String> {
    if let Some(name) = key.strip_suffix(".workspace") {
        return (value == "true").then(|| unquoted(name));
    }
    if value.starts_with('"') {
        return Some(unquoted(key));
    }
    let inside = value.strip_prefix('{')?.strip_suffix('}')?;
    let renamed = inside.split(',').find_map(|field| {
        let (name, value) = field.split_once('=')?;
        (name.trim() == "package").then(|| unquoted(value))
    });
    Some(renamed.unwrap_or_else(|| unquoted(key)))
}

/// Returns the line up to a `#` outside of quotes.
fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    for (at, letter) in line.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '#' if !quoted => return &line[..at],
            _ => {}
        }
    }
    line
}

fn unquoted(text: &str) -> String {
    text.trim().trim_matches(['"', '\'']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, bool)]) {
        let text = format!("[package]\nname = \"example\"\n{text}");
        let package = Package::parse(Path::new("Cargo.toml"), &text);
        let found: Vec<(&str, bool)> = package
            .dependencies
            .iter()
            .map(|dependency| (dependency.package.as_str(), dependency.normal))
            .collect();
        assert_eq!((package.name.as_str(), found.as_slice()), ("example", expected));
    }

    #[test]
    fn every_way_to_write_a_dependency_is_read() {
        check("[dependencies]\npng = \"1\" # pictures\n", &[("png", true)]);
        check("[dependencies]\npng.workspace = true\n", &[("png", true)]);
        check("[dependencies]\npng = { workspace = true, optional = true }\n", &[("png", true)]);
        check(
            "[dependencies]\npicture = { package = \"png\", version = \"1\" }\n",
            &[("png", true)],
        );
        check("[dependencies.png]\nversion = \"1\"\n", &[("png", true)]);
        check("[dependencies.picture]\npackage = \"png\"\n", &[("png", true)]);
        check("[target.'cfg(unix)'.dependencies]\npng = \"1\"\n", &[("png", true)]);
        check("[dev-dependencies]\npng = \"1\"\n", &[("png", false)]);
        check("[build-dependencies]\npng = \"1\"\n", &[("png", false)]);
        check("[target.'cfg(unix)'.dev-dependencies.png]\nversion = \"1\"\n", &[("png", false)]);
    }

    #[test]
    fn other_tables_name_no_dependencies() {
        check("[features]\npng = [\"gif\"]\n[workspace.dependencies]\npng = \"1\"\n", &[]);
        check("[[bin]]\nname = \"other\"\n", &[]);
    }

    #[test]
    #[should_panic(expected = "Cargo.toml:4: the test cannot read this dependency")]
    fn a_dependency_over_several_lines_is_refused() {
        check("[dependencies]\npng = {\n  version = \"1\" }\n", &[]);
    }

    #[test]
    fn an_array_may_span_lines() {
        let text =
            "[workspace]\nmembers = [ # all\n  \"a\",\n  \"crates/*\",\n]\nexclude = [\"c\"]\n";
        assert_eq!(list(text, "members"), ["a", "crates/*"]);
        assert_eq!(list(text, "exclude"), ["c"]);
    }
}
