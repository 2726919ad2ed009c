//! `--profile`: the cycles of each function, by its callers.
//!
//! Calls are followed as they happen: BL and BLX push a frame; a jump to the address after them
//! with the stack pointer at least as high pops it; an exception pushes its handler. A branch into
//! another function is a tail call and replaces the caller. A switch between threads looks like
//! such a jump. Cycles during which a core sleeps are not counted.

use std::borrow::Borrow;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use std::ops::Range;

use escape::terminal::plain;
use rp2040_emulator::chip::{Chip, Step, StepEvent};
use rp2040_emulator::cpu::StepOutcome;
use rp2040_emulator::image::Symbols;
use rp2040_emulator::instruction::Instruction;
use rp2040_emulator::memory::FLASH_BASE;

use crate::observer::Observer;

/// Maximum depth of a call stack. Deeper calls count for the deepest recorded caller.
const DEPTH_MAX: usize = 256;
/// Maximum number of rows in the table.
const ROWS: usize = 40;

/// A function as called from one chain of callers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Index of the caller; `None` for a core's own node.
    pub parent: Option<usize>,
    pub name: String,
    /// Number of cycles in the function itself.
    pub cycles: u64,
    /// Number of calls from there.
    pub calls: u64,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    /// Index of the caller.
    node: usize,
    return_address: u32,
    /// Stack pointer at the call.
    stack: u32,
}

#[derive(Clone, Debug)]
struct CallStack {
    frames: Vec<Frame>,
    node: usize,
    /// Addresses of the function of `node`; empty while they are unknown.
    function: Range<u32>,
    called: bool,
    awake: u64,
}

/// Cycles of functions by their callers, of one run or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// A caller always precedes the functions that it calls. The first two nodes are the cores.
    nodes: Vec<Node>,
}

/// Collects cycles by function.
#[derive(Debug)]
pub struct Profiler<S: Borrow<Symbols>> {
    symbols: S,
    profile: Profile,
    /// Known nodes, by caller and first address.
    known: HashMap<(usize, u32), usize>,
    stacks: [CallStack; 2],
}

impl<S: Borrow<Symbols>> Profiler<S> {
    /// Creates a profiler of `chip` from its current state on.
    pub fn new(symbols: S, chip: &Chip) -> Self {
        let stack = |number| CallStack {
            frames: vec![],
            node: number,
            function: 0..0,
            called: false,
            awake: awake(chip, number),
        };
        Self {
            symbols,
            profile: Profile::default(),
            known: HashMap::new(),
            stacks: [stack(0), stack(1)],
        }
    }

    /// Returns the profile collected so far.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Finds or adds the node of the function to which `core` has changed.
    fn find(&mut self, core: usize, pc: u32) {
        let stack = &mut self.stacks[core];
        let parent = stack.frames.last().map_or(core, |frame| frame.node);
        let (function, name) =
            match (self.symbols.borrow().range(pc), self.symbols.borrow().find(pc)) {
                (Some(range), Some((name, _))) => (range, name),
                _ if pc < FLASH_BASE => (0..FLASH_BASE, "(ROM)"),
                _ => (pc..pc.saturating_add(2), "(unknown)"),
            };
        let key = if name == "(unknown)" { u32::MAX } else { function.start };
        let nodes = &mut self.profile.nodes;
        let node = *self.known.entry((parent, key)).or_insert_with(|| {
            nodes.push(Node { parent: Some(parent), name: name.to_owned(), cycles: 0, calls: 0 });
            nodes.len() - 1
        });
        if std::mem::take(&mut stack.called) {
            nodes[node].calls += 1;
        }
        (stack.node, stack.function) = (node, function);
    }
}

/// Returns the profile of a program that has not run.
impl Default for Profile {
    fn default() -> Self {
        let node = |name: &str| Node { parent: None, name: name.into(), cycles: 0, calls: 0 };
        Self { nodes: vec![node("core 0"), node("core 1")] }
    }
}

