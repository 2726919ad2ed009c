//! The examples of a file.

use super::error::{Found, Problem, TableError};
use super::node::{Fields, Node};
use super::rules;
use super::value::{self, parts};
use crate::example::{Example, Step};
use crate::table::Table;

pub(super) const KEYS: &[&str] = &["name", "from", "sends", "registers", "pixels", "rules"];

/// Maximum number of examples, and of steps of one.
const EXAMPLES_MAX: usize = 256;
const STEPS_MAX: usize = 1024;
/// Maximum number of bytes of a step: a memory of the largest size in 18 bits.
const BYTES_MAX: usize = 3 * 512 * 512;
const FROM: &[(&str, bool)] = &[("ready", true), ("power-on", false)];

pub(super) fn read(file: &Fields<'_>, table: &Table) -> Result<Vec<Example>, TableError> {
    let Some(list) = file.optional("example") else { return Ok(Vec::new()) };
    let nodes = list.list()?;
    if let Some(node) = nodes.get(EXAMPLES_MAX) {
        let (value, most) = (nodes.len() as i128, EXAMPLES_MAX as i128);
        let key = "example (number)".to_owned();
        return Err(node.error(Problem::Range { key, value, least: 0, most }));
    }
    nodes.iter().map(|node| example(node, table)).collect()
}

fn example(node: &Node<'_>, table: &Table) -> Result<Example, TableError> {
    let part = node.fields(KEYS)?;
    let is_ready = part.optional("from").map_or(Ok(true), |node| node.word(FROM))?;
    let list = |key| part.optional(key).map_or(Ok(Vec::new()), |node| node.list());
    let registers = list("registers")?;
    let registers = registers.iter().map(|node| register(node, table)).collect::<Result<_, _>>()?;
    let pixels = list("pixels")?.iter().map(pixel).collect::<Result<_, _>>()?;
    let rule = |node: &Node<'_>| {
        let name = node.text()?;
        rules::named(node, name).map_err(|problem| node.error(problem))
    };
    let rules = list("rules")?.iter().map(rule).collect::<Result<_, _>>()?;
    Ok(Example {
        name: part.required("name")?.text()?.to_owned(),
        place: node.place(),
        is_ready,
        steps: steps(&part.required("sends")?)?,
        registers,
        pixels,
        rules,
    })
}

/// Parses `36 28; wait 5 ms; 2C F8 00*3; data FF; reset 10 us`.
fn steps(node: &Node<'_>) -> Result<Vec<Step>, TableError> {
    let mut steps = Vec::new();
    for (offset, part) in parts(node.text()?, ';') {
        if steps.len() == STEPS_MAX {
            let (value, most) = (STEPS_MAX as i128 + 1, STEPS_MAX as i128);
            let key = "sends (number of steps)".to_owned();
            return Err(node.error_in(offset, Problem::Range { key, value, least: 0, most }));
        }
        let (word, rest) = part.split_once(' ').unwrap_or((part, ""));
        let after = offset + part.len() - rest.len();
        steps.push(match word {
            "wait" => Step::Wait(value::time(node, after, rest)?),
            "reset" => Step::Reset(value::time(node, after, rest)?),
            "data" => Step::Data(value::bytes(node, after, rest, BYTES_MAX)?),
            _ => {
                let code = value::byte(node, offset, word)?;
                Step::Send(code, value::bytes(node, after, rest, BYTES_MAX)?)
            }
        });
    }
    Ok(steps)
}

/// Parses `MADCTL: 28`.
fn register(node: &Node<'_>, table: &Table) -> Result<(String, Vec<u8>), TableError> {
    let text = node.text()?;
    let expected = "a register and its bytes, such as \"MADCTL: 28\"";
    let (name, bytes) = text.split_once(':').ok_or_else(|| {
        node.error(Problem::Text { text: text.chars().take(40).collect(), expected })
    })?;
    if !table.commands.iter().any(|command| command.name == name) {
        let known = table.commands.iter().map(|command| command.name.to_string()).collect();
        let found = Found { word: name.to_owned(), known };
        return Err(node.error(Problem::NoCommandName { found }));
    }
    Ok((name.to_owned(), value::bytes(node, name.len() + 1, bytes, 128)?))
}

/// Parses `0,239 #FF0000`.
fn pixel(node: &Node<'_>) -> Result<(u16, u16, u32), TableError> {
    let text = node.text()?;
    let parsed = || {
        let (place, colour) = text.split_once(" #")?;
        let (x, y) = place.split_once(',')?;
        let colour = u32::from_str_radix(colour, 16).ok().filter(|_| colour.len() == 6)?;
        Some((x.parse().ok()?, y.parse().ok()?, colour))
    };
    parsed().ok_or_else(|| {
        let expected = "a pixel of the visible panel, such as \"0,239 #FF0000\"";
        node.error(Problem::Text { text: text.chars().take(40).collect(), expected })
    })
}
