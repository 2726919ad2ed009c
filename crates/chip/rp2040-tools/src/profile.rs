//! `--profile`: the cycles of each function, by its callers.
//!
//! Calls are followed as they happen: BL and BLX push a frame; a jump to the address after them
//! with the stack pointer at least as high pops it; an exception pushes its handler. A branch into
//! another function is a tail call and replaces the caller. A switch between threads looks like
//! such a jump. Cycles during which a core sleeps are not counted.
//!
//! The chip runs at full speed and records only the transfers between functions, which the profiler
//! takes after each slice.

use std::borrow::Borrow;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use std::ops::Range;

use escape::terminal::plain;
use rp2040_emulator::chip::{Chip, Halt, Step};
use rp2040_emulator::image::Symbols;
use rp2040_emulator::memory::FLASH_BASE;
use rp2040_emulator::memory::transfers::{Transfer, TransferKind};

use crate::observer::Observer;

/// Maximum depth of a call stack. Deeper calls count for the deepest recorded caller.
const DEPTH_MAX: usize = 256;
/// Number of nodes in the cache of those found last.
const FOUND: usize = 4096;
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

#[derive(Clone, Debug)]
struct Frame {
    /// Index of the caller.
    node: usize,
    /// Addresses of the caller.
    function: Range<u32>,
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
    /// Number of calls that have led to `at`.
    called: u64,
    /// Address of the next instruction after the last transfer.
    at: u32,
    /// Whether the core has executed anything.
    runs: bool,
    /// Cycles that are counted.
    awake: u64,
}

/// A node that was found before, by its caller and the address in it.
#[derive(Clone, Debug, Default)]
struct Found {
    parent: usize,
    address: u32,
    node: usize,
    function: Range<u32>,
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
    /// The nodes that were found last, by a hash of caller and address.
    found: Vec<Found>,
    stacks: [CallStack; 2],
}

impl<S: Borrow<Symbols>> Profiler<S> {
    /// Creates a profiler of `chip` from its current state on, and lets the chip record its
    /// transfers between functions.
    pub fn new(symbols: S, chip: &mut Chip) -> Self {
        chip.memory_mut().record_transfers(symbols.borrow().ranges());
        let stack = |number| CallStack {
            frames: vec![],
            node: number,
            function: 0..0,
            called: 0,
            at: 0,
            runs: false,
            awake: awake(chip, number),
        };
        let stacks = [stack(0), stack(1)];
        Self {
            symbols,
            profile: Profile::default(),
            known: HashMap::new(),
            found: vec![Found::default(); FOUND],
            stacks,
        }
    }

    /// Runs `chip` as [`Chip::run`] does, and takes what it records.
    pub fn run(&mut self, chip: &mut Chip, until_ns: u64) -> Halt {
        loop {
            let halt = chip.run(until_ns);
            let was_full = chip.memory().is_record_full();
            self.take(chip);
            if halt != Halt::Time || !was_full {
                return halt;
            }
        }
    }

    /// Takes the transfers that `chip` has recorded.
    pub fn take(&mut self, chip: &mut Chip) {
        let transfers = chip.memory_mut().take_transfers();
        for (number, transfer) in transfers.iter().enumerate() {
            match transfer.kind {
                TransferKind::Repeat { rounds, cycles, transfers: length } => {
                    let first = number.saturating_sub(length as usize);
                    self.repeat(&transfers[first..number], transfer, rounds, cycles);
                }
                _ => {
                    let core = usize::from(transfer.core & 1);
                    self.start(core, transfer.to);
                    self.charge_up_to(core, transfer.awake);
                    self.follow(core, transfer, 1);
                }
            }
        }
        for core in [0, 1] {
            if self.stacks[core].runs {
                self.charge_up_to(core, awake(chip, core));
            }
        }
    }

    /// Notes the address at which `core` begins, which gets the time before as well.
    #[inline]
    fn start(&mut self, core: usize, address: u32) {
        let stack = &mut self.stacks[core];
        if !std::mem::replace(&mut stack.runs, true) {
            stack.at = address;
        }
    }

