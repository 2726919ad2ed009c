//! The first part of a file: name, memory, module, formats and times.

use virtual_time::Nanos;

use super::error::{Problem, TableError};
use super::node::{Fields, Node};
use super::value;
use crate::family::Family;
use crate::table::{
    Bus, COMMANDS_MAX, Format, Module, Mounting, NO_COMMAND, Power, SIDE_MAX, Scan, Table,
};

pub(super) const KEYS: &[&str] = &[
    "name",
    "title",
    "datasheet",
    "family",
    "buses",
    "memory",
    "module",
    "formats",
    "scan",
    "power",
    "commands",
    "rules",
    "example",
];
pub(super) const MEMORY_KEYS: &[&str] = &["columns", "lines"];
pub(super) const MODULE_KEYS: &[&str] = &[
    "columns",
    "lines",
    "first_column",
    "first_line",
    "mounting",
    "mirror",
    "filter",
    "inverted",
    "bus",
];
pub(super) const SCAN_KEYS: &[&str] = &["clock_hz", "line_clocks", "porches"];
pub(super) const POWER_KEYS: &[&str] = &["spike", "sequence"];

const FAMILIES: &[(&str, Family)] = &[("dcs", Family::Dcs), ("pages", Family::Pages)];
pub(super) const BUSES: &[(&str, Bus)] =
    &[("spi4", Bus::Spi4), ("spi3", Bus::Spi3), ("i2c", Bus::I2c), ("parallel8", Bus::Parallel8)];
const MOUNTINGS: &[(&str, bool)] = &[("portrait", false), ("landscape", true)];
const MIRRORS: &[(&str, (bool, bool))] =
    &[("none", (false, false)), ("x", (true, false)), ("y", (false, true)), ("xy", (true, true))];
const FILTERS: &[(&str, bool)] = &[("rgb", false), ("bgr", true)];
const FORMATS: &[&str] = &["0", "1", "2", "3", "4", "5", "6", "7"];

/// Maximum number of bytes of a command in the power sequence.
const SEQUENCE_BYTES_MAX: usize = 17;

/// Reads all but commands, rules and examples.
pub(super) fn table(file: &Fields<'_>) -> Result<Table, TableError> {
    let name = file.required("name")?;
    let family = file.required("family")?.word(FAMILIES)?;
    let memory = file.required("memory")?.fields(MEMORY_KEYS)?;
    let (columns, lines) = (side(&memory, "columns")?, side(&memory, "lines")?);
    let buses = file.required("buses")?.list()?;
    let buses: Vec<Bus> = buses.iter().map(|bus| bus.word(BUSES)).collect::<Result<_, _>>()?;
    Ok(Table {
        name: identifier(&name)?.to_owned().into(),
        title: file.required("title")?.text()?.to_owned().into(),
        datasheet: file.required("datasheet")?.text()?.to_owned().into(),
        family,
        columns,
        lines,
        module: module(file, (columns, lines), &buses)?,
        buses: buses.into(),
        formats: formats(file, family)?,
        scan: scan(file)?,
        power: power(file)?,
        commands: Vec::new().into(),
        by_code: [NO_COMMAND; COMMANDS_MAX],
        rules: Vec::new().into(),
        rule_bits: 0,
    })
}

fn identifier<'a>(node: &Node<'a>) -> Result<&'a str, TableError> {
    let text = node.text()?;
    let is_letter = |byte: u8| byte.is_ascii_lowercase();
    let fits = text.len() <= 32
        && text.bytes().next().is_some_and(is_letter)
        && text.bytes().all(|byte| is_letter(byte) || byte.is_ascii_digit() || byte == b'_');
    let expected = "a name of at most 32 lower-case letters, digits and _, such as \"st7789\"";
    let problem = || Problem::Text { text: text.chars().take(40).collect(), expected };
    if fits { Ok(text) } else { Err(node.error(problem())) }
}

fn side(part: &Fields<'_>, key: &'static str) -> Result<u16, TableError> {
    part.required(key)?.number(1, SIDE_MAX)
}

