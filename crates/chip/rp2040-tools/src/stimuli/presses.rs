//! `--pins` with a trace of the board: its buttons drive the pins that they are wired to.
//!
//! A contact connects its pin to ground while it is pressed, and leaves it open otherwise. Times
//! count from the trace's `power on`. Lines that only observe the board are ignored. This module
//! does not know the board's other parts: a line that needs one is an error, and so is a press
//! after a wait, which ends when the LCD shows something.

use rp2040_emulator::chip::Drive;
use trace::{Action, Button, Line, LineName, TAP_HOLD, Trace, When};
use virtual_time::Instant;

use super::Stimuli;

/// Reason why a trace drives no pins.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PressesError {
    /// A line has an action that is not a contact's.
    #[error("{line}: {what} is nothing that a pin does; --pins takes presses, releases and taps")]
    NoContact {
        line: LineName,
        /// Action of the line.
        what: String,
    },
    /// The time of a line depends on the board.
    #[error(
        "{line}: the time of this {what} is counted from a wait, which ends when the board shows \
         something; give it a time since power-on (like 2s)"
    )]
    Unknown {
        line: LineName,
        /// Action of the line.
        what: String,
    },
    /// A line has a button of a described board, whose pins are not known here.
    #[error(
        "{line}: {button} is no button of the LCD board; --pins drives the pins of its buttons"
    )]
    OtherBoard { line: LineName, button: Button },
    /// No button is pressed.
    #[error("it presses no button")]
    NoPress,
}

impl Stimuli {
    /// Returns the changes of the pins by the buttons of `trace`. `pins` are the GPIO numbers of the
    /// buttons, in the order of [`Button::LCD_BOARD`].
    ///
    /// # Errors
    /// Returns [`PressesError`] with the line.
    pub fn of_trace(
        trace: &Trace,
        pins: &[usize; Button::LCD_BOARD.len()],
    ) -> Result<Self, PressesError> {
        let mut changes: Vec<(Instant, usize, Drive)> = vec![];
        // `None` after a wait, until a line has an absolute time.
        let (mut now, mut powered_at) = (Some(Instant::START), None);
        for line in &trace.lines {
            now = match line.when {
                When::At(at) => Some(at),
                When::After(span) => now.map(|now| now.saturating_add(span)),
            };
            let error = |wrong: fn(LineName, String) -> PressesError| {
                Err(wrong(name(line), line.action.noun()))
            };
            let mut change = |button: Button, at: Option<Instant>, drive| {
                let at = at.ok_or(())?.saturating_since(powered_at.unwrap_or(Instant::START));
                changes.push((Instant::START.saturating_add(at), pins[button.index()], drive));
                Ok::<(), ()>(())
            };
            if let Action::Press(button) | Action::Release(button) | Action::Tap { button, .. } =
                &line.action
                && Button::from_name(button.name()) != Some(*button)
            {
                return Err(PressesError::OtherBoard { line: name(line), button: *button });
            }
            let done = match &line.action {
                Action::PowerOn if powered_at.is_none() => {
                    powered_at = now;
                    Ok(())
                }
                Action::Press(button) => change(*button, now, Drive::Low),
                Action::Release(button) => change(*button, now, Drive::Open),
                Action::Tap { button, hold } => {
                    let end = now.map(|now| now.saturating_add(hold.unwrap_or(TAP_HOLD)));
                    change(*button, now, Drive::Low).and(change(*button, end, Drive::Open))
                }
                Action::End => break,
                action if action.longest_wait().is_some() => {
                    now = None;
                    Ok(())
                }
                action if action.is_input() => {
                    return error(|line, what| PressesError::NoContact { line, what });
                }
                _ => Ok(()),
            };
            if done.is_err() {
                return error(|line, what| PressesError::Unknown { line, what });
            }
        }
        if changes.is_empty() {
            return Err(PressesError::NoPress);
        }
        // A tap's release may come after the next lines.
        changes.sort_by_key(|(at, ..)| *at);
        Ok(Self { changes, ..Self::default() })
    }
}

/// Returns the line's name for an error.
fn name(line: &Line) -> LineName {
    match &line.included {
        Some(included) => LineName { line: included.place.line, file: Some(included.file.clone()) },
        None => LineName { line: line.place.line, file: None },
    }
}

#[cfg(test)]
mod tests {
    use trace::{Buttons, parse};

    use super::*;

    #[track_caller]
    fn read(lines: &str) -> Result<Stimuli, PressesError> {
        let text = format!("trace 1\n{lines}");
        Stimuli::of_trace(
            &parse("a.trace", &text).expect("a trace"),
            &core::array::from_fn(|at| at + 2),
        )
    }

    #[test]
    fn presses_releases_and_taps_move_the_pins_of_their_buttons() {
        let stimuli = read(
            "1s power on\n+1s tap B1\n+20ms press T1\n+1s settle within 1s\n5s release T1\n6s end\n",
        );
        let ms = |at: u64| Instant(at * 1_000_000);
        let expected = [
            (ms(1_000), 2, Drive::Low),
            (ms(1_020), 8, Drive::Low),
            (ms(1_080), 2, Drive::Open),
            (ms(4_000), 8, Drive::Open),
        ];
        assert_eq!(stimuli.map(|stimuli| stimuli.changes), Ok(expected.into()));
    }

    #[test]
    fn lines_that_need_other_parts_are_refused() {
        for (lines, expected) in [
            (
                "0s power on\n+1s type \"help\"\n+1s end\n",
                "line 3: type is nothing that a pin does",
            ),
            (
                "0s power on\n+1s settle within 1s\n+1s tap B1\n+1s end\n",
                "line 4: the time of this tap of B1",
            ),
            ("0s power on\n+1s tap B1\n+1s power off\n+1s end\n", "line 4: power off is nothing"),
            ("0s power on\n+1s end\n", "it presses no button"),
        ] {
            let error = read(lines).expect_err(lines).to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn buttons_of_another_board_are_refused() {
        let names: Vec<String> = (1..=40).map(|nth| format!("K{nth}")).collect();
        let buttons = Buttons::new(names.iter().map(String::as_str)).expect("forty names");
        for button in [buttons.all()[0], buttons.all()[39]] {
            let tap = Line::new(When::At(Instant(1)), Action::Tap { button, hold: None });
            let trace = Trace { lines: vec![tap], ..Trace::default() };
            let error = Stimuli::of_trace(&trace, &[2; 13]).expect_err("no such button");
            assert!(
                matches!(error, PressesError::OtherBoard { button: wrong, .. } if wrong == button)
            );
        }
    }
}
