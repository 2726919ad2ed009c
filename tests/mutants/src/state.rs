//! Mutants that cargo-mutants does not make: a statement that assigns to a field, an element or a
//! reference is deleted, a statement that only calls a method of `self` or of a part of it is
//! deleted, and one side of `&&` or `||` is deleted.
//!
//! Such bugs are frequent where state is reset or stored at a transition, and the operators that
//! cargo-mutants replaces do not imitate them. This module finds them and names them as
//! cargo-mutants does: `FILE:LINE:COLUMN: delete … in FUNCTION`.

use std::path::Path;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Stmt};

use crate::error::MutantsError;
use crate::list::{Genre, Mutant, Place, Span};
use crate::syntax::{Change, change, has_let, is_for_tests};

/// Longest quotation of the source in a name, in characters.
const QUOTED: usize = 60;

/// Returns the mutants of `text`, the content of `file`, in its order.
///
/// # Errors
/// If the file is not Rust.
pub fn find(file: &str, text: &str) -> Result<Vec<Mutant>, MutantsError> {
    let parsed = syn::parse_file(text)
        .map_err(|source| MutantsError::Source { path: Path::new(file).to_owned(), source })?;
    let mut finder =
        Finder { file, text, found: Vec::new(), function: String::new(), of: String::new() };
    finder.visit_file(&parsed);
    Ok(finder.found)
}

struct Finder<'a> {
    file: &'a str,
    text: &'a str,
    found: Vec<Mutant>,
    /// The function around the current code; empty outside of functions.
    function: String,
    /// The type of the current `impl`.
    of: String,
}

impl Finder<'_> {
    fn add(&mut self, genre: Genre, at: proc_macro2::Span, what: &str) {
        if self.function.is_empty() {
            return;
        }
        let start = at.start();
        let place = Place { line: start.line, column: start.column + 1 };
        let name = format!(
            "{}:{}:{}: delete {what} in {}",
            self.file, place.line, place.column, self.function
        );
        let (file, replacement) = (self.file.to_owned(), String::new());
        self.found.push(Mutant { name, file, genre, replacement, span: Span { start: place } });
    }

    fn in_function(&mut self, signature: &syn::Signature, visit: impl FnOnce(&mut Self)) {
        // The compiler evaluates these where it needs their value.
        if signature.constness.is_some() {
            return;
        }
        let name = match self.of.as_str() {
            "" => signature.ident.to_string(),
            of => format!("{of}::{}", signature.ident),
        };
        let before = std::mem::replace(&mut self.function, name);
        visit(self);
        self.function = before;
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let of = match &*item.self_ty {
            syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        let before = std::mem::replace(&mut self.of, of.unwrap_or_default());
        visit::visit_item_impl(self, item);
        self.of = before;
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_for_tests(&item.attrs) {
            self.in_function(&item.sig, |this| visit::visit_item_fn(this, item));
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !is_for_tests(&item.attrs) {
            self.in_function(&item.sig, |this| visit::visit_impl_item_fn(this, item));
        }
    }

    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}

    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if let Some(change) = change(statement) {
            let (range, how) = match change {
                Change::Assigned(place) => (place.span().byte_range(), "assignment to"),
                Change::Called(call) => {
                    let start = call.receiver.span().byte_range().start;
                    (start..call.method.span().byte_range().end, "call of")
                }
            };
            let quoted = self.text[range].split_whitespace();
            let quoted: String =
                quoted.collect::<Vec<_>>().join(" ").chars().take(QUOTED).collect();
            self.add(Genre::Statement, statement.span(), &format!("{how} {quoted}"));
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        let sign = match binary.op {
            BinOp::And(_) => "&&",
            BinOp::Or(_) => "||",
            _ => return visit::visit_expr_binary(self, binary),
        };
        for (genre, operand, side) in [
            (Genre::LeftOperand, &binary.left, "left"),
            (Genre::RightOperand, &binary.right, "right"),
        ] {
            // A name that it binds may be used below.
            if !has_let(operand) {
                self.add(genre, binary.op.span(), &format!("{side} side of {sign}"));
            }
        }
        visit::visit_expr_binary(self, binary);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found = find("a.rs", text).expect("it is Rust");
        let names: Vec<&str> = found.iter().map(|mutant| mutant.name.as_str()).collect();
        assert_eq!(names, expected);
        for mutant in &found {
            assert!(mutant.span.start.byte(text).is_some(), "{}", mutant.name);
        }
    }

    #[test]
    fn assignments_to_state_are_found_and_others_are_not() {
        check(
            "impl<T> App<T> {\n    fn begin(&mut self) {\n        let mut a = 1;\n        a = 2;\n        \
             self.view.notice = None;\n        *self.x += a;\n        (self.a, self.b[1]) = (1, 2);\n    }\n}",
            &[
                "a.rs:5:9: delete assignment to self.view.notice in App::begin",
                "a.rs:6:9: delete assignment to *self.x in App::begin",
                "a.rs:7:9: delete assignment to (self.a, self.b[1]) in App::begin",
            ],
        );
    }

    #[test]
    fn calls_on_self_are_found_unless_their_result_is_used() {
        check(
            "impl App {\n    fn begin(&mut self) -> u8 {\n        self.stop();\n        self.view.glow\n.take_if(|x| x.old);\n        \
             self.log()[1].write(2)?;\n        other.stop();\n        let a = self.stop();\n        self.stop()\n    }\n}",
            &[
                "a.rs:3:9: delete call of self.stop in App::begin",
                "a.rs:4:9: delete call of self.view.glow .take_if in App::begin",
                "a.rs:6:9: delete call of self.log()[1].write in App::begin",
            ],
        );
    }

    #[test]
    fn both_sides_of_a_lazy_operator_are_found_unless_one_binds_a_name() {
        check(
            "fn f() { if a && b || c {} }\nfn g() { if let Some(x) = a && b {} }",
            &[
                "a.rs:1:20: delete left side of || in f",
                "a.rs:1:20: delete right side of || in f",
                "a.rs:1:15: delete left side of && in f",
                "a.rs:1:15: delete right side of && in f",
                "a.rs:2:29: delete right side of && in g",
            ],
        );
    }

    #[test]
    fn tests_and_constants_have_no_mutants() {
        check(
            "const A: bool = B && C;\nconst fn f() -> bool { A && B }\n#[cfg(test)]\nmod tests { fn g() { a && b; } }",
            &[],
        );
    }
}
