//! The board's wires by the names that waveforms, maps and reports use.

use core::fmt;

use trace::{BUTTONS_MAX, Button, Buttons};

/// A wire of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Signal {
    /// Pin of a button, low while it is pressed.
    Button(Button),
    /// The LCD's chip select, low while bytes are sent to it.
    ChipSelect,
    /// SPI clock; mode 0: idle low, sampled at the rising edge.
    Clock,
    /// Data to the LCD.
    Mosi,
    /// Data from the LCD.
    Miso,
    /// The LCD's D/CX: low for a command.
    Dc,
    /// The LCD's RESX.
    LcdReset,
    /// The LCD's backlight.
    Backlight,
    /// The buzzer's PWM.
    Buzzer,
    /// Console, 115200 baud, 8 bits, no parity.
    UartTx,
    /// Whether the board has power. Not a pin; traces and waveforms record it.
    Power,
}

impl Signal {
    /// Maximum number of signals of a board. All values of [`index`](Self::index) are smaller.
    pub const COUNT_MAX: usize = BUTTONS_MAX + Self::OTHERS.len();

    /// Wires other than the buttons: their names, and the name of a button's wire if the button is
    /// called like that. No button can have a `/` in its name.
    const OTHERS: [(Self, &'static str, &'static str); 10] = [
        (Self::ChipSelect, "CS", "BUTTON/CS"),
        (Self::Clock, "SCK", "BUTTON/SCK"),
        (Self::Mosi, "MOSI", "BUTTON/MOSI"),
        (Self::Miso, "MISO", "BUTTON/MISO"),
        (Self::Dc, "DC", "BUTTON/DC"),
        (Self::LcdReset, "RST", "BUTTON/RST"),
        (Self::Backlight, "BL", "BUTTON/BL"),
        (Self::Buzzer, "BUZZER", "BUTTON/BUZZER"),
        (Self::UartTx, "UART_TX", "BUTTON/UART_TX"),
        (Self::Power, "POWER", "BUTTON/POWER"),
    ];

    /// Returns all signals of the LCD board: the buttons in pin order, then the others.
    pub fn all() -> impl Iterator<Item = Self> {
        let others = Self::OTHERS.iter().map(|(signal, ..)| *signal);
        Button::LCD_BOARD.into_iter().map(Self::Button).chain(others)
    }

    /// Returns all signals of a board with these buttons, in the same order.
    pub fn all_of(buttons: &Buttons) -> Vec<Self> {
        let others = Self::OTHERS.iter().map(|(signal, ..)| *signal);
        buttons.all().iter().copied().map(Self::Button).chain(others).collect()
    }

    /// Returns an index that no other signal has, in the order of [`Signal::all_of`].
    pub fn index(self) -> usize {
        match self {
            Self::Button(button) => button.index(),
            other => {
                let place = Self::OTHERS.iter().position(|(signal, ..)| *signal == other);
                BUTTONS_MAX + place.unwrap_or_default()
            }
        }
    }

    /// Returns the name: `B1`…`B6`, `T1`…`T6`, `RESET`, `CS`, `SCK`, … A button called `CS` has the wire
    /// `BUTTON/CS`: tools that decode a bus expect its wires under their own names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Button(button) => {
                let called = |name: &str| name.eq_ignore_ascii_case(button.name());
                let other = Self::OTHERS.iter().find(|(_, name, _)| called(name));
                other.map_or(button.name(), |(_, _, of_button)| of_button)
            }
            other => Self::OTHERS[other.index() - BUTTONS_MAX].1,
        }
    }

    /// Returns the signal of the LCD board with that name, ignoring case; a blank counts as `_`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::named(&Buttons::lcd_board(), name)
    }

    /// Returns the signal with that name of a board with these buttons: that of exactly that
    /// name, or a wire whose name differs only in case and in blanks, which count as `_`.
    pub fn named(buttons: &Buttons, name: &str) -> Option<Self> {
        let name = name.trim().replace(' ', "_");
        let exact = buttons.named(&name).map(Self::Button).filter(|signal| signal.name() == name);
        let is_similar = |signal: &Self| signal.name().eq_ignore_ascii_case(&name);
        exact.or_else(|| Self::all_of(buttons).into_iter().find(is_similar))
    }

    /// Returns whether the wire is high while the board has no power.
    pub const fn idles_high(self) -> bool {
        matches!(
            self,
            Self::Button(_) | Self::ChipSelect | Self::Dc | Self::LcdReset | Self::UartTx
        )
    }

    /// Returns the names of all signals of a board with these buttons, for error messages.
    pub fn names_of(buttons: &Buttons) -> Vec<&'static str> {
        Self::all_of(buttons).into_iter().map(Self::name).collect()
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_signal_is_found_by_its_name_and_has_its_own_index() {
        for signal in Signal::all() {
            assert_eq!(Signal::from_name(signal.name()), Some(signal));
        }
        let indices: Vec<usize> = Signal::all().map(Signal::index).collect();
        assert!(indices.is_sorted_by(|before, after| before < after));
        assert!(indices.iter().all(|index| *index < Signal::COUNT_MAX));
        assert_eq!(Signal::from_name("uart tx"), Some(Signal::UartTx));
        assert_eq!(Signal::from_name("D3"), None);
    }

    #[test]
    fn a_button_called_like_a_wire_has_a_name_of_its_own() {
        let buttons = Buttons::new(["CS", "rst", "FIRE"]).unwrap();
        let all = buttons.all();
        let named = |name| Signal::named(&buttons, name);
        assert_eq!(named("CS"), Some(Signal::ChipSelect));
        assert_eq!(named("rst"), Some(Signal::LcdReset));
        assert_eq!(named("BUTTON/CS"), Some(Signal::Button(all[0])));
        assert_eq!(named("button/rst"), Some(Signal::Button(all[1])));
        assert_eq!(named("FIRE"), Some(Signal::Button(all[2])));
        let mut names = Signal::names_of(&buttons);
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Signal::all_of(&buttons).len(), "{names:?}");
    }
}
