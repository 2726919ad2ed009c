//! Finds the places with mutants in a file, and creates the edits of each.

use std::collections::BTreeMap;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Block};

use super::choices::{Choices, Form};
use super::edits::{Edits, Piece};
use crate::list::{Genre, Mutant};
use crate::syntax::{Kind, change, has_let, is_for_tests, kind};

const ON: &str = "::mutant_switch::on";
const CHOOSE: &str = "::mutant_switch::choose";
const FORCED: &str = "::mutant_switch::forced";

/// Visits a file and collects its edits.
pub struct Rewriter<'a> {
    file: &'a str,
    text: &'a str,
    at: BTreeMap<usize, Vec<(usize, &'a Mutant)>>,
    choices: &'a Choices,
    /// Nesting depth of code that the compiler evaluates; above 0, mutants cannot be switched.
    constant: usize,
    /// The edits found so far.
    pub edits: Edits,
}

impl<'a> Rewriter<'a> {
    pub fn new(
        file: &'a str,
        text: &'a str,
        at: BTreeMap<usize, Vec<(usize, &'a Mutant)>>,
        choices: &'a Choices,
    ) -> Self {
        Self { file, text, at, choices, constant: 0, edits: Edits::default() }
    }

    /// Returns the mutants of a kind that begin at `at`; none where they cannot be switched.
    fn mutants(&self, genre: Genre, at: usize) -> Vec<(usize, String)> {
        if self.constant > 0 {
            return Vec::new();
        }
        let here = self.at.get(&at).into_iter().flatten();
        let wanted = here.filter(|(_, mutant)| mutant.genre == genre);
        wanted.map(|(id, mutant)| (*id, mutant.replacement.clone())).collect()
    }

    fn form(&self, at: usize) -> Form {
        self.choices.forms.get(&(self.file.to_owned(), at)).copied().unwrap_or(0)
    }

    fn constantly(&mut self, visit: impl FnOnce(&mut Self)) {
        self.constant += 1;
        visit(self);
        self.constant -= 1;
    }

    /// Rewrites a function: removes `const`, and inserts its mutants at the top of its body.
    fn function(
        &mut self,
        signature: &syn::Signature,
        body: &Block,
        visit: impl FnOnce(&mut Self),
    ) {
        if let Some(token) = &signature.constness {
            if self.choices.keep_const.contains(&signature.ident.to_string()) {
                return self.constantly(visit);
            }
            let range = token.span.byte_range();
            let site = self.edits.site(range.start);
            self.edits.replace(site, range, Piece::default());
        }
        // `impl Iterator` is one type, and the mutant would return another.
        let returns = &self.text[signature.output.span().byte_range()];
        if let (Some(first), false) = (body.stmts.first(), returns.contains("impl ")) {
            let at = first.span().byte_range().start;
            let mutants = self.mutants(Genre::FnValue, at);
            if !mutants.is_empty() {
                let start = body.brace_token.span.open().byte_range().end;
                let site = self.edits.site(start);
                let mut piece = Piece::default();
                for (id, value) in mutants {
                    piece = piece
                        .text(&format!(" if {ON}({id}) {{ "))
                        .mutant(id, &format!("return {value};"))
                        .text(" }");
                }
                self.edits.open(site, start, piece);
            }
        }
        visit(self);
    }

    /// Rewrites an operator between two operands. Returns whether the left operand is now inside an
    /// edit and needs none of its own.
    fn binary(&mut self, binary: &syn::ExprBinary) -> bool {
        let operator = binary.op.span().byte_range();
        let mutants = self.mutants(Genre::BinaryOperator, operator.start);
        if mutants.is_empty() || has_let(&binary.left) || has_let(&binary.right) {
            return false;
        }
        let whole = binary.span().byte_range();
        let right = binary.right.span().byte_range();
        let form = self.form(operator.start);
        let sign = self.text[operator.clone()].to_owned();
        let edits = &mut self.edits;
        let piece = Piece::default;
        match kind(&binary.op) {
            Kind::Lazy => {
                let [(id, other)] = &mutants[..] else { return false };
                if form > 0 || !["&&", "||"].contains(&other.as_str()) {
                    return false;
                }
                let goes_on = if sign == "&&" { "!=" } else { "==" };
                let site = edits.site(operator.start);
                edits.open(site, whole.start, piece().text("(match "));
                edits.replace(
                    site,
                    operator,
                    piece().text(&format!("{{ __l => if __l {goes_on} {ON}({id}) {{")),
                );
                edits.close(site, whole.end, piece().text("} else { __l } })").mutant(*id, ""));
            }
            Kind::Assigns => {
                if form > 0 {
                    return false;
                }
                let site = edits.site(operator.start);
                let left = self.text[binary.left.span().byte_range()].to_owned();
                let mut last = piece().text(&format!(" {{ __r => {{ let __l = &mut ({left}); "));
                for (id, other) in &mutants {
                    last = last.text(&format!("if {ON}({id}) {{ "));
                    last = last.mutant(*id, &format!("*__l {other} __r")).text(" } else ");
                }
                last = last.text(&format!("{{ *__l {sign} __r }} }} }}"));
                edits.replace(site, whole.start..right.start, piece().text("match "));
                edits.close(site, whole.end, last);
                return true;
            }
            kind => {
                let compares = kind == Kind::Compares;
                let (open, between, value) = match (compares, form) {
                    (true, 0) => ("(match (&(", "), &(", "*"),
                    (true, 1) | (false, 0) => ("(match ((", "), (", ""),
                    (false, 1) if kind == Kind::Bits => ("(match ((", "), (", ""),
                    _ => return false,
                };
                let chosen = compares || (kind == Kind::Bits && form == 0);
                let site = edits.site(operator.start);
                let mut last = piece().text(")) { (__l, __r) => ");
                if chosen {
                    last = last.text(&format!("{CHOOSE}({value}__l {sign} {value}__r, ["));
                    for (id, other) in &mutants {
                        last = last.text(&format!("({id}, "));
                        last = last.mutant(*id, &format!("{value}__l {other} {value}__r"));
                        last = last.text("), ");
                    }
                    last = last.text("])");
                } else {
                    for (id, other) in &mutants {
                        last = last.text(&format!("if {ON}({id}) {{ "));
                        last = last.mutant(*id, &format!("__l {other} __r")).text(" } else ");
                    }
                    last = last.text(&format!("{{ __l {sign} __r }}"));
                }
                edits.open(site, whole.start, piece().text(open));
                edits.replace(site, operator, piece().text(between));
                edits.close(site, whole.end, last.text(" })"));
            }
        }
        false
    }

    /// Rewrites the sides of `&&` and `||` that can be deleted.
    fn sides(&mut self, binary: &syn::ExprBinary) {
        let operator = binary.op.span().byte_range();
        if self.form(operator.start) > 1 || kind(&binary.op) != Kind::Lazy {
            return;
        }
        // The value of a side that leaves the decision to the other one.
        let and = matches!(binary.op, BinOp::And(_));
        for (genre, side) in
            [(Genre::LeftOperand, &binary.left), (Genre::RightOperand, &binary.right)]
        {
            let mutants = self.mutants(genre, operator.start);
            let ([(id, _)], false) = (&mutants[..], has_let(side)) else { continue };
            let range = side.span().byte_range();
            let first =
                if and { format!("({ON}({id}) || (") } else { format!("(!{ON}({id}) && (") };
            let site = self.edits.site(operator.start);
            self.edits.open(site, range.start, Piece::default().text(&first).mutant(*id, ""));
            self.edits.close(site, range.end, Piece::default().text("))"));
        }
    }

    fn unary(&mut self, unary: &syn::ExprUnary) {
        let operator = unary.op.span().byte_range();
        let mutants = self.mutants(Genre::UnaryOperator, operator.start);
        let [(id, _)] = &mutants[..] else { return };
        if self.form(operator.start) > 0 {
            return;
        }
        let sign = self.text[operator.clone()].to_owned();
        let whole = unary.span().byte_range();
        let site = self.edits.site(operator.start);
        self.edits.open(site, whole.start, Piece::default().text("(match ("));
        self.edits.replace(site, operator, Piece::default());
        let last = Piece::default().text(&format!(") {{ __v => if {ON}({id}) {{ "));
        let last = last.mutant(*id, "__v").text(&format!(" }} else {{ {sign}__v }} }})"));
        self.edits.close(site, whole.end, last);
    }

    /// Rewrites a match arm. `covers` is true if the other arms cover all patterns; otherwise the
    /// arm cannot be removed.
    fn arm(&mut self, arm: &syn::Arm, covers: bool) {
        let start = arm.span().byte_range().start;
        let gone = if covers { self.mutants(Genre::MatchArm, start) } else { Vec::new() };
        let gone = gone.first().map(|(id, _)| *id);
        let Some((_, guard)) = &arm.guard else {
            if let Some(id) = gone
                && self.form(start) == 0
            {
                let site = self.edits.site(start);
                let text = format!(" if !{ON}({id})");
                let piece = Piece::default().text(&text).mutant(id, "");
                self.edits.close(site, arm.pat.span().byte_range().end, piece);
            }
            return;
        };
        let range = guard.span().byte_range();
        let mutants = self.mutants(Genre::MatchArmGuard, range.start);
        if (gone.is_none() && mutants.is_empty()) || has_let(guard) || self.form(range.start) > 0 {
            return;
        }
        let site = self.edits.site(range.start);
        let there = gone.map_or_else(String::new, |id| format!("!{ON}({id}) && "));
        // A guard may have side effects, so it is not evaluated while its mutant is on.
        let values: String =
            mutants.iter().map(|(id, value)| format!("({id}, {value}), ")).collect();
        let mut last = Piece::default().text(&format!("), [{values}]) }})"));
        for (id, _) in &mutants {
            last = last.mutant(*id, "");
        }
        let forced = format!("(match {FORCED}([{values}]) {{ Some(__v) => __v, None => ");
        let mut first = Piece::default().text(&format!("{there}{forced}{CHOOSE}(("));
        if let Some(id) = gone {
            first = first.mutant(id, "");
        }
        self.edits.open(site, range.start, first);
        self.edits.close(site, range.end, last);
    }

    fn fields(&mut self, structure: &syn::ExprStruct) {
        let Some(base) = &structure.rest else { return };
        let base = &self.text[base.span().byte_range()];
        let path = &self.text[structure.path.span().byte_range()];
        for field in &structure.fields {
            let start = field.span().byte_range().start;
            let mutants = self.mutants(Genre::StructField, start);
            let ([(id, _)], syn::Member::Named(name), 0) =
                (&mutants[..], &field.member, self.form(start))
            else {
                continue;
            };
            let value = field.expr.span().byte_range();
            let site = self.edits.site(start);
            let named =
                if field.colon_token.is_some() { String::new() } else { format!("{name}: ") };
            let first = Piece::default().text(&format!("{named}if {ON}({id}) {{ "));
            let first = first.mutant(*id, &format!("let __base: {path} = {base}; __base.{name}"));
            self.edits.open(site, value.start, first.text(" } else { "));
            self.edits.close(site, value.end, Piece::default().text(" }"));
        }
    }
}

/// Returns whether an arm matches everything.
fn covers_all(arm: &syn::Arm) -> bool {
    let all = match &arm.pat {
        syn::Pat::Wild(_) => true,
        syn::Pat::Ident(name) => {
            name.subpat.is_none() && name.ident.to_string().starts_with(char::is_lowercase)
        }
        _ => false,
    };
    all && arm.guard.is_none()
}

impl<'ast> Visit<'ast> for Rewriter<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, &item.block, |this| {
            visit::visit_block(this, &item.block);
        });
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig, &item.block, |this| {
            visit::visit_block(this, &item.block);
        });
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, block, |this| {
                visit::visit_block(this, block);
            });
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.constantly(|this| visit::visit_item_const(this, item));
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.constantly(|this| visit::visit_item_static(this, item));
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.constantly(|this| visit::visit_impl_item_const(this, item));
    }

    fn visit_trait_item_const(&mut self, item: &'ast syn::TraitItemConst) {
        self.constantly(|this| visit::visit_trait_item_const(this, item));
    }

    fn visit_variant(&mut self, item: &'ast syn::Variant) {
        self.constantly(|this| visit::visit_variant(this, item));
    }

    fn visit_type(&mut self, item: &'ast syn::Type) {
        self.constantly(|this| visit::visit_type(this, item));
    }

    fn visit_generic_argument(&mut self, item: &'ast syn::GenericArgument) {
        self.constantly(|this| visit::visit_generic_argument(this, item));
    }

    fn visit_pat(&mut self, item: &'ast syn::Pat) {
        self.constantly(|this| visit::visit_pat(this, item));
    }

    fn visit_expr_const(&mut self, item: &'ast syn::ExprConst) {
        self.constantly(|this| visit::visit_expr_const(this, item));
    }

    fn visit_expr_repeat(&mut self, item: &'ast syn::ExprRepeat) {
        self.visit_expr(&item.expr);
        self.constantly(|this| this.visit_expr(&item.len));
    }

    fn visit_stmt(&mut self, item: &'ast syn::Stmt) {
        if change(item).is_some() {
            let range = item.span().byte_range();
            let mutants = self.mutants(Genre::Statement, range.start);
            if let ([(id, _)], 0) = (&mutants[..], self.form(range.start)) {
                let site = self.edits.site(range.start);
                let first = Piece::default().text(&format!("if !{ON}({id}) {{ ")).mutant(*id, "");
                self.edits.open(site, range.start, first);
                self.edits.close(site, range.end, Piece::default().text(" }"));
            }
        }
        visit::visit_stmt(self, item);
    }

    fn visit_expr_binary(&mut self, item: &'ast syn::ExprBinary) {
        let is_edited = self.binary(item);
        self.sides(item);
        if is_edited {
            self.visit_expr(&item.right);
        } else {
            visit::visit_expr_binary(self, item);
        }
    }

    fn visit_expr_unary(&mut self, item: &'ast syn::ExprUnary) {
        self.unary(item);
        visit::visit_expr_unary(self, item);
    }

    fn visit_expr_match(&mut self, item: &'ast syn::ExprMatch) {
        let covers = item.arms.iter().any(covers_all);
        item.arms.iter().for_each(|arm| self.arm(arm, covers));
        visit::visit_expr_match(self, item);
    }

    fn visit_expr_struct(&mut self, item: &'ast syn::ExprStruct) {
        self.fields(item);
        visit::visit_expr_struct(self, item);
    }
}
