//! Insertions and replacements in a text, nested as the expressions that they surround.

use std::cmp::Reverse;
use std::ops::Range;

/// A place with mutants in the rewritten text.
#[derive(Clone, Debug)]
pub struct Site {
    /// Where it begins in the original: with the file, the key of its form.
    pub original: usize,
    /// All of it, in the rewritten text.
    pub range: Range<usize>,
    /// The text of each mutant alone.
    pub mutants: Vec<(usize, Range<usize>)>,
}

/// A rewritten file.
#[derive(Clone, Debug)]
pub struct Rewritten {
    /// Its text.
    pub text: String,
    /// Its places.
    pub sites: Vec<Site>,
}

/// A piece of new text: some of it may be a mutant's own.
#[derive(Clone, Debug, Default)]
pub struct Piece {
    text: String,
    mutants: Vec<(usize, Range<usize>)>,
}

impl Piece {
    /// Text of no mutant.
    #[must_use]
    pub fn text(mut self, text: &str) -> Self {
        self.text.push_str(text);
        self
    }

    /// Text of mutant `id`.
    #[must_use]
    pub fn mutant(mut self, id: usize, text: &str) -> Self {
        let start = self.text.len();
        self.text.push_str(text);
        self.mutants.push((id, start..self.text.len()));
        self
    }
}

/// Where an edit stands among those at the same byte: what ends there comes first, from the
/// innermost on; then what begins there, from the outermost on; then what replaces text.
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
    /// How many bytes of the original it replaces.
    replaced: usize,
    piece: Piece,
    site: usize,
}

/// The edits of a file.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    edits: Vec<Edit>,
    /// Where each site begins in the original.
    sites: Vec<usize>,
}

impl Edits {
    /// A new place with mutants; nested places come after those around them.
    pub fn site(&mut self, original: usize) -> usize {
        self.sites.push(original);
        self.sites.len() - 1
    }

    /// Puts `piece` in front of what begins at `at`.
    pub fn open(&mut self, site: usize, at: usize, piece: Piece) {
        self.edits.push(Edit { at, order: Order::Begins(site), replaced: 0, piece, site });
    }

    /// Puts `piece` behind what ends at `at`.
    pub fn close(&mut self, site: usize, at: usize, piece: Piece) {
        self.edits.push(Edit { at, order: Order::Ends(Reverse(site)), replaced: 0, piece, site });
    }

    /// Puts `piece` in the place of `range`.
    pub fn replace(&mut self, site: usize, range: Range<usize>, piece: Piece) {
        let (at, replaced) = (range.start, range.len());
        self.edits.push(Edit { at, order: Order::Replaces, replaced, piece, site });
    }

    /// The edited text.
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
