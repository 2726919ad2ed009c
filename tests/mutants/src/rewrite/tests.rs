//! Tests the rewritten form of each kind of mutant.

use super::{Choices, rewrite};
use crate::list::{Genre, Mutant, Place, Span};

/// Rewrites `text` with the mutants in `wanted`: the code at which each begins, the kind, and the
/// replacement.
fn rewritten(text: &str, wanted: &[(&str, Genre, &str)], choices: &Choices) -> String {
    let mutants: Vec<Mutant> = wanted
        .iter()
        .map(|(piece, genre, replacement)| {
            let before = &text[..text.find(piece).expect("the text has the piece")];
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
            Mutant {
                name: String::new(),
                file: "a.rs".to_owned(),
                genre: *genre,
                replacement: (*replacement).to_owned(),
                span: Span { start: Place { line, column } },
            }
        })
        .collect();
    let mutants: Vec<_> = mutants.iter().enumerate().collect();
    rewrite("a.rs", text, &mutants, choices).expect("it is Rust").text
}

#[track_caller]
fn check(text: &str, wanted: &[(&str, Genre, &str)], expected: &str) {
    let text = rewritten(text, wanted, &Choices::default());
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words(&text), words(expected));
    syn::parse_file(&text).expect("it is still Rust");
}

#[test]
fn a_function_mutant_returns_first_and_const_is_removed() {
    check(
        "const fn f() -> u8 { g(); 7 }",
        &[("g()", Genre::FnValue, "0"), ("g()", Genre::FnValue, "1")],
        "fn f() -> u8 { if ::mutant_switch::on(0) { return 0; } \
         if ::mutant_switch::on(1) { return 1; } g(); 7 }",
    );
}

#[test]
fn a_function_that_returns_impl_trait_is_not_rewritten() {
    let text = "fn f() -> impl Iterator<Item = u8> { g() }";
    check(text, &[("g()", Genre::FnValue, "::std::iter::empty()")], text);
}

#[test]
fn operators_preserve_rewrites_in_their_operands() {
    check(
        "fn f() { let x = ä(1) - (2 * 3); }",
        &[("- (", Genre::BinaryOperator, "+"), ("* 3", Genre::BinaryOperator, "/")],
        "fn f() { let x = (match ((ä(1) ), ( ((match ((2 ), ( 3)) { (__l, __r) => \
         if ::mutant_switch::on(1) { __l / __r } else { __l * __r } })))) { (__l, __r) => \
         if ::mutant_switch::on(0) { __l + __r } else { __l - __r } }); }",
    );
}

#[test]
fn comparisons_with_equal_results_do_not_reach_the_mutant() {
    check(
        "fn f() { if a < b {} }",
        &[("< b", Genre::BinaryOperator, "<="), ("< b", Genre::BinaryOperator, "==")],
        "fn f() { if (match (&(a ), &( b)) { (__l, __r) => ::mutant_switch::choose(*__l < *__r, \
         [(0, *__l <= *__r), (1, *__l == *__r), ]) }) {} }",
    );
}

#[test]
fn lazy_operators_stay_lazy() {
    check(
        "fn f() { a && b; }",
        &[("&& b", Genre::BinaryOperator, "||")],
        "fn f() { (match a { __l => if __l != ::mutant_switch::on(0) { b} else { __l } }); }",
    );
    check(
        "fn f() { a || b; }",
        &[("|| b", Genre::BinaryOperator, "&&")],
        "fn f() { (match a { __l => if __l == ::mutant_switch::on(0) { b} else { __l } }); }",
    );
}

#[test]
fn a_chain_that_binds_a_name_is_not_rewritten() {
    let text = "fn f() { if let Some(a) = b && a > c {} }";
    check(text, &[("&& a", Genre::BinaryOperator, "||")], text);
}

#[test]
fn an_assignment_evaluates_its_target_once() {
    check(
        "fn f() { a[g()] += b; }",
        &[("+= b", Genre::BinaryOperator, "-=")],
        "fn f() { match b { __r => { let __l = &mut (a[g()]); \
         if ::mutant_switch::on(0) { *__l -= __r } else { *__l += __r } } }; }",
    );
}

