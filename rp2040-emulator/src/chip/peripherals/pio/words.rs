//! Words of a machine whose [path](WordPath) from one word to the next does not depend on them:
//! while the DMA keeps its transmit FIFO full, many words are executed at once.
//!
//! The cycle in which each word is pulled follows from the clock divider, so no instruction is
//! executed. The caller does with the pins as it does for a burst, and must not ask for a state
//! within a word: it executes whole words up to there and then single instructions.

use std::sync::Arc;

use super::block::Pio;
use super::divider::{Divider, Pace};
use super::machine::{MAX_SEARCHES, Machine, Paths, WordPath};
use super::{Outputs, PIO_COUNT, Pios, World};

/// Edges of paths with consecutive words.
#[derive(Clone, Debug)]
pub(in crate::chip) struct Words {
    /// Number of the block.
    pub(in crate::chip) block: usize,
    pub(in crate::chip) path: Arc<WordPath>,
    pub(in crate::chip) words: Vec<u32>,
    /// Cycle of the first path's first tick.
    start: u64,
    pace: Pace,
    /// Levels of the block's outputs before.
    pub(in crate::chip) before: u32,
}

impl Words {
    /// Returns the cycle from which on the outputs of a tick of a word's path are on the pins.
    #[inline]
    pub(in crate::chip) fn cycle(&self, word: usize, tick: u32) -> u64 {
        let ticks = word as u64 * u64::from(self.path.ticks) + u64::from(tick);
        self.start + self.pace.cycles(ticks) + 1
    }

    /// Returns the cycle of each edge, and the levels of the block's outputs from then on.
    pub(in crate::chip) fn edges(&self) -> impl Iterator<Item = (u64, u32)> {
        let mut levels = self.before;
        self.words
            .iter()
            .enumerate()
            .flat_map(|(number, word)| {
                self.path.edges.iter().map(move |edge| (number, *word, edge))
            })
            .map(move |(number, word, edge)| {
                levels = self.path.after_edge(edge, word, levels);
                (self.cycle(number, edge.tick), levels)
            })
    }

    /// Returns the last three edges, in order of time. Each path has three or more.
    fn last(&self) -> [(u64, u32); 3] {
        let Some((word, earlier)) = self.words.split_last() else { return [(0, 0); 3] };
        let before = earlier.last().map_or(self.before, |word| self.path.after(*word, self.before));
        let mut levels = before;
        let mut last = [(0, before); 3];
        for edge in &self.path.edges {
            levels = self.path.after_edge(edge, *word, levels);
            last = [last[1], last[2], (self.cycle(earlier.len(), edge.tick), levels)];
        }
        last
    }

    /// Returns the levels of the block's outputs after the last three edges.
    pub(in crate::chip) fn last_levels(&self) -> [u32; 3] {
        self.last().map(|(_, levels)| levels)
    }
}

/// The state of a machine with which words begin: it is about to get the word that makes its
/// transmit FIFO full, in `cycle`.
#[derive(Clone, Debug)]
pub(in crate::chip) struct Beginning {
    pub(in crate::chip) cycle: u64,
    pub(in crate::chip) block: usize,
    pub(in crate::chip) path: Arc<WordPath>,
    /// The word that was pulled last, and those in the FIFO.
    pub(in crate::chip) words: Vec<u32>,
    divider: Divider,
}

impl Beginning {
    /// Returns the number of the DMA's request for the machine's transmit FIFO.
    pub(in crate::chip) fn request(&self) -> usize {
        8 * self.block + self.path.number() as usize
    }

    /// Returns the cycle after the one in which a word is pulled, `paths` after the one here.
    #[inline]
    pub(in crate::chip) fn pulled(&self, paths: usize) -> u64 {
        match (paths as u64 * u64::from(self.path.ticks)).checked_sub(1) {
            Some(ticks) => self.divider.after(ticks) + 1,
            None => self.cycle,
        }
    }
}

impl Pio {
    /// Returns the path that begins with the state of `machine`, a copy of the only one that runs.
    fn path_of(&mut self, machine: &Machine) -> Option<Arc<WordPath>> {
        if let Some(path) = self.paths.path.as_ref().filter(|path| machine.begins(path)) {
            return Some(Arc::clone(path));
        }
        if self.paths.searches >= MAX_SEARCHES {
            return None;
        }
        self.paths.searches += 1;
        let path = machine.word_path(self.memory()).map(Arc::new)?;
        self.paths.path = Some(Arc::clone(&path));
        machine.begins(&path).then_some(path)
    }
}

impl Pios {
    /// Returns whether a machine of a block may have a path.
    pub(in crate::chip) fn may_have_path(&self, block: usize) -> bool {
        let may = |pio: &Pio| pio.paths.searches < MAX_SEARCHES || pio.paths.path.is_some();
        self.blocks.get(block).is_some_and(may)
    }

    /// Lets the machines of a block have no path until a register is written.
    pub(in crate::chip) fn refuse_paths(&mut self, block: usize) {
        self.blocks[block % PIO_COUNT].paths = Paths { path: None, searches: MAX_SEARCHES };
    }

    /// Returns the state with which words begin, if [`next`](Self::next) has predicted that the
    /// only machine that runs pulls a word then, and its FIFO lacks only one.
    pub(in crate::chip) fn begin_words(&mut self) -> Option<Beginning> {
        let sole = self.sole_ahead()?;
        let mut machine = sole.machine().clone();
        let (block, cycle) = (sole.block(), sole.cycle);
        let levels = sole.outputs().levels;
        let pio = &mut self.blocks[block % PIO_COUNT];
        let path = pio.path_of(&machine)?;
        if !path.follows(levels) {
            return None;
        }
        machine.catch_up(cycle, pio.memory());
        machine.divider.next(cycle);
        let words = machine.next_words().collect();
        Some(Beginning { cycle, block, path, words, divider: machine.divider })
    }

    /// Executes paths of the only machine that runs, whose state is that of the beginning and which
    /// has got its word. `words` are those of the paths, then the one that is pulled last, and those
    /// in the FIFO then.
    pub(in crate::chip) fn follow(
        &mut self,
        beginning: &Beginning,
        paths: usize,
        words: &[u32],
        world: &mut impl World,
    ) {
        let Beginning { block, path, .. } = beginning;
        let end = beginning.pulled(paths);
        let pio = &mut self.blocks[*block % PIO_COUNT];
        let number = pio.sole();
        let before = pio.outputs();
        let (memory, machine) = pio.parts(number);
        machine.catch_up(beginning.cycle, memory);
        let start = machine.divider.next(beginning.cycle);
        let pace = machine.divider.pace();
        machine.follow(path, paths, words);
        let followed = Words {
            block: *block,
            path: Arc::clone(path),
            words: words.get(..paths).unwrap_or_default().to_vec(),
            start,
            pace,
            before: before.levels,
        };
        let last = followed.last();
        let outputs = Outputs { levels: last[2].1, ..before };
        pio.shifted(number, end, outputs, paths as u64 * u64::from(path.ticks));
        self.predicted = None;
        self.pass(end);
        let inputs = world.words(followed, self.outputs());
        for ((cycle, _), levels) in last.into_iter().zip(inputs) {
            self.inputs.set(cycle, levels);
        }
    }
}
