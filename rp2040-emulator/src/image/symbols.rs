//! Names of functions by address, for reports.

use std::fmt::Display;
use std::ops::Range;

/// The functions of a program, by their addresses.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// Address, size and name, sorted by address.
    functions: Vec<(u32, u32, String)>,
}

impl Symbols {
    /// Creates symbols from functions by address, size in bytes (0 if unknown) and name as the
    /// linker has it. The Thumb bit of an address is ignored.
    pub fn new<'a>(functions: impl IntoIterator<Item = (u32, u32, &'a str)>) -> Self {
        let mut functions: Vec<_> = functions
            .into_iter()
            // Mapping symbols mark code and data; they name no function.
            .filter(|(_, _, name)| !name.is_empty() && !name.starts_with('$'))
            .map(|(address, size, name)| {
                (address & !1, size, format!("{:#}", rustc_demangle::demangle(name)))
            })
            .collect();
        functions.sort();
        Self { functions }
    }

    /// Returns the function that contains `address`, and the offset in it.
    pub fn find(&self, address: u32) -> Option<(&str, u32)> {
        let behind = self.functions.partition_point(|(first, _, _)| *first <= address);
        let (first, size, name) = self.functions.get(behind.checked_sub(1)?)?;
        let offset = address - first;
        (*size == 0 || offset < *size).then_some((name, offset))
    }

    /// Returns the addresses of the function that contains `address`: from its first to the one
    /// after its last, or to the next function if its size is unknown.
    pub fn range(&self, address: u32) -> Option<Range<u32>> {
        let behind = self.functions.partition_point(|(first, _, _)| *first <= address);
        let (first, size, _) = self.functions.get(behind.checked_sub(1)?)?;
        let next = self.functions.get(behind).map_or(u32::MAX, |(next, _, _)| *next);
        let end = if *size == 0 { next } else { first.saturating_add(*size) };
        // Another function may begin within this one; its addresses belong to it.
        (address < end).then_some(*first..end.min(next))
    }

    /// Returns the addresses of all functions, as [`range`](Self::range) does for each.
    pub fn ranges(&self) -> impl Iterator<Item = Range<u32>> {
        self.functions.iter().filter_map(|(first, ..)| self.range(*first))
    }

    /// Returns the address of the function with this name.
    pub fn address(&self, name: &str) -> Option<u32> {
        self.functions.iter().find(|(_, _, known)| known == name).map(|(address, _, _)| *address)
    }

    /// Returns the names of all functions by address, demangled.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.functions.iter().map(|(_, _, name)| name.as_str())
    }

    /// Returns `address` in the format of reports: `0x10000234 main+0x12`.
    pub fn describe(&self, address: u32) -> impl Display + use<> {
        match self.find(address) {
            Some((name, 0)) => format!("0x{address:08x} {name}"),
            Some((name, offset)) => format!("0x{address:08x} {name}+0x{offset:x}"),
            None => format!("0x{address:08x}"),
        }
    }
}
