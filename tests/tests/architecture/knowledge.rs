//! Rules for dependencies between crates.
//!
//! Cargo itself refuses circles of crates. The crates that must stay independent of each other are
//! given by the list of [`Rule`]s in `main.rs`.

use std::collections::BTreeSet;

use crate::manifest::{Kinds, Package, Workspace};

/// Range in which dependencies are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Only dependencies in the manifest itself count.
    Direct,
    /// Dependencies of dependencies count as well, through normal dependencies.
    Transitive,
}

/// A rule for the manifests, with the reason for the message that reports a violation.
pub enum Rule {
    /// Only the permitted packages may depend on the target.
    Only {
        /// A package of the repository or from elsewhere.
        target: &'static str,
        /// The kinds of dependencies that count.
        kinds: Kinds,
        reach: Reach,
        /// Packages that may depend on the target. Those that exist must do so.
        permitted: &'static [&'static str],
        reason: &'static str,
    },
    /// The package depends on no package of the repository except these, not even in its tests.
    Alone {
        /// The package, which must exist.
        package: &'static str,
        /// Packages on which it may depend, and must.
        except: &'static [&'static str],
        reason: &'static str,
    },
}

impl Rule {
    /// Returns whether this is the rule that limits what `package` knows.
    pub fn is_of(&self, package: &str) -> bool {
        matches!(self, Self::Alone { package: name, .. } if *name == package)
    }
}

/// The flashed binary joins firmware and chip; no package can depend on it.
const FLASHED: &str = "firmware-pico";

/// Returns one sentence for each broken rule and for each unnecessary permission.
pub fn violations(workspace: &Workspace, rules: &[Rule]) -> Vec<String> {
    let mut sentences = Vec::new();
    for rule in rules {
        match *rule {
            Rule::Only { target, kinds, reach, permitted, reason } => {
                let others = workspace.packages.iter().filter(|package| package.name != target);
                for package in others.filter(|package| package.name != FLASHED) {
                    let is_permitted = permitted.contains(&package.name.as_str());
                    match way(workspace, package, target, kinds, reach) {
                        Some(way) if !is_permitted => {
                            sentences.push(forbidden(package, &way.join(" -> "), reason));
                        }
                        None if is_permitted => sentences.push(format!(
                            "{} does not depend on {target}: remove it from the permitted packages",
                            package.name
                        )),
                        _ => {}
                    }
                }
            }
            Rule::Alone { package: name, except, reason } => {
                let Some(package) = workspace.package(name) else {
                    sentences.push(format!("a rule names {name}, but there is no such package"));
                    continue;
                };
                let others: BTreeSet<&str> = package
                    .dependencies
                    .iter()
                    .map(|dependency| dependency.package.as_str())
                    .filter(|other| workspace.package(other).is_some())
                    .collect();
                for other in others.iter().filter(|other| !except.contains(other)) {
                    sentences.push(forbidden(package, &format!("{name} -> {other}"), reason));
                }
                for other in except.iter().filter(|other| !others.contains(*other)) {
                    sentences.push(format!(
                        "{name} does not depend on {other}: remove it from the exceptions"
                    ));
                }
            }
        }
    }
    sentences
}

fn forbidden(package: &Package, way: &str, reason: &str) -> String {
    format!("{}: {way} is forbidden: {reason}", package.manifest.display())
}

