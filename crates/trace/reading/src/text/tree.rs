//! The glyphs of a font as a tree: a path from its root follows one row of ink after the other, and
//! ends at a character.
//!
//! The module knows no position, no frame and no colour.

use core::ops::Range;

/// Start of every path.
pub(super) const ROOT: usize = 0;

/// A tree in which glyphs that begin with the same rows share the start of their path.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Ink of a row (bit 0 is the leftmost column) and the node that it leads to. Children of one
    /// node are adjacent, followed by the children of the node that the first of them leads to.
    children: Vec<(u64, usize)>,
}

#[derive(Clone, Debug)]
struct Node {
    children: Range<u32>,
    /// The character, if the node is reached by a last row.
    character: Option<char>,
}

impl Tree {
    /// Builds the tree of `glyphs`: all have the same number of rows, and no two are the same.
    pub(super) fn of(mut glyphs: Vec<(&[u64], char)>) -> Self {
        glyphs.sort_unstable();
        let mut this = Self { nodes: Vec::new(), children: Vec::new() };
        this.grow(&glyphs, 0);
        this
    }

    /// Adds the node of `glyphs`, which have the same ink in the first `rows` rows, and all nodes
    /// below it.
    fn grow(&mut self, glyphs: &[(&[u64], char)], rows: usize) -> usize {
        let node = self.nodes.len();
        let ink = |glyph: &(&[u64], char)| glyph.0.get(rows).copied();
        let begin = self.children.len();
        let groups = || glyphs.chunk_by(|one, next| ink(one) == ink(next));
        self.children.extend(groups().filter_map(|group| Some((ink(&group[0])?, ROOT))));
        let children = begin..self.children.len();
        let character = glyphs.first().filter(|_| children.is_empty()).map(|glyph| glyph.1);
        let range = children.start as u32..children.end as u32;
        self.nodes.push(Node { children: range, character });
        for (child, group) in children.zip(groups()) {
            self.children[child].1 = self.grow(group, rows + 1);
        }
        node
    }

    /// Returns the possible next rows of ink, and the nodes that they lead to.
    #[inline]
    pub(super) fn children(&self, node: usize) -> &[(u64, usize)] {
        let Range { start, end } = self.nodes[node].children;
        &self.children[start as usize..end as usize]
    }

    /// Returns the node that a row of this ink leads to.
    #[inline]
    pub(super) fn child(&self, node: usize, ink: u64) -> Option<usize> {
        self.children(node).iter().find(|child| child.0 == ink).map(|child| child.1)
    }

    /// Returns the character whose path ends here.
    pub(super) fn character(&self, node: usize) -> Option<char> {
        self.nodes[node].character
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn each_glyph_and_no_other_is_at_the_end_of_its_path(
            glyphs in proptest::collection::btree_set(proptest::collection::vec(0..3_u64, 4), 0..40),
        ) {
            let letters: Vec<(&[u64], char)> =
                glyphs.iter().rev().map(Vec::as_slice).zip('A'..).collect();
            let tree = Tree::of(letters.clone());
            for way in (0..81).map(|nth| [nth / 27, nth / 9 % 3, nth / 3 % 3, nth % 3]) {
                let end = way.iter().try_fold(ROOT, |node, ink| tree.child(node, *ink));
                let found = end.and_then(|end| tree.character(end));
                let expected = letters.iter().find(|(rows, _)| *rows == way).map(|(_, letter)| *letter);
                prop_assert_eq!(found, expected);
            }
        }
    }
}
