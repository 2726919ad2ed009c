//! Values that a file has as strings: bytes, times, ranges, fields. The module knows no key.

use virtual_time::Nanos;

use super::error::{Problem, TableError};
use super::node::Node;
use crate::table::{Place, Values};

/// Maximum time in a table, in nanoseconds: ten seconds.
const TIME_MAX: u64 = 10_000_000_000;

/// Returns the words of a text that are separated by `separator`, with their offsets.
pub(super) fn parts(text: &str, separator: char) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split(separator).filter_map(move |part| {
        let offset = start + part.len() - part.trim_start().len();
        start += part.len() + separator.len_utf8();
        let part = part.trim();
        (!part.is_empty()).then_some((offset, part))
    })
}

fn wrong(node: &Node<'_>, offset: usize, text: &str, expected: &'static str) -> TableError {
    let text = text.chars().take(40).collect();
    node.error_in(offset, Problem::Text { text, expected })
}

/// Parses two hexadecimal digits.
pub(super) fn byte(node: &Node<'_>, offset: usize, text: &str) -> Result<u8, TableError> {
    hex(text).ok_or_else(|| wrong(node, offset, text, "a byte of two hexadecimal digits"))
}

pub(super) fn hex(text: &str) -> Option<u8> {
    let digits = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    u8::from_str_radix(text, 16).ok().filter(|_| digits)
}

/// Parses `00 1B`, and `F8*240` as 240 equal bytes; at most `most` bytes.
pub(super) fn bytes(
    node: &Node<'_>,
    offset: usize,
    text: &str,
    most: usize,
) -> Result<Vec<u8>, TableError> {
    let mut all = Vec::new();
    for (at, word) in parts(text, ' ') {
        let at = offset + at;
        let (digits, count) = word.split_once('*').unwrap_or((word, "1"));
        let value = byte(node, at, digits)?;
        let count = count
            .parse::<usize>()
            .map_err(|_| wrong(node, at, word, "a byte and the number of its repetitions"))?;
        if count > most - all.len() {
            return Err(wrong(node, at, word, "short enough: there are too many bytes"));
        }
        all.resize(all.len() + count, value);
    }
    Ok(all)
}

/// Parses `5 ms`, `10 us` or `100 ns`.
pub(super) fn time(node: &Node<'_>, offset: usize, text: &str) -> Result<Nanos, TableError> {
    let expected = "a time of at most 10 s with its unit, such as \"5 ms\" (ns, us, ms or s)";
    let error = || wrong(node, offset, text, expected);
    let (number, unit) = text.split_once(' ').ok_or_else(error)?;
    let scale = match unit.trim() {
        "ns" => 1,
        "us" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        _ => return Err(error()),
    };
    let nanos = number.parse::<u64>().ok().and_then(|number| number.checked_mul(scale));
    nanos.filter(|nanos| *nanos <= TIME_MAX).map(Nanos).ok_or_else(error)
}

/// Parses the fields of a register: `MY 0.7, PTG 0.3-2, DBV 0, SC 0-1` are bit 7, bits 3 to 2 and
/// all bits of the first argument, and the first two arguments.
pub(super) fn fields(node: &Node<'_>) -> Result<Vec<Place>, TableError> {
    let text = node.text()?;
    let field = |(offset, part): (usize, &str)| {
        field(part).ok_or_else(|| {
            wrong(
                node,
                offset,
                part,
                "a field: `NAME byte`, `NAME byte.bit`, `NAME byte.high-low` or `NAME byte-byte`",
            )
        })
    };
    parts(text, ',').map(field).collect()
}

fn field(part: &str) -> Option<Place> {
    let (name, place) = part.rsplit_once(' ')?;
    let name = name.trim().to_owned().into();
    let small = |text: &str, most: u8| text.parse::<u8>().ok().filter(|number| *number <= most);
    if let Some((byte, bits)) = place.split_once('.') {
        let (high, low) = bits.split_once('-').unwrap_or((bits, bits));
        let (high, low) = (small(high, 7)?, small(low, 7)?);
        let bits = high.checked_sub(low)? + 1;
        return Some(Place { name, byte: small(byte, 127)?, bytes: 1, low, bits });
    }
    if let Some((first, last)) = place.split_once('-') {
        let first = small(first, 126)?;
        let is_word = small(last, 127)? == first + 1;
        return is_word.then_some(Place { name, byte: first, bytes: 2, low: 0, bits: 16 });
    }
    Some(Place { name, byte: small(place, 127)?, bytes: 1, low: 0, bits: 8 })
}

/// Parses permitted values: `0: 0F-3F, 1: 02` are a range of the first and a value of the second
/// argument.
pub(super) fn values(node: &Node<'_>) -> Result<Vec<Values>, TableError> {
    let value = |(offset, part): (usize, &str)| {
        let parsed = || {
            let (argument, range) = part.split_once(':')?;
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let (first, last) = (hex(first.trim())?, hex(last.trim())?);
            let argument = argument.trim().parse().ok().filter(|argument| *argument < 16)?;
            (first <= last).then_some(Values { argument, first, last })
        };
        parsed().ok_or_else(|| wrong(node, offset, part, "`argument: first-last` in hexadecimal"))
    };
    parts(node.text()?, ',').map(value).collect()
}
