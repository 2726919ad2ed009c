//! Finds circles among the modules of a crate.
//!
//! The rule: the children of one module may use each other, but not in a circle. A child includes
//! everything below it, so circles of files and circles of folders are both found. A module and its
//! own descendants may use each other freely: they are one subject, and readers enter it at the
//! parent.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use crate::modules::Tree;

/// Maximum number of lines that a report shows between two modules of a circle.
const LINES_SHOWN: usize = 4;

/// Sibling modules that use each other in a circle.
#[derive(Debug)]
pub struct Circle {
    pub package: String,
    /// Path of their parent, for example `trace::parse`; empty at the crate's root.
    pub parent: String,
    /// Names of the modules, sorted.
    pub members: Vec<String>,
    /// The uses among the modules: from, to, and the place as `FILE:LINE: path`.
    uses: Vec<(String, String, String)>,
}

impl Circle {
    /// Returns whether an entry of the list of known circles covers this one.
    pub fn is_covered_by(&self, (package, parent, members): (&str, &str, &[&str])) -> bool {
        self.package == package
            && self.parent == parent
            && self.members.iter().all(|member| members.contains(&member.as_str()))
    }

    /// Describes the circle with the lines that cause it; paths are relative to `root`.
    pub fn report(&self, root: &Path) -> String {
        let inside = if self.parent.is_empty() { "" } else { "::" };
        let mut text = format!(
            "{}{inside}{}: {} use each other in a circle\n",
            self.package,
            self.parent,
            self.members.join(", ")
        );
        let mut between: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
        for (from, to, place) in &self.uses {
            between.entry((from, to)).or_default().push(place);
        }
        let prefix = format!("{}/", root.display());
        for ((from, to), places) in between {
            let _ = writeln!(text, "  {from} -> {to}");
            for place in places.iter().take(LINES_SHOWN) {
                let _ = writeln!(text, "    {}", place.strip_prefix(&prefix).unwrap_or(place));
            }
            if places.len() > LINES_SHOWN {
                let _ = writeln!(text, "    and {} more", places.len() - LINES_SHOWN);
            }
        }
        text
    }
}

/// Returns all circles of a crate, by parent.
pub fn find(package: &str, tree: &Tree) -> Vec<Circle> {
    // The uses between the children of each parent.
    let mut levels: BTreeMap<&[String], Vec<(&str, &str, String)>> = BTreeMap::new();
    for used in tree.uses() {
        let (from, to) = (&tree.modules[used.from], &tree.modules[used.to]);
        let common = from.path.iter().zip(&to.path).take_while(|(a, b)| a == b).count();
        // One module is an ancestor of the other.
        if common == from.path.len() || common == to.path.len() {
            continue;
        }
        let place = format!("{}:{}: {}", from.file.display(), used.line, used.path);
        levels.entry(&from.path[..common]).or_default().push((
            &from.path[common],
            &to.path[common],
            place,
        ));
    }
    let mut circles = Vec::new();
    for (parent, uses) in levels {
        let edges: BTreeSet<(&str, &str)> = uses.iter().map(|(from, to, _)| (*from, *to)).collect();
        for members in components(&edges) {
            let inside = |name: &str| members.contains(name);
            let uses = uses
                .iter()
                .filter(|(from, to, _)| inside(from) && inside(to))
                .map(|(from, to, place)| (from.to_string(), to.to_string(), place.clone()))
                .collect();
            circles.push(Circle {
                package: package.to_owned(),
                parent: parent.join("::"),
                members: members.iter().map(ToString::to_string).collect(),
                uses,
            });
        }
    }
    circles
}

/// Returns the strongly connected components of two nodes or more.
fn components<'a>(edges: &BTreeSet<(&'a str, &'a str)>) -> Vec<BTreeSet<&'a str>> {
    let nodes: BTreeSet<&str> = edges.iter().flat_map(|(from, to)| [*from, *to]).collect();
    let reach: BTreeMap<&str, BTreeSet<&str>> =
        nodes.iter().map(|node| (*node, reachable(node, edges))).collect();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut components = Vec::new();
    for node in &nodes {
        if seen.contains(node) {
            continue;
        }
        let component: BTreeSet<&str> =
            reach[node].iter().copied().filter(|other| reach[other].contains(node)).collect();
        seen.extend(&component);
        if component.len() > 1 {
            components.push(component);
        }
    }
    components
}

