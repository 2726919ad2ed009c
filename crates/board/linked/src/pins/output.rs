//! Outputs with a level: each has a method `set`.

/// Implements the output of embedded-hal for types with a method `set(&self, Level)`.
macro_rules! output_pins {
    ($($pin:ty),+) => {
        $(
            impl embedded_hal::digital::ErrorType for $pin {
                type Error = crate::clock::Never;
            }

            impl embedded_hal::digital::OutputPin for $pin {
                fn set_low(&mut self) -> Result<(), crate::clock::Never> {
                    self.set(board_file::parts::Level::Low);
                    Ok(())
                }

                fn set_high(&mut self) -> Result<(), crate::clock::Never> {
                    self.set(board_file::parts::Level::High);
                    Ok(())
                }
            }
        )+
    };
}

pub(super) use output_pins;
