//! The commands on a display's bus, if a given pin separates commands from data.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use crate::bytes::BusByte;

/// Number of arguments of a command that are stored.
const ARGUMENTS_MAX: usize = 16;
/// Number of bytes of a bus that are judged for each pin.
const JUDGED: usize = 20_000;

/// Commands of MIPI DCS with their numbers of arguments.
const COMMANDS: &[(u8, RangeInclusive<usize>)] = &[
    (0x01, 0..=0),          // soft reset
    (0x10, 0..=0),          // sleep in
    (0x11, 0..=0),          // sleep out
    (0x13, 0..=0),          // normal display mode
    (0x20, 0..=0),          // inversion off
    (0x21, 0..=0),          // inversion on
    (0x26, 1..=1),          // gamma curve
    (0x28, 0..=0),          // display off
    (0x29, 0..=0),          // display on
    (0x2A, 4..=4),          // column address
    (0x2B, 4..=4),          // page address
    (0x2C, 1..=usize::MAX), // memory write
    (0x33, 6..=6),          // vertical scrolling definition
    (0x34, 0..=0),          // tearing effect line off
    (0x35, 0..=1),          // tearing effect line on
    (0x36, 1..=1),          // memory access control
    (0x37, 2..=2),          // vertical scrolling start
    (0x3A, 1..=1),          // pixel format
    (0x51, 1..=1),          // brightness
    (0x53, 1..=1),          // display control
    (0x55, 1..=1),          // adaptive brightness
];

/// Commands of a controller with pages of one bit that every initialisation has, mostly in this
/// order, and display off at its beginning: display off, multiplex ratio, COM pins, display on
/// (SSD1306 datasheet, 10.1).
const PAGE_COMMANDS: [u8; 4] = [0xAE, 0xA8, 0xDA, 0xAF];
/// Number of commands and arguments among which they are.
const PAGE_INITIALISATION: usize = 64;

/// A command with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Command {
    pub(crate) ns: u64,
    pub(crate) code: u8,
    /// The first arguments, and the number of all.
    pub(crate) arguments: Vec<u8>,
    pub(crate) count: usize,
}

/// Reading of a bus under the assumption that a pin is D/C.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    pub(crate) commands: Vec<Command>,
    /// Known commands with a right number of arguments.
    pub(crate) right: BTreeSet<u8>,
    /// Number of commands with a wrong number of arguments, and of unknown ones of the lower half,
    /// which no controller has.
    pub(crate) wrong: usize,
    /// Whether the commands are those of a controller with pages of one bit.
    pub(crate) has_pages: bool,
}

impl Reading {
    /// Returns a number that is higher for a more plausible reading; 0 if it is not plausible.
    pub(crate) fn score(&self) -> usize {
        let known = self.right.len();
        let essential = [0x2C, 0x2A, 0x11, 0x29].iter().filter(|code| self.right.contains(*code));
        if self.has_pages {
            return 8;
        }
        if known < 4 || essential.count() < 2 || self.wrong * 4 > known {
            return 0;
        }
        known.saturating_sub(self.wrong)
    }
}

/// Reads the beginning of the bus with `dc` as the mask of D/C.
pub(crate) fn read(bytes: &[BusByte], dc: u32) -> Reading {
    read_all(&bytes[..bytes.len().min(JUDGED)], dc)
}

/// Reads the bus with `dc` as the mask of D/C.
pub(crate) fn read_all(bytes: &[BusByte], dc: u32) -> Reading {
    let mut reading = Reading::default();
    let mut current: Option<Command> = None;
    let mut low = Vec::new();
    let mut data = 0;
    for byte in bytes {
        if byte.levels & dc == 0 {
            if low.len() < PAGE_INITIALISATION {
                low.push(byte.byte);
            }
            reading.finish(current.take());
            let (ns, code) = (byte.ns, byte.byte);
            current = Some(Command { ns, code, arguments: Vec::new(), count: 0 });
        } else {
            data += 1;
            if let Some(command) = &mut current {
                command.count += 1;
                if command.arguments.len() < ARGUMENTS_MAX {
                    command.arguments.push(byte.byte);
                }
            }
        }
    }
    // The last command may be incomplete.
    if let Some(last) = current.filter(|last| last.code == 0x2C) {
        reading.finish(Some(last));
    }
    let mut rest = low.iter();
    reading.has_pages = data >= 128
        && low.iter().take(3).any(|byte| *byte == PAGE_COMMANDS[0])
        && PAGE_COMMANDS.iter().all(|code| rest.any(|byte| byte == code));
    reading
}

