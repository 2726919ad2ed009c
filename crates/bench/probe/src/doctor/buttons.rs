//! Finds the button of the board that each line of the probe closes, from a few starts in which
//! lines are held down.
//!
//! A board names each button that is down at power-on on its console (docs/console.md, `stuck`),
//! and ignores it. Each line is held in `HELD` of `STARTS` starts, no two lines in the same ones:
//! the starts in which the board names a button identify the line that closes it. A game and the
//! flash are not touched. If two wires touch each other, their buttons are named in the starts of
//! both, which are those of no single line.
//!
//! The level of a line at the probe is not used: the probe has no pull-up, so that a wire that is
//! off may read as either level.

use std::fmt;

use probe_protocol::LINES;
use probe_protocol::wiring::{CONNECTIONS, Connection, Role};

/// Number of starts.
pub const STARTS: usize = 6;
/// Number of starts in which each line is held.
const HELD: u32 = 2;

/// Starts as a set; bit n is start n.
type Starts = u8;

/// Starts in which each line is held.
const HELD_IN: [Starts; LINES as usize] = {
    let mut sets = [0; LINES as usize];
    let (mut line, mut set) = (0, 0 as Starts);
    while line < sets.len() {
        set += 1;
        assert!(set < 1 << STARTS, "there are enough pairs of starts");
        if set.count_ones() == HELD {
            sets[line] = set;
            line += 1;
        }
    }
    sets
};

/// All starts.
const EVERY: Starts = (1 << STARTS) - 1;

/// Returns the lines that are held down in a start, one bit each.
pub fn held_in(start: usize) -> u16 {
    let lines = (0..LINES).filter(|line| HELD_IN[usize::from(*line)] >> start & 1 != 0);
    lines.fold(0, |all, line| all | 1 << line)
}

/// A fault of the wires of buttons. Lines and buttons are numbers of button lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ButtonFault {
    /// The board never notices that this line is pulled low.
    Off(u8),
    /// Each of these lines closes the other's button.
    Exchanged(u8, u8),
    /// This line closes the button of another one.
    Closes { line: u8, button: u8 },
    /// Each of these lines closes both buttons.
    Touch(u8, u8),
    /// The board notices this button in every start.
    Stuck(u8),
    /// The board notices this button in other starts than those of any line.
    Unsteady(u8),
}

impl ButtonFault {
    fn lines(&self) -> Vec<u8> {
        match self {
            Self::Off(line) | Self::Stuck(line) | Self::Unsteady(line) => vec![*line],
            Self::Exchanged(one, other) | Self::Touch(one, other) => vec![*one, *other],
            Self::Closes { line, button } => vec![*line, *button],
        }
    }

    /// Returns the wires to check.
    pub fn wires(&self) -> Vec<Connection> {
        self.lines().into_iter().filter_map(connection).collect()
    }
}

fn connection(line: u8) -> Option<Connection> {
    CONNECTIONS.into_iter().find(|it| it.role == Role::Button(line))
}

/// Returns the name of a line's button and the probe's pin.
fn name(line: u8) -> String {
    connection(line).map_or_else(String::new, |it| format!("{} (GP{})", it.name, it.probe))
}

impl fmt::Display for ButtonFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off(line) => {
                write!(out, "the board does not notice presses of {}: its wire is off", name(*line))
            }
            Self::Exchanged(one, other) => write!(
                out,
                "{} and {} are exchanged: each closes the other's button",
                name(*one),
                name(*other)
            ),
            Self::Closes { line, button } => write!(
                out,
                "the probe's wire of {} closes the button {}",
                name(*line),
                connection(*button).map_or("", |it| it.name)
            ),
            Self::Touch(one, other) => write!(
                out,
                "{} and {} touch each other: each closes both buttons",
                name(*one),
                name(*other)
            ),
            Self::Stuck(line) => write!(
                out,
                "the board notices {} although the probe does not press it: the button is stuck, or its wire touches \
                 ground",
                name(*line)
            ),
            Self::Unsteady(line) => write!(
                out,
                "the board notices some presses of {} and misses others: its wire has a poor contact",
                name(*line)
            ),
        }
    }
}

