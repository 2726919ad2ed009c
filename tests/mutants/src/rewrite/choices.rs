//! What is known of how to rewrite.

use std::collections::{BTreeMap, BTreeSet};

/// How a place is rewritten: the first form that compiles.
pub type Form = usize;

/// What is known of how to rewrite.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// The form of a place, by the file and the byte where it begins; absent: 0.
    pub forms: BTreeMap<(String, usize), Form>,
    /// Mutants that do not compile.
    pub unviable: BTreeSet<usize>,
    /// Names of functions that have to stay `const`.
    pub keep_const: BTreeSet<String>,
}