#[test]
fn arms_and_guards_share_a_guard_that_a_mutant_skips() {
    check(
        "fn f() { match a { 1 => {} 2 if b => {} _ => {} } }",
        &[
            ("1 =>", Genre::MatchArm, ""),
            ("2 if", Genre::MatchArm, ""),
            ("b =>", Genre::MatchArmGuard, "true"),
            ("b =>", Genre::MatchArmGuard, "false"),
        ],
        "fn f() { match a { 1 if !::mutant_switch::on(0) => {} \
         2 if !::mutant_switch::on(1) && (match ::mutant_switch::forced([(2, true), (3, false), ]) \
         { Some(__v) => __v, None => ::mutant_switch::choose((b), [(2, true), (3, false), ]) }) => {} \
         _ => {} } }",
    );
}

#[test]
fn an_arm_needed_for_exhaustiveness_is_not_rewritten() {
    let text = "fn f() { match a { Some(_) => {} None => {} } }";
    check(text, &[("Some(_) =>", Genre::MatchArm, "")], text);
}

#[test]
fn a_field_takes_the_value_of_the_base() {
    check(
        "fn f() { S { a: 1, b, ..c } }",
        &[("a: 1", Genre::StructField, ""), ("b,", Genre::StructField, "")],
        "fn f() { S { a: if ::mutant_switch::on(0) { let __base: S = c; __base.a } else { 1 }, \
         b: if ::mutant_switch::on(1) { let __base: S = c; __base.b } else { b }, ..c } }",
    );
}

#[test]
fn a_unary_operator_is_removed() {
    check(
        "fn f() { g(!a) }",
        &[("!a", Genre::UnaryOperator, "")],
        "fn f() { g((match (a) { __v => if ::mutant_switch::on(0) { __v } else { !__v } })) }",
    );
}

#[test]
fn constant_code_is_not_rewritten() {
    for text in ["const A: u8 = 1 + 2;", "fn f() { [0; 1 + 2]; }", "fn f(a: [u8; 1 + 2]) { g(); }"]
    {
        check(text, &[("+ 2", Genre::BinaryOperator, "-")], text);
    }
    let mut choices = Choices::default();
    choices.keep_const.insert("f".to_owned());
    let text = "const fn f() -> u8 { 1 + 2 }";
    let mutants = [("+ 2", Genre::BinaryOperator, "-"), ("1 +", Genre::FnValue, "0")];
    assert_eq!(rewritten(text, &mutants, &choices), text);
}

#[test]
fn a_deleted_side_leaves_the_decision_to_the_other() {
    check(
        "fn f() { if a && b {} }",
        &[("&& b", Genre::LeftOperand, ""), ("&& b", Genre::RightOperand, "")],
        "fn f() { if (::mutant_switch::on(0) || (a)) && (::mutant_switch::on(1) || (b)) {} }",
    );
    check(
        "fn f() { a || b; }",
        &[("|| b", Genre::LeftOperand, ""), ("|| b", Genre::BinaryOperator, "&&")],
        "fn f() { (match (!::mutant_switch::on(0) && (a)) { __l => if __l == \
         ::mutant_switch::on(1) { b} else { __l } }); }",
    );
    check(
        "fn f() { if let Some(a) = b && c {} }",
        &[("&& c", Genre::RightOperand, "")],
        "fn f() { if let Some(a) = b && (::mutant_switch::on(0) || (c)) {} }",
    );
}

#[test]
fn a_deleted_assignment_is_skipped() {
    check(
        "fn f() { a.b = c; }",
        &[("a.b", Genre::Statement, "")],
        "fn f() { if !::mutant_switch::on(0) { a.b = c; } }",
    );
    check(
        "fn f() { a.b += c; }",
        &[("a.b", Genre::Statement, ""), ("+=", Genre::BinaryOperator, "-=")],
        "fn f() { if !::mutant_switch::on(0) { match c { __r => { let __l = &mut (a.b); \
         if ::mutant_switch::on(1) { *__l -= __r } else { *__l += __r } } }; } }",
    );
}

#[test]
fn a_deleted_call_is_skipped() {
    check(
        "fn f() { self.a.b(c && d)?; }",
        &[("self.a", Genre::Statement, ""), ("&& d", Genre::RightOperand, "")],
        "fn f() { if !::mutant_switch::on(0) { self.a.b(c && (::mutant_switch::on(1) || (d)))?; } }",
    );
}
