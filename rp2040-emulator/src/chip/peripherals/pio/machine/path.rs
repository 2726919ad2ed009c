//! The path of a program from one word of the transmit FIFO to the next, if it does not depend on
//! the words: which instruction is executed in which tick, and which bits of the word it puts on a
//! pin.
//!
//! The path is found by executing the program with the names of the word's bits in place of their
//! values. Nothing is assumed of X, Y and the pins: a program that reads them before it has set
//! them has no path, and neither has one that branches by a bit of the word.

use std::sync::Arc;

use super::Machine;
use crate::chip::peripherals::pio::pins::ones;

/// Largest number of ticks of a path.
const LONGEST: u32 = 512;

/// A bit of a register while a path is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chip) enum WordBit {
    /// The bit has this value.
    Fixed(bool),
    /// The bit is this one of the word, 0 to 31, perhaps inverted.
    OfWord { bit: u8, inverted: bool },
    /// The bit was in a register before the path.
    Unknown,
}

impl WordBit {
    /// Returns the value of the bit in a path with this word.
    #[inline]
    pub(in crate::chip) fn of(self, word: u32) -> bool {
        match self {
            Self::Fixed(value) => value,
            Self::OfWord { bit, inverted } => (word >> (bit & 31) & 1 != 0) != inverted,
            Self::Unknown => false,
        }
    }
}

/// A register while a path is searched for; the first bit is the lowest.
type Bits = [WordBit; 32];

const ZEROS: Bits = [WordBit::Fixed(false); 32];
const UNKNOWN: Bits = [WordBit::Unknown; 32];

/// Returns the bits of a value.
fn fixed(value: u32) -> Bits {
    std::array::from_fn(|bit| WordBit::Fixed(value >> bit & 1 != 0))
}

/// Returns the value of bits that do not depend on the word.
fn value(bits: &Bits) -> Option<u32> {
    bits.iter().rev().try_fold(0, |value, bit| match bit {
        WordBit::Fixed(bit) => Some(value << 1 | u32::from(*bit)),
        _ => None,
    })
}

/// Returns a register after a path with this word.
fn evaluated(bits: &Bits, word: u32) -> u32 {
    bits.iter().rev().fold(0, |value, bit| value << 1 | u32::from(bit.of(word)))
}

/// Writes of an instruction to the pins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chip) struct WordEdge {
    /// Tick in which the instruction is executed; the first one after the word was pulled is 0.
    pub(in crate::chip) tick: u32,
    /// Pins of the side-set, and their levels.
    pub(in crate::chip) sides: u32,
    pub(in crate::chip) levels: u32,
    /// The bit on the data pin, if it is written.
    pub(in crate::chip) data: Option<WordBit>,
}

/// The path from one word to the next.
#[derive(Clone, Debug)]
pub(in crate::chip) struct WordPath {
    /// Number of the machine.
    number: u32,
    /// Program counter and delay after a word was pulled.
    pc: u32,
    delay: u32,
    /// Number of ticks; in the last one the next word is pulled.
    pub(in crate::chip) ticks: u32,
    /// Writes to the pins, in order, at least three.
    pub(in crate::chip) edges: Vec<WordEdge>,
    /// Mask of the data pin.
    pub(in crate::chip) data: u32,
    /// Pins of side-sets, and their levels after the path.
    pub(in crate::chip) sides: u32,
    levels: u32,
    /// The last bit on the data pin.
    last: WordBit,
    /// Bits of the word that get to the data pin, if none of them is inverted and no other bit does.
    plain: Option<u32>,
    /// X and Y after the path, if it sets them.
    x: Option<Bits>,
    y: Option<Bits>,
}

impl WordPath {
    /// Returns the number of the machine.
    pub(in crate::chip::peripherals::pio) fn number(&self) -> u32 {
        self.number
    }

    /// Returns the pins that may change.
    pub(in crate::chip) fn pins(&self) -> u32 {
        self.sides | self.data
    }

    /// Returns the levels of a block's outputs after an edge of a word, which were these before.
    #[inline]
    pub(in crate::chip) fn after_edge(&self, edge: &WordEdge, word: u32, before: u32) -> u32 {
        let levels = before & !edge.sides | edge.levels;
        match edge.data {
            Some(bit) => levels & !self.data | if bit.of(word) { self.data } else { 0 },
            None => levels,
        }
    }

    /// Returns the levels of a block's outputs after a path with this word.
    pub(in crate::chip) fn after(&self, word: u32, before: u32) -> u32 {
        let data = if self.last.of(word) { self.data } else { 0 };
        before & !self.pins() | self.levels | data
    }

    /// Returns whether the outputs have the levels that paths leave.
    pub(in crate::chip::peripherals::pio) fn follows(&self, levels: u32) -> bool {
        levels & self.sides == self.levels
    }

