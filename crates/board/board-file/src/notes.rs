//! Notes: what is possible on a board, and on a Raspberry Pi Pico is not.

use core::fmt;

use crate::parts::BoardFile;

/// A pin that is not on the header of a Raspberry Pi Pico (Pico datasheet, 2.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    gpio: u8,
    key: &'static str,
    /// The part as messages name it.
    part: String,
    use_on_pico: &'static str,
}

impl fmt::Display for Note {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { gpio, key, part, use_on_pico } = self;
        write!(
            out,
            "GP{gpio} is `{key}` of {part}; on a Raspberry Pi Pico, GP{gpio} {use_on_pico} and is on no \
             pin of the header"
        )
    }
}

/// Returns the notes on a board, in the order of its parts.
pub fn notes(board: &BoardFile) -> Vec<Note> {
    let mut notes = Vec::new();
    for part in board.parts() {
        for used in &part.pins {
            let use_on_pico = match used.pin.gpio {
                23 => "selects the mode of the power supply",
                24 => "senses the voltage of USB",
                // The LED of the Pico can be an LED, and shows a level that is no LED's.
                25 if part.kind != "led" && used.key != "backlight" => "is the LED",
                29 => "measures the supply",
                _ => continue,
            };
            let (gpio, key) = (used.pin.gpio, used.key);
            notes.push(Note { gpio, key, part: part.label(), use_on_pico });
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_that_the_pico_uses_itself_have_a_note() {
        let text = "board = 1\nname = \"x\"\nchip = \"rp2040\"\n[[display]]\npanel = \"ssd1306\"\n\
                    bus = \"i2c\"\nsda = \"GP4\"\nscl = \"GP5\"\n[[led]]\nname = \"L\"\n\
                    pin = \"GP25\"\n[[button]]\nname = \"A\"\npin = \"GP23\"\n";
        let board = crate::parse("x", text).unwrap();
        let notes: Vec<String> = notes(&board).iter().map(Note::to_string).collect();
        let expected = "GP23 is `pin` of the button A; on a Raspberry Pi Pico, GP23 selects the mode \
                        of the power supply and is on no pin of the header";
        assert_eq!(notes, [expected]);
        assert!(super::notes(crate::lcd_board()).is_empty());
    }
}
