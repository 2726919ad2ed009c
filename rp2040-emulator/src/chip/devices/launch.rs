//! The launch of core 1 by core 0: six words through the FIFO, each echoed by the boot ROM on core
//! 1 (datasheet section 2.8.2).

use crate::chip::peripherals::sio::Sio;

/// The initial state of core 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chip) struct Start {
    pub(in crate::chip) vectors: u32,
    pub(in crate::chip) stack: u32,
    pub(in crate::chip) entry: u32,
}

/// The state of the launch sequence in the boot ROM of core 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chip) enum Launch {
    /// Core 1 waits in the ROM: the number of words received, and the last three.
    Waiting(usize, [u32; 3]),
    /// Core 1 has received the whole sequence and is about to start.
    Ready(Start),
    /// Core 1 executes the program.
    Running,
    /// Core 1 is held in reset by the power-on state machine.
    Reset,
}

/// First words of the sequence; vectors, stack and entry follow.
const OPENING: [u32; 3] = [0, 0, 1];

impl Launch {
    /// Starts core 1 in the boot ROM: it empties its FIFO, signals this to core 0 with a 0, and
    /// waits for the sequence.
    pub(in crate::chip) fn in_rom(sio: &mut Sio) -> Self {
        sio.core_1_enters_rom();
        Self::Waiting(0, [0; 3])
    }

    /// Reads the words that core 0 has written and echoes them. Returns true if core 1 is to start
    /// now.
    pub(super) fn proceed(&mut self, sio: &mut Sio) -> bool {
        while let Self::Waiting(count, mut words) = *self {
            let Some(word) = sio.take_for_core_1() else { return false };
            sio.push_for_core_0(word);
            *self = match OPENING.get(count) {
                Some(expected) if word == *expected => Self::Waiting(count + 1, words),
                // A wrong word restarts the sequence, and may be its first word.
                Some(_) => Self::Waiting(usize::from(word == 0), words),
                None => {
                    words[count - OPENING.len()] = word;
                    let [vectors, stack, entry] = words;
                    match count {
                        5 => Self::Ready(Start { vectors, stack, entry }),
                        _ => Self::Waiting(count + 1, words),
                    }
                }
            };
        }
        matches!(self, Self::Ready(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::peripherals::sio::{FIFO_RD, FIFO_WR};

    #[test]
    fn the_sequence_is_answered_word_by_word_and_starts_the_core() {
        let mut sio = Sio::default();
        let mut launch = Launch::in_rom(&mut sio);
        assert_eq!(sio.read(0, FIFO_RD, 0), Some(0), "core 1 is there");
        // The first word is wrong: the sequence starts over.
        let sequence = [1, 0, 0, 1, 0x2000_0000, 0x2000_1000, 0x1000_0201];
        for (number, word) in sequence.into_iter().enumerate() {
            sio.write(0, FIFO_WR, word);
            assert_eq!(launch.proceed(&mut sio), number == 6);
            assert_eq!(sio.read(0, FIFO_RD, 0), Some(word));
        }
        let start = Start { vectors: 0x2000_0000, stack: 0x2000_1000, entry: 0x1000_0201 };
        assert_eq!(launch, Launch::Ready(start));
    }
}
