//! Checks that concern several parts of a file.

use super::error::{Problem, TableError};
use super::node::Fields;
use crate::effect::Effect;
use crate::family::Family;
use crate::table::{Follows, Table};

/// Effects that a model cannot do without.
const DCS: &[Effect] = &[
    Effect::Columns,
    Effect::Pages,
    Effect::WriteMemory,
    Effect::SleepOut,
    Effect::DisplayOn,
    Effect::MemoryAccess,
    Effect::PixelFormat,
];
const PAGES: &[Effect] =
    &[Effect::PageStart, Effect::ColumnLow, Effect::ColumnHigh, Effect::DisplayOn];

pub(super) fn check(file: &Fields<'_>, table: &Table) -> Result<(), TableError> {
    let needed = if table.family == Family::Dcs { DCS } else { PAGES };
    for effect in needed {
        if !table.commands.iter().any(|command| command.effect == *effect) {
            let effect = effect.word();
            let node = file.required("commands")?;
            return Err(node.key_error(Problem::NoEffect { effect }));
        }
    }
    check_sequence(file, table)
}

/// Checks that the power sequence consists of whole commands.
fn check_sequence(file: &Fields<'_>, table: &Table) -> Result<(), TableError> {
    let power = file.required("power")?.open_fields()?;
    let nodes = power.required("sequence")?.list()?;
    for (node, bytes) in nodes.iter().zip(table.power.sequence.iter()) {
        let Some((code, arguments)) = bytes.split_first() else { continue };
        let Some(command) = table.command(*code) else {
            return Err(node.error(Problem::NoCommand { code: *code }));
        };
        if let Follows::Arguments(least, most) = command.follows
            && !(usize::from(least)..=usize::from(most)).contains(&arguments.len())
        {
            let (command, found) = (command.name.to_string(), arguments.len());
            return Err(node.error(Problem::Arguments { command, found, least, most }));
        }
    }
    Ok(())
}
