//! Insertions into and replacements in a text, nested like the expressions that they surround.

use std::cmp::Reverse;
use std::ops::Range;

/// A place with mutants in the rewritten text.
#[derive(Clone, Debug)]
pub struct Site {
    /// Start in the original text; with the file, the key of its form.
    pub original: usize,
    /// Range in the rewritten text.
    pub range: Range<usize>,
    /// Range of the text that belongs to each mutant only.
    pub mutants: Vec<(usize, Range<usize>)>,
}

#[derive(Clone, Debug)]
pub struct Rewritten {
    pub text: String,
    pub sites: Vec<Site>,
}

/// New text, parts of which may belong to single mutants.
#[derive(Clone, Debug, Default)]
pub struct Piece {
    text: String,
    mutants: Vec<(usize, Range<usize>)>,
}

impl Piece {
    /// Appends text that belongs to no mutant.
    #[must_use]
    pub fn text(mut self, text: &str) -> Self {
        self.text.push_str(text);
        self
    }

    /// Appends text of mutant `id`.
    #[must_use]
    pub fn mutant(mut self, id: usize, text: &str) -> Self {
        let start = self.text.len();
        self.text.push_str(text);
        self.mutants.push((id, start..self.text.len()));
        self
    }
}

/// Order of the edits at the same byte: first the ends, from the innermost; then the beginnings,
/// from the outermost; then replacements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    Ends(Reverse<usize>),
    Begins(usize),
    Replaces,
}

#[derive(Clone, Debug)]
struct Edit {
    at: usize,
    order: Order,
    /// Number of bytes of the original that are replaced.
    replaced: usize,
    piece: Piece,
    site: usize,
}

#[derive(Clone, Debug, Default)]
pub struct Edits {
    edits: Vec<Edit>,
    /// Start of each site in the original text.
    sites: Vec<usize>,
}

impl Edits {
    /// Adds a place with mutants; nested places must be added after those around them.
    pub fn site(&mut self, original: usize) -> usize {
        self.sites.push(original);
        self.sites.len() - 1
    }

    /// Inserts `piece` before the code that begins at `at`.
    pub fn open(&mut self, site: usize, at: usize, piece: Piece) {
        self.edits.push(Edit { at, order: Order::Begins(site), replaced: 0, piece, site });
    }

    /// Inserts `piece` after the code that ends at `at`.
    pub fn close(&mut self, site: usize, at: usize, piece: Piece) {
        self.edits.push(Edit { at, order: Order::Ends(Reverse(site)), replaced: 0, piece, site });
    }

    /// Replaces `range` by `piece`.
    pub fn replace(&mut self, site: usize, range: Range<usize>, piece: Piece) {
        let (at, replaced) = (range.start, range.len());
        self.edits.push(Edit { at, order: Order::Replaces, replaced, piece, site });
    }

    /// Returns the edited text.
    pub fn apply(mut self, original: &str) -> Rewritten {
        self.edits.sort_by_key(|edit| (edit.at, edit.order));
        let mut text = String::new();
        let mut sites: Vec<Option<Site>> = vec![None; self.sites.len()];
        let mut copied = 0;
        for Edit { at, replaced, piece, site, .. } in self.edits {
            text.push_str(&original[copied..at]);
            copied = at + replaced;
            let start = text.len();
            text.push_str(&piece.text);
            let whole = sites[site].get_or_insert_with(|| Site {
                original: self.sites[site],
                range: start..start,
                mutants: Vec::new(),
            });
            whole.range.end = text.len();
            let moved =
                |(id, range): (usize, Range<usize>)| (id, start + range.start..start + range.end);
            whole.mutants.extend(piece.mutants.into_iter().map(moved));
        }
        text.push_str(&original[copied..]);
        Rewritten { text, sites: sites.into_iter().flatten().collect() }
    }
}
