//! Rewrites one file so that each of its mutants has a switch.
//!
//! | original | rewritten |
//! |---|---|
//! | `{ body }` | `{ if on(1) { return value; } body }` |
//! | `a + b` | `(match (a, b) { (l, r) => if on(1) { l - r } else { l + r } })` |
//! | `a < b` | `(match (&a, &b) { (l, r) => choose(*l < *r, [(1, *l <= *r)]) })` |
//! | `a && b` | `(match a { l => if l != on(1) { b } else { l } })` |
//! | `a += b` | `match b { r => { let l = &mut a; if on(1) { *l -= r } else { *l += r } } }` |
//! | a deleted side of `a && b` | `(on(1) \|\| (a)) && (on(2) \|\| (b))` |
//! | a deleted side of `a \|\| b` | `(!on(1) && (a)) \|\| (!on(2) && (b))` |
//! | a deleted `a.b = c;` or `self.a.b();` | `if !on(1) { a.b = c; }` |
//! | `!a` | `(match a { v => if on(1) { v } else { !v } })` |
//! | an arm `p if g => e` | `p if !on(1) && (match forced([(2, true), …]) { Some(v) => v, None => choose(g, [(2, true), …]) }) => e` |
//! | a field `f: e` above `..base` | `f: if on(1) { let base: T = base; base.f } else { e }` |
//!
//! `const fn` becomes `fn`, because the switch is read at run time. Code that must be constant is
//! unchanged, and its mutants are not switched: `const` items, lengths of arrays, and the functions
//! in `keep_const`.

mod choices;
mod edits;
mod visit;

use std::collections::BTreeMap;
use std::path::Path;

use crate::error::MutantsError;
use crate::list::Mutant;
pub use choices::Choices;
pub use edits::Rewritten;
use visit::Rewriter;

/// Rewrites `text`, the content of `file`; `mutants` are the mutants of the file, with their
/// numbers.
///
/// # Errors
/// If the file is not Rust.
pub fn rewrite(
    file: &str,
    text: &str,
    mutants: &[(usize, &Mutant)],
    choices: &Choices,
) -> Result<Rewritten, MutantsError> {
    let parsed = syn::parse_file(text)
        .map_err(|source| MutantsError::Source { path: Path::new(file).to_owned(), source })?;
    let mut at: BTreeMap<usize, Vec<(usize, &Mutant)>> = BTreeMap::new();
    for (id, mutant) in mutants {
        if let (Some(byte), false) = (mutant.span.start.byte(text), choices.unviable.contains(id)) {
            at.entry(byte).or_default().push((*id, mutant));
        }
    }
    let mut rewriter = Rewriter::new(file, text, at, choices);
    syn::visit::Visit::visit_file(&mut rewriter, &parsed);
    Ok(rewriter.edits.apply(text))
}

#[cfg(test)]
mod tests;