/// Returns the chain of dependencies from a package to the target, if there is one.
fn way(
    workspace: &Workspace,
    package: &Package,
    target: &str,
    kinds: Kinds,
    reach: Reach,
) -> Option<Vec<String>> {
    let mut seen = BTreeSet::new();
    let first = package.dependencies.iter();
    let first = first.filter(|dependency| kinds == Kinds::All || dependency.normal);
    let mut waiting: Vec<Vec<String>> =
        first.map(|dependency| vec![package.name.clone(), dependency.package.clone()]).collect();
    while let Some(way) = waiting.pop() {
        let last = way.last()?;
        if last == target {
            return Some(way);
        }
        if reach == Reach::Direct || !seen.insert(last.clone()) {
            continue;
        }
        let Some(next) = workspace.package(last) else { continue };
        for dependency in next.dependencies.iter().filter(|dependency| dependency.normal) {
            let mut longer = way.clone();
            longer.push(dependency.package.clone());
            waiting.push(longer);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Creates a made-up workspace from names and dependency tables.
    fn workspace(packages: &[(&str, &str)]) -> Workspace {
        let packages = packages
            .iter()
            .map(|(name, tables)| {
                let text = format!("[package]\nname = \"{name}\"\n{tables}");
                Package::parse(Path::new(&format!("{name}/Cargo.toml")), &text)
            })
            .collect();
        Workspace { packages }
    }

    fn only_joint(kinds: Kinds, reach: Reach) -> Rule {
        Rule::Only { target: "game", kinds, reach, permitted: &["joint"], reason: "they are apart" }
    }

    #[track_caller]
    fn check(packages: &[(&str, &str)], rule: Rule, expected: &[&str]) {
        assert_eq!(violations(&workspace(packages), &[rule]), expected);
    }

    #[test]
    fn a_dependency_that_is_not_permitted_is_named() {
        check(
            &[("game", ""), ("chip", "[dependencies]\ngame.workspace = true\n")],
            only_joint(Kinds::Normal, Reach::Transitive),
            &["chip/Cargo.toml: chip -> game is forbidden: they are apart"],
        );
    }

    #[test]
    fn a_dependency_through_another_crate_is_named_with_its_way() {
        check(
            &[
                ("joint", "[dependencies]\ngame.workspace = true\n"),
                ("chip", "[dependencies]\njoint.workspace = true\n"),
            ],
            only_joint(Kinds::Normal, Reach::Transitive),
            &["chip/Cargo.toml: chip -> joint -> game is forbidden: they are apart"],
        );
    }

    #[test]
    fn tests_may_unless_the_rule_counts_them() {
        let packages = [("chip", "[dev-dependencies]\ngame.workspace = true\n")];
        check(&packages, only_joint(Kinds::Normal, Reach::Transitive), &[]);
        let all = only_joint(Kinds::All, Reach::Transitive);
        check(&packages, all, &["chip/Cargo.toml: chip -> game is forbidden: they are apart"]);
    }

    #[test]
    fn only_direct_dependencies_count_if_the_rule_is_direct() {
        let packages = [
            ("joint", "[dependencies]\ngame.workspace = true\n"),
            ("chip", "[dependencies]\njoint.workspace = true\n"),
        ];
        check(&packages, only_joint(Kinds::Normal, Reach::Direct), &[]);
    }

    #[test]
    fn a_permission_that_is_not_needed_is_named() {
        check(
            &[("joint", "")],
            only_joint(Kinds::Normal, Reach::Transitive),
            &["joint does not depend on game: remove it from the permitted packages"],
        );
        check(&[("chip", "")], only_joint(Kinds::Normal, Reach::Transitive), &[]);
    }

    #[test]
    fn an_independent_package_depends_on_no_other_of_the_repository() {
        let alone = || Rule::Alone { package: "game", except: &[], reason: "it is the first" };
        let png = "[dependencies]\npng = \"1\"\n";
        check(&[("game", png), ("chip", "")], alone(), &[]);
        check(
            &[("game", "[dev-dependencies]\nchip.workspace = true\n"), ("chip", "")],
            alone(),
            &["game/Cargo.toml: game -> chip is forbidden: it is the first"],
        );
        check(&[("chip", "")], alone(), &["a rule names game, but there is no such package"]);
    }

    #[test]
    fn an_exception_is_permitted_and_must_be_needed() {
        let alone = || Rule::Alone { package: "game", except: &["chip"], reason: "it is first" };
        let chip = "[dependencies]\nchip.workspace = true\n";
        check(&[("game", chip), ("chip", "")], alone(), &[]);
        check(
            &[("game", ""), ("chip", "")],
            alone(),
            &["game does not depend on chip: remove it from the exceptions"],
        );
    }
}
