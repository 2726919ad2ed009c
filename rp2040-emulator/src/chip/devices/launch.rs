//! How core 0 starts core 1: six words through the FIFO, each answered by the boot ROM on the
//! other side (datasheet section 2.8.2).

use crate::chip::peripherals::sio::Sio;

/// Where core 1 begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chip) struct Start {
    pub(in crate::chip) vectors: u32,
    pub(in crate::chip) stack: u32,
    pub(in crate::chip) entry: u32,
}

/// What core 1 is doing, as the boot ROM on it sees that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chip) enum Launch {
    /// Waits in the ROM; so many words of the sequence have come, and the last ones.
    Waiting(usize, [u32; 3]),
    /// Has the whole sequence and is to start.
    Ready(Start),
    /// Runs the program's code.
    Running,
    /// Is held in reset, or was: back to waiting.
    Reset,
}

impl Default for Launch {
    fn default() -> Self {
        Self::Waiting(0, [0; 3])
    }
}

/// The first words of the sequence; vectors, stack and entry follow.
const OPENING: [u32; 3] = [0, 0, 1];

impl Launch {
    /// Takes what core 0 has written and answers it; true if core 1 is now to start.
    pub(super) fn proceed(&mut self, sio: &mut Sio) -> bool {
        while let Self::Waiting(count, mut words) = *self {
            let Some(word) = sio.take_for_core_1() else { return false };
            sio.push_for_core_0(word);
            *self = match OPENING.get(count) {
                Some(expected) if word == *expected => Self::Waiting(count + 1, words),
                // A wrong word begins the sequence again, and may be its first.
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
        let mut launch = Launch::default();
        // A word that does not belong there first: the sequence begins again.
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