    /// Counts the cycles up to `awake` for the current function of `core`.
    fn charge_up_to(&mut self, core: usize, awake: u64) {
        let cycles = awake.saturating_sub(self.stacks[core].awake);
        self.stacks[core].awake = awake;
        self.charge(core, cycles);
    }

    #[inline]
    fn charge(&mut self, core: usize, cycles: u64) {
        if cycles != 0 {
            self.arrive(core);
            self.profile.nodes[self.stacks[core].node].cycles += cycles;
        }
    }

    /// Finds the node of the function in which `core` executes, if that is another one.
    #[inline]
    fn arrive(&mut self, core: usize) {
        let stack = &self.stacks[core];
        if !stack.function.contains(&stack.at) {
            self.find(core, stack.at);
        }
    }

    /// Follows a transfer that has happened this number of times.
    fn follow(&mut self, core: usize, transfer: &Transfer, times: u64) {
        self.arrive(core);
        let stack = &mut self.stacks[core];
        match transfer.kind {
            TransferKind::Call { return_address } => {
                stack.call(return_address, transfer.stack, times);
            }
            TransferKind::Jump => stack.return_to(transfer.to, transfer.stack),
            TransferKind::Reset => {
                stack.frames.clear();
                stack.function = 0..0;
            }
            TransferKind::Repeat { .. } => {}
        }
        stack.at = transfer.to;
    }

    /// Counts skipped rounds of a waiting loop, which were like the one with the transfers `round`.
    fn repeat(&mut self, round: &[Transfer], end: &Transfer, rounds: u64, cycles: u64) {
        let core = usize::from(end.core & 1);
        let executed = end.awake - rounds * cycles;
        self.charge_up_to(core, executed);
        let mut awake = executed - cycles;
        for transfer in round {
            self.charge(core, rounds * transfer.awake.saturating_sub(awake));
            self.follow(core, transfer, rounds);
            awake = transfer.awake;
        }
        self.charge(core, rounds * executed.saturating_sub(awake));
        self.stacks[core].awake = end.awake;
    }

    /// Returns the profile collected so far.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Finds or adds the node of the function to which `core` has changed.
    fn find(&mut self, core: usize, pc: u32) {
        let parent = self.stacks[core].frames.last().map_or(core, |frame| frame.node);
        let place = (parent.wrapping_mul(31) ^ (pc / 2) as usize) % FOUND;
        let found = &self.found[place];
        if (found.parent, found.address) != (parent, pc) || found.function.is_empty() {
            self.found[place] = self.search(parent, pc);
        }
        let found = &self.found[place];
        let stack = &mut self.stacks[core];
        (stack.node, stack.function) = (found.node, found.function.clone());
        self.profile.nodes[found.node].calls += std::mem::take(&mut stack.called);
    }

    fn search(&mut self, parent: usize, pc: u32) -> Found {
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
        Found { parent, address: pc, node, function }
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
    fn needs_steps(&self) -> bool {
        false
    }

    fn step(&mut self, _: &Chip, _: &Step) -> io::Result<()> {
        Ok(())
    }

    fn after_slice(&mut self, chip: &mut Chip) {
        self.take(chip);
    }
}

impl CallStack {
    fn call(&mut self, return_address: u32, stack: u32, times: u64) {
        if self.frames.len() < DEPTH_MAX {
            let function = self.function.clone();
            self.frames.push(Frame { node: self.node, function, return_address, stack });
        }
        self.function = 0..0;
        self.called += times;
    }

    /// Pops the frames up to the one whose return address is `now`, to which the program counter
    /// has jumped, if there is one.
    fn return_to(&mut self, now: u32, stack: u32) {
        let waits = |frame: &Frame| frame.return_address == now && frame.stack <= stack;
        if let Some(depth) = self.frames.iter().rposition(waits) {
            let frame = &self.frames[depth];
            (self.node, self.function) = (frame.node, frame.function.clone());
            self.frames.truncate(depth);
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
mod tests;
