//! The commands of a file, by their codes.

use super::error::{Found, Problem, TableError};
use super::node::{Fields, Node};
use super::value;
use crate::effect::{Answer, Effect, Status};
use crate::family::Family;
use crate::table::{Command, Follows, Table};

pub(super) const KEYS: &[&str] =
    &["name", "section", "arguments", "does", "reset", "retained", "fields", "answer", "values"];

/// Maximum number of arguments of a command.
const ARGUMENTS_MAX: u8 = 128;
/// Maximum number of arguments of a register that has a value after reset.
const RESET_MAX: usize = 16;
/// Maximum number of bytes of an answer.
pub(super) const ANSWER_MAX: usize = 8;

pub(super) fn read(file: &Fields<'_>, table: &mut Table) -> Result<(), TableError> {
    let nodes = file.required("commands")?.open_fields()?.all();
    let mut commands = Vec::with_capacity(nodes.len());
    for node in &nodes {
        commands.push(command(node, table.family)?);
    }
    commands.sort_by_key(|command| command.code);
    for (index, command) in (0..).zip(&commands) {
        for code in command.code..=command.last {
            let place = &mut table.by_code[usize::from(code)];
            if *place != crate::table::NO_COMMAND {
                let again = nodes.iter().rev().find(|node| {
                    codes(&node.key).is_some_and(|(first, last)| (first..=last).contains(&code))
                });
                let error = Problem::SameCode { code };
                return Err(again.map_or_else(
                    || file.error(error.clone()),
                    |node| node.key_error(error.clone()),
                ));
            }
            *place = index;
        }
    }
    table.commands = commands.into();
    Ok(())
}

/// Parses `2A`, or `40-7F`.
fn codes(key: &str) -> Option<(u8, u8)> {
    let (first, last) = key.split_once('-').unwrap_or((key, key));
    let (first, last) = (value::hex(first)?, value::hex(last)?);
    (first <= last).then_some((first, last))
}

fn command(node: &Node<'_>, family: Family) -> Result<Command, TableError> {
    let (code, last) = codes(&node.key).ok_or_else(|| {
        let expected = "a code of two hexadecimal digits, such as 2A, or a range such as 40-7F";
        node.key_error(Problem::Text { text: node.key.chars().take(40).collect(), expected })
    })?;
    let part = node.fields(KEYS)?;
    let answer = part.optional("answer").map_or(Ok(Vec::new()), |node| answer(&node))?;
    let effect = match part.optional("does") {
        Some(does) => effect(&does, family)?,
        None if !answer.is_empty() => Effect::Answer,
        None => Effect::Store,
    };
    let (least, most) = part.optional("arguments").map_or(Ok((0, 0)), |node| arguments(&node))?;
    let follows = match effect {
        Effect::WriteMemory | Effect::ContinueWrite => Follows::Pixels,
        Effect::ReadMemory | Effect::ContinueRead => Follows::Memory,
        Effect::Answer => Follows::Register,
        _ => Follows::Arguments(least, most),
    };
    if let (Follows::Arguments(found, _), needed) = (follows, needed(effect))
        && found < needed
    {
        let problem = Problem::EffectArguments { effect: effect.word(), least: needed, found };
        return Err(node.key_error(problem));
    }
    let reset = match part.optional("reset") {
        None => Vec::new(),
        Some(node) => {
            let bytes = value::bytes(&node, 0, node.text()?, RESET_MAX)?;
            if bytes.len() < usize::from(least) || bytes.len() > usize::from(most) {
                let (command, found) = ("reset".to_owned(), bytes.len());
                return Err(node.error(Problem::Arguments { command, found, least, most }));
            }
            bytes
        }
    };
    Ok(Command {
        code,
        last,
        name: part.required("name")?.text()?.to_owned().into(),
        section: part.required("section")?.text()?.to_owned().into(),
        follows,
        effect,
        reset: reset.into(),
        is_retained: part.optional("retained").map_or(Ok(false), |node| node.boolean())?,
        fields: fields(&part, most)?.into(),
        answer: answer.into(),
        values: part.optional("values").map_or(Ok(Vec::new()), |node| value::values(&node))?.into(),
    })
}

