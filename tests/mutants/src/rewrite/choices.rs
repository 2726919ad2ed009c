//! Facts about rewriting the sources so that they compile.

use std::collections::{BTreeMap, BTreeSet};

/// Index of the form in which a place is rewritten: the first one that compiles.
pub type Form = usize;

/// Choices for rewriting, learnt from failed builds.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// Form of a place, by the file and the byte where it begins; 0 if absent.
    pub forms: BTreeMap<(String, usize), Form>,
    pub unviable: BTreeSet<usize>,
    /// Names of functions that must stay `const`.
    pub keep_const: BTreeSet<String>,
}
