//! The `position` lines of the console (docs/console.md).

/// A `position` line: the stones of every place, and the move that led to them.
pub(super) struct Position<'a> {
    pub(super) stones: Vec<u32>,
    pub(super) how: &'a str,
    /// Message as the LCD will show it.
    pub(super) message: &'a str,
}

impl<'a> Position<'a> {
    /// Parses a `position` line. Returns `None` for another line, and for one that a power cut has
    /// truncated.
    pub(super) fn of(line: &'a str) -> Option<Self> {
        let line = line.strip_prefix("position ")?;
        let value = |key: &str| line.split(' ').find_map(|word| word.strip_prefix(key));
        let (_, message) = line.split_once("message=\"")?;
        let stones = value("board=")?.split(',').map(|count| count.parse().ok());
        let stones: Vec<u32> = stones.collect::<Option<_>>()?;
        let (message, rest) = message.split_once('"')?;
        // After a truncated line, the first words of the next power-on follow on the same line.
        let whole = stones.len() == 14 && !line.contains("boot nudge=") && !rest.contains('"');
        whole.then_some(Self { stones, how: value("move=")?, message })
    }

    /// Returns the number of stones on the whole board.
    pub(super) fn total(&self) -> u32 {
        self.stones.iter().fold(0, |sum, stones| sum.saturating_add(*stones))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_a_power_cut_has_truncated_is_ignored() {
        for text in
            ["position board=4,4,boot nudge=0.1.0 game=board", "position board=4,4,4 turn=0", ""]
        {
            assert!(Position::of(text).is_none(), "{text}");
        }
    }
}