fn fields(part: &Fields<'_>, most: u8) -> Result<Vec<crate::table::Place>, TableError> {
    let Some(node) = part.optional("fields") else { return Ok(Vec::new()) };
    let fields = value::fields(&node)?;
    for field in &fields {
        if field.byte + field.bytes > most {
            let value = i128::from(field.byte + field.bytes - 1);
            let key = format!("{} (argument of the field)", field.name);
            let most = i128::from(most) - 1;
            return Err(node.error(Problem::Range { key, value, least: 0, most }));
        }
    }
    Ok(fields)
}

/// Parses `4`, or `"3-4"`.
fn arguments(node: &Node<'_>) -> Result<(u8, u8), TableError> {
    let Ok(text) = node.text() else {
        let count = node.number(0, ARGUMENTS_MAX.into())? as u8;
        return Ok((count, count));
    };
    let number = |text: &str| text.trim().parse().ok().filter(|count| *count <= ARGUMENTS_MAX);
    let range =
        text.split_once('-').and_then(|(least, most)| Some((number(least)?, number(most)?)));
    range.filter(|(least, most)| least <= most).ok_or_else(|| {
        let expected = "a number of arguments, 0 to 128, or a range such as \"3-4\"";
        node.error(Problem::Text { text: text.chars().take(40).collect(), expected })
    })
}

fn effect(node: &Node<'_>, family: Family) -> Result<Effect, TableError> {
    let words: Vec<_> = Effect::ALL.iter().map(|effect| (effect.word(), *effect)).collect();
    let effect = node.word(&words)?;
    match effect.family() {
        Some(other) if other != family => {
            let family = if other == Family::Dcs { "dcs" } else { "pages" };
            Err(node.error(Problem::EffectFamily { effect: effect.word(), family }))
        }
        _ => Ok(effect),
    }
}

/// Returns the number of arguments that an effect needs.
fn needed(effect: Effect) -> u8 {
    use Effect as E;
    match effect {
        E::ScrollArea => 6,
        E::Columns | E::Pages | E::PartialArea => 4,
        E::ScrollStart | E::ScanControl | E::ScanDirections | E::LineClocks | E::Porches => 2,
        E::ColumnRange | E::PageRange => 2,
        E::MemoryAccess | E::PixelFormat | E::Brightness | E::DisplayControl => 1,
        E::AdaptiveBrightness | E::LeastBrightness | E::InterfaceControl | E::ReadIndex => 1,
        E::AddressingMode | E::DisplayOffset | E::Multiplex | E::ChargePump | E::Converter => 1,
        _ => 0,
    }
}

/// Parses the bytes and sources of an answer: `00 80 power-mode`.
fn answer(node: &Node<'_>) -> Result<Vec<Answer>, TableError> {
    let mut answer = Vec::new();
    let mut length = 0;
    for (offset, word) in value::parts(node.text()?, ' ') {
        let status = Status::ALL.iter().find(|status| status.word() == word);
        let part = match (status, value::hex(word)) {
            (Some(status), _) => Answer::Status(*status),
            (_, Some(byte)) => Answer::Byte(byte),
            _ => {
                let known = Status::ALL.iter().map(|status| status.word().to_owned()).collect();
                let found = Found { word: word.to_owned(), known };
                return Err(node.error_in(offset, Problem::Word { key: node.key.clone(), found }));
            }
        };
        length += if part == Answer::Status(Status::Display) { 4 } else { 1 };
        answer.push(part);
    }
    if !(1..=ANSWER_MAX).contains(&length) {
        let (value, most) = (length as i128, ANSWER_MAX as i128);
        return Err(node.error(Problem::Range {
            key: "answer (bytes)".to_owned(),
            value,
            least: 1,
            most,
        }));
    }
    Ok(answer)
}