/// Returns all nodes that can be reached from `start` by one or more edges.
fn reachable<'a>(start: &str, edges: &BTreeSet<(&'a str, &'a str)>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![start];
    while let Some(node) = waiting.pop() {
        for (_, to) in edges.iter().filter(|(from, _)| *from == node) {
            if reached.insert(*to) {
                waiting.push(to);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the circles of a made-up crate, each given as `PARENT: MEMBER MEMBER`.
    #[track_caller]
    fn check(files: &[(&str, &str)], expected: &[&str]) {
        let read = |path: &Path| {
            let wanted = path.to_str().expect("a made-up path is text");
            files.iter().find(|(name, _)| *name == wanted).map(|(_, text)| text.to_string())
        };
        let tree = Tree::read(Path::new("src/lib.rs"), &read);
        let found: Vec<String> = find("example", &tree)
            .iter()
            .map(|circle| format!("{}: {}", circle.parent, circle.members.join(" ")))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn siblings_that_import_each_other_are_a_circle() {
        check(
            &[
                ("src/lib.rs", "mod a; mod b;"),
                ("src/a.rs", "use crate::b::B; pub struct A(B);"),
                ("src/b.rs", "use super::a::A; pub struct B; impl From<A> for B {}"),
            ],
            &[": a b"],
        );
    }

    #[test]
    fn siblings_that_import_one_way_are_no_circle() {
        check(
            &[
                ("src/lib.rs", "mod a; mod b;"),
                ("src/a.rs", "use crate::b::B; pub struct A(B);"),
                ("src/b.rs", "pub struct B;"),
            ],
            &[],
        );
    }

    #[test]
    fn a_path_inside_a_function_counts() {
        check(
            &[
                ("src/lib.rs", "mod a; mod b;"),
                ("src/a.rs", "pub fn a() { crate::b::b() }"),
                ("src/b.rs", "pub fn b() { super::a::a() }"),
            ],
            &[": a b"],
        );
    }

    #[test]
    fn a_path_inside_a_macro_counts() {
        check(
            &[
                ("src/lib.rs", "mod a; mod b;"),
                (
                    "src/a.rs",
                    "pub const A: u8 = 1; fn a() { assert!(x < crate::b::B, \"{}\", 1); }",
                ),
                ("src/b.rs", "pub const B: u8 = super::a::A;"),
            ],
            &[": a b"],
        );
    }

    #[test]
    fn a_module_that_was_imported_by_name_counts_where_it_is_used() {
        let lib = ("src/lib.rs", "mod a; mod b;");
        let b = ("src/b.rs", "use crate::a::A; pub struct B(A);");
        check(&[lib, ("src/a.rs", "use crate::b; pub struct A; fn f(_: b::B) {}"), b], &[": a b"]);
        check(
            &[lib, ("src/a.rs", "use crate::b as c; pub struct A; fn f(_: c::B) {}"), b],
            &[": a b"],
        );
        check(
            &[lib, ("src/a.rs", "use crate::{b::{self}}; pub struct A; fn f(_: b::B) {}"), b],
            &[": a b"],
        );
    }

    #[test]
    fn nested_groups_and_globs_count() {
        let lib = ("src/lib.rs", "mod a; mod b; mod c;");
        let c = ("src/c.rs", "pub struct C;");
        let b = ("src/b.rs", "use crate::{c::C, a::{A}}; pub struct B(A, C);");
        check(
            &[lib, c, b, ("src/a.rs", "pub use crate::{c::{C}, b::{B as X}}; pub struct A;")],
            &[": a b"],
        );
        check(&[lib, c, b, ("src/a.rs", "use super::b::*; pub struct A;")], &[": a b"]);
    }

    #[test]
    fn a_circle_of_three_is_one_circle() {
        check(
            &[
                ("src/lib.rs", "mod a; mod b; mod c; mod d;"),
                ("src/a.rs", "use crate::b::B; pub struct A(B);"),
                ("src/b.rs", "use crate::c::C; pub struct B(C);"),
                ("src/c.rs", "use crate::a::A; pub struct C(A);"),
                ("src/d.rs", "use crate::a::A; pub struct D(A);"),
            ],
            &[": a b c"],
        );
    }

    #[test]
    fn folders_make_a_circle_though_their_files_make_none() {
        check(
            &[
                ("src/lib.rs", "mod a; mod b;"),
                ("src/a.rs", "pub mod x; pub mod y;"),
                ("src/a/x.rs", "use crate::b::z::Z; pub struct X(Z);"),
                ("src/a/y.rs", "pub struct Y;"),
                ("src/b/mod.rs", "pub mod w; pub mod z;"),
                ("src/b/w.rs", "use crate::a::y::Y; pub struct W(Y);"),
                ("src/b/z.rs", "pub struct Z;"),
            ],
            &[": a b"],
        );
    }

    #[test]
    fn a_re_export_leads_to_the_module_that_defines() {
        // `a` uses `crate::B`, which the root re-exports from `b`.
        check(
            &[
                ("src/lib.rs", "mod a; mod b; pub use b::inner::*;"),
                ("src/a.rs", "use crate::B; pub struct A(B);"),
                ("src/b.rs", "pub mod inner;"),
                ("src/b/inner.rs", "use crate::a::A; pub struct B(A);"),
            ],
            &[": a b"],
        );
    }

    #[test]
    fn a_parent_and_its_children_may_use_each_other() {
        check(
            &[
                ("src/lib.rs", "mod a;"),
                ("src/a.rs", "mod x; pub struct A(x::X);"),
                ("src/a/x.rs", "use super::A; pub struct X(Box<A>);"),
            ],
            &[],
        );
    }

    #[test]
    fn a_circle_deep_inside_is_reported_at_its_parent() {
        check(
            &[
                ("src/lib.rs", "mod a;"),
                ("src/a.rs", "mod x; mod y;"),
                ("src/a/x.rs", "use super::y::Y; pub struct X(Y);"),
                ("src/a/y.rs", "use super::super::a::x::X; pub struct Y(X);"),
            ],
            &["a: x y"],
        );
    }

    #[test]
    fn code_that_is_only_for_tests_is_ignored() {
        let lib = ("src/lib.rs", "mod a; mod b; #[cfg(test)] mod no_such_file;");
        let b = ("src/b.rs", "use crate::a::A; pub struct B(A);");
        let a = "pub struct A; #[cfg(test)] mod tests { use crate::b::B; }";
        check(&[lib, b, ("src/a.rs", a)], &[]);
        let a = "pub struct A; impl A { #[cfg(test)] fn f(_: crate::b::B) {} }";
        check(&[lib, b, ("src/a.rs", a)], &[]);
        // Code that is also compiled without tests is not excluded.
        let a = "pub struct A; #[cfg(any(test, unix))] fn f(_: crate::b::B) {}";
        check(&[lib, b, ("src/a.rs", a)], &[": a b"]);
    }

    #[test]
    fn the_report_names_file_and_line() {
        let files = [
            ("/r/src/lib.rs", "mod a; mod b;"),
            ("/r/src/a.rs", "\nuse crate::b::B;\npub struct A(B);"),
            ("/r/src/b.rs", "use super::a::A;\npub struct B(A);"),
        ];
        let read = |path: &Path| {
            files.iter().find(|(name, _)| Path::new(name) == path).map(|(_, text)| text.to_string())
        };
        let circles = find("example", &Tree::read(Path::new("/r/src/lib.rs"), &read));
        assert_eq!(
            circles[0].report(Path::new("/r")),
            "example: a, b use each other in a circle\n\
             \x20 a -> b\n    src/a.rs:2: crate::b::B\n\
             \x20 b -> a\n    src/b.rs:1: super::a::A\n"
        );
    }

    #[test]
    fn an_entry_covers_a_circle_of_fewer_members() {
        let circle = Circle {
            package: "example".into(),
            parent: "a".into(),
            members: vec!["x".into(), "y".into()],
            uses: Vec::new(),
        };
        assert!(circle.is_covered_by(("example", "a", &["x", "y", "z"])));
        assert!(!circle.is_covered_by(("example", "a", &["x", "z"])));
        assert!(!circle.is_covered_by(("example", "", &["x", "y"])));
        assert!(!circle.is_covered_by(("other", "a", &["x", "y"])));
    }
}
