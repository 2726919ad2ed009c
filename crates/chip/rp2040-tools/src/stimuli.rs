//! `--pins`: levels for the chip's pins from a value change dump, or from the buttons of a trace
//! ([`presses`]).
//!
//! A variable of one bit named `gpio0` to `gpio29` drives its pin: 0 and 1 are levels, `x` and `z`
//! leave it open. A variable named `bootsel` presses that button while it is 1. Other variables are
//! ignored, so that a dump of `--vcd` can be edited and used. Dialects are mended
//! ([`escape::dump`]).

use std::collections::HashMap;
use std::io::{self, BufRead};

use escape::dump::{Mended, Oddities};
use rp2040_emulator::chip::{Chip, Drive, PIN_COUNT};
use vcd::{Command, IdCode, Parser, Value};
use virtual_time::Instant;

pub mod presses;

/// Maximum number of changes that are read.
const CHANGES_MAX: usize = 1 << 24;
/// Index of the BOOTSEL button in [`Stimuli`], after those of the pins.
const BOOTSEL: usize = PIN_COUNT;
const FEMTOS_A_NANO: u128 = 1_000_000;
const FEMTOS_A_SECOND: u128 = 1_000_000_000_000_000;

/// Reason why a dump drives no pins.
#[derive(Debug, thiserror::Error)]
pub enum StimuliError {
    /// The file is not a dump, or cannot be read.
    #[error("it is no value change dump: {0}")]
    Unreadable(#[from] io::Error),
    /// No variable has the name of a pin.
    #[error("it has no variable gpio0 to gpio29 or bootsel of one bit")]
    NoPin,
    /// The dump has more changes than are read.
    #[error("it has more than {CHANGES_MAX} changes of pins")]
    TooLong,
    /// A time is before the previous one.
    #[error("the time {0} is before the one above it")]
    Order(u64),
}

/// Changes of pins in order of time.
#[derive(Clone, Debug, Default)]
pub struct Stimuli {
    changes: Vec<(Instant, usize, Drive)>,
    done: usize,
    oddities: Oddities,
}

impl Stimuli {
    /// Reads a dump.
    ///
    /// # Errors
    /// Returns [`StimuliError`] if the input is not a dump, or has no pin of the chip.
    pub fn read(reader: impl BufRead) -> Result<Self, StimuliError> {
        let mut step = FEMTOS_A_NANO;
        let mut pins: HashMap<IdCode, usize> = HashMap::new();
        let mut changes = vec![];
        let (mut now, mut before) = (Instant::START, 0);
        let mut parser = Parser::new(Mended::new(reader));
        for command in parser.by_ref() {
            match command? {
                Command::Timescale(count, unit) => {
                    step = u128::from(count) * FEMTOS_A_SECOND / u128::from(unit.divisor());
                }
                Command::VarDef(_, 1, id, name, _) => {
                    let number = |pin: &str| pin.parse().ok().filter(|pin| *pin < PIN_COUNT);
                    let pin = match name.as_str() {
                        "bootsel" => Some(BOOTSEL),
                        name => name.strip_prefix("gpio").and_then(number),
                    };
                    pins.extend(pin.map(|pin| (id, pin)));
                }
                Command::Timestamp(time) => {
                    if time < before {
                        return Err(StimuliError::Order(time));
                    }
                    before = time;
                    let ns = u128::from(time).saturating_mul(step) / FEMTOS_A_NANO;
                    now = Instant(u64::try_from(ns).unwrap_or(u64::MAX));
                }
                Command::ChangeScalar(id, value) => {
                    let Some(pin) = pins.get(&id) else { continue };
                    if changes.len() == CHANGES_MAX {
                        return Err(StimuliError::TooLong);
                    }
                    changes.push((now, *pin, drive(value)));
                }
                _ => {}
            }
        }
        if pins.is_empty() {
            return Err(StimuliError::NoPin);
        }
        Ok(Self { changes, done: 0, oddities: parser.reader().oddities().clone() })
    }

    /// Returns what was mended in the dump.
    pub const fn oddities(&self) -> &Oddities {
        &self.oddities
    }

    /// Returns the time at which the next pin changes; `None` after the last change.
    pub fn next(&self) -> Option<Instant> {
        self.changes.get(self.done).map(|(at, ..)| *at)
    }

