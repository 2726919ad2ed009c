//! The list of what was mended in a dump, as one sentence.

use core::fmt;

/// A departure of a dump from IEEE 1364 that concerns no wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oddity {
    VariableType,
    ScopeType,
    Section,
    StrayEnd,
    EndInText,
    Encoding,
    /// A value that is none of Verilog's.
    Value,
    NoLineEnd,
    /// A change of an id that no variable has.
    UnknownId,
    /// Two variables of one id whose widths differ.
    TwoWidths,
    /// More scopes end than begin.
    UpscopeWithoutScope,
}

impl Oddity {
    const fn text(self) -> &'static str {
        match self {
            Self::VariableType => "an unknown type of variable, read as a wire",
            Self::ScopeType => "an unknown type of scope, read as a module",
            Self::Section => "an unknown section, left out",
            Self::StrayEnd => "an $end without a beginning, left out",
            Self::EndInText => "an $end within a word of a text, left out",
            Self::Encoding => "bytes that are not UTF-8, read as Latin-1",
            Self::Value => "a value that is none of Verilog's, read as x, 0 or 1",
            Self::NoLineEnd => "no line end; the file may have been cut off",
            Self::UnknownId => "a change of an id that is not declared, left out",
            Self::TwoWidths => "an id of two variables of different widths",
            Self::UpscopeWithoutScope => "an $upscope without a scope, left out",
        }
    }
}

/// The oddities of a file: the first one and the number of all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Oddities {
    first: Option<(u64, Oddity)>,
    count: u64,
}

impl Oddities {
    /// Counts an oddity in a line from 1.
    pub fn add(&mut self, line: u64, oddity: Oddity) {
        self.first = match self.first {
            Some((first, _)) if first <= line => self.first,
            _ => Some((line, oddity)),
        };
        self.count += 1;
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the oddities of both.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let mut all = self.clone();
        if let Some((line, oddity)) = other.first {
            all.add(line, oddity);
            all.count += other.count - 1;
        }
        all
    }
}

/// Writes `line 2 has an unknown section, left out; 3 more oddities are in other places`.
impl fmt::Display for Oddities {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((line, oddity)) = self.first else { return Ok(()) };
        write!(out, "line {line} has {}", oddity.text())?;
        match self.count - 1 {
            0 => Ok(()),
            1 => write!(out, "; 1 more oddity is in other places"),
            more => write!(out, "; {more} more oddities are in other places"),
        }
    }
}