fn module(
    file: &Fields<'_>,
    (columns, lines): (u16, u16),
    buses: &[Bus],
) -> Result<Module, TableError> {
    let part = file.required("module")?.fields(MODULE_KEYS)?;
    let or =
        |key, otherwise| part.optional(key).map_or(Ok(otherwise), |node| node.number(0, SIDE_MAX));
    let (first_column, first_line) = (or("first_column", 0)?, or("first_line", 0)?);
    let visible_columns =
        part.optional("columns").map_or(Ok(columns), |node| node.number(1, SIDE_MAX))?;
    let visible_lines =
        part.optional("lines").map_or(Ok(lines), |node| node.number(1, SIDE_MAX))?;
    let axes = [
        ("column", first_column, visible_columns, columns),
        ("line", first_line, visible_lines, lines),
    ];
    for (what, first, count, all) in axes {
        let last = u32::from(first) + u32::from(count) - 1;
        if last >= u32::from(all) {
            return Err(part.error(Problem::OutsideMemory { what, last, most: all - 1 }));
        }
    }
    let (mirrors_x, mirrors_y) =
        part.optional("mirror").map_or(Ok((false, false)), |node| node.word(MIRRORS))?;
    let bus = match part.optional("bus") {
        None => *buses.first().unwrap_or(&Bus::Spi4),
        Some(node) => {
            let bus = node.word(BUSES)?;
            if !buses.contains(&bus) {
                let bus = BUSES.iter().find(|(_, one)| *one == bus).map_or("", |(word, _)| *word);
                return Err(node.error(Problem::NoBus { bus }));
            }
            bus
        }
    };
    Ok(Module {
        columns: visible_columns,
        lines: visible_lines,
        first_column,
        first_line,
        mounting: Mounting {
            is_landscape: part.required("mounting")?.word(MOUNTINGS)?,
            mirrors_x,
            mirrors_y,
        },
        is_bgr: part.optional("filter").map_or(Ok(false), |node| node.word(FILTERS))?,
        is_inverted: part.optional("inverted").map_or(Ok(false), |node| node.boolean())?,
        bus,
    })
}

fn formats(file: &Fields<'_>, family: Family) -> Result<[Option<Format>; 8], TableError> {
    let mut formats = [None; 8];
    if family == Family::Pages {
        return match file.optional("formats") {
            None => Ok(formats),
            Some(node) => Err(node.key_error(Problem::Text {
                text: "formats".to_owned(),
                expected: "a key of family \"pages\", whose pixels have one bit",
            })),
        };
    }
    let part = file.required("formats")?.fields(FORMATS)?;
    for (key, place) in FORMATS.iter().zip(&mut formats) {
        let Some(node) = part.optional(key) else { continue };
        *place = Some(match node.integer(12, 18)? {
            12 => Format::Bits12,
            16 => Format::Bits16,
            18 => Format::Bits18,
            other => {
                let expected = "a number of bits: 12, 16 or 18";
                return Err(node.error(Problem::Text { text: other.to_string(), expected }));
            }
        });
    }
    Ok(formats)
}

fn scan(file: &Fields<'_>) -> Result<Scan, TableError> {
    let part = file.required("scan")?.fields(SCAN_KEYS)?;
    let clock_hz = part.required("clock_hz")?.integer(1_000, 100_000_000)?;
    Ok(Scan {
        clock_hz: u32::try_from(clock_hz).unwrap_or(u32::MAX),
        line_clocks: part.required("line_clocks")?.number(1, 10_000)?,
        porches: part.required("porches")?.number(0, 255)? as u8,
    })
}

fn power(file: &Fields<'_>) -> Result<Power, TableError> {
    let part = file.required("power")?.fields(POWER_KEYS)?;
    let spike = match part.optional("spike") {
        Some(node) => value::time(&node, 0, node.text()?)?,
        None => Nanos(0),
    };
    let sequence = part.required("sequence")?.list()?;
    let command = |node: &Node<'_>| {
        let bytes = value::bytes(node, 0, node.text()?, SEQUENCE_BYTES_MAX)?;
        if bytes.is_empty() {
            let expected = "a command in hexadecimal, such as \"3A 55\"";
            return Err(node.error(Problem::Text { text: String::new(), expected }));
        }
        Ok(bytes.into())
    };
    let sequence: Vec<_> = sequence.iter().map(command).collect::<Result<_, _>>()?;
    Ok(Power { spike, sequence: sequence.into() })
}
