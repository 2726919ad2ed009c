//! The UART blocks of the chip and their pins (RP2040 datasheet, 1.4.3).

/// A signal of a UART.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    Tx,
    Rx,
}

impl Signal {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Tx => "TX",
            Self::Rx => "RX",
        }
    }

    /// Returns the pins that can have the signal.
    pub(crate) fn pins(self) -> &'static str {
        match self {
            Self::Tx => "GP0, 4, 8, 12, 16, 20, 24 and 28",
            Self::Rx => "GP1, 5, 9, 13, 17, 21, 25 and 29",
        }
    }
}

/// Returns the number of the UART whose signal is at a pin: of four pins in a row the first is TX,
/// the second RX, and the number changes from GP4 on after each eight.
pub fn block(gpio: u8, signal: Signal) -> Option<usize> {
    let place_of_four = match signal {
        Signal::Tx => 0,
        Signal::Rx => 1,
    };
    (gpio % 4 == place_of_four).then(|| usize::from((gpio + 4) / 8 % 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_uarts_are_at_the_pins_of_the_datasheet() {
        let numbers: Vec<usize> = (0..8).map(|four| block(four * 4, Signal::Tx).unwrap()).collect();
        assert_eq!(numbers, [0, 1, 1, 0, 0, 1, 1, 0]);
        assert_eq!((block(1, Signal::Rx), block(1, Signal::Tx)), (Some(0), None));
    }
}