impl Profile {
    /// Adds the cycles and calls of another run.
    pub fn add(&mut self, other: &Self) {
        let mut known: HashMap<(usize, String), usize> = HashMap::new();
        for (number, node) in self.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                known.insert((parent, node.name.clone()), number);
            }
        }
        // The number in this profile of each node of the other one.
        let mut here: Vec<usize> = Vec::with_capacity(other.nodes.len());
        for (number, node) in other.nodes.iter().enumerate() {
            let own = match node.parent.and_then(|parent| here.get(parent).copied()) {
                None => number.min(1),
                Some(parent) => {
                    let nodes = &mut self.nodes;
                    *known.entry((parent, node.name.clone())).or_insert_with(|| {
                        let (name, parent) = (node.name.clone(), Some(parent));
                        nodes.push(Node { parent, name, cycles: 0, calls: 0 });
                        nodes.len() - 1
                    })
                }
            };
            self.nodes[own].cycles += node.cycles;
            self.nodes[own].calls += node.calls;
            here.push(own);
        }
    }

    /// Returns every function with its callers.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns the cycles of each node including all functions that it called.
    pub fn inclusive(&self) -> Vec<u64> {
        let mut cycles: Vec<u64> = self.nodes.iter().map(|node| node.cycles).collect();
        for (number, node) in self.nodes.iter().enumerate().rev() {
            if let Some(parent) = node.parent {
                cycles[parent] += cycles[number];
            }
        }
        cycles
    }

    /// Writes the functions with the most cycles, as a table.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write_table(&self, out: &mut dyn Write) -> io::Result<()> {
        let inclusive = self.inclusive();
        let mut rows: BTreeMap<&str, [u64; 3]> = BTreeMap::new();
        for (number, node) in self.nodes.iter().enumerate().skip(2) {
            let row = rows.entry(&node.name).or_default();
            row[0] += node.cycles;
            // A recursive call is already included in the cycles of the outer one.
            if !self.callers(number).any(|caller| self.nodes[caller].name == node.name) {
                row[1] += inclusive[number];
            }
            row[2] += node.calls;
        }
        let all = (inclusive[0] + inclusive[1]).max(1);
        let mut rows: Vec<_> = rows.into_iter().collect();
        rows.sort_by_key(|(_, [own, with, _])| std::cmp::Reverse((*own, *with)));
        writeln!(
            out,
            "{:>14} {:>6}  {:>14} {:>6}  {:>10}  function",
            "cycles", "%", "with callees", "%", "calls"
        )?;
        let percent = |part: u64| part as f64 * 100.0 / all as f64;
        for (name, [own, with, calls]) in rows.iter().take(ROWS) {
            let (own_percent, with_percent) = (percent(*own), percent(*with));
            writeln!(
                out,
                "{own:>14} {own_percent:>6.2}  {with:>14} {with_percent:>6.2}  {calls:>10}  {}",
                plain(name)
            )?;
        }
        if let Some((_, rest)) = rows.split_at_checked(ROWS).filter(|(_, rest)| !rest.is_empty()) {
            let cycles: u64 = rest.iter().map(|(_, [own, ..])| own).sum();
            let own_percent = percent(cycles);
            writeln!(out, "{cycles:>14} {own_percent:>6.2}  in {} more functions", rest.len())?;
        }
        Ok(())
    }

    /// Writes the stacks in the format of flame graph tools: callers and function, separated by
    /// semicolons, and the function's own cycles.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write_folded(&self, out: &mut dyn Write) -> io::Result<()> {
        for (number, node) in self.nodes.iter().enumerate().filter(|(_, node)| node.cycles > 0) {
            let name = |node: &Node| plain(&node.name).replace(';', ",");
            let mut names: Vec<String> =
                self.callers(number).map(|caller| name(&self.nodes[caller])).collect();
            names.reverse();
            names.push(name(node));
            writeln!(out, "{} {}", names.join(";"), node.cycles)?;
        }
        Ok(())
    }

    /// Returns the callers of a node, innermost first.
    fn callers(&self, node: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.nodes[node].parent, |caller| self.nodes[*caller].parent)
    }
}

impl<S: Borrow<Symbols>> Observer for Profiler<S> {
    fn step(&mut self, chip: &Chip, step: &Step) -> io::Result<()> {
        let Step { core, pc, happened } = *step;
        if !self.stacks[core].function.contains(&pc) {
            self.find(core, pc);
        }
        let stack = &mut self.stacks[core];
        let awake = awake(chip, core);
        self.profile.nodes[stack.node].cycles += awake - std::mem::replace(&mut stack.awake, awake);
        let now = chip.core(core).pc();
        let pointer = chip.core(core).register(13);
        match happened {
            StepEvent::Core(StepOutcome::Entry) => stack.call(pc, pointer),
            StepEvent::Core(StepOutcome::Instruction) if now != pc.wrapping_add(2) => {
                match chip.memory().disassemble(pc) {
                    Some(Instruction::Bl { .. }) => stack.call(pc.wrapping_add(4), pointer),
                    Some(Instruction::Blx { .. }) => stack.call(pc.wrapping_add(2), pointer),
                    _ => stack.return_to(now, pointer),
                }
            }
            StepEvent::Reboot => {
                stack.frames.clear();
                stack.function = 0..0;
            }
            StepEvent::Core(_) | StepEvent::RomFunction => {}
        }
        Ok(())
    }
}

impl CallStack {
    fn call(&mut self, return_address: u32, stack: u32) {
        if self.frames.len() < DEPTH_MAX {
            self.frames.push(Frame { node: self.node, return_address, stack });
        }
        self.function = 0..0;
        self.called = true;
    }

    /// Pops the frames up to the one whose return address is `now`, to which the program counter
    /// has jumped, if there is one.
    fn return_to(&mut self, now: u32, stack: u32) {
        let waits = |frame: &Frame| frame.return_address == now && frame.stack <= stack;
        if let Some(depth) = self.frames.iter().rposition(waits) {
            self.node = self.frames[depth].node;
            self.frames.truncate(depth);
            self.function = 0..0;
        }
    }
}

/// Returns the number of cycles during which the core was awake.
fn awake(chip: &Chip, core: usize) -> u64 {
    chip.core(core).cycles() - chip.core(core).slept()
}

#[cfg(test)]
impl Profile {
    /// Creates a profile with the cores and these functions, each called once: parent, name,
    /// cycles.
    pub(crate) fn of(functions: &[(usize, &str, u64)]) -> Self {
        let mut profile = Self::default();
        for (parent, name, cycles) in functions {
            let (parent, name) = (Some(*parent), (*name).to_owned());
            profile.nodes.push(Node { parent, name, cycles: *cycles, calls: 1 });
        }
        profile
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_added_by_function_and_caller() {
        let mut sum = Profile::of(&[(0, "main", 1), (2, "draw", 10)]);
        sum.add(&Profile::of(&[(0, "boot", 5), (0, "main", 2), (3, "draw", 20), (1, "draw", 100)]));
        let expected = [
            (None, "core 0", 0, 0),
            (None, "core 1", 0, 0),
            (Some(0), "main", 3, 2),
            (Some(2), "draw", 30, 2),
            (Some(0), "boot", 5, 1),
            (Some(1), "draw", 100, 1),
        ];
        let expected = expected.map(|(parent, name, cycles, calls)| Node {
            parent,
            name: name.into(),
            cycles,
            calls,
        });
        assert_eq!(sum.nodes(), expected);
        assert_eq!(sum.inclusive()[..2], [38, 100]);
    }
}
