//! The meaning of console lines.

/// The words for what a firmware reports on its console.
pub trait ConsoleWords {
    /// Returns the converter of console lines into comments, in the state before power-on.
    fn comments(&self) -> Box<dyn ConsoleComments>;
}

/// Converts console lines into comments of a trace. The lines come in order.
pub trait ConsoleComments {
    /// Returns the comment for `line`; `None` if it needs none.
    fn comment(&mut self, line: &str) -> Option<String>;

    /// Returns the message on the LCD that `line` reports; `None` if it reports none.
    fn message<'a>(&self, line: &'a str) -> Option<&'a str>;
}