    /// Returns whether the data pin retains its level in paths with these words.
    pub(in crate::chip) fn is_constant(&self, words: &[u32], before: u32) -> bool {
        let Some(bits) = self.plain else { return false };
        let level = if before & self.data != 0 { bits } else { 0 };
        words.iter().all(|word| word & bits == level)
    }
}

/// Number of searches for a path after a register was written. A program that needs more has none.
pub(in crate::chip::peripherals::pio) const MAX_SEARCHES: u32 = 16;

/// The path of the last machine that had one, until a register is written.
#[derive(Clone, Debug, Default)]
pub(in crate::chip::peripherals::pio) struct Paths {
    pub(in crate::chip::peripherals::pio) path: Option<Arc<WordPath>>,
    pub(in crate::chip::peripherals::pio) searches: u32,
}

/// The machine while a path is searched for.
struct Walk {
    pc: u32,
    x: Bits,
    y: Bits,
    output: Bits,
    /// Number of bits that have been shifted out of `output`.
    count: u32,
    edges: Vec<WordEdge>,
}

/// The effect of an instruction on the path.
enum Then {
    Next,
    Jump(u32),
    /// The next word is pulled.
    Pulled,
}

impl Machine {
    /// Returns the path from here to the next word, if the machine has just pulled one and the path
    /// does not depend on it.
    #[cold]
    pub(in crate::chip::peripherals::pio) fn word_path(
        &self,
        memory: &[u16; 32],
    ) -> Option<WordPath> {
        let data = self.control.out_pins(1).pins();
        let is_plain = self.enabled
            && self.latched.is_none()
            && !self.urgent
            && !self.holds()
            && self.output_count == 0
            && self.control.inline_enable().is_none();
        if !is_plain || !data.is_power_of_two() || self.control.out_pins(!0).pins() != data {
            return None;
        }
        let mut walk = Walk {
            pc: self.pc,
            x: UNKNOWN,
            y: UNKNOWN,
            output: std::array::from_fn(|bit| WordBit::OfWord { bit: bit as u8, inverted: false }),
            count: 0,
            edges: Vec::new(),
        };
        let (mut sides, mut levels, mut tick) = (0, 0, self.delay);
        loop {
            let word = u32::from(memory[walk.pc as usize & 31]);
            let (delay, side) = self.control.delay_and_side(word >> 8 & 0x1F);
            let before = walk.edges.len();
            let then = self.walk(&mut walk, word, tick)?;
            if side.enables.pins() != 0 || side.levels.pins() & data != 0 {
                return None;
            }
            if side.levels.pins() != 0 {
                if walk.edges.len() == before {
                    walk.edges.push(WordEdge { tick, sides: 0, levels: 0, data: None });
                }
                let edge = walk.edges.last_mut()?;
                (edge.sides, edge.levels) = (side.levels.pins(), side.levels.apply(0));
                sides |= edge.sides;
                levels = side.levels.apply(levels);
            }
            walk.pc = match then {
                Then::Jump(target) => target,
                Then::Next | Then::Pulled => self.next_after(walk.pc),
            };
            tick += 1;
            if matches!(then, Then::Pulled) {
                // The next path is the same one.
                let ends = (walk.pc, delay) == (self.pc, self.delay) && walk.edges.len() > 2;
                return ends.then(|| self.path(walk, tick, data, (sides, levels)))?;
            }
            tick += delay;
            if tick > LONGEST {
                return None;
            }
        }
    }

    fn path(
        &self,
        walk: Walk,
        ticks: u32,
        data: u32,
        (sides, levels): (u32, u32),
    ) -> Option<WordPath> {
        let last = walk.edges.iter().rev().find_map(|edge| edge.data)?;
        let mut plain = Some(0);
        for bit in walk.edges.iter().filter_map(|edge| edge.data) {
            plain = match (plain, bit) {
                (Some(bits), WordBit::OfWord { bit, inverted: false }) => Some(bits | 1 << bit),
                _ => None,
            };
        }
        let set = |bits: Bits| (bits != UNKNOWN).then_some(bits);
        Some(WordPath {
            number: self.number,
            pc: self.pc,
            delay: self.delay,
            ticks,
            edges: walk.edges,
            data,
            sides,
            levels,
            last,
            plain,
            x: set(walk.x),
            y: set(walk.y),
        })
    }

