//! The reader of a board's own fonts.

use std::sync::Arc;

use reading::text::Reader;

/// The reader of a board's own fonts. Two are equal if they are the same reader.
#[derive(Clone, Debug)]
pub struct TextReader(pub Arc<Reader>);

impl PartialEq for TextReader {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for TextReader {}
