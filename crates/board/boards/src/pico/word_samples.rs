//! The bits that a display samples in each word of a PIO that shifts words out in the same way.

use rp2040_emulator::chip::{PinWords, WordData};

/// Largest number of samples in a word.
const MOST: usize = 64;

/// The samples of each word, in order.
pub(super) struct WordSamples {
    /// Ticks at which SCK rises.
    pub(super) ticks: Vec<u32>,
    /// Bits of the word that are sampled.
    runs: Vec<Run>,
}

/// Consecutive samples of falling bits of a word, or of a level.
struct Run {
    /// The bit that is sampled last.
    lowest: u8,
    count: u8,
    /// Modification of the word before.
    keeps: u32,
    flips: u32,
}

impl WordSamples {
    /// Returns the samples of MOSI, the data pin, at the rising edges of `sck`; `None` if a bit is
    /// sampled that was written in an earlier word, or if there are too many.
    pub(super) fn of(words: &PinWords, sck: u32) -> Option<Self> {
        let mut samples = Self { ticks: Vec::new(), runs: Vec::new() };
        let mut is_high = words.before() & sck != 0;
        let mut data = None;
        for change in words.word_changes() {
            if change.pins & sck != 0 {
                let was_high = std::mem::replace(&mut is_high, change.levels & sck != 0);
                // A level that changes together with SCK changes too late.
                if !was_high && is_high {
                    samples.add(change.tick, data?)?;
                }
            }
            data = change.data.or(data);
        }
        (is_high == (words.before() & sck != 0) && !samples.ticks.is_empty()).then_some(samples)
    }

    fn add(&mut self, tick: u32, data: WordData) -> Option<()> {
        let (bit, keeps, flips) = match data {
            WordData::Bit(bit) => (bit, u32::MAX, 0),
            WordData::Inverted(bit) => (bit, u32::MAX, u32::MAX),
            WordData::Level(level) => (0, 0, if level { u32::MAX } else { 0 }),
        };
        self.ticks.push(tick);
        match self.runs.last_mut() {
            Some(run) if (run.keeps, run.flips) == (keeps, flips) && run.lowest == bit + 1 => {
                run.lowest = bit;
                run.count += 1;
            }
            _ => self.runs.push(Run { lowest: bit, count: 1, keeps, flips }),
        }
        (self.ticks.len() <= MOST).then_some(())
    }

    /// Returns the number of samples.
    pub(super) fn count(&self) -> u32 {
        self.ticks.len() as u32
    }

    /// Returns the sampled bits of a word; the last one is the lowest.
    #[inline]
    pub(super) fn bits(&self, word: u32) -> u64 {
        self.runs.iter().fold(0, |bits, run| {
            let word = u64::from(word & run.keeps ^ run.flips);
            bits << run.count | word >> run.lowest & ((1 << run.count) - 1)
        })
    }
}