    /// Executes an instruction without its side-set; `None` if it may depend on the word or on
    /// anything outside the machine.
    fn walk(&self, walk: &mut Walk, word: u32, tick: u32) -> Option<Then> {
        let (operand, argument) = (word >> 5 & 7, word & 0x1F);
        let threshold = self.control.pull_threshold();
        match word >> 13 {
            0 => {
                let decremented = |bits: &mut Bits| {
                    let before = value(bits)?;
                    *bits = fixed(before.wrapping_sub(1));
                    Some(before != 0)
                };
                let is_taken = match operand {
                    0 => true,
                    1 => value(&walk.x)? == 0,
                    2 => decremented(&mut walk.x)?,
                    3 => value(&walk.y)? == 0,
                    4 => decremented(&mut walk.y)?,
                    5 => value(&walk.x)? != value(&walk.y)?,
                    7 => walk.count < threshold,
                    _ => return None,
                };
                Some(if is_taken { Then::Jump(argument) } else { Then::Next })
            }
            3 => {
                let count = if argument == 0 { 32 } else { argument };
                let taken = shifted_out(&mut walk.output, count, self.control.shifts_out_right());
                walk.count = (walk.count + count).min(32);
                match operand {
                    0 if taken[0] == WordBit::Unknown => return None,
                    0 => {
                        let data = Some(taken[0]);
                        walk.edges.push(WordEdge { tick, sides: 0, levels: 0, data });
                    }
                    1 => walk.x = taken,
                    2 => walk.y = taken,
                    3 => {}
                    _ => return None,
                }
                let pulls = self.control.pulls() && walk.count >= threshold;
                Some(if pulls { Then::Pulled } else { Then::Next })
            }
            // PULL
            4 if word & 0x80 != 0 => {
                let is_full = word & 0x40 != 0 && walk.count < threshold
                    || self.control.pulls() && walk.count == 0;
                Some(if is_full { Then::Next } else { Then::Pulled })
            }
            5 => {
                let source = match word & 7 {
                    1 => walk.x,
                    2 => walk.y,
                    3 => ZEROS,
                    7 => walk.output,
                    _ => return None,
                };
                // A register that is set to itself need not be known.
                if matches!((operand, word & 0x1F), (1, 1) | (2, 2)) {
                    return Some(Then::Next);
                }
                if source.contains(&WordBit::Unknown) {
                    return None;
                }
                let source = match word >> 3 & 3 {
                    1 => source.map(inverted),
                    2 => std::array::from_fn(|bit| source[31 - bit]),
                    _ => source,
                };
                match operand {
                    1 => walk.x = source,
                    2 => walk.y = source,
                    7 => (walk.output, walk.count) = (source, 0),
                    _ => return None,
                }
                Some(Then::Next)
            }
            7 => {
                match operand {
                    1 => walk.x = fixed(argument),
                    2 => walk.y = fixed(argument),
                    _ => return None,
                }
                Some(Then::Next)
            }
            _ => None,
        }
    }

    /// Returns the address after an instruction that does not jump.
    fn next_after(&self, address: u32) -> u32 {
        if address == self.control.wrap_top() {
            self.control.wrap_bottom()
        } else {
            (address + 1) & 0x1F
        }
    }
}

fn inverted(bit: WordBit) -> WordBit {
    match bit {
        WordBit::Fixed(value) => WordBit::Fixed(!value),
        WordBit::OfWord { bit, inverted } => WordBit::OfWord { bit, inverted: !inverted },
        WordBit::Unknown => WordBit::Unknown,
    }
}

/// Shifts bits out of a register as OUT does, and returns them.
fn shifted_out(output: &mut Bits, count: u32, right: bool) -> Bits {
    let count = count.min(32) as usize;
    let mut taken = ZEROS;
    let before = *output;
    *output = ZEROS;
    if right {
        taken[..count].copy_from_slice(&before[..count]);
        output[..32 - count].copy_from_slice(&before[count..]);
    } else {
        taken[..count].copy_from_slice(&before[32 - count..]);
        output[count..].copy_from_slice(&before[..32 - count]);
    }
    taken
}

/// Execution of paths.
impl Machine {
    /// Returns whether the machine has just pulled a word with which the path begins, so that its
    /// transmit FIFO lacks one but has others.
    pub(in crate::chip::peripherals::pio) fn begins(&self, path: &WordPath) -> bool {
        self.number == path.number
            && (self.pc, self.delay) == (path.pc, path.delay)
            && self.output_count == 0
            && self.enabled
            && self.latched.is_none()
            && !self.urgent
            && self.transmit.room() == 1
            && self.transmit.level() > 0
    }

    /// Returns the word that was pulled, and the next ones.
    pub(in crate::chip::peripherals::pio) fn next_words(&self) -> impl Iterator<Item = u32> {
        std::iter::once(self.output).chain(self.transmit.all())
    }

    /// Executes paths with the first of these words; the first is the one that was pulled. The
    /// transmit FIFO then has the last ones.
    pub(in crate::chip::peripherals::pio) fn follow(
        &mut self,
        path: &WordPath,
        paths: usize,
        words: &[u32],
    ) {
        let (Some(last), Some(next)) = (paths.checked_sub(1), words.get(paths)) else { return };
        let word = words.get(last).copied().unwrap_or_default();
        if let Some(x) = &path.x {
            self.x = evaluated(x, word);
        }
        if let Some(y) = &path.y {
            self.y = evaluated(y, word);
        }
        self.output = *next;
        self.transmit.replace(words.get(paths + 1..).unwrap_or_default());
        self.last_write.levels = self.control.out_pins(u32::from(path.last.of(word)) & ones(1));
        self.divider.skip(paths as u64 * u64::from(path.ticks));
    }
}
