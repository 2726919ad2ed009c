//! Describes the contents of a flash in lines of text.
//!
//! The virtual board knows no firmware; the caller that builds a board for one supplies the
//! function.

/// Describes the 256 KiB of a flash: one line per file, record and so on. The function accepts any
/// bytes and reports damage in its text.
#[derive(Clone, Copy, Debug)]
pub struct FlashReader(pub fn(&[u8]) -> Vec<String>);

impl FlashReader {
    /// Returns the lines that are not blank, with single spaces between words.
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

/// Returns `text` with any white space between words replaced by one space, and none around it.
pub(crate) fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}
