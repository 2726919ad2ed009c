//! The tables of `panels/`, compiled by `build.rs`.

use core::fmt;

use crate::rule::Rule;
use crate::table::Table;

mod generated {
    #![allow(clippy::all, reason = "written by build.rs")]
    include!(concat!(env!("OUT_DIR"), "/tables.rs"));
}

pub use generated::ILI9341;

/// Returns the built-in table with this name, in lower case.
pub fn by_name(name: &str) -> Option<&'static Table> {
    generated::TABLES.iter().find(|table| table.name == name).copied()
}

/// Returns the names of the built-in tables, in alphabetical order.
pub fn names() -> impl Iterator<Item = &'static str> {
    generated::TABLES.iter().map(|table| &*table.name)
}

/// Returns the file of the built-in table with this name.
#[cfg(feature = "read")]
pub fn source(name: &str) -> Option<&'static str> {
    let at = generated::TABLES.iter().position(|table| table.name == name)?;
    generated::SOURCES.get(at).copied()
}

/// Without a table a rule has the section and the sentence of the ILI9341; a violation has those of
/// its own controller.
impl Rule {
    /// Returns the section of the ILI9341's datasheet; `-` if it does not have the rule.
    pub fn section(self) -> &'static str {
        ILI9341.rule(self).map_or("-", |text| &text.section)
    }
}

/// Writes the requirement of the ILI9341's datasheet as a sentence.
impl fmt::Display for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(ILI9341.rule(*self).map_or(self.name(), |text| &text.text))
    }
}
