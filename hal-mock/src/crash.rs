//! Crashes of the firmware, with the place in its source as far as that is known.

use std::fmt;

/// A line of the firmware's source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourcePlace {
    /// File, as the compiler has written it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1; `None` if it is not known.
    pub column: Option<u32>,
}

impl SourcePlace {
    /// Parses `FILE:LINE: message`, as firmware prints a panic; `None` if the text has another form.
    pub fn of_message(text: &str) -> Option<Self> {
        let (place, _) = text.split_once(": ")?;
        let (file, line) = place.rsplit_once(':')?;
        let number = line.parse().ok().filter(|line| *line > 0)?;
        match file.rsplit_once(':').map(|(file, line)| (file, line.parse())) {
            Some((file, Ok(line))) if line > 0 && !file.is_empty() => {
                Some(Self { file: file.to_owned(), line, column: Some(number) })
            }
            _ if file.is_empty() => None,
            _ => Some(Self { file: file.to_owned(), line: number, column: None }),
        }
    }
}

/// Writes `FILE:LINE`, and `:COLUMN` if that is known.
impl fmt::Display for SourcePlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.file, self.line)?;
        self.column.map_or(Ok(()), |column| write!(out, ":{column}"))
    }
}

/// Kind of a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrashKind {
    /// The firmware has noticed it itself.
    Panic,
    /// The chip has ended the program: a HardFault or a lockup.
    Fault,
}

/// A crash of the firmware, as the cause of a [`MachineError`](crate::MachineError).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Crash {
    pub kind: CrashKind,
    /// A sentence without a full stop; a fault's has its calls on further lines.
    pub message: String,
    pub place: Option<SourcePlace>,
    /// Calls that led to it, innermost first, if the message does not have them.
    pub calls: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_printed_panic_is_read() {
        let of = |text| SourcePlace::of_message(text).map(|place| place.to_string());
        assert_eq!(of("scene.rs:7: index out of bounds: 5"), Some("scene.rs:7".into()));
        assert_eq!(of("src/a.rs:7:12: x"), Some("src/a.rs:7:12".into()));
        for text in
            ["hard fault at 0x30000000, called from 1", "a: b", ":7: x", "a:0: x", "", "a:b: c"]
        {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