    /// Applies the changes that are due.
    pub fn apply(&mut self, chip: &mut Chip) {
        let now = Instant(chip.now_ns());
        while let Some((at, pin, drive)) = self.changes.get(self.done)
            && *at <= now
        {
            match *pin {
                BOOTSEL => chip.press_bootsel(*drive == Drive::High),
                pin => chip.drive(pin, *drive),
            }
            self.done += 1;
        }
    }
}

fn drive(value: Value) -> Drive {
    match value {
        Value::V0 => Drive::Low,
        Value::V1 => Drive::High,
        Value::X | Value::Z => Drive::Open,
    }
}

#[cfg(test)]
mod tests {
    use rp2040_emulator::bus::Width;

    use super::*;

    const HEAD: &str = "$timescale 10 us $end\n$scope module board $end\n\
                        $var wire 1 ! gpio3 $end\n$var wire 1 # lcd $end\n\
                        $upscope $end\n$enddefinitions $end\n";

    #[test]
    fn variables_named_as_pins_drive_them_at_their_times() {
        let text = format!("{HEAD}#0\n1!\n0#\n#25\n0!\n#30\nz!\n");
        let mut stimuli = Stimuli::read(text.as_bytes()).unwrap();
        let mut chip = Chip::new(0);
        let mut seen = vec![];
        while let Some(next) = stimuli.next() {
            assert!(chip.now_ns() <= next.0);
            chip.core_mut(0).idle(1_000);
            stimuli.apply(&mut chip);
            let level = chip.levels() >> 3 & 1;
            if seen.last().is_none_or(|(_, before)| *before != level) {
                seen.push((chip.now_ns() / 100_000, level));
            }
        }
        // The open pin is pulled down.
        assert_eq!(seen, [(1, 1), (3, 0)]);
    }

    #[test]
    fn dialects_are_mended() {
        let dump = format!("\u{FEFF}{HEAD}#0\n1!\n");
        assert!(Stimuli::read(dump.as_bytes()).unwrap().oddities().is_empty());
        let dump = format!("{HEAD}#0\n1!\n$end\n#7").replace("var wire", "var logic");
        let stimuli = Stimuli::read(dump.as_bytes()).unwrap();
        assert_eq!(stimuli.changes, [(Instant::START, 3, Drive::High)]);
        let oddities = stimuli.oddities().to_string();
        assert!(oddities.starts_with("line 3 has an unknown type of variable"), "{oddities}");
    }

    #[test]
    fn bootsel_is_pressed_while_it_is_1() {
        // Bit 1 of SIO's register is the pin of the chip select and of the button, which is visible
        // while the output is disabled.
        const GPIO_HI_IN: u32 = 0xD000_0008;
        const GPIO_QSPI_SS_CTRL: u32 = 0x4001_800C;
        let text = "$timescale 1 ms $end\n$var wire 1 ! bootsel $end\n$enddefinitions $end\n\
                    #0\n0!\n#10\n1!\n#20\nx!\n";
        let mut stimuli = Stimuli::read(text.as_bytes()).unwrap();
        let mut chip = Chip::new(0);
        assert!(chip.poke(0, GPIO_QSPI_SS_CTRL, Width::Word, 2 << 12));
        let mut pressed = vec![];
        while stimuli.next().is_some() {
            chip.core_mut(0).idle(1_000);
            stimuli.apply(&mut chip);
            let level = chip.peek(0, GPIO_HI_IN).unwrap() >> 1 & 1;
            if pressed.last().is_none_or(|last| *last != (level == 0)) {
                pressed.push(level == 0);
            }
        }
        assert_eq!(pressed, [false, true, false]);
    }

    #[test]
    fn invalid_dumps_are_refused() {
        for (text, error) in [
            ("hello", "it is no value change dump"),
            (
                "$var wire 8 ! gpio3 $end\n",
                "it has no variable gpio0 to gpio29 or bootsel of one bit",
            ),
            (
                "$var wire 1 ! gpio30 $end\n",
                "it has no variable gpio0 to gpio29 or bootsel of one bit",
            ),
        ] {
            let found = Stimuli::read(text.as_bytes()).unwrap_err().to_string();
            assert!(found.starts_with(error), "{found}");
        }
        let back = format!("{HEAD}#5\n1!\n#4\n0!\n");
        let found = Stimuli::read(back.as_bytes()).unwrap_err().to_string();
        assert_eq!(found, "the time 4 is before the one above it");
    }
}
