//! Describes what a flash holds, in lines of text.
//!
//! The virtual board knows no firmware; who builds a board for one hands in how its flash is read.

/// Describes the 256 KiB of a flash: a line a file, a record, and so on. Any bytes have a
/// description; what is damaged is called so.
#[derive(Clone, Copy, Debug)]
pub struct FlashReader(pub fn(&[u8]) -> Vec<String>);

impl FlashReader {
    /// The lines, with single blanks and without those that are blank.
    pub(crate) fn lines(self, image: &[u8]) -> Vec<String> {
        let lines = (self.0)(image).into_iter().map(|line| collapsed(&line));
        lines.filter(|line| !line.is_empty()).collect()
    }
}

impl PartialEq for FlashReader {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::fn_addr_eq(self.0, other.0)
    }
}

impl Eq for FlashReader {}

/// `text` with one blank in place of any white space between words, and none around it.
pub(crate) fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}