impl Reading {
    fn finish(&mut self, command: Option<Command>) {
        let Some(command) = command else { return };
        match COMMANDS.iter().find(|(code, _)| *code == command.code) {
            Some((code, counts)) if counts.contains(&command.count) => {
                self.right.insert(*code);
            }
            // The data may come from another source: a PIO after an SPI controller.
            Some((0x2C, _)) => {}
            Some(_) => self.wrong += 1,
            None if command.code < 0x80
                && !matches!(command.code, 0x00 | 0x30..=0x3F | 0x44 | 0x60..=0x77) =>
            {
                self.wrong += 1;
            }
            None => {}
        }
        self.commands.push(command);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DC: u32 = 1 << 7;

    /// Returns the bytes of commands and arguments, with random levels of the other pins.
    fn bytes(commands: &[(u8, Vec<u8>)], noise: &[u32]) -> Vec<BusByte> {
        let mut bytes = Vec::new();
        for (code, arguments) in commands {
            let all = [(0, code)].into_iter().chain(arguments.iter().map(|byte| (DC, byte)));
            for (dc, byte) in all {
                let levels = noise[bytes.len() % noise.len()] & !DC | dc;
                bytes.push(BusByte { ns: bytes.len() as u64, byte: *byte, levels });
            }
        }
        bytes
    }

    fn initialisation() -> Vec<(u8, Vec<u8>)> {
        [
            (0x01, vec![]),
            (0x11, vec![]),
            (0x36, vec![0x48]),
            (0x3A, vec![0x55]),
            (0xB1, vec![0, 0x1B]),
            (0x2A, vec![0, 0, 0, 239]),
            (0x2B, vec![0, 0, 1, 63]),
            (0x29, vec![]),
            (0x2C, vec![0x2C; 300]),
        ]
        .into()
    }

    #[test]
    fn commands_are_read_with_their_arguments() {
        let reading = read(&bytes(&initialisation(), &[0]), DC);
        assert_eq!((reading.right.len(), reading.wrong, reading.score()), (8, 0, 8));
        let last = reading.commands.last().unwrap();
        assert_eq!((last.code, last.count, last.arguments.len()), (0x2C, 300, ARGUMENTS_MAX));
    }

    #[test]
    fn commands_of_pages_are_recognised() {
        let commands = [0xAE, 0xD5, 0x80, 0xA8, 0x3F, 0xDA, 0x12, 0x8D, 0x14];
        let mut commands: Vec<_> = commands.map(|code| (code, vec![])).into();
        commands.push((0xAF, vec![0x55; 1024]));
        let reading = read(&bytes(&commands, &[0]), DC);
        assert!(reading.has_pages && reading.score() > 0);
    }

    proptest! {
        /// Other pins, whatever they do, are never a better D/C than the real one.
        #[test]
        fn the_real_pin_has_the_highest_score(
            noise in prop::collection::vec(any::<u32>(), 1..50),
            pin in 8..30_u32,
        ) {
            let bytes = bytes(&initialisation(), &noise);
            let other = read(&bytes, 1 << pin).score();
            prop_assert!(other < read(&bytes, DC).score(), "{other}");
        }

        #[test]
        fn random_bytes_are_no_commands(
            sent in prop::collection::vec((any::<u8>(), any::<u32>()), 200..2_000),
        ) {
            let bytes: Vec<_> = sent
                .iter()
                .map(|(byte, levels)| BusByte { ns: 0, byte: *byte, levels: *levels })
                .collect();
            prop_assert_eq!(read(&bytes, DC).score(), 0);
        }
    }
}