/// Returns the faults that explain the buttons that the board has named in each start, one bit
/// each.
pub fn button_faults(named: &[u16; STARTS]) -> Vec<ButtonFault> {
    let starts: [Starts; LINES as usize] = std::array::from_fn(|button| {
        (0..STARTS).filter(|nth| named[*nth] >> button & 1 != 0).fold(0, |all, nth| all | 1 << nth)
    });
    let of = |button: u8| starts[usize::from(button)];
    let held = |line: u8| HELD_IN[usize::from(line)];
    let closes = |line: u8| (0..LINES).find(|button| of(*button) == held(line));
    let touches = |one: u8| {
        (0..LINES).find(|it| *it != one && of(*it) == of(one) && of(one) == held(*it) | held(one))
    };
    let fault = |line: u8| {
        if let Some(button) = closes(line) {
            return match (button == line, closes(button) == Some(line)) {
                (true, _) => None,
                (false, true) => (line < button).then_some(ButtonFault::Exchanged(line, button)),
                (false, false) => Some(ButtonFault::Closes { line, button }),
            };
        }
        match (of(line), touches(line)) {
            (_, Some(other)) => (line < other).then_some(ButtonFault::Touch(line, other)),
            (0, None) => Some(ButtonFault::Off(line)),
            (EVERY, None) => Some(ButtonFault::Stuck(line)),
            // Another line closes this button; the fault of that line is reported.
            (named, None) if (0..LINES).any(|it| held(it) == named) => Some(ButtonFault::Off(line)),
            _ => Some(ButtonFault::Unsteady(line)),
        }
    };
    (0..LINES).filter_map(fault).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what a board names in which `closes` is the button of a line, `None` for none.
    fn answers(closes: impl Fn(u8) -> Option<u8>) -> [u16; STARTS] {
        std::array::from_fn(|start| {
            let lines = (0..LINES).filter(|line| held_in(start) >> line & 1 != 0);
            lines.filter_map(&closes).fold(0, |all, it| all | 1 << it)
        })
    }

    #[track_caller]
    fn check(answers: &[u16; STARTS], expected: &[ButtonFault], words: &str) {
        let found = button_faults(answers);
        assert_eq!(found, expected);
        assert!(found.iter().any(|it| it.to_string().contains(words)), "{found:?}");
    }

    #[test]
    fn each_line_is_held_in_starts_of_its_own() {
        for (nth, one) in HELD_IN.iter().enumerate() {
            assert_eq!(one.count_ones(), HELD);
            for other in &HELD_IN[..nth] {
                assert_ne!(one, other);
                assert!((one | other).count_ones() > HELD);
            }
        }
        assert_eq!(button_faults(&answers(Some)), []);
    }

    #[test]
    fn every_wire_that_is_off_is_named() {
        for off in 0..LINES {
            let found = answers(|line| (line != off).then_some(line));
            check(&found, &[ButtonFault::Off(off)], "its wire is off");
        }
        let none = button_faults(&answers(|_| None));
        assert_eq!(none.len(), usize::from(LINES));
    }

    #[test]
    fn every_two_exchanged_wires_are_named() {
        for one in 0..LINES {
            for other in one + 1..LINES {
                let swapped = answers(|line| {
                    Some(match line {
                        line if line == one => other,
                        line if line == other => one,
                        line => line,
                    })
                });
                let expected = ButtonFault::Exchanged(one, other);
                check(&swapped, std::slice::from_ref(&expected), "are exchanged");
                assert_eq!(expected.wires().len(), 2);
            }
        }
    }

    #[test]
    fn three_wires_in_a_circle_are_named_with_their_buttons() {
        let turned = answers(|line| Some(if line < 3 { (line + 1) % 3 } else { line }));
        let closes = |line, button| ButtonFault::Closes { line, button };
        let expected = [closes(0, 1), closes(1, 2), closes(2, 0)];
        check(&turned, &expected, "the probe's wire of B1 (GP2) closes the button B2");
    }

    /// The wire of B1 goes to B2, and the one of B2 is off.
    #[test]
    fn a_line_that_closes_another_button_is_named_beside_one_that_is_off() {
        let wrong = answers(|line| if line == 1 { None } else { Some(line.max(1)) });
        let closes = ButtonFault::Closes { line: 0, button: 1 };
        check(&wrong, &[closes, ButtonFault::Off(1)], "closes the button B2");
    }

    #[test]
    fn wires_that_touch_each_other_are_named() {
        for one in 0..LINES {
            for other in one + 1..LINES {
                let both: u16 = 1 << one | 1 << other;
                let mut touching = answers(Some);
                for named in touching.iter_mut().filter(|it| **it & both != 0) {
                    *named |= both;
                }
                check(&touching, &[ButtonFault::Touch(one, other)], "touch each other");
            }
        }
    }

    #[test]
    fn a_poor_contact_is_no_wire_that_is_off() {
        let mut poor = answers(Some);
        let first = poor.iter_mut().find(|it| **it & 1 << 4 != 0).expect("B5 is held");
        *first &= !(1 << 4);
        check(&poor, &[ButtonFault::Unsteady(4)], "some presses of B5 (GP6)");
        let stuck = answers(Some).map(|named| named | 1 << 4);
        check(&stuck, &[ButtonFault::Stuck(4)], "although the probe does not press it");
    }
}
